// A recovery in Go's standard library: submit, track, buy, and never do anything
// twice. Put your own in its place.
//
// Its four rules: what is sent is on disk before its first byte leaves, under
// one identifier for ever; whether it may be sent is asked before each write; an
// answer that did not come is a doubt, which a replay that the service still
// recognises or a record found by a query ends, and nothing else; what is in
// doubt at the period's end goes to a person. A lock lets one process at a time
// work on a task.

package main

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	mrand "math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"syscall"
	"time"
)

// intent is one write with its one identifier.
type intent struct {
	Operation string          `json:"operation"`
	Key       string          `json:"key"`
	Body      json.RawMessage `json:"body"`
	Standing  string          `json:"standing"` // unsent, doubt, done, refused, conflict
	Attempts  int             `json:"attempts"`
	Began     time.Time       `json:"began"`
	FirstSent time.Time       `json:"first_sent"`
	NotBefore time.Time       `json:"not_before"`
}

// state is what survives a kill. Confirmation is the one that was sent; after a
// restart the task may name a newer one.
type state struct {
	Confirmation confirmation   `json:"confirmation"`
	Intents      []*intent      `json:"intents"`
	Queries      map[string]int `json:"queries"`
	Record       record         `json:"record"`
	Error        string         `json:"error"`
	Escalation   *escalation    `json:"escalation"`
	Result       object         `json:"result"`
}

// worker does one task.
type worker struct {
	task
	platform platform
	state    state
	now      authorization
	checked  time.Time
	heard    int // number of the last item of the inbox
}

// carryOut does a task, or goes on with it after a restart.
func carryOut(t task, p platform) { (&worker{task: t, platform: p}).run() }

type authorization struct {
	Valid       bool     `json:"valid"`
	Version     int      `json:"current_version"`
	Permissions []string `json:"permissions"`
	Cancelled   bool     `json:"cancelled"`
	Stopped     bool     `json:"stopped"`
}

func (w *worker) file() string { return filepath.Join(w.StateDir, "state.json") }

func (w *worker) save() {
	f, err := os.Create(w.file() + ".new")
	check(err)
	_, err = f.Write(encode(w.state))
	check(errors.Join(err, f.Sync(), f.Close()))
	check(os.Rename(w.file()+".new", w.file()))
	folder, err := os.Open(w.StateDir)
	check(err)
	check(errors.Join(folder.Sync(), folder.Close()))
}

func (w *worker) run() {
	lock, err := os.Create(filepath.Join(w.StateDir, "lock"))
	check(err)
	defer lock.Close()
	check(syscall.Flock(int(lock.Fd()), syscall.LOCK_EX)) // the kernel lets go when a process dies
	w.state = state{Confirmation: w.Confirmation, Queries: map[string]int{}}
	if text, err := os.ReadFile(w.file()); err == nil {
		check(json.Unmarshal(text, &w.state))
	}
	submit, c := w.Guarantees["approval.submit"], w.state.Confirmation
	switch {
	case w.state.Result != nil:
		w.finish(w.state.Result)
		return
	case w.state.Escalation != nil:
		w.escalate()
		return
	case !submit.Idempotency.Supported && !submit.Query.ByKey:
		w.end("preview_ready", "preview")
		return
	}
	in := w.intent("approval.submit", object{
		"confirmation": c.version, "tenant": w.Tenant, "object": w.Object, "content": c.Content, "digest": c.Digest,
	})
	standing := w.write(in, "submit", w.Endpoints["approval"]+"/v1/approvals", w.keep, w.find)
	switch {
	case standing == "refused":
		w.end("refused", "refused")
		return
	case standing == "unsent" && in.Attempts == 0 && (w.now.Cancelled || w.now.Stopped):
		w.end("cancelled", "cancelled")
		return
	case standing != "done":
		w.escalate()
		return
	}
	if w.state.Record.Status == "pending" {
		w.claim("tracking")
	}
	for tries := 0; w.state.Record.Status == "pending" && !w.halted() && w.notify() == "done"; tries++ {
		w.listen(tries)
		w.track()
	}
	w.halted()
	if w.now.Cancelled && w.state.Record.Status == "pending" && w.OnCancel == "withdraw" && slices.Contains(submit.Withdraw, "pending") {
		back := w.intent("approval.withdraw", object{"ref": w.state.Record.Ref})
		w.write(back, "withdraw", w.Endpoints["approval"]+"/v1/withdrawals",
			func(o object) bool { return w.keep(o) && o["status"] == "withdrawn" },
			func() bool { return w.track() && w.state.Record.Status != "pending" })
		w.track()
	}
	switch status := w.state.Record.Status; {
	case status == "withdrawn" && w.now.Cancelled:
		w.end("withdrawn", "cancelled")
	case status == "withdrawn" || status == "declined" && (!w.began("approval.notify") || w.notify() == "done"):
		w.end(status, "declined")
	case status != "approved" || w.buy() != "done" || w.notify() != "done":
		w.escalate()
	default:
		w.end("completed", "completed")
	}
}

