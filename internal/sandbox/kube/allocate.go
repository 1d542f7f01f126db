package kube

import (
	"fmt"

	core "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// addresses counts the cluster IPs and node ports that have been given out. They are not reused: a
// sandbox doesn't live long enough to need it.
type addresses struct {
	ip   int
	port int32
}

// allocate gives a Service its addresses. The caller holds s.writing.
func (s *Server) allocate(obj runtime.Object) error {
	svc, ok := obj.(*core.Service)
	if !ok || svc.Spec.Type == core.ServiceTypeExternalName {
		return nil
	}
	if ip := svc.Spec.ClusterIP; ip == "" {
		svc.Spec.ClusterIP = s.nextIP()
	} else if holder := s.holder(ip, svc); ip != core.ClusterIPNone && holder {
		errs := field.ErrorList{field.Invalid(field.NewPath("spec", "clusterIPs"), []string{ip}, "failed to allocate IP "+ip+": provided IP is already allocated")}
		return apierrors.NewInvalid(core.SchemeGroupVersion.WithKind("Service").GroupKind(), svc.Name, errs)
	}
	svc.Spec.ClusterIPs = []string{svc.Spec.ClusterIP}
	if svc.Spec.Type == core.ServiceTypeNodePort || svc.Spec.Type == core.ServiceTypeLoadBalancer {
		for i := range svc.Spec.Ports {
			if svc.Spec.Ports[i].NodePort == 0 {
				svc.Spec.Ports[i].NodePort = 30000 + s.ips.port%2768
				s.ips.port++
			}
		}
	}
	return nil
}

func (s *Server) nextIP() string {
	for {
		s.ips.ip++
		ip := fmt.Sprintf("10.96.%d.%d", s.ips.ip/250%256, s.ips.ip%250+1)
		if !s.holder(ip, &core.Service{}) {
			return ip
		}
	}
}

// holder tells whether another Service has the address.
func (s *Server) holder(ip string, svc *core.Service) bool {
	for _, obj := range s.all("services", "") {
		if text(obj, "spec", "clusterIP") == ip && (namespaceOf(obj) != svc.Namespace || nameOf(obj) != svc.Name) {
			return true
		}
	}
	return false
}

// keepAllocated carries over what an update of a Service left out.
func (s *Server) keepAllocated(obj, old runtime.Object) {
	svc, ok := obj.(*core.Service)
	before, ok2 := old.(*core.Service)
	if !ok || !ok2 || svc.Spec.Type == core.ServiceTypeExternalName || before.Spec.Type == core.ServiceTypeExternalName {
		return
	}
	if svc.Spec.ClusterIP == "" {
		svc.Spec.ClusterIP, svc.Spec.ClusterIPs = before.Spec.ClusterIP, before.Spec.ClusterIPs
	}
	for i := range svc.Spec.Ports {
		for _, p := range before.Spec.Ports {
			if svc.Spec.Ports[i].NodePort == 0 && svc.Spec.Ports[i].Port == p.Port && svc.Spec.Type != core.ServiceTypeClusterIP {
				svc.Spec.Ports[i].NodePort = p.NodePort
			}
		}
	}
}

func labelSet(obj map[string]any) labels.Set { return labels.Set(labelsOf(obj)) }
