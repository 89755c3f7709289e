package facts

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// Callers returns the calls that may run one of some declarations, and what
// became of all calls of their names.
func (p *Project) Callers(of []Ref) ([]Edge, Tally) { return p.callers(of, true, true, nil) }

// CallersByName returns the calls that name one of some declarations, or its class: not those
// of a constructor by super and this, for which every file must be read that has one, and
// only in documents that pass.
func (p *Project) CallersByName(of []Ref, pass func(doc int) bool) []Edge {
	edges, _ := p.callers(of, true, false, pass)
	return edges
}

// callers leaves out, without values, the calls of what functions were handed to, and without
// words, constructors that are called by words that do not name them. The variables of documents that are holding may hold one.
func (p *Project) callers(of []Ref, values, words bool, pass func(doc int) bool, holding ...int) ([]Edge, Tally) {
	want, names := p.wanted(of)
	if !words {
		maps.DeleteFunc(names, func(n string, _ bool) bool { return indirect.Has(n) })
	}
	p.renamed(want, names)
	said := maps.Clone(names)
	p.aliases(names)
	quiet := p.objectNames(of) // words that may run anything: calls by them count where they mean what is asked about
	for n := range quiet {
		quiet[n], names[n] = !names[n], true
	}
	for _, n := range p.aliased["default"] {
		quiet[n] = !said[n]
	}
	if values && slices.ContainsFunc(of, func(r Ref) bool { return p.Docs[r.Doc].Language == "java" }) {
		for _, n := range invoking.List() {
			quiet[n], names[n] = !names[n], true
		}
	}
	if values {
		_, by := p.reach(slices.Collect(maps.Keys(want)))
		set.Add(names, by...)
	}
	var keys []uint32
	for n := range names {
		keys = append(keys, Key(Called, n))
	}
	var edges []Edge
	var tally Tally
	docs := append(p.src.Keyed(keys...), holding...)
	own := set.Of(holding) // documents whose variables may hold one
	for _, r := range of {
		if lang := p.Docs[r.Doc].Language; syntax.Has(family(lang), "functions-flow") || p.Decl(r).Name == whenCalled[lang] {
			own[r.Doc] = true
			docs = append(docs, r.Doc)
		}
	}
	slices.Sort(docs)
	docs = slices.DeleteFunc(slices.Compact(docs), func(doc int) bool { return pass != nil && !pass(doc) })
	p.read(docs)
	members := p.interfaceMembers(of)
	ofInterface := slices.ContainsFunc(of, func(r Ref) bool {
		return syntax.Has(p.Docs[r.Doc].Language, "implicit-interfaces") && p.Decl(r).Traits&corpus.Abstract != 0
	})
	for _, doc := range docs {
		f := p.File(doc)
		for i := range f.Calls {
			c := &f.Calls[i]
			named := names[unspaced(c.Callee)]
			if !named && !(own[doc] && f.holds(c)) {
				continue
			}
			ts, what := p.worded(f, c) // what overrides is wanted already
			if ofInterface && syntax.Has(f.Lang, "implicit-interfaces") {
				ts, what = p.withInterface(f, c, ts, what)
			}
			if !values {
				ts = slices.DeleteFunc(slices.Clone(ts), func(t target) bool { return t.how == held })
			}
			if len(members) > 0 && named && len(ts) == 0 {
				if to, ok := p.throughMember(f, c, members); ok {
					ts, what = []target{{to, Likely, "dispatch"}}, resolved
				}
			}
			if named && !indirect.Has(c.Callee) && !quiet[c.Callee] || slices.ContainsFunc(ts, func(t target) bool { _, ok := want[t.ref]; return ok }) {
				tally.count(what)
			}
			for _, t := range ts {
				if sure, ok := want[t.ref]; ok && !(sure == Likely && p.callsBase(f, c, of)) {
					e := Edge{From: Ref{doc, p.caller(f, c.In)}, To: t.ref, At: c.At, Sure: min(t.sure, sure), How: t.how}
					if sure == Likely {
						e.How = "dispatch"
					}
					edges = append(edges, e)
				}
			}
		}
	}
	for _, e := range p.operations(of, pass) {
		tally.count(resolved)
		edges = append(edges, e)
	}
	sortEdges(p, edges)
	return edges, tally
}

