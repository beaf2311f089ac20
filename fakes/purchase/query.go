package purchase

import (
	"net/http"

	"github.com/lostreceipt/lostreceipt/fakes/service"
)

// query looks an identifier up: its purchases with ?key=, its state with
// /v1/submissions/{key}.
func (s *Service) query(c *service.Call) service.Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.promise().Query.ByKey {
		return service.NotOffered("the look-up of an identifier")
	}
	s.keys.Sweep(s.frame.Now())
	if c.Query.Has("key") {
		list := service.List[Purchase]{Items: []Purchase{}, AsOf: s.frame.Wall(s.frame.Now())}
		for _, p := range s.purchases {
			if p.Key != "" && p.Key == c.Facts.Key {
				list.Items = append(list.Items, p.Purchase)
			}
		}
		return service.Reply{Status: http.StatusOK, Body: list}
	}
	return service.Reply{Status: http.StatusOK, Body: s.submission(c.Facts.Key)}
}

func (s *Service) submission(key string) service.Submission {
	for _, e := range s.keys.Known(key, s.frame.Now()) {
		return service.StateOf(e.State, e.Ref)
	}
	if !s.idempotency().Supported {
		for _, p := range s.purchases {
			if p.Key == key {
				return service.StateOf(service.StateCreated, p.Ref)
			}
		}
	}
	if s.underway[key] > 0 {
		return service.StateOf(service.StateProcessing, "")
	}
	return service.StateOf(service.StateUnknown, "")
}
