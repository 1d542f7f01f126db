package risk

import (
	"fmt"
	"strings"
	"testing"
)

// valuePositions are commands with a VALUE in a place where tools take credentials or the
// content of entries.
var valuePositions = []string{
	"vault kv put kv/x password=VALUE", "vault kv patch kv/x a=b password=VALUE", "vault kv put -mount=kv -cas=1 x user=bob password=VALUE",
	"bao kv patch -mount=kv x password=VALUE", "vault write auth/userpass/users/bob password=VALUE policies=a", "vault write secret/x key=VALUE",
	"vault patch kv/x a=VALUE", "vault login VALUE", "vault login -method=userpass username=bob password=VALUE", "vault operator unseal VALUE",
	"vault token revoke VALUE", "vault token lookup VALUE", "vault unwrap VALUE", "VAULT_TOKEN=VALUE vault kv get kv/x", "vault operator rekey -nonce=n VALUE",
	"vault operator generate-root -decode=x -otp=VALUE", "echo VALUE | vault kv put kv/x password=-", "printf '%s' VALUE | vault login -",
	"vault kv put kv/x - <<< VALUE", "vault kv put kv/x - <<EOF\n{\"password\": \"VALUE\"}\nEOF",
	"kubectl create secret generic db --from-literal=password=VALUE", "kubectl -n x create secret generic db --from-literal password=VALUE -o yaml --dry-run=client | kubectl apply -f -",
	"kubectl create secret docker-registry r --docker-username=u --docker-password=VALUE", "kubectl set env deploy/web TOKEN=VALUE", "kubectl set env deploy web A=1 TOKEN=VALUE",
	"kubectl config set-credentials bob --token=VALUE", "kubectl config set-credentials bob --username=bob --password VALUE", "kubectl --token VALUE delete ns x",
	"kubectl --token=VALUE get ns", "kubectl patch secret db -p '{\"stringData\":{\"password\":\"VALUE\"}}'", "kubectl patch secret db --type=json --patch='[{\"op\":\"replace\",\"path\":\"/data/p\",\"value\":\"VALUE\"}]'",
	"kubectl run x --image=y --env=TOKEN=VALUE", "kubectl exec p -- env PGPASSWORD=VALUE psql -c 'select 1'", "kubectl exec p -- mysql -uroot -pVALUE -e 'drop database x'",
	"kubectl apply -f - <<EOF\nkind: Secret\napiVersion: v1\nmetadata: {name: a}\nstringData: {p: VALUE}\nEOF", "cat > s.yaml <<EOF\nkind: Secret\nstringData: {p: VALUE}\nEOF",
	"cat <<EOF >> .env || true\nTOKEN=VALUE\nEOF", "kubectl create -f - <<'EOF' > out\nkind: Secret\nstringData:\n  p: VALUE\nEOF",
	"helm upgrade web ./c --set auth.password=VALUE", "helm install web ./c --set a=b,auth.password=VALUE --wait", "helm upgrade -i web ./c --set-string=token=VALUE", "helm registry login r -u bob -p VALUE",
	"helmfile apply --set db.password=VALUE", "curl -d '{\"password\":\"VALUE\"}' https://x", "curl -X POST --data password=VALUE https://x", "curl -u bob:VALUE https://x", "curl -ubob:VALUE -X DELETE https://x",
	"curl -H 'Authorization: Bearer VALUE' -X DELETE https://x", "curl -H \"X-Vault-Token: VALUE\" -X PUT https://v/v1/sys/seal", "curl -XPOST -H 'PRIVATE-TOKEN: VALUE' https://x", "curl --json '{\"a\":[\"VALUE\",1]}' https://x",
	"curl -b session=VALUE https://x -X POST", "curl -X POST https://bob:VALUE@x/y", "curl -X DELETE 'https://x/y?token=VALUE&a=b'", "wget --password=VALUE https://x", "wget --header='Authorization: VALUE' https://x",
	"http POST x password=VALUE", "http -a bob:VALUE DELETE x", "http DELETE x Authorization:VALUE",
	"psql postgres://bob:VALUE@db/x -c 'drop table y'", "psql 'host=db user=bob password=VALUE' -c 'drop table y'", "PGPASSWORD=VALUE psql -c 'drop table y'", "psql -c \"ALTER USER bob PASSWORD 'VALUE'\"",
	"psql -c \"create user bob with password 'VALUE'\"", "mysql -pVALUE -e 'drop database x'", "mysql -uroot --password=VALUE -e 'drop database x'", "mysql -e \"ALTER USER bob IDENTIFIED BY 'VALUE'\"",
	"mysqladmin -u root password VALUE", "redis-cli -a VALUE flushall", "redis-cli --pass VALUE flushall", "redis-cli config set requirepass VALUE", "redis-cli set k VALUE", "redis-cli -u redis://:VALUE@h flushall",
	"mongosh mongodb://bob:VALUE@h/x --eval 'db.dropDatabase()'", "mongosh -u bob -p VALUE --eval 'db.dropDatabase()'", "etcdctl --user root:VALUE del x", "etcdctl put k VALUE", "consul kv put k VALUE", "nomad var put v k=VALUE",
	"docker login -u bob -p VALUE r", "docker login -u bob --password=VALUE r", "echo VALUE | docker login -u bob --password-stdin r", "docker run -e TOKEN=VALUE img", "docker run --env TOKEN=VALUE img rm -rf /x", "docker build --build-arg TOKEN=VALUE .",
	"podman login --password VALUE r", "skopeo copy --src-creds bob:VALUE docker://a docker://b", "crane auth login r -u bob -p VALUE",
	"export TOKEN=VALUE", "export DB_PASSWORD='VALUE'; vault kv put kv/x p=\"$DB_PASSWORD\"", "TOKEN=VALUE ./deploy.sh", "env TOKEN=VALUE ./deploy.sh", "sudo TOKEN=VALUE ./deploy.sh", "./deploy.sh --token VALUE", "./deploy.sh --api-key=VALUE",
	"PW=VALUE; mysql -p$PW -e 'drop database x'", "sshpass -p VALUE ssh h reboot", "argocd login a --username u --password VALUE", "argocd account update-password --new-password VALUE", "argocd app list --auth-token VALUE",
	"git clone https://bob:VALUE@h/x.git", "git clone https://VALUE@h/x.git", "git -c http.extraheader='Authorization: Basic VALUE' push -f", "gh secret set X --body VALUE", "gh secret set X -b VALUE",
	"terraform apply -var db_password=VALUE", "terraform apply -var='db_password=VALUE'", "ansible-playbook x.yml -e db_password=VALUE", "aws secretsmanager put-secret-value --secret-id s --secret-string VALUE",
	"aws ssm put-parameter --name n --value VALUE --overwrite", "aws rds modify-db-instance --db-instance-identifier d --master-user-password VALUE", "az login --service-principal -u u -p VALUE --tenant t", "az keyvault secret set --vault-name v -n s --value VALUE",
	"rabbitmqctl change_password bob VALUE", "rabbitmqctl add_user bob VALUE", "htpasswd -b f bob VALUE", "htpasswd -nb bob VALUE", "echo bob:VALUE | chpasswd", "openssl pkcs12 -in a -passin pass:VALUE", "gpg --batch --passphrase VALUE -d x", "ldapdelete -w VALUE -D cn=x dc=y",
	"mc alias set m https://h ak VALUE", "sops --set '[\"a\"] \"VALUE\"' f.yaml", "sops set f.yaml '[\"a\"]' VALUE", "flyctl secrets set TOKEN=VALUE", "doppler secrets set TOKEN=VALUE", "pulumi config set --secret k VALUE", "kcadm.sh set-password -r r --username u --new-password VALUE",
	"pg_dump postgres://bob:VALUE@db/x > x.sql", "restic -r rest:https://bob:VALUE@h/ forget --prune", "kubectl get x > f <<< VALUE", "if then fi (\npassword: VALUE\n", "echo 'unclosed\npassword: VALUE\n",
}

