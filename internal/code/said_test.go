package code_test

import (
	"io"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/code"
)

// Whatever is said below an answer begins no line as the names in it would.
func TestNotesInLines(t *testing.T) {
	const hostile = "a\n::error title=x::y"
	for what, r := range map[string]interface {
		WriteText(w io.Writer, colour bool) error
	}{
		"an answer": &code.SearchAnswer{Notes: []string{hostile}},
		"an index":  &code.IndexReport{Notes: []string{hostile}},
		"a status":  &code.StatusReport{Root: hostile, Notes: []string{hostile}},
		"a sharing": &code.ShareReport{Notes: []string{hostile}},
	} {
		var b strings.Builder
		if err := r.WriteText(&b, false); err != nil || !strings.Contains(b.String(), "title=x") || strings.Contains(b.String(), "\n::") {
			t.Errorf("%s: %q, %v", what, b.String(), err)
		}
	}
}
