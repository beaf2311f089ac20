package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

// world plays the control plane and every service for one task, with faults by
// the name of a call ("approval.submit#1").
type world struct {
	t    *testing.T
	url  string
	done chan struct{} // closed at the end, releases what hangs

	mu       sync.Mutex
	task     task
	faults   map[string]string
	calls    map[string]int
	keys     map[string][]string // identifiers of each write operation, in order
	bodies   map[string][]string
	records  []*record
	buys     []record
	fences   map[string]bool
	claims   []claim
	results  []result
	briefs   map[string]json.RawMessage // by identifier
	inbox    []item
	changed  chan struct{}
	auth     authorization
	given    int
	checks   int
	decide   string        // status that a new record gets
	after    time.Duration // how long after its creation
	mute     bool          // no events
	fails    bool          // notifications fail
	hide     int           // queries that see nothing
	onCall   func(name string)
	arrivals []time.Time
	script   []message // of the model, a turn each
	heard    []turn    // what the model was sent
}

func testTask() task {
	var p promise
	p.Idempotency.Supported, p.Idempotency.RetentionMS = true, 20_000
	p.Query.ByRef, p.Query.ByKey = true, true
	p.NoEffectStatuses = []int{403, 409, 422, 429}
	p.WithdrawStates = []string{"pending"}
	return task{
		ID: "t-1", Type: "purchase-approval", Tenant: "acme", Object: "po-17", OnCancel: "withdraw",
		Confirmation: &confirmation{
			ID: "c-1", Version: 1, Digest: "d-1", ConfirmedBy: "u-1",
			Content: json.RawMessage(`{"amount":"1200.00","applicant":"lee","note":"a<b"}`),
		},
		Guarantees: map[string]promise{"approval.submit": p, "approval.withdraw": p, "approval.notify": p, "purchase.buy": p},
		Limits: limits{
			AttemptTimeoutMS: 1000, MaxAttempts: 3, BackoffBaseMS: 4, BackoffMaxMS: 40, BackoffJitter: 0.5, VerificationPeriodMS: 30_000,
		},
	}
}

func newWorld(t *testing.T, change func(*world)) *world {
	w := &world{
		t: t, task: testTask(), done: make(chan struct{}), changed: make(chan struct{}),
		faults: map[string]string{}, calls: map[string]int{}, keys: map[string][]string{}, bodies: map[string][]string{},
		fences: map[string]bool{}, briefs: map[string]json.RawMessage{},
		auth:   authorization{Valid: true, CurrentVersion: 1, Digest: "d-1", Permissions: []string{"submit", "withdraw", "purchase", "notify"}},
		decide: "approved",
	}
	w.task.StateDir = t.TempDir()
	if change != nil {
		change(w)
	}
	server := httptest.NewServer(w.routes())
	w.url = server.URL
	w.task.Endpoints = map[string]string{
		"approval": w.url + "/approval", "purchase": w.url + "/purchase", "desk": w.url + "/desk",
		"knowledge": w.url + "/knowledge", "model": w.url + "/model",
	}
	t.Cleanup(func() {
		close(w.done)
		server.CloseClientConnections()
		server.Close()
	})
	return w
}

func (w *world) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/work", w.work)
	mux.HandleFunc("GET /v1/confirmations/{id}", w.locked(func(*http.Request, []byte) (int, any) {
		w.checks++
		return 200, w.auth
	}))
	mux.HandleFunc("GET /v1/tasks/{id}/inbox", w.getInbox)
	mux.HandleFunc("POST /v1/tasks/{id}/states", w.locked(func(_ *http.Request, body []byte) (int, any) {
		var c claim
		w.decode(body, &c)
		w.claims = append(w.claims, c)
		return 200, struct{}{}
	}))
	mux.HandleFunc("POST /v1/tasks/{id}/result", w.locked(func(_ *http.Request, body []byte) (int, any) {
		var r result
		w.decode(body, &r)
		w.results = append(w.results, r)
		w.wake()
		return 200, struct{}{}
	}))
	mux.HandleFunc("POST /approval/v1/approvals", w.service("approval.submit", w.submit))
	mux.HandleFunc("GET /approval/v1/approvals", w.service("approval.query", w.query))
	mux.HandleFunc("GET /approval/v1/approvals/{ref}", w.service("approval.track", w.track))
	mux.HandleFunc("GET /approval/v1/submissions/{key}", w.service("approval.query", w.submissionState))
	mux.HandleFunc("POST /approval/v1/submissions/{key}/void", w.service("approval.void", w.void))
	mux.HandleFunc("POST /approval/v1/withdrawals", w.service("approval.withdraw", w.withdraw))
	mux.HandleFunc("POST /approval/v1/approvals/{ref}/notifications", w.service("approval.notify", w.notify))
	mux.HandleFunc("POST /purchase/v1/purchases", w.service("purchase.buy", w.buy))
	mux.HandleFunc("GET /purchase/v1/purchases", w.service("purchase.query", w.bought))
	mux.HandleFunc("GET /knowledge/v1/search", w.service("knowledge.search_kb", look(`{"results": ["30 days"]}`)))
	mux.HandleFunc("GET /knowledge/v1/cache", w.service("knowledge.kb_cache", look(`{"results": ["30 days"], "as_of": "2026-01-01T00:00:00Z"}`)))
	mux.HandleFunc("GET /knowledge/v1/archive", w.service("knowledge.kb_archive", look(`{"results": ["7 days"]}`)))
	mux.HandleFunc("DELETE /knowledge/v1/records/{id}", w.service("knowledge.delete_record", look(`{"deleted": true}`)))
	mux.HandleFunc("POST /model/v1/chat/completions", w.service("model.chat", w.speak))
	mux.HandleFunc("POST /desk/v1/escalations", w.service("desk.escalate", func(r *http.Request, body []byte) (int, any) {
		w.briefs[r.Header.Get("Idempotency-Key")] = body
		return 201, map[string]string{"id": "e-1"}
	}))
	return mux
}

