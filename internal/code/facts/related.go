package facts

import (
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A Relation is one step between two types.
type Relation struct {
	Type Ref // the other type
	Of   Ref // the one that it is a relation of
	Sure Sure
	How  string // "extends" what is written, "has" the methods that a Go interface asks for, or Unnamed
	// The type of an anonymous class is the declaration around it, which names its base at At.
	At   int
	Body corpus.Span
}

// Above returns what a type extends, implements or embeds. Outside counts the bases
// that are not of the project.
func (p *Project) Above(of Ref) (out []Relation, outside int) {
	for _, v := range p.basesOf(of) {
		switch v.kind {
		case external:
			outside++
		case class:
			sure := Exact
			if v.guess {
				sure = Likely
			}
			out = append(out, Relation{Type: v.ref, Of: of, Sure: sure, How: "extends"})
		}
	}
	d := p.Decl(of)
	if syntax.Has(p.Docs[of.Doc].Language, "implicit-interfaces") && d.Kind != corpus.Interface {
		for _, iface := range p.goInterfaces() {
			if sure, ok := p.satisfies(of, iface); ok {
				out = append(out, Relation{Type: iface, Of: of, Sure: sure, How: "has"})
			}
		}
	}
	return uniqueRelations(out), outside
}

// Below returns what extends, implements or embeds a type.
func (p *Project) Below(of Ref) (out []Relation) {
	out = p.extending(of)
	if syntax.Has(p.Docs[of.Doc].Language, "implicit-interfaces") && p.Decl(of).Kind == corpus.Interface {
		for _, c := range p.goHaving(of) {
			if sure, ok := p.satisfies(c, of); ok {
				out = append(out, Relation{Type: c, Of: of, Sure: sure, How: "has"})
			}
		}
	}
	return uniqueRelations(out)
}

// ClassOf returns the type that a place is a member of.
func (p *Project) ClassOf(t Place) (Ref, bool) {
	if t.Decl >= 0 {
		return p.memberClass(p.File(t.Doc), t.Ref)
	}
	c := p.Class(t.Doc, t.At)
	return Ref{t.Doc, c}, c >= 0
}

// OwnMethods returns the methods of a name that a type declares itself.
func (p *Project) OwnMethods(class Ref, name string) (out []Ref) {
	for _, v := range p.ownMember(class, name) {
		if v.kind == function {
			out = append(out, v.ref)
		}
	}
	return out
}

// extending returns the types that name a type as one of their bases.
func (p *Project) extending(of Ref) (out []Relation) {
	d, lang := p.Decl(of), family(p.Docs[of.Doc].Language)
	names := map[string]bool{d.Name: true}
	if _, last := cutLast(d.Name, "."); lang == "elixir" {
		names[last] = true // bases are compared word by word
	}
	written := p.basedOn(lang, names)
	if lang == "elixir" {
		if p.users(written, names) {
			written = p.basedOn(lang, names)
		}
		written = p.withoutMacros(written)
	}
	for _, r := range written {
		in := r
		// An extension stands for the type that it extends.
		if e := p.Decl(r); e.Traits&corpus.Extension != 0 {
			if c, ok := p.classNamed(p.File(r.Doc), e.Parent, e.Name); ok && c != of {
				r = c
			}
		}
		if lang != "elixir" && lang != "haskell" {
			in = r
		}
		for _, v := range p.basesOf(in) {
			if v.kind == class && v.ref == of && r != of {
				sure := Exact
				if v.guess {
					sure = Likely
				}
				out = append(out, Relation{Type: r, Of: of, Sure: sure, How: "extends"})
			}
		}
	}
	return out
}

// basedOn returns the declarations of a family of languages that one of some names is in the bases of.
func (p *Project) basedOn(lang string, names map[string]bool) []Ref {
	p.aliases(names)
	var keys []uint32
	for n := range names {
		keys = append(keys, Key(Above, n))
	}
	may := p.src.Keyed(keys...)
	return p.Find(func(doc int) bool {
		_, ok := slices.BinarySearch(may, doc)
		return ok && family(p.Docs[doc].Language) == lang
	},
		func(text string) bool {
			return slices.ContainsFunc(words(text), func(w string) bool { return names[w] })
		},
		func(_ int, decls []corpus.Decl, i int32) bool {
			return slices.ContainsFunc(decls[i].Bases, func(b string) bool {
				return slices.ContainsFunc(words(b), func(w string) bool { return names[w] })
			})
		})
}

// MayExtend returns the documents that have a type with the name of one of some types among its bases, in order.
func (p *Project) MayExtend(of []Ref) []int {
	keys := slice.Map(of, func(r Ref) uint32 { return Key(Above, lastName(p.Decl(r).Name)) })
	return p.src.Keyed(keys...)
}

// Nearly returns the Go types that have what an interface asks for, whatever they take
// and give in one of its methods: before that was changed, they may have implemented it.
func (p *Project) Nearly(iface Ref, method string) (out []Relation) {
	methods := p.asked(iface)
	for i := range methods {
		if methods[i].name == method {
			methods[i].decl = nil
		}
	}
	for _, c := range p.goHaving(iface) {
		if _, ok := p.has(c, iface, methods); ok {
			out = append(out, Relation{Type: c, Of: iface, Sure: Likely, How: "has"})
		}
	}
	return uniqueRelations(out)
}

// words splits a type as it is written into its names.
func words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool {
		return r < 0x80 && r != '_' && r != '$' && !(r >= '0' && r <= '9' || r|32 >= 'a' && r|32 <= 'z')
	})
}

