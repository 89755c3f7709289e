package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/redact"
	words "github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/present/op"
)

// grace is what an operation whose time is up gets to give its own answer.
const grace = time.Second

// progressEvery keeps a busy operation from flooding its client.
const progressEvery = 250 * time.Millisecond

// errTimeout tells a call that took too long from one its client gave up.
var errTimeout = errors.New("out of time")

// carrierKey finds in a call's context what carries the call.
type carrierKey struct{}

// A carrier is what carries a call: an HTTP request, whose context ends when the client goes
// away, or the whole session. The SDK passes on the values of that context but not its end.
type carrier struct {
	gone  context.Context
	texts *heldTexts // of a request alone
}

// A runner runs the calls of one server.
type runner struct {
	catalogue []op.Op
	opt       Options
	roots     *clientRoots // nil: the client is not asked for its folders
	// known looks for secrets in texts of parts that answers have in common, by what is between them.
	known map[string]*redact.Known
}

// A reply is what came of a call: a result, or an error for its caller.
type reply struct {
	res *mcp.CallToolResult
	err error
}

func (r *runner) handler(o op.Op, t op.Tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		res, _ := r.serve(ctx, o, t, req)
		if by, ok := ctx.Value(carrierKey{}).(*carrier); ok && by.texts != nil {
			by.texts.hold(res)
		}
		return res, nil
	}
}

// serve answers a call within its time. The error is the one that the result tells, if any.
func (r *runner) serve(ctx context.Context, o op.Op, t op.Tool, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	ctx, cancel := r.limited(ctx, r.opt.Timeout)
	defer cancel()
	if r.roots != nil {
		if question := r.roots.settle(ctx, req.Session, req.Params.InputResponses, noteTo(r.opt)); question != nil {
			return &mcp.CallToolResult{InputRequests: question}, nil
		}
		o, t = r.roots.of(o, t)
	}
	began := time.Now()
	res, err := r.answer(ctx, o, t, req)
	if r.opt.Done != nil {
		r.opt.Done(ctx, done(o, req, res, err, began))
	}
	return res, err
}

// limited returns a context that ends after a time, or with what carries the call.
func (r *runner) limited(ctx context.Context, d time.Duration) (context.Context, func()) {
	ctx, cancel := context.WithTimeoutCause(ctx, d, errTimeout)
	if by, ok := ctx.Value(carrierKey{}).(*carrier); ok {
		stop := context.AfterFunc(by.gone, cancel)
		return ctx, func() { stop(); cancel() }
	}
	return ctx, cancel
}

// answer is what a call gets: its result, or the error as one, and that error beside it.
func (r *runner) answer(ctx context.Context, o op.Op, t op.Tool, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	res, err := r.call(ctx, o, t, req)
	if err != nil && t.Say != nil {
		if said, ok := t.Say(err); ok {
			return &mcp.CallToolResult{Content: text(safely(said))}, err
		}
	}
	if err != nil {
		return &mcp.CallToolResult{IsError: true, Content: text(safely(r.complaint(err, t)))}, err
	}
	return res, nil
}

// done describes a call with its result.
func done(o op.Op, req *mcp.CallToolRequest, res *mcp.CallToolResult, err error, began time.Time) Done {
	d := Done{Tool: req.Params.Name, Client: client(req), Effect: o.Effect, Arguments: req.Params.Arguments, Began: began, Took: time.Since(began),
		Failed: res.IsError, Err: err}
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			d.Text += len(t.Text)
		}
	}
	d.Answer, _ = res.StructuredContent.(json.RawMessage) // an error has none
	return d
}

// slots returns turns of so many calls at once.
func slots(n int) func(context.Context, string, json.RawMessage) (func(), error) {
	running := make(chan struct{}, n)
	return func(ctx context.Context, tool string, _ json.RawMessage) (func(), error) {
		select {
		case running <- struct{}{}:
			return func() { <-running }, nil
		case <-ctx.Done():
			return nil, fault.New(fault.Unavailable, "the server is busy with %s", words.Count(n, "other call", "other calls")).Or("call %s again in a moment", tool)
		}
	}
}

// call waits for its turn, then for the operation. An operation that ignores the
// end of its context is left behind, and keeps its turn until it does return.
func (r *runner) call(ctx context.Context, o op.Op, t op.Tool, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if ctx.Err() != nil { // the time went by before: an operation must not run over folders that are not the client's
		return nil, r.ended(ctx, t)
	}
	end, err := r.opt.Turn(ctx, t.Name, req.Params.Arguments)
	if err != nil {
		return nil, err
	}
	done := make(chan reply, 1)
	go func() {
		defer end()
		res, err := r.run(ctx, o, t, req)
		done <- reply{res, err}
	}()
	var got reply
	select {
	case got = <-done:
	case <-ctx.Done():
		select {
		case got = <-done:
		case <-time.After(grace):
			got.err = ctx.Err()
		}
	}
	if got.err == nil || ctx.Err() == nil {
		return got.res, got.err
	}
	return nil, r.ended(ctx, t)
}

// ended is the error of a call whose context has ended.
func (r *runner) ended(ctx context.Context, t op.Tool) error {
	if errors.Is(context.Cause(ctx), errTimeout) {
		return fault.New(fault.Unavailable, "%s took longer than %v", t.Name, r.opt.Timeout).
			Or("ask for less, or have the server started with a longer timeout")
	}
	return fault.New(fault.Interrupted, "%s was cancelled", t.Name)
}

