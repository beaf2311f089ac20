package history_test

import (
	"bytes"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

func TestALogKeepsOneTotalOrderAndWritesEachRecordAtOnce(t *testing.T) {
	g := gomega.NewWithT(t)
	w := &lines{}
	l := history.NewLog(w)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				l.Append(history.Record{Kind: history.CallSent, Call: "c-1", Wire: &history.Wire{Service: "approval", Body: "\u2028<&"}})
			}
		})
	}
	wg.Wait()
	g.Expect(l.Err()).NotTo(gomega.HaveOccurred())
	g.Expect(w.writes).To(gomega.Equal(800), "one write a record")
	read, err := history.Read(&w.Buffer)
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(read).To(gomega.Equal(l.Records()))
	for i, r := range read {
		g.Expect(r.N).To(gomega.Equal(i + 1))
	}
}

type lines struct {
	bytes.Buffer
	writes int
}

func (l *lines) Write(p []byte) (int, error) {
	l.writes++
	return l.Buffer.Write(p)
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestAFullDiskIsReportedAndLosesNothingInMemory(t *testing.T) {
	g := gomega.NewWithT(t)
	l := history.NewLog(full{})
	l.Append(history.Record{Kind: history.RunStarted})
	l.Append(history.Record{Kind: history.RunEnded})
	g.Expect(l.Err()).To(gomega.MatchError("record 1: no space left on device"))
	g.Expect(l.Len()).To(gomega.Equal(2))
}

func TestWatchersSeeEveryRecordInOrderUntilTheyStop(t *testing.T) {
	g := gomega.NewWithT(t)
	l := history.NewLog(nil)
	var seen []int
	stop := l.Watch(func(r history.Record) { seen = append(seen, r.N) })
	l.Append(history.Record{Kind: history.RunStarted})
	l.Append(history.Record{Kind: history.RunNoise})
	stop()
	l.Append(history.Record{Kind: history.RunEnded})
	g.Expect(seen).To(gomega.Equal([]int{1, 2}))
}

func TestReadRefusesWhatIsNoHistory(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a missing record":   {`{"n":1,"at":0,"kind":"run.started"}` + "\n" + `{"n":3,"at":1,"kind":"run.ended"}` + "\n", "line 2: record is numbered 3, want 2: a record is missing or doubled"},
		"time going back":    {`{"n":1,"at":5,"kind":"run.started"}` + "\n" + `{"n":2,"at":4,"kind":"run.ended"}` + "\n", "line 2: instant 4 is before that of the record above it (5)"},
		"a line too long":    {`{"n":1,"kind":"` + strings.Repeat("x", 2<<20), "line 1: a record is longer than 1048576 bytes"},
		"something else":     {"<html>\n", "line 1: invalid character '<' looking for beginning of value"},
		"an empty line":      {"\n", "line 1: unexpected end of JSON input"},
		"a torn last record": {`{"n":1,"at":0,"kind":"run.started"}` + "\n" + `{"n":2,"a`, "line 2: history ends in the middle of a record"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := history.Read(strings.NewReader(c.text))
			gomega.NewWithT(t).Expect(err).To(gomega.MatchError(c.want))
		})
	}
}

func TestATornHistoryGivesTheRecordsBeforeTheTear(t *testing.T) {
	g := gomega.NewWithT(t)
	records, err := history.Read(strings.NewReader(`{"n":1,"at":0,"kind":"run.started"}` + "\n" + `{"n":2,`))
	g.Expect(errors.Is(err, history.ErrTorn)).To(gomega.BeTrue())
	g.Expect(records).To(gomega.HaveLen(1))
}

func TestAnOlderReaderAcceptsFieldsItDoesNotKnow(t *testing.T) {
	records, err := history.Read(strings.NewReader(`{"n":1,"at":7,"kind":"run.started","colour":"blue"}` + "\n"))
	gomega.NewWithT(t).Expect(err).NotTo(gomega.HaveOccurred())
	gomega.NewWithT(t).Expect(records[0].At).To(gomega.Equal(7 * time.Nanosecond))
}

// A log keeps its records in blocks; nobody sees where one ends.
func TestRecordsAreWholeBeyondABlock(t *testing.T) {
	g := gomega.NewWithT(t)
	l := history.NewLog(nil)
	g.Expect(l.Records()).To(gomega.BeEmpty())
	for n := 1; n <= 1000; n++ {
		g.Expect(l.Append(history.Record{Kind: history.ConnOpened}).N).To(gomega.Equal(n))
		if n%100 != 0 && n%128 > 1 {
			continue
		}
		g.Expect(l.Len()).To(gomega.Equal(n))
		for i, r := range l.Records() {
			g.Expect(r.N).To(gomega.Equal(i + 1))
		}
		g.Expect(l.Records()).To(gomega.HaveLen(n))
	}
}
