package facts

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// goMeans returns what a name in a Go file means. A file that the build leaves out is read as in
// a build that has it.
func (p *Project) goMeans(f *File, in int32, x syntax.Use) ([]Place, outcome) {
	q, variant := p, false
	if !p.in(f.Doc) {
		variant = true
		q = cmp.Or(p.sibling(f.Doc), q)
	}
	places, what := q.goMeant(f, in, x)
	if variant {
		for i := range places {
			places[i].Sure, places[i].How = min(places[i].Sure, Likely), Variant
		}
	} else {
		for _, at := range places {
			if at.Decl < 0 {
				continue
			}
			for _, r := range p.variants(at.Ref) {
				places = append(places, p.placed(r, Likely, Variant))
			}
		}
	}
	return places, what
}

func (p *Project) goMeant(f *File, in int32, x syntax.Use) ([]Place, outcome) {
	if x.Chain != "" {
		places, what := p.memberMeant(f, in, x)
		if len(places) > 0 || !x.Maybe {
			return places, what
		}
		// Only the keys of a map or a list are names alone.
		if !slices.ContainsFunc(p.classes(value{kind: instance, typ: strings.Trim(x.Chain, "{}"), ref: Ref{f.Doc, in}}), func(c Ref) bool { return p.Decl(c).Kind == corpus.Type }) {
			return nil, resolved
		}
	}
	if x.Local {
		return nil, resolved
	}
	out := slice.Map(f.topLevel(x.Name), func(r Ref) Place { return p.placed(r, Exact, "file") })
	for _, d := range p.declarers(f.Doc, x.Name) {
		for _, r := range p.File(d).topLevel(x.Name) {
			out = append(out, p.placed(r, Exact, "package"))
		}
	}
	for i := range f.Imports {
		if m := &f.Imports[i]; len(out) == 0 && len(m.Names) == 1 && m.Names[0].Name == "*" {
			out = p.offeredPlaces(p.Import(f.Doc, m).Docs, x.Name, 0)
		}
	}
	if len(out) == 0 {
		return nil, outer // of the language, or what an import calls a package
	}
	return out, resolved
}

// memberMeant returns what a member of something means.
func (p *Project) memberMeant(f *File, in int32, x syntax.Use) ([]Place, outcome) {
	if x.Chain[0] == '?' {
		return nil, unresolved
	}
	var recv []value
	if of, ok := strings.CutPrefix(x.Chain, syntax.Returned); ok && x.Label && f.Lang == "ecma" {
		recv = p.eval(f, in, x.At, f.promised(in)+of)
	} else {
		recv = p.eval(f, in, x.At, x.Chain)
	}
	if !slices.ContainsFunc(recv, func(v value) bool { return v.kind != external }) {
		recv = append(recv, p.packageOfName(f, x)...)
	}
	var out []Place
	outside := false
	for _, v := range recv {
		switch v.kind {
		case external:
			outside = true
		case module:
			out = append(out, p.offeredPlaces(v.docs, x.Name, 0)...)
		default:
			got := p.memberPlaces(f, v, x)
			if v.guess {
				got = slices.DeleteFunc(got, func(t Place) bool { return p.isTestDouble(f, in, t.Ref, x.Name) })
			}
			if len(got) == 0 && v.kind == instance && v.typ != "" && p.outside(v) {
				outside = true
			}
			out = append(out, got...)
		}
	}
	switch {
	case len(out) > 0:
		return uniquePlaces(out), resolved
	case outside:
		return nil, outer
	case len(recv) == 0 && f.Lang == "ruby" && p.foreign(f, &corpus.Call{Receiver: x.Chain, In: in, At: x.At}):
		return nil, outer
	case len(recv) > 0 && known(recv) && f.Lang == "go":
		return nil, outer // its type is known, and what embeds a library's has more than is written
	}
	return nil, unresolved
}

// promised returns the result that the function around a place declares, as a chain; "" for none.
func (f *File) promised(in int32) string {
	for ; in >= 0; in = f.Decls[in].Parent {
		if d := &f.Decls[in]; callable(d.Kind) {
			t := d.Result
			if of, ok := strings.CutPrefix(t, "Promise<"); ok && d.Traits&corpus.Async != 0 {
				t = strings.TrimSuffix(of, ">")
			}
			if t == "" {
				return ""
			}
			return "{" + t + "}"
		}
	}
	return ""
}

