package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

var escalationUntrue = Rule{
	ID: "escalation-untrue", Family: Escalation, Party: Agent,
	Sentence: "An escalation says something that the records contradict.",
	Correct:  "Reports what was really sent, asked and found, and only what is really unknown.",
	Covers:   []string{"B34", "A11"},
	act: func(p *replay, a *act) *Finding {
		if a.action != contract.Escalate || a.call.sent.Facts == nil || a.intent == nil {
			return nil
		}
		b := a.call.sent.Facts.Escalation
		if b == nil {
			return nil
		}
		if why := p.untrue(a, b); why != "" {
			return p.about(a, "%s", why)
		}
		return nil
	},
}

// untrue says what in an escalation contradicts the records, or "".
func (p *replay) untrue(a *act, b *history.Brief) string {
	i := a.intent
	root := i
	if i.of != nil {
		root = i.of
	}
	if b.Key != "" && a.work.task.keys[b.Key] == nil && len(root.sends) > 0 {
		return fmt.Sprintf("it names the identifier %q, which was never sent", b.Key)
	}
	if own := a.work.task.submission(b.Confirmation, b.Version); b.Confirmation != "" && b.Version != 0 {
		if own == nil {
			return fmt.Sprintf("it names version %d of %s, which was never confirmed", b.Version, b.Confirmation)
		}
		if b.Content != "" && own.confirm.content != "" && b.Content != own.confirm.content {
			return "the content that it gives as the original is not what was confirmed"
		}
	}
	if why := miscounted(a.work.task, b); why != "" {
		return why
	}
	return p.misjudged(a, b)
}

// miscounted compares the queries it reports with the wire, operation by
// operation, within one: a library may have resent one without telling.
func miscounted(t *task, b *history.Brief) string {
	said := map[string]int{}
	for _, q := range b.Queries {
		said[shortName(q.Operation)] += q.Count
	}
	for _, name := range []string{"query", "track", "search"} {
		if d := said[name] - t.asked[name]; d > 1 || d < -1 {
			return fmt.Sprintf("it reports %d calls of %s; the wire carried %d", said[name], name, t.asked[name])
		}
	}
	return ""
}

func shortName(operation string) string {
	return operation[strings.LastIndexByte(operation, '.')+1:]
}

// misjudged compares the unknowns it names with what the worker could know.
func (p *replay) misjudged(a *act, b *history.Brief) string {
	unknowns := map[form]string{submission: "acceptance", purchase: "purchase", withdrawal: "withdrawal", notification: "notification"}
	for _, i := range a.work.task.intents() {
		named := slices.Contains(b.Unknowns, unknowns[i.form])
		switch set := i.mind(a.work).set; {
		case set.Only(contract.InDoubt) && !named && i.confirm.id == b.Confirmation && i.confirm.version == b.Version:
			return fmt.Sprintf("the %s was in doubt, and it does not name that among the unknowns", i)
		case named && i.form != submission && set.Only(contract.Accepted):
			return fmt.Sprintf("it calls the %s unknown, which was %s", i, set)
		}
	}
	return ""
}
