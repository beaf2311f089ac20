package approval

import "github.com/lostreceipt/lostreceipt/harness/history"

// approve lets the approver look at a new record when his time has come.
func (s *Service) approve(r *record) {
	if s.set.Outcome == "" || r.foreign {
		return
	}
	s.frame.After(s.set.ApproverAfter, func() { s.decide(r, s.set.Outcome) })
}

// Decide makes the approver decide, now, about every pending record of a task
// ("" for every task), and tells how many there were. The outcome is [Approved]
// or [Declined].
func (s *Service) Decide(task, outcome string) int {
	s.mu.Lock()
	var pending []*record
	for _, r := range s.records {
		if !r.foreign && (task == "" || r.cause.Task == task) && r.now().status == Pending {
			pending = append(pending, r)
		}
	}
	s.mu.Unlock()
	decided := 0
	for _, r := range pending {
		if s.decide(r, outcome) {
			decided++
		}
	}
	return decided
}

// decide settles a pending record and sends its one notification, in one step
// unless that comes later or came with the acceptance; then it puts out the event.
// False: somebody else was first.
func (s *Service) decide(r *record, outcome string) bool {
	s.mu.Lock()
	if r.now().status != Pending {
		s.mu.Unlock()
		return false
	}
	switch {
	case s.set.Announces == Acceptance:
		r.change(s.frame.Now(), outcome, r.now().notification)
		s.frame.Row(r.cause, history.ApprovalStatus, r.foreign, r.row())
	case s.set.NotificationAfter > 0:
		r.change(s.frame.Now(), outcome, none)
		s.frame.Row(r.cause, history.ApprovalStatus, r.foreign, r.row())
		s.frame.After(s.set.NotificationAfter, func() { s.notifyLate(r) })
	default:
		told := s.attempt(r)
		r.change(s.frame.Now(), outcome, r.after(told))
		s.frame.Row(r.cause, history.ApprovalStatus, r.foreign, r.row())
		s.notifyAbout(r, told)
	}
	e := s.event(r)
	s.mu.Unlock()
	s.announce(r, e)
	return true
}

// notifyLate sends the notification of a decision that was taken some time ago.
func (s *Service) notifyLate(r *record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	told := s.attempt(r)
	r.change(s.frame.Now(), r.now().status, r.after(told))
	s.notifyAbout(r, told)
}

// notifyAbout appends the row of the notification that nobody asked for; twice,
// where that promise is broken.
func (s *Service) notifyAbout(r *record, told string) {
	s.notified(r, told, r.cause, r.facts.Key)
	if s.set.breaks(BreakNotification) {
		s.notified(r, told, r.cause, r.facts.Key)
	}
}
