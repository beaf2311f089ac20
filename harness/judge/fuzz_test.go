package judge_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// FuzzJudge judges whatever history.Read accepts: it must not panic, and it must
// come to the same verdict again.
func FuzzJudge(f *testing.F) {
	contractTable := table(f)
	for _, c := range tales() {
		f.Add(written(f, c.story(tell(nil)).told(f)))
	}
	for _, fl := range floods {
		f.Add(written(f, flooded(f, fl, 60)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		records, _ := history.Read(bytes.NewReader(text))
		first, err := judge.Judge(contractTable, records)
		if err != nil {
			return
		}
		again, err := judge.Judge(contractTable, records)
		if err != nil || !reflect.DeepEqual(first, again) {
			t.Fatalf("judged twice: %+v, then %+v (%v)", first, again, err)
		}
		if _, err := json.Marshal(first); err != nil {
			t.Fatal(err)
		}
	})
}

// written is a history as it stands on disk.
func written(t testing.TB, records []history.Record) []byte {
	var out bytes.Buffer
	for _, r := range records {
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(line, '\n'))
	}
	return out.Bytes()
}
