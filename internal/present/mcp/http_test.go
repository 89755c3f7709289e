package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/present/op"
)

// serve starts a server and returns its address and what stops it.
func serve(t testing.TB, ops []op.Op, opt mcp.Options, hopt mcp.HTTPOptions) (addr string, stop func() error) {
	t.Helper()
	s, err := mcp.Server(ops, "test", opt)
	if err != nil {
		t.Fatal(err)
	}
	if hopt.Addr == "" {
		hopt.Addr = "127.0.0.1:0"
	}
	ready := make(chan net.Addr, 1)
	hopt.Ready = func(a net.Addr) { ready <- a }
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- mcp.HTTP(ctx, s, hopt) }()
	stop = sync.OnceValue(func() error { cancel(); return <-done })
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("HTTP: %v", err)
		}
	})
	select {
	case a := <-ready:
		return a.String(), stop
	case err := <-done:
		t.Fatal(err)
		return "", nil
	}
}

// A request is one HTTP request: each header is "Name: value".
type request struct {
	method, path, body string
	headers            []string
}

// do sends r and returns the answer with its body.
func do(t *testing.T, addr string, r request) (*http.Response, string) {
	t.Helper()
	res := send(t, addr, r)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(body)
}

func send(t *testing.T, addr string, r request) *http.Response {
	t.Helper()
	if r.path == "" {
		r.path = "/mcp"
	}
	req, err := http.NewRequestWithContext(t.Context(), r.method, "http://"+addr+r.path, strings.NewReader(r.body))
	if err != nil {
		t.Fatal(err)
	}
	if r.method == "POST" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, h := range r.headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			req.Host = value
		} else {
			req.Header.Set(name, value)
		}
	}
	res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

const (
	listLine = `{"jsonrpc":"2.0","id":5,"method":"tools/list"}`
	json_    = "application/json"
	sse      = "text/event-stream"
)