// wrapped puts a command where texts about the outer one would quote it.
var wrapped = []string{
	"%s", "sudo -E %s", "%s || true", "( %s ) &", "watch -n1 %s", "time %s", "%s > out.txt", "for i in 1 2; do %s; done", "timeout 5 %s 2>/dev/null", "X=$( %s )", "if true; then %s; fi; true",
}

func TestNoTextHoldsAValue(t *testing.T) {
	for _, p := range valuePositions {
		for _, value := range []string{"MARKED-v4lue", "MARKED/+=", "MARKEDxx.yy_zz"} {
			text := strings.ReplaceAll(p, "VALUE", value)
			frames := wrapped
			if strings.ContainsAny(p, "\n|;") || strings.Contains(p, "<<<") || strings.Contains(p, "> ") || strings.Contains(p, "(") {
				frames = wrapped[:1]
			}
			for _, f := range frames {
				if strings.HasPrefix(f, "watch") && strings.ContainsAny(text, `'"`) {
					// watch joins its words without their quotes: nobody writes it so.
					continue
				}
				noValue(t, strings.Replace(f, "%s", text, 1), value)
			}
			for _, f := range []string{"bash -c %s", "ssh h %s", "kubectl exec p -- sh -c %s", "docker run img sh -c %s", "xargs -I{} sh -c %s", "watch %s", "eval %s"} {
				noValue(t, strings.Replace(f, "%s", quote(text), 1), value)
			}
		}
	}
}

