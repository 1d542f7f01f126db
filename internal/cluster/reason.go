package cluster

import (
	"context"
	"crypto/x509"
	"errors"
	"net"
	"strings"
	"syscall"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"runbook/internal/world"
)

// loginAgain is what a person can do about credentials that aren't taken.
const loginAgain = "the login has expired or was revoked: log in again"

// reason is what a person needs to know of a failed request, without the URL
// and the layers it came through.
func reason(err error) string {
	var dns *net.DNSError
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var name x509.HostnameError
	switch {
	case apierrors.IsUnauthorized(err):
		return loginAgain
	case strings.Contains(err.Error(), "getting credentials: exec"):
		return "the login plugin failed: " + world.Clean(after(err.Error(), "getting credentials: "))
	case errors.As(err, &dns):
		return "no such host " + dns.Name
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.Is(err, errLost):
		return errLost.Error()
	case errors.As(err, &unknown):
		return "its certificate is signed by an authority that the kubeconfig doesn't know"
	case errors.As(err, &invalid), errors.As(err, &name):
		return "its certificate is not valid: " + world.Clean(after(err.Error(), "x509: "))
	case errors.Is(err, context.DeadlineExceeded), isTimeout(err):
		return "no answer in time"
	}
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		return world.Clean(status.Status().Message)
	}
	return world.Clean(err.Error())
}

func isTimeout(err error) bool {
	var t net.Error
	return errors.As(err, &t) && t.Timeout()
}

func after(s, mark string) string {
	if _, rest, ok := strings.Cut(s, mark); ok {
		return rest
	}
	return s
}
