package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/present/op"
)

// patience is what a test waits for something that has to come.
const patience = 5 * time.Minute

// dial returns a bare connection to a server.
func dial(t *testing.T, addr string) *net.TCPConn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(patience))
	return c.(*net.TCPConn)
}

func post(path, body string, length int) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path, length, body)
}

// TestHTTPSlowClients sees that a client that stops in the middle, wherever, is
// answered or hung up on, and takes no place from others.
func TestHTTPSlowClients(t *testing.T) {
	addr, _ := serve(t, fakes(), mcp.Options{}, mcp.HTTPOptions{}.Tight())
	tests := []struct{ name, sent, want string }{
		{"nothing", "", ""},
		{"half a line", "POST /mc", ""},
		{"half a header", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-", ""},
		{"a header without end", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 100<<10), "431"},
		{"no body", post("/mcp", "", 100), "the body ends early"},
		{"half a body", post("/mcp", listLine[:20], len(listLine)), "the body ends early"},
		{"half a large body", post("/mcp", `"`+strings.Repeat("x", 100<<10), 200<<10), "the body ends early"},
		{"a body that is announced as huge", post("/mcp", "{", 1<<40), "the body ends early"},
		{"a body that is huge", post("/mcp", strings.Repeat("x", 5<<20), 1<<40), "longer than 4 MiB"},
		{"a body of chunks without end", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"js", "the body ends early"},
		{"half a body for nobody", post("/nope", "x", 100), "not_found"},
		{"half a body for another host", strings.Replace(post("/mcp", "x", 100), "localhost", "evil.example", 1), "403"},
		{"half a body of another method", strings.Replace(post("/mcp", "x", 100), "POST", "PUT", 1), "405"},
		{"half a body of a ping", strings.Replace(post("/ping", "x", 100), "POST", "GET", 1), "pong"},
		{"a request and no more", post("/mcp", listLine, len(listLine)), "find_words"},
		{"a request and half", post("/mcp", listLine, len(listLine)) + "POST /m", "find_words"},
	}
	t.Run("clients", func(t *testing.T) { // which wait side by side
		for _, tc := range tests {
			t.Run(tc.name, func(t *testing.T) {
				t.Parallel()
				c := dial(t, addr)
				if _, err := io.WriteString(c, tc.sent); err != nil {
					t.Logf("write: %v", err)
				}
				got, err := io.ReadAll(c)
				if errors.Is(err, os.ErrDeadlineExceeded) || !strings.Contains(string(got), tc.want) {
					t.Errorf("answer %q, %v, want %q and the end", got, err, tc.want)
				}
			})
		}
	})
	if res, _ := do(t, addr, request{"POST", "", listLine, nil}); res.StatusCode != http.StatusOK {
		t.Errorf("afterwards: %d", res.StatusCode)
	}
}

