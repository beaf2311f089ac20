package timeline_test

import (
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/reports/timeline"
)

// What a fault waited for and where the gate struck are lines; only the firing is
// a band. That a fault was armed from the start is in the list alone.
func TestReceiptsOfAFaultAreLinesBesideItsBand(t *testing.T) {
	g := NewWithT(t)
	records := []history.Record{
		{N: 1, Kind: history.RunStarted, Run: &history.Run{}},
		{N: 2, Kind: history.FaultPlanned, Fault: &history.Fault{ID: "f-1", Anchor: "approval.submit#1 replied", Effect: "truncate: 7", Steps: 1}},
		{N: 3, Kind: history.FaultArmed, Fault: &history.Fault{ID: "f-1", Effect: "truncate: 7"}},
		{N: 4, Kind: history.FaultArmed, Call: "c-1", Fault: &history.Fault{ID: "f-2", Effect: "reset", Reason: "approval.query#1 delivered"}},
		{N: 5, Kind: history.FaultFired, Call: "c-2", Fault: &history.Fault{ID: "f-1", Effect: "truncate: 7"}},
		{N: 6, Kind: history.FaultStruck, Call: "c-2", Fault: &history.Fault{ID: "f-1", Effect: "truncate: 7", Byte: 141}},
	}
	p := timeline.Of(records, timeline.Options{})
	said := map[int]string{}
	for _, m := range p.Marks {
		said[m.N] = m.Label.Text
	}
	g.Expect(said).To(Equal(map[int]string{
		4: "f-2 armed, after approval.query#1 delivered",
		5: "f-1 fired: truncate: 7",
		6: "f-1 struck, after 141 bytes",
	}))
	var bands []string
	for _, b := range p.Bands {
		bands = append(bands, b.Class)
	}
	g.Expect(bands).To(Equal([]string{"fired"}))
	g.Expect(p.Entries).To(HaveLen(len(records)))
	g.Expect(p.Entries[2].Words).To(Equal("f-1 armed"))
}
