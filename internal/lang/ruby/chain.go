package ruby

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

const (
	maxParts = 24
	maxDepth = 50
)

// A member that is no constant is called, with or without parentheses; in a chain
// it has them.

// constant reports whether the member at token i, behind ::, is a constant.
func (f *file) constant(i int) bool {
	return upper(f.First(i)) && f.Is(i-1, "::") && !(f.Sign(i+1, '(') && f.Adjacent(i))
}

// chain reads the chain that begins at token i, and returns the token after it; ""
// and i where none begins there.
func (f *file) chain(i, depth int) (string, int) {
	k := f.SkipWord(i, "::")
	var b strings.Builder
	switch {
	case f.Name(k) && !f.label(k):
		if t := k + 1; t < len(f.Toks) && f.Toks[t].Kind != scan.Open && !f.access(t) && f.Toks[t].Key != scan.KDo && !f.command(k) {
			return f.Str(k), t
		}
		b.Write(f.Bytes(k))
		if !f.suffix(&b, &k) {
			return b.String(), f.Arguments(k, f.ends)
		}
	case f.Key(k) == scan.KSelf || f.Key(k) == scan.KSuper:
		isBare := f.Key(k) == scan.KSuper && !f.command(k) && !f.Sign(k+1, '(')
		b.Write(f.Bytes(k))
		if isBare {
			b.WriteString("()") // because super is a call without them too
		}
		if !f.suffix(&b, &k) {
			return b.String(), f.Arguments(k, f.ends)
		}
	case f.Sign(k, '(') && depth < maxDepth:
		inner, after := f.chain(k+1, depth+1)
		if after != f.Pair(k) || inner == "" {
			inner = scan.Unknown
		}
		b.WriteString(inner)
		k = f.Past(k)
	default:
		return "", i
	}
	for range maxParts {
		switch {
		case f.access(k) && f.Word(k+1):
			b.WriteByte('.')
			b.Write(f.Bytes(k + 1))
			k++
			if f.constant(k) {
				k++
				continue
			}
			from := b.Len()
			more := f.suffix(&b, &k)
			if b.Len() == from {
				b.WriteString("()")
			}
			if !more {
				return b.String(), f.Arguments(k, f.ends)
			}
		case f.Sign(k, '[') && f.Adjacent(k-1):
			b.WriteString("[]")
			k = f.Past(k)
		default:
			return b.String(), k
		}
	}
	return scan.Unknown, k
}

// suffix reads what belongs to the call of the name at token k: arguments in
// parentheses and a block. It reports false where arguments follow without
// parentheses; k is then the name, else the token behind all.
func (f *file) suffix(b *strings.Builder, k *int) bool {
	called := false
	i := *k
	switch {
	case f.Sign(i+1, '(') && f.Adjacent(i):
		called = true
		i = f.Past(i + 1)
	case f.command(i):
		b.WriteString("()")
		return false
	default:
		i++
	}
	if (f.Sign(i, '{') && !f.Line(i) || f.Key(i) == scan.KDo && !f.cmd) && i > 0 {
		called = true
		i = f.Past(i)
	}
	if called {
		b.WriteString("()")
	}
	*k = i
	return true
}

// ends reports whether an expression ends before token k.
func (f *file) ends(k int) bool {
	if k >= len(f.Toks) {
		return true
	}
	t := &f.Toks[k]
	if t.Line && !f.continued(k) {
		return true
	}
	switch t.Kind {
	case scan.Close:
		return true
	case scan.Word:
		switch t.Key {
		case scan.KIf, scan.KUnless, scan.KWhile, scan.KUntil, scan.KRescue, scan.KEnd, scan.KThen, scan.KAnd, scan.KOr:
			return true
		}
	case scan.Punct:
		return f.Sign(k, ';') || f.Sign(k, ',') || f.Is(k, "||")
	}
	return false
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
	if k--; f.Word(k) && (f.Toks[k].Key == 0 || f.Toks[k].Key == scan.KSelf) && !f.access(k-1) {
		return f.Str(k)
	}
	// Parts are collected from the last to the first.
	var parts [maxParts]string
	n, suffix := 0, ""
	called := false
	for n < maxParts && k >= 0 {
		t := &f.Toks[k]
		switch {
		case t.Kind == scan.Word && (t.Key == 0 || t.Key == scan.KSelf || t.Key == scan.KSuper):
			if called || t.Key == scan.KSuper || f.access(k-1) && !f.constant(k) {
				suffix = "()" + suffix
			}
			parts[n] = f.Str(k) + suffix
			n, suffix, called = n+1, "", false
			if !f.access(k-1) || f.Is(k-1, "::") && upper(f.First(k)) && !f.operand(k-2) {
				return scan.Joined(parts[:n], "")
			}
			k -= 2
		case (t.Kind == scan.Close || t.Key == scan.KEnd) && t.Pair >= 0:
			p := int(t.Pair)
			c := f.First(k)
			switch {
			case c == ')' && f.Word(p-1) && f.applies(p-1) && f.Adjacent(p-1):
				called = true
			case c == ']' && f.Adjacent(p-1) && f.operand(p-1):
				suffix = "[]" + suffix
			case (c == '}' || t.Key == scan.KEnd && f.Key(p) == scan.KDo) && (f.Word(p-1) && f.applies(p-1) || f.Sign(p-1, ')')):
				called = !f.Sign(p-1, ')')
			default:
				return f.InParens(k, suffix, parts[:n], f.chain)
			}
			if len(suffix) > 2*maxParts {
				return scan.Unknown
			}
			k = p - 1
		default:
			return scan.Unknown
		}
	}
	return scan.Unknown
}

