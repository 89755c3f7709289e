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

// No expression of the program matches a text that has nothing of what it needs, and each matches where that is said to
// be sure.
func TestNeedsOfExpressions(t *testing.T) {
	lines := texts(t)
	for at, s := range expressions(t) {
		need, re := needsOf(s), regexp.MustCompile(s)
		for _, line := range lines {
			if got := need.look(line); got != maybe && re.MatchString(line) != (got == yes) {
				t.Errorf("%s: %q: %q is %v", at, s, line, got)
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
	for _, pattern := range []string{"*.md", "docs/*.md", "internal/audit/claims/*.go", "internal/memory/vault/*_test.go", "internal/lang/*/*_test.go", "internal/memory/transcript/*_test.go", "internal/base/redact/*.go"} {
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
					if words := strings.Fields(line); len(words) > 2 {
						out = append(out, words[len(words)/2], strings.Join(words[1:3], " "))
					}
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
			if n.look(s) == no {
				t.Errorf("%s: %q has nothing that is needed", expr, s)
			}
		}
		for _, s := range want.lacks {
			if n.look(s) != no {
				t.Errorf("%s: %q has what is needed", expr, s)
			}
		}
	}
}

// Where a word of a list stands to its end, nothing else has to be asked; a list of whole texts is looked up.
func TestLook(t *testing.T) {
	for expr, texts := range map[string]map[string]answer{
		`(?i)\b(?:adds?|also the|i|re(?:ad|moved?) \w+)\b|~~`: {
			"it ADDS one": yes, "adds": yes, "adds_x": no, "badd": no, "also": no, "Also the": yes, "also then": no,
			"i": yes, "if I do": yes, "x-i": yes, "in it": no, "removed it": maybe, "remove": no, "~~": maybe, "add\u017f": yes, "\u017f": maybe, "—": no,
		},
		`(?i)\bre-?`:               {"re": yes, "a re-use": yes, "are": no},
		`\b(?:Adds|i)\b`:           {"Adds": maybe, "adds": maybe, "add": no, "i": maybe},
		`(?i)\b(?:c\+\+|it)\b`:     {"c++": maybe, "It": yes},
		`(?i)^(?:os|c\+\+|v\d+)$`:  {"OS": yes, "c++": yes, "oss": no, "": no, "v1": maybe, "V": maybe, "o\u017f": maybe},
		`^(?:os|OS)$`:              {"Os": maybe, "o": no},
		`(?i)\b(?:add[sd]|[a-z]x)`: {"adds": maybe},
	} {
		n := needsOf(expr)
		for s, want := range texts {
			if got := n.look(s); got != want {
				t.Errorf("%s: %q is %v, want %v", expr, s, got, want)
			}
			if got := n.look(s); got != maybe && regexp.MustCompile(expr).MatchString(s) != (got == yes) {
				t.Errorf("%s: %q is %v by no means", expr, s, got)
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
