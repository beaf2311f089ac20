package judge

import (
	"strings"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// index is the first pass: which records belong to which call, connection and
// process. Whether a reply was taken shows only later.
type index struct {
	calls     map[string]*call
	inOrder   []*call // as they were sent
	conns     map[string]*conn
	processes map[string]*process
	worker    map[string]*process // by work
	end       *history.Record     // the last record
	noise     *noise
	patience  time.Duration                // what the limits give an attempt
	latest    map[string]*history.Record   // the start of the last process, by task
	heard     map[string][]*history.Record // what the inbox offered, by work
	hollow    []int                        // records that lack what their kind must carry
	unread    map[string][]unread          // what the gate read late, by work
}

// noiseFloor is the least noise that is assumed of any machine.
const noiseFloor = 2 * time.Millisecond

func indexRecords(records []history.Record, patience time.Duration) *index {
	ix := &index{
		calls: map[string]*call{}, conns: map[string]*conn{}, processes: map[string]*process{}, worker: map[string]*process{},
		noise: newNoise(), patience: patience, heard: map[string][]*history.Record{}, latest: map[string]*history.Record{},
	}
	for i := range records {
		r := &records[i]
		ix.end = r
		if !complete(r) {
			ix.hollow = append(ix.hollow, r.N)
			continue
		}
		ix.add(r)
	}
	ix.findUnread()
	return ix
}

func (ix *index) add(r *history.Record) {
	switch r.Kind {
	case history.RunNoise:
		ix.noise.add(r.Run)
	case history.CallSent:
		ix.open(r)
	case history.CallForwarded, history.CallReplied, history.CallPassing, history.CallPassed:
		ix.follow(r)
	case history.ConnOpened:
		ix.connection(r.Wire.Conn).opened = r
	case history.ControlOffered:
		ix.heard[r.Work] = append(ix.heard[r.Work], r)
	case history.ConnEnded:
		ix.close(r)
	case history.ProcessStarted:
		ix.latest[r.Task] = r
		ix.process(r.Process.ID).started = r
	case history.WorkGiven:
		ix.worker[r.Work] = ix.process(r.Given.Process)
	case history.ProcessPaused:
		ix.process(r.Process.ID).pause(r.At)
	case history.ProcessResumed:
		ix.process(r.Process.ID).resume(r.At)
	case history.ProcessKilled:
		if pr := ix.process(r.Process.ID); pr.kill == nil {
			pr.kill = r
		}
	case history.FaultFired:
		if c := ix.calls[r.Call]; c != nil && strings.HasPrefix(r.Fault.Effect, "garble") && phaseOf(r.Fault.Anchor) == "replied" {
			c.garbled = true
		}
	}
}

// complete tells whether a record carries what its kind must carry.
func complete(r *history.Record) bool {
	switch family, _, _ := strings.Cut(string(r.Kind), "."); family {
	case "run":
		return r.Run != nil
	case "conn", "call", "service":
		return r.Wire != nil
	case "ledger":
		return r.Ledger != nil
	case "work":
		return r.Given != nil
	case "control":
		return r.Control != nil
	case "process":
		return r.Process != nil
	case "fault":
		return r.Fault != nil
	}
	return true
}

func (ix *index) process(id string) *process {
	p := ix.processes[id]
	if p == nil {
		p = &process{}
		ix.processes[id] = p
	}
	return p
}

func (ix *index) connection(id string) *conn {
	c := ix.conns[id]
	if c == nil {
		c = &conn{}
		ix.conns[id] = c
	}
	return c
}

func (ix *index) open(r *history.Record) {
	op, found := operations[operationName{r.Wire.Service, r.Wire.Operation}]
	if !found {
		op = contract.Operation{Service: r.Wire.Service, Name: r.Wire.Operation}
	}
	c := &call{sent: r, op: op, conn: ix.connection(r.Wire.Conn)}
	if !r.Wire.Copy {
		c.conn.last = c
	}
	ix.calls[r.Call] = c
	ix.inOrder = append(ix.inOrder, c)
}

func (ix *index) follow(r *history.Record) {
	c := ix.calls[r.Call]
	if c == nil {
		return
	}
	switch r.Kind {
	case history.CallForwarded:
		c.forwarded = r
	case history.CallReplied:
		c.replied = r
	case history.CallPassing:
		c.passing = r
	default:
		c.passed = r
	}
}

func (ix *index) close(r *history.Record) {
	c := ix.connection(r.Wire.Conn)
	end := &c.harness
	switch r.Wire.By {
	case history.ByClient:
		end = &c.client
	case history.ByService:
		end = &c.service
	}
	if *end == nil {
		*end = r
	}
}

type operationName struct{ service, name string }

// operations are all operations by their name.
var operations = func() map[operationName]contract.Operation {
	all := map[operationName]contract.Operation{}
	for _, o := range contract.Operations() {
		all[operationName{o.Service, o.Name}] = o
	}
	return all
}()
