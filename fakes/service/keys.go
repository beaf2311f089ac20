package service

import (
	"strings"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Identity is a request's identifier, what it may be unique within, and what it
// carries.
type Identity struct {
	Key, Tenant, Action, Object string
	// Content is equal for equal requests only.
	Content string
}

// slot is the place of an identifier within its scope.
func (id Identity) slot(scope []string) string {
	parts := []string{id.Key}
	for _, within := range scope {
		switch within {
		case "tenant":
			parts = append(parts, "t"+id.Tenant)
		case "action":
			parts = append(parts, "a"+id.Action)
		case "object":
			parts = append(parts, "o"+id.Object)
		}
	}
	return strings.Join(parts, "\x00")
}

// Entry is one deduplication record.
type Entry struct {
	Identity
	Cause    fault.Ref
	Foreign  bool   // it stands for another client's request
	State    string // StateCreated or StateRefused
	Code     string // why it was refused
	Ref      string
	Received time.Duration // of the request that it stands for: its retention counts from here
	Stored   time.Duration
	Expires  time.Duration // the instant from which it is no longer known; 0: never
	Expired  bool
}

// Facts are what a ledger row says about the entry.
func (e *Entry) Facts() history.Facts {
	return history.Facts{Key: e.Key, Tenant: e.Tenant, Object: e.Object, Ref: e.Ref, Status: e.State, Code: e.Code}
}

func (e *Entry) known(at time.Duration) bool {
	return e.Stored <= at && !e.Expired && (e.Expires == 0 || at < e.Expires)
}

// Keys are the deduplication records of one service. The service's own lock
// guards them, so that they change in one step with what they stand for.
type Keys struct {
	// Expired is told of each entry that is given up, when that is noticed. Nil: nobody is.
	Expired func(e *Entry)

	all  []*Entry
	live map[string]*Entry
}

// Find is the entry for an identifier in its scope, nil when there is none, its
// time is over, or the promise is not to recognise anything.
func (k *Keys) Find(p contract.Idempotency, id Identity, now time.Duration) *Entry {
	if !p.Supported || id.Key == "" {
		return nil
	}
	slot := id.slot(p.Scope)
	e := k.live[slot]
	if e == nil || e.known(now) {
		return e
	}
	delete(k.live, slot)
	k.drop(e)
	return nil
}

// Sweep gives up the entries whose time is over, as a service does now and then
// that keeps them no longer than it must.
func (k *Keys) Sweep(now time.Duration) {
	for slot, e := range k.live {
		if e.Stored <= now && !e.known(now) {
			delete(k.live, slot)
			k.drop(e)
		}
	}
}

// Store keeps e, in place of an older one in the same scope. Without a promise
// or an identifier it keeps nothing and returns false.
func (k *Keys) Store(p contract.Idempotency, e *Entry) bool {
	if !p.Supported || e.Key == "" {
		return false
	}
	if retention := p.Retention(); retention > 0 {
		e.Expires = e.Received + retention
	}
	if k.live == nil {
		k.live = map[string]*Entry{}
	}
	k.live[e.slot(p.Scope)] = e
	k.all = append(k.all, e)
	return true
}

// Known are the entries for an identifier, in all scopes, as they were at an
// instant: neither stored later nor over by then.
func (k *Keys) Known(key string, at time.Duration) []*Entry {
	var known []*Entry
	for _, e := range k.all {
		if e.Key == key && e.known(at) {
			known = append(known, e)
		}
	}
	return known
}

// Forget gives up all entries.
func (k *Keys) Forget() {
	clear(k.live)
	for _, e := range k.all {
		k.drop(e)
	}
}

// Restore puts back what [Keys.All] returned in another process. idempotency is
// what is promised about an entry's action.
func (k *Keys) Restore(entries []*Entry, idempotency func(action string) contract.Idempotency) {
	k.all, k.live = entries, map[string]*Entry{}
	for _, e := range entries {
		if !e.Expired {
			k.live[e.slot(idempotency(e.Action).Scope)] = e
		}
	}
}

// All are all entries that there ever were, in order.
func (k *Keys) All() []*Entry { return append([]*Entry(nil), k.all...) }

func (k *Keys) drop(e *Entry) {
	if e.Expired {
		return
	}
	e.Expired = true
	if k.Expired != nil {
		k.Expired(e)
	}
}
