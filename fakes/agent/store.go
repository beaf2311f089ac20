package agent

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// ledger keeps dossiers. When update returns nil, what it wrote survives a kill
// and a power failure.
type ledger interface {
	// load returns the dossier of a confirmation, an empty one if there is none yet.
	load(id string) (*dossier, error)
	// update reads a dossier, lets change work on it, and writes it back, in one
	// transaction among all processes. An error of change leaves it as it was.
	update(id string, change func(*dossier) error) error
	// conclude keeps the task's result, if there is none yet, and returns the one that is kept.
	conclude(r result) (result, error)
}

// vault is the ledger in the task's state directory, which processes that hold
// the same task share.
type vault struct{ journal *journal }

func newVault(dir string) (*vault, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("open the action record: %w", err)
	}
	j, err := openJournal(filepath.Join(dir, "actions.journal"))
	if err != nil {
		return nil, fmt.Errorf("open the action record: %w", err)
	}
	return &vault{j}, nil
}

func (v *vault) close() error { return v.journal.close() }

// The keys of the journal; a dossier's is that of its confirmation.
const (
	dossiers = "dossier "
	results  = "result"
	talks    = "talk"
)

func (v *vault) load(id string) (*dossier, error) { return stored[dossier](v, dossiers+id) }

func (v *vault) update(id string, change func(*dossier) error) error {
	return v.set(dossiers+id, func(raw json.RawMessage) (json.RawMessage, error) {
		d := &dossier{}
		if err := understand(raw, d); err != nil {
			return nil, err
		}
		if err := change(d); err != nil {
			return nil, err
		}
		return json.Marshal(d)
	})
}

func (v *vault) conclude(r result) (result, error) {
	err := v.set(results, func(raw json.RawMessage) (json.RawMessage, error) {
		if raw == nil {
			return json.Marshal(r)
		}
		r = result{}
		return nil, understand(raw, &r)
	})
	return r, err
}

// stored reads what is kept under a key, the zero value if that is nothing.
func stored[T any](v *vault, key string) (*T, error) {
	raw, err := v.journal.get(key)
	if err != nil {
		return nil, fmt.Errorf("read the action record: %w", err)
	}
	value := new(T)
	return value, understand(raw, value)
}

func (v *vault) set(key string, change func(json.RawMessage) (json.RawMessage, error)) error {
	var refused error // of change, which says enough
	err := v.journal.set(key, func(old json.RawMessage) (value json.RawMessage, err error) {
		value, refused = change(old)
		return value, refused
	})
	if err != nil && refused == nil {
		return fmt.Errorf("write the action record: %w", err)
	}
	return err
}

func understand(raw json.RawMessage, value any) error {
	if raw == nil {
		return nil
	}
	if err := json.Unmarshal(raw, value); err != nil {
		return fmt.Errorf("read the action record: %w", err)
	}
	return nil
}
