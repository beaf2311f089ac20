package service

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Service is one running service.
type Service struct {
	cfg    Config
	spec   Spec
	addr   string
	server *http.Server

	queued  atomic.Int64  // numbers that a gateway has given
	rows    atomic.Int64  // rows of the ledger that are not kept yet
	closing chan struct{} // closed when the service begins to end
	serving sync.WaitGroup
	conns   sync.WaitGroup

	mu     sync.Mutex
	closed bool
	tasks  tally // what runs for a call or a timer; added to under mu, and never once closed
	timers map[int]func() bool
	timer  int
	// overtaken are the events, by task, that wait for the next one: closed when it is out.
	overtaken map[string][]chan struct{}
}

// Open starts to listen. The caller closes the service.
func Open(cfg Config, spec Spec) (*Service, error) {
	if cfg.Log == nil {
		cfg.Log = history.NewLog(nil)
	}
	if cfg.Seam == nil {
		cfg.Seam = fault.Calm{}
	}
	if cfg.Host == "" {
		cfg.Host = "127.0.0.1"
	}
	if cfg.Clock == nil {
		cfg.Clock = logClock{cfg.Log}
	}
	var config net.ListenConfig
	listener, err := config.Listen(context.Background(), "tcp", net.JoinHostPort(cfg.Host, strconv.Itoa(cfg.Port)))
	if err != nil {
		return nil, fmt.Errorf("service %s: %w", spec.Name, err)
	}
	s := &Service{
		cfg: cfg, spec: spec, addr: listener.Addr().String(),
		closing: make(chan struct{}), timers: map[int]func() bool{}, overtaken: map[string][]chan struct{}{},
	}
	s.tasks.told = cfg.Idle
	s.server = &http.Server{
		Handler:        http.HandlerFunc(s.serve),
		ConnContext:    withConn,
		ConnState:      s.count,
		MaxHeaderBytes: 64 << 10,
		// Far above any scenario: a head that never ends goes when the service is closed.
		ReadHeaderTimeout: 10 * time.Minute,
		// Every request must reach the handler, or the numbers of a connection's requests would not be
		// those that the gate counts.
		DisableGeneralOptionsHandler: true,
	}
	s.serving.Go(func() { _ = s.server.Serve(listener) })
	return s, nil
}

// Name is what anchors and records call the service.
func (s *Service) Name() string { return s.spec.Name }

// Addr is host:port.
func (s *Service) Addr() string { return s.addr }

// URL is the base of its routes, without a slash at the end.
func (s *Service) URL() string { return "http://" + s.addr }

// Now is the present instant of the service's clock.
func (s *Service) Now() time.Duration { return s.cfg.Clock.Now() }

// Wall is an instant of the service's clock as a time of day.
func (s *Service) Wall(at time.Duration) time.Time { return s.cfg.Log.Start().Add(at).UTC() }

// Row appends a row of the ledger, caused by a call or by what followed from it.
func (s *Service) Row(cause fault.Ref, effect string, foreign bool, f history.Facts) {
	s.cfg.Log.Append(history.Record{
		Kind: history.LedgerRow, Task: cause.Task, Work: cause.Work, Call: cause.Call,
		Ledger: &history.Ledger{Service: s.spec.Name, Effect: effect, Foreign: foreign},
		Facts:  &f,
	})
	s.rows.Add(1)
}

// Close ends waits, timers and connections, and returns when nothing of the
// service runs any more, or with the context's error. A request that is at a
// fault's wait ends there, without a reply. Close may be called again.
func (s *Service) Close(ctx context.Context) error {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		close(s.closing)
		for _, stop := range s.timers {
			if stop() {
				s.tasks.Done()
			}
		}
		s.timers = nil
	}
	s.mu.Unlock()

	done := make(chan struct{})
	go func() {
		defer close(done)
		s.tasks.Wait() // calls under way end by themselves
		_ = s.server.Close()
		s.serving.Wait() // after it no connection is added
		s.conns.Wait()
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("service %s: still busy: %w", s.spec.Name, errors.Join(ctx.Err(), s.server.Close()))
	}
}

// begin registers something that Close waits for; false when it is too late.
func (s *Service) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.tasks.Add(1)
	return true
}

// Go runs f in a goroutine that Close waits for. Once the service is closed it
// does nothing.
func (s *Service) Go(f func()) {
	if s.begin() {
		go func() {
			defer s.tasks.Done()
			f()
		}()
	}
}

// After runs f when d is over, unless the service is closed by then. Close
// waits for an f that has begun.
func (s *Service) After(d time.Duration, f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.tasks.Add(1)
	s.timer++
	id := s.timer
	s.timers[id] = s.cfg.Clock.AfterFunc(d, func() {
		defer s.tasks.Done()
		s.mu.Lock()
		delete(s.timers, id)
		s.mu.Unlock()
		f()
	})
}

func (s *Service) count(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.conns.Add(1)
	case http.StateClosed, http.StateHijacked:
		s.conns.Done()
	}
}
