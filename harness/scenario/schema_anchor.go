package scenario

import (
	"regexp"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
)

// anchorSchema is an anchor: those of first calls by name, for completion, and
// every other by its form.
func anchorSchema() Schema {
	var firsts []string
	for _, op := range contract.Operations() {
		for _, phase := range phases(op) {
			firsts = append(firsts, op.String()+"#1 "+phase)
		}
	}
	firsts = append(firsts, fault.AgentStarted, fault.AgentEscalates, fault.TaskCancelled, "control.confirmation#1 delivered")
	for _, state := range fault.ClaimStates() {
		firsts = append(firsts, fault.AgentClaims+" "+state)
	}
	for _, event := range fault.EventTypes() {
		firsts = append(firsts, "event "+event+"#1 emitted", "event "+event+"#1 delivered")
	}
	return Schema{
		Description: `A moment: a phase of the n-th call of an operation, an event that is no call, or one "and then" another.`,
		AnyOf:       []*Schema{{Enum: firsts}, {Type: "string", Pattern: anchorPattern()}},
	}
}

func phases(op contract.Operation) []string {
	var names []string
	for _, p := range fault.Phases() {
		if op.Write || p != fault.Validated && p != fault.Committed {
			names = append(names, string(p))
		}
	}
	return names
}

// anchorPattern is the form of an anchor.
func anchorPattern() string {
	const ordinal = `#([1-9][0-9]*(\.\.[1-9][0-9]*)?|every)`
	reads, writes := []string{}, []string{}
	var readPhases, writePhases []string
	for _, op := range contract.Operations() {
		if op.Write {
			writes, writePhases = append(writes, op.String()), phases(op)
		} else {
			reads, readPhases = append(reads, op.String()), phases(op)
		}
	}
	steps := []string{
		either(writes) + ordinal + " " + either(writePhases),
		either(reads) + ordinal + " " + either(readPhases),
		either([]string{"control.confirmation"}) + ordinal + " " + either([]string{"delivered"}),
		either([]string{fault.AgentStarted, fault.AgentEscalates, fault.TaskCancelled}) + "(" + ordinal + ")?",
		fault.AgentClaims + " " + either(fault.ClaimStates()) + "(" + ordinal + ")?",
		"event " + either(fault.EventTypes()) + ordinal + " " + either([]string{"emitted", "delivered"}),
	}
	step := `([A-Za-z0-9][A-Za-z0-9._-]*/)?(` + strings.Join(steps, "|") + ")"
	return "^" + step + "( and then " + step + ")*$"
}

// spanPattern is the form of a duration.
func spanPattern() string {
	return `^(0|[1-9][0-9]*)(\.[0-9]+)? ` + either(limitNames()) + "$"
}

// either matches one of these words.
func either(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = regexp.QuoteMeta(w)
	}
	return "(" + strings.Join(quoted, "|") + ")"
}
