package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var verificationOverrun = Rule{
	ID: "verification-overrun", Family: Bounds, Party: Agent, Hears: true,
	Sentence: "The verification period was over and the task was not handed over in time.",
	Correct:  "Hands over at the end of the verification period, at the latest after the query that was under way.",
	Covers:   []string{"B25"},
	unlawful: func(p *replay, a *act) *Finding {
		if a.resends() && a.surelyNot(contract.InPeriod) {
			return p.timed(p.about(a, "%s after the verification period", a.action), a.at-a.intent.beganLate-p.limits.VerificationPeriod, a.intent.beganLate, a.at)
		}
		return nil
	},
	act: func(p *replay, a *act) *Finding {
		i := a.intent
		if a.action != contract.Escalate || i.escalated != nil || i.beganN == 0 || !a.set().Only(contract.InDoubt) {
			return nil
		}
		bound := max(i.beganLate+p.limits.VerificationPeriod, i.busyUntil, a.work.given)
		bound += a.work.process.frozen(a.work.given, a.at) + p.limits.Slack(p.blur(bound, a.at))
		if a.at <= bound {
			return nil
		}
		return p.timed(p.about(a, "escalated %s after the end of the verification period", millis(a.at-bound)), a.at-bound, bound, a.at)
	},
}
