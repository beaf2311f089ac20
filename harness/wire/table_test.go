package wire_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/wire"
)

var update = flag.Bool("update", false, "write the golden files anew")

// tablePage is the page of the documentation that the table below is.
var tablePage = filepath.Join("..", "doc", "wire-faults.md")

// entry is one fault of the table.
type entry struct {
	effect  fault.Written
	at      []string // where it stands
	chunked bool     // the request and the reply have chunked bodies
	lasts   bool     // longer than the patience of one attempt
}

// attempt is how patient the clients of the table are with a fault that lasts.
const attempt = 400 * time.Millisecond

func text(s string) fault.Written { return fault.Written{Shape: fault.Scalar, Text: s} }

// of is {name: value}, and so on.
func of(pairs ...any) fault.Written {
	w := fault.Written{Shape: fault.Map}
	for i := 0; i < len(pairs); i += 2 {
		value, ok := pairs[i+1].(fault.Written)
		if !ok {
			value = text(fmt.Sprint(pairs[i+1]))
		}
		w.Fields = append(w.Fields, fault.Field{Name: pairs[i].(string), Value: value})
	}
	return w
}

// tableOf are the wire effects, each at every phase at which it may stand.
func tableOf() []entry {
	both, inside := []string{"sent", "replied"}, []string{"sent", "received", "validated", "committed", "replied"}
	toxic := func(kind, stream string, pairs ...any) fault.Written {
		return of("toxic", of("type", kind, "stream", stream, "attributes", of(pairs...)))
	}
	return []entry{
		{effect: text("reset"), at: both},
		{effect: text("close"), at: both},
		{effect: text("hang"), at: both, lasts: true},
		{effect: of("truncate", -1), at: both},
		{effect: of("truncate", of("head", 12)), at: both},
		{effect: of("truncate", 0), at: both},
		{effect: of("truncate", 10), at: both},
		{effect: of("truncate", of("chunk", 1)), at: both, chunked: true},
		{effect: text("garble"), at: both},
		{effect: of("hold", of("for", "0.1 attempt_timeout")), at: inside},
		{effect: of("hold", of("for", "2 attempt_timeout")), at: inside, lasts: true},
		{effect: text("duplicate"), at: []string{"sent"}},
		{effect: of("drip", "0.0002 attempt_timeout"), at: both},
		{effect: text("drip"), at: both, lasts: true},
		{effect: of("refuse", of("service", "approval", "for", "3 attempt_timeout")), at: []string{"before"}},
		{effect: toxic("latency", "upstream", "latency", "2 attempt_timeout"), at: []string{"sent"}, lasts: true},
		{effect: toxic("latency", "downstream", "latency", "2 attempt_timeout"), at: both, lasts: true},
		{effect: toxic("bandwidth", "downstream", "rate", 100), at: both},
		{effect: toxic("slicer", "downstream", "average_size", 10), at: both},
		{effect: toxic("slow_close", "downstream", "delay", "0.5 attempt_timeout"), at: both},
		{effect: toxic("timeout", "upstream"), at: []string{"sent"}, lasts: true},
		{effect: toxic("timeout", "downstream"), at: both, lasts: true},
		{effect: toxic("timeout", "downstream", "timeout", "0.3 attempt_timeout"), at: both},
	}
}

// row is one line of the table: a fault at a phase on one kind of connection.
type row struct {
	entry
	phase, connection string
}

