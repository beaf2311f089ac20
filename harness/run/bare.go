package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/lostreceipt/lostreceipt/harness/agent"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
)

// Bare is an agent that knows nothing of the agent protocol: a program that has a
// model's base URL and the URL of an MCP server, and nothing else. It is started
// for each question with
//
//	OPENAI_BASE_URL      the model, with /v1
//	OPENAI_API_KEY       any text
//	OPENAI_MODEL         the first of the task's models
//	LOSTRECEIPT_MCP_URL  the tools
//	LOSTRECEIPT_PROMPT   what is asked
//	LOSTRECEIPT_INPUT    the task's input whole, for one that can be told its chains; it may be ignored
//
// and its end is the end of the task. The harness takes the work itself. What
// rests on the protocol cannot be judged, see [judge.Unheard]; what needs it does
// not run: purchases, kills, orders through the inbox, escalations.
type Bare struct {
	_ struct{}

	Command Command
}

var (
	_ Agent = Bare{}
	_ mute  = Bare{}
)

// mute is an agent that says nothing to the control plane.
type mute interface {
	// Unoffered are the parts of a scenario that it cannot be offered, by name.
	Unoffered(s *scenario.Scenario) []string
}

// Lacks names what no such agent has.
func (b Bare) Lacks() []string {
	return []string{"purchase", "withdraw", "notify", "escalate", "decisions", "revise", "several", "restart"}
}

// Unoffered are tasks of other types than a question, faults that reach an agent
// through the protocol alone, and limits other than the run's.
func (b Bare) Unoffered(s *scenario.Scenario) []string {
	var names []string
	for _, t := range s.Tasks {
		if t.Type != scenario.Question {
			names = append(names, t.Type)
		}
	}
	for _, f := range s.Faults {
		for _, e := range f.Do {
			if slices.Contains([]string{"stop", "cancel", "redispatch"}, e.Name()) {
				names = append(names, e.Name())
			}
		}
		for _, step := range f.At.Steps {
			if !f.Optional && (step.Service == "desk" || step.Event != "" && step.Event != fault.AgentStarted) {
				names = append(names, step.String())
			}
		}
	}
	if len(s.Given.Limits) > 0 {
		names = append(names, "limits") // nobody tells it
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Check tells whether the command can be started here, and if not what to do.
func (b Bare) Check() error { return b.Command.Check() }

// Open checks the command.
func (b Bare) Open(log *history.Log) (Crew, error) {
	crew, err := b.Command.Open(log)
	if err != nil {
		return nil, err
	}
	return &bareCrew{Crew: crew, log: log, client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: patience}}, nil
}

type bareCrew struct {
	Crew
	log    *history.Log
	client *http.Client
}

// given is what of a work item such an agent is told.
type given struct {
	Task struct {
		Endpoints map[string]string `json:"endpoints"`
		Input     json.RawMessage   `json:"input"`
	} `json:"task"`

	Prompt string   `json:"-"`
	Models []string `json:"-"`
}

// Start takes the work, and starts the program with what it says.
func (c *bareCrew) Start(ctx context.Context, l agent.Launch) (Process, error) {
	// As the history has it of a process that asks for its work: it starts, and then it is given some.
	c.log.Append(history.Record{Kind: history.ProcessStarted, Task: l.Task, Process: &history.Process{ID: l.Process}})
	l.Record = func(r history.Record) {
		if r.Kind != history.ProcessStarted {
			c.log.Append(r)
		}
	}
	w, err := c.take(ctx, l)
	if err != nil {
		return nil, fmt.Errorf("taking the work: %w", err)
	}
	l.Env = append(l.Env,
		"OPENAI_BASE_URL="+w.Task.Endpoints["model"]+"/v1", "OPENAI_API_KEY=lostreceipt", "OPENAI_MODEL="+w.Models[0],
		"LOSTRECEIPT_MCP_URL="+w.Task.Endpoints["knowledge"]+"/mcp", "LOSTRECEIPT_PROMPT="+w.Prompt, "LOSTRECEIPT_INPUT="+string(w.Task.Input))
	return c.Crew.Start(ctx, l)
}

func (c *bareCrew) take(ctx context.Context, l agent.Launch) (given, error) {
	var w given
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, l.URL+"/v1/work", nil)
	if err != nil {
		return w, err
	}
	r.Header.Set("Authorization", "Bearer "+l.Token)
	reply, err := c.client.Do(r)
	if err != nil {
		return w, err
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	switch {
	case err != nil:
		return w, err
	case reply.StatusCode != http.StatusOK:
		return w, fmt.Errorf("status %d: %s", reply.StatusCode, text)
	}
	if err := json.Unmarshal(text, &w); err != nil {
		return w, err
	}
	var asked struct {
		Prompt string   `json:"prompt"`
		Models []string `json:"models"`
	}
	if err := json.Unmarshal(w.Task.Input, &asked); err != nil {
		return w, err
	}
	w.Prompt, w.Models = asked.Prompt, asked.Models
	if len(w.Models) == 0 || w.Task.Endpoints["model"] == "" || w.Task.Endpoints["knowledge"] == "" {
		return w, errors.New("the task has no model and no tools")
	}
	return w, nil
}
