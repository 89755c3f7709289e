package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/present/op"
)

const (
	hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	// modern is what each request of protocol 2026-07-28 carries.
	modern = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},`
	ready  = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

// talk pipes lines into a server and returns its answers by id, "null" for those
// without one. Nothing but one JSON object a line may come out.
func talk(t *testing.T, ops []op.Op, opt mcp.Options, lines ...string) map[string]json.RawMessage {
	t.Helper()
	answers := map[string]json.RawMessage{}
	for line := range strings.Lines(written(t, ops, opt, lines...)) {
		var msg struct {
			ID     json.RawMessage
			Result json.RawMessage
			Error  json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &msg); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		body := msg.Result
		if msg.Error != nil {
			body = msg.Error
		}
		answers[string(msg.ID)] = body
	}
	return answers
}

// written pipes lines into a server and returns all that it writes.
func written(t *testing.T, ops []op.Op, opt mcp.Options, lines ...string) string {
	t.Helper()
	s, err := mcp.Server(ops, "test", opt)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := mcp.Stdio(t.Context(), s, strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
		t.Fatalf("Stdio: %v\n%s", err, out.String())
	}
	return out.String()
}

func callLine(id int, tool, args string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, args)
}

// TestStdioAnswersBeforeTheEnd pipes a whole session, as a shell does: the calls
// that run when the input ends are answered.
func TestStdioAnswersBeforeTheEnd(t *testing.T) {
	lines := []string{hello, ready}
	for i := range 20 {
		lines = append(lines, callLine(i+1, "slow", "{}"))
	}
	got := talk(t, fakes(), mcp.Options{Timeout: 50 * time.Millisecond, Parallel: 4}, lines...)
	for i := range 21 {
		if got[fmt.Sprint(i)] == nil {
			t.Errorf("call %d has no answer", i)
		}
	}
}

func TestStdioHostile(t *testing.T) {
	huge := callLine(1, "find_words", `{"query":"`+strings.Repeat("x", 5<<20)+`"}`)
	deep := callLine(1, "find_words", strings.Repeat(`{"a":`, 5000)+"1"+strings.Repeat("}", 5000))
	for _, tc := range []struct{ name, line, id, want string }{
		{"not JSON", `{"jsonrpc":"2.0","id":1,`, "null", `"code":-32700`},
		{"not UTF-8", "\xff\xfe", "null", `"code":-32700`},
		{"a number", `7`, "null", `a message is one JSON object`},
		{"a batch", `[` + callLine(1, "exec", "{}") + `]`, "null", `a message is one JSON object`},
		{"no version", `{"id":1,"method":"tools/list"}`, "null", `"code":-32600`},
		{"a strange id", `{"jsonrpc":"2.0","id":{},"method":"tools/list"}`, "null", `"code":-32600`},
		{"a strange method", `{"jsonrpc":"2.0","id":1,"method":7}`, "null", `"code":-32600`},
		{"too long", huge, "null", `longer than 4 MiB`},
		{"two on a line", hello + hello, "null", `"code":-32700`},
		{"too deep", deep, "null", `"code":-32600`},
		{"unknown method", `{"jsonrpc":"2.0","id":1,"method":"nope"}`, "1", `"code":-32601`},
		{"unknown tool", callLine(1, "nope", "{}"), "1", `{"code":-32602,"message":"Tool nope not found"}`},
		{"no params", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, "1", `"code":-32600`},
		{"params of another type", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}`, "1", `"code":-32602`},
		{"unknown argument", callLine(1, "find_words", `{"query":"alpha","x":1}`), "1", `"isError":true`},
		{"wrong type", callLine(1, "find_words", `{"query":["alpha"]}`), "1", `"isError":true`},
		{"arguments of another type", callLine(1, "find_words", `"alpha"`), "1", `"isError":true`},
		{"an answer nobody asked for", `{"jsonrpc":"2.0","id":99,"result":{}}`, "2", `{}`},
		{"a blank line", "\r\n \n", "2", `{}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := talk(t, fakes(), mcp.Options{}, hello, ready, tc.line, `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
			if !strings.Contains(string(got[tc.id]), tc.want) {
				t.Errorf("answer %s, want one with %s", got[tc.id], tc.want)
			}
			if got["2"] == nil {
				t.Error("the server answers nothing after that")
			}
		})
	}
}

