package claims

import (
	"context"
	"slices"
	"sort"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/spread"
	"github.com/assay-dev/assay/internal/core/facts"
	"github.com/assay-dev/assay/internal/domain/apidoc"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A Scan answers from the texts of a tree alone: no index, no model.
type Scan struct {
	Tree *Tree
	ev   *Evidence
}

// Search returns the places that have most of the words of a query.
func (s *Scan) Search(ctx context.Context, query string, limit int, threshold float64) ([]Match, error) {
	if s.ev == nil {
		s.ev = Gather(s.Tree.Code, false)
	}
	var terms []term
	for _, w := range wordsOf(query) {
		terms = append(terms, term{w.weight, []alt{{w.term, 1}}})
	}
	return s.ev.find(terms, limit, threshold), ctx.Err()
}

// Declarations returns what the files of the tree export.
func (s *Scan) Declarations(ctx context.Context) ([]Declaration, error) {
	read := make([][]Declaration, len(s.Tree.Code))
	spread.Each(ctx, len(read), 1, func() func(int) {
		return func(i int) {
			f := &s.Tree.Code[i]
			if Offers(f.Language, f.Flags) {
				facts := syntax.Facts(f.Path, f.Language, f.Text)
				read[i] = Exported(f.Path, f.Language, f.Text, facts.Decls)
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

func (p parsed) Text(doc int) []byte { return p.tree.Code[doc].Text }

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

// linesOf returns a function from offsets in a text to its lines, from 1.
func linesOf(text []byte) func(at int) int {
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
func Exported(path, language string, text []byte, decls []corpus.Decl) []Declaration {
	var out []Declaration
	line := linesOf(text)
	for i := range decls {
		d := &decls[i]
		if d.Traits&corpus.Constructor != 0 || d.Traits&corpus.Extension != 0 && language != "csharp" && d.Kind != corpus.Function && d.Kind != corpus.Method || d.Name == "main" || d.Name == "init" || !apidoc.Public(language, decls, d) || kept(language, decls, d) {
			continue
		}
		out = append(out, Declaration{Place: Place{path, line(d.NameAt)}, Kind: d.Kind.String(), Name: d.Name, Scope: d.Scope, Language: language, Params: d.Params, Result: d.Result,
			doc: cut(text, d.Doc), inherits: inherits(language, text, decls, d), bases: d.Bases})
	}
	return out
}

// cut returns a part of a text that may have changed since the part was found.
func cut(text []byte, s corpus.Span) string {
	if s.Start < 0 || s.End > len(text) || s.Start >= s.End {
		return ""
	}
	return string(text[s.Start:s.End])
}

// kept reports whether a module around a declaration is private.
func kept(language string, decls []corpus.Decl, d *corpus.Decl) bool {
	for p := d.Parent; p >= 0 && language == "rust"; p = decls[p].Parent {
		if decls[p].Kind == corpus.Module && !decls[p].Exported {
			return true
		}
	}
	return false
}

var overrides = lazy.Regexp(`@?\b[oO]verride\b|@impl\b|@inheritDoc`)

// inherits reports whether a declaration fills in what another one promises, and documents:
// a method of an implemented trait, or one that overrides.
func inherits(language string, text []byte, decls []corpus.Decl, d *corpus.Decl) bool {
	if p := d.Parent; p >= 0 && (language == "rust" || language == "swift") && decls[p].Traits&corpus.Extension != 0 && len(decls[p].Bases) > 0 {
		return true
	}
	return overrides.MatchString(cut(text, corpus.Span{Start: max(d.Span.Start, d.Doc.End), End: d.NameAt}))
}

// kinship knows which types extend which, and what they declare.
type kinship struct {
	bases map[string][]string
	has   map[string]map[string]bool
}

var baseName = lazy.Regexp(`(\w+)\s*(?:[<(\[{].*)?$`)

func kinshipOf(decls []Declaration) *kinship {
	k := &kinship{map[string][]string{}, map[string]map[string]bool{}}
	for i := range decls {
		d := &decls[i]
		for _, b := range d.bases {
			if m := baseName.FindStringSubmatch(b); m != nil && m[1] != d.Name {
				k.bases[d.Name] = append(k.bases[d.Name], m[1])
			}
		}
		if d.Scope != "" {
			owner := d.Scope[strings.LastIndexByte(d.Scope, '.')+1:]
			if k.has[owner] == nil {
				k.has[owner] = map[string]bool{}
			}
			k.has[owner][d.Name] = true
		}
	}
	return k
}

// inherits reports whether a type that is around a member extends one that declares it
// too: there it is documented, or not.
func (k *kinship) inherits(d *Declaration) bool {
	if d.Scope == "" {
		return false
	}
	seen := map[string]bool{}
	todo := slices.Clone(k.bases[d.Scope[strings.LastIndexByte(d.Scope, '.')+1:]])
	for len(todo) > 0 {
		b := todo[0]
		todo = todo[1:]
		if seen[b] {
			continue
		}
		if seen[b] = true; k.has[b][d.Name] {
			return true
		}
		todo = append(todo, k.bases[b]...)
	}
	return false
}
