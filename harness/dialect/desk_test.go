package dialect_test

import (
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/dialect"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

func brief(body string) *history.Facts {
	return dialect.HTTP{}.Request("desk", "escalate", request("POST", "/v1/escalations", "e", ""), []byte(body))
}

func TestAnEscalationIsReadWhole(t *testing.T) {
	g := NewWithT(t)
	f := brief(`{"task":"t-1",
		"original":{"confirmation":{"id":"c-1","version":1},"content":{"amount":"1"},"key":"k","first_sent_at":null},
		"basis":{"confirmation":"c-1","checked":"2026-01-01T00:00:00Z"},
		"queries":[{"operation":"query","outcome":"empty","count":3}],
		"unknowns":["acceptance"],"entry_points":[],"last_error":"timeout","trace":[]}`)
	g.Expect(f.Malformed).To(BeFalse())
	g.Expect(*f.Escalation).To(Equal(history.Brief{
		Task: "t-1", Confirmation: "c-1", Version: 1, Content: dialect.ContentDigest([]byte(`{"amount":"1"}`)), Key: "k",
		Basis: "c-1", Checked: "2026-01-01T00:00:00Z",
		Queries:  []history.QueryCount{{Operation: "query", Outcome: "empty", Count: 3}},
		Unknowns: []string{"acceptance"}, LastError: "timeout",
	}))
}

func TestWhatAnEscalationLacksIsNamed(t *testing.T) {
	g := NewWithT(t)
	f := brief(`{"task":"t-1","original":{"key":"k"},"unknowns":[],"last_error":{"status":502}}`)
	g.Expect(f.Malformed).To(BeFalse())
	g.Expect(f.Escalation.LastError).To(Equal(`{"status":502}`))
	g.Expect(f.Escalation.Missing).To(Equal([]string{
		"original.confirmation", "original.content", "original.first_sent_at",
		"basis.confirmation", "basis.checked", "queries", "entry_points", "trace",
	}))
}

func TestAnEscalationThatCannotBeReadIsMalformed(t *testing.T) {
	g := NewWithT(t)
	g.Expect(brief(`hello`).Malformed).To(BeTrue())
	g.Expect(brief(`{"queries":"three"}`).Malformed).To(BeTrue())
}
