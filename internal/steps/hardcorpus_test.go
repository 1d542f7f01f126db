package steps

import (
	"os"
	"path/filepath"
	"testing"
)

// A readPlace is a fence of a real file, by the first line of its code, and what a
// careful reader says of it: "" for one that may be run, noFence for code within
// a sentence.
type readPlace struct {
	line int
	want string
}

const noFence = "no fence"

// hardFiles are the files of the corpus that taught most. Their texts stay where
// they are; the patterns are in testdata/hard.
var hardFiles = []struct {
	file  string
	rules map[string]int // diagnostics that must be there, and their lines
	want  []readPlace
}{
	{"prometheus-operator__runbooks/content__runbooks__prometheus-operator__PrometheusOperatorNodeLookupErrors.md", map[string]int{"unclosed-fence": 20}, []readPlace{{21, WhyDoubtful}}},
	{"openshift__runbooks/alerts__openshift-virtualization-operator__GuestVCPUQueueHighCritical.md", map[string]int{"wrong-closer": 24}, []readPlace{{23, WhyDoubtful}, {33, ""}}},
	{"mattrussi__gitlab-com-runbooks/docs__pgbouncer__pgbouncer-connections.md", map[string]int{"wrong-closer": 111}, []readPlace{{25, WhyNotShell}, {91, WhyOutput}, {107, WhyDoubtful}}},
	{"mattrussi__gitlab-com-runbooks/docs__redis__redis-survival-guide-for-sres.md", nil, []readPlace{{290, WhyNotShell}, {316, WhyRemote}, {371, noFence}, {373, noFence}}},
	{"gruntwork-io__runbooks/testdata__feature-demos__block-outputs__runbook.mdx", map[string]int{"fence-swallowed": 281}, []readPlace{{70, WhyNotShell}, {282, WhyDoubtful}}},
	{"openbao__openbao/website__content__docs__platform__k8s__helm__examples__standalone-tls.mdx", map[string]int{"list-broken": 48, "fence-swallowed": 57}, []readPlace{{46, WhyDoubtful}, {58, WhyDoubtful}, {149, WhyDoubtful}, {162, ""}}},
	{"2i2c-org__infrastructure/docs__howto__filesystem-management__data-transfer-external.md", nil, []readPlace{{17, ""}, {23, WhyNotTaken}, {93, WhyRemote}, {161, WhyRemote}, {174, WhyRemote}}},
	{"jacobdeichert__mask/maskfile.md", nil, []readPlace{{67, ""}, {71, WhyNotShell}, {112, ""}, {131, WhyNotShell}}},
	{"etcd-io__website/content__en__docs__v3.4__learning__design-auth-v3.md", nil, nil},
	{"2i2c-org__infrastructure/docs__hub-deployment-guide__hubs__delete-hub.md", nil, []readPlace{{29, WhyPlaceholder}, {34, ""}, {40, WhyRemote}, {63, ""}}},
	{"2i2c-org__infrastructure/docs__sre-guide__support__reset-hub.md", nil, []readPlace{{35, WhyPlaceholder}, {45, WhyRemote}, {56, WhyRemote}, {62, WhyRemote}, {88, WhyRemote}}},
	{"alphagov__govuk-developer-docs/source__manual__intro-to-docker-advanced.html.md", nil, []readPlace{{25, WhyRemote}, {129, WhyRemote}, {341, WhyRemote}, {312, WhyNotShell}}},
	{"mattrussi__gitlab-com-runbooks/docs__redis__redis.md", nil, []readPlace{{114, WhyRemote}, {367, WhyRemote}, {394, ""}, {729, WhyRemote}, {748, WhyRemote}}},
	{"kelseyhightower__kubernetes-the-hard-way/docs__03-compute-resources.md", nil, []readPlace{{18, ""}, {22, WhyOutput}, {40, WhyRemote}, {46, WhyRemote}, {54, WhyRemote}}},
	{"mattrussi__gitlab-com-runbooks/docs__patroni__postgresql-role-credential-rotation.md", nil, []readPlace{{21, WhyNotShell}, {69, ""}, {96, ""}, {111, ""}, {142, ""}}},
	{"yujunz__gitlab.com-runbooks/docs__uncategorized__yubikey.md", nil, []readPlace{{31, WhyNotShell}, {187, WhyNotShell}, {248, WhyNotShell}, {393, WhyNotShell}, {399, WhyNotShell}, {296, WhyNotShell}, {447, WhyNotShell}, {571, WhyNotShell}, {157, WhyPlaceholder}}},
	{"external-secrets__external-secrets/docs__provider__conjur.md", nil, []readPlace{{72, ""}, {163, WhyPlaceholder}}},
	{"longhorn__website/content__docs__1.11.4__deploy__uninstall___index.md", nil, []readPlace{{41, ""}, {83, WhyPlaceholder}, {89, WhyOutput}, {103, WhyPlaceholder}, {63, WhyPlaceholder}, {107, noFence}, {108, noFence}, {126, WhyNotShell}, {133, WhyNotShell}, {142, ""}, {148, ""}, {203, WhyOutput}}},
	{"ministryofjustice__cloud-platform/source__disaster-recovery-scenarios.html.md.erb", nil, []readPlace{{21, WhyOutput}, {30, WhyOutput}, {40, WhyPlaceholder}, {46, ""}, {52, WhyOutput}, {253, WhyOutput}, {294, WhyOutput}, {310, WhyPlaceholder}, {314, ""}, {270, WhyNotShell}, {328, WhyPlaceholder}, {342, WhyOutput}}},
	{"MicrosoftDocs__executable-docs/scenarios__sql-docs__docs__linux__quickstart-install-connect-docker.md", nil, []readPlace{{132, ""}, {140, WhyNotShell}, {148, WhyNotShell}, {180, WhyNotShell}, {191, WhyNotShell}, {701, ""}, {712, WhyNotShell}, {722, WhyNotShell}, {167, WhyPlaceholder}, {902, ""}, {929, WhyRemote}}},
	{"rook__rook/Documentation__Storage-Configuration__ceph-teardown.md", nil, []readPlace{{48, ""}, {58, ""}, {119, WhyPlaceholder}, {144, WhyRemote}, {167, ""}, {196, ""}, {217, ""}}},
	{"mattrussi__gitlab-com-runbooks/docs__gitaly__storage-rebalancing.md", nil, []readPlace{{176, WhyFragment}, {181, WhyPlaceholder}, {199, WhyFragment}, {203, WhyRemote}, {245, WhyPlaceholder}, {226, WhyPlaceholder}}},
	{"openshift__runbooks/alerts__machine-config-operator__RuncDeprecated.md", map[string]int{"broken-continuation": 63}, []readPlace{{42, WhyRemote}, {63, WhyFragment}, {69, ""}, {151, WhyRemote}, {162, WhyOutput}}},
	{"cloudnative-pg__cloudnative-pg/docs__src__kubectl-plugin.md", nil, []readPlace{{389, WhyPlaceholder}, {1217, ""}, {1245, WhyPlaceholder}, {1335, ""}}},
	{"argoproj__argo-cd/docs__operator-manual__upgrading__1.8-2.0.md", nil, []readPlace{{52, WhyNotShell}, {79, WhyNotShell}}},
	{"yujunz__gitlab.com-runbooks/docs__patroni__geo-patroni-cluster.md", nil, []readPlace{{31, WhyOutput}, {44, noFence}, {67, noFence}, {171, WhyRemote}, {181, WhyRemote}, {214, WhyNotShell}}},
}

