package service

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// HTTP speaks the routes of the harness's own approval service, at any URL.
type HTTP struct {
	_ struct{}

	// URL is the base of the routes, such as "https://approvals.test.example".
	URL string
	// Header is sent with every request: an authorization, say.
	Header http.Header
	// Client sends the requests. Nil: one that opens a connection for each, because Go's client sends a
	// request with an identifier again by itself when a connection that is used again breaks.
	Client *http.Client
}

// maxAnswer bounds what is read of an answer, in bytes.
const maxAnswer = 8 << 20

// wire is a record as the routes show it.
type wire struct {
	Ref          string `json:"ref"`
	Key          string `json:"key"`
	Tenant       string `json:"tenant"`
	Object       string `json:"object"`
	Confirmation struct {
		ID      string `json:"id"`
		Version int    `json:"version"`
	} `json:"confirmation"`
	Content json.RawMessage `json:"content"`
	Digest  string          `json:"digest"`
	Status  string          `json:"status"`
	Seq     int             `json:"seq"`
}

func (w wire) record() Record {
	return Record{
		Ref: w.Ref, Key: w.Key, Tenant: w.Tenant, Object: w.Object, Confirmation: w.Confirmation.ID, Version: w.Confirmation.Version,
		Content: w.Content, Digest: w.Digest, Status: w.Status, Seq: w.Seq,
	}
}

// Submit implements [Approvals].
func (h HTTP) Submit(ctx context.Context, s Submission) (Answer, error) {
	body := map[string]any{
		"confirmation": map[string]any{"id": s.Confirmation, "version": s.Version},
		"tenant":       s.Tenant, "object": s.Object, "content": s.Content, "digest": s.Digest,
	}
	if s.Supersedes != "" {
		body["supersedes"] = s.Supersedes
	}
	return h.answer(ctx, http.MethodPost, "/v1/approvals", s.Key, body)
}

// Track implements [Approvals].
func (h HTTP) Track(ctx context.Context, ref string) (Answer, error) {
	return h.answer(ctx, http.MethodGet, "/v1/approvals/"+url.PathEscape(ref), "", nil)
}

// Query implements [Approvals].
func (h HTTP) Query(ctx context.Context, key string) (Found, error) {
	var list struct {
		Items   []wire    `json:"items"`
		AsOf    time.Time `json:"as_of"`
		Replica bool      `json:"replica"`
	}
	if err := h.read(ctx, http.MethodGet, "/v1/approvals?key="+url.QueryEscape(key), &list); err != nil {
		return Found{}, err
	}
	found := Found{Replica: list.Replica, AsOf: list.AsOf}
	for _, w := range list.Items {
		found.Records = append(found.Records, w.record())
	}
	return found, nil
}

// State implements [Approvals].
func (h HTTP) State(ctx context.Context, key string) (State, error) {
	return h.state(ctx, http.MethodGet, "/v1/submissions/"+url.PathEscape(key))
}

// Void implements [Approvals].
func (h HTTP) Void(ctx context.Context, key string) (State, error) {
	return h.state(ctx, http.MethodPost, "/v1/submissions/"+url.PathEscape(key)+"/void")
}

// Withdraw implements [Approvals].
func (h HTTP) Withdraw(ctx context.Context, w Withdrawal) (Answer, error) {
	body := map[string]any{"ref": w.Ref}
	if w.Ref == "" {
		body = map[string]any{"key": w.Of}
	}
	return h.answer(ctx, http.MethodPost, "/v1/withdrawals", w.Key, body)
}

// Notify implements [Approvals].
func (h HTTP) Notify(ctx context.Context, ref, key string) (Answer, error) {
	return h.answer(ctx, http.MethodPost, "/v1/approvals/"+url.PathEscape(ref)+"/notifications", key, nil)
}

// answer sends a request about one record.
func (h HTTP) answer(ctx context.Context, method, path, key string, body any) (Answer, error) {
	status, text, err := h.send(ctx, method, path, key, body)
	if err != nil {
		return Answer{}, err
	}
	var fields struct {
		wire
		Code     string `json:"code"`
		NoEffect bool   `json:"no_effect"`
	}
	a := Answer{Kind: Unclear, Text: fmt.Sprintf("%d %s", status, strings.TrimSpace(string(text)))}
	if err := json.Unmarshal(text, &fields); err != nil && len(text) > 0 {
		return a, nil
	}
	a.Code, a.NoEffect = fields.Code, fields.NoEffect
	switch {
	case status == http.StatusAccepted:
		a.Kind = Later
	case status >= 200 && status < 300 && fields.Ref != "":
		a.Kind, a.Record = Accepted, fields.record()
	case status == http.StatusNotFound:
		a.Kind = Absent
	case status >= 400 && status < 500:
		a.Kind = Refused
	}
	return a, nil
}

func (h HTTP) state(ctx context.Context, method, path string) (State, error) {
	var s struct {
		State string  `json:"state"`
		Final bool    `json:"final"`
		Ref   *string `json:"ref"`
	}
	if err := h.read(ctx, method, path, &s); err != nil {
		return State{}, err
	}
	state := State{State: s.State, Final: s.Final}
	if s.Ref != nil {
		state.Ref = *s.Ref
	}
	return state, nil
}

// read sends a request whose only answer is 200.
func (h HTTP) read(ctx context.Context, method, path string, into any) error {
	status, text, err := h.send(ctx, method, path, "", nil)
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return fmt.Errorf("%s %s: %d %s", method, path, status, bytes.TrimSpace(text))
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s %s: the answer cannot be read: %w", method, path, err)
	}
	return nil
}

func (h HTTP) send(ctx context.Context, method, path, key string, body any) (int, []byte, error) {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return 0, nil, err
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(h.URL, "/")+path, bytes.NewReader(text))
	if err != nil {
		return 0, nil, err
	}
	for name, values := range h.Header {
		r.Header[http.CanonicalHeaderKey(name)] = values
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	client := h.Client
	if client == nil {
		client = &http.Client{
			Transport:     &http.Transport{DisableKeepAlives: true, Proxy: http.ProxyFromEnvironment},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	res, err := client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return 0, nil, fmt.Errorf("%s %s: the answer broke off: %w", method, path, err)
	}
	return res.StatusCode, answer, nil
}
