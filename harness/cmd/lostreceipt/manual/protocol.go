package manual

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/lostreceipt/lostreceipt/harness/control"
)

// protocol is the agent protocol, from its OpenAPI document.
func protocol() (string, error) {
	var doc yaml.Node
	if err := yaml.Load(control.OpenAPI(), &doc); err != nil {
		return "", fmt.Errorf("the document of the agent protocol cannot be read: %w", err)
	}
	root := doc.Content[0]
	info, parts := get(root, "info"), get(root, "components")
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nVersion %s.", plain(scalarOf(info, "description")), plain(scalarOf(info, "version")))
	b.WriteString(" The agent's process gets `LOSTRECEIPT_URL` and the bearer token `LOSTRECEIPT_TOKEN` in its environment.\n\n")
	paths := get(root, "paths")
	for i := 0; paths != nil && i+1 < len(paths.Content); i += 2 {
		path, methods := paths.Content[i].Value, paths.Content[i+1]
		for j := 0; j+1 < len(methods.Content); j += 2 {
			route(&b, parts, strings.ToUpper(methods.Content[j].Value)+" "+path, methods.Content[j+1])
		}
	}
	schemas := get(parts, "schemas")
	for i := 0; schemas != nil && i+1 < len(schemas.Content); i += 2 {
		name, schema := schemas.Content[i].Value, schemas.Content[i+1]
		b.WriteString(section(name))
		if about := scalarOf(schema, "description"); about != "" {
			b.WriteString(plain(about) + "\n\n")
		}
		b.WriteString(tableOf(schema))
	}
	return b.String(), nil
}

// route writes one operation.
func route(b *strings.Builder, parts *yaml.Node, name string, op *yaml.Node) {
	fmt.Fprintf(b, "## %s\n\n%s\n\n", code(name), plain(scalarOf(op, "summary")))
	if parameters := get(op, "parameters"); parameters != nil {
		for _, p := range parameters.Content {
			p = resolve(parts, p)
			text := fmt.Sprintf("- %s (%s): %s. %s", code(scalarOf(p, "name")), plain(scalarOf(p, "in")), what(get(p, "schema")), plain(scalarOf(p, "description")))
			b.WriteString(strings.TrimSpace(text) + "\n")
		}
	}
	if body := schemaOf(get(op, "requestBody")); body != nil {
		fmt.Fprintf(b, "- the body: %s\n", linked(body))
	}
	responses := get(op, "responses")
	for i := 0; responses != nil && i+1 < len(responses.Content); i += 2 {
		r := resolve(parts, responses.Content[i+1])
		fmt.Fprintf(b, "- answer %s: %s", code(responses.Content[i].Value), plain(scalarOf(r, "description")))
		if body := schemaOf(r); body != nil && scalarOf(body, "$ref") != "" {
			fmt.Fprintf(b, " (%s)", linked(body))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

// schemaOf is the schema of a body in JSON.
func schemaOf(n *yaml.Node) *yaml.Node {
	return get(get(get(n, "content"), "application/json"), "schema")
}

// resolve follows a reference to a part of the document.
func resolve(parts, n *yaml.Node) *yaml.Node {
	ref, ok := strings.CutPrefix(scalarOf(n, "$ref"), "#/components/")
	if !ok {
		return n
	}
	for step := range strings.SplitSeq(ref, "/") {
		parts = get(parts, step)
	}
	return parts
}

// linked is a link to the section of a schema that has a name.
func linked(schema *yaml.Node) string {
	ref := scalarOf(schema, "$ref")
	if ref == "" {
		return what(schema)
	}
	return links("protocol.md", []string{ref[strings.LastIndexByte(ref, '/')+1:]})
}
