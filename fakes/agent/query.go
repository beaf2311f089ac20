package agent

import (
	"context"
	"net/http"
	"net/url"
)

// query asks once about an intent. An empty answer proves nothing.
func (f *flow) query(ctx context.Context, v *view, in *intent) error {
	operation, target := f.p.association.ask(v, in, in.Queries)
	r := f.call(ctx, request{operation: operation, method: http.MethodGet, url: target})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	a := r.read()
	err := f.store.update(f.given.ID, func(d *dossier) error {
		b, cur := d.find(in)
		if cur == nil {
			return errStale
		}
		d.count(operation, outcome(r, a))
		cur.Queries++
		cur.Since++
		cur.NextQuery = f.backoff(r.end, cur.Since)
		f.learn(d, b, cur, r, a)
		return nil
	})
	if err != nil || r.err != nil || a.State != "created" || a.Ref == "" || in.Action != submitAction {
		return err
	}
	return f.track(ctx, in, a.Ref) // the state names a record; whether it is ours it does not say
}

// outcome names what a read brought, in the words of an escalation.
func outcome(r reply, a answer) string {
	switch {
	case r.timeout:
		return "timeout"
	case r.status == http.StatusNotFound && r.err == nil:
		return "empty"
	case r.err != nil || r.status != http.StatusOK:
		return "error"
	case len(a.Items) > 0, a.State != "" && a.State != "unknown", a.Ref != "":
		return "found"
	}
	return "empty"
}

// learn takes in what the answer to a query says.
func (f *flow) learn(d *dossier, b *bid, in *intent, r reply, a answer) {
	if what := outcome(r, a); what == "timeout" || what == "error" {
		d.LastError = r.problem()
		return
	}
	records := a.Items
	if a.Ref != "" && a.State == "" {
		records = append(records, a.record)
	}
	for n := range records {
		if f.p.association.belongs(f.task, b.Submit, &records[n]) && in != b.Submit {
			f.p.association.accept(b.Submit, &records[n])
		}
		if f.p.association.belongs(f.task, in, &records[n]) {
			f.settled(d, b, in, &records[n])
			return
		}
	}
	if !in.unknown() {
		return
	}
	switch {
	case a.Final && a.State == "void":
		in.Standing, in.Open, in.Fenced = notExecuted, 0, true
	case a.Final && a.State == "refused":
		in.Standing, in.Open = notExecuted, 0
	case len(records) == 0 && a.State != "processing" && a.State != "created" && f.p.emptyProves(in):
		in.Standing, in.Open = unsent, 0
	}
}

// track reads one record by its reference, for a submission.
func (f *flow) track(ctx context.Context, sub *intent, ref string) error {
	r := f.call(ctx, request{
		operation: "approval.track", method: http.MethodGet,
		url: f.task.Endpoints["approval"] + "/v1/approvals/" + url.PathEscape(ref),
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	a := r.read()
	return f.store.update(f.given.ID, func(d *dossier) error {
		b, in := d.find(sub)
		if in == nil {
			return errStale
		}
		d.count("approval.track", outcome(r, a))
		if in.Record != nil {
			in.Since++
		}
		in.NextQuery = f.backoff(r.end, in.Since)
		if b.Withdraw != nil && r.err == nil {
			b.Withdraw.Since++
		}
		if r.err == nil && f.p.association.belongs(f.task, in, &a.record) {
			if in.Standing == accepted {
				f.p.association.accept(in, &a.record)
			} else {
				f.settled(d, b, in, &a.record)
			}
		}
		return nil
	})
}

// fence makes the submission's identifier void, so that it can never execute;
// or it learns that it already has.
func (f *flow) fence(ctx context.Context, m move) error {
	if err := f.check(ctx); err != nil {
		return err
	}
	if _, now, err := f.again(); err != nil || !now.same(m) {
		return err
	}
	key := m.in.Key
	err := f.store.update(f.given.ID, func(d *dossier) error {
		_, in := d.find(m.in)
		if in == nil {
			return errStale
		}
		in.Fences++
		d.note("fences " + key)
		return nil
	})
	if err != nil {
		return err
	}
	r := f.call(ctx, request{
		operation: "approval.void", method: http.MethodPost,
		url: f.task.Endpoints["approval"] + "/v1/submissions/" + url.PathEscape(key) + "/void",
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	a := r.read()
	err = f.store.update(f.given.ID, func(d *dossier) error {
		_, in := d.find(m.in)
		if in == nil {
			return errStale
		}
		in.NextVoid = f.backoff(r.end, in.Fences)
		if r.err == nil && in.unknown() && a.Final && a.State == "void" {
			in.Standing, in.Open, in.Fenced = notExecuted, 0, true
		}
		return nil
	})
	if err != nil || r.err != nil || a.State != "created" || a.Ref == "" {
		return err
	}
	return f.track(ctx, m.in, a.Ref)
}
