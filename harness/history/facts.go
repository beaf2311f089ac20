package history

// Facts is what one message or one ledger row states about a business object,
// read once, when the record is made. The message's own text stays beside it in
// [Wire.Body], so that a later reader can check or read more. Fields that the
// message does not state are zero.
type Facts struct {
	_ struct{}

	Ref          string `json:"ref,omitempty"`
	Key          string `json:"key,omitempty"`
	Tenant       string `json:"tenant,omitempty"`
	Object       string `json:"object,omitempty"`
	Confirmation string `json:"confirmation,omitempty"`
	Version      int    `json:"version,omitempty"`
	Digest       string `json:"digest,omitempty"`  // the confirmation's digest, as stated
	Content      string `json:"content,omitempty"` // digest of the canonical content, computed: equal contents are equal strings
	Supersedes   string `json:"supersedes,omitempty"`
	Status       string `json:"status,omitempty"` // pending, approved, ...; of a submission: unknown, processing, created, refused, void
	Final        bool   `json:"final,omitempty"`
	Queue        string `json:"queue,omitempty"` // a gateway's queue number
	Code         string `json:"code,omitempty"`  // identifier_conflict, state, ...
	NoEffect     bool   `json:"no_effect,omitempty"`
	Notification string `json:"notification,omitempty"` // sent, failed, none
	Seq          int    `json:"seq,omitempty"`          // the record's own version: later states have higher numbers
	Approval     string `json:"approval,omitempty"`     // of a purchase
	Replica      bool   `json:"replica,omitempty"`
	Items        []Item `json:"items,omitempty"`      // of a query: every record returned
	Listed       bool   `json:"listed,omitempty"`     // the message is a list, perhaps an empty one
	Malformed    bool   `json:"malformed,omitempty"`  // the body could not be read as the operation's message
	Escalation   *Brief `json:"escalation,omitempty"` // of a desk request
	AsOf         string `json:"as_of,omitempty"`      // of a tool's reply that may be stale: the age it admits to
	Tool         *Tool  `json:"tool,omitempty"`       // of a tool's request
	Chat         *Chat  `json:"chat,omitempty"`       // of a model's request or reply
}

// Item is one record of a list.
type Item = Facts

// Brief is what an escalation tells the person who takes over.
type Brief struct {
	_ struct{}

	Task         string       `json:"task,omitempty"`
	Confirmation string       `json:"confirmation,omitempty"`
	Version      int          `json:"version,omitempty"`
	Content      string       `json:"content,omitempty"` // digest of the canonical content
	Key          string       `json:"key,omitempty"`
	FirstSentAt  string       `json:"first_sent_at,omitempty"`
	Basis        string       `json:"basis,omitempty"`   // the confirmation that it cites
	Checked      string       `json:"checked,omitempty"` // when it says the basis was checked
	Queries      []QueryCount `json:"queries,omitempty"`
	Unknowns     []string     `json:"unknowns,omitempty"`
	EntryPoints  []string     `json:"entry_points,omitempty"`
	LastError    string       `json:"last_error,omitempty"`
	Missing      []string     `json:"missing,omitempty"` // required fields that are absent
}

// QueryCount is how often one operation was asked, and with what outcome.
type QueryCount struct {
	_ struct{}

	Operation string `json:"operation"`
	Outcome   string `json:"outcome"` // found, empty, error, timeout
	Count     int    `json:"count"`
}
