package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
)

// Options say which implementation runs and where it finds its work. The zero
// value runs the reference against the control plane of the environment.
type Options struct {
	_ struct{}

	Design string    // one of Designs; "" is the reference
	Defect string    // one of Defects; "" is none
	URL    string    // of the control plane; "" is LOSTRECEIPT_URL
	Token  string    // bearer token; "" is LOSTRECEIPT_TOKEN
	Log    io.Writer // what is done and why, a line each; nil discards it
}

// errNoMoreWork says that the control plane answered 410.
var errNoMoreWork = errors.New("no more work")

// Run asks the control plane for work and does it, one task at a time, until
// it is told that there is no more (nil) or ctx ends. An unreachable control
// plane is an error.
func Run(ctx context.Context, o Options) error {
	p, err := assemble(o.Design, o.Defect)
	if err != nil {
		return err
	}
	if o.URL == "" {
		o.URL, o.Token = os.Getenv("LOSTRECEIPT_URL"), os.Getenv("LOSTRECEIPT_TOKEN")
	}
	if o.URL == "" {
		return errors.New("agent: no control plane: set LOSTRECEIPT_URL, or run it by `lostreceipt run -- lostreceipt agent`")
	}
	c := newControl(o.URL, o.Token)
	defer c.close()
	return serve(ctx, p, c, o.logger())
}

func (o Options) logger() *slog.Logger {
	if o.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(o.Log, nil))
}

// serve does work until there is no more.
func serve(ctx context.Context, p *policies, c *control, log *slog.Logger) error {
	for {
		w, err := c.work(ctx)
		switch {
		case errors.Is(err, errNoMoreWork):
			return nil
		case err != nil:
			return fmt.Errorf("agent: ask for work: %w", err)
		case w == nil:
			continue
		}
		if err := p.take(ctx, &job{policies: p, control: c, work: *w, log: log.With("work", w.ID)}); err != nil {
			return fmt.Errorf("agent: %s: %w", w.ID, err)
		}
	}
}
