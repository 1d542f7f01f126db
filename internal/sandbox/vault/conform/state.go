package conform

var stateGroups = []group{
	{"an active server is healthy without a token", []exchange{
		{as: "nobody", method: "GET", path: "sys/health", status: 200,
			want: `{"initialized":true,"sealed":false,"standby":false,"performance_standby":false,"server_time_utc":"<any>","version":"<any>","cluster_name":"<any>","cluster_id":"<any>","replication_dr_mode":"disabled"}`},
		{as: "nobody", method: "GET", path: "sys/health?activecode=299", status: 299, want: `{"sealed":false}`},
		{as: "nobody", method: "GET", path: "sys/health?activecode=x", status: 400, want: `{"errors":[]}`},
		{as: "nobody", method: "HEAD", path: "sys/health", status: 200, want: "none"},
		{as: "nobody", method: "POST", path: "sys/health", status: 405, want: `{"errors":[]}`},
	}},
	{"seal status, init and leader need no token", []exchange{
		{as: "nobody", method: "GET", path: "sys/seal-status", status: 200,
			want: `{"type":"shamir","initialized":true,"sealed":false,"t":"<any>","n":"<any>","progress":0,"nonce":"","version":"<any>","recovery_seal":false,"migration":false}`},
		{as: "nobody", method: "GET", path: "sys/init", status: 200, want: `{"initialized":true}`},
		{as: "nobody", method: "PUT", path: "sys/init", body: `{"secret_shares":1,"secret_threshold":1}`, status: 400, want: `{"errors":["Vault is already initialized"]}`},
		{as: "nobody", method: "GET", path: "sys/leader", status: 200, want: `{"ha_enabled":false,"is_self":false,"performance_standby":false}`},
		{as: "nobody", method: "PUT", path: "sys/unseal", body: `{}`, status: 400,
			want: `{"errors":["'key' must be specified in request body as JSON, or 'reset' set to true"]}`},
		{as: "nobody", method: "PUT", path: "sys/unseal", body: `{"reset":true}`, status: 400, want: `{"errors":["vault is unsealed"]}`},
	}},
	{"without a valid token everything else is denied", []exchange{
		{as: "nobody", method: "GET", path: "sys/mounts", status: 403, want: invalidBody},
		{as: "nobody", method: "GET", path: "auth/token/lookup-self", header: "X-Vault-Token: garbage", status: 403, want: invalidBody},
		{as: "nobody", method: "GET", path: "auth/token/lookup-self", header: "X-Vault-Token: hvs.CAESIJlU02LQZq2zmYZ5qTZ9mQYJpWzV7J3k4X1wZ4G3v0xkGh4KHGh2cy5ab3dDd0pQbGRrVkJ0a0tXbmpWcUJjSEs", status: 403, want: invalidBody},
		{as: "nobody", method: "GET", path: "secret/nowhere", status: 403, want: invalidBody},
		{as: "nobody", method: "POST", path: "secret/data/nowhere", body: `{"data":{"a":"b"}}`, status: 403, want: invalidBody},
	}},
	{"a bearer token is as good as the header", []exchange{
		{method: "POST", path: "auth/token/create", body: `{"policies":["default"]}`, status: 200, keep: "bearer", keepAt: "auth.client_token"},
		{as: "nobody", method: "GET", path: "auth/token/lookup-self", header: "Authorization: Bearer ${bearer}", status: 200, want: `{"data":{"policies":["default"]}}`},
	}},
	{"broken requests are told apart", []exchange{
		{method: "GET", path: "no-such-mount/x", status: 404, want: `{"errors":["no handler for route \"no-such-mount/x\". route entry not found."]}`},
		{method: "PUT", path: "sys/policies/acl/broken", body: `{"policy":`, status: 400, want: `{"errors":["error parsing JSON"]}`},
		{method: "GET", path: "sys/nothing-here", status: 404, want: `{"errors":["1 error occurred:\n\t* unsupported path\n\n"]}`},
		{method: "PATCH", path: "sys/mounts/x", header: "Content-Type: application/json", body: `{}`, status: 415,
			want: `{"errors":["PATCH requires Content-Type of application/merge-patch+json, provided application/json"]}`},
	}},
	{"a namespace header means nothing to an edition without namespaces", []exchange{
		{method: "GET", path: "auth/token/lookup-self", header: "X-Vault-Namespace: team-a", status: 200, want: `{"data":{"policies":["root"]}}`},
	}},
}

// sealGroups come last: a server that stays sealed fails everything after.
var sealGroups = []group{
	{"a sealed server says so and nothing else", []exchange{
		policyOf("no-seal", `{"policy":"path \"sys/seal\" { capabilities = [\"update\"] }"}`),
		tokenWith("plain", `"no-seal"`),
		{as: "plain", method: "PUT", path: "sys/seal", status: 403},
		{as: "nobody", method: "PUT", path: "sys/seal", status: 403},
		{method: "GET", path: "sys/seal", status: 405, want: `{"errors":[]}`},
		{method: "PUT", path: "sys/seal", status: 204, want: "none"},
		{as: "nobody", method: "GET", path: "sys/health", status: 503,
			want: `{"initialized":true,"sealed":true,"standby":true,"performance_standby":false,"replication_dr_mode":"unknown","replication_performance_mode":"unknown","cluster_name":"<absent>"}`},
		{as: "nobody", method: "GET", path: "sys/health?sealedcode=299", status: 299, want: `{"sealed":true}`},
		{as: "nobody", method: "GET", path: "sys/health?standbyok=true", status: 503},
		{as: "nobody", method: "GET", path: "sys/seal-status", status: 200, want: `{"type":"shamir","initialized":true,"sealed":true,"progress":0,"cluster_name":"<absent>"}`},
		{as: "nobody", method: "GET", path: "sys/leader", status: 200, want: `{"ha_enabled":false,"is_self":false}`},
		{method: "GET", path: "sys/mounts", status: 503, want: `{"errors":["Vault is sealed"]}`},
		{as: "nobody", method: "GET", path: "secret/data/x", status: 503, want: `{"errors":["Vault is sealed"]}`},
		{method: "PUT", path: "auth/token/create", body: `{`, status: 0},
		{as: "nobody", method: "PUT", path: "sys/unseal", body: `{"key":"?"}`, status: 400, want: `{"errors":["'key' must be a valid hex or base64 string"]}`},
		{as: "nobody", method: "PUT", path: "sys/unseal", body: `{"key":"c2hvcnQ="}`, status: 400},
		{as: "nobody", method: "PUT", path: "sys/unseal", body: `{"key":"${key}"}`, status: 200, want: `{"sealed":false,"progress":0,"cluster_name":"<any>"}`},
		{method: "GET", path: "sys/mounts", status: 200},
	}},
}
