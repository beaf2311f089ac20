package approval

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/dialect"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// submission is one request to create an approval.
type submission struct {
	*service.Call
	id      service.Identity
	content json.RawMessage
	seen    *service.Entry // the deduplication record as it was when the request was checked
}

// submit checks a submission. It is carried out by [Service.create], in one step
// with its deduplication; the check before it is for those that can be refused
// without being taken on.
func (s *Service) submit(c *service.Call) (*service.Plan, service.Reply) {
	sub := &submission{Call: c, id: identity(c.Facts), content: c.Message.Raw("content")}
	if err := readable(c); err != nil {
		return nil, service.Malformed(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if refusal := s.screen("submit", sub.id); refusal != nil {
		return nil, *refusal
	}
	sub.seen = s.keys.Find(s.idempotency("submit"), sub.id, s.frame.Now())
	s.underway[c.Facts.Key]++
	return &service.Plan{
		Commit: func() service.Outcome {
			if s.set.Queue || s.set.CreateAfter > 0 {
				return s.enqueue(sub, func(do func() service.Outcome) { s.frame.CommitAfter(s.set.CreateAfter, c, do) })
			}
			return s.create(sub)
		},
		Later: func(until <-chan struct{}) service.Outcome {
			return s.enqueue(sub, func(do func() service.Outcome) { s.frame.CommitWhen(until, c, do) })
		},
		Dropped: func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.ended(c.Facts.Key)
		},
	}, service.Reply{}
}

// readable tells whether a submission has all that it needs.
func readable(c *service.Call) error {
	err := c.Check(
		[]string{"confirmation.id", "confirmation.version", "tenant", "object", "content", "digest"},
		[]string{"confirmation.id", "tenant", "object", "digest", "supersedes"},
	)
	if err != nil {
		return err
	}
	if c.Message.Count("confirmation.version"); c.Message.Err() != nil {
		return c.Message.Err()
	}
	if content := c.Message.Raw("content"); content[0] != '{' {
		return &dialect.FieldError{Field: "content", Problem: "want an object"}
	}
	return nil
}

// identity is what a submission is recognised by.
func identity(f history.Facts) service.Identity {
	return service.Identity{
		Key: f.Key, Tenant: f.Tenant, Object: f.Object, Action: "submit",
		Content: fmt.Sprintf("%q %q %q %d %q %q", f.Tenant, f.Object, f.Confirmation, f.Version, f.Digest, f.Content),
	}
}

// screen finds the refusal that an identifier meets: it was fenced, or it
// carries other content. Nil: none.
func (s *Service) screen(op string, id service.Identity) *service.Reply {
	if _, fenced := s.fences[id.Key]; fenced && !s.set.breaks(BreakVoid) {
		return s.refuse(op, http.StatusConflict, "void", "this identifier was fenced, its request is never carried out")
	}
	p := s.idempotency(op)
	e := s.keys.Find(p, id, s.frame.Now())
	if e == nil || e.Content == id.Content || p.Conflict != "reject" || s.set.breaks(BreakConflict) {
		return nil
	}
	return s.refuse(op, http.StatusConflict, "identifier_conflict", "this identifier was used for other content")
}

// refuse says that there was no effect where the status promises it.
func (s *Service) refuse(op string, status int, code, message string) *service.Reply {
	return &service.Reply{Status: status, Body: service.Problem{
		Code: code, Message: message, NoEffect: s.promise(op).NoEffect(status),
	}}
}

// recognise is the deduplication record that a request repeats, nil when it is
// new.
func (s *Service) recognise(op string, id service.Identity) *service.Entry {
	e := s.keys.Find(s.idempotency(op), id, s.frame.Now())
	if e != nil && e.Content != id.Content && s.set.breaks(BreakConflict) {
		return nil
	}
	return e
}

// create carries a submission out: it is recognised as a repetition, or a record
// and its deduplication record come into being together.
func (s *Service) create(sub *submission) service.Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.ended(sub.Facts.Key)
	known := sub.seen
	if !s.set.breaks(BreakConcurrency) {
		if refusal := s.screen("submit", sub.id); refusal != nil {
			return service.Outcome{Reply: *refusal}
		}
		known = s.recognise("submit", sub.id)
	}
	switch {
	case known != nil:
		return s.repeated(known)
	case s.set.Refuses != "":
		return service.Outcome{Reply: s.refuseForGood(sub)}
	case len(s.records) >= service.MaxRecords:
		return service.Outcome{Reply: service.Full()}
	}
	return s.createNew(sub)
}

