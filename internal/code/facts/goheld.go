package facts

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// Which functions the variables, fields, parameters and results of Go may hold. What is known is what
// texts put where (see package syntax); a question follows that backwards, or, from a function, forwards.
// A container is not distinguished from its elements, nor one value of a type from another.

// A holder may hold functions.
type holder struct {
	kind holderKind
	of   Ref    // the function, variable or type
	name string // of a variable or a field
	n    int    // which parameter or result, from 0
	// called says that not what it holds is meant, but the result of it.
	called bool
	result int // which of its results
}

type holderKind uint8

const (
	aLocal     holderKind = iota // the variable name of the function of
	aGlobal                      // the variable of
	aParameter                   // the n-th parameter of the function of
	aResult                      // its n-th result
	aField                       // the field name of the type of
	anUnnamed                    // the field name of structs without a name in the document of
	aConverted                   // what is converted to the type of functions of
	aLiteral                     // the function literal at n in the document of
	anArgument                   // the parameter name of that literal
)

// An origin is an expression as it is written somewhere.
type origin struct {
	f     *File
	in    int32
	at    int
	chain string
}

const (
	maxHolders = 600 // places that one question goes through
	maxOwn     = 128 // functions that one place may hold
)

// handed returns the functions that a call of a variable, a field or a result of Go may run.
func (p *Project) handed(f *File, c *corpus.Call) []target {
	own, from := p.holders(origin{f, c.In, c.At, whole(c)})
	for _, h := range from {
		own = append(own, p.holds(h, tested(f.Path))...)
	}
	var out []target
	for _, r := range uniqueRefs(own) {
		d := p.Decl(r)
		if n := int(c.Args); n != 1 && !takes(d, n) && !(d.Kind == corpus.Method && n > 0 && takes(d, n-1)) {
			continue
		}
		if out = append(out, target{r, Likely, held}); len(out) >= maxOwn {
			break
		}
	}
	return out
}

// holds returns the functions that end in a holder, whatever way they take. What only tests put there is
// not what the program runs.
func (p *Project) holds(h holder, tests bool) []Ref {
	key := heldKey{h, tests}
	if got, ok := p.held[key]; ok {
		return got
	}
	seen := map[holder]bool{h: true}
	list := []holder{h}
	var out []Ref
	for {
		out = uniqueRefs(append(out, p.gather(list, seen, tests)...))
		list = nil
		holders := slices.Collect(maps.Keys(seen))
		sorting.Stable(holders, compareHolders)
		for _, c := range holders {
			if !c.called {
				continue
			}
			is := c
			is.called, is.result = false, 0
			own := out // of itself
			if is != h {
				own = p.gather([]holder{is}, map[holder]bool{is: true}, tests)
			}
			for _, r := range own {
				if got := (holder{kind: aResult, of: r, n: c.result}); !seen[got] {
					seen[got] = true
					list = append(list, got)
				}
			}
		}
		if len(list) == 0 {
			break
		}
	}
	p.held[key] = out
	return out
}

// gather returns the functions that end in some holders, but for those that calls of what others hold return.
func (p *Project) gather(list []holder, seen map[holder]bool, tests bool) (out []Ref) {
	for ; len(list) > 0 && len(seen) < maxHolders; list = list[1:] {
		if list[0].called {
			continue
		}
		from, more := p.sources(list[0])
		for _, o := range from {
			if tested(o.f.Path) && !tests {
				continue
			}
			own, next := p.holders(o)
			out = append(out, own...)
			more = append(more, next...)
		}
		for _, m := range more {
			if !seen[m] {
				seen[m] = true
				list = append(list, m)
			}
		}
	}
	return out
}

func compareHolders(a, b holder) int {
	return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.of.Doc, b.of.Doc), cmp.Compare(a.of.Decl, b.of.Decl), cmp.Compare(a.name, b.name), cmp.Compare(a.n, b.n), cmp.Compare(a.result, b.result))
}

type heldKey struct {
	holder
	tests bool
}

