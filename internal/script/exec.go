package script

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/script/lua"
)

const (
	// What a script has that runs for a tool, and what any answer holds that captures.
	confinedTime  = 20 * time.Second
	confinedBytes = 512 << 10
	capturedBytes = 64 << 20
)

// An ExecResult is what came of Lua that was run. As text and without Capture, what
// it printed and logged has been shown already, and Output and Logs are empty.
type ExecResult struct {
	Result    any      `json:"result"` // a list where the script returned several values
	Output    string   `json:"output"` // of print
	Logs      []string `json:"logs"`
	Error     *string  `json:"error"`               // what it raised, with its traceback
	Truncated bool     `json:"truncated,omitempty"` // Output or Logs go on
	// NeedsApproval is the request before which the script ended, because the policy has it approved.
	NeedsApproval *Needed `json:"needs_approval,omitempty"`

	values   []any
	captured bool
}

// Verdict returns an error where the script raised one that is part of the answer. It
// takes nil: a Trial that lists the examples ran nothing.
func (r *ExecResult) Verdict() error {
	if r != nil && r.NeedsApproval != nil {
		return fault.New(fault.Negative, "the script needs an approval and has not sent the request")
	}
	if r == nil || r.Error == nil {
		return nil
	}
	line, _, _ := strings.Cut(*r.Error, "\n")
	return fault.New(fault.Negative, "%s", line)
}

// Verbatim is true: what a script returns is its own affair.
func (r *ExecResult) Verbatim(bool) bool { return true }

// WriteText writes what the script returned; with Capture, all there is.
func (r *ExecResult) WriteText(w io.Writer, _ bool) error {
	if r.NeedsApproval != nil && !r.captured {
		return r.NeedsApproval.writeText(w)
	}
	if !r.captured {
		return writeValues(w, r.values)
	}
	var b strings.Builder
	b.WriteString(r.Output)
	if r.Output != "" && !strings.HasSuffix(r.Output, "\n") {
		b.WriteByte('\n')
	}
	for _, line := range r.Logs {
		fmt.Fprintf(&b, "log: %s\n", line)
	}
	if r.Truncated {
		b.WriteString("truncated: there was more\n")
	}
	if r.NeedsApproval != nil {
		if _, err := io.WriteString(w, b.String()); err != nil {
			return err
		}
		return r.NeedsApproval.writeText(w)
	}
	if r.Error != nil {
		fmt.Fprintf(&b, "error: %s\n", *r.Error)
	} else {
		text, err := shown(r.Result)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "result: %s\n", text)
	}
	return fault.Only(io.WriteString(w, b.String()))
}

// Exec runs Lua.
func (f *Feature) Exec(ctx context.Context, in ExecInput) (*ExecResult, error) {
	if in.Resume != "" {
		return f.resume(ctx, in)
	}
	chunk, src, err := f.source(&in, in.Capture || work.FromContext(ctx).Document)
	if err != nil {
		return nil, err
	}
	policy, err := f.policy(&in.Requests)
	if err != nil {
		return nil, err
	}
	memory, err := f.memory(in.Memory, in.Confined)
	if err != nil {
		return nil, err
	}
	limit := time.Duration(in.Timeout * float64(time.Second))
	if in.Confined && (limit <= 0 || limit > confinedTime) {
		limit = confinedTime
	}
	limit, memory = bounds(policy, limit, memory)
	late := fmt.Errorf("the script took longer than %v", limit)
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, late)
		defer cancel()
	}
	w, done, err := f.wire(in.Requests)
	if err != nil {
		return nil, err
	}
	o := f.options(ctx, memory, in.Requests, w, policy)
	end, err := f.prepare(&o, in.resumed, chunk, src)
	if err != nil {
		return nil, err
	}
	r, err := f.run(ctx, late, chunk, src, in, o)
	if recorded := done(); err == nil {
		err = recorded
	}
	return f.settle(r, err, &o, end, &suspension{Chunk: chunk, Source: src, Args: in.Args, Limit: limit})
}

