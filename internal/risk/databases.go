package risk

import "strings"

// cnpgSQL judges `kubectl cnpg psql CLUSTER -- -c …` as psql.
func cnpgSQL(c *call, _ string) {
	c.f.touch(Touch{Op: "exec", Kind: "cluster", Group: "postgresql.cnpg.io", Name: shown(c.pos[1].text), Namespace: c.namespaceOf()})
	if c.dash < 0 || c.dash >= len(c.pos) {
		c.opens("psql", "")
		return
	}
	c.done = true
	c.out = c.f.run(append([]word{lit("psql")}, c.pos[c.dash:]...), c.cmd, c.in)
}

// sqlArg judges `sqlite3 FILE 'statements'`.
func sqlArg(c *call, _ string) {
	if len(c.pos) < 2 {
		stdinSQL(c, "")
		return
	}
	text := joined(c.pos[1:])
	if strings.HasPrefix(text, ".") {
		switch {
		case strings.HasPrefix(text, ".restore"), strings.HasPrefix(text, ".read"), strings.HasPrefix(text, ".sh"), strings.HasPrefix(text, ".sys"), strings.Contains(text, "\n"):
			c.class, c.why = Unknown, "runs a script"
		case strings.HasPrefix(text, ".backup"), strings.HasPrefix(text, ".output"), strings.HasPrefix(text, ".import"):
			c.class, c.why = Write, "writes a file or rows"
		default:
			c.class, c.why = Read, "asks the database"
		}
		return
	}
	c.class, c.why = sqlClass(c.f, text)
}

func redisCommand(c *call, _ string) {
	if len(c.pos) > 0 {
		c.class, c.why = redisClass(c.f, texts(c.pos))
		c.redisScript()
		if verb := strings.ToLower(c.pos[0].text); c.class == Write && verb != "config" || verb == "auth" || c.class == Rotate {
			c.rest = c.pos
			hideWords(c, map[bool]string{true: "1", false: "2"}[verb == "auth"])
		}
		return
	}
	in := c.in.orEmpty()
	if c.in == nil || in.text == "" {
		stdinSQL(c, "")
		return
	}
	c.class, c.why = Read, "asks the server"
	for line := range strings.SplitSeq(in.text, "\n") {
		if words := strings.Fields(line); len(words) > 0 {
			if k, w := redisClass(c.f, words); k > c.class {
				c.class, c.why = k, w
			}
		}
	}
	if !in.known && !in.here {
		c.class = max(c.class, Unknown)
	}
}

// redisScript raises the verdict on a script by the commands that it calls by name.
func (c *call) redisScript() {
	if verb := strings.ToLower(c.pos[0].text); verb != "eval" || len(c.pos) < 2 {
		return
	}
	for _, part := range strings.Split(c.pos[1].text, "call(")[1:] {
		words := strings.FieldsFunc(part, func(r rune) bool { return strings.ContainsRune("'\", )", r) })
		if len(words) == 0 {
			continue
		}
		if k, w := redisClass(c.f, words[:1]); k > c.class {
			c.class, c.why = k, w
		}
	}
}

// redisClass judges one command of Redis by the table redis.command, where they are written
// in lower case.
func redisClass(f *frame, words []string) (Class, string) {
	args := make([]word, len(words))
	for i, w := range words {
		args[i] = lit(strings.ToLower(w))
	}
	c := &call{t: f.w.t.tool("redis.command"), pos: args, dash: -1}
	if r, _ := c.t.match(c); r != nil {
		return r.class, r.why
	}
	return Unknown, "what " + strings.ToUpper(shown(words[0])) + " does isn't known"
}

