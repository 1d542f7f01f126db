package risk

import "strings"

// afterDash judges what follows "--", or failing that the remaining words.
func afterDash(c *call, _ string) {
	words := c.rest
	if c.dash >= 0 && c.dash <= len(c.pos) {
		words = c.pos[c.dash:]
	}
	c.runRest(words)
}

// moveOver looks where mv moves things: onto nothing, they are gone.
func moveOver(c *call, _ string) {
	if n := len(c.rest); n > 0 && c.rest[n-1].text == "/dev/null" {
		c.class, c.why = Destroy, "moves a file into nothing"
	}
	for _, w := range c.rest {
		c.f.touch(Touch{Op: "update", Path: shown(w.text)})
	}
}

func teeDevices(c *call, _ string) {
	for _, w := range c.rest {
		switch {
		case w.text == "/dev/null" || harmlessDevice(w.text):
		case strings.HasPrefix(w.text, "/dev/") && !strings.HasPrefix(w.text, "/dev/shm/"):
			c.class, c.why = Destroy, "writes onto the device "+shown(w.text)
		case credentialFile(w.text):
			c.class, c.why = Rotate, "overwrites the credentials in "+shown(w.text)
		}
	}
}

// kubeRun judges `kubectl run`: the pod it makes, and what that is told to run.
func kubeRun(c *call, _ string) {
	if len(c.rest) == 0 {
		return
	}
	t := c.object("pod", c.rest[0].text, c.namespaceOf())
	t.Op = "create"
	c.f.touch(t)
	argv := c.rest[1:]
	tty := c.given("-t", "--tty")
	if len(argv) == 0 {
		if tty {
			c.class, c.why = Unknown, "opens a session in a new pod"
			c.opens("exec", t.String())
		}
		return
	}
	g := c.f.elsewhere(t.String())
	before := len(c.f.w.res.Opens)
	g.run(argv, c.cmd, c.in)
	if !tty {
		c.f.w.res.Opens = c.f.w.res.Opens[:min(before, len(c.f.w.res.Opens))]
	}
}

// kubeLabels touches the objects of label and annotate: the words that set nothing. On a
// Secret a changed label is no changed value.
func kubeLabels(c *call, _ string) {
	var words []word
	for _, w := range c.rest {
		if !strings.Contains(w.text, "=") && !strings.HasSuffix(w.text, "-") {
			words = append(words, w)
		}
	}
	c.touchAll(c.objects(words))
	for _, w := range c.rest {
		if strings.HasPrefix(w.text, "force-sync=") {
			c.why = "makes the operator fetch at once: a value that was changed at its source arrives"
		}
	}
}

func kubeNodes(c *call, _ string) {
	words := c.rest
	if len(words) > 0 && (words[0].text == "node" || words[0].text == "nodes" || words[0].text == "no") {
		words = words[1:]
	}
	for i, w := range words {
		if i > 0 && strings.ContainsAny(w.text, "=:") {
			break
		}
		name := strings.TrimPrefix(strings.TrimPrefix(w.text, "node/"), "nodes/")
		c.f.touch(c.object("node", name, ""))
	}
	if _, ok := c.val("-l", "--selector"); ok && len(words) == 0 {
		c.f.touch(c.object("node", "", ""))
	}
}

func waitRollout(c *call, _ string) {
	c.op = "wait"
	for _, t := range c.objects(c.rest) {
		t.Condition = "rollout"
		c.f.touch(t)
	}
}

func waitApp(c *call, _ string) {
	for _, w := range c.rest {
		c.f.touch(Touch{Op: "wait", Kind: "application", Group: "argoproj.io", Name: shown(w.text), Condition: "healthy"})
	}
}

// cnpgSQL judges `kubectl cnpg psql CLUSTER -- -c …` as psql.
func cnpgSQL(c *call, _ string) {
	if c.dash < 0 || c.dash >= len(c.pos) {
		c.opens("psql", "")
		return
	}
	c.done = true
	c.out = c.f.run(append([]word{lit("psql")}, c.pos[c.dash:]...), c.cmd, c.in)
}

