//go:build !slim

package lazy

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// No expression of the program matches a text that has nothing of what it needs.
func TestNeedsOfExpressions(t *testing.T) {
	lines := texts(t)
	for at, s := range expressions(t) {
		need, re := needsOf(s), regexp.MustCompile(s)
		for _, line := range lines {
			if !need.in(line) && re.MatchString(line) {
				t.Errorf("%s: %q matches %q without a need", at, s, line)
				break
			}
		}
	}
}

// texts returns lines of all kinds: of the program, its documents and the data of its tests, as they
// are and in capitals, and pieces of them.
func texts(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"*.md", "docs/*.md", "internal/domain/claims/*.go", "internal/domain/vault/*_test.go", "internal/lang/*/*_test.go", "internal/domain/transcript/*_test.go", "internal/base/redact/*.go"} {
		names, err := fs.Glob(os.DirFS("../../.."), pattern)
		if err != nil || len(names) == 0 {
			t.Fatal("no texts", pattern, err)
		}
		for i, name := range names {
			text, err := os.ReadFile(path.Join("../../..", name))
			if err != nil {
				t.Fatal(err)
			}
			for n, line := range strings.Split(string(text), "\n") {
				if (n+i)%67 == 0 {
					out = append(out, line, strings.ToUpper(line), strings.ReplaceAll(line, "s", "\u017f"), strings.TrimSpace(line[len(line)/2:]))
				}
			}
		}
	}
	return out
}

// What a pattern needs is told from its expression: words without regard to case, one of each
// branch, the longest of a sequence.
func TestNeeds(t *testing.T) {
	for expr, want := range map[string]struct {
		has, lacks []string
	}{
		`(?i)\b(?:added|removed)\b`: {[]string{"It ADDED one", "removed"}, []string{"it adds", "remove", ""}},
		`x+(?:foo|ba[rz]+)(\d+)?`:   {[]string{"afoo", "xba"}, []string{"a f o o", "b a"}},
		`(?:ab)*`:                   {[]string{"", "c"}, nil},
		`(?:ab){2,3}c?`:             {[]string{"ab"}, []string{"a b c"}},
		"`[^`]+`":                   {[]string{"a`"}, []string{"a'"}},
		`(?i)kelvin|(?i)masse`:      {[]string{"\u212aelvin", "ma\u017f\u017fe", "MASSE"}, []string{"kelv mass"}},
		`[a-z]|foo`:                 {[]string{"-"}, nil},
		`é+tude`:                    {[]string{"tude"}, []string{"é"}},
	} {
		n := needsOf(expr)
		for _, s := range want.has {
			if !n.in(s) {
				t.Errorf("%s: %q has nothing that is needed", expr, s)
			}
		}
		for _, s := range want.lacks {
			if n.in(s) {
				t.Errorf("%s: %q has what is needed", expr, s)
			}
		}
	}
}

// A pattern that is used often says the same as before.
func TestOften(t *testing.T) {
	p := Regexp(`(?i)\b(?:added|removed)\b`)
	for i := range 3 * often {
		if !p.MatchString("was Added") || p.MatchString("was kept") || p.FindString("is REMOVED now") != "REMOVED" || p.ReplaceAllString("kept", "x") != "kept" || p.FindAllString("kept", -1) != nil {
			t.Fatalf("use %d", i)
		}
	}
	if p.hint.need.Load() == nil {
		t.Error("its needs are not known")
	}
}
