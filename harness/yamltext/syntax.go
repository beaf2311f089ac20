// Package yamltext tells people what is wrong with a text that is no YAML: where
// it is and what to do, which the words of a parser rarely say.
package yamltext

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Lines are the lines of a text without their ends.
func Lines(text string) []string {
	lines := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSuffix(l, "\r")
	}
	return lines
}

// Mistake is where a text stops being YAML, line and column from 1, and what is
// wrong there.
type Mistake struct {
	_ struct{}

	Line, Column int
	Message      string
}

// positioned finds a position in a message of the YAML reader that carries none.
var positioned = regexp.MustCompile(`line (\d+)(?:, column (\d+))?`)

// Explain makes a mistake of an error of the YAML reader. what is the kind of
// file, as "a scenario".
func Explain(what string, lines []string, err error) Mistake {
	var one *yaml.LoadError
	if many := (*yaml.LoadErrors)(nil); errors.As(err, &many) && len(many.Errors) > 0 {
		one = many.Errors[0]
	} else if !errors.As(err, &one) {
		one = &yaml.LoadError{Message: err.Error()}
	}
	m := Mistake{Line: one.Mark.Line, Column: one.Mark.Column}
	if at := positioned.FindStringSubmatch(one.Message); m.Line == 0 && at != nil {
		m.Line, _ = strconv.Atoi(at[1])
		m.Column, _ = strconv.Atoi(at[2])
	}
	m.Message = "this is no YAML: " + strings.TrimPrefix(one.Message, "yaml: ")
	if one.ContextMsg != "" {
		m.Message += " (" + one.ContextMsg + ")"
	}
	text := ""
	if m.Line >= 1 && m.Line <= len(lines) {
		text = lines[m.Line-1]
	}
	switch {
	case strings.HasPrefix(strings.TrimLeft(text, " "), "\t"):
		m.Column, m.Message = strings.Index(text, "\t")+1, "a tab indents this line, and YAML is indented with blanks only: put blanks in its place"
	case strings.Contains(one.Message, "UTF-8"), strings.Contains(one.Message, "UTF-16"):
		m.Message += fmt.Sprintf(": %s is a text file in UTF-8", what)
	case strings.Contains(one.Message, "did not find expected"):
		m.Message += ": look whether this line begins in the same column as what it belongs with, and whether each bracket and quote before it is closed"
	case strings.Contains(one.Message, "mapping values are not allowed"):
		if key, value, ok := strings.Cut(text, ": "); ok && strings.Contains(value, ": ") {
			m.Message = fmt.Sprintf("a colon with a blank behind it begins another field: put the value of %s in quotes", strings.Trim(key, " -"))
		}
	}
	m.Line, m.Column = max(1, m.Line), max(1, m.Column)
	return m
}
