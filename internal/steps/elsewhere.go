package steps

import "strings"

// exitCues are words of a text that leaves the other shell.
var exitCues = newPhrases(
	"exit the", "exit from", "exit out", "`exit`", "type exit", "run exit", "log out", "logout", "leave the pod", "leave the container", "leave the shell", "leave the node",
	"`\\q`", "disconnect from", "close the session", "exit psql", "quit psql", "exit redis",
)

// endOfInput leaves a shell where one of the leaveWords says so.
var (
	endOfInput = newPhrases("ctrl-d", "ctrl+d")
	leaveWords = newPhrases("exit", "leave", "log out", "quit")
)

// homeCues send the reader to a shell of their own, however deep they were.
var homeCues = newPhrases(
	"back on your", "back in your", "back to your", "on your local", "from your local", "in your local", "on the local machine", "from the local machine", "on your laptop", "from your laptop",
	"on your workstation", "from your workstation", "on your machine", "from your machine", "on your own machine", "from your own machine", "on your computer", "on your host",
	"in a new terminal", "in another terminal", "in a separate terminal", "in a second terminal", "from another terminal", "from your terminal", "in your terminal", "in a different terminal",
)

// enterCues say that the command before has opened a shell, whatever its name.
// First letters that may be capitals are left out, so that texts needn't be
// changed to be searched.
var enterCues = newPhrases(
	"rop you in", "rops you in", "ropped into", "ou are now in", "ou're now in", "ow inside", "nce inside", "nce in the",
	"nce you are in", "nce you're in", "nside the shell",
	"n this shell", "n that shell", "rom the shell", "rom this shell", "t the prompt", "nside the toolbox",
)

// entersShell tells whether a text says that the command above it has opened a shell.
func entersShell(text string) bool {
	if shellGiven.in(text) {
		return true
	}
	if !enterCues.in(text) {
		return false
	}
	for _, cue := range enterCues.all {
		for rest := text; ; {
			i := strings.Index(rest, cue)
			if i < 0 {
				break
			}
			if i > 0 && isLetter(rest[i-1]) && (i == 1 || !isWord(rest[i-2])) {
				return true
			}
			rest = rest[i+1:]
		}
	}
	return false
}

// elsewhere tells whether a sentence, in lower case, sends its reader to another
// machine before the commands below it. Before a client, "connect to the
// instance" speaks of what the client does.
func elsewhere(s string, says said, client bool) bool {
	if !client && (says.has(saysInside) || says.has(saysLogin) && machineWords.in(s)) {
		return true
	}
	return (says.has(saysMachine) || strings.Contains(s, " run")) && machineIn(s, false)
}

// sendsBySSH tells whether a line of a text starts with "SSH to …": as with the
// command, what follows is meant for that machine.
func sendsBySSH(text string) bool {
	for i := 0; ; {
		n := strings.Index(text[i:], "SSH ")
		if n < 0 {
			return false
		}
		i += n + len("SSH ")
		start := strings.LastIndexByte(text[:i], '\n') + 1
		before := strings.Trim(text[start:i-len("SSH ")], " \t0123456789.)*-+>_[]")
		if before != "" {
			continue
		}
		for _, to := range []string{"to ", "into ", "onto ", "in to "} {
			if strings.HasPrefix(text[i:], to) {
				return true
			}
		}
	}
}

// startsElsewhere tells whether a heading begins with the machine that its
// section is about: "On the replica", "Directly on a database host".
func startsElsewhere(heading string) bool {
	if heading == "" || strings.IndexByte("OoIiFfWwDd", heading[0]) < 0 {
		return false
	}
	heading = strings.ToLower(heading)
	return namesMachine(strings.TrimPrefix(heading, "directly "), true)
}

// namesMachine finds "on the master node" and the like. What is the reader's
// own is no other machine, and "on the node pool" speaks of no node.
func namesMachine(s string, atStart bool) bool {
	if !machineParts.in(s) && !strings.Contains(s, " run") {
		return false // the quick way out for most sentences
	}
	return machineIn(s, atStart)
}

func machineIn(s string, atStart bool) bool {
	words := strings.Fields(s)
	vague := atStart || runWords.in(s)
	for i, w := range words {
		if atStart && i > 0 {
			return false
		}
		switch strings.TrimLeft(w, "*_(-") {
		case "from":
			if i > 0 {
				continue // "get the key from the server" says where the key is
			}
		case "on", "in", "inside", "within", "onto":
			if i > 0 && (words[i-1] == "running" || words[i-1] == "runs") {
				continue // "useful when running in a container"
			}
		default:
			continue
		}
		if i+2 == len(words) && strings.HasPrefix(words[i+1], "`") && namesNumbered(words[i+1]) {
			return true // "create a list of files on `file-XX`:"
		}
		alone := i == 0 && isMachine(words[len(words)-1]) // "on a database host:" and nothing else
		if endsInMachine(words[i+1:], vague || alone) || namesHostname(words[i+1:]) {
			return true
		}
	}
	return false
}

// namesHostname tells whether words start with the name of a host, and a verb
// says what to do there: "on `db-1.example.com` run".
func namesHostname(words []string) bool {
	if len(words) < 2 {
		return false
	}
	name := strings.Trim(words[0], "`*,")
	switch strings.Trim(words[1], ",:") {
	case "run", "execute", "type", "issue", "do":
	default:
		return false
	}
	return strings.Count(name, ".") > 1 && isName(name) || strings.Contains(name, "-") && strings.ContainsAny(name, "0123456789") && isName(name)
}

