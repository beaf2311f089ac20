package agent

import (
	"encoding/json"
	"sync"
)

func recordAfterSend() defect {
	return defect{
		Info: Info{
			Name:      "record-after-send",
			Summary:   "Identifier, content and confirmation basis are persisted before the first send.",
			Rule:      "identifier-changed",
			Scenarios: []string{"kill-before-receipt", "kill-before-commit"},
			Covers:    []string{"B07"},
		},
		apply: func(p *policies) {
			p.ledger = func(l ledger) ledger { return &lateLedger{ledger: l, held: map[string]*dossier{}} }
		},
	}
}

// lateLedger keeps a dossier in memory while a send of it is under way, and
// writes it when the attempt has ended.
type lateLedger struct {
	ledger
	mu   sync.Mutex
	held map[string]*dossier
}

func (l *lateLedger) load(id string) (*dossier, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if d := l.held[id]; d != nil {
		return clone(d), nil
	}
	return l.ledger.load(id)
}

func (l *lateLedger) update(id string, change func(*dossier) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	d := l.held[id]
	if d == nil {
		stored, err := l.ledger.load(id)
		if err != nil {
			return err
		}
		d = stored
	}
	d = clone(d)
	if err := change(d); err != nil {
		return err
	}
	l.held[id] = d
	for _, in := range d.intents() {
		if in.Standing == unsent || in.Underway {
			return nil // not sent, or under way: there is time enough
		}
	}
	return l.ledger.update(id, func(stored *dossier) error {
		*stored = *clone(d)
		return nil
	})
}

func clone(d *dossier) *dossier {
	c := &dossier{}
	if err := json.Unmarshal(encode(d), c); err != nil {
		return d
	}
	return c
}
