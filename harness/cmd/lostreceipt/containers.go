package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/harness/run/image"
	"github.com/lostreceipt/lostreceipt/harness/stack/container"
)

// The values of run --stack.
const (
	embedded   = "embedded"
	containers = "containers"
)

// tidyTime is how long taking containers away may take when a verb ends.
const tidyTime = time.Minute

// stacks are where the services run; nil: in this process. leave takes away what
// was made for them.
func (p pace) stacks(in *invocation) (where *yard, leave func(), err error) {
	if p.Stack != containers {
		return nil, func() {}, nil
	}
	engine, err := openEngine(in, p.Quiet)
	if err != nil {
		return nil, nil, err
	}
	return &yard{engine, engine.Pool(p.Concurrency)}, func() {
		ctx, cancel := context.WithTimeout(context.Background(), tidyTime)
		defer cancel()
		if err := engine.Close(ctx); err != nil {
			say(in.err, "lostreceipt: containers could not all be taken away, the next run will try again: %v\n", err)
		}
	}, nil
}

// yard is where containers stand; nil: there are none.
type yard struct {
	engine *container.Engine
	pool   *container.Pool
}

func (y *yard) stacks() run.Stacks {
	if y == nil {
		return nil
	}
	return y.pool
}

// house makes an agent of an image. Its containers find the services, and the
// control plane, at the network's own address.
func (y *yard) house(ctx context.Context, name string, args []string) (run.Agent, error) {
	y.pool.Doors = y.engine.Host()
	return image.New(ctx, y.engine, name, args)
}

// forStack lets fewer scenarios run at once where their services share the
// machine with them.
func (p pace) forStack() pace {
	if p.Stack == containers && p.Concurrency == 0 {
		p.Concurrency = container.Concurrency()
	}
	return p
}

// openEngine connects to the Docker engine, or says what is missing.
func openEngine(in *invocation, quiet bool) (*container.Engine, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program, to make an image of it: %w", err)
	}
	engine, err := container.Open(in.ctx, container.Config{Binary: self, Told: func(text string) {
		if !quiet {
			say(in.err, "%s\n", text)
		}
	}})
	if errors.Is(err, container.ErrNoEngine) {
		return nil, fmt.Errorf("--stack containers: %w\nStart a Docker engine on this machine that this user may use (docker info tells), or run with --stack embedded", err)
	}
	return engine, err
}
