package control_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/control"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

func TestAClaimIsRecordedAndMayBeRepeated(t *testing.T) {
	s := newStage(t)
	a := s.started()
	body := `{"confirmation": {"id": "c-1", "version": 1, "more": true}, "state": "tracking", "ref": "a-1", "reason": null, "mood": 1}`
	s.Expect(a.post("/v1/tasks/t-1/states", body).status).To(Equal(http.StatusOK))
	s.Expect(a.post("/v1/tasks/t-1/states", body).status).To(Equal(http.StatusOK))
	claims := s.of(history.ControlClaim)
	s.Expect(claims).To(HaveLen(2))
	s.Expect(*claims[1].Control).To(Equal(history.Control{State: "tracking", Ref: "a-1", Confirmation: "c-1", Version: 1}))
	s.Expect(claims[1].Task + " " + claims[1].Work).To(Equal("t-1 w-1"))
	s.Expect(s.events()).To(ContainElement("agent claims tracking of t-1 w-1"))
}

func TestEveryStateCanBeClaimed(t *testing.T) {
	s := newStage(t)
	a := s.started()
	for _, state := range control.States() {
		s.Expect(a.post("/v1/tasks/t-1/states", claim(state)).status).To(Equal(http.StatusOK), state)
	}
}

func TestALongReasonIsClippedAndALongIdRefused(t *testing.T) {
	s := newStage(t)
	a := s.started()
	long := strings.Repeat("ü", 1000)
	s.Expect(a.post("/v1/tasks/t-1/states", `{"confirmation": {"id": "c-1", "version": 1}, "state": "failed", "reason": "`+long+`"}`).status).To(Equal(http.StatusOK))
	s.Expect(s.of(history.ControlClaim)[0].Control.Reason).To(Equal(long[:1024] + " [... 976 bytes more]"))
	s.Expect(a.post("/v1/tasks/t-1/states", `{"confirmation": {"id": "`+long+`", "version": 1}, "state": "failed"}`).body).
		To(Equal(map[string]any{"error": "confirmation.id: longer than 256 bytes", "field": "confirmation.id"}))
}

func TestAMissingOrMistypedFieldIsRefusedWithItsPath(t *testing.T) {
	s := newStage(t)
	a := s.started()
	for _, c := range []struct{ path, body, want string }{
		{"states", ``, "body: it is empty: want a JSON object"},
		{"states", `{`, "body: not JSON, or more than one value"},
		{"states", `{} {}`, "body: not JSON, or more than one value"},
		{"states", `[]`, "body: not a JSON object"},
		{"states", `null`, "body: not a JSON object"},
		{"states", `{}`, "confirmation: missing"},
		{"states", `{"state": "failed"}`, "confirmation: missing"},
		{"states", `{"confirmation": null, "state": "failed"}`, "confirmation: missing"},
		{"states", `{"confirmation": "c-1", "state": "failed"}`, "confirmation: not an object"},
		{"states", `{"confirmation": {"version": 1}, "state": "failed"}`, "confirmation.id: missing"},
		{"states", `{"confirmation": {"id": 1, "version": 1}, "state": "failed"}`, "confirmation.id: not a string"},
		{"states", `{"confirmation": {"id": "c-1"}, "state": "failed"}`, "confirmation.version: missing"},
		{"states", `{"confirmation": {"id": "c-1", "version": "1"}, "state": "failed"}`, "confirmation.version: not a whole number from 1"},
		{"states", `{"confirmation": {"id": "c-1", "version": 1.5}, "state": "failed"}`, "confirmation.version: not a whole number from 1"},
		{"states", `{"confirmation": {"id": "c-1", "version": 0}, "state": "failed"}`, "confirmation.version: not a whole number from 1"},
		{"states", `{"confirmation": {"id": "c-1", "version": 1}}`, "state: missing"},
		{"states", claim("happy"), "state: not one of " + strings.Join(control.States(), ", ")},
		{"states", `{"confirmation": {"id": "c-1", "version": 1}, "state": "failed", "ref": 7}`, "ref: not a string"},
		{"states", `{"confirmation": {"id": "c-1", "version": 1}, "state": "failed", "reason": {}}`, "reason: not a string"},
		{"result", `{"unverified": []}`, "status: missing"},
		{"result", `{"status": "won", "unverified": []}`, "status: not one of " + strings.Join(control.Statuses(), ", ")},
		{"result", `{"status": "completed"}`, "unverified: missing"},
		{"result", `{"status": "completed", "unverified": {}}`, "unverified: not an array"},
		{"result", `{"status": "completed", "unverified": ["acceptance"]}`, "unverified[0]: not an object"},
		{"result", `{"status": "completed", "unverified": [{"confirmation": "c-1", "unknown": "acceptance"}, {"confirmation": "c-1"}]}`, "unverified[1].unknown: missing"},
		{"result", `{"status": "completed", "unverified": [` + strings.Repeat(`{"confirmation": "c-1", "unknown": "x"},`, 32) + `{}]}`, "unverified: more than 32 entries"},
		{"result", `{"status": "completed", "unverified": [], "sources": "all"}`, "sources: not an array"},
		{"result", `{"status": "completed", "unverified": [], "disclosures": 1}`, "disclosures: not an array"},
		{"result", `{"status": "answered", "unverified": [], "sources": ["search_kb", 1]}`, "sources[1]: not a string"},
		{"result", `{"status": "answered", "unverified": [], "sources": [` + strings.Repeat(`"a",`, 32) + `"a"]}`, "sources: more than 32 entries"},
	} {
		got := a.post("/v1/tasks/t-1/"+c.path, c.body)
		s.Expect(got.status).To(Equal(http.StatusBadRequest), c.body)
		s.Expect(got.body).To(HaveKeyWithValue("error", c.want), c.body)
		field, _, _ := strings.Cut(c.want, ": ")
		s.Expect(got.body).To(HaveKeyWithValue("field", field), c.body)
	}
	s.Expect(s.of(history.ControlClaim)).To(BeEmpty())
	s.Expect(s.of(history.ControlResult)).To(BeEmpty())
	refused := s.of(history.ControlRefused)[0]
	s.Expect(refused.Task + " " + refused.Work).To(Equal("t-1 w-1"))
	s.Expect(*refused.Control).To(Equal(history.Control{Status: 400, Problem: "body: it is empty: want a JSON object", Count: 1}))
}

