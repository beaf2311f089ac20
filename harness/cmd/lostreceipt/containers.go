package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/run"
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
func (v *runVerb) stacks(in *invocation) (where run.Stacks, leave func(), err error) {
	if v.Stack != containers {
		return nil, func() {}, nil
	}
	engine, err := openEngine(in, v.Quiet)
	if err != nil {
		return nil, nil, err
	}
	if v.Concurrency == 0 {
		v.Concurrency = container.Concurrency()
	}
	return engine.Pool(v.forPool(v.pace).Concurrency), func() {
		ctx, cancel := context.WithTimeout(context.Background(), tidyTime)
		defer cancel()
		if err := engine.Close(ctx); err != nil {
			say(in.err, "lostreceipt: containers could not all be taken away, the next run will try again: %v\n", err)
		}
	}, nil
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
