package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/dialect"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// MaxBody bounds the body of a request, in bytes: a longer one is answered 413.
const MaxBody = 1 << 20

// conn is one connection. net/http serves its requests one after another.
type conn struct {
	net.Conn
	seq int
}

type connKey struct{}

func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, &conn{Conn: c})
}

// errAbort ends a call without a reply, by a reset of its connection.
var errAbort = errors.New("the connection is reset")

func (s *Service) serve(w http.ResponseWriter, r *http.Request) {
	received := s.Now()
	c, _ := r.Context().Value(connKey{}).(*conn)
	c.seq++
	var ref fault.Ref
	if s.cfg.Identify != nil {
		var ok bool
		if ref, ok = s.cfg.Identify(r.RemoteAddr, c.seq); !ok {
			write(w, Refuse(http.StatusForbidden, "not_through_the_gate",
				"calls to %s are taken from the gate only, use the endpoint of the work item; this request was not carried out", s.spec.Name))
			return
		}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	if err != nil {
		write(w, unreadable(err))
		return
	}
	if !s.begin() {
		abort(c)
	}
	call := read(s.spec.Name, r, ref, received, body)
	var reply Reply
	func() {
		defer s.tasks.Done()
		reply, err = s.call(r, call)
	}()
	if s.cfg.Settle != nil {
		s.cfg.Settle()
	}
	if err != nil {
		abort(c)
	}
	if s.spec.Carry != nil && !reply.dictated && s.spec.Carry(w, withBody(r, body), call, reply) {
		return
	}
	write(w, reply)
}

// withBody is a request whose body can be read again.
func withBody(r *http.Request, body []byte) *http.Request {
	again := r.Clone(r.Context())
	again.Body, again.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return again
}

// read reads what a request says.
func read(name string, r *http.Request, ref fault.Ref, received time.Duration, body []byte) *Call {
	language := dialect.HTTP{}
	var op string
	if language.InBody(name, r) {
		op = language.BodyOperation(name, r, body)
	} else {
		op = language.Operation(name, r)
	}
	return &Call{
		Ref: ref, Operation: op, Received: received, Query: r.URL.Query(), request: r,
		Facts: *language.Request(name, op, r, body), Message: dialect.ReadMessage(body), Body: body,
	}
}

// call leads one request through its phases. Its context does not end when the
// client goes away: what was received is carried out.
func (s *Service) call(r *http.Request, c *Call) (Reply, error) {
	op := c.Operation
	ctx := context.WithoutCancel(r.Context())
	order, err := s.at(ctx, c, fault.Received)
	if err != nil {
		return Reply{}, err
	}
	if order.Forget && s.spec.Forget != nil {
		s.spec.Forget(c)
	}
	if order.Rival && s.spec.Rival != nil {
		s.spec.Rival(c)
	}
	s.decide(c, order.Outcome)
	if order.Answer != nil {
		return s.answer(op, *order.Answer, true), nil
	}
	if order.Speech != nil && s.spec.Speak != nil {
		return s.speak(c, *order.Speech), nil
	}
	if read := s.spec.Reads[op]; read != nil {
		return s.distort(c, order.Distortion, read(c)), nil
	}
	if check := s.spec.Writes[op]; check != nil {
		return s.write(ctx, c, check)
	}
	if op == contract.Unknown {
		return Refuse(http.StatusNotFound, "no_such_operation", "%s %s is no operation of %s", r.Method, r.URL.Path, s.spec.Name), nil
	}
	return NotOffered(op), nil
}

func (s *Service) write(ctx context.Context, c *Call, check Write) (Reply, error) {
	plan, refusal := check(c)
	if plan == nil {
		return refusal, nil
	}
	dropped := func() {
		if plan.Dropped != nil {
			plan.Dropped()
		}
	}
	order, err := s.at(ctx, c, fault.Validated)
	if err != nil {
		dropped()
		return Reply{}, err
	}
	s.decide(c, order.Outcome)
	switch {
	case order.Answer != nil:
		dropped()
		return s.answer(c.Operation, *order.Answer, true), nil
	case order.Later != nil && plan.Later != nil:
		return s.commit(ctx, c, order.Conduct, func() Outcome { return plan.Later(order.Later) })
	case order.Distortion == fault.Queued:
		dropped() // behind the gateway
		return s.Queued(), nil
	}
	return s.commit(ctx, c, fault.Conduct{}, plan.Commit)
}

// commit carries out a write and leads it through its last phase. What was said
// of it before decides about a reply that comes ahead of the consequence.
func (s *Service) commit(ctx context.Context, c *Call, before fault.Conduct, do func() Outcome) (Reply, error) {
	done := do()
	if !done.Stands {
		if before.Distortion == fault.Queued && done.Reply.Status == http.StatusAccepted {
			return s.Queued(), nil
		}
		return done.Reply, nil
	}
	order, err := s.at(ctx, c, fault.Committed)
	if err != nil {
		return Reply{}, err
	}
	if done.Finish != nil {
		done.Finish()
	}
	if order.Lacking != "" && s.spec.Lacking != nil {
		s.spec.Lacking(c, order.Lacking)
	}
	s.decide(c, order.Outcome)
	if order.Answer != nil {
		return s.answer(c.Operation, *order.Answer, false), nil
	}
	return s.distort(c, order.Distortion, done.Reply), nil
}

// CommitAfter carries out a write when its request has long been answered. Its
// phase committed is met then; a reply that a fault asks for there is too late.
func (s *Service) CommitAfter(d time.Duration, c *Call, do func() Outcome) {
	// The wait at the phase must not keep the clock's own goroutine.
	s.After(d, func() { s.Go(func() { s.commitLate(c, do) }) })
}

// CommitWhen is [Service.CommitAfter] for a moment that a fault decides about.
func (s *Service) CommitWhen(until <-chan struct{}, c *Call, do func() Outcome) {
	s.Go(func() {
		if s.wait(until) {
			s.commitLate(c, do)
		}
	})
}

func (s *Service) commitLate(c *Call, do func() Outcome) {
	_, _ = s.commit(context.WithoutCancel(c.request.Context()), c, fault.Conduct{}, do)
}

// speak lets a model say what a fault makes it say. A fault that had nothing to
// act on has failed, unless it need not be met.
func (s *Service) speak(c *Call, said fault.Speech) Reply {
	reply, unable := s.spec.Speak(c, said)
	if r := said.Receipt; unable != "" && r != nil && !r.Optional {
		failed := *r
		failed.Reason = unable
		s.cfg.Log.Append(history.Record{Kind: history.FaultFailed, Task: c.Task, Work: c.Work, Call: c.Call, Fault: &failed})
	}
	return reply
}

// decide lets the approver decide, where there is one.
func (s *Service) decide(c *Call, outcome string) {
	if outcome != "" && s.spec.Decide != nil {
		s.spec.Decide(c, outcome)
	}
}

// answer is a reply that a fault puts in the service's mouth. Without a body of
// its own it is an error body that fits the status.
func (s *Service) answer(op string, a fault.Answer, harmless bool) Reply {
	reply := Reply{Status: a.Status, RetryAfter: a.RetryAfter, Body: verbatim(a.Body), dictated: true}
	if a.Body == "" && a.Status >= 400 {
		p := Problem{
			Code: code(a.Status), Message: http.StatusText(a.Status),
			NoEffect: harmless && s.spec.Promises[s.spec.Name+"."+op].NoEffect(a.Status),
		}
		if reply.Body = p; s.spec.Refusal != nil {
			reply.Body = s.spec.Refusal(p, a.Status)
		}
	}
	return reply
}

func code(status int) string {
	switch status {
	case http.StatusForbidden:
		return "permission"
	case http.StatusConflict:
		return "identifier_conflict"
	case http.StatusUnprocessableEntity:
		return "rejected"
	case http.StatusTooManyRequests:
		return "rate_limited"
	case http.StatusServiceUnavailable:
		return "unavailable"
	case http.StatusBadGateway, http.StatusGatewayTimeout:
		return "gateway"
	default:
		return "error"
	}
}

func unreadable(err error) Reply {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		p := Problem{Code: "too_large", Field: "body", Message: "is longer than " + strconv.Itoa(MaxBody) + " bytes", NoEffect: true}
		return Reply{Status: http.StatusRequestEntityTooLarge, Body: p}
	}
	return Malformed(&dialect.FieldError{Field: "body", Problem: "ended before it was complete"})
}

