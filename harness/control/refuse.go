package control

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// problem is a request that is not carried out.
type problem struct {
	status int
	field  string // path of the field, if it is about one
	text   string // what is wrong, in words of the harness alone: it is recorded, and what is alike is folded
}

// String is the problem as it is recorded.
func (b *problem) String() string {
	if b.field != "" {
		return b.field + ": " + b.text
	}
	return b.text
}

// MarshalJSON is the body of the reply.
func (b *problem) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Error string `json:"error"`
		Field string `json:"field,omitempty"`
	}{b.String(), b.field})
}

// maxRefusals bounds how many different refusals are told apart.
const maxRefusals = 256

// refusals folds refused requests, so that a flood of them does not grow the
// history.
type refusals struct {
	log    *history.Log
	counts map[refusal]*folded
}

// refusal is what makes refused requests alike.
type refusal struct {
	process, task, work string
	status              int
	problem             string
}

type folded struct{ seen, recorded int }

// refuse records that a request was refused. d may be nil.
func (p *Plane) refuse(d *door, task string, b *problem) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := refusal{status: b.status, problem: b.String()}
	if d != nil {
		r.process = d.process
		if d.tasks[task] {
			r.task, r.work = task, d.works[task]
		}
	}
	p.refused.add(r)
}

func (f *refusals) add(r refusal) {
	if f.counts[r] == nil {
		if len(f.counts) >= maxRefusals {
			r = refusal{status: r.status, problem: "other problems"}
		}
		if f.counts[r] == nil {
			f.counts[r] = &folded{}
		}
	}
	n := f.counts[r]
	n.seen++
	if n.recorded == 0 || n.seen >= 10*n.recorded {
		f.record(r, n)
	}
}

// flush records what was folded since the last record.
func (f *refusals) flush() {
	alike := func(a, b refusal) int {
		if c := strings.Compare(a.process+"\x00"+a.task+"\x00"+a.work, b.process+"\x00"+b.task+"\x00"+b.work); c != 0 {
			return c
		}
		if a.status != b.status {
			return a.status - b.status
		}
		return strings.Compare(a.problem, b.problem)
	}
	for _, r := range slices.SortedFunc(maps.Keys(f.counts), alike) {
		if n := f.counts[r]; n.seen > n.recorded {
			f.record(r, n)
		}
	}
}

func (f *refusals) record(r refusal, n *folded) {
	f.log.Append(history.Record{Kind: history.ControlRefused, Task: r.task, Work: r.work, Control: &history.Control{
		Status: r.status, Problem: r.problem, Count: n.seen - n.recorded,
	}})
	n.recorded = n.seen
}
