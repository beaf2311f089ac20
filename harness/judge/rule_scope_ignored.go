package judge

import "slices"

var scopeIgnored = Rule{
	ID: "scope-ignored", Family: Identity, Party: Agent,
	Sentence: "An identifier was sent again outside the scope in which the service recognises it.",
	Correct:  "Resends for the same tenant and object: an identifier is unique, and recognised, only within its declared scope.",
	Covers:   []string{"B09", "B08"},
	act: func(p *replay, a *act) *Finding {
		if !a.rescoped() {
			return nil
		}
		was, is := a.intent.fixed, a.call.stated()
		f := p.about(a, "identifier %q was sent again for %s/%s and first for %s/%s; the service keeps identifiers apart by %v",
			a.key, is.Tenant, is.Object, was.Tenant, was.Object, a.intent.promise.Idempotency.Scope)
		f.Records = append([]int{a.intent.sends[0].sent.N}, f.Records...)
		return f
	},
}

// rescoped tells whether an identifier is sent again where the service does not
// look for it.
func (a *act) rescoped() bool {
	i := a.intent
	if !a.writes() || a.newKey || a.key == "" || i.form != submission || i.fixed == nil || !a.call.sent.Wire.Whole {
		return false
	}
	is, scope := a.call.stated(), i.promise.Idempotency.Scope
	return is.Tenant != i.fixed.Tenant && slices.Contains(scope, "tenant") || is.Object != i.fixed.Object && slices.Contains(scope, "object")
}
