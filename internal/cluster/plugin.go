package cluster

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"k8s.io/client-go/rest"

	"runbook/internal/world"
)

// transport builds the HTTP client of cfg. Login plugins write their errors to
// whatever os.Stderr is while it is built; that would smear the screen, and the
// text is the very reason that a person needs, so it goes to a nameless file.
func (c *Client) transport(cfg *rest.Config) error {
	if cfg.ExecProvider != nil {
		file, err := os.CreateTemp("", "runbook-login-*")
		if err != nil {
			return fmt.Errorf("collect errors of the login plugin: %w", err)
		}
		if err := os.Remove(file.Name()); err != nil {
			return fmt.Errorf("collect errors of the login plugin: %w", err)
		}
		screen := os.Stderr
		os.Stderr, c.plugin = file, file
		defer func() { os.Stderr = screen }()
	}
	made, err := rest.HTTPClientFor(cfg)
	if err != nil {
		return err
	}
	c.login = &login{next: made.Transport, why: c.why, pause: 10 * time.Second}
	c.http = &http.Client{Transport: c.login, Timeout: made.Timeout}
	return nil
}

// why is [reason], with the plugin's own words where a login plugin failed.
func (c *Client) why(err error) string {
	var login *loginError
	if errors.As(err, &login) {
		return login.why
	}
	text := reason(err)
	if c.plugin == nil || !strings.Contains(err.Error(), "getting credentials: ") {
		return text
	}
	if said := lastLine(c.plugin); said != "" {
		return text + ": " + said
	}
	return text
}

func lastLine(file *os.File) string {
	info, err := file.Stat()
	if err != nil {
		return ""
	}
	tail := make([]byte, min(info.Size(), 4096))
	n, _ := file.ReadAt(tail, info.Size()-int64(len(tail)))
	lines := bytes.Split(bytes.TrimSpace(tail[:n]), []byte("\n"))
	return world.Clean(string(lines[len(lines)-1]))
}
