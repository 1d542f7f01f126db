package steps

import "strings"

// needsTerminal tells whether a command draws on the terminal or asks for input.
func needsTerminal(words []string) bool {
	args := words[1:]
	switch words[0] {
	case "vi", "vim", "nvim", "nano", "emacs", "$EDITOR", "k9s", "visudo", "less", "more", "htop", "top", "read", "passwd":
		return true
	case "kubectl", "oc", "k":
		verb := firstVerb(args)
		return verb == "edit" || has(args, "--edit") || (verb == "exec" || verb == "run" || verb == "attach" || verb == "debug") && interactive(args)
	case "docker", "podman", "nerdctl":
		verb := firstVerb(args)
		return (verb == "exec" || verb == "run") && interactive(args) || verb == "login" && !has(args, "--password-stdin") && !has(args, "-p")
	case "crontab":
		return has(words, "-e")
	case "sops":
		return len(words) == 2
	}
	return asksFirst(words[0], args)
}

// asksFirst knows commands that ask a question before they do anything: without
// a terminal they fail, or wait for ever.
func asksFirst(program string, args []string) bool {
	switch program {
	case "terraform", "tofu", "terragrunt":
		verb := firstVerb(args)
		return (verb == "apply" || verb == "destroy") && !hasPrefix(args, "-auto-approve") && !hasPrefix(args, "--auto-approve") && !hasSuffix(args, "plan") && !hasSuffix(args, ".out")
	case "vault", "bao":
		return vaultAsks(args)
	case "ssh-keygen":
		return !hasAny(args, "-N", "-l", "-R", "-F", "-y", "-A", "-e", "-i", "-s")
	case "gpg", "gpg2":
		return hasAny(args, "--gen-key", "--full-gen-key", "--full-generate-key", "--generate-key") && !has(args, "--batch")
	case "etcdctl":
		i := indexOf(args, "user")
		return i >= 0 && len(args) == i+3 && (args[i+1] == "passwd" || args[i+1] == "add" && !strings.Contains(args[i+2], ":"))
	case "argocd":
		return firstVerb(args) == "login" && !hasPrefix(args, "--password") && !has(args, "--core") && !has(args, "--sso")
	}
	return false
}

// vaultAsks tells whether vault asks for a key or a token that isn't there.
func vaultAsks(args []string) bool {
	words := make([]string, 0, 3)
	for _, a := range args {
		if !strings.HasPrefix(a, "-") && len(words) < cap(words) {
			words = append(words, a)
		}
	}
	switch strings.Join(words, " ") {
	case "login":
		return !hasPrefix(args, "-method") && !has(args, "-")
	case "operator unseal":
		return !has(args, "-reset")
	}
	return false
}
