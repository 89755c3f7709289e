package terminal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Paths of files that are there lead to them, and to a line where one is named; nothing else is a link.
func TestLinked(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "a b"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"x.go", "a b/y.go"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	shown := &Terminal{Roots: func() []string { return []string{dir} }}
	tests := []struct{ name, said, text, target string }{
		{"a file", "x.go is here", "x.go", "/x.go"},
		{"a line", "  x.go:12: func", "x.go:12", "/x.go#12"},
		{"a span begins at its first line", "x.go:12-20  F", "x.go:12", "/x.go#12"},
		{"no line behind the colon", "x.go: y", "x.go", "/x.go"},
		{"no file", "z.go:12", "", ""},
		{"a place outside", "../x.go:12", "", ""},
		{"a folder", "./ and .", "", ""},
		{"a colour", "\x1b[36mx.go\x1b[0m:7", "x.go\x1b[0m:7", "/x.go#7"},
		{"two colours", "\x1b[36mx.go\x1b[0m:\x1b[32m7\x1b[0m:text", "x.go\x1b[0m:\x1b[32m7", "/x.go#7"},
		{"a colour without a line", "\x1b[36mx.go\x1b[0m: text", "x.go", "/x.go"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := shown.linked(tt.said)
			if tt.text == "" {
				if got != tt.said {
					t.Errorf("linked(%q) = %q", tt.said, got)
				}
				return
			}
			if want := tt.target + "\x1b\\" + tt.text + "\x1b]8;;\x1b\\"; !strings.Contains(got, want) || strings.Count(got, "\x1b]8;;file://") != 1 {
				t.Errorf("linked(%q) = %q, want one link with %q", tt.said, got, want)
			}
		})
	}
}