// TestStdioEnds sees that every way for a session to end is a clean one and
// leaves nothing running.
func TestStdioEnds(t *testing.T) {
	s, err := mcp.Server(fakes(), "test", mcp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]string{
		"empty input": "", "half a line": hello[:20], "only a greeting": hello + "\n", "no newline": hello,
	} {
		if err := mcp.Stdio(t.Context(), s, strings.NewReader(in), io.Discard); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}

	// A subscription would have no answer to wait for, if there were something to
	// subscribe to.
	listen := `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{` + modern + `"notifications":{}}}`
	out := talk(t, fakes(), mcp.Options{}, listen, `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{`+modern+`"cursor":""}}`)
	if out["2"] == nil {
		t.Errorf("answers %s", out)
	}
}

// TestStdioCancelled sees that a session ends with its context, whatever runs.
func TestStdioCancelled(t *testing.T) {
	s, err := mcp.Server(fakes(), "test", mcp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	out := &firstLine{seen: make(chan struct{})}
	done := make(chan error, 1)
	go func() { done <- mcp.Stdio(ctx, s, r, out) }()
	io.WriteString(w, hello+"\n"+ready+"\n"+callLine(1, "slow", "{}")+"\n")
	<-out.seen
	cancel()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("cancelled: %v", err)
		}
	case <-time.After(5 * time.Minute):
		t.Error("a cancelled session goes on")
	}
	w.Close()
}

// A firstLine is a writer that tells of its first write.
type firstLine struct {
	once sync.Once
	seen chan struct{}
}

func (f *firstLine) Write(p []byte) (int, error) {
	f.once.Do(func() { close(f.seen) })
	return len(p), nil
}

// A deadEnd is the output of a client that is gone.
type deadEnd struct{}

func (deadEnd) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestStdioClientGone(t *testing.T) {
	s, err := mcp.Server(fakes(), "test", mcp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		done <- mcp.Stdio(t.Context(), s, strings.NewReader(hello+"\n"+callLine(1, "exec", "{}")+"\n"), deadEnd{})
	}()
	select {
	case <-done:
	case <-time.After(5 * time.Minute):
		t.Error("the server waits for a client that is gone")
	}
}

// TestCancel sees that a client that gives a call up ends it.
func TestCancel(t *testing.T) {
	started, ended := make(chan struct{}), make(chan struct{})
	ops := []op.Op{plain("wait", op.Reads, func(ctx context.Context, _ op.Out) (op.Result, error) {
		close(started)
		<-ctx.Done()
		close(ended)
		return nil, ctx.Err()
	})}
	c := connect(t, ops, mcp.Options{}, nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-started; cancel() }()
	if _, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "wait"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	select {
	case <-ended:
	case <-time.After(5 * time.Minute):
		t.Error("the operation still runs")
	}
}

// TestDeaf sees that an operation that ignores its context costs its caller no
// more than the timeout, and others nothing.
func TestDeaf(t *testing.T) {
	release := make(chan struct{})
	ops := append(fakes(), plain("deaf", op.Reads, func(context.Context, op.Out) (op.Result, error) {
		<-release
		return nil, nil
	}))
	c := connect(t, ops, mcp.Options{Timeout: 10 * time.Millisecond, Parallel: 2}, nil)
	if got := textOf(t, call(t, c, "deaf", "")); !strings.Contains(got, "deaf took longer than 10ms") {
		t.Errorf("answer %q", got)
	}
	if res := call(t, c, "find_words", `{"query":"alpha"}`); res.IsError {
		t.Errorf("beside it: %s", textOf(t, res))
	}
	call(t, c, "deaf", "") // takes the last slot for good
	if got := textOf(t, call(t, c, "find_words", `{"query":"alpha"}`)); !strings.Contains(got, "the server is busy with 2 other calls\nhint: call find_words again") {
		t.Errorf("answer %q", got)
	}
	close(release)
}

