package run_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	fakeagent "github.com/lostreceipt/lostreceipt/fakes/agent"
	"github.com/lostreceipt/lostreceipt/harness/agent"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/run"
)

// pidFile is where an agent that forks says what it left behind.
const pidFile = "TEST_PID_FILE"

// work is as much of a work item as the hostile agents look at.
type work struct {
	Task struct {
		ID           string            `json:"id"`
		Endpoints    map[string]string `json:"endpoints"`
		Confirmation struct {
			ID string `json:"id"`
		} `json:"confirmation"`
	} `json:"task"`
}

// hostile is an agent that does what no agent should.
func hostile(how string) {
	switch how {
	case "exits":
		os.Exit(3)
	case "never-asks":
		select {}
	case "reserve-never-asks": // the process in reserve is started first
		if _, err := os.OpenFile(os.Getenv(pidFile), os.O_CREATE|os.O_EXCL, 0o600); err == nil {
			select {}
		} else if err := fakeagent.Run(context.Background(), fakeagent.Options{}); err != nil {
			panic(err)
		}
		os.Exit(0)
	case "starts-slowly": // what is tested is that time passes before it asks
		time.Sleep(3 * time.Second)
		take()
		os.Exit(7)
	case "prints":
		line := strings.Repeat("x", 99) + "\n"
		chunk := []byte(strings.Repeat(line, 10_000))
		for range 100 {
			os.Stdout.Write(chunk)
		}
		os.Exit(0)
	case "floods":
		for {
			send("GET", "/v1/work", nil)
		}
	}
	if how == "comes-back" {
		comeBack()
		os.Exit(0)
	}
	w := take()
	result := "/v1/tasks/" + w.Task.ID + "/result"
	switch how {
	case "floods-services":
		for {
			call(w, "GET", "/v1/approvals?key=k", nil)
		}
	case "malformed":
		send("POST", result, strings.NewReader(`{"status": `))
		send("POST", "/v1/tasks/"+w.Task.ID+"/states", strings.NewReader(`[]`))
		call(w, "POST", "/v1/approvals", strings.NewReader("}{"))
	case "huge":
		const size = 100 << 20
		send("POST", result, io.LimitReader(endless{}, size))
		call(w, "POST", "/v1/approvals", io.LimitReader(endless{}, size))
	case "ignores-sigterm":
		signal.Ignore(syscall.SIGTERM)
	case "forks":
		child := exec.Command("sleep", "3600")
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // out of the group, and out of the session
		if err := child.Start(); err != nil {
			panic(err)
		}
		if err := os.WriteFile(os.Getenv(pidFile), []byte(strconv.Itoa(child.Process.Pid)), 0o600); err != nil {
			panic(err)
		}
		os.Exit(0)
	case "acts-after-its-end":
		for ; ; w = take() {
			send("POST", "/v1/tasks/"+w.Task.ID+"/result", strings.NewReader(`{"status": "completed", "unverified": []}`))
			// A thread that was forgotten lives as long as its process, which asks for more work meanwhile.
			time.AfterFunc(300*time.Millisecond, func() { call(w, "POST", "/v1/approvals", strings.NewReader(`{}`)) })
		}
	}
	select {}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '7'
	}
	return len(p), nil
}

// take asks for work until there is some, and ends the process when there is no more.
func take() (w work) {
	for w.Task.ID == "" {
		text := send("GET", "/v1/work?wait=5s", nil)
		if bytes.Contains(text, []byte("no more work")) {
			os.Exit(0)
		}
		_ = json.Unmarshal(text, &w) // it stays empty if there is none
	}
	return w
}

// send asks the control plane and returns the body of its reply.
func send(method, path string, body io.Reader) []byte {
	return request(method, os.Getenv("LOSTRECEIPT_URL")+path, body)
}

// call calls the approval service.
func call(w work, method, path string, body io.Reader) []byte {
	return request(method, w.Task.Endpoints["approval"]+path, body)
}

