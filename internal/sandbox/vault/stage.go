package vault

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// The methods of this file set a scene. They need no token and work in every
// state of the server, also while it is sealed.

// RootToken is the root token, or "" while the server isn't initialised.
func (s *Server) RootToken() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seal.rootToken
}

// UnsealKeys are the keys as base64; Options.Threshold of them unseal.
func (s *Server) UnsealKeys() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.seal.keys...)
}

// Seal seals the server.
func (s *Server) Seal() { s.setSealed(true) }

// Unseal unseals an initialised server without its keys.
func (s *Server) Unseal() { s.setSealed(false) }

func (s *Server) setSealed(sealed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seal.sealed = sealed || !s.seal.initialized
	s.resetUnseal()
}

// Standby makes the server a standby that knows of no active node, or active
// again: its health says so, and it serves nothing else.
func (s *Server) Standby(on bool) { s.setStandby(on, standby) }

// PerformanceStandby makes the server a performance standby, or active again.
// It still serves every request, as one does that forwards what it can't.
func (s *Server) PerformanceStandby(on bool) { s.setStandby(on, performanceStandby) }

func (s *Server) setStandby(on bool, mode standbyMode) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.standby = active
	if on {
		s.standby = mode
	}
}

// Do carries out a request as root in a namespace ("" is the root one) and
// returns its data, or its auth for the paths that make tokens. method is an
// HTTP method or LIST; an error has Vault's message.
func (s *Server) Do(method, namespace, path string, data map[string]any) (map[string]any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ns, ok := s.spaces[namespacePath(namespace)]
	if !ok {
		return nil, fmt.Errorf("stage %s %s: no namespace %q", method, path, namespace)
	}
	data, err := clone(data) // what is kept must not be the caller's
	if err != nil {
		return nil, fmt.Errorf("stage %s %s: %w", method, path, err)
	}
	req := &request{id: s.uuid(), path: path, data: data, ns: ns, tokenID: s.seal.rootToken}
	if req.token = s.tokens.byID[s.seal.rootToken]; req.token == nil {
		req.token = &token{policies: []string{"root"}} // the root token may have been revoked
	}
	ops := map[string]op{
		http.MethodGet: opRead, "LIST": opList, http.MethodPost: opUpdate, http.MethodPut: opUpdate,
		http.MethodPatch: opPatch, http.MethodDelete: opDelete,
	}
	if req.op, ok = ops[method]; !ok {
		return nil, fmt.Errorf("stage %s %s: unknown method", method, path)
	}
	if req.op == opList && !strings.HasSuffix(req.path, "/") {
		req.path += "/"
	}
	rep, err := s.route(req)
	if err != nil {
		return nil, fmt.Errorf("stage %s %s: %w", method, path, err)
	}
	return outcome(req, rep)
}

func outcome(req *request, rep *reply) (map[string]any, error) {
	switch {
	case rep == nil && req.op.reads(), rep != nil && rep.status == http.StatusNotFound:
		return nil, fmt.Errorf("stage %s %s: %w", req.op, req.path, ErrNotFound)
	case rep == nil:
		return nil, nil
	case rep.auth == nil:
		return clone(rep.data)
	}
	return clone(rep.auth)
}

// clone copies a value the way JSON would carry it.
func clone(v any) (map[string]any, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var out map[string]any
	return out, dec.Decode(&out)
}

// ErrNotFound is returned by Do for what Vault answers with 404.
var ErrNotFound = errors.New("not found")

func namespacePath(name string) string {
	if name = strings.Trim(name, "/"); name == "" {
		return ""
	}
	return name + "/"
}

// Mount enables a KV engine of version 1 or 2 at the path, in the root
// namespace.
func (s *Server) Mount(path string, version int) error {
	_, err := s.Do(http.MethodPost, "", "sys/mounts/"+path, map[string]any{
		"type": "kv", "options": map[string]any{"version": fmt.Sprint(version)},
	})
	return err
}

// Put writes an entry of a KV v2 mount in the root namespace, as a new version
// with exactly this data.
func (s *Server) Put(mount, name string, data map[string]any) error {
	_, err := s.Do(http.MethodPost, "", mount+"/data/"+name, map[string]any{"data": data})
	return err
}

// Policy sets a policy of the root namespace, in HCL or JSON.
func (s *Server) Policy(name, text string) error {
	_, err := s.Do(http.MethodPut, "", "sys/policies/acl/"+name, map[string]any{"policy": text})
	return err
}

// Token makes an orphan token. fields are those of auth/token/create, such as
// "policies", "ttl" and "num_uses".
func (s *Server) Token(fields map[string]any) (string, error) {
	auth, err := s.Do(http.MethodPost, "", "auth/token/create-orphan", fields)
	if err != nil {
		return "", err
	}
	id, _ := auth["client_token"].(string)
	return id, nil
}
