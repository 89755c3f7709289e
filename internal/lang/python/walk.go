package python

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// walk reads the calls from token i up to end, and the names that expressions
// bind.
func (f *file) walk(i, end int) {
	for k := i; k < end; k++ {
		t := &f.Toks[k]
		switch t.Kind {
		case scan.Open:
			if k == i || f.Src[t.At] != '(' {
				continue
			}
			switch before := &f.Toks[k-1]; {
			case before.Kind == scan.Word && (before.Key == 0 || f.Sign(k-2, '.')):
				f.call(k-1, k, i)
			case before.Kind == scan.Close && int(before.Pair) >= i && f.chain(int(before.Pair), i):
				f.call(k-2, k, i)
			case before.Kind == scan.Close && int(before.Pair) >= i:
				f.unnamed(k, i)
			}
		case scan.Word:
			switch t.Key {
			case scan.KFor:
				f.loop(k+1, end)
			case scan.KYield:
				f.yield(k, end)
			case scan.KLambda:
				if k != f.lambda || k == 0 {
					f.arguments(k+1, end)
				}
			}
		case scan.Punct:
			if t.End-t.At == 2 && f.Src[t.At] == ':' && f.Name(k-1) {
				stop := f.over(k+1, end)
				if stop >= end || f.Toks[stop].Kind == scan.Close || f.Sign(stop, ',') || f.Sign(stop, ':') || f.Key(stop) == scan.KAnd || f.Key(stop) == scan.KOr {
					f.Bind(k-1, "", f.value(k+1, stop), 0)
				} else {
					f.Bind(k-1, "", "", 0)
				}
			}
		}
	}
}

// chain reports whether bracket p is around a chain that ends with a name, and for
// itself in what begins with token i: (a.b)(c) calls b.
func (f *file) chain(p, i int) bool {
	if !f.Sign(p, '(') || p > i && (f.Kind(p-1) == scan.Close || f.Kind(p-1) == scan.Text || f.Name(p-1)) {
		return false
	}
	end := f.Pair(p)
	return f.Name(end-1) && f.over(p+1, end) == end
}

// call records that token i is called with the arguments in bracket open, in what
// begins with token from.
func (f *file) call(i, open, from int) {
	args := 0
	given := f.Given(open, func(from, end int) string {
		args++
		if f.Name(from) && f.Sign(from+1, '=') {
			if v := f.value(from+2, end); v != "" {
				return f.Str(from) + "=" + v
			}
			return ""
		}
		return f.value(from, end)
	})
	of := f.receiver(i, from)
	f.Out.Calls = append(f.Out.Calls, corpus.Call{Callee: f.Str(i), Receiver: of, Given: given, At: f.At(i), Args: int16(min(args, 1000))})
	if of != "" && of != scan.Unknown && given != "" {
		f.grows(of, f.Bytes(i), open)
	}
	if b := f.Bytes(i); (string(b) == "import_module" || string(b) == "__import__") && f.Kind(open+1) == scan.Text {
		if text := f.Bytes(open + 1); len(text) > 2 && text[0] == text[len(text)-1] && (f.Sign(open+2, ')') || f.Sign(open+2, ',')) {
			path := strings.Trim(string(text), `"'`)
			f.Out.Imports = append(f.Out.Imports, corpus.Import{Path: path, Kind: corpus.Dynamic | f.kind(), At: f.At(open + 1)})
		}
	}
}

// grows binds what a method of a list, a set or a dict puts into what it is called on.
func (f *file) grows(of string, method []byte, open int) {
	items := f.list(open, f.past(open))
	n, key := len(items)-1, ""
	switch string(method) {
	case "append", "add", "appendleft", "insert", "setdefault":
	case "update", "extend":
		key = "=*"
	default:
		return
	}
	if n < 0 {
		return
	}
	if v := f.value(items[n][0], items[n][1]); v != "" {
		f.BindAs(of+"[]", key, v, f.At(open), 0)
	}
}

// unnamed records that what stands before bracket open is called, which has no name of its own:
// f()(), handlers[key]().
func (f *file) unnamed(open, from int) {
	of := f.before(open, from)
	if of == scan.Unknown {
		return
	}
	given := f.Given(open, f.value)
	f.Out.Calls = append(f.Out.Calls, corpus.Call{Callee: corpus.Unnamed, Receiver: of, Given: given, At: f.At(open), Args: -1})
}

