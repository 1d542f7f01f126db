package risk

import "testing"

func TestTheSpecOfWhatIsAppliedIsKeptAndTheValuesOfASecretAreNot(t *testing.T) {
	r := Classify(`kubectl apply -f - <<EOF
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: app}
spec: {target: {name: $NAME}}
---
apiVersion: v1
kind: Secret
metadata: {name: db}
stringData: {password: marked}
EOF`, Context{Env: map[string]string{"NAME": "app"}})
	if len(r.Touches) != 2 {
		t.Fatalf("touches: %+v", r.Touches)
	}
	target, _ := r.Touches[0].Spec["target"].(map[string]any)
	if target["name"] != "app" {
		t.Errorf("spec of the ExternalSecret: %+v", r.Touches[0].Spec)
	}
	if s := r.Touches[1]; s.Spec != nil || len(s.Keys) != 1 || s.Keys[0] != "password" {
		t.Errorf("of the Secret: %+v", s)
	}
}

func TestAMountThatIsTakenAwayIsTouched(t *testing.T) {
	for command, op := range map[string]string{"vault secrets disable kv/": "delete", "vault secrets move kv/ old/": "update"} {
		r := Classify(command, Context{})
		if len(r.Touches) != 1 || r.Touches[0].Vault != "kv" || r.Touches[0].Op != op {
			t.Errorf("%s: touches %+v, want %s of kv", command, r.Touches, op)
		}
	}
}
