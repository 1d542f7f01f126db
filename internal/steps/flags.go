package steps

import "strings"

// interactive tells whether -i and -t, together or apart, are among the flags;
// -t or -i alone waits for input, too.
func interactive(args []string) bool {
	for _, a := range args {
		if a == "--" {
			return false
		}
		switch {
		case a == "-it" || a == "-ti" || a == "-i" || a == "-t" || a == "--stdin" || a == "--tty" || a == "--stdin=true" || a == "--tty=true" || a == "--interactive":
			return true
		case len(a) > 2 && a[0] == '-' && a[1] != '-' && len(a) <= 5 && strings.Contains(a, "i") && strings.Contains(a, "t"):
			return true
		}
	}
	return false
}

// firstVerb returns the first word that is no flag and no value of one.
func firstVerb(args []string) string {
	for i := 0; i < len(args); i++ {
		a := args[i]
		if !strings.HasPrefix(a, "-") {
			return a
		}
		switch a {
		case "-n", "--namespace", "--context", "--kubeconfig", "--cluster", "-f", "--user", "-s", "--server", "-p", "--as", "-H", "--project-name", "--profile", "--env-file":
			i++
		}
	}
	return ""
}

// trailing returns the words behind verb and behind n words after it that are
// no flags.
func trailing(args []string, verb string, n int) []string {
	i := indexOf(args, verb) + 1
	for ; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "-n" || a == "-c" || a == "--namespace" || a == "--container" || a == "-u" || a == "--user" || a == "-e" || a == "--env" || a == "-w" || a == "--workdir" || a == "-v" || a == "--volume" || a == "--name" || a == "--network" || a == "-p" || a == "--entrypoint" || a == "--context" || a == "-l" || a == "--mount" || a == "--net":
			i++
		case strings.HasPrefix(a, "-"):
		case n == 0:
			return args[i:]
		default:
			n--
		}
	}
	return nil
}

func afterDashes(args []string) ([]string, bool) {
	if i := indexOf(args, "--"); i >= 0 {
		return args[i+1:], true
	}
	return nil, false
}

func indexOf(words []string, w string) int {
	for i, x := range words {
		if x == w {
			return i
		}
	}
	return -1
}

func has(words []string, w string) bool { return indexOf(words, w) >= 0 }

func hasAny(words []string, some ...string) bool {
	for _, w := range some {
		if has(words, w) {
			return true
		}
	}
	return false
}

func hasPrefix(words []string, prefix string) bool {
	for _, w := range words {
		if strings.HasPrefix(w, prefix) {
			return true
		}
	}
	return false
}

func hasSuffix(words []string, suffix string) bool {
	for _, w := range words {
		if strings.HasSuffix(w, suffix) {
			return true
		}
	}
	return false
}
