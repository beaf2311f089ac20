package manual

import (
	"fmt"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
)

// effects are all effects, and the anchors at which they stand.
func effects() string {
	var b strings.Builder
	b.WriteString("A fault has an anchor (`at:`) and effects (`do:`). An anchor is a phase of the n-th call of an operation,\n" +
		"`approval.submit#1 replied`; `#1..3` and `#every` mean several. Others are " +
		codes([]string{fault.AgentStarted, fault.AgentClaims + " STATE", fault.AgentEscalates, fault.TaskCancelled, "event TYPE#1 emitted", "event TYPE#1 delivered", "control.confirmation#1 delivered"}) +
		".\n`A and then B` is B once A has passed. With several tasks a prefix names the task: `b/approval.submit#1 sent`.\n\n")
	b.WriteString("## operations\n\n")
	var lines [][]string
	for _, op := range contract.Operations() {
		var phases []string
		for _, p := range fault.Phases() {
			if op.Write || p != fault.Validated && p != fault.Committed {
				phases = append(phases, string(p))
			}
		}
		lines = append(lines, []string{code(op.String()), plain(op.Summary), codes(phases)})
	}
	b.WriteString(table([]string{"operation", "what it does", "phases"}, lines))
	for _, family := range fault.Families() {
		fmt.Fprintf(&b, "## family %s\n\n", family)
		var lines [][]string
		for _, k := range fault.Effects() {
			if k.Family == family {
				lines = append(lines, []string{code(k.Name), plain(k.Summary), code(k.Usage), plain(k.Where), codes(k.Needs)})
			}
		}
		b.WriteString(table([]string{"effect", "what it does", "written", "stands at", "needs"}, lines))
	}
	return b.String()
}
