package claims

import (
	"context"
	"slices"
	"sort"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/docs/apidoc"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A Scan answers from the texts of a tree alone: no index, no model.
type Scan struct {
	Tree *Tree
	ev   func() *Evidence
}

// Search returns the places that have most of the words of a query.
func (s *Scan) Search(ctx context.Context, query string, limit int, threshold float64) ([]Match, error) {
	terms := slice.Map(wordsOf(query), func(w word) term { return term{w.weight, []alt{{w.term, 1}}} })
	return s.ev().find(terms, limit, threshold), ctx.Err()
}

// Declarations returns what the files of the tree export.
func (s *Scan) Declarations(ctx context.Context) ([]Declaration, error) {
	read := make([][]Declaration, len(s.Tree.Code))
	work.Each(ctx, len(read), 1, func() func(int) {
		return func(i int) {
			f := &s.Tree.Code[i]
			if Offers(f.Language, f.Flags) {
				facts := syntax.Facts(f.Path, f.Language, f.Text)
				read[i] = Exported(f.Path, f.Language, facts.Decls, Lines(f.Text))
			}
		}
	})
	return slices.Concat(read...), ctx.Err()
}

// Imports returns which files import which.
func (s *Scan) Imports(ctx context.Context) (Graph, error) {
	docs := make([]facts.Doc, len(s.Tree.Code))
	src := parsed{make([]*corpus.Facts, len(docs)), s.Tree}
	for i := range docs {
		if err := ctx.Err(); err != nil {
			return Graph{}, err
		}
		f := &s.Tree.Code[i]
		of, ok := syntax.Manifest(f.Path, f.Text)
		if !ok {
			of = syntax.Facts(f.Path, f.Language, f.Text)
		}
		head, _ := facts.Encode(&of, func(d *corpus.Decl) bool { return facts.Function(f.Language, d) })
		docs[i], src.of[i] = facts.Doc{Path: f.Path, Language: f.Language, Flags: f.Flags, Bytes: len(f.Text), Head: head}, &of
	}
	return Imports(facts.New(docs, src)), nil
}

// parsed is the facts of files that are in memory.
type parsed struct {
	of   []*corpus.Facts
	tree *Tree
}

func (p parsed) Load(doc int) *corpus.Facts { return p.of[doc] }

func (p parsed) Decls(doc int, _ func(string) bool) []corpus.Decl { return p.of[doc].Decls }

func (p parsed) Text(doc int, _ []byte) []byte { return p.tree.Code[doc].Text }

// Keyed returns all documents: each may have the key.
func (p parsed) Keyed(...uint32) []int { return p.all() }

// Mentioning returns all documents: each may have the word.
func (p parsed) Mentioning(...string) []int { return p.all() }

func (p parsed) all() []int {
	out := make([]int, len(p.of))
	for i := range out {
		out[i] = i
	}
	return out
}

// Offers reports whether files of a language and of such a sort declare what
// others use.
func Offers(language string, flags corpus.Flags) bool {
	return flags&(corpus.Test|corpus.Example|corpus.Generated|corpus.Vendored|corpus.Minified|corpus.Prose) == 0 && syntax.Covers(language) != syntax.Nothing
}

// Lines returns a function from offsets in a text to its lines, from 1.
func Lines(text []byte) func(at int) int {
	var ends []int
	for i, c := range text {
		if c == '\n' {
			ends = append(ends, i)
		}
	}
	return func(at int) int { return sort.SearchInts(ends, at) + 1 }
}

// Exported returns the declarations of a file that are offered to others: those at
// the top and the members of exported types.
func Exported(path, language string, decls []corpus.Decl, line func(at int) int) []Declaration {
	var out []Declaration
	for i := range decls {
		d := &decls[i]
		if d.Traits&corpus.Constructor != 0 || d.Kind == corpus.Module || d.Name == "main" || d.Name == "init" || !apidoc.Public(language, decls, d) {
			continue
		}
		out = append(out, Declaration{Place: Place{path, line(d.NameAt)}, Kind: d.Kind.String(), Name: d.Name, Scope: d.Scope, Language: language, Params: d.Params, Result: d.Result})
	}
	return out
}
