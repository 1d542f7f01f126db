package operators

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// kubelet runs the pods of the one node. A container is a program of this package, not a process; everything about it
// that outlives a pass is kept here.
type kubelet struct {
	*cluster
	databases *databases
	missing   []string

	mu     sync.Mutex // guards what follows; passes hold it only while they change it
	pods   map[types.UID]*podRun
	images map[string]bool // what has been pulled to the node
	lastIP int
}

// podRun is what the node knows about one pod.
type podRun struct {
	namespace, name string
	ip              string
	since           time.Time
	stopAt          time.Time // when the containers have given in to SIGTERM; zero while nobody asked
	runs            map[string]*containerRun
}

func newKubelet(c *cluster, missing []string) *kubelet {
	return &kubelet{
		cluster: c, databases: newDatabases(), missing: missing,
		pods: map[types.UID]*podRun{}, images: map[string]bool{},
	}
}

func (k *kubelet) controller() controller {
	return controller{"kubelet", []GVR{Pods, Nodes, Secrets, ConfigMaps, Claims, Services, EndpointSlices}, k.pass}
}

func (k *kubelet) pass(ctx context.Context) (time.Duration, error) {
	if err := k.node(ctx); err != nil {
		return 0, err
	}
	alive := map[types.UID]bool{}
	next, failed := each(k.cluster, Pods, func(o *unstructured.Unstructured, pod *corev1.Pod) (time.Duration, error) {
		if pod.Spec.NodeName != NodeName {
			return 0, nil
		}
		alive[pod.UID] = true
		return k.tend(ctx, o, pod)
	})
	k.forget(alive)
	return next, failed
}

// sooner is the shorter of two waits of which 0 means none.
func sooner(a, b time.Duration) time.Duration {
	if a == 0 || (b != 0 && b < a) {
		return b
	}
	return a
}

// node makes the Node object and keeps it Ready.
func (k *kubelet) node(ctx context.Context) error {
	o := k.find(Nodes, "", NodeName)
	if o == nil {
		made, err := k.create(ctx, Nodes, "v1", "Node", map[string]any{
			"metadata": map[string]any{"name": NodeName, "labels": map[string]any{
				"kubernetes.io/hostname": NodeName, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64"}},
			"spec": map[string]any{"podCIDR": "10.244.0.0/24"},
		})
		if err != nil {
			return err
		}
		o = made
	}
	if o.Object["status"] != nil {
		if ready := condition(o, "Ready"); ready != nil {
			return nil
		}
	}
	at := stamp(k.now())
	capacity := map[string]any{"cpu": "4", "memory": "8Gi", "pods": "110", "ephemeral-storage": "100Gi"}
	return k.setStatus(ctx, Nodes, o, map[string]any{
		"capacity": capacity, "allocatable": capacity,
		"addresses": []any{
			map[string]any{"type": "InternalIP", "address": hostIP}, map[string]any{"type": "Hostname", "address": NodeName}},
		"conditions": []any{map[string]any{
			"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "kubelet is posting ready status",
			"lastHeartbeatTime": at, "lastTransitionTime": at}},
		"nodeInfo": map[string]any{
			"architecture": "amd64", "bootID": "", "containerRuntimeVersion": "sandbox://1", "kernelVersion": "",
			"kubeProxyVersion": "", "kubeletVersion": "v1.37.2", "machineID": "", "operatingSystem": "linux",
			"osImage": "runbook sandbox", "systemUUID": ""},
	})
}

const hostIP = "192.0.2.10" // from the block that documentation may use: no real machine has it

func (k *kubelet) forget(alive map[types.UID]bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for uid, p := range k.pods {
		if !alive[uid] {
			p.end()
			delete(k.pods, uid)
		}
	}
}

// end stops whatever still runs in the pod.
func (p *podRun) end() {
	for _, r := range p.runs {
		if r.phase == running {
			close(r.over)
		}
		r.phase, r.outcome = ended, outcome{ends: true}
	}
}

// known returns the node's record of pod and makes one for a new pod.
func (k *kubelet) known(pod *corev1.Pod) *podRun {
	k.mu.Lock()
	defer k.mu.Unlock()
	if p, ok := k.pods[pod.UID]; ok {
		return p
	}
	k.lastIP++
	p := &podRun{
		namespace: pod.Namespace, name: pod.Name, since: k.now(), runs: map[string]*containerRun{},
		ip: fmt.Sprintf("10.244.%d.%d", k.lastIP/250, k.lastIP%250+1),
	}
	restarts := map[string]int32{}
	for _, s := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
		restarts[s.Name] = s.RestartCount
	}
	for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		p.runs[c.Name] = &containerRun{reason: "PodInitializing", restarts: restarts[c.Name]}
	}
	k.pods[pod.UID] = p
	return p
}

// tend moves one pod as far as it goes now and writes its status.
func (k *kubelet) tend(ctx context.Context, o *unstructured.Unstructured, pod *corev1.Pod) (time.Duration, error) {
	p := k.known(pod)
	if pod.DeletionTimestamp != nil {
		return k.stop(ctx, o, pod, p)
	}
	if pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
		return 0, nil
	}
	w := &work{kubelet: k, ctx: ctx, object: o, pod: pod, run: p, now: k.now()}
	w.containers()
	status := untyped(w.status())
	return w.next, k.setStatus(ctx, Pods, o, status)
}

// stop sends SIGTERM, waits until the containers have gone and takes the object away.
func (k *kubelet) stop(ctx context.Context, o *unstructured.Unstructured, pod *corev1.Pod, p *podRun) (time.Duration, error) {
	now := k.now()
	if p.stopAt.IsZero() {
		for _, c := range pod.Spec.Containers {
			if r := p.runs[c.Name]; r != nil && r.running() {
				k.container(ctx, o, c.Name, "Normal", "Killing", "Stopping container "+c.Name)
			}
		}
		k.mu.Lock()
		p.stopAt = now.Add(k.pace.of(k.pace.delays.Stop))
		k.mu.Unlock()
	}
	if wait := p.stopAt.Sub(now); wait > 0 {
		return wait, nil
	}
	k.mu.Lock()
	p.end()
	k.mu.Unlock()
	return 0, k.remove(ctx, Pods, o, 0)
}

// container writes an Event about one container, which the kubelet points at by its field in the pod.
func (k *kubelet) container(ctx context.Context, o *unstructured.Unstructured, name, kind, reason, message string) {
	field := "spec.containers{" + name + "}"
	init, _, _ := unstructured.NestedSlice(o.Object, "spec", "initContainers")
	for _, raw := range init {
		if m, ok := raw.(map[string]any); ok && m["name"] == name {
			field = "spec.initContainers{" + name + "}"
		}
	}
	k.events.emit(ctx, about{o, field}, "kubelet", kind, reason, message)
}
