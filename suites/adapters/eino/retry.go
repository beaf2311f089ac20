package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// policy is how often a call is sent, and how long is waited.
type policy struct {
	timeout  time.Duration // of one attempt, its reply included
	attempts int
	backoff  time.Duration // before the second attempt; it doubles
	naive    bool          // one attempt without an end
}

// retrying sends a call again when the failure may pass: no reply in time, a
// connection that breaks, 429 and 5xx. It counts what it sends, see [counted].
type retrying struct {
	policy policy
	base   http.RoundTripper
}

type countKey struct{}

// counted makes the attempts of the calls below ctx count into n.
func counted(ctx context.Context, n *int) context.Context {
	return context.WithValue(ctx, countKey{}, n)
}

// RoundTrip sends a request, whole, and reads its reply, whole, as often as it
// must.
func (t *retrying) RoundTrip(r *http.Request) (*http.Response, error) {
	if t.policy.naive {
		return t.base.RoundTrip(r)
	}
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		_ = r.Body.Close()
	}
	sent, _ := r.Context().Value(countKey{}).(*int)
	for n := 1; ; n++ {
		if sent != nil {
			*sent = n
		}
		reply, err := t.attempt(r, body)
		last := n >= t.policy.attempts || r.Context().Err() != nil
		if err == nil && (last || !mayPass(reply.StatusCode)) || err != nil && last {
			return reply, err
		}
		wait := t.policy.backoff << (n - 1)
		wait += time.Duration(rand.Float64() * 0.5 * float64(wait))
		if err == nil {
			wait = max(wait, asked(reply.Header))
		}
		select {
		case <-time.After(wait):
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
}

func (t *retrying) attempt(r *http.Request, body []byte) (*http.Response, error) {
	ctx, cancel := context.WithTimeoutCause(r.Context(), t.policy.timeout, errTimeout)
	defer cancel()
	again := r.Clone(ctx)
	again.Body, again.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	again.GetBody = nil // the transport must not send it again by itself
	reply, err := t.base.RoundTrip(again)
	if err != nil {
		return nil, because(ctx, err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		return nil, because(ctx, err)
	}
	reply.Body = io.NopCloser(bytes.NewReader(text))
	return reply, nil
}

var errTimeout = errors.New("no reply in time")

func because(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errTimeout) {
		return errTimeout
	}
	return err
}

// mayPass tells whether the same call may succeed a little later.
func mayPass(status int) bool {
	return slices.Contains([]int{429, 500, 502, 503, 504}, status)
}

// asked is the wait that a reply asks for.
func asked(h http.Header) time.Duration {
	if ms, err := strconv.Atoi(h.Get("Retry-After-Ms")); err == nil {
		return time.Duration(ms) * time.Millisecond
	}
	s, _ := strconv.Atoi(h.Get("Retry-After"))
	return time.Duration(s) * time.Second
}
