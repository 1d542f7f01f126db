package kinds

import (
	"strings"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func set[T comparable](p *T, v T) {
	var zero T
	if *p == zero {
		*p = v
	}
}

func point[T any](p **T, v T) {
	if *p == nil {
		*p = &v
	}
}

func defaultPod(p *core.Pod) {
	defaultPodSpec(&p.Spec)
	point(&p.Spec.EnableServiceLinks, true)
	for _, cs := range [][]core.Container{p.Spec.InitContainers, p.Spec.Containers} {
		for i := range cs {
			requestLimits(&cs[i].Resources)
		}
	}
}

// requestLimits: what is limited and not requested is requested as much as it is limited. A template
// keeps what it says; only a pod gets this.
func requestLimits(r *core.ResourceRequirements) {
	for name, q := range r.Limits {
		if r.Requests == nil {
			r.Requests = core.ResourceList{}
		}
		if _, ok := r.Requests[name]; !ok {
			r.Requests[name] = q.DeepCopy()
		}
	}
}

func defaultTemplate(t *core.PodTemplateSpec) { defaultPodSpec(&t.Spec) }

func defaultPodSpec(s *core.PodSpec) {
	set(&s.RestartPolicy, core.RestartPolicyAlways)
	set(&s.DNSPolicy, core.DNSClusterFirst)
	set(&s.SchedulerName, core.DefaultSchedulerName)
	point(&s.TerminationGracePeriodSeconds, int64(core.DefaultTerminationGracePeriodSeconds))
	if s.SecurityContext == nil {
		s.SecurityContext = &core.PodSecurityContext{}
	}
	if s.DeprecatedServiceAccount == "" {
		s.DeprecatedServiceAccount = s.ServiceAccountName
	}
	set(&s.ServiceAccountName, s.DeprecatedServiceAccount)
	for i := range s.InitContainers {
		defaultContainer(&s.InitContainers[i])
	}
	for i := range s.Containers {
		defaultContainer(&s.Containers[i])
	}
	for i := range s.Volumes {
		defaultVolumeSource(&s.Volumes[i].VolumeSource)
	}
}

func defaultContainer(c *core.Container) {
	set(&c.ImagePullPolicy, pullPolicy(c.Image))
	set(&c.TerminationMessagePath, core.TerminationMessagePathDefault)
	set(&c.TerminationMessagePolicy, core.TerminationMessageReadFile)
	for i := range c.Ports {
		set(&c.Ports[i].Protocol, core.ProtocolTCP)
	}
	for i := range c.Env {
		if from := c.Env[i].ValueFrom; from != nil && from.FieldRef != nil {
			set(&from.FieldRef.APIVersion, "v1")
		}
	}
	for _, p := range []*core.Probe{c.LivenessProbe, c.ReadinessProbe, c.StartupProbe} {
		defaultProbe(p)
	}
	if c.Lifecycle != nil {
		for _, h := range []*core.LifecycleHandler{c.Lifecycle.PostStart, c.Lifecycle.PreStop} {
			if h != nil {
				defaultHTTPGet(h.HTTPGet)
			}
		}
	}
}

// pullPolicy: an image whose tag can move is always pulled.
func pullPolicy(image string) core.PullPolicy {
	name := image[strings.LastIndex(image, "/")+1:]
	if strings.Contains(name, "@") {
		return core.PullIfNotPresent
	}
	if _, tag, ok := strings.Cut(name, ":"); ok && tag != "latest" {
		return core.PullIfNotPresent
	}
	return core.PullAlways
}

func defaultProbe(p *core.Probe) {
	if p == nil {
		return
	}
	set(&p.TimeoutSeconds, 1)
	set(&p.PeriodSeconds, 10)
	set(&p.SuccessThreshold, 1)
	set(&p.FailureThreshold, 3)
	defaultHTTPGet(p.HTTPGet)
	if p.GRPC != nil {
		point(&p.GRPC.Service, "")
	}
}

func defaultHTTPGet(g *core.HTTPGetAction) {
	if g != nil {
		set(&g.Path, "/")
		set(&g.Scheme, core.URISchemeHTTP)
	}
}

func defaultVolumeSource(v *core.VolumeSource) {
	switch {
	case v.Secret != nil:
		point(&v.Secret.DefaultMode, core.SecretVolumeSourceDefaultMode)
	case v.ConfigMap != nil:
		point(&v.ConfigMap.DefaultMode, core.ConfigMapVolumeSourceDefaultMode)
	case v.DownwardAPI != nil:
		point(&v.DownwardAPI.DefaultMode, core.DownwardAPIVolumeSourceDefaultMode)
	case v.Projected != nil:
		point(&v.Projected.DefaultMode, core.ProjectedVolumeSourceDefaultMode)
		for i := range v.Projected.Sources {
			if t := v.Projected.Sources[i].ServiceAccountToken; t != nil {
				point(&t.ExpirationSeconds, int64(3600))
			}
		}
	case v.HostPath != nil:
		point(&v.HostPath.Type, core.HostPathUnset)
	case *v == core.VolumeSource{}:
		v.EmptyDir = &core.EmptyDirVolumeSource{}
	}
}

func defaultService(s *core.Service) {
	set(&s.Spec.Type, core.ServiceTypeClusterIP)
	set(&s.Spec.SessionAffinity, core.ServiceAffinityNone)
	if s.Spec.SessionAffinity == core.ServiceAffinityNone {
		s.Spec.SessionAffinityConfig = nil
	}
	for i := range s.Spec.Ports {
		p := &s.Spec.Ports[i]
		set(&p.Protocol, core.ProtocolTCP)
		if p.TargetPort == (intstr.IntOrString{}) || p.TargetPort == intstr.FromString("") {
			p.TargetPort = intstr.FromInt32(p.Port)
		}
	}
	if s.Spec.Type == core.ServiceTypeNodePort || s.Spec.Type == core.ServiceTypeLoadBalancer {
		set(&s.Spec.ExternalTrafficPolicy, core.ServiceExternalTrafficPolicyCluster)
	}
	if s.Spec.Type == core.ServiceTypeLoadBalancer {
		point(&s.Spec.AllocateLoadBalancerNodePorts, true)
	}
	if s.Spec.Type != core.ServiceTypeExternalName {
		point(&s.Spec.InternalTrafficPolicy, core.ServiceInternalTrafficPolicyCluster)
		point(&s.Spec.IPFamilyPolicy, core.IPFamilyPolicySingleStack)
		if s.Spec.IPFamilies == nil {
			s.Spec.IPFamilies = []core.IPFamily{core.IPv4Protocol}
		}
	}
}
