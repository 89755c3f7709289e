package python

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

const (
	maxParts = 24 // of a chain
	maxDepth = 50 // of parentheses around one
)

// value returns the tokens from i up to end as a chain; "" where they are none.
func (f *file) value(i, end int) string {
	if i+1 == end {
		if !f.Name(i) {
			return ""
		}
		return f.Str(i)
	}
	if i >= end || f.over(i, end) != end {
		return ""
	}
	var room [80]byte
	return string(f.write(room[:0], i, end, 0))
}

// write appends the tokens from i up to end, which are parts of a chain; it
// returns nil where they are none.
func (f *file) write(b []byte, i, end, depth int) []byte {
	for f.Key(i) == scan.KAwait {
		i++
	}
	of := f.partial(i)
	path, behind := f.loaded(i)
	switch {
	case path != "":
		b = append(b, "import('"+path+"')"...)
		i = behind
	case of > 0 && of < end && depth < maxDepth:
		items := f.list(of, f.past(of))
		if len(items) == 0 || f.over(items[0][0], items[0][1]) != items[0][1] {
			return nil
		}
		if b = f.write(b, items[0][0], items[0][1], depth+1); b == nil {
			return nil
		}
		i = f.past(of)
	case f.Name(i):
		b = append(b, f.Bytes(i)...)
		i++
	case f.Sign(i, '(') && depth < maxDepth && f.over(i+1, f.Pair(i)) == f.Pair(i):
		if b = f.write(b, i+1, f.Pair(i), depth+1); b == nil {
			return nil
		}
		i = f.past(i)
	case f.Kind(i) == scan.Open && depth < maxDepth:
		at := f.display(i)
		if at == "" {
			return nil
		}
		b = append(b, at...)
		i = f.past(i)
	default:
		return nil
	}
	for parts := 0; i < end; parts++ {
		if parts == maxParts {
			return nil
		}
		switch {
		case f.Sign(i, '('):
			b = append(b, "()"...)
			i = f.past(i)
		case f.Sign(i, '['):
			b = append(append(append(b, '['), f.subscript(i)...), ']')
			i = f.past(i)
		default:
			b = append(append(b, '.'), f.Bytes(i+1)...)
			i += 2
		}
	}
	return b
}

// over returns the token after the chain that seems to begin at token i, no later
// than end; i where none does.
func (f *file) over(i, end int) int {
	from := i
	for i < end && f.Toks[i].Key == scan.KAwait {
		i++
	}
	if i >= end || !f.Name(i) && f.Kind(i) != scan.Open {
		return from
	}
	i = f.past(i)
	for i < end {
		switch t := &f.Toks[i]; {
		case t.Kind == scan.Open && f.Src[t.At] != '{':
			i = f.past(i)
		case f.Sign(i, '.') && i+1 < end && f.Toks[i+1].Kind == scan.Word:
			i += 2
		default:
			return i
		}
	}
	return end
}

const (
	maxItems   = 64 // of a list that are looked at
	maxTargets = 16 // of one assignment
)

// loaded returns the path of the module that importlib.import_module(path) or __import__(path) at token i loads, and the token behind
// the call; no path if there is none.
func (f *file) loaded(i int) (path string, behind int) {
	if f.Is(i, "importlib") && f.Sign(i+1, '.') {
		i += 2
	}
	loads := f.Is(i, "import_module") || f.Is(i, "__import__")
	isGiven := f.Sign(i+1, '(') && f.Kind(i+2) == scan.Text && f.Sign(i+3, ')')
	if !loads || !isGiven {
		return "", 0
	}
	return strings.Trim(f.Str(i+2), `"'`), i + 4
}

// typeBound returns the type in TypeVar(name, bound=type) from token i up to end; "" if there is none.
func (f *file) typeBound(i, end int) string {
	if f.Is(i, "typing") && f.Sign(i+1, '.') {
		i += 2
	}
	if !f.Is(i, "TypeVar") || !f.Sign(i+1, '(') {
		return ""
	}
	for k := i + 2; k < min(f.Pair(i+1), end); k = f.past(k) {
		if f.Is(k, "bound") && f.Sign(k+1, '=') {
			stop := k + 2
			for stop < f.Pair(i+1) && !f.Sign(stop, ',') {
				stop = f.past(stop)
			}
			return strings.Trim(f.quote(k+2, stop), `"'`)
		}
	}
	return ""
}

