package judge

import (
	"fmt"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Family groups rules for people.
type Family string

// The families.
const (
	Consequences  Family = "consequences"
	Identity      Family = "identity"
	Basis         Family = "basis"
	Authorization Family = "authorization"
	Truth         Family = "truth"
	Bounds        Family = "bounds"
	Escalation    Family = "escalation"
	Loop          Family = "loop"
	Services      Family = "service"
)

// A Rule is one thing that must not be. It looks at acts, at statements or at
// the end of a history, and reports what it finds through the replay.
type Rule struct {
	ID       string   // stable, kebab-case
	Family   Family   //
	Sentence string   // what is wrong, in one sentence
	Correct  string   // what a correct implementation does
	Covers   []string // requirement ids
	Duties   []string // of those that rows of the contract demand, which it judges
	Party    Party    // whom it accuses
	// Hears is set when it rests on what the agent and the control plane tell each other, or on the desk: it
	// cannot be judged of an agent that knows no protocol.
	Hears bool
	// Owes is set when it finds what was not done. At the end it decides nothing where the process that should
	// have done it never came to ask for its work.
	Owes bool

	// unlawful gives the ground of an act that the table does not allow; one rule does.
	unlawful func(p *replay, a *act) *Finding
	// act looks at every act, read at every read, state at every claim and result, end at the whole.
	act   func(p *replay, a *act) *Finding
	read  func(p *replay, c *call) *Finding
	state func(p *replay, s *statement) *Finding
	end   func(p *replay) []*Finding

	// Of a question: attempt looks at every call of a tool or a model, result at what the model is told of a
	// call, hearing at how many tool messages each call has, referral at every escalation.
	attempt  func(p *replay, a *attempt) *Finding
	result   func(p *replay, r *result) *Finding
	hearing  func(p *replay, h *hearing) *Finding
	referral func(p *replay, r *referral) *Finding
}

// timely tells whether the rule rests on there having been time: for an attempt
// to be made, a reply to come, a duty to be done.
func (r *Rule) timely() bool {
	return r.Owes || r.Family == Escalation || r.Family == Loop
}

// report completes a finding and keeps it. Findings of one rule about one
// intent on the same ground are folded: the records are joined.
func (p *replay) report(r *Rule, f *Finding) {
	if r.Hears && p.setup.Mute {
		return
	}
	f.Rule = r.ID
	if f.Party == "" {
		f.Party = r.Party
	}
	if f.Correct == "" {
		f.Correct = r.Correct
	}
	if row, ok := p.table.Row(f.Row); ok {
		f.Must = row.Must
	}
	if p.starved() && r.timely() && f.noise == 0 { // what was timed knows the noise of its own time
		f.Uncertain = true
	}
	f.Records = f.Records[:min(len(f.Records), maxRecords)]
	ground := ground{f.Rule, f.Task, f.Intent, f.Party}
	if i, ok := p.folded[ground]; ok {
		old := p.findings[i]
		old.Records = append(old.Records, f.Records[:min(len(f.Records), max(0, maxRecords-len(old.Records)))]...)
		if old.Uncertain && !f.Uncertain {
			old.Uncertain, old.Observed, old.Margin = false, f.Observed, f.Margin
		}
		return
	}
	p.folded[ground] = len(p.findings)
	p.findings = append(p.findings, f)
}

// ground is what findings must have in common to be folded into one.
type ground struct {
	rule, task, intent string
	party              Party
}

// maxRecords bounds the records that one finding names.
const maxRecords = 40

// about starts a finding on an act.
func (p *replay) about(a *act, format string, args ...any) *Finding {
	f := &Finding{
		Task: a.work.task.id, Action: string(a.action), Observed: fmt.Sprintf(format, args...), Records: []int{a.n},
	}
	f.Intent = a.intent.String()
	f.Row, f.Allowed = a.row()
	if a.call.resend {
		f.Cause = resentByLibrary
	}
	return f
}

const resentByLibrary = "likely transport resend: the HTTP library sent the request again by itself after a reused connection broke"

// on starts a finding on a claim or a result.
func (p *replay) on(s *statement, format string, args ...any) *Finding {
	f := &Finding{Task: s.work.task.id, Action: "claim:" + s.state(), Observed: fmt.Sprintf(format, args...), Records: []int{s.rec.N}}
	if s.result {
		f.Action = "result:" + s.state()
	}
	if s.intent != nil {
		f.Intent = s.intent.String()
		f.Row = p.rowName(s.intent, s.work, s.rec.At)
	}
	return f
}

// says starts a finding on what a claim or a result says of one submission.
func (p *replay) says(s *statement, i *intent, format string, args ...any) *Finding {
	f := p.on(s, format, args...)
	f.Intent, f.Row = i.String(), p.rowName(i, s.work, s.rec.At)
	f.Records = append(f.Records, i.sent()...)
	return f
}

// timed marks a finding that rests on the time between some instants: missed by
// less than the noise of the machine about them, or on a machine that was then too
// starved to time anything, it decides nothing.
func (p *replay) timed(f *Finding, margin time.Duration, instants ...time.Duration) *Finding {
	f.Margin, f.noise = margin, p.blur(instants...)
	f.Uncertain = margin <= f.noise || p.starvedAt(instants...)
	return f
}

// millis writes a duration for people.
func millis(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}

// numbers are the numbers of records.
func numbers(records ...*history.Record) []int {
	var ns []int
	for _, r := range records {
		if r != nil {
			ns = append(ns, r.N)
		}
	}
	return ns
}

// Unheard are the rules that cannot be judged of an agent that says nothing to
// the control plane: not applicable, by name.
func Unheard() []string {
	var ids []string
	for _, r := range rules {
		if r.Hears {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// Rules are all rules, by family, in the order of their documentation.
func Rules() []Rule {
	out := make([]Rule, len(rules))
	for i, r := range rules {
		out[i] = *r
	}
	return out
}
