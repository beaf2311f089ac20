package scenario

import (
	"fmt"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/tool"
)

// effectSchema is one effect: its name, or a map of its name to its arguments,
// as its usage says.
func effectSchema() Schema {
	var alone []*Schema
	var fields []Property
	for _, k := range fault.Effects() {
		bare, arguments, err := readUsage(k.Name, k.Usage)
		if err != nil { // a test says so; an editor takes anything meanwhile
			bare, arguments = true, &Schema{}
		}
		if bare {
			alone = append(alone, &Schema{Const: k.Name, Description: k.Summary})
		}
		if arguments != nil {
			arguments.Description = k.Summary
			fields = append(fields, field(k.Name, arguments))
		}
	}
	named := object("", fields...)
	named.MinFields, named.MaxFields = 1, 1
	return Schema{Description: "What is done, see lostreceipt list effects.", AnyOf: append(alone, named)}
}

// readUsage makes a schema of how an effect is written: "drip, or drip:
// <duration>". bare tells that its name alone will do; arguments are nil when it
// takes none.
func readUsage(name, usage string) (bare bool, arguments *Schema, err error) {
	var forms []*Schema
	for _, form := range split(usage) {
		form = strings.TrimPrefix(form, "or ")
		if form == name {
			bare = true
			continue
		}
		written, ok := strings.CutPrefix(form, name+": ")
		if !ok {
			return false, nil, fmt.Errorf("usage of %s: %q does not begin with its name", name, form)
		}
		s, err := readValue(written)
		if err != nil {
			return false, nil, fmt.Errorf("usage of %s: %w", name, err)
		}
		forms = append(forms, s)
	}
	switch {
	case len(forms) == 0:
		return bare, nil, nil
	case len(forms) == 1 && forms[0].Const == "":
		return bare, forms[0], nil
	}
	all := &Schema{}
	for _, f := range forms {
		if f.Const == "" {
			return bare, &Schema{AnyOf: forms}, nil
		}
		all.Enum = append(all.Enum, f.Const)
	}
	return bare, all, nil
}

// split parts a text at the commas that stand in no brackets.
func split(text string) []string {
	var parts []string
	depth, from := 0, 0
	for i, r := range text {
		switch r {
		case '{', '[', '<':
			depth++
		case '}', ']', '>':
			depth--
		case ',':
			if depth == 0 {
				parts, from = append(parts, strings.TrimSpace(text[from:i])), i+1
			}
		}
	}
	return append(parts, strings.TrimSpace(text[from:]))
}

// readValue makes a schema of a written argument.
func readValue(written string) (*Schema, error) {
	inner := func(opening, closing string) (string, bool) {
		rest, ok := strings.CutPrefix(written, opening)
		if !ok {
			return "", false
		}
		return strings.CutSuffix(rest, closing)
	}
	if fields, ok := inner("{", "}"); ok {
		return readFields(fields)
	}
	if items, ok := inner("[", "]"); ok {
		item, err := readValue(split(items)[0])
		return &Schema{Type: "array", Items: item, MinItems: 1, MaxItems: maxList}, err
	}
	if placeholder, ok := inner("<", ">"); ok {
		switch placeholder {
		case "anchor", "duration":
			return ref(placeholder, ""), nil
		case "bytes":
			return whole("", -1, 1<<31-1), nil
		case "number":
			return &Schema{Type: "integer"}, nil
		case "tool":
			return oneOf("", tool.Names()), nil
		case "tool or action":
			return oneOf("", fault.Urgings()), nil
		case "text", "name":
			return &Schema{Type: "string"}, nil
		case "value":
			return scalar(), nil
		}
		return nil, fmt.Errorf("<%s> is nothing that is known", placeholder)
	}
	if strings.ContainsAny(written, "{}[]<>:, ") {
		return nil, fmt.Errorf("%q is no argument", written)
	}
	return &Schema{Const: written}, nil
}

// readFields makes a schema of the inside of a map: "until: [<anchor>, ...],
// for: <duration>", or "<field>: <value>, ..." for any fields.
func readFields(written string) (*Schema, error) {
	s := object("")
	for _, part := range split(written) {
		if part == "..." {
			continue
		}
		name, value, ok := strings.Cut(part, ": ")
		if !ok {
			return nil, fmt.Errorf("%q is no field", part)
		}
		of, err := readValue(value)
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(name, "<") {
			s.Additional, s.MinFields = of, 1
			continue
		}
		s.Properties = append(s.Properties, field(name, of))
	}
	return s, nil
}
