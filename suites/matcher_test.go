package suites_test

import (
	"github.com/onsi/gomega/types"
)

// failure is the text with which To(matcher) fails, or what went otherwise.
func failure(actual any, m types.GomegaMatcher) string {
	ok, err := m.Match(actual)
	if err != nil {
		return "error: " + err.Error()
	}
	if ok {
		return "it matches"
	}
	return m.FailureMessage(actual)
}

// negated is the text with which NotTo(matcher) fails, or what went otherwise.
func negated(actual any, m types.GomegaMatcher) string {
	ok, err := m.Match(actual)
	if err != nil {
		return "error: " + err.Error()
	}
	if !ok {
		return "it does not match"
	}
	return m.NegatedFailureMessage(actual)
}
