package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
)

// Explain says in words what a scenario is about: what is promised, what will
// break where, which rows apply, and what is allowed to come of it.
func Explain(s *Scenario) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", s.ID, s.Title)
	fmt.Fprintf(&b, "Covers %s.", strings.Join(s.Covers, ", "))
	if len(s.Needs) > 0 {
		fmt.Fprintf(&b, " Needs an agent that can: %s.", strings.Join(s.Needs, ", "))
	}
	b.WriteString("\n\nWhat is asked\n")
	for _, t := range s.Tasks {
		explainTask(&b, t)
	}
	explainTalk(&b, s)
	if s.buys() {
		b.WriteString("\nWhat is promised\n")
	}
	for _, op := range s.promised() {
		fmt.Fprintf(&b, "  %s: %s\n", op, explainPromise(s.Given.Guarantees[op], s.Given.Retention[op]))
	}
	explainServices(&b, s)
	b.WriteString("\nWhat breaks\n")
	if len(s.Faults) == 0 {
		b.WriteString("  Nothing: this is a control.\n")
	}
	for i, f := range s.Faults {
		fmt.Fprintf(&b, "  %d. %s\n", i+1, explainFault(f))
	}
	b.WriteString("\nWhat is allowed\n")
	b.WriteString("  Whatever the contract table allows, under every rule of the judge.\n")
	if len(s.Expect.Rows) > 0 {
		fmt.Fprintf(&b, "  Rows that apply: %s.\n", strings.Join(s.Expect.Rows, ", "))
	}
	for i, e := range s.Expect.AnyOf {
		lead := "It must end so"
		if i > 0 {
			lead = "or so"
		}
		fmt.Fprintf(&b, "  %s: %s.\n", lead, explainEnding(e))
	}
	if s.Expect.Blames != "" {
		fmt.Fprintf(&b, "  The %s is at fault here, and the judge must say so.\n", s.Expect.Blames)
	}
	if len(s.Expect.Never) > 0 {
		fmt.Fprintf(&b, "  Never, whoever is to blame: %s.\n", strings.Join(s.Expect.Never, ", "))
	}
	return b.String()
}

func explainTask(b *strings.Builder, t Task) {
	if t.Type == Question {
		explainAsked(b, t)
		return
	}
	fmt.Fprintf(b, "  %s: a %s for %s of %s", t.ID, t.Type, t.Object, t.Tenant)
	if n := len(t.Confirmations); n > 1 {
		fmt.Fprintf(b, ", %d confirmations", n)
	}
	fmt.Fprintf(b, "; when it is cancelled: %s\n", t.OnCancel)
	for _, c := range t.Confirmations {
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(c.Content)) {
			parts = append(parts, name+" "+c.Content[name])
		}
		fmt.Fprintf(b, "    %s: %s\n", c.ID, strings.Join(parts, ", "))
	}
}

func explainAsked(b *strings.Builder, t Task) {
	fmt.Fprintf(b, "  %s: a %s: %s\n", t.ID, t.Type, t.Asked.Prompt)
	fmt.Fprintf(b, "    tools %s; models %s\n", strings.Join(t.Asked.Tools, ", "), strings.Join(t.Asked.Models, ", then "))
	for _, name := range slices.Sorted(maps.Keys(t.Asked.Fallback)) {
		fmt.Fprintf(b, "    when %s fails: %s\n", name, strings.Join(t.Asked.Fallback[name], ", then "))
	}
	for i, step := range t.Asked.Steps {
		fmt.Fprintf(b, "    step %d: %s\n", i+1, step)
	}
}

// explainTalk says what the model and the tools are set to.
func explainTalk(b *strings.Builder, s *Scenario) {
	if !s.talks() {
		return
	}
	b.WriteString("\nWhat the model and the tools do\n")
	if s.Given.Assistant != "" {
		b.WriteString("  A model advises the agent.\n")
	}
	for i, t := range s.Given.Model.Script {
		fmt.Fprintf(b, "  In its turn %d the model %s", i+1, t.Words())
		if t.AfterError != nil {
			fmt.Fprintf(b, "; after an error it %s", t.AfterError.Words())
		}
		b.WriteString(".\n")
	}
	k := s.Given.Knowledge
	for _, set := range []struct {
		names  []string
		format string
	}{
		{s.Given.Model.Missing, "  There is no model %s.\n"},
		{k.Denies, "  Nobody here may call %s.\n"},
		{k.Missing, "  There is nothing to be found by %s.\n"},
		{k.Refuses, "  The service takes no arguments of %s, whatever the schema says.\n"},
	} {
		if len(set.names) > 0 {
			fmt.Fprintf(b, set.format, strings.Join(set.names, " or "))
		}
	}
}

