package template

import (
	"fmt"
	"strings"
)

// A renderer is one rendering.
type renderer struct {
	o      Options
	out    *strings.Builder
	parsed map[string]*source
	name   string // of the template that runs
	chain  map[string][]*block
	depth  int
	steps  int
	next   int    // number of steps at which Poll is asked
	jump   jump   // break or continue, on its way to its loop
	text   string // what {% set %} and {% filter %} have captured
}

// A scope is the variables of a template, a loop or a macro.
type scope struct {
	parent *scope
	vars   map[string]any
}

func newScope(parent *scope, vars map[string]any) *scope {
	return &scope{parent, vars}
}

func (s *scope) set(name string, v any) {
	if s.vars == nil {
		s.vars = map[string]any{}
	}
	s.vars[name] = v
}

func (s *scope) get(name string) (any, bool) {
	for ; s != nil; s = s.parent {
		if v, ok := s.vars[name]; ok {
			return v, true
		}
	}
	return nil, false
}

func (r *renderer) fail(line int, format string, args ...any) {
	panic(&Error{r.name, line, fmt.Sprintf(format, args...)})
}

//go:noinline
func (r *renderer) failIf(wrong bool, line int, message string) {
	if wrong {
		panic(&Error{r.name, line, message})
	}
}

// step counts what has been done, and asks now and then whether to go on.
func (r *renderer) step() { r.did(1) }

func (r *renderer) did(n int) {
	if r.steps += n; r.steps < r.next || r.o.Poll == nil {
		return
	}
	r.next = r.steps + 256
	if err := r.o.Poll(); err != nil {
		panic(stopped{err})
	}
}

// size fails if a value of n bytes would be too large.
func (r *renderer) size(n, line int) {
	if n > r.o.Limit {
		r.fail(line, "a value of more than %d bytes", r.o.Limit)
	}
	r.did(max(n, 0) >> 10)
}

func (r *renderer) write(s string, line int) {
	if r.out.Len()+len(s) > r.o.Limit {
		r.fail(line, "more than %d bytes of output", r.o.Limit)
	}
	r.out.WriteString(s)
}

// deeper counts a call that may come to itself again.
func (r *renderer) deeper(line int) func() {
	if r.depth++; r.depth > maxNesting {
		r.fail(line, "calls nested too deep (limit is %d)", maxNesting)
	}
	return func() { r.depth-- }
}

// capture returns what f writes.
func (r *renderer) capture(f func()) string {
	outer := r.out
	r.out = &strings.Builder{}
	defer func() { r.out = outer }()
	f()
	return r.out.String()
}

func (captured) eval(r *renderer, _ *scope) any { return r.text }

// captured is the text between {% set %} or {% filter %} and its end.
type captured struct{}

func (e *constant) eval(*renderer, *scope) any { return e.v }

func (e *variable) eval(_ *renderer, s *scope) any {
	if v, ok := s.get(e.name); ok {
		return v
	}
	if f, ok := functions(e.name); ok {
		return f
	}
	return undefined
}

func (e *getAttr) eval(r *renderer, s *scope) any { return r.attr(e.of.eval(r, s), e.name, e.line) }

func (r *renderer) attr(v any, name string, line int) any {
	switch v := v.(type) {
	case map[string]any:
		if x, ok := v[name]; ok {
			return x
		}
	case *namespace:
		if x, ok := v.vars[name]; ok {
			return x
		}
	case *loopState:
		return v.attr(name)
	case *macroValue:
		if name == "name" {
			return v.name
		}
	case undefinedValue:
		r.fail(line, "undefined value: it has no attribute %q", name)
	}
	return undefined
}

func (e *getItem) eval(r *renderer, s *scope) any {
	return r.item(e.of.eval(r, s), e.key.eval(r, s), e.line)
}

func (r *renderer) item(v, key any, line int) any {
	switch k := key.(type) {
	case string:
		return r.attr(v, k, line)
	case int64:
		switch v := v.(type) {
		case []any:
			if k < 0 {
				k += int64(len(v))
			}
			if k >= 0 && k < int64(len(v)) {
				return v[k]
			}
		case string:
			c := []rune(v)
			if k < 0 {
				k += int64(len(c))
			}
			if k >= 0 && k < int64(len(c)) {
				return string(c[k])
			}
		case map[string]any:
			return r.attr(v, text(k), line)
		case undefinedValue:
			r.fail(line, "undefined value: it has no items")
		}
	}
	return undefined
}

func (e *sliceExpr) eval(r *renderer, s *scope) any {
	v := e.of.eval(r, s)
	bound := func(x expr) (int64, bool) {
		if x == nil {
			return 0, false
		}
		switch n := x.eval(r, s).(type) {
		case int64:
			return n, true
		case nil:
			return 0, false
		}
		r.fail(e.line, "a slice needs integers")
		return 0, false
	}
	from, hasFrom := bound(e.from)
	to, hasTo := bound(e.to)
	step, ok := bound(e.step)
	if !ok {
		step = 1
	}
	r.failIf(step == 0, e.line, "a slice needs a step")
	str, isString := v.(string)
	list := r.elements(v, e.line)
	out := []any{}
	for _, i := range indices(int64(len(list)), from, to, step, hasFrom, hasTo) {
		out = append(out, list[i])
	}
	if !isString {
		return out
	}
	var b strings.Builder
	b.Grow(len(str))
	for _, x := range out {
		b.WriteString(text(x))
	}
	return b.String()
}

