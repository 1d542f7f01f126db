package servers

import (
	"context"
	"fmt"
	"net"
	"time"
)

// patience is after how long a server that does not come up is given up.
const patience = 2 * time.Minute

// until asks again and again until ask is content, the server ends, or patience does.
func (p *process) until(ctx context.Context, ask func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		err := ask(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-p.ended:
			return fmt.Errorf("start %s: it ended: %w\n%s", p.name, p.err, p.words())
		case <-ctx.Done():
			return fmt.Errorf("start %s: not ready: %w\n%s", p.name, err, p.words())
		case <-tick.C:
		}
	}
}

// freePorts finds ports of 127.0.0.1 that nobody listens on. The servers can't be given a listener, so somebody could be
// faster; they say so then and the start fails.
func freePorts(n int) ([]int, error) {
	var ports []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("find a free port: %w", err)
		}
		defer func() { _ = l.Close() }() // all at once, so that they differ
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