func TestTheCorpusHasItsHardestFilesRight(t *testing.T) {
	root := os.Getenv("RUNBOOK_CORPUS")
	if root == "" {
		t.Skip("RUNBOOK_CORPUS names no folder with Markdown files")
	}
	for _, h := range hardFiles {
		src, err := os.ReadFile(filepath.Join(root, h.file))
		if err != nil {
			t.Logf("%s isn't in this corpus", h.file)
			continue
		}
		r := Parse(h.file, src)
		got := map[int]string{}
		for _, s := range r.Steps {
			for _, b := range s.Blocks {
				got[b.Line] = b.Why
			}
		}
		for _, f := range r.NotOffered {
			got[f.Line] = f.Why
		}
		for _, p := range h.want {
			why, ok := got[p.line]
			if !ok {
				why = noFence
			}
			if why != p.want {
				t.Errorf("%s:%d: got %q, want %q", h.file, p.line, why, p.want)
			}
		}
		for rule, line := range h.rules {
			if ruleAt(r, rule) != line {
				t.Errorf("%s: %s in line %d, want %d", h.file, rule, ruleAt(r, rule), line)
			}
		}
	}
}

// The design of etcd's authentication starts with a byte order mark and has CRLF:
// its title shows whether its front matter was found behind them.
func TestTheCorpusHasFrontMatterBehindAByteOrderMark(t *testing.T) {
	path := filepath.Join(os.Getenv("RUNBOOK_CORPUS"), "etcd-io__website/content__en__docs__v3.4__learning__design-auth-v3.md")
	src, err := os.ReadFile(path)
	if err != nil {
		t.Skipf("the corpus isn't there: %v", err)
	}
	r := Parse(path, src)
	if r.Title == "" || r.Source[0] != '-' || ruleAt(r, "front-matter") != 0 {
		t.Errorf("title %q, first byte %q\n%s", r.Title, r.Source[:1], dump(r))
	}
}