// indices returns the places of a slice of n elements, as Python counts them.
func indices(n, from, to, step int64, hasFrom, hasTo bool) (list []int64) {
	clamp := func(i, low, high int64) int64 {
		if i < 0 {
			i += n
		}
		return min(max(i, low), high)
	}
	if step > 0 {
		a, b := int64(0), n
		if hasFrom {
			a = clamp(from, 0, n)
		}
		if hasTo {
			b = clamp(to, 0, n)
		}
		for i := a; i < b; i += min(step, n) {
			list = append(list, i)
		}
		return list
	}
	a, b := n-1, int64(-1)
	if hasFrom {
		a = clamp(from, -1, n-1)
	}
	if hasTo {
		b = clamp(to, -1, n-1)
	}
	for i := a; i > b; i += max(step, -n) {
		list = append(list, i)
	}
	return list
}

func (a arguments) eval(r *renderer, s *scope) (v values) {
	for _, x := range a.args {
		v.args = append(v.args, x.eval(r, s))
	}
	if len(a.named) > 0 {
		v.named = map[string]any{}
		for i, x := range a.named {
			v.named[a.names[i]] = x.eval(r, s)
		}
	}
	return v
}

func (e *callExpr) eval(r *renderer, s *scope) any {
	r.step()
	if v, ok := e.fn.(*variable); ok && v.name == "super" {
		return r.super(s, e.line)
	}
	var f any
	if e.of != nil {
		of := e.of.eval(r, s)
		f = r.attr(of, e.name, e.line)
		if f == any(undefined) {
			return r.method(of, e.name, e.args.eval(r, s), e.line)
		}
	} else {
		f = e.fn.eval(r, s)
	}
	return r.call(f, e.args.eval(r, s), e.line)
}

func (r *renderer) call(f any, a values, line int) any {
	switch f := f.(type) {
	case function:
		return f(r, line, a)
	case *macroValue:
		return f.call(r, a, line)
	case *loopState:
		return f.recurse(r, a, line)
	}
	r.fail(line, "a %s cannot be called", kindOf(f))
	return nil
}

func (e *filterExpr) eval(r *renderer, s *scope) any {
	r.step()
	return r.filter(e.name, e.of.eval(r, s), e.args.eval(r, s), e.line)
}

func (e *testExpr) eval(r *renderer, s *scope) any {
	return r.test(e.name, e.of.eval(r, s), e.args.eval(r, s), e.line) != e.not
}

func (e *ternary) eval(r *renderer, s *scope) any {
	switch {
	case truth(e.cond.eval(r, s)):
		return e.then.eval(r, s)
	case e.other != nil:
		return e.other.eval(r, s)
	}
	return undefined
}

func (e *list) eval(r *renderer, s *scope) any {
	out := make([]any, len(e.items))
	for i, x := range e.items {
		out[i] = x.eval(r, s)
	}
	return out
}

func (e *dict) eval(r *renderer, s *scope) any {
	m := make(map[string]any, len(e.keys))
	for i, k := range e.keys {
		m[text(k.eval(r, s))] = e.values[i].eval(r, s)
	}
	return m
}

func (e *unary) eval(r *renderer, s *scope) any {
	v := e.x.eval(r, s)
	if e.op == "not" {
		return !truth(v)
	}
	switch n := v.(type) {
	case int64:
		if e.op == "-" {
			return -n
		}
		return n
	case float64:
		if e.op == "-" {
			return -n
		}
		return n
	}
	r.fail(e.line, "a %s has no sign", kindOf(v))
	return nil
}

func (e *binary) eval(r *renderer, s *scope) any {
	r.step()
	x := e.x.eval(r, s)
	switch e.op {
	case "and":
		if !truth(x) {
			return x
		}
		return e.y.eval(r, s)
	case "or":
		if truth(x) {
			return x
		}
		return e.y.eval(r, s)
	}
	y := e.y.eval(r, s)
	switch e.op {
	case "==":
		return equal(x, y)
	case "!=":
		return !equal(x, y)
	case "in":
		return r.contains(y, x, e.line)
	case "~":
		a, b := text(x), text(y)
		r.size(len(a)+len(b), e.line)
		return a + b
	case "<", "<=", ">", ">=":
		n, ok := compare(x, y)
		if !ok {
			r.fail(e.line, "cannot compare %s with %s", kindOf(x), kindOf(y))
		}
		return map[string]bool{"<": n < 0, "<=": n <= 0, ">": n > 0, ">=": n >= 0}[e.op]
	}
	return r.arith(e.op, x, y, e.line)
}

func (r *renderer) contains(in, x any, line int) bool {
	switch in := in.(type) {
	case string:
		return strings.Contains(in, text(x))
	case []any:
		for _, v := range in {
			r.step()
			if equal(v, x) {
				return true
			}
		}
		return false
	case map[string]any:
		_, ok := in[text(x)]
		return ok
	case undefinedValue, nil:
		return false
	}
	r.fail(line, "nothing is in a %s", kindOf(in))
	return false
}
