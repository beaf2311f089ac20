package run_test

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	. "github.com/onsi/gomega"

	fakeagent "github.com/lostreceipt/lostreceipt/fakes/agent"
	"github.com/lostreceipt/lostreceipt/harness/control"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
)

// service is the reference agent as a service that runs until the test ends.
func (s *stage) service() *run.Service {
	s.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	s.Expect(err).NotTo(HaveOccurred())
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- fakeagent.Serve(ctx, fakeagent.Options{}, l) }()
	s.t.Cleanup(func() {
		cancel()
		s.Expect(<-ended).To(Succeed())
	})
	return s.at("http://" + l.Addr().String() + "/work")
}

// served is an agent behind a handler.
func (s *stage) served(h http.Handler) *run.Service {
	server := httptest.NewServer(h)
	s.t.Cleanup(server.Close)
	return s.at(server.URL)
}

func (s *stage) at(url string) *run.Service {
	s.t.Helper()
	service, err := run.NewService(url)
	s.Expect(err).NotTo(HaveOccurred())
	s.t.Cleanup(service.Close)
	return service
}

func TestAServiceIsPushedTheSameWork(t *testing.T) {
	s := newStage(t)
	service := s.service()
	scenes := []*scenario.Scenario{s.catalogued("no-fault"), s.catalogued("lost-receipt-reset"), s.written(twoTasks), s.catalogued("kill-before-receipt")}
	results := run.All(t.Context(), s.jobs(service, scenes...), s.shared(0))
	s.passed(results[:3])
	s.Expect(results[3].Verdict.Outcome).To(Equal(judge.NotApplicable))
	s.Expect(results[3].Lacking).To(Equal([]string{"restart"}))
	s.Expect(ofKind(s.stored(results[2].Job.Dir), history.WorkGiven)).To(HaveLen(2))
}

func TestAServiceThatTakesNoWorkFailsTheTask(t *testing.T) {
	s := newStage(t)
	r, records := s.one(t.Context(), run.Job{Scenario: s.catalogued("no-fault"), Agent: s.served(http.NotFoundHandler())}, s.shared(0))
	s.Expect(r.Reason).To(Equal(run.AgentEnded))
	s.Expect(rulesOf(r)).To(ContainElement("agent-crashed"))
	s.Expect(ofKind(records, history.ProcessExited)[0].Process.Reason).To(Equal("the service answered the work item with status 404: want 202 at once"))
}

func TestAServiceThatIsNotThereIsAHarnessError(t *testing.T) {
	s := newStage(t)
	gone, err := run.NewService("http://127.0.0.1:1/work")
	s.Expect(err).NotTo(HaveOccurred())
	r, _ := s.one(t.Context(), run.Job{Scenario: s.catalogued("no-fault"), Agent: gone}, s.shared(0))
	s.Expect(r.Verdict.Outcome).To(Equal(judge.HarnessError))
	s.Expect(r.Problem).To(ContainSubstring("agent at http://127.0.0.1:1/work: "))
	_, err = run.NewService("127.0.0.1:8080")
	s.Expect(err).To(MatchError(`run: agent at "127.0.0.1:8080": want a URL such as http://127.0.0.1:8080/work`))
}

func TestAServiceThatDoesNothingIsNotWaitedForForEver(t *testing.T) {
	s := newStage(t)
	var item any
	idle := s.served(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewDecoder(r.Body).Decode(&item)
		w.WriteHeader(http.StatusAccepted)
	}))
	r, _ := s.one(t.Context(), run.Job{Scenario: s.catalogued("no-fault"), Agent: idle}, s.shared(0))
	s.Expect(r.Reason).To(Equal(run.Deadline))
	doc, err := openapi3.NewLoader().LoadFromData(control.OpenAPI())
	s.Expect(err).NotTo(HaveOccurred())
	s.Expect(doc.Components.Schemas["PushedWork"].Value.VisitJSON(item)).To(Succeed())
	s.Expect(item).To(HaveKeyWithValue("control", HaveKeyWithValue("token", Not(BeEmpty()))))
}
