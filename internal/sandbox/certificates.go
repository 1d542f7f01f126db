package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// validity is how long certificates are good for. A sandbox is gone long before.
const validity = 90 * 24 * time.Hour

// systemRoots are where the distributions keep the authorities they trust.
var systemRoots = []string{
	"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
	"/etc/ssl/cert.pem", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
}

// writeBundle writes the system's authorities and one more to a file. The variables that name it replace the system's
// list, and programs that go to other hosts through the proxy still have to trust those.
func writeBundle(dir string, pem []byte) (string, error) {
	var all []byte
	for _, file := range append([]string{os.Getenv("SSL_CERT_FILE")}, systemRoots...) {
		if raw, err := os.ReadFile(file); err == nil {
			all = append(raw, '\n')
			break
		}
	}
	path := filepath.Join(dir, "ca-bundle.pem")
	if err := os.WriteFile(path, append(all, pem...), 0o600); err != nil {
		return "", fmt.Errorf("write authorities: %w", err)
	}
	return path, nil
}
