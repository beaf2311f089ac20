package page_test

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
	"golang.org/x/net/html"

	"github.com/lostreceipt/lostreceipt/reports/page"
)

func written(t *testing.T, v page.View) (string, *html.Node) {
	t.Helper()
	var out strings.Builder
	NewWithT(t).Expect(v.Write(&out)).To(Succeed())
	doc, err := html.Parse(strings.NewReader(out.String()))
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	return out.String(), doc
}

func TestThePolicyNamesTheOnlyScriptAndStyle(t *testing.T) {
	g := NewWithT(t)
	_, doc := written(t, page.View{Title: "t", Outcome: "pass"})
	var policy string
	sums := map[string]string{}
	for n := range doc.Descendants() {
		switch n.Data {
		case "meta":
			for _, a := range n.Attr {
				if a.Key == "content" && strings.Contains(a.Val, "default-src") {
					policy = a.Val
				}
			}
		case "script", "style":
			if n.FirstChild == nil {
				continue // the name of an element in a style sheet, say
			}
			sum := sha256.Sum256([]byte(n.FirstChild.Data))
			sums[n.Data] = "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
		}
	}
	g.Expect(policy).To(Equal("default-src 'none'; script-src '" + sums["script"] + "'; style-src '" + sums["style"] + "'; base-uri 'none'; form-action 'none'"))
}

func TestTheGateSpeaksInTheHead(t *testing.T) {
	g := NewWithT(t)
	text, _ := written(t, page.View{Gate: &page.Gate{Verdict: "2 reasons.", Reasons: []page.Reason{{Text: "the catalogue is not complete", Do: "run again"}}, Notes: []string{"1 waiver holds"}}})
	g.Expect(text).To(ContainSubstring("✗ Gate failed.</b> 2 reasons."))
	g.Expect(text).To(ContainSubstring(`<li class="bad">the catalogue is not complete<span class="quiet">run again</span></li><li>1 waiver holds</li>`))
	text, _ = written(t, page.View{Gate: &page.Gate{Passed: true}})
	g.Expect(text).To(ContainSubstring("✓ Gate passed."))
	text, _ = written(t, page.View{})
	g.Expect(text).To(ContainSubstring("No gate has decided."))
}

func TestTheBarShowsEveryOutcomeThatIsThere(t *testing.T) {
	g := NewWithT(t)
	text, _ := written(t, page.View{Tally: []page.Count{{Outcome: "violation", Words: "violations", N: 1}, {Outcome: "vacuous", Words: "vacuous"}, {Outcome: "pass", Words: "passed", N: 99_999}}})
	g.Expect(strings.Count(text, "<rect class=")).To(Equal(2))
	g.Expect(text).To(ContainSubstring("<title>1 violations</title>"))
	g.Expect(text).NotTo(ContainSubstring("0 vacuous"))
}
