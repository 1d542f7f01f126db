package vault

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/hashicorp/vault/api"
)

// An answer is what Vault said, also with a 404, whose body has the metadata
// of a version that is deleted.
type answer struct {
	status   int
	data     map[string]any
	warnings []string
	server   time.Time // Vault's clock; zero when it didn't say
}

// list is the method of the API that names what is in a folder. On the wire it
// is a GET, as proxies let through.
const list = "LIST"

// call makes one request. body is nil for a GET and a list. A 404 with data or warnings is
// an answer; every other failure is an *Error about path.
//
// The library's methods for raw answers aren't used: those for writing end the
// context before the body is read, and patch with a type that KV doesn't take.
func (c *Client) call(ctx context.Context, method, path string, body any) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	op := "read"
	r := c.api.NewRequest(method, "/v1/"+path)
	switch method {
	case http.MethodGet:
	case list:
		op, r.Method = "list", http.MethodGet
		r.Params.Set("list", "true")
	default:
		op = "write"
		if err := r.SetJSONBody(body); err != nil {
			return answer{}, fmt.Errorf("write %s: the data can't be JSON", path) // the cause may quote a value
		}
	}
	if method == http.MethodPatch {
		r.Headers.Set("Content-Type", "application/merge-patch+json")
	}
	//lint:ignore SA1019 deprecated in favour of Logical, see above
	resp, err := c.api.RawRequestWithContext(ctx, r)
	return c.answer(op, path, resp, err)
}

func (c *Client) answer(op, path string, resp *api.Response, err error) (answer, error) {
	if resp != nil && resp.Body != nil {
		defer resp.Body.Close()
	}
	if resp == nil {
		if err == nil {
			err = errors.New("no answer")
		}
		return answer{}, classify(op, path, err)
	}
	a := answer{status: resp.StatusCode}
	if t, perr := http.ParseTime(resp.Header.Get("Date")); perr == nil {
		a.server = t
	}
	var failed *api.ResponseError
	if err != nil && (!errors.As(err, &failed) || failed.StatusCode != http.StatusNotFound || failed.RawError) {
		return answer{}, classify(op, path, err)
	}
	if resp.StatusCode >= 300 && resp.StatusCode < 400 {
		return answer{}, &Error{Op: op, Object: path, Kind: NotVault, Status: resp.StatusCode, Detail: fmt.Sprintf("the answer (code %d) leads elsewhere", resp.StatusCode)}
	}
	if derr := a.decode(resp.Body); derr != nil {
		return answer{}, &Error{Op: op, Object: path, Kind: NotVault, Status: resp.StatusCode, Detail: "the answer isn't JSON", cause: derr}
	}
	if err != nil && a.data == nil && len(a.warnings) == 0 {
		return a, classify(op, path, err)
	}
	return a, nil
}

// maxAnswer bounds what is read of an answer, in bytes: Vault's own limit for a
// request, and an entry can't be larger.
const maxAnswer = 32 << 20

func (a *answer) decode(body io.Reader) error {
	raw, err := io.ReadAll(io.LimitReader(body, maxAnswer))
	if err != nil {
		return errors.New("the answer broke off")
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var env struct {
		Data     map[string]any `json:"data"`
		Warnings []string       `json:"warnings"`
	}
	if err := dec.Decode(&env); err != nil {
		return errors.New("not JSON") // what the decoder says may quote the body
	}
	a.data, a.warnings = env.Data, env.Warnings
	return nil
}

// The readers below take a field out of an answer; what is missing or of
// another type is the zero value.

func textAt(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}

func intAt(m map[string]any, key string) int {
	n, _ := m[key].(json.Number)
	i, _ := n.Int64()
	return int(i)
}

func boolAt(m map[string]any, key string) bool {
	b, _ := m[key].(bool)
	return b
}

func mapAt(m map[string]any, key string) map[string]any {
	v, _ := m[key].(map[string]any)
	return v
}

func timeAt(m map[string]any, key string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, textAt(m, key))
	if err != nil {
		return time.Time{}
	}
	return t
}

func textsAt(m map[string]any, key string) []string {
	list, _ := m[key].([]any)
	out := make([]string, 0, len(list))
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, oneLine(s))
		}
	}
	return out
}
