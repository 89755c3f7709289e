package facts

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// What became of a call.
type outcome uint8

const (
	unresolved outcome = iota
	resolved
	ambiguous
	outer // of a library
	read  // no call: a field, or what a library may have
)

// held is how a target is found that what is called was given, or holds.
const held = "argument"

type target struct {
	ref  Ref
	sure Sure
	how  string
}

// resolve returns what a call of document f may run. In Go that may be functions that what is called holds.
func (p *Project) resolve(f *File, c *corpus.Call) ([]target, outcome) {
	if c.Args == corpus.Selected {
		return p.selected(f, c)
	}
	if p.isPlainSetter(f, c) {
		return nil, read
	}
	if c.Block > 0 && c.Receiver == "" {
		if got := p.inReceiver(f, c); len(got) > 0 {
			return got, resolved
		}
	}
	ts, what := p.spelled(f, c)
	if f.Lang == "go" && p.in(f.Doc) && (len(ts) == 0 && what == unresolved || c.Receiver == "" && f.assigned(c)) {
		if got := p.handed(f, c); len(got) > 0 {
			return got, resolved
		}
	}
	if what != resolved {
		if got := p.extended(f, c); len(got) > 0 {
			return got, resolved
		}
		if got := p.macro(f, c); len(got) > 0 {
			return got, resolved
		}
	} else if got := p.besides(f, c, ts); len(got) > len(ts) {
		return got, resolved
	}
	return ts, what
}

// isPlainSetter reports whether a call is written as an assignment, and no method of the project takes the value.
func (p *Project) isPlainSetter(f *File, c *corpus.Call) bool {
	name, isSetter := strings.CutSuffix(c.Callee, "=")
	return isSetter && name != "" && scan.Letter(name[len(name)-1]) && len(p.declared(f.Doc, c.Callee)) == 0
}

// assigned reports whether what is called is a variable of the function around that gets another value later.
func (f *File) assigned(c *corpus.Call) bool {
	return slices.ContainsFunc(f.bound["="+c.Callee], func(i int32) bool { b := &f.Bindings[i]; return b.In == c.In && b.Type == "" })
}

// spelled returns what the name means by which a call is written. What a Go file means that the
// build omits is what it means in a build that has it.
func (p *Project) spelled(f *File, c *corpus.Call) ([]target, outcome) {
	if f.Lang != "go" {
		return p.meant(f, c)
	}
	if p.in(f.Doc) {
		ts, what := p.meant(f, c)
		return p.constrained(ts), what
	}
	q := cmp.Or(p.sibling(f.Doc), p)
	ts, what := q.meant(f, c)
	for i := range ts {
		ts[i].sure, ts[i].how = min(ts[i].sure, Likely), Variant
	}
	return ts, what
}

