package servers

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"runbook/internal/sandbox/authority"
)

const validity = 24 * time.Hour // no test runs that long

// writeCertificate puts certificate and key of a name into files of dir.
func writeCertificate(a *authority.Authority, dir, name string) (certificate, key string, err error) {
	crt, k, err := a.Issue(name, "localhost")
	if err != nil {
		return "", "", err
	}
	certificate, key = filepath.Join(dir, name+".crt"), filepath.Join(dir, name+".key")
	if err := os.WriteFile(certificate, crt, 0o600); err != nil {
		return "", "", fmt.Errorf("issue certificate: %w", err)
	}
	return certificate, key, os.WriteFile(key, k, 0o600)
}

// writeSigningKey makes the key pair of service account tokens.
func writeSigningKey(path string) error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return fmt.Errorf("make signing key: %w", err)
	}
	raw := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	return os.WriteFile(path, raw, 0o600)
}
