package control_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/control"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

func TestATokenOpensOnlyItsOwnTasks(t *testing.T) {
	s := newStage(t)
	s.started()
	for _, token := range []string{"", "guess"} {
		stranger := s.with(token)
		s.Expect(stranger.get("/v1/work").status).To(Equal(http.StatusUnauthorized))
		s.Expect(stranger.post("/v1/tasks/t-1/result", `{"status": "completed", "unverified": []}`).status).To(Equal(http.StatusUnauthorized))
	}
	other := s.admit("p-2", "t-9")
	s.Expect(other.get("/v1/work").status).To(Equal(http.StatusNoContent))
	s.Expect(other.get("/v1/tasks/t-1/inbox").status).To(Equal(http.StatusNotFound))
	s.Expect(other.post("/v1/tasks/t-1/states", claim("failed")).status).To(Equal(http.StatusNotFound))
	s.Expect(other.post("/v1/tasks/t-1/result", `{"status": "completed", "unverified": []}`).status).To(Equal(http.StatusNotFound))
	s.Expect(s.of(history.ControlResult)).To(BeEmpty())
	s.Expect(s.of(history.ControlClaim)).To(BeEmpty())
}

func TestAStrangerCannotUseUpTheRequestsOfATask(t *testing.T) {
	s := newStage(t, func(c *control.Config) { c.MaxRequests = 20 })
	owner, stranger := s.started(), s.admit("p-2")
	for range 15 {
		s.Expect(stranger.get("/v1/tasks/t-1/inbox").status).To(Equal(http.StatusNotFound))
		s.Expect(owner.get("/v1/tasks/t-1/inbox").status).To(Equal(http.StatusOK))
	}
	s.Expect(stranger.get("/v1/tasks/t-77/inbox").status).To(Equal(http.StatusNotFound))
}

func TestUnknownRoutesAndMethodsAreRefused(t *testing.T) {
	s := newStage(t)
	a := s.admit("p-1", "t-1")
	s.Expect(a.get("/v2/work").status).To(Equal(http.StatusNotFound))
	s.Expect(a.post("/v1/work", "").status).To(Equal(http.StatusMethodNotAllowed))
	s.Expect(a.do(http.MethodHead, "/v1/work", "").status).To(Equal(http.StatusMethodNotAllowed))
	s.Expect(s.of(history.WorkGiven)).To(BeEmpty(), "a HEAD takes no work")
}

// endless is a body that never ends; it counts what was read of it.
type endless struct{ n atomic.Int64 }

func (e *endless) Read(p []byte) (int, error) { e.n.Add(int64(len(p))); return len(p), nil }

func TestABodyOverTheLimitIsNotReadOn(t *testing.T) {
	s := newStage(t)
	a := s.started()
	for _, declared := range []int64{100 << 20, -1} { // declared, and in chunks
		body := &endless{}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.plane.URL()+"/v1/tasks/t-1/states", io.LimitReader(body, 100<<20))
		s.Expect(err).NotTo(HaveOccurred())
		request.ContentLength = declared
		request.Header.Set("Authorization", "Bearer "+a.token)
		response, err := a.client.Do(request)
		if err == nil { // else the connection was reset while the client was writing
			s.Expect(response.StatusCode).To(Equal(http.StatusRequestEntityTooLarge))
			response.Body.Close()
		}
		s.Expect(body.n.Load()).To(BeNumerically("<", 50<<20))
	}
	s.Eventually(func() int { return len(s.of(history.ControlRefused)) }, time.Minute).Should(Equal(1), "one record, and one folded")
	s.Expect(a.get("/v1/confirmations/c-1").status).To(Equal(http.StatusOK), "the plane goes on")
}

// raw sends bytes and reads the reply to its end.
func (a *agent) raw(sent string, half bool) string {
	a.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(a.plane.URL(), "http://"))
	a.Expect(err).NotTo(HaveOccurred())
	defer conn.Close()
	a.Expect(conn.SetDeadline(time.Now().Add(time.Minute))).To(Succeed())
	_, err = io.WriteString(conn, "POST /v1/tasks/t-1/states HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+a.token+"\r\n"+sent)
	a.Expect(err).NotTo(HaveOccurred())
	if half {
		a.Expect(conn.(*net.TCPConn).CloseWrite()).To(Succeed())
	}
	got, _ := io.ReadAll(conn)
	return string(got)
}

func TestABodyThatDeclaresTooMuchIsNotAwaited(t *testing.T) {
	a := newStage(t).started()
	a.Expect(a.raw("Content-Length: 104857600\r\n\r\n", false)).To(HavePrefix("HTTP/1.1 413 "))
}