// run is one call from its arguments to its answer.
func (r *runner) run(ctx context.Context, o op.Op, t op.Tool, req *mcp.CallToolRequest) (res *mcp.CallToolResult, err error) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(r.opt.Log, "assay: panic in %s: %s\n%s", t.Name, safely(fmt.Sprint(p)), debug.Stack())
			res, err = nil, fault.New(fault.Internal, "internal error in %s: %v", t.Name, p).
				Or("this is a defect of assay: other calls still work; please report it")
		}
	}()
	raw := bytes.TrimSpace(req.Params.Arguments)
	if len(raw) == 0 || string(raw) == "null" {
		raw = []byte("{}")
	}
	in, err := t.Decode(raw)
	if err != nil {
		return nil, err
	}
	var notes notes
	answer, err := o.Run(ctx, in, op.Out{
		Emit:     func(any) error { return nil }, // the answer carries the records too
		Progress: progress(ctx, req),
		Note:     notes.add,
		Client:   client(req),
		Command:  func(fix fault.Fix) string { return r.suggestion(fix, t) },
	})
	if err != nil {
		return nil, err
	}
	withhold := redact.Text
	if known := r.known[t.Apart]; known != nil {
		withhold = known.Text
	}
	return present(answer, t, withhold, &notes)
}

// client is the name that the client gave itself, or "".
func client(req *mcp.CallToolRequest) string {
	if req.Session == nil {
		return ""
	}
	p := req.Session.InitializeParams()
	if p == nil || p.ClientInfo == nil {
		return ""
	}
	const most = 64
	if name := []rune(p.ClientInfo.Name); len(name) > most {
		return string(name[:most])
	}
	return p.ClientInfo.Name
}

// present writes an answer as text for the model and as data for its program.
func present(answer op.Result, t op.Tool, withhold func([]byte) ([]byte, int), notes *notes) (*mcp.CallToolResult, error) {
	if answer == nil {
		return &mcp.CallToolResult{Content: text(safely(notes.String()))}, nil
	}
	var b bytes.Buffer
	if err := answer.WriteText(&b, false); err != nil {
		return nil, fmt.Errorf("write the answer: %w", err)
	}
	if t.Plain { // nothing is withheld of most texts: then nothing has to be known of cursors
		if clean, secrets := withhold(b.Bytes()); secrets == 0 {
			return &mcp.CallToolResult{Content: text(string(bytes.TrimSuffix(clean, []byte("\n"))))}, nil
		}
	}
	data, err := codec.Marshal(answer)
	if err != nil {
		return nil, fmt.Errorf("write the answer: %w", err)
	}
	pages := cursorsOf(data)
	clean, secrets := pages.text(b.Bytes())
	if t.Plain { // but for the end of the line, which only a terminal wants
		return &mcp.CallToolResult{Content: text(strings.TrimSuffix(string(clean), "\n"))}, nil
	}
	data, inData := pages.json(data)
	said := string(clean) + safely(notes.String())
	if secrets+inData > 0 {
		said += withheld
	}
	res := &mcp.CallToolResult{Content: text(said)}
	// A script that failed has an answer too, and its caller must not take it for success.
	if v, ok := answer.(op.Judged); ok && denied(v.Verdict()) {
		res.IsError = true
	}
	if data[0] == '{' { // older clients refuse anything but an object
		res.StructuredContent = json.RawMessage(data)
	}
	return res, nil
}

// safely returns what is said beside an answer without secrets: an error may quote a setting, an address or another
// server's words.
func safely(s string) string {
	clean, _ := redact.Text([]byte(s))
	return string(clean)
}

func text(s string) []mcp.Content {
	return []mcp.Content{&mcp.TextContent{Text: words.Visible(s)}}
}

// progress returns an operation's Progress: for a client that asked for it,
// where messages can pass before the answer, as they cannot in a JSON response.
func progress(ctx context.Context, req *mcp.CallToolRequest) func(stage string, done, total int64) {
	token := req.Params.GetProgressToken()
	overHTTP := req.Extra != nil && req.Extra.Header != nil
	if token == nil || overHTTP || req.Session == nil {
		return func(string, int64, int64) {}
	}
	var mu sync.Mutex
	var last time.Time
	var told float64
	return func(stage string, done, total int64) {
		mu.Lock()
		defer mu.Unlock()
		if time.Since(last) < progressEvery {
			return
		}
		last = time.Now()
		// The number must grow with each message, and what is done starts over with
		// each stage: so it counts the messages, and the text says the rest.
		told++
		message := fmt.Sprintf("%s: %d", stage, done)
		p := &mcp.ProgressNotificationParams{ProgressToken: token, Progress: told, Message: message}
		if total > 0 { // as many messages as there would be, if all go on as this one did
			p.Message += fmt.Sprintf(" of %d", total)
			p.Total = max(told, told*float64(total)/float64(max(done, 1)))
		}
		// A client that stopped listening has no use for the error.
		_ = req.Session.NotifyProgress(ctx, p)
	}
}

// notes are what an operation said beside its answer.
type notes struct {
	mu    sync.Mutex
	lines []string
}

func (n *notes) add(format string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, fmt.Sprintf(format, args...))
}

func (n *notes) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	var b strings.Builder
	for _, line := range n.lines {
		fmt.Fprintf(&b, "note: %s\n", line)
	}
	return b.String()
}

// denied reports whether a verdict is one on what was asked. That an answer is of a part of
// the tree is none: a client that takes it for an error does not ask again.
func denied(verdict error) bool { return verdict != nil && fault.KindOf(verdict) != fault.Stale }
