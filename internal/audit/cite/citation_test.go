package cite

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const code = `package auth

// ValidateToken checks a token.
func ValidateToken(token string) (*Claims, error) {
	if token == "" {
		return nil, errEmpty
	}
	return parse(token, 30*time.Second)
}

func refresh(token string) error { return nil }

// Grüße an Grün
func variadic(names ...string) { _ = names }
`

func project(t *testing.T) (string, *Checker) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "auth.go"), []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := NewChecker(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return root, c
}

func TestVerify(t *testing.T) {
	root, c := project(t)
	at := filepath.Join(root, "auth.go")
	for _, tc := range []struct {
		quote string
		path  string
		line  int
		last  int
		state State
		found int
	}{
		{"func ValidateToken(token string) (*Claims, error) {", at, 4, 0, True, 4},
		{"ValidateToken(token string)", at, 4, 0, True, 4},
		{"ValidateToken(token string)", "${PROJECT_ROOT}/auth.go", 4, 0, True, 4},
		{"return parse(token, 30*time.Second)", at, 4, 9, True, 8},
		{"if token == \"\" {\n\t\treturn nil, errEmpty\n\t}", at, 5, 0, True, 5},
		{"if token == \"\" {\nreturn nil, errEmpty", at, 5, 0, True, 5},
		{"ValidateToken(token string)", at, 5, 0, Shifted, 4},
		{"func refresh(token string) error", at, 1, 0, Shifted, 11},
		{"return parse(token, 60*time.Second)", at, 8, 0, Altered, 8},
		{"func ValidateToken(token string) (*Claims, bool) {", at, 4, 0, Altered, 4},
		{"ValidateTok", at, 4, 0, Invented, 0},
		{"func Logout(session *Session) {", at, 4, 0, Invented, 0},
		{"}", at, 7, 0, Short, 0},
		{"ValidateToken", filepath.Join(root, "gone.go"), 4, 0, NoFile, 0},
		{"ValidateToken", "auth.go", 4, 0, Relative, 0},
		{"root", "/etc/passwd", 1, 0, Outside, 0},
		{"root", filepath.Join(root, "..", "x"), 1, 0, Outside, 0},
		{"func refresh(token string) error", at, 400, 0, Shifted, 11},
		// What runs out of the file names no place.
		{"func refresh(token string) error", at, 11, 400, Shifted, 11},
		{"func refresh(token string) error", at, 0, 0, Shifted, 11},
		// Space and the ends of lines are no words.
		{"if token == \"\" {\n    return nil, errEmpty", at, 5, 0, True, 5},
		{"if token == \"\" { return nil, errEmpty }", at, 5, 0, True, 5},
		{"if token == \"\" {\r\n\t\treturn nil, errEmpty\r\n\t}\r\n", at, 5, 0, True, 5},
		{"if token == \"\" { return nil, errFull }", at, 5, 0, Invented, 0},
		{"if token == \"\" {\n\t\treturn nil, errFull\n\t}", at, 5, 0, Altered, 6},
		// One of several places is as good as another; elsewhere the nearest is meant.
		{"token string", at, 11, 0, True, 11},
		{"token string", at, 9, 0, Shifted, 11},
		{"token string", at, 6, 0, Shifted, 4},
		// What is omitted may turn the sense around.
		{"func ValidateToken(…) (*Claims, error) {", at, 4, 0, Altered, 4},
		{"if token == \"\" { ... return parse(token, 30*time.Second)", at, 5, 0, Altered, 5},
		{"return parse(token, ... if token == \"\" {", at, 5, 0, Invented, 0},
		{"variadic(names ...string)", at, 14, 0, True, 14},
		// A letter and the mark on it are one.
		{"Grüße", at, 13, 0, True, 13},
		{"Gru", at, 13, 0, Invented, 0},
		{"Gru\u0308n", at, 13, 0, True, 13},
		{"Gru\u0308ße", at, 13, 0, Invented, 0},
	} {
		got := c.Verify(Citation{Quote: tc.quote, Path: tc.path, Line: tc.line, Last: tc.last})
		if got.State != tc.state || got.Found != tc.found {
			t.Errorf("Verify(%q at %s:%d) = %+v, want %s at %d", tc.quote, tc.path, tc.line, got, tc.state, tc.found)
		}
	}
}

