package control_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/control"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

func endpoints(_ context.Context, task, work string) (map[string]string, error) {
	return map[string]string{"approval": "http://127.0.0.1:1/" + task + "/" + work, "desk": "http://127.0.0.1:2"}, nil
}

func TestTheFirstProcessIsGivenTheTaskAsTheProtocolWritesIt(t *testing.T) {
	s := newStage(t, func(c *control.Config) { c.Open = endpoints })
	a := s.admit("p-1", "t-1")
	got := a.get("/v1/work?wait=20s")
	s.Expect(got.status).To(Equal(http.StatusOK))
	confirmation := got.body["task"].(map[string]any)["confirmation"].(map[string]any)
	digest := confirmation["digest"].(string)
	s.Expect(digest).To(MatchRegexp("^[0-9a-f]{32}$"))
	text, err := json.Marshal(got.body)
	s.Expect(err).NotTo(HaveOccurred())
	s.Expect(text).To(MatchJSON(`{"id": "w-1", "kind": "task.start", "task": {
		"id": "t-1", "type": "purchase-approval", "tenant": "acme", "object": "po-17", "on_cancel": "withdraw",
		"confirmation": {"id": "c-1", "version": 1, "content": {"amount": "1200.00", "currency": "EUR"}, "digest": "` + digest + `", "confirmed_by": "u-1"},
		"state_dir": "/state/t-1",
		"endpoints": {"approval": "http://127.0.0.1:1/t-1/w-1", "desk": "http://127.0.0.1:2"},
		"guarantees": {"approval.submit": {"idempotency": {"supported": false}, "query": {"by_ref": false, "by_key": false}, "void": true, "no_effect_statuses": [403]}},
		"limits": {"attempt_timeout_ms": 400, "max_attempts": 3, "backoff_base_ms": 25, "backoff_max_ms": 400, "backoff_jitter": 0.5,
			"verification_period_ms": 3000, "breaker_threshold": 3, "max_steps": 20}}}`))
	given := s.of(history.WorkGiven)
	s.Expect(given).To(HaveLen(1))
	s.Expect(given[0].Task + " " + given[0].Work).To(Equal("t-1 w-1"))
	facts := history.Facts{Tenant: "acme", Object: "po-17", Confirmation: "c-1", Version: 1, Digest: digest, Content: "of 37 bytes"}
	s.Expect(*given[0].Facts).To(Equal(facts))
	s.Expect(*given[0].Given).To(Equal(history.Given{
		Kind: "task.start", Type: "purchase-approval", OnCancel: "withdraw", Confirmed: []history.Facts{facts}, Process: "p-1",
		Endpoints: []string{"approval", "desk"},
	}))
	s.Expect(s.events()).To(Equal([]string{"agent started of t-1 w-1"}))
	process, task, ok := s.plane.Holder("w-1")
	s.Expect([]any{process, task, ok}).To(Equal([]any{"p-1", "t-1", true}))
}

func TestTheNextProcessResumesWithTheCurrentConfirmation(t *testing.T) {
	s := newStage(t)
	first := s.started()
	before := first.get("/v1/confirmations/c-1").body["digest"]
	s.Expect(s.plane.Revise("t-1", "", map[string]string{"amount": "9.00"})).To(Succeed())
	got := s.admit("p-2", "t-1").get("/v1/work")
	s.Expect(got.body).To(HaveKeyWithValue("id", "w-2"))
	s.Expect(got.body).To(HaveKeyWithValue("kind", "task.resume"))
	confirmation := got.body["task"].(map[string]any)["confirmation"].(map[string]any)
	s.Expect(confirmation).To(HaveKeyWithValue("version", 2.0))
	s.Expect(confirmation["content"]).To(Equal(map[string]any{"amount": "9.00", "currency": "EUR"}))
	s.Expect(confirmation["digest"]).NotTo(Equal(before))
}

func TestSeveralConfirmationsStandInAList(t *testing.T) {
	s := newStage(t, func(c *control.Config) {
		task := oneTask()
		task.Confirmations = append(task.Confirmations, control.Confirmation{ID: "c-2", Content: task.Confirmations[0].Content})
		c.Tasks = []control.Task{task}
	})
	got := s.admit("p-1", "t-1").get("/v1/work").body["task"]
	s.Expect(got).NotTo(HaveKey("confirmation"))
	s.Expect(got).To(HaveKeyWithValue("confirmations", HaveLen(2)))
	confirmed := s.of(history.WorkGiven)[0].Given.Confirmed
	s.Expect(confirmed[0].Digest).NotTo(Equal(confirmed[1].Digest), "equal contents are two intents")
	s.Expect(confirmed[0].Content).To(Equal(confirmed[1].Content))
}

