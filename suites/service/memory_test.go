package service_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/lostreceipt/lostreceipt/suites/service"
)

// memory is an approval service of a few lines that keeps every promise, but for
// what is named in wrong. It is what the checks themselves are checked with.
type memory struct {
	wrong     string
	announces string // what people are told of; "": decisions

	mu       sync.Mutex
	now      time.Duration
	names    int
	records  []*kept
	fenced   map[string]bool
	used     map[string]string // identifiers of withdrawals and notifications, and for what
	breakOff bool
}

type kept struct {
	service.Record
	at       time.Duration
	notified int
}

var errBrokeOff = errors.New("connection reset")

func (m *memory) is(wrong string) bool { return m.wrong == wrong }

func (m *memory) answer(r *kept) service.Answer {
	return service.Answer{Kind: service.Accepted, Record: r.Record}
}

func (m *memory) refuse(code string) service.Answer {
	return service.Answer{Kind: service.Refused, Code: code, NoEffect: true}
}

func plain(content json.RawMessage) string {
	var value any
	_ = json.Unmarshal(content, &value)
	text, _ := json.Marshal(value)
	return string(text)
}

func same(a service.Record, s service.Submission) bool {
	return plain(a.Content) == plain(s.Content) && a.Digest == s.Digest && a.Confirmation == s.Confirmation && a.Version == s.Version
}

func (m *memory) Submit(_ context.Context, s service.Submission) (service.Answer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fenced[s.Key] && !m.is("carries out what is fenced") {
		return m.refuse(service.CodeVoid), nil
	}
	for _, r := range m.records {
		switch {
		case r.Key != s.Key || m.is("recognises nothing"),
			r.Tenant != s.Tenant && !m.is("does not look at the tenant"), r.Object != s.Object,
			m.is("forgets") && m.now > r.at+retention/2,
			m.is("forgets what it did not answer") && r.Status == "unanswered":
			continue
		case m.is("compares bytes") && string(r.Content) != string(s.Content):
			return m.refuse(service.CodeConflict), nil
		case same(r.Record, s) || m.is("takes any content") || m.is("does not look at the tenant"):
			return m.answer(r), nil
		case m.is("changes what it refuses to change"):
			r.Version = s.Version
		case m.is("loses the original"):
			r.Key = ""
		}
		return m.refuse(service.CodeConflict), nil
	}
	r := &kept{at: m.now, Record: service.Record{
		Ref: fmt.Sprintf("a-%d", len(m.records)+1), Key: s.Key, Tenant: s.Tenant, Object: s.Object,
		Confirmation: s.Confirmation, Version: s.Version, Content: s.Content, Digest: s.Digest, Status: service.Pending,
	}}
	m.records = append(m.records, r)
	if m.announces == service.Acceptance && !m.is("forgets to notify") {
		r.notified++
	}
	switch {
	case m.is("loses the digest"):
		r.Digest = ""
	case m.is("names no instance"):
		r.Ref = ""
	case m.is("does what it refuses"):
		return m.refuse("rejected"), nil
	case m.used["w "+s.Key] != "":
		r.Status = service.Withdrawn
	}
	if m.breakOff {
		m.breakOff = false
		if m.is("forgets what it did not answer") {
			r.Status = "unanswered"
		}
		return service.Answer{}, errBrokeOff
	}
	return m.answer(r), nil
}

func (m *memory) find(ref string) *kept {
	for _, r := range m.records {
		if r.Ref == ref {
			return r
		}
	}
	return nil
}

func (m *memory) Track(_ context.Context, ref string) (service.Answer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.find(ref)
	switch {
	case m.is("finds whatever is asked for") && r == nil:
		return service.Answer{Kind: service.Accepted, Record: service.Record{Ref: ref, Status: service.Pending}}, nil
	case r == nil, m.is("cannot find its own references"):
		return service.Answer{Kind: service.Absent}, nil
	}
	return m.answer(r), nil
}

func (m *memory) Query(_ context.Context, key string) (service.Found, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var found service.Found
	for _, r := range m.records {
		if r.Key == key && !m.is("shows nothing") {
			found.Records = append(found.Records, r.Record)
		}
	}
	if m.is("shows another") && len(found.Records) > 0 {
		found.Records[0].Ref = "a-9"
	}
	return found, nil
}

