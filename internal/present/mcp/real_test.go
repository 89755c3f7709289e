//go:build !slim

package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tiktoken-go/tokenizer"

	"github.com/assay-dev/assay/internal/audit"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/workspace"
	"github.com/assay-dev/assay/internal/docs"
	store "github.com/assay-dev/assay/internal/docs/library"
	"github.com/assay-dev/assay/internal/present/cli"
	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/present/op"
)

// project copies the fixture tree and returns the operations over it and a
// function that takes from an answer what differs between machines and runs.
func project(t *testing.T) (root string, ops []op.Op, normal func(string) string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root = filepath.Join(dir, "project")
	if err := os.CopyFS(root, os.DirFS("testdata/tree")); err != nil {
		t.Fatal(err)
	}
	// What a tool must not reach: beside the root, and through a link inside it.
	if err := os.CopyFS(filepath.Join(dir, "beside"), os.DirFS("testdata/tree/store")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../beside", filepath.Join(root, "link")); err != nil {
		t.Skip(err)
	}
	// A file that was written just now could change again unseen, so every search
	// reads it again; these are an hour old.
	later := time.Now().Add(time.Hour)
	feature := code.New(workspace.New(workspace.Config{WorkDir: root, Home: dir, CacheDir: filepath.Join(dir, "cache"), Roots: []string{root}, Server: true, Refresh: 30 * time.Second, // this test is of the answers, not of the speed
		Now: func() time.Time { return later }}), code.Config{})
	t.Cleanup(func() {
		if err := feature.Close(); err != nil {
			t.Error(err)
		}
	})
	library := docs.New(docs.Config{WorkDir: root, DB: documentation(t, dir), Server: true})
	t.Cleanup(func() {
		if err := library.Close(); err != nil {
			t.Error(err)
		}
	})
	truth := audit.New(audit.Config{WorkDir: root, Project: func(string) (string, error) { return root, nil }})
	return root, op.All(op.Features{Code: feature, Docs: library, Audit: truth}), func(s string) string {
		for _, r := range []struct{ pattern, with string }{
			{regexp.QuoteMeta(root), "ROOT"},
			{regexp.QuoteMeta(dir), "DIR"},
			{`("index_epoch": )\d+`, "${1}N"},
			{`("chunk_hash": ")[0-9a-f]+`, "${1}H"},
			{`("score": )0\.\d+`, "${1}S"},
			{`(?m)^(\S+:\d+-\d+  .*)\d\.\d{3}$`, "${1}S"},
			{`("cursor": "|--cursor |more with cursor )[A-Za-z0-9_-]{8,}`, "${1}C"},
			{`("last_modified": ")[0-9TZ:-]+`, "${1}T"},
			{`(?m)^(\S+ .*)\d{4}-\d\d-\d\dT[0-9:]+$`, "${1}T"},
		} {
			s = regexp.MustCompile(r.pattern).ReplaceAllString(s, r.with)
		}
		return s
	}
}

// documentation makes a file of two versions of a library and one of another.
func documentation(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "docs.db")
	db, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	put := func(l store.Library, snippets ...store.Snippet) {
		page := store.Page{Path: "guide.md", Snippets: snippets}
		if _, err := db.Put(t.Context(), l, func(yield func(store.Page, error) bool) { yield(page, nil) }); err != nil {
			t.Fatal(err)
		}
	}
	backoff := store.Snippet{Title: "Backoff", Breadcrumb: "Guide > Backoff", Path: "guide.md", URL: "https://example.org/retry/guide.md#L7", Line: 7, Tokens: 20,
		Content: "Each attempt waits twice as long, if <b> & c agree.\n\n```go\nretry.Do(ctx, 3)\n```"}
	for _, version := range []string{"v1.0.0", "v2.0.0"} {
		put(store.Library{ID: "/acme/retry", Version: version, Title: "Retry", Description: "Calls again what failed", Aliases: []string{"retry"}, Source: "https://example.org/acme/retry", Trust: 8},
			backoff, store.Snippet{Title: "Limits", Path: "guide.md", Content: "At most ten attempts.", Line: 20, Tokens: 5})
	}
	put(store.Library{ID: "/acme/cache", Version: store.Latest, Title: "Cache", Source: "./cache"}, store.Snippet{Title: "Eviction", Path: "guide.md", Content: "The least used goes first.", Line: 1, Tokens: 6})
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestCode plays the transcripts of the features over a small tree and a small file of
// documentation.
func TestCode(t *testing.T) {
	play(t, "testdata/*.txtar", func(t *testing.T) ([]op.Op, func(string) string) {
		_, ops, normal := project(t)
		return ops, normal
	})
}

