package scan

import (
	"bytes"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// Unknown stands for what is no chain.
const Unknown = "?"

const (
	maxChain = 24 // parts
	maxNest  = 16 // parentheses that a chain begins with, one in the other
)

// A chain is names joined by ".", whatever the language writes between them; what
// is called has "()" after it and what is indexed "[]": "self.items[].close()".
// What the parentheses hold, type arguments and words that change nothing, such
// as new and await, are left out.

// Chain reads the chain that begins at token i, and returns the token after it;
// "" and i where none begins there.
func (s *Source) Chain(i int) (chain string, next int) { return s.chain(i, 0, len(s.Toks)) }

// chain ends at token stop at the latest.
func (s *Source) chain(i, depth, stop int) (chain string, next int) {
	k := i
	for s.Kind(k) == Word && s.before[string(s.Bytes(k))] {
		k++
	}
	if s.Rooted && s.Is(k, "::") {
		k++
	}
	var b strings.Builder
	switch {
	case s.Kind(k) == Word && k < len(s.Toks):
		b.Write(s.Bytes(k))
		k++
	case s.Kind(k) == Open && s.Is(k, "(") && s.Pair(k) < len(s.Toks):
		inner := Unknown
		if depth < maxNest {
			if chain, after := s.chain(k+1, depth+1, len(s.Toks)); after == s.Pair(k) {
				inner = chain
			}
		}
		b.WriteString(inner)
		k = s.Past(k)
	default:
		return "", i
	}
	for parts := 0; parts < maxChain; parts++ {
		if k == stop {
			return b.String(), k
		}
		for k < len(s.Toks) && s.Toks[k].Kind == Punct && s.Toks[k].End-s.Toks[k].At == 1 && strings.IndexByte(s.Postfix, s.Src[s.Toks[k].At]) >= 0 {
			k++
		}
		switch {
		case s.Kind(k) == Punct && k < len(s.Toks) && s.access[string(s.Bytes(k))] && s.Kind(k+1) == Word && k+1 < len(s.Toks):
			b.WriteByte('.')
			b.Write(s.Bytes(k + 1))
			k += 2
		case s.Kind(k) == Open && s.Is(k, "("):
			b.WriteString("()")
			k = s.Past(k)
		case s.Kind(k) == Open && s.Is(k, "["):
			b.WriteString(s.Index(k))
			k = s.Past(k)
		case s.Generic && s.Is(k, "<"):
			after := s.Angle(k)
			if after == k {
				return b.String(), k
			}
			k = after
		case s.Generic && s.access[string(s.Bytes(k))] && s.Is(k+1, "<") && s.Angle(k+1) > k+1:
			k = s.Angle(k + 1)
		default:
			return b.String(), k
		}
	}
	return Unknown, k
}

// maxIndex is how long a number between brackets may be of which a chain says more than that it is one.
const maxIndex = 4

// Index returns what a chain has for the brackets at token k: "[]", and of a language whose chains keep
// Keys "[=7]" where a number is between them and ".name" where that is a name in quotes.
func (s *Source) Index(k int) string {
	if !s.Keys || s.Past(k) != k+3 {
		return "[]"
	}
	in := s.Bytes(k + 1)
	switch {
	case len(in) <= maxIndex && !bytes.ContainsFunc(in, func(c rune) bool { return c < '0' || c > '9' }):
		return "[=" + string(in) + "]"
	case s.Kind(k+1) == Text && len(in) > 2 && (in[0] == '"' || in[0] == '\'') && in[len(in)-1] == in[0] && plainName(in[1:len(in)-1]):
		return "." + string(in[1:len(in)-1])
	}
	return "[]"
}

// plainName reports whether a text is a name of ASCII letters.
func plainName(s []byte) bool {
	return (s[0] < '0' || s[0] > '9') && !bytes.ContainsFunc(s, func(c rune) bool {
		return c != '_' && c != '$' && (c < '0' || c > '9') && (c|32 < 'a' || c|32 > 'z')
	})
}

// Before returns the chain from token i up to token end, whatever goes on behind it; "" where there is none.
func (s *Source) Before(i, end int) string {
	if chain, next := s.chain(i, 0, end); next == end && chain != "" && !strings.HasPrefix(chain, Unknown) {
		return chain
	}
	return ""
}

// Value returns the chain from token i up to, without, token end; "" where there
// is more, or less, than a chain.
func (s *Source) Value(i, end int) string {
	if chain, next := s.Chain(i); next == end && chain != "" && !strings.HasPrefix(chain, Unknown) {
		return chain
	}
	return ""
}

// Receiver returns the chain of what token i is a member of: "" where it is a name
// alone.
func (s *Source) Receiver(i int) string {
	if k := i - 1; k < 0 || s.Kind(k) != Punct || !s.access[string(s.Bytes(k))] {
		return ""
	}
	return s.Ending(i - 2)
}

// Ending returns the chain that ends with token k.
func (s *Source) Ending(k int) string {
	// Parts are collected from the last to the first.
	var parts [maxChain]string
	n := 0
	suffix := ""
	for n < maxChain {
		for k >= 0 && s.Toks[k].Kind == Punct && s.Toks[k].End-s.Toks[k].At == 1 && strings.IndexByte(s.Postfix, s.Src[s.Toks[k].At]) >= 0 {
			k--
		}
		if s.Generic && s.Is(k, ">") {
			if j := s.AngleBack(k); j < k {
				k = j - 1
				if s.Kind(k) == Punct && s.access[string(s.Bytes(k))] {
					k-- // ::<…>
				}
			}
		}
		switch {
		case s.Rooted && s.Is(k+1, "::") && suffix == "" && (k < 0 || s.Kind(k) == Open || s.Kind(k) == Punct && !s.Is(k, ">") || s.Kind(k) == Word && s.Key(k) != 0):
			return Joined(parts[:n], "")
		case s.Kind(k) == Close && k >= 0 && s.Pair(k) >= 0 && (s.Is(k, ")") || s.Is(k, "]")):
			p := s.Pair(k)
			if before := s.Kind(p - 1); s.Is(k, ")") && (p == 0 || before != Word && before != Close && !(s.Generic && s.Is(p-1, ">")) || s.control(p-1)) {
				// Parentheses around an expression.
				inner, after := s.Chain(p + 1)
				if typ := s.Cast(p, k, after); typ != "" {
					inner = "{" + typ + "}"
				} else if after != k || strings.HasPrefix(inner, Unknown) {
					return Unknown
				}
				return Joined(parts[:n], inner+suffix)
			} else if s.Is(k, "]") && (p == 0 || before != Word && before != Close || s.control(p-1)) {
				return Unknown
			}
			if s.Is(k, "]") {
				suffix = s.Index(p) + suffix
			} else {
				suffix = "()" + suffix
			}
			k = p - 1
		case s.Kind(k) == Word && k >= 0:
			parts[n] = s.Str(k) + suffix
			suffix = ""
			n++
			if k--; k < 0 || s.Toks[k].Kind != Punct || !s.access[string(s.Bytes(k))] {
				return Joined(parts[:n], "")
			}
			k--
		default:
			return Unknown
		}
	}
	return Unknown
}

// Operand returns the chain before the operator at token i, if an expression begins with it: a of x = a + b, but nothing of
// x * a + b, in which the product is added to.
func (s *Source) Operand(i int) string {
	k := i
	for k > 0 {
		j := k - 1
		if s.Kind(j) == Close && s.Pair(j) >= 0 {
			j = s.Pair(j)
		}
		isPart := j < k-1 // in brackets
		switch s.Kind(j) {
		case Punct:
			isPart = s.access[string(s.Bytes(j))]
		case Word:
			isPart = (k == i || !s.Word(k)) && (s.Key(j) == 0 || s.access[string(s.Bytes(k))])
		}
		if !isPart {
			break
		}
		k = j
	}
	if k > 0 && s.Kind(k-1) == Punct && !beginning[string(s.Bytes(k-1))] {
		return ""
	}
	return s.Before(k, i)
}

// beginning are signs that an expression stands behind, whatever follows it.
var beginning = map[string]bool{"=": true, ",": true, ";": true, ":": true, "?": true, "->": true, "=>": true, "<-": true, ":=": true}

// Cast returns the type that the parentheses from token p to token k are cast to: Disk of (x as Disk), in which a chain ends before
// token after, and of ((Disk) x); "" where they are no cast.
func (s *Source) Cast(p, k, after int) string {
	from, end := after+1, k
	switch {
	case s.Is(after, "as") && s.Key(after) != 0:
		if s.Sign(from, '?') || s.Sign(from, '!') {
			from++
		}
	case s.Casts && s.Sign(p+1, '(') && s.Word(s.Past(p+1)):
		from, end = p+2, s.Pair(p+1)
	default:
		return ""
	}
	if from >= end {
		return ""
	}
	return string(s.Src[s.At(from):s.End(end-1)])
}

// control reports whether token i is a word that parentheses may follow without
// being a call of it.
func (s *Source) control(i int) bool {
	switch string(s.Bytes(i)) {
	case "if", "while", "for", "switch", "return", "in", "of", "and", "or", "not", "await", "yield", "else", "typeof", "case", "throw", "new", "is", "as", "do", "then", "elif":
		return s.Key(i) != 0
	}
	return false
}

// Call records that token i is called with the arguments in bracket open; pass -1
// where there are none.
func (s *Source) Call(i, open int, constructs bool) {
	args := -1
	if open >= 0 {
		args = s.count(open)
	}
	s.Out.Calls = append(s.Out.Calls, corpus.Call{Callee: s.Str(i), Receiver: s.Receiver(i), At: s.At(i), Args: int16(min(args, 1000)), New: constructs})
}

// count returns how many arguments bracket i holds.
func (s *Source) count(i int) int {
	n := 0
	s.arguments(i, func(int, int) { n++ })
	return n
}

// Given returns the arguments in bracket i as one says them, with commas between
// them and nothing behind the last of which something is said.
func (s *Source) Given(i int, one func(from, end int) string) string {
	var b strings.Builder
	commas := 0
	s.arguments(i, func(from, end int) {
		if text := one(from, end); text != "" {
			for ; commas > 0; commas-- {
				b.WriteByte(',')
			}
			b.WriteString(text)
		}
		commas++
	})
	return b.String()
}

// arguments calls yield with the tokens of each argument in bracket i.
func (s *Source) arguments(i int, yield func(from, end int)) {
	end := min(s.Pair(i), len(s.Toks))
	from := i + 1
	for k := from; k < end; {
		switch t := &s.Toks[k]; {
		case t.Kind == Punct && s.Src[t.At] == ',':
			yield(from, k)
			from = k + 1
		case s.Generic && t.Kind == Punct && s.Src[t.At] == '<' && s.Kind(k-1) == Word:
			// In f(a<b, c>(d)) a function with types is called, as C# has it; a name in lower case is no type else.
			if after := s.Angle(k); after > k && (s.Src[s.Toks[k-1].At] < 'a' || s.Sign(after, '(')) {
				k = after
				continue
			}
		}
		k = s.Past(k)
	}
	if from < end {
		yield(from, end)
	}
}