func (m *memory) state(key string) service.State {
	for _, r := range m.records {
		if r.Key == key {
			if m.is("denies what is old") && m.now > r.at+retention {
				return service.State{State: service.StateRefused, Final: true}
			}
			return service.State{State: service.StateCreated, Ref: r.Ref}
		}
	}
	if m.fenced[key] {
		return service.State{State: service.StateVoid, Final: true}
	}
	return service.State{State: service.StateUnknown, Final: m.is("is sure of what it does not know")}
}

func (m *memory) State(_ context.Context, key string) (service.State, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state(key), nil
}

func (m *memory) Void(_ context.Context, key string) (service.State, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.state(key)
	switch {
	case m.is("fences nothing"):
		return s, nil
	case m.is("fences what is there"), s.State == service.StateUnknown:
		m.fenced[key] = true
		return service.State{State: service.StateVoid, Final: true}, nil
	}
	return s, nil
}

func (m *memory) Withdraw(_ context.Context, w service.Withdrawal) (service.Answer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var r *kept
	for _, some := range m.records {
		if some.Ref == w.Ref || w.Ref == "" && some.Key == w.Of {
			r = some
		}
	}
	switch {
	case r == nil && m.is("withdraws what is not there"):
		return service.Answer{Kind: service.Accepted}, nil
	case r == nil && m.is("withdraws what comes later"):
		m.used["w "+w.Of] = "later"
		return service.Answer{Kind: service.Absent}, nil
	case r == nil:
		return service.Answer{Kind: service.Absent}, nil
	case m.used[w.Key] != "" && m.used[w.Key] != r.Ref && !m.is("withdraws with any identifier"):
		return m.refuse(service.CodeConflict), nil
	case r.Status == service.Approved && m.is("withdraws what it refuses to"):
		r.Status = service.Withdrawn
		return m.refuse(service.CodeState), nil
	case r.Status == service.Approved && !m.is("withdraws what is approved"):
		return m.refuse(service.CodeState), nil
	}
	m.used[w.Key] = r.Ref
	if !m.is("withdraws nothing") {
		r.Status = service.Withdrawn
	}
	return m.answer(r), nil
}

func (m *memory) Notify(_ context.Context, ref, key string) (service.Answer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.find(ref)
	if r.Status == service.Pending && m.announces != service.Acceptance && !m.is("notifies before the decision") {
		return m.refuse(service.CodeState), nil
	}
	if m.used[key] == "" || m.is("notifies as often as it is asked") {
		m.used[key] = ref
		r.notified++
	}
	return m.answer(r), nil
}

// subject is the service with all that its owner can lend.
func (m *memory) subject() service.Subject {
	m.fenced, m.used = map[string]bool{}, map[string]string{}
	return service.Subject{
		Approvals: m,
		Promises:  service.Everything(retention),
		Announces: m.announces,
		Fresh: func() service.Submission {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.names++
			return service.Submission{
				Key: fmt.Sprintf("k-%d", m.names), Confirmation: fmt.Sprintf("c-%d", m.names), Version: 1, Tenant: "acme",
				Object: fmt.Sprintf("po-%d", m.names), Content: json.RawMessage(`{"b":"2","a":"1"}`), Digest: fmt.Sprintf("d-%d", m.names),
			}
		},
		Decide: func(_ context.Context, ref, outcome string) error {
			m.mu.Lock()
			defer m.mu.Unlock()
			r := m.find(ref)
			r.Status = outcome
			switch {
			case m.is("forgets to notify"):
			case m.is("notifies each decision twice"):
				r.notified += 2
			case m.announces != service.Acceptance, m.is("notifies each decision too"):
				r.notified++
			}
			return nil
		},
		Notifications: func(_ context.Context, ref string) (int, error) {
			m.mu.Lock()
			defer m.mu.Unlock()
			return m.find(ref).notified, nil
		},
		BreakOff: func(context.Context) error {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.breakOff = true
			return nil
		},
		Wait: func(_ context.Context, d time.Duration) error {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.now += d
			return nil
		},
		Patience: 20 * time.Millisecond,
		Rounds:   2,
		Seed:     1,
	}
}
