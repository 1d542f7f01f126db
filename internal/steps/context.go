package steps

import "strings"

// openerIn returns the first of some commands that opens a shell or a client
// elsewhere, and whether one of them needs the real terminal.
func openerIn(calls []call) (name string, hands bool) {
	for _, c := range calls {
		if c.fed {
			continue
		}
		const most = 1000 // words; nobody opens a shell with more
		if len(c.words) > most {
			continue
		}
		words := bareCommand(c.words)
		if len(words) == 0 {
			continue
		}
		if name := opener(words); name != "" {
			return name, true
		}
		hands = hands || needsTerminal(words)
	}
	return "", hands
}

// bareCommand drops sudo, env and the like from the front.
func bareCommand(words []string) []string {
	for len(words) > 0 {
		switch words[0] {
		case "sudo":
			rest := words[1:]
			for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
				switch rest[0] {
				case "-i", "-s", "--login", "--shell", "-iu", "-su":
					return words
				case "-u", "-g", "--user", "--group":
					rest = rest[min(2, len(rest)):]
					continue
				}
				rest = rest[1:]
			}
			words = rest
		case "env", "time", "nohup", "exec", "command", "winpty":
			words = words[1:]
			for len(words) > 0 && (strings.HasPrefix(words[0], "-") || strings.Contains(words[0], "=")) {
				words = words[1:]
			}
		default:
			return words
		}
	}
	return words
}

// opener returns the command if it opens another context.
func opener(words []string) string {
	args := words[1:]
	base := words[0][strings.LastIndexByte(words[0], '/')+1:]
	switch base {
	case "kubectl", "oc", "k", "kubectl.exe", "microk8s", "k3s":
		return kubeOpener(base, args)
	case "docker", "podman", "nerdctl", "docker-compose", "lxc", "incus":
		return containerOpener(base, args)
	case "ssh", "tsh", "mosh":
		if opensSSH(base, args) {
			return base
		}
	case "gcloud":
		if has(args, "ssh") && !hasPrefix(args, "--command") && !has(args, "--") {
			return "gcloud ssh"
		}
	case "vault", "bao":
		if n := len(args); n > 1 && firstVerb(args) == "ssh" && (strings.Contains(args[n-1], "@") || len(trailing(args, "ssh", 1)) == 0) {
			return base + " ssh"
		}
	case "vagrant", "minikube", "multipass", "limactl", "colima", "az", "aws", "cf", "eb":
		return vmOpener(base, args)
	case "sudo":
		return "sudo" // only left in front with -i or -s
	case "su":
		if !has(args, "-c") && !hasPrefix(args, "--command") && !hasPrefix(args, "-c") {
			return "su"
		}
	case "chroot", "nsenter", "arch-chroot", "systemd-nspawn", "toolbox", "distrobox":
		if len(words) < 3 || isShell(words[len(words)-1]) || !has(args, "--") && base == "toolbox" {
			return base
		}
	default:
		if isClient(words) || shellVerb(base, args) {
			return base
		}
		if command, dashed := afterDashes(args); dashed && len(command) > 0 {
			return openedBy(base, command) // aws-vault exec x -- kubectl exec -it pod -- sh
		}
	}
	return ""
}

// shellVerb guesses that a tool nobody knows opens a shell somewhere, from the
// word that most tools use for that: `deployer exec homes …`.
func shellVerb(base string, args []string) bool {
	if _, dashed := afterDashes(args); dashed || len(args) == 0 {
		return false
	}
	switch base {
	case "bundle", "npm", "pnpm", "yarn", "npx", "mise", "asdf", "direnv", "aws-vault", "cargo", "poetry", "pipenv", "opam", "git", "find", "make", "task",
		"echo", "printf", "cat", "grep", "vault", "bao", "helm", "terraform", "tofu", "nix", "watchexec", "systemctl", "service", "brew", "apt", "apt-get", "which", "man", "rm", "ls", "cd", "go",
		"kill", "killall", "pkill", "pgrep", "pidof", "ps", "type", "ufw", "yum", "dnf", "apk", "pip", "gem":
		return false
	}
	names := 0
	for _, a := range args[1:] {
		if strings.ContainsAny(a, ". ") {
			return false // a file, or a command to run there
		}
		if !strings.HasPrefix(a, "-") {
			names++
		}
	}
	switch args[0] {
	case "ssh", "shell", "console", "rsh", "attach":
		return names < 2
	case "exec":
		return names < 4
	}
	return false
}

func kubeOpener(base string, args []string) string {
	verb := firstVerb(args)
	command, dashed := afterDashes(args)
	switch verb {
	case "exec":
		if !dashed {
			command = trailing(args, "exec", 1)
		}
		if len(command) > 0 && !interactive(args) {
			return ""
		}
	case "run":
		if !interactive(args) {
			return ""
		}
	case "debug":
		if base != "oc" && !interactive(args) {
			return ""
		}
	case "attach":
		if !interactive(args) {
			return ""
		}
	case "rsh":
		if !dashed {
			command = trailing(args, "rsh", 1)
		}
	case "cnpg":
		if !has(args, "psql") || dashed {
			return ""
		}
	default:
		return ""
	}
	return openedBy(base+" "+verb, command)
}

// openedBy names what opens when a command is given to exec: the shell that exec
// itself gives, or a client.
func openedBy(exec string, command []string) string {
	command = bareCommand(command)
	switch {
	case len(command) == 0:
		return exec
	case !isShell(command[0]):
		return opener(command)
	case waits(command[1:]):
		return exec
	}
	return ""
}

