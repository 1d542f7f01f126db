package main

import (
	"fmt"
	"sync/atomic"
	"testing"
)

// killedWalks counts how the walks ended that were killed.
type killedWalks struct{ resumed, failed, shorter atomic.Int64 }

func (y *killedWalks) count(t *testing.T) {
	switch {
	case t.Failed():
		y.failed.Add(1)
	case t.Skipped():
		y.shorter.Add(1)
	default:
		y.resumed.Add(1)
	}
}

func (y *killedWalks) String() string {
	return fmt.Sprintf("%d walks were killed and resumed to their end, %d were not, %d had come to their end before", y.resumed.Load(), y.failed.Load(), y.shorter.Load())
}
