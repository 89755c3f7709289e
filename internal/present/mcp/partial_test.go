//go:build !slim

package mcp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/workspace"
	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/present/op"
)

// TestFirstQuestion asks about a name on a tree of which each call indexes one file:
// a model is told how far it is, in the text and in the document, until it is told
// what is true, and is never told that something is not there.
func TestFirstQuestion(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(root, os.DirFS("testdata/tree")); err != nil {
		t.Fatal(err)
	}
	later := func() time.Time { return time.Now().Add(time.Hour) }
	feature := code.New(workspace.New(workspace.Config{WorkDir: root, Roots: []string{root}, Most: 1, Now: later}), code.Config{})
	t.Cleanup(func() { feature.Close() })
	c := connect(t, op.All(op.Features{Code: feature}), mcp.Options{}, nil)
	partly := 0
	for range 100 {
		res := call(t, c, "assay", `{"query_type":"callers","pattern":"evict"}`)
		var told struct {
			Complete bool
			Indexing struct{ Done, Total int }
			Callers  []any
		}
		raw, err := json.Marshal(res.StructuredContent)
		if err != nil || json.Unmarshal(raw, &told) != nil {
			t.Fatalf("%s, %v", raw, err)
		}
		text := textOf(t, res)
		if told.Complete {
			if partly == 0 || len(told.Callers) == 0 || strings.Contains(text, "still indexing") {
				t.Errorf("after %d answers: %s\n%s", partly, text, raw)
			}
			return
		}
		partly++
		if res.IsError || !strings.Contains(text, "still indexing: ") || told.Indexing.Total == 0 || told.Indexing.Done > told.Indexing.Total {
			t.Fatalf("of a part of the tree it says: %s\n%s", text, raw)
		}
		if strings.Contains(text, "no function") || strings.Contains(text, "near it") || strings.Contains(text, "no call") {
			t.Fatalf("it denies on partial knowledge: %s", text)
		}
	}
	t.Error("it was never told the whole")
}
