package lua

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// local reads a local statement; a local function is left to the next step.
func (f *file) local(i int) int {
	if f.Key(i+1) == scan.KFunction {
		return i + 1
	}
	var names []target
	start := f.At(i)
	k := i + 1
	for f.Name(k) {
		t := target{name: f.Str(k), at: f.At(k), start: start, local: true}
		if k++; f.Sign(k, '<') && f.Name(k+1) {
			t.mark = f.Str(k + 1)
			if k += 2; f.Is(k, ">=") { // x <const>=1
				f.assign(append(names, t), k+1)
				return k + 1
			}
			k++
		}
		names = append(names, t)
		if !f.Sign(k, ',') {
			break
		}
		k++
		start = f.At(k)
	}
	if f.Sign(k, '=') {
		f.assign(names, k+1)
		return k + 1
	}
	for _, n := range names {
		typ := ""
		if n.start == f.At(i) {
			typ = f.declared(n.start)
		}
		f.bind(n, typ, "", 0)
		f.variable(n, k, "")
	}
	return max(k, i+1)
}

const maxTargets = 50

// assignment reads what stands before the sign at token eq, and after it.
func (f *file) assignment(eq int) {
	if n := len(f.frames); n > 0 && f.frames[n-1].table {
		if t, ok := f.field(eq - 1); ok {
			t.scope = f.frames[n-1].name
			f.assign([]target{t}, eq+1)
		}
		return
	}
	var targets []target
	for k := eq - 1; len(targets) < maxTargets; {
		t, from, ok := f.target(k)
		if !ok {
			break
		}
		targets = append(targets, t)
		if !f.Sign(from-1, ',') {
			break
		}
		k = from - 2
	}
	for a, b := 0, len(targets)-1; a < b; a, b = a+1, b-1 {
		targets[a], targets[b] = targets[b], targets[a]
	}
	f.assign(targets, eq+1)
}

// field reads the key of a field in a table that ends with token k.
func (f *file) field(k int) (target, bool) {
	if f.Name(k) {
		return target{name: f.Str(k), at: f.At(k), start: f.At(k)}, true
	}
	if f.Sign(k, ']') && f.Pair(k) == k-2 {
		if name, at := f.literal(k - 1); name != "" {
			return target{name: name, at: at, start: f.At(k - 2)}, true
		}
	}
	return target{}, false
}

// target reads the target that ends with token k, and returns the token that it
// begins with.
func (f *file) target(k int) (t target, from int, ok bool) {
	if f.Name(k) && !f.member(k-1) {
		return target{name: f.Str(k), at: f.At(k), start: f.At(k)}, k, true
	}
	from = k
	for range maxParts {
		switch {
		case f.Name(from) && f.member(from-1):
			from -= 2
			continue
		case f.Kind(from) == scan.Close && f.Pair(from) > 0 && (f.Name(f.Pair(from)-1) || f.Kind(f.Pair(from)-1) == scan.Close):
			from = f.Pair(from) - 1
			continue
		case f.Kind(from) == scan.Close && f.Pair(from) >= 0:
			from = f.Pair(from)
		}
		break
	}
	t = target{start: f.At(from)}
	switch {
	case f.Name(k):
		t.name, t.at = f.Str(k), f.At(k)
		t.scope = strings.TrimSuffix(f.value(from, k+1), "."+t.name)
	case f.Sign(k, ']') && f.Pair(k) == k-2:
		t.name, t.at = f.literal(k - 1)
		t.scope = strings.TrimSuffix(f.value(from, k+1), "[]")
	}
	if t.name == "" { // it has none, but those before it may
		t.name, t.at = "[]", f.At(k)
		t.scope = scan.Unknown
	} else if t.scope == "" {
		t.scope = scan.Unknown
	}
	return t, from, from >= 0
}

// assign reads the values from token i on, of what is assigned to the targets.
func (f *file) assign(targets []target, i int) {
	if len(targets) == 0 {
		return
	}
	waits := len(f.pending)
	last := ""
	for k := 0; ; k++ {
		end := f.expression(i)
		if end == i {
			f.rest(targets, k, i, "")
			break
		}
		if k < len(targets) {
			if f.one(targets[k], i, end, len(targets) == 1) {
				f.pending = append(f.pending, pending{i, targets[k]})
			}
			last = f.value(i, end)
		}
		if !f.Sign(end, ',') || f.inTable() {
			f.rest(targets, k+1, i, last)
			break
		}
		i = end + 1
	}
	slices.Reverse(f.pending[waits:]) // the last one is reached first
}

