package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// finishing are the verbs that have something to bring to an end after a signal:
// what they write, or what they serve. The others save nothing.
var finishing = []string{"run", "rerun", "selftest", "merge", "html", "docs", "new", "init", "agent", "serve"}

// interrupts returns a context that ends with the first SIGINT or SIGTERM. The
// second ends this process at once, as the first does of a verb that has nothing
// to finish; the supervisors of the agent's processes see it go and end theirs.
func interrupts(w io.Writer, finishes bool) (ctx context.Context, release func()) {
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
		if !finishes {
			os.Exit(statusInterrupted)
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
