package code_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// printed is the text of an answer without its notes, and what that costs.
func printed(t *testing.T, a *code.SearchAnswer) (string, int) {
	t.Helper()
	notes := a.Notes
	a.Notes = nil
	var b bytes.Buffer
	if err := a.WriteText(&b, false); err != nil {
		t.Fatal(err)
	}
	a.Notes = notes
	return b.String(), text.Tokens(b.Len())
}

func long(n int) string {
	return fmt.Sprintf("package d\n\n// Retry%d retries.\nfunc Retry%d() {\n%s}\n", n, n, strings.Repeat("\trequest(retry, again, again, again)\n", 30))
}

// A budget is for what is printed: it is used up as far as whole hits go, and not
// passed.
func TestBudgetIsForWhatIsPrinted(t *testing.T) {
	files := map[string]string{}
	for i := range 20 {
		files[fmt.Sprintf("f%d.go", i)] = long(i)
	}
	f := feature(t, workspace.New(workspace.Config{WorkDir: folder(t, files)}), code.Config{})
	for _, in := range []code.SearchInput{
		{Query: "retry", TopK: 20}, {Query: "retry", TopK: 20, FullSection: true}, {Query: "retry", Regex: true}, {Query: "retry", Regex: true, Files: true}, {Query: "retry", TopK: 20, Files: true},
	} {
		whole := in
		whole.Budget = new(0)
		all, err := f.Search(context.Background(), whole)
		if err != nil {
			t.Fatal(err)
		}
		_, dearest := printed(t, all)
		for _, budget := range []int{60, 500, 2000} {
			in.Budget, in.Full = new(budget), true
			a, err := f.Search(context.Background(), in)
			if err != nil {
				t.Fatal(err)
			}
			// Each hit is rounded up on its own.
			said, spent := printed(t, a)
			if spent > budget+len(a.Hits) {
				t.Errorf("%+v with %d tokens printed %d:\n%s", in, budget, spent, said)
			}
			if per := dearest/len(all.Hits) + 20; a.Pagination.HasMore && spent+len(a.Hits)+per < budget {
				t.Errorf("%+v with %d tokens printed only %d in %d hits", in, budget, spent, len(a.Hits))
			}
			if left := all.Pagination.Available - len(a.Hits); a.Cut != left {
				t.Errorf("%+v with %d tokens left %d hits out, and says %d", in, budget, left, a.Cut)
			}
		}
	}
}

// What goes to a program is bounded where nobody set a bound, says what it lacks, and
// leads to the rest; every line of a pattern is a promise that stays.
func TestPiped(t *testing.T) {
	files := map[string]string{"one.go": "package d\n\nfunc Huge() {\n" + strings.Repeat("\trequest(huge, again, again)\n", 3000) + "}\n"}
	for i := range 20 {
		files[fmt.Sprintf("f%d.go", i)] = long(i)
	}
	root := folder(t, files)
	piped, shown := feature(t, workspace.New(workspace.Config{WorkDir: root}), code.Config{Piped: true}), feature(t, workspace.New(workspace.Config{WorkDir: root}), code.Config{})
	ask := func(f *code.Feature, in code.SearchInput) *code.SearchAnswer {
		t.Helper()
		a, err := f.Search(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	in := code.SearchInput{Query: "huge request", TopK: 20, FullSection: true}
	a := ask(piped, in)
	if said, n := printed(t, a); n > code.DefaultBudget+len(a.Hits) || n < code.DefaultBudget/2 {
		t.Errorf("%d tokens go to a program:\n%.2000s", n, said)
	}
	said, _ := printed(t, a)
	if a.Hits[0].CutLines == 0 || !strings.Contains(said, "lines omitted by the budget") || !strings.Contains(strings.Join(a.Notes, "\n"), "lines of a hit omitted by the budget of 10000 tokens") {
		t.Errorf("the first hit lacks %d lines, notes %q", a.Hits[0].CutLines, a.Notes)
	}
	if a.Cut == 0 || a.Pagination.Cursor == "" || !strings.Contains(strings.Join(a.Notes, "\n"), "more hits omitted by the budget") {
		t.Errorf("cut %d, notes %q", a.Cut, a.Notes)
	}
	if rest := ask(piped, code.SearchInput{Cursor: a.Pagination.Cursor, Budget: new(0)}); len(a.Hits)+len(rest.Hits) < a.Pagination.Available && !rest.Pagination.HasMore {
		t.Errorf("%d and %d hits of %d", len(a.Hits), len(rest.Hits), a.Pagination.Available)
	}
	for name, whole := range map[string]*code.SearchAnswer{"terminal": ask(shown, in), "budget 0": ask(piped, code.SearchInput{Query: in.Query, TopK: 20, FullSection: true, Budget: new(0)}),
		"regex": ask(piped, code.SearchInput{Query: "request", Regex: true}), "files": ask(piped, code.SearchInput{Query: "request", TopK: 1000, Files: true})} {
		if whole.Cut > 0 || len(whole.Hits) != whole.Pagination.Available || whole.Hits[0].CutLines > 0 {
			t.Errorf("%s: %d hits of %d, cut %d", name, len(whole.Hits), whole.Pagination.Available, whole.Cut)
		}
	}
}
