package cluster

import (
	"io"
	"log/slog"

	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
)

// QuietLogs sends what client-go would log to stderr to w instead: one line in
// the wrong place tears a screen. Call it before anything of this package.
func QuietLogs(w io.Writer) {
	klog.SetSlogLogger(slog.New(slog.NewTextHandler(w, nil)))
	rest.SetDefaultWarningHandler(rest.NoWarnings{})
}
