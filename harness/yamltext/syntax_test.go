package yamltext_test

import (
	"testing"

	. "github.com/onsi/gomega"
	"go.yaml.in/yaml/v4"

	"github.com/lostreceipt/lostreceipt/harness/yamltext"
)

func TestAMistakeHasItsPlaceAndSaysWhatToDo(t *testing.T) {
	for text, want := range map[string]yamltext.Mistake{
		"a:\n\tb: c\n":          {Line: 2, Column: 1, Message: "a tab indents this line, and YAML is indented with blanks only: put blanks in its place"},
		"a: b: c\n":             {Line: 1, Column: 5, Message: "a colon with a blank behind it begins another field: put the value of a in quotes"},
		"\ufeffa:\r\n\t- b\r\n": {Line: 2, Column: 1, Message: "a tab indents this line, and YAML is indented with blanks only: put blanks in its place"},
	} {
		var doc yaml.Node
		err := yaml.Load([]byte(text), &doc)
		g := NewWithT(t)
		g.Expect(err).To(HaveOccurred(), text)
		g.Expect(yamltext.Explain("a policy", yamltext.Lines(text), err)).To(Equal(want), text)
	}
}
