package ruby

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// used reads a name that is used, and returns the token to go on with.
func (f *file) used(i int) int {
	next := i + 1
	if f.access(i - 1) {
		if f.assigns(next) && !f.Line(next) || f.constant(i) && !(f.command(i) && f.commandOfConstant(next)) {
			return next
		}
		f.called(i)
		return next
	}
	c := f.First(i)
	if c == '@' || c == '$' || next == f.bare {
		return next
	}
	if f.label(i) && !f.ternary(i) || f.assigns(next) && !f.Line(next) {
		return next
	}
	switch {
	case f.Sign(next, '(') && f.Adjacent(i),
		f.Sign(next, '{') && !f.Line(next) && !f.Adjacent(i) || f.Sign(next, '{') && f.Adjacent(i),
		f.Key(next) == scan.KDo && !f.Line(next) && !f.cmd,
		f.command(i):
	case f.Src[f.Toks[i].End-1] == '?' || f.Src[f.Toks[i].End-1] == '!': // no variable
	default:
		f.alone(i)
		return next
	}
	if upper(c) && !(f.Sign(next, '(') && f.Adjacent(i)) && !f.commandOfConstant(next) {
		return next
	}
	f.called(i)
	if !upper(c) {
		f.special(i)
	}
	return next
}

// commandOfConstant reports whether what begins with token i can be the argument of
// a method that is named like a constant.
func (f *file) commandOfConstant(i int) bool {
	t := &f.Toks[i]
	return t.Kind == scan.Text || t.Kind == scan.Number || t.Kind == scan.Word && t.Key == 0 || f.Sign(i, '{') || t.Key == scan.KDo
}

// called records a call, and that its arguments have no parentheses.
func (f *file) called(i int) {
	f.call(i)
	if !(f.Sign(i+1, '(') && f.Adjacent(i)) && f.command(i) {
		f.cmd = true
	}
}

// alone reads a name with nothing behind it: private and its like.
func (f *file) alone(i int) {
	fr := f.home()
	if fr == nil || fr.sort == method || !f.Line(i) && !f.Sign(i-1, ';') {
		return
	}
	switch string(f.Bytes(i)) {
	case "private", "protected":
		fr.hidden, fr.static = true, false
	case "public":
		fr.hidden, fr.static = false, false
	case "module_function":
		fr.static = true
	}
}

// argument returns the first argument of the call at token i.
func (f *file) argument(i int) int {
	if f.Sign(i+1, '(') {
		return i + 2
	}
	return i + 1
}

// special reads calls that declare something.
func (f *file) special(i int) {
	k := f.argument(i)
	switch string(f.Bytes(i)) {
	case "sig":
		if f.Kind(i+1) == scan.Open || f.Key(i+1) == scan.KDo {
			f.signed(i)
		}
	case "require":
		f.imported(k, 0)
	case "load":
		f.imported(k, corpus.Dynamic)
	case "require_relative":
		f.imported(k, corpus.Relative)
	case "autoload":
		if name, _ := f.symbol(k); f.Sign(k+1, ',') {
			if n := len(f.Out.Imports); f.imported(k+2, 0) && name != "" {
				f.Out.Imports[n].Names = []corpus.Name{{Name: name}}
			}
		}
	case "include", "extend", "prepend":
		f.included(k)
	case "attr_reader", "attr_accessor", "attr_writer", "attr":
		for ; ; k += 2 {
			name, at := f.symbol(k)
			if name == "" {
				return
			}
			f.BindAs(name, "", "@"+name, at, 0)
			if !f.Sign(k+1, ',') {
				return
			}
		}
	case "private", "protected", "public", "private_class_method", "private_constant", "public_class_method", "module_function":
		f.visible(i, k)
	}
}

// visible reads private :a, :b.
func (f *file) visible(i, k int) {
	word := string(f.Bytes(i))
	owner := f.owner()
	if owner < 0 {
		return
	}
	for ; ; k += 2 {
		name, _ := f.symbol(k)
		if name == "" {
			return
		}
		for n := len(f.Out.Decls) - 1; n > owner && n > len(f.Out.Decls)-200; n-- {
			d := &f.Out.Decls[n]
			if d.Name != name {
				continue
			}
			if word == "module_function" {
				d.Traits |= corpus.Static
			} else {
				d.Exported = strings.HasPrefix(word, "public")
			}
			break
		}
		if !f.Sign(k+1, ',') {
			return
		}
	}
}

