package control

import (
	"net/http"
	"slices"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// confirmed is the answer about a confirmation, as the protocol writes it.
// valid speaks of current_version.
type confirmed struct {
	Valid          bool     `json:"valid"`
	CurrentVersion int      `json:"current_version"`
	Digest         string   `json:"digest"`
	Permissions    []string `json:"permissions"`
	Cancelled      bool     `json:"cancelled"`
	Stopped        bool     `json:"stopped"`
}

// getConfirmation answers GET /v1/confirmations/{id}.
func (p *Plane) getConfirmation(r *http.Request, d *door) (reply, *problem) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t, c := p.opened(d, r.PathValue("id"))
	if c == nil {
		return reply{}, &problem{status: http.StatusNotFound, text: "this token opens no such confirmation"}
	}
	answer := confirmed{
		Valid: !c.revoked, CurrentVersion: c.Version, Digest: c.digest, Permissions: slices.Clone(c.Permissions),
		Cancelled: t.cancelled, Stopped: t.stopped,
	}
	work, facts := d.works[t.ID], p.facts(t, c)
	p.cfg.Log.Append(history.Record{Kind: history.ControlConfirmed, Task: t.ID, Work: work, Facts: &facts, Control: &history.Control{
		Confirmation: c.ID, Version: c.Version, Valid: answer.Valid, Permissions: answer.Permissions,
		Cancelled: answer.Cancelled, Stopped: answer.Stopped,
	}})
	return reply{status: http.StatusOK, body: answer, sent: func() {
		p.cfg.Notify(fault.Point{Event: fault.ConfirmationDelivered, Ref: fault.Ref{Task: t.ID, Work: work}})
	}}, nil
}

// opened finds a confirmation among the tasks that the door opens. The caller holds mu.
func (p *Plane) opened(d *door, id string) (*job, *confirmation) {
	if id == "" {
		return nil, nil
	}
	for task := range d.tasks {
		if c, ok := p.tasks[task].find(id); ok {
			return p.tasks[task], c
		}
	}
	return nil, nil
}
