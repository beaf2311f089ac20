package agent

import (
	"context"
	"slices"
)

// claimFor tells the control plane where the confirmation stands before the
// move is made. The same claim is made once a process.
func (f *flow) claimFor(ctx context.Context, v *view, m move) error {
	sub := v.d.current().Submit
	switch {
	case v.d.Handover != nil && v.d.Handover.At.IsZero():
		return f.claim(ctx, sub, "blocked", v.d.Handover.Reason)
	case v.d.Handover != nil:
		return f.claim(ctx, sub, "escalated", v.d.Handover.Reason)
	case sub.unknown():
		return f.claim(ctx, sub, "pending_verification", sub.LastError)
	case sub.Standing == accepted:
		return f.claim(ctx, sub, "tracking", "")
	case m.do == doSend && m.in == sub:
		return f.claim(ctx, sub, "submitting", "")
	}
	return nil
}

// maxReason bounds the reason of a claim, in bytes.
const maxReason = 500

func (f *flow) claim(ctx context.Context, in *intent, state, reason string) error {
	c := claim{Confirmation: version{in.Confirmation.ID, in.Confirmation.Version}, State: state, Reason: reason[:min(len(reason), maxReason)]}
	if in.Record != nil {
		c.Ref = in.Record.Ref
	}
	if last := f.claimed; last.State == state && last.Confirmation == c.Confirmation && last.Ref == c.Ref {
		return nil
	}
	f.claimed = c
	if !f.p.claims(state) {
		return nil
	}
	return f.control.claim(ctx, f.task.ID, c)
}

// conclude makes the last claim and says what the result must carry.
func (f *flow) conclude(ctx context.Context, v *view, m move) (conclusion, error) {
	sub := v.d.current().Submit
	state := m.status
	switch {
	case m.claim != "":
		state = m.claim
	case m.status == "preview":
		state = "preview_ready"
	case v.d.current().status() == "withdrawn":
		state = "withdrawn"
	}
	if err := f.claim(ctx, sub, state, m.reason); err != nil {
		return conclusion{}, err
	}
	c := conclusion{status: m.status}
	if !m.silent {
		for _, word := range v.d.unverified() {
			c.unverified = append(c.unverified, unverified{f.given.ID, word})
		}
	}
	return c, nil
}

// precedence of the statuses of a result with several confirmations.
func precedence() []string {
	return []string{"escalated", "preview", "cancelled", "refused", "declined", "completed"}
}

// merge makes one result of the conclusions of all confirmations.
func merge(all []conclusion) result {
	r := result{Status: "completed", Unverified: []unverified{}}
	best := len(precedence())
	for _, c := range all {
		if i := slices.Index(precedence(), c.status); i < best {
			best, r.Status = i, c.status
		}
		r.Unverified = append(r.Unverified, c.unverified...)
	}
	return r
}
