package dialect

import (
	"net/http"
	"net/url"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

type approval struct{}

func (approval) service() string { return "approval" }

func (approval) operation(method string, path []string, query url.Values) string {
	switch method {
	case http.MethodPost:
		switch {
		case is(path, "approvals"):
			return "submit"
		case is(path, "approvals", "*", "notifications"):
			return "notify"
		case is(path, "submissions", "*", "void"):
			return "void"
		case is(path, "withdrawals"):
			return "withdraw"
		}
	case http.MethodGet:
		switch {
		case is(path, "approvals", "*"):
			return "track"
		case is(path, "submissions", "*"):
			return "query"
		case is(path, "approvals") && query.Has("key"):
			return "query"
		case is(path, "approvals") && (query.Has("applicant") || query.Has("amount")):
			return "search"
		}
	}
	return ""
}

func (approval) request(op string, path []string, query url.Values, body []byte, f *history.Facts) {
	switch op {
	case "submit":
		m := ReadMessage(body)
		readRecord(m, f, f.Key)
		f.Supersedes = m.Text("supersedes")
		f.Malformed = m.Err() != nil
	case "track", "notify":
		f.Ref = path[1]
	case "query":
		f.Key = askedKey(path, query)
	case "void":
		f.Key = path[1]
	case "withdraw":
		// The body's key names the submission; the header's is the withdrawal's own.
		m := ReadMessage(body)
		f.Ref, f.Supersedes = m.Text("ref"), m.Text("key")
		f.Malformed = m.Err() != nil
	}
}

func (approval) reply(op string, status int, body []byte, f *history.Facts) {
	readReply(op, status, body, f)
}

// askedKey is the identifier that a query asks for: of the path
// /v1/submissions/{key}, or of ?key=.
func askedKey(path []string, query url.Values) string {
	if is(path, "submissions", "*") {
		return path[1]
	}
	return query.Get("key")
}

// readReply reads the replies that services with records have in common: a
// record, the state of a submission, a list, a queue number, or a refusal.
func readReply(op string, status int, body []byte, f *history.Facts) {
	if status < 200 || status > 299 {
		refusal(body, f)
		return
	}
	m := ReadMessage(body)
	defer func() { f.Malformed = m.Err() != nil }()
	if m.Raw("items") != nil {
		f.Listed, f.Replica = true, m.Flag("replica")
		for _, o := range m.Objects("items") {
			var item history.Item
			readRecord(o, &item, o.Text("key"))
			f.Items = append(f.Items, item)
		}
		return
	}
	if op == "search" {
		m.Require("items")
		return
	}
	readRecord(m, f, m.Text("key"))
	if state := m.Text("state"); state != "" {
		f.Status, f.Final = state, m.Flag("final")
	}
	f.Queue, f.Code = m.Text("queue"), m.Text("code")
	f.NoEffect = m.Flag("no_effect")
}

// readRecord reads a business record, or a request to make one, whose
// identifier is key.
func readRecord(m *Message, f *history.Facts, key string) {
	f.Key = key
	f.Ref = m.Text("ref")
	f.Tenant, f.Object = m.Text("tenant"), m.Text("object")
	f.Confirmation, f.Version = m.Text("confirmation.id"), m.Count("confirmation.version")
	f.Content, f.Digest = ContentDigest(m.Raw("content")), m.Text("digest")
	f.Status = m.Text("status")
	f.Notification = m.Text("consequences.notification")
	f.Approval = m.Text("approval")
	f.Seq = m.Count("seq")
}
