package tool

import (
	"encoding/json"
	"strings"
)

// Tool is one tool.
type Tool struct {
	_ struct{}

	Name    string
	Summary string // for the model
	// Write: a call of it can have a consequence.
	Write bool
	// Method and Path are where it is called; what stands in braces in the path is an argument.
	Method, Path string
	// Schema is the JSON Schema of its arguments, an object.
	Schema json.RawMessage
	// Example are arguments that fit.
	Example json.RawMessage
}

const (
	searching = `{"type":"object","properties":{` +
		`"q":{"type":"string","minLength":1,"maxLength":200,"description":"Words to look for."},` +
		`"limit":{"type":"integer","minimum":1,"maximum":20,"description":"How many articles at most. Default: 5."}},` +
		`"required":["q"],"additionalProperties":false}`
	oneRecord = `{"type":"object","properties":{` +
		`"id":{"type":"string","pattern":"^r_[0-9]{1,9}$","description":"The article, such as r_101."}},` +
		`"required":["id"],"additionalProperties":false}`
	refunding = `{"type":"object","properties":{` +
		`"order":{"type":"string","pattern":"^o_[0-9]{1,9}$","description":"The order, such as o_17."},` +
		`"amount":{"type":"string","pattern":"^[0-9]{1,7}[.][0-9]{2}$","description":"In euros, such as 12.50."}},` +
		`"required":["order","amount"],"additionalProperties":false}`
)

// All are all tools, in the order of their documentation.
func All() []Tool {
	asked := json.RawMessage(`{"q":"refund window"}`)
	return []Tool{
		{Name: "search_kb", Summary: "Search the knowledge base.", Method: "GET", Path: "search", Schema: []byte(searching), Example: asked},
		{Name: "kb_cache", Summary: "Search a cached copy of the knowledge base. It may be stale: as_of says how old it is.", Method: "GET", Path: "cache", Schema: []byte(searching), Example: asked},
		{Name: "kb_archive", Summary: "Search articles that are no longer in force.", Method: "GET", Path: "archive", Schema: []byte(searching), Example: asked},
		{Name: "search_web", Summary: "Search public pages. Nobody vouches for what they say.", Method: "GET", Path: "web", Schema: []byte(searching), Example: asked},
		{Name: "delete_record", Summary: "Delete an article from the knowledge base, for good.", Write: true, Method: "DELETE", Path: "records/{id}", Schema: []byte(oneRecord), Example: []byte(`{"id":"r_991"}`)},
		{Name: "archive_record", Summary: "Move an article to the archive.", Write: true, Method: "POST", Path: "records/{id}/archive", Schema: []byte(oneRecord), Example: []byte(`{"id":"r_991"}`)},
		{Name: "issue_refund", Summary: "Pay an order back, in full or in part.", Write: true, Method: "POST", Path: "refunds", Schema: []byte(refunding), Example: []byte(`{"order":"o_17","amount":"12.50"}`)},
	}
}

// Names are the names of all tools.
func Names() []string {
	var names []string
	for _, t := range All() {
		names = append(names, t.Name)
	}
	return names
}

// Find looks a tool up by its name.
func Find(name string) (Tool, bool) {
	for _, t := range All() {
		if t.Name == name {
			return t, true
		}
	}
	return Tool{}, false
}

// Match tells whether a request is a call of the tool, by its method and the
// segments of its path behind /v1.
func (t Tool) Match(method string, path []string) bool {
	shape := strings.Split(t.Path, "/")
	if method != t.Method || len(path) != len(shape) {
		return false
	}
	for i, s := range shape {
		if !strings.HasPrefix(s, "{") && s != path[i] {
			return false
		}
	}
	return true
}

// function is a tool as OpenAI's interface offers it to a model.
type function struct {
	Type     string   `json:"type"`
	Function declared `json:"function"`
}

type declared struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

// Function is the tool as a request to a model offers it.
func (t Tool) Function() json.RawMessage {
	text, _ := json.Marshal(function{"function", declared{t.Name, t.Summary, t.Schema}}) // texts, and JSON of this package
	return text
}
