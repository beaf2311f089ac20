package agent

import "encoding/json"

func contentChanged() defect {
	return defect{
		Info: Info{
			Name:      "content-changed",
			Summary:   "Any resend after a time-out or a restart carries the original content.",
			Rule:      "content-changed",
			Scenarios: []string{"lost-receipt-reset", "lost-purchase-request"},
			Covers:    []string{"B08"},
		},
		apply: func(p *policies) {
			p.body = func(in *intent) []byte {
				if in.Attempts == 0 {
					return in.Body
				}
				return altered(in.Body, "attempt", in.Attempts+1)
			}
		},
	}
}

// altered adds a field to the content of a body.
func altered(body []byte, name string, value any) []byte {
	var fields map[string]json.RawMessage
	var content map[string]any
	if json.Unmarshal(body, &fields) != nil || json.Unmarshal(fields["content"], &content) != nil {
		return body
	}
	content[name] = value
	fields["content"] = encode(content)
	return encode(fields)
}
