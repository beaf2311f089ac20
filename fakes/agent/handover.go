package agent

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// brief is what a person is told who takes over.
type brief struct {
	Task     string `json:"task"`
	Original struct {
		Confirmation version         `json:"confirmation"`
		Content      json.RawMessage `json:"content"`
		Key          string          `json:"key"`
		FirstSentAt  *string         `json:"first_sent_at"`
	} `json:"original"`
	Basis struct {
		Confirmation version `json:"confirmation"`
		Checked      *string `json:"checked"`
	} `json:"basis"`
	Queries     []queryCount `json:"queries"`
	Unknowns    []string     `json:"unknowns"`
	EntryPoints []string     `json:"entry_points"`
	LastError   string       `json:"last_error"`
	Trace       []string     `json:"trace"`

	// left out of the message
	missing []string
}

type queryCount struct {
	Operation string `json:"operation"`
	Outcome   string `json:"outcome"`
	Count     int    `json:"count"`
}

// brief records the one escalation of a confirmation, or what it did not know.
func (f *flow) brief(ctx context.Context, m move) error {
	if err := f.check(ctx); err != nil {
		return err
	}
	v, now, err := f.again()
	if err != nil || !now.same(m) {
		return err
	}
	counts, err := f.counts()
	if err != nil {
		return err
	}
	return f.store.update(f.given.ID, func(d *dossier) error {
		_, in := d.find(m.in)
		if in == nil || (d.Handover == nil) != (m.do == doHandOver) {
			return errStale
		}
		d.Checked = f.checked
		d.note(string(m.do) + ": " + m.reason)
		b := v.compose(d, in, counts)
		f.p.brief(b)
		if d.Handover == nil {
			d.Handover = &handover{Key: newKey(), Reason: m.reason, Resolved: !d.current().Submit.unknown()}
		} else {
			h := d.Handover
			h.Resolved, h.Delivered, h.At, h.Attempts = true, false, time.Time{}, 0
		}
		d.Handover.Body = b.message()
		return nil
	})
}

// counts are the queries of the whole task, over all its confirmations.
func (f *flow) counts() (map[string]int, error) {
	total := map[string]int{}
	for _, c := range f.task.confirmed() {
		d, err := f.store.load(c.ID)
		if err != nil {
			return nil, err
		}
		for what, n := range d.Counts {
			total[what] += n
		}
	}
	return total, nil
}

func (v *view) compose(d *dossier, in *intent, counts map[string]int) *brief {
	b := &brief{
		Task: v.task.ID, Queries: []queryCount{}, Unknowns: d.unverified(), EntryPoints: v.entryPoints(d, in),
		LastError: d.LastError, Trace: d.Trace,
	}
	named := version{in.Confirmation.ID, in.Confirmation.Version}
	b.Original.Confirmation, b.Original.Content = named, in.Confirmation.Content
	b.Original.Key, b.Original.FirstSentAt = in.Key, stamp(in.FirstSent)
	b.Basis.Confirmation, b.Basis.Checked = named, stamp(d.Checked)
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		operation, outcome, _ := strings.Cut(what, " ")
		b.Queries = append(b.Queries, queryCount{operation, outcome, counts[what]})
	}
	return b
}

// entryPoints are the doors that the contract leaves open to a person.
func (v *view) entryPoints(d *dossier, in *intent) []string {
	doors, p, sub := []string{}, v.promise(in.Action), d.current().Submit
	if p.Query.ByKey {
		doors = append(doors, "query")
	}
	if in.Standing == inDoubt && in.Action == submitAction && p.Void && !v.denied(submitAction) {
		doors = append(doors, "void")
	}
	if sub.Standing == accepted && v.withdrawPromise().withdrawable(sub.Record.Status) {
		doors = append(doors, "withdraw")
	}
	if sub.Standing == unsent || sub.Standing == notExecuted {
		doors = append(doors, "resubmit")
	}
	return doors
}

// message is the brief as it is sent, without what is missing from it.
func (b *brief) message() json.RawMessage {
	raw := encode(b)
	if len(b.missing) == 0 {
		return raw
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return raw
	}
	for _, name := range b.missing {
		delete(fields, name)
	}
	return encode(fields)
}

// deliver sends the escalation. Sent again, it carries the same identifier.
func (f *flow) deliver(ctx context.Context) error {
	d, err := f.store.load(f.given.ID)
	if err != nil {
		return err
	}
	h := d.Handover
	var r reply
	for _, key := range f.p.addresses(h.Key) {
		r = f.call(ctx, request{
			operation: "desk.escalate", method: http.MethodPost, url: f.task.Endpoints["desk"] + "/v1/escalations", key: key, body: h.Body,
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return f.store.update(f.given.ID, func(d *dossier) error {
		h := d.Handover
		h.Attempts++
		h.NextSend = f.backoff(r.end, h.Attempts)
		if r.asked > 0 {
			h.NextSend = later(h.NextSend, r.end.Add(r.asked))
		}
		if r.err == nil && r.status < http.StatusMultipleChoices {
			h.Delivered, h.ID, h.At = true, r.read().ID, time.Now()
		} else if h.Attempts >= f.task.Limits.MaxAttempts {
			h.At = time.Now() // given up: the result still says what is unverified
		}
		return nil
	})
}
