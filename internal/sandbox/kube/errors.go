package kube

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// statusOf turns an error into the Status that goes over the wire. What isn't an API error is a 500
// without a reason, as in kube-apiserver.
func statusOf(err error) metav1.Status {
	var known apierrors.APIStatus
	if errors.As(err, &known) {
		st := known.Status()
		st.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
		if st.Status == "" {
			st.Status = metav1.StatusFailure
		}
		return st
	}
	return metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure,
		Code: http.StatusInternalServerError, Message: err.Error(),
	}
}

func writeError(w http.ResponseWriter, err error) {
	st := statusOf(err)
	if st.Details != nil && st.Details.RetryAfterSeconds > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(st.Details.RetryAfterSeconds)))
	}
	writeJSON(w, int(st.Code), st)
}

func writeJSON(w http.ResponseWriter, code int, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		http.Error(w, "encode answer: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache, private")
	w.WriteHeader(code)
	// A client that has gone away is no failure of the server.
	_, _ = w.Write(append(data, '\n'))
}

// notFoundPath is the answer for a path that isn't served at all.
func notFoundPath(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write([]byte("404 page not found\n"))
}

// routed is a Status in the place of what a router says by itself.
func routed(code int, reason metav1.StatusReason, message string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: int32(code), Reason: reason, Message: message, Details: &metav1.StatusDetails{},
	}}
}

// errNotAllowed is a method that the path doesn't have.
var errNotAllowed = routed(http.StatusMethodNotAllowed, metav1.StatusReasonMethodNotAllowed, "the server does not allow this method on the requested resource")

// errNoResource is a resource that a built-in group doesn't have. In other groups there isn't even a Status.
var errNoResource = routed(http.StatusNotFound, metav1.StatusReasonNotFound, "the server could not find the requested resource")

func unsupportedMedia(message string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusUnsupportedMediaType,
		Reason: metav1.StatusReasonUnsupportedMediaType, Message: message,
	}}
}

func notAcceptable(message string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusNotAcceptable,
		Reason: metav1.StatusReasonNotAcceptable, Message: message,
	}}
}