// memberPlaces is membersAt for a use: where methods and fields have names of their own, what is
// called is a method and what is not is a field.
func (p *Project) memberPlaces(f *File, v value, x syntax.Use) []Place {
	if x.Call || x.Path || !syntax.Has(p.Docs[f.Doc].Language, "fields-apart-from-methods") {
		return p.membersAt(f, v, x.Name)
	}
	sure := Exact
	if v.guess {
		sure = Likely
	}
	return slices.DeleteFunc(p.fieldsAt(v, x.Name, sure), func(at Place) bool { d := p.Decl(at.Ref); return d != nil && callable(d.Kind) })
}

// meansHere returns what a name in a file means, in languages whose scopes the bindings tell.
func (p *Project) meansHere(f *File, in int32, x syntax.Use) ([]Place, outcome) {
	if x.Chain == "" {
		return p.aloneMeant(f, in, x)
	}
	out, what := p.memberMeant(f, in, x)
	if len(out) == 0 && !x.Call && p.Docs[f.Doc].Language == "scala" {
		for _, t := range p.extended(f, &corpus.Call{Callee: x.Name, Receiver: x.Chain, At: x.At, In: in}) {
			out = append(out, p.placed(t.ref, t.sure, t.how))
		}
		if len(out) > 0 {
			return out, resolved
		}
	}
	if len(out) == 0 && f.Lang == "rust" && x.Path && !p.variantOf(f, in, x) { // of generic types, macros, other crates
		x.Chain = ""
		return p.aloneMeant(f, in, x)
	}
	return out, what
}

// variantOf reports whether a name behind :: is a variant of an enumeration of Rust.
func (p *Project) variantOf(f *File, in int32, x syntax.Use) bool {
	return x.Name[0] >= 'A' && x.Name[0] <= 'Z' && slices.ContainsFunc(p.eval(f, in, x.At, x.Chain), func(v value) bool {
		return v.kind == class && p.Decl(v.ref).Kind == corpus.Enum
	})
}

// declaresVariant reports whether a name in the body of an enumeration of Rust is that of a variant,
// not of a type that one holds.
func (p *Project) declaresVariant(f *File, in int32, at int, text []byte) bool {
	if f.Lang != "rust" || in < 0 || f.Decls[in].Kind != corpus.Enum || at <= f.Decls[in].Body || at > len(text) {
		return false
	}
	depth := 0
	for _, c := range text[f.Decls[in].Body:at] {
		switch c {
		case '{', '(', '[':
			depth++
		case '}', ')', ']':
			depth--
		}
	}
	before := bytes.TrimRight(text[:at], " \t\r\n")
	return depth == 1 && len(before) > 0 && bytes.IndexByte([]byte("{,]/"), before[len(before)-1]) >= 0
}

// aloneMeant returns what a name alone means: in the functions and the classes around, at the
// top of the file, by its imports, in its package, or anywhere where the language has it so.
func (p *Project) aloneMeant(f *File, in int32, x syntax.Use) (out []Place, what outcome) {
	for d := in; d >= 0; d = f.Decls[d].Parent {
		if out = p.scopeMeant(f, d, in, x); len(out) > 0 {
			return out, resolved
		}
		if c, ok := p.writtenOutOf(f, d); ok {
			if out = p.classMeant(f, c, x); len(out) > 0 {
				return out, resolved
			}
		}
		if out, what = p.importedPlaces(f, d, x.Name); len(out) > 0 || what == outer {
			return out, what
		}
	}
	if out = p.topPlaces(f, x.Name, "file"); len(out) > 0 {
		return out, resolved
	}
	if out, what = p.importedPlaces(f, -1, x.Name); len(out) > 0 || what == outer {
		return out, what
	}
	for _, d := range p.packageOf(f.Doc)[1:] {
		out = append(out, p.topPlaces(p.File(d), x.Name, "package")...)
	}
	if len(out) > 0 {
		return out, resolved
	}
	for _, v := range p.lookup(f, in, x.At, x.Name) {
		if v.kind == function || v.kind == class {
			out = append(out, p.placed(v.ref, Exact, v.how))
		}
	}
	if len(out) == 0 && f.Lang == "rust" {
		for i := range f.Imports { // what is no function and no type
			if m := &f.Imports[i]; strings.HasSuffix(m.Path, "*") {
				out = append(out, p.offeredPlaces(p.Import(f.Doc, m).Docs, x.Name, 0)...)
			}
		}
		out = uniquePlaces(out)
	}
	if len(out) == 0 && syntax.Has(f.Lang, "global-names") {
		for _, r := range p.declared(f.Doc, x.Name) {
			if g := p.File(r.Doc); g.outer(g.Decls[r.Decl].Parent) && g.Decls[r.Decl].Kind != corpus.Section {
				out = append(out, p.placed(r, Likely, "global"))
			}
		}
	}
	if len(out) > 0 {
		return out, resolved
	}
	return nil, unresolved
}