// imported reads the path that token k is, and reports whether it is one.
func (f *file) imported(k int, kind corpus.ImportKind) bool {
	path, at := f.symbol(k)
	if path == "" || f.First(k) == ':' || f.Toks[k].End-f.Toks[k].At < 3 {
		return false
	}
	next := k + 1
	if f.Sign(next, ')') {
		next++
	} else if !f.ends(next) || f.Is(next, "||") {
		return false
	}
	m := corpus.Import{Path: path, At: at, Kind: kind}
	if key := f.Key(next); key == scan.KIf || key == scan.KUnless || key == scan.KRescue {
		m.Kind |= corpus.Conditional
	}
	for n := range f.frames {
		if s := f.frames[n].sort; s == block || s == method {
			m.Kind |= corpus.Conditional
		}
	}
	f.Out.Imports = append(f.Out.Imports, m)
	return true
}

// included adds the modules from token k on to the class around.
func (f *file) included(k int) {
	fr := f.home()
	if fr == nil || fr.sort == method {
		return
	}
	owner := f.owner()
	if owner < 0 {
		return
	}
	for {
		at := k
		end := f.path(k)
		if end < 0 {
			return
		}
		k = end + 1
		d := &f.Out.Decls[owner]
		d.Bases = append(d.Bases, strings.TrimPrefix(f.Quote(at, k), "::"))
		if !f.Sign(k, ',') {
			return
		}
		k++
	}
}

// mark says that word i is a local variable from here on.
func (f *file) mark(i int) { f.locals[string(f.Bytes(i))] = f.scope }

// local binds the local variable that word i names.
func (f *file) local(i int, value string) {
	f.mark(i)
	f.Bind(i, "", value, 0)
}

// assignment reads what the sign at token i assigns to.
func (f *file) assignment(i int) {
	k := i - 1
	if i < f.params || !f.Name(k) || f.Toks[i].Line {
		return
	}
	plain := f.Sign(i, '=') || f.Is(i, "||=")
	value := ""
	if plain {
		value = f.value(i + 1)
		if value == "Class.new()" && f.Sign(i+4, '(') && upper(f.First(i+5)) { // without a name: its base
			value = f.value(i + 5)
		}
	}
	c := f.First(k)
	switch {
	case f.access(k - 1):
		if f.multiple(k) {
			value = ""
		}
		if !upper(c) {
			f.Out.Calls = append(f.Out.Calls, corpus.Call{Callee: f.Str(k) + "=", Receiver: f.receiver(k), At: f.At(k), Args: 1})
		}
		if f.Key(k-2) == scan.KSelf && plain {
			f.bind("self."+f.Str(k), value, f.At(k))
		} else if f.Sign(i, '=') && upper(c) && f.Is(k-1, "::") {
			return
		}
	case c == '@' || c == '$':
		if f.multiple(k) {
			value = ""
		}
		if plain {
			f.bind(f.Str(k), value, f.At(k))
			f.assigned(k, i)
		}
	case upper(c):
		if plain {
			f.bind(f.Str(k), value, f.At(k))
			f.assigned(k, i)
		}
	default:
		if f.multiple(k) {
			value = ""
		}
		if plain {
			f.local(k, value)
			f.assigned(k, i)
		} else {
			f.mark(k)
		}
	}
}

