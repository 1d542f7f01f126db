package conform

func policyOf(name, json string) exchange {
	return exchange{method: "PUT", path: "sys/policies/acl/" + name, body: json, status: 204, want: "none"}
}

func tokenWith(name, policies string) exchange {
	return exchange{method: "POST", path: "auth/token/create", body: `{"policies":[` + policies + `]}`, status: 200, keep: name, keepAt: "auth.client_token"}
}

// deniedBody is the answer when a policy says no, invalidBody that for a token
// that isn't one.
const invalidBody = `{"errors":["permission denied"]}`

const deniedBody = `{"errors":["1 error occurred:\n\t* permission denied\n\n"]}`

var mountGroups = []group{
	{"mounts come and go", []exchange{
		{method: "POST", path: "sys/mounts/m/one", body: `{"type":"kv-v2","description":"first"}`, status: 204},
		{method: "GET", path: "sys/mounts", status: 200, want: `{"m/one/":{"type":"kv","description":"first","options":{"version":"2"},"accessor":"<any>"},"data":{"m/one/":{"type":"kv"}}}`},
		{method: "GET", path: "sys/mounts/m/one", status: 200, want: `{"data":{"type":"kv","options":{"version":"2"}}}`},
		{method: "GET", path: "sys/mounts/m/two", status: 400, want: `{"errors":["No secret engine mount at m/two/"]}`},
		{method: "POST", path: "sys/mounts/m/one", body: `{"type":"kv"}`, status: 400, want: `{"errors":["path is already in use at m/one/"]}`},
		{method: "GET", path: "sys/mounts/m/one/tune", status: 200, want: `{"data":{"default_lease_ttl":2764800,"max_lease_ttl":2764800,"description":"first","options":{"version":"2"}}}`},
		{method: "POST", path: "sys/mounts/m/one/tune", body: `{"description":"changed"}`, status: 204},
		{method: "GET", path: "sys/mounts/m/one/tune", status: 200, want: `{"data":{"description":"changed"}}`},
		{method: "POST", path: "sys/mounts/m/none", body: `{}`, status: 400, want: `{"errors":["backend type must be specified as a string"]}`},
		{method: "DELETE", path: "sys/mounts/m/one", status: 204},
		{method: "GET", path: "m/one/data/x", status: 404, want: `{"errors":["no handler for route \"m/one/data/x\". route entry not found."]}`},
		{method: "DELETE", path: "sys/mounts/m/one", status: 204},
	}},
	{"the preflight tells the version, and no more than it has to", []exchange{
		{method: "POST", path: "sys/mounts/p/deep", body: `{"type":"kv","options":{"version":"2"}}`, status: 204},
		{method: "POST", path: "sys/mounts/p1", body: `{"type":"kv"}`, status: 204},
		{method: "GET", path: "sys/internal/ui/mounts/p/deep/some/entry", status: 200, want: `{"data":{"path":"p/deep/","type":"kv","options":{"version":"2"}}}`},
		{method: "GET", path: "sys/internal/ui/mounts/p1/x", status: 200, want: `{"data":{"path":"p1/","type":"kv","options":{}}}`},
		{method: "GET", path: "sys/internal/ui/mounts/none/x", status: 403,
			want: `{"errors":["preflight capability check returned 403, please ensure client's policies grant access to path \"none/x/\""]}`},
		policyOf("p-read", `{"policy":"path \"p/deep/data/app\" { capabilities = [\"read\"] }"}`),
		tokenWith("reader", `"p-read"`),
		{as: "reader", method: "GET", path: "sys/internal/ui/mounts/p/deep/other", status: 200, want: `{"data":{"path":"p/deep/"}}`},
		{as: "reader", method: "GET", path: "sys/internal/ui/mounts/p1/x", status: 403,
			want: `{"errors":["preflight capability check returned 403, please ensure client's policies grant access to path \"p1/x/\""]}`},
		{as: "nobody", method: "GET", path: "sys/internal/ui/mounts/p1/x", status: 403, want: invalidBody},
		{as: "reader", method: "GET", path: "sys/internal/ui/mounts", status: 200, want: `{"data":{"secret":{"p/deep/":"<any>","p1/":"<absent>"}}}`},
		{as: "reader", method: "GET", path: "p/deep/data/app", status: 404},
		{as: "reader", method: "GET", path: "p/deep/metadata/app", status: 403, want: deniedBody},
		{as: "reader", method: "GET", path: "p/deep/subkeys/app", status: 403, want: deniedBody},
	}},
}

