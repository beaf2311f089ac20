package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// finish lets the rules look at the whole.
func (p *replay) finish() {
	p.settle(p.index.end.At)
	for _, r := range rules {
		if r.end == nil {
			continue
		}
		for _, f := range r.end(p) {
			if r.Owes && p.stranded(f.Task) {
				f.Uncertain = true
			}
			p.report(r, f)
		}
	}
	for _, t := range p.order {
		if w := t.lastWork(); w != nil {
			for _, i := range t.intents() {
				p.cover(i, w, p.index.end.At)
			}
		}
	}
}

// stranded tells whether the process that was started for a task last never
// came to ask for its work, and was ended by the harness: how long a program
// takes to start says nothing about recovery.
func (p *replay) stranded(task string) bool {
	r := p.index.latest[task]
	if r == nil {
		return false
	}
	pr := p.index.process(r.Process.ID)
	return len(pr.works) == 0 && !pr.killed && (pr.exited == nil || pr.exited.Process.Reason == stoppedByHarness)
}

// verdict draws the conclusion: of the outcomes that apply, the first.
func (p *replay) verdict() *Verdict {
	v := &Verdict{
		Cells: p.coverage.cells, Ends: p.ends(), Counts: p.counts, Calls: p.calls, Noise: p.index.noise.most,
	}
	if len(p.findings) > 0 {
		v.Findings = make([]Finding, len(p.findings))
	}
	for n, f := range p.findings {
		v.Findings[n] = *f
	}
	if p.setup.Mute {
		v.Unheard = Unheard()
	}
	apply := map[Outcome]bool{Pass: true}
	because := func(o Outcome, format string, args ...any) {
		apply[o] = true
		v.Reasons = append(v.Reasons, fmt.Sprintf(format, args...))
	}
	blamed := false
	for _, f := range p.findings {
		switch {
		case slices.Contains(p.setup.Expect.Never, f.Rule):
			apply[Violation] = true
		case f.Party == Agent && f.Uncertain:
			because(Undetermined, "%s", p.undecided(f))
		case f.Party == Agent:
			apply[Violation] = true
		case f.Party == p.setup.Expect.Blames:
			blamed = true
		case p.starved():
			because(Undetermined, "%s: %s; this machine was too busy to keep the scenario's time (noise %s)", f.Rule, f.Observed, millis(p.index.noise.most))
		case f.Party == Service:
			because(HarnessError, "%s: a fake service broke its promise, and the scenario does not say so", f.Rule)
		default:
			because(HarnessError, "%s: the scenario is unsound: %s", f.Rule, f.Observed)
		}
	}
	if len(p.setup.Lacking) > 0 {
		because(NotApplicable, "the agent does not declare %v", p.setup.Lacking)
		apply[Vacuous] = false
	} else {
		p.vacuous(because)
	}
	if p.ended != nil {
		if why, broken := strings.CutPrefix(p.ended.Run.Reason, "harness: "); broken {
			because(HarnessError, "%s", why)
		}
	}
	for _, note := range p.notes {
		because(HarnessError, "%s", note)
	}
	if how, _ := p.against(); how == over && !apply[Violation] && !blamed {
		unsound := HarnessError
		if p.starved() {
			unsound = Undetermined
		}
		because(unsound, "the scenario is unsound: the ledgers hold %s, the scenario allows %s, and the agent did nothing unlawful", p.counted(nil), p.endings())
	}
	if b := p.setup.Expect.Blames; b != "" && !blamed && !apply[Violation] {
		because(Vacuous, "the scenario is about a faulty %s, and nothing it did was wrong", b)
	}
	if p.interrupted() {
		because(Undetermined, "the run was broken off")
	}
	for _, o := range Outcomes() {
		switch {
		case !apply[o]:
		case v.Outcome == "":
			v.Outcome = o
		case v.Outcome == Violation && v.Hidden == "":
			v.Hidden = o
		}
	}
	return v
}

// undecided says why a finding decides nothing.
func (p *replay) undecided(f *Finding) string {
	noise := f.noise
	if noise == 0 {
		noise = p.index.noise.most
	}
	if noise > p.limits.AttemptTimeout/2 {
		return fmt.Sprintf("%s: this machine was too busy to time anything (noise %s)", f.Rule, millis(noise))
	}
	if f.Margin == 0 {
		return fmt.Sprintf("%s: the evidence allows both: %s (noise %s)", f.Rule, f.Observed, millis(noise))
	}
	return fmt.Sprintf("%s: missed by %s, which is within what this machine can time (noise %s)", f.Rule, millis(f.Margin), millis(noise))
}

// taken tells whether a task was taken by more than one worker.
func (p *replay) taken() bool {
	for _, t := range p.order {
		if len(t.works) > 1 {
			return true
		}
	}
	return false
}

// vacuous says what was not tested.
func (p *replay) vacuous(because func(Outcome, string, ...any)) {
	for _, f := range p.coverage.inPlan() {
		switch {
		case f.fired > 0 || f.plan.Fault.Optional:
		case f.missed == history.NotReused:
			because(NotApplicable, "fault %s is not applicable to this client: %s", f.plan.Fault.ID, f.missed)
		default:
			because(Vacuous, "fault %s did not fire: %s %s", f.plan.Fault.ID, f.plan.Fault.Anchor, f.plan.Fault.Effect)
		}
	}
	if p.coverage.redispatched && !p.taken() {
		because(Vacuous, "the task was handed out again, and no second worker ever took it")
	}
	for _, t := range p.order {
		if p.stranded(t.id) && len(t.results) == 0 {
			because(Vacuous, "the process that was started last for task %s never asked for its work", t.id)
		}
	}
	if p.calls == 0 && !p.settled() {
		because(Vacuous, "the agent never called a service, and ended no task")
	}
}
