package judge

import "github.com/lostreceipt/lostreceipt/harness/history"

// statement is a claim or a result.
type statement struct {
	rec    *history.Record
	work   *work
	result bool
	intent *intent // the submission that a claim is about, or nil
}

func (s *statement) state() string { return s.rec.Control.State }

// about are the submissions that it speaks of: of a claim one, of a result those
// that are current.
func (s *statement) about() []*intent {
	switch {
	case s.result:
		return s.work.task.current()
	case s.intent != nil:
		return []*intent{s.intent}
	}
	return nil
}