// TestTools shows every change to what a model sees, and keeps it small: each
// session pays for the tool list whether or not it calls a tool.
func TestTools(t *testing.T) {
	const all, search = 3000, 1100 // tokens
	words, err := tokenizer.Get(tokenizer.Cl100kBase)
	if err != nil {
		t.Fatal(err)
	}
	tokens := func(raw []byte) int {
		ids, _, err := words.Encode(string(raw))
		if err != nil {
			t.Fatal(err)
		}
		return len(ids)
	}
	_, ops, _ := project(t)
	var list struct{ Tools []json.RawMessage }
	raw := talk(t, ops, mcp.Options{}, hello, ready, listLine)["5"]
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	total, searches := tokens(raw), 0
	for _, tool := range list.Tools {
		if bytes.Contains(tool, []byte(`_search"`)) {
			searches += tokens(tool)
		}
	}
	t.Logf("%d tools of %d tokens", len(list.Tools), total)
	if total > all || searches > search {
		t.Errorf("the tools are %d tokens, the budget is %d; those of search %d of %d", total, all, searches, search)
	}
	var got bytes.Buffer
	if err := json.Indent(&got, raw, "", "  "); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/tools.json", append(got.Bytes(), '\n'))
}

// TestSameAnswer sees that command and tool give the same bytes for the same
// input. A tool that is not tried here fails the test.
func TestSameAnswer(t *testing.T) {
	_, ops, _ := project(t)
	// The first answer is given before the index is there to have an epoch.
	talk(t, ops, mcp.Options{}, hello, ready, callLine(1, "hybrid_search", `{"query":"anything"}`))
	var asked []any // the inputs that operations were run with
	untried, plainTools := map[string]bool{}, map[string]bool{}
	for i, o := range ops {
		ops[i].Run = func(ctx context.Context, in any, out op.Out) (op.Result, error) {
			asked = append(asked, in)
			return o.Run(ctx, in, out)
		}
		for _, tool := range o.Tools {
			untried[tool.Name] = true
			plainTools[tool.Name] = tool.Plain
		}
	}
	for _, tc := range []struct {
		tool, args string
		command    []string
	}{
		{"hybrid_search", `{"query":"delay & <wait>"}`, []string{"search", "--top-k=20", "--references", "--page-size=10", "--budget=2000", "--least=0.5", "delay & <wait>"}},
		{"hybrid_search", `{"query":"how long is the pause", "words":["delay","Retry"]}`,
			[]string{"search", "--top-k=20", "--references", "--page-size=10", "--budget=2000", "--least=0.5", "--words=delay", "--words=Retry", "how long is the pause"}},
		{"hybrid_search", `{"query":"cache", "top_k":3, "page_size":1, "threshold":0, "path":"docs"}`,
			[]string{"search", "cache", "docs", "--top-k=3", "--references", "--page-size=1", "--budget=2000", "--threshold=0", "--least=0.5"}},
		{"semantic_search", `{"query":"used for longest", "threshold":0, "full_section":true, "budget":100}`,
			[]string{"search", "--semantic", "used for longest", "--top-k=20", "--references", "--page-size=10", "--budget=100", "--threshold=0", "--least=0.4", "--full-section"}},
		{"regex_search", `{"query":"lru|<-", "ignore_case":true}`, []string{"search", "--regex", "-i", "lru|<-", "--top-k=20", "--references", "--page-size=10", "--budget=2000"}},
		{"regex_search", `{"query":"nothing at all"}`, []string{"search", "--regex", "nothing at all", "--top-k=20", "--references", "--page-size=10", "--budget=2000"}},
		{"hybrid_search", `{"query":"Waits too long", "text":"retry.go:16: in Delay\nthe delay doubles"}`,
			[]string{"search", "--top-k=20", "--references", "--page-size=10", "--budget=2000", "--least=0.5", "Waits too long\n\nretry.go:16: in Delay\nthe delay doubles"}},
		{"assay", `{}`, []string{"structure"}},
		{"brief", `{"task":"the delay doubles too often", "tokens":500}`, []string{"brief", "the delay doubles too often", "--tokens=500"}},
		{"resolve-library-id", `{"libraryName":"retry", "query":"wait"}`, []string{"docs", "resolve", "retry", "wait"}},
		{"query-docs", `{"libraryId":"/acme/retry", "query":"how long does an attempt wait"}`, []string{"docs", "query", "/acme/retry", "how long does an attempt wait"}},
		{"query-docs", `{"libraryId":"/acme/retry", "query":"how long is the pause", "words":"attempt delay"}`,
			[]string{"docs", "query", "/acme/retry", "how long is the pause", "--words=attempt delay"}},
		{"brief", `{"task":"the pause is too long", "words":["delay"], "tokens":500}`, []string{"brief", "the pause is too long", "--words=delay", "--tokens=500"}},
		{"audit", `{"tokens":60}`, []string{"audit", "names", "--tokens=60"}},
		{"audit", `{"docs":["*.md"], "fix":"preview"}`, []string{"audit", "names", "--docs=*.md", "--fix=preview"}},
		{"assay", `{"query_type":"callers", "pattern":"evict", "limit":5}`, []string{"structure", "--query-type=callers", "evict", "--limit=5"}},
	} {
		delete(untried, tc.tool)
		asked = nil
		var answer struct {
			Content           []struct{ Text string }
			StructuredContent json.RawMessage
		}
		raw := talk(t, ops, mcp.Options{}, hello, ready, callLine(1, tc.tool, tc.args))["1"]
		if err := json.Unmarshal(raw, &answer); err != nil || len(answer.Content) != 1 || (answer.StructuredContent == nil) != plainTools[tc.tool] {
			t.Fatalf("%s %s: %s", tc.tool, tc.args, raw)
		}
		command := tc.command
		if !plainTools[tc.tool] {
			command = append(command, "--json")
		}
		var stdout, stderr bytes.Buffer
		if status := cli.Run(t.Context(), ops, command, cli.Env{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr}); status != 0 {
			t.Fatalf("%q: status %d: %s", tc.command, status, stderr.String())
		}
		if len(asked) != 2 || !plainTools[tc.tool] && !reflect.DeepEqual(asked[0], asked[1]) {
			t.Errorf("%s %s asks for\n%+v\n%q for\n%+v", tc.tool, tc.args, asked[0], tc.command, asked[1])
		}
		if plainTools[tc.tool] { // text is all that they answer
			if want := strings.TrimSuffix(stdout.String(), "\n"); answer.Content[0].Text != want {
				t.Errorf("%s %s answers\n%s\n%q answers\n%s", tc.tool, tc.args, answer.Content[0].Text, tc.command, want)
			}
			continue
		}
		// The SDK writes <, > and & as escapes, which is the same JSON.
		var want bytes.Buffer
		json.HTMLEscape(&want, bytes.TrimSuffix(stdout.Bytes(), []byte("\n")))
		if !bytes.Equal(answer.StructuredContent, want.Bytes()) {
			t.Errorf("%s %s answers\n%s\n%q answers\n%s", tc.tool, tc.args, answer.StructuredContent, tc.command, want.String())
		}
	}
	for name := range untried {
		t.Errorf("%s was not tried", name)
	}
}

