package fault

import "strconv"

// says puts one turn in the model's mouth.
type says struct{ speech Speech }

const saysUsage = "says: <text>, or says: {say: <text>, call: {tool: <tool>, arguments: {<field>: <value>, ...}}}, " +
	"or says: {calls: [{tool: <tool>, arguments: {<field>: <value>, ...}}]}, or says: {call: {tool: <tool>, raw: <text>}}"

func saysKind() Kind {
	return Kind{
		Name: "says", Family: Model, Place: Final, Needs: []string{"model_loop"},
		Summary: "the model says this instead of the next turn of its script, which it goes on with afterwards",
		Usage:   saysUsage,
		Where:   "received of model.chat",
		Stand:   ofModel("says"),
		Decode: func(r *Reader) Effect {
			switch {
			case !r.Present():
				r.Complain("what does it say? Write says: a text, or %s", `says: {call: {tool: search_kb, arguments: {q: refund window}}}`)
				return says{}
			case r.Written().Shape == Scalar:
				return says{Speech{Text: r.Text()}}
			case !r.Fields("say", "call", "calls"):
				return says{}
			}
			return says{ReadSpeech(r)}
		},
	}
}

func (says) Name() string { return "says" }

func (s says) String() string {
	if len(s.speech.Calls) == 0 {
		return "says: " + strconv.Quote(s.speech.Text)
	}
	return "says: " + s.speech.String()
}

func (s says) Words() string { return "the model " + s.speech.Words() }

func (s says) Apply(f *Firing) { f.Order.Speech = &s.speech }
