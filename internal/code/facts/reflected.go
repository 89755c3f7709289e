package facts

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
)

// Java's reflection and method handles name what they call by texts. Where such a text is a constant and
// the handle is made in the expression, or for the variable, that is invoked, the call has a target.

// invoking are the methods that run what a handle stands for.
var invoking = lazy.Words("invoke invokeExact invokeWithArguments newInstance")

// maxHandle bounds how many variables a handle may go through.
const maxHandle = 4

// reflected returns what a call of a handle runs.
func (p *Project) reflected(f *File, c *corpus.Call) []target {
	if !invoking.Has(c.Callee) || c.Receiver == "" || p.Docs[f.Doc].Language != "java" {
		return nil
	}
	var out []target
	add := func(vs []value, args int) {
		for _, v := range vs {
			switch {
			case v.kind == class:
				out = append(out, p.constructor(c, v)...)
			case v.kind == function && (args < 0 || takes(p.Decl(v.ref), args)):
				out = append(out, target{ref: v.ref})
			}
		}
	}
	if of := p.classLiteral(f, c.In, c.At, c.Receiver, 0); c.Callee == "newInstance" && len(of) > 0 {
		add(of, -1)
	} else if o := p.handle(f, c.In, c.At, c.Receiver, 0); o != nil {
		add(p.handled(f, o))
	}
	for i := range out {
		out[i].sure, out[i].how = Likely, "reflection"
	}
	return uniqueTargets(out)
}

// handle finds the call that made what a chain holds.
func (p *Project) handle(f *File, in int32, at int, chain string, depth int) *corpus.Call {
	if depth > maxHandle {
		return nil
	}
	if callee, ok := strings.CutSuffix(chain, "()"); ok {
		_, callee = cutLast(callee, ".")
		// The call whose chain this is comes last before the place.
		for i := len(f.Calls) - 1; i >= 0; i-- {
			if o := &f.Calls[i]; o.At < at && o.Callee == callee && o.In == in {
				return o
			}
		}
		return nil
	}
	if i := f.nearestBinding(chain, in, at); i >= 0 {
		b := &f.Bindings[i]
		callee, ok := strings.CutSuffix(b.Value, "()")
		if !ok {
			return p.handle(f, b.In, b.At, b.Value, depth+1)
		}
		_, callee = cutLast(callee, ".")
		for i := range f.Calls {
			if o := &f.Calls[i]; o.At > b.At && o.Callee == callee && o.In == b.In {
				return o
			}
		}
	}
	return nil
}

// nearestBinding returns the last binding of a name before a place, in the declarations around it; -1 for none.
func (f *File) nearestBinding(name string, in int32, at int) int32 {
	for d := in; ; d = f.Decls[d].Parent {
		best := int32(-1)
		for _, i := range f.bound[name] {
			if b := &f.Bindings[i]; b.In == d && (best < 0 || b.At <= at) {
				best = i
			}
		}
		if best >= 0 || d < 0 {
			return best
		}
	}
}

// handled returns what the handle stands for that a call makes, and how many parameters that has; -1
// where that is not said.
func (p *Project) handled(f *File, o *corpus.Call) (out []value, args int) {
	given := commas(o.Given)
	text := func(k int) string {
		if k < len(given) && strings.HasPrefix(given[k], "'") {
			return strings.Trim(given[k], "'")
		}
		return ""
	}
	named := func(of []value, name string) {
		for _, v := range of {
			if name != "" && v.kind == class {
				out = append(out, slices.DeleteFunc(slices.Clone(p.memberOf(v.ref, name, 0)), func(m value) bool { return m.kind != function })...)
			}
		}
	}
	switch o.Callee {
	case "getMethod", "getDeclaredMethod":
		named(p.classLiteral(f, o.In, o.At, o.Receiver, 0), text(0))
		return out, int(o.Args) - 1
	case "getConstructor", "getDeclaredConstructor":
		return p.classLiteral(f, o.In, o.At, o.Receiver, 0), int(o.Args)
	case "findStatic", "findVirtual", "findSpecial":
		named(p.classLiteral(f, o.In, o.At, given[0], 0), text(1))
	case "bind":
		for _, v := range p.eval(f, o.In, o.At, given[0]) {
			for _, c := range p.classes(v) {
				named([]value{{kind: class, ref: c}}, text(1))
			}
		}
	case "findConstructor":
		return p.classLiteral(f, o.In, o.At, given[0], 0), -1
	}
	return out, -1
}

// classLiteral returns the classes that an expression of type Class stands for: A.class, a.getClass(),
// Class.forName("p.A"), or a variable that holds one of these.
func (p *Project) classLiteral(f *File, in int32, at int, chain string, depth int) (out []value) {
	if depth > maxHandle || chain == "" {
		return nil
	}
	if name, ok := strings.CutSuffix(chain, ".class"); ok {
		return slices.DeleteFunc(p.typeNamed(f, in, name), func(v value) bool { return v.kind != class })
	}
	if of, ok := strings.CutSuffix(chain, ".getClass()"); ok || chain == "getClass()" {
		if !ok {
			of = "this"
		}
		for _, v := range p.eval(f, in, at, of) {
			for _, c := range p.classes(v) {
				out = append(out, value{kind: class, ref: c})
			}
		}
		return out
	}
	if strings.HasSuffix(chain, "()") {
		o := p.handle(f, in, at, chain, 0)
		if o == nil || o.Callee != "forName" && o.Callee != "loadClass" && o.Callee != "findClass" {
			return nil
		}
		name, _, _ := strings.Cut(o.Given, ",")
		return p.binaryName(f, strings.Trim(name, "'"))
	}
	i := f.nearestBinding(chain, in, at)
	if i < 0 {
		return nil
	}
	b := &f.Bindings[i]
	if !strings.HasSuffix(b.Value, "()") || strings.HasSuffix(b.Value, "getClass()") {
		return p.classLiteral(f, b.In, b.At, b.Value, depth+1)
	}
	if o := p.handle(f, in, at, chain, 0); o != nil && (o.Callee == "forName" || o.Callee == "loadClass" || o.Callee == "findClass") {
		name, _, _ := strings.Cut(o.Given, ",")
		return p.binaryName(f, strings.Trim(name, "'"))
	}
	return nil
}

// binaryName returns the class of a name as Class.forName takes it: package.Outer$Inner.
func (p *Project) binaryName(f *File, name string) (out []value) {
	pkg, cls := cutLast(name, ".")
	outer, inner, _ := strings.Cut(cls, "$")
	if outer == "" || !isLetter(outer[0]) {
		return nil
	}
	for _, r := range p.declared(f.Doc, outer) {
		if d := p.Decl(r); classLike(d.Kind) && d.Parent < 0 && p.Head(r.Doc).Module == pkg {
			out = append(out, value{kind: class, ref: r})
		}
	}
	for _, n := range strings.Split(inner, "$") {
		if n != "" {
			out = p.each(out, func(v value) []value { return p.ownMember(v.ref, n) })
		}
	}
	return slices.DeleteFunc(out, func(v value) bool { return v.kind != class })
}
