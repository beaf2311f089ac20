package approval

import (
	"encoding/json"
	"time"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// image is what the service knows in spite of the end of its process. What was
// only taken on, and not carried out, is lost with it.
type image struct {
	Records  []recordImage            `json:"records"`
	Keys     []*service.Entry         `json:"keys"`
	Fences   map[string]time.Duration `json:"fences"`
	Failures int                      `json:"failures"`
	Similar  map[string]bool          `json:"similar"`
	Strays   map[string]string        `json:"strays"` // the ref by the identifier
}

type recordImage struct {
	Facts         history.Facts   `json:"facts"`
	Content       json.RawMessage `json:"content"`
	States        []stateImage    `json:"states"`
	Foreign       bool            `json:"foreign"`
	Cause         fault.Ref       `json:"cause"`
	Notifications int             `json:"notifications"`
	Unheard       bool            `json:"unheard"`
}

type stateImage struct {
	At           time.Duration `json:"at"`
	Status       string        `json:"status"`
	Notification string        `json:"notification"`
}

// image is called with the lock held.
func (s *Service) image() any {
	i := image{Keys: s.keys.All(), Fences: s.fences, Failures: s.failures, Similar: s.similar, Strays: map[string]string{}}
	for _, r := range s.records {
		saved := recordImage{
			Facts: r.facts, Content: r.content, Foreign: r.foreign, Cause: r.cause, Notifications: r.notifications, Unheard: r.unheard,
		}
		for _, st := range r.states {
			saved.States = append(saved.States, stateImage{At: st.at, Status: st.status, Notification: st.notification})
		}
		i.Records = append(i.Records, saved)
	}
	for key, r := range s.strays {
		i.Strays[key] = r.facts.Ref
	}
	return i
}

// restore takes up what an earlier process knew: the ledger, and what was still
// to come of it.
func (s *Service) restore() error {
	i := image{Fences: s.fences, Similar: s.similar}
	if found, err := s.frame.Restore(&i); !found {
		return err
	}
	s.fences, s.failures, s.similar = i.Fences, i.Failures, i.Similar
	for _, saved := range i.Records {
		r := &record{
			facts: saved.Facts, content: saved.Content, foreign: saved.Foreign, cause: saved.Cause,
			notifications: saved.Notifications, unheard: saved.Unheard,
		}
		for _, st := range saved.States {
			r.change(st.At, st.Status, st.Notification)
		}
		s.records = append(s.records, r)
		s.resume(r)
	}
	for key, ref := range i.Strays {
		s.strays[key] = s.byRef(ref)
	}
	s.keys.Restore(i.Keys, func(action string) contract.Idempotency { return s.idempotency(action) })
	return nil
}

// resume sets the clocks again that ran for a record.
func (s *Service) resume(r *record) {
	now := s.frame.Now()
	switch last := r.now(); {
	case r.foreign:
	case last.status == Pending && s.set.Outcome != "":
		s.frame.After(max(0, r.states[0].at+s.set.ApproverAfter-now), func() { s.decide(r, s.set.Outcome) })
	case (last.status == Approved || last.status == Declined) && last.notification == none && s.set.NotificationAfter > 0:
		s.frame.After(max(0, last.at+s.set.NotificationAfter-now), func() { s.notifyLate(r) })
	}
}
