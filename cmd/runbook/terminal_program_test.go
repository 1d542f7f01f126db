package main

import (
	"errors"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// whatAPanicHolds stands for a secret in the value of a panic.
const whatAPanicHolds = "hunter2-in-a-panic"

// breakingMain is main that breaks on SIGUSR1, in the way that BREAK names.
func breakingMain() {
	a := ownProcess()
	armed := make(chan os.Signal, 1)
	signal.Notify(armed, syscall.SIGUSR1)
	var inView atomic.Bool
	a.now = func() time.Time {
		if inView.Load() && called("tui.Model.View") {
			panic(errors.New("drawing " + whatAPanicHolds))
		}
		return time.Now()
	}
	go func() {
		<-armed
		switch os.Getenv("BREAK") {
		case "goroutine":
			panic(errors.New("the token is " + whatAPanicHolds + "\nand a second line"))
		case "index":
			_ = make([]byte, 3)[len(os.Args)+7]
		case "fatal":
			var mu sync.Mutex
			mu.Unlock()
		case "view":
			inView.Store(true)
		}
	}()
	os.Exit(int(a.run(os.Args)))
}

// called tells whether a function is among those that have called.
func called(name string) bool {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		if strings.HasSuffix(f.Function, name) {
			return true
		}
		if !more {
			return false
		}
	}
}
