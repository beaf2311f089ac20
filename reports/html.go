package reports

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports/page"
)

// HTML writes the report as one self-contained page, see [page]. Histories are
// read from the evidence below dir, where the report stands; what is not there
// is not drawn. gate is what a gate decided, nil when none was asked.
func (r *Report) HTML(w io.Writer, dir string, gate *page.Gate) error {
	v := r.view(dir)
	v.Gate = gate
	return v.Write(w)
}

// SaveHTML puts the page at path: whole, or not at all. See [Report.HTML].
func (r *Report) SaveHTML(path, dir string, gate *page.Gate) error {
	return writeFile(path, func(w io.Writer) error { return r.HTML(w, dir, gate) })
}

// view says everything that the page shows.
func (r *Report) view(dir string) page.View {
	s := r.Statement()
	word, verdict, _ := strings.Cut(s.Verdict, ": ")
	v := page.View{
		Title:   plain(fmt.Sprintf("%s: %s", r.Outcome, r.Agent.Name), 200),
		Outcome: plain(string(r.Outcome), maxName), Word: word, Verdict: verdict, Proves: s.Proves, Whole: r.whole(), Tally: tally(r.Totals),
		Facts: r.headFacts(), Run: r.runFacts(), Repeat: plain(r.Repeat, maxCommand),
		Assumption: ProductionMustVerify,
	}
	tags := newTags()
	v.Wrong = r.wrong(tags)
	v.Coverage = r.coverage(tags)
	v.Rows = r.rows(tags)
	budget := maxFindingText
	for _, s := range r.worstFirst() {
		v.Scenarios = append(v.Scenarios, s.view(dir, tags, &budget))
	}
	for _, a := range bounded(r.Assumed, 200) {
		v.Assumed = append(v.Assumed, page.Assumed{Operation: plain(a.Operation, maxName), Words: plain(a.Words, maxSentence), N: len(a.Scenarios), All: plains(bounded(a.Scenarios, 2000))})
	}
	v.Absent = r.notJudged()
	if r.SelfTest != nil {
		v.SelfTest = r.SelfTest.view()
	}
	return v
}

// worstFirst are the scenarios as a reader wants them: what did not pass first.
func (r *Report) worstFirst() []Scenario {
	list := slices.Clone(r.Scenarios)
	slices.SortStableFunc(list, func(a, b Scenario) int {
		return slices.Index(judge.Outcomes(), a.Verdict.Outcome) - slices.Index(judge.Outcomes(), b.Verdict.Outcome)
	})
	return list
}

// whole says whether the catalogue is complete.
func (r *Report) whole() page.Whole {
	w := page.Whole{Complete: r.Complete() && len(r.Missing()) == 0}
	missing := r.Missing()
	switch {
	case w.Complete:
		w.Text = fmt.Sprintf("The whole catalogue ran: %s.", count(r.Catalogue.Count))
	case r.Catalogue.Count == 0:
		w.Text = "The report names no catalogue, so nothing is known about completeness."
	default:
		w.Text = fmt.Sprintf("A part of the catalogue ran: %d of %s.", r.ofCatalogue(), count(r.Catalogue.Count))
	}
	if n := len(missing); n > 0 {
		w.Text += fmt.Sprintf(" %s that was selected did not run.", sentence(count(n)))
		if n > 1 {
			w.Text = strings.Replace(w.Text, "that was selected", "that were selected", 1)
		}
	}
	if r.Shard != nil {
		w.Text += fmt.Sprintf(" This is shard %s.", r.Shard)
	}
	if r.Interrupted != nil {
		w.Text += " The run was interrupted: " + plain(r.Interrupted.Reason, maxSentence) + "."
	}
	ran := map[string]bool{}
	for _, s := range r.Scenarios {
		ran[s.ID] = true
	}
	for _, id := range r.Catalogue.IDs {
		if !ran[id] {
			missing = append(missing, id)
		}
	}
	w.Missing = plains(bounded(unique(missing), 2000))
	return w
}

func unique(list []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

func plains(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = plain(s, maxName)
	}
	return out
}

// tally counts the scenarios by outcome, what is worst first and passes last.
func tally(t Totals) []page.Count {
	return []page.Count{
		{Outcome: string(judge.Violation), Words: plural(t.Violation, "violation"), N: t.Violation},
		{Outcome: string(judge.HarnessError), Words: plural(t.HarnessError, "harness error"), N: t.HarnessError},
		{Outcome: string(judge.Vacuous), Words: "vacuous", N: t.Vacuous},
		{Outcome: string(judge.Undetermined), Words: "undetermined", N: t.Undetermined},
		{Outcome: string(judge.NotApplicable), Words: "not applicable", N: t.NotApplicable},
		{Outcome: string(judge.Pass), Words: "passed", N: t.Pass},
	}
}

// notJudged is what nobody may count as passed.
func (r *Report) notJudged() []page.Absent {
	var list []page.Absent
	for _, l := range bounded(r.NotApplicable, 200) {
		words := "is declared absent; no scenario that ran needs it"
		if len(l.Scenarios) > 0 {
			words = "is declared absent; not applicable: " + names(l.Scenarios, 200)
		}
		list = append(list, page.Absent{Name: plain(l.Capability, maxName), Words: words})
	}
	for _, q := range bounded(r.Agent.Quiet, 50) {
		list = append(list, page.Absent{Name: plain(q, maxName), Words: "is a family of rules that cannot be judged through this door"})
	}
	return list
}