// Each wire effect, at each phase, on a fresh and on a reused connection, with
// each client: what the client saw, how many requests the service got, how many
// rows its ledger holds. The table is a page of the documentation.
func TestTable(t *testing.T) {
	var rows []row
	for _, e := range tableOf() {
		for _, phase := range e.at {
			for _, connection := range []string{"fresh", "reused"} {
				r := row{e, phase, connection}
				r.plan(t) // it can be carried out
				rows = append(rows, r)
			}
		}
	}
	cells := make([][]string, len(rows))
	for i := range cells {
		cells[i] = make([]string, len(clients))
	}
	t.Run("clients", func(t *testing.T) {
		for n, name := range clients {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				const lanes = 3 // most of the time a client waits
				var wg sync.WaitGroup
				for lane := range lanes {
					h := hire(t, name)
					wg.Go(func() {
						warmUp(t, h)
						for i := lane; i < len(rows); i += lanes {
							cells[i][n] = rows[i].cell(t, name, h)
						}
					})
				}
				wg.Wait()
			})
		}
	})
	if t.Failed() {
		return
	}
	for _, c := range cells {
		for n := range c {
			if c[n] == "" {
				t.Skipf("%s is not here: the table cannot be compared", clients[n])
			}
		}
	}
	page := tableText(rows, cells)
	if *update {
		if err := os.WriteFile(tablePage, page, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(tablePage)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(page, want) {
		t.Errorf("%s has changed (-update writes it):\n%s", tablePage, difference(string(want), string(page)))
	}
}

// warmUp makes a call beside the wire, so that the first one that counts finds
// its client ready.
func warmUp(t *testing.T, h hand) {
	s := newService()
	defer s.close()
	if a, ok := h.call(wanted{URL: s.URL + "/warm", Body: "{}", Timeout: patience.Seconds()}); !ok || a.Error != "" {
		t.Errorf("the client cannot call: %q", a.Error)
	}
}

func difference(want, now string) string {
	var out strings.Builder
	a, b := strings.Split(want, "\n"), strings.Split(now, "\n")
	for i := range max(len(a), len(b)) {
		line := func(all []string) string {
			if i < len(all) {
				return all[i]
			}
			return ""
		}
		if line(a) != line(b) {
			fmt.Fprintf(&out, "- %s\n+ %s\n", line(a), line(b))
		}
	}
	return out.String()
}

const tableHead = `# What each wire fault does to five real clients

Written by ` + "`go test ./harness/wire -run TestTable -update`" + ` and compared by every run of that test.

The fault stands at the first ` + "`approval.submit`" + ` of a task. A client sends it once, with an ` + "`Idempotency-Key`" + `, to a service that keeps **no** deduplication
record; where the fault lasts, its time-out is one ` + "`attempt_timeout`" + `. *Reused* connections carried a query before. A cell says what the client saw / how many requests the service
got, those that were cut short apart / how many rows its ledger holds. Two requests without a duplicating fault are a resend of the client's own library.

- **whole**: the true reply. **empty**, **garbled**, **n bytes**: a reply that the client took for a success although it is not the true one.
- **gave up**: its own time-out. Go, curl and fetch bound the whole call; Python bounds each read from the socket, so a drip never ends its patience.
- **reset**, **closed**, **refused**: RST, FIN before a byte of the reply, a refused dial. **cut short**: FIN in the middle, with the status that was read.
- ` + "`urllib`" + ` makes a connection for each call, so its connections are always fresh.

`

func tableText(rows []row, cells [][]string) []byte {
	var out bytes.Buffer
	out.WriteString(tableHead)
	fmt.Fprintf(&out, "| effect | at | connection | %s |\n|---|---|---|%s\n", strings.Join(clients, " | "), strings.Repeat("---|", len(clients)))
	for i, r := range rows {
		fmt.Fprintf(&out, "| `%s`%s | %s | %s | %s |\n", r.written(), map[bool]string{true: " (chunked)"}[r.chunked], r.phase, r.connection, strings.Join(cells[i], " | "))
	}
	return out.Bytes()
}

// written is the effect as a scenario writes it.
func (e entry) written() string {
	return fault.ReadEffects(fault.NewReader(e.effect))[0].String()
}

// plan is the row's fault, checked as every scenario's is.
func (r row) plan(t testing.TB) *fault.Plan {
	t.Helper()
	at := "approval.submit#1 " + r.phase
	if r.phase == "before" {
		at = "agent started"
	}
	return compiled(t, r.fault(t, at))
}

func (e entry) fault(t testing.TB, at string) fault.Fault {
	t.Helper()
	read := fault.NewReader(e.effect)
	f := fault.Fault{Do: fault.ReadEffects(read)}
	if problems := read.Problems(); len(problems) > 0 {
		t.Fatalf("%s: %v", at, problems[0])
	}
	var err error
	if f.At, err = fault.ParseAnchor(at); err != nil {
		t.Fatal(err)
	}
	return f
}

func compiled(t testing.TB, faults ...fault.Fault) *fault.Plan {
	t.Helper()
	limits := contract.Defaults()
	limits.AttemptTimeout, limits.VerificationPeriod, limits.MaxAttempts = attempt, time.Minute, 100
	plan, problems := fault.Compile(fault.Subject{Limits: limits, Tasks: []string{"t-1"}}, faults)
	if len(problems) > 0 {
		t.Fatalf("%s: %v", faults[0].At, problems[0])
	}
	return plan
}

// cell carries the row's fault out on one client.
func (r row) cell(t *testing.T, name string, h hand) string {
	t.Helper()
	log := history.NewLog(nil)
	doors := &doors{}
	seam := fault.NewInjector(fault.Config{Plan: r.plan(t), Log: log, Hands: doors})
	till := openTill(log, seam, r.chunked)
	g := wire.New(wire.Config{Log: log, Seam: seam, Dialect: paths{}})
	doors.g, till.identify = g, func(peer string, seq int) (fault.Ref, bool) { return g.Identify("approval", peer, seq) }
	defer till.close()
	p, err := g.Open(t.Context(), wire.Door{Task: "t-1", Work: "w-1", Service: "approval", Upstream: till.Listener.Addr().String()})
	if err != nil {
		t.Error(err)
		return ""
	}
	reused := r.connection == "reused" && name != "Python urllib"
	warm := wanted{URL: p.URL() + "/query", Body: "{}", Timeout: patience.Seconds()}
	c, isCurl := h.(*curl)
	if isCurl {
		if c.warm = ""; r.connection == "reused" {
			c.warm = warm.URL
		}
	} else if r.connection == "reused" {
		if a, ok := h.call(warm); !ok || a.Error != "" {
			t.Errorf("the call before: %q", a.Error)
		}
	}
	if r.phase == "before" {
		if isCurl && reused { // the door closes when its first call is through, and its second is made
			till.during(func() { <-doors.close(seam) })
		} else {
			<-doors.close(seam)
		}
	}
	timeout := patience
	if r.lasts {
		timeout = attempt
	}
	a, ok := h.call(wanted{URL: p.URL() + "/submit", Body: tillBody, Key: "k-1", Timeout: timeout.Seconds(), Chunked: r.chunked})
	if !ok {
		t.Errorf("%s: the client has ended", r.written())
		return ""
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	select {
	case <-g.Idle(): // what is held arrives late
	case <-ctx.Done():
		t.Errorf("%s at %s: still %d calls in flight", r.written(), r.phase, g.Busy())
	}
	seam.Close()
	till.Quiet()
	if err := g.Close(ctx); err != nil {
		t.Error(err)
	}
	r.check(t, name, log.Records(), reused)
	whole, cut, ledger := till.counts()
	saw := fmt.Sprintf("%d", whole)
	if cut > 0 {
		saw += fmt.Sprintf(" + %d cut", cut)
	}
	return fmt.Sprintf("%s / %s / %d", a.words(), saw, ledger)
}

// check looks at the receipts: planned, and fired on the one call, and carried
// out on it, once each.
func (r row) check(t *testing.T, client string, records []history.Record, reused bool) {
	t.Helper()
	var receipts []string
	for _, rec := range records {
		if rec.Fault != nil {
			receipts = append(receipts, string(rec.Kind))
		}
		if rec.Kind == history.FaultFired && r.phase != "before" {
			sent := callOf(records, rec.Call)
			if sent == nil || sent.Wire.Operation != "submit" || sent.Wire.Ordinal != 1 || sent.Wire.Copy || sent.Wire.Seq > 1 != reused {
				t.Errorf("%s at %s, %s, %s: fired on %+v", r.written(), r.phase, r.connection, client, sent)
			}
		}
		if rec.Kind == history.FaultFailed || rec.Kind == history.FaultMissed {
			t.Errorf("%s at %s, %s, %s: %s: %s", r.written(), r.phase, r.connection, client, rec.Kind, rec.Fault.Reason)
		}
	}
	want := "fault.planned fault.armed fault.fired fault.struck"
	if name, _, _ := strings.Cut(r.written(), ":"); name == "hold" || name == "refuse" {
		want = "fault.planned fault.armed fault.fired fault.lifted"
	}
	if now := strings.Join(receipts, " "); now != want {
		t.Errorf("%s at %s, %s, %s: the receipts are %s, want %s", r.written(), r.phase, r.connection, client, now, want)
	}
}

func callOf(records []history.Record, call string) *history.Record {
	for i := range records {
		if records[i].Kind == history.CallSent && records[i].Call == call {
			return &records[i]
		}
	}
	return nil
}

// words are what a client saw.
func (g got) words() string {
	status := ""
	if g.Status != 0 {
		status = fmt.Sprint(g.Status, " ")
	}
	switch {
	case g.Error == "gave up":
		return g.Error // whether it had the status by then is a matter of time
	case g.Error != "" && g.Status != 0:
		return status + g.Error
	case g.Error != "":
		return g.Error
	case strings.Contains(tillReplies, "\n"+g.Body+"\n") && g.Body != "":
		return status + "whole"
	case g.Body == "":
		return status + "empty"
	case strings.Trim(g.Body, "#") == "":
		return status + "garbled"
	}
	return fmt.Sprintf("%s%d bytes", status, len(g.Body))
}

// doors are hands that close the door to the service.
type doors struct {
	fault.Hands
	g      *wire.Gateway
	closed chan struct{}
}

// close sets the fault off, and returns what is closed when the door is.
func (d *doors) close(seam *fault.Injector) <-chan struct{} {
	d.closed = make(chan struct{})
	seam.Observe(context.Background(), fault.Point{Event: fault.AgentStarted, Ref: fault.Ref{Task: "t-1", Work: "w-1"}})
	return d.closed
}

func (d *doors) Refuse(_ context.Context, task, service string, until <-chan struct{}) error {
	if err := d.g.Refuse(task, service); err != nil {
		return err
	}
	close(d.closed)
	go func() {
		<-until
		_ = d.g.Readmit(task, service) // the gateway may be closed
	}()
	return nil
}

const (
	tillBody    = `{"order":"17 chairs"}`
	tillAnswer  = `{"ref":"a-1","status":"pending"}`
	tillRefusal = `{"code":"invalid"}`
	tillReplies = "\n" + tillAnswer + "\n" + tillRefusal + "\n"
)

// till is a service without any protection: every request that makes sense is a
// row of its ledger. It asks the seam at its phases, as the fake services do.
type till struct {
	*service
	log      *history.Log
	seam     fault.Seam
	identify func(peer string, seq int) (fault.Ref, bool)
	working  sync.WaitGroup

	mu         sync.Mutex
	before     func() // during a query
	whole, cut int
}

func openTill(log *history.Log, seam fault.Seam, chunked bool) *till {
	s := &till{service: newService(), log: log, seam: seam}
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, chunked) })
	return s
}

