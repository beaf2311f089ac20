package timeline_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/reports/timeline"
)

var update = flag.Bool("update", false, "write the golden files anew")

// stored reads a history that a run left. lost-receipt is that of an agent that
// makes a new identifier for each attempt; held is one whose request is held
// while the task is cancelled.
func stored(t *testing.T, name string) []history.Record {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name+".jsonl"))
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	defer f.Close()
	records, err := history.Read(f)
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	return records
}

// element is one element of an SVG, as an XML reader sees it.
type element struct {
	name  string
	attrs map[string]string
	text  string
}

func (e element) number(name string) float64 {
	n, _ := strconv.ParseFloat(e.attrs[name], 64)
	return n
}

func parsed(t *testing.T, p *timeline.Picture) []element {
	t.Helper()
	g := NewWithT(t)
	var out bytes.Buffer
	g.Expect(p.SVG(&out)).To(Succeed())
	var list []element
	var open []int
	for d := xml.NewDecoder(&out); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return list
		}
		g.Expect(err).NotTo(HaveOccurred())
		switch token := token.(type) {
		case xml.StartElement:
			e := element{name: token.Name.Local, attrs: map[string]string{}}
			for _, a := range token.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			open = append(open, len(list))
			list = append(list, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				list[open[len(open)-1]].text += string(token)
			}
		}
	}
}

func of(list []element, name, class string) (out []element) {
	for _, e := range list {
		if e.name == name && slices.Contains(strings.Fields(e.attrs["class"]), class) {
			out = append(out, e)
		}
	}
	return out
}

// The pictures are looked at by people; the first 32 records stand in the README.
func TestAStoredHistoryIsDrawn(t *testing.T) {
	for name, first := range map[string]int{"lost-receipt": 0, "lost-receipt-begins": 32} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			records := stored(t, "lost-receipt")
			if first > 0 {
				records = records[:first]
			}
			p := timeline.Of(records, timeline.Options{Title: "lost-receipt-reset", Findings: [][]int{{8, 22}, {22, 12, 26}}})
			var out bytes.Buffer
			g.Expect(p.SVG(&out)).To(Succeed())
			path := filepath.Join("testdata", name+".svg")
			if *update {
				g.Expect(os.WriteFile(path, out.Bytes(), 0o644)).To(Succeed())
			}
			want, err := os.ReadFile(path)
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(out.String()).To(Equal(string(want)), "if the change is meant, run go test ./reports/timeline -update and look at the picture")
		})
	}
}

func TestEveryRecordStandsInThePictureOrItsFrame(t *testing.T) {
	g := NewWithT(t)
	records := stored(t, "held")
	p := timeline.Of(records, timeline.Options{})
	drawn := map[string]bool{}
	last := 0
	for _, e := range of(parsed(t, p), "g", "mark") {
		drawn[e.attrs["data-n"]] = true
		n, err := strconv.Atoi(e.attrs["data-n"])
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(n).To(BeNumerically(">", last), "in the order of the history")
		last = n
	}
	for _, r := range records {
		frame := strings.HasPrefix(string(r.Kind), "run.") || r.Kind == history.FaultPlanned
		g.Expect(drawn[fmt.Sprint(r.N)]).To(Equal(!frame), "#%d %s", r.N, r.Kind)
	}
	g.Expect(p.Shown).To(Equal(len(records)))
}

func TestTheListHoldsEveryRecordWhole(t *testing.T) {
	g := NewWithT(t)
	records := stored(t, "lost-receipt")
	var out bytes.Buffer
	g.Expect(timeline.Of(records, timeline.Options{Findings: [][]int{{8, 22}}, MaxText: 1 << 16}).Fragment(&out)).To(Succeed())
	doc, err := html.Parse(&out)
	g.Expect(err).NotTo(HaveOccurred())
	var read []history.Record
	cited := 0
	for n := range doc.Descendants() {
		switch n.Data {
		case "pre":
			var r history.Record
			g.Expect(json.Unmarshal([]byte(n.FirstChild.Data), &r)).To(Succeed())
			read = append(read, r)
		case "finding 1":
			cited++
		}
	}
	g.Expect(cited).To(Equal(2))
	g.Expect(read).To(HaveLen(len(records)))
	for i := range read {
		want, err := json.Marshal(records[i])
		g.Expect(err).NotTo(HaveOccurred())
		got, err := json.Marshal(read[i])
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(got).To(MatchJSON(want))
	}
}

