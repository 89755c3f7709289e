package syntax

import (
	"strings"

	"github.com/assay-dev/assay/internal/lang/scan"
)

// haskellWords finds names among the tokens of Haskell. There a dot composes functions, and a name is a member of the
// module alone that it is written with; operators are names, too.
func haskellWords(s *scan.Source, wanted func([]byte) bool) (out []Use) {
	header := 0 // where what the module offers ends
	if s.Is(0, "module") {
		for header < len(s.Toks) && !s.Is(header, "where") {
			header++
		}
	}
	for i := range s.Toks {
		kind := s.Kind(i)
		if kind != scan.Word && kind != scan.Punct {
			continue
		}
		word, at, module := s.Bytes(i), s.At(i), i
		if kind == scan.Punct && len(word) > 1 && word[0] == '.' && s.Adjacent(i-1) && capital(s, i-1) { // M.<>
			word, at = word[1:], at+1
		} else if kind == scan.Word && s.Is(i-1, ".") && s.Adjacent(i-1) && s.Adjacent(i-2) && capital(s, i-2) { // M.f
			module = i - 1
		}
		if !wanted(word) || capital(s, i) && s.Is(i+1, ".") && s.Adjacent(i) && s.Adjacent(i+1) && s.Kind(i+2) == scan.Word {
			continue
		}
		u := Use{Name: string(word), At: at, Public: i < header}
		if module < i || at > s.At(i) {
			u.Chain = moduleBefore(s, module)
		}
		u.Call = kind == scan.Punct && !(s.Is(i-1, "(") && s.Is(i+1, ")")) || s.Is(i-1, "`")
		u.Write = s.Is(i+1, "=") && (s.Is(i-1, ",") || s.Is(i-1, "{"))
		if !signs(s, i) {
			out = append(out, u)
		}
	}
	return out
}

// moduleBefore returns the module that ends before token i.
func moduleBefore(s *scan.Source, i int) string {
	parts := []string{s.Str(i - 1)}
	for i -= 1; s.Is(i-1, ".") && s.Adjacent(i-1) && s.Adjacent(i-2) && capital(s, i-2); i -= 2 {
		parts = append([]string{s.Str(i - 2)}, parts...)
	}
	return strings.Join(parts, ".")
}

func capital(s *scan.Source, i int) bool {
	return s.Word(i) && s.First(i) >= 'A' && s.First(i) <= 'Z'
}

// signs reports whether the name at token i is one that a signature is of: f, (<+>) :: T.
func signs(s *scan.Source, i int) bool {
	const most = 40
	from := i
	for n := 0; n < most && !s.Line(from); n++ {
		if from--; !s.Is(from, ",") && !s.Is(from, "(") && !s.Is(from, ")") && s.Kind(from) != scan.Word && s.Kind(from) != scan.Punct {
			return false
		}
	}
	if !s.Line(from) {
		return false
	}
	for k := from; k < from+most; k++ { // names and commas, up to the ::
		switch {
		case s.Is(k, "(") && s.Is(k+2, ")"):
			k += 2
		case s.Word(k) && s.Key(k) == 0:
		default:
			return false
		}
		if s.Is(k+1, "::") {
			return k >= i
		} else if k++; !s.Is(k, ",") {
			return false
		}
	}
	return false
}