// values calls yield for each chain that the tokens from i up to end may be: both
// sides of an or, and of an if with an else; what an and ends with.
func (f *file) values(i, end int, yield func(string)) {
	for range maxItems {
		k := f.over(i, end)
		if k >= end {
			if v := f.value(i, end); v != "" {
				yield(v)
			}
			return
		}
		switch f.Toks[k].Key {
		case scan.KAnd:
			i = k + 1
		case scan.KOr:
			if v := f.value(i, k); v != "" {
				yield(v)
			}
			i = k + 1
		case scan.KIf:
			if v := f.value(i, k); v != "" {
				yield(v)
			}
			for k < end && f.Toks[k].Key != scan.KElse {
				k = f.past(k)
			}
			if k >= end {
				return
			}
			i = k + 1
		default:
			return
		}
	}
}

// results reads what a return gives.
func (f *file) results(i, end int) {
	if i >= end {
		return
	}
	f.values(i, end, func(v string) { f.BindAs("()", "", v, f.At(i), 0) })
}

// simple reads a statement without a block: an assignment, or an expression.
func (f *file) simple(i, end int) {
	colon, eq, first := 0, 0, 0
	for k := i; k < end; k = f.past(k) {
		t := &f.Toks[k]
		if t.Key == scan.KLambda {
			break
		}
		if t.Kind != scan.Punct || t.End-t.At != 1 {
			continue
		}
		if c := f.Src[t.At]; c == '=' {
			first = cmp.Or(first, k)
			eq = k
		} else if c == ':' && first == 0 && colon == 0 {
			colon = k
		}
	}
	switch {
	case colon > 0:
		f.annotated(i, colon, eq, end)
	case eq > 0:
		for n, from := 0, i; from <= eq && n < maxTargets; n++ {
			to := from
			for !f.Sign(to, '=') {
				to = f.past(to)
			}
			f.assign(from, to, eq+1, end, to == eq, 0)
			from = to + 1
		}
	}
	f.walk(i, end)
}

// annotated reads x: T = value.
func (f *file) annotated(i, colon, eq, end int) {
	stop := end
	if eq > 0 {
		stop = eq
	}
	name := f.target(i, colon)
	if name == "" {
		return
	}
	typ := f.quote(colon+1, stop)
	value := ""
	if eq > 0 {
		value = f.first(eq+1, end)
	}
	f.BindAs(name, typ, value, f.At(i), 0)
	if colon == i+1 {
		f.variable(i, eq, end, true, typ) // its type may be more than the lambda says
	}
}

// first returns the first chain of values; "" where there is none.
func (f *file) first(i, end int) string {
	v := ""
	f.values(i, end, func(s string) {
		v = cmp.Or(v, s)
	})
	return v
}

// target returns the tokens from i up to end as the name of what is assigned to:
// "x", "self.x", "x[]"; "" where it is none of these.
func (f *file) target(i, end int) string {
	if i+1 == end {
		if !f.Name(i) {
			return ""
		}
		return f.Str(i)
	}
	if i < end && f.Kind(i) == scan.Open && f.past(i) == end && (!f.Sign(i, '(') || f.over(i+1, end-1) != end-1) {
		return "" // targets between brackets, of which each is one
	}
	v := f.value(i, end)
	if strings.HasSuffix(v, "()") {
		return ""
	}
	return v
}

// assign reads the assignment of the values from token from up to end to what
// stands from token i up to stop.
func (f *file) assign(i, stop, from, end int, last bool, depth int) {
	if of, key, ok := f.container(i, stop); ok {
		f.values(from, end, func(v string) { f.BindAs(of+"[]", key, v, f.At(i), 0) })
		return
	}
	if stop-i == 1 && f.Name(i) {
		if f.variable(i, stop, end, last, "") {
			return
		}
	}
	if n := f.target(i, stop); n != "" {
		f.give(n, f.At(i), from, end)
		return
	}
	targets := f.list(i, stop)
	values := f.list(from, end)
	star := slices.IndexFunc(targets, func(t [2]int) bool { return f.Sign(t[0], '*') })
	if rest := len(values) - len(targets) + 1; star >= 0 && rest >= 0 && len(values) > 1 {
		f.starred(targets[star], values[star:star+rest])
		values = append(values[:star:star], values[star+rest:]...)
		targets = slices.Delete(targets, star, star+1)
	}
	paired := len(targets) == len(values) && len(values) > 0
	for k, t := range targets {
		if k >= maxItems {
			return
		}
		if f.Sign(t[0], '*') {
			t[0]++
			paired = false
		}
		n := f.target(t[0], t[1])
		if n == "" { // a tuple in the tuple
			if paired && depth < maxDepth && t[1] > t[0]+1 {
				f.assign(t[0], t[1], values[k][0], values[k][1], false, depth+1)
			} else {
				f.names(t[0], t[1])
			}
			continue
		}
		if t[1] == t[0]+1 {
			f.variable(t[0], stop, t[1], false, "")
		}
		if paired {
			f.give(n, f.At(t[0]), values[k][0], values[k][1])
		} else {
			f.BindAs(n, "", "", f.At(t[0]), 0)
		}
	}
}

