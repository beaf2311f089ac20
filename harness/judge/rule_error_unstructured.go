package judge

import "strings"

var errorUnstructured = Rule{
	ID: "error-unstructured", Family: Loop, Party: Agent,
	Sentence: "The model was told of a failure in a form that does not say what it needs to know.",
	Correct:  "Tells it as an object with error, message, retryable and attempts.",
	Covers:   []string{"A07", "A11", "A06"},
	result: func(p *replay, r *result) *Finding {
		f := r.message.Failed
		switch {
		case f == nil && r.message.Empty, f != nil && (r.mayBeData() || f.Error == "" && !f.Message):
			return nil
		case f == nil && r.known():
			return p.tells(r, "%s failed, and its tool message is no error payload", r.of)
		case f == nil:
			return nil
		}
		var lacks []string
		for _, field := range []struct {
			name string
			is   bool
		}{{"error", f.Error != ""}, {"message", f.Message}, {"retryable", f.Retryable != nil}, {"attempts", f.Attempts != nil}} {
			if !field.is {
				lacks = append(lacks, field.name)
			}
		}
		if len(lacks) == 0 {
			return nil
		}
		return p.tells(r, "the error payload about %s lacks %s", r.of, strings.Join(lacks, ", "))
	},
}
