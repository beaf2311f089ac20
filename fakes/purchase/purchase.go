package purchase

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Purchase is one purchase as the service shows it.
type Purchase struct {
	Ref      string          `json:"ref"`
	Key      string          `json:"key"`
	Approval string          `json:"approval"`
	Content  json.RawMessage `json:"content"`
	Status   string          `json:"status"` // done
	At       time.Time       `json:"at"`
}

// Ledger is all that the service holds, for the evidence that is kept of a run.
type Ledger struct {
	Purchases []LedgerPurchase `json:"purchases"`
}

// LedgerPurchase is a purchase and where it comes from.
type LedgerPurchase struct {
	Purchase
	Foreign bool   `json:"foreign,omitempty"` // made by another client
	Task    string `json:"task,omitempty"`
	Call    string `json:"call,omitempty"`
}

// Service is one running purchase service.
type Service struct {
	service.Handle

	frame *service.Service
	set   Settings

	// mu makes a purchase and its deduplication one step.
	mu        service.Guard
	purchases []LedgerPurchase
	keys      service.Keys
	underway  map[string]int      // purchases that are taken on and not made, by identifier
	strays    map[string]Purchase // purchases of other clients that replies have shown in error, by the identifier asked for
}

// Open starts the service. The caller closes it. The error is a setting that
// makes no sense, or the failure to listen.
func Open(cfg Config) (*Service, error) {
	if err := cfg.Settings.check(); err != nil {
		return nil, fmt.Errorf("purchase: %w", err)
	}
	if cfg.Settings.Promises == nil {
		cfg.Settings.Promises = Promises(0)
	}
	s := &Service{set: cfg.Settings, underway: map[string]int{}, strays: map[string]Purchase{}}
	s.keys.Expired = func(e *service.Entry) {
		s.frame.Row(fault.Ref{Task: e.Cause.Task}, history.KeyExpired, false, e.Facts())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	frame, err := service.Open(cfg.Frame, service.Spec{
		Name:     "purchase",
		Promises: cfg.Settings.Promises,
		Reads:    map[string]service.Read{"query": s.query},
		Writes:   map[string]service.Write{"buy": s.buy},
		Rival:    s.rival,
		Distort:  s.distort,
		Forget:   s.forget,
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

func (s *Service) promise() contract.Promise { return s.set.Promises["purchase.buy"] }

// idempotency is what the service really keeps of its promise.
func (s *Service) idempotency() contract.Idempotency {
	p := s.promise().Idempotency
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
	return Ledger{Purchases: append([]LedgerPurchase{}, s.purchases...)}
}
