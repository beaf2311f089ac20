package fault

// Shape is what a written value is.
type Shape int

// The shapes. An absent value is a field that was not written, or the
// arguments of an effect that was named without any.
const (
	Absent Shape = iota
	Scalar
	List
	Map
)

// Written is a value as its author wrote it: nothing is interpreted yet, so
// that 0123 is still 0123 and every complaint can say where it belongs. The
// zero value is absent.
type Written struct {
	_ struct{}

	Shape  Shape
	Text   string // Scalar: its text
	Quoted bool   // Scalar: it stands in quotes or in a block, so it is text and no number
	Items  []Written
	Fields []Field // Map: in the order in which they were written

	Line, Column int // of the value's first character, from 1; 0 when it does not come from a file
}

// Field is one entry of a map.
type Field struct {
	_ struct{}

	Name         string
	Value        Written
	Line, Column int // of the name
}

// Word is a plain scalar.
func Word(text string) Written { return Written{Shape: Scalar, Text: text} }

// Field finds an entry of a map.
func (w Written) Field(name string) (Field, bool) {
	for _, f := range w.Fields {
		if f.Name == name {
			return f, true
		}
	}
	return Field{}, false
}