func TestTheFirstResultEndsTheTask(t *testing.T) {
	s := newStage(t)
	a := s.started()
	_, ended := s.plane.Result("t-1")
	s.Expect(ended).To(BeFalse())
	s.Expect(s.plane.Done()).NotTo(BeClosed())
	escalated := `{"status": "escalated", "unverified": [{"confirmation": "c-1", "unknown": "acceptance"}], "output": {"a": 1}}`
	s.Expect(a.post("/v1/tasks/t-1/result", escalated).status).To(Equal(http.StatusOK))
	s.Expect(s.plane.Done()).To(BeClosed())
	for range 2 {
		s.Expect(a.post("/v1/tasks/t-1/result", escalated).status).To(Equal(http.StatusOK), "the same again")
		s.Expect(a.post("/v1/tasks/t-1/result", `{"status": "completed", "unverified": []}`).status).To(Equal(http.StatusOK), "another")
	}
	s.Expect(a.post("/v1/tasks/t-1/states", claim("completed")).status).To(Equal(http.StatusOK), "a claim after the end")
	result, _ := s.plane.Result("t-1")
	s.Expect(result.Status).To(Equal("escalated"))
	s.Expect(result.Work).To(Equal("w-1"))
	s.Expect(result.Unverified).To(Equal([]control.Unverified{{Confirmation: "c-1", Unknown: "acceptance"}}))
	s.Expect(result.Raw).To(MatchJSON(escalated))
	records := s.of(history.ControlResult)
	s.Expect(records).To(HaveLen(2))
	s.Expect(*records[0].Control).To(Equal(history.Control{State: "escalated", Unverified: result.Unverified, Output: `{"a": 1}`}))
	s.Expect(*records[1].Control).To(Equal(history.Control{State: "completed", Unverified: []history.Unverified{}}))
	s.Expect(s.of(history.ControlClaim)).To(HaveLen(1))
}

func TestBothWorkersOfATaskMayReportItsResult(t *testing.T) {
	s := newStage(t)
	a, b := s.started(), s.admit("p-2", "t-1")
	s.Expect(b.get("/v1/work").body).To(HaveKeyWithValue("kind", "task.resume"))
	for _, worker := range []*agent{a, b, a, b} {
		s.Expect(worker.post("/v1/tasks/t-1/result", `{"status": "completed", "unverified": []}`).status).To(Equal(http.StatusOK))
	}
	s.Expect(s.numbers(history.ControlResult)).To(Equal([]string{"w-1 0", "w-2 0"}))
}

func TestAllTasksMustEnd(t *testing.T) {
	s := newStage(t, func(c *control.Config) {
		c.Tasks = []control.Task{{ID: "t-1", Type: "question"}, {ID: "t-2", Type: "question"}}
	})
	a := s.admit("p-1", "t-1", "t-2")
	for _, task := range []string{"t-1", "t-2"} {
		s.Expect(s.plane.Done()).NotTo(BeClosed())
		s.Expect(a.get("/v1/work").body["task"]).To(HaveKeyWithValue("id", task))
		s.Expect(a.post("/v1/tasks/"+task+"/result", `{"status": "answered", "unverified": []}`).status).To(Equal(http.StatusOK))
	}
	s.Expect(s.plane.Done()).To(BeClosed())
}

func TestDifferentResultsAreBounded(t *testing.T) {
	s := newStage(t)
	a := s.started()
	last := 0
	for i := range 40 {
		last = a.post("/v1/tasks/t-1/result", fmt.Sprintf(`{"status": "completed", "unverified": [{"confirmation": "c-1", "unknown": "%d"}]}`, i)).status
	}
	s.Expect(last).To(Equal(http.StatusConflict))
	s.Expect(s.of(history.ControlResult)).To(HaveLen(32))
}