// mongoScript judges the JavaScript given to mongosh by the methods that it calls.
func mongoScript(c *call, _ string) {
	evals := c.all("--eval")
	if _, ok := c.val("-f", "--file"); ok || len(evals) == 0 && len(c.pos) > 0 && strings.HasSuffix(c.pos[len(c.pos)-1].text, ".js") {
		c.class, c.why = Unknown, "runs a script"
		return
	}
	text := joined(evals)
	if len(evals) == 0 {
		if c.in.orEmpty().text == "" {
			stdinSQL(c, "")
			return
		}
		text = c.in.text
	}
	for _, x := range []struct {
		class Class
		why   string
		calls string
	}{
		{Destroy, "drops or deletes", "drop( dropDatabase dropIndex dropUser dropRole deleteOne deleteMany remove( findOneAndDelete bulkDelete rs.remove removeShard dropAllUsers"},
		{Rotate, "changes a password", "changeUserPassword updateUser"},
		{Interrupt, "stops or moves the server", "shutdownServer stepDown killOp killSession fsyncLock rs.freeze rs.reconfig"},
		{Write, "writes", "insert update replaceOne createIndex createCollection createUser grantRoles rs.add rs.initiate setParameter findOneAndUpdate renameCollection fsyncUnlock setProfilingLevel compact bulkWrite setFeatureCompatibilityVersion enableSharding shardCollection"},
	} {
		for s := range strings.FieldsSeq(x.calls) {
			if strings.Contains(text, s) {
				c.class, c.why = x.class, x.why
				return
			}
		}
	}
	if strings.Contains(text, "load(") {
		c.class, c.why = Unknown, "runs a script"
		return
	}
	if strings.Contains(text, "Command(") && !strings.Contains(text, "listCommands") {
		c.class, c.why = mongoCommand(text)
		return
	}
	for _, s := range []string{"find", "count", "status", "stats", "show ", "getUsers", "printjson", "aggregate", "serverStatus", "hello", "isMaster", "version", "getCollection", "rs.conf", "currentOp", "listCommands", "distinct", "getLog", "print", "getIndexes", "getSiblingDB", "getMongo", "explain", "getParameter", "isBalancerRunning", "getBalancerState"} {
		if strings.Contains(text, s) {
			c.class, c.why = Read, "asks the database"
			return
		}
	}
	c.class, c.why = Unknown, "runs code in the database"
}

// mongoCommand judges runCommand and adminCommand by the name of the command, which is the
// first key of its document, or a string.
func mongoCommand(text string) (Class, string) {
	_, doc, _ := strings.Cut(text, "Command(")
	name := strings.TrimLeft(doc, " {\"'\n\t")
	if i := strings.IndexAny(name, "\"': ,)}\n"); i >= 0 {
		name = name[:i]
	}
	switch strings.ToLower(name) {
	case "ping", "hello", "ismaster", "serverstatus", "replsetgetstatus", "replsetgetconfig", "listdatabases", "listcollections", "listindexes", "listshards",
		"getparameter", "getcmdlineopts", "buildinfo", "hostinfo", "dbstats", "collstats", "connectionstatus", "currentop", "top", "getlog", "usersinfo",
		"rolesinfo", "explain", "count", "find", "aggregate", "distinct", "connpoolstats", "features", "validate", "dbhash", "datasize", "balancerstatus",
		"getshardmap", "whatsmyuri", "getdefaultrwconcern", "isdbgrid":
		return Read, "asks the database"
	case "dropdatabase", "drop", "dropindexes", "deleteindexes", "delete", "dropuser", "dropallusersfromdatabase", "droprole", "removeshard", "converttocapped", "cleanuporphaned":
		return Destroy, "drops or deletes"
	case "updateuser", "rotatecertificates":
		return Rotate, "changes a credential"
	case "shutdown", "replsetstepdown", "replsetfreeze", "replsetreconfig", "replsetmaintenance", "killop", "killsessions", "killallsessions", "killcursors", "fsync",
		"balancerstop", "moveprimary", "revokerolesfromuser", "replsetabortprimarycatchup":
		return Interrupt, "stops or moves the server"
	case "insert", "update", "create", "createindexes", "createuser", "createrole", "grantrolestouser", "setparameter", "setfeaturecompatibilityversion", "replsetinitiate",
		"balancerstart", "enablesharding", "shardcollection", "movechunk", "split", "compact", "collmod", "renamecollection", "profile", "logrotate", "setdefaultrwconcern", "reindex", "fsyncunlock", "addshard", "replsetresizeoplog", "findandmodify", "refreshsessions":
		return Write, "writes"
	}
	return Unknown, "runs code in the database"
}
