package scenario

import (
	"math"
	"slices"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
)

// Breakable are the promises of the approval service that a scenario can have
// it break.
func Breakable() []string {
	return []string{"idempotency", "atomicity", "concurrency", "conflict", "retention", "void", "refusal", "notification"}
}

// PurchaseBreakable are the promises of the purchase service that a scenario can
// have it break.
func PurchaseBreakable() []string {
	return []string{"idempotency", "atomicity", "concurrency", "conflict", "retention", "refusal"}
}

// acceptance is what a notification tells of in place of a decision.
const acceptance = "acceptance"

// Announced are the events that a scenario can have the approval service notify
// people of.
func Announced() []string { return []string{"decision", acceptance} }

// operations are the names that guarantees can be given for.
func operations() []string {
	return []string{"approval.submit", "approval.withdraw", "approval.notify", "purchase.buy"}
}

func (s *Scenario) readGiven(r *fault.Reader) {
	s.Given.Guarantees, s.Given.Retention = DefaultGuarantees()
	s.Given.Approval = ApprovalGiven{Outcome: DefaultOutcome, ApproverAfter: ApproverAfter()}
	names := append(operations(), "limits", "on_cancel", "breaks", "approval", "purchase", "assistant", "knowledge", "model")
	if !r.Fields(names...) {
		return
	}
	for _, op := range operations() {
		s.readPromise(op, r.Field(op))
	}
	s.readLimits(r.Field("limits"))
	if f := r.Field("assistant"); f.Present() {
		if s.Given.Assistant = f.OneOf("assistant", []string{"model"}); s.Given.Assistant != "" && !s.buys() {
			f.Complain("an assistant stands beside a purchase, and there is none here")
		}
		for i := range s.Tasks {
			s.Tasks[i].Adviser = s.Given.Assistant != "" && s.Tasks[i].Type != Question
		}
	}
	s.readKnowledge(r.Field("knowledge"))
	s.readModel(r.Field("model"))
	s.readApproval(r.Field("approval"))
	s.Given.Approval.Breaks = append(s.Given.Approval.Breaks, r.Field("breaks").Words("promise", Breakable())...)
	if p := r.Field("purchase"); p.Fields("breaks") {
		s.Given.Purchase.Breaks = p.Field("breaks").Words("promise", PurchaseBreakable())
	}
}

// readPromise lays what is written over an operation's default promise.
func (s *Scenario) readPromise(op string, r *fault.Reader) {
	if !r.Present() || !r.Fields("idempotency", "query", "void", "no_effect_statuses", "withdraw_states") {
		return
	}
	p := s.Given.Guarantees[op]
	if i := r.Field("idempotency"); i.Fields("supported", "scope", "retention", "conflict") && i.Present() {
		if f := i.Field("supported"); f.Present() {
			p.Idempotency.Supported = f.Bool()
		}
		if f := i.Field("scope"); f.Present() {
			p.Idempotency.Scope = f.Words("scope", []string{"tenant", "action", "object"})
		}
		if f := i.Field("conflict"); f.Present() {
			p.Idempotency.Conflict = f.OneOf("answer to a conflict", []string{"reject"})
		}
		if f := i.Field("retention"); f.Present() {
			if !p.Idempotency.Supported {
				f.Complain("identifiers that are not supported have no retention")
			}
			s.Given.Retention[op] = f.Span()
		}
	}
	if !p.Idempotency.Supported {
		p.Idempotency = contract.Idempotency{}
		delete(s.Given.Retention, op)
	}
	if q := r.Field("query"); q.Fields("by_ref", "by_key") {
		if f := q.Field("by_ref"); f.Present() {
			p.Query.ByRef = f.Bool()
		}
		if f := q.Field("by_key"); f.Present() {
			p.Query.ByKey = f.Bool()
		}
	}
	if f := r.Field("void"); f.Present() {
		if op != "approval.submit" && f.Bool() {
			f.Complain("only approval.submit has a fence")
		}
		p.Void = f.Bool()
	}
	if f := r.Field("no_effect_statuses"); f.Present() {
		p.NoEffectStatuses = nil
		for _, item := range f.Items("403") {
			p.NoEffectStatuses = append(p.NoEffectStatuses, item.Int(400, 599))
		}
	}
	if f := r.Field("withdraw_states"); f.Present() {
		p.WithdrawStates = f.Words("state", []string{"pending", "approved", "declined"})
	}
	s.Given.Guarantees[op] = p
}

