package contract

import (
	"encoding/json"
	"fmt"
	"time"
)

// Limits are the numbers that the harness, the services and the agent share.
// The zero value means nothing; start from [Defaults].
type Limits struct {
	_ struct{}

	// AttemptTimeout bounds one attempt of one call. 8 s at scale 1.
	AttemptTimeout time.Duration
	// MaxAttempts is the number of sends of one write over all layers and restarts. 3.
	MaxAttempts int
	// BackoffBase is the wait before the second attempt; it doubles. 0.5 s at scale 1.
	BackoffBase time.Duration
	// BackoffMax bounds one wait. 8 s at scale 1.
	BackoffMax time.Duration
	// BackoffJitter is the part of a wait that may be taken away at random. 0.5.
	BackoffJitter float64
	// VerificationPeriod is how long an unknown outcome is verified before a person is asked, from the
	// first byte of the first send. 60 s at scale 1.
	VerificationPeriod time.Duration
	// Retention is how long a service keeps a deduplication record, unless its promise says otherwise. 40 s at scale 1.
	Retention time.Duration
	// BreakerThreshold is the number of identical failed results that opens the breaker. 3.
	BreakerThreshold int
	// MaxSteps bounds the steps of a question task. 20.
	MaxSteps int
}

// DefaultScale is the time scale of a run that names none.
const DefaultScale = 0.05

// Defaults are the limits at time scale 1, after the figures of the source
// documents (8 s, 3 attempts, 0.5 s doubling, breaker 3).
func Defaults() Limits {
	return Limits{
		AttemptTimeout:     8 * time.Second,
		MaxAttempts:        3,
		BackoffBase:        500 * time.Millisecond,
		BackoffMax:         8 * time.Second,
		BackoffJitter:      0.5,
		VerificationPeriod: 60 * time.Second,
		Retention:          40 * time.Second,
		BreakerThreshold:   3,
		MaxSteps:           20,
	}
}

// Scale multiplies every duration by f.
func (l Limits) Scale(f float64) Limits {
	for _, d := range []*time.Duration{&l.AttemptTimeout, &l.BackoffBase, &l.BackoffMax, &l.VerificationPeriod, &l.Retention} {
		*d = time.Duration(float64(*d) * f)
	}
	return l
}

// Step is the full wait before attempt n+1, n from 1, before jitter.
func (l Limits) Step(n int) time.Duration {
	wait := l.BackoffBase
	for ; n > 1 && wait < l.BackoffMax; n-- {
		wait *= 2
	}
	return min(wait, l.BackoffMax)
}

// Reaction is how long evidence that an agent did not wait for may stay
// unnoticed: a quarter of an attempt, or three times the machine's noise.
func (l Limits) Reaction(noise time.Duration) time.Duration {
	return max(l.AttemptTimeout/4, 3*noise)
}

// Slack is what an upper time bound is exceeded by before it counts.
func (l Limits) Slack(noise time.Duration) time.Duration {
	return l.AttemptTimeout + 3*noise
}

// Settling is how long a run watches on after its last result.
func (l Limits) Settling() time.Duration { return l.AttemptTimeout + l.BackoffMax }

// Lookup resolves the name that scenarios give a limit: attempt_timeout,
// backoff_base, backoff_max, verification_period, retention.
func (l Limits) Lookup(name string) (time.Duration, bool) {
	switch name {
	case "attempt_timeout":
		return l.AttemptTimeout, true
	case "backoff_base":
		return l.BackoffBase, true
	case "backoff_max":
		return l.BackoffMax, true
	case "verification_period":
		return l.VerificationPeriod, true
	case "retention":
		return l.Retention, true
	}
	return 0, false
}

// DurationNames are the names that [Limits.Lookup] knows.
func DurationNames() []string {
	return []string{"attempt_timeout", "backoff_base", "backoff_max", "verification_period", "retention"}
}

type limitsJSON struct {
	AttemptTimeout     float64 `json:"attempt_timeout_ms"`
	MaxAttempts        int     `json:"max_attempts"`
	BackoffBase        float64 `json:"backoff_base_ms"`
	BackoffMax         float64 `json:"backoff_max_ms"`
	BackoffJitter      float64 `json:"backoff_jitter"`
	VerificationPeriod float64 `json:"verification_period_ms"`
	Retention          float64 `json:"retention_ms"`
	BreakerThreshold   int     `json:"breaker_threshold"`
	MaxSteps           int     `json:"max_steps"`
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func fromMS(f float64) time.Duration { return time.Duration(f * float64(time.Millisecond)) }

// MarshalJSON writes durations in milliseconds, as the agent protocol does.
func (l Limits) MarshalJSON() ([]byte, error) {
	return json.Marshal(limitsJSON{
		ms(l.AttemptTimeout), l.MaxAttempts, ms(l.BackoffBase), ms(l.BackoffMax), l.BackoffJitter,
		ms(l.VerificationPeriod), ms(l.Retention), l.BreakerThreshold, l.MaxSteps,
	})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (l *Limits) UnmarshalJSON(b []byte) error {
	var j limitsJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return fmt.Errorf("limits: %w", err)
	}
	*l = Limits{
		AttemptTimeout: fromMS(j.AttemptTimeout), MaxAttempts: j.MaxAttempts, BackoffBase: fromMS(j.BackoffBase),
		BackoffMax: fromMS(j.BackoffMax), BackoffJitter: j.BackoffJitter, VerificationPeriod: fromMS(j.VerificationPeriod),
		Retention: fromMS(j.Retention), BreakerThreshold: j.BreakerThreshold, MaxSteps: j.MaxSteps,
	}
	return nil
}
