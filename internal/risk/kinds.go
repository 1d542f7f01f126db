package risk

import "strings"

// kindNames maps kubectl's short and plural names to the singular. Plurals that follow the
// rules of English are worked out and stand here only where that fails.
var kindNames = map[string]string{
	"po": "pod", "ns": "namespace", "no": "node", "svc": "service", "deploy": "deployment", "sts": "statefulset", "ds": "daemonset",
	"rs": "replicaset", "rc": "replicationcontroller", "cm": "configmap", "pvc": "persistentvolumeclaim", "pv": "persistentvolume",
	"ing": "ingress", "ep": "endpoints", "endpoints": "endpoints", "sa": "serviceaccount", "ev": "event", "limits": "limitrange",
	"quota": "resourcequota", "sc": "storageclass", "cj": "cronjob", "hpa": "horizontalpodautoscaler", "pdb": "poddisruptionbudget",
	"netpol": "networkpolicy", "crd": "customresourcedefinition", "crds": "customresourcedefinition", "csr": "certificatesigningrequest",
	"pc": "priorityclass", "cs": "componentstatus", "es": "externalsecret", "ess": "externalsecret", "ces": "clusterexternalsecret",
	"ss": "secretstore", "css": "clustersecretstore", "cert": "certificate", "certs": "certificate", "cr": "certificaterequest",
	"app": "application", "apps": "application", "appset": "applicationset", "appsets": "applicationset", "proj": "project",
	"vs": "virtualservice", "gw": "gateway", "dr": "destinationrule", "se": "serviceentry", "ks": "kustomization", "hr": "helmrelease",
	"gitrepo": "gitrepository", "helmrepo": "helmrepository", "va": "volumeattachment", "vpa": "verticalpodautoscaler",
	"vm": "virtualmachine", "vmi": "virtualmachineinstance", "vmim": "virtualmachineinstancemigration", "dv": "datavolume",
	"cnp": "ciliumnetworkpolicy", "ccnp": "ciliumclusterwidenetworkpolicy", "dc": "deploymentconfig", "bc": "buildconfig",
	"is": "imagestream", "mcp": "machineconfigpool", "mc": "machineconfig", "csv": "clusterserviceversion", "sub": "subscription",
	"volumesnapshotclasses": "volumesnapshotclass", "storageclasses": "storageclass", "ingressclasses": "ingressclass",
	"priorityclasses": "priorityclass", "gatewayclasses": "gatewayclass", "runtimeclasses": "runtimeclass",
}

// clusterKinds are kinds that have no namespace.
var clusterKinds = map[string]bool{
	"namespace": true, "node": true, "persistentvolume": true, "storageclass": true, "customresourcedefinition": true,
	"clusterrole": true, "clusterrolebinding": true, "clusterissuer": true, "clustersecretstore": true, "clusterexternalsecret": true,
	"priorityclass": true, "ingressclass": true, "gatewayclass": true, "runtimeclass": true, "apiservice": true,
	"validatingwebhookconfiguration": true, "mutatingwebhookconfiguration": true, "certificatesigningrequest": true,
	"volumeattachment": true, "csidriver": true, "csinode": true, "volumesnapshotclass": true, "project": true,
}

// kindOf reads a kind as kubectl takes it: po, pods, deployments.v1.apps,
// externalsecrets.external-secrets.io.
func kindOf(s string) (kind, group string) {
	s, group, _ = strings.Cut(strings.ToLower(s), ".")
	if v, g, ok := strings.Cut(group, "."); ok && len(v) > 1 && v[0] == 'v' && v[1] >= '0' && v[1] <= '9' {
		group = g
	}
	if k, ok := kindNames[s]; ok {
		return k, group
	}
	return singular(s), group
}

func singular(s string) string {
	switch {
	case strings.HasSuffix(s, "ies") && len(s) > 4:
		return s[:len(s)-3] + "y"
	case strings.HasSuffix(s, "sses"), strings.HasSuffix(s, "xes"), strings.HasSuffix(s, "ches"):
		return s[:len(s)-2]
	case strings.HasSuffix(s, "s") && !strings.HasSuffix(s, "ss") && !strings.HasSuffix(s, "us") && s != "endpoints":
		return s[:len(s)-1]
	}
	return s
}

// namespaceOf is the namespace that a call names, "" if it doesn't or names all.
func (c *call) namespaceOf() string {
	w, _ := c.val("-n", "--namespace")
	return shown(w.text)
}

// objects reads the remaining words as kubectl reads resources: TYPE NAME…, TYPE/NAME …,
// TYPE,TYPE. What is selected otherwise has no name.
func (c *call) objects(words []word) []Touch {
	if len(words) == 0 {
		return nil
	}
	ns := c.namespaceOf()
	var out []Touch
	first := words[0]
	if strings.Contains(first.text, "/") && !strings.HasPrefix(first.text, "$(") && !strings.HasPrefix(first.text, "`") {
		for _, w := range words {
			if kind, name, ok := strings.Cut(w.text, "/"); ok && !isAssignment(w.text) {
				out = append(out, c.object(kind, name, ns))
			}
		}
		return out
	}
	var names []word
	for _, w := range words[1:] {
		if !isAssignment(w.text) {
			names = append(names, w)
		}
	}
	for kind := range strings.SplitSeq(first.text, ",") {
		if len(names) == 0 {
			out = append(out, c.object(kind, "", ns))
		}
		for _, w := range names {
			out = append(out, c.object(kind, w.text, ns))
		}
	}
	return out
}

func (c *call) object(kind, name, ns string) Touch {
	k, g := kindOf(shown(kind))
	t := Touch{Op: c.op, Kind: k, Group: g, Name: shown(name), Namespace: ns}
	if clusterKinds[k] {
		t.Namespace = ""
	}
	if name == "" {
		t.Selector = c.selector()
		t.Everywhere = !clusterKinds[k] && c.given("-A", "--all-namespaces")
	}
	if t.Everywhere {
		t.Namespace = ""
	}
	return t
}

func (c *call) selector() string {
	if w, ok := c.val("-l", "--selector"); ok {
		return "-l " + shown(w.text)
	}
	if w, ok := c.val("--field-selector"); ok {
		return "--field-selector " + shown(w.text)
	}
	if c.given("--all") {
		return "--all"
	}
	return ""
}