func TestTheFaultBandReachesFromWhereItFiredToWhereItWasLifted(t *testing.T) {
	g := NewWithT(t)
	list := parsed(t, timeline.Of(stored(t, "held"), timeline.Options{}))
	bands := of(list, "rect", "fired")
	g.Expect(bands).To(HaveLen(1))
	top, bottom := bands[0].number("y"), bands[0].number("y")+bands[0].number("height")
	var fired, lifted, cancel float64
	for i, e := range list {
		switch e.attrs["class"] {
		case "mark fault fired":
			fired = list[i+2].number("y")
		case "mark fault lifted":
			lifted = list[i+2].number("y")
		case "mark people control-placed":
			cancel = list[i+2].number("y")
		}
	}
	g.Expect([]float64{top, fired, cancel, lifted, bottom}).To(HaveEach(BeNumerically(">", 0)))
	g.Expect(fired).To(BeNumerically(">=", top-10))
	g.Expect(cancel).To(And(BeNumerically(">", fired), BeNumerically("<", lifted)), "the cancel came while the request was held")
	g.Expect(lifted).To(BeNumerically("<", bottom))
}

func TestALongHistoryIsFoldedAndKeepsWhatMatters(t *testing.T) {
	g := NewWithT(t)
	var records []history.Record
	for n := 1; n <= 20_000; n++ {
		r := history.Record{N: n, At: time.Duration(n) * time.Millisecond, Kind: history.ControlRefused, Control: &history.Control{Status: 400}}
		switch n {
		case 1:
			r = history.Record{N: n, Kind: history.RunStarted, Run: &history.Run{Scenario: "flood"}}
		case 9000:
			r.Kind, r.Fault = history.FaultFired, &history.Fault{ID: "f-1", Effect: "reset", Anchor: "approval.submit#1 sent"}
		case 12000:
			r.Kind, r.Ledger = history.LedgerRow, &history.Ledger{Service: "approval", Effect: history.ApprovalCreated}
		}
		records = append(records, r)
	}
	p := timeline.Of(records, timeline.Options{Max: 60, Findings: [][]int{{15_000}}})
	g.Expect(p.Shown).To(Equal(60))
	seen, total := map[int]bool{}, 0
	for _, e := range p.Entries {
		if e.Folded > 0 {
			g.Expect(e.Last).To(Equal(e.N + e.Folded - 1))
			total += e.Folded
			continue
		}
		seen[e.N] = true
		total++
	}
	g.Expect(total).To(Equal(20_000), "each is shown or counted")
	for _, n := range []int{1, 2, 9000, 12000, 15000, 20000} {
		g.Expect(seen).To(HaveKey(n))
	}
	var out bytes.Buffer
	g.Expect(p.Fragment(&out)).To(Succeed())
	g.Expect(out.Len()).To(BeNumerically("<", 64<<10))
	g.Expect(out.String()).To(ContainSubstring("records are folded"))
	g.Expect(p.Height).To(BeNumerically("<", 60*64+4000))
}

const hostile = "</text></svg><script>alert(1)</script>\x1b[2J\u202e\x00\"'><img src=x onerror=alert(1)>{{.}} &amp; "

// poisoned has the hostile string wherever a string can stand.
func poisoned() []history.Record {
	long := hostile + strings.Repeat("long ", 4000)
	facts := &history.Facts{Ref: hostile, Key: hostile, Status: hostile, Code: long}
	var list []history.Record
	add := func(r history.Record) {
		r.N, r.At, r.Task, r.Work, r.Call, r.Facts = len(list)+1, time.Duration(len(list))*time.Millisecond, hostile, hostile, hostile, facts
		list = append(list, r)
	}
	wire := &history.Wire{Service: hostile, Operation: long, Ordinal: 1, Conn: hostile, Seq: 3, Copy: true, Method: hostile, Path: long, Key: hostile, Body: long, By: hostile, How: hostile}
	for _, k := range append(kinds(), hostile, "process."+hostile, "fault."+hostile, "control."+hostile, "call."+hostile) {
		add(history.Record{
			Kind: k, Wire: wire, Run: &history.Run{Scenario: hostile, Reason: long}, Ledger: &history.Ledger{Service: hostile, Effect: long, Foreign: true},
			Given:   &history.Given{Kind: hostile, Type: hostile, Process: hostile},
			Control: &history.Control{Change: hostile, State: long, Ref: hostile, Reason: long, Choice: hostile, By: hostile, Problem: long, Permissions: []string{hostile}, Confirmation: hostile},
			Process: &history.Process{ID: hostile, Signal: hostile, Reason: long},
			Fault:   &history.Fault{ID: hostile, Anchor: long, Effect: long, Reason: long},
		})
	}
	return list
}