func containerOpener(base string, args []string) string {
	verb := firstVerb(args)
	compose := base == "docker-compose"
	if verb == "compose" {
		compose = true
		i := indexOf(args, "compose")
		args = args[i+1:]
		verb = firstVerb(args)
	}
	if verb == "container" {
		args = args[indexOf(args, "container")+1:]
		verb = firstVerb(args)
	}
	if verb != "exec" && verb != "run" && verb != "attach" && verb != "shell" || !compose && !interactive(args) {
		return ""
	}
	command := trailing(args, verb, 1)
	if len(command) == 0 && (verb == "exec" || compose) {
		return ""
	}
	return openedBy(base+" "+verb, command)
}

func vmOpener(base string, args []string) string {
	verb := firstVerb(args)
	switch {
	case verb == "ssh" || verb == "shell":
		if i := indexOf(args, verb); len(args) > i+2 && base != "az" {
			return ""
		}
		return base + " " + verb
	case base == "aws" && has(args, "start-session"):
		return "aws ssm"
	}
	return ""
}

// waits tells whether a shell with these arguments waits for commands.
func waits(args []string) bool {
	for _, a := range args {
		if !strings.HasPrefix(a, "-") || strings.Contains(a, "c") && !strings.HasPrefix(a, "--") {
			return false
		}
	}
	return true
}

func isShell(w string) bool {
	switch w[strings.LastIndexByte(w, '/')+1:] {
	case "sh", "bash", "zsh", "ash", "dash", "ksh", "fish", "busybox":
		return true
	}
	return false
}

// isClient knows the clients that wait for commands unless they are given some.
func isClient(words []string) bool {
	args := words[1:]
	switch words[0][strings.LastIndexByte(words[0], '/')+1:] {
	case "psql", "gitlab-psql":
		return !hasAny(args, "-c", "-f", "-l", "--list", "--version", "--help", "-V") && !hasPrefix(args, "--command") && !hasPrefix(args, "--file") && !hasPrefix(args, "-c") && !hasPrefix(args, "-f")
	case "mysql", "mariadb":
		return !hasAny(args, "-e", "--version", "--help") && !hasPrefix(args, "--execute") && !hasPrefix(args, "-e")
	case "redis-cli", "gitlab-redis-cli", "valkey-cli":
		return redisWaits(args)
	case "mongo", "mongosh":
		return !hasPrefix(args, "--eval") && !hasPrefix(args, "--version") && !hasSuffix(args, ".js")
	case "sqlcmd":
		return (len(args) == 0 || args[0][0] == '-') && !hasAny(args, "-Q", "-q", "-i", "-?", "--version") && !hasPrefix(args, "-Q")
	case "cqlsh", "clickhouse-client", "influx":
		return !hasAny(args, "-e", "-Q", "-q", "-i", "-f", "--query", "-execute", "--version")
	case "rails", "bin/rails":
		return hasAny(args, "console", "c", "dbconsole", "db")
	case "gitlab-rails":
		return hasAny(args, "console", "c", "dbconsole")
	case "python", "python3", "node", "irb", "iex", "ipython":
		return len(args) == 0
	case "gpg", "gpg2":
		return hasAny(args, "--card-edit", "--edit-key", "--edit-card")
	case "fdisk", "gdisk", "parted":
		return len(args) == 1 && strings.HasPrefix(args[0], "/dev/")
	case "virsh":
		return hasAny(args, "console")
	}
	return false
}

// redisWaits tells whether redis-cli got options only.
func redisWaits(args []string) bool {
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-h" || a == "-p" || a == "-a" || a == "-n" || a == "-u" || a == "-s" || a == "--user" || a == "--pass" || a == "--cacert" || a == "--cert" || a == "--key":
			i++
		case strings.HasPrefix(a, "--") && (a == "--scan" || a == "--bigkeys" || a == "--stat" || a == "--version" || strings.HasPrefix(a, "--latency") || a == "--intrinsic-latency" || a == "--hotkeys" || a == "--memkeys" || a == "--rdb" || a == "--pipe" || a == "--cluster" || a == "--eval"):
			return false
		case strings.HasPrefix(a, "-"):
		default:
			return false
		}
	}
	return true
}

// opensSSH tells whether ssh got a host but no command.
func opensSSH(base string, args []string) bool {
	if base == "tsh" {
		if firstVerb(args) != "ssh" {
			return false
		}
		args = args[indexOf(args, "ssh")+1:]
	}
	for i := 0; i < len(args); i++ {
		a := args[i]
		if !strings.HasPrefix(a, "-") {
			rest := args[i+1:]
			for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
				rest = rest[min(1+takesValue(rest[0]), len(rest)):]
			}
			return len(rest) == 0 && !strings.HasPrefix(a, "git@") // which gives nobody a shell
		}
		if strings.ContainsAny(a, "NfVQG") && !strings.HasPrefix(a, "-o") && !strings.HasPrefix(a, "-i") && !strings.HasPrefix(a, "--") {
			return false // a tunnel or a question, no shell
		}
		i += takesValue(a)
	}
	return false
}

func takesValue(flag string) int {
	if len(flag) == 2 && strings.Contains("ilpoLRDJFEbcmWwSeIB", flag[1:]) {
		return 1
	}
	return 0
}
