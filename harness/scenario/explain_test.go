package scenario

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestAScenarioIsExplainedInWords(t *testing.T) {
	NewWithT(t).Expect(Explain(load(t, "approval/stale-empty-late-success.yaml"))).To(Equal(`stale-empty-late-success: The query is empty for a while; the original request completes later
Covers B20, B24, C3.

What is asked
  t-1: a purchase-approval for po-17 of acme; when it is cancelled: withdraw
    c-1: amount 1200.00, applicant u-1, currency EUR, item measuring bench

What is promised
  approval.submit: repeated identifiers are not recognised; records are found by identifier and by reference
  approval.withdraw: a repeated identifier is recognised for 1 retention; records are found by identifier and by reference
  approval.notify: a repeated identifier is recognised for 1 retention; records are found by identifier and by reference
  purchase.buy: a repeated identifier is recognised for 1 retention; records are found by identifier
  The request is approved 0.25 verification_period after its creation.
  Queries read a replica that is 0.5 verification_period old.

What breaks
  1. When the first approval.submit has left the client and nothing of it has been passed on: the message is held until the client has taken the whole reply to the third approval.query (0.8 verification_period at the latest).

What is allowed
  Whatever the contract table allows, under every rule of the judge.
  Rows that apply: unknown-queryable, confirmed-accepted.
  It must end so: the result is completed, exactly 1 approval, exactly 1 purchase.
  or so: the result is escalated, exactly 1 approval, no purchase.
`))
}

func TestAnExplanationNamesEveryFault(t *testing.T) {
	text := Explain(load(t, "approval/two-intents.yaml"))
	g := NewWithT(t)
	g.Expect(text).To(ContainSubstring("  1. When the first approval.submit has left the client and nothing of it has been passed on (task b), and after that the consequence of the first approval.submit stands in the ledger and no reply is written (task b): the agent's process is killed and another is started after 0.5 attempt_timeout; then the service breaks off after the consequence"))
	g.Expect(text).To(ContainSubstring("  2. When the second piece of work has been given to an agent (task b), and 1 attempt_timeout later: the task is cancelled. Some correct designs never get there.\n"))
	g.Expect(text).To(ContainSubstring("  The service is at fault here, and the judge must say so.\n"))
	g.Expect(text).To(ContainSubstring("  The limit verification_period is 2 times the run's.\n"))
	g.Expect(text).NotTo(ContainSubstring("%!"))
}
