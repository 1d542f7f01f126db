// Package structural applies the schema of a CustomResourceDefinition to an object: it drops what the
// schema doesn't know, fills in defaults and tells what is invalid, as the API server does.
//
// Validation rules in CEL (x-kubernetes-validations) are carried along and not evaluated.
package structural