func (w *worker) buy() string {
	order := object{"approval": w.state.Record.Ref, "content": w.state.Confirmation.Content}
	in := w.intent("purchase.buy", order)
	bought := func(o object) bool {
		return o["ref"] != nil && o["status"] == "done" && o["key"] == in.Key && matches(o, encode(order))
	}
	url := w.Endpoints["purchase"] + "/v1/purchases"
	return w.write(in, "purchase", url, bought, func() bool {
		return slices.ContainsFunc(w.query("purchase.query", url+"?key="+in.Key), bought)
	})
}

// notify sends the notification again when it is known to be missing, and only
// then; of a pending request before its decision.
func (w *worker) notify() string {
	if w.state.Record.Consequences["notification"] != "failed" {
		return "done"
	}
	sent := func() bool { return w.state.Record.Consequences["notification"] == "sent" }
	return w.write(w.intent("approval.notify", object{}), "notify", w.Endpoints["approval"]+"/v1/approvals/"+w.state.Record.Ref+"/notifications",
		func(o object) bool { return w.keep(o) && sent() }, func() bool { return w.track() && sent() })
}

// began tells whether an operation has an intent.
func (w *worker) began(operation string) bool {
	return slices.ContainsFunc(w.state.Intents, func(in *intent) bool { return in.Operation == operation })
}

// intent is the one of an operation, with its identifier.
func (w *worker) intent(operation string, body object) *intent {
	for _, in := range w.state.Intents {
		if in.Operation == operation {
			return in
		}
	}
	w.state.Intents = append(w.state.Intents, &intent{Operation: operation, Key: rand.Text(), Body: encode(body), Standing: "unsent"})
	return w.state.Intents[len(w.state.Intents)-1]
}

// write carries one write to its end: done, refused, conflict; or doubt or
// unsent, where nothing more may be tried.
func (w *worker) write(in *intent, permission, url string, settles func(object) bool, find func() bool) string {
	p := w.Guarantees[in.Operation]
	findable := p.Query.ByKey || in.Operation == "approval.withdraw" || in.Operation == "approval.notify"
	for tries := 0; in.Standing == "unsent" || in.Standing == "doubt"; tries++ {
		doubt, left := in.Standing == "doubt", in.Attempts < w.Limits.Attempts
		if doubt {
			w.claim("pending_verification")
		}
		sending := left && !time.Now().Before(in.NotBefore) && (!doubt || w.protected(in, p))
		if sending && permission == "submit" {
			w.claim("submitting")
		}
		allowed := w.may(permission) // last, before the send
		ends := time.Now()
		if !in.Began.IsZero() {
			ends = in.Began
		}
		// A little longer than the period, for it runs from the first byte, which leaves after this clock is read.
		ends = ends.Add(ms(w.Limits.Period + w.Limits.Timeout/8))
		if !time.Now().Before(ends) && doubt && findable && tries == 0 && find() { // after a long restart: one look
			in.Standing = "done"
			break
		}
		if !time.Now().Before(ends) || w.now.Stopped || !doubt && (!left || !allowed || in.NotBefore.After(ends)) {
			break
		}
		if !allowed && !w.now.Cancelled && w.now.Version == w.state.Confirmation.Version {
			break // the authorization is gone: a person has to know, now
		}
		if !allowed && permission == "notify" && w.state.Record.Status == "pending" {
			break // nobody has to be told of what is to be withdrawn
		}
		if sending && allowed {
			w.send(in, url, p, settles)
		} else if doubt && findable && find() {
			in.Standing = "done"
		}
		w.save()
		if in.Standing == "unsent" || in.Standing == "doubt" {
			w.pause(tries, ends)
		}
	}
	return in.Standing
}

func (w *worker) send(in *intent, url string, p promise, settles func(object) bool) {
	before := *in
	in.Attempts++
	in.Standing = "doubt"
	if in.Began.IsZero() {
		in.Began = time.Now()
	}
	if in.FirstSent.IsZero() {
		in.FirstSent = time.Now()
	}
	w.save()
	if before.Began.IsZero() {
		in.Began = time.Now()
	}
	status, text, wait := call(http.MethodPost, url, in.Body, ms(w.Limits.Timeout), "Idempotency-Key", in.Key)
	reply := read(text)
	in.NotBefore = time.Now().Add(max(wait, w.backoff(in.Attempts)))
	if (status == http.StatusOK || status == http.StatusCreated) && settles(reply) {
		in.Standing = "done"
		return
	}
	w.state.Error = fmt.Sprint("status ", status, " ", reply["code"])
	switch {
	case status == notSent:
		in.Attempts, in.Standing, in.FirstSent = before.Attempts, before.Standing, before.FirstSent
	case status == http.StatusConflict && reply["code"] == "identifier_conflict":
		in.Standing = "conflict"
	case !slices.Contains(p.NoEffect, status): // anything may have happened
	case before.Standing == "doubt": // of this attempt; an earlier one may still be open
		if status != http.StatusTooManyRequests {
			in.Attempts = w.Limits.Attempts
		}
	case status == http.StatusTooManyRequests:
		in.Standing = "unsent"
	default:
		in.Standing = "refused"
	}
}

