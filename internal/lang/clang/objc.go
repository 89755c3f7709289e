package clang

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// objcTop reads what begins with a keyword of Objective-C.
func (r *reader) objcTop(i int) int {
	switch r.Key(i) {
	case scan.KAtInterface, scan.KAtImplementation, scan.KAtProtocol:
		return r.objcClass(i)
	case scan.KAtProperty:
		return r.property(i)
	case scan.KAtImport:
		end := r.ends(i + 1)
		if path := r.Quote(i+1, end); path != "" {
			r.Out.Imports = append(r.Out.Imports, corpus.Import{Path: path, Kind: corpus.System, At: r.At(i + 1)})
		}
		return end + 1
	case scan.KAtClass:
		return r.ends(i+1) + 1
	}
	k := i + 1
	if r.Is(i, "@synthesize") || r.Is(i, "@dynamic") {
		k = r.ends(k) + 1
	}
	return k
}

// objcClass reads an interface, an implementation or a protocol, up to its @end.
func (r *reader) objcClass(i int) int {
	key := r.Key(i)
	at := i + 1
	k := at + 1
	if !r.Name(at) || key == scan.KAtProtocol && (r.Sign(k, ';') || r.Sign(k, ',')) {
		return r.ends(at) + 1
	}
	kind := corpus.Class
	if key == scan.KAtProtocol {
		kind = corpus.Interface
	}
	d := r.decl(head{first: i}, kind, at)
	d.Traits.AddIf(key == scan.KAtImplementation, corpus.Extension)
	if next := r.wide(k); r.Sign(k, '<') && (r.Sign(next, ':') || r.Sign(next, '(')) {
		k = next // parameters of a generic class
	}
	if r.Sign(k, '(') {
		d.Traits |= corpus.Extension
		k = r.Past(k)
	}
	if r.Sign(k, ':') && r.Name(k+1) {
		d.Bases = append(d.Bases, r.Str(k+1))
		if k += 2; r.Sign(k, '<') && r.Sign(r.wide(k), '<') {
			k = r.wide(k)
		}
	}
	if next := r.wide(k); r.Sign(k, '<') {
		for j := k + 1; j < next; j++ {
			if r.Name(j) {
				d.Bases = append(d.Bases, r.Str(j))
			}
		}
		k = next
	}
	close := k
	for close < r.top().end && r.Key(close) != scan.KAtEnd && (close == k || !atTop(r.Key(close))) {
		close = r.Past(close)
	}
	end := close
	if r.Key(close) == scan.KAtEnd {
		end++
	}
	id := r.add(d, min(k, close), end)
	r.enter(place{sort: methods, end: close, decl: id, name: d.Name, scope: join(r.top().scope, d.Name)})
	if r.Sign(k, '{') { // its variables
		r.enter(place{sort: members, end: r.Pair(k), decl: id})
		k++
	}
	return k
}

func atTop(key scan.Key) bool {
	return key == scan.KAtInterface || key == scan.KAtImplementation || key == scan.KAtProtocol
}

// objcMember reads what stands in a class of Objective-C.
func (r *reader) objcMember(i int) int {
	top := len(r.places) - 1
	r.places[top].sort = outside
	next := r.member(i)
	r.places[top].sort = methods
	return next
}

// methodHere reports whether the sign at i begins a method where a statement should
// be.
func (r *reader) methodHere(i int) bool {
	after := r.Past(i + 1)
	return r.typed(i+2) == r.Pair(i+1) && r.Name(after) && (r.Sign(after+1, ':') || r.Sign(after+1, '{'))
}

// objcMethod reads a method, from its sign on.
func (r *reader) objcMethod(i int) int {
	k := i + 1
	result := ""
	if r.Sign(k, '(') {
		result = r.Quote(k+1, r.Pair(k))
		k = r.Past(k)
	}
	if !r.Word(k) {
		return i + 1
	}
	d := r.decl(head{first: i}, corpus.Method, k)
	d.Result = result
	d.Params = []string{}
	d.Traits.AddIf(r.Sign(i, '+'), corpus.Static)
	if strings.HasPrefix(d.Name, "init") && (result == "instancetype" || result == "id" || result == "") {
		d.Traits |= corpus.Constructor
	}
	from := k
	var names []corpus.Binding
	for n := 0; n < maxWords; n++ {
		part := k
		if r.Word(k) {
			k++
		}
		if !r.Sign(k, ':') {
			k = part
			if n == 0 {
				k++
			}
			break
		}
		k++
		typ := ""
		for r.Sign(k, '(') && r.Kind(k) == scan.Open {
			typ = r.Quote(k+1, r.Pair(k))
			k = r.Past(k)
		}
		for r.Name(k) && nullable(r.Bytes(k)) || r.Key(k) == scan.KAttribute && r.Word(k) {
			k = r.SkipBracket(k+1, '(')
		}
		if r.Word(k) {
			names = append(names, corpus.Binding{Name: r.Str(k), Type: typ, At: r.At(k), Param: int16(len(names) + 1)})
			k++
		}
		if part == from {
			part += 2
		}
		d.Params = append(d.Params, r.Quote(part, k))
	}
	for k < r.top().end && !r.Sign(k, '{') && !r.Sign(k, ';') && r.Kind(k) != scan.Close && !r.Two(k, '-', '>') {
		if r.Line(k) && (r.Sign(k, '-') || r.Sign(k, '+') || r.Key(k) != 0 && r.Src[r.At(k)] == '@') {
			break
		}
		k = r.Past(k)
	}
	if !r.Sign(k, '{') {
		d.Traits |= corpus.Abstract
		k = r.SkipSign(k, ';')
		r.add(d, -1, k)
		r.Out.Bindings = append(r.Out.Bindings, names...)
		return k
	}
	if r.Sign(k-1, ';') { // a semicolon before the body
		k--
	}
	id := r.add(d, k, r.Past(k))
	r.Out.Bindings = append(r.Out.Bindings, names...)
	r.enter(place{sort: code, end: r.Past(k), decl: id})
	return k + 1
}

