package vault

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/hashicorp/go-secure-stdlib/parseutil"
)

// keyLength is that of a Shamir share of a 256-bit key, in bytes.
const keyLength = 33

// A sealState is what the node knows while it knows nothing else.
type sealState struct {
	initialized bool
	sealed      bool
	keys        []string // base64
	threshold   int
	given       map[string]bool // keys of the unseal in progress
	nonce       string
	rootToken   string
	clusterID   string
}

type standbyMode int

const (
	active standbyMode = iota
	standby
	performanceStandby
)

// initialize makes the unseal keys and the root token.
func (s *Server) initialize(shares, threshold int) {
	s.seal.initialized, s.seal.sealed = true, true
	s.seal.threshold, s.seal.given = threshold, map[string]bool{}
	for range shares {
		s.seal.keys = append(s.seal.keys, base64.StdEncoding.EncodeToString(s.random(keyLength)))
	}
	id := s.opt.RootToken
	if id == "" {
		id = s.tokenID("hvs.")
	}
	s.seal.rootToken = id
	s.tokens.add(&token{
		id: id, accessor: s.accessor(), policies: []string{"root"}, path: "auth/token/root",
		displayName: "root", created: s.now(), kind: "service",
	})
}

// health answers sys/health: the code says the state, and query parameters
// change the code of each state.
func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		writeFault(w, &fault{code: http.StatusMethodNotAllowed})
		return
	}
	code, err := s.healthCode(r)
	if err != nil {
		writeFault(w, &fault{code: http.StatusBadRequest})
		return
	}
	body := map[string]any{
		"initialized": s.seal.initialized, "sealed": s.seal.sealed,
		// A sealed node is no active one.
		"standby": s.seal.sealed || s.standby != active, "performance_standby": s.standby == performanceStandby,
		"replication_performance_mode": "disabled", "replication_dr_mode": "disabled",
		"server_time_utc": s.now().Unix(), "version": s.opt.Version,
	}
	if s.seal.sealed {
		body["replication_performance_mode"], body["replication_dr_mode"] = "unknown", "unknown"
	} else {
		body["cluster_name"], body["cluster_id"] = s.opt.ClusterName, s.seal.clusterID
	}
	if r.Method == http.MethodHead {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		return
	}
	writeJSON(w, code, body)
}

func (s *Server) healthCode(r *http.Request) (int, error) {
	q := r.URL.Query()
	code := func(name string, otherwise int) (int, error) {
		if !q.Has(name) {
			return otherwise, nil
		}
		return strconv.Atoi(q.Get(name))
	}
	switch {
	case !s.seal.initialized:
		return code("uninitcode", http.StatusNotImplemented)
	case s.seal.sealed:
		return code("sealedcode", http.StatusServiceUnavailable)
	case s.standby == performanceStandby:
		return standbyCode(q.Has("perfstandbyok"), q.Get("perfstandbyok"), func() (int, error) { return code("performancestandbycode", 473) })
	case s.standby == standby:
		return standbyCode(q.Has("standbyok"), q.Get("standbyok"), func() (int, error) { return code("standbycode", http.StatusTooManyRequests) })
	}
	return code("activecode", http.StatusOK)
}

func standbyCode(given bool, value string, otherwise func() (int, error)) (int, error) {
	if !given {
		return otherwise()
	}
	ok, err := parseutil.ParseBool(value)
	if err != nil {
		return 0, err
	}
	if ok {
		return http.StatusOK, nil
	}
	return otherwise()
}

func (s *Server) sealStatus(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		writeFault(w, &fault{code: http.StatusMethodNotAllowed})
		return
	}
	s.writeSealStatus(w)
}

func (s *Server) writeSealStatus(w http.ResponseWriter) {
	body := map[string]any{
		"type": "shamir", "initialized": s.seal.initialized, "sealed": s.seal.sealed,
		"t": s.seal.threshold, "n": len(s.seal.keys), "progress": len(s.seal.given), "nonce": s.seal.nonce,
		"version": s.opt.Version, "build_date": "2023-06-19T11:40:23Z", "migration": false,
		"recovery_seal": false, "storage_type": "inmem",
	}
	if !s.seal.sealed {
		body["cluster_name"], body["cluster_id"] = s.opt.ClusterName, s.seal.clusterID
	}
	writeJSON(w, http.StatusOK, body)
}

func (s *Server) leader(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method != http.MethodGet:
		writeFault(w, &fault{code: http.StatusMethodNotAllowed})
	case s.seal.sealed && s.standby != active:
		writeFault(w, errSealed)
	default:
		writeJSON(w, http.StatusOK, map[string]any{
			"ha_enabled": s.standby != active, "is_self": false, "active_time": time.Time{},
			"leader_address": "", "leader_cluster_address": "",
			"performance_standby": s.standby == performanceStandby, "performance_standby_last_remote_wal": 0,
		})
	}
}

