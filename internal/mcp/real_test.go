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

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-dev/assay/internal/cli"
	"github.com/assay-dev/assay/internal/face/code"
	"github.com/assay-dev/assay/internal/mcp"
	"github.com/assay-dev/assay/internal/op"
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
	face := code.New(code.Config{
		WorkDir: root, Home: dir, CacheDir: filepath.Join(dir, "cache"), Roots: []string{root}, Server: true,
		Refresh: 30 * time.Second, // this test is of the answers, not of the speed
		Now:     func() time.Time { return later },
	})
	t.Cleanup(func() {
		if err := face.Close(); err != nil {
			t.Error(err)
		}
	})
	return root, op.All(face), func(s string) string {
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

// TestCode plays the transcripts of the code face over a small tree.
func TestCode(t *testing.T) {
	play(t, "testdata/*.txtar", func(t *testing.T) ([]op.Op, func(string) string) {
		_, ops, normal := project(t)
		return ops, normal
	})
}

// TestTools shows every change to what a model sees, and keeps it small: each
// session pays for the tool list whether or not it calls a tool.
func TestTools(t *testing.T) {
	const (
		perToken    = 4 // bytes; cl100k, measured on this list, takes 4.28 a token
		all, search = 2000, 900
	)
	_, ops, _ := project(t)
	var list struct{ Tools []json.RawMessage }
	raw := talk(t, ops, mcp.Options{}, hello, ready, listLine)["5"]
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	total, searches := 0, 0
	for _, tool := range list.Tools {
		total += len(tool)
		if bytes.Contains(tool, []byte(`_search"`)) {
			searches += len(tool)
		}
	}
	if total/perToken > all {
		t.Errorf("the tools are about %d tokens, the budget is %d", total/perToken, all)
	}
	if searches/perToken > search {
		t.Errorf("the search tools are about %d tokens, the budget is %d", searches/perToken, search)
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
	untried := map[string]bool{}
	for i, o := range ops {
		ops[i].Run = func(ctx context.Context, in any, out op.Out) (op.Result, error) {
			asked = append(asked, in)
			return o.Run(ctx, in, out)
		}
		for _, tool := range o.Tools {
			untried[tool.Name] = true
		}
	}
	for _, tc := range []struct {
		tool, args string
		command    []string
	}{
		{"hybrid_search", `{"query":"delay & <wait>"}`, []string{"search", "--top-k=20", "--page-size=10", "--budget=2000", "--threshold=0.5", "delay & <wait>"}},
		{"hybrid_search", `{"query":"cache", "top_k":3, "page_size":1, "threshold":0, "path":"docs"}`,
			[]string{"search", "cache", "docs", "--top-k=3", "--page-size=1", "--budget=2000", "--threshold=0"}},
		{"semantic_search", `{"query":"used for longest", "threshold":0, "full_section":true, "budget":100}`,
			[]string{"search", "--semantic", "used for longest", "--top-k=20", "--page-size=10", "--budget=100", "--threshold=0", "--full-section"}},
		{"regex_search", `{"query":"lru|<-", "ignore_case":true}`, []string{"search", "--regex", "-i", "lru|<-", "--top-k=20", "--page-size=10", "--budget=2000"}},
		{"regex_search", `{"query":"nothing at all"}`, []string{"search", "--regex", "nothing at all", "--top-k=20", "--page-size=10", "--budget=2000"}},
		{"assay", `{}`, []string{"structure"}},
		{"assay", `{"query_type":"callers", "pattern":"evict", "limit":5}`, []string{"structure", "--query-type=callers", "evict", "--limit=5"}},
	} {
		delete(untried, tc.tool)
		asked = nil
		var answer struct{ StructuredContent json.RawMessage }
		raw := talk(t, ops, mcp.Options{}, hello, ready, callLine(1, tc.tool, tc.args))["1"]
		if err := json.Unmarshal(raw, &answer); err != nil || answer.StructuredContent == nil {
			t.Fatalf("%s %s: %s", tc.tool, tc.args, raw)
		}
		var stdout, stderr bytes.Buffer
		if status := cli.Run(t.Context(), ops, append(tc.command, "--json"), cli.Env{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr}); status != 0 {
			t.Fatalf("%q: status %d: %s", tc.command, status, stderr.String())
		}
		if len(asked) != 2 || !reflect.DeepEqual(asked[0], asked[1]) {
			t.Errorf("%s %s asks for\n%+v\n%q for\n%+v", tc.tool, tc.args, asked[0], tc.command, asked[1])
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
