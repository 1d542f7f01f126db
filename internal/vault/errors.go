package vault

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"github.com/hashicorp/vault/api"
)

// A Kind sorts what can go wrong by what a person would do next.
type Kind string

// The kinds.
const (
	Denied      Kind = "denied"         // the policies say no, or the token is none
	NotFound    Kind = "not found"      // nothing at that path
	NoMount     Kind = "no such mount"  // no secrets engine there
	NotKV       Kind = "not a KV mount" // an engine that keeps no entries
	Sealed      Kind = "sealed"
	Standby     Kind = "standby"      // this node serves nothing itself
	RateLimited Kind = "rate limited" // a quota, not a standby
	Invalid     Kind = "refused"      // Vault understood and said no
	Conflict    Kind = "conflict"     // somebody else wrote in between
	Gone        Kind = "deleted"      // the current version is deleted or destroyed
	Costly      Kind = "costs uses"   // the token has only so many, and it would take many
	Unreachable Kind = "unreachable"
	TLS         Kind = "TLS"       // reached, but not trusted
	NotVault    Kind = "not Vault" // something else answers at the address
	Unexpected  Kind = "unexpected"
)

// An Error is a call to Vault that failed. It holds no value of any entry.
type Error struct {
	Op     string // "read", "write", "look up"
	Object string // what it was about: "cicd-test2/subkeys/app"
	Kind   Kind
	Status int    // of HTTP, 0 without an answer
	Detail string // one line, printable
	cause  error
}

// Error reads "operation object: cause".
func (e *Error) Error() string { return e.Op + " " + e.Object + ": " + e.Detail }

// Unwrap returns the transport's error, if there was one.
func (e *Error) Unwrap() error { return e.cause }

// Is matches errors of the same kind: errors.Is(err, &Error{Kind: Denied}).
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Op == "" && t.Kind == e.Kind
}

// KindOf returns the kind of an error from this package, "" for any other.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return ""
}

// Next says what to do about it, in one sentence.
func (e *Error) Next() string {
	switch e.Kind {
	case Denied:
		return "Check the token, VAULT_NAMESPACE, and the policy for this path."
	case NotFound:
		return "Check the name and VAULT_NAMESPACE, or create it."
	case NoMount:
		return "Check the first part of the entry, or enable a KV engine there."
	case NotKV:
		return "Name an entry of a KV mount."
	case Sealed:
		return "People with unseal keys have to unseal it (vault operator unseal)."
	case Standby:
		return "Set VAULT_ADDR to the active node or to the load balancer."
	case RateLimited:
		return "Wait; a quota of Vault is used up."
	case Invalid:
		return "Check how the entry is written, and what Vault says about it."
	case Conflict:
		return "Look at what changed and decide anew."
	case Gone:
		return "Undelete the version, or destroy the entry's metadata if it is really to start anew."
	case Costly:
		return "Look with a token whose uses aren't limited."
	case Unreachable:
		return "Check VAULT_ADDR, the network and the VPN."
	case TLS:
		return e.nextTLS()
	case NotVault:
		return "Check VAULT_ADDR: a proxy, a login page or another service answers there."
	}
	return "Look into Vault's own log."
}

func (e *Error) nextTLS() string {
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(e.cause, &unknown):
		return "Set VAULT_CACERT to the authority that signed Vault's certificate."
	case errors.As(e.cause, &host):
		return "Use the name that is in Vault's certificate, or set VAULT_TLS_SERVER_NAME."
	case errors.As(e.cause, &invalid) && invalid.Reason == x509.Expired:
		return "Renew Vault's certificate, and check the clock of this machine."
	}
	return "Check whether VAULT_ADDR should start with http:// or https://, and VAULT_CACERT."
}

// Why is an error as a pane shows it: what happened, to what, and what to do.
func Why(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Error() + ". " + e.Next()
	}
	return oneLine(err.Error())
}

// classify turns what the client library returned into an Error.
func classify(op, object string, err error) *Error {
	e := &Error{Op: op, Object: object, cause: err}
	var resp *api.ResponseError
	switch {
	case errors.As(err, &resp):
		e.fromResponse(resp)
	case errors.Is(err, context.DeadlineExceeded):
		e.Kind, e.Detail = Unreachable, "no answer in time"
	case errors.Is(err, context.Canceled):
		e.Kind, e.Detail = Unreachable, "interrupted"
	case isTLS(err):
		e.Kind, e.Detail = TLS, oneLine(innermost(err).Error())
	case isTransport(err):
		e.Kind, e.Detail = Unreachable, oneLine(innermost(err).Error())
	default:
		e.Kind, e.Detail = Unexpected, oneLine(err.Error())
	}
	return e
}

func (e *Error) fromResponse(r *api.ResponseError) {
	e.Status, e.cause = r.StatusCode, nil
	detail := oneLine(strings.Join(r.Errors, "; "))
	e.Kind, e.Detail = kindOfStatus(r.StatusCode, detail), detail
	switch {
	case strings.Contains(detail, "HTTP request to an HTTPS server"):
		e.Kind, e.Detail = TLS, "the server wants https://"
	case r.RawError:
		// A body that isn't Vault's may be a whole page; nobody wants it in a pane.
		e.Kind, e.Detail = NotVault, fmt.Sprintf("the answer (code %d) isn't Vault's", r.StatusCode)
	case detail == "":
		e.Detail = string(e.Kind)
	}
	if e.Kind == Denied {
		e.Detail = "permission denied"
	}
}

func kindOfStatus(code int, detail string) Kind {
	switch {
	case strings.Contains(detail, "check-and-set parameter did not match"):
		return Conflict
	case strings.Contains(detail, "active cluster node not found"), strings.Contains(detail, "no active Vault instance"), code == 473:
		return Standby
	}
	switch code {
	case http.StatusForbidden, http.StatusUnauthorized:
		return Denied
	case http.StatusNotFound:
		return NotFound
	case http.StatusServiceUnavailable:
		if strings.Contains(detail, "Vault is sealed") {
			return Sealed
		}
		return Unreachable
	case http.StatusBadGateway, http.StatusGatewayTimeout:
		return Unreachable
	case http.StatusTooManyRequests:
		return RateLimited
	case http.StatusBadRequest, http.StatusMethodNotAllowed, http.StatusUnsupportedMediaType, http.StatusPreconditionFailed:
		return Invalid
	}
	return Unexpected
}

func isTLS(err error) bool {
	var verify *tls.CertificateVerificationError
	var header tls.RecordHeaderError
	var alert tls.AlertError
	if errors.As(err, &verify) || errors.As(err, &header) || errors.As(err, &alert) {
		return true
	}
	return strings.Contains(err.Error(), "server gave HTTP response to HTTPS client")
}

func isTransport(err error) bool {
	var u *url.Error
	return errors.As(err, &u)
}

func innermost(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// maxDetail bounds a message of a server, in runes.
const maxDetail = 300

// oneLine cleans what a server said: no control characters, no runs of white
// space, and no more than fits a pane. Vault's list of one error loses its frame.
func oneLine(s string) string {
	s = strings.ReplaceAll(s, "1 error occurred:\n\t* ", "")
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > maxDetail {
		return string(r[:maxDetail]) + "…"
	}
	return s
}
