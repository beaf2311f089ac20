package scenario

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	. "github.com/onsi/gomega"
)

func load(t testing.TB, name string) *Scenario {
	t.Helper()
	s, err := Load(os.DirFS("testdata"), name, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAFolderIsReadWhole(t *testing.T) {
	g := NewWithT(t)
	c, err := LoadDir(os.DirFS("testdata"), Options{Root: "scenarios"})
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(ids(c.All())).To(Equal([]string{"lost-receipt", "stale-empty-late-success", "two-intents"}))
	g.Expect(c.All()[0].File).To(Equal("scenarios/approval/lost-receipt.yaml"))
	found, ok := c.Find("two-intents")
	g.Expect(ok).To(BeTrue())
	g.Expect(found.ID).To(Equal("two-intents"))
}

func TestScenariosAreSelectedByIdPathAndGlob(t *testing.T) {
	g := NewWithT(t)
	c, err := LoadDir(os.DirFS("testdata"), Options{})
	g.Expect(err).NotTo(HaveOccurred())
	for pattern, want := range map[string][]string{
		"two-intents":           {"two-intents"},
		"approval/lost-receipt": {"lost-receipt"},
		"approval/*":            {"lost-receipt", "stale-empty-late-success", "two-intents"},
		"*/*-late-*":            {"stale-empty-late-success"},
	} {
		got, err := c.Select(pattern)
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(ids(got)).To(Equal(want), pattern)
	}
	all, err := c.Select()
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(all).To(HaveLen(3))
	_, err = c.Select("lost-reciept")
	g.Expect(err).To(MatchError(`unknown scenario "lost-reciept" (did you mean "lost-receipt"?)`))
	_, err = c.Select("readonly/*")
	g.Expect(err).To(MatchError(`no scenario matches "readonly/*": patterns are matched with ids, and with paths such as approval/lost-receipt`))
}

func TestAFolderIsRefusedWithEverythingThatIsWrong(t *testing.T) {
	g := NewWithT(t)
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	_, err := LoadDir(fstest.MapFS{
		"contract.yaml": file("rows: []\n"),
		"README.md":     file("# words\n"),
		"x/a.yaml":      file(head),
		"y/a.yaml":      file(head),
		"y/c.yaml":      file(strings.Replace(head, "id: a", "id: d", 1)),
		"y/e.yaml":      file("id: e\n"),
	}, Options{Root: "scenarios"})
	g.Expect(strings.Split(err.Error(), "\n")).To(Equal([]string{
		`scenarios/y/a.yaml:1:5: the id "a" is taken by scenarios/x/a.yaml`, `    id: a`,
		`scenarios/y/c.yaml:1:5: the file is named after its scenario: the id of c.yaml is not "d" (did you mean "c"?)`, `    id: d`,
		`scenarios/y/e.yaml:1:1: the field "covers" is missing`, `    id: e`,
		`scenarios/y/e.yaml:1:1: the field "task" is missing: write task: purchase-approval, or a list of tasks`, `    id: e`,
		`scenarios/y/e.yaml:1:1: the field "title" is missing`, `    id: e`,
	}))
	var all *Errors
	g.Expect(err).To(BeAssignableToTypeOf(all))
	g.Expect(err.(*Errors).All()).To(HaveLen(5))
}

func TestAFileThatIsNotThere(t *testing.T) {
	_, err := Load(os.DirFS("testdata"), "approval/none.yaml", Options{Root: "scenarios"})
	NewWithT(t).Expect(err).To(MatchError(fs.ErrNotExist))
	NewWithT(t).Expect(err.Error()).To(HavePrefix("scenarios/approval/none.yaml: "))
}

func TestTheDigestIsOfIdsAndTextsInAnyOrder(t *testing.T) {
	g := NewWithT(t)
	a, b := load(t, "approval/lost-receipt.yaml"), load(t, "approval/two-intents.yaml")
	d := Digest([]*Scenario{a, b})
	g.Expect(d).To(HavePrefix("sha256:"))
	g.Expect(d).To(HaveLen(len("sha256:") + 64))
	g.Expect(Digest([]*Scenario{b, a})).To(Equal(d))
	g.Expect(Digest([]*Scenario{a})).NotTo(Equal(d))
	changed := *a
	changed.Text += " "
	g.Expect(Digest([]*Scenario{&changed, b})).NotTo(Equal(d))
}

func ids(scenarios []*Scenario) []string {
	var all []string
	for _, s := range scenarios {
		all = append(all, s.ID)
	}
	return all
}
