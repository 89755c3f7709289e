package named

import (
	"fmt"
	"strings"
	"testing"
)

// Each thing that a document names is counted once, as what became of it.
func TestCounts(t *testing.T) {
	site := map[string]string{"_config.yml": "x\n", "a.go": goProgram, "docs/a.md": "[a](/x/y) [b](b.md)\n", "docs/b.md": "# B\n"}
	tests := []struct {
		name  string
		files map[string]string
		want  string
		why   []string
	}{
		{"all are found", map[string]string{"a.go": goProgram, "README.md": "# T\n\n[a](a.go) [b](#t) [c](https://x.org) `LoadRules` `--dry-run` `RuleBase`\n"}, "5 named things: 5 found, 0 missing, 0 unsure, 0 not judged", nil},
		{"nothing is named", map[string]string{"a.go": goProgram, "README.md": "# T\n\n[c](https://x.org)\n"}, "0 named things: 0 found, 0 missing, 0 unsure, 0 not judged", nil},
		{"some are missing or unsure", map[string]string{"a.go": goProgram, "README.md": "# T\n\n[a](none.md) `RuneBase` `OtherThing`\n"}, "3 named things: 0 found, 2 missing, 1 unsure, 0 not judged", nil},
		{"a placeholder and a form that no rule knows", map[string]string{"a.go": goProgram, "README.md": "# T\n\n[a](<x>/b.md) [b]({c}.md) `x = 1;`\n"},
			"2 named things: 0 found, 0 missing, 0 unsure, 2 not judged (1 code span of no form that a rule knows, 1 link with a placeholder)", []string{"link {c}.md", "code span x = 1;"}},
		{"a page on the past", map[string]string{"a.go": goProgram, "CHANGELOG.md": "# T\n\n[a](none.md) `RuneBase`\n"}, "2 named things: 0 found, 0 missing, 0 unsure, 2 not judged (1 code span on the past, 1 link on the past)", []string{"link none.md", "code span RuneBase"}},
		{"a section on the past", map[string]string{"a.go": goProgram, "README.md": "# T\n\n## Removed\n\n`RuneBase`\n\n## Now\n\n`LoadRules`\n"}, "2 named things: 1 found, 0 missing, 0 unsure, 1 not judged (1 code span on the past)", []string{"code span RuneBase"}},
		{"addresses of a site", site, "2 named things: 1 found, 0 missing, 0 unsure, 1 not judged (1 link to addresses that a site may give)", []string{"link /x/y"}},
		{"a variable and a path of others", map[string]string{"a.go": goProgram, "README.md": "# T\n\n`OTHER_DIR` `src/x.go`\n"}, "2 named things: 0 found, 0 missing, 0 unsure, 2 not judged (1 variable probably of another program or project, 1 path probably of another program or project)", []string{"environment OTHER_DIR", "path src/x.go"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Check(t.Context(), projectOf(tt.files))
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Counts.String(); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			var why []string
			for _, s := range r.Skipped {
				why = append(why, fmt.Sprintf("%s %s", s.Kind, s.Name))
			}
			if got, want := strings.Join(why, ", "), strings.Join(tt.why, ", "); got != want {
				t.Errorf("not judged: %s, want %s", got, want)
			}
		})
	}
}