func TestABodyThatEndsTooEarlyIsRefused(t *testing.T) {
	a := newStage(t).started()
	a.Expect(a.raw("Content-Length: 100\r\n\r\n{", true)).To(HavePrefix("HTTP/1.1 400 "))
	a.Expect(a.of(history.ControlRefused)[0].Control.Problem).To(Equal("body: it ended too early"))
}

func TestAFloodIsFoldedAndReported(t *testing.T) {
	s := newStage(t, func(c *control.Config) { c.MaxRequests = 20 })
	a := s.started()
	for range 20 {
		s.Expect(a.get("/v1/tasks/t-1/inbox").status).To(Equal(http.StatusOK))
	}
	s.Expect(s.plane.Failed()).NotTo(BeClosed())
	for range 500 {
		s.Expect(a.get("/v1/tasks/t-1/inbox").status).To(Equal(http.StatusTooManyRequests))
	}
	s.Expect(s.plane.Failed()).To(BeClosed())
	s.Expect(s.plane.Err()).To(MatchError("control: task t-1: more than 20 requests: the agent floods the control plane"))
	s.Expect(errors.Is(s.plane.Err(), control.ErrFlooded)).To(BeTrue())
	s.Expect(s.plane.Close()).To(Succeed())
	counts := []int{}
	for _, r := range s.of(history.ControlRefused) {
		s.Expect(r.Control.Problem).To(Equal("more than 20 requests"))
		counts = append(counts, r.Control.Count)
	}
	s.Expect(counts).To(Equal([]int{1, 9, 90, 400}), "the sum is exact")
}

func TestAFloodWithoutATokenIsReportedToo(t *testing.T) {
	s := newStage(t, func(c *control.Config) { c.MaxRequests = 20 })
	stranger := s.with("guess")
	for range 21 {
		stranger.get("/v1/work")
	}
	s.Expect(s.plane.Err()).To(MatchError(control.ErrFlooded))
}

func TestDifferentRefusalsAreBounded(t *testing.T) {
	s := newStage(t)
	for range 300 {
		s.with(s.plane.Admit("p", "t-1")).get("/v2") // alike
		s.with(s.plane.Admit(strings.Repeat("p", len(s.of(history.ControlRefused))+2), "t-1")).get("/v2")
	}
	s.Expect(s.plane.Close()).To(Succeed())
	refused, sum := s.of(history.ControlRefused), 0
	for _, r := range refused {
		sum += r.Control.Count
	}
	s.Expect(sum).To(Equal(600))
	s.Expect(len(refused)).To(BeNumerically("<", 270))
}

func TestAPlaneThatCannotWorkIsRefused(t *testing.T) {
	s := newStage(t)
	for want, tasks := range map[string][]control.Task{
		`control: task "": ids must be given and differ`:                                     {{}},
		`control: task "t-1": ids must be given and differ`:                                  {{ID: "t-1"}, {ID: "t-1"}},
		`control: task t-2: confirmation "c-1": ids must be given and differ over all tasks`: {oneTask(), {ID: "t-2", Confirmations: oneTask().Confirmations}},
	} {
		_, err := control.New(control.Config{Log: s.log, Tasks: tasks})
		s.Expect(err).To(MatchError(want))
	}
	_, err := control.New(control.Config{Log: s.log, Tasks: []control.Task{{ID: "t-1", Confirmations: []control.Confirmation{{ID: "c-1"}}}}})
	s.Expect(err).To(MatchError(ContainSubstring("control: task t-1: confirmation c-1: content is not a JSON object: ")))
	_, err = control.New(control.Config{})
	s.Expect(err).To(MatchError("control: no log"))
}

func TestConnectionsLeftBehindDoNotRunThePlaneDry(t *testing.T) {
	s := newStage(t)
	a := s.started()
	for range 1500 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.plane.URL(), "http://"))
		s.Expect(err).NotTo(HaveOccurred())
		defer conn.Close()
		s.Expect(conn.SetDeadline(time.Now().Add(time.Minute))).To(Succeed())
		_, err = io.WriteString(conn, "GET /v1/confirmations/c-1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+a.token+"\r\n\r\n")
		s.Expect(err).NotTo(HaveOccurred())
		start := make([]byte, 15)
		_, err = io.ReadFull(conn, start)
		s.Expect(err).NotTo(HaveOccurred())
		s.Expect(string(start)).To(Equal("HTTP/1.1 200 OK"))
	}
}
