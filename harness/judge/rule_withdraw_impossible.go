package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var withdrawImpossible = Rule{
	ID: "withdraw-impossible", Family: Basis, Party: Agent,
	Sentence: "A withdrawal was sent that the task's rule or the record's state does not allow.",
	Correct:  "Withdraws only by rule, and only in the states that the service declares; otherwise hands over.",
	Covers:   []string{"B31", "B32"},
	unlawful: func(p *replay, a *act) *Finding {
		if a.broken(contract.Withdraw) != nil {
			return p.about(a, "withdrew while the submission was %s (the task says %q on cancel)", a.standing(), a.work.task.onCancel)
		}
		return nil
	},
}
