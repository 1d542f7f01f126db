package operators

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// NodeName is the one node that pods run on.
const NodeName = "sandbox-worker-1"

// Config says which controllers act on which API server, and how fast.
type Config struct {
	Rest *rest.Config // how to reach the API server, as somebody who may do everything
	// Which names the controllers that run, all of Names() when empty. Against a real control plane the ones that
	// its controller manager has are left out.
	Which  []string
	Delays Delays           // DefaultDelays when zero
	Speed  float64          // what Delays are divided by; 1 when zero
	Now    func() time.Time // time.Now when nil
	// MissingImages are image references that no registry knows.
	MissingImages []string
	// ReportMissingParents makes the Gateway controller write Accepted=False InvalidHTTPRoute on a route whose Gateway
	// does not exist, as some Cilium versions do. A conforming controller writes nothing.
	ReportMissingParents bool
	// Log hears about failed passes other than those that end by themselves; silent when nil.
	Log func(controller string, err error)
}

// Operators are running controllers.
type Operators struct {
	cluster *cluster
	kubelet *kubelet
	cancel  context.CancelFunc // ends the loops
	abort   context.CancelFunc // ends requests that are under way
	wait    sync.WaitGroup
}

// controller is one controller: what wakes it, and one level-triggered look at everything it is responsible for.
type controller struct {
	name  string
	wakes []GVR
	// pass returns after how long it wants to look again, 0 for not before something changes.
	pass func(ctx context.Context) (time.Duration, error)
}

// Names are the controllers there are.
func Names() []string {
	var out []string
	for _, c := range controllers(&cluster{}, &kubelet{}, Config{}) {
		out = append(out, c.name)
	}
	return out
}

func controllers(c *cluster, k *kubelet, cfg Config) []controller {
	return []controller{
		newScheduler(c), k.controller(), newDeployments(c), newReplicaSets(c), newStatefulSets(c), newDaemonSets(c),
		newJobs(c), newEndpoints(c), newVolumes(c), newStores(c), newExternalSecrets(c), newPostgres(c, k.databases),
		newGateways(c, cfg.ReportMissingParents),
	}
}

// Start runs the controllers until ctx ends or Close is called.
func Start(ctx context.Context, cfg Config) (*Operators, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Delays == (Delays{}) {
		cfg.Delays = DefaultDelays()
	}
	if cfg.Log == nil {
		cfg.Log = func(string, error) {}
	}
	for _, name := range cfg.Which {
		if !slices.Contains(Names(), name) {
			return nil, fmt.Errorf("start operators: no controller is called %q", name)
		}
	}
	rc := rest.CopyConfig(cfg.Rest)
	rc.QPS = -1 // controllers of one process that talk over loopback need no rationing
	client, err := dynamic.NewForConfig(rc)
	if err != nil {
		return nil, fmt.Errorf("start operators: %w", err)
	}
	c := &cluster{now: cfg.Now, pace: newPace(cfg.Delays, cfg.Speed), events: newRecorder(client, cfg.Now)}
	k := newKubelet(c, cfg.MissingImages)
	chosen := choose(controllers(c, k, cfg), cfg.Which)
	c.view = newView(client, kindsOf(chosen))
	ctx, cancel := context.WithCancel(ctx)
	requests, abort := context.WithCancel(context.WithoutCancel(ctx))
	o := &Operators{cluster: c, kubelet: k, cancel: cancel, abort: abort}
	o.run(ctx, requests, chosen, cfg)
	return o, nil
}

func choose(all []controller, which []string) []controller {
	if len(which) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(c controller) bool { return !slices.Contains(which, c.name) })
}

// kindsOf is every kind that is read anywhere: programs in pods look at Services and Secrets whoever runs.
func kindsOf(chosen []controller) []GVR {
	kinds := []GVR{Pods, Services, EndpointSlices, Secrets, ConfigMaps, Claims, Volumes, Deployments, Namespaces, Gateways, HTTPRoutes, Nodes}
	for _, c := range chosen {
		for _, k := range c.wakes {
			if !slices.Contains(kinds, k) {
				kinds = append(kinds, k)
			}
		}
	}
	return kinds
}

// run starts the loops. They end with ctx; the requests of a pass may go on for a moment, so that none is cut in the
// middle of its answer.
func (o *Operators) run(ctx, requests context.Context, chosen []controller, cfg Config) {
	for kind := range o.cluster.shelves {
		o.wait.Go(func() { o.cluster.follow(ctx, requests, kind) })
	}
	for _, c := range chosen {
		bell := o.cluster.subscribe(c.wakes)
		o.wait.Go(func() { o.drive(ctx, requests, c, bell, cfg) })
	}
}

// farewell is how long Close lets requests end by themselves.
const farewell = time.Second

// resync is how often a controller looks even if nothing told it to, so that an injected clock may jump.
const resync = 2 * time.Second

// drive runs passes of one controller, one at a time.
func (o *Operators) drive(ctx, requests context.Context, c controller, bell <-chan struct{}, cfg Config) {
	for ctx.Err() == nil {
		wait := resync
		if o.synced(c.wakes) {
			again, err := c.pass(requests)
			if again > 0 {
				wait = min(wait, again)
			}
			if err != nil && ctx.Err() == nil {
				wait = min(wait, relist)
				if !passing(err) {
					cfg.Log(c.name, err)
				}
			}
		}
		t := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-bell:
		case <-t.C:
		}
		t.Stop()
	}
}

func (o *Operators) synced(kinds []GVR) bool {
	for _, k := range kinds {
		if !o.cluster.shelves[k].ready() {
			return false
		}
	}
	return true
}

// passing tells the errors of a cluster at work (somebody else was faster) from the ones worth a line.
func passing(err error) bool {
	return apierrors.IsConflict(err) || apierrors.IsNotFound(err) || apierrors.IsAlreadyExists(err) || errors.Is(err, context.Canceled)
}

// SetSpeed changes how fast everything goes from now on.
func (o *Operators) SetSpeed(speed float64) { o.cluster.pace.set(speed) }

// List returns the objects of kind that the controllers know, oldest name first; none for a kind they do not follow.
// It answers from memory, so it goes on answering while the API server is away. The objects must not be changed.
func (o *Operators) List(kind GVR) []*unstructured.Unstructured {
	if _, ok := o.cluster.shelves[kind]; !ok {
		return nil
	}
	return o.cluster.all(kind)
}

// Close stops every controller and waits until the last one has returned. Containers end with it.
func (o *Operators) Close() {
	o.cancel()
	late := time.AfterFunc(farewell, o.abort)
	o.wait.Wait()
	late.Stop()
	o.abort()
}
