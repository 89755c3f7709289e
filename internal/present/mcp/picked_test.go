//go:build !slim

package mcp_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/present/op"
)

// overHTTP returns a client of a server with ops that it reaches over HTTP.
func overHTTP(t *testing.T, ops []op.Op) *sdk.ClientSession {
	t.Helper()
	addr, _ := serve(t, ops, mcp.Options{}, mcp.HTTPOptions{})
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: "http://" + addr + "/mcp"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// transports are the ways to reach a server.
var transports = map[string]func(*testing.T, []op.Op) *sdk.ClientSession{
	"stdio": func(t *testing.T, ops []op.Op) *sdk.ClientSession { return connect(t, ops, mcp.Options{}, nil) },
	"http":  overHTTP,
}

// get returns the text of a prompt.
func get(t *testing.T, c *sdk.ClientSession, name string, args map[string]string) (string, error) {
	t.Helper()
	res, err := c.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: name, Arguments: args})
	if err != nil {
		return "", err
	}
	if len(res.Messages) != 1 || res.Messages[0].Role != "user" {
		t.Fatalf("prompt %s: %d messages", name, len(res.Messages))
	}
	return res.Messages[0].Content.(*sdk.TextContent).Text, nil
}

// completed returns what a client offers for an argument.
func completed(t *testing.T, c *sdk.ClientSession, ref *sdk.CompleteReference, argument, typed string) ([]string, error) {
	t.Helper()
	res, err := c.Complete(t.Context(), &sdk.CompleteParams{Ref: ref, Argument: sdk.CompleteParamsArgument{Name: argument, Value: typed}})
	if err != nil {
		return nil, err
	}
	return res.Completion.Values, nil
}

// codeOf is the code of an error of JSON-RPC, or 0.
func codeOf(err error) int64 {
	if e, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return e.Code
	}
	return 0
}

// TestPicked holds that a server says truly what it has beside tools, over each transport.
func TestPicked(t *testing.T) {
	for name, dial := range transports {
		t.Run(name, func(t *testing.T) {
			_, ops, _ := project(t)
			c := dial(t, ops)
			has := c.InitializeResult().Capabilities
			if has.Prompts == nil || has.Resources == nil || has.Completions == nil || has.Prompts.ListChanged || has.Resources.ListChanged || has.Resources.Subscribe {
				t.Errorf("capabilities: prompts %+v, resources %+v, completions %+v", has.Prompts, has.Resources, has.Completions)
			}
			var names []string
			for p, err := range c.Prompts(t.Context(), nil) {
				if err != nil {
					t.Fatal(err)
				}
				names = append(names, fmt.Sprintf("%s(%s)", p.Name, p.Arguments[0].Name))
			}
			for r, err := range c.Resources(t.Context(), nil) {
				if err != nil {
					t.Fatal(err)
				}
				names = append(names, r.URI)
			}
			for r, err := range c.ResourceTemplates(t.Context(), nil) {
				if err != nil {
					t.Fatal(err)
				}
				names = append(names, r.URITemplate)
			}
			slices.Sort(names)
			want := []string{"assay://docs/{+page}", "assay://file/{+path}", "assay://map", "assay://symbol/{+name}", "brief(task)", "impact(target)"}
			if !slices.Equal(names, want) {
				t.Errorf("the server has %q, want %q", names, want)
			}
		})
		t.Run(name+", tools alone", func(t *testing.T) {
			c := dial(t, fakes())
			if has := c.InitializeResult().Capabilities; has.Prompts != nil || has.Resources != nil || has.Completions != nil {
				t.Errorf("capabilities: %+v", has)
			}
			if _, err := c.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "brief"}); err == nil {
				t.Error("a prompt that is not there is answered")
			}
		})
	}
}

