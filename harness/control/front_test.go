package control_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/control"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// marked is a stage whose plane has a mark.
func marked(t *testing.T, mark string) *stage {
	return newStage(t, func(c *control.Config) {
		task := oneTask()
		task.Confirmations[0].ID += "." + mark
		c.Tasks, c.Mark, c.MaxWait = []control.Task{task}, mark, time.Hour
	})
}

// worker is an agent behind a front, and how often it was free and flooded.
type worker struct {
	*agent
	front *control.Front

	mu            sync.Mutex
	frees, floods int
}

func newWorker(s *stage) *worker {
	s.t.Helper()
	w := &worker{}
	count := func(n *int) func() {
		return func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			*n++
		}
	}
	var err error
	w.front, err = control.NewFront(control.FrontConfig{Free: count(&w.frees), Flooded: count(&w.floods), MaxRequests: 40, MaxWait: time.Hour})
	s.Expect(err).NotTo(HaveOccurred())
	s.t.Cleanup(func() { s.Expect(w.front.Close()).To(Succeed()) })
	w.agent = s.with(w.front.Token())
	w.url = w.front.URL()
	return w
}

// joins assigns the worker to a plane as the process of that id.
func (w *worker) joins(s *stage, process string, keep bool) {
	w.front.Assign(s.plane, s.plane.Admit(process, "t-1"), keep)
}

func (w *worker) free() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.frees
}

const completed = `{"status": "completed", "unverified": []}`

func TestAWorkerGoesFromRunToRun(t *testing.T) {
	one, two := marked(t, "1"), marked(t, "2")
	w := newWorker(one)
	w.joins(one, "p-1", false)
	first := w.get("/v1/work").body
	one.Expect(first).To(HaveKeyWithValue("id", "w-1.1"))
	one.Expect(first["task"]).To(HaveKeyWithValue("id", "t-1.1"))
	one.Expect(w.get("/v1/confirmations/c-1.1").status).To(Equal(http.StatusOK))
	one.Expect(w.get("/v1/work").status).To(Equal(http.StatusNoContent))
	one.Expect(w.free()).To(BeZero(), "its task has no result")
	one.Expect(w.post("/v1/tasks/t-1.1/result", completed).status).To(Equal(http.StatusOK))
	one.Expect(w.get("/v1/work").status).To(Equal(http.StatusNoContent))
	one.Expect(w.get("/v1/work").status).To(Equal(http.StatusNoContent))
	one.Expect(w.free()).To(Equal(1))

	asked := make(chan answer)
	go func() { asked <- w.get("/v1/work?wait=60m") }()
	w.joins(two, "p-7", false)
	var second answer
	one.Eventually(asked, time.Minute).Should(Receive(&second))
	one.Expect(second.body).To(HaveKeyWithValue("id", "w-1.2"))
	one.Expect(two.of(history.WorkGiven)[0].Given.Process).To(Equal("p-7"))
	one.Expect(w.post("/v1/tasks/t-1.2/states", claimOf("c-1.2")).status).To(Equal(http.StatusOK))
	claims := two.of(history.ControlClaim)
	one.Expect(claims).To(HaveLen(1))
	one.Expect(claims[0].Task+" "+claims[0].Work).To(Equal("t-1 w-1"), "the history has the ids of the scenario")
	one.Expect(one.of(history.ControlClaim)).To(BeEmpty())
}

