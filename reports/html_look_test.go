package reports_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	. "github.com/onsi/gomega"
)

// contrast lists the texts of the page that stand out from their background by
// less than 4.5 (WCAG 2.2, AA), each once.
const contrast = `(() => {
  const parse = c => { const m = c.match(/[\d.]+/g).map(Number); return c.startsWith("color(") ? [m[0]*255, m[1]*255, m[2]*255, m[3] ?? 1] : [m[0], m[1], m[2], m[3] ?? 1]; };
  const over = (a, b) => [0, 1, 2].map(i => a[i]*a[3] + b[i]*(1 - a[3]));
  const lum = c => { const [r, g, b] = c.map(v => { v /= 255; return v <= .03928 ? v/12.92 : ((v+.055)/1.055)**2.4; }); return .2126*r + .7152*g + .0722*b; };
  const behind = e => { const stack = []; for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c[3] > 0) stack.push(c); if (c[3] === 1) break; }
    return stack.reverse().reduce((under, c) => over(c, under), [255, 255, 255]); };
  const bad = new Set();
  for (const e of document.querySelectorAll("body *")) {
    if (!(e instanceof HTMLElement) || !e.getClientRects().length || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
    const back = behind(e), front = over(parse(getComputedStyle(e).color), back), a = lum(front), b = lum(back);
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) bad.add(e.tagName + "." + e.className + " " + ratio.toFixed(2));
  }
  return [...bad].join("\n");
})()`

func TestThePageIsReadableInLightAndDark(t *testing.T) {
	b := browser(t)
	out, _ := failing(t)
	for name, s := range map[string]screen{"light": {}, "dark": {dark: true}} {
		t.Run(name, func(t *testing.T) {
			p := open(t, b, out.Page()+"#lost-receipt:8", s)
			p.eventually(`!document.querySelector("#inspector").hidden`)
			p.g.Expect(eval[string](p, contrast)).To(BeEmpty())
			background := `getComputedStyle(document.body).backgroundColor`
			before := eval[string](p, background)
			p.click(`#theme`)
			p.g.Expect(eval[string](p, background)).NotTo(Equal(before), "the button changes it")
			p.g.Expect(eval[string](p, contrast)).To(BeEmpty())
		})
	}
}

func TestThePageFitsASmallScreen(t *testing.T) {
	b := browser(t)
	failed, _ := failing(t)
	attacked, _ := attack(t, "http://127.0.0.1:9")
	for name, path := range map[string]string{"failing": failed.Page() + "#lost-receipt:8", "hostile": attacked.Page() + "#attack:2"} {
		t.Run(name, func(t *testing.T) {
			p := open(t, b, path, screen{width: 360, height: 740})
			p.eventually(`!document.querySelector("#inspector").hidden`)
			p.look("phone-" + name)
			p.g.Expect(eval[int](p, `document.documentElement.scrollWidth`)).To(BeNumerically("<=", 360), "nothing sticks out")
		})
	}
}

func TestThePageNeedsNoScriptForItsVerdict(t *testing.T) {
	b := browser(t)
	out, _ := failing(t)
	p := open(t, b, out.Page(), screen{noScript: true})
	p.click(`.scenario[data-id="lost-receipt"] > summary`)
	var text string
	for _, css := range []string{"h1", `.scenario[data-id="lost-receipt"] .observed`, `.scenario[data-id="lost-receipt"] .fold`} {
		part, err := chromedp.Run(p.ctx, chromedp.Text(chromedp.CSS(css)))
		p.g.Expect(err).NotTo(HaveOccurred())
		text += part + "\n"
	}
	p.g.Expect(text).To(Equal("my-agent broke the recovery contract in 2 of 5 scenarios.\n" +
		"sent again as \"UQH3\"; it was sent before as \"YZJB\"\n" +
		"The history unfolds here. It needs JavaScript, and a browser that can unpack gzip.\n"))
}

func TestThePagePrintsWhatWentWrong(t *testing.T) {
	b := browser(t)
	out, _ := failing(t)
	p := open(t, b, out.Page(), screen{dark: true})
	p.g.Expect(eval[int](p, `document.querySelectorAll(".scenario[open]").length`)).To(Equal(0))
	pdf, err := chromedp.Run(p.ctx, chromedp.PrintToPDF())
	p.g.Expect(err).NotTo(HaveOccurred())
	p.g.Expect(len(pdf)).To(BeNumerically(">", 20_000))
	p.eventually(`document.querySelectorAll('.scenario[open][data-outcome="violation"]').length === 2`)
}
