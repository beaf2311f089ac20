package approval

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Service is one running approval service.
type Service struct {
	service.Handle

	frame *service.Service
	set   Settings
	emit  func(task string, e Event)

	// mu makes each change one step: what is deduplicated, what is created, and the rows about it.
	mu       service.Guard
	records  []*record
	keys     service.Keys
	fences   map[string]time.Duration // identifiers that can never be carried out, and since when
	underway map[string]int           // submissions that are taken on and not carried out, by identifier
	failures int                      // notifications that have failed
	similar  map[string]bool          // what was searched for
	strays   map[string]*record       // records of other clients that replies have shown in error, by the identifier asked for
}

// Open starts the service. The caller closes it. The error is a setting that
// makes no sense, or the failure to listen.
func Open(cfg Config) (*Service, error) {
	if err := cfg.Settings.check(); err != nil {
		return nil, fmt.Errorf("approval: %w", err)
	}
	if cfg.Settings.Promises == nil {
		cfg.Settings.Promises = Promises(0)
	}
	s := &Service{
		set: cfg.Settings, emit: cfg.Emit,
		fences: map[string]time.Duration{}, underway: map[string]int{}, similar: map[string]bool{}, strays: map[string]*record{},
	}
	s.keys.Expired = func(e *service.Entry) {
		// Nobody's call: the time was over, whoever noticed it.
		s.frame.Row(fault.Ref{Task: e.Cause.Task}, history.KeyExpired, false, e.Facts())
	}
	// A request may arrive before Open returns, and must find the frame that it came through.
	s.mu.Lock()
	defer s.mu.Unlock()
	frame, err := service.Open(cfg.Frame, service.Spec{
		Name:     "approval",
		Promises: cfg.Settings.Promises,
		Reads:    map[string]service.Read{"track": s.track, "query": s.query, "search": s.search},
		Writes: map[string]service.Write{
			"submit": s.submit, "void": s.void, "withdraw": s.withdraw, "notify": s.notify,
		},
		Rival:   s.rival,
		Decide:  func(c *service.Call, outcome string) { s.Decide(c.Task, outcome) },
		Lacking: s.lacking,
		Distort: s.distort,
		Forget:  s.forget,
	})
	s.frame, s.Handle = frame, frame.Handle()
	if err != nil {
		return nil, err
	}
	if err := s.restore(); err != nil {
		return nil, errors.Join(err, frame.Close(context.Background()))
	}
	s.mu.Keep(frame, s.image)
	return s, nil
}

// promise is what one operation guarantees; the zero promise when it has no entry.
func (s *Service) promise(op string) contract.Promise { return s.set.Promises["approval."+op] }

// idempotency is what the service really keeps of an operation's promise.
func (s *Service) idempotency(op string) contract.Idempotency {
	p := s.promise(op).Idempotency
	if s.set.breaks(BreakIdempotency) {
		p.Supported = false
	}
	if s.set.breaks(BreakRetention) {
		p.RetentionMS /= 4
	}
	return p
}

// Ledger is a copy of all that the service holds now.
func (s *Service) Ledger() Ledger {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := Ledger{Records: []LedgerRecord{}, Keys: []LedgerKey{}}
	for _, r := range s.records {
		l.Records = append(l.Records, LedgerRecord{
			Record: s.show(r), Foreign: r.foreign, Task: r.cause.Task, Call: r.cause.Call,
			Supersedes: r.facts.Supersedes, Notifications: r.notifications,
		})
	}
	for _, e := range s.keys.All() {
		state := e.State
		if e.Expired {
			state = "expired"
		}
		l.Keys = append(l.Keys, LedgerKey{
			Key: e.Key, Action: e.Action, Tenant: e.Tenant, Object: e.Object, State: state, Ref: e.Ref, ReceivedMS: e.Received.Milliseconds(),
		})
	}
	for _, f := range sortedFences(s.fences) {
		l.Keys = append(l.Keys, LedgerKey{Key: f, State: service.StateVoid, ReceivedMS: s.fences[f].Milliseconds()})
	}
	return l
}