// multiple reads what stands before the last of those that are assigned together,
// and reports whether there are any. A member there is not called.
func (f *file) multiple(k int) bool {
	for f.access(k-1) && f.Word(k-2) {
		k -= 2
	}
	if !f.Sign(k-1, ',') && !f.Sign(k-1, '*') {
		return false
	}
	var members [8]int
	n := 0
	for range 60 {
		if f.Toks[k].Line || k == 0 || f.Sign(k-1, ';') {
			f.uncalled(members[:n])
			return true
		}
		k--
		switch {
		case f.Word(k):
			if f.access(k-1) && f.Sign(k+1, ',') && n < len(members) {
				members[n] = f.At(k)
				n++
			} else if !f.access(k-1) && scan.Letter(f.First(k)) && !upper(f.First(k)) && f.Toks[k].Key == 0 && (f.Sign(k+1, ',') || f.Sign(k+1, ')')) {
				f.mark(k)
				f.bind(f.Str(k), "", f.At(k))
			}
		case f.Sign(k, ','), f.Sign(k, '*'), f.Sign(k, '('), f.Sign(k, ')'), f.access(k):
		case f.Sign(k, ']') && f.Pair(k) > 0:
			k = f.Pair(k)
		default:
			return true
		}
	}
	return true
}

// uncalled takes back the calls at these places.
func (f *file) uncalled(at []int) {
	calls := f.Out.Calls
	for _, a := range at {
		for n := len(calls) - 1; n >= 0 && calls[n].At >= a; n-- {
			if calls[n].At == a {
				calls = append(calls[:n], calls[n+1:]...)
				break
			}
		}
	}
	f.Out.Calls = calls
}

func (f *file) bind(name, value string, at int) {
	f.BindAs(name, "", value, at, 0)
}

// assigned declares what the name at token k gets by the sign at token i, where
// that is a lambda, a class, or a constant.
func (f *file) assigned(k, i int) {
	v := i + 1
	d := corpus.Decl{Name: f.Str(k), NameAt: f.At(k), Exported: true, Span: corpus.Span{Start: f.At(k)}}
	c := f.First(k)
	fr := f.home()
	open := -1 // of a lambda's body
	switch {
	case f.Is(v, "->"):
		open = v + 1
		for n := 0; n < 60 && open < len(f.Toks) && !f.Sign(open, '{') && f.Toks[open].Key != scan.KDo; n++ {
			open = f.Past(open)
		}
	case (f.Is(v, "lambda") || f.Is(v, "proc")) && (f.Sign(v+1, '{') || f.Key(v+1) == scan.KDo):
		open = v + 1
	}
	switch {
	case open >= 0 && (f.Sign(open, '{') || f.Key(open) == scan.KDo):
		d.Kind = corpus.Function
		d.Body = f.At(open)
		d.Span.End = f.End(f.Last(open))
		d.Traits.AddIf(f.depth > 0, corpus.Local)
		if p := v + 1; f.Sign(p, '(') {
			for _, r := range f.Split(p, ",", false) {
				d.Params = append(d.Params, f.Quote(r[0], r[1]))
			}
		}
		if after := f.Past(open); !f.ends(after) {
			return
		}
	case upper(c) && f.depth == 0 && (fr == nil || fr.sort != method):
		end := f.Statement(v, f.continued)
		d.Kind = corpus.Constant
		d.Span.End = f.End(end - 1)
		d.Body = d.Span.End
		f.made(&d, v, end)
	case c == '$' && len(f.frames) == 0 && f.Sign(i, '='):
		d.Kind = corpus.Variable
		d.Span.End = f.End(f.Statement(v, f.continued) - 1)
		d.Body = d.Span.End
	default:
		return
	}
	f.Enclose(&d)
	f.Out.Decls = append(f.Out.Decls, d)
}

// made says what a constant is whose value, from token v up to end, makes a class:
// Struct.new(…) do … end.
func (f *file) made(d *corpus.Decl, v, end int) {
	v = f.SkipWord(v, "::")
	if !f.Sign(v+1, '.') {
		return
	}
	switch string(f.Src[f.At(v):f.End(v+2)]) {
	case "Struct.new", "Data.define":
		d.Kind = corpus.Struct
	case "Class.new":
		d.Kind = corpus.Class
		if at := f.argument(v + 2); f.path(at) >= 0 {
			d.Bases = []string{f.Quote(at, f.path(at)+1)}
		}
	case "Module.new":
		d.Kind = corpus.Module
	default:
		return
	}
	for k, n := v+3, 0; k < end && n < 60; n++ {
		if f.Key(k) == scan.KDo || f.Sign(k, '{') {
			d.Body = f.At(k)
			f.classBody, f.classDecl = k, len(f.Out.Decls)
			return
		}
		k = f.Past(k)
	}
}
