package approval

import (
	"net/http"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/dialect"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// withdraw takes an approval back, where its state allows that.
func (s *Service) withdraw(c *service.Call) (*service.Plan, service.Reply) {
	if err := c.Check(nil, []string{"ref", "key"}); err != nil {
		return nil, service.Malformed(err)
	}
	t := target{ref: c.Message.Text("ref"), key: c.Message.Text("key")}
	if t == (target{}) {
		return nil, service.Malformed(&dialect.FieldError{Field: "ref", Problem: "is missing, and so is key"})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, refusal := s.withdrawable(c, t); refusal != nil {
		return nil, *refusal
	}
	return &service.Plan{Commit: func() service.Outcome { return s.takeBack(c, t) }}, service.Reply{}
}

// target names the record to withdraw, by its ref or by its submission's identifier.
type target struct{ ref, key string }

// withdrawable finds the record, or the refusal. A repetition for a record that
// is withdrawn already is none.
func (s *Service) withdrawable(c *service.Call, t target) (*record, *service.Reply) {
	var r *record
	if t.ref != "" {
		r = s.byRef(t.ref)
	} else if found := s.byKey(t.key, s.frame.Now()); len(found) > 0 {
		r = found[0]
	}
	if r == nil {
		refusal := notFound("such approval") // yet: the request for it may still arrive
		return nil, &refusal
	}
	if refusal := s.screen("withdraw", withdrawal(c, r)); refusal != nil {
		return nil, refusal
	}
	status := r.now().status
	allowed := s.promise("withdraw").Withdrawable(status) || s.promise("submit").Withdrawable(status)
	if status != Withdrawn && !allowed {
		return nil, s.refuse("withdraw", http.StatusConflict, "state", "an approval that is "+status+" cannot be withdrawn")
	}
	return r, nil
}

func withdrawal(c *service.Call, r *record) service.Identity {
	return service.Identity{
		Key: c.Facts.Key, Tenant: r.facts.Tenant, Object: r.facts.Object, Action: "withdraw", Content: r.facts.Ref,
	}
}

func (s *Service) takeBack(c *service.Call, t target) service.Outcome {
	s.mu.Lock()
	r, refusal := s.withdrawable(c, t)
	if refusal != nil {
		s.mu.Unlock()
		return service.Outcome{Reply: *refusal}
	}
	done := service.Outcome{Stands: true}
	if r.now().status == Withdrawn {
		done.Reply = service.Reply{Status: http.StatusOK, Body: s.show(r)}
		s.mu.Unlock()
		return done
	}
	r.change(s.frame.Now(), Withdrawn, r.now().notification)
	s.frame.Row(c.Ref, history.ApprovalStatus, r.foreign, r.row())
	s.frame.Row(c.Ref, history.WithdrawalDone, false, withdrawn(c, r))
	s.remember(&service.Entry{
		Identity: withdrawal(c, r), Ref: r.facts.Ref, State: service.StateCreated, Cause: c.Ref, Received: c.Received,
	})
	done.Reply = service.Reply{Status: http.StatusOK, Body: s.show(r)}
	e := s.event(r)
	s.mu.Unlock()
	s.announce(r, e)
	return done
}

// withdrawn is what the row of a withdrawal says: the record's facts under the
// withdrawal's own identifier.
func withdrawn(c *service.Call, r *record) history.Facts {
	f := r.row()
	f.Key = c.Facts.Key
	return f
}
