package gate

import (
	"slices"

	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// covered asks whether what must be exercised was, in scenarios that passed.
func (d *decider) covered() {
	requirements, rows := map[string]bool{}, map[string]bool{}
	for _, s := range d.report.Scenarios {
		if s.Verdict.Outcome != judge.Pass {
			continue
		}
		for _, id := range s.Covers {
			requirements[id] = true
		}
		for _, c := range s.Verdict.Cells {
			rows[c.Row] = true
		}
	}
	want := d.policy.Requirements
	if d.policy.AllRequirements {
		want = d.known.Requirements
		if len(want) == 0 {
			d.fail("requirement", "", "name them in require.requirements", "all requirements are required, and this lostreceipt knows none")
		}
	}
	if missing := absent(want, requirements); len(missing) > 0 {
		d.fail("requirement", "", "run scenarios that cover them, and correct the agent where it fails", "%s not covered by a scenario that passed: %s", isAre(len(missing), "requirement"), some(missing))
	}
	want = d.policy.Rows
	if d.policy.AllRows {
		want = d.rows()
		if len(want) == 0 {
			d.fail("row", "", runAgain, "all rows are required, and the report does not name the contract's rows")
		}
	}
	if missing := absent(want, rows); len(missing) > 0 {
		d.fail("row", "", "run scenarios in which they are met, or require the rows that matter to you in require.rows", "%s not met in a scenario that passed: %s", isAre(len(missing), "row"), some(missing))
	}
}

// rows are those of the contract that the report was judged by.
func (d *decider) rows() []string {
	if d.known.Contract != "" && d.report.Contract.Digest == d.known.Contract {
		return d.known.Rows
	}
	var ids []string
	for _, r := range d.report.Contract.Rows {
		ids = append(ids, r.ID)
	}
	return ids
}

func isAre(n int, what string) string {
	if n == 1 {
		return "1 " + what + " is"
	}
	return count(n, what) + " are"
}

func absent(want []string, have map[string]bool) (missing []string) {
	for _, id := range want {
		if !have[id] {
			missing = append(missing, id)
		}
	}
	return missing
}

const selfTestAgain = "run lostreceipt selftest and join it: lostreceipt report merge --selftest DIR --out DIR DIR"

// selfTest asks whether the report shows that the judge bites.
func (d *decider) selfTest() {
	if !d.policy.SelfTest {
		return
	}
	t := d.report.SelfTest
	if t == nil {
		d.fail("self-test", "", selfTestAgain, "the report holds no self-test, so that nothing shows that the judge bites")
		return
	}
	for _, p := range t.Problems() {
		d.fail("self-test", "", selfTestAgain, "%s", p)
	}
	tested := map[string]bool{}
	for _, design := range t.Designs {
		tested[design.Name] = true
	}
	for _, k := range t.Kills {
		tested[k.Defect] = true
	}
	if missing := absent(slices.Concat(d.known.Designs, d.known.Defects), tested); len(missing) > 0 {
		d.fail("self-test", "", selfTestAgain, "the self-test is not whole: %s", some(missing))
	}
}
