package control

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// FrontConfig is what a front is made of. Free is required.
type FrontConfig struct {
	_ struct{}

	// Free is told that the worker asks for work and has nothing to do: at its first question, and once after each
	// [Front.Assign] when it is through with that. It is called without any lock held, before the worker is answered.
	Free func()
	// Flooded is told, once, that the worker has made more than MaxRequests requests since it was last given
	// something to do that no plane has counted, and that it works for none now; else that plane fails
	// ([ErrFlooded]). Nil: nobody is told.
	Flooded func()
	// MaxRequests bounds them. 0: [DefaultMaxRequests].
	MaxRequests int
	// MaxWait bounds one long poll. 0: [DefaultMaxWait].
	MaxWait time.Duration
}

// Front is the control plane as a worker sees it, a process that goes from run
// to run: one address and one token for as long as it lives. Behind it, every
// request is served by the plane that it concerns.
//
// A question for work goes to the plane of what the worker was assigned last,
// until the worker is through there: every task that it was given has a
// result, or the plane has finished. What concerns a task or a confirmation
// goes to the plane whose mark the id carries ([Config.Mark]), also when the
// worker has gone on, for as long as that plane is open; then it is answered
// 404. So nothing that a worker does late reaches the plane of another run. Its
// methods are safe for concurrent use.
type Front struct {
	cfg   FrontConfig
	token string
	srv   *server

	mu      sync.Mutex
	now     *lease
	past    []*lease // that the worker has left, while their planes may be open
	told    bool     // Free was told since the last assignment
	retired bool
	strays  int
	changed chan struct{} // closed and made anew when there is something else to do
}

// lease is a worker's part in one plane.
type lease struct {
	plane *Plane
	token string // of the door there
}

// NewFront starts a front on a loopback port of its own.
func NewFront(cfg FrontConfig) (*Front, error) {
	if cfg.Free == nil {
		return nil, errors.New("control: front: nobody to tell that the worker is free")
	}
	if cfg.Flooded == nil {
		cfg.Flooded = func() {}
	}
	if cfg.MaxRequests == 0 {
		cfg.MaxRequests = DefaultMaxRequests
	}
	if cfg.MaxWait == 0 {
		cfg.MaxWait = DefaultMaxWait
	}
	f := &Front{cfg: cfg, token: rand.Text(), changed: make(chan struct{})}
	srv, err := serve("", http.HandlerFunc(f.route))
	if err != nil {
		return nil, fmt.Errorf("control: front: %w", err)
	}
	f.srv = srv
	return f, nil
}

// URL is the base address, for LOSTRECEIPT_URL.
func (f *Front) URL() string { return f.srv.url }

// Token is the worker's bearer token, for LOSTRECEIPT_TOKEN.
func (f *Front) Token() string { return f.token }

// Assign makes the worker a process of a plane: token is what [Plane.Admit]
// returned for it. With keep it stays there until the plane has finished,
// whatever has a result before. The worker must be free, or new.
func (f *Front) Assign(p *Plane, token string, keep bool) {
	p.mu.Lock()
	if d := p.doors[token]; d != nil {
		d.worker, d.keep = true, keep
	}
	p.mu.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.past = slices.DeleteFunc(f.past, func(l *lease) bool { return l.plane.over() })
	f.now, f.told, f.strays = &lease{plane: p, token: token}, false, 0
	f.wake()
}

// Retire answers the worker's next question for work with 410, when it is
// through with what it was assigned.
func (f *Front) Retire() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.retired = true
	f.wake()
}

// Close answers whoever waits, ends every connection, and waits for both.
func (f *Front) Close() error {
	f.Retire()
	return f.srv.close()
}