var policyGroups = []group{
	{"policies are kept", []exchange{
		policyOf("Mixed-Case-Not", `{"policy":"path \"a\" { capabilities = [\"read\"] }"}`).warned("policy name was converted to mixed-case-not"),
		{method: "GET", path: "sys/policies/acl/mixed-case-not", status: 200, want: `{"data":{"name":"mixed-case-not","policy":"path \"a\" { capabilities = [\"read\"] }"}}`},
		{method: "GET", path: "sys/policy/mixed-case-not", status: 200, want: `{"name":"mixed-case-not","rules":"path \"a\" { capabilities = [\"read\"] }","data":{"rules":"<any>"}}`},
		{method: "GET", path: "sys/policies/acl/none", status: 404, want: `{"errors":[]}`},
		{method: "PUT", path: "sys/policies/acl/bad", body: `{"policy":"path \"a\" { capabilities = [\"fly\"] }"}`, status: 400,
			want: `{"errors":["failed to parse policy: path \"a\": invalid capability \"fly\""]}`},
		{method: "PUT", path: "sys/policies/acl/bad", body: `{"policy":"path \"a/+*\" { capabilities = [\"read\"] }"}`, status: 400,
			want: `{"errors":["failed to parse policy: path \"a/+*\": invalid use of wildcards ('+*' is forbidden)"]}`},
		{method: "PUT", path: "sys/policies/acl/bad", body: `{}`, status: 400, want: `{"errors":["'policy' parameter not supplied or empty"]}`},
		{method: "PUT", path: "sys/policies/acl/root", body: `{"policy":"path \"a\" { capabilities = [\"read\"] }"}`, status: 400, want: `{"errors":["cannot update \"root\" policy"]}`},
		{method: "DELETE", path: "sys/policies/acl/root", status: 400, want: `{"errors":["cannot delete \"root\" policy"]}`},
		{method: "DELETE", path: "sys/policies/acl/default", status: 400, want: `{"errors":["cannot delete default policy"]}`},
		{method: "DELETE", path: "sys/policies/acl/mixed-case-not", status: 204},
		{method: "LIST", path: "sys/policies/acl", status: 200, want: `{"data":{"keys":"<any>"}}`},
		{method: "GET", path: "sys/policy", status: 200, want: `{"policies":"<any>","keys":"<any>"}`},
	}},
	{"the most specific rule decides", []exchange{
		policyOf("a-specific", `{"policy":"{\"path\":{\"s/*\":{\"capabilities\":[\"read\",\"list\"]},\"s/data/closed\":{\"capabilities\":[\"deny\"]},\"s/data/+/mid\":{\"capabilities\":[\"update\"]},\"s/data/a*\":{\"capabilities\":[\"create\"]},\"s/+/x/+\":{\"capabilities\":[\"patch\"]},\"s/+/x/y*\":{\"capabilities\":[\"delete\"]},\"s/list\":{\"capabilities\":[\"list\"]}}}"}`),
		policyOf("a-more", `{"policy":"path \"s/*\" { capabilities = [\"delete\"] }\npath \"s/data/closed\" { capabilities = [\"read\"] }"}`),
		tokenWith("specific", `"a-specific","a-more"`),
		{as: "specific", method: "POST", path: "sys/capabilities-self",
			body:   `{"paths":["s/z","s/data/closed","s/data/q/mid","s/data/abc","s/data/a/mid","s/k/x/y","s/k/x/q","s/list/","s/list","other"]}`,
			status: 200,
			want: `{"s/z":["delete","list","read"],"s/data/closed":["deny"],"s/data/q/mid":["update"],"s/data/abc":["create"],"s/data/a/mid":["create"],` +
				`"s/k/x/y":["patch"],"s/k/x/q":["patch"],"s/list/":["list"],"s/list":["list"],"other":["deny"]}`},
		{as: "specific", method: "POST", path: "sys/capabilities-self", body: `{"paths":["s/z"]}`, status: 200, want: `{"capabilities":["delete","list","read"],"data":{"s/z":["delete","list","read"]}}`},
		{method: "POST", path: "sys/capabilities-self", body: `{"paths":["s/z"]}`, status: 200, want: `{"capabilities":["root"]}`},
		{method: "POST", path: "sys/capabilities", body: `{"token":"${specific}","path":"s/data/abc"}`, status: 200, want: `{"capabilities":["create"]}`},
		{method: "POST", path: "sys/capabilities", body: `{"token":"nonsense","path":"s/data/abc"}`, status: 400},
		{as: "specific", method: "POST", path: "sys/capabilities-self", body: `{}`, status: 400, want: `{"errors":["paths must be supplied"]}`},
	}},
	{"creating and updating are different rights", []exchange{
		newV2("r1"),
		policyOf("r-create", `{"policy":"path \"r1/data/*\" { capabilities = [\"create\"] }"}`),
		policyOf("r-update", `{"policy":"path \"r1/data/*\" { capabilities = [\"update\"] }"}`),
		tokenWith("creator", `"r-create"`),
		tokenWith("updater", `"r-update"`),
		{as: "updater", method: "POST", path: "r1/data/app", body: `{"data":{"a":"b"}}`, status: 403, want: deniedBody},
		{as: "creator", method: "POST", path: "r1/data/app", body: `{"data":{"a":"b"}}`, status: 200},
		{as: "creator", method: "POST", path: "r1/data/app", body: `{"data":{"a":"c"}}`, status: 403, want: deniedBody},
		{as: "updater", method: "POST", path: "r1/data/app", body: `{"data":{"a":"c"}}`, status: 200},
		{as: "updater", method: "PATCH", path: "r1/data/app", body: `{"data":{"a":"c"}}`, status: 403, want: deniedBody},
		{as: "updater", method: "DELETE", path: "r1/data/app", status: 403, want: deniedBody},
	}},
	{"parameters can be restricted", []exchange{
		{method: "POST", path: "sys/mounts/r2", body: `{"type":"kv"}`, status: 204},
		policyOf("r-param", `{"policy":"path \"r2/*\" { capabilities = [\"create\",\"update\"]\n required_parameters = [\"owner\"]\n allowed_parameters = { \"owner\" = [\"team-*\"]\n \"note\" = [] } }"}`),
		tokenWith("limited", `"r-param"`),
		{as: "limited", method: "POST", path: "r2/app", body: `{"note":"x"}`, status: 403, want: deniedBody},
		{as: "limited", method: "POST", path: "r2/app", body: `{"owner":"other"}`, status: 403, want: deniedBody},
		{as: "limited", method: "POST", path: "r2/app", body: `{"owner":"team-a","extra":"x"}`, status: 403, want: deniedBody},
		{as: "limited", method: "POST", path: "r2/app", body: `{"owner":"team-a","note":"x"}`, status: 204},
	}},
	{"some paths need sudo", []exchange{
		policyOf("su-no", `{"policy":"path \"sys/auth/*\" { capabilities = [\"update\",\"create\"] }"}`),
		policyOf("su-yes", `{"policy":"path \"sys/auth/*\" { capabilities = [\"update\",\"create\",\"sudo\"] }"}`),
		tokenWith("plain", `"su-no"`),
		tokenWith("sudoer", `"su-yes"`),
		{as: "plain", method: "POST", path: "sys/auth/role-a", body: `{"type":"approle"}`, status: 403, want: deniedBody},
		{as: "sudoer", method: "POST", path: "sys/auth/role-a", body: `{"type":"approle"}`, status: 204},
		{method: "GET", path: "sys/auth", status: 200, want: `{"role-a/":{"type":"approle"},"token/":{"type":"token"}}`},
		{method: "DELETE", path: "sys/auth/role-a", status: 204},
	}},
}

