package scenario

import (
	"bytes"
	"encoding/json"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
)

// Schema is a JSON Schema (draft 2020-12) of a part of a scenario, so far as it
// is needed here: it gives completion and complaints in editors. What a schema
// cannot say, whether an effect can stand at an anchor, say, only [Parse] finds.
type Schema struct {
	_ struct{}

	Dialect     string            `json:"$schema,omitempty"`
	ID          string            `json:"$id,omitempty"`
	Ref         string            `json:"$ref,omitempty"`
	Title       string            `json:"title,omitempty"`
	Description string            `json:"description,omitempty"`
	Type        any               `json:"type,omitempty"` // a name, or several
	Const       string            `json:"const,omitempty"`
	Enum        []string          `json:"enum,omitempty"`
	Pattern     string            `json:"pattern,omitempty"`
	Default     any               `json:"default,omitempty"`
	Examples    []any             `json:"examples,omitempty"`
	Minimum     *float64          `json:"minimum,omitempty"`
	Above       *float64          `json:"exclusiveMinimum,omitempty"`
	Maximum     *float64          `json:"maximum,omitempty"`
	MinLength   int               `json:"minLength,omitempty"`
	Properties  Properties        `json:"properties,omitempty"`
	Required    []string          `json:"required,omitempty"`
	Additional  any               `json:"additionalProperties,omitempty"` // false, or a *Schema
	MinFields   int               `json:"minProperties,omitempty"`
	MaxFields   int               `json:"maxProperties,omitempty"`
	Items       *Schema           `json:"items,omitempty"`
	MinItems    int               `json:"minItems,omitempty"`
	MaxItems    int               `json:"maxItems,omitempty"`
	Unique      bool              `json:"uniqueItems,omitempty"`
	AnyOf       []*Schema         `json:"anyOf,omitempty"`
	OneOf       []*Schema         `json:"oneOf,omitempty"`
	Not         *Schema           `json:"not,omitempty"`
	Parts       map[string]Schema `json:"$defs,omitempty"`
}

// Properties are the fields of a map, in the order of their documentation.
type Properties []Property

// Property is one field of a map.
type Property struct {
	_ struct{}

	Name   string
	Schema *Schema
}

