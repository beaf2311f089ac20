package main

import (
	"net"

	fakeagent "github.com/lostreceipt/lostreceipt/fakes/agent"
)

type agentVerb struct {
	Design string `help:"The design, see lostreceipt list designs." placeholder:"NAME"`
	Defect string `help:"A defect, see lostreceipt list defects." placeholder:"NAME"`
	Listen string `help:"Take work that is pushed to this address, see lostreceipt run --agent-url, until it is interrupted." placeholder:"HOST:PORT"`
}

// Help is the worked example.
func (agentVerb) Help() string {
	return `Example: see the judge find a defect, with the agent as a command like any other:

    lostreceipt run -- lostreceipt agent --defect blind-retry

It finds the control plane in LOSTRECEIPT_URL and LOSTRECEIPT_TOKEN, which lostreceipt run sets.`
}

// Run runs the verb.
func (v *agentVerb) Run(in *invocation) error {
	if v.Design != "" {
		if err := known("design", v.Design, fakeagent.Designs()); err != nil {
			return err
		}
	}
	if v.Defect != "" {
		if err := known("defect", v.Defect, fakeagent.Defects()); err != nil {
			return err
		}
	}
	o := fakeagent.Options{Design: v.Design, Defect: v.Defect, Log: in.err}
	if v.Listen != "" {
		return v.serve(in, o)
	}
	err := fakeagent.Run(in.ctx, o)
	if err != nil && in.ctx.Err() != nil {
		return exit(statusInterrupted)
	}
	return err
}

// serve takes work until it is interrupted, which is how it ends well.
func (v *agentVerb) serve(in *invocation, o fakeagent.Options) error {
	var config net.ListenConfig
	l, err := config.Listen(in.ctx, "tcp", v.Listen)
	if err != nil {
		return usage{err}
	}
	say(in.out, "http://%s\n", l.Addr())
	return fakeagent.Serve(in.ctx, o, l)
}
