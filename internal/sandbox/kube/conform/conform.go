package conform

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"
)

// Target is an API server with the namespace, garbage, service account and role aggregation controllers at work, and
// nobody else who changes what the exchanges make: no scheduler and no workload controllers.
type Target struct {
	Rest *rest.Config // as somebody who may do everything
	// Nobody is the user "conform-nobody", who has no rights.
	Nobody *rest.Config
	// Node is the name of a node whose kubelet has the log Log for each container called "app", and answers for any other
	// that it is waiting to start: ContainerCreating. Without it the exchanges about logs are left out.
	Node string
	// Rules says that the rules of definitions (x-kubernetes-validations) are kept, which needs an interpreter of CEL.
	Rules bool
	// Compact makes the storage forget its history. Watches and lists of poddisruptionbudgets must come straight from there.
	Compact func(context.Context) error
}

// Log is what each container called "app" has said.
const Log = "one\ntwo\nthree\n"

// An exchange is one request and what has to come back.
type exchange struct {
	as     string // "" may do everything, "nobody" nothing, "anonymous" shows no token, "stranger" one that nobody has
	method string
	path   string // ${ns} is the group's namespace, other names are what was kept; also in body and want
	body   string // YAML or JSON; sent as JSON unless kind says otherwise
	kind   string // content type
	accept string
	status int
	want   string // YAML that has to be part of the answer; see match
	text   string // the whole answer, for those that aren't JSON
	stream string // YAML list: the events of a watch until the server ends it
	warn   string // part of a Warning header
	keep   string // "name=path": keeps the text at the path of the answer
	// eventually repeats the exchange until the answer is as wanted, for what controllers do.
	eventually bool
}

type group struct {
	name string
	does []exchange
}

// Run sends every exchange to the target. Groups have namespaces of their own and run at the same time.
func Run(t *testing.T, target Target) {
	all := [][]group{
		discoveryGroups, crudGroups, refusalGroups, listGroups, watchGroups, patchGroups, applyGroups, dryRunGroups,
		statusGroups, lifeGroups, eventGroups, accessGroups, definitionGroups, tableGroups, defaultGroups,
	}
	if target.Rules {
		all = append(all, ruleGroups)
	}
	if target.Node != "" {
		all = append(all, logGroups)
	}
	var work sync.WaitGroup // not t.Parallel, which allows as many as there are processors: these mostly wait
	n := 0
	for _, groups := range all {
		for _, g := range groups {
			n++
			ns := fmt.Sprintf("conform-%d", n)
			work.Go(func() {
				t.Run(g.name, func(t *testing.T) {
					c, err := newClient(t, target, ns)
					if err != nil {
						t.Fatal(err)
					}
					c.all(t, g.does)
				})
			})
		}
	}
	work.Go(func() {
		t.Run("a definition is deleted under an open watch", func(t *testing.T) { definitionUnderWatch(t, target) })
	})
	work.Wait()
	t.Run("a history that is forgotten is said to be", func(t *testing.T) { forgotten(t, target) })
}

type client struct {
	ctx  context.Context
	host string
	as   map[string]*http.Client
	kept map[string]string
}

func newClient(t *testing.T, target Target, ns string) (*client, error) {
	t.Helper()
	admin, err := rest.HTTPClientFor(target.Rest)
	if err != nil {
		return nil, err
	}
	nobody, err := rest.HTTPClientFor(target.Nobody)
	if err != nil {
		return nil, err
	}
	anonymous, err := rest.HTTPClientFor(rest.AnonymousClientConfig(target.Rest))
	if err != nil {
		return nil, err
	}
	wrong := rest.AnonymousClientConfig(target.Rest)
	wrong.BearerToken = "nobody-has-this-one"
	stranger, err := rest.HTTPClientFor(wrong)
	if err != nil {
		return nil, err
	}
	c := &client{
		ctx: t.Context(), host: target.Rest.Host, kept: map[string]string{"ns": ns, "node": target.Node},
		as: map[string]*http.Client{"": admin, "nobody": nobody, "anonymous": anonymous, "stranger": stranger},
	}
	made := exchange{method: "POST", path: "/api/v1/namespaces", body: "{apiVersion: v1, kind: Namespace, metadata: {name: ${ns}}}", status: 201}
	if problem := c.run(made); problem != "" {
		return nil, fmt.Errorf("create namespace %s: %s", ns, problem)
	}
	return c, nil
}

func (c *client) fill(s string) string {
	for name, v := range c.kept {
		s = strings.ReplaceAll(s, "${"+name+"}", v)
	}
	return s
}

// patience is after how long what a controller should do is given up. No check depends on it.
const patience = 20 * time.Second

// run carries out an exchange and says what is wrong with the answer.
func (c *client) run(e exchange) string {
	problem := c.once(e)
	if problem == "" || !e.eventually {
		return problem
	}
	tick, late := time.NewTicker(50*time.Millisecond), time.NewTimer(patience)
	defer tick.Stop()
	defer late.Stop()
	for {
		select {
		case <-tick.C:
			if problem = c.once(e); problem == "" {
				return ""
			}
		case <-late.C:
			return problem
		case <-c.ctx.Done():
			return problem
		}
	}
}
