package purchase

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/dialect"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// buy makes a purchase, or recognises that it was made.
func (s *Service) buy(c *service.Call) (*service.Plan, service.Reply) {
	if err := c.Check([]string{"approval", "content"}, []string{"approval"}); err != nil {
		return nil, service.Malformed(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if refusal := s.conflict(identity(c.Facts)); refusal != nil {
		return nil, *refusal
	}
	return &service.Plan{Commit: func() service.Outcome { return s.carryOut(c) }}, service.Reply{}
}

// identity is what a purchase is recognised by. A purchase names no tenant, and
// its object is the approval.
func identity(f history.Facts) service.Identity {
	return service.Identity{
		Key: f.Key, Action: "buy", Object: f.Approval, Content: fmt.Sprintf("%q %q", f.Approval, f.Content),
	}
}

func (s *Service) conflict(id service.Identity) *service.Reply {
	p := s.idempotency()
	e := s.keys.Find(p, id, s.frame.Now())
	if e == nil || e.Content == id.Content || p.Conflict != "reject" {
		return nil
	}
	return &service.Reply{Status: http.StatusConflict, Body: service.Problem{
		Code: "identifier_conflict", Message: "this identifier was used for other content",
		NoEffect: s.promise().NoEffect(http.StatusConflict),
	}}
}

func (s *Service) carryOut(c *service.Call) service.Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := identity(c.Facts)
	if refusal := s.conflict(id); refusal != nil {
		return service.Outcome{Reply: *refusal}
	}
	if known := s.keys.Find(s.idempotency(), id, s.frame.Now()); known != nil {
		return done(s.byRef(known.Ref))
	}
	if len(s.purchases) >= service.MaxRecords {
		return service.Outcome{Reply: service.Full()}
	}
	return done(s.add(c, id, c.Facts, c.Message.Raw("content"), false))
}

func done(p Purchase) service.Outcome {
	return service.Outcome{Reply: service.Reply{Status: http.StatusCreated, Body: p}, Stands: true}
}

// add makes a purchase and its deduplication record. Refs are p-1, p-2, ...
func (s *Service) add(c *service.Call, id service.Identity, f history.Facts, content json.RawMessage, foreign bool) Purchase {
	now, cause := s.frame.Now(), c.Ref
	p := Purchase{
		Ref: fmt.Sprintf("p-%d", len(s.purchases)+1), Key: f.Key, Approval: f.Approval, Content: content,
		Status: "done", At: s.frame.Wall(now),
	}
	s.purchases = append(s.purchases, LedgerPurchase{Purchase: p, Foreign: foreign, Task: cause.Task, Call: cause.Call})
	s.frame.Row(cause, history.PurchaseDone, foreign, history.Facts{
		Ref: p.Ref, Key: p.Key, Approval: p.Approval, Content: dialect.ContentDigest(content), Status: p.Status,
	})
	e := &service.Entry{
		Identity: id, Cause: cause, State: service.StateCreated, Ref: p.Ref, Received: c.Received, Stored: now, Foreign: foreign,
	}
	if s.keys.Store(s.idempotency(), e) {
		s.frame.Row(cause, history.KeyStored, foreign, e.Facts())
	}
	return p
}

func (s *Service) byRef(ref string) Purchase {
	for _, p := range s.purchases {
		if p.Ref == ref {
			return p.Purchase
		}
	}
	return Purchase{}
}

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
		s.add(c, id, history.Facts{Key: c.Facts.Key, Approval: "another-approval"}, content, true)
	}
}

// forget gives up all deduplication records. The purchases stay.
func (s *Service) forget(*service.Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys.Forget()
}
