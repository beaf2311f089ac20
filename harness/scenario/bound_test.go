package scenario

import (
	"errors"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
)

func TestTheWorstFilesAreReadInBoundedTimeAndWithBoundedErrors(t *testing.T) {
	fill := func(s string) string { return strings.Repeat(s, MaxSize/len(s)) }
	for name, text := range map[string]string{
		"fields that stand twice":    fill("a:\n"),
		"fields of one line":         "{" + fill("a: ,")[:MaxSize-2] + "}",
		"fields that nobody knows":   "{" + strings.Repeat("faulks: [1_0], ", 10000) + "}",
		"open brackets":              fill("["),
		"comments that touch a word": fill("#a\n"),
		"items":                      "covers: [" + strings.Repeat("B1,", 50000) + "]\n",
		"faults":                     head + "faults:\n" + strings.Repeat("  - {at: approval.submit#1 repiled, do: rest}\n", 4000),
		"tasks":                      "tasks: [" + strings.Repeat("{id: a, type: x},", 10000) + "]\n",
		"effects":                    head + "faults: [{at: approval.submit#1 sent, do: [" + strings.Repeat("kill,", 40000) + "]}]\n",
		"faults that are right":      head + "faults:\n" + strings.Repeat("  - {at: approval.query#1 sent, do: {hold: {for: 1 retention}}}\n", 3000),
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			_, err := Parse("x.yaml", []byte(text), Options{})
			var all *Errors
			g.Expect(errors.As(err, &all)).To(BeTrue())
			g.Expect(len(all.All())).To(BeNumerically("<=", mostProblems+1))
			g.Expect(len(err.Error())).To(BeNumerically("<", 400_000))
		})
	}
}
