package library

import "testing"

func TestSummary(t *testing.T) {
	for _, c := range []struct{ path, content, want string }{
		{"a/x.py", "```python\ndef f(a):\n```\n\nCounts what is there.\n\nParameters:\n\n- `a`: it", "Counts what is there."},
		{"a/x.py", "```python\ndef f(a):\n```\n\n```python\nf(1)\n```", ""},
		{"a/x.py", "```python\ndef f(a):\n```", ""},
		{"a/x.go", "Of a package: it says\nmore.\n\nAnd more.", "Of a package: it says\nmore."},
		{"a/x.md", "A page of prose.\n\nMore.", ""},
	} {
		if got := summary(&Snippet{Path: c.path, Content: c.content}); got != c.want {
			t.Errorf("%q: %q, want %q", c.content, got, c.want)
		}
	}
}
