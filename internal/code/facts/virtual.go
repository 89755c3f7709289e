package facts

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
)

// What a call of Java runs is decided by what the object is, not by the type that is written. Beside
// the method that its words mean a call may run those of classes below that type, of which only those
// count that the project makes somewhere (rapid type analysis), and of interfaces with one method what
// a method reference puts there.

// maxVirtual bounds how many methods one call may be said to run.
const maxVirtual = 64

// virtual adds to what a call means by its words what may run in its place.
func (p *Project) virtual(f *File, c *corpus.Call, recv []value, ts []target) []target {
	if p.byWords || p.Docs[f.Doc].Language != "java" || c.New || c.Receiver == "super" || strings.HasSuffix(c.Receiver, ".super") || c.Callee == "super" || c.Callee == "this" {
		return ts
	}
	if slices.ContainsFunc(ts, func(t target) bool {
		d := p.Decl(t.ref)
		return d.Traits&(corpus.Static|corpus.Private) != 0 || d.Kind != corpus.Method
	}) {
		return ts
	}
	abstract := !slices.ContainsFunc(ts, func(t target) bool { return p.Decl(t.ref).Traits&corpus.Abstract == 0 })
	var more []target
	for _, r := range recv {
		if r.kind != instance {
			continue
		}
		of := p.classes(r)
		for _, cls := range of {
			if len(p.memberOf(cls, c.Callee, 0)) == 0 {
				continue // what is below it has more, which a call of it does not mean
			}
			more = append(more, p.taking(f, c, ts, p.overriding(cls, "", c.Callee))...)
		}
		if t, dims := dimensions(bare(r.typ)); len(of) == 0 && r.typ != "" && dims == 0 && !sealed.Has(t) {
			if _, t = cutLast(t, "."); t != "" {
				more = append(more, p.taking(f, c, ts, p.overriding(Ref{f.Doc, -1}, t, c.Callee))...)
			}
		}
	}
	if abstract {
		more = append(more, p.referenced(f, c)...)
	}
	more = uniqueTargets(more)
	for _, t := range more[:min(len(more), maxVirtual)] {
		if !slices.ContainsFunc(ts, func(o target) bool { return o.ref == t.ref }) {
			ts = append(ts[:len(ts):len(ts)], t)
		}
	}
	return ts
}

// worded is resolve for what the words of a call mean, whatever else runs in the place of that.
func (p *Project) worded(f *File, c *corpus.Call) ([]target, outcome) {
	defer p.saying()()
	return p.resolve(f, c)
}

// saying has calls mean only what their words say, until the function is called that it returns.
func (p *Project) saying() func() {
	was := p.byWords
	p.byWords = true
	return func() { p.byWords = was }
}

// EdgesByWords is Edges for what the words of a call mean, without what runs in the place of that. Of a
// whole project that is what takes its time, and callers of what a method overrides are found without it.
func (p *Project) EdgesByWords(doc int, yield func(c *corpus.Call, from Ref, edges []Edge, lost bool)) Tally {
	defer p.saying()()
	return p.Edges(doc, yield)
}

// sealed are types of Java's library that nothing extends, and Object, which everything does.
var sealed = lazy.Words("Object String Integer Long Short Byte Double Float Boolean Character Class int long short byte char float double boolean StringBuilder StringBuffer Optional Math System")

// taking keeps the methods that a call may run: those that override one that its words mean, and where
// that is a library's, of each class the one that its arguments fit.
func (p *Project) taking(f *File, c *corpus.Call, ts []target, methods []Ref) (out []target) {
	if len(methods) == 0 {
		return nil
	}
	var types [][]value
	if c.Args >= 0 {
		types = p.argumentTypes(f, c)
	}
	test := p.Docs[f.Doc].Flags&corpus.Test != 0
	for i := 0; i < len(methods); {
		var one []target
		cls := p.Decl(methods[i]).Parent
		k := i
		for ; k < len(methods) && methods[k].Doc == methods[i].Doc && p.Decl(methods[k]).Parent == cls; k++ {
			if p.replaces(methods[k], ts) && p.accepts(c, methods[k], types) {
				one = append(one, target{methods[k], Likely, "dispatch"})
			}
		}
		if p.Docs[methods[i].Doc].Flags&corpus.Test == 0 || test { // what only tests build is not what the program runs
			if one = p.overloads(f, c, one); len(one) == 1 { // of several that is not known
				out = append(out, one...)
			}
		}
		i = k
	}
	return out
}

