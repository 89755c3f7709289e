package facts

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// reach returns the holders that come to hold some functions of Go, as far as they are handed to functions
// that are called by their own names, and the names by which calls may mean them then.
func (p *Project) reach(of []Ref, from ...holder) (seen map[holder]bool, names []string) {
	seen = map[holder]bool{}
	var list []holder
	add := func(hs []holder) {
		for _, h := range hs {
			if !seen[h] && len(seen) < maxHolders {
				seen[h] = true
				list = append(list, h)
			}
		}
	}
	asked := map[string]map[Ref]bool{} // by their names: thousands may have one, in files that are read for each name
	for _, r := range of {
		if d := p.Decl(r); d != nil && p.Docs[r.Doc].Language == "go" && callable(d.Kind) && d.Kind != corpus.TestCase {
			if asked[d.Name] == nil {
				asked[d.Name] = map[Ref]bool{}
			}
			asked[d.Name][r] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		add(p.takers(name, Handed, func(own []Ref, _ []holder) bool {
			return slices.ContainsFunc(own, func(r Ref) bool { return asked[name][r] })
		}))
	}
	add(from)
	for ; len(list) > 0; list = list[1:] {
		h := list[0]
		if h.called {
			continue // what it holds is there too
		}
		name, role := h.name, Handed
		switch h.kind {
		case aGlobal:
			name = p.Decl(h.of).Name
		case aResult:
			name, role = p.Decl(h.of).Name, Called
			names = append(names, corpus.Unnamed)
			if !p.reaching { // it may be called as what holds it
				p.reaching = true
				in, by := p.reach([]Ref{h.of})
				p.reaching = false
				for _, n := range by {
					add(p.takers(n, Called, func(_ []Ref, from []holder) bool {
						return slices.ContainsFunc(from, func(x holder) bool {
							called := x.called && x.result == h.n
							x.called, x.result = false, 0
							return called && in[x]
						})
					}))
				}
			}
		case aParameter:
			f := p.File(h.of.Doc)
			for i := range f.Bindings {
				if b := &f.Bindings[i]; b.In == h.of.Decl && int(b.Param) == h.n+1 {
					add([]holder{{kind: aLocal, of: h.of, name: b.Name}})
				}
			}
			continue
		case aConverted:
			add(p.receivers(h.of))
			continue
		case aLiteral:
			add(p.takersIn(p.File(h.of.Doc), "@"+strconv.Itoa(h.n), func(_ []Ref, from []holder) bool { return slices.Contains(from, h) }))
			continue
		case anArgument:
			continue
		}
		names = append(names, name)
		if h.kind == aLocal {
			add(p.takersIn(p.File(h.of.Doc), name, func(_ []Ref, from []holder) bool { return slices.Contains(from, h) }))
			continue
		}
		add(p.takers(name, role, func(_ []Ref, from []holder) bool { return slices.Contains(from, h) }))
	}
	slices.Sort(names)
	return seen, slices.Compact(names)
}

// receivers returns the variables that the methods of a type have it as.
func (p *Project) receivers(of Ref) (out []holder) {
	name := p.Decl(of).Name
	for _, doc := range p.packageOf(of.Doc) {
		f := p.File(doc)
		for i := range f.Bindings {
			b := &f.Bindings[i]
			if b.In >= 0 && b.Param == 0 && b.Value == "" && f.Decls[b.In].Kind == corpus.Method && b.At < f.Decls[b.In].NameAt && memberScope(&f.Decls[b.In]) == name {
				out = append(out, holder{kind: aLocal, of: Ref{doc, b.In}, name: b.Name})
			}
		}
	}
	return out
}

// takers returns the holders that are filled with what a name is, where is says that it is that which is
// meant.
func (p *Project) takers(name string, role Role, is func([]Ref, []holder) bool) (out []holder) {
	for _, doc := range p.src.Keyed(Key(role, name)) {
		if p.Docs[doc].Language != "go" || !p.in(doc) {
			continue
		}
		out = append(out, p.takersIn(p.File(doc), name, is)...)
	}
	return out
}

func (p *Project) takersIn(f *File, name string, is func([]Ref, []holder) bool) (out []holder) {
	for i := range f.Bindings {
		if b := &f.Bindings[i]; mentions(b.Value, name) && is(p.holders(origin{f, b.In, b.At - 1, b.Value})) {
			out = append(out, p.filled(f, b)...)
		}
	}
	for i := range f.Calls {
		if c := &f.Calls[i]; c.Given != "" && strings.Contains(c.Given, name) {
			out = append(out, p.takersOf(f, c, name, is)...)
		}
	}
	return out
}

// takersOf returns the parameters that a call fills.
func (p *Project) takersOf(f *File, c *corpus.Call, name string, is func([]Ref, []holder) bool) (out []holder) {
	for k, arg := range commas(c.Given) {
		if !slices.ContainsFunc(origins(f, c, arg), func(o origin) bool { return mentions(o.chain, name) && is(p.holders(o)) }) {
			continue
		}
		for _, v := range p.eval(f, c.In, c.At, whole(c)) {
			if v.kind == class {
				out = append(out, holder{kind: aConverted, of: v.ref})
			}
		}
		for _, r := range p.functions(origin{f, c.In, c.At, ""}, whole(c)) {
			if n := len(p.Decl(r).Params); n > 0 {
				out = append(out, holder{kind: aParameter, of: r, n: min(k, n-1)})
			}
		}
	}
	return out
}

// mentions reports whether a chain may be read from something of a name.
func mentions(chain, name string) bool {
	for {
		i := strings.Index(chain, name)
		if i < 0 {
			return false
		}
		end := i + len(name)
		if (i == 0 || strings.IndexByte(".~|", chain[i-1]) >= 0) && (end == len(chain) || strings.IndexByte("[(~|#", chain[end]) >= 0) {
			return true
		}
		chain = chain[end:]
	}
}

// handedNames returns the names that a file of Go hands on as values.
func handedNames(f *corpus.Facts) map[string]bool {
	chains, names, local := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i := range f.Bindings {
		b := &f.Bindings[i]
		chains[b.Value] = true
		if b.In >= 0 && callable(f.Decls[b.In].Kind) {
			local[b.Name] = true // nobody looks for it from elsewhere
		}
	}
	for i := range f.Calls {
		chains[f.Calls[i].Given] = true
	}
	for given := range chains {
		for _, arg := range commas(given) {
			for one := range strings.SplitSeq(arg, "|") {
				one = one[strings.LastIndexByte(one, '~')+1:]
				for was := ""; was != one; {
					was, one = one, strings.TrimSuffix(strings.TrimSuffix(one, "[]"), "[key]")
				}
				if of, name := cutMember(one); name != "" && (of != "" || !local[name]) {
					names[name] = true
				}
			}
		}
	}
	return names
}
