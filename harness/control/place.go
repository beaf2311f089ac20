package control

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Cancel cancels the task. A second time does nothing.
func (p *Plane) Cancel(task string) error {
	again := false
	err := p.change(task, func(t *job) error {
		if again = t.cancelled; !again {
			p.place(t, item{Kind: history.Cancel}, history.Control{Change: history.Cancel}, nil)
			t.cancelled = true
		}
		return nil
	})
	if err == nil && !again {
		p.cfg.Notify(fault.Point{Event: fault.TaskCancelled, Ref: fault.Ref{Task: task}})
	}
	return err
}

// Stop tells the task's agent that its own guard stopped it. A second time
// does nothing.
func (p *Plane) Stop(task string) error {
	return p.change(task, func(t *job) error {
		if !t.stopped {
			p.place(t, item{Kind: history.Stop}, history.Control{Change: history.Stop}, nil)
			t.stopped = true
		}
		return nil
	})
}

// Revise makes the next version of a confirmation: the fields of change
// replace those of its content, the rest stays. An empty id means the task's
// first confirmation. What was revoked is valid again, with the permissions
// that are left.
func (p *Plane) Revise(task, confirmation string, change map[string]string) error {
	return p.change(task, func(t *job) error {
		c, ok := t.find(confirmation)
		if !ok {
			return fmt.Errorf("control: task %s: confirmation %q: %w", task, confirmation, ErrUnknown)
		}
		content := map[string]json.RawMessage{}
		if err := json.Unmarshal(c.Content, &content); err != nil {
			return fmt.Errorf("control: task %s: content of %s: %w", task, c.ID, err)
		}
		for name, value := range change {
			text, err := json.Marshal(value)
			if err != nil {
				return fmt.Errorf("control: task %s: field %s: %w", task, name, err)
			}
			content[name] = text
		}
		revised, err := json.Marshal(content)
		if err != nil {
			return fmt.Errorf("control: task %s: %w", task, err)
		}
		next := *c
		next.Content, next.revoked = revised, false
		next.Version++
		next.digest = p.digest(t.ID, c.ID, next.Version)
		facts, text := p.facts(t, &next), next.message()
		p.place(t, item{Kind: history.Revise, Confirmation: &text}, history.Control{
			Change: history.Revise, Confirmation: c.ID, Version: next.Version,
		}, &facts)
		*c = next
		return nil
	})
}

// Revoke takes back, on every confirmation of the task: "confirmation" its
// validity, "permission" every permission, or one permission by its name. It
// places nothing in the inbox: only a question about the confirmation shows it.
func (p *Plane) Revoke(task, what string) error {
	if what != "confirmation" && what != "permission" && !slices.Contains(Permissions(), what) {
		return fmt.Errorf("control: task %s: revoke %q: want confirmation, permission, or one of %v", task, what, Permissions())
	}
	return p.change(task, func(t *job) error {
		for _, c := range t.confirmations {
			next := *c
			change := history.RevokePermission
			switch what {
			case "confirmation":
				next.revoked, change = true, history.RevokeConfirmation
			case "permission":
				next.Permissions = []string{}
			default:
				next.Permissions = slices.DeleteFunc(slices.Clone(c.Permissions), func(s string) bool { return s == what })
			}
			facts := p.facts(t, c)
			p.cfg.Log.Append(history.Record{Kind: history.ControlPlaced, Task: t.ID, Facts: &facts, Control: &history.Control{
				Change: change, Confirmation: c.ID, Version: c.Version, Valid: !next.revoked, Permissions: next.Permissions,
			}})
			*c = next
		}
		return nil
	})
}

// Decide places a person's decision about an escalation.
func (p *Plane) Decide(task string, d Decision) error {
	if !slices.Contains([]string{"wait", "close", "resubmit"}, d.Choice) {
		return fmt.Errorf("control: task %s: decision %q: want wait, close or resubmit", task, d.Choice)
	}
	if d.By == "" {
		d.By = "u-2"
	}
	return p.change(task, func(t *job) error {
		p.place(t, item{Kind: history.Decision, Escalation: d.Escalation, Choice: d.Choice, By: d.By}, history.Control{
			Change: history.Decision, Escalation: d.Escalation, Choice: d.Choice, By: d.By,
		}, nil)
		return nil
	})
}

// Emit places a service's event.
func (p *Plane) Emit(task string, e Event) error {
	return p.change(task, func(t *job) error {
		p.place(t, item{Kind: history.Event, Type: e.Type, Record: e.Record, Seq: e.Seq}, history.Control{
			Change: history.Event, Reason: e.Type,
		}, e.Facts)
		return nil
	})
}

// change changes a task under the lock and lets whoever waits for its inbox look again.
func (p *Plane) change(id string, f func(*job) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.tasks[id]
	if t == nil {
		return fmt.Errorf("control: task %q: %w", id, ErrUnknown)
	}
	defer p.wake()
	return f(t)
}

// place records an item and then puts it into the inbox. The caller holds mu.
func (p *Plane) place(t *job, i item, c history.Control, facts *history.Facts) {
	i.N = len(t.items) + 1
	c.Item = i.N
	p.cfg.Log.Append(history.Record{Kind: history.ControlPlaced, Task: t.ID, Control: &c, Facts: facts})
	t.items = append(t.items, i)
}