// property binds what @property declares.
func (r *reader) property(i int) int {
	k := r.SkipBracket(i+1, '(')
	end := r.ends(k)
	at := r.typed(k)
	if r.Name(at) && at > k {
		r.bindVariables(at, end, r.Quote(k, at))
	} else if r.Sign(at, '(') && at > k {
		if name, _ := r.typedefName(at, r.Past(at)); name >= 0 {
			r.Bind(name, r.Quote(k, at)+" (^)", "", 0)
		}
	}
	return end + 1
}

// selector returns the first word of the selector of the message that bracket i
// is, -1 where it is none.
func (r *reader) selector(i int) int {
	end := r.Pair(i)
	if end >= len(r.Toks) || !r.Sign(end, ']') || r.Kind(i) != scan.Open {
		return -1
	}
	if kind := r.Kind(i - 1); kind == scan.Word && i > 0 && r.Key(i-1) == 0 && !r.Is(i-1, "in") || r.Sign(i-1, ']') {
		return -1
	}
	k := i + 1
	for r.Sign(k, '(') && r.typed(k+1) == r.Pair(k) && (r.Word(r.Past(k)) && r.Word(r.Past(k)+1) || r.Sign(r.Past(k), '[')) { // a cast
		k = r.Past(k)
	}
	switch {
	case r.Sign(k, '['), r.Sign(k, '('):
		k = r.Past(k)
	case r.Word(k) && r.Is(k, "@"):
		k = r.Past(k + 1)
	case r.Word(k), r.Kind(k) == scan.Text:
		k++
	case r.Sign(k, '*'), r.Sign(k, '&'):
		k += 2
	case r.Sign(k, '^'):
		if f, ok := r.lambda(k); ok {
			k = r.Past(f.body)
		}
	default:
		return -1
	}
	for k < end {
		switch {
		case (r.Sign(k, '.') || r.Two(k, '-', '>') || r.scoped(k)) && r.Word(k+1):
			k += 2
		case r.Sign(k, '('), r.Sign(k, '['):
			k = r.Past(k)
		case r.cpp && r.Sign(k, '<') && r.angles(k) > k:
			k = r.angles(k)
		case r.Word(k) && (r.Sign(k+1, ':') || k+1 == end):
			return k
		case r.Sign(k, ':') && k > i+2:
			return -1
		default:
			return -1
		}
	}
	return -1
}

// message records the call that bracket i is, with the selector from sel on.
func (r *reader) message(i, sel int) {
	r.Call(sel, -1, false)
	c := &r.Out.Calls[len(r.Out.Calls)-1]
	c.Receiver = r.receiver(i, sel, 0)
	c.Args = 0
	asked := 0
	for k := sel; k < r.Pair(i); k = r.Past(k) {
		switch {
		case r.Sign(k, '?'):
			asked++
		case r.Sign(k, ':') && asked > 0:
			asked--
		case r.Sign(k, ':'):
			c.Args++
		}
	}
}

// receiver returns the chain of what the message in bracket i, with its selector at
// sel, is sent to.
func (r *reader) receiver(i, sel, depth int) string {
	k := i + 1
	for r.Sign(k, '(') && r.typed(k+1) == r.Pair(k) && r.Past(k) < sel {
		k = r.Past(k)
	}
	if r.Sign(k, '[') {
		chain := r.messageChain(k, depth+1)
		if chain == "" || r.Past(k) != sel {
			return scan.Unknown
		}
		return chain
	}
	if chain := r.Value(k, sel); chain != "" {
		return chain
	}
	return scan.Unknown
}

// messageChain returns the chain of the message in bracket i; "" where it is none.
func (r *reader) messageChain(i, depth int) string {
	sel := r.selector(i)
	if sel < 0 || depth > 12 {
		return ""
	}
	to := r.receiver(i, sel, depth)
	if to == scan.Unknown {
		return ""
	}
	name := r.Str(sel)
	if made, ok := strings.CutSuffix(to, ".alloc()"); ok && strings.HasPrefix(name, "init") && made != "self" && made != "super" {
		return made + "()"
	}
	if name == "new" && !strings.Contains(to, "(") && to != "self" && to != "super" {
		return to + "()"
	}
	return to + "." + name + "()"
}
