package facts

import (
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// A Place is where something is declared: a declaration, or with Decl -1 a name that
// is bound at an offset, as parameters, fields and local variables are.
type Place struct {
	Ref
	Name string
	At   int
	Sure Sure
	How  string
}

// IsKnown reports whether more than its name says that a place is meant.
func (t *Place) IsKnown() bool { return t.Sure >= Likely && t.How != "name" }

// Around returns the innermost declaration around an offset of a document, -1 for
// the top level.
func (p *Project) Around(doc, at int) int32 {
	f, in := p.File(doc), int32(-1)
	for i := range f.Decls {
		if d := &f.Decls[i]; d.Span.Start <= at && at < d.Span.End {
			in = int32(i)
		}
	}
	return in
}

// Meant returns where that is declared which a name stands for at an offset of a
// document. chain is the name with what it is a member of, as written: "s.store.Get".
// The tally is of the one call that it may be.
func (p *Project) Meant(doc, at int, chain string) ([]Place, Tally) {
	defer p.saying()()
	var tally Tally
	f, in := p.File(doc), p.Around(doc, at)
	receiver, name := cutLast(chain, ".")
	for i := range f.Decls {
		if d := &f.Decls[i]; d.NameAt == at && d.Name == name {
			return []Place{{Ref{doc, int32(i)}, d.Name, at, Exact, "declaration"}}, tally
		}
	}
	for i := range f.Calls {
		if c := &f.Calls[i]; c.At == at && c.Callee == name {
			ts, what := p.spelled(f, c)
			tally.count(what)
			var out []Place
			// An interface's method is declared once, whatever it may turn out to be.
			if slices.ContainsFunc(ts, func(t target) bool { return t.how == "dispatch" }) && receiver != "" {
				for _, r := range p.eval(f, in, at, receiver) {
					out = append(out, p.membersAt(f, r, name)...)
				}
				if len(out) > 0 {
					return uniquePlaces(out), tally
				}
			}
			for _, t := range ts {
				out = append(out, p.placed(t.ref, t.sure, t.how))
			}
			if len(out) > 0 {
				return out, tally
			}
		}
	}
	if receiver != "" {
		var out []Place
		for _, r := range p.eval(f, in, at, receiver) {
			out = append(out, p.membersAt(f, r, name)...)
		}
		return uniquePlaces(out), tally
	}
	return uniquePlaces(p.nameAt(f, in, at, name)), tally
}

// placed is the place of a declaration.
func (p *Project) placed(r Ref, sure Sure, how string) Place {
	if !p.in(r.Doc) {
		sure, how = min(sure, Likely), Variant
	}
	d := p.Decl(r)
	return Place{r, d.Name, d.NameAt, sure, how}
}

// nameAt finds the declaration or the binding of a name as seen from a place.
func (p *Project) nameAt(f *File, in int32, at int, name string) (out []Place) {
	bound := func(d int32) (out []Place) {
		best := int32(-1)
		for _, i := range f.bound[name] {
			if b := &f.Bindings[i]; b.In == d && (best < 0 || b.At <= at) && !p.assigns(f, b) {
				best = i
			}
		}
		if best >= 0 {
			out = append(out, Place{Ref{f.Doc, -1}, name, f.Bindings[best].At, Exact, "file"})
		}
		return out
	}
	for d := in; d >= 0; d = f.Decls[d].Parent {
		for _, i := range f.byName[name] {
			if f.Decls[i].Parent == d {
				out = append(out, p.placed(Ref{f.Doc, i}, Exact, "file"))
			}
		}
		if out = append(out, bound(d)...); len(out) > 0 {
			return out
		}
	}
	if out = p.topDeclared(f, name, "file"); len(out) > 0 {
		return out
	}
	for _, d := range p.declarers(f.Doc, name) {
		out = append(out, p.topDeclared(p.File(d), name, "package")...)
	}
	if len(out) > 0 {
		return out
	}
	out = bound(-1)
	for _, v := range append(p.imported(f, name), p.lookup(f, in, at, name)...) {
		switch {
		case v.kind == function, v.kind == class:
			out = append(out, p.placed(v.ref, Exact, v.how))
		case v.kind == module && len(v.docs) > 0:
			out = append(out, Place{Ref{v.docs[0], -1}, name, 0, Exact, "import"})
		}
	}
	if out == nil {
		for i := range f.Imports { // a constant or a variable that is imported from a module
			for _, n := range f.Imports[i].Names {
				if n.Local() == name {
					for _, d := range p.Import(f.Doc, &f.Imports[i]).Docs {
						for _, r := range p.File(d).topLevel(n.Name) {
							out = append(out, p.placed(r, Exact, "import"))
						}
					}
				}
			}
		}
	}
	return out
}

// membersAt finds where a member of a value is declared.
func (p *Project) membersAt(f *File, v value, name string) (out []Place) {
	sure := Exact
	if v.guess {
		sure = Likely
	}
	if v.kind == module {
		for _, d := range v.docs {
			for _, r := range p.File(d).topLevel(name) {
				out = append(out, p.placed(r, sure, "import"))
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	out = p.placesOf(p.member(f, v, name), sure, "receiver")
	if out = slices.DeleteFunc(out, func(at Place) bool { return at.Name != name }); len(out) > 0 {
		return out
	}
	return p.fieldsAt(v, name, sure)
}

// fieldsAt finds where the field of a value is declared, or what is declared in its class.
func (p *Project) fieldsAt(v value, name string, sure Sure) []Place {
	classes := p.classes(v)
	if v.kind == class {
		classes = []Ref{v.ref}
	}
	for c := range p.ancestors(classes...) {
		g := p.File(c.Doc)
		for _, key := range []string{name, "self." + name, "this." + name, "$this." + name} {
			for _, i := range g.bound[key] {
				if g.isFieldOf(&g.Bindings[i], c.Decl, key != name) {
					return []Place{{Ref{c.Doc, -1}, name, g.Bindings[i].At, sure, "receiver"}}
				}
			}
		}
		for _, i := range g.byName[name] {
			if g.Decls[i].Parent == c.Decl {
				return []Place{p.placed(Ref{c.Doc, i}, sure, "receiver")}
			}
		}
	}
	return nil
}

// isFieldOf reports whether a binding declares a field of a class: in it, in a method of it if the binding is of the
// instance, or in an enumeration of it whose members are those of the class around.
func (f *File) isFieldOf(b *corpus.Binding, of int32, ofInstance bool) bool {
	if b.In == of {
		return true
	}
	if b.In < 0 || f.Decls[b.In].Parent != of {
		return false
	}
	return ofInstance || f.Lang == "clang" && f.Decls[b.In].Kind == corpus.Enum
}

func uniquePlaces(in []Place) []Place {
	return unique(in, func(a Place) Place { return Place{Ref: a.Ref, At: a.At} })
}
