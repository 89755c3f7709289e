package facts

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// What an expression may be.
type valueKind uint8

const (
	unknown  valueKind = iota // something, but not known what: it hides others of its name
	instance                  // of the written type typ, as seen from ref
	class                     // the declaration ref itself: a class, a namespace
	function                  // the declaration ref
	module                    // files
	external                  // of a library
	object                    // what the constant ref holds: an object literal
)

type value struct {
	kind valueKind
	ref  Ref    // of an instance without typ: its class; with typ: where typ is written
	typ  string // as written
	docs []int
	how  string
	// guess says that it rests on what the callers seen here pass.
	guess bool
	// held says that the constant holder has it, by whose name it is called.
	held   bool
	holder Ref
}

type valueKey struct {
	doc     int
	binding int32 // or -2-decl: what a declaration returns
}

// maxDepth bounds how far one answer leads to another question.
const maxDepth = 40

// maxValues bounds what one expression may be.
const maxValues = 6

// eval returns what a chain may be that is written in document f, in declaration
// in, at an offset.
func (p *Project) eval(f *File, in int32, at int, chain string) []value {
	if own, ok := literal(f, chain); p.depth >= maxDepth || chain == "" || chain[0] == '?' && (!ok || own != "") {
		return nil
	}
	p.depth++
	defer func() { p.depth-- }()
	if chain[0] == '\'' { // a text that may be a name, of Java
		chain = "{String}"
	}
	if of, ok := strings.CutPrefix(chain, "&"); ok { // a method reference of Java
		recv, name := cutLast(of, ".")
		if name == "new" {
			return p.typeNamed(f, in, recv)
		}
		vs := p.each(p.eval(f, in, at, recv), func(v value) []value { return p.member(f, v, name) })
		return slices.DeleteFunc(vs, func(v value) bool { return v.kind != function })
	}
	if one, other, ok := strings.Cut(chain, "??"); ok && f.Lang == "ecma" {
		return uniqueValues(append(p.eval(f, in, at, one), p.eval(f, in, at, other)...))
	}
	w := walk{p: p, f: f, in: in, at: at, chain: chain}
	w.begin()
	for w.rest != "" && (len(w.cur) > 0 || strings.HasPrefix(w.rest, syntax.GivenMark)) {
		if !w.next() {
			return nil
		}
	}
	return w.cur
}

// objects leaves out the types of Scala that have an object of their name: an expression
// means the object.
func (p *Project) objects(f *File, vs []value) []value {
	if len(vs) < 2 || f.Lang != "jvm" || p.Docs[f.Doc].Language != "scala" {
		return vs
	}
	var out []value
	for _, v := range vs {
		if d := p.Decl(v.ref); v.kind == class && (namespace(d.Kind) || d.Traits&corpus.Static != 0) {
			out = append(out, v)
		}
	}
	if len(out) == 0 {
		return vs
	}
	return out
}

// partEnd returns where the name ends that chain begins with.
func partEnd(chain string) int {
	if len(chain) > 1 && chain[0] == '#' && (isLetter(chain[1]) || chain[1] == '_' || chain[1] == '$') { // a private name
		return 1 + partEnd(chain[1:])
	}
	if i := strings.IndexAny(chain, ".([#^"); i >= 0 {
		return i
	}
	return len(chain)
}

