package zig

import (
	"strings"

	"github.com/assay-dev/assay/internal/lang/scan"
)

const (
	maxChain = 24 // parts
	maxNest  = 16 // parentheses that a chain begins with, one in the other
)

// Chains are those of package scan. What a pointer or an optional holds is the
// same to them, and so is a piece of a slice.

// chain reads the chain that begins at token i, and returns the token after it; ""
// where none begins there.
func (r *reader) chain(i, depth int) (chain string, next int) {
	k := i
	for r.Key(k) == scan.KTry || r.Key(k) == scan.KComptime || r.Key(k) == scan.KNosuspend || r.Sign(k, '&') || (r.Is(k, "await") || r.Is(k, "async")) && r.Name(k+1) {
		k++
	}
	var b strings.Builder
	switch {
	case r.Name(k) && (r.Src[r.At(k)] != '@' || r.End(k) > r.At(k)+1 && r.Src[r.At(k)+1] == '"'):
		b.Write(r.Bytes(k))
		k++
	case r.Key(k) == scan.KAtThis && r.Opens(k+1, '(') && r.Pair(k+1) == k+2:
		name := r.self()
		if name == "" {
			return "", k
		}
		b.WriteString(name)
		k += 3
	case r.Key(k) == scan.KAtImport && r.Sign(r.Past(k+1), '.') && r.Name(r.Past(k+1)+1):
		k = r.Past(k+1) + 1 // what is taken of it
		b.Write(r.Bytes(k))
		k++
	case r.Opens(k, '(') && r.Pair(k) < len(r.Toks) && depth < maxNest:
		inner, after := r.chain(k+1, depth+1)
		if inner == "" || after != r.Pair(k) {
			return "", k
		}
		b.WriteString(inner)
		k = r.Past(k)
	default:
		return "", k
	}
	called := false
	for range maxChain {
		switch {
		case r.Sign(k, '.') && r.Kind(k+1) == scan.Word && k+1 < len(r.Toks):
			b.WriteByte('.')
			b.Write(r.Bytes(k + 1))
			called = false
			k += 2
		case r.inside(k):
			k++
		case r.Opens(k, '('):
			b.WriteString("()")
			called = true
			k = r.Past(k)
		case r.Opens(k, '['):
			if !r.slice(k) {
				b.WriteString("[]")
				called = false
			}
			k = r.Past(k)
		case r.Opens(k, '{') && !r.announced(k):
			if !called {
				b.WriteString("()") // T{…}
			}
			k = r.Past(k)
		default:
			return b.String(), k
		}
	}
	return "", k
}

// inside reports whether token k gets at what a pointer or an optional holds.
func (r *reader) inside(k int) bool {
	if k < 0 || k >= len(r.Toks) {
		return false
	}
	t := &r.Toks[k]
	return t.Kind == scan.Punct && t.End-t.At == 2 && r.Src[t.At] == '.' && r.Src[t.At+1] != '.'
}

// slice reports whether bracket k takes a piece, and no element: that is looked
// for among the first tokens only.
func (r *reader) slice(k int) bool {
	end := min(r.Pair(k), k+40, len(r.Toks))
	for p := k + 1; p < end; p = r.Past(p) {
		if r.Is(p, "..") {
			return true
		}
	}
	return false
}

// assigned returns the chain at token k where that is all that matters of the
// expression: what is done where there is nothing, or an error, does not.
func (r *reader) assigned(k int) string {
	chain, next := r.chain(k, 0)
	switch {
	case chain == "", chain == "null", chain == "undefined", chain == "true", chain == "false":
	case next >= len(r.Toks), r.Toks[next].Kind == scan.Close, r.Sign(next, ';'), r.Sign(next, ','), r.Key(next) == scan.KCatch, r.Key(next) == scan.KOrelse:
		return chain
	}
	return ""
}

