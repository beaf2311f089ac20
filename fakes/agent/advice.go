package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// adviser is the model that may be asked about a purchase approval. It has a
// say in nothing.
type adviser struct {
	Endpoint string   `json:"endpoint"` // its name among the task's
	Models   []string `json:"models"`
}

// adviser is nil where there is none.
func (t task) adviser() *adviser {
	var in struct {
		Adviser *adviser `json:"adviser"`
	}
	if len(t.Input) == 0 || json.Unmarshal(t.Input, &in) != nil || in.Adviser == nil || t.Endpoints[in.Adviser.Endpoint] == "" || len(in.Adviser.Models) == 0 {
		return nil
	}
	return in.Adviser
}

// advising tells whether the adviser is to be asked about an intent: once, when
// it has come into doubt.
func (v *view) advising(in *intent) bool {
	return in.Action == submitAction && in.unknown() && in.Advice == nil && v.task.adviser() != nil
}

// consult asks the adviser what to do about an intent in doubt, one attempt a
// model, and keeps what it says. An adviser that says nothing is no reason to
// wait.
func (f *flow) consult(ctx context.Context, in *intent) error {
	a, advice := f.task.adviser(), ""
	for _, name := range a.Models {
		body := encode(turn{Model: name, Messages: []message{
			says("system", "You advise a program that recovers lost requests. It does what its contract allows; suggest one of: query, replay, wait, escalate."),
			says("user", fmt.Sprintf("The %s of %s was sent %d times and nothing says what became of it: %s. What next?", in.Action, f.given.ID, in.Attempts, in.LastError)),
		}})
		r := f.call(ctx, request{operation: "model.chat", method: "POST", url: f.task.Endpoints[a.Endpoint] + "/v1/chat/completions", body: body})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if diagnose(r, func(r reply) error { _, err := answered(r); return err }).class != fine {
			continue
		}
		if m, err := answered(r); err == nil {
			advice = m.text()
			break
		}
	}
	return f.store.update(f.given.ID, func(d *dossier) error {
		_, cur := d.find(in)
		if cur == nil || cur.Advice != nil {
			return errStale
		}
		cur.Advice = &advice
		d.note("was advised: " + advice[:min(len(advice), maxReason)])
		return nil
	})
}

// asksFirst tells whether the advice is to look before sending again. That is
// always allowed, so it is followed; nothing else that an adviser says is.
func (in *intent) asksFirst() bool {
	return in.Advice != nil && strings.Contains(strings.ToLower(*in.Advice), "query")
}