// during says what happens while a query is at work.
func (s *till) during(before func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.before = before
}

// Quiet waits until no request is at work.
func (s *till) Quiet() { s.working.Wait() }

func (s *till) serve(w http.ResponseWriter, r *http.Request, chunked bool) {
	s.working.Add(1)
	defer s.working.Done()
	seq := r.Context().Value(seqKey{}).(*int)
	*seq++
	ref, _ := s.identify(r.RemoteAddr, *seq)
	op := strings.TrimPrefix(r.URL.Path, "/")
	phase := func(p fault.Phase) {
		if o := s.seam.At(r.Context(), fault.Point{Ref: ref, Service: "approval", Operation: op, Phase: p}); o.Wait != nil {
			<-o.Wait
		}
	}
	body, err := io.ReadAll(r.Body)
	if op == "query" {
		s.mu.Lock()
		before := s.before
		s.mu.Unlock()
		if before != nil {
			before()
		}
		_, _ = w.Write([]byte("{}"))
		return
	}
	s.mu.Lock()
	if err != nil {
		s.cut++
		s.mu.Unlock()
		return
	}
	s.whole++
	s.mu.Unlock()
	phase(fault.Received)
	status, answer := http.StatusCreated, tillAnswer
	if !json.Valid(body) {
		status, answer = http.StatusBadRequest, tillRefusal
	} else {
		phase(fault.Validated)
		s.log.Append(history.Record{Kind: history.LedgerRow, Task: ref.Task, Call: ref.Call, Ledger: &history.Ledger{Service: "approval", Effect: history.ApprovalCreated}})
		phase(fault.Committed)
	}
	w.Header().Set("Content-Type", "application/json")
	if chunked {
		w.WriteHeader(status)
		_ = http.NewResponseController(w).Flush()
	} else {
		w.Header().Set("Content-Length", fmt.Sprint(len(answer)))
		w.WriteHeader(status)
	}
	_, _ = w.Write([]byte(answer))
}

// counts are the requests that came, those that were cut short, and the rows of
// the ledger.
func (s *till) counts() (whole, cut, rows int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.log.Records() {
		if r.Kind == history.LedgerRow {
			rows++
		}
	}
	return s.whole, s.cut, rows
}