// operations returns where some methods run by the operators that stand for them, whose left operand is known to have them. Only
// files with the name of their class are read.
func (p *Project) operations(of []Ref, pass func(doc int) bool) (out []Edge) {
	for _, r := range of {
		d := p.Decl(r)
		sign := syntax.Operator(p.Docs[r.Doc].Language, d.Name)
		if sign == "" || !callable(d.Kind) {
			continue
		}
		c, ok := p.memberClass(p.File(r.Doc), r)
		if !ok {
			continue
		}
		for _, doc := range p.src.Mentioning(p.Decl(c).Name) {
			f := p.File(doc)
			if f.Lang != p.File(r.Doc).Lang || pass != nil && !pass(doc) {
				continue
			}
			for _, x := range syntax.Operations(f.Path, p.Docs[doc].Language, p.src.Text(doc, nil), sign) {
				in := p.Around(doc, x.At)
				for _, v := range p.eval(f, in, x.At, x.Chain) {
					isMeant := func(m value) bool { return m.kind == function && m.ref == r }
					if v.kind == instance && slices.ContainsFunc(p.member(f, v, d.Name), isMeant) {
						out = append(out, Edge{From: Ref{doc, p.caller(f, in)}, To: r, At: x.At, Sure: Likely, How: "receiver"})
						break
					}
				}
			}
		}
	}
	return out
}

// callsBase reports whether a call asks the base of the class of some methods in that class, super().put(k): it runs none of them.
func (p *Project) callsBase(f *File, c *corpus.Call, of []Ref) bool {
	switch c.Receiver {
	case "super", "super()", "base", "parent":
	default:
		return false
	}
	in, ok := p.classAround(f, c.In)
	return ok && !slices.ContainsFunc(of, func(r Ref) bool {
		around, known := p.memberClass(p.File(r.Doc), r)
		return !known || around != in
	})
}

// interfaceMembers returns the members of interfaces of TypeScript, which are no functions, that methods implement.
func (p *Project) interfaceMembers(of []Ref) map[spot]Ref {
	out := map[spot]Ref{}
	for _, r := range of {
		f, d := p.File(r.Doc), p.Decl(r)
		c, ok := p.classAround(f, d.Parent)
		if f.Lang != "ecma" || d.Kind != corpus.Method || !ok {
			continue
		}
		for up := range p.ancestors(c) {
			g := p.File(up.Doc)
			for _, b := range p.fieldsIn(g, d.Name) {
				if g.fieldOf(b) == up.Decl && g.Decls[up.Decl].Kind == corpus.Interface {
					out[spot{g.Doc, g.Bindings[b].At}] = r
				}
			}
		}
	}
	return out
}

// throughMember returns the method that a call of a member of an interface may run.
func (p *Project) throughMember(f *File, c *corpus.Call, members map[spot]Ref) (Ref, bool) {
	if f.Lang != "ecma" || c.Receiver == "" || c.Receiver[0] == '?' {
		return Ref{}, false
	}
	for _, recv := range p.eval(f, c.In, c.At, c.Receiver) {
		for _, at := range p.fieldsAt(recv, c.Callee, Exact) {
			if r, ok := members[spot{at.Doc, at.At}]; ok {
				return r, true
			}
		}
	}
	return Ref{}, false
}

// withInterface adds to the targets of a call the method of an implicit interface that it names.
func (p *Project) withInterface(f *File, c *corpus.Call, ts []target, what outcome) ([]target, outcome) {
	if c.Receiver == "" || c.Receiver[0] == '?' {
		return ts, what
	}
	defer p.saying()()
	for _, recv := range p.eval(f, c.In, c.At, c.Receiver) {
		for _, v := range p.member(f, recv, c.Callee) {
			if v.kind != function || p.Decl(v.ref).Traits&corpus.Abstract == 0 {
				continue
			}
			t := target{v.ref, Exact, "receiver"}
			if v.guess || recv.guess {
				t.sure = Likely
			}
			ts, what = append(ts[:len(ts):len(ts)], t), resolved
		}
	}
	return ts, what
}

// wanted returns what calls of some declarations may mean, and by which names they call it.
func (p *Project) wanted(of []Ref) (want map[Ref]Sure, names map[string]bool) {
	want, names = map[Ref]Sure{}, map[string]bool{}
	for _, r := range of {
		d := p.Decl(r)
		if d == nil {
			continue
		}
		want[r] = Exact
		names[d.Name] = true
		f := p.File(r.Doc)
		if c, ok := p.classAround(f, d.Parent); ok && constructs(d) {
			set.Add(names, []string{p.Decl(c).Name, "super", "this", "new"}...)
		}
		if classLike(d.Kind) {
			names["new"], names["super"] = true, true
			makers := []string{"__init__", "constructor", "__construct", "initialize", "init", d.Name}
			if p.objectOnly(f, r.Decl) {
				makers = append(makers, whenCalled["scala"])
			}
			for _, m := range makers {
				for _, v := range p.ownMember(r, m) {
					if v.kind == function {
						want[v.ref] = Exact
					}
				}
			}
		}
		for _, o := range p.overridden(r) {
			want[o] = Likely
		}
	}
	return want, names
}

