package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

// asks makes a world whose task is a question. The model says what script says,
// a turn each; the last turn is said again for ever.
func asks(script ...message) func(*world) {
	return func(w *world) {
		w.script = script
		w.task.Type, w.task.Confirmation, w.task.Guarantees = "question", nil, nil
		w.task.Limits.BreakerThreshold, w.task.Limits.MaxSteps = 3, 20
		w.task.Limits.AttemptTimeoutMS = 300
		w.task.Input = json.RawMessage(`{"prompt": "What is the refund window?", "models": ["primary", "backup"],
			"fallback": {"search_kb": ["kb_cache", "answer_with_gap"]},
			"tools": [` + declare("search_kb", "q") + `,` + declare("kb_cache", "query") + `,` + declare("delete_record", "id") + `]}`)
	}
}

func declare(name, argument string) string {
	return fmt.Sprintf(`{"type": "function", "function": {"name": %q, "parameters": {"type": "object", "properties": {%q: {"type": "string"}},
		"required": [%q], "additionalProperties": false}}}`, name, argument, argument)
}

// call is a model's turn that asks for one call.
func calling(id, name, arguments string) message {
	c := toolCall{ID: id, Type: "function"}
	c.Function.Name, c.Function.Arguments = name, arguments
	return message{Role: "assistant", ToolCalls: []toolCall{c}}
}

func (w *world) speak(_ *http.Request, body []byte) (int, any) {
	var t turn
	w.decode(body, &t)
	w.heard = append(w.heard, t)
	turns := 0
	for _, m := range t.Messages {
		if m.Role == "assistant" {
			turns++
		}
	}
	said := w.script[min(turns, len(w.script)-1)]
	return 200, map[string]any{"choices": []any{map[string]any{"message": said, "finish_reason": "stop"}}}
}

func look(body string) func(*http.Request, []byte) (int, any) {
	return func(*http.Request, []byte) (int, any) { return 200, json.RawMessage(body) }
}

// results are the tool messages of the last request to the model.
func (w *world) toolMessages() []string {
	var all []string
	for _, m := range w.heard[len(w.heard)-1].Messages {
		if m.Role == "tool" {
			all = append(all, m.text())
		}
	}
	return all
}

var (
	searching = calling("call-1", "search_kb", `{"q": "refund window"}`)
	cached    = calling("call-2", "kb_cache", `{"query": "refund window"}`)
	gone      = calling("call-1", "delete_record", `{"id": "r_991"}`)
	window    = says("assistant", "30 days")
)

func TestAQuestionIsAnswered(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		g := NewWithT(t)
		w := newWorld(t, asks(searching, window))
		g.Expect(w.run(design, "")).To(Equal(result{Status: "answered", Unverified: []unverified{}, Output: "30 days", Sources: []string{"search_kb"}}))
		g.Expect(w.toolMessages()).To(ConsistOf(MatchJSON(`{"results": ["30 days"]}`)))
		g.Expect(w.calls).To(HaveKeyWithValue("model.chat", 2))
	})
}

func TestTheCacheStandsInForASearchThatTimesOut(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		g := NewWithT(t)
		w := newWorld(t, func(w *world) {
			asks(searching, cached, window)(w)
			w.faults["knowledge.search_kb#every"] = "hang"
		})
		r := w.run(design, "")
		g.Expect(r.Status).To(Equal("answered"))
		g.Expect(r.Sources).To(Equal([]string{"kb_cache"}))
		g.Expect(r.Disclosures).To(Equal([]string{"kb_cache: as of 2026-01-01T00:00:00Z"}))
		g.Expect(w.calls).To(HaveKeyWithValue("knowledge.search_kb", 3))
		g.Expect(w.toolMessages()).NotTo(BeEmpty())
		if design == Reference {
			g.Expect(w.toolMessages()[0]).To(MatchJSON(
				`{"error": "Timeout", "message": "search_kb: no reply within the attempt's time", "retryable": true, "attempts": 3}`))
		}
	})
}

