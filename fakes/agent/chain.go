package agent

import (
	"fmt"
	"slices"
	"strings"
)

// barred tells why a call that the model asks for is not made: it failed for
// good before, or a tool that failed has another one declared in its place.
// What was asked for together with the failed call is not barred by it.
func (l *loop) barred(c toolCall) *failure {
	for _, g := range l.talk.Gaps {
		if slices.Contains(g.Calls, c.identity()) {
			return &failure{Error: circuitOpen, Message: fmt.Sprintf("%s: the same call has failed for good: %s", c.name(), g.Error)}
		}
		if g.Turn == l.talk.Turns || c.name() == g.Tool {
			continue
		}
		next, end := l.standIns(g)
		switch {
		case slices.Contains(g.Failed, c.name()), len(next) > 0 && next[0] == c.name():
		case len(next) > 0:
			return &failure{Error: notDeclared, Message: fmt.Sprintf("%s: in place of %s the task declares %s next", c.name(), g.Tool, next[0])}
		default:
			return &failure{Error: notDeclared, Message: fmt.Sprintf("%s: in place of %s the task declares no other tool: %s", c.name(), g.Tool, strings.ReplaceAll(end, "_", " "))}
		}
	}
	return nil
}

// standIns are the tools that are still to be tried in place of a failed one,
// and how its chain ends.
func (l *loop) standIns(g gap) (next []string, end string) {
	chain, end := l.question.chain(g.Tool)
	for _, tool := range chain {
		if !slices.Contains(g.Failed, tool) {
			next = append(next, tool)
		}
	}
	return next, end
}

// missed notes a failed call: a gap of its own, or one more failed tool of the
// chain that it is in.
func (l *loop) missed(c toolCall, f failure) {
	t, q := l.talk, l.question
	at := -1
	for i := range t.Gaps {
		g := &t.Gaps[i]
		if chain, _ := q.chain(g.Tool); slices.Contains(chain, c.name()) {
			if at = i; !slices.Contains(g.Failed, c.name()) {
				g.Failed = append(g.Failed, c.name())
			}
		}
		if g.Tool == c.name() {
			at = i
		}
	}
	if at < 0 {
		t.Gaps = append(t.Gaps, gap{Tool: c.name(), Error: f.Message, Turn: t.Turns})
		at = len(t.Gaps) - 1
	}
	if l.p.loop.lasting(f) {
		t.Gaps[at].Calls = append(t.Gaps[at].Calls, c.identity())
	}
}

// made notes a call that succeeded: it makes good what failed of that tool, and
// what it stands in for.
func (t *talk) made(q question, tool, asOf string) {
	s := source{Tool: tool, AsOf: asOf}
	if i := slices.IndexFunc(t.Sources, func(old source) bool { return old.Tool == tool }); i >= 0 {
		s.For = t.Sources[i].For
		t.Sources = slices.Delete(t.Sources, i, i+1)
	}
	t.Gaps = slices.DeleteFunc(t.Gaps, func(g gap) bool {
		chain, _ := q.chain(g.Tool)
		if slices.Contains(chain, tool) {
			s.For = g.Tool
		}
		return g.Tool == tool || s.For == g.Tool
	})
	t.Sources = append(t.Sources, s)
}

// disclosures are what the answer must admit: each source that is older than
// the tool it stands in for, and each tool that nothing stood in for.
func disclosures(t *talk) []string {
	var all []string
	for _, s := range t.Sources {
		switch {
		case s.AsOf != "":
			all = append(all, s.Tool+": as of "+s.AsOf)
		case s.For != "":
			all = append(all, s.Tool+": in place of "+s.For+", which failed")
		}
	}
	for _, g := range t.Gaps {
		all = append(all, g.Error)
		for _, tool := range g.Failed {
			all = append(all, tool+": failed too, in place of "+g.Tool)
		}
	}
	return all
}
