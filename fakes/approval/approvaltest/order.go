package approvaltest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// order is the promise that concurrent clients see one order of events.
func order() []Promise {
	return []Promise{{
		Name: "concurrent clients see one order of events", Covers: []string{"B11", "B13", "C2"},
		needs: []feature{recognised, conflicting, queried, fenced, withdrawn},
		Check: func(t testing.TB, a *Target) {
			for _, problem := range a.Disorder(t, rand.Uint64()) { //nolint:gosec // what is asked is no secret
				t.Error(problem)
			}
		},
	}}
}

// The clients that are let loose.
const (
	clients  = 6
	requests = 30 // of each
	shared   = 4  // identifiers
)

// endless is the end of a request whose outcome nobody was told.
const endless = int64(1) << 62

// Disorder lets concurrent clients loose on a few identifiers and returns, for
// each identifier, why no order of events explains what they were told; nothing
// when there is one. A request that gets no reply may have happened at any later
// time, or never. The seed decides what is asked.
func (a *Target) Disorder(t testing.TB, seed uint64) []string {
	t.Helper()
	base := make([]Submission, shared)
	for i := range base {
		base[i] = a.Fresh()
	}
	start := time.Now()
	all := make([][]porcupine.Operation, clients)
	var running sync.WaitGroup
	for c := range clients {
		running.Go(func() {
			dice := rand.New(rand.NewPCG(seed, uint64(c))) //nolint:gosec // repeatable
			for range requests {
				in := request{do: verbs()[dice.IntN(len(verbs()))], of: base[dice.IntN(shared)]}
				if dice.IntN(4) == 0 {
					in.of.Content = `{"amount":"1.00"}`
				}
				op := porcupine.Operation{ClientId: c, Input: in, Call: int64(time.Since(start)), Return: endless}
				out := a.ask(t.Context(), in)
				if out.status != 0 {
					op.Return = int64(time.Since(start))
				}
				op.Output = out
				all[c] = append(all[c], op)
			}
		})
	}
	running.Wait()
	var problems []string
	for _, s := range base {
		history := slices.DeleteFunc(slices.Concat(all...), func(op porcupine.Operation) bool { return op.Input.(request).of.Key != s.Key })
		switch porcupine.CheckOperationsTimeout(model(), history, time.Minute) {
		case porcupine.Illegal:
			problems = append(problems, fmt.Sprintf("no order of events explains what was told of %s (seed %d):\n%s", s.Key, seed, told(history)))
		case porcupine.Unknown:
			problems = append(problems, fmt.Sprintf("it could not be found out whether an order of events explains what was told of %s (seed %d)", s.Key, seed))
		}
	}
	return problems
}

func verbs() []string {
	return []string{"submit", "submit", "submit", "query", "state", "void", "withdraw"}
}

// request is one thing that a client asks.
type request struct {
	do string
	of Submission
}

// answer is what it was told; status 0: nothing.
type answer struct {
	status           int
	code, ref, state string // state of the record, or of the identifier
	records          int    // of a list
}

func (a *Target) ask(ctx context.Context, in request) answer {
	method, path, key, body := http.MethodPost, "/v1/approvals", in.of.Key, in.of.Body()
	switch in.do {
	case "query":
		method, path, key, body = http.MethodGet, "/v1/approvals?key="+in.of.Key, "", ""
	case "state":
		method, path, key, body = http.MethodGet, "/v1/submissions/"+in.of.Key, "", ""
	case "void":
		path, key, body = "/v1/submissions/"+in.of.Key+"/void", "", ""
	case "withdraw":
		path, key, body = "/v1/withdrawals", a.Name("w"), fmt.Sprintf(`{"key":%q}`, in.of.Key)
	}
	reply, err := a.Try(ctx, method, path, key, body)
	if err != nil || reply.Status >= http.StatusInternalServerError {
		return answer{}
	}
	out := answer{status: reply.Status, code: reply.Get("code"), ref: reply.Ref(), state: reply.Get("status")}
	if in.do == "query" {
		items := reply.Items()
		if out.records = len(items); out.records > 0 {
			out.ref, out.state = fmt.Sprint(items[0]["ref"]), fmt.Sprint(items[0]["status"])
		}
	}
	if in.do == "state" || in.do == "void" {
		out.state = reply.Get("state")
	}
	return out
}

// told lists a history for people, in the order of its beginnings.
func told(history []porcupine.Operation) string {
	history = slices.Clone(history)
	slices.SortFunc(history, func(a, b porcupine.Operation) int { return int(a.Call - b.Call) })
	var b strings.Builder
	for _, op := range history {
		end := "no reply"
		if op.Return != endless {
			end = time.Duration(op.Return).String()
		}
		fmt.Fprintf(&b, "  client %d, %s to %s: %s\n", op.ClientId, time.Duration(op.Call), end, describe(op.Input.(request), op.Output.(answer)))
	}
	return b.String()
}

func describe(in request, out answer) string {
	text := in.do
	if in.do == "submit" {
		text += " " + in.of.Content
	}
	return fmt.Sprintf("%s -> %d %s %s %s", text, out.status, out.code, out.ref, out.state)
}
