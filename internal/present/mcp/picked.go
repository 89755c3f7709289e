//go:build !slim

package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-dev/assay/internal/base/fault"
	words "github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/present/op"
)

// Prompts and resources are calls of tools by another name: they have the limits, the log and the redaction of calls, and
// show nothing that the tool does not.

const maxURI, completeTime = 4096, time.Second
const maxCompleted = 100 // values in an answer, as the protocol has it

// abilities returns what the server can do beside tools: what the tools of its catalogue have.
func (r *runner) abilities() *mcp.ServerOptions {
	has := &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}
	can := &mcp.ServerOptions{Capabilities: has}
	for _, o := range r.catalogue {
		for _, t := range o.Tools {
			if len(t.Prompts) > 0 {
				has.Prompts, can.CompletionHandler = &mcp.PromptCapabilities{}, r.complete
			}
			if len(t.Views) > 0 {
				has.Resources, can.CompletionHandler = &mcp.ResourceCapabilities{}, r.complete
			}
		}
	}
	if can.CompletionHandler != nil {
		has.Completions = &mcp.CompletionCapabilities{}
	}
	return can
}

// addPicked adds the prompts and the resources of the tools.
func (r *runner) addPicked(s *mcp.Server) {
	for _, o := range r.catalogue {
		for _, t := range o.Tools {
			for i := range t.Prompts {
				p := &t.Prompts[i]
				var args []*mcp.PromptArgument
				for _, a := range p.Args {
					args = append(args, &mcp.PromptArgument{Name: a.Name, Description: a.Brief, Required: a.Required})
				}
				s.AddPrompt(&mcp.Prompt{Name: p.Name, Title: p.Title, Description: p.Brief, Arguments: args}, r.prompt(o, t, p))
			}
			for i := range t.Views {
				v, name := &t.Views[i], strings.Trim(strings.TrimPrefix(t.Views[i].Base, "assay://"), "/")
				if v.Variable == "" {
					s.AddResource(&mcp.Resource{Name: name, Title: v.Title, Description: v.Brief, MIMEType: v.MIME, URI: v.Base}, r.reader(o, t, v))
					continue
				}
				s.AddResourceTemplate(&mcp.ResourceTemplate{Name: name, Title: v.Title, Description: v.Brief, MIMEType: v.MIME, URITemplate: template(v)},
					r.reader(o, t, v))
			}
		}
	}
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if p, ok := req.GetParams().(*mcp.ReadResourceParams); ok {
				if err := tidyURI(&p.URI); err != nil {
					return nil, err
				}
			}
			return next(ctx, method, req)
		}
	})
}

// template is the URI template of a view: its variable may have slashes.
func template(v *op.View) string { return v.Base + "{+" + v.Variable + "}" }

// callAs runs a tool with arguments that a prompt or a view makes. The error is of the answer.
func (r *runner) callAs(ctx context.Context, o op.Op, t op.Tool, req *mcp.CallToolRequest, args any) (*mcp.CallToolResult, error) {
	req.Params.Name = t.Name
	req.Params.Arguments, _ = json.Marshal(args) // of fields that are texts and numbers
	return r.serve(ctx, o, t, req)
}

// prompt returns what answers a prompt: the answer of its tool, or if the tool has none, the request to call it.
func (r *runner) prompt(o op.Op, t op.Tool, p *op.Prompt) mcp.PromptHandler {
	return func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		given := req.Params.Arguments
		for _, a := range p.Args {
			if a.Required && strings.TrimSpace(given[a.Name]) == "" {
				return nil, invalid("prompt %s needs the argument %s: %s", p.Name, a.Name, a.Brief)
			}
		}
		call := &mcp.CallToolRequest{Session: req.Session, Extra: req.Extra,
			Params: &mcp.CallToolParamsRaw{Meta: req.Params.Meta, InputResponses: req.Params.InputResponses}}
		res, err := r.callAs(ctx, o, t, call, p.Call(given))
		switch {
		case err != nil && fault.KindOf(err) == fault.Usage:
			return nil, invalid("%s", r.complaint(err, t))
		case res.InputRequests != nil:
			return &mcp.GetPromptResult{InputRequests: res.InputRequests}, nil
		}
		said := fmt.Sprintf(p.Head, given[p.Args[0].Name]) + "\n\n" + textIn(res)
		if err != nil {
			said += fmt.Sprintf("\n\nCall the tool %s with %s before you begin.", t.Name, call.Params.Arguments)
		}
		message := &mcp.PromptMessage{Role: "user", Content: text(safely(said))[0]}
		return &mcp.GetPromptResult{Description: p.Brief, Messages: []*mcp.PromptMessage{message}}, nil
	}
}

