// Package mcp presents operations as MCP tools, over standard input and output
// or over HTTP.
//
// Every call is answered: an operation that fails, panics or outlives its time
// costs its caller an error that says what to do next, and nobody else anything.
// A call that an error suggests is one this server accepts.
package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-dev/assay/internal/base/redact"
	"github.com/assay-dev/assay/internal/present/op"
)

// Options say how a server runs its calls. The zero value is good.
type Options struct {
	Name         string        // what the server calls itself; "assay" when empty
	Instructions string        // what it tells a model of itself; nothing when empty
	Timeout      time.Duration // the most a call may take; 30 s when zero
	Parallel     int           // the most calls that run at once; 16 when zero
	// Turn waits until a call of a tool may run, and returns what is to be called once it has ended; nil:
	// as many run at once as Parallel says.
	Turn func(ctx context.Context, tool string, args json.RawMessage) (end func(), err error)
	Log  io.Writer // gets the stack of a panic; nil drops it
	// Roots returns the operations over folders that the client names, of a server for one client
	// that was given none; nil: the client is not asked.
	Roots func(folders []string) ([]op.Op, error)

	// Done is told of each call when it was answered, and must not wait; nil: nobody.
	Done func(context.Context, Done)
}

// A Done is a call that was answered.
type Done struct {
	Tool, Client      string
	Effect            op.Effect
	Arguments, Answer []byte // JSON as it came; the answer may be empty
	Text              int    // bytes of the answer as a model reads it
	Began             time.Time
	Took              time.Duration
	Failed            bool  // the answer says that it is an error
	Err               error // what the operation ended with, also where the tool says it in an answer
}

const (
	callTimeout  = 30 * time.Second
	parallel     = 16
	maxMessage   = 4 << 20 // bytes of one message from a client
	maxNameBytes = 128
	stateless    = "2026-07-28" // the version of the protocol from which on requests say all of themselves
)

// Server returns a server with the tools of ops. It is safe to serve many
// clients with one Server.
func Server(ops []op.Op, version string, opt Options) (*mcp.Server, error) {
	opt.Name = cmp.Or(opt.Name, "assay")
	if opt.Timeout <= 0 {
		opt.Timeout = callTimeout
	}
	if opt.Parallel <= 0 {
		opt.Parallel = parallel
	}
	if opt.Turn == nil {
		opt.Turn = slots(opt.Parallel)
	}
	if opt.Log == nil {
		opt.Log = io.Discard
	}
	// The tools never change while a server runs, and a server that does not say
	// so is taken to log to its clients.
	run := &runner{catalogue: ops, opt: opt, known: map[string]*redact.Known{}}
	can := run.abilities()
	can.Instructions = opt.Instructions
	s := mcp.NewServer(&mcp.Implementation{Name: opt.Name, Version: version}, can)
	if opt.Roots != nil {
		run.roots = &clientRoots{open: opt.Roots}
	}
	seen := map[string]bool{}
	for _, o := range ops {
		for _, t := range o.Tools {
			if err := check(o, t); err != nil {
				return nil, fmt.Errorf("tool %q of %s: %w", t.Name, o.Name, err)
			}
			if seen[t.Name] {
				return nil, fmt.Errorf("tool %q of %s: the name is taken", t.Name, o.Name)
			}
			seen[t.Name] = true
			if t.Apart != "" && run.known[t.Apart] == nil {
				run.known[t.Apart] = redact.NewKnown(t.Apart)
			}
			s.AddTool(&mcp.Tool{
				Name:        t.Name,
				Title:       title(&o, t.Name),
				Description: t.Brief,
				InputSchema: t.Schema(),
				Annotations: annotations(o.Effect, t.Reads),
			}, run.handler(o, t))
		}
	}
	run.addPicked(s)
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if p, ok := req.GetParams().(*mcp.CallToolParamsRaw); ok && !seen[p.Name] {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("Tool %s not found", p.Name)}
			}
			if undeclared(can.Capabilities, method, req) {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: fmt.Sprintf("Method not found: %s", method)}
			}
			return next(ctx, method, req)
		}
	})
	return s, nil
}

// undeclared reports whether a request is for a capability that the server does not have, in a version
// of the protocol in which that is an error. The SDK answers with empty lists, as clients of former
// versions expect, some of which ask without a look at the capabilities.
func undeclared(has *mcp.ServerCapabilities, method string, req mcp.Request) bool {
	kind, _, _ := strings.Cut(method, "/")
	lacks := map[string]bool{"prompts": has.Prompts == nil, "resources": has.Resources == nil, "completion": has.Completions == nil}
	return lacks[kind] && modern(req)
}

// modern reports whether a request is of a version of the protocol whose requests say all of themselves.
func modern(req mcp.Request) bool {
	s, ok := req.GetSession().(*mcp.ServerSession)
	if !ok {
		return false
	}
	p := s.InitializeParams()
	return p != nil && p.ProtocolVersion >= stateless
}

// check finds what AddTool would panic over or only log.
func check(o op.Op, t op.Tool) error {
	name := regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)
	switch {
	case !name.MatchString(t.Name) || len(t.Name) > maxNameBytes:
		return fmt.Errorf("the name must be 1 to %d letters, digits, '_', '-' or '.'", maxNameBytes)
	case t.Schema == nil || t.Schema().Type != "object":
		return fmt.Errorf("the schema must describe an object")
	case t.Decode == nil || o.Run == nil:
		return fmt.Errorf("it cannot be run")
	}
	return nil
}

// title is what a person is shown of a tool: what its operation does, or the words of its name
// where an operation has several tools.
func title(o *op.Op, name string) string {
	if len(o.Tools) == 1 {
		return o.Brief
	}
	words := strings.NewReplacer("-", " ", "_", " ").Replace(name)
	return strings.ToUpper(words[:1]) + words[1:]
}

func annotations(e op.Effect, reads bool) *mcp.ToolAnnotations {
	no := false
	a := &mcp.ToolAnnotations{OpenWorldHint: &no}
	switch {
	case e == op.Reads, reads:
		a.ReadOnlyHint, a.IdempotentHint, a.DestructiveHint = true, true, &no
	case e == op.Writes:
		a.DestructiveHint = &no
	}
	return a
}
