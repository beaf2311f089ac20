package fault

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// m is a written map: names and values in turn. l is a written list.
func m(pairs ...any) Written {
	w := Written{Shape: Map}
	for i := 0; i < len(pairs); i += 2 {
		w.Fields = append(w.Fields, Field{Name: pairs[i].(string), Value: written(pairs[i+1])})
	}
	return w
}

func l(items ...any) Written {
	w := Written{Shape: List}
	for _, item := range items {
		w.Items = append(w.Items, written(item))
	}
	return w
}

func written(v any) Written {
	if w, ok := v.(Written); ok {
		return w
	}
	return Word(fmt.Sprint(v))
}

// effect reads one effect that is right.
func effect(t testing.TB, w any) Effect {
	t.Helper()
	r := NewReader(written(w))
	effects := ReadEffects(r)
	if len(r.Problems()) > 0 || len(effects) != 1 {
		t.Fatalf("%v: %d effects, %v", w, len(effects), texts(r.Problems()))
	}
	return effects[0]
}

// wrong reads an effect that is not, and returns path: message.
func wrong(w any) []string {
	r := NewReader(written(w))
	ReadEffects(r)
	return texts(r.Problems())
}

func texts(problems []*Misuse) []string {
	var all []string
	for _, p := range problems {
		all = append(all, strings.Join(p.Path, ".")+": "+p.Error())
	}
	return all
}

// firing applies an effect at an anchor.
func firing(t testing.TB, e Effect, at string) *Firing {
	t.Helper()
	s := anchor(t, at).Last()
	f := &Firing{
		Limits: contract.Defaults(),
		Point:  Point{Ref: Ref{Call: "c-1", Task: "t-1", Work: "w-1", Ordinal: s.First}, Service: s.Service, Operation: s.Operation, Phase: s.Phase, Event: s.Event, Detail: s.Detail},
	}
	e.Apply(f)
	return f
}

// stands lists the phases of a write, and "event", at which an effect may stand.
func stands(t testing.TB, name string) []string {
	t.Helper()
	kind, ok := FindKind(name)
	if !ok {
		t.Fatalf("no effect %q", name)
	}
	var where []string
	for _, p := range Phases() {
		if kind.Stand(anchor(t, "approval.submit#1 "+string(p))) == nil {
			where = append(where, string(p))
		}
	}
	if kind.Stand(anchor(t, "agent started")) == nil {
		where = append(where, "event")
	}
	return where
}

// moves carries out the steps of a firing and returns what the hands were told.
func moves(t testing.TB, f *Firing) []string {
	t.Helper()
	h := &recorder{}
	for _, s := range f.steps {
		var err error
		switch {
		case s.move != nil:
			err = s.move(context.Background(), h)
		case s.start != nil:
			_, err = s.start(context.Background(), h)
		case s.open != nil:
			err = s.open(context.Background(), h, make(chan struct{}))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return h.said
}

// recorder is a pair of hands that only remembers.
type recorder struct{ said []string }

func (r *recorder) say(format string, args ...any) error {
	r.said = append(r.said, fmt.Sprintf(format, args...))
	return nil
}

func (r *recorder) Kill(_ context.Context, task, work string, d time.Duration) error {
	return r.say("kill %s %s %s", task, work, d)
}

func (r *recorder) Pause(_ context.Context, task, work string, d time.Duration) error {
	return r.say("pause %s %s %s", task, work, d)
}

func (r *recorder) Redispatch(_ context.Context, task string) (<-chan struct{}, error) {
	return nil, r.say("redispatch %s", task)
}
func (r *recorder) Cancel(_ context.Context, task string) error { return r.say("cancel %s", task) }
func (r *recorder) Stop(_ context.Context, task string) error   { return r.say("stop %s", task) }

func (r *recorder) Revise(_ context.Context, task string, content map[string]string) error {
	return r.say("revise %s %v", task, content)
}

func (r *recorder) Revoke(_ context.Context, task, what string) error {
	return r.say("revoke %s %s", task, what)
}

func (r *recorder) Decide(_ context.Context, task, choice string) error {
	return r.say("decide %s %s", task, choice)
}

func (r *recorder) Outage(_ context.Context, service string, how Outage, _ <-chan struct{}) error {
	return r.say("%s %s", how, service)
}

func (r *recorder) Refuse(_ context.Context, task, service string, _ <-chan struct{}) error {
	return r.say("refuse %s %s", task, service)
}

func TestEveryEffectIsDescribedAndStandsSomewhere(t *testing.T) {
	g := NewWithT(t)
	for _, k := range Effects() {
		g.Expect(k.Summary).NotTo(BeEmpty(), k.Name)
		g.Expect(k.Summary).NotTo(HaveSuffix("."), k.Name)
		g.Expect(k.Usage).To(ContainSubstring(k.Name), k.Name)
		g.Expect(k.Where).NotTo(BeEmpty(), k.Name)
		g.Expect(Families()).To(ContainElement(k.Family), k.Name)
		switch k.Name {
		case "decide":
			g.Expect(k.Stand(anchor(t, "agent escalates"))).To(Succeed())
		case "says", "malformed", "repeats", "urges":
			g.Expect(k.Stand(anchor(t, "model.chat#1 received"))).To(Succeed())
		case "event":
			g.Expect(k.Stand(anchor(t, "event approved#1 emitted"))).To(Succeed())
		default:
			g.Expect(stands(t, k.Name)).NotTo(BeEmpty(), k.Name)
		}
	}
	g.Expect(slices.Compact(slices.Sorted(slices.Values(Names())))).To(HaveLen(len(Effects())), "names differ")
}

func TestAnEffectIsANameOrANameWithArguments(t *testing.T) {
	g := NewWithT(t)
	g.Expect(wrong("rest")).To(Equal([]string{`: unknown effect "rest" (did you mean "reset"?)`}))
	g.Expect(wrong("explode")).To(Equal([]string{`: unknown effect "explode": one of reset, close, hang, truncate, garble, hold, duplicate, drip, refuse, toxic, status, reply, create, partial, crash, forget, rival, outcome, event, kill-service, pause-service, isolate-service, kill, pause, redispatch, cancel, stop, revise, revoke, decide, says, malformed, repeats, urges`}))
	g.Expect(wrong(m("hodl", m("for", "1 retention")))).To(Equal([]string{`hodl: unknown effect "hodl" (did you mean "hold"?)`}))
	g.Expect(wrong(m("kill", m(), "reset", m()))).To(Equal([]string{`: an effect is one name with its arguments; several effects are a list, such as [kill, reset]`}))
	g.Expect(wrong(l())).To(Equal([]string{`: the list of effects is empty`}))
	g.Expect(wrong(l("kill", l("reset")))).To(Equal([]string{`1: this takes an effect, such as reset or {hold: {for: 1 attempt_timeout}}`}))
	g.Expect(wrong(l("kill", "rest"))).To(Equal([]string{`1: unknown effect "rest" (did you mean "reset"?)`}))
}

func TestAListOfEffectsIsReadInOrder(t *testing.T) {
	r := NewReader(l("kill", m("hold", m("for", "1 attempt_timeout")), "reset"))
	f := Fault{Do: ReadEffects(r)}
	NewWithT(t).Expect(r.Problems()).To(BeEmpty())
	NewWithT(t).Expect(f.Effect()).To(Equal("kill, hold: {for: 1 attempt_timeout}, reset"))
}
