package fault

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Reader gives typed access to a written value and collects what is wrong with
// it: every complaint carries the path to the value concerned. After a
// complaint the methods return zero values, so that reading goes on and all
// complaints come at once.
type Reader struct {
	value    Written
	path     []string
	problems *[]*Misuse
}

// NewReader reads a value.
func NewReader(w Written) *Reader { return &Reader{value: w, problems: new([]*Misuse)} }

// Problems are the complaints so far, of this reader and all that came from it.
func (r *Reader) Problems() []*Misuse { return *r.problems }

// Written is the value as written.
func (r *Reader) Written() Written { return r.value }

// Present tells whether there is a value.
func (r *Reader) Present() bool { return r.value.Shape != Absent }

// Path leads to the reader's value.
func (r *Reader) Path() []string { return slices.Clone(r.path) }

// Complain records that the value is wrong.
func (r *Reader) Complain(format string, args ...any) { r.Suggest("", format, args...) }

// Suggest is Complain with the nearest right spelling.
func (r *Reader) Suggest(suggestion, format string, args ...any) {
	r.add(&Misuse{Message: fmt.Sprintf(format, args...), Suggestion: suggestion})
}

func (r *Reader) add(m *Misuse) { *r.problems = append(*r.problems, m.under(r.path...)) }

// take records an error of a parser of this package.
func (r *Reader) take(err error) {
	var m *Misuse
	if !errors.As(err, &m) {
		m = &Misuse{Message: err.Error()}
	}
	r.add(m)
}

func (r *Reader) child(name string, w Written) *Reader {
	return &Reader{value: w, path: append(slices.Clone(r.path), name), problems: r.problems}
}

// None complains when there is a value.
func (r *Reader) None(what string) {
	if r.Present() {
		r.Complain("%s takes no arguments", what)
	}
}

// Fields complains when the value is no map, or has fields other than these.
// An absent value is an empty map.
func (r *Reader) Fields(names ...string) bool {
	if !r.Present() {
		return true
	}
	if !r.want(Map, "a map of %s", strings.Join(names, ", ")) {
		return false
	}
	for _, f := range r.value.Fields {
		if slices.Contains(names, f.Name) {
			continue
		}
		m := &Misuse{Key: true, Message: fmt.Sprintf("unknown field %q", f.Name), Suggestion: Nearest(f.Name, names)}
		if m.Suggestion == "" {
			m.Message += ": the fields here are " + strings.Join(names, ", ")
		}
		*r.problems = append(*r.problems, m.under(append(r.Path(), f.Name)...))
	}
	return true
}

// Field reads one field of a map; when it was not written, the reader is of an
// absent value.
func (r *Reader) Field(name string) *Reader {
	f, _ := r.value.Field(name)
	return r.child(name, f.Value)
}

// Need is Field for a field that must be there. One that was written without
// a value is there: whoever read the file has said so.
func (r *Reader) Need(name string) *Reader {
	if _, ok := r.value.Field(name); !ok {
		r.Complain("the field %q is missing", name)
	}
	return r.Field(name)
}

// maxItems bounds every list: what is checked against each other stays small.
const maxItems = 100

// Items reads a list. An absent value is an empty list.
func (r *Reader) Items(example string) []*Reader {
	if !r.Present() || !r.want(List, "a list, such as [%s]", example) {
		return nil
	}
	written := r.value.Items
	if len(written) > maxItems {
		r.Complain("a list has at most %d items, this one has %d", maxItems, len(written))
		written = written[:maxItems]
	}
	items := make([]*Reader, len(written))
	for i, w := range written {
		items[i] = r.child(strconv.Itoa(i), w)
	}
	return items
}

// Texts reads a list of scalars.
func (r *Reader) Texts(example string) []string {
	var texts []string
	for _, item := range r.Items(example) {
		texts = append(texts, item.Text())
	}
	return texts
}

// Words reads a list in which every item is one of these words.
func (r *Reader) Words(what string, words []string) []string {
	var found []string
	for _, item := range r.Items(words[0]) {
		if w := item.OneOf(what, words); w != "" {
			found = append(found, w)
		}
	}
	return found
}

