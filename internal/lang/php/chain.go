package php

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

const (
	maxParts = 24
	maxDepth = 50
)

// operand reports whether token i is a word that a chain may begin with.
func (f *file) operand(i int) bool { return f.Name(i) || f.Key(i) == scan.KStatic }

// chain reads the chain that begins at token i, and returns the token after it; ""
// and i where none begins there.
func (f *file) chain(i, depth int) (string, int) {
	k := i
	for f.Sign(k, '@') || f.Sign(k, '&') || f.Key(k) == scan.KClone {
		k++
	}
	switch {
	case f.Key(k) == scan.KNew:
		return f.construction(k + 1)
	case f.operand(k):
		if k+1 >= len(f.Toks) || f.Toks[k+1].Kind != scan.Open && !f.access(k+1) {
			return f.Str(k), k + 1
		}
		var b strings.Builder
		b.Write(f.Bytes(k))
		return f.suffixes(&b, k+1)
	case f.Sign(k, '(') && depth < maxDepth:
		inner, after := f.chain(k+1, depth+1)
		if after != f.Pair(k) || inner == "" {
			inner = scan.Unknown
		}
		var b strings.Builder
		b.WriteString(inner)
		return f.suffixes(&b, f.Past(k))
	}
	return "", i
}

// construction reads the chain behind new.
func (f *file) construction(k int) (string, int) {
	if f.Key(k) == scan.KClass { // without a name
		return f.extended(k + 1)
	}
	if !f.operand(k) {
		return "", k
	}
	var b strings.Builder
	b.Write(f.Bytes(k))
	for k++; f.access(k) && f.Word(k+1); k += 2 {
		b.WriteByte('.')
		b.Write(f.Bytes(k + 1))
	}
	b.WriteString("()")
	k = f.SkipBracket(k, '(')
	return b.String(), k
}

// extended returns the base of a class without a name as a chain, and the token behind the class.
func (f *file) extended(k int) (string, int) {
	k = f.SkipBracket(k, '(')
	var bases []string
	if k = f.bases(k, &bases); !f.Sign(k, '{') || len(bases) == 0 {
		return "", k
	}
	return "{" + bases[0] + "}", f.Past(k)
}

func (f *file) suffixes(b *strings.Builder, k int) (string, int) {
	for range maxParts {
		switch {
		case f.access(k) && f.Word(k+1):
			b.WriteByte('.')
			b.Write(f.Bytes(k + 1))
			k += 2
		case f.Sign(k, '('):
			b.WriteString("()")
			k = f.Past(k)
		case f.Sign(k, '['):
			b.WriteString("[]")
			k = f.Past(k)
		default:
			return b.String(), k
		}
	}
	return scan.Unknown, k
}

// value returns the expression that begins with token i as a chain; "" where it is
// none.
func (f *file) value(i int) string {
	if c, next := f.chain(i, 0); c != "" && c[0] != '?' && f.ends(next) {
		return c
	}
	return ""
}

// receiver returns the chain of what token i is a member of.
func (f *file) receiver(i int) string {
	k := i - 1
	if !f.access(k) {
		return ""
	}
	if k--; f.Word(k) && !f.access(k-1) {
		return f.Str(k)
	}
	// Parts are collected from the last to the first.
	var parts [maxParts]string
	n, suffix := 0, ""
	for n < maxParts && k >= 0 {
		t := &f.Toks[k]
		switch {
		case t.Kind == scan.Word:
			parts[n] = f.Str(k) + suffix
			n, suffix = n+1, ""
			if !f.access(k - 1) {
				return scan.Joined(parts[:n], "")
			}
			k -= 2
		case t.Kind == scan.Close && t.Pair >= 0 && f.Src[t.At] != '}':
			p := int(t.Pair)
			if !f.applies(p) {
				return f.InParens(k, suffix, parts[:n], f.chain)
			}
			if len(suffix) > 2*maxParts {
				return scan.Unknown
			}
			if f.Src[t.At] == ')' {
				suffix = "()" + suffix
			} else {
				suffix = "[]" + suffix
			}
			k = p - 1
		default:
			return scan.Unknown
		}
	}
	return scan.Unknown
}

// applies reports whether bracket p calls or indexes what stands before it.
func (f *file) applies(p int) bool {
	if p == 0 {
		return false
	}
	switch t := &f.Toks[p-1]; t.Kind {
	case scan.Word:
		return t.Key == 0 || t.Key == scan.KStatic && f.Key(p-2) == scan.KNew
	case scan.Close:
		return true
	}
	return false
}

