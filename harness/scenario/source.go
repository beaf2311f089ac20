package scenario

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v4"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/yamltext"
)

// source is the text of a file with the value that was read from it.
type source struct {
	file  string
	lines []string
	root  fault.Written
	traps map[int]bool // lines with a comment that was not meant to be one
}

// parseSource reads YAML to a written value. When the text is no YAML, the
// source is nil.
func parseSource(file string, text []byte) (*source, []Problem) {
	s := &source{file: file, lines: yamltext.Lines(string(text)), traps: map[int]bool{}}
	var problems []Problem
	for _, c := range commentTraps(s.lines) {
		s.traps[c.line] = true
		if len(problems) > mostProblems {
			continue
		}
		problems = append(problems, s.here(c.line, c.column, c.message()))
	}
	var documents []yaml.Node
	if err := yaml.Load(text, &documents, yaml.WithAllDocuments()); err != nil {
		p := s.syntax(err)
		for line := range s.traps {
			if line <= p.Line {
				return nil, problems // the comment swallowed what the reader misses
			}
		}
		return nil, append(problems, p)
	}
	documents = slices.DeleteFunc(documents, func(n yaml.Node) bool {
		return n.Kind != yaml.DocumentNode && n.Kind != yaml.MappingNode && n.Kind != yaml.SequenceNode && n.Kind != yaml.ScalarNode
	})
	if len(documents) == 0 || len(s.lines) == 0 {
		return nil, append(problems, Problem{File: file, Message: "the file is empty: lostreceipt new ID writes a scenario to start from"})
	}
	if len(documents) > 1 {
		n := contentOf(&documents[1])
		problems = append(problems, s.here(n.Line, n.Column, "a second document begins here: a file holds one scenario"))
	}
	c := converter{source: s}
	n := contentOf(&documents[0])
	if n.Kind != yaml.MappingNode {
		return nil, append(problems, s.here(max(1, n.Line), max(1, n.Column), "a scenario is a map that begins with id:"))
	}
	s.root = c.value(n, false)
	return s, append(problems, s.untrapped(c.problems)...)
}

func contentOf(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.DocumentNode && len(n.Content) > 0 {
		return n.Content[0]
	}
	return n
}

// syntax turns an error of the YAML reader into a problem.
func (s *source) syntax(err error) Problem {
	m := yamltext.Explain("a scenario", s.lines, err)
	if key, value, ok := strings.Cut(s.raw(m.Line), ": "); ok && strings.Trim(key, " -") == "do" && strings.Contains(value, ": ") &&
		strings.Contains(err.Error(), "mapping values are not allowed") {
		m.Message = "a colon with a blank behind it begins another field: an effect with a setting stands in braces, as do: {status: {code: 503}}"
	}
	return s.here(m.Line, m.Column, m.Message)
}

// raw is a line as it was written, or "".
func (s *source) raw(n int) string {
	if n < 1 || n > len(s.lines) {
		return ""
	}
	return s.lines[n-1]
}

// here is a problem at a position.
func (s *source) here(line, column int, message string) Problem {
	return Problem{File: s.file, Line: line, Column: column, Message: message, Text: s.line(line)}
}

// longestLine bounds the text of a line in a message, in characters.
const longestLine = 200

func (s *source) line(n int) string {
	if n < 1 || n > len(s.lines) {
		return ""
	}
	text := s.lines[n-1]
	if len(text) > 4*longestLine { // before anything looks at all of it
		text = strings.ToValidUTF8(text[:4*longestLine], "")
	}
	text = strings.Map(printable, strings.TrimRight(text, " \t"))
	if r := []rune(text); len(r) > longestLine {
		text = string(r[:longestLine]) + "..."
	}
	return text
}

// printable keeps control characters out of terminals.
func printable(r rune) rune {
	if r == '\t' || unicode.IsPrint(r) {
		return r
	}
	return unicode.ReplacementChar
}

// untrapped leaves out problems on lines of which a comment swallowed a part:
// the comment is the cause.
func (s *source) untrapped(problems []Problem) []Problem {
	return slices.DeleteFunc(problems, func(p Problem) bool { return s.traps[p.Line] })
}

// at is where the value of a field of the root stands.
func (s *source) at(path ...string) (line, column int) {
	return s.locate(&fault.Misuse{Path: path})
}

// problem turns a misuse below a path into a problem.
func (s *source) problem(m *fault.Misuse, below ...string) Problem {
	c := *m
	c.Path = append(slices.Clone(below), m.Path...)
	line, column := s.locate(&c)
	return Problem{File: s.file, Line: line, Column: column, Message: m.Message, Text: s.line(line), Suggestion: m.Suggestion}
}

