package timeline

import (
	"math"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// A group is what may share a row.
type group int

const (
	alone group = iota
	request
	effect
	reply
	aside // of little height: connections
)

func groupOf(r history.Record) group {
	switch r.Kind {
	case history.CallSent, history.CallForwarded, history.ServiceReceived, history.ServiceValidated:
		return request
	case history.LedgerRow, history.ServiceCommitted:
		return effect
	case history.CallReplied, history.CallPassing, history.CallPassed:
		return reply
	case history.ConnOpened, history.ConnEnded:
		return aside
	}
	return alone
}

const (
	nearDot  = 9.0  // between a dot and an arrow or a text beside it
	dotSlot  = 13.0 // between the dots of one service
	labelUp  = -6.0 // of a label above its arrow
	labelMid = 4.0  // of a label beside its dot
)

// mark is a record without its height.
func (p *pen) mark(r history.Record) Mark {
	m := Mark{N: r.N, Class: laneOf(r).String() + " " + class(r.Kind), Words: words(r), Cited: len(p.cited[r.N]) > 0}
	a := p.agentX(r.Work)
	text := label(r)
	switch r.Kind {
	case history.CallSent:
		m.arrow(a, wire.x())
		if wireOf(r).Copy {
			m.Class += " copy"
			m.arrow(wire.x()-40, wire.x())
		}
		m.say("start", m.Line.X1+4, labelUp, text)
	case history.CallForwarded:
		m.arrow(wire.x(), service.x())
	case history.ServiceReceived:
		m.dot("hollow", service.x())
	case history.ServiceValidated:
		m.dot("half", service.x()+dotSlot)
	case history.ServiceCommitted:
		m.dot("solid", service.x())
		if len(p.rowFor(r)) == 0 {
			m.say("start", service.x()+nearDot, labelMid, text)
		}
	case history.LedgerRow:
		m.dot("solid", ledger.x())
		if ledgerOf(r).Foreign {
			m.Class += " foreign"
			m.dot("hollow", ledger.x())
		}
		m.say("start", ledger.x()+nearDot, labelMid, text)
	case history.CallReplied:
		m.arrow(service.x(), wire.x())
		m.say("end", service.x()-8, labelUp, text)
	case history.CallPassing:
		m.dot("hollow", wire.x())
		if wireOf(r).Gone {
			p.gone[r.Call] = true
		}
	case history.CallPassed:
		m.arrow(wire.x(), a)
		if p.gone[r.Call] {
			text = "the client had gone"
		}
		if text != "" {
			m.Class += " cut"
			m.say("end", wire.x()-8, labelUp, text)
		}
	case history.ConnOpened, history.ConnEnded:
		class := "hollow"
		if r.Kind == history.ConnEnded {
			class = "ended"
		}
		if wireOf(r).How == history.HowRST {
			class = "reset"
		}
		m.dot(class, wire.x())
		m.say("start", wire.x()+nearDot, labelMid, text)
	default:
		p.spoken(&m, r, a, text)
	}
	return m
}

// class is a kind as a class name.
func class(k history.Kind) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '.':
			return '-'
		case 'a' <= c && c <= 'z':
			return c
		}
		return -1
	}, string(k))
}

// spoken places what runs between people, the control plane and the agent.
func (p *pen) spoken(m *Mark, r history.Record, a float64, text string) {
	switch r.Kind {
	case history.WorkGiven, history.ControlOffered:
		m.arrow(control.x(), a)
		m.say("start", control.x()+8, labelUp, text)
	case history.ControlPlaced:
		if laneOf(r) == people {
			m.arrow(people.x(), control.x())
			m.say("start", people.x()+8, labelUp, text)
			return
		}
		m.dot("solid", control.x())
		m.say("start", control.x()+nearDot, labelMid, text)
	default: // the agent speaks
		m.arrow(a, control.x())
		m.say("start", control.x()+8, labelUp, text)
	}
}

// rowFor is what the open row holds if the record shares it.
func (p *pen) rowFor(r history.Record) map[string]bool {
	if p.fits(r, "service "+string(r.Kind)) {
		return p.row.taken
	}
	return nil
}

// arrow draws a line from one lane to another.
func (m *Mark) arrow(from, to float64) {
	step := 6.0
	if to < from {
		step = -step
	}
	m.Line = &Line{X1: from + step, X2: to - step, Tip1: to - 2.2*step, Tip2: to - step}
	m.X, m.Width = min(from, to), max(from, to)-min(from, to)
}

func (m *Mark) dot(class string, x float64) {
	m.Dot = &Dot{Class: class, X: x}
	m.X, m.Width = x-8, 16
}

func (m *Mark) say(anchor string, x, dy float64, text string) {
	m.Label = &Label{Anchor: anchor, Text: text, X: x, Y: dy}
	if w := math.Round(6.4 * float64(len([]rune(text)))); anchor == "start" && m.Line == nil {
		m.Width = max(m.Width, x+w-m.X)
	}
}
