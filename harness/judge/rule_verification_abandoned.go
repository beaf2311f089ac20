package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var verificationAbandoned = Rule{
	ID: "verification-abandoned", Family: Bounds, Party: Agent, Hears: true, Owes: true,
	Sentence: "A task was handed over while its outcome could still be verified.",
	Correct:  "Goes on querying, or replays while that is safe, until the verification period is over.",
	Covers:   []string{"B24", "B20"},
	Duties:   []string{contract.KeepVerifying},
	unlawful: func(p *replay, a *act) *Finding {
		if a.action != contract.Escalate || !a.set().Any(contract.InDoubt, contract.Unsent) {
			return nil
		}
		f := p.about(a, "escalated while the outcome was %s and the verification period ran", a.standing())
		if a.intent.beganN == 0 {
			return f
		}
		return p.timed(f, a.intent.began+p.limits.VerificationPeriod-a.at, a.intent.began, a.at)
	},
	act: func(p *replay, a *act) *Finding {
		i := a.intent
		if a.action != contract.Escalate || !a.lawful || !i.promise.Query.ByKey || len(i.sends) == 0 || i.asked > 0 {
			return nil
		}
		if !a.set().Only(contract.InDoubt) || !a.surelyNot(contract.InPeriod) || !a.surelyNot(contract.Stopped) {
			return nil
		}
		if a.work.given+p.limits.AttemptTimeout > i.began+p.limits.VerificationPeriod {
			return nil // nobody was there to ask
		}
		return p.about(a, "escalated as unknown without having asked once what became of it")
	},
	state: func(p *replay, s *statement) *Finding {
		if !s.result || s.state() != "escalated" || len(s.work.task.escalated) > 0 {
			return nil
		}
		for _, i := range s.work.task.recent() {
			if demands(p.situations(i, s.work, s.rec.At), contract.KeepVerifying) {
				return p.says(s, i, "the task was ended while %s was in doubt and could still be verified", i)
			}
		}
		return nil
	},
}
