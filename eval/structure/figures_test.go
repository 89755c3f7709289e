package main

import (
	"os"
	"slices"
	"strings"
	"testing"
)

const someFigures = `# go run ./eval/structure golden -update

mobx: 1 from npm, truth by typescript 5
  # node v1
  typescript functions truth 1
  typescript imports   truth 2

rxjs: 1 from npm, truth by typescript 5
  all      truth 3
`

func TestFiguresAreReadAsWritten(t *testing.T) {
	all := parseFigures(someFigures)
	if len(all) != 2 || all[0].key() != "mobx" || len(all[0].lines) != 2 || all[0].remark != "node v1" || all[1].lines[0] != "all      truth 3" {
		t.Fatalf("parseFigures read %q", all)
	}
	if got := renderFigures(all); got != someFigures {
		t.Errorf("renderFigures wrote\n%s\nwant\n%s", got, someFigures)
	}
	for _, bad := range []string{"", "  a line without a head\n", "# a remark\n\n"} {
		if got := parseFigures(bad); len(got) != 0 {
			t.Errorf("parseFigures(%q) = %q, want nothing", bad, got)
		}
	}
}

func TestCompareFigures(t *testing.T) {
	old := parseFigures(someFigures)
	for _, c := range []struct{ name, got, want string }{
		{"nothing measured", "", ""},
		{"the same", someFigures, ""},
		{"a part, by another node", "rxjs: 1 from npm, truth by typescript 5\n  # node v2\n  all      truth 3\n", ""},
		{"another figure", "rxjs: 1 from npm, truth by typescript 5\n  all      truth 4\n", "rxjs|  - all      truth 3|  + all      truth 4"},
		{"another version", "rxjs: 2 from npm, truth by typescript 5\n  all      truth 3\n",
			"rxjs|  - rxjs: 1 from npm, truth by typescript 5|  + rxjs: 2 from npm, truth by typescript 5"},
		{"a line less", "mobx: 1 from npm, truth by typescript 5\n  typescript imports   truth 2\n", "mobx|  - typescript functions truth 1"},
		{"the lines in another order", "mobx: 1 from npm, truth by typescript 5\n  typescript imports   truth 2\n  typescript functions truth 1\n", "mobx"},
		{"a new group", "webpack: 1\n  x\n", "webpack|  + webpack: 1|  + x"},
	} {
		if got := strings.Join(compareFigures(old, parseFigures(c.got)), "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestMergeFigures(t *testing.T) {
	old := parseFigures("jsoup: 1\n  a\ngone: 1\n  x\nrxjs: 1\n  b\n")
	got := parseFigures("mobx: 2\n  c\njsoup: 2\n  d\n")
	var heads []string
	for _, f := range mergeFigures(old, got) {
		heads = append(heads, f.head)
	}
	// In the order of the packages; what was not measured stays, what is no package's goes.
	if want := []string{"mobx: 2", "rxjs: 1", "jsoup: 2"}; !slices.Equal(heads, want) {
		t.Errorf("mergeFigures = %q, want %q", heads, want)
	}
	if s := stray(old); len(s) != 1 || s[0].key() != "gone" {
		t.Errorf("stray = %q, want gone", s)
	}
}

// TestGoldenFile holds that the golden file is what -update writes, and of the
// packages and versions that are asked for.
func TestGoldenFile(t *testing.T) {
	raw, err := os.ReadFile("testdata/golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	all := parseFigures(text)
	if got := renderFigures(mergeFigures(nil, all)); got != text {
		t.Errorf("golden.txt is not as -update writes it:\n%s\nwant\n%s", text, got)
	}
	for _, s := range subjects {
		f, ok := find(all, s.name)
		if !ok || !strings.Contains(f.head, ": "+s.version+" from "+s.from) || len(f.lines) == 0 {
			t.Errorf("golden.txt has %q of %s", f, s.name)
		}
	}
}
