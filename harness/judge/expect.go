package judge

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// mismatch is how a history fails the endings that a scenario allows.
type mismatch int

const (
	met       mismatch = iota
	over               // more consequences than any ending has
	short              // fewer
	elsewhere          // another result
)

// unmet reports how the run failed every ending that the scenario allows, if it
// failed in this way. A task that has no result is never-settled's; more
// consequences than an ending has are duplicate-consequence's when the agent
// caused them and the scenario's mistake when it did not.
func (p *replay) unmet(which mismatch) []*Finding {
	how, ending := p.against()
	if how != which || p.interrupted() || !p.settled() {
		return nil
	}
	f := &Finding{Records: []int{p.index.end.N}}
	for _, t := range p.order {
		f.Task = t.id
		f.Records = append(numbers(t.results[:min(len(t.results), maxRecords)]...), f.Records...)
		if i, w := t.newest(), t.lastWork(); i != nil && w != nil {
			f.Intent, f.Row = i.String(), p.rowName(i, w, p.index.end.At)
		}
	}
	// Where the machine lets no attempt end in its time, handing over is right, and its own doing. So it is
	// where a program took so long to start again that little was left of the time for verifying.
	f.Uncertain = (p.starved() || p.startedLate()) && which == elsewhere && slices.Contains(p.ends(), "escalated")
	f.Observed = fmt.Sprintf("ended as %s with %s; the scenario allows %s", strings.Join(p.ends(), ", "), p.counted(ending), p.endings())
	return []*Finding{f}
}

// startedLate tells whether a process that was to go on with a task came to its
// work so long after its start that this took a large part of the verification
// period, which runs on. How long a program takes to start is no part of what it
// is judged for, and the scenario has not asked for it.
func (p *replay) startedLate() bool {
	for _, t := range p.order {
		for _, w := range t.works[min(1, len(t.works)):] {
			if s := w.process.started; s != nil && s.N < w.givenN && w.given-s.At > p.limits.VerificationPeriod/4 {
				return true
			}
		}
	}
	return false
}

// against compares the run with the endings; of several that fail, the nearest
// is named: one that differs in its result is nearer than one that lacks something.
func (p *replay) against() (mismatch, *Ending) {
	if len(p.setup.Expect.AnyOf) == 0 {
		return met, nil
	}
	worst, nearest := mismatch(-1), (*Ending)(nil)
	for n := range p.setup.Expect.AnyOf {
		e := &p.setup.Expect.AnyOf[n]
		how := p.compare(e)
		if how == met {
			return met, e
		}
		if worst < 0 || how > worst {
			worst, nearest = how, e
		}
	}
	return worst, nearest
}

func (p *replay) compare(e *Ending) mismatch {
	how := met
	if len(e.Ends) > 0 {
		for _, end := range p.ends() {
			if !slices.Contains(e.Ends, end) {
				how = elsewhere
			}
		}
	}
	for kind, want := range e.Consequences {
		switch have := p.counts[kind]; {
		case have > want:
			return over
		case have < want && how == met:
			how = short
		}
	}
	return how
}

// ends are the results of the tasks, "none" where there is none.
func (p *replay) ends() []string {
	var ends []string
	for _, t := range p.order {
		if n := len(t.results); n > 0 {
			ends = append(ends, t.results[0].Control.State)
		} else {
			ends = append(ends, "none")
		}
	}
	return ends
}

// settled tells whether every task has a result.
func (p *replay) settled() bool {
	for _, t := range p.order {
		if len(t.results) == 0 {
			return false
		}
	}
	return len(p.order) > 0
}

// interrupted tells whether the run was broken off, so that what is missing at
// its end means nothing.
func (p *replay) interrupted() bool {
	return p.ended == nil || p.ended.Run.Reason == "interrupted" || strings.HasPrefix(p.ended.Run.Reason, "harness: ")
}

func (p *replay) counted(e *Ending) string {
	kinds := map[string]bool{}
	for k := range p.counts {
		kinds[k] = true
	}
	if e != nil {
		for k := range e.Consequences {
			kinds[k] = true
		}
	}
	var parts []string
	for k := range kinds {
		parts = append(parts, fmt.Sprintf("%d %s", p.counts[k], k))
	}
	sort.Strings(parts)
	if len(parts) == 0 {
		return "no consequence"
	}
	return strings.Join(parts, ", ")
}

func (p *replay) endings() string {
	var all []string
	for _, e := range p.setup.Expect.AnyOf {
		text := strings.Join(e.Ends, " or ")
		if text == "" {
			text = "any result"
		}
		var parts []string
		for k, n := range e.Consequences {
			parts = append(parts, fmt.Sprintf("%d %s", n, k))
		}
		sort.Strings(parts)
		if len(parts) > 0 {
			text += " with " + strings.Join(parts, ", ")
		}
		all = append(all, text)
	}
	return strings.Join(all, "; or ")
}
