package facts

import (
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// constructorAround resolves super(…) and this(…).
func (p *Project) constructorAround(f *File, c *corpus.Call) ([]target, outcome) {
	cls, ok := p.classAround(f, c.In)
	if !ok {
		return nil, unresolved
	}
	if c.Callee == "this" {
		return p.targets(f, c, []value{{kind: class, ref: cls}})
	}
	var vs []value
	for _, b := range p.bases(cls) {
		if d := p.Decl(b); d.Kind != corpus.Interface && d.Kind != corpus.Trait {
			vs = append(vs, value{kind: class, ref: b})
		}
	}
	if len(vs) == 0 {
		return nil, outer
	}
	return p.targets(f, c, vs)
}

// superAround resolves a bare super of Ruby: the method around, of the modules that its class includes, the last one first, or of the
// class that it extends. What follows a module is known by its name alone. Methods of a class and of its objects do not call each other so.
func (p *Project) superAround(f *File, c *corpus.Call) ([]target, outcome) {
	cls, ok := p.classAround(f, c.In)
	if !ok || p.Decl(cls).Kind == corpus.Module {
		ts, what := p.byName(f, c)
		return slices.DeleteFunc(slices.Clone(ts), func(t target) bool { return t.ref == Ref{f.Doc, c.In} }), what
	}
	sure, isStatic := Exact, f.Decls[c.In].Traits&corpus.Static != 0
	var included, extended []value
	for _, b := range p.basesOf(cls) {
		switch {
		case b.kind == external:
			sure = Likely // because it may have the method, and come first
		case p.Decl(b.ref).Kind != corpus.Module:
			extended = append(extended, b)
		case !isStatic:
			included = append(included, b)
		}
	}
	slices.Reverse(included)
	for _, b := range append(included, extended...) {
		var out []target
		for _, v := range p.memberOf(b.ref, c.Callee, 0) {
			if v.kind == function && (p.Decl(v.ref).Traits&corpus.Static != 0) == isStatic {
				out = append(out, target{v.ref, sure, "inherited"})
			}
		}
		if len(out) > 0 {
			return out, resolved
		}
	}
	if sure == Likely {
		return nil, outer
	}
	return nil, unresolved
}

// constructors returns the names of the methods that make an instance of a class.
func constructors(lang, class string) []string {
	names := slices.Clone(syntax.Words(lang, "constructors"))
	for i := range names {
		if names[i] == "CLASS" {
			names[i] = class
		}
	}
	if len(names) == 0 {
		return []string{class}
	}
	return names
}

// constructor returns what makes an instance of a class: its constructor, one that
// it inherits, or where nothing is written the class itself.
func (p *Project) constructor(c *corpus.Call, v value) (out []target) {
	f := p.File(v.ref.Doc)
	d := &f.Decls[v.ref.Decl]
	switch d.Kind {
	case corpus.Module, corpus.Interface, corpus.Trait, corpus.Type:
		return nil // made by nobody, or as an unnamed class
	}
	if m, ok := p.maker(f.Lang, v.ref); ok {
		for _, r := range m {
			out = append(out, target{r, Exact, v.how})
		}
		return out
	}
	return []target{{v.ref, Exact, v.how}}
}

// maker returns the constructors of a class, or of the nearest of its bases that
// has any, where the language hands them down.
func (p *Project) maker(lang string, of Ref) (out []Ref, ok bool) {
	for c := range p.ancestors(of) {
		name := p.Decl(c).Name
		for _, n := range constructors(lang, name) {
			for _, m := range p.ownMember(c, n) {
				if m.kind == function && (p.Decl(m.ref).Traits&corpus.Constructor != 0 || n != name) {
					out = append(out, m.ref)
				}
			}
			if len(out) > 0 {
				return out, true
			}
		}
		if !syntax.Has(lang, "constructors-inherited") {
			break
		}
	}
	return nil, false
}