func TestAValueWithBlanksAndQuotesIsLeftOut(t *testing.T) {
	for _, text := range []string{
		"vault kv put kv/x password='MARK ED'", `vault kv put kv/x password="MARK ED"`, `vault kv put kv/x password=MARK\ ED`, `vault kv put kv/x "password=MARK ED"`,
		"mysql --password 'MARK ED' -e 'drop database x'", "helm upgrade a b --set 'p=MARK ED'", "curl -d 'MARK ED' -X DELETE https://x", `redis-cli -a MARK\ ED flushall`,
		"vault kv put kv/x \\\n  password=MARK\\ ED \\\n  other='MARK ED'", "vault login 'MARK ED'", "bash -c \"vault kv put kv/x password='MARK ED'\"",
		"curl -X POST https://x -d '{\"a\": \"" + strings.Repeat("MARK ", 100) + "ED\"}'", "vault kv put kv/x a=" + strings.Repeat("MARK", 200),
	} {
		noValue(t, text, "MARK")
	}
}

func noValue(t *testing.T, text, value string) {
	t.Helper()
	r := Classify(text, Context{})
	r.Command = ""
	if said := fmt.Sprintf("%+v", r); strings.Contains(said, value) {
		t.Errorf("%q: the value is in %s", text, said)
	}
}

func TestTheNamesAreKept(t *testing.T) {
	for text, want := range map[string]Reason{
		"vault kv patch kv/x password=v":        {Rotate, "vault kv patch kv/x password=…", "overwrites password of kv/x"},
		"vault kv put kv/x password=v user=w":   {Rotate, "vault kv put kv/x password=… user=…", "replaces all keys of kv/x; keys that aren't named are gone from it"},
		"kubectl set env deploy/web TOKEN=v":    {Write, "kubectl set env deploy/web TOKEN=…", "changes the environment of deploy/web"},
		"mysql -pv -e 'drop database vv'":       {Destroy, "mysql -p… -e 'drop database vv'", "drops an object"},
		"curl -d '{\"k\":\"v\"}' https://x":     {Write, "curl -d '{\"k\":…}' https://x", "POST to https://x"},
		"kubectl --token v delete ns v":         {Destroy, "kubectl --token … delete ns v", "deletes namespace v and everything in it"},
		"redis-cli -a v flushall":               {Destroy, "redis-cli -a … flushall", "deletes keys"},
		"psql postgres://u:p@h/d -c 'select 1'": {Read, "psql postgres://u:…@h/d -c 'select 1'", "reads from the database"},
		"vault write secret/x a=v":              {Unknown, "vault write secret/x a=…", "writes secret/x; what that does depends on the mount"},
		"helm upgrade web c --set image.tag=v2": {Write, "helm upgrade web c --set image.tag=…", "upgrades web c"},
		"vault kv put kv/x password=$PASSWORD":  {Rotate, "vault kv put kv/x password=$PASSWORD", "replaces all keys of kv/x; keys that aren't named are gone from it"},
		"vault kv put kv/x password=@pw.txt":    {Rotate, "vault kv put kv/x password=@pw.txt", "replaces all keys of kv/x; keys that aren't named are gone from it"},
	} {
		r := Classify(text, Context{})
		if len(r.Reasons) != 1 || r.Reasons[0] != want {
			t.Errorf("%q: %+v, want %+v", text, r.Reasons, want)
		}
	}
}

func TestAPasswordBlotsOutNoOtherWord(t *testing.T) {
	r := Classify("helm list --password delete; kubectl delete ns x; mysql -pns -e 'select 1'; export TOKEN=kubectl; kubectl delete ns y", Context{})
	var got []string
	for _, x := range r.Reasons[:2] {
		got = append(got, x.Command)
	}
	if strings.Join(got, "; ") != "kubectl delete ns x; kubectl delete ns y" {
		t.Errorf("reasons: %+v", r.Reasons)
	}
}

func TestMoreValuesThanCanBeFollowedCutTheCommandsShort(t *testing.T) {
	var b strings.Builder
	for i := range maxVeils + 50 {
		fmt.Fprintf(&b, "vault kv put kv/x p%d=MARKED%d\n", i, i)
	}
	noValue(t, b.String(), "MARKED")
}