// holders returns the functions that an expression is, and the holders that it may be read from.
func (p *Project) holders(o origin) (own []Ref, from []holder) {
	chain := o.chain
	if call, arg, ok := strings.Cut(chain, "~"); ok {
		if p.conversion(o, strings.TrimSuffix(call, "()")) {
			chain = arg
		} else {
			chain = call
		}
	}
	for {
		was := chain
		if chain = strings.TrimSuffix(strings.TrimSuffix(chain, "[]"), "[key]"); chain == was {
			break
		}
	}
	if chain[0] == '@' { // a literal, or its parameter
		at, k, param := strings.Cut(chain[1:], "^")
		n, _ := strconv.Atoi(at)
		if param {
			return nil, []holder{{kind: anArgument, of: Ref{o.f.Doc, o.in}, name: k, n: n}}
		}
		return nil, []holder{{kind: aLiteral, of: Ref{o.f.Doc, o.in}, n: n}}
	}
	n := 0
	if head, k, ok := strings.Cut(chain, "()#"); ok && isDigits(k) {
		n, _ = strconv.Atoi(k)
		chain = head + "()"
	}
	if callee, ok := strings.CutSuffix(chain, "()"); ok {
		for _, r := range p.functions(o, callee) {
			from = append(from, holder{kind: aResult, of: r, n: n})
		}
		if len(from) == 0 {
			_, of := p.holders(origin{o.f, o.in, o.at, callee})
			for _, h := range of {
				if !h.called {
					h.called, h.result = true, n
					from = append(from, h)
				}
			}
		}
		return nil, from
	}
	recv, name := cutMember(chain)
	switch {
	case name == "":
		return nil, nil
	case recv == "":
		return p.holdersNamed(o, name)
	}
	return p.holdersOf(o, recv, name)
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// cutMember cuts the last name off a chain, "" where it ends in none.
func cutMember(chain string) (recv, name string) {
	i := strings.LastIndexByte(chain, '.')
	if name = chain[i+1:]; strings.ContainsAny(name, "(){}[]#^?~") {
		return chain, ""
	}
	return chain[:max(i, 0)], name
}

// conversion reports whether what is written as a call converts to a type. Of types of libraries the name says it.
func (p *Project) conversion(o origin, callee string) bool {
	return slices.ContainsFunc(p.eval(o.f, o.in, o.at, callee), func(v value) bool {
		return v.kind == class || v.kind == external && (strings.HasSuffix(callee, "Func") || strings.HasSuffix(callee, "Handler"))
	})
}

// functions returns the functions that a callee of Go means as it is written, of an interface those that
// it may be.
func (p *Project) functions(o origin, callee string) (out []Ref) {
	for _, v := range p.eval(o.f, o.in, o.at, callee) {
		if v.kind != function {
			continue
		}
		for _, t := range p.dispatched(o.f, target{ref: v.ref}) {
			out = append(out, t.ref)
		}
	}
	return out
}

// holdersNamed is holders for a name alone.
func (p *Project) holdersNamed(o origin, name string) ([]Ref, []holder) {
	for d := o.in; d >= 0; d = o.f.Decls[d].Parent {
		if !callable(o.f.Decls[d].Kind) {
			continue
		}
		if slices.ContainsFunc(o.f.bound[name], func(i int32) bool { return o.f.Bindings[i].In == d }) {
			return nil, []holder{{kind: aLocal, of: Ref{o.f.Doc, d}, name: name}}
		}
	}
	for _, doc := range p.packageOf(o.f.Doc) {
		if own, from := p.holdersAt(doc, name); len(own)+len(from) > 0 {
			return own, from
		}
	}
	return nil, nil
}

// holdersAt returns what a name at the top of a document is.
func (p *Project) holdersAt(doc int, name string) (own []Ref, from []holder) {
	if !p.in(doc) {
		return nil, nil
	}
	for _, r := range p.File(doc).topLevel(name) {
		switch d := p.Decl(r); {
		case callable(d.Kind):
			own = append(own, r)
		case d.Kind == corpus.Variable:
			from = append(from, holder{kind: aGlobal, of: r})
		}
	}
	return own, from
}

// holdersOf is holders for a member: of a package, a type or a value.
func (p *Project) holdersOf(o origin, recv, name string) (own []Ref, from []holder) {
	for _, v := range p.eval(o.f, o.in, o.at, recv) {
		if v.kind == module {
			for _, doc := range v.docs {
				refs, more := p.holdersAt(doc, name)
				own, from = append(own, refs...), append(from, more...)
			}
			continue
		}
		of := p.classes(v)
		if v.kind == class {
			of = []Ref{v.ref}
		}
		for _, c := range of {
			methods := 0
			for _, m := range p.memberOf(c, name, 0) {
				if m.kind == function {
					methods++
					for _, t := range p.dispatched(o.f, target{ref: m.ref}) {
						own = append(own, t.ref)
					}
				}
			}
			if owner, ok := p.fieldOwner(c, name); ok && methods == 0 {
				from = append(from, holder{kind: aField, of: owner, name: name})
			}
		}
		if t := strings.TrimLeft(v.typ, "*[]"); v.kind == instance && strings.HasPrefix(t, "struct") {
			from = append(from, holder{kind: anUnnamed, of: Ref{v.ref.Doc, -1}, name: name})
		}
	}
	return own, from
}

// fieldOwner returns the type that declares a field which a type has: itself, or one that it embeds.
func (p *Project) fieldOwner(of Ref, name string) (Ref, bool) {
	for c := range p.ancestors(of) {
		f := p.File(c.Doc)
		if slices.ContainsFunc(f.bound[name], func(i int32) bool { return f.Bindings[i].In == c.Decl }) {
			return c, true
		}
	}
	return Ref{}, false
}

// fieldAt returns the name of the k-th field of a struct.
func (p *Project) fieldAt(c Ref, k int) string {
	f := p.File(c.Doc)
	for i := range f.Bindings {
		if b := &f.Bindings[i]; b.In == c.Decl && b.Name[0] != '=' {
			if k--; k < 0 {
				return b.Name
			}
		}
	}
	return ""
}
