package code_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// The log says what was searched, and how good an answer it can be.
func TestLogged(t *testing.T) {
	root := folder(t, map[string]string{"a/a.go": "package a\n\n// Retry retries.\nfunc Retry() {}\n", "b/b.go": "package b\n", "loa-grimoire/x": "", ".assay/.keep": ""})
	past := time.Unix(9e8, 0) // what was written a moment ago is read again
	for _, name := range []string{"a/a.go", "b/b.go"} {
		if err := os.Chtimes(filepath.Join(root, name), past, past); err != nil {
			t.Fatal(err)
		}
	}
	trees := workspace.New(workspace.Config{WorkDir: root, Now: func() time.Time { return time.Unix(1e9, 0) }})
	f := feature(t, trees, code.Config{Agent: "me"})
	for _, paths := range [][]string{{"a"}, nil, {"a", "b"}} {
		if _, err := f.Search(t.Context(), code.SearchInput{Query: "retry", Paths: paths}); err != nil {
			t.Fatal(err)
		}
	}
	logs, _ := filepath.Glob(filepath.Join(root, "loa-grimoire", "a2a", "trajectory", "me-*.jsonl"))
	if len(logs) != 1 {
		t.Fatalf("logs %v", logs)
	}
	log, _ := os.ReadFile(logs[0])
	lines := strings.Split(strings.TrimSpace(string(log)), "\n")
	if len(lines) != 9 {
		t.Fatalf("the log is\n%s", log)
	}
	a, b := `"`+filepath.Join(root, "a")+`"`, `"`+filepath.Join(root, "b")+`"`
	for i, want := range []string{
		`"path":` + a, `"cache_hit":false`, "",
		`"path":"` + root + `"`, `"search_mode":"ck","precision":"`, "",
		`"path":` + a + `,"paths":[` + a + `,` + b + `]`, `"cache_hit":true`, "",
	} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("record %d lacks %s: %s", i, want, lines[i])
		}
	}
}
