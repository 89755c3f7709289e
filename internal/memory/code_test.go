package memory

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A note that points at code says when that has moved, changed or gone; one that points
// at nothing, or at what is outside, says nothing.
func TestCode(t *testing.T) {
	f := fresh(t, nil)
	put := func(rel, text string) {
		t.Helper()
		name := filepath.Join(f.cfg.WorkDir, filepath.FromSlash(rel))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put(".git/HEAD", "ref: refs/heads/main\n")
	put("pkg/queue.go", "package pkg\n\nfunc Retry() {}\n\nfunc Drop() {}\n")
	put("pkg/gone.go", "package pkg\n")
	path := keep(t, f, StoreInput{Content: "Retries of the queue are in pkg/queue.go:3, dropping in `pkg/queue.go:5`, the old one in pkg/gone.go; see also none/x.go:7 and ../../etc/passwd.txt:1."})
	raw, err := os.ReadFile(filepath.Join(f.cfg.Vault, filepath.FromSlash(path)))
	if err != nil || strings.Count(string(raw), "@") != 2 || !strings.Contains(string(raw), `"pkg/gone.go"`) || strings.Contains(string(raw), "none/x.go:7@") {
		t.Fatalf("%v:\n%s", err, raw)
	}
	marks := func() string {
		t.Helper()
		r, err := f.Search(context.Background(), SearchInput{Query: "retries of the queue"})
		if err != nil || len(r.Hits) != 1 {
			t.Fatalf("%+v, %v", r, err)
		}
		return strings.Join(r.Hits[0].Code, "; ")
	}
	if got := marks(); got != "" {
		t.Errorf("nothing has changed, but %s", got)
	}
	put("pkg/queue.go", "package pkg\n\n// Retry retries.\n\tfunc Retry() {}\n\nfunc Dropped() {}\n")
	if err := os.Remove(filepath.Join(f.cfg.WorkDir, "pkg", "gone.go")); err != nil {
		t.Fatal(err)
	}
	if got, want := marks(), "pkg/queue.go:3, which is line 4 now; pkg/queue.go:5, which has changed; pkg/gone.go, which is gone"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	r, err := f.Search(context.Background(), SearchInput{Query: "retries of the queue"})
	if err != nil || !strings.Contains(shown(t, r), "points at pkg/gone.go, which is gone") {
		t.Errorf("%s, %v", shown(t, r), err)
	}
}
