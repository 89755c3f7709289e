package code_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// TestMarkOfOrder holds that the mark of the order of bytes at the start of a file is not
// shown, that one within it is, and that a hit quotes the file with it.
func TestMarkOfOrder(t *testing.T) {
	const source = "\ufeffpackage zebra\n\n// a \ufeff within\nfunc Zebra() {}\n"
	root := folder(t, map[string]string{"z.go": source, "other.go": "package zebra\n"})
	f := feature(t, workspace.New(workspace.Config{WorkDir: root}), code.Config{})
	for _, in := range []code.SearchInput{{Query: "zebra"}, {Query: "package zebra", Regex: true}, {Query: "within", Regex: true, Context: 5}} {
		a, err := f.Search(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := a.WriteText(&b, false); err != nil {
			t.Fatal(err)
		}
		shown := b.String()
		if !strings.Contains(shown, "package zebra") || strings.Contains(shown, "<U+FEFF>package") || strings.Contains(shown, "\ufeff") {
			t.Errorf("%+v shows\n%s", in, shown)
		}
		if strings.Contains(shown, "// a ") && !strings.Contains(shown, "// a <U+FEFF> within") {
			t.Errorf("%+v hides what is within:\n%s", in, shown)
		}
		for _, h := range a.Hits {
			raw, err := os.ReadFile(filepath.Join(root, filepath.Base(h.Path)))
			if err != nil {
				t.Fatal(err)
			}
			if quote := string(raw[h.Span.ByteStart:h.Span.ByteEnd]); !strings.Contains(h.Snippet, strings.TrimRight(quote, "\n")) {
				t.Errorf("%+v: %q is not a quote of %q", in, h.Snippet, quote)
			}
		}
	}
}
