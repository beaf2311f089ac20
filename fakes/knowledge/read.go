package knowledge

import (
	"net/http"

	"github.com/lostreceipt/lostreceipt/fakes/service"
)

// hits is the reply to a search.
type hits struct {
	Items []Article `json:"items"` // never null
	AsOf  string    `json:"as_of,omitempty"`
}

// Emptied is the reply of a search that finds nothing.
func (h hits) Emptied() any { return hits{Items: []Article{}, AsOf: h.AsOf} }

func show(found []Article, asOf string) service.Reply {
	return service.Reply{Status: http.StatusOK, Body: hits{Items: found, AsOf: asOf}}
}

func (s *Service) search(a arguments) service.Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	return show(look(s.articles, words(a.Q), a.Limit), "")
}

func (s *Service) cache(a arguments) service.Reply {
	return show(look(cached(), words(a.Q), a.Limit), AsOf)
}

func (s *Service) old(a arguments) service.Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	return show(look(s.archive, words(a.Q), a.Limit), "")
}

func (s *Service) web(a arguments) service.Reply {
	return show(look(public(), words(a.Q), a.Limit), "")
}
