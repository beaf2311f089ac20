package main

import (
	"net/url"
	"slices"
	"strconv"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/reports"
)

// plugFlags say how the agent is plugged in, where it is not one process a task.
type plugFlags struct {
	Workers    int    `help:"Keep N processes of the agent, shared by the scenarios: each asks for work again after its task. Default: one process a task." placeholder:"N"`
	Door       string `enum:",openai" default:"" help:"openai: the command after -- knows nothing of the agent protocol. It is given a model's base URL (OPENAI_BASE_URL), tools over MCP (LOSTRECEIPT_MCP_URL) and a question (LOSTRECEIPT_PROMPT), and its end is the end of the task. What needs the protocol is not applicable." placeholder:"openai"`
	AgentImage string `name:"agent-image" help:"Start each process of the agent as a container of this image, which is on the Docker engine; what stands after -- takes the place of its command. Needs --stack containers. lostreceipt is the image of this program." placeholder:"IMAGE"`
	AgentURL   string `name:"agent-url" help:"Push the work to an agent that runs already: a POST of the work item, answered 202 at once. Scenarios that kill it are not applicable." placeholder:"URL"`
}

// plug finds out which agent is meant, and how it is plugged in. The caller
// closes what it returns.
func (f plugFlags) plug(who agentFlags, command []string) (subject, error) {
	switch {
	case f.Workers < 0:
		return subject{}, misuse("--workers %d: want at least 1", f.Workers)
	case f.Door != "" && (f.AgentURL != "" || f.Workers > 0 || who != agentFlags{}):
		return subject{}, misuse("--door openai starts the command after -- for each question: take --workers, --agent-url, --reference, --design and --defect away")
	case f.AgentURL != "" && (len(command) > 0 || f.Workers > 0 || who != agentFlags{}):
		return subject{}, misuse("--agent-url names an agent that runs already: take --workers, --reference, --design, --defect and the command after -- away")
	case f.AgentURL != "":
		return f.service()
	case f.AgentImage != "" && (f.Workers > 0 || f.Door != "" || who != agentFlags{}):
		return subject{}, misuse("--agent-image names the agent: take --workers, --door, --reference, --design and --defect away")
	case f.AgentImage != "":
		return subject{
			args: command, close: func() {}, flags: []string{"--agent-image", f.AgentImage},
			report: reports.Agent{Name: f.AgentImage, Kind: reports.KindImage, Command: redact(command)},
		}, nil // its agent is made once there is an engine
	}
	s, err := who.subject(command)
	if err == nil && f.Door != "" {
		s.agent = run.Bare{Command: s.agent.(run.Command)}
		s.flags = append(s.flags, "--door", f.Door)
		s.report.Quiet = judge.Unheard()
	}
	if err != nil || f.Workers == 0 {
		return s, err
	}
	pool, err := run.NewWorkers(s.agent.(run.Command), f.Workers)
	if err != nil {
		return subject{}, usage{err}
	}
	s.agent, s.close = pool, pool.Close
	s.flags = append(s.flags, "--workers", strconv.Itoa(f.Workers))
	return s, nil
}

func (f plugFlags) service() (subject, error) {
	service, err := run.NewService(f.AgentURL)
	if err != nil {
		return subject{}, usage{err}
	}
	name := f.AgentURL
	if u, err := url.Parse(name); err == nil {
		u.User, u.RawQuery, u.Fragment = nil, "", ""
		name = u.String()
	}
	return subject{
		agent: service, close: service.Close, flags: []string{"--agent-url", name},
		report: reports.Agent{Name: name, Kind: reports.KindService},
	}, nil
}

// forPool lets more scenarios run at once than there are workers, for a worker
// is free while the end of what it did is still watched.
func (f plugFlags) forPool(p pace) pace {
	if f.Workers > 0 && p.Concurrency == 0 {
		p.Concurrency = max(run.Concurrency(), 2*f.Workers)
	}
	return p
}

// lacks are the capabilities that are declared false, and those that no agent
// has that is plugged in this way.
func (s subject) lacks(declared []string) []string {
	all := slices.Concat(declared, s.agent.Lacks())
	slices.Sort(all)
	return slices.Compact(all)
}
