package reports_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	. "github.com/onsi/gomega"
)

// requireBrowser makes the absence of a browser a failure: CI sets it.
const requireBrowser = "LOSTRECEIPT_REQUIRE_BROWSER"

// browser starts one, or skips the test where there is none.
func browser(t *testing.T) chrome {
	t.Helper()
	found := false
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "headless-shell"} {
		_, err := exec.LookPath(name)
		found = found || err == nil
	}
	if !found && os.Getenv(requireBrowser) == "1" {
		t.Fatalf("no browser, and %s is set: install Debian's chromium", requireBrowser)
	}
	if !found {
		t.Skip("no browser: install chromium to run " + t.Name())
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.Flag("hide-scrollbars", true))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // which root cannot have
	}
	ctx, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(func() { _ = chromedp.Cancel(ctx); stop() })
	NewWithT(t).Expect(chromedp.Do(ctx)).To(Succeed())
	return chrome{ctx}
}

// chrome is a browser that runs.
type chrome struct{ ctx context.Context }

// A tab shows one page, and notes what it asks for and complains about.
type tab struct {
	t   *testing.T
	g   *WithT
	ctx context.Context
	url string

	mu         sync.Mutex
	requests   []string
	complaints []string
}

// A screen is what a page is opened on.
type screen struct {
	width, height  int64
	dark, noScript bool
}

// open opens a file in a tab of its own.
func open(t *testing.T, browser chrome, path string, s screen) *tab {
	t.Helper()
	if s.width == 0 {
		s.width, s.height = 1360, 900
	}
	ctx, stop := chromedp.NewContext(browser.ctx)
	t.Cleanup(stop)
	b := &tab{t: t, g: NewWithT(t), ctx: ctx, url: "file://" + path}
	b.g.Expect(chromedp.Listen(ctx, b.note)).To(Succeed())
	_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	b.g.Expect(err).NotTo(HaveOccurred())
	scheme := map[bool]string{false: "light", true: "dark"}[s.dark]
	_, err = chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}},
	})
	b.g.Expect(err).NotTo(HaveOccurred())
	if s.noScript {
		_, err = chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		b.g.Expect(err).NotTo(HaveOccurred())
	}
	b.do(chromedp.EmulateViewport(s.width, s.height), chromedp.Navigate(b.url))
	return b
}

// note runs in the loop that reads the browser.
func (b *tab) note(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	case *runtime.EventExceptionThrown:
		b.complaints = append(b.complaints, e.ExceptionDetails.Text)
	case *page.EventJavascriptDialogOpening:
		b.complaints = append(b.complaints, "dialog: "+e.Message)
	}
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	b.g.Expect(chromedp.Do(b.ctx, actions...)).To(Succeed())
}

// eval is the value of an expression in the page; a promise is waited for.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	b.g.Expect(err).NotTo(HaveOccurred(), expression)
	return v
}

// click clicks the first element that fits.
func (b *tab) click(css string) {
	b.t.Helper()
	b.do(chromedp.Click(chromedp.CSS(css)))
}

// eventually waits for an expression to be true.
func (b *tab) eventually(expression string) {
	b.t.Helper()
	b.g.Eventually(func() (bool, error) { return chromedp.Run(b.ctx, chromedp.Evaluate[bool](expression)) }).
		WithTimeout(time.Minute).WithPolling(20*time.Millisecond).Should(BeTrue(), expression)
}

// quiet demands that nothing but the file itself was asked for, and that the
// page had nothing to complain about.
func (b *tab) quiet() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.g.Expect(b.complaints).To(BeEmpty())
	b.g.Expect(b.requests).NotTo(BeEmpty(), "the watch on requests works")
	b.g.Expect(b.requests).To(HaveEach(HavePrefix(b.url)), "a request leaves the file")
}

// look keeps a screenshot where LOSTRECEIPT_SCREENSHOTS names a directory, for
// people to look at.
func (b *tab) look(name string) {
	b.t.Helper()
	dir := os.Getenv("LOSTRECEIPT_SCREENSHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	b.g.Expect(err).NotTo(HaveOccurred())
	b.g.Expect(os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644)).To(Succeed())
}
