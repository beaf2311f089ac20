package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

var escalationUntrue = Rule{
	ID: "escalation-untrue", Family: Escalation, Party: Agent, Hears: true,
	Sentence: "An escalation says something that the records contradict.",
	Correct:  "Reports what was really sent, asked and found, and only what is really unknown.",
	Covers:   []string{"B34", "A11"},
	act: func(p *replay, a *act) *Finding {
		b := a.call.stated().Escalation
		if a.action != contract.Escalate || a.again || b == nil {
			return nil
		}
		if why := misnamed(a, b); why != "" {
			return p.about(a, "%s", why)
		}
		for _, check := range []func(*act, *history.Brief) string{p.overcounted, misjudged, p.misdated} {
			if why := check(a, b); why != "" {
				f := p.about(a, "%s", why)
				f.Uncertain = p.starvedAt(a.at) // a query, or its reply, may not have come to whom it was for
				return f
			}
		}
		return nil
	},
}

// misnamed compares the original that it names with what was confirmed and sent.
func misnamed(a *act, b *history.Brief) string {
	t := a.work.task
	if b.Key != "" && t.keys[b.Key] == nil && b.FirstSentAt != "" && t.kills == 0 && !t.refused && a.work.beside() == 0 {
		return fmt.Sprintf("it says that %q was sent, which it never was", b.Key)
	}
	if b.Confirmation == "" || b.Version == 0 {
		return ""
	}
	switch own := t.submission(b.Confirmation, b.Version); {
	case own == nil:
		return fmt.Sprintf("it names version %d of %s, which was never confirmed", b.Version, b.Confirmation)
	case b.Content != "" && own.confirm.content != "" && b.Content != own.confirm.content:
		return "the content that it gives as the original is not what was confirmed"
	}
	return ""
}

// overcounted tells which queries it reports that were never made. An attempt of
// which no connection came about, or that ended before it had sent anything, may be
// counted as one too.
func (p *replay) overcounted(a *act, b *history.Brief) string {
	if a.work.task.refused {
		return "" // nothing tells how often
	}
	for _, c := range queriesOf(a, b) {
		if c.said > c.most+a.work.task.dialled {
			return fmt.Sprintf("it reports %d calls of %s; the wire carried %d", c.said, c.name, c.sent)
		}
	}
	return ""
}

// queried is how often an escalation says that something was asked, and how
// often it can have been, within one for each operation: a library may have
// resent one without telling. What a killed process had not stored, and what a
// worker beside this one asked, may be missing.
type queried struct {
	name              string
	said, least, most int
	sent              int // on the wire
}

func queriesOf(a *act, b *history.Brief) []queried {
	all := []queried{{name: "query"}, {name: "track"}, {name: "search"}}
	for n := range all {
		c, spread := &all[n], 0
		for _, q := range b.Queries {
			if shortName(q.Operation) == c.name {
				c.said += q.Count
			}
		}
		for op, sent := range a.work.task.reads {
			if shortName(op) == c.name {
				c.least += a.work.reads[op]
				c.sent += sent
				spread++
			}
		}
		spread = max(1, spread)
		c.least, c.most = c.least-spread, c.sent+spread
	}
	return all
}

func shortName(operation string) string {
	return operation[strings.LastIndexByte(operation, '.')+1:]
}

// misjudged compares the unknowns it names with what the worker could know.
func misjudged(a *act, b *history.Brief) string {
	for _, i := range a.work.task.recent() {
		if i.confirm.id != b.Confirmation || i.confirm.version != b.Version {
			continue
		}
		named := slices.Contains(b.Unknowns, formings[i.form].unknown)
		switch set := i.mind(a.work).set; {
		case set.Only(contract.InDoubt) && !named && i.begun(a.work) == yes:
			return fmt.Sprintf("the %s was in doubt, and it does not name that among the unknowns", i)
		case named && set.Within(contract.Accepted, contract.Partial, contract.Approved, contract.Declined, contract.Withdrawn):
			return fmt.Sprintf("it calls the %s unknown, which was %s", i, set)
		}
	}
	return ""
}