func TestWhatAWorkerDoesLateIsOfTheRunThatItLeft(t *testing.T) {
	one, two := marked(t, "1"), marked(t, "2")
	w := newWorker(one)
	w.joins(one, "p-1", false)
	w.get("/v1/work")
	w.post("/v1/tasks/t-1.1/result", completed)
	w.get("/v1/work")
	w.joins(two, "p-1", false)
	w.get("/v1/work")

	one.Expect(w.post("/v1/tasks/t-1.1/states", claimOf("c-1.1")).status).To(Equal(http.StatusOK))
	one.Expect(w.post("/v1/tasks/t-1.1/states", `{}`).status).To(Equal(http.StatusBadRequest))
	one.Expect(w.get("/v1/confirmations/c-1.1").status).To(Equal(http.StatusOK))
	one.Expect(one.of(history.ControlClaim)).To(HaveLen(1))
	one.Expect(one.of(history.ControlRefused)).To(HaveLen(1))

	one.Expect(one.plane.Close()).To(Succeed())
	three := marked(t, "3")
	w.post("/v1/tasks/t-1.2/result", completed)
	w.get("/v1/work")
	w.joins(three, "p-1", false) // with which it forgets what is closed
	w.get("/v1/work")
	before := three.log.Len()
	for _, late := range []answer{
		w.post("/v1/tasks/t-1.1/states", claimOf("c-1.1")), w.get("/v1/tasks/t-1.1/inbox?after=0"), w.get("/v1/confirmations/c-1.1"),
	} {
		one.Expect(late.status).To(Equal(http.StatusNotFound))
		one.Expect(late.body).To(HaveKeyWithValue("error", "this token opens no such task any more"))
	}
	one.Expect(two.of(history.ControlClaim)).To(BeEmpty())
	one.Expect(two.of(history.ControlRefused)).To(BeEmpty())
	one.Expect(three.log.Len()).To(Equal(before), "nothing of it is the next run's")

	one.Expect(w.get("/v1/tasks/t-1/inbox").status).To(Equal(http.StatusNotFound))
	one.Expect(three.of(history.ControlRefused)).To(HaveLen(1), "an id that is nobody's is its own")
}

func TestAWorkerThatIsKeptStaysUntilItsRunIsOver(t *testing.T) {
	s := marked(t, "1")
	w := newWorker(s)
	w.joins(s, "p-1", true)
	w.get("/v1/work")
	w.post("/v1/tasks/t-1.1/result", completed)
	s.Expect(w.get("/v1/work").status).To(Equal(http.StatusNoContent))
	s.Expect(w.free()).To(BeZero())
	asked := make(chan answer)
	go func() { asked <- w.get("/v1/work?wait=60m") }()
	s.plane.Finish()
	s.Eventually(w.free, time.Minute).Should(Equal(1))
	w.front.Retire()
	var got answer
	s.Eventually(asked, time.Minute).Should(Receive(&got))
	s.Expect(got.status).To(Equal(http.StatusGone))
}

func TestAWorkerIsFreeWhenAnotherHasBroughtTheResult(t *testing.T) {
	s := marked(t, "1")
	w := newWorker(s)
	w.joins(s, "p-1", false)
	w.get("/v1/work")
	asked := make(chan answer, 2)
	for range 2 { // and says so once, however often it asks
		go func() { asked <- w.get("/v1/work?wait=60m") }()
	}
	other := s.admit("p-2", "t-1")
	other.get("/v1/work")
	s.Expect(other.post("/v1/tasks/t-1.1/result", completed).status).To(Equal(http.StatusOK))
	s.Eventually(w.free, time.Minute).Should(Equal(1))
	w.front.Retire()
	for range 2 {
		var got answer
		s.Eventually(asked, time.Minute).Should(Receive(&got))
		s.Expect(got.status).To(Equal(http.StatusGone))
	}
	s.Expect(w.free()).To(Equal(1))
}

func TestAWorkerThatFloodsIsToldOfOrFailsItsRun(t *testing.T) {
	s := marked(t, "1")
	w := newWorker(s)
	for range 45 {
		w.get("/v1/work")
	}
	w.mu.Lock()
	s.Expect(w.floods).To(Equal(1))
	w.mu.Unlock()
	w.joins(s, "p-1", false)
	for range 45 {
		w.get("/v1/tasks/t-1.99/inbox")
	}
	s.Expect(s.plane.Failed()).To(BeClosed())
	s.Expect(s.plane.Err()).To(MatchError(control.ErrFlooded))
	w.mu.Lock()
	s.Expect(w.floods).To(Equal(1))
	w.mu.Unlock()
}

func TestAFrontKnowsItsWorkerByTheToken(t *testing.T) {
	s := marked(t, "1")
	w := newWorker(s)
	w.joins(s, "p-1", false)
	w.token = "guessed"
	s.Expect(w.get("/v1/work").status).To(Equal(http.StatusUnauthorized))
	s.Expect(w.get("/v1/confirmations/c-1.1").status).To(Equal(http.StatusUnauthorized))
	s.Expect(w.free()).To(BeZero())
}

func claimOf(confirmation string) string {
	return `{"confirmation": {"id": "` + confirmation + `", "version": 1}, "state": "tracking"}`
}
