package timeline

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Pixels of the picture.
const (
	width     = 1180.0
	headerY   = 26.0 // of the lanes' titles
	top       = 46.0 // where the first row begins
	rowHeight = 27.0
	thinRow   = 18.0 // of connections and the like
	bandRow   = 32.0
	slotWidth = 15.0 // between the bars of two processes
	bodyX     = 92.0 // where bands begin
)

// A pen draws a history downwards.
type pen struct {
	*Picture
	cited map[int][]int
	pause time.Duration // from which a wait is drawn as one

	y    float64 // end of what is drawn
	row  *open
	last time.Duration
	told string // the instant that the time axis says last

	bars  map[string]*bar   // processes that live, by id
	works map[string]string // work to process
	bands map[string]int    // faults in force, by id, to their index
	gone  map[string]bool   // calls whose client had ended before the reply
}

// open is the row that is being drawn.
type open struct {
	call  string
	group group
	y     float64
	taken map[string]bool
	index int // in Rows
}

type bar struct {
	slot  int
	start float64
	index int // of its bar in Bars
}

func newPen(p *Picture, cited map[int][]int, length time.Duration) *pen {
	p.Width = width
	for l := people; l <= ledger; l++ {
		p.Lanes = append(p.Lanes, Lane{Class: l.String(), Title: l.title(), X: l.x()})
	}
	return &pen{
		Picture: p, cited: cited, pause: max(10*time.Millisecond, length/60), y: top,
		bars: map[string]*bar{}, works: map[string]string{}, bands: map[string]int{}, gone: map[string]bool{},
	}
}

func (p *pen) draw(list []stretch) {
	first := true
	for _, s := range list {
		switch {
		case s.folded > 0:
			p.fold(s)
		case laneOf(s.record) == none:
			continue
		default:
			if !first {
				p.wait(s.record.At - p.last)
			}
			p.record(s.record)
			first = false
		}
		p.last = s.record.At
	}
	for _, b := range p.bars { // whoever lives at the end
		p.Bars[b.index].Height = p.y - b.start
	}
	p.Height = p.y + 12
}

// wait leaves room for a pause.
func (p *pen) wait(d time.Duration) {
	if d < p.pause {
		return
	}
	h := math.Round(min(16+7*math.Log2(float64(d)/float64(p.pause)), 64))
	p.Rows = append(p.Rows, Row{Class: "pause", Text: "+ " + span(d), Y: p.y + math.Round(h/2) + 4})
	p.y += h
	p.row = nil
}

// fold says how many records are not drawn.
func (p *pen) fold(s stretch) {
	text := fmt.Sprintf("⋯ %d records are folded", s.folded)
	if s.folded == 1 {
		text = "⋯ 1 record is folded"
	}
	p.Bands = append(p.Bands, Band{Class: "folded", Text: text, Y: p.y, Height: thinRow, TextY: p.y + 13})
	p.y += thinRow + 6
	p.row = nil
}

// open starts a row.
func (p *pen) open(r history.Record, height float64) {
	row := Row{Class: "at", Y: p.y + height - 8}
	if at := span(r.At); at != p.told {
		row.Text, p.told = at, at
	}
	p.Rows = append(p.Rows, row)
	p.row = &open{call: r.Call, group: groupOf(r), y: p.y + height - 8, taken: map[string]bool{}, index: len(p.Rows) - 1}
	p.y += height
}

// fits tells whether a record shares the row that is open.
func (p *pen) fits(r history.Record, place string) bool {
	o := p.row
	return o != nil && r.Call != "" && o.call == r.Call && o.group == groupOf(r) && o.group != alone && !o.taken[place] && r.At-p.last < p.pause
}

// record draws one.
func (p *pen) record(r history.Record) {
	switch strings.SplitN(string(r.Kind), ".", 2)[0] {
	case "fault":
		p.fault(r)
		return
	case "process":
		p.process(r)
		return
	}
	if r.Kind == history.WorkGiven {
		p.works[r.Work] = givenOf(r).Process
	}
	m := p.mark(r)
	place := fmt.Sprint(laneOf(r), " ", r.Kind)
	if r.Kind == history.LedgerRow {
		place = "ledger"
	}
	if !p.fits(r, place) {
		p.open(r, height(r))
	}
	p.row.taken[place] = true
	p.put(r, m)
}

// put moves a mark to the open row.
func (p *pen) put(r history.Record, m Mark) {
	y := p.row.y
	if m.Line != nil {
		m.Line.Y = y
	}
	if m.Dot != nil {
		m.Dot.Y = y
	}
	if m.Label != nil {
		m.Label.Y += y
	}
	m.Y, m.Height = y-9, 18
	if m.Label != nil && m.Label.Y < y-2 {
		m.Y, m.Height = y-17, 24 // with the label above
	}
	p.Marks = append(p.Marks, m)
	p.cite(r)
}

