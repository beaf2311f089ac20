package approval

import (
	"net/http"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// notify sends the notification of a request again: that of its decision, or of
// its acceptance where that is what people are told of.
func (s *Service) notify(c *service.Call) (*service.Plan, service.Reply) {
	if _, offered := s.set.Promises["approval.notify"]; !offered {
		return nil, service.NotOffered("the repetition of a notification")
	}
	if err := c.CheckNames(); err != nil {
		return nil, service.Malformed(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, refusal := s.notifiable(c); refusal != nil {
		return nil, *refusal
	}
	return &service.Plan{Commit: func() service.Outcome { return s.sendAgain(c) }}, service.Reply{}
}

func (s *Service) notifiable(c *service.Call) (*record, *service.Reply) {
	r := s.byRef(c.Facts.Ref)
	if r == nil {
		refusal := notFound(c.Facts.Ref)
		return nil, &refusal
	}
	if refusal := s.screen("notify", notification(c, r)); refusal != nil {
		return nil, refusal
	}
	status := r.now().status
	if told := status == Approved || status == Declined || status == Pending && s.set.Announces == Acceptance; !told {
		return nil, s.refuse("notify", http.StatusConflict, "state", "there is nothing to notify about an approval that is "+status)
	}
	return r, nil
}

func notification(c *service.Call, r *record) service.Identity {
	return service.Identity{
		Key: c.Facts.Key, Tenant: r.facts.Tenant, Object: r.facts.Object, Action: "notify", Content: r.facts.Ref,
	}
}

func (s *Service) sendAgain(c *service.Call) service.Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, refusal := s.notifiable(c)
	if refusal != nil {
		return service.Outcome{Reply: *refusal}
	}
	if s.recognise("notify", notification(c, r)) == nil {
		outcome := s.attempt(r)
		r.change(s.frame.Now(), r.now().status, r.after(outcome))
		s.notified(r, outcome, c.Ref, c.Facts.Key)
		if outcome != sent {
			return service.Outcome{Reply: service.Reply{Status: http.StatusOK, Body: s.show(r)}}
		}
		s.remember(&service.Entry{
			Identity: notification(c, r), Ref: r.facts.Ref, State: service.StateCreated, Cause: c.Ref, Received: c.Received,
		})
	}
	return service.Outcome{Reply: service.Reply{Status: http.StatusOK, Body: s.show(r)}, Stands: true}
}

// What becomes of a notification.
const (
	none   = "none"
	sent   = "sent"
	failed = "failed"
)

// lacking makes the notification about the record that a submission created fail
// once.
func (s *Service) lacking(c *service.Call, _ string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if found := s.byKey(c.Facts.Key, s.frame.Now()); len(found) > 0 {
		found[len(found)-1].unheard = true
	}
}

// attempt tries to send one notification.
func (s *Service) attempt(r *record) string {
	if r.unheard {
		r.unheard = false
		return failed
	}
	if s.failures < s.set.NotificationFails {
		s.failures++
		return failed
	}
	return sent
}

// after is how a record stands with its notification after one more attempt:
// what was sent once stays sent.
func (r *record) after(outcome string) string {
	if r.notifications > 0 {
		return sent
	}
	return outcome
}

// notified appends the row of an attempt.
func (s *Service) notified(r *record, outcome string, cause fault.Ref, key string) {
	effect := history.NotificationLost
	if outcome == sent {
		effect = history.NotificationSent
		r.notifications++
	}
	f := r.row()
	f.Key, f.Notification = key, outcome
	s.frame.Row(cause, effect, r.foreign, f)
}