// source returns the Lua that is to be run, and its name in errors. Requests of a file return their responses if list is true, and else print them.
func (f *Feature) source(in *ExecInput, list bool) (chunk string, src []byte, err error) {
	switch {
	case in.resumed != nil:
		return in.resumed.Chunk, in.resumed.Source, nil
	case in.Eval != "" && in.File != "":
		in.Args = append([]string{in.File}, in.Args...) // a file's place holds an argument then
	case in.Eval != "":
	case in.File == "":
		return "", nil, fault.New(fault.Usage, "exec requires either -e <code> or a file path").Or("for example: assay exec -e 'return time()'")
	case in.File == "-" && f.cfg.Stdin != nil:
		if src, err = upTo(f.cfg.Stdin, mostScript); err != nil {
			return "", nil, fault.New(fault.Unavailable, "reading standard input: %v", err)
		}
		return "@<stdin>", src, nil
	default:
		if src, err = f.read(in.File); err != nil {
			return "", nil, f.unread("reading", in.File, err, "a script (.lua), requests (.http), or code with -e", ".lua", ".http", ".rest")
		}
		if ext := strings.ToLower(filepath.Ext(in.File)); ext == ".http" || ext == ".rest" {
			if httpFile == "" {
				return "", nil, fault.New(fault.Usage, "this build runs no files of requests: it was made with -tags slim").Or("use the full build")
			}
			call := fmt.Sprintf("local ok, out = pcall(run, %s, %s, %t, %s, ...) if not ok then error(out, 0) end return out", lua.Quoted(in.File), lua.Quoted(filepath.ToSlash(filepath.Dir(in.File))+"/"), list, lua.Quoted(string(src)))
			return "@" + in.File, []byte(httpFile + call), nil
		}
		return "@" + in.File, src, nil
	}
	return "@<eval>", []byte(in.Eval), nil
}

// run runs a script. An answer that is a document holds its output too, because a script's prints would break the document.
func (f *Feature) run(ctx context.Context, late error, chunk string, src []byte, in ExecInput, o lua.Options) (*ExecResult, error) {
	if in.Capture || in.Confined || work.FromContext(ctx).Document {
		return f.capture(ctx, late, chunk, src, in, o)
	}
	values, err := f.execute(ctx, o, chunk, src, in.Args)
	if err != nil {
		if errors.Is(context.Cause(ctx), late) {
			return nil, fault.New(fault.Negative, "%v", late)
		}
		return nil, err
	}
	return &ExecResult{Result: single(values), Logs: []string{}, values: values}, nil
}

// capture runs a script whose answer holds all that came of it. One that is confined
// runs under the feature's policy, or where it has none under one that permits nothing.
func (f *Feature) capture(ctx context.Context, late error, chunk string, src []byte, in ExecInput, o lua.Options) (*ExecResult, error) {
	room := &room{left: capturedBytes}
	if in.Confined {
		room.left = confinedBytes
		if o.Policy == nil {
			o.Policy = &lua.Policy{}
		}
	}
	most := room.left
	output, logs := &bounded{room: room}, &bounded{room: room}
	o.Stdout, o.Log = output, logs
	vm := lua.New(o)
	values, err := runLua(ctx, vm, chunk, src, in.Args)
	r := &ExecResult{Logs: []string{}, Truncated: room.cut, captured: true}
	r.Output = vm.Redact(strings.ToValidUTF8(output.held.String(), "\uFFFD"))
	if text := strings.TrimRight(vm.Redact(strings.ToValidUTF8(logs.held.String(), "\uFFFD")), "\n"); text != "" {
		r.Logs = strings.Split(text, "\n")
	}
	if err == nil {
		r.Result = redacted(vm, single(values))
		text, encErr := compact(r.Result)
		switch {
		case encErr != nil:
			err = fmt.Errorf("the result cannot be written as JSON: %w", encErr)
		case len(text) > most:
			err = fmt.Errorf("the result has %d bytes, at most %d", len(text), most)
		}
	}
	if err == nil {
		return r, nil
	}
	raised, isLua := errors.AsType[*lua.Error](err)
	message := err.Error()
	switch {
	case errors.Is(context.Cause(ctx), late):
		message = late.Error()
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case isLua:
		message = withTraceback(raised)
	}
	message = vm.Redact(message)
	r.Result, r.Error = nil, &message
	return r, nil
}

// redacted takes the secrets that a script has read out of a value.
func redacted(vm *lua.VM, v any) any {
	switch v := v.(type) {
	case string:
		return vm.Redact(v)
	case []any:
		out := slices.Clone(v)
		for i := range out {
			out[i] = redacted(vm, out[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[vm.Redact(k)] = redacted(vm, e)
		}
		return out
	}
	return v
}

// A room is what several buffers may take together.
type room struct {
	mu   sync.Mutex
	left int  // bytes
	cut  bool // something did not fit
}

// A bounded buffer takes no more than there is room for. It is safe for concurrent use as long as it is written to.
type bounded struct {
	held bytes.Buffer
	room *room
}

func (b *bounded) Write(p []byte) (int, error) {
	b.room.mu.Lock()
	defer b.room.mu.Unlock()
	n := min(len(p), b.room.left)
	b.room.left -= n
	b.room.cut = b.room.cut || n < len(p)
	b.held.Write(p[:n])
	return len(p), nil
}
