package operators

import (
	"sync/atomic"
	"time"
)

// Delays are how long the parts of a bring-up take at speed 1. The order of a real cluster is kept, its minutes are not.
type Delays struct {
	Pull      time.Duration // fetching an image
	Start     time.Duration // creating and starting a container
	Stop      time.Duration // a container's answer to SIGTERM
	Probe     time.Duration // between two probes of a container
	Retry     time.Duration // the kubelet's next attempt at a container it can't configure
	BackOff   time.Duration // first crash back-off; doubles up to MaxBackOff
	MaxBack   time.Duration // longest crash back-off
	Work      time.Duration // what a container that ends by itself runs
	Provision time.Duration // making a volume
	Sync      time.Duration // one round trip of External Secrets to its store
	Failed    time.Duration // External Secrets' first back-off after an error; doubles up to seven minutes
	Operator  time.Duration // an operator noticing a new object
}

// DefaultDelays settle a whole bring-up in about three seconds.
func DefaultDelays() Delays {
	return Delays{
		Pull: 200 * time.Millisecond, Start: 60 * time.Millisecond, Stop: 100 * time.Millisecond,
		Probe: 150 * time.Millisecond, Retry: 300 * time.Millisecond,
		BackOff: 400 * time.Millisecond, MaxBack: 2 * time.Second, Work: 250 * time.Millisecond,
		Provision: 120 * time.Millisecond, Sync: 250 * time.Millisecond, Failed: time.Second, Operator: 150 * time.Millisecond,
	}
}

// pace holds the delays and the speed they are divided by; the speed may change while controllers run.
type pace struct {
	delays Delays
	milli  atomic.Int64 // speed in thousandths
}

func newPace(d Delays, speed float64) *pace {
	p := &pace{delays: d}
	p.set(speed)
	return p
}

func (p *pace) set(speed float64) {
	if speed <= 0 {
		speed = 1
	}
	p.milli.Store(int64(speed * 1000))
}

func (p *pace) of(d time.Duration) time.Duration { return d * 1000 / time.Duration(p.milli.Load()) }
