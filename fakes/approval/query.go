package approval

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// track shows one record as the primary has it.
func (s *Service) track(c *service.Call) service.Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.promise("submit").Query.ByRef {
		return service.NotOffered("the tracking of an approval")
	}
	s.keys.Sweep(s.replica())
	r := s.byRef(c.Facts.Ref)
	if r == nil {
		return notFound(c.Facts.Ref)
	}
	return service.Reply{Status: http.StatusOK, Body: s.show(r)}
}

func notFound(what string) service.Reply {
	return service.Refuse(http.StatusNotFound, "not_found", "there is no %s", what)
}

// query looks an identifier up: its records with ?key=, the state of its
// submission with /v1/submissions/{key}. Both read the replica.
func (s *Service) query(c *service.Call) service.Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.byKeyOffered() {
		return service.NotOffered("the look-up of an identifier")
	}
	at := s.replica()
	s.keys.Sweep(at)
	if c.Query.Has("key") {
		return s.list(s.byKey(c.Facts.Key, at), at)
	}
	return service.Reply{Status: http.StatusOK, Body: s.submission(c.Facts.Key, at)}
}

func (s *Service) byKeyOffered() bool {
	for _, op := range []string{"submit", "withdraw", "notify"} {
		if s.promise(op).Query.ByKey {
			return true
		}
	}
	return false
}

// replica is the instant whose data queries see.
func (s *Service) replica() time.Duration { return s.frame.Now() - s.set.ReplicaLag }

// list shows records as they were at an instant.
func (s *Service) list(found []*record, at time.Duration) service.Reply {
	items := make([]Record, 0, len(found))
	for _, r := range found {
		items = append(items, s.version(r, r.seq(at)))
	}
	return service.Reply{Status: http.StatusOK, Body: service.List[Record]{
		Items: items, AsOf: s.frame.Wall(at), Replica: s.set.ReplicaLag > 0,
	}}
}

// submission is the state of an identifier at an instant. What is unknown is
// never final: the request may still be under way, or its time may be over.
func (s *Service) submission(key string, at time.Duration) service.Submission {
	if since, fenced := s.fences[key]; fenced && since <= at {
		return service.StateOf(service.StateVoid, "")
	}
	state := service.StateOf(service.StateUnknown, "")
	for _, e := range s.keys.Known(key, at) {
		if e.State == service.StateCreated {
			return service.StateOf(service.StateCreated, e.Ref)
		}
		state = service.StateOf(e.State, "")
	}
	if !s.idempotency("submit").Supported {
		if found := s.byKey(key, at); len(found) > 0 {
			return service.StateOf(service.StateCreated, found[0].facts.Ref)
		}
	}
	if state.State == service.StateUnknown && s.underway[key] > 0 && s.set.ReplicaLag == 0 {
		return service.StateOf(service.StateProcessing, "")
	}
	return state
}

// search finds records by applicant and amount. It also finds a record of
// somebody else that looks just like it: similar is not the same.
func (s *Service) search(c *service.Call) service.Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	applicant, amount := c.Query.Get("applicant"), c.Query.Get("amount")
	if !s.set.Plain {
		s.addSimilar(applicant, amount)
	}
	at := s.replica()
	var found []*record
	for _, r := range s.records {
		if r.seq(at) > 0 && r.has("applicant", applicant) && r.has("amount", amount) {
			found = append(found, r)
		}
	}
	return s.list(found, at)
}

// has tells whether the content has a field with this text; any, if none is asked for.
func (r *record) has(field, text string) bool {
	if text == "" {
		return true
	}
	var content map[string]json.RawMessage
	if json.Unmarshal(r.content, &content) != nil {
		return false
	}
	var value string
	if json.Unmarshal(content[field], &value) != nil {
		value = string(content[field])
	}
	return value == text
}

// mostSimilar bounds the foreign records that searches call forth.
const mostSimilar = 16

// addSimilar makes the record that looks like what is searched for. It is a
// day old, so that every replica has it.
func (s *Service) addSimilar(applicant, amount string) {
	looked := applicant + "\x00" + amount
	if s.similar[looked] || len(s.similar) >= mostSimilar {
		return
	}
	s.similar[looked] = true
	tenant := ""
	for _, r := range s.records {
		tenant = r.facts.Tenant
	}
	f := history.Facts{
		Key: "other-client-" + amount, Tenant: tenant, Object: "another-object",
		Confirmation: "another-confirmation", Version: 1, Digest: "another-digest",
	}
	content, err := json.Marshal(map[string]string{"applicant": applicant, "amount": amount})
	if err != nil { // a map of strings cannot fail
		content = []byte("{}")
	}
	s.addForeign(fault.Ref{}, f, content, Approved, -24*time.Hour)
}
