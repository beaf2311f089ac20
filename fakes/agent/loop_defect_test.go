package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

// denied is a deletion that is refused for good, after a search that succeeded.
func denied(w *world) {
	asks(searching, calling("call-2", "delete_record", `{"id": "r_991"}`), window)(w)
	w.faults["knowledge.delete_record#every"] = "status 403"
}

// exhausted is a search that never succeeds.
func exhausted(w *world) {
	asks(searching, window)(w)
	w.faults["knowledge.search_kb#every"] = "status 503"
}

// repeating is one that the model asks for again and again.
func repeating(w *world) {
	exhausted(w)
	w.script = []message{searching}
	w.task.Limits.MaxSteps = 6
}

// Each defect of the loop does what its sentence forbids, where the reference does not.
func TestDefectsOfTheLoopMisbehave(t *testing.T) {
	second := func(w *world) string { return w.toolMessages()[1] }
	for name, c := range map[string]struct {
		given func(*world)
		wrong func(w *world) bool
	}{
		"retries-everything":    {denied, func(w *world) bool { return w.calls["knowledge.delete_record"] > 1 }},
		"retries-nothing":       {exhausted, func(w *world) bool { return w.calls["knowledge.search_kb"] == 1 }},
		"layers-multiplied":     {exhausted, func(w *world) bool { return w.calls["knowledge.search_kb"] == 27 }},
		"no-breaker":            {repeating, func(w *world) bool { return w.calls["model.chat"] == 6 }},
		"steps-uncapped":        {func(w *world) { asks(searching, searching, searching, window)(w); w.task.Limits.MaxSteps = 2 }, func(w *world) bool { return w.calls["model.chat"] > 2 }},
		"transcript-dropped":    {denied, func(w *world) bool { return len(w.heard[2].Messages) < 5 }},
		"tool-message-left-out": {denied, func(w *world) bool { return len(w.toolMessages()) == 1 }},
		"error-emptied":         {denied, func(w *world) bool { return second(w) == "" }},
		"exception-text":        {denied, func(w *world) bool { return strings.HasPrefix(second(w), "Traceback") }},
		"attempts-configured":   {denied, func(w *world) bool { return strings.Contains(second(w), `"attempts":3`) }},
		"retryable-always":      {denied, func(w *world) bool { return strings.Contains(second(w), `"retryable":true`) }},
		"malformed-sent": {
			asks(calling("call-1", "search_kb", `{"query": "x"}`), window),
			func(w *world) bool { return w.calls["knowledge.search_kb"] > 0 },
		},
		"fallback-improvised": {
			func(w *world) {
				exhausted(w)
				w.task.Input = []byte(strings.Replace(string(w.task.Input), `"kb_cache", `, "", 1))
			},
			func(w *world) bool { return w.calls["knowledge.kb_cache"] > 0 },
		},
		"fallback-reversed": {
			func(w *world) {
				exhausted(w)
				w.task.Input = []byte(strings.Replace(strings.Replace(string(w.task.Input), `"kb_cache", `, `"kb_cache", "kb_archive", `, 1),
					`"tools": [`, `"tools": [`+declare("kb_archive", "q")+",", 1))
			},
			func(w *world) bool { return w.calls["knowledge.kb_archive"] > 0 },
		},
		"fallback-undisclosed": {exhausted, func(w *world) bool { return len(w.results[0].Disclosures) == 0 }},
		"repeats-exhausted":    {exhausted, func(w *world) bool { return w.calls["knowledge.search_kb"] > 3 }},
		"source-fabricated":    {exhausted, func(w *world) bool { return slices.Contains(w.results[0].Sources, "search_kb") }},
		"models-reversed":      {exhausted, func(w *world) bool { return w.heard[0].Model == "backup" }},
		"model-improvised": {
			func(w *world) { asks(window)(w); w.faults["model.chat#1"] = "status 400" },
			func(w *world) bool { return w.heard[0].Model == "whatever-answers" },
		},
		"retries-in-transcript": {exhausted, func(w *world) bool { return len(w.toolMessages()) > 1 }},
		"trace-left-out":        {repeating, func(w *world) bool { return w.escalation()["trace"] == nil }},
		"nobody-told":           {repeating, func(w *world) bool { return w.results[0].Status == "escalated" && len(w.briefs) == 0 }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := NewWithT(t)
			w := newWorld(t, c.given)
			w.run("", name)
			g.Expect(c.wrong(w)).To(BeTrue(), "%v %v", w.results, w.calls)
			w = newWorld(t, c.given)
			w.run("", "")
			g.Expect(right(w, c.wrong)).To(BeTrue(), "the reference does the same: %v %v", w.results, w.calls)
		})
	}
	t.Run("restarts-from-zero", func(t *testing.T) {
		for name, want := range map[string]int{"": 1, "restarts-from-zero": 2} {
			g := NewWithT(t)
			ctx, kill := context.WithCancel(context.Background())
			w := newWorld(t, asks(searching, window))
			w.onCall = func(name string) {
				if name == "model.chat#2" {
					kill()
				}
			}
			p, err := assemble("", name)
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(w.serveWith(ctx, p)).To(MatchError(context.Canceled))
			w.run("", name)
			g.Expect(w.calls).To(HaveKeyWithValue("knowledge.search_kb", want), name)
		}
	})
	t.Run("crashes-on-failure", func(t *testing.T) {
		w := newWorld(t, denied)
		g := NewWithT(t)
		g.Expect(Run(context.Background(), Options{Defect: "crashes-on-failure", URL: w.url})).To(MatchError(ContainSubstring("unhandled PermissionDenied")))
	})
	t.Run("lockstep", func(t *testing.T) {
		g := NewWithT(t)
		l := testTask().Limits
		for name, same := range map[string]bool{"": false, "lockstep": true} {
			p, err := assemble("", name)
			g.Expect(err).NotTo(HaveOccurred())
			var waits []time.Duration
			for n := range 20 {
				waits = append(waits, p.wait(l, 1, float64(n)/20))
			}
			g.Expect(len(slices.Compact(waits)) == 1).To(Equal(same), fmt.Sprint(name, waits))
		}
	})
}