// meant is resolve in one build.
func (p *Project) meant(f *File, c *corpus.Call) ([]target, outcome) {
	if got := p.reflected(f, c); len(got) > 0 {
		return got, resolved
	}
	if c.Receiver == "" {
		return p.meantAlone(f, c)
	}
	if c.Receiver[0] == '?' {
		return p.byName(f, c)
	}
	if c.Receiver == "super" && syntax.Has(f.Lang, "open-classes") {
		return p.superAround(f, c)
	}
	if c.Callee == corpus.Unnamed {
		return p.targets(f, c, p.eval(f, c.In, c.At, c.Receiver))
	}
	recv := p.objects(f, p.eval(f, c.In, c.At, c.Receiver))
	if c.New && len(recv) == 0 {
		recv = p.lookupType(f, c.In, c.Receiver)
	}
	if !slices.ContainsFunc(recv, func(v value) bool { return v.kind != external }) {
		if got := p.packageMember(f, c.Receiver, c.Callee); len(got) > 0 {
			return p.targets(f, c, got)
		}
	}
	vs, outside := p.membersOf(f, c, recv)
	if !slices.ContainsFunc(vs, func(v value) bool { return v.kind == function || v.kind == class }) {
		if ts := p.virtual(f, c, recv, nil); len(ts) > 0 {
			return ts, resolved
		}
	}
	if len(vs) == 0 && outside || len(vs) > 0 && f.Lang == "go" && !slices.ContainsFunc(vs, func(v value) bool { return v.kind != external }) {
		return p.std(f, c, recv)
	}
	if len(recv) == 0 && (f.Lang == "elixir" || f.Lang == "haskell") {
		// A module is known by its whole name everywhere.
		if got := p.importModule(f.Doc, p.unaliased(f, c.Receiver)); len(got.Docs) > 0 {
			return p.targets(f, c, p.exported(got.Docs, c.Callee))
		}
		if f.Lang == "elixir" && c.Receiver[0] >= 'A' && c.Receiver[0] <= 'Z' {
			return nil, outer // of a library
		}
	}
	if len(recv) == 0 && p.foreign(f, c) {
		return nil, outer
	}
	if len(vs) == 0 && !known(recv) && f.Lang == "go" && c.Callee == "Error" && c.Args == 0 {
		// In Go what has such a method is an error, whatever else is not known.
		return p.std(f, c, []value{{kind: instance, typ: "error"}})
	}
	if len(vs) == 0 {
		if ts := p.inSpace(f, c); len(ts) > 0 {
			return ts, resolved
		}
	}
	if len(vs) == 0 && (len(recv) == 0 || !known(recv) || p.templated(f, recv)) {
		return p.byName(f, c)
	}
	if len(vs) == 0 && f.Lang == "python" {
		for _, r := range recv {
			if r.kind == instance && r.how == "self" {
				vs = append(vs, p.within(f, r.ref, c.Callee)...)
			}
		}
	}
	if len(vs) == 0 {
		return p.lacking(f, c)
	}
	ts, what := p.targets(f, c, vs)
	if len(ts) > maxForParameter && p.areOfParameters(recv) {
		return nil, ambiguous
	}
	switch {
	case what == resolved:
		ts = p.virtual(f, c, recv, ts)
	case what == outer && !slices.ContainsFunc(recv, func(v value) bool { return len(p.classes(v)) == 0 }):
		if got, what := p.lacking(f, c); what == resolved {
			return got, what
		}
	}
	return ts, what
}

// lacking is meant of a class that is known, and has no such member that is written down. In Rust it may have it by a
// trait or by what it derefs to, in Ruby by what is put into it: a telling name that one function has means that.
func (p *Project) lacking(f *File, c *corpus.Call) ([]target, outcome) {
	if (f.Lang == "rust" || f.Lang == "ruby") && telling(c.Callee) {
		if ts, what := p.byName(f, c); what == resolved {
			return ts, what
		}
	}
	return nil, unresolved
}

// meantAlone is meant of a call without a receiver.
func (p *Project) meantAlone(f *File, c *corpus.Call) ([]target, outcome) {
	if (c.Callee == "super" || c.Callee == "this") && f.Lang != "python" {
		return p.constructorAround(f, c)
	}
	if c.Callee == "super" && f.Lang == "python" {
		return nil, outer
	}
	vs := p.lookup(f, c.In, c.At, c.Callee)
	if p.Docs[f.Doc].Language == "java" && !slices.ContainsFunc(vs, func(v value) bool { return v.kind != instance }) {
		if got := p.methodsAround(f, c.In, c.Callee); got != nil {
			vs = got // a variable of that name hides none
		}
	}
	if c.New {
		vs = p.lookupType(f, c.In, c.Callee)
	}
	if len(vs) == 0 && syntax.Lists(f.Lang, "library-functions", c.Callee) {
		return nil, outer
	}
	if len(vs) == 0 && f.Lang == "ruby" {
		return p.lacking(f, c)
	}
	if syntax.Has(f.Lang, "calls-skip-variables") {
		isNear := func(v value) bool { return v.kind == function && v.how != "global" }
		if got := p.uncovered(f, c); len(got) > 0 && !slices.ContainsFunc(vs, isNear) {
			vs = got
		}
	}
	ts, what := p.targets(f, c, vs)
	for i := range ts { // a module's, which what is around may have taken in
		switch t := &ts[i]; {
		case t.how != "global" || p.Decl(t.ref).Parent < 0:
		case f.Lang == "ruby", f.Lang == "elixir" && telling(c.Callee):
			t.sure = min(t.sure, Likely)
		case f.Lang == "elixir":
			t.sure, what = NameOnly, ambiguous
		}
	}
	if cls, ok := p.classAround(f, c.In); ok && what == resolved && syntax.Has(f.Lang, "implicit-members") {
		ts = p.virtual(f, c, []value{{kind: instance, ref: cls}}, ts)
	}
	return ts, what
}

