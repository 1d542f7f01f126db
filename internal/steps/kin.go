package steps

import "strings"

// judgeKin refuses what uses a program, or a folder of one, that the document
// itself runs on another machine: what is at home there is seldom here as well.
func (p *fileParser) judgeKin() {
	lines := map[string]int{}
	for _, f := range p.scan.fences {
		if v := &f.verdict; v.host && v.why == WhyRemote {
			for _, w := range atHomeThere(v.code) {
				if lines[w] == 0 {
					lines[w] = v.first + 1
				}
			}
		}
	}
	if len(lines) == 0 {
		return
	}
	for _, f := range p.scan.fences {
		v := &f.verdict
		if !v.block || v.why != "" || v.action != nil || fromOutside(v.code) {
			continue
		}
		for _, w := range atHomeThere(v.code) {
			if n := lines[w]; n > 0 {
				v.refuse(WhyRemote, "it uses "+w+", like line "+itoa(n)+", which is for another machine")
				break
			}
		}
	}
}

// atHomeThere returns the words of code that are seldom found on two machines:
// programs that few know, and the folders of what has been installed by hand.
func atHomeThere(code string) []string {
	var words []string
	for line := range strings.Lines(code) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if tool := firstTool(line); isName(tool) && strings.Contains(tool, "-") && !wellKnown[tool] && !strings.HasPrefix(tool, "-") {
			words = append(words, tool)
		}
		for w := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(" \t\"'`()=<>|;:,@", r) }) {
			if dir := ownFolder(w); dir != "" {
				words = append(words, dir)
			}
		}
	}
	return words
}

// ownFolder returns the folder of a product that a path leads into: /opt/shop of
// /opt/shop/bin/ctl, /var/opt/shop of what lies there.
func ownFolder(path string) string {
	for _, root := range []string{"/var/opt/", "/opt/"} {
		if rest, ok := strings.CutPrefix(path, root); ok {
			name, more, ok := strings.Cut(rest, "/")
			if !ok || more == "" || !isName(name) {
				return ""
			}
			return root + name
		}
	}
	return ""
}
