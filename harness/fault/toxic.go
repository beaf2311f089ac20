package fault

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// toxic is a stock toxic of Toxiproxy, on the whole connection of the call.
type toxic struct {
	kind     string
	upstream bool
	values   []attribute
}

// attribute is one of a toxic's, with its value: a span or a number.
type attribute struct {
	trait
	span   Span
	number int
}

// trait describes an attribute that is allowed.
type trait struct {
	name string
	unit time.Duration // of a duration; 0: it is a number, at least 1
	must bool
}

// stock are the toxics and attributes that are safe. Toxiproxy checks none: a
// bandwidth below 0 or a slicer without a size ends the process.
var stock = []struct {
	name   string
	traits []trait
}{
	{"latency", []trait{{"latency", time.Millisecond, true}}},
	{"bandwidth", []trait{{"rate", 0, true}}},
	{"slicer", []trait{{"average_size", 0, true}, {"delay", time.Microsecond, false}}},
	{"slow_close", []trait{{"delay", time.Millisecond, true}}},
	{"timeout", []trait{{"timeout", time.Millisecond, false}}},
}

// unsafe are toxics and attributes of Toxiproxy that are refused, and why.
var unsafe = map[string]string{
	"limit_data": "it stops reading the connection when it has closed it, which leaks whoever writes to it: use truncate, which is exact",
	"reset_peer": "it makes every later end of the connection a reset and needs bare sockets, without which it ends the process: use reset, which concerns one message",
	"noop":       "it does nothing",

	"jitter":         "it is drawn from Toxiproxy's own random numbers, which no seed repeats",
	"size_variation": "it is drawn from Toxiproxy's own random numbers, which no seed repeats",
	"toxicity":       "it is always 1: what is random is decided by the plan, which has a seed",
}

func toxicKind() Kind {
	return Kind{
		Name: "toxic", Family: Wire, Place: With,
		Summary: "puts a stock toxic of Toxiproxy on the whole connection of the call, from this message to the end of the connection: latency, bandwidth (KB/s), slicer, slow_close or timeout (the bytes vanish; with a duration the connection is closed after that long without any)",
		Usage:   "toxic: {type: latency, stream: downstream, attributes: {latency: <duration>}}",
		Where:   "sent, replied",
		Stand:   onWire("toxic", Sent, Replied),
		Decode:  decodeToxic,
	}
}

func decodeToxic(r *Reader) Effect {
	if !r.Present() {
		r.Complain("which toxic? Write toxic: {type: latency, attributes: {latency: 0.2 attempt_timeout}}")
		return toxic{}
	}
	if refuseField(r, "toxicity") || !r.Fields("type", "stream", "attributes") {
		return toxic{}
	}
	var names []string
	for _, s := range stock {
		names = append(names, s.name)
	}
	t := toxic{upstream: r.Field("stream").OneOf("stream", []string{"downstream", "upstream"}) == "upstream"}
	kind := r.Need("type")
	if why := unsafe[kind.Written().Text]; why != "" {
		kind.Complain("%s is not offered: %s", kind.Written().Text, why)
		return t
	}
	t.kind = kind.OneOf("toxic", names)
	for _, s := range stock {
		if s.name == t.kind {
			t.values = decodeAttributes(r, s.traits)
		}
	}
	return t
}

func decodeAttributes(r *Reader, traits []trait) []attribute {
	at := r.Field("attributes")
	var names []string
	for _, t := range traits {
		names = append(names, t.name)
	}
	if refuseField(at, "jitter") || refuseField(at, "size_variation") || !at.Fields(names...) {
		return nil
	}
	var values []attribute
	for _, t := range traits {
		v := at.Field(t.name)
		if t.must {
			v = at.Need(t.name)
		}
		if !v.Present() {
			continue
		}
		a := attribute{trait: t}
		if t.unit > 0 {
			a.span = v.Span()
		} else {
			a.number = v.Int(1, math.MaxInt32)
		}
		values = append(values, a)
	}
	return values
}

// refuseField complains about a field that is not offered, and says why.
func refuseField(r *Reader, name string) bool {
	f := r.Field(name)
	if f.Present() {
		f.Complain("%s is not offered: %s", name, unsafe[name])
	}
	return f.Present()
}

func (toxic) Name() string { return "toxic" }

func (t toxic) stream() string {
	if t.upstream {
		return "upstream"
	}
	return "downstream"
}

// told are the attributes as they are written.
func (t toxic) told() string {
	var parts []string
	for _, a := range t.values {
		if a.unit > 0 {
			parts = append(parts, a.name+": "+a.span.String())
		} else {
			parts = append(parts, fmt.Sprintf("%s: %d", a.name, a.number))
		}
	}
	return strings.Join(parts, ", ")
}

func (t toxic) String() string {
	return fmt.Sprintf("toxic: {type: %s, stream: %s, attributes: {%s}}", t.kind, t.stream(), t.told())
}

func (t toxic) Words() string {
	what := "what the client is sent"
	if t.upstream {
		what = "what the client sends"
	}
	text := fmt.Sprintf("from this message to the end of its connection Toxiproxy's %s is on %s", t.kind, what)
	if len(t.values) > 0 {
		text += " (" + t.told() + ")"
	}
	return text
}

func (t toxic) Apply(f *Firing) {
	w := Weather{Type: t.kind, Upstream: t.upstream, Attributes: map[string]int64{}}
	for _, a := range t.values {
		w.Attributes[a.name] = int64(a.number)
		if a.unit > 0 {
			w.Attributes[a.name] = max(1, int64(a.span.Of(f.Limits)/a.unit))
		}
	}
	f.Order.Weather = append(f.Order.Weather, w)
}

// A black hole swallows the message and all that follows.
func (t toxic) skips(at Phase) []Phase {
	switch {
	case t.kind != "timeout":
		return nil
	case t.upstream && at == Sent:
		return after(Sent)
	case t.upstream:
		return nil
	}
	return slices.Clone([]Phase{Delivered})
}
