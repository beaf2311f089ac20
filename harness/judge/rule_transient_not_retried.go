package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var transientNotRetried = Rule{
	ID: "transient-not-retried", Family: Bounds, Party: Agent,
	Sentence: "A request that was only turned away for a moment was given up.",
	Correct:  "Waits as long as it is asked to, and sends the same request again while attempts and time are left.",
	Covers:   []string{"A02", "B27", "B39"},
	unlawful: func(p *replay, a *act) *Finding {
		if a.action != contract.Escalate || len(a.intent.sends) == 0 || !a.set().Only(contract.Unsent) {
			return nil
		}
		f := p.about(a, "escalated after %d of %d attempts, each of which was turned away without effect", len(a.intent.sends), p.limits.MaxAttempts)
		f.Records = append(a.intent.sent(), f.Records...)
		return p.timed(f, a.intent.began+p.limits.VerificationPeriod-a.at)
	},
}
