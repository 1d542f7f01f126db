package printer

import (
	"encoding/json"
	"testing"
	"time"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	sigsyaml "sigs.k8s.io/yaml"
)

var now = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func cells(t *testing.T, stored, text string, into runtime.Object) string {
	t.Helper()
	if err := sigsyaml.UnmarshalStrict([]byte(text), into); err != nil {
		t.Fatal(err)
	}
	p := For(stored)
	row := p.Cells(into, now)
	if len(row) != len(p.Columns) {
		t.Fatalf("%d cells for %d columns", len(row), len(p.Columns))
	}
	data, err := json.Marshal(row[:min(5, len(row))])
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestAPodsRowSaysWhatIsTheMatter(t *testing.T) {
	const head = `metadata: {name: p, creationTimestamp: '2026-01-01T11:00:00Z'}
spec: {containers: [{name: a}, {name: b}], initContainers: [{name: i}, {name: j}]}
`
	tests := []struct{ name, status, want string }{
		{"pending", `{phase: Pending}`, `["p","0/2","Pending","0","60m"]`},
		{"running", `{phase: Running, containerStatuses: [{name: a, ready: true, state: {running: {}}}, {name: b, ready: true, state: {running: {}}}]}`, `["p","2/2","Running","0","60m"]`},
		{"an init container at work", `{phase: Pending, initContainerStatuses: [{name: i, state: {terminated: {exitCode: 0}}}, {name: j, state: {running: {}}}]}`, `["p","0/2","Init:1/2","0","60m"]`},
		{"an init container that crashes", `{phase: Pending, initContainerStatuses: [{name: i, restartCount: 7, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {exitCode: 1, finishedAt: '2026-01-01T11:59:00Z'}}}]}`, `["p","0/2","Init:CrashLoopBackOff","7 (60s ago)","60m"]`},
		{"an init container that failed", `{phase: Failed, initContainerStatuses: [{name: i, state: {terminated: {exitCode: 3, reason: Error}}}]}`, `["p","0/2","Init:Error","0","60m"]`},
		{"a missing Secret", `{phase: Pending, containerStatuses: [{name: a, state: {waiting: {reason: CreateContainerConfigError}}}]}`, `["p","0/2","CreateContainerConfigError","0","60m"]`},
		{"completed", `{phase: Succeeded, containerStatuses: [{name: a, state: {terminated: {exitCode: 0, reason: Completed}}}]}`, `["p","0/2","Completed","0","60m"]`},
		{"evicted", `{phase: Failed, reason: Evicted}`, `["p","0/2","Evicted","0","60m"]`},
		{"killed by a signal", `{phase: Running, containerStatuses: [{name: a, state: {terminated: {exitCode: 137, signal: 9}}}]}`, `["p","0/2","Signal:9","0","60m"]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := cells(t, "pods", head+"status: "+tt.status, &core.Pod{}); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestADeletedPodIsTerminating(t *testing.T) {
	got := cells(t, "pods", `{metadata: {name: p, deletionTimestamp: '2026-01-01T11:59:00Z'}, status: {phase: Running}}`, &core.Pod{})
	if want := `["p","0/0","Terminating","0","\u003cunknown\u003e"]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAJobsRowSaysHowFarItIs(t *testing.T) {
	for text, want := range map[string]string{
		`{metadata: {name: j}, spec: {completions: 1}, status: {startTime: '2026-01-01T11:59:00Z'}}`:                                                                                                       `["j","Running","0/1","60s","\u003cunknown\u003e"]`,
		`{metadata: {name: j}, spec: {completions: 1}, status: {succeeded: 1, startTime: '2026-01-01T11:00:00Z', completionTime: '2026-01-01T11:00:05Z', conditions: [{type: Complete, status: 'True'}]}}`: `["j","Complete","1/1","5s","\u003cunknown\u003e"]`,
		`{metadata: {name: j}, spec: {parallelism: 3}, status: {conditions: [{type: Failed, status: 'True'}]}}`:                                                                                            `["j","Failed","0/1 of 3","","\u003cunknown\u003e"]`,
	} {
		if got := cells(t, "jobs.batch", text, &batch.Job{}); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestAClaimsRowLeavesOutWhatItHasNot(t *testing.T) {
	got := cells(t, "persistentvolumeclaims", `{metadata: {name: c}, spec: {resources: {requests: {storage: 1Gi}}}, status: {phase: Pending}}`, &core.PersistentVolumeClaim{})
	if want := `["c","Pending","","",""]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	got = cells(t, "persistentvolumeclaims", `{metadata: {name: c}, spec: {volumeName: v}, status: {phase: Bound, accessModes: [ReadWriteOnce], capacity: {storage: 1Gi}}}`, &core.PersistentVolumeClaim{})
	if want := `["c","Bound","v","1Gi","RWO"]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAnUnknownKindIsShownByNameAndTime(t *testing.T) {
	p := For("nothing.example.com")
	if got := p.Columns[1].Name; got != "Created At" {
		t.Errorf("got %s", got)
	}
}