// TestConcurrent sees that calls run beside each other and that each gets its
// own answer. Run it with -race.
func TestConcurrent(t *testing.T) {
	const n = 8
	var all sync.WaitGroup
	all.Add(n)
	ops := append(fakes(), plain("meet", op.Reads, func(ctx context.Context, _ op.Out) (op.Result, error) {
		all.Done()
		all.Wait() // ends only when all of them run at once
		return nil, nil
	}))
	c := connect(t, ops, mcp.Options{Parallel: 2 * n}, nil)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if _, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "meet"}); err != nil {
				t.Error(err)
			}
		})
		wg.Go(func() {
			query := fmt.Sprintf("query-%d", i)
			res, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "find_words", Arguments: map[string]any{"query": query}})
			if err != nil || !strings.Contains(res.Content[0].(*sdk.TextContent).Text, query+" ") {
				t.Errorf("%s: %v %v", query, res, err)
			}
		})
	}
	wg.Wait()
}

// TestProgress sees that a client that asks for progress is told of it.
func TestProgress(t *testing.T) {
	told := make(chan *sdk.ProgressNotificationParams, 1)
	c := connect(t, fakes(), mcp.Options{Timeout: 100 * time.Millisecond}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *sdk.ProgressNotificationClientRequest) { told <- req.Params },
	})
	params := &sdk.CallToolParams{Name: "slow"}
	params.SetProgressToken("p1")
	if _, err := c.CallTool(t.Context(), params); err != nil {
		t.Fatal(err)
	}
	select {
	case p := <-told:
		if p.ProgressToken != "p1" || p.Message != "waiting: 1 of 2" || p.Progress != 1 || p.Total != 2 {
			t.Errorf("told %+v", p)
		}
	case <-time.After(5 * time.Minute):
		t.Error("not told")
	}
}

// FuzzStdio holds the package's promise: whatever a client sends, what comes
// back is messages, and the server still answers after it.
func FuzzStdio(f *testing.F) {
	for _, s := range []string{
		"", "{", "[]", "7", `"x"`, ready, hello, callLine(1, "find_words", `{"query":"alpha"}`), callLine(1, "exec", "null"),
		callLine(9, "exec", "{}"), `{"jsonrpc":"2.0","id":"9","method":"tools/list","params":{"cursor":"x"}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}`, `{"jsonrpc":"2.0","id":9,"result":{}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{` + modern + `"x":1}}`, `{"jsonrpc":"2.0","id":3,"method":"logging/setLevel","params":{"level":"debug"}}`,
		`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"method":"ping"}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		const last = `{"jsonrpc":"2.0","id":"the last","method":"ping"}`
		if got := talk(t, fakes(), mcp.Options{Timeout: 10 * time.Millisecond}, hello, ready, line, last); got[`"the last"`] == nil {
			t.Errorf("after %q: answers %s", line, got)
		}
	})
}

// Whoever wants to know is told of each call, that it failed, and of its answer how long it is.
func TestDone(t *testing.T) {
	told := make(chan mcp.Done, 2)
	c := connect(t, fakes(), mcp.Options{Done: func(_ context.Context, d mcp.Done) { told <- d }}, nil)
	said := textOf(t, call(t, c, "find_words", `{"query":"alpha"}`))
	d := <-told
	if d.Tool != "find_words" || d.Failed || d.Err != nil || d.Effect != op.Reads || string(d.Arguments) != `{"query":"alpha"}` || !strings.Contains(string(d.Answer), `"hits"`) || d.Text != len(said) || d.Began.IsZero() {
		t.Errorf("%+v of %q", d, said)
	}
	call(t, c, "find_words", `{"quer":1}`)
	if d := <-told; !d.Failed || d.Err == nil || d.Text == 0 || len(d.Answer) != 0 {
		t.Errorf("%+v", d)
	}
}
