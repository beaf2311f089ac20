package agent

import (
	"encoding/json"
	"fmt"
	"net/url"
)

func similarRecordAdopted() defect {
	return defect{
		Info: Info{
			Name:      "similar-record-adopted",
			Summary:   "Reconciliation uses the instance reference or the client's identifier, never a similar record by applicant and amount.",
			Rule:      "similar-record-adopted",
			Scenarios: []string{"stale-empty-late-success", "never-arrives"},
			Covers:    []string{"B17"},
		},
		apply: func(p *policies) {
			p.association = association{ask: search, belongs: similar}
		},
	}
}

// search looks by applicant and amount once the identifier has brought nothing.
func search(v *view, in *intent, n int) (operation, target string) {
	if in.Action != submitAction || n == 0 {
		return ask(v, in, n)
	}
	content := map[string]any{}
	_ = json.Unmarshal(in.Confirmation.Content, &content) // what is not there is not asked for
	q := url.Values{}
	for _, name := range []string{"applicant", "amount"} {
		if value, ok := content[name]; ok {
			q.Set(name, fmt.Sprint(value))
		}
	}
	if !q.Has("applicant") {
		q.Set("applicant", in.Confirmation.ConfirmedBy)
	}
	return "approval.search", v.task.Endpoints["approval"] + "/v1/approvals?" + q.Encode()
}

// similar takes any record with the same content that is not known to be its own.
func similar(t task, in *intent, r *record) bool {
	return belongs(t, in, r) || in.Action == submitAction && r != nil && r.Ref != ""
}
