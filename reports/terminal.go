package reports

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// Look is what a terminal can show.
type Look struct {
	_ struct{}

	// Width is the number of columns that lines are kept within; 0 means 100, and less than 60 means 60.
	// Commands to repeat are never cut.
	Width int
	// Color allows colours; without it a text holds no escape at all.
	Color bool
	// Live allows a line that is redrawn: there is a terminal that understands escapes.
	Live bool
}

const (
	defaultWidth = 100
	minWidth     = 60
	// wideTable is the width from which a scenario's title stands in its row instead of below it.
	wideTable = 140
)

func (l Look) width() int {
	if l.Width == 0 {
		return defaultWidth
	}
	return max(l.Width, minWidth)
}

// LookOf is what w can show. Only a terminal whose TERM is neither empty nor
// dumb is live, and only a live one without NO_COLOR has colours. environ has
// the form of os.Environ.
func LookOf(w io.Writer, environ []string) Look {
	file, ok := w.(term.File)
	if !ok || !term.IsTerminal(file.Fd()) {
		return Look{}
	}
	look := Look{Live: true}
	if width, _, err := term.GetSize(file.Fd()); err == nil {
		look.Width = width
	}
	return environment(look, environ)
}

func environment(look Look, environ []string) Look {
	get := func(name string) (value string) {
		for _, e := range environ {
			if v, ok := strings.CutPrefix(e, name+"="); ok {
				value = v
			}
		}
		return value
	}
	if t := get("TERM"); t == "" || t == "dumb" {
		look.Live = false
	}
	look.Color = look.Live && get("NO_COLOR") == ""
	return look
}

// The styles, by what they mean.
type ink int

const (
	dim ink = iota
	strong
	good
	bad
	doubt
)

// paint colours harmless text.
func (l Look) paint(i ink, text string) string {
	if !l.Color || text == "" {
		return text
	}
	s := lipgloss.NewStyle()
	switch i {
	case dim:
		s = s.Faint(true)
	case strong:
		s = s.Bold(true)
	case good:
		s = s.Foreground(lipgloss.Green)
	case bad:
		s = s.Bold(true).Foreground(lipgloss.Red)
	case doubt:
		s = s.Foreground(lipgloss.Yellow)
	}
	return s.Render(text)
}

// sign is the mark of an outcome. The word always stands beside it.
func sign(o judge.Outcome) (string, ink) {
	switch o {
	case judge.Pass:
		return "✓", good
	case judge.Violation:
		return "✗", bad
	case judge.HarnessError:
		return "!", bad
	case judge.NotApplicable:
		return "-", dim
	default:
		return "?", doubt
	}
}

// Text is the report for a person: a table of scenarios, the findings, the
// totals, and the verdict in words with what it does and does not prove.
func (r *Report) Text(look Look) string {
	var out strings.Builder
	r.table(&out, look)
	for _, s := range r.Scenarios {
		r.details(&out, look, s)
	}
	if r.SelfTest != nil {
		out.WriteString("\n" + r.SelfTest.Text(look))
	}
	r.absent(&out, look)
	r.closing(&out, look)
	return out.String()
}

// table has a row a scenario.
func (r *Report) table(out *strings.Builder, look Look) {
	if len(r.Scenarios) == 0 {
		return
	}
	wide := look.width() >= wideTable
	rows := make([]row, 0, len(r.Scenarios)+1)
	head := row{cells: []string{"  VERDICT", "SCENARIO", "ENDS", "CONSEQUENCES", "TIME"}, ink: dim}
	limits := []int{26, 36, 26, 44, 9}
	if wide {
		head.cells = slices.Insert(head.cells, 2, "TITLE")
		limits = slices.Insert(limits, 2, look.width())
	}
	rows = append(rows, head)
	for _, s := range r.Scenarios {
		mark, color := sign(s.Verdict.Outcome)
		title := plain(s.Title, 300)
		line := row{
			cells: []string{mark + " " + outcomeWords(s), plain(s.ID, maxName), ended(s.Verdict), consequences(s.Verdict), span(s.Duration)},
			ink:   color,
		}
		if wide {
			line.cells = slices.Insert(line.cells, 2, title)
		} else {
			line.below = title
		}
		rows = append(rows, line)
	}
	for _, line := range layout(rows, limits, look) {
		out.WriteString(line + "\n")
	}
}

// outcomeWords is the outcome, and of how many repetitions it is.
func outcomeWords(s Scenario) string {
	word := plain(string(s.Verdict.Outcome), 20)
	if len(s.Repetitions) < 2 {
		return word
	}
	n := 0
	for _, rep := range s.Repetitions {
		if rep.Outcome == s.Verdict.Outcome {
			n++
		}
	}
	return fmt.Sprintf("%s %d/%d", word, n, len(s.Repetitions))
}

