package scenario

import (
	"slices"

	"github.com/lostreceipt/lostreceipt/harness/fault"
)

// Capabilities are what an agent can declare that it lacks.
func Capabilities() []string {
	return []string{"purchase", "withdraw", "notify", "escalate", "decisions", "revise", "several", "model_loop", "mcp", "restart"}
}

// deriveNeeds adds the capabilities that follow from what the scenario does and
// expects. Needs are sorted and differ.
func (s *Scenario) deriveNeeds() {
	need := func(name string, is bool) {
		if is && !slices.Contains(s.Needs, name) {
			s.Needs = append(s.Needs, name)
		}
	}
	cancels := false
	for _, f := range s.Faults {
		for _, e := range f.Do {
			kind, _ := fault.FindKind(e.Name())
			for _, name := range kind.Needs {
				need(name, true)
			}
			cancels = cancels || e.Name() == "cancel"
		}
		if !f.Optional {
			for _, step := range f.At.Steps {
				need("purchase", step.Service == "purchase")
				need("mcp", step.Service == "knowledge" && slices.Contains([]string{"initialize", "list_tools", "session"}, step.Operation))
				need("withdraw", step.Operation == "withdraw")
				need("notify", step.Operation == "notify")
				need("escalate", step.Service == "desk" || step.Event == fault.AgentEscalates)
			}
		}
	}
	need("model_loop", s.talks())
	withdraws := false
	for _, t := range s.Tasks {
		withdraws = withdraws || t.OnCancel == "withdraw"
		need("several", len(t.Confirmations) > 1)
	}
	need("withdraw", cancels && withdraws || s.endsWith("withdrawal"))
	need("purchase", s.endsWith("purchase"))
	need("escalate", s.endsWith("escalation") || s.onlyEnds("escalated"))
	need("notify", s.Given.Approval.NotificationFails > 0)
	slices.Sort(s.Needs)
	s.Needs = slices.Compact(s.Needs)
}

// onlyEnds tells whether every ending that is allowed is this one.
func (s *Scenario) onlyEnds(status string) bool {
	return len(s.Expect.AnyOf) > 0 && !slices.ContainsFunc(s.Expect.AnyOf, func(e ending) bool {
		return len(e.Ends) != 1 || e.Ends[0] != status
	})
}
