package risk

import "strings"

// sqlFlags judges the values of flags as SQL: "sql:-c,--command". "sql:-c,|-f,--file" also
// names the flags of scripts.
func sqlFlags(c *call, arg string) {
	cmds, files, _ := strings.Cut(arg, "|")
	class, why, seen := Read, "", false
	judge := func(text string, known bool) {
		seen = true
		c.f.hideSQL(text)
		k, w := sqlClass(c.f, text)
		if !known && (strings.HasPrefix(text, "$") || k == Read && strings.TrimSpace(text) == "") {
			k, w = max(k, Unknown), "which statement it is can't be told"
		}
		if why == "" || k > class {
			class, why = max(k, class), w
		}
	}
	for _, w := range c.all(strings.Split(cmds, ",")...) {
		judge(w.text, w.known)
	}
	if files != "" {
		for _, w := range c.all(strings.Split(files, ",")...) {
			st := c.f.file(w)
			if w.text == "-" {
				st = c.in.orEmpty()
			}
			if w.in != nil {
				st = *w.in
			}
			if !st.known {
				seen, class, why = true, max(class, Unknown), "runs the statements in "+shown(w.text)
				continue
			}
			judge(st.text, true)
		}
	}
	if seen {
		c.class, c.why = class, why
		return
	}
	if c.given("-l", "--list", "-V", "--version") {
		c.class, c.why = Read, "lists databases"
		return
	}
	stdinSQL(c, "")
}

// stdinSQL judges a database shell that reads standard input.
func stdinSQL(c *call, _ string) {
	in := c.in.orEmpty()
	switch {
	case c.in == nil:
		c.class, c.why = Unknown, "opens "+c.t.name
		c.opens(c.t.name, "")
	case in.text == "":
		c.class, c.why = Unknown, "runs the statements it is sent"
	default:
		c.class, c.why = sqlClass(c.f, in.text)
		if !in.known && !in.here {
			c.class = max(c.class, Unknown)
		}
	}
}

// sqlClass judges SQL statements, and the backslash commands of psql.
func sqlClass(f *frame, text string) (Class, string) {
	class, why := Read, "reads from the database"
	for _, st := range sqlStatements(text) {
		k, w := sqlStatement(f, st)
		if k > class {
			class, why = k, w
		}
	}
	return class, why
}

// sqlStatements cuts text at semicolons, without comments, and with the content of strings
// taken out so that no word in them counts.
func sqlStatements(text string) []string {
	var out []string
	var b strings.Builder
	end := func() {
		if s := strings.TrimSpace(b.String()); s != "" {
			out = append(out, s)
		}
		b.Reset()
	}
	for i := 0; i < len(text); i++ {
		switch rest := text[i:]; {
		case strings.HasPrefix(rest, "--"):
			i += upto(rest, "\n") - 1
		case strings.HasPrefix(rest, "/*") && !strings.HasPrefix(rest, "/*!"):
			i += upto(rest, "*/") + 1
		case rest[0] == '\'':
			b.WriteString("''")
			i += quotedLen(rest) - 1
		case rest[0] == '"':
			n := quotedLen(rest)
			b.WriteString(rest[:min(n, len(rest))])
			i += n - 1
		case rest[0] == '\\' && strings.TrimSpace(b.String()) == "":
			n := upto(rest, "\n")
			out = append(out, strings.TrimSpace(rest[:n]))
			i += n
		case rest[0] == ';':
			end()
		default:
			b.WriteByte(rest[0])
		}
	}
	end()
	return out
}

func upto(s, sep string) int {
	if i := strings.Index(s, sep); i >= 0 {
		return i
	}
	return len(s)
}

func quotedLen(s string) int {
	for i := 1; i < len(s); i++ {
		if s[i] == s[0] {
			return i + 1
		}
	}
	return len(s)
}

