package fault

import "fmt"

// Misuse is one thing that is wrong in what an author wrote: in an anchor, in
// a span, in an effect's arguments, or in a fault as a whole.
type Misuse struct {
	_ struct{}

	// Path leads to the value that is wrong: names of fields and numbers in lists. Empty: the value itself.
	Path []string
	// Key points at the field's name instead of its value.
	Key bool
	// Offset is the byte within the value's text at which the trouble begins.
	Offset int
	// Message says what is wrong and what to do, in lower case and without a full stop.
	Message string
	// Suggestion is the nearest right spelling, or "".
	Suggestion string
}

// Error is the message, with the suggestion when there is one.
func (m *Misuse) Error() string {
	if m.Suggestion == "" {
		return m.Message
	}
	return fmt.Sprintf("%s (did you mean %q?)", m.Message, m.Suggestion)
}

// under returns the same misuse below a longer path.
func (m *Misuse) under(path ...string) *Misuse {
	c := *m
	c.Path = append(append([]string(nil), path...), m.Path...)
	return &c
}
