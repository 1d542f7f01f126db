package operators

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// network is the cluster's network as a container sees it: names of Services, and who answers behind them.
type network struct {
	*kubelet
}

func (k *kubelet) network() *network { return &network{k} }

// service finds the Service behind a host name as the cluster's DNS would from namespace, or nil.
func (n *network) service(namespace, host string) *corev1.Service {
	host = strings.TrimSuffix(strings.TrimSuffix(host, "."), ".cluster.local")
	name, rest, _ := strings.Cut(host, ".")
	if rest != "" {
		ns, suffix, _ := strings.Cut(rest, ".")
		if suffix != "" && suffix != "svc" {
			return nil
		}
		namespace = ns
	}
	s, ok := typed[corev1.Service](n.find(Services, namespace, name))
	if !ok {
		return nil
	}
	return s
}

// ready names the pods behind a Service that are ready, by its EndpointSlices.
func (n *network) ready(namespace, service string) []string {
	var out []string
	for _, s := range list[discoveryv1.EndpointSlice](n.cluster, EndpointSlices, namespace) {
		if s.Labels[discoveryv1.LabelServiceName] != service {
			continue
		}
		for _, e := range s.Endpoints {
			if e.TargetRef != nil && (e.Conditions.Ready == nil || *e.Conditions.Ready) {
				out = append(out, e.TargetRef.Name)
			}
		}
	}
	return out
}

// login connects to a database by its URL the way the application's driver does, and fails with the driver's words.
func (n *network) login(namespace, dsn string) error {
	u, err := url.Parse(dsn)
	if err != nil {
		// The driver hides the password, yet the cause may still quote a piece of it.
		return fmt.Errorf("cannot parse `%s`: failed to parse as URL (%w)", "postgres://xxxxx", err)
	}
	user, name := u.User.Username(), strings.TrimPrefix(u.Path, "/")
	password, _ := u.User.Password()
	failed := func(format string, args ...any) error {
		return fmt.Errorf("failed to connect to `user=%s database=%s`: %s", user, name, fmt.Sprintf(format, args...))
	}
	host := u.Hostname()
	s := n.service(namespace, host)
	if s == nil {
		return failed("hostname resolving error: lookup %s: no such host", host)
	}
	address := s.Spec.ClusterIP + ":" + port(u)
	db, ok := n.database(s)
	if !ok {
		return failed("%s (%s): dial error: dial tcp %s: connect: connection refused", address, host, address)
	}
	if user != db.owner || password == "" || password != db.password {
		return failed("%s (%s): failed SASL auth: FATAL: password authentication failed for user %q (SQLSTATE 28P01)", address, host, user)
	}
	if name != db.name {
		return failed("%s (%s): server error: FATAL: database %q does not exist (SQLSTATE 3D000)", address, host, name)
	}
	return nil
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	return "5432"
}

// database finds the one served behind a Service. What is on the volume counts, so that a password changed later is
// seen by the next login.
func (n *network) database(s *corev1.Service) (database, bool) {
	for _, pod := range n.ready(s.Namespace, s.Name) {
		for _, r := range n.runningIn(s.Namespace, pod) {
			if r.data == nil {
				continue
			}
			if db, ok := n.databases.read(n.volumeOf(s.Namespace, pod)); ok {
				return db, true
			}
		}
	}
	return database{}, false
}

func (n *network) volumeOf(namespace, name string) string {
	pod, ok := typed[corev1.Pod](n.find(Pods, namespace, name))
	if !ok {
		return ""
	}
	w := &work{kubelet: n.kubelet, pod: pod}
	return w.claimed()[pgdata]
}

// runningIn returns what the running containers of a pod do.
func (k *kubelet) runningIn(namespace, pod string) []outcome {
	k.mu.Lock()
	defer k.mu.Unlock()
	var out []outcome
	for _, p := range k.pods {
		if p.namespace != namespace || p.name != pod {
			continue
		}
		for _, r := range p.runs {
			if r.phase == running {
				out = append(out, r.outcome)
			}
		}
	}
	return out
}

// Handler returns what answers HTTP in a running pod, nil when nothing does.
func (o *Operators) Handler(namespace, pod string) http.Handler {
	for _, r := range o.kubelet.runningIn(namespace, pod) {
		if r.handler != nil {
			return r.handler
		}
	}
	return nil
}

var ok200 = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
