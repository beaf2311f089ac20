package control

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"strings"
)

// Admit lets a process in and returns its bearer token, for LOSTRECEIPT_TOKEN.
// The process is given these tasks in turn as it asks for work: task.start for
// a task that no process has been given, task.resume otherwise; a task that
// has a result is not given any more. Another question for work waits (204)
// until [Plane.Finish], also when the process's tasks have their results: what
// an agent does after its end is watched, as it would go on in a pool of
// workers. Tasks that the plane does not have are left out.
func (p *Plane) Admit(process string, tasks ...string) (token string) {
	token = rand.Text()
	d := &door{
		process: process, tasks: map[string]bool{}, works: map[string]string{}, offered: map[string]int{}, acked: map[string]int{},
		asked: make(chan struct{}),
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, id := range tasks {
		p.enqueue(d, id)
	}
	p.doors[token] = d
	return token
}

// Hand gives one more task to a process that was admitted, as if it had been
// admitted with it. A task or process that the plane does not have is left out.
func (p *Plane) Hand(process, task string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if d := p.of(process); d != nil {
		p.enqueue(d, task)
		p.wake()
	}
}

// Asked is closed when the process has asked for work: it is up, and will be
// given what [Plane.Hand] hands it at once. Nil for a process that was not
// admitted.
func (p *Plane) Asked(process string) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if d := p.of(process); d != nil {
		return d.asked
	}
	return nil
}

// of is the door of a process, or nil. The caller holds mu.
func (p *Plane) of(process string) *door {
	for _, d := range p.doors {
		if d.process == process {
			return d
		}
	}
	return nil
}

// enqueue queues a task for a process. The caller holds mu.
func (p *Plane) enqueue(d *door, task string) {
	if p.tasks[task] != nil && !d.tasks[task] {
		d.tasks[task] = true
		d.queue = append(d.queue, task)
	}
}

// enter finds the door that the request's token opens, and counts the request.
// task is the task that the request is about, or "".
func (p *Plane) enter(r *http.Request, task string) (*door, *problem) {
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.doors[tokenOf(r)]
	if d == nil {
		if p.strays++; p.strays > p.cfg.MaxRequests {
			p.fail(fmt.Errorf("control: more than %d requests without a valid token: %w", p.cfg.MaxRequests, ErrFlooded))
		}
		return nil, noToken()
	}
	p.active = p.cfg.Log.Now()
	if task != "" && !d.tasks[task] {
		task = ""
	}
	count, what := &d.requests, "process "+d.process
	if task != "" {
		count, what = &p.tasks[task].requests, "task "+task
	}
	if *count++; *count > p.cfg.MaxRequests {
		p.fail(fmt.Errorf("control: %s: more than %d requests: %w", what, p.cfg.MaxRequests, ErrFlooded))
		return d, &problem{status: http.StatusTooManyRequests, text: fmt.Sprintf("more than %d requests", p.cfg.MaxRequests)}
	}
	return d, nil
}

// tokenOf is the bearer token of a request, "" if it has none.
func tokenOf(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

func noToken() *problem {
	return &problem{status: http.StatusUnauthorized, text: "no valid token: send the header Authorization: Bearer, with the value of LOSTRECEIPT_TOKEN"}
}

// own finds a task that the door opens. The caller holds mu.
func (p *Plane) own(d *door, id string) (*job, *problem) {
	if !d.tasks[id] {
		return nil, &problem{status: http.StatusNotFound, text: "this token opens no such task"}
	}
	return p.tasks[id], nil
}
