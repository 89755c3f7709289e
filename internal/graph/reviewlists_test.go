package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/graph"
)

// TestReviewLists holds that the lists of an answer about a change are short where no limit is given, and that tests are found by the
// words of the change in its language alone.
func TestReviewLists(t *testing.T) {
	var files strings.Builder
	files.WriteString("-- lib/parse.py --\ndef parse_duration(text):\n    return text.strip()\n")
	for i := range 12 {
		fmt.Fprintf(&files, "-- lib/use%d.py --\nfrom lib.parse import parse_duration\ndef use%d(): return parse_duration('1')\n", i, i)
		fmt.Fprintf(&files, "-- tests/test_use%d.py --\nfrom lib.parse import parse_duration\ndef test_use%d(): assert parse_duration('1')\n", i, i)
	}
	files.WriteString("-- tests/test_words.py --\n# parse_duration strips the text of a duration\ndef test_words(): assert run('parse_duration')\n")
	files.WriteString("-- tests/words_test.rb --\n# parse_duration strips the text of a duration\ndef test_words; run('parse_duration'); end\n")
	_, f := project(t, files.String())
	patch := "--- a/lib/parse.py\n+++ b/lib/parse.py\n@@ -2 +2 @@\n-    return text\n+    return text.strip()\n"
	ask := func(limit int) *graph.Review {
		a, err := f.Review(t.Context(), graph.ImpactInput{Diff: true, Patch: patch, Filter: graph.Filter{Limit: limit}})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	for _, tt := range []struct{ limit, tests, reached int }{{50, 8, 8}, {3, 3, 3}, {0, 13, 12}} {
		t.Run(fmt.Sprint(tt.limit), func(t *testing.T) {
			a := ask(tt.limit)
			if len(a.Tests) != tt.tests || len(a.Reached) != tt.reached || a.Totals.Tests != 13 || a.Totals.Reached != 12 {
				t.Errorf("%d of %d tests and %d of %d files, want %d and %d", len(a.Tests), a.Totals.Tests, len(a.Reached), a.Totals.Reached, tt.tests, tt.reached)
			}
			for _, x := range a.Tests {
				if strings.HasSuffix(x.File, ".rb") {
					t.Errorf("%s is a test of another language, by %v", x.File, x.Via)
				}
			}
		})
	}
}