func TestADeniedDeletionIsAskedForOnceAndAPersonIsAsked(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		g := NewWithT(t)
		w := newWorld(t, func(w *world) {
			asks(gone, says("assistant", "May I delete r_991?"))(w)
			w.faults["knowledge.delete_record#every"] = "status 403"
		})
		r := w.run(design, "")
		g.Expect(r.Status).To(BeElementOf("escalated", "answered"))
		g.Expect(r.Disclosures).To(ConsistOf(ContainSubstring("delete_record")))
		g.Expect(w.calls).To(HaveKeyWithValue("knowledge.delete_record", 1))
		g.Expect(w.toolMessages()).To(ConsistOf(MatchJSON(
			`{"error": "PermissionDenied", "message": "delete_record: status 403", "retryable": false, "attempts": 1}`)))
		if r.Status == "escalated" {
			g.Expect(w.escalation()).To(And(HaveKeyWithValue("last_error", "delete_record: status 403"), HaveKeyWithValue("trace", Not(BeEmpty()))))
		}
	})
}

func TestASearchThatHealsIsMadeAgain(t *testing.T) {
	for _, fault := range []string{"status 503", "status 429 120", "lose-reply", "lose-request", "reply 200 {\"resu"} {
		each(t, func(t *testing.T, design string) {
			g := NewWithT(t)
			w := newWorld(t, func(w *world) {
				asks(searching, window)(w)
				w.faults["knowledge.search_kb#1"] = fault
			})
			start := time.Now()
			g.Expect(w.run(design, "").Sources).To(Equal([]string{"search_kb"}))
			g.Expect(w.calls).To(HaveKeyWithValue("knowledge.search_kb", 2))
			g.Expect(w.toolMessages()).To(HaveLen(1))
			if strings.HasSuffix(fault, "120") {
				g.Expect(time.Since(start)).To(BeNumerically(">=", 120*time.Millisecond))
			}
		})
	}
}

func TestArgumentsThatDoNotFitAreNotSent(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		for _, bad := range []string{`{"query": "x"}`, `{"q": 7}`, `{"q": `, ``} {
			g := NewWithT(t)
			w := newWorld(t, asks(calling("call-0", "search_kb", bad), searching, window))
			g.Expect(w.run(design, "").Status).To(Equal("answered"))
			g.Expect(w.calls).To(HaveKeyWithValue("knowledge.search_kb", 1))
			var f failure
			g.Expect(json.Unmarshal([]byte(w.toolMessages()[0]), &f)).To(Succeed())
			g.Expect(f).To(Equal(failure{Error: "BadArguments", Message: f.Message}))
			g.Expect(f.Message).NotTo(ContainSubstring("tool:arguments"))
		}
	})
}

func TestTheBreakerEndsARepetition(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		g := NewWithT(t)
		w := newWorld(t, func(w *world) {
			asks(searching)(w)
			w.task.Input = json.RawMessage(strings.Replace(string(w.task.Input), `"kb_cache", `, "", 1))
			w.faults["knowledge.search_kb#every"] = "status 503"
		})
		g.Expect(w.run(design, "").Status).To(Equal("escalated"))
		g.Expect(w.calls["knowledge.search_kb"]).To(BeNumerically("<=", 9))
		g.Expect(w.calls).To(HaveKeyWithValue("model.chat", 3))
		g.Expect(w.escalation()).To(HaveKeyWithValue("trace", Not(BeEmpty())))
	})
}