func TestHTTP(t *testing.T) {
	addr, _ := serve(t, fakes(), mcp.Options{}, mcp.HTTPOptions{AllowHosts: []string{"Docs.example.org"}, AllowOrigins: []string{"https://ui.example.org"}})
	port := addr[strings.LastIndexByte(addr, ':'):]
	tools := `"name":"find_words"`
	for _, tc := range []struct {
		name   string
		r      request
		status int
		kind   string // content type
		want   string // part of the body
	}{
		{"ping", request{"GET", "/ping", "", nil}, 200, json_, `{"status":"ok","message":"pong"}`},
		{"ping from a page", request{"OPTIONS", "/ping", "", []string{"Origin: https://evil.example"}}, 204, "", ""},
		{"post to ping", request{"POST", "/ping", "", nil}, 405, json_, `"code":-32000`},
		{"elsewhere", request{"GET", "/", "", nil}, 404, json_, `{"error":"not_found","message":"Endpoint not found. Use /mcp for MCP protocol communication."}`},
		{"no login pages", request{"GET", "/.well-known/oauth-protected-resource", "", nil}, 404, json_, `"not_found"`},
		{"initialize", request{"POST", "", hello, nil}, 200, json_, `"protocolVersion":"2025-06-18"`},
		{"list without initialize", request{"POST", "", listLine, nil}, 200, json_, tools},
		{"accepts JSON", request{"POST", "", listLine, []string{"Accept: application/json"}}, 200, json_, tools},
		{"accepts both", request{"POST", "", listLine, []string{"Accept: application/json, text/event-stream"}}, 200, json_, tools},
		{"accepts all", request{"POST", "", listLine, []string{"Accept: */*"}}, 200, json_, tools},
		{"accepts something else", request{"POST", "", listLine, []string{"Accept: text/html"}}, 200, json_, tools},
		{"accepts events", request{"POST", "", listLine, []string{"Accept: text/event-stream"}}, 200, sse, tools},
		{"protocol version", request{"POST", "", listLine, []string{"MCP-Protocol-Version: 2025-11-25"}}, 200, json_, tools},
		{"bad protocol version", request{"POST", "", listLine, []string{"MCP-Protocol-Version: 1999-01-01"}}, 400, json_, `"id":5,"error":{"code":-32600,"message":"Bad Request: Unsupported protocol version`},
		{"notification", request{"POST", "", ready, nil}, 202, "", ""},
		{"batch", request{"POST", "", "[" + listLine + "]", nil}, 200, json_, tools},
		{"call", request{"POST", "", callLine(1, "find_words", `{"query":"alpha"}`), nil}, 200, json_, `alpha regex=false`},
		{"failing call", request{"POST", "", callLine(1, "find_words", `{"query":"missing"}`), nil}, 200, json_, `fix: call find_words`},
		{"unknown tool", request{"POST", "", callLine(1, "nope", `{}`), nil}, 200, json_, `"error":{"code":-32602,"message":"Tool nope not found"}`},
		{"unknown method", request{"POST", "", `{"jsonrpc":"2.0","id":5,"method":"nope"}`, nil}, 400, json_, `"id":5,"error":{"code":-32601`},
		{"prompts, before 2026-07-28", request{"POST", "", `{"jsonrpc":"2.0","id":5,"method":"prompts/list"}`, nil}, 200, json_, `"prompts":[]`},
		{"prompts, not declared", request{"POST", "", `{"jsonrpc":"2.0","id":5,"method":"prompts/list","params":{` + strings.TrimSuffix(modern, ",") + `}}`,
			[]string{"MCP-Protocol-Version: 2026-07-28", "Mcp-Method: prompts/list"}}, 404, json_, `"error":{"code":-32601`},
		{"bad JSON", request{"POST", "", `{"jsonrpc":`, nil}, 400, json_, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`},
		{"empty body", request{"POST", "", "", nil}, 400, json_, `"code":-32700`},
		{"no message", request{"POST", "", "7", nil}, 400, json_, `"id":null,"error":{"code":-32600`},
		{"wrong content type", request{"POST", "", listLine, []string{"Content-Type: text/plain"}}, 415, json_, `"code":-32000`},
		// Just above the limit: of much more, the client meets the connection reset as often as the answer.
		{"oversized body", request{"POST", "", `"` + strings.Repeat("x", 4<<20) + `"`, nil}, 413, json_, "longer than 4 MiB"},
		{"DELETE", request{"DELETE", "", "", nil}, 405, json_, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Method not allowed."}}`},
		{"PUT", request{"PUT", "", "", nil}, 405, json_, "Method not allowed."},
		{"GET for a page", request{"GET", "", "", []string{"Accept: text/html"}}, 405, json_, "Method not allowed."},
		{"preflight", request{"OPTIONS", "", "", []string{"Origin: https://ui.example.org", "Access-Control-Request-Method: POST"}}, 204, "", ""},
		{"foreign host", request{"POST", "", listLine, []string{"Host: evil.example"}}, 403, json_, `not called \"evil.example\"`},
		{"foreign host, ping", request{"GET", "/ping", "", []string{"Host: evil.example"}}, 403, json_, "Forbidden"},
		{"foreign address", request{"POST", "", listLine, []string{"Host: 10.1.2.3" + port}}, 403, json_, "Forbidden"},
		{"localhost", request{"POST", "", listLine, []string{"Host: localhost" + port}}, 200, json_, tools},
		{"localhost in capitals", request{"POST", "", listLine, []string{"Host: LOCALHOST."}}, 200, json_, tools},
		{"loopback of IPv6", request{"POST", "", listLine, []string{"Host: [::1]" + port}}, 200, json_, tools},
		{"allowed host", request{"POST", "", listLine, []string{"Host: docs.Example.org:8080"}}, 200, json_, tools},
		{"longer than an allowed host", request{"POST", "", listLine, []string{"Host: docs.example.org.evil.example"}}, 403, json_, "Forbidden"},
		{"foreign origin", request{"POST", "", listLine, []string{"Origin: https://evil.example"}}, 403, json_, "a page of another site"},
		{"null origin", request{"POST", "", listLine, []string{"Origin: null"}}, 403, json_, "a page of another site"},
		{"cross-site fetch", request{"POST", "", listLine, []string{"Sec-Fetch-Site: cross-site"}}, 403, json_, "a page of another site"},
		{"allowed origin", request{"POST", "", listLine, []string{"Origin: https://ui.example.org"}}, 200, json_, tools},
		{"own origin", request{"POST", "", listLine, []string{"Origin: http://" + addr}}, 200, json_, tools},
	} {
		t.Run(tc.name, func(t *testing.T) {
			res, body := do(t, addr, tc.r)
			if res.StatusCode != tc.status || !strings.Contains(body, tc.want) {
				t.Errorf("%d %s, want %d with %s", res.StatusCode, body, tc.status, tc.want)
			}
			if kind := res.Header.Get("Content-Type"); kind != tc.kind {
				t.Errorf("content type %q, want %q", kind, tc.kind)
			}
			if res.StatusCode == http.StatusForbidden && res.Header.Get("Access-Control-Allow-Origin") != "" {
				t.Error("a page may read the refusal")
			}
		})
	}
}

func TestHTTPToken(t *testing.T) {
	const token = "0123456789abcdef0123"
	addr, _ := serve(t, fakes(), mcp.Options{}, mcp.HTTPOptions{Token: token})
	for header, want := range map[string]int{
		"":                                      401,
		"Authorization: Bearer " + token:        200,
		"Authorization: bearer  " + token:       200,
		"Authorization: Bearer " + token[1:]:    401,
		"Authorization: Bearer " + token + "x":  401,
		"Authorization: Basic " + token:         401,
		"Authorization: Bearer":                 401,
		"X-Authorization: Bearer " + token:      401,
		"Authorization: " + token:               401,
		"Authorization: Bearer " + token + " x": 401,
	} {
		var headers []string
		if header != "" {
			headers = []string{header}
		}
		res, body := do(t, addr, request{"POST", "", listLine, headers})
		if res.StatusCode != want {
			t.Errorf("%q: %d, want %d", header, res.StatusCode, want)
		}
		if strings.Contains(body, token) || want == 401 && res.Header.Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%q: %v %s", header, res.Header, body)
		}
	}
	for _, r := range []request{{"GET", "/ping", "", nil}, {"OPTIONS", "/mcp", "", nil}} {
		if res, _ := do(t, addr, r); res.StatusCode >= 300 {
			t.Errorf("%s %s without the token: %d", r.method, r.path, res.StatusCode)
		}
	}
	if res, _ := do(t, addr, request{"GET", "", "", []string{"Accept: text/event-stream"}}); res.StatusCode != http.StatusUnauthorized {
		t.Errorf("a stream without the token: %d", res.StatusCode)
	}
}

