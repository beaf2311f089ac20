package tool

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Arguments are what an HTTP call of the tool states, as the JSON object that a
// model would have written: of a request that [Tool.Match] takes. A number of
// the query is one when the schema wants one and the text is one. What stands in
// a body that is no JSON object is nothing.
func (t Tool) Arguments(path []string, query url.Values, body []byte) json.RawMessage {
	found := map[string]json.RawMessage{}
	if t.Method != http.MethodGet {
		_ = json.Unmarshal(body, &found) // what cannot be read is missing
	}
	if found == nil { // the body was null
		found = map[string]json.RawMessage{}
	}
	for name, texts := range query {
		for _, text := range texts { // the last of two counts
			found[name] = t.value(name, text)
		}
	}
	for i, s := range strings.Split(t.Path, "/") {
		if name, is := strings.CutPrefix(s, "{"); is {
			found[strings.TrimSuffix(name, "}")] = quoted(path[i])
		}
	}
	text, _ := json.Marshal(found)
	return text
}

// value is a text of the query as the schema would have it.
func (t Tool) value(name, text string) json.RawMessage {
	var schema struct {
		Properties map[string]struct {
			Type string `json:"type"`
		} `json:"properties"`
	}
	_ = json.Unmarshal(t.Schema, &schema)
	if schema.Properties[name].Type == "integer" {
		if n, err := strconv.Atoi(text); err == nil && strconv.Itoa(n) == text {
			return json.RawMessage(text)
		}
	}
	return quoted(text)
}

func quoted(text string) json.RawMessage {
	q, _ := json.Marshal(text)
	return q
}
