package fault

import (
	"fmt"
	"slices"
	"strings"
)

// create makes what a request asks for come into being after its reply.
type create struct{ end End }

const createUsage = "create: {async: {until: [<anchor>, ...], for: <duration>}}"

// creating are the operations that create something.
func creating() []string { return []string{"approval.submit", "purchase.buy"} }

func createKind() Kind {
	return Kind{
		Name: "create", Family: Service, Place: With,
		Summary: "the service answers that it has taken the request on (202, processing), and creates what it asks for at the first of the anchors or when the time is over",
		Usage:   createUsage,
		Where:   "validated of approval.submit and purchase.buy. The call's committed comes after its replied then",
		Stand:   standCreate,
		Decode: func(r *Reader) Effect {
			if !r.Present() {
				r.Complain("create when? Write %s", createUsage)
				return create{}
			}
			if !r.Fields("async") {
				return create{}
			}
			async := r.Need("async")
			if !async.Present() || !async.Fields("until", "for") {
				return create{}
			}
			return create{readEnd(async, createUsage)}
		},
	}
}

func standCreate(a Anchor) error {
	if err := inService("create", Validated)(a); err != nil {
		return err
	}
	if s := a.Last(); !slices.Contains(creating(), s.Service+"."+s.Operation) {
		return fmt.Errorf("create concerns what creates something, and %s.%s does not: use %s", s.Service, s.Operation, strings.Join(creating(), " or "))
	}
	return nil
}

func (create) Name() string     { return "create" }
func (c create) String() string { return "create: {async: {" + c.end.String() + "}}" }

func (c create) Words() string {
	return "the service answers that it is processing the request, and what it asks for is not created " + c.end.Words()
}

func (c create) ends() End      { return c.end }
func (create) within() []string { return []string{"create", "async"} }
func (create) defers()          {}

func (c create) Apply(f *Firing) { f.Order.Later = f.Later("create", c.end) }
