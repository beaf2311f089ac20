package fault

import (
	"strconv"
	"strings"
)

// ReadEffects reads what stands after do: one effect, or a list of them that
// is carried out in order. An effect is its name, or a map of its name to its
// arguments.
func ReadEffects(r *Reader) []Effect {
	if r.Written().Shape != List {
		if e := readEffect(r); e != nil {
			return []Effect{e}
		}
		return nil
	}
	var effects []Effect
	items := r.Items("reset")
	if len(items) == 0 {
		r.Complain("the list of effects is empty")
	}
	for _, item := range items {
		if e := readEffect(item); e != nil {
			effects = append(effects, e)
		}
	}
	return effects
}

func readEffect(r *Reader) Effect {
	name, key := r.value.Text, false
	var args *Reader
	switch r.value.Shape {
	case Scalar:
		args = r.child(name, Written{})
	case Map:
		if len(r.value.Fields) != 1 {
			r.Complain("an effect is one name with its arguments; several effects are a list, such as [kill, reset]")
			return nil
		}
		name, key = r.value.Fields[0].Name, true
		args = r.child(name, r.value.Fields[0].Value)
	default:
		r.Complain("this takes an effect, such as reset or {hold: {for: 1 attempt_timeout}}")
		return nil
	}
	kind, ok := FindKind(name)
	if !ok {
		m := &Misuse{Key: key, Message: "unknown effect " + strconv.Quote(name), Suggestion: Nearest(name, Names())}
		if m.Suggestion == "" {
			m.Message += ": one of " + strings.Join(Names(), ", ")
		}
		if key {
			m = m.under(name)
		}
		r.add(m)
		return nil
	}
	before := len(*r.problems)
	e := kind.Decode(args)
	if len(*r.problems) > before {
		return nil
	}
	return e
}
