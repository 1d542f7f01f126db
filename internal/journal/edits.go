package journal

import "encoding/json"

// Edits returns the operator's texts that stand when the record ends, by step
// and block. One that was taken back isn't among them.
func (r *Record) Edits() map[string]map[int]EditData {
	out := map[string]map[int]EditData{}
	for _, l := range r.Lines {
		var e EditData
		if l.Kind != Edited || json.Unmarshal(l.Data, &e) != nil {
			continue
		}
		if out[l.Step] == nil {
			out[l.Step] = map[int]EditData{}
		}
		if out[l.Step][e.Block] = e; e.Code == e.Document && !e.Withheld {
			delete(out[l.Step], e.Block)
		}
	}
	return out
}
