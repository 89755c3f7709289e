package brief_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/brief"
)

// TestWordTests holds that few tests are listed that only share words with the task, and every one that calls a likely declaration.
func TestWordTests(t *testing.T) {
	var files strings.Builder
	files.WriteString("-- lib/parse.py --\ndef parse_duration(text):\n    return text.strip()\n")
	for i := range 15 {
		fmt.Fprintf(&files, "-- tests/test_words%d.py --\n# parse a duration of text\ndef test_words%d(): assert run('parse duration')\n", i, i)
		fmt.Fprintf(&files, "-- tests/test_calls%d.py --\nfrom lib.parse import parse_duration\ndef test_calls%d(): assert parse_duration('1')\n", i, i)
	}
	f, root := project(t, files.String(), false)
	b, _ := ask(t, f, brief.Input{Task: "parse a duration of text", Root: root, Tokens: 8000})
	words, calls := 0, 0
	for _, l := range b.Breaks {
		switch {
		case l.Why == "test: words":
			words++
		case strings.HasPrefix(l.File, "tests/test_calls"):
			calls++
		}
	}
	if words > 8 || words == 0 || calls != 15 {
		t.Errorf("%d tests by words and %d that call it, want at most 8 and 15:\n%+v", words, calls, b.Breaks)
	}
}
