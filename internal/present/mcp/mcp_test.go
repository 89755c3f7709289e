package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/tools/txtar"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/present/op"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// connect returns a client of a server with ops.
func connect(t *testing.T, ops []op.Op, opt mcp.Options, client *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	s, err := mcp.Server(ops, "test", opt)
	if err != nil {
		t.Fatal(err)
	}
	ct, st := sdk.NewInMemoryTransports()
	ss, err := s.Connect(t.Context(), st, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, client).Connect(t.Context(), ct, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(); ss.Wait() })
	return c
}

// call calls a tool with the arguments in raw.
func call(t *testing.T, c *sdk.ClientSession, name, raw string) *sdk.CallToolResult {
	t.Helper()
	params := &sdk.CallToolParams{Name: name}
	if raw != "" {
		params.Arguments = json.RawMessage(raw)
	}
	res, err := c.CallTool(t.Context(), params)
	if err != nil {
		t.Fatalf("%s %s: %v", name, raw, err)
	}
	return res
}

func textOf(t *testing.T, res *sdk.CallToolResult) string {
	t.Helper()
	if len(res.Content) != 1 {
		t.Fatalf("%d contents, want 1", len(res.Content))
	}
	return res.Content[0].(*sdk.TextContent).Text
}

// TestTranscripts plays the calls in each transcript and compares the answers. A
// line of "calls" is a tool's name and its arguments. A call that an error
// suggests is played at once, and must work: a model would follow a bad one
// round in circles.
func TestTranscripts(t *testing.T) {
	play(t, "testdata/fake/*.txtar", func(*testing.T) ([]op.Op, func(string) string) {
		return fakes(), func(s string) string { return s }
	})
}

func play(t *testing.T, glob string, open func(*testing.T) (ops []op.Op, normal func(string) string)) {
	files, err := filepath.Glob(glob)
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts in %s: %v", glob, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			ops, normal := open(t)
			c := connect(t, ops, mcp.Options{}, nil)
			var got strings.Builder
			for line := range strings.Lines(string(ar.Files[0].Data)) {
				line = strings.TrimSpace(line)
				name, args, _ := strings.Cut(line, " ")
				res := call(t, c, name, args)
				transcribe(t, &got, line, res)
				if fix, ok := fixIn(t, res); ok {
					name, args, _ := strings.Cut(fix, " ")
					res := call(t, c, name, args)
					transcribe(t, &got, "fix: "+fix, res)
					if res.IsError {
						t.Errorf("the suggested call %s fails too", fix)
					}
				}
			}
			out := normal(got.String())
			if *update {
				ar.Files = append(ar.Files[:1], txtar.File{Name: "answers", Data: []byte(out)})
				if err := os.WriteFile(file, txtar.Format(ar), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want := ""
			if len(ar.Files) > 1 {
				want = string(ar.Files[1].Data)
			}
			if diff := cmp.Diff(want, out); diff != "" {
				t.Errorf("(-want +got)\n%s\nrun go test ./internal/present/mcp -update if this is right, and read the diff", diff)
			}
		})
	}
}

// transcribe writes a call and its answer: text as it is, data indented.
func transcribe(t *testing.T, b *strings.Builder, call string, res *sdk.CallToolResult) {
	t.Helper()
	fmt.Fprintf(b, "> %s\n", call)
	if res.IsError {
		b.WriteString("error: ")
	}
	b.WriteString(strings.TrimSuffix(textOf(t, res), "\n") + "\n")
	if res.StructuredContent != nil {
		enc := json.NewEncoder(b)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(res.StructuredContent); err != nil {
			t.Fatal(err)
		}
	}
	b.WriteString("\n")
}

// fixIn returns the call that an error answer suggests.
func fixIn(t *testing.T, res *sdk.CallToolResult) (string, bool) {
	if !res.IsError {
		return "", false
	}
	_, fix, ok := strings.Cut(textOf(t, res), "\nfix: call ")
	return fix, ok
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s differs: run go test ./internal/present/mcp -update and read the diff\n%s", file, got)
	}
}

func TestAnnotations(t *testing.T) {
	res, err := connect(t, fakes(), mcp.Options{}, nil).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"find_words": `{"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,"readOnlyHint":true}`,
		"keep":       `{"destructiveHint":false,"idempotentHint":false,"openWorldHint":false,"readOnlyHint":false}`,
		"exec":       `{"idempotentHint":false,"openWorldHint":false,"readOnlyHint":false}`,
	}
	for _, tool := range res.Tools {
		if w, ok := want[tool.Name]; ok {
			if got, _ := json.Marshal(tool.Annotations); string(got) != w {
				t.Errorf("annotations of %s: %s, want %s", tool.Name, got, w)
			}
		}
	}
}

