package template

import (
	"strings"
)

// The statements.
type (
	data   string
	group  []node
	jump   string
	output struct {
		line  int
		value expr
	}
	do struct {
		line  int
		value expr
	}
	branch struct {
		line        int
		cond        expr
		then, other []node
	}
	loop struct {
		line        int
		target      []string
		over, cond  expr
		recursive   bool
		body, other []node
	}
	set struct {
		line   int
		target []string
		value  expr
		body   []node
		block  bool
	}
	define struct{ m *macro }
	macro  struct {
		name     string
		line     int
		params   []string
		defaults []expr
		body     []node
	}
	callBlock struct {
		line   int
		call   *callExpr
		caller *macro
	}
	filterBlock struct {
		value expr
		body  []node
	}
	include struct {
		line     int
		name     expr
		optional bool
	}
	imports struct {
		line  int
		name  expr
		as    string
		names [][2]string
	}
	block struct {
		line int
		name string
		body []node
	}
	with struct {
		line   int
		names  []string
		values []expr
		body   []node
	}
)

// nodes renders them until one jumps.
func (r *renderer) nodes(list []node, s *scope) {
	for _, n := range list {
		r.step()
		n.render(r, s)
		if r.jump != "" {
			return
		}
	}
}

func (d data) render(r *renderer, _ *scope)  { r.write(string(d), 0) }
func (g group) render(r *renderer, s *scope) { r.nodes(g, s) }
func (j jump) render(r *renderer, _ *scope)  { r.jump = j }

func (n *output) render(r *renderer, s *scope) { r.write(text(n.value.eval(r, s)), n.line) }
func (n *do) render(r *renderer, s *scope)     { n.value.eval(r, s) }

func (n *branch) render(r *renderer, s *scope) {
	if truth(n.cond.eval(r, s)) {
		r.nodes(n.then, s)
	} else {
		r.nodes(n.other, s)
	}
}

func (n *set) render(r *renderer, s *scope) {
	if n.block {
		text := r.capture(func() { r.nodes(n.body, newScope(s, nil)) })
		outer := r.text
		r.text = text
		defer func() { r.text = outer }()
	}
	r.assign(s, n.target, n.value.eval(r, s), n.line)
}

// assign sets one name, or several to the elements of v.
func (r *renderer) assign(s *scope, names []string, v any, line int) {
	if len(names) == 1 {
		r.assignOne(s, names[0], v, line)
		return
	}
	list := r.elements(v, line)
	if len(list) != len(names) {
		r.fail(line, "cannot assign %d values to %d names", len(list), len(names))
	}
	for i, name := range names {
		r.assignOne(s, name, list[i], line)
	}
}

func (r *renderer) assignOne(s *scope, name string, v any, line int) {
	of, attr, ok := strings.Cut(name, ".")
	if !ok {
		s.set(name, v)
		return
	}
	x, _ := s.get(of)
	ns, ok := x.(*namespace)
	r.failIf(!ok, line, "only the attributes of a namespace can be set")
	ns.vars[attr] = v
}

// A loopState is the variable loop.
type loopState struct {
	loop    *loop
	scope   *scope // around the loop
	items   []any
	i       int
	depth   int
	changed []any
}

func (n *loop) render(r *renderer, s *scope) {
	n.run(r, s, n.over.eval(r, s), 0)
}

func (n *loop) run(r *renderer, s *scope, over any, depth int) {
	items := r.elements(over, n.line)
	if n.cond != nil {
		kept := []any{}
		for _, v := range items {
			r.step()
			inner := newScope(s, nil)
			r.assign(inner, n.target, v, n.line)
			if truth(n.cond.eval(r, inner)) {
				kept = append(kept, v)
			}
		}
		items = kept
	}
	state := &loopState{loop: n, scope: s, items: items, depth: depth}
	for i, v := range items {
		r.step()
		state.i = i
		inner := newScope(s, map[string]any{"loop": state})
		r.assign(inner, n.target, v, n.line)
		r.nodes(n.body, inner)
		was := r.jump
		r.jump = ""
		if was == "break" {
			break
		}
	}
	if len(items) == 0 {
		r.nodes(n.other, s)
	}
}

func (l *loopState) attr(name string) any {
	n := len(l.items)
	at := func(i int) any {
		if i < 0 || i >= n {
			return undefined
		}
		return l.items[i]
	}
	switch name {
	case "index":
		return int64(l.i + 1)
	case "index0":
		return int64(l.i)
	case "revindex":
		return int64(n - l.i)
	case "revindex0":
		return int64(n - l.i - 1)
	case "first":
		return l.i == 0
	case "last":
		return l.i == n-1
	case "length":
		return int64(n)
	case "depth":
		return int64(l.depth + 1)
	case "depth0":
		return int64(l.depth)
	case "previtem":
		return at(l.i - 1)
	case "nextitem":
		return at(l.i + 1)
	case "cycle":
		return function(func(r *renderer, line int, a values) any {
			r.failIf(len(a.args) == 0, line, "loop.cycle needs arguments")
			return a.args[l.i%len(a.args)]
		})
	case "changed":
		return function(func(_ *renderer, _ int, a values) any {
			same := l.changed != nil && equal(l.changed, a.args)
			l.changed = append([]any{}, a.args...)
			return !same
		})
	}
	return undefined
}

// recurse is loop(…) in a recursive loop.
func (l *loopState) recurse(r *renderer, a values, line int) any {
	r.failIf(!l.loop.recursive || len(a.args) != 1, line, "only a recursive loop can be called, with one argument")
	defer r.deeper(line)()
	return r.capture(func() { l.loop.run(r, l.scope, a.args[0], l.depth+1) })
}

