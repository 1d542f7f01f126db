package risk

import (
	"slices"
	"strings"
	"testing"
)

// TestAVerbNamesWhatItIsAbout is what the live pane shows beside a step.
func TestAVerbNamesWhatItIsAbout(t *testing.T) {
	for text, want := range map[string]string{
		"kubectl -n x logs deploy/web -c app":                             "read deployment/web in x",
		"kubectl -n x logs -f web-0 app":                                  "read pod/web-0 in x",
		"kubectl -n x logs -l app=web --prefix":                           "read pod -l app=web in x",
		"kubectl -n x port-forward svc/web 8080:80":                       "read service/web in x",
		"kubectl port-forward -n x web-0 8080":                            "read pod/web-0 in x",
		"kubectl -n x exec deploy/web -- ls":                              "exec deployment/web in x",
		"kubectl -n x wait --for=condition=Ready pod/a pod/b":             "wait pod/a in x, wait pod/b in x",
		"kubectl -n x rollout status sts web":                             "wait statefulset/web in x",
		"kubectl -n x rollout history deploy/web":                         "read deployment/web in x",
		"kubectl -n x top pod web-0":                                      "read pod/web-0 in x",
		"kubectl top node n1":                                             "read node/n1",
		"kubectl -n x describe externalsecret db":                         "read externalsecret/db in x",
		"kubectl -n x annotate es db force-sync=1 --overwrite":            "update externalsecret/db in x",
		"kubectl label ns/x a=b c-":                                       "update namespace/x",
		"kubectl -n x scale --replicas=0 deploy web":                      "update deployment/web in x",
		"kubectl -n x set env deploy web A=b/c":                           "update deployment/web in x",
		"kubectl -n x set env deploy/web A=b/c":                           "update deployment/web in x",
		"kubectl cp ./a y/web-0:/a":                                       "update pod/web-0 in y",
		"kubectl -n x cp web-0:/a ./b":                                    "update pod/web-0 in x",
		"kubectl -n x events --for pod/web-0":                             "read pod/web-0 in x",
		"kubectl -n x debug web-0 -it --image=busybox":                    "update pod/web-0 in x",
		"kubectl debug node/n1 -it --image=busybox":                       "update node/n1",
		"kubectl taint nodes n1 k=v:NoExecute":                            "update node/n1",
		"kubectl taint nodes n1 n2 k=v:NoSchedule":                        "update node/n1, update node/n2",
		"kubectl certificate approve c":                                   "update certificatesigningrequest/c",
		"kubectl -n x tree deploy web":                                    "read deployment/web in x",
		"kubectl cnpg status pg -n db":                                    "read cluster/pg in db",
		"kubectl cnpg psql pg -n db -- -c 'select 1'":                     "exec cluster/pg in db",
		"kubectl cnpg destroy pg 2 -n db":                                 "update cluster/pg in db",
		"kubectl cnpg hibernate on pg -n db":                              "update cluster/pg in db",
		"kubectl cnpg logs cluster pg -f -n db":                           "read cluster/pg in db",
		"kubectl argo rollouts get rollout web -n x":                      "read rollout/web in x",
		"kubectl argo rollouts undo web -n x":                             "update rollout/web in x",
		"helm -n x upgrade --install web ./chart":                         "update release/web in x",
		"vault kv get -mount=kv a/b":                                      "read vault kv/a/b",
		"vault read kv/data/x":                                            "read vault kv/x",
		"vault read database/creds/x":                                     "update vault database/creds/x",
		"vault write auth/userpass/users/bob password=v":                  "update vault auth/userpass/users/bob",
		"vault write sys/mounts/kv/tune a=b":                              "update vault sys/mounts/kv/tune",
		"vault delete sys/policies/acl/p":                                 "delete vault sys/policies/acl/p",
		"argocd app sync web":                                             "update application/web",
		"argocd app get web --refresh":                                    "read application/web",
		"argocd app terminate-op web":                                     "update application/web",
		"cmctl status certificate web-tls -n x":                           "read certificate/web-tls in x",
		"cmctl renew web-tls -n x":                                        "update certificate/web-tls in x",
		"flux reconcile ks apps":                                          "update kustomization/apps",
		"flux reconcile source git a -n x":                                "update gitrepository/a in x",
		"flux suspend hr web -n x":                                        "update helmrelease/web in x",
		"flux events --for Kustomization/apps":                            "read kustomization/apps",
		"flux logs --kind=HelmRelease --name=web":                         "read helmrelease/web",
		"kubectl get secret a -n x; kubectl delete ns x --dry-run=client": "read secret/a in x, read namespace/x",
	} {
		var got []string
		for _, x := range Classify(text, Context{}).Touches {
			if s := x.Op + " " + x.String(); !slices.Contains(got, s) {
				got = append(got, s)
			}
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%s is about %q, want %q", text, s, want)
		}
	}
}