// details say why a scenario is not a pass, and what was found in one that is.
func (r *Report) details(out *strings.Builder, look Look, s Scenario) {
	v := s.Verdict
	reasons := complaints(s)
	if v.Outcome == judge.NotApplicable || v.Outcome == judge.Pass && len(v.Findings)+len(reasons) == 0 {
		return
	}
	mark, color := sign(v.Outcome)
	out.WriteByte('\n')
	painted(out, look, color, "", mark+" "+outcomeWords(s)+": "+plain(s.ID, maxName))
	rep, ok := worstRepetition(s)
	if ok && rep.Evidence != "" {
		evidence := plain(rep.Evidence, maxSentence)
		fmt.Fprintf(out, "  %s\n", look.paint(dim, "evidence: "+evidence+"/"+historyName))
	}
	for _, reason := range bounded(reasons, maxShown) {
		wrapped(out, look, "  ", "", plain(reason, maxSentence))
	}
	left(out, "  ", len(reasons)-maxShown, "reasons")
	for _, f := range bounded(v.Findings, maxShown) {
		out.WriteByte('\n')
		painted(out, look, strong, "  ", heading(f))
		for _, st := range statements(f) {
			if st.exact {
				fmt.Fprintf(out, "    %s %s\n", look.paint(dim, st.label+":"), st.text)
				continue
			}
			wrapped(out, look, "    ", st.label+": ", st.text)
		}
		if f.Rule == "agent-crashed" || f.Rule == "never-settled" {
			out.WriteString(Output(rep.Output, "    "))
		}
	}
	left(out, "  ", len(v.Findings)-maxShown, "findings")
}

// maxShown is how many findings or reasons of one scenario are shown to a person. All are in report.json.
const maxShown = 10

func bounded[T any](list []T, n int) []T { return list[:min(len(list), n)] }

func left(out *strings.Builder, indent string, n int, what string) {
	if n > 0 {
		fmt.Fprintf(out, "%sand %d more %s in %s\n", indent, n, what, reportName)
	}
}

// worstRepetition is the one whose verdict the scenario has.
func worstRepetition(s Scenario) (Repetition, bool) {
	for _, rep := range s.Repetitions {
		if rep.Outcome == s.Verdict.Outcome {
			return rep, true
		}
	}
	return Repetition{}, false
}

// absent lists what was not judged: by name, so that nobody counts it as passed.
func (r *Report) absent(out *strings.Builder, look Look) {
	if len(r.NotApplicable) > 0 {
		out.WriteString("\n" + look.paint(strong, "not applicable") + "\n")
		for _, l := range r.NotApplicable {
			text := "no scenario that ran needs it"
			if len(l.Scenarios) > 0 {
				text = names(l.Scenarios, 50)
			}
			wrapped(out, look, "  ", plain(l.Capability, maxName)+": ", text)
		}
	}
	if missing := r.Missing(); len(missing) > 0 {
		out.WriteString("\n" + look.paint(strong, "not run") + "\n")
		wrapped(out, look, "  ", "", names(missing, 50))
	}
}

// closing is the end that is read first.
func (r *Report) closing(out *strings.Builder, look Look) {
	if len(r.Assumed) > 0 {
		out.WriteString("\n" + look.paint(strong, "assumed of the services") + "\n")
		for _, a := range bounded(r.Assumed, 20) {
			wrapped(out, look, "  ", plain(a.Operation, maxName)+": ", plain(a.Words, maxSentence)+" ("+count(len(a.Scenarios))+")")
		}
		left(out, "  ", len(r.Assumed)-20, "promises")
	}
	out.WriteByte('\n')
	if r.Agent.Name == "" && r.Agent.Kind == "" {
		wrapped(out, look, "", "agent: ", "not known: no report names it")
	} else {
		wrapped(out, look, "", "agent: ", fmt.Sprintf("%s (%s)", plain(r.Agent.Name, maxName), plain(described(r.Agent), maxSentence)))
	}
	wrapped(out, look, "", "contract: ", plain(r.Contract.Version, maxName)+" "+plain(r.Contract.Digest, maxName))
	wrapped(out, look, "", "", fmt.Sprintf("%s, %s, %s, time scale %g, noise %s",
		counted(r.Totals), span(r.Duration), seeded(r.Seed), r.Scale, span(r.Noise)))
	s := r.Statement()
	_, color := sign(r.Outcome)
	painted(out, look, color, "", s.Verdict)
	for _, text := range s.Proves {
		wrapped(out, look, "", "", text)
	}
}

// seeded names the seed of a run; none is 0.
func seeded(seed uint64) string {
	if seed == 0 {
		return "seed not known"
	}
	return fmt.Sprintf("seed %d", seed)
}

// described says what kind of agent it is.
func described(a Agent) string {
	text := a.Kind
	for _, p := range []struct{ name, value string }{{" design ", a.Design}, {" with defect ", a.Defect}, {": ", strings.Join(a.Command, " ")}} {
		if p.value != "" {
			text += p.name + p.value
		}
	}
	return text
}

// painted writes a text in one colour within the width.
func painted(out *strings.Builder, look Look, i ink, indent, text string) {
	for _, line := range strings.Split(ansi.Wrap(text, look.width()-len(indent), ""), "\n") {
		out.WriteString(indent + look.paint(i, line) + "\n")
	}
}

// wrapped writes a labelled text within the width, its further lines indented.
func wrapped(out *strings.Builder, look Look, indent, label, text string) {
	lines := strings.Split(ansi.Wrap(label+text, look.width()-len(indent)-2, ""), "\n")
	for i, line := range lines {
		if i == 0 {
			if rest, ok := strings.CutPrefix(line, strings.TrimRight(label, " ")); ok && label != "" {
				line = look.paint(dim, strings.TrimRight(label, " ")) + rest
			}
			out.WriteString(indent + line + "\n")
			continue
		}
		out.WriteString(indent + "  " + line + "\n")
	}
}

// span is a duration to three digits, which is what a person compares.
func span(d time.Duration) string {
	switch {
	case d >= time.Minute:
		return d.Round(time.Second).String()
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(time.Microsecond).String()
}
