package scenario

import (
	"math"
	"slices"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

type ending = judge.Ending

// Results are the statuses with which an agent can end a task.
func Results() []string {
	return []string{"completed", "declined", "refused", "cancelled", "escalated", "preview", "answered"}
}

// Consequences are the kinds that expect: can count.
func Consequences() []string {
	return []string{"approval", "notification", "purchase", "withdrawal", "escalation", "refund"}
}

func (s *Scenario) readExpect(r *fault.Reader, o Options) {
	if !r.Present() || !r.Fields("ends", "consequences", "any_of", "blames", "never", "rows") {
		return
	}
	if anyOf := r.Field("any_of"); anyOf.Present() {
		items := anyOf.Items("{ends: [completed]}")
		for _, name := range []string{"ends", "consequences"} {
			if f := r.Field(name); f.Present() {
				f.Complain("%s: stands inside any_of:, or instead of it, not beside it", name)
			}
		}
		for _, item := range items {
			if item.Written().Shape != fault.Map {
				item.Complain("this takes an ending, such as {ends: [completed], consequences: {approval: 1}}")
			} else if item.Fields("ends", "consequences") {
				s.Expect.AnyOf = append(s.Expect.AnyOf, readEnding(item))
			}
		}
		if anyOf.Written().Shape == fault.List && len(items) == 0 {
			anyOf.Complain("the list of endings is empty")
		}
	} else if r.Field("ends").Present() || r.Field("consequences").Present() {
		s.Expect.AnyOf = []ending{readEnding(r)}
	}
	s.Expect.Blames = judge.Party(r.Field("blames").OneOf("party", []string{string(judge.Service)}))
	s.Expect.Never = known(r.Field("never"), "rule", "duplicate-consequence", o.Rules)
	s.Expect.Rows = known(r.Field("rows"), "row", "first-send", o.Rows)
}

func readEnding(r *fault.Reader) ending {
	ends, c := r.Field("ends"), r.Field("consequences")
	e := ending{Ends: ends.Words("result", Results())}
	if w := ends.Written(); ends.Present() && w.Shape == fault.List && len(w.Items) == 0 {
		ends.Complain("the list of results is empty and checks nothing: name one, such as [completed], or leave ends: out")
	}
	if w := c.Written(); c.Present() && w.Shape == fault.Map && len(w.Fields) == 0 {
		c.Complain("no consequence is named and nothing checked: name one, such as {approval: 1}, or leave consequences: out")
	}
	if !c.Present() || !c.Fields(Consequences()...) {
		return e
	}
	e.Consequences = map[string]int{}
	for _, kind := range Consequences() {
		if f := c.Field(kind); f.Present() {
			e.Consequences[kind] = f.Int(0, math.MaxInt16)
		}
	}
	return e
}

// known reads a list of names, checked when it is known which there are.
func known(r *fault.Reader, what, example string, names []string) []string {
	if names == nil {
		return r.Texts(example)
	}
	var found []string
	for _, item := range r.Items(example) {
		if w := item.Text(); slices.Contains(names, w) {
			found = append(found, w)
		} else if w != "" {
			unknown(item, what, w, names)
		}
	}
	return found
}

// unknown says that a name is none of those that there are: which was meant, or
// where they stand.
func unknown(item *fault.Reader, what, name string, names []string) {
	if near := fault.NearestName(name, names); near != "" {
		item.Suggest(near, "unknown %s %q", what, name)
		return
	}
	item.Complain("unknown %s %q: lostreceipt list %ss names them", what, name, what)
}