// repeated answers a repetition with what the record is now.
func (s *Service) repeated(known *service.Entry) service.Outcome {
	if known.State == service.StateRefused {
		return service.Outcome{Reply: *s.refuse("submit", http.StatusUnprocessableEntity, known.Code, "refused for good")}
	}
	return service.Outcome{Reply: service.Reply{Status: http.StatusCreated, Body: s.show(s.byRef(known.Ref))}, Stands: true}
}

func (s *Service) createNew(sub *submission) service.Outcome {
	f := history.Facts{
		Key: sub.Facts.Key, Tenant: sub.Facts.Tenant, Object: sub.Facts.Object, Supersedes: sub.Facts.Supersedes,
		Confirmation: sub.Facts.Confirmation, Version: sub.Facts.Version, Digest: sub.Facts.Digest, Content: sub.Facts.Content,
	}
	r := s.add(&record{facts: f, content: sub.content, cause: sub.Ref}, Pending, none, s.frame.Now())
	if s.set.Announces == Acceptance {
		told := s.attempt(r)
		r.change(s.frame.Now(), Pending, r.after(told))
		s.notifyAbout(r, told)
	}
	s.approve(r)
	done := service.Outcome{Reply: service.Reply{Status: http.StatusCreated, Body: s.show(r)}, Stands: true}
	remember := func() {
		s.remember(&service.Entry{Identity: sub.id, Ref: r.facts.Ref, State: service.StateCreated, Cause: sub.Ref, Received: sub.Received})
	}
	if s.set.breaks(BreakAtomicity) {
		done.Finish = func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			remember()
		}
	} else {
		remember()
	}
	if s.set.breaks(BreakRefusal) {
		done.Reply = *s.refuse("submit", http.StatusUnprocessableEntity, "rejected", "refused")
	}
	return done
}

// remember saves a deduplication record, if the service promises to have any.
func (s *Service) remember(e *service.Entry) {
	e.Stored = s.frame.Now()
	if s.keys.Store(s.idempotency(e.Action), e) {
		effect := history.KeyStored
		if e.State == service.StateRefused {
			effect = history.KeyRefused
		}
		s.frame.Row(e.Cause, effect, e.Foreign, e.Facts())
	}
}

// refuseForGood refuses a submission, and every repetition of it.
func (s *Service) refuseForGood(sub *submission) service.Reply {
	s.remember(&service.Entry{
		Identity: sub.id, State: service.StateRefused, Code: s.set.Refuses, Cause: sub.Ref, Received: sub.Received,
	})
	return *s.refuse("submit", http.StatusUnprocessableEntity, s.set.Refuses, "refused for good")
}

// enqueue answers before the submission is accepted, and lets it be later. A
// gateway gives a queue number, which is no acceptance; the request may still be
// refused.
func (s *Service) enqueue(sub *submission, later func(do func() service.Outcome)) service.Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	if refusal := s.screen("submit", sub.id); refusal != nil {
		s.ended(sub.Facts.Key)
		return service.Outcome{Reply: *refusal}
	}
	if known := s.recognise("submit", sub.id); known != nil {
		s.ended(sub.Facts.Key)
		return s.repeated(known)
	}
	later(func() service.Outcome { return s.create(sub) })
	if s.set.Queue {
		return service.Outcome{Reply: s.frame.Queued()}
	}
	return service.Outcome{Reply: service.Processing()}
}

// ended marks a submission as no longer under way.
func (s *Service) ended(key string) {
	if s.underway[key]--; s.underway[key] <= 0 {
		delete(s.underway, key)
	}
}