// receiver returns the chain that token i is a member of, in what begins with
// token from.
func (f *file) receiver(i, from int) string {
	dot := i - 1
	if dot <= from || !f.Sign(dot, '.') {
		return ""
	}
	return f.before(dot, from)
}

// before returns the chain that ends before token dot, in what begins with token from.
func (f *file) before(dot, from int) string {
	k := dot - 1
	for range 2 * maxParts {
		switch t := &f.Toks[k]; {
		case t.Kind == scan.Word:
			if k-2 >= from && f.Sign(k-1, '.') {
				k -= 2
				continue
			}
		case t.Kind == scan.Close && int(t.Pair) >= from:
			k = int(t.Pair)
			if k > from && (f.Name(k-1) || f.Toks[k-1].Kind == scan.Close || f.Kind(k-1) == scan.Word && f.Sign(k-2, '.')) {
				k--
				continue
			}
		}
		break
	}
	if f.over(k, dot) == dot {
		if k+1 == dot {
			return f.Str(k)
		}
		var room [80]byte
		if b := f.write(room[:0], k, dot, 0); b != nil {
			return string(b)
		}
	}
	return scan.Unknown
}

// arguments binds the parameters of a lambda from token i on.
func (f *file) arguments(i, end int) {
	for k := i; k < end; {
		for f.Sign(k, '*') || f.Is(k, "**") || f.Sign(k, '/') {
			k++
		}
		if f.Name(k) {
			f.Bind(k, "", "", 0)
		}
		for k < end && !f.Sign(k, ',') {
			if f.Sign(k, ':') || f.Toks[k].Kind == scan.Close || f.Toks[k].Key == scan.KLambda {
				return
			}
			k = f.past(k)
		}
		k++
	}
}

// yield reads what a yield gives, and marks the function around as a generator.
func (f *file) yield(k, end int) {
	if f.function >= 0 {
		f.Out.Decls[f.function].Traits |= corpus.Generator
	}
	from, suffix := k+1, ""
	if f.Key(from) == scan.KFrom {
		from++
		suffix = "[]"
	}
	stop := f.over(from, end)
	if stop < end && f.Toks[stop].Kind != scan.Close {
		return
	}
	if v := f.value(from, stop); v != "" {
		f.BindAs("[]", "", v+suffix, f.At(from), 0)
	}
}

// loop binds the targets of a for, from token i on.
func (f *file) loop(i, end int) {
	in := i
	for in < end && f.Toks[in].Key != scan.KIn {
		if f.Toks[in].Kind == scan.Close || f.Toks[in].Key != 0 {
			return
		}
		in = f.past(in)
	}
	if in >= end || in == i {
		return
	}
	stop := f.over(in+1, end)
	value := ""
	if stop >= end || f.Toks[stop].Kind == scan.Close || f.Sign(stop, ':') || f.Toks[stop].Key == scan.KIf || f.Toks[stop].Key == scan.KFor || f.Toks[stop].Key == scan.KAsync {
		value = f.value(in+1, stop)
	}
	if n := f.target(i, in); n != "" {
		switch value {
		case "":
		case "list()", "tuple()", "set()", "sorted()", "reversed()", "iter()":
			value = f.part(in+1, stop, 0, 1)
		default:
			value = elements(value)
		}
		f.BindAs(n, "", value, f.At(i), 0)
		return
	}
	targets := f.list(i, in)
	for k, t := range targets {
		if n := f.target(t[0], t[1]); n != "" && k < maxItems {
			f.BindAs(n, "", f.part(in+1, stop, k, len(targets)), f.At(t[0]), 0)
		} else {
			f.names(t[0], t[1])
		}
	}
}

// elements returns what a loop over a chain takes from it.
func elements(value string) string {
	if of, ok := strings.CutSuffix(value, ".values()"); ok {
		return of + "[]"
	}
	return value + "[]"
}

