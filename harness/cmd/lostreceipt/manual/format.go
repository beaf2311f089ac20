package manual

import (
	"encoding/json"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
)

// format are the fields of scenario files, from their schema.
func format(s *scenario.Schema) (string, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return "", err
	}
	var doc yaml.Node // JSON is YAML, and its order is kept
	if err := yaml.Load(text, &doc); err != nil {
		return "", fmt.Errorf("the schema of scenarios cannot be read again: %w", err)
	}
	root := doc.Content[0]
	intro := "One file holds one scenario. `lostreceipt schema` prints the JSON Schema that this page is made of, for completion in editors;\n" +
		"`lostreceipt validate FILE` says everything that is wrong, with line, column and the nearest right spelling; `lostreceipt new ID` writes one to start from.\n\n" +
		plain(scalarOf(root, "description")) + "\n\n"
	var b strings.Builder
	b.WriteString(intro + tableOf(root))
	parts := get(root, "$defs")
	for i := 0; parts != nil && i+1 < len(parts.Content); i += 2 {
		name, part := parts.Content[i].Value, parts.Content[i+1]
		fmt.Fprintf(&b, "%s%s\n\n", section(name), plain(scalarOf(part, "description")))
		if examples := list(get(part, "examples")); examples != nil {
			fmt.Fprintf(&b, "For example %s.\n\n", codes(examples))
		}
	}
	fmt.Fprintf(&b, "The limits that a duration can name are %s; [effects](effects.md) lists what can be broken where.\n", codes(contract.DurationNames()))
	return b.String(), nil
}
