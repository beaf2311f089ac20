package control_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/control"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// stage is a plane with one task, t-1, and its log.
type stage struct {
	*WithT
	t     *testing.T
	log   *history.Log
	plane *control.Plane

	mu     sync.Mutex
	points []fault.Point
}

func oneTask() control.Task {
	return control.Task{
		ID: "t-1", Type: "purchase-approval", Tenant: "acme", Object: "po-17", OnCancel: "withdraw",
		Confirmations: []control.Confirmation{{ID: "c-1", Content: json.RawMessage(`{"amount":"1200.00","currency":"EUR"}`)}},
	}
}

func newStage(t *testing.T, settings ...func(*control.Config)) *stage {
	t.Helper()
	s := &stage{WithT: NewWithT(t), t: t, log: history.NewLog(nil)}
	before := gleak.Goroutines()
	cfg := control.Config{
		Log: s.log, Tasks: []control.Task{oneTask()}, Limits: contract.Defaults().Scale(contract.DefaultScale), Seed: 7,
		Guarantees: contract.Guarantees{"approval.submit": {Void: true, NoEffectStatuses: []int{403}}},
		Digest:     func(content json.RawMessage) string { return fmt.Sprintf("of %d bytes", len(content)) },
		StateDir:   func(task string) string { return "/state/" + task },
		Notify: func(p fault.Point) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.points = append(s.points, p)
		},
	}
	for _, set := range settings {
		set(&cfg)
	}
	var err error
	s.plane, err = control.New(cfg)
	s.Expect(err).NotTo(HaveOccurred())
	t.Cleanup(func() {
		s.Expect(s.plane.Close()).To(Succeed())
		s.Eventually(gleak.Goroutines, time.Minute).ShouldNot(gleak.HaveLeaked(before))
	})
	return s
}

// agent is one admitted process.
type agent struct {
	*stage
	url    string
	token  string
	client *http.Client
}

func (s *stage) admit(process string, tasks ...string) *agent {
	return s.with(s.plane.Admit(process, tasks...))
}

func (s *stage) with(token string) *agent {
	transport := &http.Transport{DisableCompression: true}
	s.t.Cleanup(transport.CloseIdleConnections)
	return &agent{stage: s, url: s.plane.URL(), token: token, client: &http.Client{Transport: transport, Timeout: time.Minute}}
}

// answer is a reply, and its body if it is a JSON object.
type answer struct {
	status int
	body   map[string]any
}

func (a *agent) get(path string) answer { a.t.Helper(); return a.do(http.MethodGet, path, "") }

func (a *agent) post(path, body string) answer {
	a.t.Helper()
	return a.do(http.MethodPost, path, body)
}

func (a *agent) do(method, path, body string) answer {
	a.t.Helper()
	request, err := http.NewRequestWithContext(a.t.Context(), method, a.url+path, strings.NewReader(body))
	a.Expect(err).NotTo(HaveOccurred())
	request.Header.Set("Authorization", "Bearer "+a.token)
	request.Header.Set("Content-Type", "application/json")
	response, err := a.client.Do(request)
	a.Expect(err).NotTo(HaveOccurred())
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	a.Expect(err).NotTo(HaveOccurred())
	conforms(a.t, request, body, response, got)
	found := answer{status: response.StatusCode}
	if len(got) > 0 {
		a.Expect(json.Unmarshal(got, &found.body)).To(Succeed(), string(got))
	}
	return found
}

// started is an agent that holds t-1.
func (s *stage) started() *agent {
	s.t.Helper()
	a := s.admit("p-1", "t-1")
	s.Expect(a.get("/v1/work").status).To(Equal(http.StatusOK))
	return a
}

// of are the records of one kind.
func (s *stage) of(kind history.Kind) []history.Record {
	var of []history.Record
	for _, r := range s.log.Records() {
		if r.Kind == kind {
			of = append(of, r)
		}
	}
	return of
}

// events are the points so far, as words.
func (s *stage) events() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var words []string
	for _, p := range s.points {
		words = append(words, strings.Join(strings.Fields(p.Event+" "+p.Detail+" of "+p.Task+" "+p.Work), " "))
	}
	return words
}

func claim(state string) string {
	return fmt.Sprintf(`{"confirmation": {"id": "c-1", "version": 1}, "state": %q}`, state)
}