// classMeant returns what a name means as a member of a class around it. In C++ the class's own
// name means the class, where it constructs nothing.
func (p *Project) classMeant(f *File, c Ref, x syntax.Use) []Place {
	if f.Lang == "clang" && x.Name == p.Decl(c).Name && !x.Call {
		return []Place{p.placed(c, Exact, "file")}
	}
	out := p.memberPlaces(f, value{kind: class, ref: c}, x)
	if f.Lang == "clang" && !x.Call {
		for i := range out { // of a base
			d := p.Decl(out[i].Ref)
			if d == nil || !callable(d.Kind) || memberScope(d) != x.Name {
				continue
			}
			if of, ok := p.classAround(p.File(out[i].Doc), out[i].Decl); ok {
				out[i] = p.placed(of, out[i].Sure, out[i].How)
			}
		}
		out = uniquePlaces(out)
	}
	return out
}

// scopeMeant looks into one declaration around a name.
func (p *Project) scopeMeant(f *File, d, in int32, x syntax.Use) (out []Place) {
	if classLike(f.Decls[d].Kind) {
		if syntax.Has(f.Lang, "implicit-members") {
			return p.classMeant(f, Ref{f.Doc, d}, x)
		} else if d != in {
			return nil // a class is no scope for its methods
		}
	}
	for _, i := range f.byName[x.Name] {
		if f.Decls[i].Parent == d && !f.ended(d, x.Name, f.Decls[i].NameAt, x.At) {
			out = append(out, p.placed(Ref{f.Doc, i}, Exact, "file"))
		}
	}
	if len(out) > 0 {
		return out
	}
	if f.Lang == "rust" && f.Decls[d].Kind == corpus.Enum {
		return nil // the types that variants hold are no variants
	}
	best := int32(-1)
	for _, i := range f.bound[x.Name] {
		b := &f.Bindings[i]
		isLater := best >= 0 && b.At > x.At
		if b.In != d || isLater || f.ended(d, x.Name, b.At, x.At) {
			continue
		}
		if !p.assigns(f, b) {
			best = i
			if classLike(f.Decls[d].Kind) {
				break // a field is where it is first
			}
		}
	}
	if best >= 0 {
		return []Place{{Ref{f.Doc, -1}, x.Name, f.Bindings[best].At, Exact, "file"}}
	}
	return nil
}

// assigns reports whether a binding gives a value to what is declared elsewhere, in a language where
// an assignment declares nothing: it begins a statement, and the sign = follows.
func (p *Project) assigns(f *File, b *corpus.Binding) bool {
	switch f.Lang {
	case "clang", "ecma", "jvm", "csharp", "swift", "rust", "zig":
	default:
		return false
	}
	text := p.src.Text(f.Doc, nil)
	if b.Param > 0 || b.At+len(b.Name) > len(text) {
		return false
	}
	after := bytes.TrimLeft(text[b.At+len(b.Name):], " \t")
	if len(after) < 2 || after[0] != '=' || after[1] == '=' || after[1] == '>' {
		return false
	}
	line := bytes.TrimRight(text[:b.At], " \t")
	if len(line) > 0 && bytes.IndexByte([]byte("\n;{})"), line[len(line)-1]) < 0 {
		return false
	}
	before := bytes.TrimRight(line, " \t\r\n")
	return len(before) == 0 || before[len(before)-1] != ','
}

