package facts

import (
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/lang/scan"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A Member is a field of a type of a text, or a member of an enumeration.
type Member struct {
	Class string // qualified
	Name  string
	Type  string // as written
	At    int
}

// Members returns the fields that the types of a text have, as FieldsIn does for a document. In
// languages that declare them what is assigned alone is none.
func Members(name string, of *corpus.Facts) (out []Member) {
	f := &File{Facts: of, Path: name}
	seen := map[Member]bool{}
	for i := range of.Bindings {
		c := f.fieldOf(int32(i))
		if c < 0 || !f.declares(int32(i), c) {
			continue
		}
		b := &of.Bindings[i]
		m := Member{Class: of.Decls[c].Qualified(), Name: b.Name[strings.LastIndexAny(b.Name, ".@>")+1:]}
		if m.Name == "" || seen[m] {
			continue
		}
		seen[m] = true
		m.Type, m.At = b.Type, b.At
		out = append(out, m)
	}
	return out
}

// declares reports whether a binding that is a field of a class declares it, and does not only give it
// a value, which in languages without declarations is the same.
func (f *File) declares(b, class int32) bool {
	bind := &f.Bindings[b]
	switch path.Ext(f.Path) {
	case ".php", ".ts", ".tsx", ".mts", ".cts":
	default:
		return true
	}
	promoted := func(i int32) bool { // a parameter that declares a field
		return i >= 0 && int(i) < len(f.Bindings) && f.Bindings[i].At == bind.At && f.Bindings[i].Param > 0
	}
	return bind.In == class || promoted(b-1) || promoted(b+1)
}

// Former returns where a document asks for members that types no longer have: by the name of the
// member, the types that had it. Where the type of what is asked is not known, only a name counts
// that nothing else has; more counts what has another such name.
func (p *Project) Former(doc int, text []byte, members map[string][]Ref) (out []Use, more map[string]int) {
	f := p.File(doc)
	declared := set.By(f.Decls, func(d *corpus.Decl) int { return d.NameAt })
	more = map[string]int{}
	for _, x := range syntax.Mentions(f.Path, p.Docs[doc].Language, text, func(name []byte) bool { return members[string(name)] != nil }) {
		if declared[x.At] {
			continue
		}
		in := p.Around(doc, x.At)
		best := Use{How: ""}
		for _, c := range members[x.Name] {
			if family(p.Docs[c.Doc].Language) != f.Lang {
				continue
			}
			if sure, how := p.former(f, in, x, c); sure > NameOnly || best.How == "" || how == "name" {
				best = Use{From: Ref{doc, in}, To: Place{c, x.Name, -1, sure, how}, At: x.At, Kind: UseRead, Sure: sure, How: how}
				if sure > NameOnly {
					break
				}
			}
		}
		switch {
		case best.How == another:
			more[x.Name]++
		case best.How != "":
			out = append(out, best)
		}
	}
	return out, more
}

// another is how a name is found that may mean what it does not lead to, and something else too.
const another = "another"

// Common reports whether a name says little by itself: it is short, or what libraries have is called so.
func Common(name string) bool {
	const least = 4
	return len(name) < least && scan.Letter(name[0]) || syntax.Lists("any", "everyday", name) || syntax.Lists("any", "library-names", name)
}

// Dangling reports whether a name of a document leads neither to what is declared nor into a library.
func (p *Project) Dangling(doc int, x syntax.Use) bool {
	f, in := p.File(doc), p.Around(doc, x.At)
	if f.Lang == "go" {
		return (!x.Local || x.Maybe) && (x.Chain == "" || x.Chain[0] == '?' || !slices.ContainsFunc(p.eval(f, in, x.At, x.Chain), func(v value) bool { return v.kind == external }))
	}
	places, what := p.meansHere(f, in, x)
	return what != outer && !slices.ContainsFunc(places, func(at Place) bool { return at.Decl >= 0 || at.At >= 0 })
}

// former says how sure it is that a name means the member of class c that it no longer has: by name only where
// that says "name", and not at all where it says nothing.
func (p *Project) former(f *File, in int32, x syntax.Use, c Ref) (Sure, string) {
	var now []Place
	var what outcome
	if f.Lang == "go" {
		now, what = p.goMeans(f, in, x)
	} else {
		now, what = p.meansHere(f, in, x)
	}
	// A key of a literal of Go may have the name of a variable.
	if x.Local && !x.Maybe || x.Chain == "" && what == outer || slices.ContainsFunc(now, func(at Place) bool { return at.Decl >= 0 || p.declaresAt(at) }) {
		return NameOnly, ""
	}
	maybe := func() (Sure, string) {
		if !Common(x.Name) && CalledAfter(x.Chain, p.Decl(c).Name) && f.Doc == c.Doc {
			return NameOnly, "name"
		}
		if !Common(x.Name) && (len(p.Targets(x.Name)) == 0 || f.Doc == c.Doc && len(f.byName[x.Name]) == 0 && len(p.fieldsIn(f, x.Name)) == 0) {
			return NameOnly, "name"
		}
		return NameOnly, another
	}
	alone := func() (Sure, string) {
		if Common(x.Name) || len(p.Targets(x.Name)) > 0 {
			return maybe()
		}
		return Likely, "name"
	}
	d := p.Decl(c)
	switch {
	case x.Implicit:
		return alone()
	case x.Chain == "":
		g := p.File(c.Doc)
		if around, ok := p.classAround(f, in); ok && syntax.Has(f.Lang, "implicit-members") && p.is(around, c) {
			return Likely, "file"
		}
		if g.Lang == "haskell" || d.Kind == corpus.Enum && (g.Lang == "clang" || g.Lang == "rust" && f.importsThrough(d.Name)) {
			return alone()
		}
		return NameOnly, ""
	case x.Chain[0] == '?' && (what == outer || x.Label && f.Lang != "ecma" && f.Lang != "elixir" && len(d.Marks) == 0):
		return NameOnly, "" // an argument's
	case x.Chain[0] == '?':
		return p.doubted(f, c, maybe)
	}
	vs := p.eval(f, in, x.At, x.Chain)
	for _, v := range vs {
		of := p.classes(v)
		if v.kind == class {
			of = []Ref{v.ref}
		}
		if slices.ContainsFunc(of, func(r Ref) bool { return p.is(r, c) }) {
			return Exact, "receiver"
		}
		if v.typ != "" && slices.Contains(words(v.typ), d.Name) { // an argument of a type: Partial<T>, Props<T>
			return Likely, "type"
		}
	}
	switch {
	case what == outer, len(vs) > 0 && known(vs) && !(f.Doc == c.Doc && CalledAfter(x.Chain, d.Name)):
		return NameOnly, ""
	case !x.Label && (syntax.Has(p.Docs[f.Doc].Language, "names-tell-methods") || telling(x.Name)):
		return alone()
	}
	return p.doubted(f, c, maybe)
}

// CalledAfter reports whether what a member is asked of is called after a type: context, of DialogContextValue.
func CalledAfter(chain, typ string) bool {
	_, last := cutLast(chain, ".")
	const least = 4
	last = strings.ToLower(strings.Trim(last, "_$@"))
	return len(last) >= least && strings.Contains(strings.ToLower(typ), last)
}

// doubted is what may be said of a name whose type is not known: where types are written, such a one is
// most often of a library.
func (p *Project) doubted(f *File, c Ref, maybe func() (Sure, string)) (Sure, string) {
	sure, how := maybe()
	if how == "name" && f.Doc != c.Doc && p.writesTypes(f) {
		how = another
	}
	return sure, how
}

// writesTypes reports whether the code of a file says of which types its values are.
func (p *Project) writesTypes(f *File) bool {
	return !syntax.Has(f.Lang, "types-left-out") && syntax.Covers(p.Docs[f.Doc].Language) == syntax.Everything
}

// importsThrough reports whether a file of Rust takes something out of a type: only then is a
// name alone a variant of an enum, and not another type, which may well have its name.
func (f *File) importsThrough(name string) bool {
	return slices.ContainsFunc(f.Imports, func(m corpus.Import) bool {
		return slices.ContainsFunc(strings.Split(m.Path, "::"), func(part string) bool { return part == name })
	})
}

// declaresAt reports whether a name is declared at a place, where it is bound.
func (p *Project) declaresAt(at Place) bool {
	f := p.File(at.Doc)
	for i := range f.Bindings {
		if f.Bindings[i].At == at.At {
			if c := f.fieldOf(int32(i)); c >= 0 {
				return f.declares(int32(i), c)
			}
		}
	}
	return true
}

// is reports whether a class is another, or extends it.
func (p *Project) is(class, of Ref) bool {
	open, seen := []Ref{class}, map[Ref]bool{}
	for len(open) > 0 && len(seen) < 100 {
		r := open[0]
		open = open[1:]
		if r == of || (p.Decl(r).Traits|p.Decl(of).Traits)&corpus.Extension != 0 && p.Decl(r).Qualified() == p.Decl(of).Qualified() {
			return true
		}
		if !seen[r] {
			seen[r] = true
			open = append(open, p.bases(r)...)
		}
	}
	return false
}