// A project that was reached by a link is cited by the link.
func TestVerifyLink(t *testing.T) {
	root, c := project(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Skip(err)
	}
	if got := c.Verify(Citation{Quote: "errEmpty", Path: filepath.Join(link, "auth.go"), Line: 6}); got.State != True {
		t.Errorf("through a link: %+v", got)
	}
}

// A place that no file can have is a wrong place, and none that is passed by.
func TestStrangeLines(t *testing.T) {
	_, c := project(t)
	for line, want := range map[string]State{"99999999999999999999": Shifted, "-1": Shifted, "12345678": Shifted, "4-99999999999999999999": Shifted, "0": Shifted, "4": True} {
		all := Parse("It checks: `func ValidateToken(token string)` [${PROJECT_ROOT}/auth.go:" + line + "].\n")
		if len(all) != 1 || len(all[0].Citations) != 1 {
			t.Errorf(":%s is read as %+v", line, all)
			continue
		}
		if got := c.Verify(all[0].Citations[0]); got.State != want || want == Shifted && got.Found != 4 || got.Last < 0 {
			t.Errorf(":%s is %+v, want %v", line, got, want)
		}
		if _, n := Moved("It checks: `func ValidateToken(token string)` [${PROJECT_ROOT}/auth.go:"+line+"].\n", all[0].Citations, []Verdict{c.Verify(all[0].Citations[0])}); (n == 1) != (want == Shifted) {
			t.Errorf(":%s is corrected %d times", line, n)
		}
	}
}

