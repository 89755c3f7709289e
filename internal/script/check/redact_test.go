package check

import (
	"strings"
	"testing"
)

// However a text is divided into writes, a secret in it is not shown, and nothing is lost.
func TestRedactingWriter(t *testing.T) {
	var r Redactor
	for name, v := range map[string]string{"a": "hunter2 /x", "b": "hunter2 /xyz\nnext line", "c": "huhunt"} {
		if err := r.hide(name, v); err != nil {
			t.Fatal(err)
		}
	}
	const text = "a hunter2 /x b\nhunter2%20%2Fx hunter2 /xyz\nnext line huhuhunt hunter"
	for size := 1; size < len(text); size++ {
		var b strings.Builder
		w := r.Writer(&b)
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if m, err := w.Write([]byte(rest[:n])); m != n || err != nil {
				t.Fatalf("%d, %v", m, err)
			}
			rest = rest[n:]
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if got, want := b.String(), "a [redacted] b\n[redacted] [redacted] hu[redacted] hunter"; got != want {
			t.Errorf("in writes of %d bytes: %q, want %q", size, got, want)
		}
	}
}
