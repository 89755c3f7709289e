package rust

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

const (
	maxParts = 24   // of a chain
	maxNest  = 16   // parentheses that a chain begins with, one in the other
	maxAngle = 600  // tokens between < and >
	maxHead  = 4000 // tokens of an item's head, or of a type
)

// Chains are as scan makes them, of paths and members alike. What is awaited,
// tried, borrowed or dereferenced is as good as itself; a struct literal is a call
// of its type.

// value returns the chain from token i on, where that is a whole expression; ""
// where it is more, or less.
func (f *file) value(i int) string {
	chain, next := f.chain(i, 0)
	if chain == "" || strings.HasPrefix(chain, scan.Unknown) {
		return ""
	}
	fr := f.top()
	switch t := f.Kind(next); {
	case next >= len(f.Toks), next == fr.end, t == scan.Close, f.Sign(next, ';'), f.Sign(next, ','), f.Key(next) == scan.KElse:
		return chain
	case (fr.sort == head || fr.sort == arms) && (f.Is(next, "&&") || f.Is(next, "=>")):
		return chain
	}
	return ""
}

// chain reads the chain that begins at token i, and returns the token after it.
func (f *file) chain(i, depth int) (string, int) {
	k := i
	for f.Sign(k, '&') || f.Sign(k, '*') || f.Is(k, "&&") || f.Key(k) == scan.KMut || f.Key(k) == scan.KRef {
		k++
	}
	var b strings.Builder
	switch {
	case f.part(k):
		b.Write(f.Bytes(k))
		k++
	case f.Opens(k, '('):
		inner := scan.Unknown
		if depth < maxNest {
			if c, after := f.chain(k+1, depth+1); c != "" && after == f.Pair(k) {
				inner = c
			}
		}
		b.WriteString(inner)
		k = f.Past(k)
	case f.Sign(k, '<'):
		after := f.angle(k)
		if after == k {
			return "", i
		}
		b.WriteString(f.qualified(k, after-1))
		k = after
	case f.path(k) && f.part(k+1):
		b.Write(f.Bytes(k + 1))
		k += 2
	default:
		return "", i
	}
	for range maxParts {
		switch {
		case f.Sign(k, '?'):
			k++
		case f.Sign(k, '.') && f.Key(k+1) == scan.KAwait:
			k += 2
		case f.Sign(k, '.') && f.Kind(k+1) == scan.Number, (f.Sign(k, '.') || f.path(k)) && f.part(k+1):
			b.WriteByte('.')
			b.Write(f.Bytes(k + 1))
			k += 2
		case f.path(k) && f.Sign(k+1, '<'):
			after := f.angle(k + 1)
			if after == k+1 {
				return b.String(), k
			}
			k = after
		case f.Opens(k, '('):
			b.WriteString("()")
			k = f.Past(k)
		case f.Opens(k, '['):
			b.WriteString("[]")
			k = f.Past(k)
		case f.Opens(k, '{') && f.literal(k):
			b.WriteString("()")
			k = f.Past(k)
		default:
			return b.String(), k
		}
	}
	return scan.Unknown, k
}

// part reports whether token i can be a part of a chain.
func (f *file) part(i int) bool {
	if i < 0 || i >= len(f.Toks) || f.Toks[i].Kind != scan.Word {
		return false
	}
	switch f.Toks[i].Key {
	case 0, scan.KSelf, scan.KSelfType, scan.KSuper, scan.KCrate:
		return true
	}
	return false
}

// qualified returns the type of <T> or <T as Trait>, from its first to its last
// sign, as a chain.
func (f *file) qualified(from, to int) string {
	k := from + 1
	for f.Sign(k, '&') || f.Key(k) == scan.KMut || f.Kind(k) == scan.Text {
		k++
	}
	if n := f.typeName(k, to); n >= 0 && f.part(k) {
		return f.Str(n)
	}
	return scan.Unknown
}

