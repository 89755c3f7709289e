package audit

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
)

// An agent gets the findings with their evidence and their corrections, within its budget, and nothing is written but where it asks for that.
func TestNames(t *testing.T) {
	tests := []struct {
		name    string
		in      NamesInput
		written bool
		has     []string
		hasNot  string
	}{
		{"findings", NamesInput{}, false, []string{
			"README.md:7: error (ghost): no code has DeliverMesage; probably DeliverMessage (fly/f.go:4)\n  fix: DeliverMesage → DeliverMessage\n",
			"4 findings: 1 ghost, 0 shadows, 3 drifted; 4 fail the run; 0 known, 0 ignored\n",
			"5 named things: 0 found, 4 missing, 0 unsure, 1 not judged (1 code span of no form that a rule knows); assay audit ci --all lists them\n"}, "more:"},
		{"findings that the budget has room for", NamesInput{Tokens: 170}, false, []string{"docs/guide.md#first-steps\n", "1 more: ask for more tokens", "4 findings:"}, "DeliverMesage"},
		{"a preview", NamesInput{Fix: "preview"}, false, []string{"+ Call `DeliverMessage` or", "3 corrections; 1 finding without", "nothing was written: this is a dry run"}, "more:"},
		{"a preview that the budget has room for", NamesInput{Fix: "preview", Tokens: 120}, false, []string{"2 more: ask for more tokens", "3 corrections"}, "DeliverMessage"},
		{"corrections", NamesInput{Fix: "apply"}, true, []string{"3 corrections written to 1 document"}, "nothing was written"},
		{"documents that are named", NamesInput{Scope: Scope{Docs: []string{"docs/*.md"}}}, false, []string{"0 findings"}, "README"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := misnamed()
			root, f := project(t, files)
			got, err := f.Names(t.Context(), tt.in)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := got.WriteText(&b, false); err != nil {
				t.Fatal(err)
			}
			for _, want := range tt.has {
				if !strings.Contains(b.String(), want) {
					t.Errorf("the answer is\n%s\nwant in it\n%s", b.String(), want)
				}
			}
			if strings.Contains(b.String(), tt.hasNot) {
				t.Errorf("the answer is\n%s\nwant without %q", b.String(), tt.hasNot)
			}
			if most := tt.in.Tokens; most > 0 && text.Tokens(b.Len()) > most+30 {
				t.Errorf("%d tokens for a budget of %d", text.Tokens(b.Len()), most)
			}
			now, err := os.ReadFile(filepath.Join(root, "README.md"))
			if err != nil {
				t.Fatal(err)
			}
			if isWritten := string(now) != files["README.md"]; isWritten != tt.written {
				t.Errorf("written: %v, want %v", isWritten, tt.written)
			}
		})
	}
}

func TestNamesRefused(t *testing.T) {
	_, f := project(t, misnamed())
	_, err := f.Names(t.Context(), NamesInput{Fix: "preview", Since: "HEAD"})
	if fault.KindOf(err) != fault.Usage {
		t.Errorf("got %v", err)
	}
}

// A run says what became of all that documents name; what is not judged is listed where all is asked for.
func TestNotJudged(t *testing.T) {
	files := map[string]string{"a.go": "package a\n\nfunc LoadRules() {}\n", "README.md": "# T\n\n`LoadRules` [b]({x}.md) [c](a.go)\n"}
	const line = "3 named things: 2 found, 0 missing, 0 unsure, 1 not judged (1 link with a placeholder); assay audit ci --all lists them\n"
	const listed = "README.md:3: not judged: link {x}.md (with a placeholder)\n"
	_, f := project(t, files)
	for name, all := range map[string]bool{"counted": false, "listed": true} {
		t.Run(name, func(t *testing.T) {
			got, said := runCI(t, f, CIInput{All: all})
			if !strings.Contains(said, line) || strings.Contains(said, listed) != all {
				t.Errorf("the answer is\n%s", said)
			}
			raw, err := json.Marshal(got)
			if err != nil {
				t.Fatal(err)
			}
			const counts = `"names":{"named":3,"found":2,"missing":0,"unsure":0,"not_judged":[{"kind":"link","why":"with a placeholder","count":1}]}`
			const skipped = `"not_judged":[{"kind":"link","path":"README.md","line":3,"name":"{x}.md","why":"with a placeholder"}]`
			if !strings.Contains(string(raw), counts) || strings.Contains(string(raw), skipped) != all {
				t.Errorf("the data is %s", raw)
			}
		})
	}
	ghosts, err := f.Ghosts(t.Context(), GhostsInput{})
	if err != nil {
		t.Fatal(err)
	}
	drift, err := f.Drift(t.Context(), DriftInput{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := ghosts.WriteText(&b, false); err != nil {
		t.Fatal(err)
	}
	if err := drift.WriteText(&b, false); err != nil {
		t.Fatal(err)
	}
	if strings.Count(b.String(), line) != 2 {
		t.Errorf("ghosts and drift say\n%s", b.String())
	}
}