// typeEnd returns the offset after the brace that closes the first one.
func typeEnd(chain string) int {
	depth := 0
	for i := range len(chain) {
		switch chain[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(chain)
}

func (p *Project) each(in []value, f func(value) []value) (out []value) {
	for _, v := range in {
		from := len(out)
		out = append(out, f(v)...)
		for i := from; v.guess && i < len(out); i++ {
			out[i].guess = true
		}
		if most := room(out); len(out) >= most {
			return out[:most]
		}
	}
	return out
}

// room is how many values are kept: more where they are functions that are handed on.
func room(vs []value) int {
	if slices.ContainsFunc(vs, func(v value) bool { return v.kind != function || !v.guess }) {
		return maxValues
	}
	return maxFlow
}

// binding returns what a name is bound to.
func (p *Project) binding(f *File, i int32) []value {
	key := valueKey{f.Doc, i}
	if got, ok := p.values[key]; ok {
		return got
	}
	p.values[key] = nil // while it is looked for, it is not known
	b := &f.Bindings[i]
	got := []value{{kind: unknown}}
	switch {
	case b.Type == "type": // a local type
	case b.Type != "":
		got = p.typed(value{kind: instance, typ: b.Type, ref: Ref{f.Doc, b.In}, how: "type"})
	case b.Value != "":
		if vs := p.eval(f, b.In, b.At-1, b.Value); len(vs) > 0 {
			got = vs
		}
	case b.Param == 1 && f.Lang == "python":
		if c, ok := p.classAround(f, b.In); ok && f.Decls[b.In].Parent == c.Decl {
			switch {
			case slices.Contains(f.Decls[b.In].Marks, "classmethod"):
				got = []value{{kind: class, ref: c}}
			case !slices.Contains(f.Decls[b.In].Marks, "staticmethod"):
				got = []value{{kind: instance, ref: c, how: "self"}}
			}
		}
	}
	if b.Param > 0 && (f.Lang == "python" || f.Lang == "ecma") && b.Type == "" && !known(got) {
		if vs := p.passed(f, b); len(vs) > 0 {
			got = vs
		}
	}
	p.values[key] = got
	return got
}

// classAround returns the class that a declaration is in, or the one that its
// scope names.
func (p *Project) classAround(f *File, in int32) (Ref, bool) {
	for i := in; i >= 0; i = f.Decls[i].Parent {
		d := &f.Decls[i]
		if classLike(d.Kind) {
			if d.Traits&corpus.Extension != 0 {
				return p.wholeOf(Ref{f.Doc, i}), true
			}
			return Ref{f.Doc, i}, true
		}
		if d.Parent < 0 && d.Scope != "" {
			return p.classNamed(f, -1, d.Scope)
		}
		if name := f.besides(d); name != "" {
			return p.classNamed(f, d.Parent, name)
		}
	}
	return Ref{}, false
}

// wholeOf returns the type that an extension is of, the extension itself where it is not known.
func (p *Project) wholeOf(r Ref) Ref {
	f, d := p.File(r.Doc), p.Decl(r)
	name := d.Name
	if d.Parent < 0 && syntax.Has(f.Lang, "extensions-of-paths") { // extension Tree.Node
		name = d.Qualified()
	}
	key := memberKey{Ref{r.Doc, d.Parent}, name}
	of, ok := p.wholes[key]
	if !ok {
		if of, ok = p.classNamed(f, d.Parent, name); !ok {
			of.Doc = -1
		}
		if len(p.naming) == 0 { // else names that are being looked for are not found
			p.wholes[key] = of
		}
	}
	if of.Doc < 0 {
		return r
	}
	return of
}

// classNamed finds a class by its name as seen from a place, not its extensions.
func (p *Project) classNamed(f *File, in int32, name string) (Ref, bool) {
	for _, c := range p.classes(value{kind: instance, typ: name, ref: Ref{f.Doc, in}}) {
		if d := p.Decl(c); d.Traits&corpus.Extension == 0 {
			return c, true
		}
	}
	return Ref{}, false
}

// call returns what calling v gives.
func (p *Project) call(v value) []value {
	switch v.kind {
	case function:
		if p.Decl(v.ref).Traits&corpus.Generator != 0 && p.File(v.ref.Doc).Lang == "python" && p.Decl(v.ref).Result == "" {
			return []value{{kind: object, typ: "()", ref: v.ref}}
		}
		return p.returns(v.ref)
	case class:
		return []value{{kind: instance, ref: v.ref, how: v.how}}
	case external:
		v.held = false
		return []value{v}
	case object:
		if p.File(v.ref.Doc).Lang == "python" {
			return p.called(v)
		}
	case instance:
		if p.File(v.ref.Doc).Lang == "ecma" {
			return p.result(v)
		}
		if v.typ != "" {
			if r, ok := funcResult(v.typ); ok {
				return []value{{kind: instance, typ: r, ref: v.ref, how: v.how}}
			}
		}
		// Go: calling what is no function converts to it. Python: __call__.
		for _, c := range p.classes(v) {
			for _, m := range p.memberOf(c, "__call__", 0) {
				if m.kind == function {
					return p.returns(m.ref)
				}
			}
			if d := p.Decl(c); d != nil && d.Kind == corpus.Type {
				if r, ok := funcResult(d.Result); ok {
					return []value{{kind: instance, typ: r, ref: Ref{c.Doc, c.Decl}, how: v.how}}
				}
			}
		}
	}
	return nil
}

// returns is what a function returns: what it says, or what is seen to be returned.
func (p *Project) returns(ref Ref) []value {
	f := p.File(ref.Doc)
	d := &f.Decls[ref.Decl]
	if d.Traits&corpus.Constructor != 0 {
		if c, ok := p.classAround(f, d.Parent); ok {
			return []value{{kind: instance, ref: c}}
		}
	}
	switch d.Result {
	case "Self", "self", "static", "this", "$this", "&Self", "&mut Self", "Option<Self>", "Result<Self>", "&self":
		if c, ok := p.classAround(f, ref.Decl); ok {
			return []value{{kind: instance, ref: c, how: "self"}}
		}
	case "":
	default:
		return p.typed(value{kind: instance, typ: d.Result, ref: ref, how: "type"})
	}
	key := valueKey{ref.Doc, -2 - ref.Decl}
	if got, ok := p.values[key]; ok {
		return got
	}
	p.values[key] = nil
	var out []value
	for _, i := range f.bound["()"] {
		if b := &f.Bindings[i]; b.In == ref.Decl && len(out) < maxValues {
			for _, v := range p.eval(f, b.In, b.At, b.Value) {
				if v.kind != unknown {
					out = append(out, v)
				}
			}
		}
	}
	p.values[key] = out
	return out
}

// member returns what v's member of a name is, asked for in document f.
func (p *Project) member(f *File, v value, name string) []value {
	v.held = false
	switch v.kind {
	case external:
		if t := javaResult(name); t != "" && f.Lang == "jvm" {
			return []value{{kind: instance, typ: t, ref: Ref{f.Doc, -1}}}
		}
		return []value{v}
	case module:
		if v.typ != "" {
			return p.inFolder(v.typ, name)
		}
		return p.exported(v.docs, name)
	case object:
		if f.Lang == "python" {
			return p.ofContainer(f, v, name)
		}
		if v.isArray() {
			return nil
		}
		return p.ofObject(v.ref, name)
	case class:
		switch {
		case name == "class" && f.Lang == "jvm":
			return []value{{kind: instance, typ: "Class", ref: Ref{f.Doc, -1}}}
		case name == "new" && f.Lang == "ruby":
			return []value{v}
		case (name == "super" || name == "this") && f.Lang == "jvm": // Outer.this, Interface.super
			return []value{{kind: instance, ref: v.ref, how: "self"}}
		}
		if got := p.memberOf(v.ref, name, 0); len(got) > 0 {
			return got
		}
		return p.throughAlias(f, v.ref, name)
	case instance:
		got := p.instanceMember(f, v, name)
		if !known(got) || !slices.ContainsFunc(got, func(v value) bool { return v.kind != external }) {
			if syntax.Lists(p.Docs[f.Doc].Language, "gives-itself", name) {
				return []value{v} // unwrap(), clone(): the thing itself once more
			}
		}
		return got
	}
	return nil
}

func (p *Project) instanceMember(f *File, v value, name string) (out []value) {
	if f.Lang == "ecma" && v.typ != "" {
		if as, _, _ := container(v.typ); as != "" {
			if got := p.builtin(v, name); got != nil || as != "Promise" {
				return append(got, value{kind: external})[:1]
			}
		}
		if t := property(v.typ, name); t != "" {
			v.typ = t
			return p.computed(v)
		}
	}
	cs := p.classes(v)
	for _, c := range cs {
		out = append(out, p.memberOf(c, name, 0)...)
		if len(out) == 0 {
			out = append(out, p.throughAlias(f, c, name)...)
		}
	}
	isOwn := func(v value) bool { return v.kind != external }
	if forward := syntax.Words(p.Docs[f.Doc].Language, "forwards"); len(forward) > 0 && name != forward[0] && !slices.ContainsFunc(out, isOwn) {
		for _, c := range cs {
			for _, m := range p.memberOf(c, forward[0], 0) {
				if m.kind == function {
					out = append(out, p.each(p.returns(m.ref), func(v value) []value { return p.member(f, v, name) })...)
				}
			}
		}
	}
	if len(cs) == 0 && v.typ != "" && f.Lang == "jvm" {
		if _, dims := dimensions(v.typ); dims > 0 && name == "length" {
			return []value{{kind: instance, typ: "int", ref: v.ref}}
		}
		if t := javaResult(name); t != "" {
			return []value{{kind: instance, typ: t, ref: v.ref}}
		}
	}
	if len(cs) == 0 && v.typ != "" && f.Lang == "zig" { // of a file that is a struct
		for _, c := range p.typeNamed(p.File(v.ref.Doc), v.ref.Decl, bare(v.typ)) {
			if c.kind == module {
				out = append(out, p.exported(c.docs, name)...)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	if len(cs) == 0 && v.typ != "" {
		if inner := syntax.Pointee(p.Docs[f.Doc].Language, p.bareOf(v)); inner != "" {
			return p.instanceMember(f, value{kind: instance, typ: inner, ref: v.ref, how: v.how, guess: true}, name)
		}
		if got := p.addedTo(f, v, name); len(got) > 0 {
			return got
		}
		if p.outside(v) {
			if strings.ContainsAny(v.typ, "<[") || isOpenType(v.typ) {
				return []value{{kind: external, how: unproven}}
			}
			return []value{{kind: external}}
		}
	}
	return out
}

// throughAlias looks for a member in the type that a type is declared as.
func (p *Project) throughAlias(f *File, c Ref, name string) []value {
	d := p.Decl(c)
	if d == nil || d.Kind != corpus.Type || d.Result == "" || p.depth > maxDepth/2 {
		return nil
	}
	p.depth++
	defer func() { p.depth-- }()
	return p.once(c, "."+name, func() []value {
		return p.instanceMember(f, value{kind: instance, typ: d.Result, ref: Ref{c.Doc, d.Parent}}, name)
	})
}
