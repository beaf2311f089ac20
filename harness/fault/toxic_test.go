package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestAStockToxicIsPutOnAConnection(t *testing.T) {
	g := NewWithT(t)
	e := effect(t, m("toxic", m("type", "latency", "stream", "upstream", "attributes", m("latency", "0.25 attempt_timeout"))))
	g.Expect(firing(t, e, "approval.submit#1 sent").Order).To(Equal(Order{
		Weather: []Weather{{Type: "latency", Upstream: true, Attributes: map[string]int64{"latency": 2000}}},
	}))
	g.Expect(e.String()).To(Equal("toxic: {type: latency, stream: upstream, attributes: {latency: 0.25 attempt_timeout}}"))
	g.Expect(e.Words()).To(Equal("from this message to the end of its connection Toxiproxy's latency is on what the client sends (latency: 0.25 attempt_timeout)"))

	slicer := effect(t, m("toxic", m("type", "slicer", "attributes", m("average_size", 3, "delay", "0.001 attempt_timeout"))))
	g.Expect(firing(t, slicer, "approval.submit#1 replied").Order.Weather[0].Attributes).To(Equal(map[string]int64{"average_size": 3, "delay": 8000}))
	g.Expect(stands(t, "toxic")).To(Equal([]string{"sent", "replied"}))
}

// What Toxiproxy would carry out at the price of the process, of a goroutine or
// of repeatability is refused, with the reason.
func TestDangerousToxicsAreRefused(t *testing.T) {
	toxic := func(kind string, attributes ...any) Written {
		return m("toxic", m("type", kind, "attributes", m(attributes...)))
	}
	for _, c := range []struct {
		written Written
		want    string
	}{
		{toxic("slicer"), `toxic.attributes: the field "average_size" is missing`},
		{toxic("slicer", "average_size", 0), `toxic.attributes.average_size: 0 is out of range: from 1 to 2147483647`},
		{toxic("slicer", "average_size", 9, "size_variation", 3), "toxic.attributes.size_variation: size_variation is not offered: it is drawn from Toxiproxy's own random numbers, which no seed repeats"},
		{toxic("bandwidth", "rate", -1), `toxic.attributes.rate: -1 is out of range: from 1 to 2147483647`},
		{toxic("bandwidth", "rate", 0), `toxic.attributes.rate: 0 is out of range: from 1 to 2147483647`},
		{toxic("latency", "latency", "1 attempt_timeout", "jitter", 5), "toxic.attributes.jitter: jitter is not offered: it is drawn from Toxiproxy's own random numbers, which no seed repeats"},
		{toxic("latency", "latency", 300), `toxic.attributes.latency: "300" is no duration: write a multiple of a limit, such as 0.5 attempt_timeout`},
		{toxic("latency", "latencyy", "1 attempt_timeout"), `toxic.attributes.latencyy: unknown field "latencyy" (did you mean "latency"?)`},
		{toxic("limit_data", "bytes", 4), "toxic.type: limit_data is not offered: it stops reading the connection when it has closed it, which leaks whoever writes to it: use truncate, which is exact"},
		{toxic("reset_peer"), "toxic.type: reset_peer is not offered: it makes every later end of the connection a reset and needs bare sockets, without which it ends the process: use reset, which concerns one message"},
		{toxic("latencies"), `toxic.type: unknown toxic "latencies" (did you mean "latency"?)`},
		{toxic("lostreceipt_gate"), `toxic.type: unknown toxic "lostreceipt_gate": one of latency, bandwidth, slicer, slow_close, timeout`},
		{m("toxic", m("type", "latency", "toxicity", "0.5")), "toxic.toxicity: toxicity is not offered: it is always 1: what is random is decided by the plan, which has a seed"},
		{m("toxic", m("stream", "sideways", "type", "timeout")), `toxic.stream: unknown stream "sideways": one of downstream, upstream`},
	} {
		NewWithT(t).Expect(wrong(c.written)).To(ContainElement(c.want))
	}
	NewWithT(t).Expect(wrong("toxic")).To(Equal([]string{"toxic: which toxic? Write toxic: {type: latency, attributes: {latency: 0.2 attempt_timeout}}"}))
}

func TestABlackHoleEndsTheCall(t *testing.T) {
	g := NewWithT(t)
	hole := at(t, "approval.submit#1 sent", m("toxic", m("type", "timeout", "stream", "upstream")))
	_, problems := Compile(subject(), []Fault{hole, optional(at(t, "approval.submit#1 replied", "reset"))})
	g.Expect(texts(problems)).To(Equal([]string{`1.at: "approval.submit#1 replied" is never reached: fault 1 does toxic at "approval.submit#1 sent", and the call gets no further`}))
}
