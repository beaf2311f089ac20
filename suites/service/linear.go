package service

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// verb is what a client of a crowd does with an identifier.
type verb string

const (
	submits   verb = "submits"
	queries   verb = "queries"
	asks      verb = "asks for the state"
	fences    verb = "fences"
	withdraws verb = "withdraws"
)

// deed is one thing that one client did.
type deed struct {
	client  int
	key     string
	verb    verb
	content string // of a submission
	call    time.Duration
	end     time.Duration // 0: no answer came; it may be carried out at any time from call on, or never
	saw     sight
}

// sight is what a client saw.
type sight struct {
	kind   string // a constant below
	refs   string // of the record, or of all records that were found, in their order
	status string // of the record
}

// The kinds of a sight.
const (
	nothing    = ""           // no answer, or one that settles nothing
	records    = "records"    // a record, some, or none
	conflicts  = "a conflict" // the identifier carries other content
	fenced     = "a fence"    // the identifier is fenced
	absent     = "absent"     // there is no such record
	decided    = "too late"   // the record is in no state for it
	unsettled  = "unsettled"  // the state of the identifier: unknown, or processing
	impossible = "impossible" // an answer that no state of a right service gives
)

func (d deed) String() string {
	what := string(d.verb)
	if d.verb == submits {
		what += " " + d.content
	}
	saw, end := d.saw.kind, "..."
	if d.end > 0 {
		end = d.end.Round(time.Microsecond).String()
	}
	switch {
	case d.saw.kind == nothing && d.end == 0:
		saw = "no answer"
	case d.saw.kind == nothing:
		saw = "an answer that settles nothing"
	case d.saw.kind == records && d.saw.refs == "":
		saw = "no record"
	case d.saw.kind == records:
		saw = strings.TrimSpace(d.saw.refs + " " + d.saw.status)
	}
	return fmt.Sprintf("client %d from %s to %s %s: %s", d.client, d.call.Round(time.Microsecond), end, what, saw)
}

// held is what a service that creates once holds under one identifier.
type held struct {
	fenced  bool
	made    bool
	content string
	ref     string // "": nobody has seen it yet
	status  string // Pending, Approved, Declined or Withdrawn
}

// creatingOnce is a service that creates once for each identifier: it answers
// every repetition with the record, other content with a conflict, and what it
// has fenced with a refusal. Its approver may decide at any time.
func creatingOnce() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return held{} },
		Step: func(state, input, output any) (bool, any) {
			h, d, saw := state.(held), input.(deed), output.(sight)
			if saw.kind == nothing {
				return true, h.after(d)
			}
			return h.explains(d, saw)
		},
		Equal:             func(a, b any) bool { return a.(held) == b.(held) },
		DescribeOperation: func(input, _ any) string { return input.(deed).String() },
		DescribeState:     func(state any) string { return fmt.Sprintf("%+v", state) },
	}
}

// after is what is held when a deed is carried out whose answer nobody saw.
func (h held) after(d deed) held {
	switch {
	case d.verb == submits && !h.fenced && !h.made:
		return held{made: true, content: d.content, status: Pending}
	case d.verb == fences && !h.made:
		h.fenced = true
	case d.verb == withdraws && h.made && h.status == Pending:
		h.status = Withdrawn
	}
	return h
}

// explains tells whether a deed can have been answered so, and what is held
// then.
func (h held) explains(d deed, saw sight) (bool, any) {
	next := h.after(d)
	switch d.verb {
	case submits:
		switch {
		case h.fenced:
			return saw.kind == fenced, h
		case next.content != d.content:
			return saw.kind == conflicts, h
		}
		return next.shows(saw)
	case queries:
		if !h.made {
			return saw.kind == records && saw.refs == "", h
		}
		return h.shows(saw)
	case asks, fences:
		switch {
		case next.fenced:
			return saw.kind == fenced, next
		case !h.made:
			return saw.kind == unsettled, h
		}
		return h.shows(saw)
	case withdraws:
		switch {
		case !h.made:
			return saw.kind == absent, h
		case saw.kind == decided && h.status == Pending:
			h.status = "" // somehow decided
			return true, h
		case saw.kind == decided:
			return h.status != Withdrawn, h
		}
		return next.shows(saw)
	}
	return false, h
}

// shows tells whether the one record can have been seen so. What was pending may
// be decided by then.
func (h held) shows(saw sight) (bool, any) {
	if saw.kind != records || saw.refs == "" || strings.Contains(saw.refs, ",") || h.ref != "" && h.ref != saw.refs {
		return false, h
	}
	h.ref = saw.refs
	settled := saw.status == Approved || saw.status == Declined
	switch {
	case saw.status == "" || saw.status == h.status:
	case settled && (h.status == Pending || h.status == ""):
		h.status = saw.status
	default:
		return false, h
	}
	return true, h
}

// searching is how long an order that explains the answers is searched for.
const searching = 30 * time.Second

// explain demands that a service which creates once can have given all answers.
// The deeds may be of several identifiers.
func explain(deeds []deed) error {
	byKey := map[string][]deed{}
	owner := map[string]string{} // of a reference: its identifier
	for _, d := range deeds {
		byKey[d.key] = append(byKey[d.key], d)
		for ref := range strings.FieldsFuncSeq(d.saw.refs, func(r rune) bool { return r == ',' }) {
			if o, taken := owner[ref]; taken && o != d.key {
				return broken("each identifier has a record of its own", "%s was the answer to %s and to %s", ref, o, d.key)
			}
			owner[ref] = d.key
		}
	}
	for key, deeds := range byKey {
		var last time.Duration
		for _, d := range deeds {
			last = max(last, d.call, d.end)
		}
		var operations []porcupine.Operation
		for _, d := range deeds {
			end := d.end
			if d.saw.kind == nothing {
				end = last + 1 // it may be carried out long after the client gave up
			}
			operations = append(operations, porcupine.Operation{ClientId: d.client, Input: d, Call: int64(d.call), Output: d.saw, Return: int64(end)})
		}
		switch porcupine.CheckOperationsTimeout(creatingOnce(), operations, searching) {
		case porcupine.Illegal:
			return broken("concurrent requests with one identifier have one consequence, and all clients see one order of events",
				"no order of the requests under %s explains what the clients saw:\n%s", key, told(deeds))
		case porcupine.Unknown:
			return fmt.Errorf("whether some order of %d requests under %s explains what the clients saw was not found out in %s", len(deeds), key, searching)
		}
	}
	return nil
}

// told lists deeds in the order of their beginning.
func told(deeds []deed) string {
	deeds = slices.SortedFunc(slices.Values(deeds), func(a, b deed) int { return cmp.Compare(a.call, b.call) })
	lines := make([]string, len(deeds))
	for i, d := range deeds {
		lines[i] = "    " + d.String()
	}
	return strings.Join(lines, "\n")
}
