package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"go.etcd.io/bbolt"
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

// vault is the ledger in the task's state directory. Its file is opened for one
// transaction at a time, so that a second process that holds the same task
// works on the same dossiers.
type vault struct {
	path string
	mu   sync.Mutex
}

func newVault(dir string) (*vault, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("open the action record: %w", err)
	}
	return &vault{path: filepath.Join(dir, "actions.db")}, nil
}

// lockTimeout bounds the wait for another process's transaction.
const lockTimeout = 30 * time.Second

// The buckets of the store, and the one key of the second.
const (
	dossiers = "dossiers"
	results  = "results"
	only     = "result"
)

func (v *vault) transact(fn func(tx *bbolt.Tx) error) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	db, err := bbolt.Open(v.path, 0o600, &bbolt.Options{Timeout: lockTimeout, NoStatistics: true})
	if err != nil {
		return fmt.Errorf("open the action record %s: %w", v.path, err)
	}
	err = db.Update(fn)
	return errors.Join(err, db.Close())
}

// errUnchanged rolls a transaction back that had nothing to write.
var errUnchanged = errors.New("unchanged")

func (v *vault) load(id string) (*dossier, error) {
	d := &dossier{}
	if _, err := os.Stat(v.path); errors.Is(err, os.ErrNotExist) {
		return d, nil
	}
	err := v.transact(func(tx *bbolt.Tx) error {
		if b := tx.Bucket([]byte(dossiers)); b != nil {
			if raw := b.Get([]byte(id)); raw != nil {
				if err := json.Unmarshal(raw, d); err != nil {
					return err
				}
			}
		}
		return errUnchanged
	})
	if errors.Is(err, errUnchanged) {
		err = nil
	}
	return d, err
}

func (v *vault) update(id string, change func(*dossier) error) error {
	return v.transact(func(tx *bbolt.Tx) error {
		b, err := tx.CreateBucketIfNotExists([]byte(dossiers))
		if err != nil {
			return err
		}
		d := &dossier{}
		if raw := b.Get([]byte(id)); raw != nil {
			if err := json.Unmarshal(raw, d); err != nil {
				return fmt.Errorf("read the action record of %s: %w", id, err)
			}
		}
		if err := change(d); err != nil {
			return err
		}
		raw, err := json.Marshal(d)
		if err != nil {
			return err
		}
		return b.Put([]byte(id), raw)
	})
}

func (v *vault) conclude(r result) (result, error) {
	err := v.transact(func(tx *bbolt.Tx) error {
		b, err := tx.CreateBucketIfNotExists([]byte(results))
		if err != nil {
			return err
		}
		if raw := b.Get([]byte(only)); raw != nil {
			r = result{}
			return json.Unmarshal(raw, &r)
		}
		raw, err := json.Marshal(r)
		if err != nil {
			return err
		}
		return b.Put([]byte(only), raw)
	})
	return r, err
}
