package facts

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// implementers returns the methods of types of the project that have all the
// methods of a Go interface, for one of these methods.
func (p *Project) implementers(iface, method Ref) (out []Ref) {
	if got, ok := p.implements[method]; ok {
		return got
	}
	defer func() { p.implements[method] = out }()
	m := p.Decl(method)
	wanted := p.asked(iface)
	for _, r := range p.declared(iface.Doc, m.Name) {
		d := p.Decl(r)
		if d.Kind != corpus.Method || d.Traits&corpus.Abstract != 0 || len(d.Params) != len(m.Params) || !p.alike(r, iface.Doc, m) {
			continue
		}
		if c, ok := p.classNamed(p.File(r.Doc), -1, memberScope(d)); ok && p.hasAll(c, wanted) {
			out = append(out, r)
		}
	}
	return out
}

// alike reports whether a method takes and gives what another one does that is
// asked for in document doc. Between packages the same type is written in two ways.
func (p *Project) alike(r Ref, doc int, m *corpus.Decl) bool {
	d := p.Decl(r)
	if (d.Result == "") != (m.Result == "") {
		return false
	}
	a, b := signature(d), signature(m)
	return a == b || path.Dir(p.Docs[r.Doc].Path) != path.Dir(p.Docs[doc].Path) && unqualified(a) == unqualified(b)
}

// unqualified takes the packages out of a signature.
func unqualified(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '.' || i+1 < len(s) && s[i+1] == '.' || i > 0 && s[i-1] == '.' {
			b.WriteByte(s[i])
			continue
		}
		was := b.String()
		b.Reset()
		b.WriteString(strings.TrimRightFunc(was, func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }))
	}
	return b.String()
}

// signature returns the types that a Go method takes and gives, as written.
func signature(d *corpus.Decl) string {
	var b strings.Builder
	typ := func(s string) {
		s = strings.TrimSpace(s)
		if name, rest, ok := strings.Cut(s, " "); ok && !strings.ContainsAny(name, "*[].{(<") && name != "chan" && name != "func" && name != "map" && name != "struct" && name != "interface" {
			s = strings.TrimSpace(rest)
		}
		b.WriteString(s)
		b.WriteByte(',')
	}
	for _, s := range d.Params {
		typ(s)
	}
	b.WriteByte('>')
	if r, ok := strings.CutPrefix(d.Result, "("); ok {
		list := commas(strings.TrimSuffix(r, ")"))
		for k := range list {
			for _, v := range part(value{kind: instance, typ: d.Result}, k) {
				typ(v.typ)
			}
		}
	} else if d.Result != "" {
		typ(d.Result)
	}
	return b.String()
}

// A method that an interface asks for: in the project, or one of which the name
// alone is known.
type wanted struct {
	name string
	doc  int
	decl *corpus.Decl
}

func (p *Project) hasAll(c Ref, methods []wanted) bool {
	for _, w := range methods {
		if !slices.ContainsFunc(p.memberOf(c, w.name, 0), func(v value) bool {
			return v.kind == external || v.kind == function && (w.decl == nil || p.alike(v.ref, w.doc, w.decl))
		}) {
			return false
		}
	}
	return true
}

// asked returns what a Go interface asks for, with what it embeds.
func (p *Project) asked(iface Ref) (out []wanted) {
	for r := range p.ancestors(iface) {
		f := p.File(r.Doc)
		for i := range f.Decls {
			if d := &f.Decls[i]; d.Parent == r.Decl && d.Kind == corpus.Method {
				out = append(out, wanted{d.Name, r.Doc, d})
			}
		}
		for _, b := range f.Decls[r.Decl].Bases {
			for _, n := range syntax.Words(bare(b), "interface-methods") {
				out = append(out, wanted{name: n})
			}
		}
	}
	return out
}

// std answers for a call on a library's interface that types of the project may
// implement, or on one of the project that embeds it. What such an interface asks
// for is known only for the common ones of Go.
func (p *Project) std(f *File, c *corpus.Call, recv []value) ([]target, outcome) {
	if f.Lang != "go" {
		return nil, outer
	}
	for _, v := range recv {
		q, ok := p.stdInterface(v)
		if !ok {
			continue
		}
		q.method, q.args, q.tests = c.Callee, int(c.Args), tested(f.Path)
		out, known := p.answering[q]
		if !known {
			out = p.stdMethods(f, q)
			p.answering[q] = out
		}
		if len(out) > 0 {
			return slices.Clone(out), resolved // who asks may change how sure it is
		}
	}
	return nil, outer
}

// A stdCall is a call on an interface, of the library by its name or of the project.
type stdCall struct {
	library string
	iface   Ref
	method  string
	args    int
	tests   bool // what tests declare may be meant
}

func (p *Project) stdInterface(v value) (stdCall, bool) {
	if v.kind != instance {
		return stdCall{}, false
	}
	if t := bare(v.typ); syntax.Has(t, "interface-methods") {
		return stdCall{library: t}, true
	}
	for _, c := range p.classes(v) {
		if p.Decl(c).Kind == corpus.Interface {
			return stdCall{iface: c}, true
		}
	}
	return stdCall{}, false
}

// stdMethods returns the methods that such a call may run: of types that have all that the interface
// asks for.
func (p *Project) stdMethods(f *File, q stdCall) (out []target) {
	methods := slice.Map(syntax.Words(q.library, "interface-methods"), func(n string) wanted { return wanted{name: n} })
	if q.library == "" {
		methods = p.asked(q.iface)
	}
	if !slices.ContainsFunc(methods, func(w wanted) bool { return w.name == q.method }) {
		return nil
	}
	for _, r := range p.declared(f.Doc, q.method) {
		d := p.Decl(r)
		if d.Kind != corpus.Method || d.Traits&corpus.Abstract != 0 || len(d.Params) != q.args || tested(p.Docs[r.Doc].Path) && !q.tests {
			continue
		}
		if cls, ok := p.classNamed(p.File(r.Doc), -1, memberScope(d)); ok && p.hasAll(cls, methods) {
			out = append(out, target{r, Likely, "dispatch"})
		}
	}
	return out
}
