package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
)

// layer is the tool layer: a call that the model asks for becomes the body of a
// reply or a failure as data, by whatever way that failure came about. Only the
// loop's own end is an error.
func (l *loop) layer(ctx context.Context, c toolCall) ([]byte, *failure, error) {
	if failed := l.refused(c); failed != nil {
		return nil, failed, nil
	}
	r, failed, err := l.p.loop.attempt(ctx, l, c)
	if err != nil {
		return nil, nil, err
	}
	if failed == nil {
		l.made(c, r)
		return content(r.body), nil, nil
	}
	l.missed(c, *failed)
	for _, tool := range l.p.loop.walks(l.question, c.name()) {
		arguments, ok := translated(c.Function.Arguments, l.question.declared(tool))
		if !ok || slices.Contains(l.failed(c.name()), tool) {
			continue
		}
		instead := c
		instead.Function.Name, instead.Function.Arguments = tool, arguments
		r, also, err := l.p.loop.attempt(ctx, l, instead)
		switch {
		case err != nil:
			return nil, nil, err
		case also == nil:
			l.made(instead, r)
			return content(r.body), nil, nil
		}
		l.missed(instead, *also)
		if err := l.book.keep(l.talk); err != nil {
			return nil, nil, err
		}
	}
	return nil, failed, nil
}

// refused tells why nothing is sent for a call.
func (l *loop) refused(c toolCall) *failure {
	d := l.question.declared(c.name())
	if _, ok := reach("", c.name(), nil); d == nil || !ok {
		return &failure{Error: notDeclared, Message: c.name() + ": the task declares no such tool"}
	}
	if err := l.p.loop.misfit(d, c.Function.Arguments); err != nil {
		return &failure{Error: badArguments, Message: fmt.Sprintf("%s: %v", c.name(), err)}
	}
	return l.p.loop.barred(l, c)
}

// attempt calls a tool by the retry policy.
func (l *loop) attempt(ctx context.Context, c toolCall) (reply, *failure, error) {
	to, _ := reach(l.task.Endpoints["knowledge"], c.name(), json.RawMessage(c.Function.Arguments))
	if routes()[c.name()].once {
		to.key = l.p.loop.key(l, c)
	}
	return l.try(ctx, errand{name: c.name(), call: c.ID + " " + c.identity(), request: to, read: anyJSON})
}

// key is the identifier of a call. Every attempt at it has the same until one
// succeeds, also after a restart, and when the model asks for it again because
// it was told of a failure. It is kept with the attempt, before that is made.
func (l *loop) key(c toolCall) string {
	t, id := l.talk, c.identity()
	if t.Keys == nil {
		t.Keys = map[string]string{}
	}
	if t.Keys[id] == "" {
		t.Keys[id] = fmt.Sprintf("%s.%d.%s", l.task.ID, t.Turns, c.ID)
	}
	return t.Keys[id]
}

// failed are the tools that have failed already in place of one.
func (l *loop) failed(tool string) []string {
	for _, g := range l.talk.Gaps {
		if g.Tool == tool {
			return g.Failed
		}
	}
	return nil
}

func (l *loop) made(c toolCall, r reply) {
	var aged struct {
		AsOf string `json:"as_of"`
	}
	_ = json.Unmarshal(r.body, &aged) // what is no object has no age
	delete(l.talk.Keys, c.identity())
	l.talk.made(l.question, c.name(), aged.AsOf)
	l.talk.note(c.name() + ": done")
}

// content is a successful reply as the model reads it. One that speaks of an
// error is wrapped, so that nobody takes it for a failed call; so is one that
// says nothing.
func content(body []byte) []byte {
	if len(body) == 0 {
		return []byte(`{"result":null}`)
	}
	var speaks struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(body, &speaks) == nil && speaks.Error != nil {
		return encode(map[string]json.RawMessage{"result": body})
	}
	return body
}
