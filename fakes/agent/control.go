package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// maxMessage bounds what is read of any reply, in bytes.
const maxMessage = 1 << 20

// control speaks the routes of the control plane. It is never faulted, so an
// error here is the end of the run and not something to recover from.
type control struct {
	base, token string
	client      *http.Client
}

func newControl(base, token string) *control {
	return &control{base: base, token: token, client: &http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: 8, DisableCompression: true},
		Timeout:   time.Minute,
	}}
}

func (c *control) close() { c.client.CloseIdleConnections() }

// work asks for the next piece of work: nil when there is none yet,
// errNoMoreWork when there is none any more.
func (c *control) work(ctx context.Context) (*work, error) {
	var w work
	status, err := c.exchange(ctx, http.MethodGet, "/v1/work?wait=20s", nil, &w)
	switch {
	case err != nil:
		return nil, err
	case status == http.StatusGone:
		return nil, errNoMoreWork
	case status == http.StatusNoContent:
		return nil, nil
	}
	return &w, nil
}

func (c *control) authorization(ctx context.Context, id string) (authorization, error) {
	var a authorization
	_, err := c.exchange(ctx, http.MethodGet, "/v1/confirmations/"+url.PathEscape(id), nil, &a)
	return a, err
}

// inbox returns the items after number n; it waits for one at most for the
// given time.
func (c *control) inbox(ctx context.Context, taskID string, n int, wait time.Duration) (inbox, error) {
	var in inbox
	query := "?after=" + strconv.Itoa(n) + "&wait=" + strconv.FormatInt(wait.Milliseconds(), 10) + "ms"
	_, err := c.exchange(ctx, http.MethodGet, "/v1/tasks/"+url.PathEscape(taskID)+"/inbox"+query, nil, &in)
	return in, err
}

func (c *control) claim(ctx context.Context, taskID string, cl claim) error {
	_, err := c.exchange(ctx, http.MethodPost, "/v1/tasks/"+url.PathEscape(taskID)+"/states", cl, nil)
	return err
}

func (c *control) result(ctx context.Context, taskID string, r result) error {
	_, err := c.exchange(ctx, http.MethodPost, "/v1/tasks/"+url.PathEscape(taskID)+"/result", r, nil)
	return err
}

// exchange makes one request. A status of 300 or more is an error, but for 410.
func (c *control) exchange(ctx context.Context, method, path string, body, into any) (int, error) {
	var content io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return 0, err
		}
		content = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, content)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := c.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxMessage))
	switch {
	case err != nil:
		return 0, err
	case resp.StatusCode == http.StatusGone:
		return resp.StatusCode, nil
	case resp.StatusCode >= http.StatusMultipleChoices:
		return 0, fmt.Errorf("%s %s: status %d: %s", method, path, resp.StatusCode, bytes.TrimSpace(raw))
	case into == nil || resp.StatusCode == http.StatusNoContent:
		return resp.StatusCode, nil
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return 0, errors.Join(fmt.Errorf("%s %s: the reply is not what the protocol says", method, path), err)
	}
	return resp.StatusCode, nil
}
