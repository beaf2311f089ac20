package stack

import (
	"context"
	"fmt"

	"github.com/lostreceipt/lostreceipt/fakes/approval"
	"github.com/lostreceipt/lostreceipt/fakes/desk"
	"github.com/lostreceipt/lostreceipt/fakes/knowledge"
	"github.com/lostreceipt/lostreceipt/fakes/model"
	"github.com/lostreceipt/lostreceipt/fakes/purchase"
)

// here is the ground of an embedded stack: this process.
type here struct{}

func (here) Host() string                { return "127.0.0.1" }
func (here) Close(context.Context) error { return nil }

// Place starts the service in this process.
func (here) Place(_ context.Context, s Service) (Backend, error) {
	switch s.Name {
	case "approval":
		set, _ := s.Settings.(approval.Settings)
		b, err := approval.Open(approval.Config{Frame: s.Frame, Settings: set, Emit: s.Emit})
		if err != nil {
			return nil, err
		}
		return local{b, func() any { return b.Ledger() }}, nil
	case "purchase":
		set, _ := s.Settings.(purchase.Settings)
		b, err := purchase.Open(purchase.Config{Frame: s.Frame, Settings: set})
		if err != nil {
			return nil, err
		}
		return local{b, func() any { return b.Ledger() }}, nil
	case "knowledge":
		set, _ := s.Settings.(knowledge.Settings)
		b, err := knowledge.Open(knowledge.Config{Frame: s.Frame, Settings: set})
		if err != nil {
			return nil, err
		}
		return local{b, func() any { return b.Ledger() }}, nil
	case "model":
		set, _ := s.Settings.(model.Settings)
		b, err := model.Open(model.Config{Frame: s.Frame, Settings: set})
		if err != nil {
			return nil, err
		}
		return local{b, func() any { return nil }}, nil
	case "desk":
		b, err := desk.Open(desk.Config{Frame: s.Frame, Opened: s.Escalated})
		if err != nil {
			return nil, err
		}
		return local{b, func() any { return b.Ledger() }}, nil
	}
	return nil, fmt.Errorf("there is no service %q", s.Name)
}

// local is a service of this process.
type local struct {
	running interface {
		Name() string
		Addr() string
		Quiet() bool
		Close(ctx context.Context) error
	}
	ledger func() any
}

func (l local) Name() string                    { return l.running.Name() }
func (l local) Addr() string                    { return l.running.Addr() }
func (l local) Quiet() bool                     { return l.running.Quiet() }
func (l local) Close(ctx context.Context) error { return l.running.Close(ctx) }
func (l local) Ledger() any                     { return l.ledger() }
