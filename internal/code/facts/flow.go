package facts

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// How functions flow through the lists and dicts that a text writes out or fills: what is put into them
// is bound under the name of the container and "[]", with "=key" as its type where the key is a constant
// and "=*" where the elements of another container are put in.

// maxFlow bounds how many functions an element may be.
const maxFlow = 32

// maxPuts bounds how many places are read that put something into one container.
const maxPuts = 200

// maxOrder bounds how many bases a class may have, with theirs.
const maxOrder = 64

// A step is the last part of a chain before a bracket: a member of some values, or a name alone.
type step struct {
	of   []value
	name string
}

// written returns the value of a container that is written out in a text, "@7", and what follows it.
func written(f *File, in int32, chain string) (v value, rest string, ok bool) {
	if f.Lang != "python" && f.Lang != "ecma" || chain[0] != '@' {
		return value{}, "", false
	}
	n := partEnd(chain)
	return value{kind: object, typ: chain[:n], ref: Ref{f.Doc, in}, how: "file"}, chain[n:], true
}

// at returns the elements under a key, "" for any, of what cur may be and of what is put into it.
func (p *Project) at(f *File, in int32, at int, last step, cur []value, key string) (out []value) {
	if p.depth >= maxDepth {
		return nil
	}
	p.depth++
	defer func() { p.depth-- }()
	puts, sure := p.puts(f, in, at, last, key)
	out = append(out, puts...)
	if !sure {
		out = append(out, p.each(cur, func(v value) []value {
			switch v.kind {
			case object:
				return p.elements(v, key)
			case class:
				return []value{v} // A[int]
			}
			return p.element(v)
		})...)
	}
	return choice(out)
}

// atIndex is at for an array of JavaScript, of which the elements that are written out or put into it
// are known, or the type.
func (p *Project) atIndex(f *File, in int32, at int, last step, cur []value, key string) []value {
	puts, sure := p.puts(f, in, at, last, key)
	if sure {
		return choice(puts)
	}
	if len(puts) == 0 && !slices.ContainsFunc(cur, value.isArray) {
		return p.each(cur, func(v value) []value {
			if v.kind == object && key != "" {
				return p.ofObject(v.ref, key)
			}
			return p.element(v)
		})
	}
	return p.at(f, in, at, last, cur, key)
}

// lastPut returns what was assigned last, before a place in the same function, to a member of what is
// known there by a name.
func (p *Project) lastPut(f *File, in int32, at int, of, name string) []value {
	latest := int32(-1)
	for _, i := range f.bound[of+"."+name] {
		if b := &f.Bindings[i]; b.In == in && b.At < at {
			latest = i
		}
	}
	if latest < 0 {
		return nil
	}
	return p.source(f, latest)
}

// isArray reports whether a value is an array, or a dict, that is written out.
func (v value) isArray() bool { return v.kind == object && v.typ != "" && v.typ[0] == '@' }

// choice is what an element may be: one of several is a guess.
func choice(vs []value) []value {
	out := uniqueValues(vs)
	for i := range out {
		out[i].guess = out[i].guess || len(out) > 1
	}
	return out[:min(len(out), maxFlow)]
}

// elements returns what a container is written out with under a key. It may hold itself.
func (p *Project) elements(v value, key string) []value {
	asked := question{v.ref, v.typ + "[" + key}
	if got, ok := p.answers[asked]; ok {
		return got
	}
	p.answers[asked] = nil // while it is looked for, it is not known
	got := uniqueValues(p.elementsOf(v, key))
	got = got[:min(len(got), maxFlow)]
	p.answers[asked] = got
	return got
}

func (p *Project) elementsOf(v value, key string) (out []value) {
	f := p.File(v.ref.Doc)
	if v.typ == "()" {
		return p.yielded(v.ref)
	}
	name, start, sliced := strings.Cut(v.typ, ":")
	if sliced {
		from, err := strconv.Atoi(cmp.Or(start, "0"))
		n, wrong := strconv.Atoi(key)
		if key = ""; err == nil && wrong == nil {
			key = strconv.Itoa(from + n)
		}
	}
	found := false
	for _, i := range f.bound[name+"[]"] {
		b := &f.Bindings[i]
		if key != "" && b.Type == "="+key {
			return p.put(f, i) // the first of two with one key is gone, but which is that is not known of numbers
		}
		found = found || b.Type == "" || b.Type == "=*"
	}
	if key != "" && !found {
		return nil
	}
	for _, i := range f.bound[name+"[]"] {
		if b := &f.Bindings[i]; key == "" || b.Type == "" || b.Type == "=*" {
			out = append(out, p.put(f, i)...)
		}
	}
	return out
}

