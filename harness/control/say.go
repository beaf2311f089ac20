package control

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// States are the states that an agent can claim.
func States() []string {
	return []string{
		"submitting", "pending_verification", "tracking", "completed", "declined", "refused", "blocked", "escalated",
		"cancelled", "withdrawn", "preview_ready", "failed",
	}
}

// Statuses are the statuses that end a task.
func Statuses() []string {
	return []string{"completed", "declined", "refused", "cancelled", "escalated", "preview", "answered"}
}

// What is kept of a claim or a result, in bytes and in number.
const (
	maxID         = 256
	maxRef        = 1 << 10
	maxReason     = 1 << 10
	maxOutput     = 4 << 10
	maxTexts      = 32 // sources, or disclosures
	maxUnverified = 32
	maxResults    = 32 // different results of one task
)

// accepted is the body of the answer to a claim or a result.
type accepted struct{}

// postState answers POST /v1/tasks/{id}/states.
func (p *Plane) postState(r *http.Request, d *door) (reply, *problem) {
	id := p.taskOf(r)
	if bad := p.opens(d, id); bad != nil {
		return reply{}, bad
	}
	body, bad := readBody(r)
	if bad != nil {
		return reply{}, bad
	}
	o := readObject(body)
	about := o.object("confirmation")
	claim := history.Control{
		Confirmation: about.text("id", true, maxID), Version: about.number("version"),
		State: o.oneOf("state", States()...), Ref: o.text("ref", false, maxRef), Reason: o.text("reason", false, maxReason),
	}
	if *o.bad != nil {
		return reply{}, *o.bad
	}
	p.mu.Lock()
	work := d.works[id]
	p.cfg.Log.Append(history.Record{Kind: history.ControlClaim, Task: id, Work: work, Control: &claim})
	p.mu.Unlock()
	p.cfg.Notify(fault.Point{Event: fault.AgentClaims, Detail: claim.State, Ref: fault.Ref{Task: id, Work: work}})
	return reply{status: http.StatusOK, body: accepted{}}, nil
}

// postResult answers POST /v1/tasks/{id}/result.
func (p *Plane) postResult(r *http.Request, d *door) (reply, *problem) {
	id := p.taskOf(r)
	if bad := p.opens(d, id); bad != nil {
		return reply{}, bad
	}
	body, bad := readBody(r)
	if bad != nil {
		return reply{}, bad
	}
	o := readObject(body)
	result := Result{Status: o.oneOf("status", Statuses()...), Unverified: []Unverified{}, Raw: json.RawMessage(bytes.Clone(body))}
	for _, open := range o.list("unverified") {
		result.Unverified = append(result.Unverified, Unverified{
			Confirmation: open.text("confirmation", true, maxID), Unknown: open.text("unknown", true, maxID),
		})
	}
	result.Output = o.any("output", maxOutput)
	result.Sources, result.Disclosures = o.texts("sources", maxRef), o.texts("disclosures", maxRef)
	if *o.bad != nil {
		return reply{}, *o.bad
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if bad := p.end(p.tasks[id], d.works[id], result); bad != nil {
		return reply{}, bad
	}
	return reply{status: http.StatusOK, body: accepted{}}, nil
}

// end records a result, and ends the task with the first. The same result of
// the same work item is recorded once. The caller holds mu.
func (p *Plane) end(t *job, work string, result Result) *problem {
	same := fmt.Sprintf("%s %q %q %q %q", work, result.Status, result.Unverified, result.Sources, result.Disclosures)
	if t.results[same] {
		return nil
	}
	if len(t.results) >= maxResults {
		return &problem{status: http.StatusConflict, text: fmt.Sprintf("the task has ended, with %d different results", maxResults)}
	}
	t.results[same] = true
	record := p.cfg.Log.Append(history.Record{Kind: history.ControlResult, Task: t.ID, Work: work, Control: &history.Control{
		State: result.Status, Unverified: slices.Clone(result.Unverified),
		Output: result.Output, Sources: result.Sources, Disclosures: result.Disclosures,
	}})
	if t.result != nil {
		return nil
	}
	result.Work, result.At = work, record.At
	t.result = &result
	if p.open--; p.open == 0 {
		close(p.done)
	}
	p.wake()
	return nil
}

// opens tells whether the door opens a task.
func (p *Plane) opens(d *door, id string) *problem {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, bad := p.own(d, id)
	return bad
}