// wake lets whoever waits look again. The caller holds mu.
func (f *Front) wake() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// route passes a request on to the plane that it concerns.
func (f *Front) route(w http.ResponseWriter, r *http.Request) {
	if tokenOf(r) != f.token {
		f.stray(w, r, noToken())
		return
	}
	if r.URL.Path == "/v1/work" && r.Method == http.MethodGet {
		f.work(w, r)
		return
	}
	l := f.concerned(r)
	if l == nil || !l.plane.srv.enter() {
		f.stray(w, r, &problem{status: http.StatusNotFound, text: "this token opens no such task any more"})
		return
	}
	defer l.plane.srv.handlers.Done()
	l.plane.srv.routes.ServeHTTP(w, l.as(r))
}

// as is the request as the process that the worker is in that plane makes it.
func (l *lease) as(r *http.Request) *http.Request {
	own := *r
	own.Header = r.Header.Clone()
	own.Header.Set("Authorization", "Bearer "+l.token)
	return &own
}

// concerned finds the lease that a request is about: that of the mark which its
// id carries, or for an id that this worker was never given, the present one.
// Nil: none, or none any more.
func (f *Front) concerned(r *http.Request) *lease {
	mark := ""
	for _, prefix := range []string{"/v1/tasks/", "/v1/confirmations/"} {
		if rest, ok := strings.CutPrefix(r.URL.Path, prefix); ok {
			id, _, _ := strings.Cut(rest, "/")
			mark = markOf(id)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.now != nil && f.now.plane.cfg.Mark == mark {
		return f.now
	}
	for _, l := range slices.Backward(f.past) {
		if l.plane.cfg.Mark == mark {
			return l
		}
	}
	if mark != "" { // of a plane that is closed, as far as anybody can tell
		return nil
	}
	return f.now
}

// work answers a question for work.
func (f *Front) work(w http.ResponseWriter, r *http.Request) {
	wait, bad := waitOf(r, f.cfg.MaxWait)
	if bad != nil {
		f.stray(w, r, bad)
		return
	}
	timeout := time.NewTimer(wait)
	defer timeout.Stop()
	for {
		now, retired, changed := f.look()
		switch {
		case now != nil && !f.ask(w, r, now):
			return
		case now != nil:
			f.leave(now)
			continue
		case f.report():
			f.cfg.Free()
			continue
		case retired:
			_ = write(r.Context(), w, reply{status: http.StatusGone, body: noMore()})
			return
		}
		select {
		case <-changed:
			continue
		case <-timeout.C:
		case <-r.Context().Done():
		}
		f.count()
		_ = write(r.Context(), w, reply{status: http.StatusNoContent})
		return
	}
}

func (f *Front) look() (now *lease, retired bool, changed <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now, f.retired, f.changed
}

// ask passes a question for work on. It is true, and the question is not answered, if the worker is through there.
func (f *Front) ask(w http.ResponseWriter, r *http.Request, l *lease) (through bool) {
	if !l.plane.srv.enter() {
		return true
	}
	defer l.plane.srv.handlers.Done()
	return l.plane.exchange(w, l.as(r), l.plane.getWork)
}

// leave ends a lease. Another question that is asked at the same time may have done so.
func (f *Front) leave(l *lease) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.now == l {
		f.past = append(f.past, l)
		f.now = nil
	}
}

// report tells whether it falls to the caller to say that the worker is free.
func (f *Front) report() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.told || f.now != nil {
		return false
	}
	f.told = true
	return true
}

// stray answers a request that concerns no plane.
func (f *Front) stray(w http.ResponseWriter, r *http.Request, bad *problem) {
	f.count()
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTimeout)) // always possible with this server
	_ = write(r.Context(), w, refusing(w, bad))
}

// count counts a request that no plane counts.
func (f *Front) count() {
	f.mu.Lock()
	f.strays++
	flooded, now := f.strays == f.cfg.MaxRequests+1, f.now
	f.mu.Unlock()
	switch {
	case !flooded:
	case now == nil:
		f.cfg.Flooded()
	default:
		now.plane.mu.Lock()
		defer now.plane.mu.Unlock()
		now.plane.fail(fmt.Errorf("control: more than %d requests that concern no task: %w", f.cfg.MaxRequests, ErrFlooded))
	}
}
