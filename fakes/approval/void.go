package approval

import (
	"net/http"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// void fences an identifier, so that its request can never be carried out, or
// says that it was.
func (s *Service) void(c *service.Call) (*service.Plan, service.Reply) {
	if !s.promise("submit").Void {
		return nil, service.NotOffered("the fencing of an identifier")
	}
	if err := c.CheckNames(); err != nil {
		return nil, service.Malformed(err)
	}
	return &service.Plan{Commit: func() service.Outcome { return s.fence(c) }}, service.Reply{}
}

func (s *Service) fence(c *service.Call) service.Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := c.Facts.Key
	_, fenced := s.fences[key]
	if !fenced {
		if state := s.executed(key); state.State != service.StateUnknown {
			return service.Outcome{Reply: service.Reply{Status: http.StatusOK, Body: state}}
		}
		s.fences[key] = s.frame.Now()
		s.frame.Row(c.Ref, history.KeyFenced, false, history.Facts{Key: key, Status: service.StateVoid, Final: true})
	}
	return service.Outcome{
		Reply:  service.Reply{Status: http.StatusOK, Body: service.StateOf(service.StateVoid, "")},
		Stands: true,
	}
}

// executed is what has become of an identifier for ever, from the ledger itself
// and not only from what is still recognised.
func (s *Service) executed(key string) service.Submission {
	if found := s.byKey(key, s.frame.Now()); len(found) > 0 {
		return service.StateOf(service.StateCreated, found[0].facts.Ref)
	}
	for _, e := range s.keys.Known(key, s.frame.Now()) {
		return service.StateOf(e.State, e.Ref)
	}
	return service.StateOf(service.StateUnknown, "")
}
