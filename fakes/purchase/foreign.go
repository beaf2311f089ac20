package purchase

import (
	"encoding/json"
	"net/http"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// rival is another client that uses the identifier of a purchase for another
// one, just before it.
func (s *Service) rival(c *service.Call) {
	if c.Operation != "buy" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	// The same slot, whatever the scope is; other content.
	id := identity(history.Facts{Key: c.Facts.Key, Approval: c.Facts.Approval, Content: "another"})
	if s.keys.Find(s.idempotency(), id, s.frame.Now()) == nil {
		content := json.RawMessage(`{"amount":"1.00","note":"the purchase of another client"}`)
		p := s.add(c.Ref, history.Facts{Key: c.Facts.Key, Approval: "another-approval"}, content, true)
		s.remember(c, id, p, true)
	}
}

// forget gives up all deduplication records. The purchases stay.
func (s *Service) forget(*service.Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys.Forget()
}

// distort makes a reply that is not what the service knows of an honest one.
// Purchases never change, so what is stale is the purchase that is not there
// yet.
func (s *Service) distort(c *service.Call, how fault.Distortion, honest service.Reply) service.Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch b := honest.Body.(type) {
	case service.List[Purchase]:
		switch how {
		case fault.Stale:
			if len(b.Items) > 0 {
				b.AsOf = b.Items[0].At.Add(-1)
			}
			b.Items = []Purchase{}
		case fault.WrongInstance:
			b.Items = []Purchase{s.stray(c.Facts.Key)}
		case fault.Doubled:
			b.Items = append(b.Items, b.Items...)
		}
		honest.Body = b
	case service.Submission:
		switch how {
		case fault.Stale:
			honest.Body = service.StateOf(service.StateUnknown, "")
		case fault.WrongInstance:
			honest = service.Reply{Status: http.StatusOK, Body: service.StateOf(service.StateCreated, s.stray(c.Facts.Key).Ref)}
		}
	case Purchase:
		if how == fault.WrongInstance {
			honest.Body = s.stray(b.Key)
		}
	}
	return honest
}

// stray is the purchase of another client that is shown under an identifier in
// error: of the same content as what the identifier really stands for, on
// another approval.
func (s *Service) stray(key string) Purchase {
	p, found := s.strays[key]
	if !found {
		content := json.RawMessage(`{"note":"the purchase of another client"}`)
		for _, own := range s.purchases {
			if own.Key == key {
				content = own.Content
			}
		}
		p = s.add(fault.Ref{}, history.Facts{Key: "other-client-of-" + key, Approval: "another-approval"}, content, true)
		s.strays[key] = p
	}
	p.Key = key
	return p
}