// applies reports whether what follows word i belongs to it.
func (f *file) applies(i int) bool {
	switch f.Toks[i].Key {
	case 0, scan.KSuper, scan.KYield, scan.KSelf:
		return true
	}
	return false
}

// operand reports whether token i ends what may have members.
func (f *file) operand(i int) bool {
	if i < 0 || i >= len(f.Toks) {
		return false
	}
	t := &f.Toks[i]
	return t.Kind == scan.Close || t.Kind == scan.Text || t.Kind == scan.Word && (f.applies(i) || t.Key == scan.KEnd)
}

// command reports whether arguments without parentheses follow word i.
func (f *file) command(i int) bool {
	k := i + 1
	if k >= len(f.Toks) || f.Toks[k].Line || f.Adjacent(i) && f.Toks[k].Kind != scan.Text {
		return false
	}
	t := &f.Toks[k]
	switch t.Kind {
	case scan.Number:
		return true
	case scan.Text:
		// What follows a variable may be an operator.
		return t.End > t.At && (f.Src[t.At] == '"' || f.Src[t.At] == '\'' || f.Src[t.At] == ':' && !f.Sign(i-1, '?') || !f.variable(i))
	case scan.Word:
		switch t.Key {
		case 0, scan.KNil, scan.KTrue, scan.KFalse, scan.KSelf, scan.KNot, scan.KDefined, scan.KCase, scan.KDef, scan.KYield, scan.KSuper, scan.KFileName, scan.KLineNumber, scan.KBegin, scan.KClass:
			return true
		}
		return false
	case scan.Open:
		return f.Src[t.At] == '[' && !f.variable(i) || f.Src[t.At] == '('
	case scan.Punct:
		return f.unary(k) && !f.variable(i)
	}
	return false
}

// unary reports whether the sign at token k, with space before it, begins an
// expression.
func (f *file) unary(k int) bool {
	if !f.Adjacent(k) && !f.Is(k, "->") {
		return false
	}
	switch t := &f.Toks[k]; t.End - t.At {
	case 1:
		switch f.Src[t.At] {
		case '*', '&', '-', '!', '~':
			return true
		case ':':
			return f.Kind(k+1) == scan.Text
		}
	case 2:
		return f.Is(k, "->") || f.Is(k, "**") || f.Is(k, "::") || f.Is(k, "..")
	}
	return false
}

// variable reports whether word i is a local variable, as far as is known.
func (f *file) variable(i int) bool {
	if f.access(i - 1) {
		return false
	}
	c := f.First(i)
	if c == '@' || c == '$' {
		return true
	}
	n, ok := f.locals[string(f.Bytes(i))]
	return ok && n == f.scope
}

// call records that word i is called.
func (f *file) call(i int) {
	args := 0
	switch {
	case f.Sign(i+1, '(') && f.Adjacent(i):
		args = f.Count(i + 1)
	case f.command(i):
		args = f.listed(i + 1)
	}
	name, receiver := f.Str(i), f.receiver(i)
	if fr := f.home(); f.Key(i) == scan.KSuper && fr != nil && fr.sort == method && fr.decl >= 0 {
		if args == 0 && !f.Sign(i+1, '(') {
			args = -1 // because it hands on those of the method
		}
		if around := f.Out.Decls[fr.decl].Name; around != "initialize" {
			name, receiver = around, name
		}
	}
	f.Out.Calls = append(f.Out.Calls, corpus.Call{Callee: name, Receiver: receiver, At: f.At(i), Args: int16(min(args, 1000)), New: name == "new" && f.access(i-1)})
}

// listed returns how many arguments without parentheses begin with token i.
func (f *file) listed(i int) int {
	n := 1
	for k, steps := i, 0; k < len(f.Toks); steps++ {
		if steps == 60 {
			return -1
		}
		if f.Sign(k, ',') {
			n++
			k++
			continue
		}
		if k > i && f.ends(k) || f.Toks[k].Key == scan.KDo {
			break
		}
		k = f.Past(k)
	}
	return n
}