// goInterfaces returns the Go interfaces of the project that ask for a method.
func (p *Project) goInterfaces() (out []Ref) {
	look := func(doc int) bool { return syntax.Has(p.Docs[doc].Language, "implicit-interfaces") }
	isInterface := func(_ int, decls []corpus.Decl, i int32) bool { return decls[i].Kind == corpus.Interface }
	for _, r := range p.Find(look, func(string) bool { return true }, isInterface) {
		if len(p.asked(r)) > 0 {
			out = append(out, r)
		}
	}
	return out
}

// goHaving returns the types that have a method of the name of one that an interface
// asks for: of the rarest one, so that few types are looked at.
func (p *Project) goHaving(iface Ref) (out []Ref) {
	var least []Ref
	for i, w := range p.asked(iface) {
		var having []Ref
		for _, r := range p.declared(iface.Doc, w.name) {
			if d := p.Decl(r); d.Kind == corpus.Method && d.Traits&corpus.Abstract == 0 {
				if c, ok := p.classNamed(p.File(r.Doc), -1, memberScope(d)); ok {
					having = append(having, c)
				}
			}
		}
		if i == 0 || len(having) < len(least) {
			least = having
		}
	}
	// What embeds such a type has its methods.
	seen := map[Ref]bool{}
	for len(least) > 0 {
		c := least[0]
		least = least[1:]
		if seen[c] || c == iface {
			continue
		}
		seen[c] = true
		out = append(out, c)
		for _, r := range p.extending(c) {
			least = append(least, r.Type)
		}
	}
	return uniqueRefs(out)
}

// satisfies reports whether a Go type has what an interface asks for. It is likely
// where a method comes from a library, or a signature is written in another package:
// there the same words may be other types.
func (p *Project) satisfies(c, iface Ref) (Sure, bool) { return p.has(c, iface, p.asked(iface)) }

func (p *Project) has(c, iface Ref, methods []wanted) (Sure, bool) {
	if p.Decl(c).Kind == corpus.Interface || !p.hasAll(c, methods) {
		return 0, false
	}
	for _, w := range methods {
		for _, v := range p.memberOf(c, w.name, 0) {
			if v.kind != function || w.decl == nil || path.Dir(p.Docs[v.ref.Doc].Path) != path.Dir(p.Docs[w.doc].Path) && strings.Contains(signature(w.decl), ".") {
				return Likely, true
			}
		}
	}
	return Exact, true
}

func uniqueRelations(in []Relation) (out []Relation) {
	at := map[Ref]int{}
	for _, r := range in {
		if i, ok := at[r.Type]; ok {
			out[i].Sure = max(out[i].Sure, r.Sure)
			continue
		}
		at[r.Type] = len(out)
		out = append(out, r)
	}
	return out
}

// Extends reports whether a declaration adds to a type that is declared elsewhere, as an impl
// of Rust, an instance of Haskell and an extension of Swift do.
func (p *Project) Extends(r Ref) bool {
	d := p.Decl(r)
	return classLike(d.Kind) && d.Traits&corpus.Extension != 0 && p.Docs[r.Doc].Language != "csharp"
}

// InObject reports whether a function is a value of an object literal, which may be had by
// a computed name, or may be a method of an anonymous class of Scala, which its type calls.
func (p *Project) InObject(r Ref) bool {
	f, d := p.File(r.Doc), p.Decl(r)
	if p.Docs[r.Doc].Language == "scala" {
		return d.Parent >= 0 && !classLike(f.Decls[d.Parent].Kind) && !namespace(f.Decls[d.Parent].Kind)
	}
	return f.Lang == "ecma" && d.Kind == corpus.Method && (d.Parent < 0 || !classLike(f.Decls[d.Parent].Kind))
}

// Answers names the method that a method may run in place of: one of a base, or one
// that a Go interface asks for; "" for none.
func (p *Project) Answers(r Ref) string {
	d := p.Decl(r)
	if d == nil || d.Kind != corpus.Method || d.Traits&corpus.Private != 0 {
		return ""
	}
	for _, o := range p.overridden(r) {
		return p.Decl(o).Qualified()
	}
	f := p.File(r.Doc)
	if f.Lang != "go" {
		if c, ok := p.memberClass(f, r); ok && slices.ContainsFunc(p.basesOf(c), func(v value) bool { return v.kind == external }) {
			return "a base in a library"
		}
		return ""
	}
	c, ok := p.classNamed(f, -1, memberScope(d))
	if !ok {
		return ""
	}
	for _, m := range p.declared(r.Doc, d.Name) {
		if e := p.Decl(m); e.Traits&corpus.Abstract != 0 && e.Kind == corpus.Method && e.Parent >= 0 {
			if _, has := p.satisfies(c, Ref{m.Doc, e.Parent}); has {
				return e.Qualified()
			}
		}
	}
	for _, name := range syntax.Keys("interface-methods") {
		methods := syntax.Words(name, "interface-methods")
		if slices.Contains(methods, d.Name) && !slices.ContainsFunc(methods, func(n string) bool { return len(p.memberOf(c, n, 0)) == 0 }) {
			return name
		}
	}
	return ""
}
