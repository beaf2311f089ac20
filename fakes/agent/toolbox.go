package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// route is where a tool of the knowledge service is called. What stands in
// braces in the path is an argument; the others are the query of a GET, and the
// body of anything else.
type route struct {
	method, path string
	once         bool // each call has a consequence of its own, unless it carries the identifier of one before it
}

// routes are the tools of the service, by name.
func routes() map[string]route {
	return map[string]route{
		"search_kb":      {method: http.MethodGet, path: "/v1/search"},
		"kb_cache":       {method: http.MethodGet, path: "/v1/cache"},
		"kb_archive":     {method: http.MethodGet, path: "/v1/archive"},
		"search_web":     {method: http.MethodGet, path: "/v1/web"},
		"delete_record":  {method: http.MethodDelete, path: "/v1/records/{id}"},
		"archive_record": {method: http.MethodPost, path: "/v1/records/{id}/archive"},
		"issue_refund":   {method: http.MethodPost, path: "/v1/refunds", once: true},
	}
}

// reach makes the request that calls a tool. False: there is no such tool.
func reach(endpoint, tool string, arguments json.RawMessage) (request, bool) {
	to, ok := routes()[tool]
	if !ok {
		return request{}, false
	}
	path, query, rest := to.path, url.Values{}, map[string]json.RawMessage{}
	_ = json.Unmarshal(arguments, &rest) // they fit the schema
	for name, value := range argumentsOf(arguments) {
		hole := "{" + name + "}"
		if strings.Contains(path, hole) {
			path = strings.ReplaceAll(path, hole, url.PathEscape(value))
			delete(rest, name)
		} else {
			query.Set(name, value)
		}
	}
	r := request{operation: "knowledge." + tool, method: to.method, url: endpoint + path}
	switch {
	case to.method == http.MethodGet && len(query) > 0:
		r.url += "?" + query.Encode()
	case to.method != http.MethodGet && len(rest) > 0:
		r.body = encode(rest)
	}
	return r, true
}

// argumentsOf are the arguments as a query carries them.
func argumentsOf(raw json.RawMessage) map[string]string {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var fields map[string]any
	if d.Decode(&fields) != nil {
		return nil
	}
	all := map[string]string{}
	for name, v := range fields {
		if s, ok := v.(string); ok {
			all[name] = s
		} else {
			all[name] = fmt.Sprint(v)
		}
	}
	return all
}

// misfit tells how arguments fail a tool's schema; nil when they fit.
func misfit(d *declaration, arguments string) error {
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(arguments))
	if err != nil {
		return fmt.Errorf("the arguments are no JSON: %w", err)
	}
	if len(d.Function.Parameters) == 0 {
		return nil
	}
	schema, err := compiled(d.Function.Parameters)
	if err != nil {
		return err
	}
	err = schema.Validate(value)
	var wrong *jsonschema.ValidationError
	if !errors.As(err, &wrong) {
		return err
	}
	_, details, _ := strings.Cut(wrong.Error(), "\n")
	return errors.New(strings.Join(strings.Fields(details), " "))
}

func compiled(raw json.RawMessage) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("the tool's schema: %w", err)
	}
	c := jsonschema.NewCompiler()
	const name = "tool:arguments"
	if err := c.AddResource(name, doc); err != nil {
		return nil, fmt.Errorf("the tool's schema: %w", err)
	}
	return c.Compile(name)
}

// translated are the arguments of a call as another tool takes them: as they
// are if they fit, or the one text under the other's own name.
func translated(arguments string, to *declaration) (string, bool) {
	if to == nil {
		return "", false
	}
	if misfit(to, arguments) == nil {
		return arguments, true
	}
	var shape struct {
		Required []string `json:"required"`
	}
	given := argumentsOf(json.RawMessage(arguments))
	if json.Unmarshal(to.Function.Parameters, &shape) != nil || len(shape.Required) != 1 || len(given) != 1 {
		return "", false
	}
	for _, value := range given {
		arguments = string(encode(map[string]string{shape.Required[0]: value}))
	}
	return arguments, misfit(to, arguments) == nil
}
