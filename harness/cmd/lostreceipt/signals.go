package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// interrupts returns a context that ends with the first SIGINT or SIGTERM. The
// second ends this process at once; the supervisors of the agent's processes
// see it go and end theirs.
func interrupts(w io.Writer) (ctx context.Context, release func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	done := make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		defer close(done)
		first, ok := <-signals
		if !ok {
			return
		}
		say(w, "\nlostreceipt: %s: finishing; what is finished is saved (once more: at once)\n", first)
		cancel(interruption{first})
		if _, ok := <-signals; ok {
			os.Exit(statusInterrupted)
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		<-done
		cancel(nil)
	}
}

// interruption says which signal came.
type interruption struct{ signal os.Signal }

func (i interruption) Error() string { return i.signal.String() }
