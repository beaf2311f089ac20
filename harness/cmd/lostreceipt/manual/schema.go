package manual

import (
	"strings"

	"go.yaml.in/yaml/v4"
)

// get is a field of a map; nil when it is absent.
func get(n *yaml.Node, name string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

// scalarOf is a field's text, "" when it is absent.
func scalarOf(n *yaml.Node, name string) string {
	if v := get(n, name); v != nil && v.Kind == yaml.ScalarNode {
		return v.Value
	}
	return ""
}

// list is the scalars of a list.
func list(n *yaml.Node) []string {
	var all []string
	if n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	for _, item := range n.Content {
		all = append(all, item.Value)
	}
	return all
}

// tableOf is a table of the fields of a schema of maps, those of inner maps
// included.
func tableOf(schema *yaml.Node) string {
	var lines [][]string
	fieldsOf(schema, "", &lines)
	return table([]string{"field", "what stands there", "meaning"}, lines)
}

// fieldsOf adds a line for each field below a schema. Fields of the items of a
// list are marked with [].
func fieldsOf(schema *yaml.Node, path string, lines *[][]string) {
	for _, s := range append([]*yaml.Node{schema}, variants(schema)...) {
		properties := get(s, "properties")
		if properties == nil {
			continue
		}
		required := list(get(s, "required"))
		for i := 0; i+1 < len(properties.Content); i += 2 {
			name, of := properties.Content[i].Value, properties.Content[i+1]
			meaning := plain(scalarOf(of, "description"))
			for _, r := range required {
				if r == name {
					meaning = strings.TrimSpace("Must be there. " + meaning)
				}
			}
			*lines = append(*lines, []string{code(path + name), what(of), meaning})
			inner, below := of, path+name+"."
			if items := get(of, "items"); items != nil {
				inner, below = items, path+name+"[]."
			}
			fieldsOf(inner, below, lines)
		}
	}
}

// variants are the alternatives of a schema, without parts that are named.
func variants(s *yaml.Node) []*yaml.Node {
	if any := get(s, "anyOf"); any != nil {
		return any.Content
	}
	return nil
}

// what says in words what a schema admits.
func what(s *yaml.Node) string {
	if name := scalarOf(s, "$ref"); name != "" {
		return plain(name[strings.LastIndexByte(name, '/')+1:])
	}
	if words := list(get(s, "enum")); words != nil {
		return codes(quiet(words))
	}
	if word := scalarOf(s, "const"); word != "" {
		return code(word)
	}
	if all := variants(s); all != nil {
		var parts []string
		for _, v := range all {
			parts = append(parts, what(v))
		}
		return strings.Join(parts, "; or ")
	}
	kind := scalarOf(s, "type")
	if kinds := list(get(s, "type")); kinds != nil {
		kind = strings.Join(kinds, " or ")
	}
	switch {
	case kind == "array" && get(s, "items") != nil:
		return "list of " + what(get(s, "items"))
	case kind == "array":
		return "list"
	case kind == "object" && get(s, "additionalProperties") != nil && get(s, "additionalProperties").Kind == yaml.MappingNode:
		return "map of names to " + what(get(s, "additionalProperties"))
	case kind == "object":
		return "map"
	case kind == "integer":
		return "whole number" + bounds(s)
	case kind == "number":
		return "number" + bounds(s)
	case kind == "boolean":
		return "true or false"
	case kind == "string":
		return "text"
	case kind == "":
		return "anything"
	}
	return plain(kind)
}

// quiet leaves out empty words.
func quiet(words []string) []string {
	var all []string
	for _, w := range words {
		if w != "" {
			all = append(all, w)
		}
	}
	return all
}

func bounds(s *yaml.Node) string {
	low, above, high := scalarOf(s, "minimum"), scalarOf(s, "exclusiveMinimum"), scalarOf(s, "maximum")
	switch {
	case low != "" && high != "":
		return " from " + low + " to " + high
	case above != "" && high != "":
		return " above " + above + ", at most " + high
	case low != "":
		return " from " + low
	}
	return ""
}
