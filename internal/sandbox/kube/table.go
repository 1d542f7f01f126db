package kube

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/duration"

	"runbook/internal/sandbox/kube/printer"
)

// table shows objects as rows, each with the object or its metadata, as includeObject asks.
func (s *Server) table(q *request, objs []map[string]any, revision string, header bool) *metav1.Table {
	t := &metav1.Table{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "Table"}, Rows: []metav1.TableRow{}}
	t.ResourceVersion = revision
	columns, cells := s.printer(q.res)
	if header {
		t.ColumnDefinitions = columns
	}
	for _, obj := range objs {
		row := metav1.TableRow{Cells: cells(obj)}
		var body any
		switch q.query.Get("includeObject") {
		case "None":
		case "Object":
			body = q.res.shown(obj)
		default:
			body = partial(obj)
		}
		if body != nil {
			// What came from JSON can be JSON again.
			row.Object.Raw, _ = json.Marshal(body)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (s *Server) printer(r *resource) ([]metav1.TableColumnDefinition, func(map[string]any) []any) {
	if r.custom == nil {
		p := printer.For(r.stored)
		return p.Columns, func(obj map[string]any) []any {
			typed, err := r.base.typed(obj)
			if err != nil {
				return []any{nameOf(obj)}
			}
			return p.Cells(typed, s.now())
		}
	}
	columns := []metav1.TableColumnDefinition{printer.Name()}
	for _, c := range r.custom.columns {
		columns = append(columns, c.TableColumnDefinition)
	}
	return columns, func(obj map[string]any) []any {
		cells := []any{nameOf(obj)}
		for _, c := range r.custom.columns {
			cells = append(cells, s.cell(c, obj))
		}
		return cells
	}
}

// cell finds a custom column's value; a date is shown as an age.
func (s *Server) cell(c column, obj map[string]any) any {
	found, err := c.path.FindResults(obj)
	if err != nil || len(found) == 0 || len(found[0]) == 0 {
		return nil
	}
	if len(found[0]) > 1 || c.Type == "string" {
		return joined(c, found[0][0].Interface(), obj)
	}
	switch v := found[0][0].Interface().(type) {
	case string:
		if c.Type != "date" {
			return v
		}
		at, err := time.Parse(time.RFC3339, v)
		if err != nil {
			return "<invalid>"
		}
		return duration.HumanDuration(s.now().Sub(at))
	case map[string]any, []any:
		return joined(c, v, obj)
	default:
		return v
	}
}

func joined(c column, first any, obj map[string]any) any {
	found, err := c.path.FindResults(obj)
	if err != nil || first == nil {
		return nil
	}
	var parts []string
	for _, v := range found[0] {
		switch v := v.Interface().(type) {
		case string:
			parts = append(parts, v)
		case map[string]any, []any:
			data, _ := json.Marshal(v)
			parts = append(parts, string(data))
		default:
			parts = append(parts, fmt.Sprint(v))
		}
	}
	return strings.Join(parts, ",")
}
