package library

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/assay-dev/assay/internal/code/rank"
)

func TestSaidFirst(t *testing.T) {
	for _, c := range []struct{ path, content, want string }{
		{"a/x.py", "```python\ndef f(a):\n```\n\nCounts what is there. And more.", "Counts what is there"},
		{"a/x.py", "```python\ndef f(a):\n```\n\n```python\nf(1)\n```", ""},
		{"a/x.md", "#### More\n\n```sh\nmake\n```\n\nOf v1.2 on: it\nsays. More.", "Of v1.2 on"},
		{"a/x.md", "```sh\nmake\n```", ""},
		{"a/x.md", "no end", "no end"},
	} {
		if got := firstSentence(said(&Snippet{Path: c.path, Content: c.content})); got != c.want {
			t.Errorf("%q: %q, want %q", c.content, got, c.want)
		}
	}
}

func declared(name, said string) Snippet {
	return Snippet{Title: name, Path: "code.go", Content: "```go\nfunc " + name + "(list []int) []int\n```\n\n" + said}
}

// Of two snippets each signal puts one first that would come second without it.
func TestSignalsDecide(t *testing.T) {
	for _, c := range []struct {
		signal, ask    string
		before, behind Snippet
	}{
		{"its name means the words", "delete an entry", declared("Erase", "Hears the bells of an entry."), declared("Keep", "Drops an entry.")},
		{"its name and first sentence mean the words", "delete an entry", declared("Zap", "Removes an item. Of an entry, with a book, a page and a letter."), declared("Zag", "Hears bells. Entry to remove.")},
		{"words after its first sentence", "wait for a signal", declared("Block", "Blocks the caller. It may wait, and a signal ends it."), declared("Wait", "Halts a program.")},
		{"its name is short", "copy a list", declared("CopyNow", "Copies a list."), declared("CopyNowAndHereForAll", "Copies a list, a list.")},
		{"a declaration", "copies", declared("Copy", "Copies a list."), Snippet{Title: "Copying", Path: "guide.md", Content: "Copies a list."}},
	} {
		db := mustOpen(t, filepath.Join(t.TempDir(), "docs.db"))
		mustPut(t, db, Library{ID: "/org/lib"}, func(yield func(Page, error) bool) {
			for i, s := range []Snippet{c.behind, declared("Print", "Writes a page."), c.before} {
				s.Path, s.Breadcrumb, s.Line = fmt.Sprint(i, s.Path), "lib > "+s.Title, i+1
				if !yield(Page{Path: s.Path, Hash: "h", Snippets: []Snippet{s}}, nil) {
					return
				}
			}
		})
		a, err := db.QueryWith(t.Context(), "/org/lib", c.ask, Options{Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		without := func(title string) (sum float64) {
			i := slices.IndexFunc(a.Snippets, func(s Snippet) bool { return s.Title == title })
			for _, b := range a.Snippets[i].Breakdown {
				if b.Name != c.signal {
					sum += b.Adds
				}
			}
			return sum
		}
		if first := a.Snippets[0].Title; first != c.before.Title {
			t.Errorf("%s: %q comes first, want %q", c.signal, first, c.before.Title)
		}
		if x, y := without(c.before.Title), without(c.behind.Title); x >= y {
			t.Errorf("%s: %q comes before %q without it too: %g, %g", c.signal, c.before.Title, c.behind.Title, x, y)
		}
	}
}

// A declaration whose name has none of the words of a question is near to it by what they mean.
func TestInOtherWords(t *testing.T) {
	snippets := []Snippet{
		declared("Last", "Gives the final element of a list."),
		declared("Append", "Puts an element at the end of a list."),
		declared("Delete", "Takes an element out of a list."),
		declared("ItemCount", "The number of items."),
		declared("Shuffle", "Puts the elements into an order by chance."),
	}
	for i := range snippets {
		snippets[i].Path, snippets[i].Breadcrumb, snippets[i].Line = "list.go", "list > "+snippets[i].Title, 10*i+1
	}
	db := mustOpen(t, filepath.Join(t.TempDir(), "docs.db"))
	mustPut(t, db, Library{ID: "/org/lib"}, func(yield func(Page, error) bool) {
		yield(Page{Path: "list.go", Hash: "h", Snippets: snippets}, nil)
	})
	for ask, want := range map[string]string{"remove what is old of a list": "Delete", "randomize a list": "Shuffle", "attach to a list": "Append", "count what a list has": "ItemCount"} {
		a, err := db.QueryWith(t.Context(), "/org/lib", ask, Options{Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		// Said against the mean: what some gain, others lose.
		sum, most, best := 0.0, 0.0, ""
		for _, s := range a.Snippets {
			for _, b := range s.Breakdown {
				if b.Name == "its name means the words" {
					sum += b.Value
					if b.Value > most {
						most, best = b.Value, s.Title
					}
				}
			}
		}
		if best != want || sum < -1e-9 || sum > 1e-9 {
			t.Errorf("%q: %q is nearest, want %q; the signal adds %g to all of them", ask, best, want, sum)
		}
	}
}

// Declarations of one file are not held back behind one another, as sections of a page are.
func TestDeclarationsAlone(t *testing.T) {
	s := &search{q: readQuestion("x")}
	m := s.newMeasure(nil, nil)
	var seen []uint64
	for i := range 3 {
		g := m.groups(&ranked{hit: hit{at: i}, declares: true, s: Snippet{Path: "a.go", Breadcrumb: "a"}})
		if slices.Contains(seen, g[0]) || slices.Contains(seen, g[1]) {
			t.Errorf("declaration %d is damped with another: %v, %v", i, g, seen)
		}
		seen = append(seen, g[0], g[1])
	}
}

// Declarations share out the evidence that they have: the order among them is another, and prose stays where it is.
func TestAmongDeclarations(t *testing.T) {
	all := []ranked{{declares: true}, {}, {declares: true}, {declares: true}}
	rows := make([][rank.NumDocs]float64, len(all))
	for i, v := range []struct{ words, file, name float64 }{{.5, .5, 0}, {.5, .3, 0}, {.5, 0, .3}, {.1, 0, 0}} {
		rows[i][rank.DocsWords], rows[i][rank.DocsPageWords], rows[i][rank.DocsNameMeans] = v.words, v.file, v.name
	}
	scorer := rank.Docs().Scorer(rank.Variant{Kind: rank.Question, Meaning: true}, len(all), false)
	evidence := func() (out []float64) {
		for i := range rows {
			out = append(out, scorer.Evidence(rows[i][:]))
		}
		return out
	}
	was := evidence()
	if was[0] <= was[2] {
		t.Fatalf("%v: the first declaration is not before the second to begin with", was)
	}
	among(all, rows, scorer)
	now := evidence()
	for i, want := range []float64{was[2], was[1], was[0], was[3]} {
		if math.Abs(now[i]-want) > 1e-12 {
			t.Errorf("candidate %d has %g, want %g", i, now[i], want)
		}
	}
}

// What questions share of words changes no answer: one that others were asked before says what it says of a new file.
func TestWordsShared(t *testing.T) {
	asked := func(before ...string) (out []string) {
		db := mustOpen(t, filepath.Join(t.TempDir(), "docs.db"))
		mustPut(t, db, Library{ID: "/org/lib"}, func(yield func(Page, error) bool) {
			for i, s := range []Snippet{declared("Erase", "Drops an entry."), declared("Store", "Keeps an entry."), declared("Count", "How many there are.")} {
				s.Path, s.Breadcrumb, s.Line = fmt.Sprint(i, s.Path), "lib > "+s.Title, i+1
				if !yield(Page{Path: s.Path, Hash: "h", Snippets: []Snippet{s}}, nil) {
					return
				}
			}
		})
		for _, q := range append(before, "delete an entry") {
			a, err := db.QueryWith(t.Context(), "/org/lib", q, Options{Explain: true})
			if err != nil {
				t.Fatal(err)
			}
			out = nil
			for _, s := range a.Snippets {
				out = append(out, fmt.Sprint(s.Title, s.Breakdown))
			}
		}
		return out
	}
	if alone, later := asked(), asked("erase it", "keep an entry", "how many entries", "delete what is there"); !slices.Equal(alone, later) {
		t.Errorf("%v\nafter other questions\n%v", alone, later)
	}
}
