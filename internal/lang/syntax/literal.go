package syntax

import (
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/lang/scan"
)

// Objects of JavaScript and TypeScript are written with the names of their members, and taken
// apart by them. Which type these are members of is said around the braces: by the variable, the
// parameter or the result that an object is for, or by what it is taken from.

// Returned is the chain of what a function returns that is written around a name.
const Returned = "return"

const (
	maxAround = 4  // nesting depth up to which the meaning of braces is resolved
	maxTyped  = 40 // tokens of a type
)

// objectMember returns how the name at token i of an object literal or of a pattern is a member of
// something; ok is false where it is none, or nothing says of what.
func objectMember(s *scan.Source, i int, language string) (u Use, ok bool) {
	if before := s.Is(i-1, "{") || s.Is(i-1, ","); !before || !s.Is(i+1, ":") && !s.Is(i+1, ",") && !s.Is(i+1, "}") && !s.Is(i+1, "=") {
		return Use{}, false
	}
	open := around(s, i)
	if open < 0 || !s.Opens(open, '{') {
		return Use{}, false
	}
	chain, taken := "", false
	switch language {
	case "javascript", "typescript":
		if chain, taken = objectOf(s, open, 0); s.Is(i+1, "=") && !taken {
			chain = ""
		}
	case "rust":
		if chain = structOf(s, open); s.Is(i+1, "=") {
			chain = ""
		}
		taken = s.Is(s.Past(open), "=") || s.Is(s.Past(open), "=>")
	case "csharp":
		if s.Is(i+1, "=") {
			chain = initialised(s, open)
		}
	}
	if chain == "" {
		return Use{}, false
	}
	return Use{Name: s.Str(i), At: s.At(i), Chain: chain, Label: true, Write: !taken}, true
}

// structOf returns the type of Rust that stands before the braces of its fields, as a chain.
func structOf(s *scan.Source, open int) string {
	k := open - 1
	if s.Is(k, ">") {
		k = s.AngleBack(k) - 1
		if s.Is(k, "::") {
			k--
		}
	}
	if k < 0 || !s.Word(k) || s.Src[s.At(k)] < 'A' || s.Src[s.At(k)] > 'Z' {
		return ""
	}
	from, path := k, pathBefore(s, k)
	for s.Is(from-1, "::") && s.Word(from-2) {
		from -= 2
	}
	switch string(s.Bytes(from - 1)) {
	case "struct", "enum", "union", "trait", "impl", "for", "->", ":", "+", "&", "where", "dyn", "mod":
		return "" // what is declared, or the body behind a result
	}
	if path == "" {
		return s.Str(k)
	}
	return path + "." + s.Str(k)
}

// initialised returns the type of C# whose new object the braces give values to, as a chain.
func initialised(s *scan.Source, open int) string {
	k := open - 1
	if s.Is(k, ")") && s.Pair(k) >= 0 {
		k = s.Pair(k) - 1
	}
	end := k
	if s.Is(k, ">") {
		k = s.AngleBack(k) - 1
	}
	for s.Word(k) && s.Is(k-1, ".") && s.Word(k-2) {
		k -= 2
	}
	if !s.Word(k) || !s.Is(k-1, "new") {
		return ""
	}
	return "{" + string(s.Src[s.At(k):s.End(end)]) + "}"
}

// objectOf returns the chain of what has the members between the braces that open at a token, and
// whether they are taken from it; "" where that is not said.
func objectOf(s *scan.Source, open, depth int) (chain string, taken bool) {
	if depth == maxAround {
		return "", false
	}
	switch after := s.Past(open); {
	case s.Is(after, "="):
		chain, _ = s.Chain(after + 1)
		return known(chain), true
	case s.Is(after, ":") && (s.Is(open-1, "(") || s.Is(open-1, ",")): // of a parameter
		return typeFrom(s, after+1), true
	case s.Word(after) && (string(s.Bytes(after)) == "as" || string(s.Bytes(after)) == "satisfies"):
		return typeFrom(s, after+1), false
	}
	before := open - 1
	switch {
	case s.Is(before, "="):
		return assignedTo(s, before), false
	case s.Word(before) && string(s.Bytes(before)) == "return":
		return Returned, false
	case s.Is(before, "("):
		return argument(s, before, 0), false
	case s.Is(before, "["):
		return elementOf(s, before, depth), false
	case s.Is(before, ","):
		outer := around(s, open)
		switch {
		case s.Opens(outer, '('):
			return argument(s, outer, commas(s, outer, open)), false
		case s.Opens(outer, '['):
			return elementOf(s, outer, depth), false
		}
	case s.Is(before, ":") && s.Word(before-1) && (s.Is(before-2, "{") || s.Is(before-2, ",")):
		if outer := around(s, before-1); s.Opens(outer, '{') {
			if chain, taken = objectOf(s, outer, depth+1); chain != "" {
				return chain + "." + s.Str(before-1), taken
			}
		}
	}
	return "", false
}

func known(chain string) string {
	if strings.HasPrefix(chain, scan.Unknown) {
		return ""
	}
	return chain
}

// assignedTo returns the chain of what stands before the sign = at a token: its type, where that is
// written.
func assignedTo(s *scan.Source, sign int) string {
	for k := sign - 1; k > 0 && k > sign-maxTyped; k-- {
		switch {
		case s.Kind(k) == scan.Close && s.Pair(k) >= 0:
			k = s.Pair(k)
		case s.Is(k, ":") && s.Word(k-1):
			return "{" + string(s.Src[s.At(k+1):s.End(sign-1)]) + "}"
		case s.Kind(k) == scan.Open, s.Is(k, ";"), s.Is(k, "="), s.Is(k, "?"), s.Word(k) && s.Line(k):
			k = 0
		}
	}
	if !s.Word(sign - 1) {
		return ""
	}
	if of := s.Receiver(sign - 1); of != "" {
		return known(of + "." + s.Str(sign-1))
	}
	return s.Str(sign - 1)
}

// argument returns the chain of the n-th parameter of what is called at bracket open.
func argument(s *scan.Source, open, n int) string {
	k := open - 1
	if s.Is(k, ">") {
		k = s.AngleBack(k) - 1
	}
	if !s.Word(k) || s.Key(k) != 0 {
		return ""
	}
	chain := s.Str(k)
	if of := s.Receiver(k); of != "" {
		chain = of + "." + chain
	}
	return known(chain + "^" + strconv.Itoa(n))
}

func elementOf(s *scan.Source, open, depth int) string {
	if chain, _ := objectOf(s, open, depth+1); chain != "" {
		return chain + "[]"
	}
	return ""
}

// commas counts the commas between bracket open and token i.
func commas(s *scan.Source, open, i int) (n int) {
	for k := open + 1; k < i; k = s.Past(k) {
		if s.Is(k, ",") {
			n++
		}
	}
	return n
}

// typeFrom returns the type that is written from token k on, as a chain.
func typeFrom(s *scan.Source, k int) string {
	end := k
	for end < k+maxTyped && end < len(s.Toks) {
		if s.Kind(end) == scan.Close || s.Is(end, ",") || s.Is(end, "=") || s.Is(end, ";") || end > k && s.Line(end) && !s.Is(end, "|") && !s.Is(end, "&") {
			break
		}
		if s.Is(end, "<") {
			if after := s.Angle(end); after > end {
				end = after
				continue
			}
		}
		end = s.Past(end)
	}
	if end == k {
		return ""
	}
	return "{" + string(s.Src[s.At(k):s.End(end-1)]) + "}"
}