// sqlVerbs is the class of a statement by its first words; the longest that fits counts.
var sqlVerbs = map[string]struct {
	class Class
	why   string
}{
	"SELECT": {Read, ""}, "SHOW": {Read, ""}, "EXPLAIN": {Read, ""}, "DESCRIBE": {Read, ""}, "DESC": {Read, ""}, "VALUES": {Read, ""},
	"TABLE": {Read, ""}, "FETCH": {Read, ""}, "USE": {Read, ""}, "BEGIN": {Read, ""}, "START": {Read, ""}, "COMMIT": {Read, ""},
	"ROLLBACK": {Read, ""}, "END": {Read, ""}, "SET": {Read, ""}, "DECLARE": {Read, ""}, "HELP": {Read, ""}, "STATUS": {Read, ""},
	"GO": {Read, ""}, "EXIT": {Read, ""}, "QUIT": {Read, ""}, "SAVEPOINT": {Read, ""}, "CHECK": {Read, ""}, "LISTEN": {Read, ""},
	"EXISTS": {Read, ""}, "PRAGMA": {Write, "sets a pragma"}, "ABORT": {Read, ""}, "PREPARE": {Read, ""}, "DISCARD": {Read, ""},
	"INSERT": {Write, "inserts rows"}, "CREATE": {Write, "creates an object"}, "GRANT": {Write, "grants a right"}, "COMMENT": {Write, "comments an object"},
	"UPDATE": {Write, "changes rows"}, "UPSERT": {Write, "inserts rows"}, "VACUUM": {Write, "reclaims space"}, "ANALYZE": {Write, "gathers statistics"}, "REINDEX": {Write, "rebuilds an index"},
	"CLUSTER": {Write, "reorders a table"}, "COPY": {Write, "copies rows"}, "ALTER": {Write, "alters an object"}, "REFRESH": {Write, "refreshes a view"},
	"LOCK": {Write, "locks a table"}, "NOTIFY": {Write, "notifies"}, "CHECKPOINT": {Write, "writes a checkpoint"}, "RENAME": {Write, "renames an object"},
	"OPTIMIZE": {Write, "rebuilds a table"}, "REPAIR": {Write, "repairs a table"}, "FLUSH": {Write, "flushes caches"}, "LOAD": {Write, "loads rows"},
	"MERGE": {Write, "merges rows"}, "REPLACE": {Write, "replaces rows"}, "BACKUP": {Write, "makes a backup"}, "ATTACH": {Write, "attaches a database"},
	"SYSTEM": {Unknown, "commands the server"}, "CALL": {Unknown, "calls a procedure"}, "DO": {Unknown, "runs a block of code"},
	"EXECUTE": {Unknown, "runs a prepared statement"}, "EXEC": {Unknown, "calls a procedure"}, "SOURCE": {Unknown, "runs a script"},
	"DROP": {Destroy, "drops an object"}, "TRUNCATE": {Destroy, "empties a table"}, "DELETE": {Destroy, "deletes rows"},
	"DETACH": {Interrupt, "detaches an object"}, "RESTORE": {Destroy, "overwrites with a backup"}, "PURGE": {Destroy, "purges logs"},
	"REVOKE": {Interrupt, "takes a right away"}, "KILL": {Interrupt, "ends a session"}, "SHUTDOWN": {Interrupt, "stops the server"},
	"RESET": {Write, "resets a setting"}, "STOP": {Interrupt, "stops replication"}, "REASSIGN": {Write, "changes owners"},
	"CHANGE": {Write, "changes replication"}, "UNLOCK": {Read, ""}, "WITH": {Read, ""}, "SECURITY": {Write, "labels an object"},
	"IMPORT": {Write, "imports"}, "INSTALL": {Write, "installs"}, "UNINSTALL": {Destroy, "uninstalls"},
}

func sqlStatement(f *frame, st string) (Class, string) {
	if st[0] == '\\' {
		return psqlCommand(f, st)
	}
	up := strings.ToUpper(st)
	words := strings.FieldsFunc(up, func(r rune) bool { return strings.ContainsRune(" \t\n(),=", r) })
	if len(words) == 0 {
		return Read, ""
	}
	has := func(ws ...string) bool { return containsRun(words, ws) }
	v, ok := sqlVerbs[words[0]]
	class, why := v.class, v.why
	switch {
	case !ok && strings.HasPrefix(words[0], "$"):
		return Unknown, "which statement " + shown(st) + " is can't be told"
	case !ok:
		return Unknown, "what the statement " + words[0] + " does isn't known"
	case words[0] == "ALTER" && has("PASSWORD"), words[0] == "ALTER" && has("IDENTIFIED"), words[0] == "SET" && has("PASSWORD"):
		class, why = Rotate, "changes a password"
	case words[0] == "ALTER" && (has("DROP") || has("TRUNCATE", "PARTITION")):
		class, why = Destroy, "drops a part of an object"
	case words[0] == "UPDATE" && !has("WHERE"):
		class, why = Destroy, "changes every row"
	case words[0] == "ALTER" && (has("DELETE", "WHERE") || has("CLEAR", "COLUMN")):
		class, why = Destroy, "deletes rows"
	case words[0] == "ALTER" && (has("DETACH") || has("NOLOGIN") || has("ACCOUNT", "LOCK")):
		class, why = Interrupt, "takes a part of an object, or a login, away"
	case words[0] == "SYSTEM":
		class, why = sqlSystem(words)
	case words[0] == "CREATE" && has("OR", "REPLACE", "TABLE"), words[0] == "INSERT" && has("OVERWRITE"):
		class, why = Destroy, "overwrites a table"
	case words[0] == "COPY" && has("PROGRAM"):
		class, why = Unknown, "runs a program on the server"
	case words[0] == "RESET" && (has("MASTER") || has("REPLICA") || has("SLAVE") || has("BINARY")):
		class, why = Destroy, "resets replication"
	case words[0] == "SET" && has("GLOBAL"):
		class, why = Write, "sets a global variable"
	case words[0] == "COPY" && has("TO", "STDOUT"), words[0] == "ANALYZE" && len(words) > 1 && words[1] == "SELECT":
		class, why = Read, ""
	}
	if words[0] == "WITH" || words[0] == "EXPLAIN" && has("ANALYZE") || words[0] == "COPY" {
		class, why = sqlInner(words, class, why)
	}
	k, w := sqlFunctions(up)
	if k > class {
		class, why = k, w
	}
	if words[0] == "SELECT" && (has("INTO", "OUTFILE") || has("INTO") && has("FROM")) {
		class, why = max(class, Write), "writes the rows that it selects"
	}
	return class, why
}