// replaces reports whether a method takes what one of some others does. Where that is of a type parameter
// any type may stand for it.
func (p *Project) replaces(r Ref, ts []target) bool {
	d := p.Decl(r)
	for _, t := range ts {
		o := p.Decl(t.ref)
		if slices.EqualFunc(d.Params, o.Params, func(a, b string) bool {
			was, n := dimensions(parameterType(a))
			is, m := dimensions(parameterType(b))
			_, was = cutLast(was, ".")
			_, is = cutLast(is, ".")
			return typeParameter(is) || was == is && n == m
		}) {
			return true
		}
	}
	return len(ts) == 0
}

// accepts reports whether a method can be called so, as far as the types of the arguments are known.
func (p *Project) accepts(c *corpus.Call, r Ref, types [][]value) bool {
	if c.Args < 0 {
		return true
	}
	if !takes(p.Decl(r), int(c.Args)) {
		return false
	}
	_, ok := p.fits(r, types)
	return ok
}

// overriding returns the methods of a name of the classes below a type: below a class of the project or,
// where that is none, below a library's type of that name. Those that the project makes are all where
// there are any; a library's users may make the others.
func (p *Project) overriding(cls Ref, outside, name string) []Ref {
	key := memberKey{cls, outside + "<" + name}
	if cls.Decl < 0 {
		key.ref = Ref{-1, -1}
	}
	if got, ok := p.overrides[key]; ok {
		return got
	}
	p.overrides[key] = nil // while it is looked for
	above := outside
	if cls.Decl >= 0 {
		above = p.Decl(cls).Name
	}
	below := p.descending(above)
	var all, made []Ref
	for _, r := range p.declaredIn(cls.Doc, name, func(doc int) bool { _, ok := slices.BinarySearch(below, doc); return ok }) {
		d, g := p.Decl(r), p.File(r.Doc)
		if d.Kind != corpus.Method || d.Traits&(corpus.Abstract|corpus.Static|corpus.Constructor|corpus.Private) != 0 || d.Parent < 0 || !classLike(g.Decls[d.Parent].Kind) {
			continue
		}
		of := Ref{r.Doc, d.Parent}
		if of == cls || !p.below(of, cls, outside) {
			continue
		}
		if all = append(all, r); p.makes(of) {
			made = append(made, r)
		}
	}
	if len(made) > 0 {
		all = made
	}
	p.overrides[key] = all
	return all
}

// below reports whether a class extends another one, or a library's type of a name.
func (p *Project) below(of, cls Ref, outside string) bool {
	above := p.linear(of)
	if outside == "" {
		return slices.Contains(above[1:], cls)
	}
	return slices.ContainsFunc(above, func(c Ref) bool {
		return slices.ContainsFunc(p.Decl(c).Bases, func(b string) bool { return baseName(b) == outside })
	})
}

// makes reports whether the project makes an instance of a class, or of one that extends it. What has
// an annotation may be made by who reads it.
func (p *Project) makes(cls Ref) bool {
	d := p.Decl(cls)
	if d.Traits&corpus.Abstract != 0 || d.Kind != corpus.Class || len(d.Marks) > 0 {
		return true
	}
	if got, ok := p.made[cls]; ok {
		return got
	}
	p.made[cls] = true // while it is looked for
	lang := family(p.Docs[cls.Doc].Language)
	got := slices.ContainsFunc(p.src.Keyed(Key(Called, d.Name)), func(doc int) bool {
		return family(p.Docs[doc].Language) == lang && slices.ContainsFunc(p.File(doc).Calls, func(c corpus.Call) bool { return c.New && c.Callee == d.Name })
	})
	p.made[cls] = got || len(p.heirs(d.Name)) > 0
	return p.made[cls]
}

// A heir is a class that says that it extends one of a name.
type heir struct {
	doc  int
	name string
}

// heirs returns the classes that say that they extend one of a name, whichever of that name is meant.
func (p *Project) heirs(name string) []heir {
	got, ok := p.heirsOf[name]
	if ok {
		return got
	}
	for _, doc := range p.src.Keyed(Key(Above, name)) {
		if family(p.Docs[doc].Language) != "jvm" {
			continue
		}
		var decls []corpus.Decl
		if f := p.files[doc]; f != nil {
			decls = f.Decls
		} else { // what they call need not be read for that
			decls = p.src.Decls(doc, func(string) bool { return true })
		}
		for i := range decls {
			if slices.ContainsFunc(decls[i].Bases, func(b string) bool { return baseName(b) == name }) {
				got = append(got, heir{doc, decls[i].Name})
			}
		}
	}
	p.heirsOf[name] = got
	return got
}

