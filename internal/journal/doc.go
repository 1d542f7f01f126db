// Package journal appends what was run, by whom, on what, with what result,
// and reads it back to resume.
//
// A record is a private folder with run.jsonl, one JSON object a line, and the
// full output of every block. Each line carries the hash of the line before it,
// is written with one write and synced before anything goes on.
package journal