// A macroValue is a macro with what it sees.
type macroValue struct {
	*macro
	scope  *scope
	source string
}

func (n *define) render(r *renderer, s *scope) {
	s.set(n.m.name, &macroValue{n.m, s, r.name})
}

func (m *macroValue) call(r *renderer, a values, line int) any {
	defer r.deeper(line)()
	inner := newScope(m.scope, map[string]any{})
	if len(a.args) > len(m.params) {
		r.fail(line, "%s takes %d arguments, not %d", m.name, len(m.params), len(a.args))
	}
	for i, name := range m.params {
		v := a.get(i, name, any(undefined))
		if v == any(undefined) && m.defaults[i] != nil {
			v = m.defaults[i].eval(r, inner)
		}
		inner.vars[name] = v
	}
	for name, v := range a.named {
		_, ok := inner.vars[name]
		if !ok && name != "caller" {
			r.fail(line, "%s has no parameter %s", m.name, name)
		}
		inner.vars[name] = v
	}
	outer := r.name
	r.name = m.source
	out := r.capture(func() { r.nodes(m.body, inner) })
	r.name, r.jump = outer, ""
	return out
}

func (n *callBlock) render(r *renderer, s *scope) {
	f := n.call.fn.eval(r, s)
	a := n.call.args.eval(r, s)
	if a.named == nil {
		a.named = map[string]any{}
	}
	a.named["caller"] = &macroValue{n.caller, s, r.name}
	r.write(text(r.call(f, a, n.line)), n.line)
}

func (n *filterBlock) render(r *renderer, s *scope) {
	text0 := r.capture(func() { r.nodes(n.body, newScope(s, nil)) })
	outer := r.text
	r.text = text0
	v := n.value.eval(r, s)
	r.text = outer
	r.write(text(v), 0)
}

func (n *with) render(r *renderer, s *scope) {
	inner := newScope(s, map[string]any{})
	for i, name := range n.names {
		inner.vars[name] = n.values[i].eval(r, inner)
	}
	r.nodes(n.body, inner)
}

// other returns the template that e names, or the first that there is of several.
func (r *renderer) other(e expr, s *scope, line int) (*source, error) {
	names := []any{e.eval(r, s)}
	if list, ok := names[0].([]any); ok {
		names = list
	}
	err := errNoLoader
	for _, v := range names {
		name, ok := v.(string)
		r.failIf(!ok, line, "the name of a template is a string")
		var t *source
		if t, err = r.load(name); err == nil {
			return t, nil
		}
		if e, ok := err.(*Error); ok {
			panic(e)
		}
	}
	return nil, err
}

func (r *renderer) must(e expr, s *scope, line int) *source {
	t, err := r.other(e, s, line)
	if err != nil {
		r.fail(line, "%s: %v", text(e.eval(r, s)), err)
	}
	return t
}

func (n *include) render(r *renderer, s *scope) {
	t, err := r.other(n.name, s, n.line)
	if err != nil {
		if !n.optional {
			r.fail(n.line, "%s: %v", text(n.name.eval(r, s)), err)
		}
		return
	}
	defer r.deeper(n.line)()
	r.render(t, newScope(s, nil))
}

func (n *imports) render(r *renderer, s *scope) {
	t := r.must(n.name, s, n.line)
	defer r.deeper(n.line)()
	inner := newScope(nil, map[string]any{})
	r.capture(func() { r.render(t, inner) })
	if n.as != "" {
		s.set(n.as, inner.vars)
	}
	for _, name := range n.names {
		v, ok := inner.vars[name[0]]
		if !ok {
			r.fail(n.line, "%s has no %s", t.name, name[0])
		}
		s.set(name[1], v)
	}
}

// render renders a template: what it extends with its blocks in their places.
func (r *renderer) render(t *source, s *scope) {
	outerName, outerChain := r.name, r.chain
	defer func() { r.name, r.chain = outerName, outerChain }()
	r.chain = map[string][]*block{}
	for n := 0; ; n++ {
		r.name = t.name
		for name, b := range t.blocks {
			r.chain[name] = append(r.chain[name], b)
		}
		if t.parent == nil {
			break
		}
		r.failIf(n > maxNesting, 1, "templates extend each other too deep")
		for _, x := range t.body { // what a child sets, its parent sees
			switch x.(type) {
			case *set, *define, *imports:
				x.render(r, s)
			}
		}
		t = r.must(t.parent, s, 1)
	}
	r.nodes(t.body, s)
}

const superLevel = "\x00super"

func (n *block) render(r *renderer, s *scope) {
	if len(r.chain[n.name]) == 0 { // in a macro of another template
		r.nodes(n.body, newScope(s, nil))
		return
	}
	r.level(n.name, 0, s, n.line)
}

// level renders a block as the i-th of those of its name, the first of which is
// the youngest child's.
func (r *renderer) level(name string, i int, s *scope, line int) {
	defer r.deeper(line)()
	b := r.chain[name][i]
	r.nodes(b.body, newScope(s, map[string]any{superLevel: superState{name, i}}))
}

type superState struct {
	name  string
	level int
}

func (r *renderer) super(s *scope, line int) any {
	v, _ := s.get(superLevel)
	st, ok := v.(superState)
	r.failIf(!ok || st.level+1 >= len(r.chain[st.name]), line, "super() needs a block of a parent")
	return r.capture(func() { r.level(st.name, st.level+1, s, line) })
}
