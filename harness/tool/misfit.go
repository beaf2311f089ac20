package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// maxMisfit bounds what is said about arguments, in bytes.
const maxMisfit = 300

// Misfit says how arguments fail the tool's schema, "" when they fit. Arguments
// that are no JSON fail it.
func (t Tool) Misfit(arguments json.RawMessage) string {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(arguments))
	if err != nil {
		return "no JSON"
	}
	schema := compiled()[t.Name]
	if schema == nil {
		return "there is no such tool"
	}
	if err := schema.Validate(value); err != nil {
		return said(err)
	}
	return ""
}

// Misfit is [Tool.Misfit] of the tool with this name; one that there is not
// takes no arguments.
func Misfit(name string, arguments json.RawMessage) string {
	t, ok := Find(name)
	if !ok {
		return "there is no such tool"
	}
	return t.Misfit(arguments)
}

// compiled are the schemas of all tools.
var compiled = sync.OnceValue(func() map[string]*jsonschema.Schema {
	all := map[string]*jsonschema.Schema{}
	for _, t := range All() {
		c := jsonschema.NewCompiler()
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(t.Schema))
		if err == nil {
			err = c.AddResource(t.Name, document)
		}
		if err == nil {
			all[t.Name], err = c.Compile(t.Name)
		}
		if err != nil {
			panic(fmt.Sprintf("tool %s: %v", t.Name, err)) // data of this package, which its test reads
		}
	}
	return all
})

// said tells the causes of a failure, a clause each.
func said(err error) string {
	failure, ok := err.(*jsonschema.ValidationError) //nolint:errorlint // Validate returns nothing else
	if !ok {
		return err.Error()
	}
	printer := message.NewPrinter(language.English)
	var clauses []string
	var walk func(e *jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		for _, cause := range e.Causes {
			walk(cause)
		}
		if len(e.Causes) == 0 {
			clauses = append(clauses, fmt.Sprintf("at /%s: %s", strings.Join(e.InstanceLocation, "/"), e.ErrorKind.LocalizedString(printer)))
		}
	}
	walk(failure)
	text := strings.Join(clauses, "; ")
	if len(text) > maxMisfit {
		text = strings.ToValidUTF8(text[:maxMisfit], "") + "..."
	}
	return text
}
