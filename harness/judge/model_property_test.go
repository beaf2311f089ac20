package judge_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// TestLawfulHistoriesAreClean is property A: whatever faults, kills, late and
// ambiguous deliveries a lawful agent meets, nothing is held against it.
func TestLawfulHistoriesAreClean(t *testing.T) {
	contractTable := table(t)
	rapid.Check(t, func(t *rapid.T) {
		seed, choices := rapid.Uint64().Draw(t, "seed"), rapid.IntRange(0, 4000).Draw(t, "choices")
		records := newWorld(seed, choices).play(nil)
		v := judgedTwice(t, contractTable, records)
		for _, f := range v.Findings {
			if f.Party == judge.Agent {
				t.Fatalf("%s: %s %v\n%s", f.Rule, f.Observed, f.Records, drawn(records))
			}
		}
		if cut := rapid.IntRange(1, len(records)).Draw(t, "prefix"); cut > 0 {
			judgedTwice(t, contractTable, records[:cut])
		}
	})
}

// drawn is a history for people.
func drawn(records []history.Record) string {
	var out strings.Builder
	for _, r := range records {
		fmt.Fprintf(&out, "%3d %9.2f %-4s %-18s", r.N, float64(r.At)/1e6, r.Work, r.Kind)
		if w := r.Wire; w != nil {
			fmt.Fprintf(&out, " %s %s.%s %s#%d", r.Call, w.Service, w.Operation, w.Conn, w.Seq)
			switch {
			case w.By != "":
				fmt.Fprintf(&out, " %s %s", w.By, w.How)
			case w.Status != 0:
				fmt.Fprintf(&out, " %d wait %s", w.Status, w.RetryAfter)
			case w.Key != "":
				fmt.Fprintf(&out, " key %s first %.2f", w.Key, float64(w.First)/1e6)
			}
			if w.Copy {
				out.WriteString(" copy")
			}
			if r.Kind == history.CallPassing || r.Kind == history.CallPassed {
				fmt.Fprintf(&out, " whole %t gone %t size %d", w.Whole, w.Gone, w.Size)
			}
		}
		if c := r.Control; c != nil {
			fmt.Fprintf(&out, " %+v", *c)
		}
		if l := r.Ledger; l != nil {
			fmt.Fprintf(&out, " %s", l.Effect)
		}
		if f := r.Facts; f != nil && r.Kind != history.ControlConfirmed && r.Kind != history.WorkGiven {
			fmt.Fprintf(&out, " [%s]", brief(f))
		}
		if r.Fault != nil {
			fmt.Fprintf(&out, " %s %s", r.Fault.Effect, r.Fault.Anchor)
		}
		if r.Run != nil {
			fmt.Fprintf(&out, " %s %s %s", r.Run.Reason, r.Run.Noise, r.Run.Setup)
		}
		out.WriteByte('\n')
	}
	return out.String()
}

func brief(f *history.Facts) string {
	text := strings.Join(strings.Fields(fmt.Sprint(f.Ref, " ", f.Key, " v", f.Version, " ", f.Status, " ", f.Code, " ", f.Supersedes, " ", f.Approval, " ", f.Notification)), " ")
	for n := range f.Items {
		text += " {" + brief(&f.Items[n]) + "}"
	}
	if f.Tool != nil {
		text += " " + f.Tool.Name + " " + f.Tool.Arguments
	}
	if f.Chat != nil {
		text += fmt.Sprintf(" %s %s %d:", f.Chat.Model, f.Chat.Finish, f.Chat.Count)
		for _, m := range f.Chat.Messages {
			text += " " + m.Role[:1] + "(" + m.CallID + m.Text
			for _, c := range m.Calls {
				text += " " + c.ID + " " + c.Name + " " + c.Arguments
			}
			text += ")"
		}
	}
	if f.Escalation != nil {
		text += fmt.Sprintf(" %+v", *f.Escalation)
	}
	return text
}