// protected tells whether the service still recognises the identifier when a
// replay reaches it.
func (w *worker) protected(in *intent, p promise) bool {
	return p.Idempotency.Supported && time.Now().Add(ms(w.Limits.Timeout)).Before(in.FirstSent.Add(ms(p.Idempotency.Retention)))
}

// may asks whether a write is still authorized; a withdrawal is what a
// cancellation wants.
func (w *worker) may(permission string) bool {
	w.now = authorization{}
	w.platform.confirmation(w.state.Confirmation.ID, &w.now)
	w.checked = time.Now()
	current := w.now.Valid && w.now.Version == w.state.Confirmation.Version && !w.now.Cancelled
	return !w.now.Stopped && slices.Contains(w.now.Permissions, permission) && (current || permission == "withdraw")
}

// halted tells whether an accepted request is not to be followed to its end. It
// is where only its authorization is gone.
func (w *worker) halted() bool {
	w.may("submit")
	return w.now.Stopped || w.now.Cancelled || w.now.Version != w.state.Confirmation.Version
}

// keep takes in a record of the submission if it is this one and no other, and
// newer than what is known.
func (w *worker) keep(o object) bool {
	in := w.intent("approval.submit", nil)
	var r record
	if o["key"] != in.Key || !matches(o, in.Body) || json.Unmarshal(encode(o), &r) != nil || r.Ref == "" {
		return false
	}
	if r.Seq >= w.state.Record.Seq {
		w.state.Record = r
	}
	if w.began("approval.notify") && r.Consequences["notification"] == "sent" {
		w.intent("approval.notify", nil).Standing = "done"
	}
	return true
}

// matches tells whether a record has these fields.
func matches(o object, fields []byte) bool {
	for name, value := range read(fields) {
		if !reflect.DeepEqual(o[name], value) {
			return false
		}
	}
	return true
}

func (w *worker) find() bool {
	return w.any("approval.query", w.Endpoints["approval"]+"/v1/approvals?key="+w.intent("approval.submit", nil).Key)
}

// track looks at the approval, by the ways that the service promises.
func (w *worker) track() bool {
	if ways := w.Guarantees["approval.submit"].Query; !ways.ByRef {
		return ways.ByKey && w.find()
	}
	return w.any("approval.track", w.Endpoints["approval"]+"/v1/approvals/"+w.state.Record.Ref)
}

func (w *worker) any(operation, url string) (found bool) {
	for _, o := range w.query(operation, url) {
		found = w.keep(o) || found
	}
	return found
}

// listen waits, and takes in the events that come meanwhile; after a restart
// they come again.
func (w *worker) listen(tries int) {
	var inbox struct {
		Items []struct {
			Record json.RawMessage `json:"record"`
		} `json:"items"`
		Next int `json:"next"`
	}
	w.platform.inbox(w.heard, w.backoff(tries), &inbox)
	w.heard = inbox.Next
	for _, item := range inbox.Items {
		w.keep(read(item.Record))
	}
}

// query asks once. That nothing is found proves nothing.
func (w *worker) query(operation, url string) []object {
	status, text, _ := call(http.MethodGet, url, nil, ms(w.Limits.Timeout), "", "")
	var records []object
	if answer := read(text); status == http.StatusOK {
		items, list := answer["items"].([]any)
		if !list {
			items = []any{answer}
		}
		for _, item := range items {
			o, _ := item.(object)
			records = append(records, o)
		}
	}
	outcome := "empty"
	switch {
	case status == timeout:
		outcome = "timeout"
	case status != http.StatusOK && status != http.StatusNotFound:
		outcome = "error"
	case len(records) > 0:
		outcome = "found"
	}
	w.state.Queries[operation+" "+outcome]++
	w.save()
	return records
}

// end claims a state and posts a result in which nothing is unknown.
func (w *worker) end(claimed, status string) {
	w.claim(claimed)
	w.finish(object{"status": status, "unverified": []string{}})
}

func (w *worker) finish(result object) {
	w.state.Result = result
	w.save()
	w.platform.result(result)
}

func (w *worker) claim(state string) {
	claim := object{"confirmation": w.state.Confirmation.version, "state": state}
	if w.state.Record.Ref != "" {
		claim["ref"] = w.state.Record.Ref
	}
	w.platform.claim(claim)
}

func (w *worker) backoff(tries int) time.Duration {
	wait := min(w.Limits.Base*float64(int(1)<<min(tries, 20)), w.Limits.Max)
	return ms(wait * (1 + w.Limits.Jitter*mrand.Float64()))
}

func (w *worker) pause(tries int, ends time.Time) {
	time.Sleep(max(time.Millisecond, min(w.backoff(tries), time.Until(ends))))
}

func ms(n float64) time.Duration { return time.Duration(n * float64(time.Millisecond)) }