func request(method, url string, body io.Reader) []byte {
	r, err := http.NewRequest(method, url, body)
	if err != nil {
		panic(err)
	}
	r.Header.Set("Authorization", "Bearer "+os.Getenv("LOSTRECEIPT_TOKEN"))
	r.Header.Set("Idempotency-Key", "k")
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil
	}
	defer reply.Body.Close()
	text, _ := io.ReadAll(reply.Body)
	return text
}

// accuses demands a finding of the rule, or that the machine was too busy for it and the verdict says so.
func (s *stage) accuses(r run.Result, rule string) {
	s.t.Helper()
	if r.Verdict.Outcome == judge.Undetermined || r.Verdict.Outcome == judge.Vacuous {
		s.Expect(r.Verdict.Reasons).To(ContainElement(And(HavePrefix(rule+": "), ContainSubstring("noise"))), r.Job.Label)
		return
	}
	s.Expect(r.Verdict.Outcome).To(Equal(judge.Violation), "%s: %v", r.Job.Label, r.Verdict.Reasons)
	s.Expect(rulesOf(r)).To(ContainElement(rule), r.Job.Label)
}

func TestAHostileAgentGetsAVerdictAndItsNeighboursArePassed(t *testing.T) {
	s := newStage(t)
	scene := s.catalogued("no-fault")
	cases := []struct {
		name   string
		reason string
		rule   string
	}{
		{"exits", run.AgentEnded, "agent-crashed"},
		{"never-asks", run.Deadline, "never-settled"},
		{"prints", run.AgentEnded, "agent-crashed"},
		{"malformed", run.Deadline, "never-settled"},
		{"huge", run.Deadline, "never-settled"},
		{"ignores-sigterm", run.Deadline, "never-settled"},
		{"forks", run.AgentEnded, "agent-crashed"},
		{"acts-after-its-end", run.Settled, "fabricated-success"},
	}
	pids := s.t.TempDir() + "/pid"
	env := append(os.Environ(), pidFile+"="+pids)
	var jobs []run.Job
	for _, c := range cases {
		jobs = append(jobs, run.Job{
			Scenario: scene, Agent: run.Command{Args: []string{os.Args[0], "hostile", c.name}, Env: env}, Label: c.name, Dir: s.dir(c.name),
		})
	}
	// The neighbour runs beside them, and often enough to be beside each.
	for n := range 4 {
		label := fmt.Sprintf("neighbour-%d", n)
		jobs = append(jobs, run.Job{Scenario: scene, Agent: reference(""), Label: label, Dir: s.dir(label)})
	}
	results := run.All(t.Context(), jobs, s.shared(0))
	s.Expect(results).To(HaveLen(len(jobs)))
	for i, c := range cases {
		r := results[i]
		records := s.stored(r.Job.Dir)
		s.accuses(r, c.rule)
		s.Expect(r.Reason).To(Equal(c.reason), c.name)
		s.Expect(r.Problem).To(BeEmpty(), c.name)
		s.Expect(records[len(records)-1].Run.Reason).To(Equal(c.reason), c.name)
		s.Expect(len(records)).To(BeNumerically("<", 40_000), c.name)
		log, err := os.Stat(r.Job.Dir.AgentLog())
		s.Expect(err).NotTo(HaveOccurred())
		s.Expect(log.Size()).To(BeNumerically("<", 3*agent.DefaultOutput), c.name)
	}
	for _, r := range results[len(cases):] {
		s.Expect(r.Verdict.Outcome).To(Equal(judge.Pass), "%s: %v %v", r.Job.Label, rulesOf(r), r.Verdict.Reasons)
	}

	ignored := ofKind(s.stored(s.dir("ignores-sigterm")), history.ProcessExited)
	s.Expect(ignored).To(HaveLen(1))
	s.Expect(*ignored[0].Process).To(Equal(history.Process{ID: "p-1", Code: -1, Signal: "SIGKILL", Reason: agent.Stopped}))

	text, err := os.ReadFile(pids)
	s.Expect(err).NotTo(HaveOccurred())
	pid, err := strconv.Atoi(string(bytes.TrimSpace(text)))
	s.Expect(err).NotTo(HaveOccurred())
	s.Expect(syscall.Kill(pid, 0)).To(MatchError(syscall.ESRCH), "the daemon that the agent left")

	after := s.stored(s.dir("acts-after-its-end"))
	s.Expect(ofKind(after, history.CallSent)[0].N).To(BeNumerically(">", ofKind(after, history.ControlResult)[0].N))
}

