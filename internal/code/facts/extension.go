package facts

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// maxExtensions is of how many functions a name still says which.
const maxExtensions = 8

// extended returns the functions that a call in Kotlin, C# or Scala may run as if they were members of
// a type that the project does not declare, or that is not known: extension functions of that
// name that the file sees. Where a class has a method of the name too it may as well be meant,
// and nothing is returned.
func (p *Project) extended(f *File, c *corpus.Call) []target {
	language := p.Docs[f.Doc].Language
	if language != "kotlin" && language != "csharp" && language != "scala" || c.Callee == corpus.Unnamed {
		return nil
	}
	if c.Receiver == "" {
		return p.extendedHere(f, c, language)
	}
	var classes []Ref
	library := false // the receiver is of a type that the project does not declare
	for _, v := range p.eval(f, c.In, c.At, c.Receiver) {
		of := p.classes(v)
		classes = append(classes, of...)
		library = library || len(of) == 0 && v.kind == instance && v.typ != "" && p.outside(v)
	}
	named := f.importsByName(c.Callee)
	found := p.extensions(f, language, c.Callee, named || library || len(classes) > 0)
	isCommon := syntax.Lists("any", "everyday", c.Callee) || syntax.Lists("any", "library-names", c.Callee)
	if isCommon && len(classes) == 0 && !named && !p.ofAll(found, language) {
		return nil // the library's types have it too
	}
	var out []target
	for _, r := range found {
		d := p.Decl(r)
		if len(classes) > 0 && !slices.ContainsFunc(classes, func(class Ref) bool { return p.mayBe(class, r, language) }) {
			continue
		}
		n := int(c.Args)
		if language == "csharp" && n >= 0 {
			n++ // the receiver is written before the name
		}
		if n < 0 || p.takes(r, n) || language == "kotlin" && takes(d, n+1) { // a function behind the brackets may not be counted
			out = append(out, target{r, Likely, "extension"})
		}
	}
	if len(out) > maxExtensions {
		return nil
	}
	return out
}

// addedTo returns the functions of a name that the project adds to a type which it does not declare.
func (p *Project) addedTo(f *File, v value, name string) (out []value) {
	t := p.bareOf(v)
	t = upTo(t, "<[(")
	if _, t = cutLast(t, "."); t == "" {
		return nil
	}
	refs := p.declared(f.Doc, name)
	if f.Lang == "clang" { // a category is declared and implemented
		refs = p.definitions(refs)
	}
	for _, r := range refs {
		d := p.Decl(r)
		_, of := cutLast(d.Scope, ".")
		isAdded := d.Parent < 0 || p.isOpen(Ref{r.Doc, d.Parent})
		isOfType := of != "" && (of == t || of == strings.ToUpper(t[:1])+t[1:] && !typeParameter(of))
		if isOfType && isAdded && callable(d.Kind) && d.Traits&corpus.Extension == 0 {
			out = append(out, value{kind: function, ref: r, how: "extension", guess: true})
		}
	}
	return out
}

// isOpen reports whether a declaration stands for a type that is not it: an extension, a function that makes the type, or an
// interface by the name of one of a library, whose implementers are those of that one too.
func (p *Project) isOpen(r Ref) bool {
	d := p.Decl(r)
	return d.Traits&corpus.Extension != 0 || callable(d.Kind) || d.Kind == corpus.Interface
}

// importsByName reports whether a file of Kotlin imports something by its own name: not for a member of a class.
func (f *File) importsByName(name string) bool {
	return f.Lang == "jvm" && slices.ContainsFunc(f.Imports, func(m corpus.Import) bool {
		return m.Alias == "" && m.Kind&corpus.Member == 0 && len(m.Path) > len(name) && strings.HasSuffix(m.Path, name) && m.Path[len(m.Path)-len(name)-1] == '.'
	})
}

// ofAll reports whether extension functions of Scala are for values of any type.
func (p *Project) ofAll(of []Ref, language string) bool {
	return language == "scala" && !slices.ContainsFunc(of, func(r Ref) bool { return !typeParameter(extendedType(p.Decl(r), nil, language)) })
}

// besides adds to the methods that a call in C# may mean the extension functions of that name: which is meant the
// arguments say, whose types are not weighed.
func (p *Project) besides(f *File, c *corpus.Call, ts []target) []target {
	if p.Docs[f.Doc].Language != "csharp" || c.Receiver == "" || len(ts) == 0 || p.Decl(ts[0].ref).Kind != corpus.Method || p.Decl(ts[0].ref).Traits&corpus.Extension != 0 {
		return ts
	}
	found := p.extensions(f, "csharp", c.Callee, true)
	if len(found) == 0 {
		return ts
	}
	out := slices.Clone(ts)
	for _, v := range p.eval(f, c.In, c.At, c.Receiver) {
		for _, class := range p.classes(v) {
			for _, r := range found {
				if v.kind == instance && p.mayBe(class, r, "csharp") && (c.Args < 0 || takes(p.Decl(r), int(c.Args)+1)) {
					out = append(out, target{r, Likely, "extension"})
				}
			}
		}
	}
	if out = uniqueTargets(out); len(out) == len(ts) || len(out) > maxOverloads {
		return ts
	}
	for i := range out {
		out[i].sure = min(out[i].sure, Likely)
	}
	return out
}