// namesNumbered tells whether a word in backquotes is the name of one host of many.
func namesNumbered(word string) bool {
	name := strings.Trim(word, "`*,")
	return isName(name) && strings.Contains(name, "-") && (strings.ContainsAny(name, "0123456789") || strings.HasSuffix(name, "xx"))
}

// machineParts occur in every name of a machine that isMachine knows.
var machineParts = newPhrases("node", "server", "host", "machine", "instance", "replica", "primary", "master", "leader", "standby", "vm", "bastion", "jumpbox", "container", "pod", "on `")

func isMachine(w string) bool {
	switch w {
	case "node", "nodes", "server", "servers", "host", "hosts", "machine", "machines", "instance", "instances", "replica", "replicas", "primary", "master", "leader", "standby",
		"vm", "vms", "bastion", "jumpbox", "jumphost", "container", "pod":
		return true
	}
	return false
}

// goesOn tells whether the words before a word name the machine fully.
func goesOn(w string) bool {
	if w[0] == '`' || w[0] == '(' {
		return true // and then each by its own: the nodes `db-1` and `db-2`
	}
	switch strings.Trim(w, ".,:;()") {
	case "run", "execute", "type", "issue", "use", "using", "you", "with", "where", "that", "which", "and", "to", "by", "via", "do", "we", "itself", "as", "":
		return true
	}
	return false
}

// fromOutside tells whether code starts with a command that reaches into other
// machines and pods from the reader's own: `sudo docker exec`, `bundle exec knife
// ssh`.
func fromOutside(code string) bool {
	switch firstTool(code) {
	case "rsync", "vagrant", "multipass", "limactl", "minikube", "kind", "ansible", "ansible-playbook", "task", "make", "export":
		return true
	}
	if operatorTool(code) && !containerTool(firstTool(code)) {
		return true // docker talks to the machine that it is typed on
	}
	text := firstCode(code)
	switch firstTool(code) {
	case "for", "while", "until":
		text = code
	}
	inner := false
	for w := range strings.FieldsSeq(text) {
		switch strings.Trim(w, "\"'`()$;") {
		case "ssh", "scp", "knife", "kubectl", "oc":
			return true
		case "exec", "cp":
			if inner {
				return true
			}
		default:
			inner = inner || containerTool(w)
		}
	}
	return false
}

// operatorTool tells whether code starts with a tool that administers a cluster
// or a cloud: no database client takes it for a command, and containers seldom
// have it.
func operatorTool(code string) bool {
	switch firstTool(code) {
	case "kubectl", "oc", "k", "helm", "helmfile", "flux", "argocd", "velero", "istioctl", "cilium", "talosctl", "eksctl", "gcloud", "az", "aws", "doctl", "hcloud",
		"terraform", "tofu", "terragrunt", "pulumi":
		return true
	}
	return containerTool(firstTool(code))
}

func containerTool(word string) bool {
	switch word {
	case "docker", "docker-compose", "podman", "nerdctl":
		return true
	}
	return false
}

// firstTool returns the first command of code without sudo, or the one whose
// output the first line assigns: `export IP=$(kubectl …)`.
func firstTool(code string) string {
	line := firstCode(code)
	word, rest := cutWord(line)
	if word == "sudo" {
		word, _ = cutWord(rest)
		return word
	}
	if _, after, ok := strings.Cut(line, " -- "); ok {
		switch inner, _ := cutWord(after); inner {
		case "kubectl", "oc", "helm", "terraform":
			return inner // aws-vault exec x -- kubectl …
		}
	}
	if word == "export" {
		line = rest
	}
	if name, value, ok := strings.Cut(line, "=$("); ok && isName(name) {
		word, _ = cutWord(value)
	}
	return word
}

// reachOf says how far the shell is that a command opens.
func reachOf(name string) reach {
	word, _ := cutWord(name)
	switch word[strings.LastIndexByte(word, '/')+1:] {
	case "kubectl", "kubectl.exe", "oc", "k", "microk8s", "k3s", "docker", "docker-compose", "podman", "nerdctl":
		return podReach
	case "psql", "gitlab-psql", "mysql", "mariadb", "redis-cli", "gitlab-redis-cli", "valkey-cli", "mongo", "mongosh", "sqlcmd", "cqlsh", "clickhouse-client", "influx",
		"rails", "gitlab-rails":
		return clientReach
	case "gpg", "gpg2", "fdisk", "gdisk", "parted", "python", "python3", "node", "irb", "iex", "ipython":
		return dialogueReach
	}
	return hostReach
}

// shellGiven says that a command gives a shell.
var shellGiven = newPhrases("you a shell", "have a shell", "the debug shell")

// insideCues send the reader elsewhere at once.
var insideCues = newPhrases("inside the container", "inside the pod", "inside your container", "within the container", "within the pod", "from inside the", "in the container:", "in the pod:", "ssh into", "ssh to ", "ssh in to", "ssh onto", "on the remote", "in the rails console", "in a rails console", "in the psql", "in psql", "in redis-cli")

// loginCues do when one of the machineWords is there as well.
var loginCues = newPhrases("log in to", "log into", "login to", "log on to", "logged in to", "logged into", "log onto", "connect to the")

// machineWords are the machines that one logs into.
var machineWords = newPhrases(" node", " server", " host", " machine", " instance", " pod", " container", " vm", " master", " replica", " jumpbox", " bastion", " box", " shard")

// runWords make any machine the one that is meant.
var runWords = newPhrases("run ", "execute ")
