package control

import "time"

// Plane is the control plane of one run. Its methods are safe for concurrent use.
type Plane struct{}

// New starts a plane on a loopback port of its own.
func New(cfg Config) (*Plane, error) { panic("soon") }

// URL is the base address, for LOSTRECEIPT_URL.
func (p *Plane) URL() string { panic("soon") }

// Admit lets a process in and returns its bearer token, for LOSTRECEIPT_TOKEN. The process is given these tasks in turn
// as it asks for work: task.start for a task that no process has been given, task.resume otherwise. Another question for work
// waits (204) while one of its tasks has no result; after that it is told that there is no more (410).
func (p *Plane) Admit(process string, tasks ...string) (token string) { panic("soon") }

// Finish makes every question for work answer 410, also those that wait.
func (p *Plane) Finish() { panic("soon") }

// Close ends the server and every connection, and waits for both. Long polls are answered first.
func (p *Plane) Close() error { panic("soon") }

// Done is closed when every task has a result.
func (p *Plane) Done() <-chan struct{} { panic("soon") }

// Failed is closed when the plane cannot serve its purpose any longer. [Plane.Err] says why.
func (p *Plane) Failed() <-chan struct{} { panic("soon") }

// Err is why [Plane.Failed] was closed, nil before.
func (p *Plane) Err() error { panic("soon") }

// Result is the first result of a task, if there is one.
func (p *Plane) Result(task string) (Result, bool) { panic("soon") }

// Activity is the instant, on the log's clock, of the last request that the plane took from a process it admitted.
func (p *Plane) Activity() time.Duration { panic("soon") }

// Holder is the process to which a work item was given, and its task.
func (p *Plane) Holder(work string) (process, task string, ok bool) { panic("soon") }

// Cancel cancels the task. A second time does nothing.
func (p *Plane) Cancel(task string) error { panic("soon") }

// Stop tells the task's agent that its own guard stopped it. A second time does nothing.
func (p *Plane) Stop(task string) error { panic("soon") }

// Revise makes the next version of a confirmation: the fields of change replace those of its content. An empty
// id means the task's first confirmation.
func (p *Plane) Revise(task, confirmation string, change map[string]string) error { panic("soon") }

// Revoke takes back, on every confirmation of the task: "confirmation" its validity, "permission" every permission, or one permission by name.
// It places nothing in the inbox.
func (p *Plane) Revoke(task, what string) error { panic("soon") }

// Decide places a person's decision about an escalation.
func (p *Plane) Decide(task string, d Decision) error { panic("soon") }

// Emit places a service's event.
func (p *Plane) Emit(task string, e Event) error { panic("soon") }
