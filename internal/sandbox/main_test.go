package sandbox_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain lets the test binary be a program that knows of the sandbox by its environment only.
func TestMain(m *testing.M) {
	u := flag.String("fetch", "", "fetch a URL with the default client, print the status and leave")
	flag.Parse()
	if *u != "" {
		os.Exit(fetch(*u))
	}
	os.Exit(m.Run())
}
