package mcp_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/present/op"
)

// The test binary runs itself as the server of a test, over what the variable says.
func TestMain(m *testing.M) {
	if transport := os.Getenv("MCP_TEST_CHILD"); transport != "" {
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		defer stop()
		svc := mcp.Service{Version: "test", Open: func(mcp.Sources) ([]op.Op, error) {
			return append(fakes(), plain("last", op.Reads, func(ctx context.Context, _ op.Out) (op.Result, error) {
				fmt.Fprintln(os.Stderr, "called")
				select {
				case <-time.After(time.Second):
				case <-ctx.Done():
				}
				return list{"the last"}, nil
			})), nil
		}}
		args := []string{"--transport", transport}
		if transport == "http" {
			args = append(args, "--port", "0")
		}
		if err := mcp.Run(ctx, svc, args, os.Stdin, os.Stdout, os.Stderr); err != nil {
			fmt.Fprintln(os.Stderr, "error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// A server is a server in a process of its own.
type server struct {
	*exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs *bufio.Reader
	addr string // over HTTP
}

func start(t *testing.T, transport string) *server {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no signals on Windows")
	}
	s := &server{Cmd: exec.Command(os.Args[0])}
	s.Env = append(os.Environ(), "MCP_TEST_CHILD="+transport)
	var err, err2, err3 error
	var out, errs io.Reader
	s.in, err = s.StdinPipe()
	out, err2 = s.StdoutPipe()
	errs, err3 = s.StderrPipe()
	if err := errors.Join(err, err2, err3, s.Start()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.Process.Kill()
		_ = s.Wait()
	})
	s.out, s.errs = bufio.NewReader(out), bufio.NewReader(errs)
	if transport == "http" {
		_, rest, _ := strings.Cut(s.said(t), "listening on ")
		s.addr, _, _ = strings.Cut(rest, ",")
	}
	return s
}

// said returns the next line for the person.
func (s *server) said(t *testing.T) string {
	t.Helper()
	line, err := s.errs.ReadString('\n')
	if err != nil {
		t.Fatalf("standard error: %q, %v", line, err)
	}
	return strings.TrimSpace(line)
}

// stop asks the server to end, and sees that it does so cleanly.
func (s *server) stop(t *testing.T) {
	t.Helper()
	if err := s.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.ends(t)
}

func (s *server) ends(t *testing.T) {
	t.Helper()
	ended := make(chan error, 1)
	go func() {
		_, _ = io.Copy(io.Discard, s.errs)
		ended <- s.Wait()
	}()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("the server ends with %v", err)
		}
	case <-time.After(patience):
		t.Error("the server does not end")
	}
}

// rss returns the resident memory of the server in MiB.
func (s *server) rss(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.Process.Pid))
	if err != nil {
		t.Skip("the memory of a process cannot be read here")
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kib, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kib >> 10
}

// TestTermDuringCalls sees that a signal lets the calls that run be answered and
// that the server then ends with status 0.
func TestTermDuringCalls(t *testing.T) {
	s := start(t, "http")
	answers := make(chan string, 4)
	for i := range cap(answers) {
		go func() {
			_, body := do(t, s.addr, request{"POST", "", callLine(i, "last", "{}"), nil})
			answers <- body
		}()
	}
	for range cap(answers) {
		if line := s.said(t); line != "called" {
			t.Errorf("said %q", line)
		}
	}
	s.stop(t)
	for range cap(answers) {
		if body := <-answers; !strings.Contains(body, "the last") {
			t.Errorf("answer %s", body)
		}
	}
}

// TestTermDuringStdio sees the same of a session over stdio, whose client does not
// read on.
func TestTermDuringStdio(t *testing.T) {
	s := start(t, "stdio")
	if _, err := io.WriteString(s.in, hello+"\n"+ready+"\n"+callLine(1, "last", "{}")+"\n"); err != nil {
		t.Fatal(err)
	}
	if line := s.said(t); line != "called" {
		t.Errorf("said %q", line)
	}
	s.stop(t)
}

// TestEndDuringStdio sees that the end of input lets the call that runs be
// answered, and is the end of the server.
func TestEndDuringStdio(t *testing.T) {
	s := start(t, "stdio")
	if _, err := io.WriteString(s.in, hello+"\n"+ready+"\n"+callLine(1, "last", "{}")+"\n"); err != nil {
		t.Fatal(err)
	}
	s.in.Close()
	out, err := io.ReadAll(s.out)
	if err != nil || !strings.Contains(string(out), "the last") {
		t.Errorf("answered %s, %v", out, err)
	}
	s.ends(t)
}

// TestThousandIdle sees that a server holds a thousand connections that do
// nothing, or are streams, or send large messages, in little memory, and still
// answers others.
func TestThousandIdle(t *testing.T) {
	const (
		n    = 1000
		most = 130 // MiB
	)
	if testing.Short() {
		t.Skip("the race detector, which runs the short tests, takes memory of its own")
	}
	s := start(t, "http")
	before := s.rss(t)
	for i := range n {
		c := dial(t, s.addr)
		switch i % 3 {
		case 1: // a stream
			io.WriteString(c, "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
		case 2: // one that stays open after its answer
			io.WriteString(c, post("/mcp", listLine, len(listLine)))
		}
		if i%3 > 0 {
			if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || !strings.Contains(line, "200 OK") {
				t.Fatalf("connection %d: %q, %v", i, line, err)
			}
		}
	}
	idle := s.rss(t)
	var wg sync.WaitGroup
	large := listLine + strings.Repeat(" ", 3<<20)
	for range 60 {
		wg.Go(func() {
			res, body := do(t, s.addr, request{"POST", "", large, nil})
			for range 50 { // on a loaded machine there may be no room for it yet
				if res.StatusCode != http.StatusServiceUnavailable {
					break
				}
				res, body = do(t, s.addr, request{"POST", "", large, nil})
			}
			if res.StatusCode != http.StatusOK {
				t.Errorf("a large message: %d %s", res.StatusCode, body)
			}
		})
	}
	wg.Wait()
	loaded := s.rss(t)
	t.Logf("resident: %d MiB at first, %d MiB with %d connections, %d MiB after large messages", before, idle, n, loaded)
	if idle > most || loaded > most {
		t.Errorf("resident: %d MiB with %d connections, %d MiB after large messages, want %d at most", idle, n, loaded, most)
	}
	if res, _ := do(t, s.addr, request{"POST", "", callLine(1, "find_words", `{"query":"alpha"}`), nil}); res.StatusCode != http.StatusOK {
		t.Errorf("beside them: %d", res.StatusCode)
	}
	s.stop(t)
}
