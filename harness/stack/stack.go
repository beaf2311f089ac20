package stack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/lostreceipt/lostreceipt/fakes/approval"
	"github.com/lostreceipt/lostreceipt/fakes/desk"
	"github.com/lostreceipt/lostreceipt/fakes/knowledge"
	"github.com/lostreceipt/lostreceipt/fakes/model"
	"github.com/lostreceipt/lostreceipt/fakes/purchase"
	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/dialect"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
	"github.com/lostreceipt/lostreceipt/harness/wire"
)

// Config is what a stack is made of. Log and Scenario are required.
type Config struct {
	_ struct{}

	// Log takes the records of the wire and the services.
	Log *history.Log
	// Scenario gives the promises and the settings of the services.
	Scenario *scenario.Compiled
	// Seam decides about faults. Nil: there are none.
	Seam fault.Seam
	// Emit takes what a service tells the agent about a record that the agent made. It must not call the
	// stack. Nil: such events go nowhere.
	Emit func(task string, e Event)
	// Escalated is told of each new escalation, before the fault that waits for one and before the reply.
	// It must not call the stack. Nil: nobody is told.
	Escalated func(task, id string)
	// Avoid tells that no door must be at this port, see [wire.Config]. Nil: none is avoided.
	Avoid func(port int) bool
}

// Event is what a service tells the agent about one of its records.
type Event struct {
	_ struct{}

	Type   string // approved, declined, withdrawn
	Record json.RawMessage
	Seq    int            // the record's own version
	Facts  *history.Facts // what the record states
}

// Stack is the services of one run and the wire before them. Its methods are
// safe for concurrent use.
type Stack struct {
	gateway *wire.Gateway
	tasks   map[string]scenario.Task

	// Those that no task needs are nil.
	approval  *approval.Service
	purchase  *purchase.Service
	desk      *desk.Service
	knowledge *knowledge.Service
	model     *model.Service
}

// backend is what the stack does with every service.
type backend interface {
	Name() string
	Addr() string
	Quiet() bool
	Close(ctx context.Context) error
}

// Open starts the services. The caller closes the stack.
func Open(ctx context.Context, cfg Config) (*Stack, error) {
	switch {
	case cfg.Log == nil:
		return nil, errors.New("stack: no log")
	case cfg.Scenario == nil:
		return nil, errors.New("stack: no scenario")
	}
	s := &Stack{
		gateway: wire.New(wire.Config{Log: cfg.Log, Seam: cfg.Seam, Dialect: dialect.HTTP{}, Avoid: cfg.Avoid}),
		tasks:   map[string]scenario.Task{},
	}
	for _, t := range cfg.Scenario.Tasks {
		s.tasks[t.ID] = t
	}
	if err := s.open(cfg); err != nil {
		return nil, errors.Join(fmt.Errorf("stack: %w", err), s.Close(ctx))
	}
	return s, nil
}

