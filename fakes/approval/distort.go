package approval

import (
	"net/http"
	"time"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// distort makes a reply that is not what the service knows of an honest one.
func (s *Service) distort(c *service.Call, how fault.Distortion, honest service.Reply) service.Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch how {
	case fault.Stale:
		return s.stale(c, honest)
	case fault.WrongInstance:
		return s.misplaced(c, honest)
	case fault.Doubled:
		if list, ok := honest.Body.(service.List[Record]); ok {
			for _, r := range list.Items {
				list.Items = append(list.Items, s.version(s.byRef(r.Ref), 1))
			}
			honest.Body = list
		}
	}
	return honest
}

// stale shows what was so before the last change. A record that was never
// changed is not there yet; who has just made one knows it all the same.
func (s *Service) stale(c *service.Call, honest service.Reply) service.Reply {
	switch b := honest.Body.(type) {
	case Record:
		switch {
		case b.Seq > 1:
			honest.Body = s.version(s.byRef(b.Ref), b.Seq-1)
		case c.Operation == "track":
			return notFound(b.Ref)
		}
	case service.List[Record]:
		old := []Record{}
		for _, r := range b.Items {
			b.AsOf = earlier(b.AsOf, r.At.Add(-1))
			if r.Seq > 1 {
				old = append(old, s.version(s.byRef(r.Ref), r.Seq-1))
			}
		}
		b.Items = old
		honest.Body = b
	case service.Submission:
		honest.Body = service.StateOf(service.StateUnknown, "")
	}
	return honest
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// misplaced shows a record of another client in place of what was asked for.
func (s *Service) misplaced(c *service.Call, honest service.Reply) service.Reply {
	key := c.Facts.Key
	switch b := honest.Body.(type) {
	case Record:
		honest.Body = s.stray(b.Key)
	case service.List[Record]:
		b.Items = []Record{s.stray(key)}
		honest.Body = b
	case service.Submission:
		honest = service.Reply{Status: http.StatusOK, Body: service.StateOf(service.StateCreated, s.stray(key).Ref)}
	}
	return honest
}

// stray is the record of another client that is shown under an identifier in
// error: approved, for as much and for the same as what the identifier really
// stands for, and of another object and another confirmation. Tracked, it shows
// its own identifier.
func (s *Service) stray(key string) Record {
	r := s.strays[key]
	if r == nil {
		f := history.Facts{
			Key: "other-client-of-" + key, Object: "another-object", Confirmation: "another-confirmation", Version: 1, Digest: "another-digest",
		}
		content := []byte(`{"note":"the request of another client"}`)
		if own := s.byKey(key, s.frame.Now()); len(own) > 0 {
			f.Tenant, content = own[0].facts.Tenant, own[0].content
		}
		r = s.addForeign(fault.Ref{}, f, content, Approved, s.frame.Now())
		s.strays[key] = r
	}
	shown := s.show(r)
	shown.Key = key
	return shown
}
