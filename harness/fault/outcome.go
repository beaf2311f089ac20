package fault

import (
	"fmt"
	"strings"
)

// outcome makes the approver decide at a moment instead of after a while.
type outcome struct{ status string }

// Outcomes are what an approver can decide.
func Outcomes() []string { return []string{"approved", "declined"} }

func outcomeKind() Kind {
	return Kind{
		Name: "outcome", Family: Service, Place: With,
		Summary: "the approver decides now about whatever this task has pending, before the request goes on; the reply to a submission at committed was written before and still says pending",
		Usage:   "outcome: " + strings.Join(Outcomes(), ", or outcome: "),
		Where:   "received, validated and committed of the approval service's calls",
		Stand: func(a Anchor) error {
			if err := inService("outcome", Received, Validated, Committed)(a); err != nil {
				return err
			}
			if s := a.Last(); s.Service != "approval" {
				return fmt.Errorf("outcome is decided in the approval service, and %s has no part in it: use a call of approval", s.Service)
			}
			return nil
		},
		Decode: func(r *Reader) Effect {
			if !r.Present() {
				r.Complain("which outcome? Write outcome: %s", strings.Join(Outcomes(), " or outcome: "))
			}
			return outcome{r.OneOf("outcome", Outcomes())}
		},
	}
}

func (outcome) Name() string     { return "outcome" }
func (o outcome) String() string { return "outcome: " + o.status }
func (o outcome) Words() string  { return "what is pending is " + o.status + " now" }

func (o outcome) Apply(f *Firing) { f.Order.Outcome = o.status }

// Decides tells what an approver decides by this effect, "" when it is another.
func Decides(e Effect) string {
	o, _ := e.(outcome)
	return o.status
}
