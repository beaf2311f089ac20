package agent

import (
	"encoding/json"
	"time"
)

// standing is what is known about one intent, in the words of the contract.
type standing string

const (
	unsent      standing = "unsent"
	inDoubt     standing = "in-doubt"
	conflict    standing = "conflict"
	accepted    standing = "accepted" // the record's status says what came of it
	refused     standing = "refused"
	notExecuted standing = "not-executed"
)

// The actions, each an intent with an identifier of its own.
const (
	submitAction   = "submit"
	withdrawAction = "withdraw"
	notifyAction   = "notify"
	purchaseAction = "purchase"
)

// intent is the durable record of one write: what will be sent is fixed in it
// before the first byte leaves.
type intent struct {
	Action       string          `json:"action"`
	Key          string          `json:"key"`
	Supersedes   string          `json:"supersedes,omitempty"` // the fenced key that this one follows
	Of           string          `json:"of,omitempty"`         // reference of the approval that it depends on
	Body         json.RawMessage `json:"body"`
	Confirmation confirmation    `json:"confirmation"`

	Standing  standing  `json:"standing"`
	Attempts  int       `json:"attempts"`           // sends that may have left, over all processes
	Open      int       `json:"open"`               // of these, sends that nothing has settled
	Refusals  int       `json:"refusals"`           // dials of which nothing left
	Underway  bool      `json:"underway,omitempty"` // an attempt has begun and its end has not been noted
	Began     time.Time `json:"began,omitzero"`
	FirstSent time.Time `json:"first_sent,omitzero"`
	NextSend  time.Time `json:"next_send,omitzero"`
	Asked     bool      `json:"asked,omitempty"` // NextSend is what a reply asked for

	Queries   int       `json:"queries,omitempty"`
	Since     int       `json:"since,omitempty"` // queries since the last send
	NextQuery time.Time `json:"next_query,omitzero"`

	Hopeless bool      `json:"hopeless,omitempty"` // a resend was refused for good
	Fenced   bool      `json:"fenced,omitempty"`
	Fences   int       `json:"fences,omitempty"`
	NextVoid time.Time `json:"next_void,omitzero"`

	Record    *record `json:"record,omitempty"`
	LastError string  `json:"last_error,omitempty"`
	Advice    *string `json:"advice,omitempty"` // what a model said about it when it was in doubt; nil: it was not asked
}

// unknown tells that a send left and nothing settles it.
func (in *intent) unknown() bool {
	return in != nil && (in.Standing == inDoubt || in.Standing == conflict)
}

// word is the intent's name among the unknowns of an escalation.
func (in *intent) word() string {
	switch in.Action {
	case withdrawAction:
		return "withdrawal"
	case notifyAction:
		return "notification"
	case purchaseAction:
		return "purchase"
	default:
		return "acceptance"
	}
}

// bid is one submission and the intents that depend on it.
type bid struct {
	Submit   *intent `json:"submit"`
	Withdraw *intent `json:"withdraw,omitempty"`
	Notify   *intent `json:"notify,omitempty"`
	Purchase *intent `json:"purchase,omitempty"`
}

func (b *bid) intents() []*intent {
	var all []*intent
	for _, in := range []*intent{b.Submit, b.Withdraw, b.Notify, b.Purchase} {
		if in != nil {
			all = append(all, in)
		}
	}
	return all
}

// status is the business state of the submission, "" while it is not accepted.
func (b *bid) status() string {
	if b.Submit.Standing != accepted || b.Submit.Record == nil {
		return ""
	}
	return b.Submit.Record.Status
}

// handover is the one escalation of a confirmation.
type handover struct {
	Key       string          `json:"key"`
	Body      json.RawMessage `json:"body"`
	Reason    string          `json:"reason"`
	Resolved  bool            `json:"resolved,omitempty"` // nothing about the submission was unknown, or no longer is
	Attempts  int             `json:"attempts"`
	NextSend  time.Time       `json:"next_send,omitzero"`
	Delivered bool            `json:"delivered,omitempty"`
	At        time.Time       `json:"at,omitzero"` // of its delivery, or of giving it up
	ID        string          `json:"id,omitempty"`
	Choice    string          `json:"choice,omitempty"`
	ChosenAt  time.Time       `json:"chosen_at,omitzero"`
}

// dossier is all that is known about one confirmation, in all its versions. It
// is the unit of the store: read whole, written whole.
type dossier struct {
	Bids       []*bid         `json:"bids"` // the newest last
	Handover   *handover      `json:"handover,omitempty"`
	Counts     map[string]int `json:"counts,omitempty"` // "operation outcome" -> how often it was asked
	Trace      []string       `json:"trace,omitempty"`  // what was done, bounded
	LastError  string         `json:"last_error,omitempty"`
	Checked    time.Time      `json:"checked,omitzero"` // when the confirmation was asked for last
	Resubmit   bool           `json:"resubmit,omitempty"`
	Conclusion string         `json:"conclusion,omitempty"` // status of the result that this confirmation leads to
}

// current is the bid that is being worked on, nil before there is one.
func (d *dossier) current() *bid {
	if len(d.Bids) == 0 {
		return nil
	}
	return d.Bids[len(d.Bids)-1]
}

func (d *dossier) intents() []*intent {
	var all []*intent
	for _, b := range d.Bids {
		all = append(all, b.intents()...)
	}
	return all
}

// find returns the stored state of an intent and its bid, nil if there is none.
func (d *dossier) find(in *intent) (*bid, *intent) {
	for _, b := range d.Bids {
		for _, cur := range b.intents() {
			if cur.Action == in.Action && cur.Key == in.Key {
				return b, cur
			}
		}
	}
	return nil, nil
}

// unverified are the words for everything that a send left unknown.
func (d *dossier) unverified() []string {
	words := []string{}
	for _, in := range d.intents() {
		if in.unknown() {
			words = append(words, in.word())
		}
	}
	return words
}

// sent tells whether any write of this confirmation may have left.
func (d *dossier) sent() bool {
	for _, in := range d.intents() {
		if in.Attempts > 0 {
			return true
		}
	}
	return false
}

const maxTrace = 40

func (d *dossier) note(line string) { d.Trace = noted(d.Trace, line) }

// noted adds a line to a trace; the oldest lines but the first are dropped.
func noted(trace []string, line string) []string {
	trace = append(trace, line)
	if len(trace) > maxTrace {
		trace = append(trace[:1], trace[2:]...)
	}
	return trace
}

func (d *dossier) count(operation, outcome string) {
	if d.Counts == nil {
		d.Counts = map[string]int{}
	}
	d.Counts[operation+" "+outcome]++
}
