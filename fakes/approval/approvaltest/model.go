package approvaltest

import (
	"net/http"

	"github.com/anishathalye/porcupine"

	"github.com/lostreceipt/lostreceipt/fakes/approval"
	"github.com/lostreceipt/lostreceipt/fakes/service"
)

// identifier is what has become of one identifier.
type identifier struct {
	fenced  bool
	created bool
	ref     string // "" while nobody was told
	content string
	status  string
}

// model says what each request may be answered, and what it does. It is not
// deterministic: a request without an answer may have happened or not, and an
// approver may have decided in between.
func model() porcupine.Model {
	m := porcupine.NondeterministicModel{
		Init: func() []any { return []any{identifier{}} },
		Step: func(state, input, output any) []any {
			var next []any
			for _, s := range state.(identifier).byNow() {
				next = append(next, s.step(input.(request), output.(answer))...)
			}
			return next
		},
		DescribeOperation: func(input, output any) string { return describe(input.(request), output.(answer)) },
	}
	return m.ToModel()
}

// byNow are the states that the identifier can be in by the next request.
func (s identifier) byNow() []identifier {
	all := []identifier{s}
	if s.created && s.status == approval.Pending {
		for _, decided := range []string{approval.Approved, approval.Declined} {
			d := s
			d.status = decided
			all = append(all, d)
		}
	}
	return all
}

// step returns the states after a request that was answered so; none when it
// cannot have been.
func (s identifier) step(in request, out answer) []any {
	if out.status == 0 {
		return []any{s, s.after(in)}
	}
	lawful := false
	switch in.do {
	case "submit":
		lawful = s.answersSubmit(in, out)
	case "query":
		lawful = out.status == http.StatusOK && (out.records == 0 && !s.created || out.records == 1 && s.shown(out))
	case "state":
		lawful = out.status == http.StatusOK && s.answersState(out)
	case "void":
		lawful = out.status == http.StatusOK && (s.created && out.state == service.StateCreated && s.named(out) || !s.created && out.state == service.StateVoid)
	case "withdraw":
		lawful = s.answersWithdraw(out)
	}
	if !lawful {
		return nil
	}
	next := s.after(in)
	if next.created && next.ref == "" {
		next.ref = out.ref
	}
	return []any{next}
}

// after is the state after a request was carried out.
func (s identifier) after(in request) identifier {
	switch in.do {
	case "submit":
		if !s.fenced && !s.created {
			s.created, s.content, s.status = true, in.of.Content, approval.Pending
		}
	case "void":
		s.fenced = s.fenced || !s.created
	case "withdraw":
		if s.created && s.status == approval.Pending {
			s.status = approval.Withdrawn
		}
	}
	return s
}

func (s identifier) answersSubmit(in request, out answer) bool {
	switch {
	case s.fenced:
		return out.status == http.StatusConflict && out.code == "void"
	case s.created && s.content != in.of.Content:
		return out.status == http.StatusConflict && out.code == "identifier_conflict"
	case s.created:
		return out.status == http.StatusCreated && s.shown(out)
	}
	return out.status == http.StatusCreated && out.ref != "" && out.state == approval.Pending
}

// answersState: while nothing is settled, the identifier is unknown or, with a
// request under way, processing.
func (s identifier) answersState(out answer) bool {
	switch {
	case s.fenced:
		return out.state == service.StateVoid
	case s.created:
		return out.state == service.StateCreated && s.named(out)
	}
	return out.state == service.StateUnknown || out.state == service.StateProcessing
}

func (s identifier) answersWithdraw(out answer) bool {
	switch {
	case !s.created:
		return out.status == http.StatusNotFound
	case s.status == approval.Pending || s.status == approval.Withdrawn:
		return out.status == http.StatusOK && out.state == approval.Withdrawn && s.named(out)
	}
	return out.status == http.StatusConflict && out.code == "state"
}

// named tells whether an answer names the record.
func (s identifier) named(out answer) bool {
	return s.created && (s.ref == "" && out.ref != "" || s.ref == out.ref)
}

// shown tells whether an answer shows the record as it is.
func (s identifier) shown(out answer) bool { return s.named(out) && out.state == s.status }
