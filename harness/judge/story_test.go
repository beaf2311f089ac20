package judge_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// story writes a small history by hand. Instants are milliseconds from its
// start and must not go backwards. The limits are the default ones at scale
// 0.05: attempt_timeout 400 ms, backoff 25 ms, period 3000 ms, retention 2000 ms.
type story struct {
	t       *testing.T
	setup   judge.Setup
	records []history.Record
	calls   map[string]*history.Record
	ordinal map[string]int
	conns   map[string]int
	items   int
	chat    *chat // of a question
	work    string
	reason  string  // of the run's end
	noise   float64 // measured, in milliseconds
	delays  []history.Delay
}

func tell(t *testing.T) *story {
	return &story{
		t: t, calls: map[string]*history.Record{}, ordinal: map[string]int{}, conns: map[string]int{}, work: "w-1", reason: "settled",
		setup: judge.Setup{
			Scenario: "story", Limits: contract.Defaults().Scale(contract.DefaultScale), Scale: contract.DefaultScale,
			Guarantees: contract.Guarantees{
				"approval.submit": {
					Idempotency: contract.Idempotency{Supported: true, RetentionMS: 2000, Conflict: "reject"},
					Query:       contract.Query{ByRef: true, ByKey: true}, NoEffectStatuses: []int{403, 409, 422, 429}, WithdrawStates: []string{"pending"},
				},
				"approval.withdraw": {Idempotency: contract.Idempotency{Supported: true, RetentionMS: 2000}, Query: contract.Query{ByKey: true}},
				"purchase.buy":      {Idempotency: contract.Idempotency{Supported: true, RetentionMS: 2000}, Query: contract.Query{ByKey: true}},
			},
		},
	}
}

// without drops the promise of idempotency.
func (s *story) without(idempotency bool) *story {
	p := s.setup.Guarantees["approval.submit"]
	p.Idempotency.Supported = !idempotency
	s.setup.Guarantees["approval.submit"] = p
	return s
}

func (s *story) add(at float64, r history.Record) *story {
	r.N = len(s.records) + 2 // run.started is 1
	r.At = instant(at)
	if r.Task == "" {
		r.Task = "t-1"
	}
	if r.Work == "" {
		r.Work = s.work
	}
	s.records = append(s.records, r)
	return s
}

func instant(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }

var confirmedV1 = history.Facts{Confirmation: "c-1", Version: 1, Digest: "d-1", Content: "content-1", Tenant: "acme", Object: "po-17"}

func version(n int) history.Facts {
	f := confirmedV1
	f.Version, f.Digest, f.Content = n, fmt.Sprintf("d-%d", n), fmt.Sprintf("content-%d", n)
	return f
}

// given hands the task to a worker, which acts from now on.
func (s *story) given(at float64, work string) *story {
	s.work = work
	kind := "task.start"
	if len(s.records) > 0 {
		kind = "task.resume"
	}
	f := confirmedV1
	return s.add(at, history.Record{
		Kind: history.WorkGiven, Facts: &f,
		Given: &history.Given{Kind: kind, Type: "purchase-approval", OnCancel: "withdraw", Process: "p-" + work},
	})
}

func (s *story) as(work string) *story { s.work = work; return s }

// call is a request at the gate: name is its call id, op its full operation.
func (s *story) call(at float64, name, op string, f history.Facts) *story {
	service, operation, _ := strings.Cut(op, ".")
	s.ordinal[op]++
	conn := "conn-" + name
	if i := strings.IndexByte(name, '@'); i >= 0 {
		conn = name[i+1:]
	}
	s.conns[conn]++
	s.add(at, history.Record{
		Kind: history.CallSent, Call: name, Facts: &f,
		Wire: &history.Wire{
			Service: service, Operation: operation, Ordinal: s.ordinal[op], Conn: conn, Seq: s.conns[conn], Key: f.Key,
			First: instant(at), Whole: true, Digest: op + f.Key + f.Content,
		},
	})
	r := s.records[len(s.records)-1]
	s.calls[name] = &r
	return s
}

func (s *story) submit(at float64, name, key string) *story {
	f := confirmedV1
	f.Key = key
	return s.call(at, name, "approval.submit", f)
}

// reply is a reply at the gate, its last byte about to be written, and written.
func (s *story) reply(at float64, name string, status int, f history.Facts) *story {
	return s.replied(at, name, status, f).passed(at, name)
}

func (s *story) replied(at float64, name string, status int, f history.Facts) *story {
	w := *s.calls[name].Wire
	w.Status = status
	w.Body = fmt.Sprintf(`{"ref":%q,"status":%q}`, f.Ref, f.Status)
	if status == 429 {
		w.RetryAfter = instant(float64(f.Seq))
		f.Seq = 0
	}
	return s.add(at, history.Record{Kind: history.CallReplied, Call: name, Wire: &w, Facts: &f})
}

func (s *story) passed(at float64, name string) *story {
	w := *s.calls[name].Wire
	s.add(at, history.Record{Kind: history.CallPassing, Call: name, Wire: &w})
	return s.add(at, history.Record{Kind: history.CallPassed, Call: name, Wire: &w})
}

// opens opens the connection of a call that will be made.
func (s *story) opens(at float64, name string) *story {
	return s.add(at, history.Record{Kind: history.ConnOpened, Wire: &history.Wire{Conn: "conn-" + name}})
}

// ends closes the connection of a call, by whom and how: "client fin".
func (s *story) ends(at float64, name, how string) *story {
	by, kind, _ := strings.Cut(how, " ")
	return s.add(at, history.Record{Kind: history.ConnEnded, Wire: &history.Wire{Conn: s.calls[name].Wire.Conn, By: by, How: kind}})
}