// locate finds where a misuse stands. A part of the path that is not written
// (the number of an effect that stands alone, a field that is missing) leads
// nowhere further.
func (s *source) locate(m *fault.Misuse) (line, column int) {
	w := s.root
	line, column = w.Line, w.Column
	for i, part := range m.Path {
		switch w.Shape {
		case fault.Map:
			f, ok := w.Field(part)
			if !ok {
				continue
			}
			w, line, column = f.Value, f.Line, f.Column
			if (m.Key && i == len(m.Path)-1) || w.Line == 0 {
				return line, column
			}
			line, column = w.Line, w.Column
		case fault.List:
			n, err := strconv.Atoi(part)
			if err != nil || n < 0 || n >= len(w.Items) {
				continue
			}
			w = w.Items[n]
			if w.Line != 0 {
				line, column = w.Line, w.Column
			}
		}
	}
	if w.Shape == fault.Scalar && m.Offset > 0 && m.Offset <= len(w.Text) && !strings.Contains(w.Text, "\n") {
		column += m.Offset
		if w.Quoted {
			column++
		}
	}
	return line, column
}

// converter turns nodes into written values and refuses what has no place in
// a scenario.
type converter struct {
	source   *source
	problems []Problem
}

func (c *converter) complain(n *yaml.Node, suggestion, format string, args ...any) {
	if len(c.problems) > mostProblems {
		return // nodes come in the order of the file, so the first ones are told
	}
	p := c.source.here(n.Line, n.Column, fmt.Sprintf(format, args...))
	p.Suggestion = suggestion
	c.problems = append(c.problems, p)
}

// value converts one node. Below content, texts stay as they were written.
func (c *converter) value(n *yaml.Node, verbatim bool) fault.Written {
	w := fault.Written{Line: n.Line, Column: n.Column}
	if n.Anchor != "" {
		c.complain(n, "", "anchors such as &%s are not used in scenarios: write the value out where it belongs", n.Anchor)
	}
	if n.Style&yaml.TaggedStyle != 0 {
		c.complain(n, "", "tags such as %s are not used in scenarios", n.Tag)
	}
	switch n.Kind {
	case yaml.ScalarNode:
		w.Shape, w.Text = fault.Scalar, n.Value
		w.Quoted = n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
		if !w.Quoted && !verbatim {
			w.Text = c.number(n)
		}
	case yaml.SequenceNode:
		w.Shape = fault.List
		for _, item := range n.Content {
			w.Items = append(w.Items, c.value(item, verbatim))
		}
	case yaml.MappingNode:
		w.Shape = fault.Map
		c.fields(n, &w, verbatim)
	case yaml.AliasNode:
		c.complain(n, "", "aliases such as *%s are not used in scenarios: write the value out", n.Value)
		return fault.Written{}
	}
	return w
}

func (c *converter) fields(n *yaml.Node, w *fault.Written, verbatim bool) {
	first := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind != yaml.ScalarNode {
			c.complain(key, "", "a field's name is a word")
			continue
		}
		if line, ok := first[key.Value]; ok {
			c.complain(key, "", "the field %q stands here twice: first on line %d", key.Value, line)
			continue
		}
		first[key.Value] = key.Line
		f := fault.Field{Name: key.Value, Line: key.Line, Column: key.Column}
		keep := verbatim || key.Value == "content" || key.Value == "revise"
		if empty(value) && !keep {
			c.complain(key, "", "the field %q has no value: give it one or leave it out", key.Value)
		} else {
			f.Value = c.value(value, keep)
		}
		w.Fields = append(w.Fields, f)
	}
}

// empty tells whether a value is nothing, however that is spelled.
func empty(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0 &&
		slices.Contains([]string{"", "~", "null", "Null", "NULL"}, n.Value)
}

var number = regexp.MustCompile(`^[-+]?[0-9][0-9_]*(\.[0-9_]*)?$`)

// number refuses numbers that YAML readers disagree about, and returns the
// plain one.
func (c *converter) number(n *yaml.Node) string {
	text := n.Value
	if !number.MatchString(text) {
		return text
	}
	sign := text[:len(text)-len(strings.TrimLeft(text, "-+"))]
	plain := strings.ReplaceAll(strings.TrimLeft(text, "-+"), "_", "")
	for len(plain) > 1 && plain[0] == '0' && plain[1] != '.' {
		plain = plain[1:]
	}
	plain = sign + plain
	switch {
	case strings.Contains(text, "_"):
		c.complain(n, plain, "%s has an underscore, which some readers skip and others do not", text)
	case plain != text:
		c.complain(n, plain, "%s has a leading zero, which some readers take for octal", text)
	}
	return plain
}