// reader returns what reads the resources of a view. No cache may keep an answer for others.
func (r *runner) reader(o op.Op, t op.Tool, v *op.View) mcp.ResourceHandler {
	return func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		value, err := url.PathUnescape(strings.TrimPrefix(req.Params.URI, v.Base))
		if err != nil || v.Variable != "" && strings.TrimSpace(value) == "" {
			return nil, invalid("%s names no %s: the form is %s", req.Params.URI, strings.ToLower(v.Title), template(v))
		}
		call := &mcp.CallToolRequest{Session: req.Session, Extra: req.Extra,
			Params: &mcp.CallToolParamsRaw{Meta: req.Params.Meta, InputResponses: req.Params.InputResponses}}
		res, err := r.callAs(ctx, o, t, call, v.Call(value))
		switch {
		case err != nil: // some tools answer errors in words that their clients know, which say less
			return nil, &jsonrpc.Error{Code: codeOf(err), Message: safely(r.complaint(err, t))}
		case res.InputRequests != nil:
			return &mcp.ReadResourceResult{InputRequests: res.InputRequests}, nil
		}
		contents := []*mcp.ResourceContents{{MIMEType: v.MIME, Text: textIn(res)}}
		return &mcp.ReadResourceResult{Cacheable: mcp.Cacheable{CacheScope: "private"}, Contents: contents}, nil
	}
}

// codeOf is the code of JSON-RPC for an error of a tool.
func codeOf(err error) int64 {
	if k := fault.KindOf(err); k == fault.NotFound || k == fault.Usage {
		return jsonrpc.CodeInvalidParams
	}
	return jsonrpc.CodeInternalError
}

// tidyURI escapes the characters of a resource's URI that a URI cannot have, and refuses what is no URI.
func tidyURI(uri *string) error {
	switch {
	case len(*uri) > maxURI:
		return invalid("the URI is longer than %d bytes", maxURI)
	case !utf8.ValidString(*uri) || strings.ContainsFunc(*uri, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return invalid("the URI has control characters")
	}
	var b strings.Builder
	for i := range len(*uri) {
		if c := (*uri)[i]; c > ' ' && c < 0x7f && !strings.ContainsRune(`"<>\^`+"`{|}", rune(c)) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	*uri = b.String()
	return nil
}

// complete returns values of an argument that begin with what was typed, as far as the indexes that there are have them.
func (r *runner) complete(ctx context.Context, req *mcp.CompleteRequest) (res *mcp.CompleteResult, err error) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(r.opt.Log, "assay: panic in completion: %s\n%s", safely(fmt.Sprint(p)), debug.Stack())
			res, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error in completion"}
		}
	}()
	ctx, cancel := r.limited(ctx, completeTime)
	defer cancel()
	res = &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}
	if r.roots != nil && r.roots.awaited(req.Session) {
		return res, nil // the first call of a tool asks for the folders
	}
	offer, known := r.offerOf(req.Params)
	typed := req.Params.Argument.Value
	switch {
	case !known:
		return nil, invalid("no prompt or resource template has the argument %q", req.Params.Argument.Name)
	case offer == nil || len(typed) > maxNameBytes:
		return res, nil
	}
	end, err := r.opt.Turn(ctx, "completion", nil)
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: safely(err.Error())}
	}
	defer end()
	lead := typed[:strings.LastIndexByte(typed, ' ')+1] // of several words the last is completed
	all, err := offer(ctx, typed[len(lead):])
	if err != nil && ctx.Err() == nil {
		noteTo(r.opt)("completion: %v", err)
	}
	all = slices.DeleteFunc(all, func(value string) bool { return !words.IsLine(value) || safely(value) != value })
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	all = slices.Compact(all)
	res.Completion.Total = len(all)
	for _, value := range all[:min(len(all), maxCompleted)] {
		res.Completion.Values = append(res.Completion.Values, lead+value)
	}
	res.Completion.HasMore = len(all) > maxCompleted
	return res, nil
}

// offerOf returns what offers values for an argument, and whether there is such an argument.
func (r *runner) offerOf(p *mcp.CompleteParams) (op.Offer, bool) {
	for _, o := range r.catalogue {
		for _, t := range o.Tools {
			if r.roots != nil {
				_, t = r.roots.of(o, t)
			}
			for i := range t.Prompts {
				for _, a := range t.Prompts[i].Args {
					if p.Ref.Type == "ref/prompt" && p.Ref.Name == t.Prompts[i].Name && a.Name == p.Argument.Name {
						return a.Offer, true
					}
				}
			}
			for i := range t.Views {
				v := &t.Views[i]
				if p.Ref.Type == "ref/resource" && v.Variable != "" && p.Ref.URI == template(v) && v.Variable == p.Argument.Name {
					return v.Offer, true
				}
			}
		}
	}
	return nil, false
}

// textIn is the text of an answer.
func textIn(res *mcp.CallToolResult) string {
	var parts []string
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			parts = append(parts, t.Text)
		}
	}
	return strings.Join(parts, "\n")
}

func invalid(format string, args ...any) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: safely(fmt.Sprintf(format, args...))}
}
