package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Problem is one thing that is wrong in a file.
type Problem struct {
	_ struct{}

	File         string
	Line, Column int    // from 1; 0 when the file as a whole is meant
	Message      string // what is wrong and what to do
	Text         string // of the line
	Suggestion   string // the nearest right spelling, or ""
}

// String is "file:line:column: what (did you mean "x"?)", and the text of the
// line below it.
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", p.Line, p.Column)
	}
	b.WriteString(": " + p.Message)
	if p.Suggestion != "" {
		fmt.Fprintf(&b, " (did you mean %q?)", p.Suggestion)
	}
	if strings.TrimSpace(p.Text) != "" {
		b.WriteString("\n    " + p.Text)
	}
	return b.String()
}

// Errors are all problems of what was read, sorted by file, line and column.
type Errors struct {
	problems []Problem
}

// All are the problems. There is at least one.
func (e *Errors) All() []Problem { return slices.Clone(e.problems) }

// Error is all problems, each with the text of its line.
func (e *Errors) Error() string {
	lines := make([]string, len(e.problems))
	for i, p := range e.problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

func (e *Errors) add(p ...Problem) { e.problems = append(e.problems, p...) }

// join adds the problems of an error of this package, or the error itself as a
// problem of the file.
func (e *Errors) join(file string, err error) {
	var other *Errors
	switch {
	case err == nil:
	case errors.As(err, &other):
		e.add(other.problems...)
	default:
		e.add(Problem{File: file, Message: err.Error()})
	}
}

// mostProblems bounds the problems that are told, of one file or of a folder.
const mostProblems = 200

// err returns nil when there is no problem, else itself, sorted, without
// repetitions, and bounded.
func (e *Errors) err() error {
	if len(e.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(e.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
	})
	e.problems = slices.CompactFunc(e.problems, func(a, b Problem) bool {
		return a.File == b.File && a.Line == b.Line && a.Column == b.Column && a.Message == b.Message
	})
	if more := len(e.problems) - mostProblems; more > 0 {
		last := e.problems[mostProblems-1]
		e.problems = append(e.problems[:mostProblems], Problem{File: last.File, Message: fmt.Sprintf("and %d more problems behind line %d", more, last.Line)})
	}
	return e
}
