package agent

import "encoding/json"

func scopeForgotten() defect {
	return defect{
		Info: Info{
			Name:      "scope-forgotten",
			Summary:   "An identifier is used again only within the scope in which it is unique.",
			Rule:      "scope-ignored",
			Scenarios: []string{"lost-receipt-reset", "lost-request-reset"},
			Covers:    []string{"B09"},
		},
		apply: func(p *policies) {
			p.body = func(in *intent) []byte {
				if in.Action != submitAction || in.Attempts == 0 {
					return in.Body
				}
				return elsewhere(in.Body)
			}
		},
	}
}

// elsewhere is the body for the tenant that a process takes when it has not
// stored which one it was.
func elsewhere(body []byte) []byte {
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil {
		return body
	}
	fields["tenant"] = encode("default")
	return encode(fields)
}
