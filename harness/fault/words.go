package fault

import (
	"fmt"
	"strings"
)

// Words say in a clause which moment the anchor is: "the service has written
// its reply to the 1st approval.submit and the client has none of it".
func (a Anchor) Words() string {
	steps := make([]string, len(a.Steps))
	for i, s := range a.Steps {
		steps[i] = s.Words()
	}
	return strings.Join(steps, ", and after that ")
}

// Words say in a clause which moment the step is.
func (s Step) Words() string {
	text := s.words()
	if s.Task != "" {
		text += " (task " + s.Task + ")"
	}
	return text
}

func (s Step) words() string {
	which := ordinalWords(s)
	switch s.Event {
	case "":
		return fmt.Sprintf(phaseWords(s.Phase), which+" "+s.Service+"."+s.Operation)
	case AgentStarted:
		return "the " + which + " piece of work has been given to an agent"
	case AgentClaims:
		return fmt.Sprintf("the agent makes its %s claim of %s", which, s.Detail)
	case AgentEscalates:
		return "the desk has taken the " + which + " escalation"
	case TaskCancelled:
		return "the task has been cancelled"
	case EventEmitted:
		return fmt.Sprintf("the service puts out the %s %s event", which, s.Detail)
	case EventDelivered:
		return fmt.Sprintf("the agent has acknowledged the %s %s event", which, s.Detail)
	case ConfirmationDelivered:
		return "the agent has been told the " + which + " confirmation that it asked for"
	}
	return s.String()
}

func phaseWords(p Phase) string {
	switch p {
	case Sent:
		return "the %s has left the client and nothing of it has been passed on"
	case Received:
		return "the service has the %s and has done nothing"
	case Validated:
		return "the service has taken on the %s and it has no consequence yet"
	case Committed:
		return "the consequence of the %s stands in the ledger and no reply is written"
	case Replied:
		return "the service has written its reply to the %s and the client has none of it"
	default:
		return "the client has taken the whole reply to the %s"
	}
}

func ordinalWords(s Step) string {
	switch {
	case s.Last == NoEnd:
		return "(each)"
	case s.Single():
		return ordinalWord(s.First)
	default:
		return ordinalWord(s.First) + " to " + ordinalWord(s.Last)
	}
}

func ordinalWord(n int) string {
	names := []string{"", "first", "second", "third", "fourth", "fifth"}
	if n < len(names) {
		return names[n]
	}
	return fmt.Sprintf("%dth", n)
}
