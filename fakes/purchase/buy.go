package purchase

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/dialect"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// order is one request to buy.
type order struct {
	*service.Call
	id   service.Identity
	seen *service.Entry // the deduplication record as it was when the request was checked
}

// buy makes a purchase, or recognises that it was made.
func (s *Service) buy(c *service.Call) (*service.Plan, service.Reply) {
	if err := c.Check([]string{"approval", "content"}, []string{"approval"}); err != nil {
		return nil, service.Malformed(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	o := &order{Call: c, id: identity(c.Facts)}
	if refusal := s.conflict(o.id); refusal != nil {
		return nil, *refusal
	}
	o.seen = s.recognise(o.id)
	s.underway[c.Facts.Key]++
	return &service.Plan{
		Commit: func() service.Outcome { return s.carryOut(o) },
		Later:  func(until <-chan struct{}) service.Outcome { return s.putOff(o, until) },
		Dropped: func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.ended(c.Facts.Key)
		},
	}, service.Reply{}
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
	if e == nil || e.Content == id.Content || p.Conflict != "reject" || s.set.breaks(BreakConflict) {
		return nil
	}
	return &service.Reply{Status: http.StatusConflict, Body: service.Problem{
		Code: "identifier_conflict", Message: "this identifier was used for other content",
		NoEffect: s.promise().NoEffect(http.StatusConflict),
	}}
}

// recognise is the deduplication record that a request repeats, nil when it is
// new.
func (s *Service) recognise(id service.Identity) *service.Entry {
	e := s.keys.Find(s.idempotency(), id, s.frame.Now())
	if e != nil && e.Content != id.Content && s.set.breaks(BreakConflict) {
		return nil
	}
	return e
}

func (s *Service) carryOut(o *order) service.Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.ended(o.Facts.Key)
	known := o.seen
	if !s.set.breaks(BreakConcurrency) {
		if refusal := s.conflict(o.id); refusal != nil {
			return service.Outcome{Reply: *refusal}
		}
		known = s.recognise(o.id)
	}
	switch {
	case known != nil:
		return done(s.byRef(known.Ref))
	case len(s.purchases) >= service.MaxRecords:
		return service.Outcome{Reply: service.Full()}
	}
	return s.create(o)
}

// create makes a purchase and its deduplication record together.
func (s *Service) create(o *order) service.Outcome {
	p := s.add(o.Ref, o.Facts, o.Message.Raw("content"), false)
	out := done(p)
	if s.set.breaks(BreakAtomicity) {
		out.Finish = func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.remember(o.Call, o.id, p, false)
		}
	} else {
		s.remember(o.Call, o.id, p, false)
	}
	if s.set.breaks(BreakRefusal) {
		out.Reply = service.Reply{Status: http.StatusUnprocessableEntity, Body: service.Problem{
			Code: "rejected", Message: "refused", NoEffect: s.promise().NoEffect(http.StatusUnprocessableEntity),
		}}
	}
	return out
}

// putOff answers before the purchase is made, and lets it be made later.
func (s *Service) putOff(o *order, until <-chan struct{}) service.Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	refusal, known := s.conflict(o.id), s.recognise(o.id)
	if refusal == nil && known == nil {
		s.frame.CommitWhen(until, o.Call, func() service.Outcome { return s.carryOut(o) })
		return service.Outcome{Reply: service.Processing()}
	}
	s.ended(o.Facts.Key)
	if refusal != nil {
		return service.Outcome{Reply: *refusal}
	}
	return done(s.byRef(known.Ref))
}

// ended marks a purchase as no longer under way.
func (s *Service) ended(key string) {
	if s.underway[key]--; s.underway[key] <= 0 {
		delete(s.underway, key)
	}
}

func done(p Purchase) service.Outcome {
	return service.Outcome{Reply: service.Reply{Status: http.StatusCreated, Body: p}, Stands: true}
}

// add makes a purchase with the next reference. Refs are p-1, p-2, ...
func (s *Service) add(cause fault.Ref, f history.Facts, content json.RawMessage, foreign bool) Purchase {
	p := Purchase{
		Ref: fmt.Sprintf("p-%d", len(s.purchases)+1), Key: f.Key, Approval: f.Approval, Content: content,
		Status: "done", At: s.frame.Wall(s.frame.Now()),
	}
	s.purchases = append(s.purchases, LedgerPurchase{Purchase: p, Foreign: foreign, Task: cause.Task, Call: cause.Call})
	s.frame.Row(cause, history.PurchaseDone, foreign, history.Facts{
		Ref: p.Ref, Key: p.Key, Approval: p.Approval, Content: dialect.ContentDigest(content), Status: p.Status,
	})
	return p
}

// remember saves the deduplication record of a purchase, if the service promises
// to have any.
func (s *Service) remember(c *service.Call, id service.Identity, p Purchase, foreign bool) {
	e := &service.Entry{
		Identity: id, Cause: c.Ref, State: service.StateCreated, Ref: p.Ref, Received: c.Received, Stored: s.frame.Now(), Foreign: foreign,
	}
	if s.keys.Store(s.idempotency(), e) {
		s.frame.Row(c.Ref, history.KeyStored, foreign, e.Facts())
	}
}

func (s *Service) byRef(ref string) Purchase {
	for _, p := range s.purchases {
		if p.Ref == ref {
			return p.Purchase
		}
	}
	return Purchase{}
}
