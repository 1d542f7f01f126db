package operators

import (
	"fmt"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// process is a container at the moment it starts: what it was given and what it can reach.
type process struct {
	namespace, pod, container string
	env                       map[string]string
	words                     []string          // command and arguments
	volumes                   map[string]string // pod volume name → persistent volume
	once                      bool              // the pod is not meant to run for ever
	work                      time.Duration
	net                       *network
	say                       func(line string)
}

// outcome is what a process does after its start: end after a while, or run and perhaps answer.
type outcome struct {
	ends    bool
	after   time.Duration
	code    int32
	handler http.Handler // what it answers on its ports
	data    *database    // the database it serves
}

// program decides an outcome from what a process was given.
type program func(p *process) outcome

func (p *process) fail(format string, args ...any) outcome {
	p.say(fmt.Sprintf(format, args...))
	return outcome{ends: true, after: p.work / 4, code: 1}
}

func (p *process) done(format string, args ...any) outcome {
	p.say(fmt.Sprintf(format, args...))
	return outcome{ends: true, after: p.work}
}

// programFor picks by the last part of the image's repository, as a registry of what images contain.
func programFor(image string, p *process) program {
	switch repository(image) {
	case "schmetterpause":
		if p.container == "migrate" || slices.Contains(p.words, "migrate") {
			return migrate
		}
		return schmetterpause
	case "postgresql":
		return postgres
	default:
		return anything
	}
}

// repository is the image's name without registry, tag and digest.
func repository(image string) string {
	name, _, _ := strings.Cut(path.Base(image), "@")
	name, _, _ = strings.Cut(name, ":")
	return name
}

var exits = regexp.MustCompile(`\bexit\s+(\d+)\b`)

// anything is an image nothing is known of: it does what its command plainly says, ends well when the pod is meant
// to end, and otherwise runs and answers.
func anything(p *process) outcome {
	line := strings.Join(p.words, " ")
	if m := exits.FindStringSubmatch(line); m != nil {
		code, _ := strconv.Atoi(m[1])
		return outcome{ends: true, after: p.work, code: int32(code & 0xff)}
	}
	if line == "false" || line == "/bin/false" {
		return outcome{ends: true, after: p.work, code: 1}
	}
	if p.once {
		return p.done("%s done", p.container)
	}
	return outcome{handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "%s in %s/%s\n", p.container, p.namespace, p.pod)
	})}
}

// migrate brings the schema up to date; without its database it fails and leaves the waiting to the kubelet's back-off.
func migrate(p *process) outcome {
	if err := p.net.login(p.namespace, p.env["SP_DATABASE_URL"]); err != nil {
		return p.fail("migrate: %s", err)
	}
	return p.done("migrate: schema is up to date")
}

// keyLength is the shortest session key the application accepts, in characters after trimming.
const keyLength = 32

// schmetterpause is the application: it wants a session key and its database at the start, and then /healthz answers for
// the process alone while /readyz asks the database.
func schmetterpause(p *process) outcome {
	session := strings.TrimSpace(p.env["SP_SESSION_KEY"])
	switch {
	case session == "":
		return p.fail("SP_SESSION_KEY is required to serve")
	case len(session) < keyLength:
		return p.fail("SP_SESSION_KEY is %d characters, at least %d are required", len(session), keyLength)
	}
	dsn := p.env["SP_DATABASE_URL"]
	if err := p.net.login(p.namespace, dsn); err != nil {
		return p.fail("open database: %s", err)
	}
	p.say("listening on :8080")
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("/readyz", func(w http.ResponseWriter, _ *http.Request) {
		if p.net.login(p.namespace, dsn) != nil {
			http.Error(w, "database unreachable", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "schmetterpause") })
	return outcome{handler: mux}
}
