package risk

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

//go:embed grammar/*.txt
var grammarFiles embed.FS

// loadTables finds the programs in the grammar. What it says of each is read when the first
// command of that program comes: a runbook names a few of hundreds.
func loadTables() (*tableSet, error) {
	set := newTableSet()
	var errs []error
	names, err := fs.Glob(grammarFiles, "grammar/*.txt")
	if err != nil {
		return nil, fmt.Errorf("list grammar: %w", err)
	}
	for _, n := range names {
		b, err := grammarFiles.ReadFile(n)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", n, err)
		}
		errs = append(errs, set.scan(n, string(b)))
	}
	return set, errors.Join(errs...)
}

func (s *tableSet) parseSection(sec *section) (*tool, error) {
	t := newTool(sec.name)
	t.reader = sec.reader
	var errs []error
	n := sec.first - 1
	for line := range strings.Lines(sec.text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if err := t.line(line, s); err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %w", sec.file, n, err))
		}
	}
	return t, errors.Join(errs...)
}

func (t *tool) line(line string, set *tableSet) error {
	if before, after, ok := strings.Cut(line, "=>"); ok {
		return t.addRule(before, after)
	}
	key, rest, _ := strings.Cut(line, " ")
	return t.directive(key, strings.Fields(rest), set)
}

func newTool(name string) *tool {
	return &tool{
		name: name, stop: -1, help: map[string]bool{"--help": true},
		values: map[string]bool{}, bools: map[string]bool{}, verbValues: map[string]map[string]bool{},
		verbBools: map[string]map[string]bool{}, targets: map[string]bool{}, first: map[string][]*rule{}, deep: map[string][]*rule{},
		groups: map[string]bool{},
	}
}

// directive reads a line that is no rule. Lists of flags may end their key with the verb
// they belong to: "bools logs: -f".
func (t *tool) directive(key string, args []string, set *tableSet) error {
	switch key {
	case "long":
		t.long = true
		t.help["-help"] = true
	case "attached":
		if t.attached == nil {
			t.attached = map[string]bool{}
		}
		addAll(t.attached, args)
	case "strict":
		t.strict = true
	case "valued":
		t.defaultValue = true
	case "help":
		addAll(t.help, args)
	case "nohelp":
		t.help = map[string]bool{}
	case "targets":
		addAll(t.targets, args)
		addAll(t.values, args)
	case "secret":
		return t.addSecret(args)
	case "values":
		addVerb(t.values, t.verbValues, args)
	case "bools":
		addVerb(t.bools, t.verbBools, args)
	case "dry":
		return t.addDry(args)
	case "stop":
		return t.addStop(args)
	case "argsfrom":
		t.argsFrom = strings.Join(args, "")
	case "like":
		return t.like(args, set)
	case "hook":
		name := strings.Join(args, " ")
		t.hook, t.wraps = hooks[name], name == "wrap"
		if t.hook == nil {
			return fmt.Errorf("hook %s: not known", name)
		}
	default:
		return fmt.Errorf("%s: not a directive", key)
	}
	return nil
}

// addSecret reads "secret kv --set --env": flags whose values hold a credential, and how.
func (t *tool) addSecret(args []string) error {
	if len(args) < 2 || args[0] != "value" && args[0] != "kv" && args[0] != "user" && args[0] != "body" {
		return fmt.Errorf("secret wants value, kv, user or body, and flags")
	}
	// A tool that is like another one shares its map until it adds to it.
	all := maps.Clone(t.secret)
	if all == nil {
		all = map[string]string{}
	}
	for _, n := range args[1:] {
		all[n] = args[0]
	}
	t.secret = all
	return nil
}

// addStop reads "stop 1", or for some verbs only "stop exec|run: 2".
func (t *tool) addStop(args []string) error {
	if len(args) == 0 || len(args) > 2 || len(args[len(args)-1]) != 1 {
		return fmt.Errorf("stop wants one digit")
	}
	n := int(args[len(args)-1][0] - '0')
	if len(args) == 1 {
		t.stop = n
		return nil
	}
	if t.verbStop == nil {
		t.verbStop = map[string]int{}
	}
	for _, v := range strings.Split(strings.TrimSuffix(args[0], ":"), "|") {
		t.verbStop[v] = n
	}
	return nil
}

func addAll(m map[string]bool, names []string) {
	for _, n := range names {
		m[n] = true
	}
}

func addVerb(all map[string]bool, verbs map[string]map[string]bool, args []string) {
	if len(args) > 0 && strings.HasSuffix(args[0], ":") {
		for _, v := range strings.Split(strings.TrimSuffix(args[0], ":"), "|") {
			if verbs[v] == nil {
				verbs[v] = map[string]bool{}
			}
			addAll(verbs[v], args[1:])
		}
		return
	}
	addAll(all, args)
}

// addDry reads "dry --dry-run : verb verb"; without verbs it holds for all.
func (t *tool) addDry(args []string) error {
	verbs := false
	for _, a := range args {
		switch {
		case a == ":":
			verbs = true
			if t.dryVerbs == nil {
				t.dryVerbs = map[string]bool{}
			}
		case verbs:
			t.dryVerbs[a] = true
		default:
			c, err := parseCond(a)
			if err != nil {
				return err
			}
			t.dry = append(t.dry, c)
		}
	}
	return nil
}

