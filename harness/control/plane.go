package control

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Plane is the control plane of one run. Its methods are safe for concurrent
// use.
type Plane struct {
	cfg Config
	srv *server

	mu       sync.Mutex
	tasks    map[string]*job
	open     int // tasks without a result
	doors    map[string]*door
	holders  map[string]holder
	works    int           // given so far
	changed  chan struct{} // closed and made anew whenever something changed that a long poll waits for
	finished bool
	closing  bool
	active   time.Duration
	refused  refusals
	strays   int // requests without a valid token
	err      error
	done     chan struct{}
	failed   chan struct{}
}

// job is one task and all that has become of it.
type job struct {
	Task
	confirmations []*confirmation
	given         int // how often it was handed out
	cancelled     bool
	stopped       bool
	items         []item
	offered       int // number of the last item that any reply carried
	acked         int // number of the last item that was acknowledged
	requests      int
	result        *Result
	results       map[string]bool // what was recorded, by work item and content
}

// confirmation is one confirmation as it is now.
type confirmation struct {
	Confirmation
	digest  string
	revoked bool
}

// door is one admitted process.
type door struct {
	process  string
	queue    []string          // tasks not yet given
	tasks    map[string]bool   // tasks that the token opens
	works    map[string]string // task -> the work item given to this process last
	offered  map[string]int    // task -> number of the last item offered to that work item
	acked    map[string]int
	requests int           // questions for work, and requests that concern no task
	asked    chan struct{} // closed when it has asked for work
	worker   bool          // it goes on to other planes
	keep     bool          // but not before this one has finished
}

type holder struct{ process, task string }

// New starts a plane on a port of its own, of the loopback unless a host is named.
func New(cfg Config) (*Plane, error) {
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	p := &Plane{
		cfg: cfg, tasks: map[string]*job{}, open: len(cfg.Tasks), doors: map[string]*door{}, holders: map[string]holder{},
		changed: make(chan struct{}), done: make(chan struct{}), failed: make(chan struct{}),
		refused: refusals{log: cfg.Log, counts: map[refusal]*folded{}},
	}
	for _, given := range cfg.Tasks {
		t := &job{Task: given, results: map[string]bool{}}
		for _, c := range given.Confirmations {
			c.Version = max(c.Version, 1)
			if c.ConfirmedBy == "" {
				c.ConfirmedBy = "u-1"
			}
			if c.Permissions == nil {
				c.Permissions = Permissions()
			}
			t.confirmations = append(t.confirmations, &confirmation{Confirmation: c, digest: p.digest(given.ID, c.ID, c.Version)})
		}
		p.tasks[given.ID] = t
	}
	if p.open == 0 {
		close(p.done)
	}
	var err error
	if p.srv, err = serve(cfg.Host, p.routes()); err != nil {
		return nil, fmt.Errorf("control: %w", err)
	}
	return p, nil
}

// digest is opaque to the agent: copied and compared, never computed.
func (p *Plane) digest(task, confirmation string, version int) string {
	mac := hmac.New(sha256.New, binary.BigEndian.AppendUint64(nil, p.cfg.Seed))
	fmt.Fprintf(mac, "%q %q %d", task, confirmation, version)
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// URL is the base address, for LOSTRECEIPT_URL.
func (p *Plane) URL() string { return p.srv.url }

// Finish makes every question for work answer 410, also those that wait.
func (p *Plane) Finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.finished = true
	p.wake()
}

// Close ends the server and every connection, and waits for both. Long polls
// are answered first. A second time does nothing. What was folded into a refusal and not yet recorded is
// recorded.
func (p *Plane) Close() error {
	p.mu.Lock()
	again := p.closing
	p.closing = true
	p.wake()
	p.mu.Unlock()
	if again {
		return nil
	}
	err := p.srv.close()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refused.flush()
	return err
}

// over tells whether the plane answers nobody any more.
func (p *Plane) over() bool {
	p.srv.mu.Lock()
	defer p.srv.mu.Unlock()
	return p.srv.closed
}

// Done is closed when every task has a result.
func (p *Plane) Done() <-chan struct{} { return p.done }

// Failed is closed when the plane cannot serve its purpose any longer.
// [Plane.Err] says why.
func (p *Plane) Failed() <-chan struct{} { return p.failed }

// Err is why [Plane.Failed] was closed, nil before. It wraps [ErrFlooded] if
// the agent is to blame.
func (p *Plane) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// Result is the first result of a task, if there is one.
func (p *Plane) Result(task string) (Result, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t := p.tasks[task]; t != nil && t.result != nil {
		return *t.result, true
	}
	return Result{}, false
}

// Activity is the instant, on the log's clock, of the last request that the
// plane took from a process it admitted. 0: there was none.
func (p *Plane) Activity() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.active
}

// Holder is the process to which a work item was given, and its task.
func (p *Plane) Holder(work string) (process, task string, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h, ok := p.holders[work]
	return h.process, h.task, ok
}

// wake lets every long poll look again. The caller holds mu.
func (p *Plane) wake() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// fail reports a failure, the first time. The caller holds mu.
func (p *Plane) fail(err error) {
	if p.err == nil {
		p.err = err
		close(p.failed)
	}
}

// find looks a confirmation up by its id; "" is the first.
func (t *job) find(id string) (*confirmation, bool) {
	for _, c := range t.confirmations {
		if id == "" || c.ID == id {
			return c, true
		}
	}
	return nil, false
}

// facts are what the confirmation states now.
func (p *Plane) facts(t *job, c *confirmation) history.Facts {
	return history.Facts{
		Tenant: t.Tenant, Object: t.Object, Confirmation: c.ID, Version: c.Version, Digest: c.digest,
		Content: p.cfg.Digest(c.Content),
	}
}

// message is the confirmation as the protocol writes it.
type message struct {
	ID          string          `json:"id"`
	Version     int             `json:"version"`
	Content     json.RawMessage `json:"content"`
	Digest      string          `json:"digest"`
	ConfirmedBy string          `json:"confirmed_by"`
}

func (c *confirmation) message() message {
	return message{ID: c.ID, Version: c.Version, Content: c.Content, Digest: c.digest, ConfirmedBy: c.ConfirmedBy}
}
