package rank

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// all are the profiles that come with the program.
var all = map[string]func() *Profile{
	"claims": Claims, "code": Code, "docs": Docs, "files": Files, "map": Map, "memory": Memory, "modules": Modules, "names": Names, "places": Places, "reach": Reach, "tests": Tests,
}

// Every profile is readable, knows the signals that are measured, and none of them is
// there for nothing.
func TestProfiles(t *testing.T) {
	names, err := files.ReadDir("profiles")
	if err != nil || len(names) != len(all) {
		t.Fatalf("%d profiles, want %d: %v", len(names), len(all), err)
	}
	for name, open := range all {
		p := open()
		if p.name != name {
			t.Errorf("profile %s calls itself %s", name, p.name)
		}
		for i, s := range p.signals {
			used := false
			for _, w := range p.weights {
				if len(w) != len(p.signals)+len(p.damping) {
					t.Fatalf("%s has %d weights of %d signals", name, len(w), len(p.signals))
				}
				used = used || s.role == factor && w[i] < 1 || s.role != factor && w[i] > 0
			}
			if !used {
				t.Errorf("%s: %q counts nothing in any variant", name, s.name)
			}
		}
		if open() != p {
			t.Errorf("%s is read twice", name)
		}
	}
}

func TestOpenOtherProfile(t *testing.T) {
	defer func() {
		if r := recover(); !strings.Contains(fmt.Sprint(r), `profile docs has 25 signals`) {
			t.Errorf("a profile with other signals than are measured: %v", r)
		}
	}()
	open("docs", numCode)()
}

const small = `
# A comment.
profile  small
variants any symbol meaning symbol+meaning # another
midpoint 1 2 3 4
lexical 1 2 3 4 words
meaning 0.5 meaning
context 2 place
factor 0.5 old
damping 0.5 page
flat-damping 0.25 section
constant 7 seven things
`

