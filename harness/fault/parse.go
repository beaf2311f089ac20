package fault

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// maxOrdinal bounds an ordinal; more is a slip of the pen.
const maxOrdinal = 1000

// maxAnchor bounds the text of an anchor, in bytes.
const maxAnchor = 1000

// ClaimStates are the states that an agent can claim.
func ClaimStates() []string {
	return []string{
		"submitting", "pending_verification", "tracking", "completed", "declined", "refused", "blocked",
		"escalated", "cancelled", "withdrawn", "preview_ready", "failed",
	}
}

// EventTypes are the events that services put out about their records.
func EventTypes() []string { return []string{"approved", "declined", "withdrawn"} }

// ParseAnchor reads an anchor. Its error is a [Misuse] whose Offset points
// into the text.
func ParseAnchor(text string) (Anchor, error) {
	if len(text) > maxAnchor {
		return Anchor{}, &Misuse{Message: fmt.Sprintf("an anchor has at most %d characters", maxAnchor)}
	}
	var a Anchor
	at := 0
	for part := range strings.SplitSeq(text, " and then ") {
		step, err := parseStep(part)
		if err != nil {
			err.Offset += at
			if err.Suggestion != "" {
				err.Suggestion = text[:at] + err.Suggestion + text[at+len(part):]
			}
			return Anchor{}, err
		}
		a.Steps = append(a.Steps, step)
		at += len(part) + len(" and then ")
	}
	return a, nil
}

// parseStep reads one step. The suggestion of its error replaces the step.
func parseStep(text string) (Step, *Misuse) {
	if strings.TrimSpace(text) == "" {
		return Step{}, &Misuse{Message: `the anchor is empty: write one such as "approval.submit#1 replied"`}
	}
	if text != strings.Join(strings.Fields(text), " ") {
		m := &Misuse{Message: "an anchor's words stand one blank apart", Suggestion: strings.Join(strings.Fields(text), " ")}
		if _, err := parseStep(m.Suggestion); err != nil {
			m.Suggestion = ""
		}
		return Step{}, m
	}
	task, rest, prefixed := strings.Cut(text, "/")
	if !prefixed {
		task, rest = "", text
	} else if !isName(task) {
		return Step{}, &Misuse{Message: fmt.Sprintf("%q is no task id: before the slash stands the id of a task, as in b/approval.submit#1 sent", task)}
	}
	step, err := parseRest(rest)
	if err != nil && prefixed {
		err.Offset += len(task) + 1
		if err.Suggestion != "" {
			err.Suggestion = task + "/" + err.Suggestion
		}
	}
	step.Task = task
	return step, err
}

func parseRest(text string) (Step, *Misuse) {
	first, _, _ := strings.Cut(text, " ")
	switch {
	case first == "agent" || strings.HasPrefix(first, "agent#"):
		return parseAgent(text)
	case first == "task" || strings.HasPrefix(first, "task#"):
		return parseNamed(text, TaskCancelled)
	case first == "event" || strings.HasPrefix(first, "event#"):
		return parseEvent(text)
	}
	return parseCall(text)
}

// parseAgent reads "agent started", "agent claims STATE" and "agent escalates",
// each perhaps with an ordinal.
func parseAgent(text string) (Step, *Misuse) {
	if state, ok := strings.CutPrefix(text, AgentClaims+" "); ok {
		name, ordinal, _ := strings.Cut(state, "#")
		if !slices.Contains(ClaimStates(), name) {
			m := &Misuse{Offset: len(AgentClaims) + 1, Message: fmt.Sprintf("unknown state %q", name)}
			if near := Nearest(name, ClaimStates()); near == "" {
				m.Message += ": an agent claims one of " + strings.Join(ClaimStates(), ", ")
			} else {
				m.Suggestion = AgentClaims + " " + near + text[len(AgentClaims)+1+len(name):]
			}
			return Step{}, m
		}
		return withOrdinal(Step{Event: AgentClaims, Detail: name}, state, ordinal, len(AgentClaims)+1+len(name)+1)
	}
	if text == AgentClaims {
		return Step{}, &Misuse{Message: fmt.Sprintf("agent claims what? Write one of %s", strings.Join(ClaimStates(), ", "))}
	}
	return parseNamed(text, AgentStarted, AgentEscalates, AgentClaims+" tracking")
}

