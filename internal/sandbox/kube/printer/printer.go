package printer

import (
	"fmt"
	"sort"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/duration"
)

// Printer turns objects of one kind into rows.
type Printer struct {
	Columns []metav1.TableColumnDefinition
	Cells   func(obj runtime.Object, now time.Time) []any
}

// Name is the column that every kind begins with.
func Name() metav1.TableColumnDefinition {
	return metav1.TableColumnDefinition{Name: "Name", Type: "string", Format: "name", Description: metav1.ObjectMeta{}.SwaggerDoc()["name"]}
}

// of makes a printer. Columns are names; one that begins with "+" is only shown by -o wide, "#" makes it
// an integer and "?" a boolean.
func of[T any, P interface {
	*T
	runtime.Object
}](cells func(P, time.Time) []any, columns ...string) Printer {
	return Printer{Columns: define(columns), Cells: func(obj runtime.Object, now time.Time) []any {
		o, ok := obj.(P)
		if !ok {
			return nil
		}
		return cells(o, now)
	}}
}

// nameless is of for the one kind whose name isn't what people look for first.
func nameless[T any, P interface {
	*T
	runtime.Object
}](cells func(P, time.Time) []any, columns ...string) Printer {
	p := of(cells, columns...)
	p.Columns = p.Columns[1:]
	return p
}

func define(columns []string) []metav1.TableColumnDefinition {
	out := []metav1.TableColumnDefinition{Name()}
	for _, c := range columns {
		d := metav1.TableColumnDefinition{Name: c, Type: "string"}
		if wide, ok := strings.CutPrefix(c, "+"); ok {
			d.Name, d.Priority = wide, 1
		}
		if number, ok := strings.CutPrefix(d.Name, "#"); ok {
			d.Name, d.Type = number, "integer"
		}
		if boolean, ok := strings.CutPrefix(d.Name, "?"); ok {
			d.Name, d.Type = boolean, "boolean"
		}
		out = append(out, d)
	}
	return out
}

// For finds the printer of a stored resource; any that isn't known is shown by name and age.
func For(stored string) Printer {
	for _, group := range []map[string]Printer{workloads(), cores(), others()} {
		if p, ok := group[stored]; ok {
			return p
		}
	}
	return Printer{Columns: define([]string{"Created At"}), Cells: func(obj runtime.Object, _ time.Time) []any {
		m, ok := obj.(metav1.Object)
		if !ok {
			return nil
		}
		return []any{m.GetName(), m.GetCreationTimestamp().UTC().Format(time.RFC3339)}
	}}
}

func age(t metav1.Time, now time.Time) string {
	if t.IsZero() {
		return "<unknown>"
	}
	return duration.HumanDuration(now.Sub(t.Time))
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

func none(s string) string { return or(s, "<none>") }

func pairs(m map[string]string) string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for i, k := range keys {
		keys[i] = k + "=" + m[k]
	}
	return none(strings.Join(keys, ","))
}

func ratio(have, want int32) string { return fmt.Sprintf("%d/%d", have, want) }

func value[T any](p *T) T {
	var zero T
	if p == nil {
		return zero
	}
	return *p
}
