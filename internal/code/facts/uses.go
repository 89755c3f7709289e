package facts

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A Use is a place where a declaration is used: what is written there, and how sure it is
// that the declaration is meant.
type Use struct {
	From   Ref // the declaration around it, Decl -1 for the top level
	To     Place
	At     int
	Kind   UseKind
	Sure   Sure
	How    string
	Called bool // also of a field, whose use is else a read
}

// A UseKind is what a use does with a declaration.
type UseKind string

// The kinds of use.
const (
	UseCall      UseKind = "call"
	UsePass      UseKind = "pass" // a function stands as a value
	UseRead      UseKind = "read"
	UseWrite     UseKind = "write"
	UseType      UseKind = "type"      // a type is named
	UseImplement UseKind = "implement" // by what extends or implements it
	UseEmbed     UseKind = "embed"
	UseImport    UseKind = "import"
)

// A spot is where something is declared.
type spot struct{ doc, at int }

// Targets returns what a name means: Lookup's declarations, or fields of that name.
func (p *Project) Targets(name string) (out []Place) {
	how := "declaration"
	if len(parameterTypes(name)) > 0 {
		how = Overload
	}
	for _, r := range p.Lookup(name) {
		out = append(out, p.placed(r, Exact, how))
	}
	if len(out) > 0 {
		return out
	}
	return p.Fields(name)
}

// Overload is how a function is found that is named with the types of its parameters: those beside it of the same name are not
// meant.
const Overload = "overload"

// Class returns the type around what is declared at an offset of a document, -1 where it is in
// none.
func (p *Project) Class(doc, at int) int32 {
	f := p.File(doc)
	for in := p.Around(doc, at); in >= 0; in = f.Decls[in].Parent {
		if classLike(f.Decls[in].Kind) {
			return in
		}
	}
	return -1
}

// Uses returns the uses of some declarations in the documents that look accepts, in order, and
// what became of all that has one of their names. Calls of functions are what Callers says, but for those of what they were handed to.
// Look is asked again before a document is read, so that it can end the search.
func (p *Project) Uses(of []Place, look func(doc int) bool) ([]Use, Tally) {
	u := p.using(of, look)
	return u.out, u.tally
}

// using makes a search for uses.
func (p *Project) using(of []Place, look func(doc int) bool) *usage {
	of = p.overloaded(of)
	u := p.search(of)
	var functions []Ref
	for _, t := range of {
		if d := p.Decl(t.Ref); d != nil && callable(d.Kind) {
			functions = append(functions, t.Ref)
		}
	}
	if len(functions) > 0 {
		edges, tally := p.callers(functions, false, true, nil)
		u.tally = tally
		for _, e := range edges {
			if look(e.From.Doc) {
				u.out = append(u.out, Use{From: e.From, To: p.placed(e.To, Exact, e.How), At: e.At, Kind: UseCall, Sure: e.Sure, How: e.How})
			}
		}
	}
	u.implementers(of, look)
	u.scan(look)
	sorting.Stable(u.out, func(a, b Use) int {
		if a.From.Doc != b.From.Doc {
			return strings.Compare(p.Docs[a.From.Doc].Path, p.Docs[b.From.Doc].Path)
		}
		if a.At != b.At {
			return a.At - b.At
		}
		return int(b.Sure) - int(a.Sure)
	})
	u.out = slices.CompactFunc(u.out, func(a, b Use) bool { return a.From.Doc == b.From.Doc && a.At == b.At })
	return u
}

// overloaded adds to declarations those of the same name beside them: overloads, and what the
// branches of a condition declare.
func (p *Project) overloaded(of []Place) []Place {
	out := slices.Clone(of)
	looked := map[*corpus.Decl]bool{}
	for _, t := range of {
		d := p.Decl(t.Ref)
		if looked[d] || d == nil || t.How == Overload || p.Docs[t.Doc].Language == "go" {
			continue
		}
		f := p.File(t.Doc)
		if f.Lang == "clang" && (callable(d.Kind) || d.Kind == corpus.Variable || d.Kind == corpus.Constant) {
			out = append(out, p.announced(t.Ref, d)...)
		}
		for _, i := range f.byName[d.Name] {
			if x := &f.Decls[i]; x.Parent == d.Parent && x.Scope == d.Scope && x.Kind == d.Kind {
				out = append(out, p.placed(Ref{t.Doc, i}, Exact, "declaration"))
				looked[x] = !syntax.Has(f.Lang, "declarations-repeat") // it has the same beside it
			}
		}
	}
	return uniquePlaces(out)
}

