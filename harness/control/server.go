package control

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/netutil"
)

// What one connection may cost.
const (
	maxHeader     = 16 << 10
	headerTimeout = 10 * time.Second
	bodyTimeout   = 10 * time.Second
	writeTimeout  = 10 * time.Second
	idleTimeout   = 10 * time.Minute // longer than a scenario
)

// server is the plane's HTTP server. Its owner waits for every handler and
// every connection.
type server struct {
	url       string
	routes    http.Handler
	listener  net.Listener
	http      *http.Server
	accepting chan struct{} // closed when the accept loop has ended
	conns     connections

	mu       sync.Mutex
	closed   bool
	handlers sync.WaitGroup
}

func serve(host string, routes http.Handler) (*server, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort(cmp.Or(host, "127.0.0.1"), "0"))
	if err != nil {
		return nil, err
	}
	s := &server{
		url: "http://" + listener.Addr().String(), listener: netutil.LimitListener(listener, maxConnections),
		routes: routes, accepting: make(chan struct{}),
	}
	s.http = &http.Server{
		Handler: s.count(routes), MaxHeaderBytes: maxHeader, ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout,
		ErrorLog:  log.New(io.Discard, "", 0),
		ConnState: s.conns.note,
	}
	go func() { // close waits for it
		defer close(s.accepting)
		_ = s.http.Serve(s.listener) // it ends with close
	}()
	return s, nil
}

// count turns requests away once the server is closed, and lets close wait for those that were let in.
func (s *server) count(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.enter() {
			panic(http.ErrAbortHandler)
		}
		defer s.handlers.Done()
		next.ServeHTTP(w, r)
	})
}

// enter lets a request in unless the server is closed. Who was let in is waited for until it tells handlers.
func (s *server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.handlers.Add(1)
	return true
}

// close lets the handlers answer, then ends every connection.
func (s *server) close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.handlers.Wait()
	// The listener first: a connection that is accepted while the server closes would be overlooked.
	err := s.listener.Close()
	<-s.accepting
	_ = s.http.Close() // it closes the listener again
	s.conns.open.Wait()
	return err
}

// reply is what a handler answers.
type reply struct {
	status int
	body   any // nil: none
	// sent is called when the reply was written, lost when it could not be.
	sent, lost func()
	// through says instead of an answer that a worker is through with what this plane had for it.
	through bool
}

// handler answers one request of an admitted process.
type handler func(r *http.Request, d *door) (reply, *problem)

func (p *Plane) routes() http.Handler {
	mux := http.NewServeMux()
	for _, route := range []struct {
		method, path string
		handler      handler
	}{
		{http.MethodGet, "/v1/work", p.getWork},
		{http.MethodGet, "/v1/confirmations/{id}", p.getConfirmation},
		{http.MethodGet, "/v1/tasks/{id}/inbox", p.getInbox},
		{http.MethodPost, "/v1/tasks/{id}/states", p.postState},
		{http.MethodPost, "/v1/tasks/{id}/result", p.postResult},
	} {
		mux.Handle(route.path, p.guard(func(r *http.Request, d *door) (reply, *problem) {
			if r.Method != route.method {
				return reply{}, &problem{status: http.StatusMethodNotAllowed, text: "this route takes " + route.method}
			}
			return route.handler(r, d)
		}))
	}
	mux.Handle("/", p.guard(func(*http.Request, *door) (reply, *problem) {
		return reply{}, &problem{status: http.StatusNotFound, text: "no such route: see the agent protocol, version 1"}
	}))
	return mux
}

func (p *Plane) guard(next handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { p.exchange(w, r, next) })
}

// exchange lets in who has a token, and writes the reply. It writes none, and tells so, if the agent is through.
func (p *Plane) exchange(w http.ResponseWriter, r *http.Request, next handler) (through bool) {
	task := ""
	if strings.HasPrefix(r.URL.Path, "/v1/tasks/") {
		task = p.taskOf(r)
	}
	d, bad := p.enter(r, task)
	if r.Method == http.MethodPost {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTimeout)) // always possible with this server
	}
	var answer reply
	if bad == nil {
		answer, bad = next(r, d)
	}
	switch {
	case bad != nil:
		p.refuse(d, task, bad)
		answer = refusing(w, bad)
	case answer.through:
		return true
	}
	if write(r.Context(), w, answer) != nil {
		if answer.lost != nil {
			answer.lost()
		}
	} else if answer.sent != nil {
		answer.sent()
	}
	return false
}

// refusing is the reply that says why a request is not carried out.
func refusing(w http.ResponseWriter, bad *problem) reply {
	if bad.status == http.StatusRequestEntityTooLarge {
		w.Header().Set("Connection", "close") // the rest of the body is not read
	}
	return reply{status: bad.status, body: bad}
}

// write writes a reply whole, and to the wire. It fails if the agent has hung up.
func write(ctx context.Context, w http.ResponseWriter, a reply) error {
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Now().Add(writeTimeout)) // always possible with this server
	if a.body == nil {
		w.WriteHeader(a.status)
		return errors.Join(control.Flush(), ctx.Err())
	}
	body, err := json.Marshal(a.body)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(a.status)
	if _, err := w.Write(body); err != nil {
		return err
	}
	return errors.Join(control.Flush(), ctx.Err())
}

// readBody reads a request's body, at most MaxBody bytes of it.
func readBody(r *http.Request) ([]byte, *problem) {
	tooLarge := &problem{status: http.StatusRequestEntityTooLarge, text: fmt.Sprintf("body: it is larger than %d bytes", MaxBody)}
	if r.ContentLength > MaxBody {
		return nil, tooLarge
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, MaxBody+1))
	switch {
	case len(body) > MaxBody:
		return nil, tooLarge
	case err != nil && (errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, context.Canceled)):
		return nil, &problem{status: http.StatusBadRequest, text: "body: it ended too early"}
	case err != nil:
		return nil, &problem{status: http.StatusBadRequest, text: "body: it could not be read, or took too long"}
	}
	return body, nil
}