// MarshalJSON keeps the order.
func (p Properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for i, f := range p {
		sep := byte(',')
		if i == 0 {
			sep = '{'
		}
		b.WriteByte(sep)
		name, err := json.Marshal(f.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(f.Schema)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Find looks a field up; nil when there is none.
func (p Properties) Find(name string) *Schema {
	for _, f := range p {
		if f.Name == name {
			return f.Schema
		}
	}
	return nil
}

// NewSchema is the schema of a scenario file, with the requirements, rows and
// rules that it can name; any can be where the options are nil.
func NewSchema(o Options) *Schema {
	s := object("A scenario: what is promised to the agent, what breaks where, and what may come of it.",
		field("id", &Schema{Description: "Its name, that of the file as well.", Type: "string", Pattern: idPattern.String()}),
		field("title", &Schema{Description: "One sentence that a reviewer understands.", Type: "string", MinLength: 1}),
		field("covers", &Schema{
			Description: "The requirements that it shows, see lostreceipt list requirements.",
			Type:        "array", Items: named(o.Requirements), MinItems: 1, MaxItems: maxList, Unique: true,
		}),
		field("labels", list("Words by which scenarios are selected.", &Schema{Type: "string", Pattern: idPattern.String()})),
		field("needs", words("Capabilities that an agent must have, beside those that follow from what happens.", Capabilities())),
		field("task", &Schema{
			Description: "The one piece of work: its type, or a map.",
			AnyOf:       []*Schema{oneOf("", taskTypes()), taskSchema("type")},
		}),
		field("tasks", &Schema{
			Description: "Several pieces of work. Anchors then take a prefix: b/approval.submit#1 sent.",
			Type:        "array", Items: taskSchema("id", "type"), MinItems: 1, MaxItems: maxList,
		}),
		field("given", givenSchema()),
		field("faults", &Schema{
			Description: "What breaks. At least one fault is not optional and hits a moment that every correct agent passes.",
			Type:        "array", Items: faultSchema(), MaxItems: maxList,
		}),
		field("expect", expectSchema(o)),
	)
	s.Dialect = "https://json-schema.org/draft/2020-12/schema"
	s.Title = "lostreceipt scenario"
	s.Required = []string{"id", "title", "covers"}
	s.OneOf = []*Schema{{Required: []string{"task"}}, {Required: []string{"tasks"}}}
	s.Parts = map[string]Schema{
		"duration": {
			Description: "A multiple of a limit, such as 0.5 verification_period.",
			Type:        "string", Pattern: spanPattern(), Examples: []any{"1 attempt_timeout", "0.5 verification_period", "1.2 retention"},
		},
		"anchor":  anchorSchema(),
		"content": {Description: "What was confirmed; values keep their written text.", Type: "object", Additional: scalar()},
		"effect":  effectSchema(),
	}
	return s
}

// maxList is how long a list may be.
const maxList = 100

func taskSchema(required ...string) *Schema {
	s := object("",
		field("id", &Schema{Description: "Its name in anchors. Default: t-1, t-2, ...", Type: "string", Pattern: idPattern.String()}),
		field("type", oneOf("What is to be done.", taskTypes())),
		field("tenant", text("Whose it is. Default: "+DefaultTenant+".")),
		field("object", text("What it is about. Default: "+DefaultObject+".")),
		field("on_cancel", oneOf("What becomes of a request that exists when the task is cancelled. Default: that of given, else "+DefaultOnCancel+".", onCancelRules())),
		field("content", ref("content", "Fields that differ from the default content.")),
		field("confirmations", list("Several confirmed contents, an intent each, instead of content.",
			object("", field("content", ref("content", "Fields that differ from the default content."))))),
	)
	s.Properties = append(s.Properties, askedFields()...)
	s.Required = required
	return s
}

func faultSchema() *Schema {
	s := object("",
		field("at", ref("anchor", "The moment at which it fires.")),
		field("delay", ref("duration", "How long after that moment. Default: at once.")),
		field("connection", oneOf("Which connection the call must come on; the scenario is not applicable to a client that never does.", []string{fault.Fresh, fault.Reused})),
		field("optional", flag("Some correct agents never meet it: then it need not fire.")),
		field("do", &Schema{
			Description: "One effect, or several that are carried out in order.",
			AnyOf:       []*Schema{ref("effect", ""), {Type: "array", Items: ref("effect", ""), MinItems: 1, MaxItems: maxList}},
		}),
	)
	s.Required = []string{"at", "do"}
	return s
}

func expectSchema(o Options) *Schema {
	ending := Properties{
		field("ends", words("The results with which a task may end.", Results())),
		field("consequences", object("How often each must be there at the end. What is not named is not checked.", each(Consequences(), func(string) *Schema {
			return whole("", 0, 1<<15-1)
		})...)),
	}
	oneEnding := object("", ending...)
	s := object("What may come of it. The judge's rules always apply; this only adds.", append(ending,
		field("any_of", &Schema{
			Description: "Several endings, one of which must come, instead of ends and consequences.",
			Type:        "array", Items: oneEnding, MinItems: 1, MaxItems: maxList,
		}),
		field("blames", oneOf("Who is to be found guilty, where it is not the agent: then a service that broke its promise is a pass.", []string{"service"})),
		field("never", list("Rules whose finding fails the scenario, whoever is guilty.", named(o.Rules))),
		field("rows", list("Rows of the contract table that must occur in at least one run of the correct designs.", named(o.Rows))),
	)...)
	s.Not = &Schema{Required: []string{"any_of"}, AnyOf: []*Schema{{Required: []string{"ends"}}, {Required: []string{"consequences"}}}}
	return s
}

// named is a name, one of these where they are known.
func named(names []string) *Schema {
	if names == nil {
		return &Schema{Type: "string"}
	}
	return &Schema{Enum: names}
}

func limitNames() []string { return contract.DurationNames() }

// The schemas that scenarios are made of.

func field(name string, s *Schema) Property { return Property{Name: name, Schema: s} }

func object(description string, fields ...Property) *Schema {
	return &Schema{Description: description, Type: "object", Properties: fields, Additional: false}
}

// each is a field for each name.
func each(names []string, of func(name string) *Schema) []Property {
	var fields []Property
	for _, name := range names {
		fields = append(fields, field(name, of(name)))
	}
	return fields
}

func text(description string) *Schema { return &Schema{Description: description, Type: "string"} }

func flag(description string) *Schema { return &Schema{Description: description, Type: "boolean"} }

func whole(description string, low, high float64) *Schema {
	return &Schema{Description: description, Type: "integer", Minimum: &low, Maximum: &high}
}

func oneOf(description string, words []string) *Schema {
	return &Schema{Description: description, Enum: words}
}

func words(description string, words []string) *Schema {
	return list(description, &Schema{Enum: words})
}

func list(description string, of *Schema) *Schema {
	return &Schema{Description: description, Type: "array", Items: of, MaxItems: maxList}
}

func ref(part, description string) *Schema {
	return &Schema{Ref: "#/$defs/" + part, Description: description}
}

// scalar is a value whose text is kept, however a reader takes it.
func scalar() *Schema { return &Schema{Type: []string{"string", "number", "boolean"}} }
