package audit

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/audit/claims"
	"github.com/assay-dev/assay/internal/base/fault"
)

func project(t *testing.T, files map[string]string) (string, *Feature) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "ROOT", root)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root, New(Config{WorkDir: root, Project: func(string) (string, error) { return root, nil }, Now: func() time.Time { return time.Unix(1e9, 0) }})
}

const code = "package auth\n\nfunc Validate(token string) error {\n\treturn nil\n}\n"

// A link out of the project is not written through: whoever wrote the tree says where it leads.
func TestCiteThroughLinks(t *testing.T) {
	root, f := project(t, map[string]string{"auth.go": code, "docs/.keep": ""})
	outside := t.TempDir()
	stale := "- B: `return nil` [" + root + "/auth.go:3]\n"
	doc := filepath.Join(outside, "doc.md")
	if err := os.WriteFile(doc, []byte(stale), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"file.md": doc, "folder": outside, "docs/up": ".."} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	fix := func(name string) error {
		_, err := f.Cite(t.Context(), CiteInput{Files: []string{name}, Fix: true})
		return err
	}
	for _, name := range []string{"file.md", "folder/doc.md", "docs/up/file.md", filepath.Join(root, "file.md")} {
		if err := fix(name); fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "link") {
			t.Errorf("%s: %v", name, err)
		}
		if text, err := os.ReadFile(doc); err != nil || string(text) != stale {
			t.Fatalf("%s: the document outside became %q, %v", name, text, err)
		}
	}
	// By its own name it is whoever calls that means it.
	if err := fix(doc); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(doc); err != nil || !strings.Contains(string(text), "auth.go:4]") {
		t.Errorf("the document is %q, %v", text, err)
	}
}