// used reads a name that is used: a call, a property in its class, or nothing.
func (f *file) used(i int) {
	made := i == f.made && i > 0
	if f.Sign(i+1, '(') {
		if f.top() == attribute && (f.Sign(i-1, ',') || f.Is(i-1, "#[")) {
			return
		}
		if f.Is(i+2, "...") && f.Sign(i+3, ')') && !made { // the function as a value
			return
		}
		if f.Key(i-1) == scan.KYield && f.Is(i, "from") { // yield from (…)
			return
		}
		f.call(i, made)
		return
	}
	switch {
	case made:
		f.call(i, true)
	case f.Sign(i+1, '}') && f.Sign(i+2, '(') && f.Sign(i-1, '{') && f.access(i-2) && f.variable(i) && !(f.Is(i+3, "...") && f.Sign(i+4, ')')): // ->{$x}()
		c := corpus.Call{Callee: f.Str(i), Receiver: f.receiver(i - 1), At: f.At(i), Args: int16(min(f.Count(i+2), 1000))}
		f.Out.Calls = append(f.Out.Calls, c)
	case f.top() == class && i >= f.params && f.variable(i) && !f.access(i-1):
		f.property(i)
	}
}

func (f *file) call(i int, constructs bool) {
	args := 0
	if f.Sign(i+1, '(') {
		args = f.Count(i + 1)
	}
	f.Out.Calls = append(f.Out.Calls, corpus.Call{Callee: f.Str(i), Receiver: f.receiver(i), At: f.At(i), Args: int16(min(args, 1000)), New: constructs})
}

// constructed finds what is constructed by the new at token i.
func (f *file) constructed(i int) {
	k := i + 1
	if !f.operand(k) {
		return
	}
	for f.access(k+1) && f.Word(k+2) {
		k += 2
	}
	if !f.Sign(k+1, '[') && !f.access(k+1) {
		f.made = k
	}
}

// property binds the property that token i names, in its class.
func (f *file) property(i int) {
	name := "$this." + f.Str(i)[1:]
	if f.prop.static {
		name = "self." + f.Str(i)
	}
	value := ""
	if f.Sign(i+1, '=') {
		value = f.value(i + 2)
	}
	f.BindAs(name, f.prop.typ, value, f.At(i), 0)
}

// within returns the innermost function's declaration, or -1.
func (f *file) within() int {
	for n := len(f.frames) - 1; n >= 0; n-- {
		switch f.frames[n].sort {
		case function, arrow:
			return f.frames[n].decl
		case class:
			return -1
		}
	}
	return -1
}

func (f *file) returned(i int) {
	if f.within() >= 0 {
		f.result(i+1, "()")
	}
}

// result binds what a function gives to the chain at token i, if it is one.
func (f *file) result(i int, name string) {
	if c := f.value(i); c != "" {
		f.BindAs(name, "", c, f.At(i), 0)
	}
}

func (f *file) yielded(i int) {
	n := f.within()
	if n < 0 {
		return
	}
	f.Out.Decls[n].Traits |= corpus.Generator
	if !f.Is(i+1, "from") {
		f.result(i+1, "[]")
	}
}

// foreach binds the names of a loop.
func (f *file) foreach(i int) {
	open := i + 1
	if !f.Sign(open, '(') {
		return
	}
	end := f.Pair(open)
	value, k := f.chain(open+1, 0)
	for n := 0; k < end && f.Key(k) != scan.KAs && n < 200; n++ {
		value = ""
		k = f.Past(k)
	}
	if f.Key(k) != scan.KAs {
		return
	}
	if value == "" || value[0] == '?' {
		value = ""
	} else {
		value += "[]"
	}
	if k++; f.variable(k) && f.Is(k+1, "=>") {
		f.BindAs(f.Str(k), "", "", f.At(k), 0)
		k += 2
	}
	k = f.SkipSign(k, '&')
	switch {
	case f.variable(k) && k+1 == end:
		f.BindAs(f.Str(k), "", value, f.At(k), 0)
	case f.Sign(k, '['):
		f.destructured(k)
	}
}

// destructured binds the names in list(…) or […].
func (f *file) destructured(open int) {
	end := f.Pair(open)
	for k := open + 1; k < end && k < open+200; k++ {
		if f.variable(k) && !f.access(k+1) && !f.access(k-1) && !f.Sign(k+1, '[') {
			f.BindAs(f.Str(k), "", "", f.At(k), 0)
		}
	}
}

// catch binds the name of what is caught.
func (f *file) catch(i int) {
	open := i + 1
	end := f.Pair(open)
	if f.Sign(open, '(') && end < len(f.Toks) && f.variable(end-1) {
		f.BindAs(f.Str(end-1), f.Quote(open+1, end-1), "", f.At(end-1), 0)
	}
}
