package agent

import (
	"context"
	"time"
)

// matter is what a person is told who takes over a question.
type matter struct {
	Task     string `json:"task"`
	Original struct {
		Prompt string `json:"prompt"`
	} `json:"original"`
	Queries     []queryCount `json:"queries"`
	Unknowns    []string     `json:"unknowns"`
	EntryPoints []string     `json:"entry_points"`
	LastError   string       `json:"last_error"`
	Trace       []string     `json:"trace"`
}

// handOver records the one escalation of the question. It will be sent under
// the same identifier however often that takes.
func (l *loop) handOver(reason string) error {
	t := l.talk
	if t.LastError == "" {
		t.LastError = reason
	}
	t.note("hands over: " + reason)
	m := &matter{
		Task: l.task.ID, Queries: []queryCount{}, Unknowns: []string{}, EntryPoints: []string{}, LastError: t.LastError, Trace: t.Trace,
	}
	m.Original.Prompt = l.question.Prompt
	l.p.loop.matter(m)
	t.Handover = &handover{Key: newKey(), Reason: reason, Body: encode(m)}
	return l.book.keep(t)
}

// deliver sends the escalation, within the budget of one call. A stop does not
// hold it back.
func (l *loop) deliver(ctx context.Context) error {
	h := l.talk.Handover
	if err := pause(ctx, h.NextSend, nil); err != nil {
		return err
	}
	h.Attempts++
	h.NextSend = l.backoff(time.Now(), h.Attempts)
	if err := l.book.keep(l.talk); err != nil {
		return err
	}
	r := l.call(ctx, request{
		operation: "desk.escalate", method: "POST", url: l.task.Endpoints["desk"] + "/v1/escalations", key: h.Key, body: h.Body,
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	d := diagnose(r, anyJSON)
	h.NextSend = later(l.backoff(r.end, h.Attempts), r.end.Add(l.p.asked(r)))
	if d.class != transient || h.Attempts >= l.p.budget(l.task.Limits) {
		h.Delivered, h.At = d.class == fine, r.end
		l.talk.Ending = "escalated"
	}
	return l.book.keep(l.talk)
}
