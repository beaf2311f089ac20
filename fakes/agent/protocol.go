package agent

import (
	"encoding/json"
	"slices"
	"time"
)

// The messages of the agent protocol, version 1. Unknown fields are ignored.

type work struct {
	ID   string `json:"id"`
	Kind string `json:"kind"` // task.start or task.resume
	Task task   `json:"task"`
}

type task struct {
	ID            string             `json:"id"`
	Type          string             `json:"type"`
	Tenant        string             `json:"tenant"`
	Object        string             `json:"object"`
	OnCancel      string             `json:"on_cancel"` // withdraw, keep or ask
	Confirmation  *confirmation      `json:"confirmation"`
	Confirmations []confirmation     `json:"confirmations"`
	Input         json.RawMessage    `json:"input"` // of a question
	StateDir      string             `json:"state_dir"`
	Endpoints     map[string]string  `json:"endpoints"`
	Guarantees    map[string]promise `json:"guarantees"`
	Limits        limits             `json:"limits"`
}

// confirmed lists the task's confirmations, each an intent of its own.
func (t task) confirmed() []confirmation {
	if len(t.Confirmations) > 0 {
		return t.Confirmations
	}
	if t.Confirmation != nil {
		return []confirmation{*t.Confirmation}
	}
	return nil
}

// confirmation is what a person confirmed. The digest is opaque: copied and
// compared, never computed.
type confirmation struct {
	ID          string          `json:"id"`
	Version     int             `json:"version"`
	Content     json.RawMessage `json:"content"`
	Digest      string          `json:"digest"`
	ConfirmedBy string          `json:"confirmed_by,omitempty"`
}

// promise is what one operation guarantees; the zero value promises nothing.
type promise struct {
	Idempotency struct {
		Supported   bool    `json:"supported"`
		RetentionMS float64 `json:"retention_ms"`
	} `json:"idempotency"`
	Query struct {
		ByRef bool `json:"by_ref"`
		ByKey bool `json:"by_key"`
	} `json:"query"`
	Void             bool     `json:"void"`
	NoEffectStatuses []int    `json:"no_effect_statuses"`
	WithdrawStates   []string `json:"withdraw_states"`
}

func (p promise) retention() time.Duration       { return ms(p.Idempotency.RetentionMS) }
func (p promise) noEffect(status int) bool       { return slices.Contains(p.NoEffectStatuses, status) }
func (p promise) withdrawable(state string) bool { return slices.Contains(p.WithdrawStates, state) }

type limits struct {
	AttemptTimeoutMS     float64 `json:"attempt_timeout_ms"`
	MaxAttempts          int     `json:"max_attempts"`
	BackoffBaseMS        float64 `json:"backoff_base_ms"`
	BackoffMaxMS         float64 `json:"backoff_max_ms"`
	BackoffJitter        float64 `json:"backoff_jitter"`
	VerificationPeriodMS float64 `json:"verification_period_ms"`
	BreakerThreshold     int     `json:"breaker_threshold"`
	MaxSteps             int     `json:"max_steps"`
}

func (l limits) attemptTimeout() time.Duration { return ms(l.AttemptTimeoutMS) }
func (l limits) backoffMax() time.Duration     { return ms(l.BackoffMaxMS) }
func (l limits) period() time.Duration         { return ms(l.VerificationPeriodMS) }

// step is the full wait after the n-th attempt, n from 1.
func (l limits) step(n int) time.Duration {
	wait, most := ms(l.BackoffBaseMS), ms(l.BackoffMaxMS)
	for ; n > 1 && wait < most; n-- {
		wait *= 2
	}
	return min(wait, most)
}

func ms(f float64) time.Duration { return time.Duration(f * float64(time.Millisecond)) }

// authorization is the control plane's answer about a confirmation; valid
// speaks of the current version.
type authorization struct {
	Valid          bool     `json:"valid"`
	CurrentVersion int      `json:"current_version"`
	Digest         string   `json:"digest"`
	Permissions    []string `json:"permissions"`
	Cancelled      bool     `json:"cancelled"`
	Stopped        bool     `json:"stopped"`
}

// item is one entry of the inbox.
type item struct {
	N            int           `json:"n"`
	Kind         string        `json:"kind"`
	Confirmation *confirmation `json:"confirmation"` // revise
	Type         string        `json:"type"`         // event
	Record       *record       `json:"record"`       // event
	Seq          int           `json:"seq"`          // event
	Escalation   string        `json:"escalation"`   // decision
	Choice       string        `json:"choice"`       // decision
}

type inbox struct {
	Items []item `json:"items"`
	Next  int    `json:"next"`
}

type version struct {
	ID      string `json:"id"`
	Version int    `json:"version"`
}

type claim struct {
	Confirmation version `json:"confirmation"`
	State        string  `json:"state"`
	Ref          string  `json:"ref,omitempty"`
	Reason       string  `json:"reason,omitempty"`
}

type unverified struct {
	Confirmation string `json:"confirmation"`
	Unknown      string `json:"unknown"`
}

type result struct {
	Status     string       `json:"status"`
	Unverified []unverified `json:"unverified"`

	// Of a question: the answer, the tools whose data it rests on, and what it admits.
	Output      string   `json:"output,omitempty"`
	Sources     []string `json:"sources,omitempty"`
	Disclosures []string `json:"disclosures,omitempty"`
}