func TestTheNextModelGetsTheSameConversation(t *testing.T) {
	for _, fault := range []string{"status 503", "status 400", "reply 200 {}", `reply 200 {"choices": [{"message": {"role": "assistant", "content": " "}}]}`} {
		each(t, func(t *testing.T, design string) {
			g := NewWithT(t)
			w := newWorld(t, func(w *world) {
				asks(searching, window)(w)
				for n := 2; n <= 4; n++ {
					w.faults[fmt.Sprint("model.chat#", n)] = fault
				}
				if strings.HasSuffix(fault, "400") {
					delete(w.faults, "model.chat#3")
					delete(w.faults, "model.chat#4")
				}
			})
			g.Expect(w.run(design, "").Status).To(Equal("answered"))
			g.Expect(w.heard[0].Model).To(Equal("primary"))
			last := w.heard[len(w.heard)-1]
			g.Expect(last.Model).To(Equal("backup"))
			g.Expect(last.Messages).To(HaveLen(3))
			g.Expect(w.calls).To(HaveKeyWithValue("knowledge.search_kb", 1))
		})
	}
}

func TestNoModelIsLeft(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		g := NewWithT(t)
		w := newWorld(t, func(w *world) {
			asks(window)(w)
			w.faults["model.chat#every"] = "status 503"
		})
		g.Expect(w.run(design, "").Status).To(Equal("escalated"))
		g.Expect(w.calls).To(HaveKeyWithValue("model.chat", 6))
		g.Expect(w.escalation()).To(HaveKeyWithValue("last_error", "model backup: status 503"))
	})
}

func TestTheGuardsStopEndsAllCalls(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		g := NewWithT(t)
		w := newWorld(t, func(w *world) {
			asks(searching, window)(w)
			w.faults["knowledge.search_kb#1"] = "status 503"
			w.task.Limits.BackoffBaseMS, w.task.Limits.BackoffMaxMS = 90_000, 90_000
			w.onCall = func(name string) {
				if name == "knowledge.search_kb#1" {
					w.place(item{Kind: "stop"})
				}
			}
		})
		start := time.Now()
		g.Expect(w.run(design, "").Status).To(Equal("escalated"))
		g.Expect(time.Since(start)).To(BeNumerically("<", time.Minute), "it does not sit the pause out")
		g.Expect(w.calls).To(And(HaveKeyWithValue("knowledge.search_kb", 1), HaveKeyWithValue("model.chat", 1)))
	})
}

func TestTheCapOfTurnsEndsAllCalls(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		g := NewWithT(t)
		w := newWorld(t, func(w *world) {
			asks(searching)(w)
			w.task.Limits.MaxSteps = 4
		})
		g.Expect(w.run(design, "").Status).To(Equal("escalated"))
		g.Expect(w.calls).To(HaveKeyWithValue("model.chat", 4))
		g.Expect(w.calls["knowledge.search_kb"]).To(BeNumerically("<=", 4))
	})
}

func TestAnotherToolIsNotImprovised(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		g := NewWithT(t)
		w := newWorld(t, func(w *world) {
			asks(searching, gone, says("assistant", "I do not know"))(w)
			w.faults["knowledge.search_kb#every"] = "status 404"
			w.faults["knowledge.kb_cache#every"] = "status 404"
		})
		g.Expect(w.run(design, "").Status).To(Equal("answered"))
		g.Expect(w.calls).NotTo(HaveKey("knowledge.delete_record"))
		g.Expect(w.toolMessages()[1]).To(ContainSubstring(`"error":"NotDeclared"`))
	})
}

func TestNoFinishedStepIsMadeAgainAfterAKill(t *testing.T) {
	for _, where := range []string{"model.chat#1", "knowledge.search_kb#1", "model.chat#2", "knowledge.kb_cache#1", "model.chat#3"} {
		each(t, func(t *testing.T, design string) {
			g := NewWithT(t)
			ctx, kill := context.WithCancel(context.Background())
			w := newWorld(t, asks(searching, cached, window))
			w.onCall = func(name string) {
				if name == where {
					kill()
				}
			}
			p, err := assemble(design, "")
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(w.serveWith(ctx, p)).To(MatchError(context.Canceled))
			g.Expect(w.run(design, "").Output).To(Equal("30 days"))
			total := 0
			for _, n := range w.calls {
				total += n
			}
			g.Expect(total).To(Equal(6), "%v: only the call that was cut off is made twice", w.calls)
		})
	}
}