func TestCite(t *testing.T) {
	root, f := project(t, map[string]string{
		"auth.go":            code,
		"doc.md":             "- A: `func Validate(token string) error` [ROOT/auth.go:3]\n- B: `return nil` [ROOT/auth.go:3]\n- C: `func Logout()` [ROOT/auth.go:3]\n- D: `return nil` [auth.go:4]\n",
		"loa-grimoire/.keep": "",
	})
	ctx := context.Background()
	got, err := f.Cite(ctx, CiteInput{Files: []string{"doc.md"}})
	if err != nil {
		t.Fatal(err)
	}
	if c := got.Citations[1]; c.Before != "- B: `return nil` ["+root+"/auth.go:3]" || c.After != "- B: `return nil` ["+root+"/auth.go:4]" || got.Citations[0].After != "" {
		t.Errorf("before and after: %+v", got.Citations[:2])
	}
	var b bytes.Buffer
	if err := got.WriteText(&b, false); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("doc.md:2: `return nil` is at line 4 of %[1]s/auth.go, not 3\ndoc.md:3: `func Logout()` is not in %[1]s/auth.go\n"+
		"doc.md:4: the path auth.go is not absolute: write it from / or as ${PROJECT_ROOT}/auth.go\n1 of 4 citations match word for word\n", root)
	if b.String() != want || fault.KindOf(got.Verdict()) != fault.Negative {
		t.Errorf("%s\nwant\n%s; %v", b.String(), want, got.Verdict())
	}
	if got, err = f.Cite(ctx, CiteInput{Files: []string{"doc.md"}, Fix: true}); err != nil || got.Fixed != 1 {
		t.Fatalf("fixed %+v, %v", got, err)
	}
	text, _ := os.ReadFile(filepath.Join(root, "doc.md"))
	if !strings.Contains(string(text), "B: `return nil` ["+root+"/auth.go:4]") {
		t.Errorf("the document is %s", text)
	}
	if err := os.Symlink("doc.md", filepath.Join(root, "link.md")); err == nil {
		if err := os.WriteFile(filepath.Join(root, "doc.md"), []byte(strings.Replace(string(text), "auth.go:4]", "auth.go:3]", 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := f.Cite(ctx, CiteInput{Files: []string{"link.md"}, Fix: true}); err != nil || got.Fixed != 1 {
			t.Fatalf("fixed %+v, %v", got, err)
		}
		again, _ := os.ReadFile(filepath.Join(root, "doc.md"))
		if to, err := os.Readlink(filepath.Join(root, "link.md")); err != nil || to != "doc.md" || !bytes.Equal(again, text) {
			t.Errorf("the link became %q, %v, and its document %s", to, err, again)
		}
	}
	logs, _ := filepath.Glob(filepath.Join(root, "loa-grimoire", "a2a", "trajectory", "*.jsonl"))
	if len(logs) != 1 {
		t.Fatalf("logs %v", logs)
	}
	log, _ := os.ReadFile(logs[0])
	if !strings.Contains(string(log), `"phase":"cite"`) || !strings.Contains(string(log), `"grounding":"citation"`) || strings.Count(string(log), "\n") < 2 {
		t.Errorf("log %s", log)
	}
	if _, err := f.Cite(ctx, CiteInput{Files: []string{"none.md"}}); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a document that is not there: %v", err)
	}
}

const decided = `
### Test Scenarios

**Scenario 1: Happy Path**
- Input: a token
- Verified: ✓

**Scenario 2: Edge Case**
- Verified: ✓

**Scenario 3: Error Handling**
- Verified: %s
`

func TestCheck(t *testing.T) {
	good := "- Tokens are validated: `func Validate(token string) error` [ROOT/auth.go:3]\n"
	files := map[string]string{"auth.go": code}
	for _, tc := range []struct {
		name, doc string
		rules     string
		ratio     float64 // negative: nothing is claimed
	}{
		{"grounded", good, "", 1},
		{"nothing claimed", "# Review\n\nSome prose.\n", "nothing", -1},
		{"prose without evidence", "The service encrypts all files with AES-256. Keys rotate every month.\n", "evidence evidence ratio", 0},
		{"prose beside evidence", strings.Repeat(good, 3) + "\nThe service encrypts all files with AES-256.\n", "evidence ratio", .75},
		{"a keyword as a quote", "- Files are encrypted with AES-256: `func` [ROOT/auth.go:3]\n", "substance ratio", 0},
		{"a quote of something else", "- Files are encrypted with AES-256: `func Validate(token string) error` [ROOT/auth.go:3]\n", "relation ratio", 0},
		{"a second quote that illustrates", good[:len(good)-1] + " and `return nil` [ROOT/auth.go:4]\n", "", 1},
		{"a ghost with its evidence", good + "- SSO [GHOST: PRD §3.2, 0 results]\n", "", 1},
		{"a ghost without evidence", good + "- SSO [GHOST]\n", "ghost ratio", .5},
		{"a shadow", good + "- Validate is in no document [SHADOW: ROOT/auth.go]\n", "", 1},
		{"a flagged guess among few claims", good + "- Caches [ASSUMPTION: verify]\n", "ratio", .5},
		{"a flagged guess among many", strings.Repeat(good, 19) + "- Caches [ASSUMPTION: verify]\n", "", .95},
		{"a guess", good + "- It probably caches.\n", "assumption ratio", .5},
		{"a place without a quote", good + "- It caches [ROOT/auth.go:4]\n", "quote ratio", .5},
		{"a relative path", "- A: `return nil` [auth.go:4]\n", "path ratio", 0},
		{"an altered quote", "- A: `func Validate(token string) bool` [ROOT/auth.go:3]\n", "citation ratio", 0},
		{"a decision", "## Decision: validate\n" + good + fmt.Sprintf(decided, "✓"), "", 1},
		{"a decision without its scenarios", "## Decision: validate\n" + good + fmt.Sprintf(decided, "no"), "scenarios", 1},
		{"a decision without evidence", "## Decision: validate\n- We validate.\n" + fmt.Sprintf(decided, "✓"), "evidence ratio", 0},
	} {
		files["doc.md"] = tc.doc
		_, f := project(t, files)
		got, err := f.Check(context.Background(), CheckInput{Files: []string{"doc.md"}})
		if err != nil {
			t.Fatal(err)
		}
		var rules []string
		for _, f := range got.Faults {
			rules = append(rules, f.Rule)
		}
		ratio := -1.0
		if got.Ratio != nil {
			ratio = *got.Ratio
		}
		if strings.Join(rules, " ") != tc.rules || ratio != tc.ratio || got.Passed != (tc.rules == "") || (got.Verdict() == nil) != got.Passed {
			t.Errorf("%s: rules %v, ratio %v, passed %v; want %q, %v: %+v", tc.name, rules, ratio, got.Passed, tc.rules, tc.ratio, got.Faults)
		}
	}
}

// What a framework keeps counts: a ghost has its ticket, a decision its records in the log,
// which cite writes.
func TestCheckKept(t *testing.T) {
	doc := "## Decision: validate tokens\n- Tokens are validated: `func Validate(token string) error` [ROOT/auth.go:3]\n" + fmt.Sprintf(decided, "✓") +
		"\n## Ghosts\n- SSO [GHOST: FR-3, 0 results]\n- Offline mode [GHOST: FR-4, 0 results, bd-12]\n"
	_, f := project(t, map[string]string{"auth.go": code, "doc.md": doc, ".beads/x": "", "loa-grimoire/reality/drift-report.md": "| Feature | Doc Source | Search Evidence | Ambiguity | Beads ID |\n|---|---|---|---|---|\n| Offline mode | PRD.md:1 | 0 | CONFIRMED GHOST | bd-12 |\n"})
	f.cfg.Tracker = func(dir string) (*claims.Tracker, bool) { return &claims.Tracker{Program: "bd", Dir: dir}, true }
	for _, want := range []string{"trail:2 ghost:17", "ghost:17"} {
		got, err := f.Check(t.Context(), CheckInput{Files: []string{"doc.md"}})
		if err != nil {
			t.Fatal(err)
		}
		var rules []string
		for _, x := range got.Faults {
			rules = append(rules, fmt.Sprintf("%s:%d", x.Rule, x.Line))
		}
		if strings.Join(rules, " ") != want || *got.Ratio != 1 {
			t.Errorf("%v, ratio %v: want %s: %+v", rules, *got.Ratio, want, got.Faults)
		}
		if _, err := f.Cite(t.Context(), CiteInput{Files: []string{"doc.md"}}); err != nil {
			t.Fatal(err)
		}
	}
}

// A pattern of documents that cannot be read is the caller's mistake, and not the folder's.
func TestDocsPattern(t *testing.T) {
	dir := t.TempDir()
	f := New(Config{WorkDir: dir, Project: func(p string) (string, error) { return p, nil }})
	_, err := f.Ghosts(t.Context(), GhostsInput{Scope: Scope{Docs: []string{"["}, Project: Project{Root: dir}}})
	if fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "--docs") {
		t.Errorf("a wrong pattern: %v", err)
	}
}
