package gate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/yamltext"
	"github.com/lostreceipt/lostreceipt/reports/harmless"
)

// MaxPolicy bounds a policy, in bytes.
const MaxPolicy = 256 << 10

// Parse reads a policy. The error joins everything that is wrong, each with
// file, line and column, and with the nearest right spelling.
func Parse(file string, text []byte, known Known) (*Policy, error) {
	if len(text) > MaxPolicy {
		return nil, fmt.Errorf("%s: the file has %d bytes; a policy has at most %d", file, len(text), MaxPolicy)
	}
	doc, err := document(file, text)
	if err != nil {
		return nil, err
	}
	r := &reader{file: file, known: known}
	p := &Policy{File: file}
	r.policy(doc, p)
	if len(r.errs) > 0 {
		return nil, errors.Join(r.errs...)
	}
	return p, nil
}

// document is the one document of the text.
func document(file string, text []byte) (*yaml.Node, error) {
	l, err := yaml.NewLoader(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var doc, more yaml.Node
	switch err := l.Load(&doc); {
	case errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%s:1:1: the file is empty: a policy names at least the agent, as agent: {name: my-agent}", file)
	case err != nil:
		return nil, syntax(file, text, err)
	}
	switch err := l.Load(&more); {
	case errors.Is(err, io.EOF):
		return doc.Content[0], nil
	case err != nil:
		return nil, syntax(file, text, err)
	}
	return nil, fmt.Errorf("%s:%d:%d: a second document begins here: a file holds one policy", file, more.Line, more.Column)
}

func syntax(file string, text []byte, err error) error {
	m := yamltext.Explain("a policy", yamltext.Lines(string(text)), err)
	return fmt.Errorf("%s:%d:%d: %s", file, m.Line, m.Column, harmless.Line(m.Message, 500))
}

// A reader collects what is wrong.
type reader struct {
	file  string
	known Known
	errs  []error
}

func (r *reader) fail(n *yaml.Node, format string, args ...any) {
	r.errs = append(r.errs, fmt.Errorf("%s:%d:%d: %s", r.file, n.Line, n.Column, fmt.Sprintf(format, args...)))
}

type fields map[string]func(*yaml.Node)

// fields reads a mapping, and returns the names that it has.
func (r *reader) fields(n *yaml.Node, what string, known fields) map[string]bool {
	seen := map[string]bool{}
	if n.Kind != yaml.MappingNode {
		r.fail(n, "%s is a mapping of %s", what, list(slices.Sorted(maps.Keys(known))))
		return seen
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		read, ok := known[key.Value]
		switch {
		case !ok:
			r.unknown(key, "field", slices.Sorted(maps.Keys(known)))
		case seen[key.Value]:
			r.fail(key, "field %q stands twice", key.Value)
		default:
			read(n.Content[i+1])
		}
		seen[key.Value] = true
	}
	return seen
}

// unknown says that a word is not of a list, and which may have been meant.
func (r *reader) unknown(n *yaml.Node, what string, among []string) {
	word := harmless.Line(n.Value, 80)
	near := fault.Nearest(n.Value, among)
	if what == "rule" || what == "row" {
		near = fault.NearestName(n.Value, among)
	}
	if near != "" {
		r.fail(n, "unknown %s %q (did you mean %q?)", what, word, near)
		return
	}
	if what == "rule" && len(among) > mostNamed {
		r.fail(n, "unknown rule %q: lostreceipt list rules names them", word)
		return
	}
	r.fail(n, "unknown %s %q: one of %s", what, word, list(among))
}

// mostNamed is how many of a list a message names.
const mostNamed = 20

// list names some of many.
func list(words []string) string {
	if n := len(words) - mostNamed; n > 0 {
		return strings.Join(words[:mostNamed], ", ") + fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(words, ", ")
}

func (r *reader) text(n *yaml.Node, what string) string {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!str" || strings.TrimSpace(n.Value) == "" {
		r.fail(n, "%s is a text", what)
		return ""
	}
	return n.Value
}

func (r *reader) yes(n *yaml.Node, what string) (v bool) {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" || n.Decode(&v) != nil {
		r.fail(n, "%s is true or false", what)
	}
	return v
}

func (r *reader) count(n *yaml.Node, what string) (v int) {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!int" || n.Decode(&v) != nil || v < 0 {
		r.fail(n, "%s is a number of scenarios, 0 or more", what)
		return 0
	}
	return v
}

func (r *reader) duration(n *yaml.Node, what string) time.Duration {
	d, err := time.ParseDuration(n.Value)
	if n.Kind != yaml.ScalarNode || err != nil || d <= 0 {
		r.fail(n, "%s is a time of more than 0, as 24h or 90m", what)
		return 0
	}
	return d
}

// day reads a date.
func (r *reader) day(n *yaml.Node, what string) time.Time {
	day, err := time.Parse(time.DateOnly, n.Value)
	if n.Kind != yaml.ScalarNode || err != nil {
		r.fail(n, "%s is a day, as 2027-01-31", what)
	}
	return day
}

// word reads one name of a list; an empty list takes any.
func (r *reader) word(n *yaml.Node, what string, among []string) string {
	word := r.text(n, "a "+what)
	if word != "" && len(among) > 0 && !slices.Contains(among, word) {
		r.unknown(n, what, among)
	}
	return word
}

// words reads a list of names, each once.
func (r *reader) words(n *yaml.Node, what string, among []string) (words []string) {
	if n.Kind != yaml.SequenceNode {
		r.fail(n, "here stands a list, as [%s]", strings.Join(among[:min(2, len(among))], ", "))
		return nil
	}
	for _, item := range n.Content {
		word := r.word(item, what, among)
		if slices.Contains(words, word) {
			r.fail(item, "%s %q stands twice", what, word)
		}
		words = append(words, word)
	}
	return words
}

// some reads "all" or a list of names.
func (r *reader) some(n *yaml.Node, what string, among []string) (all bool, words []string) {
	if n.Kind == yaml.ScalarNode {
		if n.Value != "all" {
			r.fail(n, "here stands all, or a list of %ss", what)
		}
		return true, nil
	}
	return false, r.words(n, what, among)
}
