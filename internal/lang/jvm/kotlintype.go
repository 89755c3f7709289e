package jvm

import "github.com/assay-dev/assay/internal/lang/scan"

// typeArguments returns the token after the <…> that begins at token i, or i where
// it holds more than types.
func (r *kotlinReader) typeArguments(i int) int {
	if !r.Sign(i, '<') {
		return i
	}
	depth := 0
	for k := i; k < min(len(r.Toks), i+400); k++ {
		t := &r.Toks[k]
		switch t.Kind {
		case scan.Open:
			if r.Src[t.At] != '(' || r.Sign(k-1, '>') {
				return i
			}
			k = r.Pair(k)
		case scan.Word:
			if t.Key != 0 && t.Key != scan.KIn {
				return i
			}
		case scan.Punct:
			if t.End-t.At == 2 && (r.Two(k, '-', '>') || r.Two(k, '?', '.')) {
				continue
			}
			if t.End-t.At > 1 {
				return i
			}
			switch r.Src[t.At] {
			case '<':
				depth++
			case '>':
				if depth--; depth == 0 {
					return k + 1
				}
			case '.', ',', '?', '*', '&', '@', ':':
			default:
				return i
			}
		default:
			return i
		}
	}
	return i
}

// typeEnd returns the token after the type that begins at token i, or i.
func (r *kotlinReader) typeEnd(i int) int {
	k := i
	for {
		switch a := r.annotation(k); {
		case a > k:
			k = a
			continue
		case r.Name(k) && (r.Word(k+1) || r.Sign(k+1, '(') || r.Sign(k+1, '@')) && r.Is(k, "suspend"):
			k++
			continue
		case r.Sign(k, '('):
			k = r.Past(k)
		case r.Name(k):
			k++
			k = max(k, r.typeArguments(k))
		case r.Sign(k, '*'):
			return k + 1
		default:
			return i
		}
		for r.Sign(k, '?') {
			k++
		}
		switch {
		case (r.Sign(k, '.') || r.Two(k, '?', '.')) && (r.Name(k+1) || r.Sign(k+1, '(')):
			k++
		case r.Two(k, '-', '>') && !r.Sign(k-1, '?'):
			if !r.Sign(k-1, ')') {
				return k // a branch or a lambda's head
			}
			k++
		case r.Sign(k, '&') && r.Name(k+1):
			k++
		default:
			return k
		}
	}
}

// expressionEnd returns the token after the expression that begins at token i: the
// first one of the next statement.
func (r *kotlinReader) expressionEnd(i int) int {
	end := r.top().end
	for k := i; k < end; k = r.Past(k) {
		if r.budget--; r.budget < 0 {
			return end
		}
		t := &r.Toks[k]
		switch {
		case t.Kind == scan.Close, t.Line && k > i && !r.goesOn(k):
			return k
		case t.Kind != scan.Punct || t.End-t.At > 1:
		case r.Src[t.At] == ';' || r.Src[t.At] == ',':
			return k
		case r.Src[t.At] == '<':
			// The commas between type arguments end nothing.
			if after := r.typeArguments(k); after > k {
				k = after - 1
			}
		}
	}
	return end
}

// goesOn reports whether token k, which begins a line, goes on with the expression
// before it.
func (r *kotlinReader) goesOn(k int) bool {
	t := &r.Toks[k]
	switch t.Kind {
	case scan.Word:
		if t.Key == scan.KElse || t.Key == scan.KAs || t.Key == 0 && r.Sign(k-1, '}') && (r.Is(k, "catch") || r.Is(k, "finally")) {
			return true
		}
	case scan.Punct:
		switch r.Src[t.At] {
		case '.':
			return t.End-t.At == 1
		case '?', '&', '|':
			return t.End-t.At == 2
		}
	}
	p := &r.Toks[k-1]
	switch p.Kind {
	case scan.Word:
		switch p.Key {
		case scan.KElse, scan.KIn, scan.KIs, scan.KAs, scan.KThrow, scan.KDo, scan.KTry:
			return true
		case 0:
			return r.infix(k - 1)
		}
	case scan.Close:
		return r.condition(k - 1)
	case scan.Punct:
		switch c := r.Src[p.End-1]; {
		case p.End-p.At == 1 && (c == '!' && r.Sign(k-2, '!') || c == '?' || c == '>' || c == '@'):
			return false
		case p.End-p.At == 2 && (r.Two(k-1, '+', '+') || r.Two(k-1, '-', '-')):
			return false
		}
		return p.End > p.At && r.Src[p.End-1] != '@'
	}
	return false
}

// condition reports whether token i closes the parentheses of an if or a loop.
func (r *kotlinReader) condition(i int) bool {
	if !r.Sign(i, ')') || r.Pair(i) < 1 {
		return false
	}
	switch r.Key(r.Pair(i) - 1) {
	case scan.KIf, scan.KFor, scan.KWhile:
		return true
	}
	return false
}

// infix reports whether token i, a name, is used as an operator: a to b. Operands
// and operators take turns.
func (r *kotlinReader) infix(i int) bool {
	odd := false
	for n := 0; n < 60; n++ {
		if i == 0 || i == r.begins || r.Line(i) && !r.bitwise(i) {
			return odd
		}
		p := &r.Toks[i-1]
		switch p.Kind {
		case scan.Number, scan.Text:
			return !odd
		case scan.Close:
			return odd == r.condition(i-1)
		case scan.Punct:
			return odd != (r.Sign(i-1, '!') && r.Sign(i-2, '!'))
		case scan.Word:
			switch p.Key {
			case scan.KThis, scan.KSuper, scan.KTrue, scan.KFalse, scan.KNull, scan.KClass:
				return !odd
			case 0:
				if p.End-p.At == 2 && r.Is(i-1, "by") {
					return odd
				}
			default:
				return odd
			}
			if r.Sign(i-2, '.') || r.Two(i-2, '?', '.') {
				return !odd
			}
		default:
			return odd
		}
		odd = !odd
		i--
	}
	return false
}

// bitwise reports whether token i is a word that operates on bits: at the
// beginning of a line it goes on with the expression before it.
func (r *kotlinReader) bitwise(i int) bool {
	switch string(r.Bytes(i)) {
	case "and", "or", "xor", "shl", "shr", "ushr":
		return true
	}
	return false
}