// give binds a name to the values from token i up to end.
func (f *file) give(name string, at, i, end int) {
	before := len(f.Out.Bindings)
	f.values(i, end, func(v string) { f.BindAs(name, "", v, at, 0) })
	if len(f.Out.Bindings) == before {
		f.BindAs(name, "", "", at, 0)
	}
}

// list returns the ranges of tokens between the commas from i up to end, without
// the brackets around all of it.
func (f *file) list(i, end int) [][2]int {
	if i < end && f.Toks[i].Kind == scan.Open && !f.Is(i, "{") && f.past(i) == end {
		i, end = i+1, min(f.Pair(i), end)
	}
	var out [][2]int
	from := i
	for k := i; k < end; k = f.past(k) {
		if f.Sign(k, ',') {
			if k > from {
				out = append(out, [2]int{from, k})
			}
			from = k + 1
		}
	}
	if end > from {
		out = append(out, [2]int{from, end})
	}
	return out
}

// names binds the names from token i up to end, of what is taken apart.
func (f *file) names(i, end int) {
	for k := i; k < end; k++ {
		if f.Name(k) && !f.Sign(k+1, '.') && !f.Sign(k-1, '.') && !f.Is(k+1, "[") && !f.Is(k+1, "(") {
			f.Bind(k, "", "", 0)
		}
	}
}

// variable declares the name at token i if it is one of the module, or if it names
// a lambda, which it reports. Its value is behind token eq; the statement is its own where it is the
// last target.
func (f *file) variable(i, eq, end int, last bool, typ string) bool {
	if last && eq > 0 && eq+1 < end {
		k, stop := eq+1, end
		for k < stop && f.Is(k, "(") && f.past(k) == stop {
			k, stop = k+1, stop-1
		}
		if f.Key(k) == scan.KLambda && f.whole(k, stop) {
			f.named(i, k, stop, end)
			return true
		}
	}
	if f.within >= 0 {
		return false
	}
	name := f.Bytes(i)
	if f.seen[string(name)] {
		return false
	}
	kind := corpus.Variable
	if bound := f.typeBound(eq+1, end); bound != "" && eq > 0 {
		kind, typ = corpus.Type, bound
	} else if typ == "TypeAlias" || strings.HasSuffix(typ, ".TypeAlias") {
		kind = corpus.Type
	} else if constant(name) {
		kind = corpus.Constant
	}
	d := f.declare(kind, i, i)
	d.Result = typ
	if f.seen == nil {
		f.seen = map[string]bool{}
	}
	f.seen[d.Name] = true
	if last {
		d.Span.End = f.End(end - 1)
		if d.Body = d.Span.End; eq > 0 && eq+1 < end {
			d.Body = f.At(eq + 1)
		}
	}
	return false
}

func constant(name []byte) bool {
	upper := false
	for _, c := range name {
		if c >= 'a' && c <= 'z' {
			return false
		}
		upper = upper || c >= 'A' && c <= 'Z'
	}
	return upper
}

// whole reports whether the lambda at token i goes up to end, and is not the first
// of several values.
func (f *file) whole(i, end int) bool {
	lambdas := 0
	for k := i; k < end; k = f.past(k) {
		switch {
		case f.Toks[k].Key == scan.KLambda:
			lambdas++
		case lambdas > 0 && f.Sign(k, ':'):
			lambdas--
		case lambdas == 0 && f.Sign(k, ','):
			return false
		}
	}
	return true
}

// named declares the function that is a lambda with a name: from token k up to
// stop, in a statement that goes up to end.
func (f *file) named(name, k, stop, end int) {
	kind := corpus.Function
	if f.within >= 0 && f.Out.Decls[f.within].Kind == corpus.Class {
		kind = corpus.Method
	}
	d := f.declare(kind, name, name)
	d.Span.End = f.End(end - 1)
	d.Body = d.Span.End
	colon := k + 1
	for colon < stop && !f.Sign(colon, ':') {
		colon = f.past(colon)
	}
	f.parameters(d, k+1, colon)
	f.lambda = k
	if colon+1 < stop {
		d.Body = f.At(colon + 1)
		f.results(colon+1, stop)
	}
}
