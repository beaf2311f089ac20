package fault

import (
	"strings"
)

// CapTimes is the part of the verification period at which every hold and
// every window ends, whatever else it waits for: an agent must have time left
// in which to learn what became of its request.
const CapTimes = 0.8

// End says when a hold or a window ends: when the first of its anchors has been
// passed, or when the span is over, or at [CapTimes] of the verification
// period, whichever is first. An anchor that was passed before the hold began
// counts.
type End struct {
	_ struct{}

	Until []Anchor
	For   Span
}

// readEnd reads until and for out of a map. At least one of them must be there.
func readEnd(r *Reader, example string) End {
	if !r.Present() {
		r.Complain("this needs an end: %s", example)
		return End{}
	}
	e := End{For: r.Field("for").Span()}
	until := r.Field("until")
	for _, item := range until.Items("approval.query#3 delivered") {
		a := item.Anchor()
		if !a.IsZero() && !a.Last().Single() {
			item.Complain("this ends at one moment: name one ordinal")
		}
		e.Until = append(e.Until, a)
	}
	if r.Written().Shape == Map && !until.Present() && !r.Field("for").Present() {
		r.Complain("this needs an end: %s", example)
	}
	if until.Written().Shape == List && len(e.Until) == 0 {
		until.Complain("the list of anchors is empty")
	}
	return e
}

// String is the end as scenarios write it, without braces.
func (e End) String() string {
	var parts []string
	if len(e.Until) > 0 {
		anchors := make([]string, len(e.Until))
		for i, a := range e.Until {
			anchors[i] = a.String()
		}
		parts = append(parts, "until: ["+strings.Join(anchors, ", ")+"]")
	}
	if !e.For.IsZero() {
		parts = append(parts, "for: "+e.For.String())
	}
	return strings.Join(parts, ", ")
}

// Words say when it ends.
func (e End) Words() string {
	var parts []string
	for _, a := range e.Until {
		parts = append(parts, a.Words())
	}
	if !e.For.IsZero() {
		parts = append(parts, "for "+e.For.String())
	}
	text := strings.Join(parts, ", or ")
	if len(e.Until) > 0 {
		text = "until " + text
	}
	return text + " (0.8 verification_period at the latest)"
}
