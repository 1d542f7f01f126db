package operators

import (
	"context"
	"fmt"
	"slices"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// The phases of a CloudNativePG Cluster that this one goes through, in the operator's words.
const (
	phaseSetup         = "Setting up primary"
	phaseReplica       = "Creating a new replica"
	phaseWaiting       = "Waiting for the instances to become active"
	phaseHealthy       = "Cluster in healthy state"
	phaseUnrecoverable = "Cluster is unrecoverable and needs manual intervention"
)

const (
	cnpgCluster   = "cnpg.io/cluster"
	cnpgInstance  = "cnpg.io/instanceName"
	cnpgRole      = "cnpg.io/instanceRole"
	cnpgJob       = "cnpg.io/jobRole"
	cnpgReload    = "cnpg.io/reload"
	cnpgPVCStatus = "cnpg.io/pvcStatus"
	defaultImage  = "ghcr.io/cloudnative-pg/postgresql:18"
)

// postgresOperator is CloudNativePG.
type postgresOperator struct {
	*cluster
	databases *databases
	noticed   map[types.UID]time.Time
}

func newPostgres(c *cluster, d *databases) controller {
	p := &postgresOperator{c, d, map[types.UID]time.Time{}}
	return controller{"cloudnative-pg", []GVR{Clusters, Deployments, Pods, Jobs, Claims, Secrets, Services}, p.pass}
}

// pgSpec is what is read of a Cluster's spec.
type pgSpec struct {
	Instances int64  `json:"instances"`
	ImageName string `json:"imageName"`
	Bootstrap struct {
		Initdb struct {
			Database string `json:"database"`
			Owner    string `json:"owner"`
			Secret   struct {
				Name string `json:"name"`
			} `json:"secret"`
		} `json:"initdb"`
	} `json:"bootstrap"`
	Storage struct {
		Size         string `json:"size"`
		StorageClass string `json:"storageClass"`
	} `json:"storage"`
}

type pgCluster struct {
	Spec pgSpec `json:"spec"`
}

// spec reads a Cluster with the operator's defaults.
func (p *postgresOperator) spec(o *unstructured.Unstructured) pgSpec {
	c, ok := typed[pgCluster](o)
	if !ok {
		return pgSpec{}
	}
	s := c.Spec
	init := &s.Bootstrap.Initdb
	if s.Instances == 0 {
		s.Instances = 1
	}
	if s.ImageName == "" {
		s.ImageName = defaultImage
	}
	if init.Database == "" {
		init.Database = "app"
	}
	if init.Owner == "" {
		init.Owner = init.Database
	}
	if init.Secret.Name == "" {
		init.Secret.Name = o.GetName() + "-app"
	}
	return s
}

func (p *postgresOperator) pass(ctx context.Context) (time.Duration, error) {
	if !p.installed(PostgresOperator) {
		return 0, nil
	}
	var next time.Duration
	var failed error
	for _, o := range p.all(Clusters) {
		if o.GetDeletionTimestamp() != nil || o.GetAnnotations()["cnpg.io/reconciliationLoop"] == "disabled" {
			continue
		}
		at, known := p.noticed[o.GetUID()]
		if !known {
			at = p.now().Add(p.pace.of(p.pace.delays.Operator))
			p.noticed[o.GetUID()] = at
		}
		if wait := at.Sub(p.now()); wait > 0 {
			next = sooner(next, wait)
			continue
		}
		if err := p.reconcile(ctx, o); err != nil {
			failed = err
		}
	}
	return next, failed
}

func (p *postgresOperator) reconcile(ctx context.Context, o *unstructured.Unstructured) error {
	s := p.spec(o)
	if err := p.services(ctx, o); err != nil {
		return err
	}
	if err := p.credentials(ctx, o, s); err != nil {
		return err
	}
	st := pgState{phase: phaseHealthy}
	for i := range s.Instances {
		name := fmt.Sprintf("%s-%d", o.GetName(), i+1)
		if err := p.instance(ctx, o, s, name, i == 0, &st); err != nil {
			return err
		}
		if st.phase != phaseHealthy {
			break // one instance after the other
		}
	}
	if err := p.surplus(ctx, o, s); err != nil {
		return err
	}
	p.reload(o, s)
	return p.report(ctx, o, s, st)
}

// pgState is what a look at the instances found.
type pgState struct {
	phase, reason string
	ready         int64
	names         []any
	healthy       []any
	initializing  []any
}

func (s *pgState) at(phase, reason string) { s.phase, s.reason = phase, reason }

// instance brings one instance further: volume, bootstrap job, pod.
func (p *postgresOperator) instance(ctx context.Context, o *unstructured.Unstructured, s pgSpec, name string, primary bool, st *pgState) error {
	st.names = append(st.names, name)
	claim := p.find(Claims, o.GetNamespace(), name)
	if claim == nil {
		made, err := p.claim(ctx, o, s, name)
		if err != nil {
			return err
		}
		claim = made
	}
	if claim.GetAnnotations()[cnpgPVCStatus] != "ready" {
		st.initializing = append(st.initializing, name)
		return p.bootstrap(ctx, o, s, claim, name, primary, st)
	}
	st.healthy = append(st.healthy, name)
	pod, ok := typed[corev1.Pod](p.find(Pods, o.GetNamespace(), name))
	if !ok {
		st.at(phaseWaiting, "Some instances are not yet active. Please wait.")
		_, err := p.create(ctx, Pods, "v1", "Pod", p.pod(o, s, name, primary))
		return err
	}
	if !podReady(pod) {
		st.at(phaseWaiting, "Some instances are not yet active. Please wait.")
		return nil
	}
	st.ready++
	return nil
}

// bootstrap runs the job that fills an instance's volume. The job's pod waits by itself for the owner's Secret.
func (p *postgresOperator) bootstrap(ctx context.Context, o *unstructured.Unstructured, s pgSpec, claim *unstructured.Unstructured, name string, primary bool, st *pgState) error {
	role := "join"
	st.at(phaseReplica, "Creating replica "+name)
	if primary {
		role = "initdb"
		st.at(phaseSetup, "Creating primary instance "+name)
	}
	jobName := name + "-" + role
	job := p.find(Jobs, o.GetNamespace(), jobName)
	switch {
	case job == nil:
		text := "Joining instance " + name
		if primary {
			text = "Primary instance (initdb)"
		}
		if _, err := p.create(ctx, Jobs, "batch/v1", "Job", p.job(o, s, name, role)); err != nil {
			return err
		}
		p.normal(ctx, o, "cloudnative-pg", "CreatingInstance", text)
	case holds(job, "Failed"):
		st.at(phaseUnrecoverable, fmt.Sprintf("Instance creation failed for the following jobs: %s. Check the job logs to investigate the cause of the failure.", jobName))
	case holds(job, "Complete"):
		if err := p.merge(ctx, Claims, claim, map[string]any{
			"metadata": map[string]any{"annotations": map[string]any{cnpgPVCStatus: "ready"}}}); err != nil {
			return err
		}
		return p.finished(ctx, job)
	}
	return nil
}

// finished removes a completed bootstrap job and its pods.
func (p *postgresOperator) finished(ctx context.Context, job *unstructured.Unstructured) error {
	for _, pod := range p.podsOf(job) {
		if err := p.remove(ctx, Pods, pod, 0); err != nil {
			return err
		}
	}
	return p.remove(ctx, Jobs, job, -1)
}

// surplus removes the instances beyond spec.instances, with their volumes, as scaling down does.
func (p *postgresOperator) surplus(ctx context.Context, o *unstructured.Unstructured, s pgSpec) error {
	var keep []string
	for i := range s.Instances {
		keep = append(keep, fmt.Sprintf("%s-%d", o.GetName(), i+1))
	}
	for _, kind := range []GVR{Pods, Claims} {
		for _, x := range p.in(kind, o.GetNamespace()) {
			if x.GetDeletionTimestamp() == nil && owns(o, x) && !slices.Contains(keep, x.GetLabels()[cnpgInstance]) {
				if err := p.remove(ctx, kind, x, -1); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// reload gives the owner the password of a Secret that asks for it by label; without the label a change is not seen.
func (p *postgresOperator) reload(o *unstructured.Unstructured, s pgSpec) {
	secret := p.find(Secrets, o.GetNamespace(), s.Bootstrap.Initdb.Secret.Name)
	claim := p.find(Claims, o.GetNamespace(), o.GetName()+"-1")
	if secret == nil || claim == nil || secret.GetLabels()[cnpgReload] != "true" {
		return
	}
	volume, _, _ := unstructured.NestedString(claim.Object, "spec", "volumeName")
	db, ok := p.databases.read(volume)
	values := contents(Secrets, secret)
	if ok && values["username"] == db.owner && values["password"] != db.password {
		db.password = values["password"]
		p.databases.write(volume, db)
	}
}

func (p *postgresOperator) report(ctx context.Context, o *unstructured.Unstructured, s pgSpec, st pgState) error {
	healthy := st.phase == phaseHealthy
	ready := cond{kind: "Ready", status: isStatus(healthy), reason: "ClusterIsNotReady", message: "Cluster Is Not Ready"}
	if healthy {
		ready.reason, ready.message = "ClusterIsReady", "Cluster is Ready"
	}
	name := o.GetName()
	status := map[string]any{
		"phase": st.phase, "instances": int64(len(st.names)), "instanceNames": st.names, "image": s.ImageName,
		"writeService": name + "-rw", "readService": name + "-r", "latestGeneratedNode": int64(len(st.names)),
		"conditions": merged(conditionsOf(o.Object, "status", "conditions"), p.now(), ready),
	}
	if st.reason != "" {
		status["phaseReason"] = st.reason
	}
	if st.ready > 0 {
		status["readyInstances"] = st.ready
	}
	if st.healthy != nil {
		status["healthyPVC"] = st.healthy
		status["currentPrimary"], status["targetPrimary"] = name+"-1", name+"-1"
	} else {
		status["targetPrimary"] = name + "-1"
	}
	if st.initializing != nil {
		status["initializingPVC"] = st.initializing
	}
	if secret := p.find(Secrets, o.GetNamespace(), s.Bootstrap.Initdb.Secret.Name); secret != nil {
		status["secretsResourceVersion"] = map[string]any{"applicationSecretVersion": secret.GetResourceVersion()}
	}
	return p.setStatus(ctx, Clusters, o, status)
}

// job is the bootstrap of an instance. The owner's credentials are not optional, so its pod can't start without them.
func (p *postgresOperator) job(o *unstructured.Unstructured, s pgSpec, name, role string) map[string]any {
	args := []string{"instance", role}
	init := s.Bootstrap.Initdb
	env := []corev1.EnvVar{{Name: "APP_DATABASE", Value: init.Database}, {Name: "APP_OWNER", Value: init.Owner}}
	if role == "initdb" {
		args[1] = "init"
		env = append(env, fromSecret("APP_USERNAME", init.Secret.Name, "username"), fromSecret("APP_PASSWORD", init.Secret.Name, "password"))
	} else if primary := p.find(Claims, o.GetNamespace(), o.GetName()+"-1"); primary != nil {
		volume, _, _ := unstructured.NestedString(primary.Object, "spec", "volumeName")
		env = append(env, corev1.EnvVar{Name: "SOURCE_VOLUME", Value: volume})
	}
	labels := map[string]string{cnpgCluster: o.GetName(), cnpgInstance: name, cnpgJob: role}
	limit := int32(6)
	spec := batchv1.JobSpec{BackoffLimit: &limit}
	spec.Template.Labels = labels
	spec.Template.Spec = corev1.PodSpec{
		RestartPolicy: corev1.RestartPolicyNever, Volumes: []corev1.Volume{claimVolume(name)},
		Containers: []corev1.Container{{Name: role, Image: s.ImageName, Command: append([]string{"/controller/manager"}, args...),
			Env: env, VolumeMounts: []corev1.VolumeMount{{Name: pgdata, MountPath: "/var/lib/postgresql/data"}}}},
	}
	m := untyped(&batchv1.Job{Spec: spec})
	m["metadata"] = p.meta(o, name+"-"+role, labels)
	return m
}

func fromSecret(name, secret, key string) corev1.EnvVar {
	return corev1.EnvVar{Name: name, ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{
		LocalObjectReference: corev1.LocalObjectReference{Name: secret}, Key: key}}}
}

func claimVolume(claim string) corev1.Volume {
	return corev1.Volume{Name: pgdata, VolumeSource: corev1.VolumeSource{
		PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim}}}
}
