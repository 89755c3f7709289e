package facts

import (
	"iter"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

type memberKey struct {
	ref  Ref
	name string
}

// maxBases bounds how far up inheritance is followed.
const maxBases = 12

// ancestors returns classes and those that they extend, the nearest first and each once.
func (p *Project) ancestors(of ...Ref) iter.Seq[Ref] {
	return func(yield func(Ref) bool) {
		seen := map[Ref]bool{}
		for range maxBases {
			var up []Ref
			for _, c := range of {
				if seen[c] {
					continue
				}
				seen[c] = true
				if !yield(c) {
					return
				}
				up = append(up, p.bases(c)...)
			}
			of = up
		}
	}
}

// memberOf returns the members of a name that a class has: its own, else those of
// what it extends. A base in a library makes the answer an external one.
func (p *Project) memberOf(c Ref, name string, depth int) []value {
	key := memberKey{c, name}
	if got, ok := p.members[key]; ok {
		return got
	}
	if depth > maxBases || p.depth >= maxDepth {
		return nil
	}
	p.members[key] = nil
	p.depth++
	defer func() { p.depth-- }()
	got := p.ownMember(c, name)
	switch {
	case len(got) == 0:
		got = p.inherited(c, name, depth)
	case syntax.Has(family(p.Docs[c.Doc].Language), "overloads-of-bases") && got[0].kind == function && got[0].ref != c:
		for _, v := range p.inherited(c, name, depth) {
			if v.kind == function && p.Decl(v.ref).Traits&corpus.Constructor == 0 {
				got = append(got, v)
			}
		}
	}
	p.members[key] = got
	return got
}

func (p *Project) inherited(c Ref, name string, depth int) []value {
	if got := slices.DeleteFunc(slices.Clone(p.given(c, name)), func(v value) bool { return !p.Decl(v.ref).Exported }); len(got) > 0 {
		return got // what is private is known in the module alone
	}
	outside := false
	var variables []value
	bases := p.basesOf(c)
	if len(bases) > 1 && p.File(c.Doc).Lang == "python" {
		// Python's order puts what several bases share behind all of them.
		for _, r := range p.linear(c)[1:] {
			if got := slices.Clone(p.ownMember(r, name)); len(got) > 0 {
				for i := range got {
					got[i].how = "inherited"
				}
				return got
			}
		}
	}
	for _, b := range bases {
		outside = outside || b.kind == external
		if b.kind == external || b.ref == c {
			continue
		}
		var got []value
		for _, v := range p.memberOf(b.ref, name, depth+1) {
			if v.kind == external {
				outside = true
				continue
			}
			if callable(p.Decl(b.ref).Kind) && (v.kind != function || p.Decl(v.ref).Kind != corpus.Method) {
				continue // a function in the one that makes the class
			}
			v.how = "inherited"
			got = append(got, v)
		}
		isMethod := func(v value) bool { return v.kind == function }
		if syntax.Has(p.File(c.Doc).Lang, "variables-apart") && !slices.ContainsFunc(got, isMethod) { // @name is no method
			variables = append(variables, got...)
		} else if len(got) > 0 {
			return got
		}
	}
	if outside && len(variables) == 0 {
		return []value{{kind: external, how: unproven}}
	}
	return variables
}

// ownMember returns what a class, and what extends it from elsewhere, declares.
func (p *Project) ownMember(c Ref, name string) (out []value) {
	f := p.File(c.Doc)
	d := &f.Decls[c.Decl]
	var refs []Ref
	for _, i := range f.byName[name] {
		m := &f.Decls[i]
		if m.Parent == c.Decl && (d.Kind != corpus.Module || f.besides(m) == "") || f.saysMember(m, d) && (m.Parent < 0 || f.writtenOut(m)) {
			refs = append(refs, Ref{c.Doc, i})
		}
	}
	if syntax.Has(f.Lang, "members-elsewhere") {
		refs = append(refs, p.spread(f, d, name)...)
	}
	if f.Lang == "go" {
		refs = p.compiledAlone(refs)
	}
	// An abstract class may have one without a body besides, told apart by its parameters.
	if !syntax.Has(f.Lang, "overloads-of-bases") || d.Kind == corpus.Class && d.Traits&corpus.Abstract == 0 {
		refs = p.definitions(refs)
	}
	for _, r := range refs {
		m := p.Decl(r)
		switch {
		case m.Traits&corpus.Accessor != 0:
			out = append(out, p.returns(r)...)
		case callable(m.Kind):
			out = append(out, value{kind: function, ref: r, how: "receiver"})
		default:
			out = append(out, p.declaredAs(r, "receiver")...)
		}
	}
	if len(out) == 0 {
		out = p.field(f, c, name)
	}
	return out
}

// writtenOut reports whether m, which names the class that it is a member of, may stand
// where it does: in what extends that class, or in the namespace around it.
func (f *File) writtenOut(m *corpus.Decl) bool {
	around := &f.Decls[m.Parent]
	return around.Traits&corpus.Extension != 0 || f.Lang == "clang" && around.Kind == corpus.Module
}

// besides returns the name of the class that a function of C++ is a member of which is written
// beside it, in a namespace: void Queue::push() {…}; "" for any other.
func (f *File) besides(d *corpus.Decl) string {
	if f.Lang != "clang" || d.Parent < 0 || !callable(d.Kind) || !namespace(f.Decls[d.Parent].Kind) {
		return ""
	}
	name, ok := strings.CutPrefix(d.Scope, f.Decls[d.Parent].Qualified()+".")
	if !ok {
		return ""
	}
	return name
}

// memberScope returns the class that a declaration says it is a member of.
func memberScope(d *corpus.Decl) string {
	_, last := cutLast(d.Scope, ".")
	return last
}

// saysMember reports whether m, by its scope, is a member of class d of file f. In C++, Ruby and Swift either may
// be written in less of its namespaces than the other.
func (f *File) saysMember(m, d *corpus.Decl) bool {
	return memberScope(m) == d.Name && (!syntax.Has(f.Lang, "scoped-members") || sameScope(d.Qualified(), m.Scope))
}

// namespaced reports whether m stands in a part of the namespace d of file f.
func (f *File) namespaced(m *corpus.Decl, of *File, d *corpus.Decl) bool {
	for m.Parent >= 0 && d != nil {
		m = &f.Decls[m.Parent]
		if m.Kind != corpus.Module || m.Name != d.Name {
			return false
		}
		if d.Parent < 0 {
			return m.Parent < 0
		}
		d = &of.Decls[d.Parent]
	}
	return false
}

// isApart reports whether m is a member of d of another file, which is written apart from it: of a namespace in another part, of a class in its namespace.
func (f *File) isApart(m *corpus.Decl, of *File, d *corpus.Decl) bool {
	if d.Kind == corpus.Module && f.namespaced(m, of, d) && f.besides(m) == "" {
		return true
	}
	return of.saysMember(m, d) && m.Parent >= 0 && f.Decls[m.Parent].Kind == corpus.Module
}

// spread finds the members of a class that other files declare.
func (p *Project) spread(f *File, d *corpus.Decl, name string) (out []Ref) {
	match := func(g *File) {
		for _, i := range g.byName[name] {
			m := &g.Decls[i]
			isApart := f.Lang == "clang" && g.isApart(m, f, d)
			isOpen := m.Parent < 0 || g.Decls[m.Parent].Traits&corpus.Extension != 0 || syntax.Has(f.Lang, "open-classes")
			if isApart || isOpen && f.saysMember(m, d) {
				out = append(out, Ref{g.Doc, i})
			}
		}
	}
	if f.Lang == "go" {
		for _, doc := range p.declarers(f.Doc, name) {
			match(p.File(doc))
		}
		return out
	}
	for _, doc := range p.src.Keyed(Key(Declared, name)) {
		if doc != f.Doc && family(p.Docs[doc].Language) == f.Lang && p.Docs[doc].Language != "java" { // which declares members in classes alone
			match(p.File(doc))
		}
	}
	return out
}

// field returns what a field of a class holds.
func (p *Project) field(f *File, c Ref, name string) (out []value) {
	for _, i := range f.bound[name] {
		if f.Bindings[i].In == c.Decl {
			out = append(out, p.binding(f, i)...)
			break
		}
	}
	for _, own := range [...]string{"self.", "this.", "$this.", "@", "$this->", "."} {
		if len(out) > 0 && known(out) {
			return out
		}
		key := own + name
		if own == "@" && strings.HasPrefix(name, "@") { // as Ruby writes it, in whichever method
			key = name
		}
		for _, i := range f.bound[key] {
			b := &f.Bindings[i]
			if b.In < 0 || b.In != c.Decl && f.Decls[b.In].Parent != c.Decl {
				if around, ok := p.classAround(f, b.In); !ok || around != c {
					continue
				}
			}
			if got := p.binding(f, i); len(out) == 0 || known(got) {
				out = append(out, got...)
			}
			if len(out) >= maxValues {
				break
			}
		}
	}
	if len(out) == 0 && f.Lang == "go" {
		// An embedded field is known by the name of its type.
		for _, b := range f.Decls[c.Decl].Bases {
			t := bare(b)
			t = upTo(t, "[")
			if _, last := cutLast(t, "."); last == name {
				return []value{{kind: instance, typ: b, ref: c, how: "receiver"}}
			}
		}
	}
	return out
}

func known(vs []value) bool {
	return slices.ContainsFunc(vs, func(v value) bool { return v.kind != unknown && v.kind != object })
}

// bases returns the classes of the project that a class extends.
func (p *Project) bases(c Ref) (out []Ref) {
	for _, v := range p.basesOf(c) {
		if v.kind == class {
			out = append(out, v.ref)
		}
	}
	return out
}

// basesOf returns what a class extends, implements or embeds, where it says so
// and where its extensions do.
func (p *Project) basesOf(c Ref) (out []value) {
	f := p.File(c.Doc)
	d := &f.Decls[c.Decl]
	add := func(g *File, decl int32, bases []string) {
		in := g.Decls[decl].Parent
		for _, b := range bases {
			if of, ok := strings.CutPrefix(b, "use "); ok && g.Lang == "elixir" {
				out = append(out, p.behaviours(g, in, of)...)
				continue
			}
			if made, rest, ok := strings.Cut(b, "("); ok && g.Lang == "ecma" { // a function makes it of other classes
				for _, v := range p.lookup(g, in, atEnd, made) {
					if v.kind == function {
						out = append(out, value{kind: class, ref: v.ref})
					}
				}
				b = strings.TrimSuffix(rest, ")")
			}
			t := stripped(b, func(head string) bool { return g.Lang == "ecma" && !p.declaresType(g, in, head) })
			t = upTo(t, "(")
			got := p.typeNamed(g, in, t)
			if len(got) == 0 && syntax.Has(g.Lang, "open-classes") { // include Parts, of the class itself
				got = p.typeNamed(g, decl, t)
			}
			if len(got) == 0 && t != "object" && t != "Object" {
				out = append(out, value{kind: external})
			}
			for _, v := range got {
				for _, doc := range v.docs {
					for _, vs := range p.returned(p.File(doc)) {
						got = append(got, vs...)
					}
				}
			}
			for _, v := range got {
				if v.kind == class && v.ref != c || v.kind == external {
					out = append(out, v)
				}
			}
		}
	}
	add(f, c.Decl, d.Bases)
	read := map[string]bool{}
	for _, r := range p.partsWithBases(f, d.Name) {
		e := p.Decl(r)
		isPart := e.Scope == d.Scope || !syntax.Has(f.Lang, "open-classes")
		if syntax.Has(f.Lang, "instances-are-parts") {
			isPart = p.wholeOf(r) == c
		}
		if r == c || !isPart {
			continue
		}
		for _, b := range e.Bases {
			key := e.Scope + " " + b
			if !syntax.Has(f.Lang, "open-classes") {
				key += " " + p.Docs[r.Doc].Path // which imports of its own
			}
			if read[key] {
				continue
			}
			if len(read) == maxPartBases {
				return append(out, value{kind: external}) // because what is left unread may declare any member
			}
			read[key] = true
			add(p.File(r.Doc), r.Decl, []string{b})
		}
	}
	return out
}

// maxPartBases bounds the different bases that the parts of a class give it. Parts that repeat a base count once.
const maxPartBases = 64

// partsWithBases returns the declarations of a name that are parts of a class and name bases: extensions, and any where classes are open.
func (p *Project) partsWithBases(f *File, name string) []Ref {
	key := f.Lang + " " + name
	if got, ok := p.parts[key]; ok || !syntax.Has(f.Lang, "classes-in-parts") {
		return got
	}
	var out []Ref
	for _, r := range p.declared(f.Doc, name) {
		e := p.Decl(r)
		if isPart := e.Traits&corpus.Extension != 0 || classLike(e.Kind) && syntax.Has(f.Lang, "open-classes"); isPart && len(e.Bases) > 0 {
			out = append(out, r)
		}
	}
	p.parts[key] = out
	return out
}