// membersOf returns the members that a call may mean of what its receiver may be. outside says
// that some of that is of a library.
func (p *Project) membersOf(f *File, c *corpus.Call, recv []value) (vs []value, outside bool) {
	for _, r := range recv {
		got := p.member(f, r, c.Callee)
		if r.kind == external {
			outside = true
			continue
		}
		if r.kind == instance && len(got) == 0 && r.typ != "" && p.outside(r) {
			outside = true
		}
		for _, v := range got {
			v.guess = v.guess || r.guess
			if !v.guess || v.kind != function || !p.isTestDouble(f, c.In, v.ref, c.Callee) {
				vs = append(vs, v)
			}
		}
	}
	if f.Lang == "ecma" && !slices.ContainsFunc(recv, func(v value) bool { return v.kind != object }) && partEnd(c.Receiver) == len(c.Receiver) {
		if put := p.lastPut(f, c.In, c.At, c.Receiver, c.Callee); known(put) {
			vs = put
		}
	}
	return vs, outside
}

// unaliased returns the whole name of a module of Elixir, the first part of which may be an alias.
func (p *Project) unaliased(f *File, name string) string {
	first, rest, nested := strings.Cut(name, ".")
	for i := range f.Imports {
		m := &f.Imports[i]
		if _, last := cutLast(m.Path, "."); nested && f.Lang == "elixir" && (m.Alias == first || m.Alias == "" && last == first) {
			return m.Path + "." + rest
		}
	}
	return name
}

// methodsAround returns the methods of a name that the nearest class around has.
func (p *Project) methodsAround(f *File, in int32, name string) []value {
	for d := in; d >= 0; d = f.Decls[d].Parent {
		if !classLike(f.Decls[d].Kind) {
			continue
		}
		got := slices.DeleteFunc(slices.Clone(p.memberOf(Ref{f.Doc, d}, name, 0)), func(v value) bool { return v.kind != function })
		if len(got) > 0 {
			return got
		}
	}
	return nil
}

// targets turns what a called expression may be into what runs.
func (p *Project) targets(f *File, c *corpus.Call, vs []value) ([]target, outcome) {
	var out []target
	outside := false
	if f.Lang == "swift" {
		vs, outside = p.extendedAway(vs)
	}
	if f.Lang == "jvm" && !c.New {
		vs = p.appliedObjects(c, vs)
	}
	for _, v := range vs {
		if v.held && !c.New {
			out = append(out, target{v.holder, Exact, "value"})
			continue
		}
		switch v.kind {
		case function:
			t := target{v.ref, Exact, v.how}
			if v.guess {
				t.sure, t.how = Likely, held
			}
			out = append(out, p.dispatched(f, t)...)
		case class:
			if f.Lang == "go" {
				return nil, outer // a conversion
			}
			for _, t := range p.constructor(c, v) {
				if v.guess {
					t.sure = min(t.sure, Likely)
				}
				out = append(out, t)
			}
		case external:
			outside = true
		case instance:
			out = append(out, p.calledAs(f, c, v)...)
		}
	}
	out = p.overloads(f, c, out)
	if f.Lang == "elixir" {
		out = p.clauses(out)
	}
	switch {
	case len(out) == 0 && outside:
		return nil, outer
	case len(out) == 0:
		return nil, unresolved
	case len(out) > 1 && (f.Lang == "python" || f.Lang == "ruby" || f.Lang == "ecma") && (f.Lang != "ecma" && p.twins(out) || !slices.ContainsFunc(out, func(t target) bool { return t.how != held })):
		for i := range out {
			out[i].sure = Likely
		}
		return out, resolved
	case len(out) > 1 && p.oneOf(f, out):
		for i := range out {
			out[i].sure = Likely
		}
		return out, resolved
	case len(out) > 1 && !slices.ContainsFunc(out, func(t target) bool { return t.how == "dispatch" }):
		for i := range out {
			out[i].sure = NameOnly
		}
		return out, ambiguous
	}
	return out, resolved
}

// whenCalled is the method that calling an instance runs, by language.
var whenCalled = map[string]string{"python": "__call__", "kotlin": "invoke", "scala": "apply", "swift": "callAsFunction", "cpp": "operator()", "php": "__invoke"}

// calledAs returns the methods that run when an instance is called like a function.
func (p *Project) calledAs(f *File, c *corpus.Call, v value) (out []target) {
	name := whenCalled[p.Docs[f.Doc].Language]
	if name == "" || c.New {
		return nil
	}
	for _, cls := range p.classes(v) {
		for _, m := range p.memberOf(cls, name, 0) {
			if m.kind == function && (f.Lang == "python" || c.Args < 0 || p.takes(m.ref, int(c.Args))) {
				out = append(out, target{m.ref, Likely, "receiver"})
			}
		}
	}
	return out
}

