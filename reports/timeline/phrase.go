package timeline

import (
	"fmt"
	"strings"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/reports/harmless"
)

// The most characters of one string in a phrase.
const (
	shortName = 26
	longName  = 200

	maxCaption = 96
)

func short(s string) string { return harmless.Line(s, shortName) }
func long(s string) string  { return harmless.Line(s, longName) }

// join joins what is not empty.
func join(sep string, parts ...string) string {
	kept := parts[:0]
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, sep)
}

// prefixed is the text behind a prefix, or nothing.
func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// label is a record in the few words that stand beside its mark.
func label(r history.Record) string {
	switch r.Kind {
	case history.CallSent:
		return join("  ", call(r, short), prefixed("key ", harmless.Line(wireOf(r).Key, 8)))
	case history.CallReplied:
		f := factsOf(r)
		status := f.Status
		switch {
		case status == "" && f.Listed:
			status = found(len(f.Items))
		case status == "":
			status = f.Code
		}
		return join(" ", number(wireOf(r).Status), short(status), short(f.Ref))
	case history.CallPassed:
		if !wireOf(r).Whole {
			return "cut"
		}
		return ""
	case history.ServiceCommitted:
		return "committed"
	case history.LedgerRow:
		l, f := ledgerOf(r), factsOf(r)
		text := join(" ", short(l.Effect), short(f.Ref))
		if l.Effect == history.ApprovalStatus {
			text = join(" ", short(f.Ref), short(f.Status))
		}
		if strings.HasPrefix(l.Effect, "key.") {
			text = join(" ", short(l.Effect), harmless.Line(f.Key, 8))
		}
		if l.Foreign {
			text += " (foreign)"
		}
		return text
	case history.WorkGiven:
		return join(" ", short(givenOf(r).Kind), short(r.Task))
	case history.ConnOpened:
		return short(wireOf(r).Conn) + " opens"
	case history.ConnEnded:
		w := wireOf(r)
		return join(" ", short(w.Conn), "ended by", short(w.By)+prefixed(", ", short(w.How)))
	}
	return spoken(r)
}

// spoken is the label of what the agent, people and the harness say.
func spoken(r history.Record) string {
	c := controlOf(r)
	switch r.Kind {
	case history.ControlConfirmed:
		if c.Valid {
			return "asks, is told: valid"
		}
		return "asks, is told: not valid"
	case history.ControlPlaced:
		return join(" ", short(c.Change), short(c.Reason), short(c.Choice))
	case history.ControlOffered:
		return fmt.Sprintf("inbox up to %d", c.Item)
	case history.ControlAcked:
		return fmt.Sprintf("has inbox %d", c.Item)
	case history.ControlClaim:
		return "claims " + join(" ", short(c.State), short(c.Ref))
	case history.ControlResult:
		return "result: " + short(c.State)
	case history.ControlRefused:
		return join(" ", number(c.Status), "refused", times(c.Count))
	case history.ProcessStarted:
		return short(processOf(r).ID) + " starts"
	case history.ProcessKilled:
		return short(processOf(r).ID) + " killed"
	case history.ProcessPaused:
		return short(processOf(r).ID) + " paused"
	case history.ProcessResumed:
		return short(processOf(r).ID) + " resumed"
	case history.ProcessExited:
		return short(processOf(r).ID) + " ends"
	}
	return ""
}

// caption is what a band says.
func caption(r history.Record) string {
	f := faultOf(r)
	what := map[history.Kind]string{
		history.FaultFired: "fired", history.FaultLifted: "lifted", history.FaultMissed: "did not fire", history.FaultFailed: "failed",
	}[r.Kind]
	switch r.Kind {
	case history.FaultArmed:
		return harmless.Line(join(", ", f.ID+" armed", prefixed("after ", f.Reason)), maxCaption)
	case history.FaultStruck:
		return harmless.Line(join(", ", f.ID+" struck", prefixed("after ", size(f.Byte))), maxCaption)
	case history.FaultLifted:
		return harmless.Line(join(", ", f.ID+" "+what, f.Reason), maxCaption)
	}
	return harmless.Line(join(" ", f.ID, what+":", f.Effect, prefixed("at ", f.Anchor), prefixed("- ", f.Reason)), maxCaption)
}

