package control

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// object reads the fields of a JSON object by name. The first field that is
// missing or mistyped is kept, with its path; unknown ones are ignored.
type object struct {
	path string // "" or "confirmation."
	raw  map[string]json.RawMessage
	bad  *(*problem) // shared with the objects inside
}

// readObject reads a request's body.
func readObject(body []byte) object {
	bad := new(*problem)
	o := object{bad: bad}
	switch err := json.Unmarshal(body, &o.raw); {
	case len(bytes.TrimSpace(body)) == 0:
		*bad = &problem{status: http.StatusBadRequest, field: "body", text: "it is empty: want a JSON object"}
	case err != nil:
		text := "not JSON, or more than one value"
		if json.Valid(body) {
			text = "not a JSON object"
		}
		*bad = &problem{status: http.StatusBadRequest, field: "body", text: text}
	case o.raw == nil:
		*bad = &problem{status: http.StatusBadRequest, field: "body", text: "not a JSON object"}
	}
	return o
}

func (o object) fail(name, text string) {
	if *o.bad == nil {
		*o.bad = &problem{status: http.StatusBadRequest, field: o.path + name, text: text}
	}
}

// get finds a field; null counts as left out.
func (o object) get(name string, required bool) (json.RawMessage, bool) {
	raw, ok := o.raw[name]
	if ok && string(raw) != "null" {
		return raw, true
	}
	if required {
		o.fail(name, "missing")
	}
	return nil, false
}

// text reads a string of at most limit bytes; one that may be left out is
// clipped to the limit instead.
func (o object) text(name string, required bool, limit int) string {
	raw, ok := o.get(name, required)
	if !ok {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		o.fail(name, "not a string")
		return ""
	}
	if len(s) <= limit {
		return s
	}
	if required {
		o.fail(name, fmt.Sprintf("longer than %d bytes", limit))
		return ""
	}
	return strings.ToValidUTF8(s[:limit], "") + fmt.Sprintf(" [... %d bytes more]", len(s)-limit)
}

// oneOf reads a string that is one of the given words.
func (o object) oneOf(name string, words ...string) string {
	s := o.text(name, true, 256)
	for _, w := range words {
		if s == w {
			return s
		}
	}
	o.fail(name, "not one of "+strings.Join(words, ", "))
	return ""
}

// number reads a whole number from 1.
func (o object) number(name string) int {
	raw, ok := o.get(name, true)
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(string(raw))
	if err != nil || n < 1 {
		o.fail(name, "not a whole number from 1")
		return 0
	}
	return n
}

// object reads an object.
func (o object) object(name string) object {
	inner := object{path: o.path + name + ".", bad: o.bad}
	if raw, ok := o.get(name, true); ok && json.Unmarshal(raw, &inner.raw) != nil {
		o.fail(name, "not an object")
	}
	return inner
}

// list reads an array of objects.
func (o object) list(name string) []object {
	raw, ok := o.get(name, true)
	if !ok {
		return nil
	}
	var entries []json.RawMessage
	if json.Unmarshal(raw, &entries) != nil {
		o.fail(name, "not an array")
		return nil
	}
	objects := make([]object, 0, min(len(entries), maxUnverified))
	for i, entry := range entries {
		if i >= maxUnverified {
			o.fail(name, fmt.Sprintf("more than %d entries", maxUnverified))
			break
		}
		inner := object{path: fmt.Sprintf("%s%s[%d].", o.path, name, i), bad: o.bad}
		if json.Unmarshal(entry, &inner.raw) != nil || inner.raw == nil {
			o.fail(fmt.Sprintf("%s[%d]", name, i), "not an object")
		}
		objects = append(objects, inner)
	}
	return objects
}

// any reads a value of any shape that may be left out: a string as it is,
// anything else as its JSON, clipped.
func (o object) any(name string, limit int) string {
	raw, ok := o.get(name, false)
	if !ok {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		s = string(raw)
	}
	if len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "") + fmt.Sprintf(" [... %d bytes more]", len(s)-limit)
	}
	return s
}

// texts reads an array of strings that may be left out. What is too long is
// clipped, what is too much is an error.
func (o object) texts(name string, limit int) []string {
	raw, ok := o.get(name, false)
	if !ok {
		return nil
	}
	var entries []json.RawMessage
	if json.Unmarshal(raw, &entries) != nil {
		o.fail(name, "not an array")
		return nil
	}
	if len(entries) > maxTexts {
		o.fail(name, fmt.Sprintf("more than %d entries", maxTexts))
		return nil
	}
	var texts []string
	for i, entry := range entries {
		var s string
		if json.Unmarshal(entry, &s) != nil {
			o.fail(fmt.Sprintf("%s[%d]", name, i), "not a string")
			return nil
		}
		if len(s) > limit {
			s = strings.ToValidUTF8(s[:limit], "") + fmt.Sprintf(" [... %d bytes more]", len(s)-limit)
		}
		texts = append(texts, s)
	}
	return texts
}