// parseNamed reads an event whose name is fixed.
func parseNamed(text string, names ...string) (Step, *Misuse) {
	name, ordinal, _ := strings.Cut(text, "#")
	for _, n := range names {
		if name == n {
			return withOrdinal(Step{Event: n}, text, ordinal, len(n)+1)
		}
	}
	return Step{}, &Misuse{Message: fmt.Sprintf("unknown anchor %q", text), Suggestion: Nearest(text, names)}
}

// withOrdinal adds an ordinal that may be left out: without one, the first.
func withOrdinal(s Step, text, ordinal string, offset int) (Step, *Misuse) {
	s.First, s.Last = 1, 1
	if !strings.Contains(text, "#") {
		return s, nil
	}
	first, last, err := parseOrdinal(ordinal)
	if err != nil {
		err.Offset += offset
		return Step{}, err
	}
	s.First, s.Last = first, last
	return s, nil
}

// parseEvent reads "event TYPE#n emitted" and "event TYPE#n delivered".
func parseEvent(text string) (Step, *Misuse) {
	subject, moment, _ := strings.Cut(strings.TrimPrefix(text, "event "), " ")
	name, ordinal, numbered := strings.Cut(subject, "#")
	const offset = len("event ")
	if text == "event" || !isName(name) {
		return Step{}, &Misuse{Message: "which event? Write its type and number, as in event approved#1 emitted"}
	}
	if !slices.Contains(EventTypes(), name) {
		m := &Misuse{Offset: offset, Message: fmt.Sprintf("unknown event %q: services put out %s", name, strings.Join(EventTypes(), ", "))}
		if near := Nearest(name, EventTypes()); near != "" {
			m.Suggestion = "event " + near + text[offset+len(name):]
		}
		return Step{}, m
	}
	if !numbered {
		m := &Misuse{Offset: offset, Message: fmt.Sprintf("the ordinal is missing: which %s event?", name)}
		if moment == "emitted" || moment == "delivered" {
			m.Suggestion = fmt.Sprintf("event %s#1 %s", name, moment)
		}
		return Step{}, m
	}
	first, last, err := parseOrdinal(ordinal)
	if err != nil {
		err.Offset += offset + len(name) + 1
		return Step{}, err
	}
	for _, event := range []string{EventEmitted, EventDelivered} {
		if event == "event "+moment {
			return Step{Event: event, Detail: name, First: first, Last: last}, nil
		}
	}
	m := &Misuse{Offset: min(len(text), offset+len(subject)+1), Message: fmt.Sprintf("an event is emitted or delivered, not %q", moment)}
	if near := Nearest(moment, []string{"emitted", "delivered"}); near != "" {
		m.Suggestion = "event " + subject + " " + near
	}
	return Step{}, m
}

// parseCall reads "SERVICE.OPERATION#n PHASE" and "control.confirmation#n delivered".
func parseCall(text string) (Step, *Misuse) {
	subject, phase, phased := strings.Cut(text, " ")
	name, ordinal, numbered := strings.Cut(subject, "#")
	confirmation := name == "control.confirmation"
	op, known := contract.FindOperation(name)
	if !known && !confirmation {
		return Step{}, unknownCall(text, name)
	}
	if !numbered {
		m := &Misuse{Offset: len(name), Message: fmt.Sprintf("the ordinal is missing: which call of %s?", name)}
		if phased {
			m.Suggestion = name + "#1 " + phase
		}
		return Step{}, m
	}
	first, last, err := parseOrdinal(ordinal)
	if err != nil {
		err.Offset += len(name) + 1
		return Step{}, err
	}
	if confirmation {
		if phase != string(Delivered) {
			return Step{}, &Misuse{Offset: len(subject), Message: "the control plane is never faulted: a confirmation is only delivered", Suggestion: subject + " delivered"}
		}
		return Step{Event: ConfirmationDelivered, First: first, Last: last}, nil
	}
	phases := phasesOf(op)
	if !phased {
		return Step{}, &Misuse{Offset: len(subject), Message: fmt.Sprintf("the phase is missing: one of %s", strings.Join(phases, ", "))}
	}
	if !slices.Contains(phases, phase) {
		m := &Misuse{Offset: len(subject) + 1, Message: fmt.Sprintf("unknown phase %q: %s passes %s", phase, op, strings.Join(phases, ", "))}
		if phase == string(Validated) || phase == string(Committed) {
			m.Message = fmt.Sprintf("%s only reads, so it is never %s: it passes %s", op, phase, strings.Join(phases, ", "))
		} else if near := Nearest(phase, phases); near != "" {
			m.Suggestion = subject + " " + near
		}
		return Step{}, m
	}
	return Step{Service: op.Service, Operation: op.Name, Phase: Phase(phase), First: first, Last: last}, nil
}