func TestParse(t *testing.T) {
	doc := strings.Join([]string{
		"# Review",
		"",
		"The system uses JWT: `func ValidateToken(token string)` [/p/auth.go:4], and more.",
		"It refreshes [/p/auth.go:11].",
		"",
		"- Likely caches tokens [ASSUMPTION: needs verification]",
		"- OAuth2 SSO [GHOST: PRD §3.2, 0 search results]",
		"- Legacy hasher: `func hashLegacy()` [SHADOW: /p/legacy.ts, undocumented]",
		"- It probably retries.",
		"- It retries.",
		"- `likely(x)` is a function.",
		"",
		"## Decision: use the module",
		"- SEARCH: hybrid_search(\"JWT\")",
		"- We keep the module.",
		"| a | `errEmpty` [/p/auth.go:6] |",
		"",
		"```go",
		"return parse(token,",
		"```",
		"",
		"[/p/auth.go:8-9]",
		"",
		"## Notes",
		"- Nothing here.",
		"- It breaks: `return parse(token,",
		"  30*time.Second)`",
		"  [/p/auth.go:8]",
		"",
		"> In a quotation: `return",
		"> nil` [/p/auth.go:11]",
		"| or | `a \\| b` [/p/auth.go:3] |",
		"- In an item:",
		"      ```go",
		"      errEmpty",
		"      ```",
		"  [/p/[id]/page.tsx:6]",
		"- A `[/p/x.go:1]` in code, a [link](x.md:3) and a [time 10:30] are no places.",
	}, "\n")
	var got []string
	for _, c := range Parse(doc) {
		s := fmt.Sprintf("%d %s %d", c.Line, c.Class, len(c.Citations))
		for _, q := range c.Citations {
			s += fmt.Sprintf(" %q %s:%d-%d", q.Quote, q.Path, q.Line, q.Last)
		}
		got = append(got, s)
	}
	want := []string{
		`3 grounded 1 "func ValidateToken(token string)" /p/auth.go:4-4`,
		"4 reference 0",
		"6 assumption 0",
		"7 ghost 0",
		"8 shadow 0",
		"9 unflagged 0",
		"11 bare 0",
		"15 bare 0",
		`16 grounded 1 "errEmpty" /p/auth.go:6-6`,
		`22 grounded 1 "return parse(token," /p/auth.go:8-9`,
		`26 grounded 1 "return parse(token,\n  30*time.Second)" /p/auth.go:8-8`,
		`30 grounded 1 "return\n  nil" /p/auth.go:11-11`,
		`32 grounded 1 "a | b" /p/auth.go:3-3`,
		`37 grounded 1 "      errEmpty" /p/[id]/page.tsx:6-6`,
		"38 bare 0",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("claims\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The evidence of one sentence is none of the next, though no full stop stands between them.
func TestEvidenceEndsASentence(t *testing.T) {
	const quote = "It checks the token: `func Check(token string)` [/p/auth.go:4]"
	for doc, want := range map[string]string{
		quote + "\nFiles are encrypted with AES-256.":             "1 grounded, 2 bare",
		quote + " Files are encrypted with AES-256":               "1 grounded, 1 bare",
		"\"" + quote + "\"\nIt probably caches results.":          "1 grounded, 2 unflagged",
		"- " + quote + "\n  Files are encrypted with AES-256.":    "1 grounded, 2 bare",
		"- SSO [GHOST: PRD §3.2]\n  Files are encrypted at rest":  "1 ghost, 2 bare",
		quote + "\n<!-- - -->\nFiles are encrypted with AES-256.": "1 grounded, 2 bare",
		quote + "\n`AES` encrypts all the files.":                 "1 grounded, 2 bare",
		quote + " and its\nsignature.":                            "1 grounded",
		quote + "\n`func Sign()` [/p/auth.go:9]":                  "1 grounded",
		quote + " (Go)":                                           "1 grounded",
	} {
		var got []string
		for _, c := range Parse("# A\n\n" + doc) {
			got = append(got, fmt.Sprintf("%d %s", c.Line-2, c.Class))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("Parse(%q) = %q, want %q", doc, got, want)
		}
	}
}

func TestMoved(t *testing.T) {
	root, c := project(t)
	doc := fmt.Sprintf("A: `func refresh(token string) error` [%[1]s/auth.go:2] and `errEmpty` [%[1]s/auth.go:60-61].\nB: `ValidateToken(token string)` [%[1]s/auth.go:4]\n", root)
	var cites []Citation
	var verdicts []Verdict
	for _, claim := range Parse(doc) {
		for _, cite := range claim.Citations {
			cites, verdicts = append(cites, cite), append(verdicts, c.Verify(cite))
		}
	}
	got, n := Moved(doc, cites, verdicts)
	want := strings.NewReplacer("auth.go:2]", "auth.go:11]", "auth.go:60-61]", "auth.go:6-7]").Replace(doc)
	if got != want || n != 2 {
		t.Errorf("Moved = %d, %s, want %s", n, got, want)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("- A: `x y` [/a/b.go:3]\n```\nq\n```\n[/a:1-2]")
	f.Add("`` ` `` [${PROJECT_ROOT}/a.go:0]\n## Decision\n- x")
	f.Fuzz(func(t *testing.T, doc string) {
		lines := strings.Split(doc, "\n")
		var cites []Citation
		var verdicts []Verdict
		for _, c := range Parse(doc) {
			if c.Line < 1 || c.Line > len(lines) {
				t.Fatalf("a claim at line %d of %d", c.Line, len(lines))
			}
			for _, q := range c.Citations {
				if strings.TrimSpace(q.Quote) == "" || q.At < 1 || q.At > len(lines) {
					t.Fatalf("citation %+v", q)
				}
				cites, verdicts = append(cites, q), append(verdicts, Verdict{State: Shifted, Found: 7})
			}
		}
		Moved(doc, cites, verdicts)
	})
}

// What evidence could show is a claim, wherever it is; what it could not show is none.
func TestStatements(t *testing.T) {
	doc := strings.Join([]string{
		"---", "title: The server encrypts all of its files", "---",
		"<!-- The server encrypts all of its files. -->",
		"The server encrypts files with AES-256, e.g. uploads. Keys rotate every thirty days.",
		"It retries. It is fast. `retry` doubles the delay each time.",
		"",
		"Does the server encrypt all of its files?",
		"",
		"The server has three parts that matter:",
		"",
		"- Run the migration before the server starts.",
		"- Set `retries` to five before the start.",
		"- The timeout should be raised to thirty seconds.",
		"- [The guide to the whole server](guide.md)",
		"- Set operations take linear time.",
		"",
		"This document describes the server and its parts.",
		"",
		"| Component | What it does for its callers |",
		"|---|---|",
		"| cache | keeps answers for ten minutes |",
		"| cache | Redis |",
		"",
		"## Next steps",
		"- The server encrypts files with AES-256.",
		"",
		"## Notes",
		"サーバーはファイルを暗号化する。",
	}, "\n")
	var got []string
	for _, c := range Parse(doc) {
		got = append(got, fmt.Sprintf("%d %s %s", c.Line, c.Class, c.Text))
	}
	want := []string{
		"5 bare The server encrypts files with AES-256, e.g. uploads.",
		"5 bare Keys rotate every thirty days.",
		"6 bare `retry` doubles the delay each time.",
		"15 bare [The guide to the whole server](guide.md)",
		"16 bare Set operations take linear time.",
		"22 bare | cache | keeps answers for ten minutes |",
		"29 bare サーバーはファイルを暗号化する。",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("claims\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A quote proves a claim that it shares something with, and only if it has substance.
func TestBears(t *testing.T) {
	root := t.TempDir()
	src := "package x\n\nexport const limit = 5\n\nfunc validateToken(token string) error {\n\tif token == \"\" {\n\t\treturn nil\n\t}\n\tredis\n}\n"
	if err := os.WriteFile(filepath.Join(root, "crypto.go"), []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := NewChecker(root)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, tc := range []struct {
		claim string
		line  int
		want  Lack
	}{
		{"Files are encrypted with AES-256: `export`", 3, Substance},
		{"Files are encrypted with AES-256: `return nil`", 7, Relation},
		{"Files are encrypted with AES-256: `if token`", 6, Relation},
		{"Files are encrypted with AES-256: `func`", 5, Substance},
		{"A token that is empty is accepted, `nil` is the return: `return nil`", 7, ""},
		{"Uploads are at most 5 MB: `const limit = 5`", 3, ""},
		{"Uploads are bounded: `const limit = 5`", 3, Relation},
		{"Cryptography is a constant: `const limit = 5`", 3, ""}, // by the name of the file
		{"Tokens are checked: `func validateToken(token string) error`", 5, ""},
		{"Validation ignores what is empty: `if token == \"\"`", 6, ""}, // by the function around it
		{"Users are logged out: `if token == \"\"`", 6, Relation},
		{"The cache is in validation: `redis`", 9, ""},
		{"The token is long: `token`", 5, Substance},
		{"A: `func validateToken(token string) error`", 5, Relation},
		{"令牌在使用之前会被检查: `func validateToken(token string) error`", 5, ""},
		{"Errors are swallowed: `validateToken(token string) error`", 5, ""},
	} {
		claims := Parse(fmt.Sprintf("%s [${PROJECT_ROOT}/crypto.go:%d]\n", tc.claim, tc.line))
		if len(claims) != 1 || len(claims[0].Citations) != 1 {
			t.Fatalf("%s: %+v", tc.claim, claims)
		}
		v := c.Verify(claims[0].Citations[0])
		if got := c.Bears(claims[0], claims[0].Citations[0], v.Found); v.State != True || got != tc.want {
			t.Errorf("%s: %s, %q; want %q", tc.claim, v.State, got, tc.want)
		}
	}
	decided := Parse("## Decision: validate tokens\n- CITATION: `if token == \"\"` [${PROJECT_ROOT}/crypto.go:6]\n")
	if got := c.Bears(decided[0], decided[0].Citations[0], 6); got != "" {
		t.Errorf("evidence of a decision lacks %q", got)
	}
}
