package agent

import (
	"context"
	"net/http"
	"time"
)

// send makes one attempt of a write: it asks whether the write is still
// permitted, makes the attempt durable, sends, and notes what the reply settles.
func (f *flow) send(ctx context.Context, m move) error {
	in := m.in
	if f.p.check(in) {
		if err := f.check(ctx); err != nil {
			return err
		}
		v, now, err := f.again()
		if err != nil || !now.same(m) {
			return err
		}
		in = now.in
		if err := f.claimFor(ctx, v, now); err != nil {
			return err
		}
	}
	key, body := f.p.key(in), f.p.body(in)
	err := f.store.update(f.given.ID, func(d *dossier) error {
		_, cur := d.find(in)
		if cur == nil || cur.Attempts != in.Attempts || cur.Standing != in.Standing {
			return errStale
		}
		now := time.Now()
		cur.Key, cur.Standing, cur.Since, cur.Asked = key, inDoubt, 0, false
		cur.Attempts++
		cur.Open++
		cur.Underway = true
		if cur.Began.IsZero() {
			cur.Began = now
		}
		if cur.FirstSent.IsZero() {
			cur.FirstSent = now
		}
		cur.NextQuery = f.backoff(now, cur.Attempts+cur.Refusals) // for another process, and after a kill
		cur.NextSend = cur.NextQuery.Add(f.p.overtake(f.task.Limits))
		d.Checked = f.checked
		d.note("sends " + cur.Action + " " + key)
		return nil
	})
	if err != nil {
		return err
	}
	operation, target := address(f.task.Endpoints, in.Action, in.Of)
	r := f.call(ctx, request{operation: operation, method: http.MethodPost, url: target, key: key, body: body})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return f.store.update(f.given.ID, func(d *dossier) error {
		if b, cur := d.find(&intent{Action: in.Action, Key: key}); cur != nil {
			f.weigh(d, b, cur, r)
		}
		return nil
	})
}

// call makes one attempt within its time.
func (f *flow) call(ctx context.Context, r request) reply {
	if d := f.p.timeout(f.task.Limits); d > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, d)
		defer cancel()
	}
	out := f.door.call(ctx, r)
	f.log.Info("called", "operation", r.operation, "key", r.key, "status", out.status, "err", out.err)
	return out
}

// backoff is the instant before which nothing like the n-th attempt, which
// ended at end, is made again.
func (f *flow) backoff(end time.Time, n int) time.Time {
	return end.Add(f.p.wait(f.task.Limits, max(n, 1), f.dice.roll()))
}

// weigh notes what the reply to a send settles: the error codes mean what the
// service's contract says and no more.
func (f *flow) weigh(d *dossier, b *bid, in *intent, r reply) {
	in.Underway = false
	if in.Standing == accepted { // something else has settled it meanwhile
		return
	}
	in.NextSend = f.backoff(r.end, in.Attempts+in.Refusals)
	in.NextQuery = f.backoff(r.end, 1)
	if in.Action == withdrawAction {
		b.Submit.NextQuery = r.end // see at once what came of it
	}
	if !r.left {
		in.Attempts--
		in.Refusals++
		if in.Attempts == 0 {
			in.FirstSent = time.Time{}
		}
		f.settleAttempt(in, unsent)
	} else if in.Attempts == 1 {
		in.FirstSent = r.sent
	}
	if r.err != nil {
		f.troubled(d, in, r.problem())
		return
	}
	a, p := r.read(), f.task.Guarantees[operationOf(in.Action)]
	switch {
	case r.status == http.StatusCreated || r.status == http.StatusOK:
		if f.p.association.belongs(f.task, in, &a.record) {
			f.settled(d, b, in, &a.record)
			return
		}
		f.troubled(d, in, "the reply holds no record of this "+in.Action)
	case r.status == http.StatusConflict && a.Code == "identifier_conflict":
		in.Open--
		in.Standing, in.Since = f.p.clash(in), 0
		f.troubled(d, in, "the identifier carries other content")
	case r.status == http.StatusTooManyRequests, r.status == http.StatusServiceUnavailable && r.asked > 0:
		if wait := f.p.asked(r); wait > 0 {
			in.NextSend, in.Asked = later(in.NextSend, r.end.Add(wait)), true
		}
		f.settleAttempt(in, unsent)
		f.troubled(d, in, r.problem())
	case f.p.refuses(r, p):
		f.settleAttempt(in, f.p.refusal(in))
		in.Hopeless = in.Open > 0
		f.troubled(d, in, r.problem()+" "+a.Code)
	case f.p.assured(r):
		f.settled(d, b, in, &record{Ref: a.Queue, Key: in.Key, Status: "pending"})
	case r.status == http.StatusAccepted:
		f.troubled(d, in, "only queued, as "+a.Queue)
	default:
		f.troubled(d, in, r.problem())
	}
}

// refuses goes by the statuses that the promise says have no effect.
func refuses(r reply, p promise) bool {
	return r.status < http.StatusInternalServerError && p.noEffect(r.status)
}

// settleAttempt notes that one attempt had no effect. That says something about
// the intent only if no other attempt is open.
func (f *flow) settleAttempt(in *intent, to standing) {
	in.Open--
	if f.p.settled(in) {
		in.Open, in.Standing = 0, to
	}
}

func (f *flow) troubled(d *dossier, in *intent, problem string) {
	in.LastError, d.LastError = problem, problem
	d.note(in.Action + ": " + problem)
}

// settled associates a record with its intent.
func (f *flow) settled(d *dossier, b *bid, in *intent, r *record) {
	f.p.association.accept(in, r)
	d.note(in.Action + ": found as " + r.Ref)
	if in.Action == withdrawAction && !f.task.Guarantees[operationOf(submitAction)].Query.ByRef {
		f.p.association.accept(b.Submit, r) // there is no other way to see it
	}
	if in.Action == submitAction {
		in.NextQuery = f.backoff(time.Now(), 1)
	}
}

func operationOf(action string) string {
	operation, _ := address(nil, action, "")
	return operation
}
