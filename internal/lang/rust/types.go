package rust

import (
	"bytes"

	"github.com/assay-dev/assay/internal/lang/scan"
)

// angle returns the token after the <…> that begins at i, or i where it is none.
func (f *file) angle(i int) int {
	return f.Angles(i, maxAngle, func(k, depth int) bool {
		switch f.Toks[k].Kind {
		case scan.Close:
			return false
		case scan.Punct:
			return f.Src[f.Toks[k].At] != ';' && (f.Src[f.Toks[k].At] != '>' || depth > 1)
		}
		return true
	})
}

// angleBack returns the token that opens the <…> that ends at i, or i where it is
// none.
func (f *file) angleBack(i int) int {
	depth := 0
	for k := i; k > max(-1, i-maxAngle); k-- {
		t := &f.Toks[k]
		switch {
		case t.Kind == scan.Close && t.Pair >= 0:
			k = int(t.Pair)
		case t.Kind == scan.Open:
			return i
		case t.Kind != scan.Punct || t.End-t.At > 1:
		case f.Src[t.At] == ';':
			return i
		case f.Src[t.At] == '>':
			depth++
		case f.Src[t.At] == '<':
			if depth--; depth == 0 {
				return k
			}
		}
	}
	return i
}

// typeEnd returns the token that ends the type that begins at i.
func (f *file) typeEnd(i int) int {
	depth := 0
	k := i
	for k < min(len(f.Toks), i+maxHead) {
		t := &f.Toks[k]
		switch t.Kind {
		case scan.Close:
			return k
		case scan.Open:
			if f.Src[t.At] == '{' && depth == 0 && k > i {
				return k
			}
			k = f.Past(k)
			continue
		case scan.Word:
			if stops(t.Key) || t.Key == scan.KWhere && depth == 0 {
				return k
			}
		case scan.Punct:
			switch f.Src[t.At] {
			case ';':
				return k
			case '<':
				depth++
			case '>':
				if depth--; depth < 0 || depth == 0 && t.End-t.At > 1 {
					return k
				}
			case ',', '|':
				if depth == 0 {
					return k
				}
			case '=':
				if depth == 0 || t.End-t.At > 1 {
					return k
				}
			}
		}
		k++
	}
	return k
}

// stops reports whether a keyword can stand in no type and no pattern.
func stops(key scan.Key) bool {
	switch key {
	case scan.KBreak, scan.KContinue, scan.KElse, scan.KEnum, scan.KIf, scan.KIn, scan.KLet, scan.KLoop, scan.KMatch, scan.KMod, scan.KMove, scan.KPub, scan.KReturn, scan.KStruct, scan.KTrait, scan.KType, scan.KWhile:
		return true
	}
	return false
}

// typeName returns the token of the last name of the path that a type begins
// with, and -1 where it has none: of &'a mut a::B<T> that of B.
func (f *file) typeName(from, to int) int {
	for k := from; k < to; k++ {
		t := &f.Toks[k]
		switch {
		case t.Kind == scan.Punct && f.Src[t.At] == '<' && k > from:
			k = max(f.angle(k)-1, k) // for<'a>
		case t.Kind == scan.Word && (t.Key == 0 || t.Key == scan.KSelfType):
			for f.path(k+1) && f.Name(k+2) && k+2 < to {
				k += 2
			}
			return k
		}
	}
	return -1
}

// text returns the text from token i up to, without, token j, with comments and
// runs of space made one space.
func (f *file) text(i, j int) string {
	if i >= j || i >= len(f.Toks) {
		return ""
	}
	from, to := f.At(i), f.End(j-1)
	if b := f.Src[from:to]; len(b) <= 400 && bytes.IndexByte(b, '\n') < 0 && bytes.IndexByte(b, '/') < 0 {
		return string(b)
	}
	return f.Quote(i, j)
}

// sums returns the texts between the signs + in a range of tokens.
func (f *file) sums(i, j int) []string {
	var out []string
	depth, from := 0, i
	for k := i; k < j; k = f.Past(k) {
		switch {
		case f.Sign(k, '<'):
			depth++
		case f.Sign(k, '>'):
			depth--
		case depth == 0 && f.Sign(k, '+'):
			if k > from {
				out = append(out, f.text(from, k))
			}
			from = k + 1
		}
	}
	if j > from {
		out = append(out, f.text(from, j))
	}
	return out
}

// semicolon returns the token that ends the statement that token i is in: its ;
// or what ends the bracket around.
func (f *file) semicolon(i int) int {
	fr := f.top()
	if fr.semi > i {
		return fr.semi
	}
	end := min(fr.end, len(f.Toks))
	k := i
	for k < end && !f.Sign(k, ';') && f.Toks[k].Kind != scan.Close {
		k = f.Past(k)
	}
	fr.semi = min(k, end)
	return fr.semi
}

// result records what a function returns, where the tokens are one chain.
func (f *file) result(from, to int) {
	if f.Key(from) == scan.KReturn || f.Key(from) == scan.KLet || f.Toks[from].Kind == scan.Word && f.Toks[from].Key != 0 && !f.part(from) {
		return
	}
	if chain, next := f.chain(from, 0); next == to && chain != "" && !hasUnknown(chain) {
		f.BindAs("()", "", chain, f.At(from), 0)
	}
}

func hasUnknown(chain string) bool { return chain[0] == scan.Unknown[0] }