func (w *world) decode(body []byte, into any) {
	if err := json.Unmarshal(body, into); err != nil {
		w.t.Errorf("unreadable message %s: %v", body, err)
	}
}

func (w *world) wake() {
	close(w.changed)
	w.changed = make(chan struct{})
}

func (w *world) place(it item) {
	it.N = len(w.inbox) + 1
	w.inbox = append(w.inbox, it)
	w.wake()
}

func (w *world) locked(serve func(*http.Request, []byte) (int, any)) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.mu.Lock()
		status, out := serve(r, body)
		w.mu.Unlock()
		respond(rw, status, out)
	}
}

func respond(rw http.ResponseWriter, status int, out any) {
	raw, _ := json.Marshal(out)
	rw.WriteHeader(status)
	_, _ = rw.Write(raw)
}

// service serves one operation, with the fault of its n-th call.
func (w *world) service(name string, serve func(*http.Request, []byte) (int, any)) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.mu.Lock()
		w.calls[name]++
		if name == "approval.submit" {
			w.arrivals = append(w.arrivals, time.Now())
		}
		call := fmt.Sprintf("%s#%d", name, w.calls[name])
		if r.Method == http.MethodPost {
			w.keys[name] = append(w.keys[name], r.Header.Get("Idempotency-Key"))
			w.bodies[name] = append(w.bodies[name], string(body))
		}
		fault := w.faults[call]
		if fault == "" {
			fault = w.faults[name+"#every"]
		}
		if w.onCall != nil {
			w.onCall(call)
		}
		var status int
		var out any
		if fault == "" || fault == "lose-reply" || fault == "hang-reply" || strings.HasPrefix(fault, "reply ") {
			status, out = serve(r, body)
		}
		w.mu.Unlock()
		switch kind, arg, _ := strings.Cut(fault, " "); kind {
		case "":
			respond(rw, status, out)
		case "lose-reply", "lose-request":
			panic(http.ErrAbortHandler)
		case "hang-reply", "hang":
			select {
			case <-w.done:
			case <-r.Context().Done():
			}
			panic(http.ErrAbortHandler)
		case "status":
			var code, wait int
			_, _ = fmt.Sscanf(arg, "%d %d", &code, &wait)
			if wait > 0 {
				rw.Header().Set("Retry-After", "1")
				rw.Header().Set("retry-after-ms", fmt.Sprint(wait))
			}
			respond(rw, code, map[string]any{"code": "x", "no_effect": code < 500})
		case "conflict":
			respond(rw, 409, map[string]any{"code": "identifier_conflict", "no_effect": true})
		case "reply":
			status, rest, _ := strings.Cut(arg, " ")
			code := 0
			_, _ = fmt.Sscan(status, &code)
			rw.WriteHeader(code)
			_, _ = io.WriteString(rw, rest)
		default:
			w.t.Errorf("no such fault: %s", fault)
		}
	}
}

func (w *world) work(rw http.ResponseWriter, _ *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.results) > 0 {
		respond(rw, http.StatusGone, struct{}{})
		return
	}
	w.given++
	kind := "task.start"
	if w.given > 1 {
		kind = "task.resume"
	}
	respond(rw, 200, work{ID: fmt.Sprintf("w-%d", w.given), Kind: kind, Task: w.task})
}

func (w *world) getInbox(rw http.ResponseWriter, r *http.Request) {
	after := 0
	_, _ = fmt.Sscan(r.URL.Query().Get("after"), &after)
	wait, err := time.ParseDuration(r.URL.Query().Get("wait"))
	if err != nil {
		w.t.Errorf("wait: %v", err)
	}
	timeout := time.After(wait)
	for {
		w.mu.Lock()
		items, changed := append([]item{}, w.inbox[min(after, len(w.inbox)):]...), w.changed
		w.mu.Unlock()
		if len(items) == 0 {
			select {
			case <-changed:
				continue
			case <-timeout:
			case <-w.done:
			case <-r.Context().Done():
			}
		}
		respond(rw, 200, inbox{Items: items, Next: after + len(items)})
		return
	}
}

// run runs one process of an implementation until it ends, and tells its result.
func (w *world) run(designName, defectName string) result {
	w.t.Helper()
	g := NewWithT(w.t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	g.Expect(Run(ctx, Options{Design: designName, Defect: defectName, URL: w.url, Token: "secret"})).To(Succeed())
	return w.result()
}

func (w *world) result() result {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	NewWithT(w.t).Expect(w.results).To(HaveLen(1), "results")
	return w.results[0]
}

// serveWith runs one process with these policies.
func (w *world) serveWith(ctx context.Context, p *policies) error {
	c := newControl(w.url, "secret")
	defer c.close()
	return serve(ctx, p, c, slog.New(slog.DiscardHandler))
}

func (w *world) states() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []string
	for _, c := range w.claims {
		all = append(all, c.State)
	}
	return all
}

// briefs given to the desk, by the one identifier that they came under.
func (w *world) escalation() map[string]any {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	NewWithT(w.t).Expect(w.briefs).To(HaveLen(1), "identifiers of escalations")
	var b map[string]any
	for _, raw := range w.briefs {
		w.decode(raw, &b)
	}
	return b
}

func short(w *world) { // for tests that wait for the end of the verification period
	w.task.Limits.VerificationPeriodMS = 500
	w.task.Limits.AttemptTimeoutMS = 200
}

func unprotected(w *world) {
	p := w.task.Guarantees["approval.submit"]
	p.Idempotency.Supported = false
	w.task.Guarantees["approval.submit"] = p
}