func TestAProgramThatStartsSlowlyIsGivenItsWork(t *testing.T) {
	s := newStage(t)
	shared := s.shared(0.005) // an allowance of 0.7 s: far less than the start takes
	shared.StartTimeout = time.Minute
	r, records := s.one(t.Context(), run.Job{
		Scenario: s.catalogued("no-fault"), Agent: run.Command{Args: []string{os.Args[0], "hostile", "starts-slowly"}},
	}, shared)
	s.Expect(ofKind(records, history.WorkGiven)).To(HaveLen(1))
	s.Expect(r.Reason).To(Equal(run.AgentEnded))
	s.Expect(rulesOf(r)).To(Equal([]string{"agent-crashed"}))
}

func TestAFloodEndsTheRun(t *testing.T) {
	s := newStage(t)
	var jobs []run.Job
	for _, name := range []string{"floods", "floods-services"} {
		jobs = append(jobs, run.Job{
			Scenario: s.catalogued("no-fault"), Agent: run.Command{Args: []string{os.Args[0], "hostile", name}}, Dir: s.dir(name),
		})
	}
	for _, r := range run.All(t.Context(), jobs, s.shared(2)) { // so that the deadline is far
		s.Expect(r.Reason).To(Equal(run.Flooded))
		s.Expect(r.Verdict.Outcome).To(Equal(judge.Violation))
		s.Expect(len(s.stored(r.Job.Dir))).To(BeNumerically("<", 40_000))
	}
}

func TestAnAgentIsWatchedAfterItsResultUnlessNobodyIsLeft(t *testing.T) {
	s := newStage(t)
	r, records := s.one(t.Context(), run.Job{
		Scenario: s.catalogued("no-fault"), Agent: run.Command{Args: []string{os.Args[0], "hostile", "acts-after-its-end"}},
	}, s.shared(0))
	last := ofKind(records, history.CallPassed)
	s.Expect(last).NotTo(BeEmpty(), "what it did after its end")
	end := records[len(records)-1].At
	s.Expect(end - last[len(last)-1].At).To(BeNumerically(">=", s.limits().Settling()))
	s.Expect(r.Reason).To(Equal(run.Settled))

	r, records = s.one(t.Context(), run.Job{
		Scenario: s.catalogued("no-fault"), Agent: run.Command{Args: []string{os.Args[0], "hostile", "exits"}}, Dir: s.dir("exits"),
	}, s.shared(4))
	s.Expect(r.Reason).To(Equal(run.AgentEnded))
	s.Expect(records[len(records)-1].At).To(BeNumerically("<", time.Minute), "the settling at this scale is 64 s")
}

func TestASecondWorkerThatWasNeverGivenTheTaskHasProvenNothing(t *testing.T) {
	s := newStage(t)
	env := append(os.Environ(), pidFile+"="+filepath.Join(s.t.TempDir(), "reserve"))
	shared := s.shared(0)
	shared.StartTimeout = 5 * time.Second // of the one in reserve, and of the one that must come
	r, records := s.one(t.Context(), run.Job{
		Scenario: s.catalogued("two-workers"), Agent: run.Command{Args: []string{os.Args[0], "hostile", "reserve-never-asks"}, Env: env},
	}, shared)
	s.Expect(r.Reason).To(Equal(run.Settled))
	failed := ofKind(records, history.FaultFailed)
	s.Expect(failed).To(HaveLen(1))
	s.Expect(failed[0].Fault.Reason).To(Equal("the run ended before redispatch was in force"))
	s.Expect(r.Verdict.Outcome).To(Equal(judge.HarnessError), "%v %v", rulesOf(r), r.Verdict.Reasons)
}