// cite notes at the margin which findings cite a record.
func (p *pen) cite(r history.Record) {
	row := &p.Rows[p.row.index]
	for _, n := range p.cited[r.N] {
		if !slices.Contains(strings.Split(row.Findings, ","), fmt.Sprint(n)) {
			row.Findings = join(",", row.Findings, fmt.Sprint(n))
		}
	}
}

func height(r history.Record) float64 {
	switch groupOf(r) {
	case aside:
		return thinRow
	default:
		return rowHeight
	}
}

// fault draws a band, or ends one.
func (p *pen) fault(r history.Record) {
	id := faultOf(r).ID
	p.open(r, bandRow)
	x := laneOf(r).x()
	m := Mark{
		N: r.N, Class: "fault " + class(history.Kind(strings.TrimPrefix(string(r.Kind), "fault."))), Words: words(r), Cited: len(p.cited[r.N]) > 0,
		X: bodyX, Width: width - bodyX, Dot: &Dot{Class: "strike", X: x},
		Label: &Label{Anchor: "start", Text: caption(r), X: bodyX + 12},
	}
	start := p.y - bandRow + 4
	m.Label.Y = -2
	if w := 6.8 * float64(len([]rune(m.Label.Text))); m.Label.X+w > x-12 { // the strike would stand in it
		if m.Label.X = x + 14; m.Label.X+w > width {
			m.Label.X, m.Dot = bodyX+12, nil
		}
	}
	switch r.Kind {
	case history.FaultFired:
		p.Bands = append(p.Bands, Band{Class: "fired", Y: start, Height: bandRow - 6})
		p.bands[id] = len(p.Bands) - 1
	case history.FaultArmed, history.FaultStruck:
		m.Dot, m.Label.X = nil, bodyX+12
	case history.FaultLifted:
		m.Dot, m.Label.X = nil, bodyX+12
		if i, ok := p.bands[id]; ok {
			p.Bands[i].Height = p.y - 2 - p.Bands[i].Y
			delete(p.bands, id)
		}
	default:
		m.Dot, m.Label.X = nil, bodyX+12
		p.Bands = append(p.Bands, Band{Class: class(history.Kind(strings.TrimPrefix(string(r.Kind), "fault."))), Y: start, Height: bandRow - 6})
	}
	p.put(r, m)
	p.row = nil
}

// process draws what becomes of one, and the bar of its life.
func (p *pen) process(r history.Record) {
	id := processOf(r).ID
	p.open(r, rowHeight)
	b := p.bars[id]
	if b == nil { // its start is not shown, or this is it
		b = &bar{slot: p.free(), start: p.row.y, index: len(p.Bars)}
		p.bars[id] = b
		p.Bars = append(p.Bars, Bar{Class: "alive", X: agent.x() + slotWidth*float64(b.slot) - 4, Y: b.start})
	}
	x := agent.x() + slotWidth*float64(b.slot)
	class := class(history.Kind(strings.TrimPrefix(string(r.Kind), "process.")))
	m := Mark{
		N: r.N, Class: "process " + class, Words: words(r), Cited: len(p.cited[r.N]) > 0, X: x - 10, Width: 150,
		Dot: &Dot{Class: class, X: x}, Label: &Label{Anchor: "start", Text: label(r), X: x + 12, Y: 4},
	}
	switch r.Kind {
	case history.ProcessKilled, history.ProcessExited:
		p.Bars[b.index].Height = p.row.y - b.start
		delete(p.bars, id)
	case history.ProcessPaused, history.ProcessResumed:
		p.Bars[b.index].Height = p.row.y - b.start
		class := map[history.Kind]string{history.ProcessPaused: "frozen", history.ProcessResumed: "alive"}[r.Kind]
		b.start, b.index = p.row.y, len(p.Bars)
		p.Bars = append(p.Bars, Bar{Class: class, X: x - 4, Y: b.start})
	}
	p.put(r, m)
	p.row = nil
}

// free is the first slot that no living process has.
func (p *pen) free() int {
	for slot := 0; ; slot++ {
		if !slices.ContainsFunc(p.living(), func(b *bar) bool { return b.slot == slot }) {
			return min(slot, 6)
		}
	}
}

func (p *pen) living() []*bar {
	var list []*bar
	for _, b := range p.bars {
		list = append(list, b)
	}
	return list
}

// agentX is where the process of a work item stands.
func (p *pen) agentX(work string) float64 {
	if b := p.bars[p.works[work]]; b != nil {
		return agent.x() + slotWidth*float64(b.slot)
	}
	return agent.x()
}
