package facts

import (
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// sources returns the expressions that a holder is filled with, and the holders that it is filled from.
func (p *Project) sources(h holder) (out []origin, from []holder) {
	f := p.File(h.of.Doc)
	switch h.kind {
	case aLocal:
		return p.localSources(f, h)
	case aGlobal:
		d := p.Decl(h.of)
		for _, i := range f.bound[d.Name] {
			if b := &f.Bindings[i]; (b.In == h.of.Decl || b.In < 0) && b.Value != "" {
				out = append(out, origin{f, b.In, b.At, b.Value})
			}
		}
		out = append(out, p.filling(d.Name, h)...)
	case aField:
		out = p.filling(h.name, h)
		for k := range maxPositional {
			if name := p.fieldAt(h.of, k); name == h.name {
				out = append(out, p.filling("#"+strconv.Itoa(k), h)...)
			} else if name == "" {
				break
			}
		}
	case anUnnamed:
		for _, i := range f.bound["="+h.name] {
			if b := &f.Bindings[i]; strings.HasPrefix(b.Type, "{struct") {
				out = append(out, origin{f, b.In, b.At, b.Value})
			}
		}
	case aResult:
		for _, i := range f.bound["()"] {
			if b := &f.Bindings[i]; b.In == h.of.Decl && (b.Type == "" || b.Type == "#"+strconv.Itoa(h.n)) {
				out = append(out, origin{f, b.In, b.At, b.Value})
			}
		}
		if name := resultName(p.Decl(h.of).Result, h.n); name != "" {
			from = append(from, holder{kind: aLocal, of: h.of, name: name})
		}
	case aParameter:
		return p.givenTo(h), nil
	case aConverted:
		return p.convertedTo(h), nil
	case anArgument:
		k, _ := strconv.Atoi(h.name)
		in, names := p.reach(nil, holder{kind: aLiteral, of: h.of, n: h.n})
		return p.givenBy(in, names, k, false), nil
	}
	return out, from
}

// maxPositional bounds the fields of a struct that is written without their names.
const maxPositional = 24

// resultName returns the name of the k-th result, as it is written.
func resultName(result string, k int) string {
	inner, ok := strings.CutPrefix(result, "(")
	if !ok {
		return ""
	}
	list := commas(strings.TrimSuffix(inner, ")"))
	if k >= len(list) || !strings.Contains(strings.TrimSpace(list[len(list)-1]), " ") {
		return ""
	}
	name, _, _ := strings.Cut(strings.TrimSpace(list[k]), " ")
	return name
}

func (p *Project) localSources(f *File, h holder) (out []origin, from []holder) {
	d := &f.Decls[h.of.Decl]
	for _, i := range f.bound[h.name] {
		b := &f.Bindings[i]
		switch {
		case b.In != h.of.Decl:
		case b.Param > 0:
			from = append(from, holder{kind: aParameter, of: h.of, n: int(b.Param) - 1})
		case b.Value != "":
			out = append(out, origin{f, b.In, b.At - 1, b.Value})
		case d.Kind == corpus.Method && b.At < d.NameAt:
			if c, ok := p.classNamed(f, -1, memberScope(d)); ok {
				from = append(from, holder{kind: aConverted, of: c})
			}
		}
	}
	for _, i := range f.bound["="+h.name] {
		if b := &f.Bindings[i]; b.In == h.of.Decl && b.Type == "" {
			out = append(out, origin{f, b.In, b.At - 1, b.Value})
		}
	}
	return out, from
}

// filling returns what texts put into a variable of a package or into a field, by its name.
func (p *Project) filling(name string, h holder) (out []origin) {
	for _, s := range p.fillings(name) {
		if slices.Contains(s.into, h) {
			out = append(out, s.origin)
		}
	}
	return out
}

// A putting is an expression, and what it is put into.
type putting struct {
	origin
	into []holder
}

// fillings are the expressions that are put into something of a name. They are remembered: where all
// calls of a project are resolved, the same names are asked for again and again.
func (p *Project) fillings(name string) []putting {
	if got, ok := p.puttings[name]; ok {
		return got
	}
	var out []putting
	for _, doc := range p.src.Keyed(Key(Put, name)) {
		if p.Docs[doc].Language != "go" || !p.in(doc) {
			continue
		}
		g := p.File(doc)
		for _, i := range g.bound["="+name] {
			b := &g.Bindings[i]
			out = append(out, putting{origin{g, b.In, b.At - 1, b.Value}, p.filled(g, b)})
		}
	}
	p.puttings[name] = out
	return out
}

// filled returns the holders that a binding puts its value into.
func (p *Project) filled(f *File, b *corpus.Binding) (out []holder) {
	name, put := strings.CutPrefix(b.Name, "=")
	switch {
	case name == "()" && !put:
		n, _ := strconv.Atoi(strings.TrimPrefix(b.Type, "#"))
		return []holder{{kind: aResult, of: Ref{f.Doc, b.In}, n: n}}
	case !put || b.Type == "":
		_, out = p.holdersNamed(origin{f, b.In, b.At, ""}, name)
		return out
	case strings.HasPrefix(b.Type, "{struct"):
		return []holder{{kind: anUnnamed, of: Ref{f.Doc, -1}, name: name}}
	case name[0] == '#':
		k, _ := strconv.Atoi(name[1:])
		for _, v := range p.eval(f, b.In, b.At-1, b.Type) {
			for _, c := range p.classes(v) {
				if field := p.fieldAt(c, k); field != "" {
					out = append(out, holder{kind: aField, of: c, name: field})
				}
			}
		}
		return out
	}
	_, out = p.holdersOf(origin{f, b.In, b.At - 1, ""}, b.Type, name)
	return out
}

// givenTo returns what calls give to a parameter.
func (p *Project) givenTo(h holder) (out []origin) {
	d := p.Decl(h.of)
	last := h.n == len(d.Params)-1 && strings.Contains(d.Params[h.n], "...")
	for _, s := range p.sites(d.Name) {
		if slices.Contains(p.calledAt(s), h.of) {
			out = append(out, given1(s.f, s.call, h.n, last)...)
		}
	}
	// It may be called by the names of what holds it, too.
	in, names := p.reach([]Ref{h.of})
	return append(out, p.givenBy(in, names, h.n, last)...)
}

// givenBy returns what calls of some holders, by their names, give as the n-th argument, and behind it where it
// is the last of any number.
func (p *Project) givenBy(in map[holder]bool, names []string, n int, last bool) (out []origin) {
	for _, name := range names {
		for _, s := range p.sites(name) {
			if slices.ContainsFunc(p.readFrom(s), func(h holder) bool { return in[h] }) {
				out = append(out, given1(s.f, s.call, n, last)...)
			}
		}
	}
	return out
}

// convertedTo returns what is converted to a type of functions.
func (p *Project) convertedTo(h holder) (out []origin) {
	for _, s := range p.sites(p.Decl(h.of).Name) {
		if slices.ContainsFunc(p.eval(s.f, s.call.In, s.call.At, whole(s.call)), func(v value) bool { return v.kind == class && v.ref == h.of }) {
			out = append(out, given1(s.f, s.call, 0, false)...)
		}
	}
	return out
}

// A site is a call that gives functions. What it calls is known when it was asked for.
type site struct {
	f     *File
	call  *corpus.Call
	known bool // meant is
	meant []Ref
	read  bool // from is known
	from  []holder
}

// calledAt returns the functions that a site calls as it is written.
func (p *Project) calledAt(s *site) []Ref {
	if !s.known {
		s.known, s.meant = true, p.functions(origin{s.f, s.call.In, s.call.At, ""}, whole(s.call))
	}
	return s.meant
}

// readFrom returns the holders that what a site calls may be read from.
func (p *Project) readFrom(s *site) []holder {
	if !s.read {
		s.read = true
		_, s.from = p.holders(origin{s.f, s.call.In, s.call.At, whole(s.call)})
	}
	return s.from
}

// sites returns the calls of Go that may be of a name and give functions.
func (p *Project) sites(name string) []*site {
	if got, ok := p.sitesOf[name]; ok {
		return got
	}
	var out []*site
	for _, doc := range p.src.Keyed(Key(Called, name)) {
		if p.Docs[doc].Language != "go" || !p.in(doc) {
			continue
		}
		g := p.File(doc)
		for i := range g.Calls {
			if c := &g.Calls[i]; c.Callee == name && c.Given != "" {
				out = append(out, &site{f: g, call: c})
			}
		}
	}
	p.sitesOf[name] = out
	return out
}

// whole is what a call calls, as a chain.
func whole(c *corpus.Call) string {
	if c.Callee == corpus.Unnamed {
		return c.Receiver
	}
	if c.Receiver == "" {
		return c.Callee
	}
	return c.Receiver + "." + c.Callee
}

// given1 returns what the n-th argument of a call may be, and all behind it where it is the last of any number.
func given1(g *File, c *corpus.Call, n int, last bool) (out []origin) {
	for k, arg := range commas(c.Given) {
		if k == n || last && k > n {
			out = append(out, origins(g, c, arg)...)
		}
	}
	return out
}

// origins returns what an argument may be.
func origins(g *File, c *corpus.Call, arg string) (out []origin) {
	for one := range strings.SplitSeq(arg, "|") {
		if one != "?" {
			out = append(out, origin{g, c.In, c.At, one})
		}
	}
	return out
}
