package wire_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The clients that everything here is proven with. Each is a process that makes
// one call for each line of its standard input and tells what it got.
var clients = []string{"Go net/http", "curl", "Python urllib", "Python http.client", "Node fetch"}

// clientVar tells this test binary to be the Go client.
const clientVar = "LOSTRECEIPT_TEST_CLIENT"

func TestMain(m *testing.M) {
	switch os.Getenv(clientVar) {
	case "go":
		goClient(os.Stdin, os.Stdout)
		os.Exit(0)
	case "burn":
		go spin()
		_, _ = io.Copy(io.Discard, os.Stdin) // ends with the test
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func spin() {
	for {
	}
}

// burn keeps every processor busy until the test is over: twice as many
// processes as there are processors do nothing else.
func burn(t testing.TB) {
	t.Helper()
	for range 2 * runtime.NumCPU() {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), clientVar+"=burn")
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			in.Close()
			_ = cmd.Wait()
		})
	}
}

// wanted is one call that a client is to make.
type wanted struct {
	URL     string  `json:"url"`
	Body    string  `json:"body"`
	Key     string  `json:"key,omitempty"` // Idempotency-Key
	Timeout float64 `json:"timeout"`       // seconds
	Chunked bool    `json:"chunked,omitempty"`
}

// got is what a client says of a call: what it read whole, or its error.
type got struct {
	Status int    `json:"status"`
	Body   string `json:"body"`
	Error  string `json:"error"`
}

// hand is a client at work.
type hand interface {
	// call makes one call. It is false when the client has ended before it said anything.
	call(w wanted) (got, bool)
	// kill ends the client's process at once, stop stops it (SIGSTOP).
	kill()
	stop()
	// end lets it end by itself, and waits.
	end()
}

// hire starts a client.
func hire(t testing.TB, name string) hand {
	t.Helper()
	if name == "curl" {
		return &curl{t: t, path: program(t, "curl")}
	}
	return talk(t, command(t, name))
}

func program(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	return path
}

// python is the interpreter itself, where python3 is a script that looks for it.
func python(t testing.TB) string {
	t.Helper()
	path := program(t, "python3")
	if real, err := interpreter(path); err == nil {
		return real
	}
	return path
}

var interpreter = func() func(string) (string, error) {
	var once sync.Once
	var real string
	var err error
	return func(path string) (string, error) {
		once.Do(func() {
			var out []byte
			out, err = exec.Command(path, "-c", "import sys; print(sys.executable)").Output()
			real = strings.TrimSpace(string(out))
		})
		return real, err
	}
}()

func command(t testing.TB, name string) *exec.Cmd {
	t.Helper()
	switch name {
	case "Go net/http":
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), clientVar+"=go")
		return cmd
	case "Python urllib":
		return exec.Command(python(t), "testdata/clients/urllib_request.py")
	case "Python http.client":
		return exec.Command(python(t), "testdata/clients/httpclient.py")
	case "Node fetch":
		return exec.Command(program(t, "node"), "testdata/clients/fetch.mjs")
	}
	t.Fatalf("no client %q", name)
	return nil
}

// talker is a client that lives on between calls.
type talker struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Scanner
	once sync.Once
}

func talk(t testing.TB, cmd *exec.Cmd) *talker {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	scan := bufio.NewScanner(out)
	scan.Buffer(nil, 4<<20)
	c := &talker{cmd: cmd, in: in, out: scan}
	t.Cleanup(c.end)
	return c
}

func (c *talker) call(w wanted) (got, bool) {
	line, err := json.Marshal(w)
	if err != nil {
		return got{}, false
	}
	if _, err := c.in.Write(append(line, '\n')); err != nil || !c.out.Scan() {
		return got{}, false
	}
	var g got
	return g, json.Unmarshal(c.out.Bytes(), &g) == nil
}

func (c *talker) kill() { _ = c.cmd.Process.Kill() }
func (c *talker) stop() { stopProcess(c.cmd.Process) }

func (c *talker) end() {
	c.once.Do(func() {
		c.in.Close()
		_ = c.cmd.Wait()
	})
}

