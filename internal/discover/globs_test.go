package discover_test

import (
	"testing"

	"github.com/assay-dev/assay/internal/discover"
)

func TestGlobs(t *testing.T) {
	for _, tt := range []struct {
		glob, path string
		want       bool
	}{
		{"*.go", "a/b.go", true}, {"*.go", "a/b.gox", false}, {"a", "a/b.go", true}, {"a/", "a", false}, {"a/", "a/b.go", true},
		{"/b.go", "a/b.go", false}, {"a/*.go", "a/b.go", true}, {"a/*.go", "x/a/b.go", false}, {"**/a/*.go", "x/a/b.go", true},
		{"a/**", "a/b/c.go", true}, {"[!a]*.go", "b.go", true}, {"[!a]*.go", "a.go", false}, {"#x", "#x", true}, {"!x", "!x", true}, {"", "a", false},
	} {
		if got := discover.NewGlobs([]string{tt.glob}).Match(tt.path); got != tt.want {
			t.Errorf("%q matches %s: %v, want %v", tt.glob, tt.path, got, tt.want)
		}
	}
}

func TestUnmatchable(t *testing.T) {
	for glob, want := range map[string]bool{"[": true, "src/[a-": true, `a\`: true, "*.go": false, "[!a]x": false, `\[`: false, "app/[id]/**": false, "": false} {
		if got, ok := discover.Unmatchable([]string{"*.md", glob}); ok != want || ok && got != glob {
			t.Errorf("Unmatchable(%q) = %q, %v; want %v", glob, got, ok, want)
		}
	}
}
