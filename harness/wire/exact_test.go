package wire_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/wire"
)

// A target is one fault of [TestEveryFaultHitsExactly], at the struckCall-th
// submission of a task whose clients call all at once.
type target struct {
	effect fault.Written
	phase  string
	saw    string // what the client saw whose call it is: an error; "": the reply; "garbled"
	stock  stock  // what a stock toxic does in its place
}

const (
	struckCall = 6 // of the submissions
	crowd      = 4 // clients
	perClient  = 4 // submissions of each
)

func targets() []target {
	toxic := func(kind, stream string, pairs ...any) fault.Written {
		return of("toxic", of("type", kind, "stream", stream, "attributes", of(pairs...)))
	}
	var all []target
	both := func(effect fault.Written, sent, replied string, s stock) {
		all = append(all, target{effect, "sent", sent, s}, target{effect, "replied", replied, s})
	}
	both(text("reset"), "reset", "reset", stock{kind: "reset_peer", attributes: `{"timeout":0}`})
	both(text("close"), "closed", "closed", stock{kind: "limit_data", attributes: `{"bytes":0}`})
	both(text("hang"), "gave up", "gave up", stock{kind: "timeout", attributes: `{"timeout":0}`})
	both(of("truncate", -1), "closed", "closed", stock{kind: "limit_data", attributes: `{"bytes":0}`})
	both(of("truncate", of("head", 12)), "closed", "cut short", stock{kind: "limit_data", attributes: `{"bytes":12}`})
	both(of("truncate", 10), "closed", "cut short", stock{})
	both(text("garble"), "", "garbled", stock{})
	both(of("drip", "0.00001 attempt_timeout"), "", "", stock{})
	both(of("hold", of("for", "0.02 attempt_timeout")), "", "", stock{})
	both(of("hold", of("until", fault.Written{Shape: fault.List, Items: []fault.Written{text("approval.query#1 sent")}})), "gave up", "gave up", stock{})
	all = append(all, target{text("duplicate"), "sent", "", stock{}})
	both(toxic("latency", "downstream", "latency", "0.01 attempt_timeout"), "", "", stock{})
	both(toxic("slicer", "downstream", "average_size", 40), "", "", stock{})
	both(toxic("bandwidth", "downstream", "rate", 1000), "", "", stock{})
	both(toxic("slow_close", "downstream", "delay", "0.01 attempt_timeout"), "", "", stock{})
	both(toxic("timeout", "downstream"), "gave up", "gave up", stock{})
	return all
}

// outcome is what became of one run.
type outcome struct {
	exact   bool // the fault hit the planned call as planned, and nothing else
	touched int  // calls of bystanders that something befell
	wrong   string
}

// Each wire fault, on a machine whose processors are all busy, with four clients
// that submit at once: it fires exactly once, on the planned call and as
// planned, and nothing befalls any other call. What a stock toxic of Toxiproxy
// does, switched on for the same call, is printed beside it.
func TestEveryFaultHitsExactly(t *testing.T) {
	burn(t)
	n := tries(t, 5)
	for _, c := range targets() {
		name := entry{effect: c.effect}.written() + " " + c.phase
		t.Run(name, func(t *testing.T) {
			exact, touched := 0, 0
			for range n {
				o := c.run(t)
				touched += o.touched
				if o.exact {
					exact++
				} else {
					t.Error(o.wrong)
				}
			}
			t.Logf("%d of %d exact, %d bystanders' calls touched", exact, n, touched)
			if c.stock.kind == "" {
				return
			}
			exact, touched = 0, 0
			for range n {
				o := c.stock.run(t, c)
				touched += o.touched
				if o.exact {
					exact++
				}
			}
			t.Logf("with %s of Toxiproxy: %d of %d exact, %d bystanders' calls touched", c.stock.kind, exact, n, touched)
		})
	}
}

// results are what the clients say of their calls, by the calls' bodies.
type results struct {
	mu     sync.Mutex
	all    map[string]string // "": the true reply
	cancel map[string]context.CancelFunc
	over   func(id, problem string) // a call is over
}

