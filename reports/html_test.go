package reports_test

import (
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
)

// visible counts the scenarios that the list shows.
const visible = `[...document.querySelectorAll(".scenario")].filter(s => s.offsetParent !== null).length`

func TestThePageOfAPassingRun(t *testing.T) {
	b := browser(t)
	out := prepared(t)
	evidence(t, out, "lost-receipt", storedHistory(t, "held"))
	NewWithT(t).Expect(out.Save(passing())).To(Succeed())
	p := open(t, b, out.Page(), screen{})
	p.g.Expect(eval[string](p, `document.querySelector("h1").textContent`)).To(Equal("my-agent followed the recovery contract in all 2 scenarios."))
	p.g.Expect(eval[string](p, `document.querySelector(".hero .word").textContent`)).To(Equal("PASS"))
	p.g.Expect(eval[string](p, `document.querySelector(".whole").textContent`)).To(Equal("✓ The whole catalogue ran: 2 scenarios."))
	p.g.Expect(eval[bool](p, `document.querySelector("#wrong") === null`)).To(BeTrue())
	p.look("passing")

	p.click(`.scenario[data-id="lost-receipt"] > summary`)
	p.eventually(`document.querySelectorAll(".scenario[open] .timeline .mark").length > 40`)
	p.g.Expect(eval[int](p, `document.querySelectorAll(".timeline .band.fired").length`)).To(Equal(1))
	p.click(`.scenario[data-id="no-fault"] > summary`)
	p.g.Expect(eval[string](p, `document.querySelector('.scenario[data-id="no-fault"] .body').textContent`)).To(ContainSubstring("The history is not in this page; it stands in the evidence."))
	p.quiet()
}

