package agent_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/agent"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// The test program plays two more parts: the agent under
// test, and a whole harness that can be killed. (That of the supervisor plays itself.)
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "__agent" {
		playAgent(os.Args[2], os.Args[3:])
	}
	if len(os.Args) > 2 && os.Args[1] == "__harness" {
		playHarness(os.Args[2:])
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // the agents of these tests end at once, also under the race detector
	os.Exit(m.Run())
}

func playAgent(part string, args []string) {
	switch part {
	case "exit":
		code, _ := strconv.Atoi(args[0])
		os.Exit(code)
	case "wait":
		meet("agent")
	case "tell": // whose child it is
		meet("child of " + strconv.Itoa(os.Getppid()))
	case "deaf":
		signal.Ignore(syscall.SIGTERM)
		meet("agent")
	case "polite":
		term := make(chan os.Signal, 1)
		signal.Notify(term, syscall.SIGTERM)
		go meet("agent")
		<-term
		os.Exit(5)
	case "child":
		meet(args[0])
	case "family":
		spawn(false, "child", "same group")
		spawn(true, "child", "own session")
		meet("agent")
	case "daemon":
		spawn(true, "child", "daemon")
		spawn(false, "child", "background")
		os.Exit(0)
	case "hopper": // always one step ahead of whoever looks for it
		n, _ := strconv.Atoi(args[0])
		if n == 0 {
			meet("last hopper")
		}
		spawn(true, "hopper", strconv.Itoa(n-1))
		os.Exit(0)
	case "patricide":
		spawn(true, "child", "orphan")
		hear := dial("agent")
		hear.Scan() // the test says when
		_ = syscall.Kill(os.Getppid(), syscall.SIGKILL)
		select {}
	case "print":
		size, _ := strconv.Atoi(args[0])
		line := []byte(strings.Repeat("x", 99) + "\n")
		block := []byte(strings.Repeat(string(line), 10_000))
		fmt.Println("first line")
		for ; size > 0; size -= len(block) {
			os.Stdout.Write(block)
		}
		fmt.Fprintln(os.Stderr, "last line")
		os.Exit(0)
	case "parrot":
		parrot()
	case "yes":
		printForEver()
	case "mute":
		os.Stdout.Close()
		os.Stderr.Close()
		meet("agent")
	case "environment":
		for _, entry := range os.Environ() {
			fmt.Println(entry)
		}
		dir, _ := os.Getwd()
		fmt.Println("dir", dir)
		os.Exit(0)
	}
	os.Exit(99)
}

// spawn starts this program again as a child that nobody waits for.
func spawn(session bool, args ...string) {
	cmd := exec.Command(os.Args[0], append([]string{"__agent"}, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: session}
	if err := cmd.Start(); err != nil {
		fmt.Println("spawn:", err)
		os.Exit(98)
	}
}

// dial presents this process to the test. The connection's end tells the test
// that the process is gone.
func dial(name string) *bufio.Scanner {
	conn, err := net.Dial("tcp", os.Getenv("LOSTRECEIPT_URL"))
	if err != nil {
		os.Exit(97)
	}
	fmt.Fprintf(conn, "%s\n", name)
	in := bufio.NewScanner(conn)
	go func() { // keep the connection reachable
		time.Sleep(time.Hour)
		conn.Close()
	}()
	echo = conn
	return in
}

var echo net.Conn

// meet presents this process and answers every line until it is killed.
func meet(name string) {
	in := dial(name)
	for in.Scan() {
		fmt.Fprintf(echo, "%s\n", in.Text())
	}
	select {}
}

func playHarness(args []string) {
	runner, err := agent.New(agent.Config{Log: history.NewLog(nil), Command: append([]string{os.Args[0]}, args...)})
	if err == nil {
		_, err = runner.Start(context.Background(), agent.Launch{Process: "p-1", Task: "t-1", URL: os.Getenv("MEET")})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	meetAt(os.Getenv("MEET"))
}

func meetAt(address string) {
	os.Setenv("LOSTRECEIPT_URL", address)
	meet("harness")
}
