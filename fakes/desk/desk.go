package desk

import (
	"context"
	"errors"

	"github.com/lostreceipt/lostreceipt/fakes/service"
)

// Config is what a desk is opened with.
type Config struct {
	Frame service.Config
	// Opened is told of each new escalation, before the fault that waits for one and before the reply.
	// Nil: nobody is.
	Opened func(task, id string)
}

// Service is one running desk.
type Service struct{}

// Open starts the desk. The caller closes it.
func Open(cfg Config) (*Service, error) { return nil, errors.ErrUnsupported }

// Name is "desk".
func (s *Service) Name() string { return "desk" }

// Addr is host:port.
func (s *Service) Addr() string { return "" }

// URL is the base of its routes, without a slash at the end.
func (s *Service) URL() string { return "" }

// Close ends all that runs, see service.Close.
func (s *Service) Close(ctx context.Context) error { return nil }

// Ledger is a copy of all that the desk holds now.
func (s *Service) Ledger() Ledger { return Ledger{} }

// Ledger is all that the desk holds.
type Ledger struct{}
