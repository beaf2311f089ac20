package agent_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	"github.com/lostreceipt/lostreceipt/harness/agent"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// guest is a process that presented itself.
type guest struct {
	name string
	conn net.Conn
	in   *bufio.Reader
}

// gone waits until the process has ended.
func (g guest) gone(t *testing.T) {
	t.Helper()
	NewWithT(t).Expect(g.conn.SetReadDeadline(time.Now().Add(time.Minute))).To(Succeed())
	_, err := io.Copy(io.Discard, g.in)
	if ne, ok := err.(net.Error); ok && ne.Timeout() {
		t.Fatalf("the process %q is still there", g.name)
	}
}

// answers sends a line and waits for its echo.
func (g guest) answers(t *testing.T) {
	t.Helper()
	NewWithT(t).Expect(g.conn.SetDeadline(time.Now().Add(time.Minute))).To(Succeed())
	_, err := io.WriteString(g.conn, "ping\n")
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	NewWithT(t).Expect(g.in.ReadString('\n')).To(Equal("ping\n"))
}

// stage is a runner, its log, and the door at which its processes present themselves.
type stage struct {
	*WithT
	t      *testing.T
	log    *history.Log
	door   net.Listener
	runner *agent.Runner
}

func newStage(t *testing.T, part ...string) *stage {
	t.Helper()
	s := &stage{WithT: NewWithT(t), t: t, log: history.NewLog(nil)}
	before := gleak.Goroutines()
	door, err := net.Listen("tcp", "127.0.0.1:0")
	s.Expect(err).NotTo(HaveOccurred())
	s.door = door
	s.runner, err = agent.New(agent.Config{Log: s.log, Command: append([]string{os.Args[0], "__agent"}, part...)})
	s.Expect(err).NotTo(HaveOccurred())
	t.Cleanup(func() {
		s.runner.Close()
		door.Close()
		s.Eventually(gleak.Goroutines, time.Minute).ShouldNot(gleak.HaveLeaked(before))
	})
	return s
}

func (s *stage) start(id string) *agent.Process {
	s.t.Helper()
	p, err := s.runner.Start(context.Background(), agent.Launch{Process: id, Task: "t-1", URL: s.door.Addr().String(), Token: "secret"})
	s.Expect(err).NotTo(HaveOccurred())
	return p
}

// guests waits for n processes.
func (s *stage) guests(n int) map[string]guest {
	s.t.Helper()
	guests := map[string]guest{}
	for range n {
		s.Expect(s.door.(*net.TCPListener).SetDeadline(time.Now().Add(time.Minute))).To(Succeed())
		conn, err := s.door.Accept()
		s.Expect(err).NotTo(HaveOccurred())
		s.t.Cleanup(func() { conn.Close() })
		in := bufio.NewReader(conn)
		name, err := in.ReadString('\n')
		s.Expect(err).NotTo(HaveOccurred())
		name = name[:len(name)-1]
		guests[name] = guest{name: name, conn: conn, in: in}
	}
	return guests
}

// within waits for the end of a process.
func (s *stage) within(ch <-chan struct{}) {
	s.t.Helper()
	select {
	case <-ch:
	case <-time.After(time.Minute):
		s.t.Fatal("the process does not end")
	}
}

func (s *stage) output() string {
	s.t.Helper()
	var b bytes.Buffer
	s.Expect(s.runner.WriteOutput("t-1", &b)).To(Succeed())
	return b.String()
}

// kinds are the kinds of the records so far.
func (s *stage) kinds() []history.Kind {
	var kinds []history.Kind
	for _, r := range s.log.Records() {
		kinds = append(kinds, r.Kind)
	}
	return kinds
}

// last is the last record's process.
func (s *stage) last() history.Process {
	records := s.log.Records()
	return *records[len(records)-1].Process
}
