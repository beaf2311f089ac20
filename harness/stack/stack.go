package stack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/lostreceipt/lostreceipt/fakes/approval"
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
	// Ground is where the services run. Nil: in this process. The stack gives it back when it is closed.
	Ground Ground
	// Failed is told when a service cannot go on. Nil: nobody is told.
	Failed func(error)
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
	gateway  *wire.Gateway
	tasks    map[string]scenario.Task
	ground   Ground
	backends []Backend
}

// Open starts the services. The caller closes the stack, which gives the ground
// back, also when Open fails.
func Open(ctx context.Context, cfg Config) (*Stack, error) {
	switch {
	case cfg.Log == nil:
		return nil, errors.New("stack: no log")
	case cfg.Scenario == nil:
		return nil, errors.New("stack: no scenario")
	}
	if cfg.Ground == nil {
		cfg.Ground = here{}
	}
	s := &Stack{
		gateway: wire.New(wire.Config{Log: cfg.Log, Seam: cfg.Seam, Dialect: dialect.HTTP{}, Avoid: cfg.Avoid, Patience: cfg.Scenario.Limits.AttemptTimeout}),
		tasks:   map[string]scenario.Task{}, ground: cfg.Ground,
	}
	for _, t := range cfg.Scenario.Tasks {
		s.tasks[t.ID] = t
	}
	if err := s.open(ctx, cfg); err != nil {
		return nil, errors.Join(fmt.Errorf("stack: %w", err), s.Close(ctx))
	}
	return s, nil
}

// open starts the services that the tasks need.
func (s *Stack) open(ctx context.Context, cfg Config) error {
	needs := map[string]bool{}
	for _, t := range s.tasks {
		for _, name := range t.Services() {
			needs[name] = true
		}
	}
	for _, one := range cfg.services(service.Config{Log: cfg.Log, Seam: cfg.Seam}) {
		if !needs[one.Name] {
			continue
		}
		one.Frame.Identify = func(peer string, seq int) (fault.Ref, bool) { return s.gateway.Identify(one.Name, peer, seq) }
		b, err := s.ground.Place(ctx, one)
		if err != nil {
			return err
		}
		s.backends = append(s.backends, b)
	}
	return nil
}

// services are all that there are, in the order in which they start.
func (cfg Config) services(frame service.Config) []Service {
	set := cfg.Scenario.Services
	all := []Service{
		{Name: "approval", Settings: approval.Settings{
			Promises: cfg.Scenario.Guarantees, Outcome: set.Approval.Outcome, ApproverAfter: set.Approval.ApproverAfter,
			ReplicaLag: set.Approval.ReplicaLag, Queue: set.Approval.Queue, CreateAfter: set.Approval.CreateAfter,
			Refuses: set.Approval.Refuses, NotificationFails: set.Approval.NotificationFails,
			Announces: set.Approval.Announces, NotificationAfter: set.Approval.NotificationAfter, Plain: set.Approval.Plain, Breaks: set.Approval.Breaks,
		}},
		{Name: "purchase", Settings: purchase.Settings{Promises: cfg.Scenario.Guarantees, Breaks: set.Purchase.Breaks}},
		{Name: "desk"},
		{Name: "knowledge", Settings: knowledge.Settings{
			Denies: set.Knowledge.Denies, Missing: set.Knowledge.Missing, Refuses: set.Knowledge.Refuses,
			Offers: set.Knowledge.Offers,
		}},
		{Name: "model", Settings: model.Settings{Script: cfg.script(), Models: set.Model.Models, Missing: set.Model.Missing}},
	}
	for i := range all {
		all[i].Frame = frame
		all[i].Emit = func(task string, e approval.Event) {
			if cfg.Emit != nil {
				cfg.Emit(task, told(e))
			}
		}
		all[i].Escalated = cfg.Escalated
		all[i].Failed = cfg.Failed
	}
	return all
}

// script is what the model plays.
func (cfg Config) script() []model.Turn {
	script := make([]model.Turn, len(cfg.Scenario.Services.Model.Script))
	for i, t := range cfg.Scenario.Services.Model.Script {
		script[i] = model.Turn{Speech: t.Speech, AfterError: t.AfterError}
	}
	return script
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

// Door opens the services that a task needs to one work item and returns where
// it finds each, by name. They close with the stack: what the work item sent may arrive long
// after its process has gone.
func (s *Stack) Door(ctx context.Context, task, work string) (map[string]string, error) {
	endpoints := map[string]string{}
	needs := s.tasks[task].Services()
	for _, b := range s.backends {
		if !slices.Contains(needs, b.Name()) {
			continue
		}
		p, err := s.gateway.Open(ctx, wire.Door{Task: task, Work: work, Service: b.Name(), Upstream: b.Addr(), Host: s.ground.Host()})
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

// Outage does something to a service's process, and returns how to end it.
func (s *Stack) Outage(ctx context.Context, service string, how fault.Outage) (end func(context.Context) error, err error) {
	m, ok := s.ground.(Machines)
	if !ok {
		return nil, fmt.Errorf("stack: %s of %s: the services are no processes of their own here", how, service)
	}
	end, err = m.Outage(ctx, service, how)
	if err != nil {
		return nil, fmt.Errorf("stack: %s of %s: %w", how, service, err)
	}
	return end, nil
}

// Quiet tells that nothing is in flight on the wire, nothing is held, and no
// service has a call under way or a timer that can still change anything. With
// no agent and no fault left to act, a quiet stack stays quiet.
func (s *Stack) Quiet() bool {
	if s.gateway.Busy() > 0 {
		return false
	}
	for _, b := range s.backends {
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
	for _, b := range s.backends {
		errs = append(errs, b.Close(ctx))
	}
	return errors.Join(append(errs, s.ground.Close(ctx))...)
}
