package purchase

import (
	"context"
	"errors"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// Config is what a purchase service is opened with.
type Config struct {
	Frame    service.Config
	Settings Settings
}

// Settings say how one purchase service behaves. The zero value promises
// everything.
type Settings struct {
	// Promises are the guarantees; the entry purchase.buy is used. Nil: [Promises].
	Promises contract.Guarantees
	// Breaks are the promises that are not kept: idempotency.
	Breaks []string
}

// Service is one running purchase service.
type Service struct{}

// Open starts the service. The caller closes it.
func Open(cfg Config) (*Service, error) { return nil, errors.ErrUnsupported }

// Name is "purchase".
func (s *Service) Name() string { return "purchase" }

// Addr is host:port.
func (s *Service) Addr() string { return "" }

// URL is the base of its routes, without a slash at the end.
func (s *Service) URL() string { return "" }

// Close ends all that runs, see service.Close.
func (s *Service) Close(ctx context.Context) error { return nil }

// Ledger is a copy of all that the service holds now.
func (s *Service) Ledger() Ledger { return Ledger{} }

// Ledger is all that the service holds.
type Ledger struct{}