func (t *tool) like(args []string, set *tableSet) error {
	if len(args) != 1 || set.sections[args[0]] == nil || set.sections[args[0]].nth >= set.sections[t.name].nth {
		return fmt.Errorf("like %s: no such tool above", strings.Join(args, " "))
	}
	o, err := set.read(args[0])
	if err != nil {
		return err
	}
	name := t.name
	*t = *o
	t.name, t.inherits = name, true
	t.values, t.bools, t.help, t.targets = maps.Clone(o.values), maps.Clone(o.bools), maps.Clone(o.help), maps.Clone(o.targets)
	t.verbValues, t.verbBools = cloneVerbs(o.verbValues), cloneVerbs(o.verbBools)
	t.dryVerbs = maps.Clone(o.dryVerbs)
	t.dry = append([]cond(nil), o.dry...)
	t.first, t.deep, t.groups = map[string][]*rule{}, map[string][]*rule{}, map[string]bool{}
	t.rules, t.wild, t.deepWild = nil, nil, nil
	for _, r := range o.rules {
		t.index(r)
	}
	return nil
}

func cloneVerbs(m map[string]map[string]bool) map[string]map[string]bool {
	out := make(map[string]map[string]bool, len(m))
	for k, v := range m {
		out[k] = maps.Clone(v)
	}
	return out
}

func (t *tool) addRule(before, after string) error {
	r := &rule{}
	for _, f := range strings.Fields(before) {
		switch {
		case f == "$":
			r.end = true
		case strings.HasPrefix(f, "-") && len(f) > 1 || strings.HasPrefix(f, "!-"):
			c, err := parseCond(f)
			if err != nil {
				return err
			}
			r.conds = append(r.conds, c)
		case strings.Contains(f, "|$") || strings.Contains(f, "$|"):
			return fmt.Errorf("%q: the $ of an end stands alone", f)
		case strings.Contains(f, "|-"):
			return fmt.Errorf("%q mixes words and flags", f)
		default:
			r.words = append(r.words, newPattern(f))
		}
	}
	fields := strings.Fields(after)
	if len(fields) == 0 {
		return fmt.Errorf("rule without a class")
	}
	c, err := ParseClass(fields[0])
	if err != nil {
		return err
	}
	r.class = c
	why := fields[1:]
	for len(why) > 0 && strings.HasPrefix(why[len(why)-1], "@") {
		a := why[len(why)-1]
		why = why[:len(why)-1]
		name, arg, _ := strings.Cut(a[1:], ":")
		do, ok := effects[name]
		if !ok {
			return fmt.Errorf("effect @%s: not known", name)
		}
		r.attrs = append([]attr{{do, arg, strings.HasPrefix(name, "hide")}}, r.attrs...)
	}
	r.why = strings.Join(why, " ")
	for _, old := range t.wild {
		if r.rank() == 0 && old.rank() == 0 && !t.inherits {
			return fmt.Errorf("a second line for everything")
		}
	}
	t.index(r)
	return nil
}

// rankOne is where the rules of rank one begin.
const rankOne = 1 << 20

// rank orders rules: a line for everything gives way to one for any word, that to one that
// names a word or a flag, and that to one that names more words. Within a rank the later
// line has the say.
func (r *rule) rank() int {
	if len(r.words) == 0 && len(r.conds) == 0 && !r.end {
		return 0
	}
	named := 0
	for _, p := range r.words {
		if !p.any {
			named++
		}
	}
	if named == 0 && len(r.words) > 0 && len(r.conds) == 0 {
		return 1
	}
	return 1 + max(named, 1)
}

func (t *tool) index(r *rule) {
	c := *r
	r = &c
	r.n = r.rank()*rankOne + len(t.rules)
	t.rules = append(t.rules, r)
	deep := len(r.words) > 1 && r.words[0].rest
	if len(r.words) == 0 {
		t.wild = insert(t.wild, r)
		return
	}
	key := r.words[0]
	if deep {
		key = r.words[1]
	}
	lists := t.first
	wild := &t.wild
	if deep {
		lists, wild = t.deep, &t.deepWild
	}
	if key.any || len(key.globs) > 0 {
		*wild = insert(*wild, r)
	}
	grouped := !deep && len(r.words) > 1 && !r.words[1].any
	for _, k := range key.words {
		lists[k] = insert(lists[k], r)
		t.groups[k] = t.groups[k] || grouped
	}
}

// insert keeps a list of rules in the order of their rank, each once.
func insert(list []*rule, r *rule) []*rule {
	i, found := slices.BinarySearchFunc(list, r, func(a, b *rule) int { return a.n - b.n })
	if found {
		return list
	}
	return slices.Insert(list, i, r)
}

func parseCond(s string) (cond, error) {
	var c cond
	s, c.not = strings.CutPrefix(s, "!")
	names, value, eq := strings.Cut(s, "=")
	c.names, c.value, c.hasEq = strings.Split(names, "|"), value, eq
	if strings.Contains(value, "|-") {
		return c, fmt.Errorf("flag %q: names stand before the =, values behind it", s)
	}
	for _, n := range c.names {
		if !strings.HasPrefix(n, "-") {
			return c, fmt.Errorf("flag %q: wants a dash", n)
		}
	}
	return c, nil
}
