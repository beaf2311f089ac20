package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// Compare says in words, a sentence each, how a verdict differs from the one
// that was stored: outcome, findings that are new, gone or changed, reasons,
// endings and consequences. An empty list means that they agree. Commands to
// repeat and the order of findings are not compared: they are not judgements.
// The sentences are harmless text.
func Compare(stored, now judge.Verdict) []string {
	var list []string
	say := func(format string, a ...any) { list = append(list, fmt.Sprintf(format, a...)) }
	if stored.Outcome != now.Outcome {
		say("outcome was %s and is now %s", plain(string(stored.Outcome), maxName), plain(string(now.Outcome), maxName))
	}
	before, after := grouped(stored.Findings), grouped(now.Findings)
	for _, key := range sortedKeys(before) {
		old, cur := before[key], after[key]
		switch {
		case len(cur) == 0:
			say("gone: %s", key)
		case len(cur) != len(old):
			say("changed: %s was found %s and is now found %s", key, times(len(old)), times(len(cur)))
		case !slices.EqualFunc(old, cur, sameFinding):
			say("changed: %s", change(key, old, cur))
		}
	}
	for _, key := range sortedKeys(after) {
		if len(before[key]) == 0 {
			say("new: %s: %s", key, plain(after[key][0].Observed, 300))
		}
	}
	if !slices.Equal(sorted(stored.Reasons), sorted(now.Reasons)) {
		say("reasons were %s and are now %s", quoted(stored.Reasons), quoted(now.Reasons))
	}
	if !slices.Equal(sorted(stored.Ends), sorted(now.Ends)) {
		say("endings were %s and are now %s", ended(stored), ended(now))
	}
	if a, b := consequences(stored), consequences(now); a != b {
		say("consequences were %s and are now %s", a, b)
	}
	return list
}

// grouped gathers findings that say the same of the same thing.
func grouped(findings []judge.Finding) map[string][]judge.Finding {
	groups := map[string][]judge.Finding{}
	for _, f := range findings {
		key := heading(f)
		if about := concerns(judge.Finding{Task: f.Task, Intent: f.Intent}); about != "" {
			key += " on " + about
		}
		groups[key] = append(groups[key], f)
	}
	for _, g := range groups {
		slices.SortStableFunc(g, func(a, b judge.Finding) int { return slices.Compare(a.Records, b.Records) })
	}
	return groups
}

func sameFinding(a, b judge.Finding) bool {
	return a.Row == b.Row && a.Action == b.Action && a.Observed == b.Observed && a.Uncertain == b.Uncertain &&
		slices.Equal(a.Records, b.Records) && slices.Equal(a.Allowed, b.Allowed) && slices.Equal(a.Must, b.Must)
}

// change says what is different in the first of a group that differs.
func change(key string, old, cur []judge.Finding) string {
	for i := range old {
		a, b := old[i], cur[i]
		if sameFinding(a, b) {
			continue
		}
		var parts []string
		diff := func(what, was, is string) {
			if was != is {
				parts = append(parts, fmt.Sprintf("%s was %q and is now %q", what, plain(was, 300), plain(is, 300)))
			}
		}
		diff("row", a.Row, b.Row)
		diff("action", a.Action, b.Action)
		diff("records", numbers(a.Records), numbers(b.Records))
		diff("allowed", strings.Join(a.Allowed, ", "), strings.Join(b.Allowed, ", "))
		diff("demanded", strings.Join(a.Must, ", "), strings.Join(b.Must, ", "))
		diff("observed", a.Observed, b.Observed)
		if a.Uncertain != b.Uncertain {
			parts = append(parts, map[bool]string{true: "it is no longer forced by the evidence", false: "it is now forced by the evidence"}[b.Uncertain])
		}
		return key + ": " + strings.Join(parts, "; ")
	}
	return key
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

func quoted(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	parts := make([]string, 0, len(list))
	for _, s := range bounded(list, maxShown) {
		parts = append(parts, fmt.Sprintf("%q", plain(s, 300)))
	}
	return strings.Join(parts, ", ")
}
