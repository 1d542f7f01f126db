package operators

import (
	"cmp"
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// volumes binds claims, provisions for classes that have a provisioner, and lets volumes go with their claims.
type volumes struct {
	*cluster
	due  map[types.UID]time.Time // when the volume of a claim is made
	said map[string]bool         // what a claim has been told, by uid and reason
}

const (
	pvController    = "persistentvolume-controller"
	bindCompleted   = "pv.kubernetes.io/bind-completed"
	boundByControl  = "pv.kubernetes.io/bound-by-controller"
	provisionedBy   = "pv.kubernetes.io/provisioned-by"
	noProvisioner   = "kubernetes.io/no-provisioner"
	pvcProtection   = "kubernetes.io/pvc-protection"
	pvProtection    = "kubernetes.io/pv-protection"
	defaultClassKey = "storageclass.kubernetes.io/is-default-class"
)

func newVolumes(c *cluster) controller {
	v := &volumes{c, map[types.UID]time.Time{}, map[string]bool{}}
	return controller{"volumes", []GVR{Claims, Volumes, StorageClasses, Pods}, v.pass}
}

func (v *volumes) pass(ctx context.Context) (time.Duration, error) {
	next, failed := each(v.cluster, Claims, func(o *unstructured.Unstructured, claim *corev1.PersistentVolumeClaim) (time.Duration, error) {
		return v.claim(ctx, o, claim)
	})
	_, err := each(v.cluster, Volumes, func(o *unstructured.Unstructured, pv *corev1.PersistentVolume) (time.Duration, error) {
		return 0, v.volume(ctx, o, pv)
	})
	return next, cmp.Or(failed, err)
}

// class finds the StorageClass of a claim; none when it names none and no class is the default.
func class(c *cluster, claim *corev1.PersistentVolumeClaim) (*storagev1.StorageClass, string) {
	name := ""
	if claim.Spec.StorageClassName != nil {
		name = *claim.Spec.StorageClassName
		s, ok := typed[storagev1.StorageClass](c.find(StorageClasses, "", name))
		if !ok {
			return nil, name
		}
		return s, name
	}
	for _, s := range list[storagev1.StorageClass](c, StorageClasses, "") {
		if s.Annotations[defaultClassKey] == "true" {
			return s, s.Name
		}
	}
	return nil, ""
}

// waits reports whether the claim's class waits for the first consumer.
func waits(c *cluster, claim *corev1.PersistentVolumeClaim) bool {
	s, _ := class(c, claim)
	return s != nil && s.VolumeBindingMode != nil && *s.VolumeBindingMode == storagev1.VolumeBindingWaitForFirstConsumer
}

func (v *volumes) claim(ctx context.Context, o *unstructured.Unstructured, claim *corev1.PersistentVolumeClaim) (time.Duration, error) {
	if claim.DeletionTimestamp != nil {
		return 0, v.release(ctx, o, claim)
	}
	if claim.Spec.VolumeName != "" {
		return 0, v.settle(ctx, o, claim)
	}
	if claim.Status.Phase == "" {
		if err := v.setStatus(ctx, Claims, o, map[string]any{"phase": "Pending"}); err != nil {
			return 0, err
		}
	}
	s, name := class(v.cluster, claim)
	switch {
	case name == "":
		return 0, v.once(ctx, o, "Normal", "FailedBinding", "no persistent volumes available for this claim and no storage class is set")
	case s == nil:
		return 0, v.once(ctx, o, "Warning", "ProvisioningFailed", fmt.Sprintf("storageclass.storage.k8s.io %q not found", name))
	case waits(v.cluster, claim) && claim.Annotations[selectedNode] == "":
		return 0, v.once(ctx, o, "Normal", "WaitForFirstConsumer", "waiting for first consumer to be created before binding")
	case s.Provisioner == noProvisioner:
		return 0, v.once(ctx, o, "Normal", "FailedBinding", "no persistent volumes available for this claim and no storage class is set")
	}
	return v.provision(ctx, o, claim, s)
}

// once writes an Event that is repeated by the real controller on every sync; the first one is enough here.
func (v *volumes) once(ctx context.Context, o *unstructured.Unstructured, kind, reason, message string) error {
	id := string(o.GetUID()) + reason
	if v.said[id] {
		return nil
	}
	v.said[id] = true
	v.events.emit(ctx, about{Object: o}, pvController, kind, reason, message)
	return nil
}

// provision makes a volume for the claim, after a moment in which an outside provisioner is waited for.
func (v *volumes) provision(ctx context.Context, o *unstructured.Unstructured, claim *corev1.PersistentVolumeClaim, s *storagev1.StorageClass) (time.Duration, error) {
	at, asked := v.due[claim.UID]
	if !asked {
		at = v.now().Add(v.pace.of(v.pace.delays.Provision))
		v.due[claim.UID] = at
		v.normal(ctx, o, pvController, "ExternalProvisioning", fmt.Sprintf("Waiting for a volume to be created either by the external provisioner '%s' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.", s.Provisioner))
	}
	if wait := at.Sub(v.now()); wait > 0 {
		return wait, nil
	}
	name := "pvc-" + string(claim.UID)
	// What is remembered of the volume may be older than the claim; the server knows.
	switch _, err := v.create(ctx, Volumes, "v1", "PersistentVolume", volumeFor(o, claim, s, name)); {
	case err == nil:
		v.normal(ctx, o, s.Provisioner, "ProvisioningSucceeded", "Successfully provisioned volume "+name)
	case !apierrors.IsAlreadyExists(err):
		return 0, err
	}
	return 0, v.merge(ctx, Claims, o, map[string]any{
		"metadata": map[string]any{"annotations": map[string]any{bindCompleted: "yes", boundByControl: "yes", "volume.kubernetes.io/storage-provisioner": s.Provisioner}},
		"spec":     map[string]any{"volumeName": name},
	})
}

func volumeFor(o *unstructured.Unstructured, claim *corev1.PersistentVolumeClaim, s *storagev1.StorageClass, name string) map[string]any {
	policy := "Delete"
	if s.ReclaimPolicy != nil {
		policy = string(*s.ReclaimPolicy)
	}
	size := claim.Spec.Resources.Requests[corev1.ResourceStorage]
	modes := []any{}
	for _, m := range claim.Spec.AccessModes {
		modes = append(modes, string(m))
	}
	return map[string]any{
		"metadata": map[string]any{
			"name": name, "annotations": map[string]any{provisionedBy: s.Provisioner}, "finalizers": []any{pvProtection}},
		"spec": map[string]any{
			"capacity": map[string]any{"storage": size.String()}, "accessModes": modes,
			"persistentVolumeReclaimPolicy": policy, "storageClassName": s.Name,
			"hostPath": map[string]any{"path": "/var/openebs/local/" + name, "type": ""},
			"claimRef": map[string]any{
				"apiVersion": "v1", "kind": "PersistentVolumeClaim", "namespace": claim.Namespace, "name": claim.Name,
				"uid": string(claim.UID), "resourceVersion": o.GetResourceVersion()},
		},
	}
}

// settle writes what a claim with a volume is: Bound, or Lost when the volume has gone.
func (v *volumes) settle(ctx context.Context, o *unstructured.Unstructured, claim *corev1.PersistentVolumeClaim) error {
	pv, ok := typed[corev1.PersistentVolume](v.find(Volumes, "", claim.Spec.VolumeName))
	if !ok {
		if claim.Status.Phase != corev1.ClaimBound {
			return nil
		}
		if err := v.setStatus(ctx, Claims, o, map[string]any{"phase": "Lost"}); err != nil {
			return err
		}
		v.warn(ctx, o, pvController, "ClaimLost", "Bound claim has lost its PersistentVolume. Data on the volume is lost!")
		return nil
	}
	if claim.Status.Phase == corev1.ClaimBound {
		return nil
	}
	modes := []any{}
	for _, m := range pv.Spec.AccessModes {
		modes = append(modes, string(m))
	}
	size := pv.Spec.Capacity[corev1.ResourceStorage]
	return v.setStatus(ctx, Claims, o, map[string]any{
		"phase": "Bound", "accessModes": modes, "capacity": map[string]any{"storage": size.String()}})
}

// release lifts the protection of a claim once no pod uses it.
func (v *volumes) release(ctx context.Context, o *unstructured.Unstructured, claim *corev1.PersistentVolumeClaim) error {
	for _, pod := range list[corev1.Pod](v.cluster, Pods, claim.Namespace) {
		for _, vol := range pod.Spec.Volumes {
			if vol.PersistentVolumeClaim != nil && vol.PersistentVolumeClaim.ClaimName == claim.Name &&
				pod.Status.Phase != corev1.PodSucceeded && pod.Status.Phase != corev1.PodFailed {
				return nil
			}
		}
	}
	return v.unprotect(ctx, Claims, o, pvcProtection)
}

func (v *volumes) unprotect(ctx context.Context, kind GVR, o *unstructured.Unstructured, finalizer string) error {
	left := []any{}
	found := false
	for _, f := range o.GetFinalizers() {
		if f == finalizer {
			found = true
			continue
		}
		left = append(left, f)
	}
	if !found {
		return nil
	}
	return v.merge(ctx, kind, o, map[string]any{"metadata": map[string]any{
		"finalizers": left, "resourceVersion": o.GetResourceVersion()}})
}

// volume keeps a PersistentVolume's phase true. Without its claim it is deleted or Released, as its own policy says.
func (v *volumes) volume(ctx context.Context, o *unstructured.Unstructured, pv *corev1.PersistentVolume) error {
	var claim *unstructured.Unstructured
	if ref := pv.Spec.ClaimRef; ref != nil {
		claim = v.find(Claims, ref.Namespace, ref.Name)
		if claim != nil && ref.UID != "" && claim.GetUID() != ref.UID {
			claim = nil
		}
	}
	switch {
	case pv.DeletionTimestamp != nil:
		if claim != nil {
			return nil
		}
		return v.unprotect(ctx, Volumes, o, pvProtection)
	case pv.Spec.ClaimRef == nil:
		return v.setStatus(ctx, Volumes, o, map[string]any{"phase": "Available"})
	case claim != nil:
		return v.setStatus(ctx, Volumes, o, map[string]any{"phase": "Bound"})
	case pv.Status.Phase != corev1.VolumeBound && pv.Status.Phase != corev1.VolumeReleased:
		return nil // its claim has not arrived here yet
	case pv.Spec.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimDelete:
		return v.remove(ctx, Volumes, o, -1)
	default:
		return v.setStatus(ctx, Volumes, o, map[string]any{"phase": "Released"})
	}
}
