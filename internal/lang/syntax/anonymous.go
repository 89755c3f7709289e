package syntax

import (
	"bytes"
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// An AnonymousClass is a class without a name, or an object literal with a written type.
type AnonymousClass struct {
	At   int // of the name of its base
	Body corpus.Span
}

// Anonymous returns the anonymous classes of a text that have a base of one of some names, once for each such base.
func Anonymous(name, language string, text []byte, names []string) (out []AnonymousClass) {
	head := Words(language, "anonymous-classes")
	maybe := false
	for at := range FindNames(text, names, false) {
		const most = 100 // bytes of a head
		maybe = maybe || len(head) > 0 && bytes.Contains(text[max(0, at-most):at], []byte(head[0]))
	}
	cut := roomOf(name, language).tokens
	if !maybe || cut == nil {
		return nil
	}
	s := cut(text)
	defer s.Release()
	for i := range s.Toks {
		k := i
		for k < i+len(head) && s.Is(k, head[k-i]) {
			k++
		}
		if k == i+len(head) {
			bases, body := basesOf(s, k, head[0] == ":")
			for _, b := range bases {
				if slices.Contains(names, s.Str(b)) {
					out = append(out, AnonymousClass{s.At(b), corpus.Span{Start: s.At(body), End: s.Closing(body)}})
				}
			}
		}
	}
	return out
}

// basesOf returns the tokens of the bases of an anonymous class, of which the first begins at token k, and the token of its body; none
// if there is none. A typed object has an equals sign before its body.
func basesOf(s *scan.Source, k int, typed bool) (bases []int, body int) {
	joins := func(i int) bool { return Lists("any", "base-joins", s.Str(i)) }
	for ; k < len(s.Toks); k++ {
		switch {
		case s.Opens(k, '{') && typed == s.Sign(k-1, '='):
			return bases, k
		case s.Opens(k, '('), s.Opens(k, '[') && s.Pair(k) > k+1: // an empty pair makes an array
			k = s.Past(k) - 1
		case s.Sign(k, '<') && s.Angle(k) > k:
			k = s.Angle(k) - 1
		case s.Word(k) && joins(k), s.Sign(k, '.'), s.Sign(k, ',') && !typed, s.Sign(k, '\\'), s.Sign(k, '=') && typed:
		case s.Word(k) && (!s.Word(k-1) || len(bases) == 0 || joins(k-1)):
			if !s.Sign(k+1, '.') && !s.Sign(k+1, '\\') {
				bases = append(bases, k)
			}
		default:
			return nil, 0
		}
	}
	return nil, 0
}