// topDeclared returns the declarations of a name at the top of a file.
func (p *Project) topDeclared(f *File, name, how string) (out []Place) {
	for _, r := range f.topLevel(name) {
		if f.Decls[r.Decl].Kind != corpus.Section {
			out = append(out, p.placed(r, Exact, how))
		}
	}
	return out
}

// placesOf returns the functions and classes among some values.
func (p *Project) placesOf(vs []value, sure Sure, how string) (out []Place) {
	for _, v := range vs {
		if v.kind == function || v.kind == class {
			out = append(out, p.placed(v.ref, sure, how))
		}
	}
	return out
}

// topPlaces returns what a file has under a name at its top.
func (p *Project) topPlaces(f *File, name, how string) (out []Place) {
	if out = p.topDeclared(f, name, how); len(out) > 0 {
		return out
	}
	for _, i := range f.bound[name] {
		if f.Bindings[i].In < 0 || p.loose(f, f.fieldOf(i)) {
			return []Place{{Ref{f.Doc, -1}, name, f.Bindings[i].At, Exact, how}}
		}
	}
	return nil
}

// loose reports whether the members of a type, -1 for none, are seen by their names alone where the
// type is: those of an enum of C and, as the fields are, the constructors of Haskell.
func (p *Project) loose(f *File, class int32) bool {
	if class < 0 {
		return false
	}
	d := &f.Decls[class]
	return f.Lang == "haskell" || f.Lang == "clang" && d.Kind == corpus.Enum && f.outer(d.Parent)
}

// chosen reports whether a name may be t as a member of an enumeration that is not written before it:
// .name of Swift and Zig, and a name alone where those are seen so, or may be imported.
func (u *usage) chosen(f *File, x syntax.Use, t Place) bool {
	if t.Decl >= 0 || x.Write {
		return false
	}
	g := u.File(t.Doc)
	c := u.Class(t.Doc, t.At)
	if c < 0 || g.Decls[c].Kind != corpus.Enum && g.Lang != "haskell" {
		return false
	}
	return x.Implicit || x.Chain == "" && (u.loose(g, c) || g.Lang == "rust" && f.importsThrough(g.Decls[c].Name))
}

// maxOffers bounds how often a name is passed on from file to file.
const maxOffers = 8

// offeredPlaces returns where that is declared which files offer under a name, of any kind.
func (p *Project) offeredPlaces(docs []int, name string, depth int) (out []Place) {
	for _, d := range docs {
		f := p.File(d)
		out = append(out, p.topPlaces(f, cmp.Or(f.offeredAs(name), name), "import")...)
	}
	if len(out) > 0 || depth == maxOffers {
		return out
	}
	for _, d := range docs {
		f := p.File(d)
		for i := range f.Imports {
			m := &f.Imports[i]
			again, some := m.Kind&corpus.Reexport != 0, m.Kind&corpus.Offers != 0
			if !again && !some && (f.Lang == "ecma" || f.Lang == "haskell") {
				continue // what it imports it does not offer
			}
			for _, n := range m.Names {
				if n.Local() == name && n.Name != "*" {
					out = append(out, p.offeredPlaces(p.Import(d, m).Docs, n.Name, depth+1)...)
				} else if n.Name == "*" && n.Alias == "" && (again || some || f.Lang == "python") {
					from := len(out)
					out = append(out, p.offeredPlaces(p.Import(d, m).Docs, name, depth+1)...)
					for i := from; i < len(out) && some && !again; i++ {
						out[i].Sure = min(out[i].Sure, Likely) // another import of all names may have it too
					}
				}
			}
		}
		if len(out) > 0 {
			return uniquePlaces(out)
		}
	}
	for _, v := range p.exported(docs, name) {
		switch {
		case v.kind == function, v.kind == class:
			sure := Exact
			if v.guess {
				sure = Likely
			}
			out = append(out, p.placed(v.ref, sure, "import"))
		case v.kind == module && len(v.docs) > 0:
			out = append(out, Place{Ref{v.docs[0], -1}, name, -1, Exact, "import"})
		}
	}
	return uniquePlaces(out)
}
