package fault

import (
	"fmt"
	"strings"
)

// partial makes one part of a consequence fail, while the rest stands.
type partial struct{ part string }

// Parts are the parts of a consequence that can fail by themselves.
func Parts() []string { return []string{"notification"} }

func partialKind() Kind {
	return Kind{
		Name: "partial", Family: Service, Place: With, Needs: []string{"notify"},
		Summary: "the consequence stands and a part of it fails: the approval is decided, and the notification of that decision is not sent",
		Usage:   "partial: " + strings.Join(Parts(), ", or partial: "),
		Where:   "committed of approval.submit, about the record that it created",
		Stand: func(a Anchor) error {
			if err := inService("partial", Committed)(a); err != nil {
				return err
			}
			if s := a.Last(); s.Operation != "submit" {
				return fmt.Errorf("partial concerns a consequence that has parts, and that of %s.%s has none: use approval.submit", s.Service, s.Operation)
			}
			return nil
		},
		Decode: func(r *Reader) Effect {
			if !r.Present() {
				r.Complain("which part fails? Write partial: %s", strings.Join(Parts(), ", or partial: "))
			}
			return partial{r.OneOf("part", Parts())}
		},
	}
}

func (partial) Name() string     { return "partial" }
func (p partial) String() string { return "partial: " + p.part }
func (p partial) Words() string  { return "the consequence stands, and its " + p.part + " will fail" }

func (p partial) Apply(f *Firing) { f.Order.Lacking = p.part }
