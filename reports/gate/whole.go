package gate

import (
	"slices"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/judge"
)

const (
	runAgain   = "run the whole catalogue again with this lostreceipt"
	ownDigest  = ", or name the digest that you mean in "
	mergeFirst = "join the shards: lostreceipt report merge --out DIR DIR..."
)

// whole asks whether anything of the catalogue is missing, so that a part
// cannot pass for all of it.
func (d *decider) whole() {
	r := d.report
	if r.Interrupted != nil {
		d.fail("interrupted", "", runAgain, "the run was interrupted: %s", r.Interrupted.Reason)
	}
	if r.Shard != nil {
		d.fail("shard", "", mergeFirst, "the report is one part of a divided run: shard %s", r.Shard)
	}
	if missing := r.Missing(); len(missing) > 0 {
		d.fail("not-run", "", runAgain, "%s selected and did not run: %s", were(len(missing)), some(missing))
	}
	catalogue, contract := d.policy.Catalogue, d.policy.Contract
	if catalogue == "" {
		catalogue = d.known.Catalogue
	}
	if contract == "" {
		contract = d.known.Contract
	}
	if catalogue != "" && r.Catalogue.Digest != catalogue {
		d.fail("catalogue", "", runAgain+ownDigest+"require.catalogue", "the scenarios are of the catalogue %s, and %s is required", line(r.Catalogue.Digest), line(catalogue))
	}
	if contract != "" && r.Contract.Digest != contract {
		d.fail("contract", "", runAgain+ownDigest+"require.contract", "the scenarios were judged by the contract %s, and %s is required", line(r.Contract.Digest), line(contract))
	}
	d.complete()
	d.fresh()
	d.real()
}

// fresh asks when the run began.
func (d *decider) fresh() {
	switch age := d.now.Sub(d.report.Started); {
	case d.policy.MaxAge == 0:
	case d.report.Started.IsZero():
		d.fail("stale", "", runAgain, "the report does not say when it ran, and it may be %s old", d.policy.MaxAge)
	case age > d.policy.MaxAge:
		d.fail("stale", "", runAgain, "the run began %s ago, and it may be %s", age.Round(time.Second), d.policy.MaxAge)
	case age < -time.Hour: // the clocks of two machines differ
		d.fail("stale", "", runAgain, "the run begins in the future: %s", d.report.Started.UTC().Format(time.RFC3339))
	}
}

// real asks whether anything happened: a report in which everything passed and
// nobody did anything proves nothing.
func (d *decider) real() {
	var bare []string
	calls, passed := 0, 0
	for _, s := range d.report.Scenarios {
		if s.Verdict.Outcome != judge.Pass {
			continue
		}
		if passed++; len(s.Repetitions) == 0 {
			bare = append(bare, s.ID)
		}
		calls += s.Verdict.Calls
	}
	if len(bare) > 0 {
		d.fail("nothing", "", runAgain, "%s said to have passed, and the report holds no run of them: %s", are(len(bare)), some(bare))
	}
	if passed > 0 && calls == 0 {
		d.fail("nothing", "", runAgain, "no call to a service was recorded in any scenario that passed")
	}
}

func were(n int) string {
	if n == 1 {
		return "1 scenario was"
	}
	return count(n, "scenario") + " were"
}

// complete compares what ran with the catalogue, by id and by text.
func (d *decider) complete() {
	r := d.report
	ids, digests := r.Catalogue.IDs, map[string]string(nil)
	if len(d.known.Scenarios) > 0 && r.Catalogue.Digest == d.known.Catalogue {
		ids, digests = d.known.scenarios(), d.known.Scenarios
	}
	ran := map[string]bool{}
	var changed []string
	for _, s := range r.Scenarios {
		if s.Outside {
			continue
		}
		ran[s.ID] = true
		if want := digests[s.ID]; digests != nil && s.Digest != want {
			changed = append(changed, s.ID)
		}
	}
	var missing []string
	for _, id := range ids {
		if !ran[id] {
			missing = append(missing, id)
		}
	}
	slices.Sort(missing)
	switch {
	case r.Catalogue.Count == 0 || len(ids) == 0:
		d.fail("incomplete", "", runAgain, "the report names no catalogue, so nothing shows that it is complete")
	case len(missing) > 0:
		d.fail("incomplete", "", runAgain, "%s of the catalogue and not in the report: %s", are(len(missing)), some(missing))
	case len(ids) != r.Catalogue.Count || len(ran) != r.Catalogue.Count:
		d.fail("incomplete", "", runAgain, "the catalogue has %s, names %d and %d ran", count(r.Catalogue.Count, "scenario"), len(ids), len(ran))
	}
	if len(changed) > 0 {
		d.fail("changed", "", runAgain, "the text of %s is not that of the catalogue: %s", count(len(changed), "scenario"), some(changed))
	}
	if !slices.ContainsFunc(r.Scenarios, func(s scenario) bool { return s.Verdict.Outcome == judge.Pass || s.Verdict.Outcome == judge.Violation }) {
		d.fail("nothing", "", "run scenarios that apply to the agent", "no scenario shows anything about the agent")
	}
}

func are(n int) string {
	if n == 1 {
		return "1 scenario is"
	}
	return count(n, "scenario") + " are"
}
