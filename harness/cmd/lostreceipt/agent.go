package main

import (
	fakeagent "github.com/lostreceipt/lostreceipt/fakes/agent"
)

type agentVerb struct {
	Design string `help:"The design, see lostreceipt list designs." placeholder:"NAME"`
	Defect string `help:"A defect, see lostreceipt list defects." placeholder:"NAME"`
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
	err := fakeagent.Run(in.ctx, fakeagent.Options{Design: v.Design, Defect: v.Defect, Log: in.err})
	if err != nil && in.ctx.Err() != nil {
		return exit(statusInterrupted)
	}
	return err
}