func TestThePageOfAFailingRun(t *testing.T) {
	b := browser(t)
	out, _ := failing(t)
	p := open(t, b, out.Page(), screen{})
	p.look("failing")
	p.g.Expect(eval[string](p, `document.querySelector(".hero .word").textContent`)).To(Equal("VIOLATION"))
	p.g.Expect(eval[string](p, `document.querySelector(".scenario").dataset.id`)).To(Equal("held"), "what did not pass comes first")

	t.Run("filters and searches", func(t *testing.T) {
		p.g.Expect(eval[int](p, visible)).To(Equal(5))
		p.click(`.chip[data-outcome="violation"]`)
		p.g.Expect(eval[int](p, visible)).To(Equal(2))
		p.click(`.chip[data-outcome="vacuous"]`)
		p.g.Expect(eval[int](p, visible)).To(Equal(3), "outcomes add up")
		p.click(`.chip[data-outcome="violation"]`)
		p.click(`.chip[data-outcome="vacuous"]`)
		p.do(chromedp.KeyEvent("/"))
		p.g.Expect(eval[string](p, `document.activeElement.id`)).To(Equal("search"))
		eval[string](p, `document.activeElement.value = ""`) // the test's keyboard types it all the same
		p.do(chromedp.KeyEvent("identifier-CHANGED receipt"))
		p.g.Expect(eval[int](p, visible)).To(Equal(1), "every word must be found, of rules and titles too")
		p.g.Expect(eval[string](p, `document.querySelector("#shown").textContent`)).To(Equal("1 of 5 scenarios"))
		p.do(chromedp.KeyEvent("x"))
		p.g.Expect(eval[bool](p, `!document.querySelector("#none").hidden`)).To(BeTrue())
		p.do(chromedp.KeyEvent(kb.Escape))
		p.g.Expect(eval[int](p, visible)).To(Equal(5))
	})
	t.Run("leads from a rule, a row and a point of the map to scenarios", func(t *testing.T) {
		p.click(`#wrong button`)
		p.g.Expect(eval[int](p, visible)).To(Equal(2))
		p.click(`#tag`)
		p.g.Expect(eval[int](p, visible)).To(Equal(5))
		p.g.Expect(eval[string](p, `[...document.querySelectorAll("#contract tbody tr")].map(r => r.lastElementChild.textContent).join("; ")`)).
			To(Equal("✓ held in 1; ✗ broken in 2 of 2; not met"))
		p.click(`#contract .result.bad`)
		p.g.Expect(eval[int](p, visible)).To(Equal(2))
		p.g.Expect(eval[string](p, `[...document.querySelectorAll("#coverage thead tr:first-child th")].map(h => h.textContent).join("; ")`)).
			To(Equal("Row; no fault before; sent; replied"))
		p.click(`#coverage tbody tr:first-child td:nth-child(2) button`)
		p.g.Expect(eval[int](p, visible)).To(Equal(3))
		p.click(`#coverage tbody tr:first-child td:nth-child(3) button`)
		p.g.Expect(eval[int](p, visible)).To(Equal(2))
		p.click(`#tag`)
	})
	t.Run("follows a finding to its records", func(t *testing.T) {
		p.click(`.scenario[data-id="lost-receipt"] > summary`)
		p.click(`.scenario[data-id="lost-receipt"] .finding [data-show]`)
		p.eventually(`!document.querySelector("#inspector").hidden`)
		p.look("finding")
		hits := `[...document.querySelectorAll(".timeline .mark.hit")].map(m => m.dataset.n).join()`
		p.g.Expect(eval[string](p, hits)).To(Equal("8,22"))
		p.g.Expect(eval[string](p, `document.querySelector("#inspector .what").textContent`)).To(ContainSubstring("sends approval.submit#1"))
		p.g.Expect(eval[int](p, `JSON.parse(document.querySelector("#inspector pre").textContent).n`)).To(Equal(8))
		p.g.Expect(eval[bool](p, `(r => r.top >= 0 && r.bottom <= innerHeight)(document.querySelector(".mark.chosen").getBoundingClientRect())`)).To(BeTrue(), "the record is in sight")

		p.click(`.scenario[data-id="lost-receipt"] .finding:nth-of-type(2) [data-goto="31"]`)
		p.eventually(`document.querySelector("#inspector .n").textContent === "#31"`)
		p.g.Expect(eval[string](p, hits)).To(Equal("14,31,44"), "of the other finding now")
		p.do(chromedp.Focus(chromedp.CSS(`.scenario[open] .scroll`)), chromedp.KeyEvent(kb.ArrowDown))
		p.g.Expect(eval[string](p, `document.querySelector("#inspector .n").textContent`)).To(Equal("#32"))
		p.click(`#inspector [data-step="-1"]`)
		p.g.Expect(eval[string](p, `document.querySelector("#inspector .n").textContent`)).To(Equal("#31"))
		p.g.Expect(eval[string](p, `document.querySelector(".scenario[open] .timeline text").getAttribute("class") + document.querySelectorAll(".scenario[open] .timeline text.at").length`)).To(Equal("head33"), "choosing changes nothing else")
		p.do(chromedp.KeyEvent(kb.Escape))
		p.g.Expect(eval[bool](p, `document.querySelector("#inspector").hidden && !document.querySelector(".hit")`)).To(BeTrue())
	})
	t.Run("reaches every record", func(t *testing.T) {
		n := strings.Count(string(storedHistory(t, "lost-receipt")), "\n")
		p.g.Expect(eval[int](p, `document.querySelectorAll('.scenario[data-id="lost-receipt"] .records li[data-n]').length`)).To(Equal(n))
	})
	t.Run("shows the kill matrix", func(t *testing.T) {
		p.g.Expect(eval[string](p, `[...document.querySelectorAll("#selftest tbody tr")].map(r => r.textContent.trim().replace(/\s+/g, " ")).join("; ")`)).To(Equal(
			"✓ new-keyidentifier-changed●new-key in lost-receipt: killed (identifier-changed)·new-key in no-fault: void; ✗ no-jitterbackoff-flat○no-jitter in lost-receipt: survived"))
		p.g.Expect(eval[string](p, `document.querySelector('.hero a[href="#selftest"]').textContent`)).To(HavePrefix("✗ The self-test does not prove"))
		p.g.Expect(eval[string](p, `document.querySelector("#selftest .intro").textContent`)).To(HavePrefix("✗ The self-test does not prove that the judge bites"))
	})
	p.quiet()
}