// source returns what a binding puts into a container, as written. It is found once: elements are put
// where others are taken from, and asking along every way would not end.
func (p *Project) source(f *File, i int32) []value {
	key := valueKey{f.Doc, i}
	if got, ok := p.values[key]; ok {
		return got
	}
	p.values[key] = nil // while it is looked for, it is not known
	b := &f.Bindings[i]
	got := uniqueValues(p.eval(f, b.In, b.At-1, b.Value))
	p.values[key] = got
	return got
}

// put is source, of another container its elements.
func (p *Project) put(f *File, i int32) []value {
	vs := p.source(f, i)
	if f.Bindings[i].Type == "=*" {
		return p.each(vs, func(v value) []value {
			if v.kind == object {
				return p.elements(v, "")
			}
			return p.element(v)
		})
	}
	return vs
}

// puts returns what is put into a container after it was made, and whether the element under the key
// is that alone: where it was put there before in the same function.
func (p *Project) puts(f *File, in int32, at int, last step, key string) (out []value, sure bool) {
	if last.name == "" {
		return nil, false
	}
	if last.of == nil {
		scope := f.scopeOf(last.name, in)
		var puts []int32
		latest := int32(-1)
		for _, i := range f.bound[last.name+"[]"] {
			b := &f.Bindings[i]
			if b.In != scope && f.scopeOf(last.name, b.In) != scope {
				continue
			}
			if key != "" && b.In == in && b.At < at && (b.Type == "="+key || b.Type == "=*") {
				latest = i
			}
			if key == "" || b.Type == "="+key || b.Type == "" || b.Type == "=*" {
				puts = append(puts, i)
			}
		}
		if latest >= 0 {
			return p.under(f, latest, key), true
		}
		for _, i := range puts[:min(len(puts), maxPuts)] {
			out = append(out, p.put(f, i)...)
		}
		return out, false
	}
	for _, v := range last.of {
		switch v.kind {
		case instance, class:
			for _, cls := range p.classes(value{kind: instance, typ: v.typ, ref: v.ref}) {
				for _, c := range p.linear(cls) {
					out = append(out, p.putsOf(c, last.name, key)...)
				}
			}
		case module:
			for _, d := range v.docs {
				g := p.File(d)
				got, _ := p.puts(g, -1, atEnd, step{name: last.name}, key)
				out = append(out, got...)
			}
		}
	}
	return out, false
}

// under is put for one key.
func (p *Project) under(f *File, i int32, key string) []value {
	if f.Bindings[i].Type != "=*" {
		return p.put(f, i)
	}
	return p.each(p.source(f, i), func(v value) []value {
		if v.kind == object {
			return p.elements(v, key)
		}
		return p.element(v)
	})
}

// putsOf returns what the methods of a class put into one of its fields.
func (p *Project) putsOf(c Ref, name, key string) (out []value) {
	f := p.File(c.Doc)
	for _, own := range [...]string{"self.", "cls.", "this."} {
		for _, i := range f.bound[own+name+"[]"] {
			b := &f.Bindings[i]
			if around, ok := p.classAround(f, b.In); ok && around == c && (key == "" || b.Type == "="+key || b.Type == "" || b.Type == "=*") {
				out = append(out, p.put(f, i)...)
			}
		}
	}
	return out
}

// scopeOf returns the function that a name is of where it is used in a declaration, -1 for the file.
func (f *File) scopeOf(name string, in int32) int32 {
	name = name[:partEnd(name)]
	for d := in; d >= 0; d = f.Decls[d].Parent {
		if slices.ContainsFunc(f.bound[name], func(i int32) bool { return f.Bindings[i].In == d }) {
			return d
		}
	}
	return -1
}

// ofContainer returns a member of a list or a dict that is written out, or of what a context manager
// yields, which with gives a name.
func (p *Project) ofContainer(f *File, v value, name string) []value {
	if v.typ == "()" {
		if !slices.ContainsFunc(p.Decl(v.ref).Marks, func(m string) bool { return strings.HasSuffix(m, "contextmanager") }) {
			return nil
		}
		return p.each(p.yielded(v.ref), func(v value) []value { return p.member(f, v, name) })
	}
	switch name {
	case "get", "pop", "setdefault":
		v.typ += "."
	case "values", "copy":
		v.typ += "~"
	default:
		return nil
	}
	return []value{v}
}

