package judge

import (
	"encoding/json"
	"slices"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// question is a task that is answered by read-only tools through a model. It is
// judged from the wire alone: the calls of the tools, and what the model was
// sent, which is the conversation as the agent keeps it.
type question struct {
	task   *task
	tools  map[string]bool     // that were offered
	chains map[string][]string // by tool: what takes its place, in order
	models []string            // in order

	prompt  string    // digest of the first message of a person
	answers []*answer // of the model that may have been taken, in order
	entered []*answer // of them those that the conversation carries
	passed  int       // the answers of which it is known whether they were dropped
	request *call     // the last one to the model
	turn    *turn     // that it is part of
	reached int       // the place of the last model that there was a reason to ask

	asked   map[wish]*errand // the newest one that a model's answer asks for
	errands []*errand        // of tools that an answer asks for, in order
	failed  map[wish]int     // failed results that the model was told, refusals to try at all left out
	gaps    map[string]*gap  // by tool: it has failed, and nothing has taken its place
	tried   map[string]bool  // tools that were called, or that the model was told have failed
	served  map[string]int   // by tool: calls that may have succeeded
	crowded bool             // two workers had the task at a time
	failing bool             // something has failed, or may have
}

// wish is a call of a tool with arguments.
type wish struct{ tool, arguments string }

// The degraded ends of a chain, which are no tools.
const (
	answerWithGap = "answer_with_gap"
	human         = "human"
)

// input is what the judge reads of a question's input.
type input struct {
	Tools []struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	} `json:"tools"`
	Fallback map[string][]string `json:"fallback"`
	Models   []string            `json:"models"`
}

// questionType is the type of the tasks that are judged so.
const questionType = "question"

func newQuestion(t *task, given *history.Given) *question {
	q := &question{
		task: t, tools: map[string]bool{}, asked: map[wish]*errand{}, failed: map[wish]int{}, gaps: map[string]*gap{},
		tried: map[string]bool{}, served: map[string]int{}, chains: map[string][]string{},
	}
	var in input
	if json.Unmarshal(given.Input, &in) != nil {
		return q // what cannot be read offers nothing, and demands nothing
	}
	q.models = in.Models
	for _, tool := range in.Tools {
		q.tools[tool.Function.Name] = true
	}
	for tool, chain := range in.Fallback {
		q.chains[tool] = slices.DeleteFunc(slices.Clone(chain), func(name string) bool { return name == answerWithGap || name == human })
	}
	return q
}

// latest is the newest answer of the model, or nil.
func (q *question) latest() *answer {
	if n := len(q.answers); n > 0 {
		return q.answers[n-1]
	}
	return nil
}

// answer is an answer of the model that may have been taken.
type answer struct {
	call    *call
	says    *history.Message
	n       int                // its place among all
	sure    bool               // it was taken, and nothing is wrong with it
	dropped bool               // the conversation went on without it
	errands map[string]*errand // by the call's id
}

// is tells whether a message of a conversation is this answer: it says the same,
// or asks for some of the same calls.
func (a *answer) is(m *history.Message) bool {
	if m.Digest != "" && m.Digest == a.says.Digest {
		return true
	}
	if len(m.Calls) == 0 {
		return len(a.says.Calls) == 0 && !m.Empty && m.Text == a.says.Text
	}
	for _, c := range m.Calls {
		if e := a.errands[c.ID]; e == nil || e.wish != (wish{c.Name, c.Arguments}) {
			return false
		}
	}
	return true
}

// turn is one turn of the model: all requests of which the newest answer is the
// same.
type turn struct {
	after  *answer
	number int       // from 1
	models []*errand // one a model, in the order in which they were asked
}

// of is what one model was asked in this turn, or nil.
func (t *turn) of(model string) *errand {
	for _, e := range t.models {
		if e.tool == model {
			return e
		}
	}
	return nil
}

// gap is a tool that has failed, and that nothing has taken the place of yet.
type gap struct {
	since int      // record of the request that told the model so
	left  []string // of its chain, what has not failed
	// filled is set while the tool itself, or what stands in its place, may have succeeded and the model was
	// not told yet.
	filled bool
}

// over are the gaps that a tool fills when it succeeds.
func (q *question) over(tool string) []*gap {
	var all []*gap
	for failed, g := range q.gaps {
		if failed == tool || slices.Contains(q.chains[failed], tool) {
			all = append(all, g)
		}
	}
	return all
}
