package kinds

import (
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Kind is one built-in kind.
type Kind struct {
	GVK        schema.GroupVersionKind
	Plural     string
	Singular   string
	Short      []string
	Categories []string
	Namespaced bool
	Status     bool
	Scale      bool
	// Generation: changes of the spec are counted in metadata.generation.
	Generation bool
	// StorageOf is the group-resource whose objects this kind is another form of; empty for most.
	StorageOf string

	Type reflect.Type
	// Default fills in what was left out. It is never nil.
	Default func(runtime.Object)
	// Create prepares a new object: fields that only the server sets.
	Create func(runtime.Object)
	// Validate tells what is wrong with an object.
	Validate func(runtime.Object) field.ErrorList
	// ValidateUpdate tells what of a change isn't allowed.
	ValidateUpdate func(obj, old runtime.Object) field.ErrorList
}

// New makes an empty object of the kind.
func (k *Kind) New() runtime.Object {
	return reflect.New(k.Type).Interface().(runtime.Object)
}

// GroupResource names where the kind's objects are kept, as "plural.group".
func (k *Kind) GroupResource() string {
	if k.StorageOf != "" {
		return k.StorageOf
	}
	return schema.GroupResource{Group: k.GVK.Group, Resource: k.Plural}.String()
}

type object[T any] interface {
	*T
	runtime.Object
}

type option func(*Kind)

func kind[T any, P object[T]](gv, plural string, opts ...option) *Kind {
	t := reflect.TypeFor[T]()
	parsed, _ := schema.ParseGroupVersion(gv)
	k := &Kind{GVK: parsed.WithKind(t.Name()), Plural: plural, Singular: strings.ToLower(t.Name()), Namespaced: true, Type: t}
	k.Default, k.Create = func(runtime.Object) {}, func(runtime.Object) {}
	k.Validate = func(runtime.Object) field.ErrorList { return nil }
	k.ValidateUpdate = func(runtime.Object, runtime.Object) field.ErrorList { return nil }
	for _, o := range opts {
		o(k)
	}
	return k
}

func short(names ...string) option { return func(k *Kind) { k.Short = names } }
func all() option                  { return func(k *Kind) { k.Categories = []string{"all"} } }
func extensions() option           { return func(k *Kind) { k.Categories = []string{"api-extensions"} } }
func cluster() option              { return func(k *Kind) { k.Namespaced = false } }
func status() option               { return func(k *Kind) { k.Status = true } }
func scale() option                { return func(k *Kind) { k.Scale = true } }
func counted() option              { return func(k *Kind) { k.Generation = true } }
func storedAs(gr string) option    { return func(k *Kind) { k.StorageOf = gr } }

func defaults[T any, P object[T]](f func(P)) option {
	return func(k *Kind) { k.Default = func(o runtime.Object) { f(o.(P)) } }
}

func created[T any, P object[T]](f func(P)) option {
	return func(k *Kind) { k.Create = func(o runtime.Object) { f(o.(P)) } }
}

func valid[T any, P object[T]](f func(P) field.ErrorList) option {
	return func(k *Kind) { k.Validate = func(o runtime.Object) field.ErrorList { return f(o.(P)) } }
}

func fixed[T any, P object[T]](f func(obj, old P) field.ErrorList) option {
	return func(k *Kind) {
		k.ValidateUpdate = func(o, old runtime.Object) field.ErrorList { return f(o.(P), old.(P)) }
	}
}
