package render_test

import (
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/render"
)

// Where a line may be of any length, columns of short cells are aligned, and a long cell costs no spaces in the other rows.
func TestTableOfAnyWidth(t *testing.T) {
	long := strings.Repeat("folder/", 10) + "file.go"
	for _, tt := range []struct {
		name string
		rows [][]any
		want string
	}{
		{"short cells", [][]any{{"FILE", "NAME"}, {"a.go", "One"}, {"folder/b.go", "Two"}}, "FILE         NAME\na.go         One\nfolder/b.go  Two\n"},
		{"a long cell", [][]any{{"FILE", "NAME"}, {"a.go", "One"}, {long, "Two"}},
			"FILE" + strings.Repeat(" ", 36) + "  NAME\na.go" + strings.Repeat(" ", 36) + "  One\n" + long + "  Two\n"},
		{"a long name", [][]any{{"FILE", "NAME", ">N"}, {"a.go", long, 1}, {"b.go", "x", 22}},
			"FILE  NAME" + strings.Repeat(" ", 36) + "   N\na.go  " + long + "   1\nb.go  x" + strings.Repeat(" ", 39) + "  22\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var table render.Table
			for _, r := range tt.rows {
				table.Row(r...)
			}
			if got := table.Text(0); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
