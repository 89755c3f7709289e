package facts

import (
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A Namesake is a place where code has the name of something that is asked about.
type Namesake struct {
	Of       []Place // its meanings, as far as they are known
	Declares bool    // it is the name of a declaration, Of
	Local    bool    // it stands for a local variable or a parameter
	Outside  bool    // it stands for something of a library or of the language
	Related  *Place  // the one of Of that runs in place of the declaration which is asked about, or the other way round; nil if none is known to
	Over     *Place  // the member of a base that Related overrides, as does the declaration that is asked about
}

// Namesakes finds the places that have the names of some declarations.
type Namesakes struct {
	u       *usage
	related map[spot]bool
	// siblings override the same member of a base as the one that is asked about. Only their declarations are related to it.
	siblings map[spot]Place
}

// Namesakes returns a reader of the places that have the name of some declarations.
func (p *Project) Namesakes(of []Place) *Namesakes {
	n := &Namesakes{u: p.search(of), related: map[spot]bool{}, siblings: map[spot]Place{}}
	for _, t := range of {
		n.u.names[lastName(t.Name)] = true
		n.addRelated(t)
	}
	for _, t := range of {
		delete(n.related, spot{t.Doc, t.At})
		delete(n.siblings, spot{t.Doc, t.At})
	}
	return n
}

// lastName is the part of a name behind its last dot: that of a module of Elixir.
func lastName(name string) string {
	_, last := cutLast(name, ".")
	return last
}

// addRelated adds the members that a member takes the place of, and those that take its place.
func (n *Namesakes) addRelated(t Place) {
	p, f, d := n.u.Project, n.u.File(t.Doc), n.u.Decl(t.Ref)
	var of Ref
	switch {
	case d == nil: // a field, or a member of an interface
		of = Ref{t.Doc, p.Class(t.Doc, t.At)}
	case d.Kind != corpus.Method:
		return
	case syntax.Has(f.Lang, "implicit-interfaces"):
		n.addGoRelated(t.Ref)
		return
	default:
		if c, ok := p.memberClass(f, t.Ref); ok {
			of = c
		} else {
			return
		}
	}
	if of.Decl < 0 || d != nil && constructs(d) {
		return
	}
	above := slices.Collect(p.ancestors(p.bases(of)...))
	below := slices.Clip(p.descendants(of))
	for _, c := range slices.Concat(above, below) {
		n.relate(n.membersLike(t, c)...)
	}
	var bases []Ref // that declare the member, as do others below them
	for _, c := range above {
		if own := n.membersLike(t, c); len(own) > 0 {
			bases = append(bases, c)
			for _, d := range p.descendants(c) {
				if d != of {
					n.addSiblings(own[0], n.membersLike(t, d))
				}
			}
		}
	}
	below = append(below, of)
	mention := p.src.Mentioning(lastName(t.Name))
	for _, a := range p.Anonymous(append(below, bases...), func(doc int) bool { return slices.Contains(mention, doc) }) {
		for _, m := range p.MethodsOf(a, t.Name) {
			switch own := []Place{p.placed(m, Exact, "declaration")}; {
			case !p.MayOverride(m, t.Ref):
			case slices.Contains(below, a.Of):
				n.relate(own...)
			default:
				n.addSiblings(n.membersLike(t, a.Of)[0], own)
			}
		}
	}
}

// membersLike returns the methods and the fields of the name of a member that another class declares, if it can override that member
// or be overridden by it.
func (n *Namesakes) membersLike(t Place, c Ref) (out []Place) {
	for _, r := range n.u.OwnMethods(c, t.Name) {
		if n.u.MayOverride(r, t.Ref) {
			out = append(out, n.u.placed(r, Exact, "declaration"))
		}
	}
	f := n.u.File(c.Doc)
	for _, b := range n.u.fieldsIn(f, t.Name) {
		if f.fieldOf(b) == c.Decl {
			out = append(out, Place{Ref{c.Doc, -1}, t.Name, f.Bindings[b].At, Exact, "declaration"})
		}
	}
	return out
}

func (n *Namesakes) relate(all ...Place) {
	for _, t := range all {
		n.related[spot{t.Doc, t.At}] = true
	}
}

// addSiblings adds members that override the same one of a base as the one that is asked about.
func (n *Namesakes) addSiblings(base Place, all []Place) {
	for _, t := range all {
		n.siblings[spot{t.Doc, t.At}] = base
	}
}

// addGoRelated adds the methods of the interfaces that have a method, and those that implement these too, or those that implement it.
func (n *Namesakes) addGoRelated(r Ref) {
	p, d := n.u.Project, n.u.Decl(r)
	implementing := func(m Ref) []Place {
		return slice.Map(p.implementers(Ref{m.Doc, p.Decl(m).Parent}, m), func(r Ref) Place { return p.placed(r, Exact, "declaration") })
	}
	if d.Traits&corpus.Abstract != 0 && d.Parent >= 0 {
		n.relate(implementing(r)...)
		return
	}
	c, ok := p.classNamed(p.File(r.Doc), -1, memberScope(d))
	if !ok {
		return
	}
	for _, m := range p.declared(r.Doc, d.Name) {
		if e := p.Decl(m); e.Traits&corpus.Abstract != 0 && e.Kind == corpus.Method && e.Parent >= 0 {
			if _, has := p.satisfies(c, Ref{m.Doc, e.Parent}); has {
				base := p.placed(m, Exact, "declaration")
				n.relate(base)
				n.addSiblings(base, implementing(m))
			}
		}
	}
}

// In returns, by their offsets, the places of a document where code has one of the names. Other places are in
// comments, in strings or in documents whose code is not read.
func (n *Namesakes) In(doc int, text []byte, read *syntax.Text) map[int]Namesake {
	u, out := n.u, map[int]Namesake{}
	f := u.File(doc)
	for i := range f.Decls {
		if d := &f.Decls[i]; u.names[lastName(d.Name)] {
			out[d.NameAt] = n.named(Namesake{Of: []Place{u.placed(Ref{doc, int32(i)}, Exact, "declaration")}, Declares: true})
		}
	}
	n.addFields(f, text, out)
	calls := map[int]*corpus.Call{}
	for i := range f.Calls {
		if c := &f.Calls[i]; u.names[unspaced(c.Callee)] {
			calls[c.At] = c
		}
	}
	skip := u.declaringIn(f, text)
	for _, x := range read.Uses(func(name []byte) bool { return u.names[string(name)] }) {
		if _, known := out[x.At]; known && !x.Maybe {
			continue
		}
		in := u.Around(doc, x.At)
		m := u.calledAt(f, calls[x.At])
		if m == nil {
			used, _ := u.meaningOf(f, in, &x, text, skip)
			m = &used
		}
		local := len(m.places) == 0 && m.what == resolved && x.Local
		outside := len(m.places) == 0 && m.what == outer && n.isOutside(f, in, &x)
		out[x.At] = n.named(Namesake{Of: m.places, Local: local, Outside: outside})
	}
	return out
}

// calledAt returns the meaning of a name that is called, nil if none is known.
func (u *usage) calledAt(f *File, call *corpus.Call) *meaning {
	if call == nil {
		return nil
	}
	targets, what := u.worded(f, call)
	if len(targets) == 0 && what != outer {
		return nil
	}
	m := &meaning{what: what}
	for _, t := range targets {
		m.places = append(m.places, u.placed(t.ref, t.sure, t.how))
	}
	return m
}

// isOutside reports whether a name is that of a library for sure: its receiver is known to be one's, or an import says so. A name
// that nothing is known of may be declared here all the same.
func (n *Namesakes) isOutside(f *File, in int32, x *syntax.Use) bool {
	p := n.u.Project
	if x.Chain == "" {
		for i := range f.Imports {
			m := &f.Imports[i]
			for _, named := range m.Names {
				if named.Local() == x.Name && len(p.Import(f.Doc, m).Docs) == 0 {
					return true
				}
			}
		}
		return false
	}
	recv := p.eval(f, in, x.At, x.Chain)
	return len(recv) > 0 && !slices.ContainsFunc(recv, func(v value) bool {
		switch {
		case v.guess || v.how == unproven || isOpenType(v.typ):
			return true
		case v.kind == external:
			return v.how == fromCall && syntax.Has(p.Docs[f.Doc].Language, "generic-results")
		}
		return v.kind != instance || v.typ == "" || !p.outside(v)
	})
}

// addFields adds the fields of the names that a file declares.
func (n *Namesakes) addFields(f *File, text []byte, out map[int]Namesake) {
	for name := range n.u.names {
		for _, b := range n.u.fieldsIn(f, name) {
			at := f.Bindings[b].At
			if at < 0 || at > len(text) {
				continue
			}
			for i := range syntax.FindNames(text[at:min(len(text), at+len(name)+20)], []string{name}, false) { // self.name
				if _, known := out[at+i]; !known {
					out[at+i] = n.named(Namesake{Of: []Place{{Ref{f.Doc, -1}, name, at, Exact, "declaration"}}, Declares: true})
				}
				break
			}
		}
	}
}

// named completes the meaning of a name.
func (n *Namesakes) named(x Namesake) Namesake {
	for i := range x.Of {
		if t := &x.Of[i]; x.Related == nil && n.related[spot{t.Doc, t.At}] && t.IsKnown() {
			x.Related = t
		} else if over, ok := n.siblings[spot{t.Doc, t.At}]; ok && x.Related == nil && x.Declares {
			x.Related, x.Over = t, &over
		}
	}
	x.Local = x.Local || len(x.Of) > 0 && !slices.ContainsFunc(x.Of, func(t Place) bool { return !n.isLocal(t) })
	return x
}

// isLocal reports whether a place is that of a local variable or a parameter.
func (n *Namesakes) isLocal(t Place) bool {
	if t.Decl >= 0 {
		return false
	}
	f := n.u.File(t.Doc)
	for i := range f.Bindings {
		if b := &f.Bindings[i]; b.At == t.At {
			return b.In >= 0 && f.fieldOf(int32(i)) < 0
		}
	}
	return false
}
