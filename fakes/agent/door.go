package agent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"time"
)

// request is one call to a service.
type request struct {
	operation string // approval.submit, ...
	method    string
	url       string
	key       string // Idempotency-Key; "" sends none
	body      []byte
}

// reply is how a call ended. Either err is nil and the whole reply was read, or
// err says why not.
type reply struct {
	status  int
	body    []byte
	asked   time.Duration // wait that the reply asks for; 0 when it asks for none
	err     error
	left    bool      // bytes of the request may have left
	sent    time.Time // not after its first byte left
	end     time.Time
	timeout bool
}

// problem tells in words why the reply settles nothing, for the record.
func (r reply) problem() string {
	switch {
	case r.timeout:
		return "no reply within the attempt's time"
	case r.err != nil:
		return r.err.Error()
	}
	return fmt.Sprintf("status %d", r.status)
}

// caller makes exactly one call: what it sends is sent once.
type caller interface {
	call(ctx context.Context, r request) reply
	close()
}

// door is the caller that keeps its promise. Connections are kept and reused.
//
// net/http sends a request again when a reused connection ends before the first
// byte of the reply, without a word: a GET always, a POST if it has an
// Idempotency-Key, and either only if the request's body can be had again. So
// every request gets a body that cannot: no GetBody, and for a GET an empty
// reader that is not http.NoBody.
type door struct {
	client *http.Client
	resend bool // let net/http do as it likes
}

func newDoor() *door {
	return &door{client: &http.Client{
		Transport: &http.Transport{
			MaxIdleConnsPerHost: 8, DisableCompression: true, Proxy: nil, MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func (d *door) close() { d.client.CloseIdleConnections() }

// onceOnly hides what would let net/http read a body again.
type onceOnly struct{ io.Reader }

func (d *door) call(ctx context.Context, r request) (out reply) {
	defer func() {
		out.end = time.Now()
		out.timeout = errors.Is(out.err, context.DeadlineExceeded)
	}()
	var body io.Reader = onceOnly{bytes.NewReader(r.body)}
	if d.resend {
		body = bytes.NewReader(r.body)
	}
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) {
		if !out.left {
			out.left, out.sent = true, time.Now()
		}
	}}
	req, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, trace), r.method, r.url, body)
	if err != nil {
		return reply{err: err}
	}
	if !d.resend {
		req.ContentLength = int64(len(r.body))
	}
	if len(r.body) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.key != "" {
		req.Header.Set("Idempotency-Key", r.key)
	}
	resp, err := d.client.Do(req)
	if err != nil {
		out.err = err
		return out
	}
	defer resp.Body.Close()
	out.status = resp.StatusCode
	out.asked = retryAfter(resp.Header)
	out.body, out.err = io.ReadAll(io.LimitReader(resp.Body, maxMessage))
	return out
}

// retryAfter reads retry-after-ms (exact), else Retry-After in seconds.
func retryAfter(h http.Header) time.Duration {
	if v, err := strconv.ParseFloat(h.Get("retry-after-ms"), 64); err == nil && v > 0 {
		return ms(v)
	}
	if v, err := strconv.Atoi(h.Get("Retry-After")); err == nil && v > 0 {
		return time.Duration(v) * time.Second
	}
	return 0
}
