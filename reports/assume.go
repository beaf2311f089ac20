package reports

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// ProductionMustVerify is the sentence that stands beside the guarantees in
// every report (requirement B40).
const ProductionMustVerify = "A pass proves behaviour under these faults only. The guarantees listed here were assumed of the services; " +
	"production must verify that the real services keep each of them: retention, permissions and semantics."

// assume groups the promises of all scenarios: one entry an operation and
// promise, in the order of the operations' names.
func assume(scenarios []Scenario, scale float64) []Assumption {
	list := []Assumption{}
	index := map[string]int{}
	for _, s := range scenarios {
		for operation, promise := range s.Guarantees {
			text, err := json.Marshal(promise)
			if err != nil {
				text = fmt.Append(nil, promise)
			}
			key := operation + " " + string(text)
			i, ok := index[key]
			if !ok {
				i = len(list)
				index[key] = i
				list = append(list, Assumption{Operation: operation, Promise: promise, Words: Promised(promise, scale)})
			}
			list[i].Scenarios = append(list[i].Scenarios, s.ID)
		}
	}
	for i := range list {
		slices.Sort(list[i].Scenarios)
		list[i].Scenarios = slices.Compact(list[i].Scenarios)
	}
	slices.SortFunc(list, func(a, b Assumption) int {
		// The promise that most scenarios rest on comes first.
		if a.Operation != b.Operation {
			return strings.Compare(a.Operation, b.Operation)
		}
		if d := len(b.Scenarios) - len(a.Scenarios); d != 0 {
			return d
		}
		return strings.Compare(a.Words, b.Words)
	})
	return list
}

// Promised says a promise in words. Its retention is given at time scale 1,
// since that is the one to hold against production; scale is that of the run.
func Promised(p contract.Promise, scale float64) string {
	var parts []string
	if i := p.Idempotency; i.Supported {
		text := "recognises a repeated identifier"
		if len(i.Scope) > 0 {
			text += " within " + strings.Join(i.Scope, ", ")
		}
		if i.RetentionMS > 0 {
			keep := i.Retention()
			if scale > 0 {
				keep = time.Duration(float64(keep) / scale)
			}
			text += fmt.Sprintf(" for %s at time scale 1", keep.Round(time.Millisecond))
		}
		if i.Conflict == "reject" {
			text += " and refuses it with other content"
		}
		parts = append(parts, text)
	} else {
		parts = append(parts, "does not recognise a repeated identifier")
	}
	switch {
	case p.Query.ByRef && p.Query.ByKey:
		parts = append(parts, "can be looked up by reference and by identifier")
	case p.Query.ByRef:
		parts = append(parts, "can be looked up by reference")
	case p.Query.ByKey:
		parts = append(parts, "can be looked up by identifier")
	default:
		parts = append(parts, "cannot be looked up")
	}
	if p.Void {
		parts = append(parts, "can fence an identifier for good")
	}
	if len(p.NoEffectStatuses) > 0 {
		codes := make([]string, len(p.NoEffectStatuses))
		for i, c := range p.NoEffectStatuses {
			codes[i] = fmt.Sprint(c)
		}
		parts = append(parts, "has had no effect when it answers "+strings.Join(codes, ", "))
	}
	if len(p.WithdrawStates) > 0 {
		parts = append(parts, "accepts a withdrawal while "+strings.Join(p.WithdrawStates, " or "))
	}
	return strings.Join(parts, "; ")
}
