// Package control is the control plane of one run: it hands work to the agent
// under test, serves confirmations and inboxes, and takes state claims and
// results. It speaks the agent protocol, version 1, which [OpenAPI] describes;
// it is never faulted.
//
// A [Plane] serves the tasks of one run. Each process of the agent is admitted
// with a bearer token that opens only its own tasks:
//
//	plane, err := control.New(control.Config{Log: log, Tasks: tasks, Limits: limits, Digest: dialect.ContentDigest})
//	token := plane.Admit("p-1", "t-1")   // LOSTRECEIPT_URL=plane.URL(), LOSTRECEIPT_TOKEN=token
//	...
//	select {
//	case <-plane.Done():   // every task has a result
//	case <-plane.Failed(): // plane.Err() says why: a flood, an endpoint that could not be opened
//	}
//	plane.Finish()         // whoever asks for work is told that there is no more
//	plane.Close()
//
// People and faults change a task through [Plane.Cancel], [Plane.Stop],
// [Plane.Revise], [Plane.Revoke], [Plane.Decide] and [Plane.Emit].
//
// A worker goes from run to run, and has one address and one token for as long
// as it lives. A [Front] is the control plane as it sees it; the planes behind
// have a mark each ([Config.Mark]), which the ids of tasks and work items carry:
//
//	front, err := control.NewFront(control.FrontConfig{Free: free})
//	front.Assign(plane, plane.Admit("p-1", "t-1"), false)   // LOSTRECEIPT_URL=front.URL(), LOSTRECEIPT_TOKEN=front.Token()
//	// free is called when the worker asks for work again: assign it to the next plane
//
// # What is recorded
//
// What the agent says is recorded before it is answered or acted on; what the
// agent is told is recorded before the first byte of the reply is written.
//
//	work.given         a work item; Facts and Given.Confirmed are the confirmations as they are then
//	control.confirmed  every reply about a confirmation
//	control.placed     every change; Item is 0 for a revocation, which only a question about the confirmation shows.
//	                   Of an event, Reason is its type; of a revision, Version is the new one; of a revoked
//	                   permission, Permissions are those that are left
//	control.offered    an inbox reply reached further than any before it to the same work item
//	control.acked      the agent asked with a greater after than before, within what was ever offered
//	control.claim      every claim, also after the end of the task
//	control.result     the first result, and each that differs; a repeated one once a work item
//	control.refused    4xx answers, folded: the first, then one record whenever the number of its like has grown
//	                   tenfold, and the rest at Close. Count is how many the record stands for, so the sum is exact
//
// # Bounds
//
// A body over 1 MiB is answered 413 and not read. A task takes
// [Config.MaxRequests] requests, a process as many questions for work; then
// 429, and [Plane.Failed] reports [ErrFlooded]. Recorded text is clipped.
package control