// announced returns what announces a function or a variable of C or C++ elsewhere, and what it
// announces.
func (p *Project) announced(of Ref, d *corpus.Decl) (out []Place) {
	for _, r := range p.declared(of.Doc, d.Name) {
		x := p.Decl(r)
		switch {
		case r == of || callable(x.Kind) != callable(d.Kind) || (x.Traits|d.Traits)&corpus.Local != 0 || !sameScope(x.Scope, d.Scope):
			continue
		case callable(d.Kind) && ((x.Traits|d.Traits)&corpus.Abstract == 0 || len(x.Params) != len(d.Params)):
			continue
		case !callable(d.Kind) && (x.Kind != corpus.Variable && x.Kind != corpus.Constant || x.Result != d.Result):
			continue
		}
		if d.Scope != "" || x.Exported && d.Exported { // a static one is its file's alone
			out = append(out, p.placed(r, Exact, "declaration"))
		}
	}
	return out
}

// sameScope reports whether two scopes of C++ may be one, of which either may be written in less of
// its namespaces than the other.
func sameScope(a, b string) bool {
	return a == b || a != "" && b != "" && (strings.HasSuffix(a, "."+b) || strings.HasSuffix(b, "."+a))
}

// Passed is how an edge is found that is no call: a function is handed on as a value, and
// whoever has it may call it.
const Passed = "passes"

// Passes returns where some functions stand as values in the documents that look accepts, or are called by their names
// alone, as edges from the functions around, and how many files were read for it.
func (p *Project) Passes(of []Ref, look func(doc int) bool) (edges []Edge, files int) {
	var functions []Place
	for _, r := range of {
		if d := p.Decl(r); d != nil && callable(d.Kind) && !constructs(d) && d.Kind != corpus.TestCase && !strings.HasPrefix(d.Name, "test_") {
			functions = append(functions, p.placed(r, Exact, ""))
		}
	}
	if len(functions) == 0 {
		return nil, 0
	}
	u := p.search(functions)
	u.scan(look)
	var holding []int // files in which variables may hold the functions
	for _, x := range u.out {
		if x.Sure <= NameOnly {
			continue
		}
		if x.Kind == UsePass && syntax.Has(p.File(x.From.Doc).Lang, "functions-flow") {
			holding = append(holding, x.From.Doc)
		}
		e := Edge{From: Ref{x.From.Doc, p.caller(p.File(x.From.Doc), x.From.Decl)}, To: x.To.Ref, At: x.At, Sure: Likely, How: Passed}
		switch x.Kind {
		case UseCall: // without brackets
			e.Sure, e.How = x.Sure, x.How
			fallthrough
		case UsePass:
			edges = append(edges, e)
		}
	}
	if len(holding) > 0 {
		more, _ := p.callers(of, true, true, func(doc int) bool { return slices.Contains(holding, doc) }, holding...)
		edges = append(edges, more...)
	}
	sortEdges(p, edges)
	return edges, u.files
}

// Used is how an edge is found that is no call: a value, a field or a type is used.
const Used = "uses"

// Users returns the uses of some declarations and fields in the documents that look accepts as edges,
// from the functions around, or from the declaration around where that is in none, and how many files
// were read for it.
func (p *Project) Users(of []Place, look func(doc int) bool) (edges []Edge, tally Tally, files int) {
	all := p.using(of, look)
	for _, u := range all.out {
		if in := p.caller(p.File(u.From.Doc), u.From.Decl); in >= 0 {
			u.From.Decl = in
		}
		edges = append(edges, Edge{From: u.From, To: u.To.Ref, At: u.At, Sure: u.Sure, How: Used})
	}
	return edges, all.tally, all.files
}