func kinds() []history.Kind {
	return []history.Kind{
		history.RunStarted, history.FaultPlanned, history.FaultArmed, history.FaultStruck, history.ProcessStarted, history.WorkGiven, history.ConnOpened, history.CallSent, history.CallForwarded,
		history.ServiceReceived, history.ServiceValidated, history.ServiceCommitted, history.LedgerRow, history.CallReplied, history.CallPassing, history.CallPassed,
		history.ConnEnded, history.ControlConfirmed, history.ControlPlaced, history.ControlOffered, history.ControlAcked, history.ControlClaim, history.ControlRefused,
		history.ControlResult, history.FaultFired, history.FaultLifted, history.FaultMissed, history.FaultFailed, history.ProcessPaused, history.ProcessResumed,
		history.ProcessKilled, history.ProcessExited, history.RunNoise, history.RunEnded,
	}
}

func TestStringsOfAnAgentStayText(t *testing.T) {
	g := NewWithT(t)
	p := timeline.Of(poisoned(), timeline.Options{Title: hostile, Findings: [][]int{{1, 2, 3}}})
	for _, draw := range []func(io.Writer) error{p.SVG, p.Fragment} {
		var out bytes.Buffer
		g.Expect(draw(&out)).To(Succeed())
		g.Expect(out.Len()).To(BeNumerically("<", 512<<10), "long strings are bounded")
		raw := strings.IndexFunc(out.String(), func(c rune) bool { return c != '\n' && (c < ' ' || c == 0x202e || c == 0x7f) })
		g.Expect(raw).To(Equal(-1), "raw behind %q", out.String()[max(0, raw-200):max(0, raw)])
		doc, err := html.Parse(&out)
		g.Expect(err).NotTo(HaveOccurred())
		for n := range doc.Descendants() {
			g.Expect(n.Data).NotTo(BeElementOf("script", "img", "foreignobject"))
			for _, a := range n.Attr {
				g.Expect(a.Key).NotTo(HavePrefix("on"))
			}
		}
	}
	parsed(t, p) // it is XML
}

func TestEveryKindHasWords(t *testing.T) {
	g := NewWithT(t)
	for _, k := range kinds() {
		p := timeline.Of([]history.Record{{N: 1, Kind: k}}, timeline.Options{}) // and none needs its payload
		g.Expect(p.Entries[0].Words).NotTo(BeElementOf("", string(k)))
		var out bytes.Buffer
		g.Expect(p.SVG(&out)).To(Succeed())
	}
}

func TestNoHistoryBreaksThePicture(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var records []history.Record
		at := time.Duration(0)
		for n := range rapid.IntRange(0, 60).Draw(t, "records") {
			at += time.Duration(rapid.Int64Range(0, int64(time.Second)).Draw(t, "wait"))
			id := rapid.SampledFrom([]string{"a", "b", ""}).Draw(t, "id")
			records = append(records, history.Record{
				N: n + 1, At: at, Kind: rapid.SampledFrom(kinds()).Draw(t, "kind"), Call: id, Work: id,
				Process: &history.Process{ID: id}, Given: &history.Given{Process: id}, Fault: &history.Fault{ID: id, Effect: "reset"},
			})
		}
		p := timeline.Of(records, timeline.Options{Max: rapid.IntRange(1, 70).Draw(t, "max")})
		for _, m := range p.Marks {
			if m.Y < 0 || m.Y+m.Height > p.Height+1 || m.X < 0 || m.Width <= 0 {
				t.Fatalf("#%d stands at %v,%v %vx%v in a picture %v high", m.N, m.X, m.Y, m.Width, m.Height, p.Height)
			}
		}
		for _, b := range p.Bars {
			if b.Height < 0 || b.Y+b.Height > p.Height {
				t.Fatalf("a bar from %v of %v in a picture %v high", b.Y, b.Height, p.Height)
			}
		}
	})
}

func TestAReplyToAClientThatHadGoneIsMarked(t *testing.T) {
	g := NewWithT(t)
	list := parsed(t, timeline.Of(stored(t, "held"), timeline.Options{}))
	g.Expect(of(list, "g", "cut")).To(HaveLen(1))
	var texts []string
	for _, e := range of(list, "text", "label") {
		texts = append(texts, e.text)
	}
	g.Expect(texts).To(ContainElement("the client had gone"))
}
