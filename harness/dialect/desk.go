package dialect

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

type desk struct{}

func (desk) service() string { return "desk" }

func (desk) operation(method string, path []string, _ url.Values) string {
	if method == http.MethodPost && is(path, "escalations") {
		return "escalate"
	}
	return ""
}

func (desk) request(_ string, _ []string, _ url.Values, body []byte, f *history.Facts) {
	m := ReadMessage(body)
	f.Escalation = readBrief(m)
	f.Malformed = m.Err() != nil
}

func (desk) reply(_ string, status int, body []byte, f *history.Facts) {
	if status < 200 || status > 299 {
		refusal(body, f)
		return
	}
	m := ReadMessage(body)
	f.Ref = m.Text("id")
	f.Malformed = m.Err() != nil
}

// required are the fields without which an escalation tells too little. Lists
// may be empty and times null; they may not be left out.
func required() []string {
	return []string{
		"task", "original.confirmation", "original.content", "original.key", "original.first_sent_at",
		"basis.confirmation", "basis.checked", "queries", "unknowns", "entry_points", "last_error", "trace",
	}
}

func readBrief(m *Message) *history.Brief {
	b := &history.Brief{
		Task:        m.Text("task"),
		Content:     ContentDigest(m.Raw("original.content")),
		Key:         m.Text("original.key"),
		FirstSentAt: m.Text("original.first_sent_at"),
		Checked:     m.Text("basis.checked"),
		Unknowns:    m.Texts("unknowns"),
		EntryPoints: m.Texts("entry_points"),
		LastError:   string(m.Raw("last_error")), // any shape will do for a person
	}
	if strings.HasPrefix(b.LastError, `"`) {
		b.LastError = m.Text("last_error")
	}
	b.Confirmation, b.Version = cited(m, "original.confirmation")
	b.Basis, _ = cited(m, "basis.confirmation")
	for _, q := range m.Objects("queries") {
		b.Queries = append(b.Queries, history.QueryCount{
			Operation: q.Text("operation"), Outcome: q.Text("outcome"), Count: q.Count("count"),
		})
	}
	for _, path := range required() {
		if !m.Has(path) || path == "trace" && m.Has("original.prompt") && nothing(m.Raw(path)) {
			b.Missing = append(b.Missing, path)
		}
	}
	return b
}

// nothing tells whether a value of any shape says nothing. A question has no
// records beside its trace, so that one must say something.
func nothing(raw json.RawMessage) bool {
	switch string(bytes.Join(bytes.Fields(raw), nil)) {
	case "", `""`, "[]", "{}":
		return true
	}
	return false
}

// cited reads a confirmation that is given as its id or as {"id", "version"}.
func cited(m *Message, path string) (id string, version int) {
	if raw := m.Raw(path); len(raw) > 0 && raw[0] == '{' {
		return m.Text(path + ".id"), m.Count(path + ".version")
	}
	return m.Text(path), 0
}
