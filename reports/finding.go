package reports

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// The most characters that one statement of a finding takes in a report for people.
const (
	maxName     = 120
	maxSentence = 2000
	maxCommand  = 4000
	maxNumbers  = 40
)

// A statement is one thing that a finding says, and what kind of thing it is.
type statement struct {
	label string
	text  string
	exact bool // a command: never wrapped, so that it can be copied
}

// inference labels the likely cause wherever it is shown: it is not observed.
const inference = "likely cause (inference)"

// Accuses tells whether a finding is one on which a violation rests: it is
// against the agent, and the evidence forces it.
func Accuses(f judge.Finding) bool { return f.Party == judge.Agent && !f.Uncertain }

// Decides tells whether a violation may rest on a finding: the evidence forces
// it, against the agent, or against another party where a scenario says that the
// rule must never fire.
func Decides(f judge.Finding) bool { return !f.Uncertain }

// heading is a finding in half a line.
func heading(f judge.Finding) string {
	text := plain(f.Rule, maxName)
	if f.Party != judge.Agent {
		text += " (party: " + plain(string(f.Party), maxName) + ")"
	}
	return text
}

// statements are what a finding says, apart from each other: what was observed,
// what is allowed and demanded, what may have caused it, what is correct, how to repeat it.
// The texts are harmless.
func statements(f judge.Finding) []statement {
	var list []statement
	say := func(label, text string, limit int) {
		if text != "" {
			list = append(list, statement{label: label, text: plain(text, limit)})
		}
	}
	say("observed", f.Observed, maxSentence)
	say("records", numbers(f.Records), maxSentence)
	say("party", string(f.Party), maxName)
	say("concerns", concerns(f), maxSentence)
	say("row", f.Row, maxName)
	if f.Row != "" || len(f.Allowed) > 0 {
		allowed := strings.Join(f.Allowed, ", ")
		if allowed == "" {
			allowed = "no write"
		}
		say("allowed", allowed, maxSentence)
	}
	say("demanded", strings.Join(f.Must, ", "), maxSentence)
	if f.Margin != 0 {
		say("margin", fmt.Sprintf("the bound was missed by %s", f.Margin), maxName)
	}
	if f.Uncertain {
		say("certainty", "the evidence does not force this finding", maxName)
	}
	say(inference, f.Cause, maxSentence)
	say("correct", f.Correct, maxSentence)
	if f.Repeat != "" {
		list = append(list, statement{label: "repeat", text: plain(f.Repeat, maxCommand), exact: true})
	}
	return list
}

func concerns(f judge.Finding) string {
	var parts []string
	for _, p := range []struct{ name, value string }{{"task", f.Task}, {"intent", f.Intent}, {"action", f.Action}} {
		if p.value != "" {
			parts = append(parts, p.name+" "+plain(p.value, maxName))
		}
	}
	return strings.Join(parts, ", ")
}

// numbers names records: "14, 19 and 23 of the history".
func numbers(records []int) string {
	if len(records) == 0 {
		return ""
	}
	more := ""
	if n := len(records) - maxNumbers; n > 0 {
		records, more = records[:maxNumbers], fmt.Sprintf(" and %d more", n)
	}
	names := make([]string, len(records))
	for i, n := range records {
		names[i] = "#" + strconv.Itoa(n)
	}
	return strings.Join(names, ", ") + more
}

// FindingText is one finding as harmless text, a line for each thing it says:
// the failure text of suites and of JUnit.
func FindingText(f judge.Finding) string {
	var out strings.Builder
	out.WriteString(heading(f) + "\n")
	for _, s := range statements(f) {
		fmt.Fprintf(&out, "  %s: %s\n", s.label, s.text)
	}
	return out.String()
}
