package judge

import (
	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// record reads a business record that claims to be the intent's own. What was
// withdrawn, and what was notified, shows in the record of the submission too;
// and what was decided before the withdrawal came is past withdrawing.
func (p *replay) record(i *intent, f *history.Facts) []reading {
	if i == nil || f.Ref == "" || !i.owns(f) {
		return nil
	}
	own := reading{about: i, effect: effect{to: i.standing(f)}, record: recordKey{f.Ref, f.Seq}}
	switch f.Notification {
	case "failed":
		own.notice = failed
	case "sent":
		own.notice = arrived
	}
	out := []reading{own}
	show := func(dep *intent, shows bool, e effect) {
		about := dep != nil && (dep.fixed == nil || dep.fixed.Ref == "" || dep.fixed.Ref == f.Ref)
		if about && shows {
			out = append(out, reading{about: dep, effect: e})
		}
	}
	show(i.depends[withdrawal], f.Status == "withdrawn", effect{to: contract.Accepted})
	show(i.depends[withdrawal], f.Status != "withdrawn" && !p.canWithdraw(f.Status), effect{to: contract.NotExecuted, maybe: true})
	show(i.depends[notification], f.Notification == "sent", effect{to: contract.Accepted})
	show(i.depends[notification], f.Notification != "sent" && f.Status == "withdrawn", effect{to: contract.NotExecuted, maybe: true}) // past notifying
	return out
}

// owns tells whether a record is the intent's own: it must carry one of its
// identifiers and match in object, version and digest, that of a purchase in
// content and approval.
func (i *intent) owns(f *history.Facts) bool {
	if !i.same(f.Key) {
		return false
	}
	agrees := func(stated, own string) bool { return stated == "" || own == "" || stated == own }
	switch c := i.confirm; i.form {
	case submission:
		return f.Confirmation == c.id && f.Version == c.version && f.Digest == c.digest &&
			agrees(f.Tenant, c.tenant) && agrees(f.Object, c.object)
	case purchase:
		return i.fixed != nil && agrees(f.Content, i.fixed.Content) && agrees(f.Approval, i.fixed.Approval)
	default:
		return true
	}
}

// standing is what a record of the intent's own leads to. Whether a part of it is
// missing is a question of its own, see [mind.part].
func (i *intent) standing(f *history.Facts) contract.Standing {
	if i.form == submission {
		switch f.Status {
		case "approved":
			return contract.Approved
		case "declined":
			return contract.Declined
		case "withdrawn":
			return contract.Withdrawn
		}
	}
	return contract.Accepted
}
