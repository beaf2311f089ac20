package scenario

import (
	"slices"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// Compiled is a scenario for one run: every multiple is a time.
type Compiled struct {
	_ struct{}

	Scenario   *Scenario
	Limits     contract.Limits // the run's, as this scenario changes them
	Plan       *fault.Plan
	Guarantees contract.Guarantees
	Services   Services
	Tasks      []Task
	Expect     judge.Expect
	Needs      []string
}

// Services are the settings of the fakes.
type Services struct {
	_ struct{}

	Approval  Approval
	Purchase  Purchase
	Knowledge Knowledge
	Model     Model
}

// Knowledge are settings of the knowledge service. They mean what the fields of
// [KnowledgeGiven] mean.
type Knowledge struct {
	_ struct{}

	Denies, Missing, Refuses []string
	Offers                   []string // by any task
}

// Model are settings of the model.
type Model struct {
	_ struct{}

	Script  []Turn
	Models  []string // that some task names
	Missing []string // of them
}

// Approval are settings of the approval service. They mean what the fields of
// [ApprovalGiven] mean.
type Approval struct {
	_ struct{}

	Outcome           string // approved, declined, or "": requests stay pending
	ApproverAfter     time.Duration
	ReplicaLag        time.Duration
	Queue             bool
	CreateAfter       time.Duration
	Refuses           string
	Announces         string
	NotificationFails int
	NotificationAfter time.Duration
	Plain             bool
	Breaks            []string
}

// Purchase are settings of the purchase service.
type Purchase struct {
	_ struct{}

	Breaks []string
}

// Compile resolves the scenario under a run's limits. The error is an
// [*Errors]: faults that cannot be carried out, or prove nothing.
func (s *Scenario) Compile(limits contract.Limits) (*Compiled, error) {
	limits = s.limits(limits)
	c := &Compiled{Scenario: s, Limits: limits, Guarantees: s.guarantees(limits), Tasks: slices.Clone(s.Tasks), Expect: s.Expect, Needs: slices.Clone(s.Needs)}
	plan, misuses := fault.Compile(s.subject(limits, c.Guarantees), s.Faults)
	if len(misuses) > 0 {
		var e Errors
		for _, m := range misuses {
			e.add(s.source.problem(m, "faults"))
		}
		return nil, e.err()
	}
	c.Plan = plan
	a := s.Given.Approval
	c.Services = Services{
		Approval: Approval{
			Outcome: a.Outcome, ApproverAfter: of(a.ApproverAfter, limits), ReplicaLag: of(a.ReplicaLag, limits),
			Queue: a.Queue, CreateAfter: of(a.CreateAfter, limits), Refuses: a.Refuses,
			Announces: a.Announces, NotificationFails: a.NotificationFails, NotificationAfter: of(a.NotificationAfter, limits), Plain: a.Plain, Breaks: slices.Clone(a.Breaks),
		},
		Purchase:  Purchase{Breaks: slices.Clone(s.Given.Purchase.Breaks)},
		Knowledge: Knowledge{Denies: s.Given.Knowledge.Denies, Missing: s.Given.Knowledge.Missing, Refuses: s.Given.Knowledge.Refuses},
	}
	for _, t := range s.Tasks {
		c.Services.Knowledge.Offers = append(c.Services.Knowledge.Offers, t.Asked.Tools...)
	}
	if s.talks() {
		c.Services.Model = Model{Script: slices.Clone(s.Given.Model.Script), Models: s.models(), Missing: s.Given.Model.Missing}
	}
	if a.Outcome == noOutcome {
		c.Services.Approval.Outcome = ""
	}
	return c, nil
}

// models are the names of models that tasks are given.
func (s *Scenario) models() []string {
	names := DefaultModels()
	for _, t := range s.Tasks {
		names = append(names, t.Asked.Models...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func of(s fault.Span, l contract.Limits) time.Duration {
	if s.IsZero() {
		return 0
	}
	return s.Of(l)
}

// limits are the run's limits as this scenario changes them.
func (s *Scenario) limits(l contract.Limits) contract.Limits {
	for name, d := range map[string]*time.Duration{
		"attempt_timeout": &l.AttemptTimeout, "backoff_base": &l.BackoffBase, "backoff_max": &l.BackoffMax,
		"verification_period": &l.VerificationPeriod, "retention": &l.Retention,
	} {
		if f, ok := s.Given.Limits[name]; ok {
			*d = time.Duration(float64(*d) * f)
		}
	}
	return l
}

// guarantees are what is promised, with retentions in milliseconds. Questions
// rest on no promise.
func (s *Scenario) guarantees(l contract.Limits) contract.Guarantees {
	if !s.buys() {
		return contract.Guarantees{}
	}
	g := make(contract.Guarantees, len(s.Given.Guarantees))
	for op, p := range s.Given.Guarantees {
		if span, ok := s.Given.Retention[op]; ok {
			p.Idempotency.RetentionMS = float64(span.Of(l)) / float64(time.Millisecond)
		}
		g[op] = p
	}
	return g
}

func (s *Scenario) subject(l contract.Limits, g contract.Guarantees) fault.Subject {
	sub := fault.Subject{Limits: l, Guarantees: g, Opens: s.opens()}
	if s.Given.Assistant != "" {
		sub.Services = append(sub.Services, "model")
	}
	for _, t := range s.Tasks {
		if !slices.Contains(sub.Services, t.Services()[0]) {
			sub.Services = append(sub.Services, t.Services()...)
		}
		sub.Tasks = append(sub.Tasks, t.ID)
		if t.Type == Question {
			sub.Questions = append(sub.Questions, t.ID)
		}
		sub.Intents = max(sub.Intents, len(t.Confirmations))
	}
	return sub
}