func (s *Server) initEndpoint(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodGet:
		writeJSON(w, http.StatusOK, map[string]any{"initialized": s.seal.initialized})
		return
	case http.MethodPut, http.MethodPost:
	default:
		writeFault(w, &fault{code: http.StatusMethodNotAllowed})
		return
	}
	var in struct {
		Shares    int `json:"secret_shares"`
		Threshold int `json:"secret_threshold"`
	}
	if err := decodeDirect(r, &in); err != nil {
		writeFault(w, err)
		return
	}
	if msg := initComplaint(in.Shares, in.Threshold, s.seal.initialized); msg != "" {
		writeFault(w, badRequest(msg))
		return
	}
	s.initialize(in.Shares, in.Threshold)
	hexKeys := make([]string, 0, in.Shares)
	for _, k := range s.seal.keys {
		raw, _ := base64.StdEncoding.DecodeString(k) // made by initialize
		hexKeys = append(hexKeys, hex.EncodeToString(raw))
	}
	writeJSON(w, http.StatusOK, map[string]any{"keys": hexKeys, "keys_base64": s.seal.keys, "root_token": s.seal.rootToken})
}

func initComplaint(shares, threshold int, initialized bool) string {
	switch {
	case initialized:
		return "Vault is already initialized"
	case shares < 1:
		return "invalid seal configuration: shares must be at least one"
	case threshold < 1:
		return "invalid seal configuration: threshold must be at least one"
	case shares > 1 && threshold == 1:
		return "invalid seal configuration: threshold must be greater than one for multiple shares"
	case threshold > shares:
		return "invalid seal configuration: threshold cannot be larger than shares"
	}
	return ""
}

func (s *Server) unsealEndpoint(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPut && r.Method != http.MethodPost {
		writeFault(w, &fault{code: http.StatusMethodNotAllowed})
		return
	}
	var in struct {
		Key   string `json:"key"`
		Reset bool   `json:"reset"`
	}
	if err := decodeDirect(r, &in); err != nil {
		writeFault(w, err)
		return
	}
	if err := s.unsealWith(in.Key, in.Reset); err != nil {
		writeFault(w, err)
		return
	}
	s.writeSealStatus(w)
}

func (s *Server) unsealWith(key string, reset bool) *fault {
	switch {
	case reset && !s.seal.sealed:
		return badRequest("vault is unsealed")
	case reset:
		s.resetUnseal()
		return nil
	case key == "":
		return badRequest("'key' must be specified in request body as JSON, or 'reset' set to true")
	}
	raw, err := hex.DecodeString(key)
	if err != nil || len(raw) < 16 || len(raw) > keyLength {
		if raw, err = base64.StdEncoding.DecodeString(key); err != nil {
			return badRequest("'key' must be a valid hex or base64 string")
		}
	}
	switch {
	case !s.seal.initialized:
		return badRequest("Vault is not initialized")
	case !s.seal.sealed:
		return nil
	case len(raw) < 16:
		return badRequest(fmt.Sprintf("key is shorter than minimum %d bytes", 16))
	case len(raw) > keyLength:
		return badRequest(fmt.Sprintf("key is longer than maximum %d bytes", keyLength))
	}
	return s.addUnsealKey(base64.StdEncoding.EncodeToString(raw))
}

// addUnsealKey counts a key. Wrong ones are found out only when there are
// enough of them, as with real shares.
func (s *Server) addUnsealKey(key string) *fault {
	if s.seal.nonce == "" {
		s.seal.nonce = s.uuid()
	}
	s.seal.given[key] = true
	if len(s.seal.given) < s.seal.threshold {
		return nil
	}
	given := s.seal.given
	s.resetUnseal()
	right := 0
	for _, k := range s.seal.keys {
		if given[k] {
			right++
		}
	}
	if right < s.seal.threshold {
		return badRequest("failed to decrypt keys from storage: error decrypting data encryption key: cipher: message authentication failed")
	}
	s.seal.sealed = false
	return nil
}

func (s *Server) resetUnseal() { s.seal.given, s.seal.nonce = map[string]bool{}, "" }

// sealNow answers sys/seal, which forgets everything but what is stored.
func (s *Server) sealNow(req *request) (*reply, error) {
	if req.op != opUpdate {
		return nil, &fault{code: http.StatusMethodNotAllowed}
	}
	s.seal.sealed = true
	s.resetUnseal()
	return nil, nil
}

func decodeDirect(r *http.Request, into any) *fault {
	err := json.NewDecoder(r.Body).Decode(into)
	if err != nil && !errors.Is(err, io.EOF) {
		return badRequest("failed to parse JSON input: " + err.Error())
	}
	return nil
}