// TestListenSlowRefused sees that a client who is refused before its body was read, as one without a token is
// by a server of teams, cannot keep its place by never sending the rest.
func TestListenSlowRefused(t *testing.T) {
	opt := mcp.HTTPOptions{Addr: "127.0.0.1:0"}.Tight()
	ready, done := make(chan net.Addr, 1), make(chan error, 1)
	opt.Ready = func(a net.Addr) { ready <- a }
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		done <- mcp.Listen(ctx, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }), opt)
	}()
	c := dial(t, (<-ready).String())
	if _, err := io.WriteString(c, post("/mcp", "{", 100)); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(c); errors.Is(err, os.ErrDeadlineExceeded) || !strings.Contains(string(got), "401") {
		t.Errorf("answer %q, %v, want 401 and the end", got, err)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestHTTPHalfClosed sees that a client that has said all it wants, and has closed
// its side, still gets an answer.
func TestHTTPHalfClosed(t *testing.T) {
	addr, _ := serve(t, fakes(), mcp.Options{}, mcp.HTTPOptions{})
	for name, sent := range map[string]string{
		"nothing":        "",
		"half a request": post("/mcp", listLine[:20], len(listLine)),
		"a request":      post("/mcp", listLine, len(listLine)),
		"a stream":       "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n",
	} {
		c := dial(t, addr)
		if _, err := io.WriteString(c, sent); err != nil {
			t.Fatal(err)
		}
		if err := c.CloseWrite(); err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(c)
		if err != nil || sent != "" && !strings.HasPrefix(string(got), "HTTP/1.1 ") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// TestHTTPDeafClient sees that a client that asks and never reads is hung up on.
func TestHTTPDeafClient(t *testing.T) {
	addr, _ := serve(t, fakes(), mcp.Options{}, mcp.HTTPOptions{}.Tight())
	c := dial(t, addr)
	many := strings.Repeat(post("/mcp", listLine, len(listLine)), 100)
	for {
		if _, err := io.WriteString(c, many); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal("the server keeps a client that does not read")
		} else if err != nil {
			return
		}
	}
}

// TestHTTPCrowd sees that clients who fill every place make room in time.
func TestHTTPCrowd(t *testing.T) {
	addr, _ := serve(t, fakes(), mcp.Options{}, mcp.HTTPOptions{}.Tight())
	for range 40 {
		dial(t, addr)
	}
	if res, _ := do(t, addr, request{"POST", "", listLine, nil}); res.StatusCode != http.StatusOK {
		t.Errorf("behind a crowd: %d", res.StatusCode)
	}
	for i := range 3 {
		stream := send(t, addr, request{"GET", "", "", []string{"Accept: text/event-stream"}})
		defer stream.Body.Close()
		want := http.StatusOK
		if i == 2 {
			want = http.StatusServiceUnavailable
		}
		if stream.StatusCode != want {
			t.Errorf("stream %d: %d, want %d", i, stream.StatusCode, want)
		}
	}
}

// TestHTTPFull sees that a server with as many connections as it may have takes no
// more, until one of them ends.
func TestHTTPFull(t *testing.T) {
	started, release := make(chan struct{}, mcp.TightConns), make(chan struct{})
	ops := append(fakes(), plain("hold", op.Reads, func(context.Context, op.Out) (op.Result, error) {
		started <- struct{}{}
		<-release
		return list{"held"}, nil
	}))
	addr, _ := serve(t, ops, mcp.Options{}, mcp.HTTPOptions{}.Tight())
	var wg sync.WaitGroup
	for range mcp.TightConns {
		wg.Go(func() {
			if _, body := do(t, addr, request{"POST", "", callLine(1, "hold", "{}"), nil}); !strings.Contains(body, "held") {
				t.Errorf("held: %s", body)
			}
		})
		<-started
	}
	answered := make(chan struct{})
	wg.Go(func() {
		do(t, addr, request{"POST", "", listLine, nil})
		close(answered)
	})
	select {
	case <-answered:
		t.Error("one more was answered")
	case <-time.After(200 * time.Millisecond):
	}
	close(release)
	wg.Wait()
}

// TestHTTPHalfOpen sees that connections whose requests never come keep nobody out,
// however many they are and however long they may take.
func TestHTTPHalfOpen(t *testing.T) {
	addr, _ := serve(t, fakes(), mcp.Options{}, mcp.HTTPOptions{}.Patient())
	for _, sent := range []string{"", "GET /pi", "GET /ping HTTP/1.1\r\nHost: localhost\r\n", post("/mcp", listLine[:20], len(listLine)), post("/nope", "x", 100)} {
		for range 5 * mcp.TightConns {
			c := dial(t, addr)
			if _, err := io.WriteString(c, sent); err != nil {
				t.Fatal(err)
			}
		}
		c := dial(t, addr)
		if _, err := io.WriteString(c, "GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || !strings.Contains(line, "200 OK") {
			t.Errorf("behind %q: %q, %v", sent, line, err)
		}
	}
}

// TestHTTPLargeBodies sees that large bodies wait for each other, and small ones
// for none.
func TestHTTPLargeBodies(t *testing.T) {
	started, release := make(chan struct{}), make(chan struct{})
	ops := append(fakes(), plain("hold", op.Reads, func(context.Context, op.Out) (op.Result, error) {
		close(started)
		<-release
		return list{"held"}, nil
	}))
	addr, _ := serve(t, ops, mcp.Options{}, mcp.HTTPOptions{}.Tight())
	spaces := strings.Repeat(" ", 1<<20)
	first := make(chan string, 1)
	go func() {
		_, body := do(t, addr, request{"POST", "", callLine(1, "hold", "{}") + spaces, nil})
		first <- body
	}()
	<-started
	if res, body := do(t, addr, request{"POST", "", listLine + spaces, nil}); res.StatusCode != http.StatusServiceUnavailable || !strings.Contains(body, "try again") {
		t.Errorf("a second large body: %d %s", res.StatusCode, body)
	}
	if res, _ := do(t, addr, request{"POST", "", listLine, nil}); res.StatusCode != http.StatusOK {
		t.Errorf("a small body: %d", res.StatusCode)
	}
	close(release)
	if body := <-first; !strings.Contains(body, "held") {
		t.Errorf("the first large body: %s", body)
	}
	if res, _ := do(t, addr, request{"POST", "", listLine + spaces, nil}); res.StatusCode != http.StatusOK {
		t.Errorf("a third large body: %d", res.StatusCode)
	}
}

// TestHTTPMalformed sends what is no message of the protocol, and sees that each
// is refused in the protocol's form and that the server goes on.
func TestHTTPMalformed(t *testing.T) {
	addr, _ := serve(t, fakes(), mcp.Options{}, mcp.HTTPOptions{})
	for _, tc := range []struct {
		name, body string
		status     int
		want       string
	}{
		{"two messages", listLine + listLine, 400, `"code":-32700`},
		{"not UTF-8", "\xff\xfe", 400, `"code":-32700`},
		{"blank", " \n", 400, `"code":-32700`},
		{"too deep", strings.Repeat("[", 20000) + strings.Repeat("]", 20000), 400, `"code":-32700`},
		{"null", "null", 400, `"code":-32600`},
		{"no version", `{"id":1,"method":"tools/list"}`, 400, `"code":-32600`},
		{"a strange id", `{"jsonrpc":"2.0","id":{},"method":"tools/list"}`, 400, `"id":null,"error":{"code":-32600`},
		{"a strange method", `{"jsonrpc":"2.0","id":1,"method":7}`, 400, `"code":-32600`},
		{"params of another type", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}`, 200, `"id":1,"error":{"code":-32602`},
		{"an empty batch", `[]`, 400, `"code":-32600`},
		{"a batch of nothing", `[1,2]`, 400, `"code":-32600`},
		{"a batch", "[" + listLine + "," + callLine(6, "find_words", `{"query":"alpha"}`) + "]", 200, `"id":6`},
		{"a batch of too many", "[" + strings.Repeat(listLine+",", 64) + listLine + "]", 400, `more than 64 messages`},
		{"an answer nobody asked for", `{"jsonrpc":"2.0","id":99,"result":{}}`, 202, ``},
	} {
		res, body := do(t, addr, request{"POST", "", tc.body, nil})
		if res.StatusCode != tc.status || !strings.Contains(body, tc.want) {
			t.Errorf("%s: %d %s, want %d with %s", tc.name, res.StatusCode, body, tc.status, tc.want)
		}
	}
	if res, _ := do(t, addr, request{"POST", "", listLine, nil}); res.StatusCode != http.StatusOK {
		t.Errorf("afterwards: %d", res.StatusCode)
	}
}

// TestStdioFlood sees that a client that sends without waiting is answered, call
// by call, while only so many are held.
func TestStdioFlood(t *testing.T) {
	const n = 3000
	lines := []string{hello, ready}
	for i := range n {
		lines = append(lines, callLine(i+1, "find_words", fmt.Sprintf(`{"query":"query-%d"}`, i)))
	}
	got := talk(t, fakes(), mcp.Options{}, lines...)
	for i := range n {
		if !strings.Contains(string(got[fmt.Sprint(i+1)]), fmt.Sprintf("query-%d ", i)) {
			t.Fatalf("call %d: %s", i, got[fmt.Sprint(i+1)])
		}
	}
}

// TestStdioFull sees that a client whose requests are not answered yet is read no
// further than so many of them.
func TestStdioFull(t *testing.T) {
	release := make(chan struct{})
	s, err := mcp.Server([]op.Op{plain("hold", op.Reads, func(context.Context, op.Out) (op.Result, error) {
		<-release
		return list{"held"}, nil
	})}, "test", mcp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, toServer := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- mcp.Stdio(t.Context(), s, in, io.Discard) }()
	var sent atomic.Int64
	go func() {
		pad := strings.Repeat(" ", 16<<10) // so that few fit into what is read ahead
		io.WriteString(toServer, hello+"\n"+ready+"\n")
		for i := range 1000 {
			if _, err := io.WriteString(toServer, callLine(i+1, "hold", "{}")+pad+"\n"); err != nil {
				return
			}
			sent.Add(1)
		}
		toServer.Close()
	}()
	for sent.Load() < mcp.MaxOpen {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(200 * time.Millisecond)
	if n := sent.Load(); n > mcp.MaxOpen+20 {
		t.Errorf("%d requests were read before one was answered, want about %d", n, mcp.MaxOpen)
	}
	close(release)
	if err := <-done; err != nil || sent.Load() != 1000 {
		t.Errorf("%v, %d sent", err, sent.Load())
	}
}

// TestStdioDeafClient sees that a server whose client does not read still stops
// when it is told to.
func TestStdioDeafClient(t *testing.T) {
	s, err := mcp.Server(fakes(), "test", mcp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- mcp.Stdio(ctx, s, in, out) }()
	go func() {
		for i := range 1000 {
			if _, err := io.WriteString(toServer, strings.Replace(listLine, "5", fmt.Sprint(i), 1)+"\n"); err != nil {
				return
			}
		}
	}()
	if _, err := bufio.NewReaderSize(fromServer, 16).ReadByte(); err != nil { // it is in the middle of an answer
		t.Fatal(err)
	}
	cancel()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Error("the server waits for its client")
	}
	fromServer.Close()
	toServer.Close()
}

// FuzzHTTP holds the package's promise over HTTP: whatever a body says, its answer
// is JSON, events of JSON, or none, with a status that says which.
func FuzzHTTP(f *testing.F) {
	for _, s := range []string{
		"", "{", "[]", "[[]]", "7", "null", ready, hello, listLine, "[" + listLine + "]", "[" + ready + "," + ready + "]", callLine(1, "find_words", `{"query":"alpha"}`),
		callLine(9, "exec", "null"), callLine(9, "nope", "{}"), `{"jsonrpc":"2.0","id":"9","method":"tools/list","params":{"cursor":"x"}}`,
		`{"jsonrpc":"2.0","id":9,"result":{}}`, `{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{` + modern + `"x":1}}`,
		`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{` + modern + `"notifications":{}}}`,
	} {
		f.Add(s, true)
	}
	f.Add(listLine, false)
	addr, _ := serve(f, fakes(), mcp.Options{Timeout: 10 * time.Millisecond}, mcp.HTTPOptions{})
	web := &http.Transport{}
	f.Cleanup(web.CloseIdleConnections)
	f.Fuzz(func(t *testing.T, body string, asJSON bool) {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+addr+"/mcp", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", json_)
		if !asJSON {
			req.Header.Set("Accept", sse)
		}
		res, err := web.RoundTrip(req)
		if err != nil {
			t.Fatalf("%q: %v", body, err)
		}
		answer, err := io.ReadAll(res.Body)
		res.Body.Close()
		switch {
		case err != nil:
			t.Errorf("%q: %v", body, err)
		case res.StatusCode == http.StatusAccepted && len(answer) == 0:
		case res.Header.Get("Content-Type") == sse && res.StatusCode == http.StatusOK:
			// Who names no kind takes both, and what is asked for may be a stream.
			for line := range strings.Lines(string(answer)) {
				if data, ok := strings.CutPrefix(line, "data: "); ok && !json.Valid([]byte(data)) {
					t.Errorf("%q: %q", body, answer)
				}
			}
		case !json.Valid(answer) || res.StatusCode != http.StatusOK && res.StatusCode != http.StatusBadRequest && res.StatusCode != http.StatusNotFound:
			t.Errorf("%q: %d %q", body, res.StatusCode, answer)
		}
	})
}