// indirect are words by which a constructor is called that do not name it: calls by
// them count only where they mean the one that is asked about.
var indirect = lazy.Words("super this new")

func constructs(d *corpus.Decl) bool {
	return d.Traits&corpus.Constructor != 0 || d.Name == "__init__" || d.Name == "initialize"
}

// memberClass returns the class that a method is a member of, also where it is written outside of it.
func (p *Project) memberClass(f *File, r Ref) (Ref, bool) {
	if c, ok := p.classAround(f, f.Decls[r.Decl].Parent); ok {
		return c, true
	}
	return p.classAround(f, r.Decl)
}

// overridden returns the methods that a method takes the place of.
func (p *Project) overridden(r Ref) (out []Ref) {
	d := p.Decl(r)
	f := p.File(r.Doc)
	if d.Kind != corpus.Method || constructs(d) || syntax.Has(f.Lang, "implicit-interfaces") {
		return nil
	}
	c, ok := p.memberClass(f, r)
	if !ok {
		return nil
	}
	for _, b := range p.bases(c) {
		for _, v := range p.memberOf(b, d.Name, 0) {
			if v.kind == function && v.ref != r {
				out = append(out, v.ref)
			}
		}
	}
	if f.Lang == "python" {
		out = append(out, p.mixedIn(c, d.Name)...)
	}
	return out
}

// mixedIn returns the methods of a name that those of a class of Python take the place of in what extends it: of
// class Real(Mixin, Base), those of Base, which asks itself for them and gets Mixin's.
func (p *Project) mixedIn(c Ref, name string) (out []Ref) {
	for _, heir := range p.descendants(c) {
		order := p.linear(heir)
		k := slices.Index(order, c)
		if k < 0 {
			continue
		}
		for _, r := range order[k+1:] {
			if slices.Contains(p.linear(c), r) {
				continue
			}
			for _, v := range p.ownMember(r, name) {
				if v.kind == function && !slices.Contains(out, v.ref) {
					out = append(out, v.ref)
				}
			}
		}
	}
	return out
}

// descendants returns the classes that extend one, directly or through others.
func (p *Project) descendants(c Ref) []Ref {
	if got, ok := p.heirsBelow[c]; ok {
		return got
	}
	const most = 64
	out := []Ref{}
	for todo := []Ref{c}; len(todo) > 0 && len(out) < most; todo = todo[1:] {
		for _, r := range p.extending(todo[0]) {
			if r.Type != c && !slices.Contains(out, r.Type) {
				out, todo = append(out, r.Type), append(todo, r.Type)
			}
		}
	}
	p.heirsBelow[c] = out
	return out
}

// renamed adds the names under which files offer some declarations: export { a as b }.
func (p *Project) renamed(of map[Ref]Sure, names map[string]bool) {
	for r := range of {
		f := p.File(r.Doc)
		if f.Lang != "ecma" || f.Decls[r.Decl].Parent >= 0 {
			continue
		}
		for i := range f.Bindings {
			if b := &f.Bindings[i]; b.In < 0 && b.Value == f.Decls[r.Decl].Name {
				names[strings.TrimPrefix(b.Name, ".")] = true
			}
		}
	}
}

// aliases adds the names under which files import one of some names, and those of imports of
// what a file offers by default, which has any name.
func (p *Project) aliases(names map[string]bool) {
	if p.aliased == nil {
		p.aliased = map[string][]string{}
		p.readHeads()
		for i := range p.Docs {
			for _, m := range p.Head(i).Imports {
				if m.Alias != "" && len(m.Names) == 0 {
					last := path.Base(slashes.Replace(m.Path))
					p.aliased[last] = append(p.aliased[last], m.Alias)
				}
				for _, n := range m.Names {
					if n.Alias != "" {
						p.aliased[n.Name] = append(p.aliased[n.Name], n.Alias)
					}
				}
			}
		}
		for n, to := range p.aliased {
			slices.Sort(to)
			p.aliased[n] = slices.Compact(to)
		}
	}
	more := slices.Clone(p.aliased["default"])
	for n := range names {
		more = append(more, p.aliased[n]...)
	}
	set.Add(names, more...)
}
