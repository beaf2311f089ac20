package reports_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	. "github.com/onsi/gomega"
	"golang.org/x/net/html"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
)

// attack is a report with strings that try to act in a page, and to call home.
func attack(t *testing.T, home string) (reports.Out, *reports.Report) {
	t.Helper()
	out := prepared(t)
	bad := fmt.Sprintf(`</script></template></title></style><script>window.pwned=1</script><img src=%[1]s/img onerror="window.pwned=2">`+
		`<link rel=stylesheet href=%[1]s/css><svg onload="window.pwned=3">"'><iframe src=%[1]s/frame></iframe>{{.}}${1}<!--`, home)
	r := poisoned()
	r.Agent.Name, r.Repeat = bad, bad
	r.Contract.Rows = []reports.Row{{ID: bad, Summary: bad, Allow: []string{bad}, Must: []string{bad}}}
	r.Catalogue.IDs = []string{bad, "javascript:window.pwned=4"}
	r.SelfTest = &reports.SelfTest{
		Designs: []reports.Design{{Name: bad, Outcome: judge.Outcome(bad), Problems: []string{bad}}},
		Kills:   []reports.Kill{{Defect: bad, Rule: bad, Scenario: bad, Result: bad, Rules: []string{bad}}},
	}
	v := judge.Verdict{Reasons: []string{bad}, Ends: []string{bad}, Counts: map[string]int{bad: 2}, Cells: []judge.Cell{{Row: bad, Phase: bad, Effect: bad}}}
	v.Findings = []judge.Finding{{Rule: bad, Party: judge.Agent, Task: bad, Row: bad, Observed: bad, Records: []int{2, 3}, Allowed: []string{bad}, Must: []string{bad}, Cause: bad, Correct: bad, Repeat: bad}}
	r.Add(reports.Scenario{ID: "attack", Title: bad, Covers: []string{bad}, File: bad, Repetitions: once(judge.Violation, 1, v, "attack")})
	r.Add(reports.Scenario{ID: "elsewhere", Repetitions: []reports.Repetition{{N: 1, Outcome: judge.Violation, Evidence: "javascript:window.pwned=5"}}})
	r.Add(reports.Scenario{ID: "outside", Repetitions: []reports.Repetition{{N: 1, Outcome: judge.Violation, Evidence: "../../../etc"}}})
	r.Seal(1)
	evidence(t, out, "attack", bytes.ReplaceAll(poisonedHistory(t), []byte(`\u003cscript\u003e`), []byte(`\u003cscript\u003ewindow.pwned=6;`)))
	NewWithT(t).Expect(out.Save(r)).To(Succeed())
	return out, r
}

func TestStringsOfAnAgentStayTextInTheBrowser(t *testing.T) {
	b := browser(t)
	var calls atomic.Int32
	home := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls.Add(1) }))
	t.Cleanup(home.Close)
	out, _ := attack(t, home.URL)
	p := open(t, b, out.Page(), screen{})
	p.click(`.scenario[data-id="attack"] > summary`)
	p.eventually(`document.querySelectorAll(".scenario[open] .timeline .mark").length > 5`)
	p.click(`.scenario[open] .finding [data-show]`)
	p.eventually(`!document.querySelector("#inspector").hidden`)
	p.look("attack")
	p.g.Expect(eval[bool](p, `"pwned" in window`)).To(BeFalse())
	p.g.Expect(eval[int](p, `document.querySelectorAll("img, link, iframe, object, embed, form, base, [onload], [onerror], [onclick]").length`)).To(Equal(0))
	p.g.Expect(eval[int](p, `document.scripts.length`)).To(Equal(1))
	p.g.Expect(eval[string](p, `document.body.innerText`)).To(ContainSubstring("<script>window.pwned=1</script>"))
	p.g.Expect(eval[bool](p, `[...document.links].every(a => ["file:"].includes(a.protocol))`)).To(BeTrue())
	p.quiet()
	p.g.Expect(calls.Load()).To(BeZero(), "nothing called home")
}