func TestDigestsAreRepeatable(t *testing.T) {
	digest := func(seed uint64) string {
		s := newStage(t, func(c *control.Config) { c.Seed = seed })
		s.started()
		return s.of(history.WorkGiven)[0].Facts.Digest
	}
	g := NewWithT(t)
	g.Expect(digest(1)).To(Equal(digest(1)))
	g.Expect(digest(1)).NotTo(Equal(digest(2)))
}

func TestAProcessIsToldThatThereIsNoMoreWorkOnlyWhenTheRunIsOver(t *testing.T) {
	s := newStage(t, func(c *control.Config) { c.MaxWait = time.Hour })
	a := s.started()
	s.Expect(a.get("/v1/work?wait=1ms").status).To(Equal(http.StatusNoContent))
	s.Expect(a.post("/v1/tasks/t-1/result", `{"status": "completed", "unverified": []}`).status).To(Equal(http.StatusOK))
	s.Expect(a.get("/v1/work?wait=1ms").status).To(Equal(http.StatusNoContent), "what it does after its end is watched")
	s.Expect(s.admit("p-2", "t-1").get("/v1/work").status).To(Equal(http.StatusNoContent), "a task that has ended is not given again")
	s.plane.Finish()
	s.Expect(a.get("/v1/work").status).To(Equal(http.StatusGone))
}

func TestFinishEndsEveryWaitForWork(t *testing.T) {
	s := newStage(t, func(c *control.Config) { c.MaxWait = time.Hour })
	a := s.started()
	asked := make(chan int)
	go func() { asked <- a.get("/v1/work?wait=60m").status }()
	s.plane.Finish()
	s.Eventually(asked, time.Minute).Should(Receive(Equal(http.StatusGone)))
}

func TestCloseAnswersWhoWaits(t *testing.T) {
	s := newStage(t)
	a := s.started()
	inbox, before := make(chan answer), s.plane.Activity()
	go func() { inbox <- a.get("/v1/tasks/t-1/inbox?wait=1m") }()
	s.Eventually(s.plane.Activity, time.Minute).Should(BeNumerically(">", before))
	s.Expect(s.plane.Close()).To(Succeed())
	select {
	case got := <-inbox:
		s.Expect(got.body).To(HaveKeyWithValue("items", BeEmpty()))
	case <-time.After(time.Minute):
		t.Fatal("the inbox was not answered")
	}
}

func TestWorkWhoseReplyWasLostIsGivenAgain(t *testing.T) {
	hangUp := make(chan context.CancelFunc, 1)
	s := newStage(t, func(c *control.Config) {
		c.Open = func(ctx context.Context, task, work string) (map[string]string, error) {
			if work == "w-1" {
				(<-hangUp)()
				<-ctx.Done()
			}
			return nil, nil
		}
	})
	a := s.admit("p-1", "t-1")
	ctx, cancel := context.WithCancel(t.Context())
	hangUp <- cancel
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.plane.URL()+"/v1/work", nil)
	s.Expect(err).NotTo(HaveOccurred())
	request.Header.Set("Authorization", "Bearer "+a.token)
	_, err = a.client.Do(request)
	s.Expect(err).To(MatchError(context.Canceled))
	var got answer
	s.Eventually(func() int { got = a.get("/v1/work?wait=1s"); return got.status }, time.Minute).Should(Equal(http.StatusOK))
	s.Expect(got.body).To(HaveKeyWithValue("id", "w-2"))
	s.Expect(got.body).To(HaveKeyWithValue("kind", "task.resume"))
}

func TestAnEndpointThatCannotBeOpenedFailsThePlane(t *testing.T) {
	full := errors.New("no port left")
	s := newStage(t, func(c *control.Config) {
		c.Open = func(context.Context, string, string) (map[string]string, error) { return nil, full }
	})
	s.Expect(s.admit("p-1", "t-1").get("/v1/work").status).To(Equal(http.StatusServiceUnavailable))
	s.Expect(s.plane.Failed()).To(BeClosed())
	s.Expect(s.plane.Err()).To(MatchError(full))
	s.Expect(s.plane.Err()).To(MatchError("control: opening the endpoints of w-1 for task t-1: no port left"))
}