func TestAnAddressOpensAScenarioAtARecord(t *testing.T) {
	b := browser(t)
	out, _ := failing(t)
	p := open(t, b, out.Page()+"#lost-receipt:22", screen{})
	p.eventually(`document.querySelector("#inspector .n").textContent === "#22"`)
	p.g.Expect(eval[string](p, `document.querySelector(".scenario[open]").dataset.id`)).To(Equal("lost-receipt"))
}

func TestThePageOfAVacuousRun(t *testing.T) {
	b := browser(t)
	r := head()
	r.Catalogue.Count, r.Selected = 1, []string{"third-query"}
	r.Add(reports.Scenario{ID: "third-query", Title: "A fault at the third query", Repetitions: once(judge.Vacuous, 1, judge.Verdict{Reasons: []string{"fault f-1 did not fire"}}, "x")})
	r.Seal(1)
	out := prepared(t)
	NewWithT(t).Expect(out.Save(r)).To(Succeed())
	p := open(t, b, out.Page(), screen{dark: true})
	p.g.Expect(eval[string](p, `document.querySelector(".hero").className + " " + document.querySelector(".hero .word").textContent`)).To(Equal("hero vacuous NO VERDICT"))
	p.g.Expect(eval[string](p, `document.querySelector("#wrong").textContent`)).To(ContainSubstring("A planned fault did not fire"))
	p.g.Expect(eval[string](p, `document.querySelector(".scenario .why").textContent`)).To(Equal("fault f-1 did not fire"))
	p.look("vacuous-dark")
	p.quiet()
}

func TestAThousandScenariosOpenAtOnce(t *testing.T) {
	b := browser(t)
	out, _ := large(t, many)
	info, err := os.Stat(out.Page())
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	NewWithT(t).Expect(info.Size()).To(BeNumerically("<", 20<<20))

	few, _ := large(t, many/10)
	least := opening(open(t, b, few.Page(), screen{}), many/10)
	p := open(t, b, out.Page(), screen{})
	busy := opening(p, many)
	t.Logf("%d KB, opened with %.2f s of work, a tenth of it with %.2f s; %.0f ms on this machine's clock", info.Size()>>10, busy, least,
		eval[float64](p, `performance.getEntriesByType("navigation")[0].loadEventEnd`))
	p.g.Expect(busy).To(BeNumerically("<", 20*least), "twice what is linear in the scenarios")
	p.look("thousand")

	p.click(`.chip[data-outcome="violation"]`)
	p.g.Expect(eval[int](p, visible)).To(Equal(many / 10))
	p.click(`.scenario[data-id="scenario-0093"] > summary`)
	p.eventually(`document.querySelectorAll(".scenario[open] .timeline .mark").length > 40`)
	p.quiet()
}

// opening is the time that the page itself takes to open again, in seconds: a
// clock on the wall would time the other work of this machine.
func opening(p *tab, scenarios int) float64 {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
	p.g.Expect(err).NotTo(HaveOccurred())
	before := took(p)
	p.do(chromedp.Reload())
	p.g.Expect(eval[int](p, visible)).To(Equal(scenarios))
	return took(p) - before
}

// took is the processor time of the page's thread, in seconds.
func took(p *tab) float64 {
	p.t.Helper()
	result, err := chromedp.Call(p.ctx, performance.GetMetrics, cdp.Empty{})
	p.g.Expect(err).NotTo(HaveOccurred())
	for _, m := range result.Metrics {
		if m.Name == "TaskDuration" {
			return m.Value
		}
	}
	p.t.Fatal("the browser does not say how long it worked")
	return 0
}