// literal reports whether the brace i, after a name, begins the fields of a
// struct.
func (f *file) literal(i int) bool {
	fr := f.top()
	if fr.sort == head && fr.end == i {
		return false
	}
	n := i - 1
	if f.Sign(n, '>') {
		return true // only a literal has type arguments before its brace
	}
	if f.Kind(n) != scan.Word || n < 0 {
		return false
	}
	switch c := f.Src[f.Toks[n].At]; {
	case c >= 'A' && c <= 'Z':
		return true
	case f.Toks[n].Key != 0 || f.Is(n, "try") || f.Is(n, "gen") || fr.macro:
		return false
	}
	return f.Name(i+1) && f.Sign(i+2, ':') || f.Is(i+1, "..")
}

// receiver returns the chain of what token i is a member of.
func (f *file) receiver(i int) string {
	if k := i - 1; k < 0 || !f.Sign(k, '.') && !f.path(k) {
		return ""
	}
	// Parts are collected from the last to the first.
	var parts [maxParts]string
	n := 0
	suffix := ""
	k := i - 2
	for n < maxParts {
		switch {
		case f.Sign(k, '?'):
			k--
		case f.Key(k) == scan.KAwait && f.Sign(k-1, '.'):
			k -= 2
		case f.Sign(k, '>'):
			j := f.angleBack(k)
			switch {
			case j == k:
				return scan.Unknown
			case f.path(j - 1):
				k = j - 2
			default:
				return scan.Joined(parts[:n], f.qualified(j, k)+suffix)
			}
		case f.Kind(k) == scan.Close && k >= 0 && f.Pair(k) >= 0 && f.Src[f.Toks[k].At] != '}':
			p := f.Pair(k)
			if !f.applied(p) {
				return f.InParens(k, suffix, parts[:n], f.chain)
			}
			suffix = string(f.Src[f.Toks[p].At]) + string(f.Src[f.Toks[k].At]) + suffix
			k = p - 1
		case f.part(k), f.Kind(k) == scan.Number && f.Sign(k-1, '.'):
			parts[n] = f.Str(k) + suffix
			suffix = ""
			n++
			if !f.Sign(k-1, '.') && !f.path(k-1) {
				return scan.Joined(parts[:n], "")
			}
			if k -= 2; f.path(k+1) && !f.part(k) && !f.Sign(k, '>') {
				return scan.Joined(parts[:n], "") // a path from the root
			}
		case f.Kind(k) == scan.Close && k >= 0 && f.Pair(k) > 0 && f.literal(f.Pair(k)):
			suffix = "()" + suffix
			k = f.Pair(k) - 1
		default:
			return scan.Unknown
		}
	}
	return scan.Unknown
}

// applied reports whether bracket i stands behind what it calls or indexes.
func (f *file) applied(i int) bool {
	k := i - 1
	if k < 0 {
		return false
	}
	if f.Sign(k, '>') {
		j := f.angleBack(k)
		return j < k && f.path(j-1)
	}
	return f.part(k) || f.Kind(k) == scan.Close && f.Src[f.Toks[k].At] != '}' || f.Sign(k, '?') || f.Key(k) == scan.KAwait || f.Kind(k) == scan.Number && f.Sign(k-1, '.')
}

// call records that token i is called with the arguments in bracket open.
func (f *file) call(i, open int, constructs bool) {
	f.Out.Calls = append(f.Out.Calls, corpus.Call{
		Callee: f.Str(i), Receiver: f.receiver(i), At: f.At(i), Args: int16(min(f.count(open), 1000)), New: constructs,
	})
}

// count returns how many arguments bracket i holds.
func (f *file) count(i int) int {
	end := min(f.Pair(i), len(f.Toks))
	if i+1 >= end {
		return 0
	}
	n := 1
	for k := i + 1; k < end; k = f.Past(k) {
		switch {
		case f.Sign(k, ',') && k+1 < end:
			n++
		case f.Sign(k, '|') && !f.operand(k-1): // the commas of a closure's parameters
			for j := k + 1; j < min(end, k+100) && f.Kind(j) != scan.Open; j++ {
				if f.Sign(j, '|') {
					k = j
					break
				}
			}
		case f.path(k) && f.Sign(k+1, '<'):
			if after := f.angle(k + 1); after > k+1 {
				k = after - 1
			}
		}
	}
	return n
}
