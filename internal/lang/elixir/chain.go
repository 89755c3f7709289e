package elixir

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

const (
	maxParts = 24
	maxDepth = 50
)

// chain reads the chain that begins at token i, and returns the token after it; ""
// and i where none begins there. %T{…} is T(), and of a pipeline only what comes
// last matters.
func (f *file) chain(i, depth int) (string, int) {
	var b strings.Builder
	k := i
	switch {
	case f.Sign(k, '%') && f.module(k+1):
		end := f.path(k + 1)
		b.WriteString(f.full(k+1, end))
		b.WriteString("()")
		if k = end + 1; !f.Sign(k, '{') {
			return "", i
		}
		k = f.Past(k)
	case f.module(k):
		end := f.path(k)
		b.WriteString(f.full(k, end))
		k = end + 1
	case f.variable(k):
		b.Write(f.Bytes(k))
		switch {
		case f.Sign(k+1, '(') && f.Adjacent(k):
			b.WriteString("()")
			k = f.Past(k + 1)
		case f.command(k):
			b.WriteString("()")
			return b.String(), f.Arguments(k, f.ends)
		default:
			k++
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
		case f.Sign(k, '.') && f.Word(k+1):
			b.WriteByte('.')
			b.Write(f.Bytes(k + 1))
			k++
			switch {
			case f.Sign(k+1, '(') && f.Adjacent(k):
				b.WriteString("()")
				k = f.Past(k + 1)
			case f.command(k):
				b.WriteString("()")
				return b.String(), f.Arguments(k, f.ends)
			default:
				if f.module(k - 2) {
					b.WriteString("()")
				}
				k++
			}
		case f.Sign(k, '.') && f.Sign(k+1, '('):
			b.WriteString("()")
			k = f.Past(k + 1)
		case f.Sign(k, '[') && f.Adjacent(k-1):
			b.WriteString("[]")
			k = f.Past(k)
		default:
			return b.String(), k
		}
	}
	return scan.Unknown, k
}

// piped reads on behind a chain that goes into a pipeline.
func (f *file) piped(c string, k int) (string, int) {
	for n := 0; n < 40 && f.Two(k, '|', '>'); n++ {
		var next int
		if c, next = f.chain(k+1, 0); next == k+1 {
			return "", k
		}
		k = next
	}
	if f.Two(k, '|', '>') {
		return "", k
	}
	return c, k
}

// ends reports whether an expression ends before token k.
func (f *file) ends(k int) bool {
	if k >= len(f.Toks) {
		return true
	}
	t := &f.Toks[k]
	if t.Line && !f.continued(k) || t.Kind == scan.Close {
		return true
	}
	switch t.Key {
	case scan.KEnd, scan.KElse, scan.KAfter, scan.KRescue, scan.KCatch, scan.KDo:
		return true
	}
	return f.Sign(k, ';') || f.Sign(k, ',') || f.Two(k, '|', '|')
}

// value returns the expression that begins with token i as a chain; "" where it is
// none.
func (f *file) value(i int) string {
	c, next := f.chain(i, 0)
	if next == i {
		if f.Kind(i) != scan.Open && f.Kind(i) != scan.Text {
			return ""
		}
		next = f.Past(i)
	}
	if c, next = f.piped(c, next); c != "" && c[0] != '?' && f.ends(next) {
		return c
	}
	return ""
}

// receiver returns the chain of what token i is a member of.
func (f *file) receiver(i int) string {
	k := i - 1
	if !f.Sign(k, '.') {
		return ""
	}
	// Parts are collected from the last to the first.
	var parts [maxParts]string
	n, suffix := 0, ""
	k--
	for n < maxParts && k >= 0 {
		t := &f.Toks[k]
		switch {
		case t.Kind == scan.Word && (t.Key == 0 || suffix != ""), t.Kind == scan.Text && f.First(k) == ':':
			parts[n] = f.Str(k) + suffix
			n, suffix = n+1, ""
			if f.Sign(k-1, '@') {
				parts[n-1] = "@" + parts[n-1]
				return scan.Joined(parts[:n], "")
			}
			if !f.Sign(k-1, '.') {
				return scan.Joined(parts[:n], "")
			}
			k -= 2
		case t.Kind == scan.Close && t.Pair > 0 && len(suffix) < 2*maxParts:
			p := int(t.Pair)
			switch c := f.First(k); {
			case c == ')' && f.Adjacent(p-1) && f.Sign(p-1, '.'):
				suffix = "()" + suffix
				k = p - 2
				continue
			case c == ')' && f.Adjacent(p-1) && f.Name(p-1):
				suffix = "()" + suffix
			case c == ']' && f.Adjacent(p-1) && (f.Name(p-1) || f.Kind(p-1) == scan.Close):
				suffix = "[]" + suffix
			default:
				return f.InParens(k, suffix, parts[:n], f.chain)
			}
			k = p - 1
		default:
			return scan.Unknown
		}
	}
	return scan.Unknown
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
		return t.End > t.At
	case scan.Word:
		switch t.Key {
		case scan.KDo, scan.KEnd, scan.KAfter, scan.KElse, scan.KCatch, scan.KRescue, scan.KWhen, scan.KAnd, scan.KOr, scan.KIn:
			return false
		case scan.KNot:
			return f.Key(k+1) != scan.KIn
		}
		return true
	case scan.Open:
		return true
	case scan.Punct:
		switch t.End - t.At {
		case 1:
			switch f.Src[t.At] {
			case '-', '+':
				return f.Adjacent(k)
			case '!', '^', '&', '@', '%', '~':
				return true
			}
		case 2:
			return f.Two(k, '<', '<')
		case 3:
			return f.Is(k, "~~~")
		}
	}
	return false
}

