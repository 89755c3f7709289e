package excerpt_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/excerpt"
)

const source = `package a

// Limit bounds it.
const Limit = 3

// Run runs.
func Run(n int) int {
	total := 0
	for i := range n {
		total += i
	}
	if total > Limit {
		total = Limit
	}
	return total
}

func last() {}
`

func read() *excerpt.File { return excerpt.Read("a.go", "go", []byte(source)) }

func TestAround(t *testing.T) {
	f := read()
	for line, want := range map[int]string{1: "", 4: "Limit", 6: "Run", 8: "Run", 16: "Run", 17: "", 18: "last"} {
		got := ""
		if i := f.Around(line); i >= 0 {
			got = f.Decls[i].Name
		}
		if got != want {
			t.Errorf("line %d is in %q, want %q", line, got, want)
		}
	}
}

func TestRanges(t *testing.T) {
	r := func(pairs ...int) (out []corpus.Range) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, corpus.Range{First: pairs[i], Last: pairs[i+1]})
		}
		return out
	}
	for _, tt := range []struct {
		name      string
		got, want []corpus.Range
	}{
		{"gaps", excerpt.Gaps(corpus.Range{First: 1, Last: 20}, r(3, 5, 9, 9)), r(1, 2, 6, 8, 10, 20)},
		{"no gaps", excerpt.Gaps(corpus.Range{First: 3, Last: 5}, r(3, 5)), nil},
		{"join", excerpt.Join(r(9, 10, 1, 3, 2, 4, 5, 6), 0), r(1, 6, 9, 10)},
		{"join over two", excerpt.Join(r(1, 3, 6, 7), 2), r(1, 7)},
		{"without", excerpt.Without(r(1, 10, 20, 30), r(4, 5, 25, 40)), r(1, 3, 6, 10, 20, 24)},
	} {
		if !slices.Equal(tt.got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, tt.got, tt.want)
		}
	}
}

// TestRelevant holds that of a long declaration the head and the lines are shown that weigh most.
func TestRelevant(t *testing.T) {
	var b strings.Builder
	b.WriteString("def long(value):\n")
	for i := range 100 {
		fmt.Fprintf(&b, "    value += %d\n", i)
	}
	b.WriteString("    retry(value)\n    value = 1\n    value = 2\n    value = 3\n")
	f := excerpt.Read("a.py", "python", []byte(b.String()))
	whole := corpus.Range{First: 1, Last: f.Count()}
	weigh := func(line []byte) float64 {
		if bytes.Contains(line, []byte("retry")) {
			return 1
		}
		return 0
	}
	kept := f.Relevant(whole, f.Around(1), 400, weigh)
	if want := []corpus.Range{{First: 1, Last: 1}, {First: 97, Last: 105}}; !slices.Equal(kept, want) {
		t.Errorf("kept %v, want %v", kept, want)
	}
	if kept := f.Relevant(whole, f.Around(1), 1<<20, weigh); !slices.Equal(kept, []corpus.Range{whole}) {
		t.Errorf("what fits is cut: %v", kept)
	}
	var out strings.Builder
	f.Write(&out, whole, kept, map[corpus.Range]string{{First: 2, Last: 96}: "named, 3 more"}, nil)
	if got := out.String(); !strings.Contains(got, "     …  2-96  named, 3 more\n    97  ") || !strings.HasSuffix(got, "   105      value = 3\n") {
		t.Errorf("wrote\n%s", got)
	}
}

// TestShownLongLine holds that of a line that is too long the part around its focus is shown.
func TestShownLongLine(t *testing.T) {
	f := excerpt.New("a.json", []byte(strings.Repeat("x", 5000)+"NEEDLE"+strings.Repeat("y", 5000)), nil)
	got := f.Shown(1, func(line []byte) int { return bytes.Index(line, []byte("NEEDLE")) })
	if !strings.Contains(got, "NEEDLE") || len(got) > 420 {
		t.Errorf("shown are %d bytes: %s", len(got), got)
	}
}

// FuzzFold asserts the promise of the package: whole lines in order, each once, and a budget.
func FuzzFold(f *testing.F) {
	f.Add(source, 1, 18, 200)
	f.Add("\n\n\nfunc", 1, 3, 0)
	f.Fuzz(func(t *testing.T, src string, first, last, budget int) {
		file := excerpt.Read("a.go", "go", []byte(src))
		if first < 1 || last < first || last > file.Count() {
			return
		}
		whole := corpus.Range{First: first, Last: last}
		for _, kept := range [][]corpus.Range{file.Fold(whole, -1, budget%10000), file.Relevant(whole, -1, budget%10000, func(l []byte) float64 { return float64(len(l)) })} {
			at := first - 1
			for _, r := range kept {
				if r.First <= at || r.Last < r.First || r.Last > last {
					t.Fatalf("kept %v of %v", kept, whole)
				}
				at = r.Last
			}
		}
	})
}