func parsed(t *testing.T, text string) *Profile {
	t.Helper()
	p, err := ParseProfile(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestParseProfile(t *testing.T) {
	p := parsed(t, small)
	if got := p.Signals(); !slices.Equal(got, []string{"words", "meaning", "place", "old"}) {
		t.Errorf("signals %q", got)
	}
	if p.Columns() != 4 {
		t.Errorf("%d columns, want 4", p.Columns())
	}
	if got := fmt.Sprint(p.weights); got != "[[1 0.5 2 0.5 0.5 0.25] [2 0.5 2 0.5 0.5 0.25] [3 0.5 2 0.5 0.5 0.25] [4 0.5 2 0.5 0.5 0.25]]" {
		t.Errorf("weights %s", got)
	}
	if got := fmt.Sprint(p.damping, p.midpoints, p.Constant("seven things")); got != "[{page false} {section true}] [1 2 3 4] 7" {
		t.Errorf("damping, midpoints and constant are %s", got)
	}
	for i, want := range []role{lexical, semantic, context, factor} {
		if p.signals[i].role != want {
			t.Errorf("%s has the role %d, want %d", p.signals[i].name, p.signals[i].role, want)
		}
	}
	// Damping may be in the middle of the file.
	if got := fmt.Sprint(parsed(t, "profile p\nvariants any\nmidpoint 1\nlexical 1 a\ndamping .5 d\nlexical 2 b").weights); got != "[[1 2 0.5]]" {
		t.Errorf("weights %s, want those of the damping last", got)
	}
	defer func() {
		if r := fmt.Sprint(recover()); r != "profile small has no constant eight" {
			t.Errorf("an unknown constant: %s", r)
		}
	}()
	p.Constant("eight")
}

func TestParseProfileFaults(t *testing.T) {
	const head = "profile p\nvariants any\nmidpoint 1\nlexical 1 a\n"
	if _, err := ParseProfile(head); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":                                      "needs a name, signals, and variants",
		"variants any\nmidpoint 1\nlexical 1 a": "needs a name, signals, and variants",
		"profile p\nmidpoint 1\nlexical 1 a":    "line 2: midpoint 1: 1 numbers for 0 variants",
		"profile p\nvariants symbol\nmidpoint 1\nlexical 1 a":       "needs a name, signals, and variants that begin with any",
		"profile p\nvariants any\nmidpoint 1":                       "needs a name, signals",
		"profile p\nvariants any\nlexical 1 a":                      "needs midpoints or scales above 0",
		"profile p\nvariants any\nmidpoint 0\nlexical 1 a":          "needs midpoints or scales above 0",
		"profile p\nvariants any symbol\nmidpoint 1 0\nlexical 1 a": "needs midpoints or scales above 0",
		"profile p\nvariants any\nscale 0\nlexical 1 a":             "needs midpoints or scales above 0",
		head + "scale 1":               "needs midpoints or scales above 0",
		"profile p\nvariants any cold": `line 2: "cold" is not a condition`,
		"profile p\nvariants any any":  "line 2: variant any is there twice",
		"profile p\nvariants any symbol meaning\nmidpoint 1\nlexical 1 a":   "which of two variants applies",
		"profile p\nvariants any symbol meaning\nmidpoint 1 2\nlexical 1 a": "line 3: midpoint 1 2: 2 numbers for 3 variants",
		head + "lexical 1 2 b":                                 "line 5: lexical 1 2 b: 2 numbers for 1 variants",
		head + "lexical b":                                     "0 numbers for 1 variants",
		head + "lexical -1 b":                                  "finite and not negative",
		head + "lexical NaN b":                                 "finite and not negative",
		head + "lexical Inf b":                                 "finite and not negative",
		head + "lexical 1 a":                                   "a signal needs a name of its own",
		head + "lexical 1":                                     "a signal needs a name of its own",
		head + "damping .5 a":                                  "a signal needs a name of its own",
		head + "damping .5 d\nlexical 1 d":                     "a signal needs a name of its own",
		head + "factor 1.5 b":                                  "a factor is at most 1",
		head + "damping 1.5 b":                                 "a factor is at most 1",
		head + "lexicl 1 b":                                    `"lexicl" is not a kind of line`,
		head + "constant 1 2 c":                                "a constant is one number and a name of its own",
		head + "constant c":                                    "a constant is one number",
		head + "constant 1":                                    "a constant is one number",
		head + "constant 1 c\nconstant 2 c":                    "a constant is one number and a name of its own",
		head + "damping .5 x\ndamping .5 y\nflat-damping .5 z": "damps by 3 groups, at most 2",
		"profile p\nvariants any symbol+meaning symbol+semantic\nmidpoint 1": "",
	} {
		_, err := ParseProfile(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for _, text := range []string{
		head + "lexical 0 zero",
		head + "factor 1 one\nfactor 0 none",
		head + "damping 1 d\ndamping 1 e",
		"profile p\nvariants any symbol question\nmidpoint 1\nlexical 1 a", // a query is of one kind
		"profile p\nvariants any meaning semantic+meaning symbol symbol+meaning symbol+semantic+meaning\nmidpoint 1\nlexical 1 a",
	} {
		if _, err := ParseProfile(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// The most specific variant applies.
func TestVariants(t *testing.T) {
	p := parsed(t, "profile p\nvariants any symbol meaning symbol+meaning question phrase phrase+meaning question+meaning semantic+meaning semantic+meaning+symbol semantic+meaning+question semantic+meaning+phrase\nmidpoint 1\nlexical 1 a")
	for v, want := range map[Variant]int{
		{Symbol, Hybrid, false}: 1, {Symbol, Hybrid, true}: 3, {Symbol, Semantic, true}: 9, {Symbol, Lexical, false}: 1, {Symbol, Semantic, false}: 1,
		{Question, Hybrid, false}: 4, {Question, Hybrid, true}: 7, {Question, Semantic, true}: 10, {Question, Lexical, true}: 7,
		{Phrase, Hybrid, false}: 5, {Phrase, Hybrid, true}: 6, {Phrase, Semantic, true}: 11,
	} {
		if got := p.Column(v); got != want {
			t.Errorf("column(%v %v %v) = %d, want %d", v.Kind, v.Mode, v.Meaning, got, want)
		}
	}
	few := parsed(t, "profile p\nvariants any meaning\nmidpoint 1 3\nlexical 1 a")
	for v, want := range map[Variant]int{{Symbol, Hybrid, false}: 0, {Symbol, Semantic, true}: 1, {Phrase, Semantic, false}: 0} {
		if got := few.Column(v); got != want {
			t.Errorf("column(%v %v %v) = %d, want %d", v.Kind, v.Mode, v.Meaning, got, want)
		}
	}
	if a, b := few.Score(Variant{}, 3), few.Score(Variant{Meaning: true}, 3); a != .75 || b != .5 {
		t.Errorf("3 scores %v and %v, want .75 by the midpoint 1 and .5 by 3", a, b)
	}
	scaled := parsed(t, "profile p\nvariants any meaning\nscale 2 4\nlexical 1 a")
	if a, b, c := scaled.Score(Variant{}, 3), scaled.Score(Variant{Meaning: true}, 3), scaled.Score(Variant{}, -1); a != 6 || b != 12 || c != 0 {
		t.Errorf("3 scores %v and %v, want twice and four times as much; less than nothing scores %v", a, b, c)
	}
}