// call lets the crowd call, and returns when every call is over.
func (r *results) call(url string) {
	var wg sync.WaitGroup
	start := make(chan struct{})
	for c := range crowd {
		wg.Go(func() {
			tr := &http.Transport{MaxConnsPerHost: 1, DisableCompression: true}
			defer tr.CloseIdleConnections()
			cl := &client{url: url, c: &http.Client{Transport: tr}}
			<-start
			for k := range perClient {
				id := fmt.Sprintf(`{"client":%d,"call":%d}`, c, k)
				ctx, cancel := context.WithCancel(context.Background())
				r.mu.Lock()
				r.cancel[id] = cancel
				r.mu.Unlock()
				answer, problem := cl.post(ctx, "submit", id)
				cancel()
				switch {
				case problem != "":
				case answer == "submit:"+id:
				case strings.Trim(answer, "#") == "":
					problem = "garbled"
				case strings.Trim(strings.TrimPrefix(answer, "submit:"), "#") == "":
					problem = "" // the request was garbled, and this is its reply
				default:
					problem = fmt.Sprintf("%q", answer)
				}
				r.mu.Lock()
				r.all[id] = problem
				r.mu.Unlock()
				if r.over != nil {
					r.over(id, problem)
				}
			}
		})
	}
	close(start)
	wg.Wait()
}

