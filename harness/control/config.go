package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Defaults and bounds.
const (
	// DefaultMaxRequests is how many control requests a task may make.
	DefaultMaxRequests = 10_000
	// DefaultMaxWait bounds a long poll, whatever the agent asks for.
	DefaultMaxWait = 30 * time.Second
	// MaxBody is the largest request body, in bytes.
	MaxBody = 1 << 20
)

// Permissions are what a confirmation permits unless its task says otherwise.
func Permissions() []string { return []string{"submit", "withdraw", "purchase", "notify"} }

// Config is what a plane is made of. Log and Tasks are required.
type Config struct {
	_ struct{}

	// Log takes the records.
	Log *history.Log
	// Tasks are all tasks of the run.
	Tasks []Task
	// Limits travel with each task, in milliseconds.
	Limits contract.Limits
	// Guarantees travel with each task.
	Guarantees contract.Guarantees
	// Seed makes the confirmations' digests, which are opaque and repeatable.
	Seed uint64
	// Digest computes the digest of a canonical content for [history.Facts.Content]. Nil: none is recorded.
	Digest func(content json.RawMessage) string
	// Notify is told of the moments at which a fault may act: agent started, agent claims, task cancelled,
	// event delivered, control.confirmation delivered. It is called after the moment's record was appended and,
	// but for the last, before the agent is answered. It must not block. Nil: nobody is told.
	Notify func(p fault.Point)
	// Open makes the endpoints of one work item, by the service's name. It is called when the item is handed
	// out, without any lock held. An error ends the plane's usefulness: see [Plane.Failed]. Nil: no endpoints.
	Open func(ctx context.Context, task, work string) (map[string]string, error)
	// Host is the address to listen on. "": 127.0.0.1.
	Host string
	// StateDir is the directory in which a task's processes keep what must survive a kill. Nil: "".
	StateDir func(task string) string
	// Mark is appended, behind a dot, to the ids of tasks and work items as the agent sees them: it tells runs
	// apart for an agent that outlives them. The ids of confirmations are used as they are given. "": no mark.
	Mark string
	// MaxRequests bounds the control requests of one task. 0: [DefaultMaxRequests].
	MaxRequests int
	// MaxWait bounds one long poll. 0: [DefaultMaxWait].
	MaxWait time.Duration
}

// Task is one piece of work, as the protocol describes it.
type Task struct {
	_ struct{}

	ID            string
	Type          string // purchase-approval, question
	Tenant        string
	Object        string
	OnCancel      string          // withdraw, keep or ask
	Confirmations []Confirmation  // one: sent as "confirmation"; several: as "confirmations"
	Input         json.RawMessage // of a question, or of a purchase with an adviser
}

// Confirmation is what a person confirmed. Its digest is made by the plane.
type Confirmation struct {
	_ struct{}

	ID          string
	Version     int             // 0: 1
	Content     json.RawMessage // a JSON object
	ConfirmedBy string          // "": u-1
	Permissions []string        // nil: all of [Permissions]
}

// Event is what a service tells the agent about one of its records.
type Event struct {
	_ struct{}

	Type   string          // approval.approved, ...
	Record json.RawMessage // the service's record
	Seq    int
	Facts  *history.Facts // what the record states, for the history
}

// Decision is what a person decides about an escalation.
type Decision struct {
	_ struct{}

	Escalation string
	Choice     string // wait, close or resubmit
	By         string // "": u-2
}

// Unverified is one open point that a result admits.
type Unverified = history.Unverified

// Result is how the agent ended a task.
type Result struct {
	_ struct{}

	Status     string
	Unverified []Unverified
	// Output, Sources and Disclosures are those of a question.
	Output      string
	Sources     []string
	Disclosures []string
	Work        string        // the work item whose process said so
	At          time.Duration // instant of its record
	// Raw is the message as it was sent.
	Raw json.RawMessage
}

var (
	// ErrFlooded is wrapped by [Plane.Err] when a task made more than [Config.MaxRequests] requests.
	ErrFlooded = errors.New("the agent floods the control plane")
	// ErrUnknown is wrapped by errors about a task or a confirmation that the plane does not have.
	ErrUnknown = errors.New("not known to the control plane")
)

func (c *Config) complete() error {
	if c.Log == nil {
		return errors.New("control: no log")
	}
	if c.MaxRequests == 0 {
		c.MaxRequests = DefaultMaxRequests
	}
	if c.MaxWait == 0 {
		c.MaxWait = DefaultMaxWait
	}
	if c.Guarantees == nil {
		c.Guarantees = contract.Guarantees{}
	}
	if c.Digest == nil {
		c.Digest = func(json.RawMessage) string { return "" }
	}
	if c.Notify == nil {
		c.Notify = func(fault.Point) {}
	}
	if c.Open == nil {
		c.Open = func(context.Context, string, string) (map[string]string, error) { return map[string]string{}, nil }
	}
	if c.StateDir == nil {
		c.StateDir = func(string) string { return "" }
	}
	tasks, confirmations := map[string]bool{}, map[string]bool{}
	for _, t := range c.Tasks {
		if t.ID == "" || tasks[t.ID] {
			return fmt.Errorf("control: task %q: ids must be given and differ", t.ID)
		}
		tasks[t.ID] = true
		for _, conf := range t.Confirmations {
			if conf.ID == "" || confirmations[conf.ID] {
				return fmt.Errorf("control: task %s: confirmation %q: ids must be given and differ over all tasks", t.ID, conf.ID)
			}
			confirmations[conf.ID] = true
			var content map[string]json.RawMessage
			if err := json.Unmarshal(conf.Content, &content); err != nil {
				return fmt.Errorf("control: task %s: confirmation %s: content is not a JSON object: %w", t.ID, conf.ID, err)
			}
		}
	}
	return nil
}
