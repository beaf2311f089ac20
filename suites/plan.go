package suites

import (
	"errors"
	"fmt"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"
)

// plan finds out which scenarios will run. An error says why none should.
func (s *Suite) plan(args []any) error {
	if err := s.load(); err != nil {
		return err
	}
	config, _ := ginkgo.GinkgoConfiguration()
	for _, arg := range args {
		if given, ok := arg.(types.SuiteConfig); ok {
			config = given
		}
	}
	// Ginkgo would end this process, and with it all other tests of the package.
	if _, err := types.ParseLabelFilter(config.LabelFilter); err != nil {
		return fmt.Errorf("suites: label filter %q: %s (want an expression such as \"C1 && !kill\")", config.LabelFilter, plainly(err))
	}
	s.selected = s.among(ginkgo.PreviewSpecs(s.text, args...))
	if len(s.selected) == 0 {
		return fmt.Errorf("suites: no scenario of %q is selected, so nothing would be tested: look at focus, skip and label filter (%s)",
			s.text, filters(config))
	}
	s.atOnce = config.ParallelTotal == 1 && !config.DryRun
	return nil
}

// among are the scenarios whose specs a preview selects.
func (s *Suite) among(preview ginkgo.Report) []string {
	var ids []string
	for _, spec := range preview.SpecReports {
		if id, ours := s.scenarioOf(spec); ours && !spec.State.Is(types.SpecStateSkipped|types.SpecStatePending) {
			ids = append(ids, id)
		}
	}
	return ids
}

// scenarioOf tells which scenario of this suite a spec is about.
func (s *Suite) scenarioOf(spec types.SpecReport) (string, bool) {
	if spec.LeafNodeType != types.NodeTypeIt || spec.LeafNodeLocation.String() != s.at.String() || len(spec.LeafNodeLabels) == 0 {
		return "", false
	}
	id := spec.LeafNodeLabels[0] // see labels
	_, known := s.ahead.jobs[id]
	return id, known
}

// filters are the filters that are set, for people.
func filters(c types.SuiteConfig) string {
	var set []string
	for _, f := range []struct {
		name   string
		values []string
	}{
		{"focus", c.FocusStrings},
		{"skip", c.SkipStrings},
		{"focus-file", c.FocusFiles},
		{"skip-file", c.SkipFiles},
		{"label-filter", []string{c.LabelFilter}},
	} {
		for _, value := range f.values {
			if value != "" {
				set = append(set, fmt.Sprintf("-ginkgo.%s %q", f.name, value))
			}
		}
	}
	if len(set) == 0 {
		return "none is set: is everything pending, or other specs focused?"
	}
	return strings.Join(set, " ")
}

// plainly is an error of Ginkgo in one line without colours.
func plainly(err error) string {
	text := err.Error()
	var g types.GinkgoError
	if errors.As(err, &g) {
		text = formatter.NewWithNoColorBool(true).F(g.Message)
	}
	return strings.Join(strings.Fields(text), " ")
}
