package facts

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// Unnamed is how an anonymous class, or an object literal with a written type, is related to its base.
const Unnamed = "anonymous"

// Anonymous returns the anonymous classes that name one of some types as a base, in the documents that look accepts.
func (p *Project) Anonymous(of []Ref, look func(doc int) bool) (out []Relation) {
	var places []Place
	var names []string
	for _, r := range of {
		places = append(places, p.placed(r, Exact, "declaration"))
		names = append(names, lastName(p.Decl(r).Name))
	}
	n := p.Namesakes(places)
	for _, doc := range p.src.Mentioning(names...) {
		d := &p.Docs[doc]
		if !syntax.Has(d.Language, "anonymous-classes") || !look(doc) {
			continue
		}
		text := p.src.Text(doc, nil)
		classes := syntax.Anonymous(d.Path, d.Language, text, names)
		if len(classes) == 0 {
			continue
		}
		read := syntax.Read(d.Path, d.Language, text)
		meanings := n.In(doc, text, read)
		read.Release()
		for _, c := range classes {
			in := Ref{doc, p.Around(doc, c.At)}
			if around := p.Decl(in); around != nil && classLike(around.Kind) && c.At < around.Body {
				continue // it has a name
			}
			is := func(t Place) bool { return slices.Contains(of, t.Ref) && t.Sure > NameOnly }
			if i := slices.IndexFunc(meanings[c.At].Of, is); i >= 0 {
				t := meanings[c.At].Of[i]
				out = append(out, Relation{Type: in, Of: t.Ref, Sure: t.Sure, How: Unnamed, At: c.At, Body: c.Body})
			}
		}
	}
	return out
}

// MethodsOf returns the methods of a name that a related type declares itself.
func (p *Project) MethodsOf(r Relation, name string) (out []Ref) {
	if r.How != Unnamed {
		return p.OwnMethods(r.Type, name)
	}
	f := p.File(r.Type.Doc)
	for _, i := range f.byName[name] {
		if d := &f.Decls[i]; d.Kind == corpus.Method && d.Parent == r.Type.Decl && d.NameAt > r.Body.Start && d.NameAt < r.Body.End {
			out = append(out, Ref{r.Type.Doc, i})
		}
	}
	return out
}

// MayOverride reports whether a method may take the place of another one by its parameters: in a language with overloads they are as
// many, and none is known to be of another type.
func (p *Project) MayOverride(r, of Ref) bool {
	d, o := p.Decl(r), p.Decl(of)
	if d == nil || o == nil || !syntax.Has(p.Docs[r.Doc].Language, "overloads") || !syntax.Has(p.Docs[of.Doc].Language, "overloads") {
		return true
	}
	return slices.EqualFunc(d.Params, o.Params, func(a, b string) bool {
		is, was := p.fixedType(r, a), p.fixedType(of, b)
		return is == was || is == "" || was == ""
	})
}

// fixedType returns the type of a parameter as far as it is known to be no other: one of the language, or the one of the project
// that has the name. Arrays and their spellings are not compared.
func (p *Project) fixedType(r Ref, param string) string {
	param, _, _ = strings.Cut(param, " = ")
	t, n := dimensions(cmp.Or(typeBehind(param), parameterType(param)))
	switch _, last := cutLast(t, "."); {
	case strings.Contains(param, "*"):
		return "*" // a pointer is no number
	case n == 0 && syntax.Lists(p.Docs[r.Doc].Language, "fixed-types", last):
		return last
	}
	if of := p.classes(value{kind: instance, typ: t, ref: r}); n == 0 && len(of) == 1 {
		return p.Docs[of[0].Doc].Path + ":" + p.Decl(of[0]).Qualified()
	}
	return ""
}