// giveUp lets the client give a call up.
func (r *results) giveUp(id string) {
	r.mu.Lock()
	cancel := r.cancel[id]
	r.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

func newResults() *results {
	return &results{all: map[string]string{}, cancel: map[string]context.CancelFunc{}}
}

// run is one run of the fault at the gate.
func (c target) run(t *testing.T) outcome {
	log := history.NewLog(nil)
	seam := fault.NewInjector(fault.Config{Plan: c.plan(t), Log: log})
	s := newService()
	defer s.close()
	g := wire.New(wire.Config{Log: log, Seam: seam, Dialect: paths{}})
	p, err := g.Open(t.Context(), wire.Door{Task: "t-1", Work: "w-1", Service: "approval", Upstream: s.addr()})
	if err != nil {
		t.Fatal(err)
	}
	res := newResults()
	if c.saw == "gave up" {
		defer log.Watch(func(rec history.Record) {
			// The client gives up when the fault is in force. A hold ends with a query of another one then.
			if name, _, _ := strings.Cut(entry{effect: c.effect}.written(), ":"); rec.Kind == history.FaultStruck || rec.Kind == history.FaultFired && name == "hold" {
				go func() { res.giveUp(bodyOf(log.Records(), rec.Call)) }()
			}
		})()
	}
	res.call(p.URL())
	if strings.HasPrefix(entry{effect: c.effect}.written(), "hold: {until") {
		cl := &client{url: p.URL(), c: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
		if _, problem := cl.post(t.Context(), "query", "{}"); problem != "" {
			t.Error(problem)
		}
	}
	select {
	case <-g.Idle():
	case <-time.After(patience):
		t.Error("calls are still in flight")
	}
	seam.Close()
	if err := g.Close(context.Background()); err != nil {
		t.Error(err)
	}
	return c.look(log.Records(), res, s)
}

func bodyOf(records []history.Record, call string) string {
	if sent := callOf(records, call); sent != nil {
		return sent.Wire.Body
	}
	return ""
}

// look judges one run by its records, the clients and the service.
func (c target) look(records []history.Record, res *results, s *service) (o outcome) {
	var wrong []string
	complain := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	name, _, _ := strings.Cut(entry{effect: c.effect}.written(), ":")
	victim := ""
	conns := map[string]string{} // call -> connection
	whole := map[string]int{}    // call -> records that say so
	for _, rec := range records {
		if rec.Kind == history.CallSent && !rec.Wire.Copy {
			conns[rec.Call] = rec.Wire.Conn
			if rec.Wire.Operation == "submit" && rec.Wire.Ordinal == struckCall {
				victim = rec.Call
			}
		}
		if rec.Call != "" && rec.Wire != nil && rec.Wire.Whole && !rec.Wire.Copy {
			whole[rec.Call]++
		}
	}
	id := bodyOf(records, victim)
	var receipts []string
	for _, rec := range records {
		switch {
		case rec.Fault == nil || rec.Fault.ID != "f-1":
		case rec.Kind != history.FaultPlanned && rec.Kind != history.FaultArmed && rec.Call != victim:
			complain("%s of %s, and the planned call is %s", rec.Kind, rec.Call, victim)
		default:
			receipts = append(receipts, strings.TrimPrefix(string(rec.Kind), "fault."))
		}
		if rec.Kind == history.ConnEnded && rec.Wire.By == history.ByHarness && rec.Wire.Conn != conns[victim] && !closing(records, rec) {
			complain("the harness ended %s", rec.Wire.Conn)
			o.touched++
		}
	}
	want := []string{"planned", "armed", "fired", "struck"}
	if name == "hold" {
		want[3] = "lifted"
	}
	if !slices.Equal(receipts, want) {
		complain("the receipts are %v", receipts)
	}
	if saw, ok := res.all[id]; !ok || saw != c.saw {
		complain("the planned call, %s, ended with %q", id, saw)
	}
	calls := 0
	for call := range conns {
		body := bodyOf(records, call)
		if callOf(records, call).Wire.Operation != "submit" {
			continue
		}
		calls++
		if call != victim && (res.all[body] != "" || whole[call] != 5) {
			o.touched++
			complain("call %s, %s, ended with %q:%s", call, body, res.all[body], story(records, *callOf(records, call)))
		}
	}
	if calls != crowd*perClient {
		complain("%d calls", calls)
	}
	arrived := map[string]int{}
	for _, body := range s.bodies("submit") {
		arrived[body]++
	}
	for body := range res.all {
		n := 1
		if body == id {
			n = c.arrivals()
		}
		if arrived[body] != n {
			complain("%s came %d times to the service", body, arrived[body])
			if body != id {
				o.touched++
			}
		}
	}
	o.exact, o.wrong = len(wrong) == 0, strings.Join(wrong, "; ")
	return o
}

// arrivals is how often the planned call comes to the service, whole and as it
// was sent.
func (c target) arrivals() int {
	name, _, _ := strings.Cut(entry{effect: c.effect}.written(), ":")
	switch {
	case name == "duplicate":
		return 2
	case c.phase == "sent" && slices.Contains([]string{"reset", "close", "hang", "truncate", "garble"}, name):
		return 0
	}
	return 1
}

// closing tells whether a connection was ended by the end of the run.
func closing(records []history.Record, end history.Record) bool {
	last := 0
	for _, rec := range records {
		if rec.Call != "" && rec.Wire != nil {
			last = rec.N
		}
	}
	return end.N > last
}

// plan is the fault at the planned call. Beside it stands one that no agent can
// avoid, without which no plan is taken; it never fires.
func (c target) plan(t testing.TB) *fault.Plan {
	t.Helper()
	never := entry{effect: of("refuse", of("service", "approval", "for", "1 attempt_timeout"))}
	planned := entry{effect: c.effect}.fault(t, fmt.Sprintf("approval.submit#%d %s", struckCall, c.phase))
	return compiled(t, planned, never.fault(t, "agent started"))
}

// A stock is what Toxiproxy itself offers in place of a fault.
type stock struct {
	kind, attributes string
}

// run does with a toxic what can be done: a toxic concerns a whole proxy, so it
// is switched on by the service while it has the planned call (for a reply) or the
// one before it (for a request), and off when the planned call is over.
func (s stock) run(t *testing.T, c target) (o outcome) {
	svc := newService()
	defer svc.close()
	api := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	p := toxiproxy.NewProxy(api, "stock", "127.0.0.1:0", svc.addr())
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	defer p.Stop()
	stream, at := "downstream", struckCall
	if c.phase == "sent" {
		stream, at = "upstream", struckCall-1
	}
	var mu sync.Mutex
	came := 0
	var order []string
	on, off := false, sync.OnceFunc(func() { _ = p.Toxics.RemoveToxic(context.Background(), "x") })
	res := newResults()
	res.over = func(id, problem string) {
		mu.Lock()
		over := on && (problem != "" || c.phase == "replied" && len(order) >= struckCall && id == order[struckCall-1])
		mu.Unlock()
		if over {
			off()
		}
	}
	stuck := time.AfterFunc(5*time.Second, func() { off(); res.giveUpAll() })
	defer stuck.Stop()
	svc.reply = func(w http.ResponseWriter, r *http.Request, body []byte) {
		mu.Lock()
		came++
		n := came
		order = append(order, string(body))
		if n == at {
			_, _ = p.Toxics.AddToxicJson(strings.NewReader(fmt.Sprintf(`{"name":"x","type":%q,"stream":%q,"toxicity":1,"attributes":%s}`, s.kind, stream, s.attributes)))
			on = true
			if s.kind == "timeout" { // its client hangs until it is off
				time.AfterFunc(20*time.Millisecond, off)
			}
		}
		mu.Unlock()
		fmt.Fprintf(w, "submit:%s", body)
	}
	res.call("http://" + p.Listen)
	mu.Lock()
	defer mu.Unlock()
	hit := 0
	for _, problem := range res.all {
		if problem != "" {
			hit++
		}
	}
	planned := ""
	if c.phase == "replied" && len(order) >= struckCall {
		planned = order[struckCall-1]
	}
	struck := c.phase == "sent" && hit > 0 || planned != "" && res.all[planned] != ""
	if o.touched = hit; struck {
		o.touched--
	}
	o.exact = struck && o.touched == 0
	return o
}

// giveUpAll ends what still hangs.
func (r *results) giveUpAll() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, cancel := range r.cancel {
		cancel()
	}
}