// TestHTTPStops sees that a stopped server ends its idle streams, lets a running
// call end, and leaves nothing running.
func TestHTTPStops(t *testing.T) {
	started, release := make(chan struct{}), make(chan struct{})
	ops := []op.Op{plain("last", op.Reads, func(context.Context, op.Out) (op.Result, error) {
		close(started)
		<-release
		return list{"done"}, nil
	})}
	addr, stop := serve(t, ops, mcp.Options{}, mcp.HTTPOptions{})

	stream := send(t, addr, request{"GET", "", "", []string{"Accept: text/event-stream"}})
	defer stream.Body.Close()
	if kind := stream.Header.Get("Content-Type"); stream.StatusCode != http.StatusOK || kind != sse {
		t.Fatalf("the stream: %d %s", stream.StatusCode, kind)
	}
	events := bufio.NewReader(stream.Body)
	if line, err := events.ReadString('\n'); err != nil || line != ": idle\n" {
		t.Errorf("the stream begins with %q, %v", line, err)
	}
	answered := make(chan string, 1)
	go func() {
		_, body := do(t, addr, request{"POST", "", callLine(1, "last", "{}"), nil})
		answered <- body
	}()
	<-started
	time.AfterFunc(100*time.Millisecond, func() { close(release) })
	if err := stop(); err != nil {
		t.Error(err)
	}
	// A stream that is waited out is cut off, and does not end as it should.
	if _, err := io.ReadAll(events); err != nil {
		t.Errorf("the idle stream ends with %v", err)
	}
	if body := <-answered; !strings.Contains(body, "done") {
		t.Errorf("the running call: %s", body)
	}
	if _, err := io.ReadAll(stream.Body); err != nil {
		t.Errorf("the stream ends with %v", err)
	}
	if _, err := net.Dial("tcp", addr); err == nil {
		t.Error("the server still listens")
	}
}

// TestHTTPPerAddress sees that one address is answered so many requests at once, and the
// next as soon as one has ended.
func TestHTTPPerAddress(t *testing.T) {
	started, release := make(chan struct{}), make(chan struct{})
	ops := []op.Op{plain("wait", op.Reads, func(context.Context, op.Out) (op.Result, error) {
		started <- struct{}{}
		<-release
		return list{"done"}, nil
	})}
	addr, _ := serve(t, ops, mcp.Options{}, mcp.HTTPOptions{PerAddress: 1})
	answered := make(chan string, 1)
	call := func() {
		_, body := do(t, addr, request{"POST", "", callLine(1, "wait", "{}"), nil})
		answered <- body
	}
	go call()
	<-started
	res, body := do(t, addr, request{"POST", "", callLine(2, "wait", "{}"), nil})
	if res.StatusCode != http.StatusTooManyRequests || res.Header.Get("Retry-After") == "" || !strings.Contains(body, "--limit-per-address") {
		t.Errorf("one too many: %d %s", res.StatusCode, body)
	}
	if res, _ := do(t, addr, request{"GET", "/ping", "", nil}); res.StatusCode != http.StatusOK {
		t.Errorf("ping: %d", res.StatusCode)
	}
	release <- struct{}{}
	if body := <-answered; !strings.Contains(body, "done") {
		t.Errorf("the first: %s", body)
	}
	go call()
	<-started
	release <- struct{}{}
	if body := <-answered; !strings.Contains(body, "done") {
		t.Errorf("the next: %s", body)
	}
}

