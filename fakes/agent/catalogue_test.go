package agent

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
)

func TestEachDefectHasAFileASentenceAndARule(t *testing.T) {
	g := NewWithT(t)
	seen := map[string]bool{}
	for _, d := range Defects() {
		g.Expect(d.Name).To(MatchRegexp(`^[a-z]+(-[a-z]+)*$`))
		g.Expect(seen).NotTo(HaveKey(d.Name))
		seen[d.Name] = true
		g.Expect(d.Summary).To(MatchRegexp(`^[A-Z].*\.$`), d.Name)
		g.Expect(d.Rule).To(MatchRegexp(`^[a-z]+(-[a-z]+)+$`), d.Name)
		g.Expect(d.Scenarios).NotTo(BeEmpty(), d.Name)
		g.Expect(d.Covers).NotTo(BeEmpty(), d.Name)
		g.Expect("defect_" + strings.ReplaceAll(d.Name, "-", "_") + ".go").To(BeAnExistingFile())
	}
	files, err := filepath.Glob("defect_*.go")
	g.Expect(err).NotTo(HaveOccurred())
	for _, f := range files {
		name := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(f, "defect_"), ".go"), "_", "-")
		if name != "test" {
			g.Expect(seen).To(HaveKey(name), "%s is listed in defects()", f)
		}
	}
	g.Expect(Designs()[0].Name).To(Equal(Reference))
}

func TestItKnowsNothingOfTheHarness(t *testing.T) {
	g := NewWithT(t)
	files, err := os.ReadDir(".")
	g.Expect(err).NotTo(HaveOccurred())
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, parser.ImportsOnly)
		g.Expect(err).NotTo(HaveOccurred())
		for _, i := range file.Imports {
			g.Expect(i.Path.Value).NotTo(ContainSubstring("lostreceipt/lostreceipt"), f.Name())
		}
	}
}
