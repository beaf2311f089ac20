package desk

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Config is what a desk is opened with.
type Config struct {
	Frame service.Config
	// Opened is told of each new escalation, before the fault that waits for one and before the reply.
	// It must not call the desk. Nil: nobody is told.
	Opened func(task, id string)
}

// Ledger is all that the desk holds, for the evidence that is kept of a run.
type Ledger struct {
	Escalations []Escalation `json:"escalations"`
}

// Escalation is one matter that was handed over, as it stands now.
type Escalation struct {
	ID         string          `json:"id"`
	Key        string          `json:"key,omitempty"`
	Task       string          `json:"task,omitempty"` // of the call, not what the body says
	Call       string          `json:"call,omitempty"` // that opened it
	At         time.Time       `json:"at"`             // of the last change
	Amendments int             `json:"amendments"`
	Body       json.RawMessage `json:"body"`
}

// Service is one running desk.
type Service struct {
	service.Handle

	frame  *service.Service
	opened func(task, id string)

	mu          service.Guard
	escalations []*Escalation
}

// Open starts the desk. The caller closes it.
func Open(cfg Config) (*Service, error) {
	s := &Service{opened: cfg.Opened}
	s.mu.Lock()
	defer s.mu.Unlock()
	frame, err := service.Open(cfg.Frame, service.Spec{
		Name:   "desk",
		Writes: map[string]service.Write{"escalate": s.escalate},
	})
	if err != nil {
		return nil, err
	}
	s.frame, s.Handle = frame, frame.Handle()
	if _, err := frame.Restore(&s.escalations); err != nil {
		return nil, errors.Join(err, frame.Close(context.Background()))
	}
	s.mu.Keep(frame, func() any { return s.escalations })
	return s, nil
}

// Ledger is a copy of all that the desk holds now.
func (s *Service) Ledger() Ledger {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := Ledger{Escalations: []Escalation{}}
	for _, e := range s.escalations {
		l.Escalations = append(l.Escalations, *e)
	}
	return l
}

// escalate takes any JSON object: what it lacks is for the judge to say.
func (s *Service) escalate(c *service.Call) (*service.Plan, service.Reply) {
	if err := c.Check(nil, nil); err != nil {
		return nil, service.Malformed(err)
	}
	return &service.Plan{Commit: func() service.Outcome {
		id, isNew := s.take(c)
		if id == "" {
			return service.Outcome{Reply: service.Full()}
		}
		if isNew {
			if s.opened != nil {
				s.opened(c.Task, id)
			}
			s.frame.Event(c.Ref, fault.AgentEscalates, "")
		}
		return service.Outcome{Reply: service.Reply{Status: http.StatusCreated, Body: opened{id}}, Stands: true}
	}}, service.Reply{}
}

type opened struct {
	ID string `json:"id"`
}

// take opens an escalation, or finds the one with the same identifier and
// amends it when it says something new. Ids are e-1, e-2, ...; "" when the desk
// is full.
func (s *Service) take(c *service.Call) (id string, isNew bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.escalations {
		if e.Key == "" || e.Key != c.Facts.Key || e.Task != c.Task {
			continue
		}
		if body := kept(c.Body); !bytes.Equal(e.Body, body) {
			e.Body, e.At, e.Amendments = body, s.frame.Wall(s.frame.Now()), e.Amendments+1
			s.row(c, history.EscalationChange, e.ID)
		}
		return e.ID, false
	}
	if len(s.escalations) >= service.MaxRecords {
		return "", false
	}
	e := &Escalation{
		ID: fmt.Sprintf("e-%d", len(s.escalations)+1), Key: c.Facts.Key, Task: c.Task, Call: c.Call,
		At: s.frame.Wall(s.frame.Now()), Body: kept(c.Body),
	}
	s.escalations = append(s.escalations, e)
	s.row(c, history.Escalated, e.ID)
	return e.ID, true
}

// kept is the body, or a digest in place of one that is too long to keep.
func kept(body []byte) json.RawMessage {
	if len(body) <= service.MaxContent {
		return body
	}
	return json.RawMessage(fmt.Sprintf(`{"too_long_to_keep":"sha256:%x"}`, sha256.Sum256(body)))
}

func (s *Service) row(c *service.Call, effect, id string) {
	s.frame.Row(c.Ref, effect, false, history.Facts{
		Ref: id, Key: c.Facts.Key, Escalation: c.Facts.Escalation, Malformed: c.Facts.Malformed,
	})
}
