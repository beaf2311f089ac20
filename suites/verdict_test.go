package suites_test

import (
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// Findings and verdicts as the judge makes them, with what a hostile agent might get into a text.

func doubled() judge.Finding {
	return judge.Finding{
		Rule: "duplicate-consequence", Party: judge.Agent, Task: "t-1", Intent: "submission of c-1 version 1",
		Observed: "the ledger holds 2 rows of one submission", Records: []int{22, 11, 26},
		Correct: "Never sends again without protection.", Repeat: "lostreceipt run lost-receipt --seed 1 -- ./agent",
	}
}

func changed() judge.Finding {
	return judge.Finding{
		Rule: "identifier-changed", Party: judge.Agent, Row: "unknown-replay-protected", Action: "resubmit", Records: []int{8, 22},
		Observed: "sent again as \"\x1b[2Jk-2\r\n\u202e\"", Allowed: []string{"replay"}, Cause: "the identifier is made for each attempt",
	}
}

func forgotten() judge.Finding {
	return judge.Finding{Rule: "dedup-not-atomic", Party: judge.Service, Observed: "its record was not saved", Records: []int{12}}
}

const doubledText = `duplicate-consequence
  observed: the ledger holds 2 rows of one submission
  records: #22, #11, #26
  party: agent
  concerns: task t-1, intent submission of c-1 version 1
  correct: Never sends again without protection.
  repeat: lostreceipt run lost-receipt --seed 1 -- ./agent`

const changedText = `identifier-changed
  observed: sent again as "\x1b[2Jk-2 \u202e"
  records: #8, #22
  party: agent
  concerns: action resubmit
  row: unknown-replay-protected
  allowed: replay
  likely cause (inference): the identifier is made for each attempt`

const forgottenText = `dedup-not-atomic (party: service)
  observed: its record was not saved
  records: #12
  party: service`

// broken is a violation.
func broken() judge.Verdict {
	return judge.Verdict{Outcome: judge.Violation, Findings: []judge.Finding{forgotten(), changed(), doubled()}}
}

const brokenText = "violation\n\n" + changedText + "\n\n" + doubledText + "\n\n" + forgottenText

// clean is a pass: the service is at fault, as the scenario says.
func clean() judge.Verdict {
	return judge.Verdict{Outcome: judge.Pass, Findings: []judge.Finding{forgotten()}}
}

const cleanText = "pass\n\n" + forgottenText

// vacuous decides nothing.
func vacuous() judge.Verdict {
	return judge.Verdict{Outcome: judge.Vacuous, Reasons: []string{"fault f-1 did not fire: approval.submit#1 replied reset", "\x1b]0;x\x07"}}
}

const vacuousText = "vacuous\n  fault f-1 did not fire: approval.submit#1 replied reset\n  \\x1b]0;x\\x07"