// sshRest judges `knife ssh QUERY COMMAND`: the command runs on every host that is found.
func sshRest(c *call, _ string) {
	words := c.rest
	if len(words) == 0 && len(c.pos) > 2 {
		words = c.pos[2:]
	}
	if len(words) == 0 {
		return
	}
	c.done = true
	switch words[0].text {
	case "interactive", "tmux", "screen", "macterm", "cssh":
		c.f.add(Unknown, c.cmd, "opens a session on other hosts")
		c.opens("ssh", "")
		return
	}
	g := c.f.elsewhere(shown(c.pos[1].text))
	if len(words) == 1 && !words[0].known && !strings.Contains(words[0].text, " ") {
		c.f.add(Unknown, c.cmd, "what "+shown(words[0].text)+" runs can't be told")
		return
	}
	g.script(joined(words), nil)
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

// redisVerbs is the class of Redis commands that don't only read.
var redisVerbs = map[string]Class{}

func init() {
	for class, names := range map[Class]string{
		Read: "get mget exists keys scan sscan hscan zscan ttl pttl type info ping echo dbsize llen lrange lindex lpos hget hgetall hkeys hvals hlen hmget hexists " +
			"hstrlen scard smembers sismember smismember srandmember sinter sunion sdiff zcard zrange zrangebyscore zrevrange zscore zrank zrevrank zcount zlexcount zmscore " +
			"strlen getrange getbit bitcount bitpos object memory slowlog time lastsave role randomkey monitor subscribe psubscribe xrange xrevrange xlen xread xinfo xpending dump " +
			"command client config cluster sentinel latency acl debug pfcount geopos geodist geosearch auth select hello quit readonly pubsub wait module touch sort_ro zrevrangebyscore zrandmember hrandmember help json.get ft.search ft.info ts.get ts.range",
		Write: "set mset setex psetex setnx msetnx append incr incrby incrbyfloat decr decrby getset setrange setbit hset hmset hsetnx hincrby hincrbyfloat lpush rpush " +
			"lpushx rpushx linsert lset sadd zadd zincrby expire pexpire expireat pexpireat persist copy restore xadd xgroup xack publish pfadd geoadd bgsave bgrewriteaof save script " +
			"multi exec discard watch unwatch sort bitop zunionstore zinterstore sinterstore sunionstore sdiffstore rename renamenx move json.set ts.add",
		Interrupt: "shutdown replicaof slaveof failover migrate",
		Destroy:   "del unlink flushall flushdb getdel hdel lrem ltrim lpop rpop spop srem zrem zremrangebyscore zremrangebyrank zremrangebylex xdel xtrim zpopmin zpopmax blpop brpop lmpop zmpop json.del swapdb",
		Unknown:   "eval evalsha fcall function",
	} {
		for n := range strings.FieldsSeq(names) {
			redisVerbs[n] = class
		}
	}
}

// redisSub is the class of subcommands that differ from their command's.
var redisSub = map[string]Class{
	"config set": Write, "config rewrite": Write, "config resetstat": Write, "client kill": Interrupt, "client pause": Interrupt, "client unpause": Write,
	"client setname": Write, "client no-evict": Write, "cluster failover": Interrupt, "cluster reset": Destroy, "cluster forget": Destroy, "cluster flushslots": Destroy,
	"cluster delslots": Destroy, "cluster addslots": Write, "cluster meet": Write, "cluster replicate": Write, "cluster setslot": Write, "cluster saveconfig": Write,
	"sentinel failover": Interrupt, "sentinel remove": Destroy, "sentinel reset": Interrupt, "sentinel set": Write, "sentinel monitor": Write, "sentinel flushconfig": Write,
	"acl setuser": Rotate, "acl deluser": Destroy, "acl save": Write, "acl load": Write, "debug segfault": Interrupt, "debug sleep": Interrupt, "debug reload": Interrupt, "debug flushall": Destroy,
	"slowlog reset": Write, "latency reset": Write, "memory purge": Write, "module load": Unknown, "module unload": Interrupt, "script flush": Destroy, "script kill": Interrupt,
	"xgroup destroy": Destroy, "xgroup delconsumer": Destroy, "function flush": Destroy, "function delete": Destroy, "function list": Read, "script exists": Read, "config get": Read,
}

func redisCommand(c *call, _ string) {
	if len(c.pos) > 0 {
		c.class, c.why = redisClass(texts(c.pos))
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
			if k, w := redisClass(words); k > c.class {
				c.class, c.why = k, w
			}
		}
	}
	if !in.known && !in.here {
		c.class = max(c.class, Unknown)
	}
}

func redisClass(words []string) (Class, string) {
	verb := strings.ToLower(words[0])
	class, ok := redisVerbs[verb]
	if len(words) > 1 {
		if k, found := redisSub[verb+" "+strings.ToLower(words[1])]; found {
			class, ok = k, true
		}
	}
	if verb == "config" && len(words) > 2 && strings.EqualFold(words[1], "set") && (strings.EqualFold(words[2], "requirepass") || strings.EqualFold(words[2], "masterauth")) {
		class = Rotate
	}
	switch {
	case !ok:
		return Unknown, "what " + strings.ToUpper(shown(verb)) + " does isn't known"
	case class == Read:
		return Read, "asks the server"
	}
	return class, "sends " + strings.ToUpper(verb)
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
	for _, s := range []string{"find", "count", "status", "stats", "show ", "getUsers", "printjson", "aggregate", "serverStatus", "adminCommand", "hello", "isMaster", "runCommand", "version", "getCollection", "rs.conf", "currentOp", "listCommands", "distinct", "getLog"} {
		if strings.Contains(text, s) && !strings.Contains(text, "load(") {
			c.class, c.why = Read, "asks the database"
			return
		}
	}
	c.class, c.why = Unknown, "runs code in the database"
}

// npmRun judges a script of package.json by its body.
func npmRun(c *call, _ string) {
	if c.rest == nil || c.pos[0].text != "run" && c.pos[0].text != "run-script" {
		c.rest = c.pos[:1]
	}
	if len(c.rest) == 0 {
		c.class, c.why = Read, "lists scripts"
		return
	}
	c.rest = c.rest[:1]
	taskBody(c, "npm")
}

// forgeAPI judges `gh api PATH -X METHOD`.
func forgeAPI(c *call, _ string) {
	method := "GET"
	if w, ok := c.val("-X", "--method"); ok {
		method = strings.ToUpper(w.text)
	} else if c.given("-f", "--raw-field", "-F", "--field", "--input") {
		method = "POST"
	}
	path := ""
	if len(c.rest) > 0 {
		path = c.rest[0].text
	}
	body := joined(c.all("-f", "--raw-field", "-F", "--field"))
	if path == "graphql" {
		if !strings.Contains(body, "mutation") {
			c.class, c.why = Read, "asks the API"
			return
		}
		path = "/graphql"
	}
	c.class, c.why = httpClass(method, "https://api/"+strings.TrimPrefix(path, "/"), body)
}

// compose judges `docker compose …` as docker-compose.
func compose(c *call, _ string) {
	c.done = true
	for i := range c.args {
		if c.args[i].text == "compose" {
			c.out = c.f.run(append([]word{lit("docker-compose")}, c.args[i+1:]...), c.cmd, c.in)
			return
		}
	}
}
