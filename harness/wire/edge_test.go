package wire_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
	"github.com/rs/zerolog"
	zlog "github.com/rs/zerolog/log"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Every edge that the documentation names has a test, and the test exists.
func TestEveryEdgeHasATest(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "doc", "wire-edges.md"))
	if err != nil {
		t.Fatal(err)
	}
	var tests strings.Builder
	for _, room := range []string{".", filepath.Join("..", "fault"), filepath.Join("..", "judge"), filepath.Join("..", "..", "fakes", "service")} {
		files, err := filepath.Glob(filepath.Join(room, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			tests.Write(text)
		}
	}
	rows := 0
	for _, line := range strings.Split(string(page), "\n") {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| edge") {
			continue
		}
		rows++
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		names := regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9]+)`").FindAllStringSubmatch(cells[len(cells)-1], -1)
		if len(cells) != 3 || len(names) == 0 {
			t.Errorf("no test: %s", line)
		}
		for _, name := range names {
			if !strings.Contains(tests.String(), "func "+name[1]+"(") {
				t.Errorf("%s does not exist: %s", name[1], line)
			}
		}
	}
	if rows < 20 {
		t.Errorf("only %d edges", rows)
	}
}

// What of Toxiproxy races or dies by itself is not used.
func TestToxiproxyIsUsedWithinBounds(t *testing.T) {
	barred := []string{"UpdateToxicJson", "Routes", "StartServer", "ResetToxics", "PopulateConfig", "Collection"}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	used := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range file.Imports {
			if strings.Contains(i.Path.Value, "toxiproxy") {
				used++
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if ok && slices.Contains(barred, s.Sel.Name) {
				t.Errorf("%s uses %s of Toxiproxy", name, s.Sel.Name)
			}
			if x, isCall := n.(*ast.CallExpr); isCall {
				if s, ok := x.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Start" {
					if of, ok := s.X.(*ast.SelectorExpr); ok && of.Sel.Name == "tox" {
						t.Errorf("%s starts a proxy of Toxiproxy", name)
					}
				}
			}
			return true
		})
	}
	if used == 0 {
		t.Error("Toxiproxy is not used at all")
	}
}

// A bandwidth toxic writes its steps to the process-wide logger, which a run
// must not show.
func TestBandwidthIsQuiet(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	r.seam.at("pay#1 replied", weather("bandwidth", false, map[string]int64{"rate": 1000}))
	_, problem := r.client().post(t.Context(), "pay", "x")
	g.Expect(problem).To(BeEmpty())
	g.Expect(zlog.Logger.GetLevel()).To(BeNumerically(">", zerolog.DebugLevel))
}

// A door that closes while a big reply is under way lets it through; the next
// dial is refused.
func TestRefuseKeepsTheReplyAtHand(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	big := strings.Repeat("x", 200_000)
	r.service.reply = func(w http.ResponseWriter, _ *http.Request, _ []byte) { _, _ = io.WriteString(w, big) }
	for n := range tries(t, 20) {
		released := make(chan struct{})
		fired := r.seam.at(fmt.Sprintf("pay#%d replied", n+1), fault.Order{Wait: released})
		go func() {
			<-fired
			if err := r.g.Refuse("t-1", "approval"); err != nil {
				t.Error(err)
			}
			close(released)
		}()
		cl := r.client()
		answer, problem := cl.post(t.Context(), "pay", "x")
		g.Expect(problem).To(BeEmpty())
		g.Expect(answer).To(HaveLen(len(big)))
		cl.c.CloseIdleConnections()
		_, problem = cl.post(t.Context(), "pay", "x")
		g.Expect(problem).To(Equal("refused"))
		g.Expect(r.g.Readmit("t-1", "approval")).To(Succeed())
	}
}

// Big uploads that the service refuses early, or their clients abort, leave no
// goroutine behind. The rig checks that.
func TestAbortedUploads(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	const size = 3 << 20
	r.service.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path == "/refused" {
			w.Header().Set("Connection", "close")
			http.Error(w, "no", http.StatusRequestEntityTooLarge)
			return
		}
		_, _ = io.Copy(io.Discard, req.Body)
	})
	for i := range 40 {
		c := r.dial()
		path, part := "refused", size
		if i%2 == 0 {
			path, part = "aborted", size/2
		}
		if _, err := fmt.Fprintf(c, "POST /%s HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n", path, size); err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(c, strings.Repeat("x", part)) // it may be refused before the end
		if i%4 == 0 {
			c.SetLinger(0)
		}
		c.Close()
	}
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
	// What a client resets may never have come.
	g.Eventually(func() int { return len(r.records(history.CallSent)) }).WithTimeout(patience).Should(BeNumerically(">=", 20))
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
}
