package jvm

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// keyword reads what begins with a keyword.
func (r *kotlinReader) keyword(i int) int {
	switch r.Toks[i].Key {
	case scan.KPackage:
		if len(r.frames) == 1 && r.Line(i) && r.Word(i+1) && r.Out.Module == "" {
			r.Out.Module, i = r.path(i + 1)
			return i
		}
	case scan.KClass, scan.KInterface, scan.KObject:
		if !r.Two(i-1, ':', ':') && !r.Sign(i-1, '.') {
			return r.class(i)
		}
	case scan.KTypealias:
		return r.alias(i)
	case scan.KFun:
		return r.function(i)
	case scan.KVal, scan.KVar:
		// In parentheses it is a parameter that is a property too.
		if f := r.top(); f.jump == 0 {
			return r.property(i)
		}
	case scan.KThis, scan.KSuper:
		if r.Sign(i+1, '(') && !r.Line(i+1) {
			r.Call(i, i+1, false)
		}
	case scan.KFor:
		return r.loop(i)
	}
	return i + 1
}

// loop reads the names of a for and what they go over.
func (r *kotlinReader) loop(i int) int {
	if !r.Sign(i+1, '(') {
		return i + 1
	}
	k := i + 2
	for r.annotation(k) > k {
		k = r.annotation(k)
	}
	if r.Sign(k, '(') {
		for _, p := range r.Split(k, ",", true) {
			if r.Name(p[0]) {
				r.bind(p[0], r.declaredType(p[0]+1), "", 0)
			}
		}
		return r.Past(k)
	}
	if !r.Name(k) {
		return i + 1
	}
	in, typ := k+1, r.declaredType(k+1)
	if typ != "" {
		in = r.typeEnd(k + 2)
	}
	if r.Key(in) != scan.KIn {
		return i + 1
	}
	value := r.blocks(in+1, r.Pair(i+1))
	if value != "" {
		value += "[]"
	}
	r.bind(k, typ, value, 0)
	return in + 1
}

// used reads what begins with a name.
func (r *kotlinReader) used(i int) int {
	f := r.top()
	if f.place == members {
		switch {
		case len(r.frames) == 1 && r.Line(i) && r.Word(i+1) && !r.Line(i+1) && r.Is(i, "import"):
			return r.imported(i)
		case r.Sign(i+1, '(') && i < f.until && (r.Is(i, "get") || r.Is(i, "set")):
			return r.accessor(i)
		case f.kind != 0 && r.Sign(i+1, '(') && r.Is(i, "constructor"):
			return r.constructor(i)
		case f.kind != 0 && r.Sign(i+1, '{') && r.Is(i, "init"):
			r.push(frame{place: code, end: r.Pair(i + 1), decl: -1, local: true})
			return i + 2
		}
	}
	open := r.called(i)
	if open < 0 || open >= f.end {
		return i + 1
	}
	if r.Sign(i-1, '}') && r.Sign(open, '(') && r.Is(i, "catch") {
		return r.caught(i)
	}
	if r.infix(i) {
		return i + 1
	}
	switch r.Toks[i].End - r.Toks[i].At {
	case 7:
		if r.Sign(i-1, '}') && r.Sign(open, '{') && r.Is(i, "finally") || r.Sign(open, '(') && r.Is(i, "suspend") {
			return i + 1
		}
	case 11:
		if f.jump > 0 && r.Is(i, "constructor") {
			return i + 1
		}
	}
	args := open
	if r.Sign(open, '{') {
		args = -1
	}
	r.Call(i, args, false)
	c := &r.Out.Calls[len(r.Out.Calls)-1]
	if args >= 0 && r.Is(i, "with") { // of the library: its first argument is the receiver of the block
		c.Given = r.Given(args, r.Value)
	}
	r.own(c, i)
	c.Block = r.block(i)
	if after := r.Past(open); args < 0 {
		c.Args = 1
		r.handed = append(r.handed, given{open, r.At(i)})
	} else if r.Sign(after, '{') && !r.Line(after) && after < f.end {
		c.Args++
		r.handed = append(r.handed, given{after, r.At(i)})
	}
	return i + 1
}

// called returns the bracket of the arguments of the name at token i: the
// parentheses, or the lambda that stands alone; -1 where it is not called.
func (r *kotlinReader) called(i int) int {
	open := i + 1
	if r.Sign(open, '<') {
		after := r.typeArguments(open)
		if after == open {
			return -1
		}
		open = after
	}
	if open >= len(r.Toks) || r.Toks[open].Line {
		return -1
	}
	if r.Toks[open].Kind == scan.Punct && r.Src[r.Toks[open].End-1] == '@' && r.Sign(open+1, '{') {
		open++ // run label@{
	}
	if r.Toks[open].Kind != scan.Open || r.Sign(open, '[') {
		return -1
	}
	if r.Two(i-1, ':', ':') {
		return -1
	}
	return open
}

// caught reads catch (e: E).
func (r *kotlinReader) caught(i int) int {
	k := i + 2
	for r.annotation(k) > k {
		k = r.annotation(k)
	}
	if r.Name(k) {
		r.bind(k, r.declaredType(k+1), "", 0)
	}
	return r.Past(i + 1)
}

// lambda reads the parameters behind the bracket at token i.
func (r *kotlinReader) lambda(i int) {
	k := i + 1
	if !r.Name(k) && !r.Sign(k, '(') || r.Key(i-1) == scan.KWhen || r.Sign(i-1, ')') && r.Pair(i-1) > 0 && r.Key(r.Pair(i-1)-1) == scan.KWhen {
		return
	}
	n := len(r.Out.Bindings)
	for k < r.Pair(i) {
		switch {
		case r.Name(k):
			typ := ""
			at := k
			if k++; r.Sign(k, ':') {
				end := r.typeEnd(k + 1)
				typ, k = r.Quote(k+1, end), end
			}
			if !r.Sign(k, ',') && !r.Two(k, '-', '>') {
				r.Out.Bindings = r.Out.Bindings[:n]
				return
			}
			r.bind(at, typ, "", 0)
		case r.Sign(k, '('):
			for p := k + 1; p < r.Pair(k); p++ {
				if r.Name(p) && (r.Sign(p+1, ',') || r.Sign(p+1, ')') || r.Sign(p+1, ':')) && !r.Sign(p-1, ':') {
					r.bind(p, "", "", 0)
				} else if !r.Sign(p, ',') {
					break
				}
			}
			k = r.Past(k)
		default:
			r.Out.Bindings = r.Out.Bindings[:n]
			return
		}
		if r.Two(k, '-', '>') {
			return
		}
		if !r.Sign(k, ',') {
			break
		}
		k++
	}
	r.Out.Bindings = r.Out.Bindings[:n]
}

func (r *kotlinReader) imported(i int) int {
	m := corpus.Import{At: r.At(i + 1)}
	var k int
	m.Path, k = r.path(i + 1)
	if r.Sign(k, '.') && r.Sign(k+1, '*') {
		m.Path += ".*"
		k += 2
	}
	if r.Key(k) == scan.KAs && r.Name(k+1) && !r.Line(k) {
		m.Alias = r.Str(k + 1)
		k += 2
	}
	r.Out.Imports = append(r.Out.Imports, m)
	return k
}