// sqlSystem judges the SYSTEM statements of ClickHouse by their verbs.
func sqlSystem(words []string) (Class, string) {
	if len(words) < 2 {
		return Unknown, "commands the server"
	}
	switch words[1] {
	case "STOP", "SHUTDOWN", "KILL", "RESTART", "SUSPEND":
		return Interrupt, "stops or restarts a part of the server"
	case "DROP":
		if containsRun(words, []string{"REPLICA"}) {
			return Destroy, "drops a replica"
		}
		return Write, "empties a cache"
	case "START", "FLUSH", "RELOAD", "SYNC", "ENABLE", "DISABLE", "WAIT", "RESTORE", "UNFREEZE", "REFRESH", "RESUME":
		return Write, "commands the server"
	}
	return Unknown, "commands the server"
}

// sqlInner judges what a WITH, EXPLAIN ANALYZE or COPY carries out inside.
func sqlInner(words []string, class Class, why string) (Class, string) {
	for _, w := range words {
		switch w {
		case "DELETE", "TRUNCATE", "DROP":
			return Destroy, "deletes rows"
		case "UPDATE", "INSERT":
			class, why = max(class, Write), "changes rows"
		}
	}
	return class, why
}

func containsRun(words, run []string) bool {
	for i := 0; i+len(run) <= len(words); i++ {
		ok := true
		for j, w := range run {
			ok = ok && words[i+j] == w
		}
		if ok {
			return true
		}
	}
	return false
}

// sqlFunctions finds functions that act although a SELECT calls them.
func sqlFunctions(up string) (Class, string) {
	for _, x := range []struct {
		name  string
		class Class
		why   string
	}{
		{"PG_DROP_REPLICATION_SLOT", Destroy, "drops a replication slot"}, {"LO_UNLINK", Destroy, "deletes a large object"},
		{"DROP_CHUNKS", Destroy, "drops chunks"}, {"PG_TERMINATE_BACKEND", Interrupt, "ends sessions"}, {"PG_CANCEL_BACKEND", Interrupt, "cancels queries"},
		{"PG_PROMOTE", Interrupt, "promotes a standby"}, {"PG_WAL_REPLAY_PAUSE", Interrupt, "pauses replay"},
		{"PG_SWITCH_WAL", Write, "switches the log"}, {"PG_RELOAD_CONF", Write, "reloads the configuration"}, {"SETVAL(", Write, "sets a sequence"},
		{"PG_STAT_RESET", Write, "resets statistics"}, {"PG_STAT_STATEMENTS_RESET", Write, "resets statistics"}, {"NEXTVAL(", Write, "advances a sequence"},
		{"PG_CREATE_", Write, "creates a slot or point"}, {"PG_START_BACKUP", Write, "starts a backup"}, {"PG_STOP_BACKUP", Write, "ends a backup"}, {"PG_BACKUP_START", Write, "starts a backup"}, {"PG_BACKUP_STOP", Write, "ends a backup"}, {"DBLINK_EXEC", Unknown, "runs statements elsewhere"},
	} {
		if strings.Contains(up, x.name) {
			return x.class, x.why
		}
	}
	return Read, ""
}

// psqlCommand judges a backslash command.
func psqlCommand(f *frame, st string) (Class, string) {
	name, rest, _ := strings.Cut(st[1:], " ")
	switch {
	case name == "!" || strings.HasPrefix(name, "!"):
		f.fork().script(strings.TrimPrefix(st, `\!`), nil)
		return Read, "runs a shell command"
	case name == "i" || name == "ir" || name == "include" || name == "gexec" || name == "source" || name == ".":
		return Unknown, "runs the statements of " + shown(rest)
	case name == "password":
		return Rotate, "changes a password"
	case name == "copy" && strings.Contains(strings.ToLower(rest), " from "):
		return Write, "copies rows into a table"
	case name == "copy" || name == "o" || name == "w" || name == "g" && rest != "":
		return Write, "writes a file"
	}
	return Read, "asks the database"
}