// curlMark separates the reply from its status in what curl prints.
const curlMark = "\n== "

// curl is a client that makes a process for each call, or for two.
type curl struct {
	t    testing.TB
	path string
	warm string // where it goes first, with the same process and connection

	mu   sync.Mutex
	proc *os.Process
}

func (c *curl) call(w wanted) (got, bool) {
	args := []string{"-q", "-sS", "-N", "--http1.1"}
	of := func(url, out string) {
		args = append(args, "-m", fmt.Sprint(w.Timeout), "-X", "POST", "-H", "Content-Type: application/json", "-o", out)
		if w.Key != "" {
			args = append(args, "-H", "Idempotency-Key: "+w.Key)
		}
		if w.Chunked {
			args = append(args, "-H", "Transfer-Encoding: chunked")
		}
		args = append(args, "--data-binary", w.Body, url)
	}
	if c.warm != "" {
		of(c.warm, os.DevNull)
		args = append(args, "--next", "-sS", "-N", "--http1.1")
	}
	of(w.URL, "-")
	args = append(args, "-w", curlMark+"%{http_code}")
	cmd := exec.Command(c.path, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	c.mu.Lock() // its request can have come before Start returns
	err := cmd.Start()
	c.proc = cmd.Process
	c.mu.Unlock()
	if err != nil {
		return got{}, false
	}
	err = cmd.Wait()
	body, code, ok := strings.Cut(out.String(), curlMark)
	if !ok {
		return got{Body: out.String()}, false // killed; it may have printed the reply
	}
	g := got{Body: body}
	g.Status, _ = strconv.Atoi(code)
	if err != nil {
		g.Body, g.Error = "", c.word(err, errs.String())
	}
	return g, true
}

// word reads curl's exit code, see its manual.
func (c *curl) word(err error, errs string) string {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return err.Error()
	}
	switch code := exit.ExitCode(); code {
	case 28:
		return "gave up"
	case 52:
		return "closed"
	case 55, 56:
		return "reset"
	case 18:
		return "cut short"
	case 7:
		return "refused"
	case 1, 8:
		return "bad reply"
	default:
		return fmt.Sprintf("exit %d: %s", code, strings.TrimSpace(errs))
	}
}

func (c *curl) process() *os.Process {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.proc
}

func (c *curl) kill() { _ = c.process().Kill() }
func (c *curl) stop() { stopProcess(c.process()) }
func (c *curl) end()  {}

// goClient is the Go client, in a process of its own.
func goClient(in io.Reader, out io.Writer) {
	scan := bufio.NewScanner(in)
	scan.Buffer(nil, 4<<20)
	transport := &http.Transport{DisableCompression: true}
	for scan.Scan() {
		var w wanted
		if err := json.Unmarshal(scan.Bytes(), &w); err != nil {
			return
		}
		line, err := json.Marshal(goCall(transport, w))
		if err != nil {
			return
		}
		fmt.Fprintf(out, "%s\n", line)
	}
}

func goCall(transport *http.Transport, w wanted) got {
	var body io.Reader = strings.NewReader(w.Body)
	if w.Chunked {
		body = struct{ io.Reader }{body} // of unknown length
	}
	req, err := http.NewRequest(http.MethodPost, w.URL, body)
	if err != nil {
		return got{Error: err.Error()}
	}
	req.Header.Set("Content-Type", "application/json")
	if w.Key != "" {
		req.Header.Set("Idempotency-Key", w.Key)
	}
	client := &http.Client{Transport: transport, Timeout: time.Duration(w.Timeout * float64(time.Second))}
	res, err := client.Do(req)
	if err != nil {
		return got{Error: goWord(err)}
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return got{Status: res.StatusCode, Error: goWord(err)}
	}
	return got{Status: res.StatusCode, Body: string(text)}
}

func goWord(err error) string {
	switch word := class(err); {
	case errors.Is(err, context.DeadlineExceeded):
		return "gave up"
	case strings.Contains(word, "malformed"):
		return "bad reply"
	default:
		return word
	}
}

func stopProcess(p *os.Process) { _ = p.Signal(syscall.SIGSTOP) }
