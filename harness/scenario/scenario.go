package scenario

import (
	"encoding/json"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// Scenario is one file, read and checked.
type Scenario struct {
	_ struct{}

	File string // as it was named to the loader
	Text string // the whole file

	ID     string
	Title  string
	Covers []string // requirements
	Labels []string
	// Needs are the capabilities that an agent must have, declared ones and those that follow from what happens.
	Needs  []string
	Tasks  []Task
	Given  Given
	Faults []fault.Fault
	Expect judge.Expect

	source *source
}

// Task is one piece of work for an agent.
type Task struct {
	_ struct{}

	ID            string // [fault.Point.Task] of everything that is done for it
	Type          string
	Tenant        string
	Object        string
	OnCancel      string         // withdraw, keep or ask
	Confirmations []Confirmation // at least one, but for a question, which has none
	Asked         Asked          // of a question
	Adviser       bool           // a model stands beside a purchase
}

// Confirmation is one confirmed content, an intent of its own.
type Confirmation struct {
	_ struct{}

	ID      string
	Content map[string]string // values as they were written
}

// JSON is the content as a JSON object, its keys sorted.
func (c Confirmation) JSON() json.RawMessage {
	b, _ := json.Marshal(c.Content) // a map of strings cannot fail
	return b
}

// Given is what holds before anything happens. Durations are multiples of
// limits still.
type Given struct {
	_ struct{}

	// Guarantees are what is promised, defaults included. The retentions stand in Retention.
	Guarantees contract.Guarantees
	// Retention is how long each operation's identifiers are kept, by operation; only where they are kept.
	Retention map[string]fault.Span
	// Limits are factors by which this scenario multiplies the run's limits, by name.
	Limits   map[string]float64
	Approval ApprovalGiven
	Purchase PurchaseGiven
	// Assistant is "model" where a model advises those who purchase.
	Assistant string
	Knowledge KnowledgeGiven
	Model     ModelGiven
}

// ApprovalGiven are settings of the approval service.
type ApprovalGiven struct {
	_ struct{}

	Outcome           string     // approved, declined, or none: requests stay pending
	ApproverAfter     fault.Span // how long after the creation; default [ApproverAfter]
	ReplicaLag        fault.Span // how old the data is that queries read
	Queue             bool       // a gateway answers with a queue number
	CreateAfter       fault.Span // acceptance is later than the reply
	Refuses           string     // a code: every submission is refused for good
	Announces         string     // decision (also "") or acceptance: what people are notified of, once
	NotificationFails int        // how many notifications fail before one is sent
	NotificationAfter fault.Span // how long after the decision its notification is sent
	Plain             bool       // no similar record of another client
	Breaks            []string   // promises that are not kept
}

// PurchaseGiven are settings of the purchase service.
type PurchaseGiven struct {
	_ struct{}

	Breaks []string
}
