package agent

import "net/url"

// association is how the record of an intent is looked for and recognised.
type association struct {
	// ask is the n-th query about an intent, n from 0: its operation and its address.
	ask func(v *view, in *intent, n int) (operation, target string)
	// belongs tells whether a record is the intent's own.
	belongs func(t task, in *intent, r *record) bool
	// newer tells whether a record of an intent replaces the one that is known.
	newer func(old, r *record) bool
}

// ask looks up by the client's identifier, by turns in the list (which may be
// stale) and in the state of the submission. What depends on a submission shows
// in the submission's record as well.
func ask(v *view, in *intent, n int) (operation, target string) {
	approval, key := v.task.Endpoints["approval"]+"/v1", url.PathEscape(in.Key)
	byKey := v.promise(in.Action).Query.ByKey
	switch in.Action {
	case purchaseAction:
		return "purchase.query", v.task.Endpoints["purchase"] + "/v1/purchases?key=" + url.QueryEscape(in.Key)
	case withdrawAction, notifyAction:
		if v.promise(submitAction).Query.ByRef && (n%2 == 0 || !byKey) {
			return "approval.track", approval + "/approvals/" + url.PathEscape(in.Of)
		}
		return "approval.query", approval + "/submissions/" + key
	}
	if n%2 == 0 {
		return "approval.query", approval + "/approvals?key=" + url.QueryEscape(in.Key)
	}
	return "approval.query", approval + "/submissions/" + key
}

// belongs compares everything that was sent with what the record says.
func belongs(t task, in *intent, r *record) bool {
	if r == nil || r.Ref == "" {
		return false
	}
	switch in.Action {
	case purchaseAction:
		return r.Key == in.Key && r.Approval == in.Of && sameContent(r.Content, in.Confirmation.Content)
	case withdrawAction:
		return r.Ref == in.Of && r.Status == "withdrawn"
	case notifyAction:
		return r.Ref == in.Of && r.Consequences.Notification == "sent"
	}
	c := in.Confirmation
	return r.Key == in.Key && r.Tenant == t.Tenant && r.Object == t.Object && r.Digest == c.Digest &&
		r.Confirmation == version{c.ID, c.Version} && sameContent(r.Content, c.Content)
}

// newer orders records by their number. None takes back a settled one.
func newer(old, r *record) bool {
	return r.Seq >= old.Seq && (r.Status != "pending" || old.Status == "pending")
}

// accept takes a record in that belongs to the intent.
func (a association) accept(in *intent, r *record) {
	in.Standing, in.Open = accepted, 0
	switch {
	case in.Record == nil:
		in.Since = 0
	case !a.newer(in.Record, r):
		return
	}
	in.Record = r
}