// used reads a name that is used: a call, or nothing.
func (f *file) used(i int) {
	next := i + 1
	if i == f.head {
		if !f.Sign(next, '(') {
			f.cmd = true
		}
		return
	}
	dot := f.Sign(i-1, '.')
	if upper(f.First(i)) || f.label(i) && !(f.Sign(i-1, '?')) {
		return
	}
	capture := f.Sign(next, '/') && f.Kind(next+1) == scan.Number && f.captured(i)
	switch {
	case f.Sign(next, '(') && f.Adjacent(i):
		if f.binary == 0 || !f.Is(i, "size") && !f.Is(i, "unit") || !f.Sign(i-1, '-') && !f.Two(i-1, ':', ':') {
			f.call(i, next)
		}
	case capture:
	case f.Sign(next, '.') && f.Sign(next+1, '(') && f.Adjacent(next) && !dot:
		f.call(i, next+1)
		c := &f.Out.Calls[len(f.Out.Calls)-1] // what the variable holds is called
		c.At, c.Callee, c.Receiver = f.At(next+1), corpus.Unnamed, strings.TrimPrefix(c.Receiver+"."+c.Callee, ".")
	case f.command(i):
		if f.First(i) == '_' && f.reserved(i) {
			return
		}
		f.call(i, -1)
		f.cmd = true
	case f.Key(next) == scan.KDo && !f.Line(next) && !f.cmd, dot && f.module(i-2):
		f.call(i, -1)
	case f.Two(i-1, '|', '>') && !f.Sign(next, '.') && !f.Sign(next, '[') && f.head != i-1:
		f.call(i, -1)
	}
}

// reserved reports whether word i is a name like __MODULE__.
func (f *file) reserved(i int) bool {
	b := f.Bytes(i)
	return len(b) > 4 && b[1] == '_' && upper(b[2])
}

// captured reports whether the name at token i is all that is behind an &.
func (f *file) captured(i int) bool {
	for n := 0; n < 2*maxParts && f.Sign(i-1, '.'); n++ {
		i -= 2
	}
	return f.Sign(i-1, '&')
}

// call records that word i is called with the arguments in bracket open, or behind
// it where that is -1. What is piped in is an argument too.
func (f *file) call(i, open int) {
	args := 0
	switch {
	case open >= 0:
		args = f.count(open)
	case f.command(i):
		args = f.listed(i + 1)
	}
	from := i
	for n := 0; n < maxParts && f.Sign(from-1, '.') && (f.Word(from-2) || f.module(from-2)); n++ {
		from -= 2
	}
	if args >= 0 && f.Two(from-1, '|', '>') {
		args++
	}
	f.Out.Calls = append(f.Out.Calls, corpus.Call{Callee: f.Str(i), Receiver: f.receiver(i), At: f.At(i), Args: int16(min(args, 1000))})
}

// count returns how many arguments bracket i holds.
func (f *file) count(i int) int {
	end := f.Pair(i)
	if !f.Sign(end, ')') {
		return -1
	}
	if i+1 >= end {
		return 0
	}
	n, binary := 1, 0
	for k := i + 1; k < end; k = f.Past(k) {
		switch {
		case f.Two(k, '<', '<'):
			binary++
		case f.Two(k, '>', '>'):
			binary--
		case f.Sign(k, ',') && binary <= 0 && k+1 < end:
			n++
		}
		if f.Word(k) && f.label(k) { // the keys are one argument
			break
		}
	}
	return n
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
		}
		if f.Word(k) && f.label(k) || k > i && f.ends(k) {
			break
		}
		k = f.Past(k)
	}
	return n
}
