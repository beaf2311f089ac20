package scenario

import (
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/tool"
)

// askedFields are the fields of a question.
func askedFields() []Property {
	d := DefaultAsked()
	chain := func(name string) *Schema {
		return &Schema{
			Description: "What takes the place of " + name + ", in order; the last is " + strings.Join(ChainEnds(), " or ") + ".",
			Type:        "array", Items: oneOf("", append(tool.Names(), ChainEnds()...)), MinItems: 1, MaxItems: maxList,
		}
	}
	return []Property{
		field("prompt", text("Of a question: what is asked. Default: "+d.Prompt)),
		field("tools", words("Of a question: the tools that are offered. Default: all.", tool.Names())),
		field("fallback", object("Of a question: the declared chains. Default: search_kb: [kb_cache, answer_with_gap]; a tool without a chain is handed over.",
			each(tool.Names(), chain)...)),
		field("models", list("Of a question: the models, in the order in which they are asked. Default: "+strings.Join(d.Models, ", ")+".", &Schema{Type: "string"})),
		field("steps", list("Of a question: the plan, for people. A step is one call of a tool that succeeded.", &Schema{Type: "string"})),
	}
}

func knowledgeSchema() *Schema {
	return object("The service of the tools.",
		field("denies", words("Tools that nobody here may call: 403.", tool.Names())),
		field("missing", words("Tools that find nothing by any arguments: 404.", tool.Names())),
		field("refuses", words("Tools whose arguments the service refuses, although their schema takes them: 422.", tool.Names())),
	)
}

func modelSchema() *Schema {
	turn := speechSchema("The assistant's next message.")
	turn.Properties = append(turn.Properties, field("after_error", speechSchema("What it says instead when a tool that it asked for has failed.")))
	return object("The model.",
		field("script", list("What it says, turn by turn; the last turn again behind the end. Default: search_kb, kb_cache if that failed, and an answer.", turn)),
		field("missing", list("Models that are not there: 404.", &Schema{Type: "string"})),
	)
}

func speechSchema(description string) *Schema {
	call := object("A call of a tool.",
		field("tool", oneOf("Its name.", tool.Names())),
		field("arguments", &Schema{Description: "Default: none.", Type: "object"}),
		field("raw", text("The text of the arguments as it is, where it is to be no JSON.")),
	)
	call.Required = []string{"tool"}
	return object(description,
		field("say", text("Its text.")),
		field("call", call),
		field("calls", list("Several calls.", call)),
		field("repeats", flag("It asks for the calls of its last turn once more.")),
		field("urges", oneOf("It presses for a tool, by calling it, or for an action, in words.", fault.Urgings())),
	)
}