// part returns what the n-th of several names takes from each element of the chain
// from token i up to end.
func (f *file) part(i, end, n, of int) string {
	open := end - 1
	if open < 0 || f.Kind(open) != scan.Close || f.Pair(open) <= i {
		return ""
	}
	p := f.Pair(open)
	switch string(f.Bytes(p - 1)) {
	case "items":
		if n == 1 && of == 2 && p-2 > i && f.Sign(p-2, '.') {
			if v := f.value(i, p-2); v != "" {
				return v + "[]"
			}
		}
	case "enumerate":
		if n != 1 || of != 2 {
			return ""
		}
		n, of = 0, 1
		fallthrough
	case "list", "tuple", "set", "sorted", "reversed", "iter":
		if of != 1 {
			return ""
		}
		fallthrough
	case "zip":
		if p-1 == i {
			if items := f.list(p, end); n < len(items) {
				if v := f.value(items[n][0], items[n][1]); v != "" {
					return elements(v)
				}
			}
		}
	}
	return ""
}

// with binds the targets of a with statement.
func (f *file) with(i, end int) {
	items := f.list(i, end)
	for _, t := range items {
		as := t[0]
		for as < t[1] && f.Toks[as].Key != scan.KAs {
			as = f.past(as)
		}
		if as >= t[1] || as+1 >= t[1] {
			continue
		}
		if n := f.target(as+1, t[1]); n != "" {
			f.BindAs(n, "", f.value(t[0], as), f.At(as+1), 0)
		} else {
			f.names(as+1, t[1])
		}
	}
}

// except binds the error of an except clause.
func (f *file) except(i, end int) {
	i = f.SkipSign(i, '*')
	for k := i; k < end; k = f.past(k) {
		if (f.Toks[k].Key == scan.KAs || f.Sign(k, ',')) && f.Name(k+1) && k+2 == end {
			f.Bind(k+1, f.quote(i, k), "", 0)
		}
	}
}

// kind returns how what is imported here is imported.
func (f *file) kind() corpus.ImportKind {
	if n := len(f.blocks); n > 0 {
		return f.blocks[n-1].imports
	}
	return 0
}

// path reads a dotted name, and returns the token after it.
func (f *file) path(i, end int) (string, int) {
	k := i
	for k < end && f.Toks[k].Kind == scan.Punct && f.Src[f.Toks[k].At] == '.' {
		k++
	}
	for k < end && f.Toks[k].Kind == scan.Word && f.Toks[k].Key != scan.KImport {
		if k++; !f.Sign(k, '.') || k >= end {
			break
		}
		k++
	}
	if k == i {
		return "", i
	}
	if text := string(f.Src[f.At(i):f.End(k-1)]); !strings.ContainsAny(text, " \t\\\n#") {
		return text, k
	}
	var b strings.Builder
	for ; i < k; i++ {
		b.Write(f.Bytes(i))
	}
	return b.String(), k
}

// imports reads import a.b as c, d.
func (f *file) imports(i, end int) {
	for k := i + 1; k < end; k++ {
		path, next := f.path(k, end)
		if path == "" {
			f.Out.Missed++
			return
		}
		m := corpus.Import{Path: path, Kind: f.kind(), At: f.At(k)}
		k = next
		if f.Key(k) == scan.KAs && f.Kind(k+1) == scan.Word && k+1 < end {
			m.Alias = f.Str(k + 1)
			k += 2
		}
		f.Out.Imports = append(f.Out.Imports, m)
		if k < end && !f.Sign(k, ',') {
			f.Out.Missed++
			return
		}
	}
}

// from reads from a.b import c as d, e.
func (f *file) from(i, end int) {
	path, k := f.path(i+1, end)
	if path == "" || f.Key(k) != scan.KImport || k >= end {
		f.Out.Missed++
		f.walk(i, end)
		return
	}
	m := corpus.Import{Path: path, Kind: f.kind(), At: f.At(i + 1)}
	if k++; f.Is(k, "(") {
		end = min(f.Pair(k), end)
		k++
	}
	n := 0
	for j := k; j < end; j++ {
		if f.Sign(j, ',') {
			n++
		}
	}
	if k < end {
		m.Names = make([]corpus.Name, 0, n+1)
	}
	for ; k < end; k++ {
		if f.Sign(k, '*') {
			m.Names = append(m.Names, corpus.Name{Name: "*"})
			continue
		}
		if f.Kind(k) != scan.Word {
			continue
		}
		name := corpus.Name{Name: f.Str(k)}
		if f.Key(k+1) == scan.KAs && f.Kind(k+2) == scan.Word && k+2 < end {
			name.Alias = f.Str(k + 2)
			k += 2
		}
		m.Names = append(m.Names, name)
	}
	f.Out.Imports = append(f.Out.Imports, m)
}