// Text reads a scalar as it was written.
func (r *Reader) Text() string {
	if !r.Present() || !r.want(Scalar, "a text") {
		return ""
	}
	return r.value.Text
}

// OneOf reads a scalar that is one of these words.
func (r *Reader) OneOf(what string, words []string) string {
	if !r.Present() || !r.want(Scalar, "one of %s", strings.Join(words, ", ")) {
		return ""
	}
	if !slices.Contains(words, r.value.Text) {
		if near := Nearest(r.value.Text, words); near != "" {
			r.Suggest(near, "unknown %s %q", what, r.value.Text)
		} else {
			r.Complain("unknown %s %q: one of %s", what, r.value.Text, strings.Join(words, ", "))
		}
		return ""
	}
	return r.value.Text
}

// Int reads a whole number.
func (r *Reader) Int(low, high int) int {
	if !r.Present() || !r.want(Scalar, "a whole number") {
		return 0
	}
	text := strings.TrimPrefix(r.value.Text, "-")
	n, err := strconv.Atoi(r.value.Text)
	if r.value.Quoted || !digits(text) || err != nil {
		r.Complain("%q is no whole number", r.value.Text)
		return 0
	}
	if len(text) > 1 && text[0] == '0' {
		r.Suggest(strconv.Itoa(n), "%q has a leading zero, which some readers take for octal", r.value.Text)
		return 0
	}
	if n < low || n > high {
		if high == math.MaxInt {
			r.Complain("%d is out of range: at least %d", n, low)
		} else {
			r.Complain("%d is out of range: from %d to %d", n, low, high)
		}
		return 0
	}
	return n
}

// Number reads a decimal number, more than 0 and at most high.
func (r *Reader) Number(high float64) float64 {
	if !r.Present() || !r.want(Scalar, "a number") {
		return 0
	}
	f, err := parseNumber(r.value.Text)
	switch {
	case err != nil:
		r.take(err)
		return 0
	case r.value.Quoted:
		r.Suggest(r.value.Text, "a number stands without quotes")
		return 0
	case f <= 0 || f > high:
		r.Complain("%s is out of range: more than 0 and at most %s", r.value.Text, strconv.FormatFloat(high, 'f', -1, 64))
		return 0
	}
	return f
}

// Bool reads true or false.
func (r *Reader) Bool() bool {
	if !r.Present() || !r.want(Scalar, "true or false") {
		return false
	}
	if r.value.Quoted || (r.value.Text != "true" && r.value.Text != "false") {
		suggestion := map[string]string{"yes": "true", "on": "true", "True": "true", "TRUE": "true", "no": "false", "off": "false", "False": "false", "FALSE": "false"}[r.value.Text]
		r.Suggest(suggestion, "%q is neither true nor false", r.value.Text)
		return false
	}
	return r.value.Text == "true"
}

// Span reads a multiple of a limit.
func (r *Reader) Span() Span {
	if !r.Present() || !r.want(Scalar, "a multiple of a limit, such as 0.5 attempt_timeout") {
		return Span{}
	}
	s, err := ParseSpan(r.value.Text)
	if err != nil {
		r.take(err)
	}
	return s
}

// Anchor reads an anchor.
func (r *Reader) Anchor() Anchor {
	if !r.Present() || !r.want(Scalar, "an anchor, such as approval.submit#1 replied") {
		return Anchor{}
	}
	a, err := ParseAnchor(r.value.Text)
	if err != nil {
		r.take(err)
	}
	return a
}

// Map reads a map of texts, each kept as it was written.
func (r *Reader) Map(example string) map[string]string {
	if !r.Present() || !r.want(Map, "a map, such as %s", example) {
		return nil
	}
	m := make(map[string]string, len(r.value.Fields))
	for _, f := range r.value.Fields {
		m[f.Name] = r.child(f.Name, f.Value).Text()
	}
	return m
}

// want complains when the value has another shape.
func (r *Reader) want(shape Shape, format string, args ...any) bool {
	if r.value.Shape == shape {
		return true
	}
	found := map[Shape]string{Scalar: fmt.Sprintf("%q", r.value.Text), List: "a list", Map: "a map"}[r.value.Shape]
	r.Complain("this takes "+format+", not %s", append(args, found)...)
	return false
}
