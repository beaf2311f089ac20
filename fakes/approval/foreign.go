package approval

import (
	"encoding/json"
	"time"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/dialect"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// rival is another client that uses the identifier of a submission, for the same
// object, with other content, just before it. An identifier that is in use
// already, or fenced, it cannot take.
func (s *Service) rival(c *service.Call) {
	if c.Operation != "submit" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f := history.Facts{
		Key: c.Facts.Key, Tenant: c.Facts.Tenant, Object: c.Facts.Object,
		Confirmation: "another-confirmation", Version: 1, Digest: "another-digest",
	}
	_, fenced := s.fences[f.Key]
	if fenced || s.recognise("submit", identity(f)) != nil {
		return
	}
	content := []byte(`{"amount":"1.00","note":"the request of another client"}`)
	r := s.addForeign(c.Ref, f, content, Pending, s.frame.Now())
	s.remember(&service.Entry{
		Identity: identity(r.facts), Ref: r.facts.Ref, State: service.StateCreated, Foreign: true, Cause: c.Ref, Received: c.Received,
	})
}

// forget gives up all deduplication records, as a service does that loses a
// cache. The records stay.
func (s *Service) forget(*service.Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys.Forget()
}

// addForeign makes a record that the agent has not asked for. Nobody decides
// about it.
func (s *Service) addForeign(cause fault.Ref, f history.Facts, content json.RawMessage, status string, at time.Duration) *record {
	f.Content = dialect.ContentDigest(content)
	return s.add(&record{facts: f, content: content, foreign: true, cause: cause}, status, none, at)
}