func explainPromise(p contract.Promise, retention fault.Span) string {
	var parts []string
	if p.Idempotency.Supported {
		parts = append(parts, "a repeated identifier is recognised for "+retention.String())
	} else {
		parts = append(parts, "repeated identifiers are not recognised")
	}
	switch {
	case p.Query.ByKey && p.Query.ByRef:
		parts = append(parts, "records are found by identifier and by reference")
	case p.Query.ByKey:
		parts = append(parts, "records are found by identifier")
	case p.Query.ByRef:
		parts = append(parts, "records are found by reference only")
	default:
		parts = append(parts, "there is no way to look up what happened")
	}
	if p.Void {
		parts = append(parts, "an identifier can be fenced")
	}
	return strings.Join(parts, "; ")
}

// promised are the operations whose promises matter to the tasks.
func (s *Scenario) promised() []string {
	if !s.buys() {
		return nil
	}
	return operations()
}

func explainServices(b *strings.Builder, s *Scenario) {
	g := s.Given
	a := g.Approval
	switch {
	case !s.buys():
	case a.Outcome == noOutcome:
		b.WriteString("  The approver never decides.\n")
	default:
		fmt.Fprintf(b, "  The request is %s %s after its creation.\n", a.Outcome, a.ApproverAfter)
	}
	line := func(is bool, format string, args ...any) {
		if is {
			fmt.Fprintf(b, "  "+format+"\n", args...)
		}
	}
	line(!a.ReplicaLag.IsZero(), "Queries read a replica that is %s old.", a.ReplicaLag)
	line(a.Queue, "A gateway answers with a queue number.")
	line(!a.CreateAfter.IsZero(), "The acceptance comes %s after the reply.", a.CreateAfter)
	line(a.Refuses != "", "Every submission is refused for good: %s.", a.Refuses)
	line(a.Announces == acceptance, "People are notified of the acceptance, and not of the decision.")
	line(a.NotificationFails > 0, "The first %d notifications fail.", a.NotificationFails)
	line(!a.NotificationAfter.IsZero(), "The notification of a decision is sent %s after it.", a.NotificationAfter)
	line(len(a.Breaks) > 0, "The approval service breaks its promise of %s.", strings.Join(a.Breaks, ", "))
	line(len(g.Purchase.Breaks) > 0, "The purchase service breaks its promise of %s.", strings.Join(g.Purchase.Breaks, ", "))
	for _, name := range slices.Sorted(maps.Keys(g.Limits)) {
		fmt.Fprintf(b, "  The limit %s is %g times the run's.\n", name, g.Limits[name])
	}
}

func explainFault(f fault.Fault) string {
	var effects []string
	for _, e := range f.Do {
		effects = append(effects, e.Words())
	}
	text := "When " + f.At.Words()
	if !f.Delay.IsZero() {
		text += ", and " + f.Delay.String() + " later"
	}
	text += ": " + strings.Join(effects, "; then ") + "."
	if f.Connection != "" {
		text += " Only on a " + f.Connection + " connection."
	}
	if f.Optional {
		text += " Some correct designs never get there."
	}
	return text
}

func explainEnding(e ending) string {
	var parts []string
	if len(e.Ends) > 0 {
		parts = append(parts, "the result is "+strings.Join(e.Ends, " or "))
	}
	for _, kind := range Consequences() {
		n, counted := e.Consequences[kind]
		switch {
		case !counted:
		case n == 0:
			parts = append(parts, "no "+kind)
		case n == 1:
			parts = append(parts, "exactly 1 "+kind)
		default:
			parts = append(parts, fmt.Sprintf("exactly %d %ss", n, kind))
		}
	}
	return strings.Join(parts, ", ")
}
