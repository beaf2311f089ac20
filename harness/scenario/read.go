package scenario

import (
	"regexp"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/fault"
)

// fields are the fields of a scenario, in the order of their documentation.
func fields() []string {
	return []string{"id", "title", "covers", "labels", "needs", "task", "tasks", "given", "faults", "expect"}
}

// maxID bounds an id, in characters.
const maxID = 100

var idPattern = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// read fills the scenario from its written form.
func (s *Scenario) read(r *fault.Reader, o Options) {
	r.Fields(fields()...)
	id := r.Need("id")
	if s.ID = id.Text(); s.ID != "" && !idPattern.MatchString(s.ID) {
		id.Suggest(kebab(s.ID), "an id is of small letters, digits and single dashes")
	}
	if len(s.ID) > maxID {
		id.Complain("the id has %d characters; an id has at most %d, for it names directories and files", len(s.ID), maxID)
	}
	title := r.Need("title")
	if s.Title = title.Text(); title.Present() && strings.TrimSpace(s.Title) == "" {
		title.Complain("the title is empty: say in one sentence what happens")
	}
	s.readCovers(r.Need("covers"), o.Requirements)
	s.readLabels(r.Field("labels"))
	s.Needs = r.Field("needs").Words("capability", Capabilities())
	onCancel := r.Field("given").Field("on_cancel")
	s.readTasks(r, onCancel.OneOf("rule", onCancelRules()))
	s.readGiven(r.Field("given"))
	s.readFaults(r.Field("faults"))
	s.readExpect(r.Field("expect"), o)
	s.checkEvents(r.Field("faults"))
	s.deriveNeeds()
}

// kebab is the nearest id to a text, or "".
func kebab(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	return strings.Join(words, "-")
}

func (s *Scenario) readCovers(r *fault.Reader, requirements []string) {
	items := r.Items("B01")
	if r.Written().Shape == fault.List && len(items) == 0 {
		r.Complain("a scenario covers at least one requirement")
	}
	for _, item := range items {
		id := item.Text()
		switch {
		case id == "":
		case slices.Contains(s.Covers, id):
			item.Complain("%s stands here twice", id)
		case requirements != nil && !slices.Contains(requirements, id):
			item.Suggest(fault.Nearest(id, requirements), "unknown requirement %q", id)
		default:
			s.Covers = append(s.Covers, id)
		}
	}
}

func (s *Scenario) readLabels(r *fault.Reader) {
	for _, item := range r.Items("slow") {
		label := item.Text()
		if label != "" && !idPattern.MatchString(label) {
			item.Suggest(kebab(label), "a label is of small letters, digits and single dashes")
		}
		s.Labels = append(s.Labels, label)
	}
}

func (s *Scenario) readFaults(r *fault.Reader) {
	for _, item := range r.Items("{at: approval.submit#1 replied, do: reset}") {
		s.Faults = append(s.Faults, readFault(item))
	}
}

// readFault reads one fault. What cannot be read stays zero, so that faults
// keep their numbers.
func readFault(r *fault.Reader) fault.Fault {
	if !r.Fields("at", "delay", "connection", "optional", "do") {
		return fault.Fault{}
	}
	f := fault.Fault{
		At:         r.Need("at").Anchor(),
		Delay:      r.Field("delay").Span(),
		Connection: r.Field("connection").OneOf("connection", []string{fault.Fresh, fault.Reused}),
		Optional:   r.Field("optional").Bool(),
	}
	if do := r.Need("do"); do.Present() {
		f.Do = fault.ReadEffects(do)
	}
	return f
}
