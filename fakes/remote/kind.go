package remote

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/lostreceipt/lostreceipt/fakes/approval"
	"github.com/lostreceipt/lostreceipt/fakes/desk"
	"github.com/lostreceipt/lostreceipt/fakes/knowledge"
	"github.com/lostreceipt/lostreceipt/fakes/model"
	"github.com/lostreceipt/lostreceipt/fakes/purchase"
	"github.com/lostreceipt/lostreceipt/fakes/service"
)

// instance is one running service.
type instance interface {
	Addr() string
	Close(ctx context.Context) error
}

// kind is one service that can be served: an entry of [kinds].
type kind struct {
	name string
	// open starts it with its settings, which are JSON of the service's own type.
	open func(frame service.Config, settings json.RawMessage, b *bridge) (running instance, ledger func() any, err error)
}

// kinds are all services, in the order in which they are named to people.
var kinds = []kind{
	{"approval", func(frame service.Config, settings json.RawMessage, b *bridge) (instance, func() any, error) {
		c := approval.Config{Frame: frame, Emit: func(task string, e approval.Event) {
			if body, err := json.Marshal(e); err == nil { // it is made of strings and numbers
				b.tell(Message{Event: &Event{Task: task, Body: body}})
			}
		}}
		if err := decode(settings, &c.Settings); err != nil {
			return nil, nil, err
		}
		s, err := approval.Open(c)
		if err != nil {
			return nil, nil, err
		}
		return s, func() any { return s.Ledger() }, nil
	}},
	{"purchase", func(frame service.Config, settings json.RawMessage, _ *bridge) (instance, func() any, error) {
		c := purchase.Config{Frame: frame}
		if err := decode(settings, &c.Settings); err != nil {
			return nil, nil, err
		}
		s, err := purchase.Open(c)
		if err != nil {
			return nil, nil, err
		}
		return s, func() any { return s.Ledger() }, nil
	}},
	{"desk", func(frame service.Config, _ json.RawMessage, b *bridge) (instance, func() any, error) {
		s, err := desk.Open(desk.Config{Frame: frame, Opened: func(task, id string) {
			b.tell(Message{Escalated: &Escalated{Task: task, ID: id}})
		}})
		if err != nil {
			return nil, nil, err
		}
		return s, func() any { return s.Ledger() }, nil
	}},
	{"knowledge", func(frame service.Config, settings json.RawMessage, _ *bridge) (instance, func() any, error) {
		c := knowledge.Config{Frame: frame}
		if err := decode(settings, &c.Settings); err != nil {
			return nil, nil, err
		}
		s, err := knowledge.Open(c)
		if err != nil {
			return nil, nil, err
		}
		return s, func() any { return s.Ledger() }, nil
	}},
	{"model", func(frame service.Config, settings json.RawMessage, _ *bridge) (instance, func() any, error) {
		c := model.Config{Frame: frame}
		if err := decode(settings, &c.Settings); err != nil {
			return nil, nil, err
		}
		s, err := model.Open(c)
		if err != nil {
			return nil, nil, err
		}
		return s, func() any { return struct{}{} }, nil // it plays its script and keeps nothing
	}},
}

// Services are the names of all services that can be served.
func Services() []string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

func decode(settings json.RawMessage, into any) error {
	if err := json.Unmarshal(settings, into); err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	return nil
}
