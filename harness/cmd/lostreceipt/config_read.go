package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
	"github.com/lostreceipt/lostreceipt/harness/yamltext"
	"github.com/lostreceipt/lostreceipt/reports/harmless"
)

// configReader reads lostreceipt.yaml from its nodes, so that each mistake is
// told with its place.
type configReader struct {
	file     string
	lines    []string
	problems []string
}

// parseConfig reads the text of a configuration. The error is a usage error
// with everything that is wrong, a line each with its place.
func parseConfig(file string, text []byte) (config, error) {
	var c config
	r := &configReader{file: file, lines: yamltext.Lines(string(text))}
	var documents []yaml.Node
	if err := yaml.Load(text, &documents, yaml.WithAllDocuments()); err != nil {
		m := yamltext.Explain("a configuration", r.lines, err)
		r.complain(m.Line, m.Column, "", "%s", m.Message)
		documents = nil
	}
	var root yaml.Node
	for i, d := range documents {
		if d.Kind == yaml.DocumentNode && len(d.Content) > 0 {
			d = *d.Content[0]
		}
		if i == 0 {
			root = d
		} else {
			r.complain(d.Line, d.Column, "", "a second document begins here: a configuration is one")
		}
	}
	if root.Kind != 0 && !nothing(&root) {
		r.fields(&root, "the file", []string{"agent", "capabilities"}, func(name string, value *yaml.Node) {
			if name == "agent" {
				r.agent(value, &c)
				return
			}
			c.Capabilities = r.capabilities(value)
		})
	}
	if len(r.problems) > 0 {
		return config{}, usage{errors.New(strings.Join(r.problems, "\n"))}
	}
	return c, nil
}

func (r *configReader) agent(n *yaml.Node, c *config) {
	r.fields(n, "agent", []string{"name", "command"}, func(name string, value *yaml.Node) {
		if name == "name" {
			c.Agent.Name = r.word(value, "the name is a word or a sentence, such as my-agent")
			return
		}
		const want = "the command is a list of words, such as [python3, adapter.py]"
		if value.Kind != yaml.SequenceNode {
			r.complain(value.Line, value.Column, "", want)
			return
		}
		for _, item := range value.Content {
			c.Agent.Command = append(c.Agent.Command, r.word(item, want))
		}
	})
}

func (r *configReader) capabilities(n *yaml.Node) map[string]bool {
	out := map[string]bool{}
	r.fields(n, "capabilities", capabilities(), func(name string, value *yaml.Node) {
		switch {
		case value.Kind == yaml.ScalarNode && value.Tag == "!!bool":
			out[name] = strings.EqualFold(value.Value, "true")
		default:
			written := ""
			if value.Kind == yaml.ScalarNode {
				written = fault.Nearest(value.Value, []string{"true", "false"})
			}
			r.complain(value.Line, value.Column, written, "a capability is true or false")
		}
	})
	return out
}

// fields reads a map whose fields have these names.
func (r *configReader) fields(n *yaml.Node, what string, names []string, read func(name string, value *yaml.Node)) {
	if nothing(n) {
		return
	}
	if n.Kind != yaml.MappingNode {
		r.complain(n.Line, n.Column, "", "%s is a map with the fields %s", what, strings.Join(names, ", "))
		return
	}
	first := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		name := key.Value
		switch line, twice := first[name]; {
		case twice:
			r.complain(key.Line, key.Column, "", "%q stands here twice: first on line %d", name, line)
		case key.Kind != yaml.ScalarNode || !slices.Contains(names, name):
			near := fault.Nearest(name, names)
			kind := "field"
			if what == "capabilities" {
				kind = "capability"
			}
			text := fmt.Sprintf("unknown %s %q", kind, name)
			if near == "" {
				text += ": one of " + strings.Join(names, ", ")
			}
			r.complain(key.Line, key.Column, near, "%s", text)
		default:
			first[name] = key.Line
			read(name, value)
		}
	}
}

func (r *configReader) word(n *yaml.Node, want string) string {
	if n.Kind != yaml.ScalarNode || nothing(n) {
		r.complain(n.Line, n.Column, "", "%s", want)
		return ""
	}
	return n.Value
}

func (r *configReader) complain(line, column int, suggestion, format string, args ...any) {
	p := scenario.Problem{File: r.file, Line: max(1, line), Column: max(1, column), Message: fmt.Sprintf(format, args...), Suggestion: suggestion}
	if line >= 1 && line <= len(r.lines) {
		p.Text = harmless.Line(strings.TrimRight(r.lines[line-1], " \r"), 200)
	}
	r.problems = append(r.problems, p.String())
}

// nothing tells whether a value was left out.
func nothing(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }
