// Package gate decides whether a report is good enough for a release. It fails
// closed: what a report does not prove is a reason not to pass.
//
//	policy, err := gate.Parse("gate.yaml", text, known)
//	decision := gate.Decide(report, policy, known, time.Now())
//	if !decision.Passed { fmt.Print(decision.Text()) }
//
// A policy is a YAML file; every field but the agent's name may be left out:
//
//	agent:
//	  name: my-agent          # the report must be about this agent
//	  allow_reference: false  # true only in lostreceipt's own CI
//	require:
//	  requirements: [C1, C2]  # or all: each is covered by a scenario that passed
//	  rows: all               # or a list: each was met in a scenario that passed
//	  self_test: true         # the report holds a self-test in which the judge bites
//	  catalogue: sha256:...   # default: the catalogue that this lostreceipt holds
//	  contract: ...           # default: the contract that this lostreceipt holds
//	allow:
//	  undetermined: 0         # how many scenarios may end so
//	  vacuous: 0
//	  not_applicable: [purchase]  # capabilities that the agent need not have
//	  unjudged: [truth]       # families of rules that its door cannot show
//	waivers:
//	  - {scenario: lost-receipt, rule: backoff-flat, owner: payments, reason: "...", expires: 2027-01-31}
//
// Without a policy the same holds, with no waiver, nothing allowed, and any
// agent but the reference.
//
// These are never allowed: a scenario of the catalogue without a result, another
// catalogue or contract, a run that was interrupted, one shard of several, a
// harness error, evidence that could not be saved, a waiver that has expired or
// that excuses nothing any more, and a history that is missing or not what the
// run wrote, where [Known.Evidence] says so.
package gate
