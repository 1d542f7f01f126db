// Package kube is a Kubernetes API server in memory: an http.Handler that speaks the wire protocol well
// enough for kubectl and client-go as they come, with the namespace, garbage and service-account
// controllers without which a cluster doesn't behave like one.
//
// Objects live in a store of their own (package store) around apimachinery's field manager. client-go's
// field-managed tracker was considered: it has no resource versions, watch history, paging or expiry,
// and these are what clients get wrong.
//
// Answers are JSON (or YAML); protobuf is read, because typed clients send it, and never written. Bodies of objects are never logged.
package kube
