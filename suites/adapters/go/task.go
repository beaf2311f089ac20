package main

import "encoding/json"

type version struct {
	ID      string `json:"id"`
	Version int    `json:"version"`
}

type confirmation struct {
	version
	Content json.RawMessage `json:"content"`
	Digest  string          `json:"digest"`
}

type promise struct {
	Idempotency struct {
		Supported bool    `json:"supported"`
		Retention float64 `json:"retention_ms"`
	} `json:"idempotency"`
	Query struct {
		ByRef bool `json:"by_ref"`
		ByKey bool `json:"by_key"`
	} `json:"query"`
	NoEffect []int    `json:"no_effect_statuses"`
	Withdraw []string `json:"withdraw_states"`
}

type task struct {
	ID           string             `json:"id"`
	Tenant       string             `json:"tenant"`
	Object       string             `json:"object"`
	OnCancel     string             `json:"on_cancel"`
	Confirmation confirmation       `json:"confirmation"`
	StateDir     string             `json:"state_dir"`
	Endpoints    map[string]string  `json:"endpoints"`
	Guarantees   map[string]promise `json:"guarantees"`
	Limits       struct {
		Timeout  float64 `json:"attempt_timeout_ms"`
		Attempts int     `json:"max_attempts"`
		Base     float64 `json:"backoff_base_ms"`
		Max      float64 `json:"backoff_max_ms"`
		Jitter   float64 `json:"backoff_jitter"`
		Period   float64 `json:"verification_period_ms"`
	} `json:"limits"`
}

// record is a record as a service shows it, an approval or a purchase.
type record struct {
	Ref          string         `json:"ref"`
	Status       string         `json:"status"`
	Seq          int            `json:"seq"`
	Consequences map[string]any `json:"consequences"`
}
