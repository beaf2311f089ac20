package fault

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// reply makes a service answer with something else than what it knows.
type reply struct{ how Distortion }

// manner is one way in which a reply can differ from the truth.
type manner struct {
	how   Distortion
	words string
	// operations are those whose replies can differ so: reads at received, writes at committed.
	operations []string
	validated  bool   // also at validated, where nothing else follows
	why        string // other operations cannot
}

func manners() []manner {
	records := []string{"approval.submit", "approval.withdraw", "approval.notify"}
	lists := []string{"approval.query", "approval.search", "purchase.query"}
	return []manner{
		{
			how: Empty, words: "as if there were nothing: an empty list, an unknown identifier, a turn without a word or a call, or, of a write, a body without a byte",
			operations: slices.Concat(lists, records, []string{
				"approval.void", "purchase.buy", "desk.escalate", "knowledge.search_kb", "knowledge.kb_cache", "knowledge.kb_archive", "knowledge.search_web",
				"knowledge.delete_record", "knowledge.archive_record", "knowledge.issue_refund", "model.chat",
			}),
			why: "a record that is not there is answered by status: {code: 404}",
		},
		{
			how: Stale, words: "with what was so before the last change; what was never changed is not there yet",
			operations: append(append(slices.Clone(lists), records...), "approval.track"),
			why:        "it shows nothing that changes",
		},
		{
			how: Queued, words: "with a gateway's queue number, which is no acceptance",
			operations: []string{"approval.submit", "purchase.buy"}, validated: true,
			why: "there is nothing that a gateway could queue",
		},
		{
			how: WrongInstance, words: "with another record, under the identifier that was asked for",
			operations: append(slices.Clone(records), "approval.query", "approval.track", "purchase.query", "purchase.buy"),
			why:        "it shows no record that was asked for by name",
		},
		{
			how: Doubled, words: "with every record twice, the second time as it was at first",
			operations: lists,
			why:        "it does not answer with a list",
		},
	}
}

func mannerNames() []string {
	var names []string
	for _, m := range manners() {
		names = append(names, string(m.how))
	}
	return names
}

func (r reply) manner() manner {
	all := manners()
	return all[slices.IndexFunc(all, func(m manner) bool { return m.how == r.how })]
}

func replyKind() Kind {
	return Kind{
		Name: "reply", Family: Service, Place: Final,
		Summary: "the service answers with something else than what it knows: nothing, what was so before, a queue number, another record, or every record twice",
		Usage:   "reply: " + strings.Join(mannerNames(), ", or reply: "),
		Where: "received of what only reads, committed of what writes. empty: lists and writes; stale: lists, track, submit, withdraw, notify; " +
			"queue: submit and buy, also at validated, where the request is lost behind the gateway unless create: {async: ...} stands before it; " +
			"wrong-instance: whatever shows records; duplicate: lists",
		Stand: inService("reply", Received, Validated, Committed),
		Decode: func(r *Reader) Effect {
			if !r.Present() {
				r.Complain("which reply? Write one of %s", strings.Join(mannerNames(), ", "))
			}
			return reply{Distortion(r.OneOf("reply", mannerNames()))}
		},
	}
}

func (reply) Name() string     { return "reply" }
func (r reply) String() string { return "reply: " + string(r.how) }
func (r reply) Words() string  { return "the service answers " + r.manner().words }

func (r reply) fits(a Anchor) error {
	s, m := a.Last(), r.manner()
	name := s.Service + "." + s.Operation
	op, _ := contract.FindOperation(name)
	switch {
	case !slices.Contains(m.operations, name):
		return fmt.Errorf("reply: %s does not fit %s: %s; it fits %s", r.how, name, m.why, strings.Join(m.operations, ", "))
	case !op.Write || s.Phase == Committed || s.Phase == Validated && m.validated:
		return nil
	case m.validated:
		return fmt.Errorf("reply: %s stands at validated or committed, not at %s", r.how, s.Phase)
	}
	return fmt.Errorf("reply: %s stands at committed, not at %s: until then %s has nothing to answer", r.how, s.Phase, name)
}

func (r reply) Apply(f *Firing) { f.Order.Distortion = r.how }

// What a gateway has taken on and given a number goes no further.
func (reply) skips(at Phase) []Phase {
	if at == Validated {
		return []Phase{Committed}
	}
	return nil
}
