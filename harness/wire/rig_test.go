package wire_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/wire"
)

// patience is how long a test waits for what must come, on however busy a machine.
const patience = 20 * time.Second

// rig is a gateway between a client and a real HTTP server.
type rig struct {
	t       *testing.T
	g       *wire.Gateway
	log     *history.Log
	seam    *script
	proxy   *wire.Proxy
	service *service
}

// newRig ends the gateway and checks that nothing is left of it.
func newRig(t *testing.T) *rig {
	t.Helper()
	return newRigOf(t, 0)
}

// newRigOf is one whose clients wait so long for a reply.
func newRigOf(t *testing.T, wait time.Duration) *rig {
	t.Helper()
	before := gleak.Goroutines()
	r := &rig{t: t, log: history.NewLog(nil), seam: newScript(), service: newService()}
	r.g = wire.New(wire.Config{Log: r.log, Seam: r.seam, Dialect: paths{}, Patience: wait})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := r.g.Close(ctx); err != nil {
			t.Error(err)
		}
		r.service.close()
		NewWithT(t).Eventually(gleak.Goroutines).WithTimeout(patience).ShouldNot(gleak.HaveLeaked(before))
	})
	r.proxy = r.open("w-1")
	return r
}

func (r *rig) open(work string) *wire.Proxy {
	r.t.Helper()
	p, err := r.g.Open(r.t.Context(), wire.Door{Task: "t-1", Work: work, Service: "approval", Upstream: r.service.addr()})
	if err != nil {
		r.t.Fatal(err)
	}
	return p
}

// records are those of the given kinds so far, as "kind call ...".
func (r *rig) records(kinds ...history.Kind) (all []history.Record) {
	for _, rec := range r.log.Records() {
		for _, k := range kinds {
			if rec.Kind == k {
				all = append(all, rec)
			}
		}
	}
	return all
}

// call are the kinds recorded of the n-th call of an operation, in order, with
// what matters of each.
func (r *rig) call(op string, n int) []string {
	var all []string
	for _, rec := range r.log.Records() {
		if rec.Call == "" || rec.Wire == nil || rec.Wire.Operation != op || rec.Wire.Ordinal != n || rec.Wire.Copy {
			continue
		}
		s := strings.TrimPrefix(string(rec.Kind), "call.")
		if rec.Kind == history.CallPassing || rec.Kind == history.CallPassed {
			s += " " + strconv.FormatInt(rec.Wire.Size, 10)
		}
		if !rec.Wire.Whole {
			s += " part"
		}
		if rec.Wire.Gone {
			s += " gone"
		}
		all = append(all, s)
	}
	return all
}

// ends are how the client's side of a connection ended, as "client fin".
func (r *rig) ends(conn string) []string {
	var all []string
	for _, rec := range r.records(history.ConnEnded) {
		if rec.Wire.Conn == conn && rec.Wire.By != history.ByService {
			all = append(all, rec.Wire.By+" "+rec.Wire.How)
		}
	}
	return all
}

// whole is the life of a call that nothing befell.
func whole(size int) []string {
	n := strconv.Itoa(size)
	return []string{"sent", "forwarded", "replied", "passing " + n, "passed " + n}
}

// dial opens a raw connection to the proxy.
func (r *rig) dial() *net.TCPConn {
	r.t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(r.proxy.URL(), "http://"))
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { c.Close() })
	return c.(*net.TCPConn)
}

// client is an HTTP client with one connection of its own, kept alive.
func (r *rig) client() *client {
	c := newClient(r.proxy.URL())
	r.t.Cleanup(c.c.CloseIdleConnections)
	return c
}

func newClient(url string) *client {
	tr := &http.Transport{MaxConnsPerHost: 1, ExpectContinueTimeout: time.Minute, DisableCompression: true}
	return &client{url: url, c: &http.Client{Transport: tr}}
}

type client struct {
	url string
	c   *http.Client
}

// post is one call; "" is a success, else the class of the error.
func (c *client) post(ctx context.Context, op, body string) (answer, problem string) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+"/"+op, strings.NewReader(body))
	if err != nil {
		return "", err.Error()
	}
	res, err := c.c.Do(req)
	if err != nil {
		return "", class(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	return string(b), class(err)
}

func class(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, context.Canceled), errors.Is(err, os.ErrDeadlineExceeded):
		return "gave up"
	case errors.Is(err, syscall.ECONNRESET):
		return "reset"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "refused"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "cut short"
	case errors.Is(err, io.EOF):
		return "closed"
	default:
		return err.Error()
	}
}

// service answers each POST with its operation and body, and counts.
type service struct {
	*httptest.Server
	mu    sync.Mutex
	seen  map[string][]string // bodies by operation
	reply func(w http.ResponseWriter, r *http.Request, body []byte)
	came  func(r *http.Request, seq int)
}

type seqKey struct{}

func newService() *service {
	s := &service{seen: map[string][]string{}}
	s.reply = func(w http.ResponseWriter, r *http.Request, body []byte) {
		fmt.Fprintf(w, "%s:%s", strings.TrimPrefix(r.URL.Path, "/"), body)
	}
	s.Server = httptest.NewUnstartedServer(s)
	s.Config.ConnContext = func(ctx context.Context, _ net.Conn) context.Context {
		return context.WithValue(ctx, seqKey{}, new(int))
	}
	s.Start()
	return s
}

func (s *service) close() {
	s.CloseClientConnections()
	s.Close()
}

func (s *service) addr() string { return s.Listener.Addr().String() }

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	seq := r.Context().Value(seqKey{}).(*int)
	*seq++
	s.mu.Lock()
	came := s.came
	s.mu.Unlock()
	if came != nil {
		came(r, *seq)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the request was cut short
	}
	s.mu.Lock()
	op := strings.TrimPrefix(r.URL.Path, "/")
	s.seen[op] = append(s.seen[op], string(body))
	reply := s.reply
	s.mu.Unlock()
	reply(w, r, body)
}

func (s *service) count(op string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.seen[op])
}

func (s *service) bodies(op string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.seen[op]...)
}

// script is a seam that gives each order once, at "pay#2 sent".
type script struct {
	mu     sync.Mutex
	orders map[string]fault.Order
	fired  map[string]chan struct{}
	points []string
}

func newScript() *script {
	return &script{orders: map[string]fault.Order{}, fired: map[string]chan struct{}{}}
}

// at plans o, and returns a channel that is closed when it was given.
func (s *script) at(point string, o fault.Order) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.orders[point] = o
	s.fired[point] = make(chan struct{})
	return s.fired[point]
}

func (s *script) At(_ context.Context, p fault.Point) fault.Order {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := fmt.Sprintf("%s#%d %s", p.Operation, p.Ordinal, p.Phase)
	s.points = append(s.points, key)
	o, ok := s.orders[key]
	if ok {
		delete(s.orders, key)
		close(s.fired[key])
	}
	return o
}

func (s *script) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.points...)
}

// paths is a dialect that takes the path for the operation.
type paths struct{}

func (paths) Operation(_ string, r *http.Request) string { return strings.TrimPrefix(r.URL.Path, "/") }

func (paths) Request(_, _ string, r *http.Request, body []byte) *history.Facts {
	return &history.Facts{Key: r.Header.Get("Idempotency-Key"), Object: string(bytes.ToUpper(body[:min(len(body), 10)]))}
}

func (paths) Reply(_, _ string, status int, _ http.Header, body []byte) *history.Facts {
	return &history.Facts{Status: strconv.Itoa(status), Ref: string(body[:min(len(body), 10)])}
}
