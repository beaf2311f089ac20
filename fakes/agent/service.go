package agent

import (
	"bytes"
	"encoding/json"
	"net/url"
	"time"
)

// record is a business record as the services show it.
type record struct {
	Ref          string          `json:"ref"`
	Key          string          `json:"key"`
	Tenant       string          `json:"tenant"`
	Object       string          `json:"object"`
	Confirmation version         `json:"confirmation"`
	Content      json.RawMessage `json:"content,omitempty"`
	Digest       string          `json:"digest"`
	Approval     string          `json:"approval,omitempty"` // of a purchase
	Status       string          `json:"status"`
	Consequences struct {
		Notification string `json:"notification"`
	} `json:"consequences"`
	Seq int `json:"seq"`

	Came time.Time `json:"came,omitzero"` // when this process read it; no service says so
}

// notificationFailed tells that the record's notification is known to be missing.
func (r *record) notificationFailed() bool { return r.Consequences.Notification == "failed" }

// answer is what a service's reply can say beside a record.
type answer struct {
	record
	Code     string   `json:"code"`
	NoEffect bool     `json:"no_effect"`
	Queue    string   `json:"queue"`
	State    string   `json:"state"` // of a submission
	Final    bool     `json:"final"`
	Items    []record `json:"items"`
	ID       string   `json:"id"` // of an escalation
}

// read understands a reply's body; what is no JSON object says nothing.
func (r reply) read() answer {
	var a answer
	if json.Unmarshal(r.body, &a) != nil {
		return answer{}
	}
	a.Came = r.end
	for n := range a.Items {
		a.Items[n].Came = r.end
	}
	return a
}

// sameContent compares two contents regardless of spacing and of the order of
// their fields; numbers keep their text.
func sameContent(a, b json.RawMessage) bool {
	return bytes.Equal(canonical(a), canonical(b))
}

func canonical(raw json.RawMessage) []byte {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return raw
	}
	out, err := json.Marshal(v)
	if err != nil {
		return raw
	}
	return out
}

// submission is the body of POST /v1/approvals.
type submission struct {
	Confirmation version         `json:"confirmation"`
	Tenant       string          `json:"tenant"`
	Object       string          `json:"object"`
	Content      json.RawMessage `json:"content"`
	Digest       string          `json:"digest"`
	Supersedes   string          `json:"supersedes,omitempty"`
}

// address is where the write of an intent goes. ref is the approval's.
func address(endpoints map[string]string, action, ref string) (operation, target string) {
	switch action {
	case purchaseAction:
		return "purchase.buy", endpoints["purchase"] + "/v1/purchases"
	case withdrawAction:
		return "approval.withdraw", endpoints["approval"] + "/v1/withdrawals"
	case notifyAction:
		return "approval.notify", endpoints["approval"] + "/v1/approvals/" + url.PathEscape(ref) + "/notifications"
	default:
		return "approval.submit", endpoints["approval"] + "/v1/approvals"
	}
}
