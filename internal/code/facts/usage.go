package facts

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/lang/syntax"
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
		set.Add(u.names, p.File(t.Doc).offering(t)...)
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
	names := slices.Sorted(maps.Keys(u.names))
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
	var rooms sync.Pool // that texts were read into which have none of the names
	for some := range slices.Chunk(docs, most) {
		if some = slices.DeleteFunc(some, func(doc int) bool { return !look(doc) }); len(some) == 0 {
			continue
		}
		u.files += len(some)
		work.Each(context.Background(), len(some), 2, func() func(int) {
			return func(i int) {
				room, _ := rooms.Get().(*[]byte)
				if room == nil {
					room = new([]byte)
				}
				text := u.src.Text(some[i], *room)
				texts[i], has[i] = text, syntax.MayUse(u.Docs[some[i]].Language, text, names, functions)
				if has[i] {
					return
				}
				if texts[i] = nil; cap(text) > cap(*room) {
					*room = text
				}
				rooms.Put(room)
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
			classes := set.By(u.fieldsIn(f, n), func(b *int32) int32 { return f.fieldOf(*b) })
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
	skip := u.declaringIn(f, text)
	calls := u.callsIn(f)
	for _, x := range syntax.Uses(f.Path, u.Docs[doc].Language, text, func(name []byte) bool { return u.names[string(name)] }) {
		if skip[x.At] || functions && namesItself(text, x.At) {
			continue
		}
		in := u.Around(doc, x.At)
		if u.declaresVariant(f, in, x.At, text) || f.equates(in, x, text) || u.isPlainArgument(f, x, text) {
			continue
		}
		called := x.Call || calls[x.At]
		x.Call = called
		if functions && (called || f.onTheWay(text, x)) {
			continue // as Callers says, or a module
		}
		m, ok := u.meaningOf(f, in, &x, text, skip)
		if !ok {
			continue
		}
		u.add(f, in, x, called, m.imported || x.Public, m.places, m.what)
	}
}

// declaringIn returns the offsets of a file at which a declaration, or a field that is asked about, has its name.
func (u *usage) declaringIn(f *File, text []byte) map[int]bool {
	skip := set.By(f.Decls, func(d *corpus.Decl) int { return d.NameAt })
	for at, t := range u.want {
		if at.doc == f.Doc && t.Decl < 0 && at.at >= 0 && at.at < len(text) { // a field may be bound before its name
			skip[at.at+max(strings.Index(string(text[at.at:min(len(text), at.at+200)]), t.Name), 0)] = true
		}
	}
	return skip
}

// isPlainArgument reports whether a word is an argument of a command that runs none: list of git list. A function of the project may.
func (u *usage) isPlainArgument(f *File, x syntax.Use, text []byte) bool {
	if !syntax.Has(f.Lang, "runs-argument") {
		return false
	}
	i := sort.Search(len(f.Calls), func(i int) bool { return f.Calls[i].At >= x.At }) - 1
	if i < 0 || bytes.ContainsAny(text[f.Calls[i].At:x.At], "\n;|&") {
		return false
	}
	return !syntax.Lists(f.Lang, "runs-argument", f.Calls[i].Callee) && len(u.declared(f.Doc, f.Calls[i].Callee)) == 0
}

// callsIn returns the offsets at which a file calls something.
func (u *usage) callsIn(f *File) map[int]bool {
	calls := map[int]bool{}
	for i := range f.Calls {
		c := &f.Calls[i]
		if calls[c.At] = c.Args != corpus.Selected; !calls[c.At] && u.names[c.Callee] {
			_, what := u.worded(f, c)
			calls[c.At] = what != read
		}
	}
	return calls
}

// A meaning is the declarations that a name may stand for at a place.
type meaning struct {
	places   []Place
	what     outcome
	imported bool // it stands in an import
}

// meaningOf returns the meaning of a name that declares nothing; not ok if it is unknown and need not be counted.
func (u *usage) meaningOf(f *File, in int32, x *syntax.Use, text []byte, skip map[int]bool) (m meaning, ok bool) {
	path, inPath := u.modulePath(f, *x)
	imported := u.importAt(f, text, *x)
	m.what = resolved
	switch {
	case modular(f.Lang, x.Name):
		if m.places, m.what, imported = u.moduleMeant(f, in, x, text, skip); m.places == nil && m.what == resolved {
			return m, false
		}
	case inPath:
		m.places = path
	case imported != nil:
		m.places = u.offeredBy(f, imported, x.Name)
	case x.Whole != "":
		m.places, m.what = u.wholeMeans(f, *x)
	case f.Lang == "go":
		m.places, m.what = u.goMeans(f, in, *x)
	default:
		m.places, m.what = u.meansHere(f, in, *x)
	}
	m.imported = inPath || imported != nil
	return m, !x.Maybe || f.Lang == "go" || m.what == resolved
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
		u.out = append(u.out, Use{From: Ref{f.Doc, in}, To: t, At: x.At, Kind: kind, Sure: sure, How: how, Called: called})
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
			isMeant := u.isNamedMember(f, x, t) || u.chosen(f, x, t)
			if isMeant && !syntax.Lists("any", "everyday", x.Name) && u.owners(x.Name) == 1 {
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
	out := slices.Collect(maps.Values(u.want))
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

// isNamedMember reports whether a use names something declared in a type by a receiver, in a language where such a name tells enough.
func (u *usage) isNamedMember(f *File, x syntax.Use, t Place) bool {
	byReceiver := x.Chain != "" && !x.Label
	return byReceiver && syntax.Has(u.Docs[f.Doc].Language, "names-tell-methods") && u.isMember(t)
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
