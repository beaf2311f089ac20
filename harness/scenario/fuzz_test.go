package scenario

import (
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

func FuzzTheLoaderNeverPanics(f *testing.F) {
	files, _ := filepath.Glob("testdata/*/*.yaml")
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	for _, seed := range []string{"", "a", "- x", "id: [", "&a [*a]", "? {}\n: x", "id: a\n---\nb", "x: |\n  #y", "'", "\ufeffid: a", "<<: {}", "faults: [{at: {}, do: [[]]}]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse("x.yaml", []byte(text), Options{})
		if err == nil {
			Explain(s)
			if _, err := s.Compile(contract.Defaults().Scale(contract.DefaultScale)); err != nil {
				t.Fatalf("read without a problem, and then: %v", err)
			}
			return
		}
		problems := err.(*Errors).All()
		if len(problems) == 0 || s != nil {
			t.Fatalf("%d problems, scenario %v", len(problems), s)
		}
		for _, p := range problems {
			if p.Message == "" || p.Line < 0 || p.Column < 0 || (p.Line > 0) != (p.Column > 0) || !utf8.ValidString(p.Text) {
				t.Fatalf("%+v", p)
			}
		}
	})
}
