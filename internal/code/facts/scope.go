package facts

import (
	"math"
	"slices"
	"strconv"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// lookup returns what a name stands for at a place, nil where nothing of the
// project and no import has it.
func (p *Project) lookup(f *File, in int32, at int, name string) []value {
	got := p.lookupAt(f, in, at, name)
	if len(got) == 0 && f.bound[corpus.BlockMark+name] != nil {
		return p.lookupAt(f, in, inAnyBlock, name) // it may be known behind its block, as a var is
	}
	return got
}

// inAnyBlock is a place for which all blocks are open.
const inAnyBlock = -1

// ended reports whether a name is declared, at an offset in a declaration, in a block that a place is not in.
func (f *File) ended(d int32, name string, bound, at int) bool {
	if at == inAnyBlock {
		return false
	}
	for _, i := range f.bound[corpus.BlockMark+name] {
		b := &f.Bindings[i]
		length, _ := strconv.Atoi(b.Value)
		if within := func(x int) bool { return b.At <= x && x < b.At+length }; b.In == d && within(bound) && !within(at) {
			return true
		}
	}
	return false
}

func (p *Project) lookupAt(f *File, in int32, at int, name string) []value {
	if got, ok := p.own(f, in, name); ok {
		return got
	}
	if qualified(f.Lang, name) {
		return p.inNamespace(f, name)
	}
	var outside []value
	for d := in; d >= 0; d = f.Decls[d].Parent {
		if got := p.local(f, d, in, at, name); got != nil {
			if classLike(f.Decls[d].Kind) && !slices.ContainsFunc(got, func(v value) bool { return v.kind != external }) {
				outside = got // a base that is not known may have it; what is seen has it rather
				continue
			}
			return got
		}
		if c, ok := p.writtenOutOf(f, d); ok {
			if got := p.memberOf(c, name, 0); len(got) > 0 {
				return p.injected(f, got, name)
			}
		}
		if got := p.importedIn(f, d, name); len(got) > 0 {
			return got
		}
	}
	if got := p.inNearestSpace(f, in, p.global(f, at, name)); len(got) > 0 {
		return got
	}
	return outside
}

// uncovered is lookup for what is called, where a variable of that name does not hide it.
func (p *Project) uncovered(f *File, c *corpus.Call) (out []value) {
	for d := c.In; d >= 0; d = f.Decls[d].Parent {
		for _, i := range f.byName[c.Callee] {
			if f.Decls[i].Parent == d && callable(f.Decls[i].Kind) {
				out = append(out, p.declaredAs(Ref{f.Doc, i}, "file")...)
			}
		}
		if out = append(out, p.given(Ref{f.Doc, d}, c.Callee)...); len(out) > 0 {
			return out
		}
	}
	return p.inNearestSpace(f, c.In, p.global(f, c.At, c.Callee))
}

// writtenOutOf returns the class that a member sees which is written outside of it.
func (p *Project) writtenOutOf(f *File, d int32) (Ref, bool) {
	in := &f.Decls[d]
	isInside := in.Parent >= 0 || in.Scope == ""
	if !syntax.Has(f.Lang, "implicit-members") || classLike(in.Kind) || isInside && f.besides(in) == "" {
		return Ref{}, false
	}
	return p.classAround(f, d)
}

// local looks into one declaration around a place.
func (p *Project) local(f *File, d, in int32, at int, name string) []value {
	kind := f.Decls[d].Kind
	if classLike(kind) {
		if syntax.Has(f.Lang, "implicit-members") {
			got := p.memberOf(Ref{f.Doc, d}, name, 0)
			if c, ok := p.classAround(f, d); ok && len(got) == 0 {
				if syntax.Has(f.Lang, "extensions-see-all") { // of the type
					got = p.memberOf(c, name, 0)
				}
				if property := syntax.PropertyOf(p.Docs[f.Doc].Language, name); len(got) == 0 && property != "" {
					got = p.memberOf(c, property, 0)
				}
			}
			if syntax.Has(p.Docs[f.Doc].Language, "methods-need-receiver") {
				got = slices.DeleteFunc(slices.Clone(got), func(v value) bool { return v.kind == function })
			}
			if len(got) > 0 {
				return p.injected(f, got, name)
			}
			if name == "new" && f.Lang == "ruby" && f.Decls[in].Traits&corpus.Static != 0 {
				return []value{{kind: class, ref: Ref{f.Doc, d}, how: "self"}}
			}
		} else if d != in {
			return nil // Python, JavaScript, Rust: a class is no scope for its methods
		}
	}
	best := int32(-1)
	for _, i := range f.bound[name] {
		if b := &f.Bindings[i]; b.In == d && (best < 0 || b.At <= at) && !f.ended(d, name, b.At, at) {
			best = i
		}
	}
	if best >= 0 {
		return p.binding(f, best)
	}
	var out []value
	for _, i := range f.byName[name] {
		if f.Lang == "ecma" && f.Decls[i].Kind == corpus.Method {
			continue // of an object: its name alone does not mean it
		}
		if f.ended(d, name, f.Decls[i].NameAt, at) {
			continue
		}
		if f.Decls[i].Parent == d && (callable(kind) || d == in || namespace(kind)) {
			out = append(out, p.declaredAs(Ref{f.Doc, i}, "file")...)
		}
	}
	return out
}

// injected returns the class in place of its constructors: the name of a class of C++, as it is
// seen in it and in what extends it, means the class.
func (p *Project) injected(f *File, got []value, name string) []value {
	if f.Lang != "clang" {
		return got
	}
	for _, v := range got {
		if v.kind != function || memberScope(p.Decl(v.ref)) != name {
			continue
		}
		if c, ok := p.classAround(p.File(v.ref.Doc), v.ref.Decl); ok {
			return []value{{kind: class, ref: c, how: v.how}}
		}
	}
	return got
}

// own answers for the words by which code speaks of the object around it.
func (p *Project) own(f *File, in int32, name string) ([]value, bool) {
	words := syntax.Words(f.Lang, "own-words")
	if !syntax.Has(f.Lang, "own-words") {
		words = syntax.Words("default", "own-words")
	}
	if !slices.Contains(words, name) {
		return nil, false
	}
	c, ok := p.classAround(f, in)
	if !ok {
		return nil, name == "super"
	}
	switch name {
	case "Self", "static":
		return []value{{kind: class, ref: c, how: "self"}}, true
	case "self":
		if isOfClass := syntax.Has(f.Lang, "self-of-class-methods") && in >= 0 && f.Decls[in].Traits&corpus.Static != 0; isOfClass || syntax.Has(f.Lang, "self-is-class") {
			return []value{{kind: class, ref: c, how: "self"}}, true
		}
	case "super", "parent", "base":
		out := slice.Map(p.bases(c), func(b Ref) value { return value{kind: instance, ref: b, how: "inherited"} })
		if len(out) == 0 {
			out = []value{{kind: external}}
		}
		if syntax.Has(f.Lang, "super-is-class") {
			for i := range out {
				if out[i].kind == instance {
					out[i].kind = class
				}
			}
		}
		return out, true
	}
	return []value{{kind: instance, ref: c, how: "self"}}, true
}

// atEnd is a place after everything that a file binds.
const atEnd = math.MaxInt32

// global searches the top of the file, its imports and its package.
func (p *Project) global(f *File, at int, name string) []value {
	own := p.inFile(f, at, name, "file")
	if len(own) > 0 && p.announcedOnly(f, own) {
		if got := p.anywhere(f, name); len(got) > 0 && !p.announcedOnly(f, got) {
			return got
		}
	}
	if len(own) > 0 && !p.ofObjects(f, own) {
		return own
	}
	best := int32(-1)
	for _, i := range f.bound[name] {
		if b := &f.Bindings[i]; b.In < 0 && (best < 0 || b.At <= at) && !f.ended(-1, name, b.At, at) {
			best = i
		}
	}
	if best >= 0 {
		return p.binding(f, best)
	}
	if got := p.imported(f, name); len(got) > 0 {
		return got
	}
	for _, d := range p.declarers(f.Doc, name) {
		if got := p.inFile(p.File(d), at, name, "package"); len(got) > 0 {
			return got
		}
	}
	if got := p.wildcards(f, -1, name); len(got) > 0 {
		return got
	}
	if syntax.Has(f.Lang, "global-names") {
		return p.anywhere(f, name)
	}
	if syntax.Has(f.Lang, "scripts") && f.isScript() {
		return p.inScripts(f, name)
	}
	return nil
}

// isScript reports whether a file neither imports nor exports anything, so that others of a page see its names.
func (f *File) isScript() bool {
	return len(f.Imports) == 0 && f.bound["module.exports"] == nil && !slices.ContainsFunc(f.Decls, func(d corpus.Decl) bool { return d.Exported })
}

// inScripts returns the function of a name that one script of the project has at its top.
func (p *Project) inScripts(f *File, name string) []value {
	var found []Ref
	for _, r := range p.declared(f.Doc, name) {
		if g := p.File(r.Doc); callable(p.Decl(r).Kind) && g.atTop(p.Decl(r)) && g.isScript() {
			found = append(found, r)
		}
	}
	if len(found) != 1 {
		return nil
	}
	return guessed(p.declaredAs(found[0], "global"))
}

// announcedOnly reports whether values are functions without a body that a file announces, and that may have one in another file.
func (p *Project) announcedOnly(f *File, vs []value) bool {
	return f.Lang == "clang" && !slices.ContainsFunc(vs, func(v value) bool {
		return v.kind != function || p.Decl(v.ref).Traits&corpus.Abstract == 0
	})
}

// ofObjects reports whether values are the methods of object literals alone, which their
// names alone do not mean.
func (p *Project) ofObjects(f *File, vs []value) bool {
	return f.Lang == "ecma" && !slices.ContainsFunc(vs, func(v value) bool { return v.kind != function || p.Decl(v.ref).Kind != corpus.Method })
}

// anywhere finds a top-level name in the whole project.
func (p *Project) anywhere(f *File, name string) (out []value) {
	var refs []Ref
	declared := p.declared(f.Doc, name)
	if syntax.Lists(f.Lang, "library-functions", name) && !slices.ContainsFunc(declared, func(r Ref) bool { return p.includes(f.Doc, r.Doc) }) {
		return nil
	}
	for _, r := range declared {
		g := p.File(r.Doc)
		d := &g.Decls[r.Decl]
		if (d.Parent < 0 || g.outer(d.Parent)) && (d.Scope == "" || d.Parent >= 0) && g.besides(d) == "" && (r.Doc == f.Doc || d.Exported || f.Lang != "clang" || p.includes(f.Doc, r.Doc)) {
			if f.Lang == "elixir" && r.Doc != f.Doc && !d.Exported {
				continue
			}
			if f.Lang == "php" && g.Module != "" && callable(d.Kind) {
				continue // functions of other namespaces are imported
			}
			refs = append(refs, r)
		}
	}
	for _, r := range p.nearestSpace(f, p.definitions(refs)) {
		out = append(out, p.declaredAs(r, "global")...)
	}
	if len(out) > maxValues {
		out = out[:maxValues]
	}
	return out
}

// nearestSpace keeps, of types in several namespaces, those in a namespace that a file declares things in, if there are any.
func (p *Project) nearestSpace(f *File, refs []Ref) []Ref {
	isFunction := func(r Ref) bool { return callable(p.Decl(r).Kind) }
	if len(refs) < 2 || slices.ContainsFunc(refs, isFunction) {
		return refs
	}
	spaces := p.spaces(f)
	near := slices.DeleteFunc(slices.Clone(refs), func(r Ref) bool {
		return !slices.Contains(spaces, p.namespaceOf(p.File(r.Doc), p.Decl(r)))
	})
	if len(near) == 0 {
		return refs
	}
	return near
}

// includes reports whether a file of C takes in another, which makes that one's static
// functions its own.
func (p *Project) includes(doc, other int) bool {
	if p.included.of != doc || p.included.docs == nil {
		p.included.of, p.included.docs = doc, map[int]bool{doc: true}
		for open := []int{doc}; len(open) > 0 && len(p.included.docs) < maxIncluded; open = open[1:] {
			g := p.File(open[0])
			for i := range g.Imports {
				for _, d := range p.Import(g.Doc, &g.Imports[i]).Docs {
					if !p.included.docs[d] {
						p.included.docs[d] = true
						open = append(open, d)
					}
				}
			}
		}
	}
	return p.included.docs[other]
}

// maxIncluded is how many files are looked for that one takes in.
const maxIncluded = 4096

// definitions drops what only announces a function that is there too.
func (p *Project) definitions(refs []Ref) []Ref {
	whole := refs[:0:0]
	for _, r := range refs {
		if d := p.Decl(r); d.Traits&corpus.Abstract == 0 || d.Kind == corpus.Class && p.File(r.Doc).Lang == "ecma" { // an abstract class is written there
			whole = append(whole, r)
		}
	}
	if len(whole) > 0 {
		return whole
	}
	return refs
}

func (p *Project) inFile(f *File, at int, name, how string) (out []value) {
	refs := f.nearest(f.topLevel(name), at)
	if f.Lang == "clang" || f.Lang == "ecma" || f.Lang == "python" {
		refs = p.definitions(refs)
	}
	for _, r := range refs {
		d := &f.Decls[r.Decl]
		if d.Kind == corpus.Section {
			continue
		}
		if (f.Lang == "python" || f.Lang == "ecma" && d.Kind == corpus.Variable && !d.Exported) && (d.Kind == corpus.Variable || d.Kind == corpus.Constant) && d.Result == "" {
			if got := p.variable(f, d, r.Decl, at); len(got) > 0 {
				if f.Lang == "ecma" {
					got = p.holding(r, got)
				}
				out = append(out, got...)
				continue
			}
		}
		out = append(out, p.declaredAs(r, how)...)
	}
	return out
}

// declaredAs returns what a declaration stands for.
func (p *Project) declaredAs(r Ref, how string) []value {
	f := p.File(r.Doc)
	d := &f.Decls[r.Decl]
	switch {
	case callable(d.Kind):
		return []value{{kind: function, ref: r, how: how}}
	case classLike(d.Kind), namespace(d.Kind):
		return []value{{kind: class, ref: r, how: how}}
	case d.Result != "":
		got := p.typed(value{kind: instance, typ: d.Result, ref: Ref{r.Doc, d.Parent}, how: how})
		if f.Lang == "ecma" {
			return p.holding(r, got)
		}
		return got
	}
	for _, i := range f.bound[d.Name] {
		if f.Bindings[i].In == r.Decl || f.Bindings[i].In == d.Parent {
			got := p.binding(f, i)
			if f.Lang == "ecma" {
				return p.holding(r, got)
			}
			return got
		}
	}
	return []value{{kind: unknown}}
}

// lookupType is lookup for the name of a type: values do not hide it.
func (p *Project) lookupType(f *File, in int32, name string) []value {
	return p.withoutObjects(f, p.typeOrScope(f, in, name, false))
}

// typeOrScope is lookupType; where the name stands before a member, an object of Scala is meant by it as well.
func (p *Project) typeOrScope(f *File, in int32, name string, before bool) []value {
	switch name {
	case "Self", "self", "static", "this":
		if c, ok := p.classAround(f, in); ok {
			return []value{{kind: class, ref: c}}
		}
	}
	if qualified(f.Lang, name) {
		return p.inNamespace(f, name)
	}
	if got := p.boundsOf(f, in, name); len(got) > 0 {
		return got
	}
	for d := in; d >= 0; d = f.Decls[d].Parent {
		for _, i := range f.byName[name] {
			if f.Decls[i].Parent == d && (classLike(f.Decls[i].Kind) || namespace(f.Decls[i].Kind)) && (before || !p.objectOnly(f, i)) {
				return []value{{kind: class, ref: Ref{f.Doc, i}}}
			}
		}
		if classLike(f.Decls[d].Kind) {
			if f.Decls[d].Name == name && f.Decls[d].Traits&corpus.Extension == 0 && (before || !p.objectOnly(f, d)) {
				return []value{{kind: class, ref: Ref{f.Doc, d}}}
			}
			if syntax.Has(f.Lang, "implicit-members") {
				for _, v := range p.memberOf(Ref{f.Doc, d}, name, 0) {
					if v.kind == class {
						return []value{v}
					}
				}
			}
		}
	}
	got := p.global(f, atEnd, name)
	// An extension stands for what it extends.
	out := got[:0:0]
	for _, v := range got {
		if v.kind == class && p.Decl(v.ref).Traits&corpus.Extension != 0 {
			continue
		}
		out = append(out, v)
	}
	if len(out) == 0 && len(got) > 0 {
		for _, r := range p.declared(f.Doc, name) {
			if d := p.Decl(r); classLike(d.Kind) && d.Traits&corpus.Extension == 0 {
				out = append(out, value{kind: class, ref: r})
			}
		}
	}
	if len(out) == 0 && len(got) > 0 && p.Docs[f.Doc].Language == "csharp" {
		return got[:1] // all of its parts say that they are parts
	}
	return out
}
