package haskell

import (
	"bytes"
	"strconv"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// symbolic reports whether token i is an operator that can be defined.
func (r *reader) symbolic(i int) bool {
	if r.Kind(i) != scan.Punct || i >= len(r.Toks) || !symbol[r.Src[r.At(i)]] {
		return false
	}
	switch string(r.Bytes(i)) {
	case "=", "|", "::", "->", "<-", "=>", "@", "\\", "..":
		return false
	}
	return true
}

// ofModule reports whether token i is an operator that is written with its module:
// the .<> of M.<>.
func (r *reader) ofModule(i int) bool {
	return r.Kind(i) == scan.Punct && r.End(i)-r.At(i) > 1 && r.Src[r.At(i)] == '.' && r.Adjacent(i-1) && r.constructor(i-1)
}

// prefix reports whether token k is a sign of a pattern: !x, ~x.
func (r *reader) prefix(k int) bool {
	return (r.Is(k, "!") || r.Is(k, "~")) && r.Adjacent(k) && !(k > 0 && r.Adjacent(k-1) && r.Kind(k-1) != scan.Open)
}

// binding reads the signature, the equation or the splice at token i.
func (r *reader) binding(i int) {
	c := r.top()
	if r.signature(i) {
		return
	}
	name, params, body := r.equation(i)
	switch c.mode = head; {
	case body == 0:
		c.mode = expr // top level splices
		return
	case name < 0:
		return
	}
	var s *signature
	if s = c.sigs[r.Str(name)]; s != nil {
		s.bound = true
	}
	types, result := []string(nil), ""
	if s != nil {
		types, result = r.split(s)
	}
	again := c.prev > 0 && r.Out.Decls[c.prev-1].Name == r.Str(name) && r.Out.Decls[c.prev-1].Params != nil
	if again {
		c.decl = c.prev
	} else {
		d := r.declare(corpus.Method, i, name)
		d.Result, d.Body = result, r.At(body)
		if c.kind == top {
			if d.Kind = corpus.Function; len(params) == 0 && s == nil {
				d.Kind = corpus.Constant
			}
		} else {
			if d.Exported = c.kind == instance || r.method(c, d.Name); c.kind == class {
				d.Traits |= corpus.Open
			}
		}
		for _, p := range params {
			d.Params = append(d.Params, r.Quote(p[0], p[1]))
		}
		if len(c.last) == 1 && c.last[0] == s {
			d.Doc, d.Span.Start = s.doc, s.start
		}
	}
	for n, p := range params {
		from := p[0]
		if r.prefix(from) {
			from++
		}
		if from+1 != p[1] || !r.variable(from) {
			continue
		}
		b := corpus.Binding{Name: r.Str(from), At: r.At(from), Param: int16(min(n+1, 1000))}
		if n < len(types) {
			b.Type = types[n]
		}
		r.Out.Bindings = append(r.Out.Bindings, b)
	}
}

// Bounds on the tokens of an expression or a block in which a local name is looked for, and of patterns.
const (
	maxScope    = 200
	maxPatterns = 24
)

// scopeEnd returns the token before which the expression, or the rest of the block, ends that begins with token i.
func (r *reader) scopeEnd(i int) int {
	end, block := i+1, r.indent(i)
	for n := 0; n < maxScope && end < len(r.Toks) && r.Kind(end) != scan.Close; n++ {
		if end = r.Past(end); r.Line(end) && (r.indent(end) == 0 || r.indent(end) < block) {
			break
		}
	}
	return end
}

// bindWithin binds the name at token k from token i up to token end.
func (r *reader) bindWithin(i, k, end int) {
	r.BindAs(corpus.BlockMark+r.Str(k), "", strconv.Itoa(r.At(end)-r.At(i)), r.At(i), 0)
	r.Bind(k, "", "", 0)
}

// indent returns the indentation of the line of token i in bytes, which stands in its first 200.
func (r *reader) indent(i int) int {
	line := r.Src[max(0, r.At(i)-200):r.At(i)]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	return len(line) - len(bytes.TrimLeft(line, " \t"))
}

// signature reads f, (+) :: type, if that is what begins at token i.
func (r *reader) signature(i int) bool {
	c := r.top()
	var names []int
	k := i
	for {
		if r.variable(k) {
			names = append(names, k)
			k++
		} else if r.Is(k, "(") && r.Pair(k) == k+2 && r.symbolic(k+1) {
			names = append(names, k+1)
			k += 3
		} else {
			return false
		}
		if !r.Is(k, ",") {
			break
		}
		k++
	}
	if !r.Is(k, "::") {
		return false
	}
	start, doc := r.At(i), r.Doc(r.At(i))
	if doc.End > doc.Start {
		start = doc.Start
	}
	if c.sigs == nil {
		c.sigs = map[string]*signature{}
	}
	for _, n := range names {
		s := &signature{name: n, from: k + 1, to: k + 1, start: start, doc: doc, alone: len(names) == 1}
		c.sigs[r.Str(n)] = s
		c.said = append(c.said, s)
		if c.kind == class {
			c.order = append(c.order, s)
		}
	}
	return true
}

// equation reads what is bound at token i: the name, -1 where it is a pattern, the
// tokens of each argument, and where what it is bound to begins, 0 where nothing is
// bound.
func (r *reader) equation(i int) (name int, params [][2]int, body int) {
	operator, after := -1, -1 // of an infix definition, and the token after it
	k := i
	for ; !r.beyond(i, k); k = r.Past(k) {
		t := &r.Toks[k]
		switch {
		case r.Is(k, "="):
			body = k + 1
		case r.Is(k, "|"):
			body = k
		case r.Is(k, "`"):
			if last := r.qualified(k + 1); operator < 0 {
				operator, after = last, last+2
				k = last + 1
				if r.constructor(last) {
					operator = -2
				}
			}
			continue
		case r.Is(k, "@"):
			if n := len(params); n > 0 && r.Adjacent(k-1) { // x@(…)
				k = r.qualified(k + 1)
				params[n-1][1] = r.Past(k)
			}
			continue
		case r.Is(k, "{") && len(params) > 0:
			params[len(params)-1][1] = r.Past(k)
			continue
		case r.prefix(k):
			params = append(params, [2]int{k, r.Past(k + 1)})
			k++
			continue
		case r.symbolic(k):
			if operator == -1 {
				if operator, after = k, k+1; r.Src[t.At] == ':' || r.ofModule(k) {
					operator = -2 // a pattern
				}
			}
			continue
		case t.Kind == scan.Punct || t.Key != 0:
			return -1, nil, 0
		default:
			last := r.qualified(k)
			params = append(params, [2]int{k, r.Past(last)})
			k = last
			continue
		}
		break
	}
	switch {
	case body == 0 || operator == -2 || k <= i:
		return -1, nil, body
	case operator >= 0:
		from := operator
		if r.Is(from-1, "`") {
			from--
		}
		return operator, [][2]int{{i, from}, {after, k}}, body
	case len(params) == 0:
		return -1, nil, body
	case r.variable(i):
		return i, params[1:], body
	case r.Is(i, "(") && r.Pair(i) == i+2 && r.symbolic(i+1):
		return i + 1, params[1:], body
	case r.Is(i, "(") && len(params) > 1: // (f . g) x
		for j := i + 1; j < r.Pair(i); j = r.Past(j) {
			if r.symbolic(j) && !r.prefix(j) {
				return j, params[1:], body
			} else if r.Is(j, "`") {
				return j + 1, params[1:], body
			}
		}
	}
	return -1, nil, body
}
