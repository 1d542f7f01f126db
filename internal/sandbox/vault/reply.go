package vault

import (
	"encoding/json"
	"net/http"
)

// A reply is what a backend has to say. A nil reply is 204 for a write and 404
// for a read.
type reply struct {
	status   int // 200 unless set
	bare     bool
	data     map[string]any
	warnings []string
	auth     *authReply
	lease    int // seconds
}

// An authReply is the token that a login or a creation handed out.
type authReply struct {
	ClientToken   string            `json:"client_token"`
	Accessor      string            `json:"accessor"`
	Policies      []string          `json:"policies"`
	TokenPolicies []string          `json:"token_policies,omitempty"`
	Metadata      map[string]string `json:"metadata"`
	LeaseDuration int               `json:"lease_duration"`
	Renewable     bool              `json:"renewable"`
	EntityID      string            `json:"entity_id"`
	TokenType     string            `json:"token_type"`
	Orphan        bool              `json:"orphan"`
	MFA           any               `json:"mfa_requirement"`
	NumUses       int               `json:"num_uses"`
}

// A fault is an error with the code that Vault gives it. An empty message is
// an empty list of errors.
type fault struct {
	code int
	msg  string
}

func (f *fault) Error() string { return f.msg }

func fail(code int, msg string) *fault { return &fault{code: code, msg: msg} }

func badRequest(msg string) *fault { return fail(http.StatusBadRequest, msg) }

// wrapped is a message as Vault's list of errors prints a single one.
func wrapped(code int, msg string) *fault {
	return fail(code, "1 error occurred:\n\t* "+msg+"\n\n")
}

var (
	errSealed      = fail(http.StatusServiceUnavailable, "Vault is sealed")
	errDenied      = wrapped(http.StatusForbidden, "permission denied")
	errBadToken    = fail(http.StatusForbidden, "permission denied")
	errUnsupported = wrapped(http.StatusMethodNotAllowed, "unsupported operation")
	errNoSuchPath  = wrapped(http.StatusNotFound, "unsupported path")
)

func writeFault(w http.ResponseWriter, f *fault) {
	body := struct {
		Errors []string `json:"errors"`
	}{Errors: []string{}}
	if f.msg != "" {
		body.Errors = append(body.Errors, f.msg)
	}
	writeJSON(w, f.code, body)
}

// envelope is the body around every logical answer; the order is Vault's.
type envelope struct {
	RequestID     string         `json:"request_id"`
	LeaseID       string         `json:"lease_id"`
	Renewable     bool           `json:"renewable"`
	LeaseDuration int            `json:"lease_duration"`
	Data          map[string]any `json:"data"`
	WrapInfo      any            `json:"wrap_info"`
	Warnings      []string       `json:"warnings"`
	Auth          *authReply     `json:"auth"`
}

func writeReply(w http.ResponseWriter, req *request, rep *reply) {
	status := rep.status
	if status == 0 {
		status = http.StatusOK
	}
	if rep.bare {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		return
	}
	env := envelope{
		RequestID: req.id, LeaseDuration: rep.lease,
		Data: rep.data, Warnings: rep.warnings, Auth: rep.auth,
	}
	if req.injects() {
		writeJSON(w, status, inject(env))
		return
	}
	writeJSON(w, status, env)
}

// inject repeats the data at the top level, as the oldest sys paths do.
func inject(env envelope) map[string]any {
	out := map[string]any{}
	for k, v := range env.Data {
		out[k] = v
	}
	for k, v := range map[string]any{
		"request_id": env.RequestID, "lease_id": env.LeaseID, "renewable": env.Renewable,
		"lease_duration": env.LeaseDuration, "data": env.Data, "wrap_info": nil,
		"warnings": env.Warnings, "auth": env.Auth,
	} {
		out[k] = v
	}
	return out
}

func writeJSON(w http.ResponseWriter, code int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	// It goes into a buffer, and all bodies are made of plain values.
	_ = json.NewEncoder(w).Encode(body)
}
