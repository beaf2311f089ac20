package judge_test

import (
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// TestMangledHistoriesAreJudged takes histories that make sense and breaks them:
// records are lost, doubled, moved and robbed of what they carry.
func TestMangledHistoriesAreJudged(t *testing.T) {
	contractTable := table(t)
	var bases [][]history.Record
	for _, c := range tales() {
		bases = append(bases, c.story(tell(nil)).told(t))
	}
	for _, f := range floods {
		bases = append(bases, flooded(t, f, 40))
	}
	rapid.Check(t, func(t *rapid.T) {
		records := slices.Clone(rapid.SampledFrom(bases).Draw(t, "base"))
		for range rapid.IntRange(1, 12).Draw(t, "breaks") {
			records = mangle(t, records)
		}
		judgedTwice(t, contractTable, records)
	})
}

// mangle breaks one record. The first one stays: without it there is no history.
func mangle(t *rapid.T, records []history.Record) []history.Record {
	if len(records) < 3 {
		return records
	}
	place := rapid.IntRange(1, len(records)-1)
	at, other := place.Draw(t, "at"), place.Draw(t, "other")
	r := records[at]
	from := records[other]
	switch rapid.IntRange(0, 8).Draw(t, "how") {
	case 0:
		return slices.Delete(records, at, at+1)
	case 1:
		return slices.Insert(records, other, r)
	case 2:
		r.Wire, r.Ledger, r.Given, r.Control, r.Process, r.Fault, r.Run = nil, nil, nil, nil, nil, nil, nil
	case 3:
		r.Facts = from.Facts
	case 4:
		r.Kind = from.Kind
	case 5:
		r.Work, r.Call, r.Task = from.Work, from.Call, from.Task
	case 6:
		r.At = rapid.SampledFrom([]time.Duration{0, -1, math.MaxInt64, math.MinInt64, from.At}).Draw(t, "instant")
	case 7:
		r.Wire, r.Control, r.Process = from.Wire, from.Control, from.Process
	default:
		records[at], records[other] = records[other], records[at]
		return records
	}
	records[at] = r
	return records
}

// judgedTwice demands that judging ends, and in the same verdict each time.
func judgedTwice(t rapid.TB, contractTable *contract.Table, records []history.Record) *judge.Verdict {
	first, err := judge.Judge(contractTable, records)
	if err != nil {
		t.Fatal(err)
	}
	again, err := judge.Judge(contractTable, records)
	if err != nil || !reflect.DeepEqual(first, again) {
		t.Fatalf("judged twice: %+v, then %+v (%v)", first, again, err)
	}
	return first
}