// baseName is what a base is called of which more may be written: where it is, and what it is of.
func baseName(b string) string {
	t, _ := dimensions(base(b, "jvm"))
	_, t = cutLast(t, ".")
	return t
}

// descending returns the documents that have a class which extends one of a name, through others too.
func (p *Project) descending(name string) []int {
	seen := map[string]bool{name: true}
	var docs []int
	for todo := []string{name}; len(todo) > 0; todo = todo[1:] {
		for _, h := range p.heirs(todo[0]) {
			docs = append(docs, h.doc)
			if !seen[h.name] {
				seen[h.name] = true
				todo = append(todo, h.name)
			}
		}
	}
	slices.Sort(docs)
	return slices.Compact(docs)
}

// referenced returns the functions that the variable holds on which a method without a body is called:
// what a method reference put there, in its declaration or in a call that passed it.
func (p *Project) referenced(f *File, c *corpus.Call) (out []target) {
	for _, v := range p.putInto(f, c.In, c.At, strings.TrimPrefix(c.Receiver, "this."), 0) {
		switch v.kind {
		case function:
			if d := p.Decl(v.ref); c.Args < 0 || takes(d, int(c.Args)) || d.Kind == corpus.Method && c.Args > 0 && takes(d, int(c.Args)-1) {
				out = append(out, target{v.ref, Likely, held})
			}
		case class:
			out = append(out, p.constructor(c, v)...)
		case instance:
			for _, cls := range p.classes(v) {
				for _, m := range p.memberOf(cls, c.Callee, 0) {
					if m.kind == function && p.Decl(m.ref).Traits&corpus.Abstract == 0 {
						out = append(out, target{m.ref, Likely, held})
					}
				}
			}
		}
	}
	return p.overloads(f, c, out)
}

// putInto returns what is put into a variable: by its declaration, or by the calls of the method that
// it is a parameter of.
func (p *Project) putInto(f *File, in int32, at int, name string, depth int) []value {
	if depth > maxPassing || name == "" || strings.ContainsAny(name, ".()[]{}?&") {
		return nil
	}
	for d := in; d >= 0; d = f.Decls[d].Parent {
		best := int32(-1)
		for _, i := range f.bound[name] {
			if b := &f.Bindings[i]; b.In == d && (best < 0 || b.At <= at) {
				best = i
			}
		}
		if best < 0 {
			continue
		}
		switch b := &f.Bindings[best]; {
		case b.Param > 0:
			key := valueKey{f.Doc, best}
			got, ok := p.handing[key]
			if !ok {
				p.handing[key] = nil // while it is looked for, it is not known
				got = p.passed(f, b)
				p.handing[key] = got
			}
			return got
		case strings.HasPrefix(b.Value, "&"):
			return p.eval(f, b.In, b.At, b.Value)
		default:
			return p.putInto(f, b.In, b.At-1, strings.TrimPrefix(b.Value, "this."), depth+1)
		}
	}
	return nil
}

// methods reports whether what a Java file asks for is methods alone. There they are no values: what is not
// called is a field or a type of that name.
func (p *Project) methods(f *File, vs []value) bool {
	return len(vs) > 0 && p.Docs[f.Doc].Language == "java" && !slices.ContainsFunc(vs, func(v value) bool { return v.kind != function })
}

// membered returns what a name means that is not called.
func (p *Project) membered(f *File, in int32, vs []value, name string) []value {
	if !p.methods(f, vs) {
		return vs
	}
	for d := in; d >= 0; d = f.Decls[d].Parent {
		if classLike(f.Decls[d].Kind) {
			if got := p.heldIn(value{kind: class, ref: Ref{f.Doc, d}}, name); len(got) > 0 {
				return got
			}
		}
	}
	return p.lookupType(f, in, name)
}

// heldIn returns what the field of a name holds that a value has, of its class or of one above it.
func (p *Project) heldIn(v value, name string) []value {
	of := p.classes(v)
	if v.kind == class {
		of = []Ref{v.ref}
	}
	for _, cls := range of {
		for _, c := range p.linear(cls) {
			if got := p.field(p.File(c.Doc), c, name); len(got) > 0 {
				return got
			}
		}
	}
	return nil
}
