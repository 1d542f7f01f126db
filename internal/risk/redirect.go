package risk

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// redirected is what the redirections of a statement do to its input and output.
type redirected struct {
	in  *stream
	out bool
}

func (f *frame) redirects(s *syntax.Stmt, in *stream) redirected {
	var r redirected
	for _, d := range s.Redirs {
		switch d.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			st := f.heredoc(d)
			r.in = &st
		case syntax.WordHdoc:
			w := f.one(d.Word)
			f.hide("<<<", word{text: w.text, src: f.source(d.Word), known: w.known}, unseen)
			r.in = &stream{text: w.text + "\n", known: w.known, here: true}
		case syntax.RdrIn:
			r.in = f.fromFile(d)
		case syntax.RdrInOut:
			w := f.one(d.Word)
			f.add(Write, shown(f.stmtSource(s)), "opens "+shown(w.text)+" for writing")
		case syntax.DplIn, syntax.DplOut:
			w := f.one(d.Word)
			if d.Op == syntax.DplOut && !descriptor(w.text) {
				r.out = f.toFile(s, d, w, in) || r.out
			}
		default:
			w := f.one(d.Word)
			r.out = f.toFile(s, d, w, in) || r.out
		}
	}
	return r
}

// stmtSource is a statement without its here-documents: those can hold anything.
func (f *frame) stmtSource(s *syntax.Stmt) string {
	src := f.source(s)
	start := int(s.Pos().Offset())
	for _, d := range s.Redirs {
		if d.Hdoc == nil {
			continue
		}
		if n := int(d.Hdoc.Pos().Offset()) - start; n > 0 && n < len(src) {
			src = src[:n]
		}
	}
	return strings.TrimRight(src, " \n")
}

func descriptor(s string) bool { return strings.Trim(s, "0123456789-") == "" }

func (f *frame) heredoc(d *syntax.Redirect) stream {
	if d.Hdoc == nil {
		return stream{here: true}
	}
	e := expander{f: f, known: true, single: true}
	literal := false
	if d.Word != nil {
		for _, p := range d.Word.Parts {
			l, ok := p.(*syntax.Lit)
			literal = literal || !ok || strings.Contains(l.Value, `\`)
		}
	}
	for _, p := range d.Hdoc.Parts {
		if l, ok := p.(*syntax.Lit); ok && literal {
			e.add(l.Value)
			continue
		}
		e.part(p, true)
	}
	return stream{text: string(e.buf), known: e.known, here: true}
}

func (f *frame) fromFile(d *syntax.Redirect) *stream {
	w := f.one(d.Word)
	if w.in != nil {
		return w.in
	}
	st := f.file(w)
	return &st
}

// file is what a file holds, as far as the caller lets us know.
func (f *frame) file(w word) stream {
	if w.text == "/dev/null" {
		return stream{known: true, from: w.text}
	}
	st := stream{from: w.text}
	if w.known && f.w.ctx.ReadFile != nil && f.where == "" {
		if b, err := f.w.ctx.ReadFile(w.text); err == nil {
			st.text, st.known = string(b), true
		}
	}
	return st
}

// toFile judges a redirection of output, and says whether it takes standard output.
func (f *frame) toFile(s *syntax.Stmt, d *syntax.Redirect, w word, in *stream) bool {
	path := w.text
	errOnly := d.N != nil && d.N.Value != "1"
	src := shown(f.stmtSource(s))
	switch {
	case w.in != nil:
	case path == "/dev/null":
		if d.N != nil && d.N.Value == "2" || d.Op == syntax.RdrAll {
			f.note("hides error messages: " + src)
		}
	case harmlessDevice(path):
	case strings.HasPrefix(path, "/dev/tcp/") || strings.HasPrefix(path, "/dev/udp/"):
		f.add(Unknown, src, "sends to "+path)
	case strings.HasPrefix(path, "/dev/") && !strings.HasPrefix(path, "/dev/shm/"):
		f.add(Destroy, src, "writes onto the device "+path)
		f.touch(Touch{Op: "delete", Path: path})
	case strings.HasPrefix(path, "/proc/") || strings.HasPrefix(path, "/sys/"):
		f.kernelFile(src, path)
	case d.Op == syntax.AppOut || d.Op == syntax.AppAll:
		f.add(Write, src, "appends to "+shown(path))
		f.touch(Touch{Op: "update", Path: shown(path)})
	case credentialFile(path):
		f.add(Rotate, src, "overwrites the credentials in "+shown(path))
		f.touch(Touch{Op: "update", Path: shown(path)})
	case !errOnly && empties(s.Cmd):
		f.add(Destroy, src, "empties "+shown(path))
		f.touch(Touch{Op: "delete", Path: shown(path)})
	default:
		f.add(Write, src, "overwrites "+shown(path))
		f.touch(Touch{Op: "update", Path: shown(path)})
	}
	return !errOnly
}

func (f *frame) kernelFile(src, path string) {
	if strings.HasSuffix(path, "/sysrq-trigger") {
		f.add(Interrupt, src, "commands the kernel through "+path)
		return
	}
	if strings.HasSuffix(path, "/delete") || strings.HasSuffix(path, "/remove") || strings.HasSuffix(path, "/unbind") {
		f.add(Interrupt, src, "removes a device from the kernel")
		return
	}
	f.add(Write, src, "sets "+path)
}

func harmlessDevice(p string) bool {
	switch p {
	case "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/stdin", "/dev/full", "/dev/console", "/dev/zero":
		return true
	}
	return strings.HasPrefix(p, "/dev/fd/") || strings.HasPrefix(p, "/dev/pts/") || strings.HasPrefix(p, "/proc/self/fd/")
}

// credentialFile names files that hold nothing but credentials.
func credentialFile(p string) bool {
	for _, s := range []string{
		"/.aws/credentials", ".netrc", ".pgpass", ".my.cnf", ".vault-token", ".git-credentials",
		"/.kube/config", "/.docker/config.json", "/id_rsa", "/id_ed25519", "/id_ecdsa", "/.ssh/authorized_keys", "/etc/shadow",
	} {
		if strings.HasSuffix(p, s) {
			return true
		}
	}
	return false
}

// empties says that a command prints nothing, so that what it is redirected to is emptied.
func empties(c syntax.Command) bool {
	if c == nil {
		return true
	}
	call, ok := c.(*syntax.CallExpr)
	if !ok {
		return false
	}
	if len(call.Args) == 0 {
		return true
	}
	switch name := call.Args[0].Lit(); name {
	case ":", "true":
		return true
	case "cat":
		return len(call.Args) == 2 && call.Args[1].Lit() == "/dev/null"
	case "echo":
		return len(call.Args) == 2 && call.Args[1].Lit() == "-n"
	}
	return false
}
