package control

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// maxItems bounds one inbox reply.
const maxItems = 100

// item is an inbox item as the protocol writes it.
type item struct {
	N    int    `json:"n"`
	Kind string `json:"kind"`

	Confirmation *message `json:"confirmation,omitempty"` // revise

	Type   string          `json:"type,omitempty"` // event
	Record json.RawMessage `json:"record,omitempty"`
	Seq    int             `json:"seq,omitempty"`

	Escalation string `json:"escalation,omitempty"` // decision
	Choice     string `json:"choice,omitempty"`
	By         string `json:"by,omitempty"`
}

type inbox struct {
	Items []item `json:"items"`
	Next  int    `json:"next"`
}

// getInbox answers GET /v1/tasks/{id}/inbox.
func (p *Plane) getInbox(r *http.Request, d *door) (reply, *problem) {
	after, wait, bad := p.asked(r)
	if bad != nil {
		return reply{}, bad
	}
	id := p.taskOf(r)
	if bad := p.acknowledge(d, id, after); bad != nil {
		return reply{}, bad
	}
	timeout := time.NewTimer(wait)
	defer timeout.Stop()
	for last := false; ; {
		found, changed := p.look(d, id, after)
		if len(found.Items) > 0 || last || changed == nil {
			return reply{status: http.StatusOK, body: found}, nil
		}
		select {
		case <-changed:
		case <-timeout.C:
			last = true
		case <-r.Context().Done():
			last = true
		}
	}
}

func (p *Plane) asked(r *http.Request) (after int, wait time.Duration, bad *problem) {
	if text := r.URL.Query().Get("after"); text != "" {
		var err error
		if after, err = strconv.Atoi(text); err != nil || after < 0 {
			return 0, 0, &problem{status: http.StatusBadRequest, field: "after", text: "not a number from 0"}
		}
	}
	wait, bad = waitOf(r, p.cfg.MaxWait)
	return after, wait, bad
}

// acknowledge notes that the agent has every item up to after. What no reply
// carried cannot be acknowledged.
func (p *Plane) acknowledge(d *door, id string, after int) *problem {
	p.mu.Lock()
	t, bad := p.own(d, id)
	if bad != nil {
		p.mu.Unlock()
		return bad
	}
	work := d.works[id]
	after = min(after, t.offered)
	if after > d.acked[id] {
		d.acked[id] = after
		p.cfg.Log.Append(history.Record{Kind: history.ControlAcked, Task: id, Work: work, Control: &history.Control{Item: after}})
	}
	var delivered []string
	for ; t.acked < after; t.acked++ {
		if i := t.items[t.acked]; i.Kind == history.Event {
			delivered = append(delivered, i.Type)
		}
	}
	p.mu.Unlock()
	for _, kind := range delivered {
		p.cfg.Notify(fault.Point{Event: fault.EventDelivered, Detail: kind, Ref: fault.Ref{Task: id, Work: work}})
	}
	return nil
}

// look finds what stands behind item after, and records that it is offered. A
// nil channel means that there is nothing to wait for.
func (p *Plane) look(d *door, id string, after int) (inbox, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.tasks[id]
	after = min(after, len(t.items))
	found := inbox{Items: []item{}, Next: after}
	for _, i := range t.items[after:min(len(t.items), after+maxItems)] {
		found.Items = append(found.Items, i)
		found.Next = i.N
	}
	if len(found.Items) > 0 {
		t.offered = max(t.offered, found.Next)
		if found.Next > d.offered[id] {
			d.offered[id] = found.Next
			p.cfg.Log.Append(history.Record{
				Kind: history.ControlOffered, Task: id, Work: d.works[id], Control: &history.Control{Item: found.Next},
			})
		}
	}
	if p.closing {
		return found, nil
	}
	return found, p.changed
}
