package approval

// Event tells that a record has reached a new state.
type Event struct {
	Type   string `json:"type"` // approved, declined or withdrawn
	Record Record `json:"record"`
	Seq    int    `json:"seq"` // the record's
}

// event tells of the record's present state.
func (s *Service) event(r *record) Event {
	shown := s.show(r)
	return Event{Type: shown.Status, Record: shown, Seq: shown.Seq}
}

// announce puts an event out. Events of a record that another client made go
// nowhere: nobody here waits for them. It must be called without the lock.
func (s *Service) announce(r *record, e Event) {
	if r.foreign {
		return
	}
	s.frame.Emit(r.cause, e.Type, func() {
		if s.emit != nil {
			s.emit(r.cause.Task, e)
		}
	})
}