// TestCapabilities sees that the server claims tools and nothing else.
func TestCapabilities(t *testing.T) {
	init := connect(t, fakes(), mcp.Options{Name: "other"}, nil).InitializeResult()
	if got, _ := json.Marshal(init.Capabilities); string(got) != `{"tools":{}}` {
		t.Errorf("capabilities %s, want tools alone", got)
	}
	if init.ServerInfo.Name != "other" || init.ServerInfo.Version != "test" {
		t.Errorf("server info %+v", init.ServerInfo)
	}
}

func TestServerRefuses(t *testing.T) {
	for _, tc := range []struct {
		name  string
		spoil func(*op.Op)
		want  string
	}{
		{"a name with a space", func(o *op.Op) { o.Tools[0].Name = "find words" }, "the name must be"},
		{"a name twice", func(o *op.Op) { o.Tools[1].Name = o.Tools[0].Name }, "the name is taken"},
		{"no schema", func(o *op.Op) { o.Tools[0].Schema = nil }, "the schema must describe an object"},
		{"another schema", func(o *op.Op) { o.Tools[0].Schema().Type = "array" }, "the schema must describe an object"},
		{"no decoder", func(o *op.Op) { o.Tools[0].Decode = nil }, "it cannot be run"},
		{"no run", func(o *op.Op) { o.Run = nil }, "it cannot be run"},
	} {
		ops := fakes()
		tc.spoil(&ops[0])
		if _, err := mcp.Server(ops, "test", mcp.Options{}); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: error %v, want one with %q", tc.name, err, tc.want)
		}
	}
}

func TestPanic(t *testing.T) {
	var log bytes.Buffer
	c := connect(t, fakes(), mcp.Options{Log: &log}, nil)
	res := call(t, c, "panic", "")
	if got := textOf(t, res); !res.IsError || !strings.Contains(got, "internal error in panic: runtime error: index out of range [0] with length 0") {
		t.Errorf("answer %q", got)
	}
	if !strings.Contains(log.String(), "fake_test.go") {
		t.Errorf("the log has no stack:\n%s", log.String())
	}
	if res := call(t, c, "find_words", `{"query":"alpha"}`); res.IsError {
		t.Errorf("after a panic: %s", textOf(t, res))
	}
}

func TestTimeout(t *testing.T) {
	c := connect(t, fakes(), mcp.Options{Timeout: 20 * time.Millisecond}, nil)
	res := call(t, c, "slow", "")
	want := "slow took longer than 20ms\nhint: ask for less, or have the server started with a longer timeout"
	if got := textOf(t, res); !res.IsError || got != want {
		t.Errorf("answer %q, want %q", got, want)
	}
}

// A refusal is an answer that says no.
type refusal struct{ found }

func (refusal) Verdict() error { return errors.New("no") }

// TestVerdict sees that an answer that says no is an error of the tool, with all it says.
func TestVerdict(t *testing.T) {
	refuse := plain("refuse", op.Executes, func(context.Context, op.Out) (op.Result, error) {
		return refusal{found{Query: "q", Hits: []string{"it failed"}}}, nil
	})
	c := connect(t, []op.Op{refuse}, mcp.Options{}, nil)
	res := call(t, c, "refuse", "")
	if !res.IsError || !strings.Contains(textOf(t, res), "it failed") || res.StructuredContent == nil {
		t.Errorf("error %v, %q, %v", res.IsError, textOf(t, res), res.StructuredContent)
	}
}

// TestSafely holds that what is said beside an answer has no secret: in an error, in a note, of a panic.
func TestSafely(t *testing.T) {
	const token = "ghp_" + "x7Kq9ZtB2mLp4RsW8vYc1NdF6hJg3TaE5uQo"
	var log bytes.Buffer
	c := connect(t, []op.Op{
		plain("fails", op.Reads, func(context.Context, op.Out) (op.Result, error) {
			return nil, fault.New(fault.Usage, "the setting %q is not understood", token).Or("remove %s", token)
		}),
		plain("notes", op.Reads, func(_ context.Context, out op.Out) (op.Result, error) {
			out.Note("the server says %s", token)
			return found{Query: "q", Hits: []string{"one"}}, nil
		}),
		plain("panics", op.Reads, func(context.Context, op.Out) (op.Result, error) { panic("at " + token) }),
	}, mcp.Options{Log: &log}, nil)
	for _, name := range []string{"fails", "notes", "panics"} {
		res := call(t, c, name, "")
		if got := textOf(t, res); strings.Contains(got, token) || !strings.Contains(got, "[redacted:github-token]") {
			t.Errorf("%s: %q", name, got)
		}
	}
	if strings.Contains(log.String(), token) {
		t.Errorf("the log has it:\n%s", log.String())
	}
}
