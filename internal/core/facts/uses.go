package facts

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/spread"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A Use is a place where a declaration is used: what is written there, and how sure it is
// that the declaration is meant.
type Use struct {
	From Ref // the declaration around it, Decl -1 for the top level
	To   Place
	At   int
	Kind UseKind
	Sure Sure
	How  string
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

// A usage is a search for uses.
type usage struct {
	*Project
	want    map[spot]Place
	names   map[string]bool // how what is wanted may be called
	lang    map[string]bool // families of languages
	mention []int           // documents that have one of the names in their text
	members map[string]int  // what owners returns
	out     []Use
	tally   Tally
	files   int // read
}

// A spot is where something is declared.
type spot struct{ doc, at int }

// Targets returns what a name means: Lookup's declarations, or fields of that name.
func (p *Project) Targets(name string) (out []Place) {
	for _, r := range p.Lookup(name) {
		out = append(out, p.placed(r, Exact, "declaration"))
	}
	if len(out) > 0 {
		return out
	}
	return p.Fields(name)
}

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
	for _, t := range of {
		d := p.Decl(t.Ref)
		if d == nil || p.Docs[t.Doc].Language == "go" {
			continue
		}
		f := p.File(t.Doc)
		if f.Lang == "clang" && (callable(d.Kind) || d.Kind == corpus.Variable || d.Kind == corpus.Constant) {
			out = append(out, p.announced(t.Ref, d)...)
		}
		for _, i := range f.byName[d.Name] {
			if x := &f.Decls[i]; x.Parent == d.Parent && x.Scope == d.Scope && x.Kind == d.Kind {
				out = append(out, p.placed(Ref{t.Doc, i}, Exact, "declaration"))
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
	for _, x := range u.out {
		if x.Sure <= NameOnly {
			continue
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

func (p *Project) search(of []Place) *usage {
	u := &usage{Project: p, want: map[spot]Place{}, names: map[string]bool{}, lang: map[string]bool{}}
	docs := map[int]bool{}
	for _, t := range of {
		u.want[spot{t.Doc, t.At}] = t
		u.names[t.Name] = true
		if modular(p.Docs[t.Doc].Language, t.Name) {
			_, last := cutLast(t.Name, ".")
			u.names[last] = true
		}
		u.lang[family(p.Docs[t.Doc].Language)] = true
		docs[t.Doc] = true
		for _, n := range p.File(t.Doc).offering(t) {
			u.names[n] = true
		}
	}
	p.readHeads()
	for i := range p.Docs {
		if !u.lang[family(p.Docs[i].Language)] {
			continue
		}
		h := p.Head(i)
		for k := range h.Imports {
			if m := &h.Imports[k]; m.Alias != "" && u.names[m.Path] && modular(p.Docs[i].Language, m.Path) {
				u.names[m.Alias] = true
			}
			for _, n := range h.Imports[k].Names {
				if n.Alias == "" || u.names[n.Alias] {
					continue
				}
				if u.names[n.Name] || n.Name == "default" && slices.ContainsFunc(p.Import(i, &h.Imports[k]).Docs, func(d int) bool { return docs[d] }) {
					u.names[n.Alias] = true
				}
			}
		}
	}
	return u
}

// implementers adds the types that have the methods of a Go interface: nothing is written there.
func (u *usage) implementers(of []Place, look func(int) bool) {
	for _, t := range of {
		if d := u.Decl(t.Ref); d == nil || d.Kind != corpus.Interface || u.Docs[t.Doc].Language != "go" {
			continue
		}
		for _, r := range u.Below(t.Ref) {
			if r.How == "has" && look(r.Type.Doc) {
				u.out = append(u.out, Use{From: r.Type, To: t, At: u.Decl(r.Type).NameAt, Kind: UseImplement, Sure: min(r.Sure, Likely), How: "has its methods"})
			}
		}
	}
}

// scan reads the documents that have one of the names.
func (u *usage) scan(look func(int) bool) {
	names := make([]string, 0, len(u.names))
	for n := range u.names {
		names = append(names, n)
	}
	slices.Sort(names)
	docs := u.src.Mentioning(names...)
	u.mention = docs
	functions := u.functionsOnly()
	docs = slices.DeleteFunc(slices.Clone(docs), func(doc int) bool {
		language := u.Docs[doc].Language
		return !u.lang[family(language)] || !syntax.Source(language) || !look(doc)
	})
	// The texts are read with all processors, so many at a time that they are no burden.
	const most = 64
	var texts [most][]byte
	var has [most]bool
	for some := range slices.Chunk(docs, most) {
		if some = slices.DeleteFunc(some, func(doc int) bool { return !look(doc) }); len(some) == 0 {
			continue
		}
		u.files += len(some)
		spread.Each(context.Background(), len(some), 2, func() func(int) {
			return func(i int) {
				texts[i] = u.src.Text(some[i])
				has[i] = u.Docs[some[i]].Language != "go" || uses(texts[i], names, functions)
			}
		})
		for i, doc := range some {
			if look(doc) && has[i] {
				u.file(doc, texts[i], functions)
			}
		}
	}
}

// owners returns how many classes have a member of a wanted name. To count them all files are read that
// have the name in their text.
func (u *usage) owners(name string) int {
	if u.members != nil {
		return u.members[name]
	}
	u.members = map[string]int{}
	for _, doc := range u.mention {
		if !u.lang[family(u.Docs[doc].Language)] {
			continue
		}
		f := u.File(doc)
		for n := range u.names {
			classes := map[int32]bool{}
			for _, b := range u.fieldsIn(f, n) {
				classes[f.fieldOf(b)] = true
			}
			for _, i := range f.byName[n] {
				if d := &f.Decls[i]; (d.Scope != "" || d.Parent >= 0) && d.Kind != corpus.Section && !classes[d.Parent] {
					u.members[n]++
				}
			}
			u.members[n] += len(classes)
		}
	}
	return u.members[name]
}

func (u *usage) file(doc int, text []byte, functions bool) {
	f := u.File(doc)
	skip := map[int]bool{} // declarations
	for i := range f.Decls {
		skip[f.Decls[i].NameAt] = true
	}
	for at, t := range u.want {
		if at.doc == doc && t.Decl < 0 && at.at >= 0 && at.at < len(text) { // a field may be bound before its name
			skip[at.at+max(strings.Index(string(text[at.at:min(len(text), at.at+200)]), t.Name), 0)] = true
		}
	}
	calls := map[int]bool{}
	for i := range f.Calls {
		calls[f.Calls[i].At] = true
	}
	for _, x := range syntax.Uses(f.Path, u.Docs[doc].Language, text, func(name []byte) bool { return u.names[string(name)] }) {
		if skip[x.At] || functions && namesItself(text, x.At) {
			continue
		}
		in := u.Around(doc, x.At)
		if u.declaresVariant(f, in, x.At, text) || f.equates(in, x, text) {
			continue
		}
		path, inPath := u.modulePath(f, x)
		imported := u.importAt(f, text, x)
		called := x.Call || calls[x.At]
		x.Call = called
		if functions && (called || f.Lang == "rust" && onTheWay(text, x)) {
			continue // as Callers says, or a module
		}
		var places []Place
		what := resolved
		switch {
		case modular(f.Lang, x.Name):
			if places, what, imported = u.moduleMeant(f, in, &x, text, skip); places == nil && what == resolved {
				continue
			}
		case inPath:
			places = path
		case imported != nil:
			places = u.offeredBy(f, imported, x.Name)
		case x.Whole != "":
			places, what = u.wholeMeans(f, x)
		case f.Lang == "go":
			places, what = u.goMeans(f, in, x)
		default:
			places, what = u.meansHere(f, in, x)
		}
		if x.Maybe && f.Lang != "go" && what != resolved {
			continue
		}
		u.add(f, in, x, called, inPath || imported != nil || x.Public, places, what)
	}
}

// namesItself reports whether what stands at an offset is in the line that says which package
// or namespace a file is: package main does not hand on the function main.
func namesItself(text []byte, at int) bool {
	const longest = 300 // bytes of such a line: one of a packed file is far longer
	text = text[max(0, at-longest):at]
	line := bytes.TrimLeft(text[bytes.LastIndexByte(text, '\n')+1:], " \t")
	return (bytes.HasPrefix(line, []byte("package ")) || bytes.HasPrefix(line, []byte("namespace "))) && !bytes.ContainsAny(line, "{:;=")
}

// functionsOnly reports whether nothing but functions is wanted.
func (u *usage) functionsOnly() bool {
	for _, t := range u.want {
		if d := u.Decl(t.Ref); d == nil || !callable(d.Kind) {
			return false
		}
	}
	return true
}

// add counts a use, and keeps it where it may mean what is wanted.
func (u *usage) add(f *File, in int32, x syntax.Use, called, imported bool, places []Place, what outcome) {
	u.tally.count(what)
	keep := func(t Place, sure Sure, how string) {
		kind := u.kind(f, in, x, t, called, imported)
		if kind == UseCall && u.callableAt(t) && (called || !u.bare(t.Ref)) {
			return // as Callers says
		}
		u.out = append(u.out, Use{From: Ref{f.Doc, in}, To: t, At: x.At, Kind: kind, Sure: sure, How: how})
	}
	best, found := Place{}, false
	for _, p := range places {
		if t, ok := u.want[spot{p.Doc, p.At}]; ok && (!found || p.Sure > best.Sure) {
			t.Sure, t.How = p.Sure, p.How
			best, found = t, true
		}
	}
	switch {
	case found:
		sure := best.Sure
		if len(places) > 1 && !u.together(places) {
			sure = min(sure, Likely)
		}
		keep(best, sure, best.How)
	case what == unresolved:
		for _, t := range u.sorted() {
			if t.Name != x.Name || family(u.Docs[t.Doc].Language) != f.Lang {
				continue
			}
			sure := NameOnly
			if (x.Chain != "" && !x.Label && guessable(u.Docs[f.Doc].Language) && u.isMember(t) || u.chosen(f, x, t)) && !everyday.Has(x.Name) && u.owners(x.Name) == 1 {
				sure = Likely
			}
			keep(t, sure, "name")
			return
		}
	}
}

// together reports whether places are in one file, as the declarations of one thing are that is
// declared several times, or all wanted.
func (u *usage) together(places []Place) bool {
	if !slices.ContainsFunc(places, func(p Place) bool { _, ok := u.want[spot{p.Doc, p.At}]; return !ok }) {
		return true
	}
	return !slices.ContainsFunc(places, func(p Place) bool { return p.Doc != places[0].Doc })
}

func (u *usage) sorted() []Place {
	out := make([]Place, 0, len(u.want))
	for _, t := range u.want {
		out = append(out, t)
	}
	sorting.Stable(out, func(a, b Place) int {
		if a.Doc != b.Doc {
			return a.Doc - b.Doc
		}
		return a.At - b.At
	})
	return out
}

func (u *usage) callableAt(t Place) bool {
	d := u.Decl(t.Ref)
	return d != nil && callable(d.Kind)
}

// isMember reports whether something is declared in a type.
func (u *usage) isMember(t Place) bool {
	d := u.Decl(t.Ref)
	return d == nil || d.Scope != "" || d.Parent >= 0
}

// kind says what a use does with what it means.
func (u *usage) kind(f *File, in int32, x syntax.Use, t Place, called, imported bool) UseKind {
	d := u.Decl(t.Ref)
	switch {
	case imported:
		return UseImport
	case d != nil && callable(d.Kind):
		switch {
		case called:
			return UseCall
		case x.Write:
			return UseWrite
		case u.bare(t.Ref):
			return UseCall
		}
		return UsePass
	case d != nil && (classLike(d.Kind) || namespace(d.Kind)):
		switch {
		case x.Embed && f.Lang == "elixir":
			return UseImplement
		case x.Embed:
			return UseEmbed
		case called:
			return UseCall
		case in >= 0 && classLike(f.Decls[in].Kind) && x.At < f.Decls[in].Body && slices.ContainsFunc(f.Decls[in].Bases, func(b string) bool { return slices.Contains(words(supertype(b, f.Lang)), x.Name) }):
			return UseImplement
		}
		return UseType
	case x.Write:
		return UseWrite
	case called:
		return UseCall
	}
	return UseRead
}