func (f *file) inTable() bool {
	n := len(f.frames)
	return n > 0 && f.frames[n-1].table
}

// rest binds the targets from the k-th on, which get what else the last value
// gives; it begins at token i.
func (f *file) rest(targets []target, k, i int, last string) {
	if k == 1 && len(targets) > 1 && last == "pcall()" && f.Is(i+2, "require") {
		f.pending = append(f.pending, pending{i, targets[1]})
		return
	}
	for n := k; n < len(targets); n++ {
		value := ""
		if strings.HasSuffix(last, "()") {
			value = numbered(last, n-k+1)
		}
		if t := targets[n]; t.scope != scan.Unknown {
			f.bind(t, "", value, 0)
			f.variable(t, -1, "")
		}
	}
}

// one reads the value from token i up to end, and reports whether its first token
// must know the target: a function, a table, or what requires.
func (f *file) one(t target, i, end int, alone bool) bool {
	switch {
	case f.Key(i) == scan.KFunction && f.Past(i) == end:
		return t.scope != scan.Unknown || t.name != "[]"
	case f.Is(i, "require") && f.arguments(i+1):
		k := f.Past(i + 1)
		if k == end || k+2 == end && f.Sign(k, '.') {
			return t.scope != scan.Unknown
		}
	}
	isTable := f.Sign(i, '{') && f.Past(i) == end
	value := f.value(i, end)
	if t.scope == scan.Unknown {
		return false
	}
	typ := ""
	if alone {
		typ = f.declared(t.start)
	}
	f.bind(t, typ, value, 0)
	if !f.inTable() {
		if t.scope == "" {
			span := end
			if !alone {
				span = -1
			}
			f.variable(t, span, value)
			f.based(t.name, i, value)
		} else if tb := f.tables[t.scope]; tb != nil && t.name == "__index" {
			tb.methods = true
		}
	}
	return isTable
}

// variable declares a name at top level that is no mere other name for something.
// It ends before token end; with none it is the name alone.
func (f *file) variable(t target, end int, value string) {
	if len(f.frames) > 0 || t.scope != "" || f.tables[t.name] != nil || t.name == "_" || value != "" && !strings.HasSuffix(value, ")") {
		return
	}
	d := corpus.Decl{Kind: corpus.Variable, Name: t.name, NameAt: t.at, Exported: !t.local, Span: corpus.Span{Start: t.at, End: t.at + len(t.name)}}
	if end >= 0 {
		end = f.SkipSign(end, ';')
		d.Span = corpus.Span{Start: t.start, End: max(f.End(end-1), d.Span.End)}
		f.doc(&d)
	}
	d.Body = d.Span.End
	if t.mark == "const" || len(t.name) > 1 && strings.ToUpper(t.name) == t.name && strings.ToLower(t.name) != t.name {
		d.Kind = corpus.Constant
	}
	if t.mark != "" {
		d.Marks = []string{t.mark}
	}
	d.Bases = f.extended(d.Doc)
	f.tables[t.name] = &table{decl: len(f.Out.Decls)}
	f.order = append(f.order, t.name)
	f.Out.Decls = append(f.Out.Decls, d)
}

// based says what a name at top level extends, if its value, which begins at token
// i, tells: setmetatable({}, {__index = Base}), Base:extend(), class("X", Base).
func (f *file) based(name string, i int, value string) {
	t := f.tables[name]
	if t == nil || len(f.frames) > 0 || value == "" {
		return
	}
	base := ""
	switch {
	case f.Is(i, "setmetatable"):
		base = strings.TrimSuffix(value, "()")
	case strings.HasSuffix(value, ".extend()"), strings.HasSuffix(value, ".subclass()"):
		base = value[:strings.LastIndexByte(value, '.')]
		t.methods = true
	case value == "class()" || value == "Class()":
		t.methods = true
		if open := i + 1; f.Is(open, "(") && f.Name(f.Pair(open)-1) {
			base = f.Str(f.Pair(open) - 1)
		}
	}
	if base != "" && base != name {
		f.Out.Decls[t.decl].Bases = append(f.Out.Decls[t.decl].Bases, base)
	}
}

// classes makes the names at top level what their members show them to be.
func (f *file) classes() {
	for _, name := range f.order {
		t := f.tables[name]
		switch {
		case t.methods:
			f.Out.Decls[t.decl].Kind = corpus.Class
		case t.members:
			f.Out.Decls[t.decl].Kind = corpus.Module
		}
	}
}