// templated reports whether values are of the type that a template of C++ or a generic type of Scala is given: of one that is
// declared nowhere.
func (p *Project) templated(f *File, vs []value) bool {
	if f.Lang != "clang" && p.Docs[f.Doc].Language != "scala" {
		return false
	}
	return !slices.ContainsFunc(vs, func(v value) bool {
		if t := strings.Trim(v.typ, " &*"); v.kind != instance || typeParameter(t) {
			return v.kind != instance
		}
		t := strings.Trim(strings.TrimPrefix(bare(v.typ), "const "), " &*")
		isPlain := t != "" && !strings.ContainsFunc(t, func(r rune) bool { return r > 0x7f || !scan.Letter(byte(r)) })
		return f.Lang != "clang" || !isPlain || len(p.classes(v)) > 0 || p.outside(v)
	})
}

// extendedAway leaves out extensions of classes: what one adds to a class is among that class's members. outside
// says that some are of types that the project does not declare.
func (p *Project) extendedAway(vs []value) (out []value, outside bool) {
	for _, v := range vs {
		if v.kind != class || p.Decl(v.ref).Traits&corpus.Extension == 0 {
			out = append(out, v)
			continue
		}
		name := p.Decl(v.ref).Name
		if !slices.ContainsFunc(p.declared(v.ref.Doc, name), func(r Ref) bool {
			d := p.Decl(r)
			return classLike(d.Kind) && d.Traits&corpus.Extension == 0
		}) {
			outside = true
		}
	}
	return out, outside
}

// twins reports whether targets are one name, declared several times in one place:
// in the branches of an if or a try.
func (p *Project) twins(ts []target) bool {
	first := p.Decl(ts[0].ref)
	return !slices.ContainsFunc(ts, func(t target) bool {
		d := p.Decl(t.ref)
		return t.ref.Doc != ts[0].ref.Doc || d.Parent != first.Parent || d.Name != first.Name
	})
}

// dispatched adds the methods that a method of an interface may turn out to be.
func (p *Project) dispatched(f *File, t target) []target {
	d := p.Decl(t.ref)
	if f.Lang != "go" || d.Traits&corpus.Abstract == 0 || d.Kind != corpus.Method {
		return []target{t}
	}
	g := p.File(t.ref.Doc)
	if d.Parent < 0 {
		return []target{t}
	}
	var out []target
	for _, r := range p.implementers(Ref{g.Doc, d.Parent}, t.ref) {
		if tested(p.Docs[r.Doc].Path) && !tested(f.Path) {
			continue // what only tests build is not what the program runs
		}
		out = append(out, target{r, Likely, "dispatch"})
	}
	return out
}

func tested(path string) bool { return strings.HasSuffix(path, "_test.go") }

func uniqueTargets(ts []target) []target { return unique(ts, func(t target) Ref { return t.ref }) }

// Callees returns the calls in a declaration, with those of what is nested in it
// and has no name of its own, and what they mean.
func (p *Project) Callees(from Ref) ([]Edge, Tally) {
	f := p.File(from.Doc)
	var edges []Edge
	var tally Tally
	for i := range f.Calls {
		c := &f.Calls[i]
		if p.caller(f, c.In) != from.Decl {
			continue
		}
		ts, what := p.resolve(f, c)
		tally.count(what)
		for _, t := range ts {
			edges = append(edges, Edge{From: from, To: t.ref, At: c.At, Sure: t.sure, How: t.how})
		}
	}
	sortEdges(p, edges)
	return edges, tally
}

func (t *Tally) count(what outcome) {
	if what == read {
		return
	}
	t.Total++
	switch what {
	case resolved:
		t.Resolved++
	case ambiguous:
		t.Ambiguous++
	case outer:
		t.External++
		t.Unresolved++
	default:
		t.Unresolved++
	}
}

// Add counts what became of more calls.
func (t *Tally) Add(more Tally) {
	t.Total += more.Total
	t.Resolved += more.Resolved
	t.Ambiguous += more.Ambiguous
	t.Unresolved += more.Unresolved
	t.External += more.External
}

// caller returns the function around a declaration, or -1.
func (p *Project) caller(f *File, in int32) int32 {
	for in >= 0 && !callable(f.Decls[in].Kind) {
		in = f.Decls[in].Parent
	}
	return in
}
