package timeline

import (
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/reports/harmless"
)

// Options say what is drawn.
type Options struct {
	_ struct{}

	// Title names the picture for who cannot see it. Default: "history".
	Title string
	// Findings are, for each finding, the numbers of the records that show it.
	Findings [][]int
	// Max is how many records are drawn and listed at most. Default 400.
	Max int
	// MaxText bounds the text of one record in the list, in bytes. Default 4096.
	MaxText int
}

const (
	defaultMax     = 400
	defaultMaxText = 4 << 10
)

// A Picture is a history laid out.
type Picture struct {
	_ struct{}

	Title         string
	Width, Height float64
	Lanes         []Lane
	Bands         []Band
	Bars          []Bar
	Rows          []Row
	Marks         []Mark
	Entries       []Entry
	Total, Shown  int  // records
	Numbered      bool // there are findings
	Titled        bool // marks carry their words: in a page the list has them
}

// A Lane is one column with its head.
type Lane struct {
	Class, Title string
	X            float64
}

// A Band is where a fault was in force.
type Band struct {
	Class, Text      string
	Y, Height, TextY float64
}

// A Bar is the life of a process.
type Bar struct {
	Class        string
	X, Y, Height float64
}

// A Row is one instant, or a pause: its text at the time axis.
type Row struct {
	Class, Text string
	Y           float64
	Findings    string // numbers of the findings that cite a record of it
}

// A Mark is one record in the picture.
type Mark struct {
	N                   int
	Class               string
	Words               string
	Cited               bool
	X, Y, Width, Height float64 // where it can be clicked
	Line                *Line
	Dot                 *Dot
	Label               *Label
}

// A Line is an arrow.
type Line struct{ X1, X2, Y, Tip1, Tip2 float64 }

// A Dot is the point where something was seen.
type Dot struct {
	Class string
	X, Y  float64
}

// A Label is the text of a mark.
type Label struct {
	Anchor, Text string
	X, Y         float64
}

// An Entry is one record of the list, or a count of those that are folded.
type Entry struct {
	N        int
	Time     string
	Lane     string
	Words    string
	Text     string // the record as JSON, indented
	Cut      bool   // Text is not all of it
	Findings []int  // from 1
	Folded   int
	Last     int // number of the last that is folded
}

// Of lays out a history.
func Of(records []history.Record, o Options) *Picture {
	if o.Title == "" {
		o.Title = "history"
	}
	o.Title = harmless.Line(o.Title, longName)
	if o.Max == 0 {
		o.Max = defaultMax
	}
	if o.MaxText == 0 {
		o.MaxText = defaultMaxText
	}
	cited := map[int][]int{}
	for i, numbers := range o.Findings {
		for _, n := range numbers {
			if list := cited[n]; len(list) == 0 || list[len(list)-1] != i+1 {
				cited[n] = append(list, i+1)
			}
		}
	}
	shown := fold(records, cited, o.Max)
	var length time.Duration
	if n := len(records); n > 0 {
		length = records[n-1].At - records[0].At
	}
	p := &Picture{Title: o.Title, Total: len(records), Numbered: len(o.Findings) > 0}
	for _, s := range shown {
		p.Entries = append(p.Entries, entry(s, cited, o.MaxText))
		if s.folded == 0 {
			p.Shown++
		}
	}
	newPen(p, cited, length).draw(shown)
	return p
}
