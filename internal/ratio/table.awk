# Passes the output of `go test -bench` on and ends it with one table of what
# was held against something, or against a limit.
{ print; fflush() }
/^(FAIL|--- FAIL|panic:)/ { failed = 1 }
/^Benchmark/ {
	delete m; unit = ""
	for (i = 3; i < NF; i += 2) {
		m[$(i + 1)] = $i
		if ($(i + 1) ~ /^ours-/) unit = substr($(i + 1), 6)
	}
	if (unit == "") next
	what = $1
	sub(/-[0-9]+$/, "", what); sub(/^[^\/]*\//, "", what); gsub(/_/, " ", what)
	other = ""
	if ((at = index(what, " against ")) > 0) { other = substr(what, at + 9); what = substr(what, 1, at - 1) }
	n++
	cell[n, 1] = what; cell[n, 2] = figure(m["ours-" unit]) " " unit
	cell[n, 3] = other; cell[n, 4] = ("against-" unit in m) ? figure(m["against-" unit]) " " unit : ""
	cell[n, 5] = ("ratio" in m) ? sprintf("%.2f×", m["ratio"]) : ""
	cell[n, 6] = ("goal" in m) ? "≤ " m["goal"] + 0 "×" : ("goal-" unit in m) ? "≤ " m["goal-" unit] + 0 " " unit : ""
	missed = ("goal" in m) && m["ratio"] > m["goal"] || ("goal-" unit in m) && m["ours-" unit] > m["goal-" unit]
	cell[n, 7] = missed ? "missed" : (cell[n, 6] == "" ? "" : "met")
}
function figure(x) { return x >= 100 ? sprintf("%.0f", x) : x >= 1 ? sprintf("%.1f", x) : sprintf("%.3f", x) }
# The sign for a product and the one for a limit take more bytes than columns.
function width(s) { gsub(/≤|×/, "x", s); return length(s) }
function row(i,  c, line) {
	line = ""
	for (c = 1; c <= 7; c++) line = line sprintf("%s%*s", cell[i, c], c < 7 ? wide[c] - width(cell[i, c]) + 2 : 0, "")
	sub(/ +$/, "", line)
	print line
}
END {
	if (n) {
		split("what|ours|against||ratio|goal|", head, "|")
		for (c = 1; c <= 7; c++) { cell[0, c] = head[c]; for (i = 0; i <= n; i++) if (width(cell[i, c]) > wide[c]) wide[c] = width(cell[i, c]) }
		print ""
		for (i = 0; i <= n; i++) row(i)
	}
	exit failed
}
