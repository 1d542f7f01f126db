package sandbox_test

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"

	"runbook/internal/sandbox"
	"runbook/internal/sandbox/operators"
	"runbook/internal/sandbox/operators/trial"
)

func TestAFollowedLogEndsWithItsContainer(t *testing.T) {
	path, err := exec.LookPath("kubectl")
	if err != nil {
		t.Skip("kubectl is not installed here")
	}
	s, w := start(t, sandbox.Options{Scenario: "deployed-ordinary"})
	pod := w.Find(operators.Pods, ns, "is the application's", func(o trial.Object) bool { return o.GetLabels()["app.kubernetes.io/name"] == "schmetterpause" })
	cmd := exec.CommandContext(t.Context(), path, "-n", ns, "logs", "-f", pod.GetName())
	cmd.Env = append(os.Environ(), s.Env()...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.Contains(lines.Text(), "listening on :8080") {
	}
	w.Delete(operators.Pods, ns, pod.GetName())
	if err := cmd.Wait(); err != nil {
		t.Errorf("kubectl logs -f: %v", err)
	}
}

func TestALogThatIsNotThereYetSaysWhatTheContainerWaitsFor(t *testing.T) {
	s, w := start(t, sandbox.Options{Scenario: "secret-missing"})
	pod := w.Find(operators.Pods, ns, "is the application's", func(o trial.Object) bool { return o.GetLabels()["app.kubernetes.io/name"] == "schmetterpause" })
	for _, c := range []struct{ args, want string }{
		{"-c migrate", `container "migrate" in pod "` + pod.GetName() + `" is waiting to start: CreateContainerConfigError`},
		{"-c schmetterpause", `container "schmetterpause" in pod "` + pod.GetName() + `" is waiting to start: PodInitializing`},
		{"-c migrate --previous", `previous terminated container "migrate" in pod "` + pod.GetName() + `" not found`},
	} {
		path, err := exec.LookPath("kubectl")
		if err != nil {
			t.Skip("kubectl is not installed here")
		}
		cmd := exec.CommandContext(t.Context(), path, append([]string{"-n", ns, "logs", pod.GetName()}, strings.Fields(c.args)...)...)
		cmd.Env = append(os.Environ(), s.Env()...)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.want) {
			t.Errorf("logs %s:\nwant %s\ngot  %s, %v", c.args, c.want, out, err)
		}
	}
}