func (s *story) ledger(at float64, name, effect string, f history.Facts) *story {
	return s.add(at, history.Record{Kind: history.LedgerRow, Call: name, Ledger: &history.Ledger{Service: "approval", Effect: effect}, Facts: &f})
}

// created is the approval a-1 (or the reference given) in the ledger.
func (s *story) created(at float64, name, ref string) *story {
	f := *s.calls[name].Facts
	f.Ref, f.Status = ref, "pending"
	return s.ledger(at, name, history.ApprovalCreated, f).ledger(at, name, history.KeyStored, f)
}

// record is the record of version 1 under a key, as a reply states it.
func record(ref, key, status string) history.Facts {
	f := confirmedV1
	f.Ref, f.Key, f.Status = ref, key, status
	return f
}

func listed(items ...history.Facts) history.Facts { return history.Facts{Listed: true, Items: items} }

func (s *story) checks(at float64) *story { return s.checksAs(at, history.Control{Valid: true}) }

func (s *story) checksAs(at float64, c history.Control) *story {
	if c.Permissions == nil {
		c.Permissions = []string{"submit", "withdraw", "purchase", "notify"}
	}
	if c.Version == 0 {
		c.Version = 1
	}
	if c.Confirmation == "" {
		c.Confirmation = "c-1"
	}
	return s.add(at, history.Record{Kind: history.ControlConfirmed, Control: &c})
}

func (s *story) claims(at float64, state, ref string) *story {
	return s.add(at, history.Record{Kind: history.ControlClaim, Control: &history.Control{Confirmation: "c-1", Version: 1, State: state, Ref: ref}})
}

// result is the end; one that was handed over names the acceptance as unverified.
func (s *story) result(at float64, status string) *story {
	var open []string
	if status == "escalated" {
		open = []string{"acceptance"}
	}
	return s.resultNaming(at, status, open...)
}

func (s *story) resultNaming(at float64, status string, unknowns ...string) *story {
	c := &history.Control{State: status}
	for _, u := range unknowns {
		c.Unverified = append(c.Unverified, history.Unverified{Confirmation: "c-1", Unknown: u})
	}
	return s.add(at, history.Record{Kind: history.ControlResult, Control: c})
}

func (s *story) placed(at float64, change string, f *history.Facts) *story {
	s.items++
	return s.add(at, history.Record{Kind: history.ControlPlaced, Control: &history.Control{Item: s.items, Change: change}, Facts: f})
}

func (s *story) acked(at float64, item int) *story {
	return s.add(at, history.Record{Kind: history.ControlAcked, Control: &history.Control{Item: item}})
}

func (s *story) kill(at float64) *story {
	return s.add(at, history.Record{Kind: history.ProcessKilled, Process: &history.Process{ID: "p-" + s.work}})
}

// escalates is a complete and true escalation under a key.
func (s *story) escalates(at float64, name, key string, b history.Brief) *story {
	b.Task, b.Confirmation, b.Version = "t-1", "c-1", 1
	if b.Key == "" {
		b.Key, b.FirstSentAt = "k-1", "2026-01-01T00:00:00Z"
	}
	if b.Unknowns == nil {
		b.Unknowns = []string{"acceptance"}
	}
	return s.call(at, name, "desk.escalate", history.Facts{Key: key, Escalation: &b}).reply(at, name, 201, history.Facts{})
}

// hiccups notes a time in which the machine was late.
func (s *story) hiccups(from, to, late float64) *story {
	s.noise = max(s.noise, late)
	s.delays = append(s.delays, history.Delay{From: instant(from), To: instant(to), Late: instant(late)})
	return s
}

// told is the history with its frame: the run that carries the setup, the noise
// and the end.
func (s *story) told(t testing.TB) []history.Record {
	setup, err := json.Marshal(s.setup)
	if err != nil {
		t.Fatal(err)
	}
	var last time.Duration
	if n := len(s.records); n > 0 {
		last = s.records[n-1].At
	}
	n := len(s.records)
	return append(append([]history.Record{{N: 1, Kind: history.RunStarted, Run: &history.Run{Setup: setup, Wall: began}}}, s.records...),
		history.Record{N: n + 2, At: last, Kind: history.RunNoise, Run: &history.Run{Noise: instant(s.noise), Delays: s.delays}},
		history.Record{N: n + 3, At: last, Kind: history.RunEnded, Run: &history.Run{Reason: s.reason}},
	)
}

// began is what the harness's clock showed at instant 0 of every story.
var began = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// clock is what a clock shows at an instant that is fast by some milliseconds.
func clock(at, fast float64) string { return began.Add(instant(at + fast)).Format(time.RFC3339Nano) }

// judged judges the history, which must have begun.
func (s *story) judged() *judge.Verdict {
	s.t.Helper()
	v, err := judge.Judge(table(s.t), s.told(s.t))
	gomega.NewWithT(s.t).Expect(err).NotTo(gomega.HaveOccurred())
	return v
}

func table(t testing.TB) *contract.Table {
	text, err := os.ReadFile("../../scenarios/contract.yaml")
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := contract.Parse("contract.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// found are the rules that fired, with their party when it is not the agent.
func found(v *judge.Verdict) []string {
	names := []string{}
	for _, f := range v.Findings {
		name := f.Rule
		if f.Party != judge.Agent {
			name += " (" + string(f.Party) + ")"
		}
		if f.Uncertain {
			name += "?"
		}
		names = append(names, name)
	}
	return names
}