// extendedHere returns the extension functions that a call without a receiver may run in an extension function of the
// same type.
func (p *Project) extendedHere(f *File, c *corpus.Call, language string) (out []target) {
	if language != "kotlin" {
		return nil
	}
	in := c.In
	for in >= 0 && !(callable(f.Decls[in].Kind) && f.Decls[in].Traits&corpus.Extension != 0) {
		in = f.Decls[in].Parent
	}
	if in < 0 {
		return p.inBlock(f, c)
	}
	of := extendedType(&f.Decls[in], nil, language)
	for _, r := range p.extensions(f, language, c.Callee, true) {
		d := p.Decl(r)
		if n := int(c.Args); extendedType(d, nil, language) == of && (n < 0 || takes(d, n) || takes(d, n+1)) {
			out = append(out, target{r, Likely, "extension"})
		}
	}
	if len(out) == 0 {
		return p.inBlock(f, c)
	}
	return out
}

// maxBuilders is of how many functions of one name a block in Kotlin still says which.
const maxBuilders = 32

// inBlock returns the extension functions that a call without a receiver may run in a block that has one, as what a
// function that builds is given: those of that name that the file sees, for one type.
func (p *Project) inBlock(f *File, c *corpus.Call) (out []target) {
	for _, r := range p.extensions(f, "kotlin", c.Callee, true) {
		d := p.Decl(r)
		if n := int(c.Args); n < 0 || takes(d, n) || takes(d, n+1) {
			if len(out) > 0 && extendedType(p.Decl(out[0].ref), nil, "kotlin") != extendedType(d, nil, "kotlin") {
				return nil
			}
			out = append(out, target{r, Likely, "extension"})
		}
	}
	if len(out) > maxBuilders {
		return nil
	}
	return out
}

// extensions returns the extension functions of a name that a file sees, none where a method of
// the name could be meant, unless no method can be.
func (p *Project) extensions(f *File, language, name string, alone bool) (out []Ref) {
	var unseen []Ref // by a using that holds for the whole of a project of C#, perhaps
	for _, doc := range p.src.Keyed(Key(Declared, name)) {
		if p.Docs[doc].Language != language && !(language == "kotlin" && p.Docs[doc].Language == "java") {
			continue
		}
		g := p.File(doc)
		for _, i := range g.byName[name] {
			switch d := &g.Decls[i]; {
			case !callable(d.Kind) || d.Traits&corpus.Accessor != 0:
			case d.Traits&corpus.Extension == 0:
				if !alone && d.Parent >= 0 && classLike(g.Decls[d.Parent].Kind) && (language != "scala" || p.sees(f, g, d)) {
					return nil
				}
			case p.sees(f, g, d):
				out = append(out, Ref{doc, i})
			case language == "csharp" && telling(name):
				unseen = append(unseen, Ref{doc, i})
			}
		}
	}
	if len(out) == 0 && len(unseen) <= maxOverloads {
		return unseen
	}
	return out
}

// sees reports whether a file sees the extensions that another one declares: those of its own
// package or namespace, or of one that it imports.
func (p *Project) sees(f, g *File, d *corpus.Decl) bool {
	space, name := g.Module, d.Name
	if p.Docs[g.Doc].Language == "csharp" {
		space = p.namespaceOf(g, d)
		if own := p.spaces(f); slices.ContainsFunc(own, func(s string) bool { return s == space || strings.HasPrefix(s, space+".") }) || space == "" {
			return true
		}
	} else if f.Module == space || p.Docs[g.Doc].Language == "scala" && (space == "" || strings.HasPrefix(f.Module, space+".")) {
		return true
	}
	for i := range f.Imports {
		switch m := &f.Imports[i]; {
		case p.Docs[g.Doc].Language == "scala":
			if of, last := cutLast(m.Path, "."); (last == "*" || last == "_" || last == name || last == "given" || d.Parent >= 0 && last == g.Decls[d.Parent].Name) && (of == space || strings.HasPrefix(of, space+".")) {
				return true
			}
		case p.Docs[g.Doc].Language == "csharp" && (m.Path == space || strings.HasSuffix(space, "."+m.Path) && meet(p.Import(f.Doc, m).Docs, []int{g.Doc})), m.Path == space+"."+name, m.Path == space+".*":
			return true
		}
	}
	return false
}

// namespaceOf returns the namespace that a static class of extensions is in.
func (p *Project) namespaceOf(g *File, d *corpus.Decl) string {
	outer := d
	for outer.Parent >= 0 && classLike(g.Decls[outer.Parent].Kind) {
		outer = &g.Decls[outer.Parent]
	}
	return cmp.Or(outer.Scope, g.Module)
}

// spaces returns the namespaces that a file of C# declares things in.
func (p *Project) spaces(f *File) []string {
	out := []string{f.Module}
	for i := range f.Decls {
		if d := &f.Decls[i]; classLike(d.Kind) && d.Scope != "" {
			out = append(out, d.Scope)
		}
	}
	return out
}

// extendedType returns the name of the type that an extension function is for.
func extendedType(d, around *corpus.Decl, language string) string {
	t := d.Scope
	if language == "scala" && around != nil && len(around.Params) > 0 { // of an implicit class
		t = typeBehind(around.Params[0])
	}
	if language == "csharp" {
		if len(d.Params) == 0 {
			return ""
		}
		t = strings.TrimPrefix(strings.TrimSpace(d.Params[0]), "this ")
		if i := strings.LastIndexByte(t, ' '); i > 0 {
			t = t[:i]
		}
	}
	if _, t = cutLast(supertype(t, language), "."); t == "string" {
		return "String"
	}
	return t
}

// mayBe reports whether an instance of a class goes where an extension function wants its receiver.
func (p *Project) mayBe(class, function Ref, language string) bool {
	d := p.Decl(function)
	t := extendedType(d, p.Decl(Ref{function.Doc, d.Parent}), language)
	return t == "Any" || t == "object" || p.isA(class, function, t) != fitsNot
}