// receiver returns the chain of what token i is a member of: "" where it is a name
// alone.
func (r *reader) receiver(i int) string {
	if !r.Sign(i-1, '.') {
		return ""
	}
	var parts [maxChain]string
	n := 0
	suffix := ""
	for k := i - 2; n < maxChain; {
		for r.inside(k) {
			k--
		}
		if k < 0 {
			return scan.Unknown
		}
		switch t := &r.Toks[k]; t.Kind {
		case scan.Close:
			p := int(t.Pair)
			if p < 0 {
				return scan.Unknown
			}
			called := r.operand(p-1) && r.Kind(p-1) != scan.Number && r.Kind(p-1) != scan.Text
			switch {
			case r.Key(p-1) == scan.KAtImport && suffix == "":
				return scan.Joined(parts[:n], "import('"+strings.Trim(r.Str(p+1), `"`)+"')")
			case !called && r.Src[t.At] == ')':
				inner, after := r.chain(p+1, 1)
				if inner == "" || after != k {
					return scan.Unknown
				}
				return scan.Joined(parts[:n], inner+suffix)
			case !called:
				return scan.Unknown
			case r.Src[t.At] == ')':
				suffix = "()" + suffix
			case r.Src[t.At] == '}':
				if !strings.HasPrefix(suffix, "()") && !(r.Kind(p-1) == scan.Close) {
					suffix = "()" + suffix
				}
			case !r.slice(p):
				suffix = "[]" + suffix
			}
			k = p - 1
		case scan.Word:
			switch {
			case t.Key == scan.KAtThis && strings.HasPrefix(suffix, "()"):
				if name := r.self(); name != "" {
					return scan.Joined(parts[:n], name+suffix[2:])
				}
				return scan.Unknown
			case t.Key != 0 || r.Src[t.At] == '@' && t.End > t.At+1 && r.Src[t.At+1] != '"':
				return scan.Unknown
			}
			parts[n] = r.Str(k) + suffix
			suffix = ""
			n++
			if !r.Sign(k-1, '.') {
				return scan.Joined(parts[:n], "")
			}
			k -= 2
		default:
			return scan.Unknown
		}
	}
	return scan.Unknown
}

// self returns the name of the container around, "" where it has none: that of
// the function that returns it, if it is one of those.
func (r *reader) self() string {
	for k := len(r.frames) - 1; k > 0; k-- {
		if sort := r.frames[k].sort; sort != container && sort != choices {
			continue
		}
		for ; k > 0; k-- {
			if d := r.frames[k].decl; d >= 0 {
				return r.Out.Decls[d].Name
			}
		}
	}
	return ""
}

// bind records what is known of the name at token i.
func (r *reader) bind(i int, typ, value string, param int) {
	if b := r.Bytes(i); len(b) == 1 && b[0] == '_' {
		return
	}
	r.Bind(i, typ, value, param)
}

// result reads the value of the return at token i.
func (r *reader) result(i int) {
	if chain := r.assigned(i + 1); chain != "" {
		r.BindAs("()", "", chain, r.At(i), 0)
	}
}

// capture reads |x, *y| at token i, if it is that and not an operator.
func (r *reader) capture(i int) int {
	if !r.captures(i) {
		return i + 1
	}
	loop, args := false, -1
	if r.Kind(i-1) == scan.Close {
		args = r.Pair(i-1) + 1
		loop = r.Key(args-2) == scan.KFor
	}
	for k := i + 1; ; k++ {
		k = r.SkipSign(k, '*')
		value := ""
		if args >= 0 {
			var next int
			value, next = r.chain(args, 0)
			if next >= i || !r.Sign(next, ',') && next != i-1 {
				value = ""
			}
			for args < i-1 && !r.Sign(args, ',') {
				args = r.Past(args)
			}
			if args++; args >= i {
				args = -1
			}
		}
		if loop && value != "" {
			value += "[]"
		}
		r.bind(k, "", value, 0)
		if k++; !r.Sign(k, ',') {
			return k + 1
		}
	}
}

// captures reports whether the sign at token i begins a list of names.
func (r *reader) captures(i int) bool {
	switch r.Key(i - 1) {
	case scan.KElse, scan.KCatch, scan.KErrdefer:
	default:
		if r.Is(i-1, "=>") {
			break
		}
		if i < 1 || r.Kind(i-1) != scan.Close || r.Src[r.At(i-1)] != ')' || r.Pair(i-1) < 1 {
			return false
		}
		if key := r.Key(r.Pair(i-1) - 1); key != scan.KIf && key != scan.KWhile && key != scan.KFor {
			return false
		}
	}
	for k := i + 1; ; k++ {
		k = r.SkipSign(k, '*')
		if !r.Name(k) {
			return false
		}
		if k++; !r.Sign(k, ',') {
			return r.Sign(k, '|')
		}
	}
}
