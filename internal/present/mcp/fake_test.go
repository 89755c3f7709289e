package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/present/op"
)

// A findInput is the input of the operation find, which has two tools.
type findInput struct {
	Query string   `json:"query"`
	Paths []string `json:"paths,omitempty"`
	Regex bool     `json:"regex,omitempty"`
	TopK  int      `json:"top_k,omitempty"`
}

// A findArgs are the arguments of those tools.
type findArgs struct {
	Query string `json:"query"`
	Path  string `json:"path,omitempty"`
	TopK  int    `json:"top_k,omitempty"`
}

// A quoteInput is the input of the operation quote.
type quoteInput struct {
	Text string `json:"text"`
}

// A noInput is the input of operations that take none.
type noInput struct{}

// A found is what find answers.
type found struct {
	Query string   `json:"query"`
	Hits  []string `json:"hits"`
}

func (f found) WriteText(w io.Writer, _ bool) error {
	_, err := fmt.Fprintf(w, "%s\n", strings.Join(f.Hits, "\n"))
	return err
}

// A list is an answer that is no JSON object.
type list []string

func (l list) WriteText(w io.Writer, _ bool) error {
	_, err := io.WriteString(w, strings.Join(l, " ")+"\n")
	return err
}

// A broken answer can be neither read nor sent.
type broken struct{ F func() }

func (broken) WriteText(io.Writer, bool) error { return errors.New("disk full") }

func strict(raw json.RawMessage, to any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(to); err != nil {
		return fault.New(fault.Usage, "arguments").Because(err).Or("look at the tool's schema")
	}
	return nil
}

func findTool(name string, regex bool) op.Tool {
	return op.Tool{
		Name: name, Brief: "Find " + name,
		Schema: fixed(&jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{
			"query": {Type: "string"}, "path": {Type: "string"}, "top_k": {Type: "integer"},
		}, Required: []string{"query"}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}),
		Decode: func(raw json.RawMessage) (any, error) {
			var a findArgs
			if err := strict(raw, &a); err != nil {
				return nil, err
			}
			if len(a.Query) < 3 {
				return nil, fault.New(fault.Usage, "query: %q is shorter than 3", a.Query)
			}
			in := findInput{Query: a.Query, Regex: regex, TopK: a.TopK}
			if a.Path != "" {
				in.Paths = []string{a.Path}
			}
			return in, nil
		},
	}
}

func fixed(s *jsonschema.Schema) func() *jsonschema.Schema {
	return func() *jsonschema.Schema { return s }
}

// plain returns an operation of one tool without arguments.
func plain(name string, e op.Effect, run func(ctx context.Context, out op.Out) (op.Result, error)) op.Op {
	return op.Op{
		Name: name, Brief: "Do " + name, Effect: e, In: reflect.TypeFor[noInput](),
		Tools: []op.Tool{{
			Name: strings.ReplaceAll(name, " ", "_"), Brief: "Do " + name,
			Schema: fixed(&jsonschema.Schema{Type: "object"}),
			Decode: func(raw json.RawMessage) (any, error) {
				var in noInput
				return in, strict(raw, &in)
			},
		}},
		Run: func(ctx context.Context, _ any, out op.Out) (op.Result, error) { return run(ctx, out) },
	}
}

// quote returns an operation whose tool's clients know the form of its answers.
func quote(name string, e op.Effect) op.Op {
	return op.Op{
		Name: name, Brief: "Quote", Effect: e, In: reflect.TypeFor[quoteInput](),
		Tools: []op.Tool{{
			Name: name, Brief: "Quote", Plain: true,
			Schema: fixed(&jsonschema.Schema{Type: "object"}),
			Decode: func(raw json.RawMessage) (any, error) {
				if strings.Contains(string(raw), "bad") {
					return nil, fault.New(fault.Usage, "Input validation error: word for word")
				}
				var in quoteInput
				err := json.Unmarshal(raw, &in)
				return in, err
			},
			Say: func(err error) (string, bool) {
				return "It is not here. Please try another.", fault.KindOf(err) == fault.NotFound
			},
		}},
		Run: func(_ context.Context, given any, out op.Out) (op.Result, error) {
			in := given.(quoteInput)
			out.Note("a note would break the form")
			switch in.Text {
			case "absent":
				return nil, fault.New(fault.NotFound, "no such text").Or("try another")
			case "locked":
				return nil, fault.New(fault.Unavailable, "the file is locked").Or("wait")
			}
			return found{in.Text, []string{"### Title", "", in.Text}}, nil
		},
	}
}

func find(_ context.Context, in any, out op.Out) (op.Result, error) {
	f := in.(findInput)
	switch {
	case f.Query == "<nothing> & more":
		return found{f.Query, []string{"a < b && c > d"}}, nil
	case strings.HasPrefix(f.Query, "missing"):
		return nil, fault.New(fault.NotFound, "nothing is called %q", f.Query).
			Try("find", fault.Arg{Name: "query", Value: "alpha"}, fault.Arg{Name: "top_k", Value: 3})
	case f.Query == "narrow":
		return nil, fault.New(fault.Usage, "too much is called that").
			Try("find", fault.Arg{Name: "query", Value: "alpha"}, fault.Arg{Name: "paths", Value: []string{"sub/a.go"}}, fault.Arg{Name: "regex", Value: true})
	case f.Query == "two places":
		return nil, fault.New(fault.Usage, "no tool takes two").
			Try("find", fault.Arg{Name: "query", Value: "alpha"}, fault.Arg{Name: "paths", Value: []string{"a", "b"}}).Or("look in one folder at a time")
	case f.Query == "rebuild":
		return nil, fault.New(fault.Stale, "the index is old").Try("reset", fault.Arg{Name: "full", Value: true}).Or("have the index rebuilt")
	case f.Query == "commandonly":
		return nil, fault.New(fault.Stale, "the index is old").Try("reset")
	case f.Query == "plain error":
		return nil, errors.New("open x: no such file")
	}
	out.Note("%d files are not indexed", 2)
	return found{f.Query, []string{fmt.Sprintf("%s regex=%t in %v", f.Query, f.Regex, f.Paths)}}, nil
}

// fakes are operations that behave in every way an operation may.
func fakes() []op.Op {
	return []op.Op{
		{Name: "find", Brief: "Find", In: reflect.TypeFor[findInput](), Tools: []op.Tool{findTool("find_words", false), findTool("find_regex", true)}, Run: find},
		{Name: "reset", Brief: "Reset", Effect: op.Writes, In: reflect.TypeFor[noInput](), Run: find},
		plain("keep", op.Writes, func(context.Context, op.Out) (op.Result, error) { return found{}, nil }),
		plain("exec", op.Executes, func(context.Context, op.Out) (op.Result, error) { return list{"a", "b"}, nil }),
		plain("silent", op.Reads, func(_ context.Context, out op.Out) (op.Result, error) { return nil, out.Emit(1) }),
		plain("broken", op.Reads, func(context.Context, op.Out) (op.Result, error) { return broken{}, nil }),
		quote("quote", op.Reads),
		plain("panic", op.Reads, func(context.Context, op.Out) (op.Result, error) {
			var none []int
			return nil, fmt.Errorf("%d", none[len(none)])
		}),
		plain("slow", op.Reads, func(ctx context.Context, out op.Out) (op.Result, error) {
			out.Progress("waiting", 1, 2)
			<-ctx.Done()
			return nil, fmt.Errorf("read a.go: %w", ctx.Err())
		}),
	}
}
