package run

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
	"sync"
	"sync/atomic"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/agent"
	"github.com/lostreceipt/lostreceipt/harness/control"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Service is an agent that runs already and takes work by POST at a URL. It
// answers 202 at once and works then. What it is sent is the work item as a
// process would get it, and beside its fields "control": {"url", "token"}, the
// control plane of this work item: the only one that knows its task.
//
// It cannot be killed, paused or started again by the harness, so scenarios that
// do that are not applicable.
type Service struct {
	url    string
	client *http.Client
	ports  ports
	marks  atomic.Int64
}

var _ Lasting = (*Service)(nil)

// maxAccepted bounds what is read of the answer to a work item, in bytes.
const maxAccepted = 4 << 10

// NewService makes an agent of the service at a URL. The caller closes it.
func NewService(address string) (*Service, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, fmt.Errorf("run: agent at %q: want a URL such as http://127.0.0.1:8080/work", address)
	}
	return &Service{url: address, client: &http.Client{
		Transport:     &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 16, MaxResponseHeaderBytes: 16 << 10},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       patience,
	}}, nil
}

// Lacks names what no service has.
func (s *Service) Lacks() []string { return []string{"restart"} }

// Open is an error: a run needs a place.
func (s *Service) Open(*history.Log) (Crew, error) {
	return nil, errors.New("run: a service is shared by runs: reserve a place")
}

// Queue never lets wait: how much a service does at once is its own matter.
func (s *Service) Queue() Ticket {
	return func(context.Context) (Place, error) {
		return &visit{service: s, mark: strconv.FormatInt(s.marks.Add(1), 10)}, nil
	}
}

// Close ends the connections to the service.
func (s *Service) Close() { s.client.CloseIdleConnections() }

// visit is one run's use of a service, its place and its crew.
type visit struct {
	service *Service
	mark    string
	log     *history.Log

	mu    sync.Mutex
	items []*errand
}

var (
	_ Place  = (*visit)(nil)
	_ Joined = (*visit)(nil)
)

func (v *visit) Lacks() []string                   { return v.service.Lacks() }
func (v *visit) Mark() string                      { return v.mark }
func (v *visit) Given(endpoints map[string]string) { v.service.ports.given(endpoints) }
func (v *visit) Known(port int) bool               { return v.service.ports.has(port) }
func (v *visit) Release()                          {}
func (v *visit) Join(*control.Plane, bool)         {}

// Open is called once.
func (v *visit) Open(log *history.Log) (Crew, error) {
	v.log = log
	return v, nil
}

// WriteOutput writes nothing: what a service prints is not seen.
func (v *visit) WriteOutput(io.Writer) error { return nil }

// Close ends nothing: the service goes on.
func (v *visit) Close() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, e := range v.items {
		e.end()
	}
}

// Start fetches the work item as a process would, and pushes it.
func (v *visit) Start(ctx context.Context, l agent.Launch) (Process, error) {
	e := &errand{exited: make(chan struct{}), done: make(chan struct{})}
	v.log.Append(history.Record{Kind: history.ProcessStarted, Task: l.Task, Process: &history.Process{ID: l.Process}})
	item, err := v.fetch(ctx, l)
	if err != nil {
		return nil, fmt.Errorf("fetching the work item to push: %w", err)
	}
	if item == nil { // the task has a result
		e.end()
		return e, nil
	}
	why, err := v.push(ctx, item)
	if err != nil {
		return nil, fmt.Errorf("agent at %s: %w", v.service.url, err)
	}
	if why != "" {
		v.log.Append(history.Record{Kind: history.ProcessExited, Task: l.Task, Process: &history.Process{ID: l.Process, Code: 1, Reason: why}})
		e.end()
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.items = append(v.items, e)
	return e, nil
}

// fetch asks the control plane for the work item; nil: there is none.
func (v *visit) fetch(ctx context.Context, l agent.Launch) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, l.URL+"/v1/work", nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+l.Token)
	reply, err := v.service.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	switch {
	case err != nil:
		return nil, err
	case reply.StatusCode == http.StatusNoContent || reply.StatusCode == http.StatusGone:
		return nil, nil
	case reply.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("status %d: %s", reply.StatusCode, text)
	}
	var item map[string]json.RawMessage
	if err := json.Unmarshal(text, &item); err != nil {
		return nil, err
	}
	if item["control"], err = json.Marshal(map[string]string{"url": l.URL, "token": l.Token}); err != nil {
		return nil, err
	}
	return json.Marshal(item)
}

// push sends a work item. why says that the service did not take it. The error
// is that it could not be reached.
func (v *visit) push(ctx context.Context, item []byte) (why string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, v.service.url, bytes.NewReader(item))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/json")
	reply, err := v.service.client.Do(r)
	if err != nil {
		return "", err
	}
	defer reply.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(reply.Body, maxAccepted)) // so that the connection can be used again
	if reply.StatusCode != http.StatusAccepted {
		return fmt.Sprintf("the service answered the work item with status %d: want 202 at once", reply.StatusCode), nil
	}
	return "", nil
}

// errand stands for the process that does one work item of a service.
type errand struct {
	once         sync.Once
	exited, done chan struct{}
}

var errService = errors.New("a service cannot be killed, paused or started again by the harness")

func (e *errand) end() {
	e.once.Do(func() {
		close(e.exited)
		close(e.done)
	})
}
func (e *errand) Exited() <-chan struct{}      { return e.exited }
func (e *errand) Done() <-chan struct{}        { return e.done }
func (e *errand) Kill(context.Context) error   { return errService }
func (e *errand) Pause(context.Context) error  { return errService }
func (e *errand) Resume(context.Context) error { return errService }

// Stop lets the run go without it.
func (e *errand) Stop(context.Context, time.Duration) error {
	e.end()
	return nil
}
