package judge_test

import (
	"fmt"
	"testing"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// long is a history of about n records: tasks one after another, each with a
// lost receipt, a query, a claim and a purchase.
func long(t testing.TB, n int) []history.Record {
	s := tell(nil)
	at := 0.0
	for task := 1; len(s.records) < n; task++ {
		id := fmt.Sprintf("t-%d", task)
		from := len(s.records)
		s.work = "w-" + id
		call := func(c int) string { return fmt.Sprintf("%s-c-%d", id, c) }
		ref := "a-" + id
		s.given(at, s.work).submit(at+1, call(1), "k-1").created(at+2, call(1), ref).ends(at+3, call(1), "harness rst").
			call(at+40, call(2), "approval.query", history.Facts{Key: "k-1"}).reply(at+41, call(2), 200, listed(record(ref, "k-1", "approved"))).
			ends(at+50, call(2), "client fin").claims(at+51, "tracking", ref).
			call(at+60, call(3), "purchase.buy", history.Facts{Key: "k-2", Approval: ref, Content: "content-1"}).
			reply(at+61, call(3), 201, history.Facts{Key: "k-2", Approval: ref, Content: "content-1", Ref: "p-1"}).ends(at+70, call(3), "client fin").
			result(at+71, "completed")
		for i := from; i < len(s.records); i++ {
			s.records[i].Task = id
		}
		at += 80
	}
	return s.told(t)
}

// BenchmarkJudge measures records a second on one core over three powers of ten.
func BenchmarkJudge(b *testing.B) {
	contractTable := table(b)
	for _, n := range []int{1_000, 10_000, 100_000, 1_000_000} {
		records := long(b, n)
		b.Run(fmt.Sprintf("records=%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := judge.Judge(contractTable, records); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(records))*float64(b.N)/b.Elapsed().Seconds(), "records/s")
		})
	}
}

// BenchmarkUnknownOutcomes judges 1,000 sends of which nothing ever came back.
func BenchmarkUnknownOutcomes(b *testing.B) {
	contractTable := table(b)
	s := tell(nil)
	for n := range 1000 {
		id := fmt.Sprintf("t-%d", n)
		from := len(s.records)
		s.given(float64(n), "w-"+id).submit(float64(n)+0.5, "c-"+id, "k-1")
		for i := from; i < len(s.records); i++ {
			s.records[i].Task = id
		}
	}
	records := s.told(b)
	for b.Loop() {
		v, err := judge.Judge(contractTable, records)
		if err != nil || len(v.Findings) < 1000 {
			b.Fatal(err, len(v.Findings))
		}
	}
}