// open starts the services that the tasks need.
func (s *Stack) open(cfg Config) error {
	frame := service.Config{Log: cfg.Log, Seam: cfg.Seam, Identify: s.gateway.Identify}
	needs := map[string]bool{}
	for _, t := range s.tasks {
		for _, name := range t.Services() {
			needs[name] = true
		}
	}
	for _, one := range []struct {
		name string
		open func(service.Config, Config) error
	}{
		{"approval", s.openApproval},
		{"purchase", s.openPurchase},
		{"desk", s.openDesk},
		{"knowledge", s.openKnowledge},
		{"model", s.openModel},
	} {
		if needs[one.name] {
			if err := one.open(frame, cfg); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Stack) openApproval(frame service.Config, cfg Config) (err error) {
	set := cfg.Scenario.Services.Approval
	s.approval, err = approval.Open(approval.Config{
		Frame: frame,
		Settings: approval.Settings{
			Promises: cfg.Scenario.Guarantees, Outcome: set.Outcome, ApproverAfter: set.ApproverAfter, ReplicaLag: set.ReplicaLag,
			Queue: set.Queue, CreateAfter: set.CreateAfter, Refuses: set.Refuses, NotificationFails: set.NotificationFails,
			NotificationAfter: set.NotificationAfter, Plain: set.Plain, Breaks: set.Breaks,
		},
		Emit: func(task string, e approval.Event) {
			if cfg.Emit != nil {
				cfg.Emit(task, told(e))
			}
		},
	})
	return err
}

func (s *Stack) openPurchase(frame service.Config, cfg Config) (err error) {
	s.purchase, err = purchase.Open(purchase.Config{
		Frame:    frame,
		Settings: purchase.Settings{Promises: cfg.Scenario.Guarantees, Breaks: cfg.Scenario.Services.Purchase.Breaks},
	})
	return err
}

func (s *Stack) openDesk(frame service.Config, cfg Config) (err error) {
	s.desk, err = desk.Open(desk.Config{Frame: frame, Opened: cfg.Escalated})
	return err
}

func (s *Stack) openKnowledge(frame service.Config, cfg Config) (err error) {
	set := cfg.Scenario.Services.Knowledge
	s.knowledge, err = knowledge.Open(knowledge.Config{
		Frame:    frame,
		Settings: knowledge.Settings{Denies: set.Denies, Missing: set.Missing, Refuses: set.Refuses},
	})
	return err
}

func (s *Stack) openModel(frame service.Config, cfg Config) (err error) {
	set := cfg.Scenario.Services.Model
	script := make([]model.Turn, len(set.Script))
	for i, t := range set.Script {
		script[i] = model.Turn{Speech: t.Speech, AfterError: t.AfterError}
	}
	s.model, err = model.Open(model.Config{
		Frame: frame, Settings: model.Settings{Script: script, Models: set.Models, Missing: set.Missing},
	})
	return err
}

// told is an event as the control plane passes it on. Its record reads as a
// reply about it does.
func told(e approval.Event) Event {
	text, err := json.Marshal(e.Record)
	if err != nil {
		text = []byte("null") // a record is made of strings and numbers
	}
	return Event{Type: e.Type, Record: text, Seq: e.Seq, Facts: dialect.HTTP{}.Reply("approval", "track", 200, nil, text)}
}

// backends are the services that run.
func (s *Stack) backends() []backend {
	var all []backend
	if s.approval != nil {
		all = append(all, s.approval)
	}
	if s.purchase != nil {
		all = append(all, s.purchase)
	}
	if s.desk != nil {
		all = append(all, s.desk)
	}
	if s.knowledge != nil {
		all = append(all, s.knowledge)
	}
	if s.model != nil {
		all = append(all, s.model)
	}
	return all
}

// Door opens the services that a task needs to one work item and returns where
// it finds each, by name. They close with the stack: what the work item sent may arrive long
// after its process has gone.
func (s *Stack) Door(ctx context.Context, task, work string) (map[string]string, error) {
	endpoints := map[string]string{}
	needs := s.tasks[task].Services()
	for _, b := range s.backends() {
		if !slices.Contains(needs, b.Name()) {
			continue
		}
		p, err := s.gateway.Open(ctx, wire.Door{Task: task, Work: work, Service: b.Name(), Upstream: b.Addr()})
		if err != nil {
			return nil, fmt.Errorf("stack: %w", err)
		}
		endpoints[b.Name()] = p.URL()
	}
	return endpoints, nil
}

// Refuse closes the doors of a task to a service: dials are refused, live
// connections go on. Each Refuse needs one Readmit.
func (s *Stack) Refuse(task, service string) error { return s.gateway.Refuse(task, service) }

// Readmit ends one Refuse.
func (s *Stack) Readmit(task, service string) error { return s.gateway.Readmit(task, service) }

// Quiet tells that nothing is in flight on the wire, nothing is held, and no
// service has a call under way or a timer that can still change anything. With
// no agent and no fault left to act, a quiet stack stays quiet.
func (s *Stack) Quiet() bool {
	if s.gateway.Busy() > 0 {
		return false
	}
	for _, b := range s.backends() {
		if !b.Quiet() {
			return false
		}
	}
	// What a service did just now may have put something on the wire.
	return s.gateway.Busy() == 0
}

// Close ends the wire and the services and waits for all that runs, at most
// until ctx ends. What is held is dropped. It can be called again.
func (s *Stack) Close(ctx context.Context) error {
	errs := []error{s.gateway.Close(ctx)}
	for _, b := range s.backends() {
		errs = append(errs, b.Close(ctx))
	}
	return errors.Join(errs...)
}
