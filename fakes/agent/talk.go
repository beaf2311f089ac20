package agent

import (
	"encoding/json"
	"time"
)

// talk is all that is known about one question. It is written after each step,
// so a process that is killed goes on after the last one that finished.
type talk struct {
	Messages []message      `json:"messages"`
	Turns    int            `json:"turns"`  // answers of a model
	Model    int            `json:"model"`  // index of the one that is asked
	Effort   *effort        `json:"effort"` // the call under way
	Failures map[string]int `json:"failures,omitempty"`
	// Keys are the identifiers of calls that have not succeeded, by what they ask for.
	Keys    map[string]string `json:"keys,omitempty"`
	Sources []source          `json:"sources,omitempty"`
	Gaps    []gap             `json:"gaps,omitempty"`

	Tripped  bool      `json:"tripped,omitempty"` // the breaker is open
	Ending   string    `json:"ending,omitempty"`  // status of the result, once there is one
	Output   string    `json:"output,omitempty"`
	Handover *handover `json:"handover,omitempty"`

	LastError string   `json:"last_error,omitempty"`
	Trace     []string `json:"trace,omitempty"`
}

// effort is one call and the attempts that were made of it, over all processes.
type effort struct {
	Call     string    `json:"call"`
	Attempts int       `json:"attempts"`
	Open     bool      `json:"open,omitempty"` // the last attempt has begun and its end has not been noted
	Next     time.Time `json:"next,omitzero"`  // not before this instant again
}

// source is a tool whose data the answer rests on.
type source struct {
	Tool string `json:"tool"`
	AsOf string `json:"as_of,omitempty"` // how old the data says that it is
	For  string `json:"for,omitempty"`   // the failed tool that it stands in for
}

// gap is a failed call that nothing has made good.
type gap struct {
	Tool   string   `json:"tool"`
	Failed []string `json:"failed,omitempty"` // tools of its chain that failed too
	Calls  []string `json:"calls,omitempty"`  // identities that failed for good
	Error  string   `json:"error"`
	Turn   int      `json:"turn"` // of the model that asked for it
}

func (t *talk) note(line string) { t.Trace = noted(t.Trace, line) }

// pending lists the calls of the last answer that no tool message answers yet.
func (t *talk) pending() []toolCall {
	last := len(t.Messages) - 1
	for last >= 0 && t.Messages[last].Role == "tool" {
		last--
	}
	if last < 0 || t.Messages[last].Role != "assistant" {
		return nil
	}
	answered := map[string]bool{}
	for _, m := range t.Messages[last+1:] {
		answered[m.ToolCallID] = true
	}
	var open []toolCall
	for _, c := range t.Messages[last].ToolCalls {
		if !answered[c.ID] {
			open = append(open, c)
		}
	}
	return open
}

// notebook keeps the talk of a question. When keep returns nil, what it wrote
// survives a kill and a power failure.
type notebook interface {
	read() (*talk, error)
	keep(t *talk) error
}

// pad is the notebook in the task's state directory.
type pad struct{ *vault }

func (p pad) read() (*talk, error) { return stored[talk](p.vault, talks) }

func (p pad) keep(t *talk) error {
	return p.set(talks, func(json.RawMessage) (json.RawMessage, error) { return encode(t), nil })
}
