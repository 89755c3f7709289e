package lua

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

const maxParts = 24

// chain reads the chain that begins at token i and returns the token after it; ""
// where none begins there. A call may have a string or a table for arguments.
func (f *file) chain(i int) (string, int) {
	if !f.Name(i) {
		return "", i
	}
	if made, next := f.made(i); made != "" {
		return made, next
	}
	if !f.member(i+1) && (i+1 >= len(f.Toks) || f.Kind(i+1) != scan.Open && f.Kind(i+1) != scan.Text) {
		return f.Str(i), i + 1
	}
	var b strings.Builder
	b.Write(f.Bytes(i))
	i++
	for range maxParts {
		switch {
		case f.member(i) && f.Name(i+1):
			b.WriteByte('.')
			b.Write(f.Bytes(i + 1))
			i += 2
		case f.arguments(i):
			b.WriteString("()")
			i = f.Past(i)
		case f.Kind(i) == scan.Open && i < len(f.Toks):
			b.WriteString("[]")
			i = f.Past(i)
		default:
			return b.String(), i
		}
	}
	return "", i
}

// made reads setmetatable(x, T), which makes x a T, as the call T().
func (f *file) made(i int) (string, int) {
	if f.Toks[i].End-f.Toks[i].At != 12 || !f.Is(i, "setmetatable") || !f.Is(i+1, "(") {
		return "", i
	}
	if t := f.metatable(i + 1); t != "" {
		return t + "()", f.Past(i + 1)
	}
	return "", i
}

// metatable returns the chain that is the second argument in bracket open, or what
// it has for __index.
func (f *file) metatable(open int) string {
	k := f.expression(open + 1)
	end := f.Pair(open)
	if !f.Sign(k, ',') || k+1 >= end {
		return ""
	}
	if k++; f.Is(k, "setmetatable") {
		return ""
	}
	if f.Sign(k, '{') {
		if !f.Is(k+1, "__index") || !f.Sign(k+2, '=') {
			return ""
		}
		end, k = f.expression(k+3), k+3
	}
	if c, next := f.chain(k); next == end {
		return c
	}
	return ""
}

// value returns the expression from token i up to, without, token end as a chain;
// "" where it is none.
func (f *file) value(i, end int) string {
	if c, next := f.chain(i); next == end {
		return c
	}
	return ""
}

// receiver returns the chain of what the name at token i is a member of.
func (f *file) receiver(i int) string {
	if !f.member(i - 1) {
		return ""
	}
	k := i - 2
	if f.Name(k) && !f.member(k-1) {
		return f.Str(k)
	}
	// Parts are collected from the last to the first.
	var parts [maxParts]string
	n, suffix := 0, ""
	for n < maxParts && k >= 0 {
		t := &f.Toks[k]
		switch {
		case strings.HasPrefix(suffix, "()") && f.Is(k, "require") && !f.member(k-1) && f.required(k) != "":
			parts[n] = f.required(k) + suffix[2:]
			return scan.Joined(parts[:n+1], "")
		case f.Name(k):
			parts[n] = f.Str(k) + suffix
			n, suffix = n+1, ""
			if !f.member(k - 1) {
				return scan.Joined(parts[:n], "")
			}
			k -= 2
		case t.Kind == scan.Text && (f.Name(k-1) || f.Kind(k-1) == scan.Close || f.Kind(k-1) == scan.Text):
			suffix = "()" + suffix
			k--
		case t.Kind == scan.Close && t.Pair >= 0:
			p := int(t.Pair)
			after := p > 0 && (f.Name(p-1) || f.Kind(p-1) == scan.Close || f.Kind(p-1) == scan.Text)
			switch {
			case after && f.Src[t.At] == ']':
				suffix = "[]" + suffix
			case after:
				suffix = "()" + suffix
			default: // an expression in parentheses, or a table
				c := ""
				if f.Src[t.At] == ')' {
					c = f.value(p+1, k)
				}
				if c == "" || n == maxParts {
					return scan.Unknown
				}
				parts[n] = c + suffix
				return scan.Joined(parts[:n+1], "")
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

// required returns the module that require at token i reads as a chain; "" where no text names it.
func (f *file) required(i int) string {
	i = f.SkipSign(i+1, '(')
	if f.Kind(i) != scan.Text {
		return ""
	}
	return "import('" + strings.Trim(f.Str(i), `"'[]`) + "')"
}

// call records that the name at token i is called with what follows it.
func (f *file) call(i int) {
	args := 1
	if f.Is(i+1, "(") {
		args = f.Count(i + 1)
	}
	c := corpus.Call{Callee: f.Str(i), Receiver: f.receiver(i), At: f.At(i), Args: int16(min(args, 1000))}
	f.Out.Calls = append(f.Out.Calls, c)
}
