package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
)

// loop answers one question: it lets the model speak, carries out what the
// model asks for, and ends. Each step starts from the talk and ends by keeping
// it, so another process can go on after any of them.
type loop struct {
	p        *policies
	book     notebook
	door     caller
	signals  *signals
	task     task
	question question
	talk     *talk
	log      *slog.Logger
	dice     *dice
}

// run makes steps until there is a result.
func (l *loop) run(ctx context.Context) (result, error) {
	if err := json.Unmarshal(l.task.Input, &l.question); err != nil {
		return result{}, fmt.Errorf("the input of %s: %w", l.task.ID, err)
	}
	var err error
	if l.talk, err = l.book.read(); err != nil {
		return result{}, err
	}
	if len(l.talk.Messages) == 0 {
		l.talk.Messages = []message{says("user", l.question.Prompt)}
	}
	for l.talk.Ending == "" {
		if err := l.step(ctx); err != nil && !errors.Is(err, errGuard) {
			return result{}, err
		}
	}
	return l.result(), nil
}

// step does what comes next.
func (l *loop) step(ctx context.Context) error {
	t, most := l.talk, l.p.loop.steps(l.task.Limits)
	switch open := t.pending(); {
	case t.Handover != nil:
		return l.deliver(ctx)
	case l.stopped():
		return l.p.loop.hands(l, "the run's own guard stopped it")
	case t.Tripped:
		return l.p.loop.hands(l, "the breaker is open: "+t.LastError)
	case t.Turns >= most:
		return l.p.loop.hands(l, "the run's own guard stopped it after "+strconv.Itoa(most)+" turns")
	case len(open) > 0:
		return l.carryOut(ctx, open[0])
	case l.said():
		return l.conclude(ctx)
	default:
		return l.ask(ctx)
	}
}

// said tells whether the model's last turn is an answer.
func (l *loop) said() bool {
	m := l.talk.Messages[len(l.talk.Messages)-1]
	return m.Role == "assistant" && len(m.ToolCalls) == 0
}

// ask lets the first model speak that can. The next of the chain gets the same
// conversation.
func (l *loop) ask(ctx context.Context) error {
	t, models := l.talk, l.p.loop.models(l.question)
	for ; t.Model < len(models); t.Model++ {
		name := models[t.Model]
		body := encode(turn{Model: name, Messages: l.p.loop.told(t), Tools: l.question.Tools, Stream: l.p.loop.streams})
		r, failed, err := l.try(ctx, errand{
			name: "model " + name, call: fmt.Sprintf("model %s, turn %d", name, t.Turns+1), read: func(r reply) error { _, err := answered(r); return err },
			request: request{operation: "model.chat", method: "POST", url: l.task.Endpoints["model"] + "/v1/chat/completions", body: body},
		})
		if err != nil {
			return err
		}
		if failed == nil {
			m, err := answered(r)
			if err != nil {
				return err
			}
			t.Messages, t.Effort = append(t.Messages, m), nil
			t.Turns++
			if l.p.loop.returns {
				t.Model = 0
			}
			return l.book.keep(t)
		}
	}
	return l.p.loop.hands(l, "no model answers: "+t.LastError)
}

// carryOut makes one call that the model asks for, and puts what came of it
// into the conversation, as one message, whatever it was.
func (l *loop) carryOut(ctx context.Context, c toolCall) error {
	t := l.talk
	got, failed, err := l.p.loop.layer(ctx, l, c)
	if err != nil {
		return err
	}
	content := string(got)
	if failed != nil {
		if err := l.p.loop.raise(*failed); err != nil {
			return err
		}
		content = l.p.loop.payload(*failed, l.task.Limits)
		l.count(c, *failed)
	}
	l.p.loop.enter(t, c, content)
	t.Effort = nil
	return l.book.keep(t)
}

// count notes a failed result. As many of one call as the threshold open the
// breaker.
func (l *loop) count(c toolCall, f failure) {
	t, id := l.talk, c.identity()
	if t.Failures == nil {
		t.Failures = map[string]int{}
	}
	t.Failures[id]++
	t.LastError = f.Message
	t.note(fmt.Sprintf("%s failed, result %d: %s", c.name(), t.Failures[id], f.Error))
	t.Tripped = t.Tripped || t.Failures[id] >= l.p.loop.threshold(l.task.Limits)
}

// enter puts the outcome of a call into the conversation.
func enter(t *talk, c toolCall, content string) {
	m := says("tool", content)
	m.ToolCallID = c.ID
	t.Messages = append(t.Messages, m)
}

// conclude ends with the model's answer; with a person where that is declared
// as the end of what failed.
func (l *loop) conclude(ctx context.Context) error {
	t := l.talk
	if err := l.p.loop.parting(ctx, l); err != nil {
		return err
	}
	t.Output = t.Messages[len(t.Messages)-1].text()
	for _, g := range t.Gaps {
		if _, end := l.question.chain(g.Tool); end == human {
			t.LastError = g.Error
			return l.p.loop.hands(l, "a person must help: "+g.Error)
		}
	}
	t.Ending = "answered"
	return l.book.keep(t)
}

func (l *loop) result() result {
	t := l.talk
	return result{
		Status: t.Ending, Unverified: []unverified{}, Output: t.Output, Sources: l.p.loop.sources(t), Disclosures: l.p.loop.disclosures(t),
	}
}

// sources are the tools whose data the answer rests on.
func sources(t *talk) []string {
	var all []string
	for _, s := range t.Sources {
		all = append(all, s.Tool)
	}
	slices.Sort(all)
	return all
}