// TestPrompts holds that a prompt is the answer of its tool, or where there is none the request to call it.
func TestPrompts(t *testing.T) {
	tests := []struct {
		name, prompt string
		args         map[string]string
		want         []string
		code         int64 // of the error; 0: none
	}{
		{"a brief", "brief", map[string]string{"task": "the delay doubles too often"}, []string{"What to know before this task: the delay doubles too often\n\n", "func (b Backoff) Delay("}, 0},
		{"a brief with guessed words", "brief", map[string]string{"task": "the pause is too long", "words": "delay  backoff"}, []string{"func (b Backoff) Delay("}, 0},
		{"an impact", "impact", map[string]string{"target": "Backoff.Delay"}, []string{"What a change to Backoff.Delay may affect", "retry.go"}, 0},
		{"nothing of that name", "impact", map[string]string{"target": "Absent"}, []string{"Absent", `Call the tool assay with {"query_type":"impact","pattern":"Absent"} before you begin.`}, 0},
		{"no argument", "brief", nil, []string{"prompt brief needs the argument task"}, jsonrpc.CodeInvalidParams},
		{"an empty argument", "impact", map[string]string{"target": " \n"}, []string{"prompt impact needs the argument target"}, jsonrpc.CodeInvalidParams},
		{"an argument that is too long", "impact", map[string]string{"target": strings.Repeat("x", 501)}, []string{"pattern"}, jsonrpc.CodeInvalidParams},
		{"no such prompt", "nope", nil, []string{"nope"}, jsonrpc.CodeInvalidParams},
	}
	_, ops, _ := project(t)
	for name, dial := range transports {
		c := dial(t, ops)
		for _, tt := range tests {
			t.Run(name+", "+tt.name, func(t *testing.T) {
				got, err := get(t, c, tt.prompt, tt.args)
				if codeOf(err) != tt.code {
					t.Fatalf("error %v, want code %d", err, tt.code)
				}
				if err != nil {
					got = err.Error()
				}
				for _, want := range tt.want {
					if !strings.Contains(got, want) {
						t.Errorf("without %q:\n%s", want, got)
					}
				}
			})
		}
	}
}

// TestResources holds that a URI gives what its tool serves and nothing else.
func TestResources(t *testing.T) {
	root, ops, _ := project(t)
	for path, text := range map[string]string{"größe.go": "package client\n\nfunc Größe() int { return 1 }\n", ".env": "TOKEN=abc\n", "beside.go": "package client\n\nconst key = \"AKIAQ3EGPM7NVK5XW2LT\"\n"} {
		if err := os.WriteFile(filepath.Join(root, path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name, uri, want string
		code            int64
	}{
		{"a declaration", "assay://symbol/Backoff.Delay", "func (b Backoff) Delay(", 0},
		{"a declaration in other letters", "assay://symbol/Größe", "return 1", 0},
		{"those letters escaped", "assay://symbol/Gr%C3%B6%C3%9Fe", "return 1", 0},
		{"a file", "assay://file/store/cache.py", "class", 0},
		{"lines of a file", "assay://file/retry.go:1-3", "package client", 0},
		{"the map", "assay://map", "Delay", 0},
		{"a page of documentation", "assay://docs/acme/retry/guide.md", "Each attempt waits twice as long", 0},
		{"a page of a version", "assay://docs/acme/retry@v1.0.0/guide.md", "At most ten attempts.", 0},
		{"a secret in a file", "assay://file/beside.go", "[redacted:", 0},
		{"no such declaration", "assay://symbol/Absent", "Absent", jsonrpc.CodeInvalidParams},
		{"no such page", "assay://docs/acme/retry/absent.md", "has no page", jsonrpc.CodeInvalidParams},
		{"no such library", "assay://docs/acme/absent/guide.md", "", jsonrpc.CodeInvalidParams},
		{"a library without a page", "assay://docs/acme/retry", "", jsonrpc.CodeInvalidParams},
		{"a file that search does not serve", "assay://file/.env", "", jsonrpc.CodeInvalidParams},
		{"above the root", "assay://file/../beside/cache.py", "", jsonrpc.CodeInvalidParams},
		{"above the root, escaped", "assay://file/%2e%2e%2fbeside%2fcache.py", "", jsonrpc.CodeInvalidParams},
		{"through a link", "assay://file/link/cache.py", "", jsonrpc.CodeInvalidParams},
		{"outside", "assay://file//etc/passwd", "", jsonrpc.CodeInvalidParams},
		{"no name", "assay://symbol/", "assay://symbol/{+name}", jsonrpc.CodeInvalidParams},
		{"a bad escape", "assay://symbol/%zz", "", jsonrpc.CodeInvalidParams},
		{"too long", "assay://symbol/" + strings.Repeat("x", 5000), "longer than", jsonrpc.CodeInvalidParams},
		{"another scheme", "file:///etc/passwd", "", jsonrpc.CodeInvalidParams},
		{"the map of something", "assay://map/retry.go", "", jsonrpc.CodeInvalidParams},
	}
	for name, dial := range transports {
		c := dial(t, ops)
		for _, tt := range tests {
			t.Run(name+", "+tt.name, func(t *testing.T) {
				res, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: tt.uri})
				switch {
				case codeOf(err) != tt.code:
					t.Fatalf("error %v, want code %d", err, tt.code)
				case err != nil && !strings.Contains(err.Error(), tt.want):
					t.Errorf("error %v, want %q", err, tt.want)
				case err == nil && (len(res.Contents) != 1 || !strings.Contains(res.Contents[0].Text, tt.want) || res.CacheScope != "private"):
					t.Errorf("%+v, want %q", res.Contents[0], tt.want)
				case err == nil && strings.Contains(res.Contents[0].Text, "AKIAQ3EGPM7NVK5XW2LT"):
					t.Errorf("a secret is shown: %s", res.Contents[0].Text)
				}
			})
		}
	}
}

