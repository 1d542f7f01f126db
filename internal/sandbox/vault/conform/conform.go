package conform

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

// A Target is an initialised, unsealed, active Vault without namespaces. It has
// to offer the kv engine and the approle login; the exchanges make mounts,
// policies and tokens of their own in it.
type Target struct {
	Addr string // such as http://127.0.0.1:8200
	Root string // a root token
	// Key unseals it alone. Without it the exchanges that seal are left out.
	Key string
}

// An exchange is one request and what has to come back.
type exchange struct {
	as      string // "" is the root token, "nobody" none, else a name that keep gave
	method  string
	path    string // ${name} is filled in, also in body
	body    string
	header  string // "Name: value"
	status  int    // 0 is any: for the few that differ between builds of one release
	want    string // JSON that has to be part of the answer; see match
	keep    string // name for …
	keepAt  string // … the text at this path of the answer, such as auth.client_token
	without string // a text that the answer must not have
}

type group struct {
	name string
	does []exchange
}

// Run sends every exchange to the target.
func Run(t *testing.T, target Target) {
	all := [][]group{stateGroups, kv2Groups, kv1Groups, mountGroups, policyGroups, tokenGroups, edgeGroups}
	if target.Key != "" {
		all = append(all, sealGroups)
	}
	for _, groups := range all {
		for _, g := range groups {
			t.Run(g.name, func(t *testing.T) {
				c := client{target: target, kept: map[string]string{"nobody": "", "key": target.Key}}
				for i, e := range g.does {
					if problem := c.run(e); problem != "" {
						t.Errorf("exchange %d, %s %s: %s", i+1, e.method, e.path, problem)
					}
				}
			})
		}
	}
}

type client struct {
	target Target
	kept   map[string]string
}

func (c *client) fill(s string) string {
	for name, v := range c.kept {
		s = strings.ReplaceAll(s, "${"+name+"}", v)
	}
	return s
}

// run carries out one exchange and says what is wrong with the answer.
func (c *client) run(e exchange) string {
	status, body, err := c.send(e)
	if err != nil {
		return err.Error()
	}
	if e.status != 0 && status != e.status {
		return fmt.Sprintf("got status %d, want %d; body %s", status, e.status, body)
	}
	if e.without != "" && strings.Contains(body, e.without) {
		return fmt.Sprintf("got %q in %s", e.without, body)
	}
	var got any
	if strings.TrimSpace(body) != "" {
		if err := json.Unmarshal([]byte(body), &got); err != nil {
			return fmt.Sprintf("body isn't JSON: %v: %s", err, body)
		}
	}
	if e.want == "none" && got != nil {
		return "got a body: " + body
	}
	if e.want != "" && e.want != "none" {
		var want any
		if err := json.Unmarshal([]byte(c.fill(e.want)), &want); err != nil {
			return "the wanted JSON is broken: " + err.Error()
		}
		if problem := match("", want, got); problem != "" {
			return problem + "; body " + body
		}
	}
	if e.keep != "" {
		v, ok := at(got, e.keepAt).(string)
		if !ok {
			return fmt.Sprintf("no text at %s; body %s", e.keepAt, body)
		}
		c.kept[e.keep] = v
	}
	return ""
}

func (c *client) send(e exchange) (status int, body string, err error) {
	req, err := http.NewRequest(e.method, c.target.Addr+"/v1/"+c.fill(e.path), strings.NewReader(c.fill(e.body)))
	if err != nil {
		return 0, "", err
	}
	token := c.target.Root
	if e.as != "" {
		token = c.kept[e.as]
	}
	if token != "" {
		req.Header.Set("X-Vault-Token", token)
	}
	if e.method == http.MethodPatch {
		req.Header.Set("Content-Type", "application/merge-patch+json")
	}
	if name, value, ok := strings.Cut(e.header, ": "); ok {
		req.Header.Set(name, c.fill(value))
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(raw), err
}

// match tells where the answer lacks something. Objects may have more than is
// wanted, lists may not; "<any>" is any value but null, "<absent>" a missing
// key.
func match(path string, want, got any) string {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return fmt.Sprintf("at %q: got %v, want an object", path, got)
		}
		for k, v := range w {
			gv, has := g[k]
			switch {
			case v == "<absent>" && has:
				return fmt.Sprintf("at %q: got %v, want none", path+"."+k, gv)
			case v == "<absent>":
				continue
			case !has:
				return fmt.Sprintf("at %q: missing", path+"."+k)
			}
			if problem := match(path+"."+k, v, gv); problem != "" {
				return problem
			}
		}
		return ""
	case string:
		if w == "<any>" {
			if got == nil {
				return fmt.Sprintf("at %q: got null", path)
			}
			return ""
		}
	}
	if !reflect.DeepEqual(want, got) {
		return fmt.Sprintf("at %q: got %v, want %v", path, got, want)
	}
	return ""
}

func at(v any, path string) any {
	for _, k := range strings.Split(path, ".") {
		m, _ := v.(map[string]any)
		v = m[k]
	}
	return v
}