// warned turns an exchange that ends without a body into one that warns.
func (e exchange) warned(text string) exchange {
	e.status, e.want = 200, `{"warnings":["`+text+`"]}`
	return e
}

var tokenGroups = []group{
	{"a token knows itself", []exchange{
		{method: "GET", path: "auth/token/lookup-self", status: 200,
			want: `{"data":{"display_name":"root","policies":["root"],"path":"auth/token/root","num_uses":0,"orphan":true,"ttl":0,"creation_ttl":0,"expire_time":null,"type":"service","meta":null,"entity_id":"","explicit_max_ttl":0}}`},
		{method: "POST", path: "auth/token/create", body: `{"policies":["b","A"],"ttl":"1h","display_name":"x","meta":{"k":"v"}}`, status: 200, keep: "t", keepAt: "auth.client_token",
			want: `{"data":null,"auth":{"accessor":"<any>","policies":["a","b","default"],"token_policies":["a","b","default"],"metadata":{"k":"v"},"lease_duration":3600,"renewable":true,"entity_id":"","token_type":"service","orphan":false,"num_uses":0}}`},
		{as: "t", method: "GET", path: "auth/token/lookup-self", status: 200,
			want: `{"data":{"display_name":"token-x","policies":["a","b","default"],"path":"auth/token/create","orphan":false,"creation_ttl":3600,"expire_time":"<any>","issue_time":"<any>","renewable":true,"meta":{"k":"v"},"id":"${t}"}}`},
		{method: "POST", path: "auth/token/lookup", body: `{"token":"${t}"}`, status: 200, want: `{"data":{"display_name":"token-x"}}`},
		{method: "POST", path: "auth/token/lookup", body: `{"token":"nonsense"}`, status: 403, want: `{"errors":["bad token"]}`},
		{method: "POST", path: "auth/token/revoke", body: `{"token":"${t}"}`, status: 204},
		{as: "t", method: "GET", path: "auth/token/lookup-self", status: 403, want: invalidBody},
	}},
	{"a token without the default policy can't even look at itself", []exchange{
		policyOf("nothing", `{"policy":"path \"nothing\" { capabilities = [\"read\"] }"}`),
		{method: "POST", path: "auth/token/create", body: `{"policies":["nothing"],"no_default_policy":true}`, status: 200, keep: "bare", keepAt: "auth.client_token", want: `{"auth":{"policies":["nothing"]}}`},
		{as: "bare", method: "GET", path: "auth/token/lookup-self", status: 403, want: deniedBody},
		{as: "bare", method: "POST", path: "sys/capabilities-self", body: `{"paths":["x"]}`, status: 403, want: deniedBody},
	}},
	{"every call burns a use, also a denied one", []exchange{
		{method: "POST", path: "auth/token/create", body: `{"policies":["default"],"num_uses":4}`, status: 200, keep: "few", keepAt: "auth.client_token", want: `{"auth":{"num_uses":4}}`},
		{as: "few", method: "GET", path: "auth/token/lookup-self", status: 200, want: `{"data":{"num_uses":3}}`},
		{as: "few", method: "GET", path: "sys/mounts", status: 403, want: deniedBody},
		{as: "few", method: "GET", path: "sys/internal/ui/mounts", status: 200},
		{as: "few", method: "POST", path: "auth/token/create", body: `{}`, status: 403},
		{as: "few", method: "GET", path: "auth/token/lookup-self", status: 200, want: `{"data":{"num_uses":-1}}`},
		{as: "few", method: "GET", path: "auth/token/lookup-self", status: 403, want: invalidBody},
	}},
	{"children die with their parent, orphans don't", []exchange{
		policyOf("maker", `{"policy":"path \"auth/token/*\" { capabilities = [\"create\",\"update\",\"sudo\"] }"}`),
		tokenWith("parent", `"maker"`),
		{as: "parent", method: "POST", path: "auth/token/create", body: `{}`, status: 200, keep: "child", keepAt: "auth.client_token", want: `{"auth":{"policies":["default","maker"],"orphan":false}}`},
		{as: "child", method: "POST", path: "auth/token/create", body: `{}`, status: 200, keep: "grandchild", keepAt: "auth.client_token"},
		{as: "parent", method: "POST", path: "auth/token/create-orphan", body: `{}`, status: 200, keep: "orphan", keepAt: "auth.client_token", want: `{"auth":{"orphan":true}}`},
		{as: "parent", method: "POST", path: "auth/token/create", body: `{"policies":["root"]}`, status: 400,
			want: `{"errors":["root tokens may not be created without parent token being root"]}`},
		{method: "POST", path: "auth/token/revoke", body: `{"token":"${parent}"}`, status: 204},
		{as: "child", method: "GET", path: "auth/token/lookup-self", status: 403, want: invalidBody},
		{as: "grandchild", method: "GET", path: "auth/token/lookup-self", status: 403, want: invalidBody},
		{as: "orphan", method: "GET", path: "auth/token/lookup-self", status: 200, want: `{"data":{"orphan":true,"path":"auth/token/create-orphan"}}`},
	}},
	{"orphaning a parent spares the children", []exchange{
		policyOf("maker2", `{"policy":"path \"auth/token/create\" { capabilities = [\"update\"] }"}`),
		tokenWith("parent", `"maker2"`),
		{as: "parent", method: "POST", path: "auth/token/create", body: `{}`, status: 200, keep: "child", keepAt: "auth.client_token"},
		{as: "parent", method: "POST", path: "auth/token/create", body: `{"policies":["other"]}`, status: 400, want: `{"errors":["child policies must be subset of parent"]}`},
		{as: "parent", method: "POST", path: "auth/token/create", body: `{"period":"1h"}`, status: 400, want: `{"errors":["root or sudo privileges required to create periodic token"]}`},
		{method: "POST", path: "auth/token/revoke-orphan", body: `{"token":"${parent}"}`, status: 204},
		{as: "parent", method: "GET", path: "auth/token/lookup-self", status: 403},
		{as: "child", method: "GET", path: "auth/token/lookup-self", status: 200, want: `{"data":{"orphan":true}}`},
	}},
	{"a lease is renewed within its bounds", []exchange{
		{method: "POST", path: "auth/token/create", body: `{"policies":["default"],"ttl":"1h","explicit_max_ttl":"2h"}`, status: 200, keep: "t", keepAt: "auth.client_token"},
		{as: "t", method: "POST", path: "auth/token/renew-self", body: `{"increment":"90m"}`, status: 200, want: `{"auth":{"lease_duration":5400,"renewable":true}}`},
		{as: "t", method: "GET", path: "auth/token/lookup-self", status: 200, want: `{"data":{"explicit_max_ttl":7200,"last_renewal":"<any>","last_renewal_time":"<any>"}}`},
		{method: "POST", path: "auth/token/create", body: `{"policies":["default"],"period":"30m"}`, status: 200, keep: "p", keepAt: "auth.client_token", want: `{"auth":{"lease_duration":1800}}`},
		{as: "p", method: "POST", path: "auth/token/renew-self", body: `{"increment":"5h"}`, status: 200, want: `{"auth":{"lease_duration":1800}}`},
		{as: "p", method: "GET", path: "auth/token/lookup-self", status: 200, want: `{"data":{"period":1800}}`},
		{method: "POST", path: "auth/token/create", body: `{"policies":["default"],"ttl":"1h","renewable":false}`, status: 200, keep: "fixed", keepAt: "auth.client_token", want: `{"auth":{"renewable":false}}`},
		{as: "fixed", method: "POST", path: "auth/token/renew-self", body: `{}`, status: 400, want: `{"errors":["lease is not renewable"]}`},
		{method: "POST", path: "auth/token/create", body: `{"policies":["default"],"type":"batch","ttl":"1h"}`, status: 200, keep: "batch", keepAt: "auth.client_token", want: `{"auth":{"token_type":"batch","renewable":false,"accessor":""}}`},
		{as: "batch", method: "GET", path: "auth/token/lookup-self", status: 200, want: `{"data":{"type":"batch","renewable":false}}`},
		{as: "batch", method: "POST", path: "auth/token/renew-self", body: `{}`, status: 400, want: `{"errors":["batch tokens cannot be renewed"]}`},
	}},
	{"a token can be found and ended by its accessor", []exchange{
		{method: "POST", path: "auth/token/create", body: `{"policies":["default"]}`, status: 200, keep: "acc", keepAt: "auth.accessor"},
		{method: "POST", path: "auth/token/lookup-accessor", body: `{"accessor":"${acc}"}`, status: 200, want: `{"data":{"accessor":"${acc}","id":""}}`},
		{method: "POST", path: "auth/token/revoke-accessor", body: `{"accessor":"${acc}"}`, status: 204},
		{method: "POST", path: "auth/token/revoke-accessor", body: `{"accessor":"${acc}"}`, status: 200, want: `{"warnings":["No token found with this accessor"]}`},
	}},
	{"an app logs in with its role", []exchange{
		{method: "POST", path: "sys/auth/apps", body: `{"type":"approle"}`, status: 204},
		{method: "POST", path: "auth/apps/role/web", body: `{"token_policies":["web"],"token_ttl":"20m","token_max_ttl":"1h"}`, status: 204},
		{method: "GET", path: "auth/apps/role/web/role-id", status: 200, keep: "role", keepAt: "data.role_id"},
		{method: "POST", path: "auth/apps/role/web/secret-id", body: `{}`, status: 200, keep: "secret", keepAt: "data.secret_id"},
		{as: "nobody", method: "POST", path: "auth/apps/login", body: `{"role_id":"${role}","secret_id":"${secret}"}`, status: 200, keep: "t", keepAt: "auth.client_token",
			want: `{"auth":{"policies":["default","web"],"token_policies":["default","web"],"metadata":{"role_name":"web"},"lease_duration":1200,"renewable":true,"token_type":"service","orphan":true}}`},
		{as: "t", method: "GET", path: "auth/token/lookup-self", status: 200, want: `{"data":{"display_name":"apps","path":"auth/apps/login","policies":["default","web"]}}`},
		{as: "nobody", method: "POST", path: "auth/apps/login", body: `{"role_id":"${role}","secret_id":"wrong"}`, want: `{"errors":["invalid secret id"]}`},
		{as: "nobody", method: "POST", path: "auth/apps/login", body: `{"role_id":"wrong","secret_id":"wrong"}`, status: 400, want: `{"errors":["invalid role ID"]}`},
		{as: "nobody", method: "POST", path: "auth/apps/login", body: `{"role_id":"${role}"}`, status: 400, want: `{"errors":["missing secret_id"]}`},
		{method: "DELETE", path: "sys/auth/apps", status: 204},
		{as: "t", method: "GET", path: "auth/token/lookup-self", status: 403},
	}},
}