// verbatim is a body that is written as it is.
type verbatim string

// Events is a body that is written event by event, as server-sent events are:
// each is a text that ends in an empty line. A reply's body that has a method
// Events is written so, unless it returns nil.
type Events []string

func (e Events) write(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(status)
	out := http.NewResponseController(w)
	for _, event := range e {
		if _, err := io.WriteString(w, event); err != nil {
			return
		}
		_ = out.Flush() // a chunk an event; a client that has gone is none of the service's business
	}
}

func write(w http.ResponseWriter, reply Reply) {
	if b, ok := reply.Body.(interface{ Events() Events }); ok {
		if events := b.Events(); events != nil {
			events.write(w, reply.Status)
			return
		}
	}
	var body []byte
	switch b := reply.Body.(type) {
	case nil:
	case verbatim:
		body = []byte(b)
	default:
		var text bytes.Buffer
		out := json.NewEncoder(&text)
		out.SetEscapeHTML(false) // content goes back as it came
		if err := out.Encode(b); err != nil {
			reply.Status, text = http.StatusInternalServerError, *bytes.NewBufferString(`{"code":"error"}`)
		}
		body = text.Bytes()
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if wait := reply.RetryAfter; wait > 0 {
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
		h.Set("Retry-After-Ms", strconv.FormatInt(int64(math.Ceil(float64(wait)/float64(time.Millisecond))), 10))
	}
	w.WriteHeader(reply.Status)
	_, _ = w.Write(body)
}

// abort resets the connection. It does not return.
func abort(c *conn) {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	panic(http.ErrAbortHandler)
}