// meant is the operation whose service or whose own name was written rightly,
// "" if there is none, and the operations of the service if that is right.
func meant(name string) (near string, own []string) {
	service, verb, _ := strings.Cut(name, ".")
	var verbs, elsewhere []string
	for _, op := range contract.Operations() {
		if op.Service == service {
			verbs, own = append(verbs, op.Name), append(own, op.String())
		} else if strings.EqualFold(op.Name, verb) {
			elsewhere = append(elsewhere, op.String())
		}
	}
	if own != nil {
		if verb := Nearest(verb, verbs); verb != "" {
			return service + "." + verb, own
		}
		if len(elsewhere) == 1 {
			return elsewhere[0], own
		}
		return "", own
	}
	if len(elsewhere) == 1 {
		return elsewhere[0], nil
	}
	return "", nil
}

// unknownCall says what was probably meant by a step that begins with no known operation.
func unknownCall(text, name string) *Misuse {
	var names []string
	for _, op := range contract.Operations() {
		names = append(names, op.String())
	}
	names = append(names, "control.confirmation")
	m := &Misuse{Message: fmt.Sprintf("unknown operation %q", name)}
	near, own := meant(name)
	if near == "" && len(own) > 0 {
		m.Message += fmt.Sprintf(": one of %s", strings.Join(own, ", "))
		return m
	}
	if near == "" {
		near = Nearest(name, names)
	}
	if near != "" {
		m.Suggestion = near + strings.TrimPrefix(text, name)
		return m
	}
	for _, first := range []string{"agent", "task", "event"} {
		if Nearest(name, []string{first}) != "" && name != first {
			m.Message = fmt.Sprintf("unknown anchor %q", text)
			m.Suggestion = first + strings.TrimPrefix(text, name)
			return m
		}
	}
	m.Message += fmt.Sprintf(": one of %s", strings.Join(names, ", "))
	return m
}

// phasesOf are the phases that the calls of an operation pass.
func phasesOf(op contract.Operation) []string {
	var phases []string
	for _, p := range Phases() {
		if op.Write || (p != Validated && p != Committed) {
			phases = append(phases, string(p))
		}
	}
	return phases
}

// parseOrdinal reads n, a..b or every.
func parseOrdinal(text string) (first, last int, m *Misuse) {
	if text == "every" {
		return 1, NoEnd, nil
	}
	from, to, ranged := strings.Cut(text, "..")
	if first, m = parseCount(from); m != nil {
		return 0, 0, m
	}
	if !ranged {
		return first, first, nil
	}
	if last, m = parseCount(to); m != nil {
		m.Offset += len(from) + 2
		return 0, 0, m
	}
	if last <= first {
		return 0, 0, &Misuse{Message: fmt.Sprintf("a range runs upwards, not from %d to %d", first, last)}
	}
	return first, last, nil
}

func parseCount(text string) (int, *Misuse) {
	n, err := strconv.Atoi(text)
	switch {
	case !digits(text) || err != nil:
		return 0, &Misuse{Message: fmt.Sprintf("%q is no ordinal: write a number, a range such as 1..3, or every", text)}
	case text[0] == '0':
		return 0, &Misuse{Message: fmt.Sprintf("%q is no ordinal: calls are counted from 1, without leading zeros", text)}
	case n > maxOrdinal:
		return 0, &Misuse{Message: fmt.Sprintf("ordinal %d is out of range: at most %d", n, maxOrdinal)}
	}
	return n, nil
}

// isName tells whether a text is an id: letters, digits, and - _ . inside.
func isName(text string) bool {
	for i, r := range text {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
		if !letter && (i == 0 || !strings.ContainsRune("-_.", r)) {
			return false
		}
	}
	return text != ""
}