// TestHostileURI holds that a URI that a header cannot have is refused where it comes without one.
func TestHostileURI(t *testing.T) {
	_, ops, _ := project(t)
	got := talk(t, ops, mcp.Options{}, hello, ready, `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"assay://symbol/a\u0000\u0001\nb"}}`,
		`{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"assay://file/\ud800"}}`, `{"jsonrpc":"2.0","id":3,"method":"resources/read"}`,
		`{"jsonrpc":"2.0","id":4,"method":"completion/complete","params":{"argument":{"name":"name","value":"x"}}}`, `{"jsonrpc":"2.0","id":5,"method":"prompts/get","params":{"name":"brief","arguments":7}}`)
	for _, tt := range []struct{ name, id, want string }{
		{"control characters", "1", "control characters"}, {"half a character", "2", `"code":-32`}, {"no URI", "3", `"code":-32`},
		{"nothing to complete", "4", `"code":-32`}, {"arguments of another kind", "5", `"code":-32`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(string(got[tt.id]), tt.want) {
				t.Errorf("%s, want %s", got[tt.id], tt.want)
			}
		})
	}
}

// TestCompletions holds that completions come from the indexes that there are, make none, and are bounded.
func TestCompletions(t *testing.T) {
	root, ops, _ := project(t)
	c := connect(t, ops, mcp.Options{}, nil)
	symbol, impact := &sdk.CompleteReference{Type: "ref/resource", URI: "assay://symbol/{+name}"}, &sdk.CompleteReference{Type: "ref/prompt", Name: "impact"}
	if got, err := completed(t, c, symbol, "name", "Del"); err != nil || len(got) != 0 {
		t.Errorf("without an index: %q, %v", got, err)
	}
	if _, err := os.Stat(filepath.Join(root, ".assay")); err == nil {
		t.Error("a completion made an index")
	}
	many := "package client\n\n"
	for i := range 150 {
		many += fmt.Sprintf("func many%03d() {}\n", i)
	}
	for path, text := range map[string]string{"many.go": many, "odd/tidy name.go": "package odd\n", "odd/turned\u202ename.go": "package odd\n",
		"odd/AKIAQ3EGPM7NVK5XW2LT.go": "package odd\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, path)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	call(t, c, "hybrid_search", `{"query":"anything"}`)
	tests := []struct {
		name            string
		ref             *sdk.CompleteReference
		argument, typed string
		want            []string
		code            int64
	}{
		{"a name", symbol, "name", "Del", []string{"Delay"}, 0},
		{"a name in small letters", impact, "target", "del", []string{"Delay"}, 0},
		{"a member", symbol, "name", "backoff.d", []string{"Backoff.Delay"}, 0},
		{"the last of several words", &sdk.CompleteReference{Type: "ref/prompt", Name: "brief"}, "words", "cache Del", []string{"cache Delay"}, 0},
		{"free text", &sdk.CompleteReference{Type: "ref/prompt", Name: "brief"}, "task", "the delay", []string{}, 0},
		{"a path", &sdk.CompleteReference{Type: "ref/resource", URI: "assay://file/{+path}"}, "path", "st", []string{"store/cache.py"}, 0},
		{"the last part of a path", &sdk.CompleteReference{Type: "ref/resource", URI: "assay://file/{+path}"}, "path", "cach", []string{"store/cache.py"}, 0},
		{"a path that can be shown as it is", &sdk.CompleteReference{Type: "ref/resource", URI: "assay://file/{+path}"}, "path", "odd/", []string{"odd/tidy name.go"}, 0},
		{"a page", &sdk.CompleteReference{Type: "ref/resource", URI: "assay://docs/{+page}"}, "page", "acme/", []string{}, 0},
		{"nothing like it", symbol, "name", "zzz", []string{}, 0},
		{"a pattern is no pattern", symbol, "name", "De.*", []string{}, 0},
		{"too long", symbol, "name", strings.Repeat("D", 5000), []string{}, 0},
		{"no such argument", symbol, "path", "x", nil, jsonrpc.CodeInvalidParams},
		{"no such prompt", &sdk.CompleteReference{Type: "ref/prompt", Name: "nope"}, "target", "x", nil, jsonrpc.CodeInvalidParams},
		{"no template", &sdk.CompleteReference{Type: "ref/resource", URI: "assay://map"}, "", "x", nil, jsonrpc.CodeInvalidParams},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := completed(t, c, tt.ref, tt.argument, tt.typed)
			if codeOf(err) != tt.code || !slices.Equal(got, tt.want) {
				t.Errorf("%q, %v; want %q and code %d", got, err, tt.want, tt.code)
			}
		})
	}
	res, err := c.Complete(t.Context(), &sdk.CompleteParams{Ref: symbol, Argument: sdk.CompleteParamsArgument{Name: "name", Value: "many"}})
	if err != nil || len(res.Completion.Values) != 100 || res.Completion.Total != 150 || !res.Completion.HasMore {
		t.Errorf("of 150: %d of %d, more %t, %v", len(res.Completion.Values), res.Completion.Total, res.Completion.HasMore, err)
	}
}

// TestPickedAtOnce asks for everything at once, and sees every call told to the log of calls.
func TestPickedAtOnce(t *testing.T) {
	_, ops, _ := project(t)
	c := connect(t, ops, mcp.Options{}, nil)
	call(t, c, "hybrid_search", `{"query":"anything"}`)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got, err := get(t, c, "impact", map[string]string{"target": "Delay"}); err != nil || !strings.Contains(got, "Delay") {
				t.Errorf("%q, %v", got, err)
			}
		})
		all.Go(func() {
			if res, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "assay://symbol/Retry"}); err != nil || !strings.Contains(res.Contents[0].Text, "func Retry") {
				t.Errorf("%+v, %v", res, err)
			}
		})
		all.Go(func() {
			if got, err := completed(t, c, &sdk.CompleteReference{Type: "ref/prompt", Name: "impact"}, "target", "Ret"); err != nil || !slices.Contains(got, "Retry") {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
	all.Wait()
}