// readLimits reads the factors by which limits differ from the run's.
func (s *Scenario) readLimits(r *fault.Reader) {
	if !r.Present() || !r.Fields(contract.DurationNames()...) {
		return
	}
	s.Given.Limits = map[string]float64{}
	for _, name := range contract.DurationNames() {
		f := r.Field(name)
		if !f.Present() {
			continue
		}
		if w := f.Written(); w.Shape == fault.Scalar {
			if span, err := fault.ParseSpan(w.Text); err == nil {
				f.Complain("a limit is given as a multiple of the run's own, a number alone, not %q", span)
				continue
			}
		}
		if n := f.Number(100); n > 0 {
			s.Given.Limits[name] = n
		}
	}
}

func (s *Scenario) readApproval(r *fault.Reader) {
	if !r.Present() || !r.Fields("outcome", "approver_after", "replica_lag", "queue", "create_after", "refuses", "announces", "notification_fails", "notification_after", "plain", "breaks") {
		return
	}
	a := &s.Given.Approval
	set(&a.Outcome, r.Field("outcome").OneOf("outcome", []string{"approved", "declined", noOutcome}))
	if f := r.Field("approver_after"); f.Present() {
		if a.ApproverAfter = f.Span(); a.Outcome == noOutcome {
			f.Complain("with outcome: none the approver never decides")
		}
	}
	a.ReplicaLag = r.Field("replica_lag").Span()
	a.Queue = r.Field("queue").Bool()
	a.CreateAfter = r.Field("create_after").Span()
	a.Refuses = r.Field("refuses").Text()
	a.Announces = r.Field("announces").OneOf("event", Announced())
	if f := r.Field("notification_fails"); f.Present() {
		a.NotificationFails = f.Int(1, math.MaxInt16)
	}
	if f := r.Field("notification_after"); f.Present() {
		if a.NotificationAfter = f.Span(); a.Announces == acceptance {
			f.Complain("what announces the acceptance is sent with it, and not after a decision")
		}
	}
	a.Plain = r.Field("plain").Bool()
	a.Breaks = r.Field("breaks").Words("promise", Breakable())
}

// checkEvents refuses anchors on events that the approver never brings about, and
// parts of a decision that fail where a decision has no part.
func (s *Scenario) checkEvents(r *fault.Reader) {
	reachable := map[string]bool{s.Given.Approval.Outcome: true, "withdrawn": true}
	for _, f := range s.Faults {
		for _, e := range f.Do {
			reachable[fault.Decides(e)] = true
		}
	}
	if r.Written().Shape != fault.List {
		return
	}
	for i, item := range r.Items("") {
		fails := slices.ContainsFunc(s.Faults[i].Do, func(e fault.Effect) bool { return e.Name() == "partial" })
		if fails && s.Given.Approval.Announces == acceptance {
			item.Field("do").Complain("no decision is announced here, so that no notification of it can fail: use notification_fails")
		}
		for _, step := range s.Faults[i].At.Steps {
			if (step.Event == fault.EventEmitted || step.Event == fault.EventDelivered) && !reachable[step.Detail] {
				item.Field("at").Complain("%q is never reached: the outcome of this scenario is %s", step, s.Given.Approval.Outcome)
			}
		}
	}
}

// endsWith tells whether every ending that is allowed has at least one of a consequence.
func (s *Scenario) endsWith(consequence string) bool {
	return len(s.Expect.AnyOf) > 0 && !slices.ContainsFunc(s.Expect.AnyOf, func(e ending) bool { return e.Consequences[consequence] == 0 })
}