// TestCursor walks through pages, and past an edit: the error that follows
// suggests the call that starts again.
func TestCursor(t *testing.T) {
	root, ops, _ := project(t)
	c := connect(t, ops, mcp.Options{}, nil)
	type page struct {
		Hits       []struct{ Path string }
		Pagination struct {
			Cursor   string
			HasMore  bool `json:"has_more"`
			HasTotal int  `json:"total_available"`
		}
	}
	next := func(res *sdk.CallToolResult) page {
		t.Helper()
		raw, err := json.Marshal(res.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		var p page
		if err := json.Unmarshal(raw, &p); err != nil || len(p.Hits) != 1 {
			t.Fatalf("%s: %v", textOf(t, res), err)
		}
		return p
	}
	first := next(call(t, c, "hybrid_search", `{"query":"backoff delay", "page_size":1, "threshold":0}`))
	if !first.Pagination.HasMore {
		t.Fatalf("one page: %+v", first)
	}
	again := fmt.Sprintf(`{"query":"backoff delay", "cursor":%q}`, first.Pagination.Cursor)
	if second := next(call(t, c, "hybrid_search", again)); second.Hits[0].Path == first.Hits[0].Path {
		t.Errorf("the second page is the first: %+v", second)
	}
	f, err := os.OpenFile(filepath.Join(root, "retry.go"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("\n// Later.\n"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	call(t, c, "hybrid_search", `{"query":"backoff delay"}`) // sees the edit
	res := call(t, c, "hybrid_search", again)
	fix, ok := fixIn(t, res)
	if !ok {
		t.Fatalf("after an edit: %s", textOf(t, res))
	}
	name, args, _ := strings.Cut(fix, " ")
	if res := call(t, c, name, args); name != "hybrid_search" || res.IsError {
		t.Errorf("%s: %s", fix, textOf(t, res))
	}
}

// TestAgent holds that a search is logged under the name that the client gave itself,
// where nothing else says who searches.
func TestAgent(t *testing.T) {
	for _, tc := range []struct{ args, want string }{
		{`{"query":"open","expect":"one function"}`, "t-*.jsonl"},
		{`{"query":"open","expect":"one function","agent":"reviewer"}`, "reviewer-*.jsonl"},
	} {
		root, ops, _ := project(t)
		talk(t, ops, mcp.Options{}, hello, ready, callLine(1, "hybrid_search", tc.args))
		all, _ := filepath.Glob(filepath.Join(root, ".assay", "trajectory", "*.jsonl"))
		got, _ := filepath.Glob(filepath.Join(root, ".assay", "trajectory", tc.want))
		if len(all) != 1 || len(got) != 1 {
			t.Errorf("%s is logged in %q, want %s", tc.args, all, tc.want)
		}
	}
}

// Errors name the arguments of the tool that was called, and no flags.
func TestErrorsNameArguments(t *testing.T) {
	tool := op.Tool{Name: "t", Schema: func() *jsonschema.Schema {
		return &jsonschema.Schema{Properties: map[string]*jsonschema.Schema{"focus": {}, "top_k": {}}}
	}}
	tests := []struct{ name, hint, want string }{
		{"an argument", "separate several with commas: --focus code,docs", "separate several with commas: focus code,docs"},
		{"an argument of two words", "set --top-k", "set top_k"},
		{"a flag that the tool has not", "match more, or for plain text use --fixed-strings", "match more"},
		{"nothing but such a flag", "--patch - reads it", ""},
		{"no flag", "a -- b, or c; d--e", "a -- b, or c; d--e"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := mcp.Advice(tt.hint, tool); got != tt.want {
				t.Errorf("Advice(%q) = %q, want %q", tt.hint, got, tt.want)
			}
		})
	}
}
