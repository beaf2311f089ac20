package fault

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/tool"
)

// Speech is what a model is made to say in one turn: a text, calls of tools, or
// one of the ways below. The zero value says nothing.
type Speech struct {
	_ struct{}

	Text  string
	Calls []SpokenCall
	// Malformed damages the arguments of what the model would say otherwise, see [Damages].
	Malformed string
	// Repeats says what the assistant's last turn with calls of tools said.
	Repeats bool
	// Urges presses for a tool or an action: the call of a tool that there is, and words.
	Urges string

	// Receipt is the fault whose speech it is. The service records that it could not be said: there was no
	// call to damage or to repeat. Nil: no record.
	Receipt *history.Fault
}

// SpokenCall is one call of a tool that a model asks for.
type SpokenCall struct {
	_ struct{}

	Tool      string
	Arguments string // JSON, unless it is meant not to be
}

// The values of [Speech.Malformed].
const (
	MisfitSchema = "schema" // JSON that the tool's schema refuses
	NoJSON       = "json"   // cut off
)

// Damages are the ways in which arguments can be damaged.
func Damages() []string { return []string{MisfitSchema, NoJSON} }

// Urgings are what a model can urge: the actions of the contract, and the tools.
func Urgings() []string {
	all := tool.Names()
	for _, a := range contract.Actions() {
		all = append(all, string(a))
	}
	return all
}

// SpeechFields are the fields that [ReadSpeech] knows.
func SpeechFields() []string { return []string{"say", "call", "calls", "repeats", "urges"} }

// ReadSpeech reads a turn: say, call or calls, repeats, urges. Fields of
// others are the caller's to refuse. A turn says something.
func ReadSpeech(r *Reader) Speech {
	s := Speech{Text: r.Field("say").Text(), Urges: r.Field("urges").OneOf("tool or action", Urgings())}
	one, many, repeats := r.Field("call"), r.Field("calls"), r.Field("repeats")
	if s.Repeats = repeats.Bool(); repeats.Present() && !s.Repeats {
		repeats.Complain("a turn that does not repeat leaves it out")
	}
	switch {
	case one.Present() && many.Present():
		many.Complain("a turn has call: or calls:, not both")
	case one.Present():
		s.Calls = append(s.Calls, readSpokenCall(one))
	default:
		for _, item := range many.Items("{tool: search_kb, arguments: {q: refund window}}") {
			s.Calls = append(s.Calls, readSpokenCall(item))
		}
	}
	told := 0
	for _, is := range []bool{len(s.Calls) > 0, s.Repeats, s.Urges != ""} {
		if is {
			told++
		}
	}
	switch {
	case told > 1:
		r.Complain("a turn calls, repeats, or urges: one of these")
	case told == 0 && !r.Field("say").Present() && !one.Present() && !many.Present() && !repeats.Present() && !r.Field("urges").Present():
		r.Complain("the turn says nothing: write say:, call:, calls:, repeats: or urges:")
	}
	return s
}

func readSpokenCall(r *Reader) SpokenCall {
	if !r.want(Map, "a call, such as {tool: search_kb, arguments: {q: refund window}}") || !r.Fields("tool", "arguments", "raw") {
		return SpokenCall{}
	}
	c := SpokenCall{Tool: r.Need("tool").OneOf("tool", tool.Names()), Arguments: "{}"}
	arguments, raw := r.Field("arguments"), r.Field("raw")
	switch {
	case arguments.Present() && raw.Present():
		raw.Complain("a call has arguments: or raw:, not both")
	case raw.Present():
		c.Arguments = raw.Text()
	case arguments.Present() && arguments.want(Map, "a map, such as {q: refund window}"):
		c.Arguments = string(arguments.value.JSON())
	}
	return c
}

var plainNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

// JSON is the value as JSON: what is not quoted and reads as a number, true or
// false is one.
func (w Written) JSON() json.RawMessage {
	var b strings.Builder
	w.write(&b)
	return json.RawMessage(b.String())
}

func (w Written) write(b *strings.Builder) {
	quote := func(text string) {
		q, _ := json.Marshal(text) // a text cannot fail
		b.Write(q)
	}
	switch w.Shape {
	case Scalar:
		if !w.Quoted && (plainNumber.MatchString(w.Text) || w.Text == "true" || w.Text == "false") {
			b.WriteString(w.Text)
		} else {
			quote(w.Text)
		}
	case List:
		b.WriteByte('[')
		for i, item := range w.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.write(b)
		}
		b.WriteByte(']')
	case Map:
		b.WriteByte('{')
		for i, f := range w.Fields {
			if i > 0 {
				b.WriteByte(',')
			}
			quote(f.Name)
			b.WriteByte(':')
			f.Value.write(b)
		}
		b.WriteByte('}')
	default:
		b.WriteString("null")
	}
}

// String is the turn as scenarios write it.
func (s Speech) String() string {
	var parts []string
	if s.Text != "" {
		parts = append(parts, "say: "+strconv.Quote(s.Text))
	}
	var calls []string
	for _, c := range s.Calls {
		calls = append(calls, c.String())
	}
	switch len(calls) {
	case 0:
	case 1:
		parts = append(parts, "call: "+calls[0])
	default:
		parts = append(parts, "calls: ["+strings.Join(calls, ", ")+"]")
	}
	if s.Repeats {
		parts = append(parts, "repeats: true")
	}
	if s.Urges != "" {
		parts = append(parts, "urges: "+s.Urges)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// String is the call as scenarios write it.
func (c SpokenCall) String() string {
	if json.Valid([]byte(c.Arguments)) {
		return fmt.Sprintf("{tool: %s, arguments: %s}", c.Tool, c.Arguments)
	}
	return fmt.Sprintf("{tool: %s, raw: %s}", c.Tool, strconv.Quote(c.Arguments))
}

// Words say what the model says.
func (s Speech) Words() string {
	var parts []string
	var calls []string
	for _, c := range s.Calls {
		calls = append(calls, c.Tool+"("+c.Arguments+")")
	}
	if len(calls) > 0 {
		parts = append(parts, "asks for "+strings.Join(calls, " and "))
	}
	if s.Repeats {
		parts = append(parts, "asks for the same calls again")
	}
	if s.Urges != "" {
		parts = append(parts, "urges "+s.Urges)
	}
	if s.Text != "" {
		parts = append(parts, "says "+strconv.Quote(s.Text))
	}
	return strings.Join(parts, " and ")
}

// ofModel lets an effect stand where a model has a request for its next turn.
func ofModel(name string) func(Anchor) error {
	return func(a Anchor) error {
		s := a.Last()
		if s.Call() && s.Service == "model" && s.Operation == "chat" && s.Phase == Received {
			return nil
		}
		return fmt.Errorf("%s is done by the model to a request for its next turn: use model.chat#1 received, say", name)
	}
}
