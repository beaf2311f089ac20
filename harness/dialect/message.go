package dialect

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// A Message is a JSON object whose fields are read by their dotted path. A
// reader asks for what it knows and looks at [Message.Err] at the end; a field
// that is absent or null reads as zero and is no error until it is required.
type Message struct {
	fields map[string]json.RawMessage
	at     string // path of this object within the message, "" or ending in a dot
	err    *error // the first problem, shared by the objects of one message
}

// ReadMessage reads a body. One that is no JSON object gives an empty message
// with an error.
func ReadMessage(body []byte) *Message {
	m := &Message{err: new(error)}
	if err := json.Unmarshal(body, &m.fields); err != nil {
		m.fail("body", "is not a JSON object")
	} else if m.fields == nil {
		m.fail("body", "is null, want a JSON object")
	}
	return m
}

// A FieldError says which field of a message cannot be read, and why.
type FieldError struct {
	Field   string // dotted path, "body" for the whole
	Problem string
}

// Error is the path and the problem.
func (e *FieldError) Error() string { return e.Field + ": " + e.Problem }

// Err is the first problem met so far, a [*FieldError], or nil.
func (m *Message) Err() error { return *m.err }

func (m *Message) fail(field, problem string) {
	if *m.err == nil {
		*m.err = &FieldError{Field: field, Problem: problem}
	}
}

// Raw is the text of a field's value; nil when it is absent or null.
func (m *Message) Raw(path string) json.RawMessage {
	object, name := m.parent(path)
	if object == nil {
		return nil
	}
	raw := object.fields[name]
	if string(raw) == "null" {
		return nil
	}
	return raw
}

// parent is the object that holds the last name of a path, nil when there is none.
func (m *Message) parent(path string) (object *Message, name string) {
	for object = m; object != nil; {
		first, rest, deeper := strings.Cut(path, ".")
		if !deeper {
			return object, first
		}
		object, path = object.object(first), rest
	}
	return nil, ""
}

func (m *Message) object(name string) *Message {
	raw := m.Raw(name)
	if raw == nil {
		return nil
	}
	o := &Message{at: m.at + name + ".", err: m.err}
	if err := json.Unmarshal(raw, &o.fields); err != nil {
		m.wants(name, "an object", raw)
		return nil
	}
	return o
}

// Has tells whether a field is there, be it null.
func (m *Message) Has(path string) bool {
	object, name := m.parent(path)
	if object == nil {
		return false
	}
	_, has := object.fields[name]
	return has
}

// Require makes the absence of a field a problem.
func (m *Message) Require(paths ...string) {
	for _, path := range paths {
		if m.Raw(path) == nil {
			m.fail(m.at+path, "is missing")
		}
	}
}

// Text is a string.
func (m *Message) Text(path string) string {
	var s string
	if raw := m.Raw(path); raw != nil && json.Unmarshal(raw, &s) != nil {
		m.wants(path, "a string", raw)
	}
	return s
}

// Flag is a boolean.
func (m *Message) Flag(path string) bool {
	var b bool
	if raw := m.Raw(path); raw != nil && json.Unmarshal(raw, &b) != nil {
		m.wants(path, "true or false", raw)
	}
	return b
}

// Count is a whole number. 2.0 is one, as some languages write 2.
func (m *Message) Count(path string) int {
	raw := m.Raw(path)
	if raw == nil {
		return 0
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || f != float64(int32(f)) {
		m.wants(path, "a whole number", raw)
		return 0
	}
	return int(f)
}

// Texts is a list of strings. Elements that are none are left out.
func (m *Message) Texts(path string) []string {
	var texts []string
	for i, raw := range m.list(path) {
		var s string
		if json.Unmarshal(raw, &s) != nil {
			m.wants(fmt.Sprintf("%s[%d]", path, i), "a string", raw)
			continue
		}
		texts = append(texts, s)
	}
	return texts
}

// Objects is a list of objects. Elements that are none are left out.
func (m *Message) Objects(path string) []*Message {
	var objects []*Message
	for i, raw := range m.list(path) {
		o := &Message{at: fmt.Sprintf("%s%s[%d].", m.at, path, i), err: m.err}
		if json.Unmarshal(raw, &o.fields) != nil || o.fields == nil {
			m.wants(fmt.Sprintf("%s[%d]", path, i), "an object", raw)
			continue
		}
		objects = append(objects, o)
	}
	return objects
}

func (m *Message) list(path string) []json.RawMessage {
	var list []json.RawMessage
	if raw := m.Raw(path); raw != nil && json.Unmarshal(raw, &list) != nil {
		m.wants(path, "a list", raw)
	}
	return list
}

func (m *Message) wants(path, want string, got json.RawMessage) {
	m.fail(m.at+path, "want "+want+", got "+kind(got))
}

func kind(raw json.RawMessage) string {
	switch raw[0] {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "a list"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	default:
		return "a number"
	}
}