func TestThePolicyStopsWhatEscapingMightMiss(t *testing.T) {
	b := browser(t)
	var calls atomic.Int32
	home := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls.Add(1) }))
	t.Cleanup(home.Close)
	out, _ := failing(t)
	text, err := os.ReadFile(out.Page())
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	live := fmt.Sprintf(`<script>window.pwned=1</script><img src="%[1]s/img" onerror="window.pwned=2"><link rel="stylesheet" href="%[1]s/css"><iframe src="%[1]s/frame"></iframe><h1`, home.URL)
	text = bytes.Replace(text, []byte("<h1"), []byte(live), 1)
	NewWithT(t).Expect(os.WriteFile(out.Page(), text, 0o644)).To(Succeed())
	p := open(t, b, out.Page(), screen{})
	p.eventually(`document.querySelector("#shown").textContent === "5 scenarios"`)
	p.g.Expect(eval[bool](p, `"pwned" in window`)).To(BeFalse())
	p.g.Expect(eval[string](p, `new Promise(done => fetch("`+home.URL+`/fetch").then(() => done("sent"), () => done("refused")))`)).To(Equal("refused"))
	p.g.Expect(calls.Load()).To(BeZero())
}

// An independent reader, where there is no browser.
func TestThePageIsOneFileThatAsksForNothing(t *testing.T) {
	g := NewWithT(t)
	out, _ := attack(t, "http://127.0.0.1:9")
	f, err := os.Open(out.Page())
	g.Expect(err).NotTo(HaveOccurred())
	t.Cleanup(func() { f.Close() })
	doc, err := html.Parse(f)
	g.Expect(err).NotTo(HaveOccurred())
	count := map[string]int{}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		count[n.Data]++
		for _, a := range n.Attr {
			g.Expect(a.Key).NotTo(HavePrefix("on"), "a handler in <%s>", n.Data)
			g.Expect(a.Key).NotTo(BeElementOf("src", "srcset", "style", "action", "background", "data", "poster"), "in <%s>", n.Data)
			if a.Key == "href" {
				g.Expect(a.Val).To(Or(HavePrefix("#"), HavePrefix("runs/")), "in <%s>", n.Data)
			}
			if a.Key == "http-equiv" {
				g.Expect(a.Val).To(Equal("Content-Security-Policy"))
			}
		}
	}
	g.Expect(count["script"]).To(Equal(1))
	g.Expect(count["style"]).To(Equal(1))
	g.Expect(count["h1"]).To(Equal(1))
	g.Expect(count).NotTo(Or(HaveKey("img"), HaveKey("iframe"), HaveKey("link"), HaveKey("object"), HaveKey("form"), HaveKey("base")))
}

func TestThePageOfAHostileAgentIsBounded(t *testing.T) {
	g := NewWithT(t)
	r := head()
	text := strings.Repeat(hostile+"x", 200)
	for n := range 300 {
		f := judge.Finding{Rule: text, Party: judge.Agent, Observed: text, Cause: text, Correct: text, Repeat: text, Records: make([]int, 500)}
		v := judge.Verdict{Reasons: []string{text, text}, Ends: []string{text, text, text}}
		for range 50 {
			v.Findings = append(v.Findings, f)
		}
		r.Add(reports.Scenario{ID: fmt.Sprint(n, text), Title: text, Repetitions: once(judge.Violation, 1, v, "x")})
	}
	r.Seal(1)
	var out bytes.Buffer
	g.Expect(r.HTML(&out, "", nil)).To(Succeed())
	g.Expect(out.Len()).To(BeNumerically("<", 20<<20))
	g.Expect(raw(out.String())).To(BeEmpty())
}

func TestAHistoryThatCannotBeReadDoesNotKeepThePageFromBeing(t *testing.T) {
	g := NewWithT(t)
	out, r := failing(t)
	g.Expect(os.WriteFile(out.Run("held", 1).History(), []byte("<b>no history</b>\n"), 0o644)).To(Succeed())
	g.Expect(os.RemoveAll(string(out.Run("no-fault", 1)))).To(Succeed())
	g.Expect(r.HTML(io.Discard, string(out), nil)).To(Succeed())
}
