package approval

import (
	"context"
	"errors"
)

// Service is one running approval service.
type Service struct{}

// Open starts the service. The caller closes it.
func Open(cfg Config) (*Service, error) { return nil, errors.ErrUnsupported }

// Name is "approval".
func (s *Service) Name() string { return "approval" }

// Addr is host:port.
func (s *Service) Addr() string { return "" }

// URL is the base of its routes, without a slash at the end.
func (s *Service) URL() string { return "" }

// Close ends the approver and all that runs, see service.Close.
func (s *Service) Close(ctx context.Context) error { return nil }

// Ledger is a copy of all that the service holds now.
func (s *Service) Ledger() Ledger { return Ledger{} }

// Decide makes the approver decide, now, about every pending record of a task
// ("" for every task), and tells how many there were.
func (s *Service) Decide(task, outcome string) int { return 0 }