// words are a record as a sentence without its end.
func words(r history.Record) string {
	w, f := wireOf(r), factsOf(r)
	switch r.Kind {
	case history.CallSent:
		text := join(", ", "sends "+call(r, long), prefixed("key ", long(w.Key)), join(" ", long(w.Method), long(w.Path)), size(w.Size))
		if w.Seq > 1 {
			text += fmt.Sprintf(", request %d of %s", w.Seq, long(w.Conn))
		}
		if w.Copy {
			text += ", a copy made by the fault"
		}
		return text
	case history.CallForwarded:
		return call(r, long) + " is passed on to the service"
	case history.CallReplied:
		return join(", ", call(r, long)+" is answered "+number(w.Status), long(f.Status), listed(f), long(f.Code), long(f.Ref), size(w.Size)) + "; the client has none of it yet"
	case history.CallPassing:
		text := "the end of the reply to " + call(r, long) + " is about to be written to the client"
		if w.Gone {
			text += ", which had already gone"
		}
		return text
	case history.CallPassed:
		if !w.Whole {
			return join(" ", size(w.Size), "of the reply to", call(r, long), "were written to the client: not all of it")
		}
		return join(" ", "the reply to", call(r, long), "was written to the client")
	case history.ServiceReceived, history.ServiceValidated, history.ServiceCommitted:
		return strings.TrimPrefix(string(r.Kind), "service.") + " " + call(r, long)
	case history.LedgerRow:
		l := ledgerOf(r)
		return join(", ", long(l.Service)+": "+long(l.Effect), long(f.Ref), long(f.Status), prefixed("key ", long(f.Key)), map[bool]string{true: "not caused by the agent"}[l.Foreign])
	case history.ConnOpened:
		return join(" ", long(w.Conn), "to", long(w.Service), "opens")
	case history.ConnEnded:
		return join(" ", long(w.Conn), "to", long(w.Service), "is ended by the", long(w.By)+":", long(w.How))
	case history.WorkGiven:
		g := givenOf(r)
		return join(", ", "gives "+join(" ", long(g.Kind), long(r.Task), "as", long(r.Work)), long(g.Type), prefixed("to process ", long(g.Process)))
	}
	return said(r)
}

func said(r history.Record) string {
	c, p, f := controlOf(r), processOf(r), faultOf(r)
	ends := join(" ", long(p.Signal), prefixed("code ", number(p.Code)), long(p.Reason))
	switch r.Kind {
	case history.ControlConfirmed:
		valid := map[bool]string{true: "valid", false: "not valid"}[c.Valid]
		return join(", ", fmt.Sprintf("asks for confirmation %s version %d and is told: %s", long(c.Confirmation), c.Version, valid), "may "+long(strings.Join(c.Permissions, ", ")),
			map[bool]string{true: "cancelled"}[c.Cancelled], map[bool]string{true: "stopped"}[c.Stopped])
	case history.ControlPlaced:
		return join(", ", "change of "+long(r.Task)+": "+long(c.Change), long(c.Reason), long(c.Choice), prefixed("by ", long(c.By)))
	case history.ControlClaim, history.ControlResult:
		verb := map[history.Kind]string{history.ControlClaim: "claims ", history.ControlResult: "ends the task: "}[r.Kind]
		return join(", ", verb+long(c.State), long(c.Ref), long(c.Reason))
	case history.ControlRefused:
		return join(", ", "is refused with "+number(c.Status), long(c.Problem), times(c.Count))
	case history.ControlOffered:
		return fmt.Sprintf("is offered the inbox up to item %d", c.Item)
	case history.ControlAcked:
		return fmt.Sprintf("has the inbox up to item %d", c.Item)
	case history.ProcessStarted, history.ProcessKilled, history.ProcessPaused, history.ProcessResumed, history.ProcessExited:
		return join(", ", "process "+long(p.ID)+" is "+strings.TrimPrefix(string(r.Kind), "process."), ends)
	case history.FaultPlanned:
		return join(" ", long(f.ID), "is planned:", long(f.Effect), "at", long(f.Anchor))
	case history.FaultArmed, history.FaultFired, history.FaultStruck, history.FaultLifted, history.FaultMissed, history.FaultFailed:
		return caption(r)
	case history.RunStarted:
		return "the run begins"
	case history.RunNoise:
		return "largest scheduling delay measured: " + span(runOf(r).Noise)
	case history.RunEnded:
		return "the run ends: " + long(runOf(r).Reason)
	}
	return long(string(r.Kind))
}

// call names a call: approval.submit#1.
func call(r history.Record, cut func(string) string) string {
	w := wireOf(r)
	text := cut(w.Service) + "." + cut(w.Operation)
	if w.Ordinal > 0 {
		text += fmt.Sprintf("#%d", w.Ordinal)
	}
	return text
}

func listed(f history.Facts) string {
	if !f.Listed {
		return ""
	}
	return found(len(f.Items))
}

// found says how many records a list holds.
func found(n int) string {
	if n == 0 {
		return "found none"
	}
	return fmt.Sprintf("found %d", n)
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func times(n int) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf("×%d", n)
}

func size(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d bytes", n)
}

// span is a duration as the time axis shows it.
func span(d time.Duration) string {
	switch {
	case d >= 100*time.Second:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d >= time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d >= 100*time.Millisecond:
		return fmt.Sprintf("%.0f ms", float64(d)/float64(time.Millisecond))
	}
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}
