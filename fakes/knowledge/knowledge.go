package knowledge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/tool"
)

// Ledger is what the service has changed, for the evidence that is kept of a
// run.
type Ledger struct {
	Deleted  []string `json:"deleted"`
	Archived []string `json:"archived"`
	Refunds  []Refund `json:"refunds"`
}

// Refund is money that was paid back.
type Refund struct {
	ID     string `json:"id"`
	Order  string `json:"order"`
	Amount string `json:"amount"`
	Status string `json:"status"` // done
	Key    string `json:"-"`
	Task   string `json:"task,omitempty"`
}

// Service is one running knowledge service.
type Service struct {
	service.Handle

	frame *service.Service
	set   Settings
	mcp   func() http.Handler // made when it is asked for

	mu       service.Guard
	articles []Article
	archive  []Article
	deleted  []string
	moved    []string
	refunds  []Refund
}

// Open starts the service. The caller closes it. The error is a setting that
// makes no sense, or the failure to listen.
func Open(cfg Config) (*Service, error) {
	if err := cfg.Settings.check(); err != nil {
		return nil, fmt.Errorf("knowledge: %w", err)
	}
	s := &Service{set: cfg.Settings, articles: articles(), archive: archived(), mcp: sync.OnceValue(func() http.Handler { return newMCP(cfg.Settings.Offers) })}
	s.mu.Lock()
	defer s.mu.Unlock()
	frame, err := service.Open(cfg.Frame, service.Spec{
		Name: "knowledge",
		Reads: map[string]service.Read{
			"search_kb":  s.reads("search_kb", s.search),
			"kb_cache":   s.reads("kb_cache", s.cache),
			"kb_archive": s.reads("kb_archive", s.old),
			"search_web": s.reads("search_web", s.web),
			"initialize": protocol, "list_tools": protocol, "session": protocol,
		},
		Carry: s.carry,
		Writes: map[string]service.Write{
			"delete_record":  s.writes("delete_record", s.remove),
			"archive_record": s.writes("archive_record", s.move),
			"issue_refund":   s.writes("issue_refund", s.refund),
		},
	})
	if err != nil {
		return nil, err
	}
	s.frame, s.Handle = frame, frame.Handle()
	if err := s.restore(); err != nil {
		return nil, errors.Join(err, frame.Close(context.Background()))
	}
	s.mu.Keep(frame, s.image)
	return s, nil
}

// Ledger is a copy of what the service has changed by now.
func (s *Service) Ledger() Ledger {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Ledger{
		Deleted: append([]string{}, s.deleted...), Archived: append([]string{}, s.moved...), Refunds: append([]Refund{}, s.refunds...),
	}
}

// arguments are what the tools take, all in one.
type arguments struct {
	Q      string `json:"q"`
	Limit  int    `json:"limit"`
	ID     string `json:"id"`
	Order  string `json:"order"`
	Amount string `json:"amount"`
}

// read reads the arguments of a call and tells what is wrong with them, first by
// the schema, then by the settings.
func (s *Service) read(name string, c *service.Call) (arguments, *service.Reply) {
	t, _ := tool.Find(name)
	refuse := func(status int, code, format string, args ...any) (arguments, *service.Reply) {
		r := service.Refuse(status, code, format, args...)
		return arguments{}, &r
	}
	text := c.Arguments()
	if misfit := t.Misfit(text); misfit != "" {
		return refuse(400, "malformed", "%s", misfit)
	}
	a := arguments{Limit: 5}
	_ = json.Unmarshal(text, &a) // it fits the schema
	switch {
	case slices.Contains(s.set.Denies, name):
		return refuse(403, "permission", "%s is not permitted to this client", name)
	case slices.Contains(s.set.Missing, name):
		return refuse(404, "not_found", "there is nothing that %s could find by these arguments", name)
	case slices.Contains(s.set.Refuses, name):
		return refuse(422, "bad_arguments", "%s does not take these arguments", name)
	}
	return a, nil
}

func (s *Service) reads(name string, answer func(arguments) service.Reply) service.Read {
	return func(c *service.Call) service.Reply {
		a, refusal := s.read(name, c)
		if refusal != nil {
			return *refusal
		}
		if len(words(a.Q)) == 0 {
			return service.Refuse(422, "bad_arguments", "q has no letter and no digit in it")
		}
		return answer(a)
	}
}

func (s *Service) writes(name string, check func(*service.Call, arguments) (*service.Plan, service.Reply)) service.Write {
	return func(c *service.Call) (*service.Plan, service.Reply) {
		a, refusal := s.read(name, c)
		if refusal != nil {
			return nil, *refusal
		}
		return check(c, a)
	}
}
