package agent

import (
	"fmt"
	"net/http"
	"time"
)

// The services of the world, with their own ledgers.

func (w *world) find(key string) *record {
	for _, r := range w.records {
		if r.Key == key {
			return r
		}
	}
	return nil
}

func (w *world) submit(r *http.Request, body []byte) (int, any) {
	key := r.Header.Get("Idempotency-Key")
	if w.fences[key] {
		return 409, map[string]any{"code": "void", "no_effect": true}
	}
	if old := w.find(key); old != nil && w.task.Guarantees["approval.submit"].Idempotency.Supported {
		return 201, old
	}
	var s submission
	w.decode(body, &s)
	made := &record{
		Ref: fmt.Sprintf("a-%d", len(w.records)+1), Key: key, Tenant: s.Tenant, Object: s.Object, Confirmation: s.Confirmation,
		Content: s.Content, Digest: s.Digest, Status: "pending", Seq: 1,
	}
	made.Consequences.Notification = "none"
	w.records = append(w.records, made)
	if w.decide != "" {
		time.AfterFunc(w.after, func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.settle(made, w.decide)
		})
	}
	shown := *made
	return 201, &shown
}

// settle gives a pending record its result, and puts out the event.
func (w *world) settle(r *record, status string) {
	if r.Status != "pending" {
		return
	}
	r.Status, r.Seq = status, r.Seq+1
	if r.Consequences.Notification == "none" {
		r.Consequences.Notification = "sent"
		if w.fails {
			r.Consequences.Notification = "failed"
		}
	}
	if w.mute {
		return
	}
	shown := *r
	w.place(item{Kind: "event", Type: status, Record: &shown, Seq: r.Seq})
}

func (w *world) hidden() bool {
	if w.hide > 0 {
		w.hide--
		return true
	}
	return false
}

func (w *world) query(r *http.Request, _ []byte) (int, any) {
	items := []record{}
	if found := w.find(r.URL.Query().Get("key")); found != nil && !w.hidden() {
		items = append(items, *found)
	}
	return 200, map[string]any{"items": items, "replica": true}
}

func (w *world) submissionState(r *http.Request, _ []byte) (int, any) {
	key := r.PathValue("key")
	if w.fences[key] {
		return 200, map[string]any{"state": "void", "final": true, "ref": nil}
	}
	if found := w.find(key); found != nil && !w.hidden() {
		return 200, map[string]any{"state": "created", "final": false, "ref": found.Ref}
	}
	return 200, map[string]any{"state": "unknown", "final": false, "ref": nil}
}

func (w *world) void(r *http.Request, _ []byte) (int, any) {
	if found := w.find(r.PathValue("key")); found != nil {
		return 200, map[string]any{"state": "created", "final": false, "ref": found.Ref}
	}
	w.fences[r.PathValue("key")] = true
	return 200, map[string]any{"state": "void", "final": true, "ref": nil}
}

func (w *world) track(r *http.Request, _ []byte) (int, any) {
	for _, found := range w.records {
		if found.Ref == r.PathValue("ref") {
			return 200, *found
		}
	}
	return 404, map[string]string{"code": "not_found"}
}

func (w *world) withdraw(_ *http.Request, body []byte) (int, any) {
	var b struct{ Ref string }
	w.decode(body, &b)
	for _, found := range w.records {
		if found.Ref != b.Ref {
			continue
		}
		if found.Status != "pending" && found.Status != "withdrawn" {
			return 409, map[string]any{"code": "state", "no_effect": true}
		}
		if found.Status == "pending" {
			found.Status, found.Seq = "withdrawn", found.Seq+1
		}
		return 200, *found
	}
	return 404, map[string]string{"code": "not_found"}
}

func (w *world) notify(r *http.Request, _ []byte) (int, any) {
	for _, found := range w.records {
		if found.Ref == r.PathValue("ref") {
			found.Consequences.Notification, found.Seq = "sent", found.Seq+1
			return 200, *found
		}
	}
	return 404, map[string]string{"code": "not_found"}
}

func (w *world) buy(r *http.Request, body []byte) (int, any) {
	key := r.Header.Get("Idempotency-Key")
	for _, old := range w.buys {
		if old.Key == key {
			return 201, old
		}
	}
	made := record{Ref: fmt.Sprintf("p-%d", len(w.buys)+1), Key: key, Status: "done"}
	w.decode(body, &made)
	w.buys = append(w.buys, made)
	return 201, made
}

func (w *world) bought(r *http.Request, _ []byte) (int, any) {
	items := []record{}
	for _, p := range w.buys {
		if p.Key == r.URL.Query().Get("key") {
			items = append(items, p)
		}
	}
	return 200, map[string]any{"items": items}
}
