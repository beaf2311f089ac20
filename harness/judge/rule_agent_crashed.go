package judge

import (
	"fmt"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

var agentCrashed = Rule{
	ID: "agent-crashed", Family: Bounds, Party: Agent,
	Sentence: "The agent's process ended before its task did.",
	Correct:  "Outlives a tool failure: every error comes back as data.",
	Covers:   []string{"A07"},
	end: func(p *replay) []*Finding {
		var out []*Finding
		for _, t := range p.order {
			if r := t.crashed(); r != nil && !p.done(r) {
				how := fmt.Sprintf("exit status %d", r.Process.Code)
				if r.Process.Signal != "" {
					how = "signal " + r.Process.Signal
				}
				out = append(out, &Finding{Task: t.id, Observed: "the process ended by itself (" + how + ") before it posted a result", Records: []int{r.N}})
			}
		}
		if len(p.order) == 0 && !p.setup.Mute && p.exit != nil && p.exit.Process.Reason != stoppedByHarness {
			out = append(out, &Finding{
				Observed: fmt.Sprintf("the process ended by itself (exit status %d) without ever asking for work", p.exit.Process.Code), Records: []int{p.exit.N},
			})
		}
		return out
	},
}

// done tells whether the end of a process is the end of its task: of an agent that
// knows no other way to say so.
func (p *replay) done(r *history.Record) bool {
	return p.setup.Mute && r.Process.Code == 0 && r.Process.Signal == ""
}

// stoppedByHarness is the reason of a process that the harness ended when the run was over.
const stoppedByHarness = "stopped"

// crashed is the exit of the process that should have brought the task to a
// result and did not: nobody else has it, and neither a fault nor the end of
// the run ended the process.
func (t *task) crashed() *history.Record {
	if len(t.results) > 0 {
		return nil
	}
	var last *history.Record
	for _, w := range t.works {
		exited := w.process.exited
		if exited == nil || w.process.killed || exited.Process.Reason == stoppedByHarness {
			if w == t.lastWork() {
				return nil
			}
			continue
		}
		last = exited
	}
	return last
}