// called returns what calling such a method gives.
func (p *Project) called(v value) []value {
	if name, ok := strings.CutSuffix(v.typ, "."); ok {
		v.typ = name
		return choice(p.elements(v, ""))
	}
	if name, ok := strings.CutSuffix(v.typ, "~"); ok {
		v.typ = name
		return []value{v}
	}
	return nil
}

// keyOf cuts the bracket off that a rest of a chain begins with: "[]", "[=key]", "[:]".
func keyOf(rest string) (key, after string, ok bool) {
	if len(rest) < 2 || rest[0] != '[' {
		return "", rest, false
	}
	end := strings.IndexByte(rest, ']')
	if end < 0 {
		return "", rest, false
	}
	return strings.TrimPrefix(rest[1:end], "="), rest[end+1:], true
}

// sliced returns a part of what are lists: its elements are in other places.
func sliced(vs []value, key string) []value {
	out := slices.Clone(vs)
	for i := range out {
		if out[i].kind == object && out[i].typ[0] == '@' {
			if strings.Contains(out[i].typ, ":") {
				key = ":?"
			}
			name, _, _ := strings.Cut(out[i].typ, ":")
			out[i].typ = name + key
		}
	}
	return out
}

// yielded returns what a generator yields.
func (p *Project) yielded(ref Ref) []value {
	f := p.File(ref.Doc)
	return p.once(ref, "yield", func() (out []value) {
		for _, i := range f.bound["[]"] {
			if b := &f.Bindings[i]; b.In == ref.Decl {
				out = append(out, p.source(f, i)...)
			}
		}
		return out
	})
}

// variable returns what a variable of a module is at a place of it: what was assigned last before, else
// what is known of it.
func (p *Project) variable(f *File, d *corpus.Decl, own int32, at int) (got []value) {
	list := f.bound[d.Name]
	mine := func(i int32) bool { return f.Bindings[i].In == own || f.Bindings[i].In == d.Parent }
	for k := len(list) - 1; k >= 0; k-- {
		if i := list[k]; mine(i) && f.Bindings[i].At <= at {
			if got = p.binding(f, i); known(got) || slices.ContainsFunc(got, func(v value) bool { return v.kind == object }) {
				return got
			}
		}
	}
	for _, i := range list {
		if mine(i) && !known(got) {
			got = p.binding(f, i)
		}
	}
	return got
}

// within returns the methods of a name that classes have which extend one that has none: what self is
// is one of these.
func (p *Project) within(f *File, c Ref, name string) (out []value) {
	for _, r := range p.declared(f.Doc, name) {
		d := p.Decl(r)
		if d.Kind != corpus.Method {
			continue
		}
		if of, ok := p.classAround(p.File(r.Doc), d.Parent); ok && of != c && slices.Contains(p.linear(of), c) {
			out = append(out, value{kind: function, ref: r, how: "dispatch", guess: true})
		}
		if len(out) >= maxFlow {
			break
		}
	}
	return out
}

// linear returns a class and its bases in the order in which Python looks for members.
func (p *Project) linear(c Ref) []Ref {
	if got, ok := p.orders[c]; ok {
		return got
	}
	p.orders[c] = []Ref{c} // while it is looked for
	lists := [][]Ref{}
	bases := p.bases(c)
	if len(bases) > maxBases || p.depth >= maxDepth {
		return p.orders[c]
	}
	p.depth++
	defer func() { p.depth-- }()
	for _, b := range bases {
		lists = append(lists, slices.Clone(p.linear(b)))
	}
	lists = append(lists, slices.Clone(bases))
	out := []Ref{c}
	for {
		lists = slices.DeleteFunc(lists, func(l []Ref) bool { return len(l) == 0 })
		if len(lists) == 0 || len(out) > maxOrder {
			break
		}
		next := lists[0][0]
		for _, l := range lists {
			// The first that no other list has further behind.
			if !slices.ContainsFunc(lists, func(o []Ref) bool { return slices.Contains(o[1:], l[0]) }) {
				next = l[0]
				break
			}
		}
		out = append(out, next)
		for i := range lists {
			lists[i] = slices.DeleteFunc(lists[i], func(r Ref) bool { return r == next })
		}
	}
	p.orders[c] = out
	return out
}