// TestHTTPClientGone sees that a call ends when its client hangs up, whatever
// version of the protocol it speaks.
func TestHTTPClientGone(t *testing.T) {
	for _, version := range []string{"2025-06-18", "2026-07-28"} {
		started, ended := make(chan struct{}), make(chan struct{})
		ops := []op.Op{plain("wait", op.Reads, func(ctx context.Context, _ op.Out) (op.Result, error) {
			close(started)
			<-ctx.Done()
			close(ended)
			return nil, ctx.Err()
		})}
		addr, stop := serve(t, ops, mcp.Options{}, mcp.HTTPOptions{})
		ctx, cancel := context.WithCancel(t.Context())
		body := callLine(1, "wait", "{}")
		if version == "2026-07-28" {
			body = strings.Replace(body, `"params":{`, `"params":{`+modern, 1)
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+addr+"/mcp", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range map[string]string{"Content-Type": json_, "MCP-Protocol-Version": version, "Mcp-Method": "tools/call", "Mcp-Name": "wait"} {
			req.Header.Set(k, v)
		}
		failed := make(chan struct{})
		go func() {
			defer close(failed)
			if res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req); err == nil {
				answer, _ := io.ReadAll(res.Body)
				res.Body.Close()
				t.Errorf("%s: %s", version, answer)
			}
		}()
		select {
		case <-started:
		case <-failed:
			t.Fatalf("%s: the call never ran", version)
		}
		cancel()
		select {
		case <-ended:
		case <-time.After(5 * time.Minute):
			t.Errorf("%s: the operation still runs", version)
		}
		<-failed
		if err := stop(); err != nil {
			t.Error(err)
		}
	}
}

// TestHTTPClient sees that the SDK's own client, which speaks the newest version
// of the protocol, gets along with the server.
func TestHTTPClient(t *testing.T) {
	addr, _ := serve(t, fakes(), mcp.Options{}, mcp.HTTPOptions{})
	web := &http.Transport{}
	defer web.CloseIdleConnections()
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(t.Context(), &sdk.StreamableClientTransport{
		Endpoint: "http://" + addr + "/mcp", HTTPClient: &http.Client{Transport: web},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			query := fmt.Sprintf("query-%d", i)
			res, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "find_words", Arguments: map[string]any{"query": query}})
			if err != nil {
				t.Errorf("%s: %v", query, err)
				return
			}
			if got, _ := json.Marshal(res.StructuredContent); !strings.Contains(string(got), query+" ") {
				t.Errorf("%s: %s", query, got)
			}
		})
	}
	wg.Wait()
}

func TestHTTPRefusesToStart(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, tc := range []struct {
		name string
		opt  mcp.HTTPOptions
		kind fault.Kind
		want string
		hint string
	}{
		{"port in use", mcp.HTTPOptions{Addr: l.Addr().String()}, fault.Unavailable, "is in use by another program", "--port"},
		{"open to all", mcp.HTTPOptions{Addr: "0.0.0.0:0"}, fault.Usage, "anyone on the network", "--allow-host"},
		{"open to all, IPv6", mcp.HTTPOptions{Addr: "[::]:0"}, fault.Usage, "anyone on the network", "--allow-host"},
		{"open to all, empty", mcp.HTTPOptions{Addr: ":0"}, fault.Usage, "anyone on the network", "--allow-host"},
		{"a name that may be anything", mcp.HTTPOptions{Addr: "localhost.example:0"}, fault.Usage, "anyone on the network", "--allow-host"},
		{"no address", mcp.HTTPOptions{Addr: "nonsense"}, fault.Usage, `address "nonsense"`, "HOST:PORT"},
		{"not ours", mcp.HTTPOptions{Addr: "192.0.2.1:0", Token: "t"}, fault.Unavailable, "cannot listen on 192.0.2.1:0", "--host"},
		{"bad origin", mcp.HTTPOptions{Addr: "127.0.0.1:0", AllowOrigins: []string{"example.org"}}, fault.Usage, "--allow-origin example.org", "https://"},
	} {
		s, err := mcp.Server(fakes(), "test", mcp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		err = mcp.HTTP(t.Context(), s, tc.opt)
		if err == nil || fault.KindOf(err) != tc.kind || !strings.Contains(err.Error(), tc.want) || !strings.Contains(fault.HintOf(err), tc.hint) {
			t.Errorf("%s: %v (%d) fix: %s", tc.name, err, fault.KindOf(err), fault.HintOf(err))
		}
	}
}
