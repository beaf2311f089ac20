package main

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

type escalation struct {
	Key      string          `json:"key"`
	Body     json.RawMessage `json:"body"`
	Unknowns []string        `json:"unknowns"`
}

// escalate hands over to a person, once, with all that is known.
func (w *worker) escalate() {
	if w.state.Escalation == nil {
		w.state.Escalation = w.compose()
		w.save()
	}
	e := w.state.Escalation
	for tries := range w.Limits.Attempts {
		status, _, wait := call(http.MethodPost, w.Endpoints["desk"]+"/v1/escalations", e.Body, ms(w.Limits.Timeout), "Idempotency-Key", e.Key)
		if status == http.StatusCreated {
			break
		}
		time.Sleep(max(wait, w.backoff(tries)))
	}
	w.claim("escalated")
	unverified := []object{}
	for _, word := range e.Unknowns {
		unverified = append(unverified, object{"confirmation": w.state.Confirmation.ID, "unknown": word})
	}
	w.finish(object{"status": "escalated", "unverified": unverified})
}

func (w *worker) compose() *escalation {
	w.may("submit")
	words := map[string]string{"approval.submit": "acceptance", "purchase.buy": "purchase", "approval.notify": "notification", "approval.withdraw": "withdrawal"}
	unknowns, trace, queries, doors := []string{}, []string{}, []object{}, []string{}
	for _, in := range w.state.Intents {
		trace = append(trace, fmt.Sprintf("%s: %d attempts, %s", in.Operation, in.Attempts, in.Standing))
		if in.Standing == "doubt" || in.Standing == "conflict" {
			unknowns = append(unknowns, words[in.Operation])
		}
	}
	for what, n := range w.state.Queries {
		operation, outcome, _ := strings.Cut(what, " ")
		queries = append(queries, object{"operation": operation, "outcome": outcome, "count": n})
	}
	if w.Guarantees["approval.submit"].Query.ByKey {
		doors = append(doors, "query")
	}
	c, in := w.state.Confirmation, w.intent("approval.submit", nil)
	var firstSent any
	if !in.FirstSent.IsZero() {
		firstSent = in.FirstSent
	}
	return &escalation{Key: rand.Text(), Unknowns: unknowns, Body: encode(object{
		"task":     w.ID,
		"original": object{"confirmation": c.version, "content": c.Content, "key": in.Key, "first_sent_at": firstSent},
		"basis":    object{"confirmation": c.version, "checked": w.checked},
		"queries":  queries, "unknowns": unknowns, "entry_points": doors, "last_error": w.state.Error, "trace": trace,
	})}
}
