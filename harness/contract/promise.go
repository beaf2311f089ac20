package contract

import (
	"slices"
	"time"
)

// Guarantees are what the services promise, an entry an operation
// ("approval.submit", "approval.withdraw", "approval.notify", "purchase.buy").
// An operation without an entry is promised nothing.
type Guarantees map[string]Promise

// Promise is what one operation guarantees. The zero value promises nothing.
type Promise struct {
	_ struct{}

	Idempotency Idempotency `json:"idempotency" yaml:"idempotency"`
	Query       Query       `json:"query" yaml:"query"`
	// Void promises that a key can be fenced, so that the original can never execute.
	Void bool `json:"void" yaml:"void"`
	// NoEffectStatuses are the refusals that promise that this attempt has had no effect.
	NoEffectStatuses []int `json:"no_effect_statuses,omitempty" yaml:"no_effect_statuses"`
	// WithdrawStates are the states in which a withdrawal is accepted.
	WithdrawStates []string `json:"withdraw_states,omitempty" yaml:"withdraw_states"`
}

// Idempotency is the promise to recognise a repeated request.
type Idempotency struct {
	_ struct{}

	Supported bool     `json:"supported" yaml:"supported"`
	Scope     []string `json:"scope,omitempty" yaml:"scope"` // of tenant, action, object: a key is unique within these
	// RetentionMS is how long a key is recognised after the service received it, in milliseconds.
	RetentionMS float64 `json:"retention_ms,omitempty" yaml:"-"`
	Conflict    string  `json:"conflict,omitempty" yaml:"conflict"` // reject: same key with other content is refused
}

// Retention is RetentionMS as a duration.
func (i Idempotency) Retention() time.Duration { return fromMS(i.RetentionMS) }

// Query is the promise of a way to look up what happened.
type Query struct {
	_ struct{}

	ByRef bool `json:"by_ref" yaml:"by_ref"` // an instance can be tracked
	ByKey bool `json:"by_key" yaml:"by_key"` // a record can be found by the client's identifier
}

// NoEffect tells whether a refusal with this status promises that its attempt
// had no effect.
func (p Promise) NoEffect(status int) bool { return slices.Contains(p.NoEffectStatuses, status) }

// Withdrawable tells whether a withdrawal is accepted in this state.
func (p Promise) Withdrawable(state string) bool { return slices.Contains(p.WithdrawStates, state) }
