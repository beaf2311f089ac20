package fault

import "fmt"

// crash makes the service break off in the middle of a request.
type crash struct{ where string }

// The moments of a crash.
const (
	beforeCommit = "before-commit"
	afterCommit  = "between-commit-and-dedup"
)

func crashKind() Kind {
	return Kind{
		Name: "crash", Family: Service, Place: Final,
		Summary: "the service breaks off and its connection is reset: before the consequence, or between it and the reply (where a service that is not atomic loses its deduplication record)",
		Usage:   "crash: before-commit, or crash: between-commit-and-dedup",
		Where:   "before-commit at validated, between-commit-and-dedup at committed",
		Stand:   inService("crash", Validated, Committed),
		Decode: func(r *Reader) Effect {
			if !r.Present() {
				r.Complain("crash when? Write crash: %s or crash: %s", beforeCommit, afterCommit)
			}
			return crash{r.OneOf("moment", []string{beforeCommit, afterCommit})}
		},
	}
}

func (crash) Name() string     { return "crash" }
func (c crash) String() string { return "crash: " + c.where }

func (c crash) Words() string {
	if c.where == beforeCommit {
		return "the service breaks off: the request has no effect and no reply"
	}
	return "the service breaks off after the consequence: no reply is written, and where it is not atomic the deduplication record is lost"
}

func (c crash) fits(a Anchor) error {
	want := map[string]Phase{beforeCommit: Validated, afterCommit: Committed}[c.where]
	if a.Last().Phase != want {
		return fmt.Errorf("crash: %s stands at %s, not at %s", c.where, want, a.Last().Phase)
	}
	return nil
}

func (crash) Apply(f *Firing) { f.Order.Crash = true }

func (crash) skips(at Phase) []Phase { return after(at) }
