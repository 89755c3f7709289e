package library

import (
	"slices"
	"testing"

	"github.com/assay-dev/assay/internal/code/rank"
)

// A declaration whose comment has other words than the question is found by the guide that names it, and one that a
// heading is the name of comes right behind its section.
func TestExplained(t *testing.T) {
	db := mustOpen(t, t.TempDir()+"/docs.db")
	declared := func(name, says string) Snippet {
		return Snippet{Title: name, Breadcrumb: "tries > " + name, Content: "```python\ndef " + name + "(f)\n```\n\n" + says, Line: 1}
	}
	mustPut(t, db, Library{ID: "/o/tries"}, func(yield func(Page, error) bool) {
		for _, p := range []Page{
			{Path: "guide.md", Snippets: []Snippet{
				{Title: "Whether to go on", Breadcrumb: "Guide > Whether to go on", Content: "Go on while a function returns a certain value with `on_result`:\n\n```python\ngo(on_result(f))\n```", Line: 1},
				{Title: "`halt(f)`", Breadcrumb: "Guide > `halt(f)`", Content: "Give up the whole thing after so many seconds.", Line: 9},
			}},
			{Path: "src/tries.py", Snippets: []Snippet{
				declared("on_error", "Goes on if the function raises."),
				declared("on_result", "Goes on if a predicate of the value holds."),
				declared("halt", "Gives up."),
				declared("go", "Goes."),
			}},
		} {
			yield(p, nil)
		}
	})
	signals := func(s *Snippet) (names []string) {
		for _, b := range s.Breakdown {
			names = append(names, b.Name)
		}
		return names
	}
	ask := func(question string) (a DocsAnswer, at func(title string) int) {
		a, err := db.QueryWith(t.Context(), "/o/tries", question, Options{Explain: true, Ranking: Lexical})
		if err != nil {
			t.Fatal(err)
		}
		return a, func(title string) int {
			return slices.IndexFunc(a.Snippets, func(s Snippet) bool { return s.Title == title })
		}
	}
	headed, coded := rank.Docs().Signals()[rank.DocsHeaded], rank.Docs().Signals()[rank.DocsExplained]

	a, at := ask("go on while a function returns a certain value")
	if on, other := at("on_result"), at("on_error"); on < 0 || !slices.Contains(signals(&a.Snippets[on]), coded) || other >= 0 && slices.Contains(signals(&a.Snippets[other]), coded) {
		t.Errorf("%v", a.Snippets)
	}
	a, at = ask("give up after so many seconds")
	if halt, section := at("halt"), at("`halt(f)`"); section != 0 || halt != 1 || !slices.Contains(signals(&a.Snippets[halt]), headed) {
		t.Errorf("halt at %d, its section at %d: %v", halt, section, a.Snippets)
	}
	// A question that names something means that, and not what its guide uses with it.
	a, _ = ask("on_result returns a certain value")
	for i := range a.Snippets {
		if got := signals(&a.Snippets[i]); slices.Contains(got, coded) {
			t.Errorf("%s: %v", a.Snippets[i].Title, got)
		}
	}
}

// Of two names of one mark both are explained, whichever of them was read first.
func TestExplainedOfOneMark(t *testing.T) {
	first, second := "", ""
	byMark := map[uint32]string{}
	for n := uint64(0); second == ""; n++ {
		first = "f" + syntheticWord(n)
		if byMark[mark(first)] != "" {
			second = byMark[mark(first)]
		}
		byMark[mark(first)] = first
	}
	for range 20 {
		db := mustOpen(t, t.TempDir()+"/docs.db")
		mustPut(t, db, Library{ID: "/o/tries"}, func(yield func(Page, error) bool) {
			declared := func(name string, line int) Snippet {
				return Snippet{Title: name, Breadcrumb: "tries > " + name, Content: "```python\ndef " + name + "(f)\n```\n\nGoes on if the function returns.", Line: line}
			}
			yield(Page{Path: "guide.md", Snippets: []Snippet{{Title: "Whether to go on", Breadcrumb: "Guide > Whether to go on", Content: "Go on while a function returns a certain value with `" + first + "`.", Line: 1}}}, nil)
			yield(Page{Path: "src/tries.py", Snippets: []Snippet{declared(first, 1), declared(second, 9)}}, nil)
		})
		a, err := db.QueryWith(t.Context(), "/o/tries", "go on while a function returns a certain value", Options{Explain: true, Ranking: Lexical})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, s := range a.Snippets {
			if slices.ContainsFunc(s.Breakdown, func(b rank.Signal) bool { return b.Name == rank.Docs().Signals()[rank.DocsExplained] }) {
				n++
			}
		}
		if n != 2 {
			t.Fatalf("%d of %s and %s are explained: %v", n, first, second, a.Snippets)
		}
	}
}

func TestHeaded(t *testing.T) {
	for title, want := range map[string]string{
		"`Result.combine` (static class method)": "combine", ".addAll(fns, options?)": "addAll", "sortBy": "sortBy", "`size`": "size", "Foo::bar": "bar", "retry": "retry",
		"Patches": "", "Streaming responses": "", "": "", "Response": "", "`Response`": "Response",
	} {
		if name, ok := headed(title); ok != (want != "") || ok && name != want {
			t.Errorf("%q: %q, %v", title, name, ok)
		}
	}
}

func TestInCode(t *testing.T) {
	var got []string
	inCode("Call `a.send(it)` and not send, or ``.\n\n```js\nx.receive(`no`)\n```\n\nThen `unclosed.", func(name string) { got = append(got, name) })
	if want := []string{"send", "receive"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
