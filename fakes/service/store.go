package service

import (
	"encoding/json"
	"fmt"
	"sync"
)

// A Store keeps what a service must not forget when its process ends.
type Store interface {
	// Load is what was saved last; nil: nothing.
	Load() json.RawMessage
	// Save keeps the state in place of an earlier one, in one step, and returns when it stands. The rows that were
	// recorded since the last one belong to it. It must not call the service. What fails is the store's to tell.
	Save(state json.RawMessage)
}

// Guard is the lock of a service's ledger. What was changed under it is kept
// when it is unlocked: so nobody sees a change that a crash could undo.
type Guard struct {
	sync.Mutex
	frame *Service
	state func() any
}

// Keep makes the guard save the service's state, which is encoded as JSON, each
// time that a row was added. Without a store it does nothing.
func (g *Guard) Keep(frame *Service, state func() any) { g.frame, g.state = frame, state }

// Unlock saves what was changed, and unlocks.
func (g *Guard) Unlock() {
	defer g.Mutex.Unlock()
	if f := g.frame; f != nil && f.rows.Swap(0) > 0 && f.cfg.Store != nil {
		text, err := json.Marshal(g.state())
		if err != nil {
			panic(fmt.Sprintf("service %s: its ledger cannot be encoded: %v", f.spec.Name, err)) // it is made of strings and numbers
		}
		f.cfg.Store.Save(text)
	}
}

// Restore decodes what was saved into state. It is false when nothing was.
func (s *Service) Restore(state any) (bool, error) {
	if s.cfg.Store == nil {
		return false, nil
	}
	text := s.cfg.Store.Load()
	if text == nil {
		return false, nil
	}
	if err := json.Unmarshal(text, state); err != nil {
		return false, fmt.Errorf("service %s: reading its ledger: %w", s.spec.Name, err)
	}
	return true, nil
}
