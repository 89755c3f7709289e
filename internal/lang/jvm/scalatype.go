package jvm

import "github.com/assay-dev/assay/internal/lang/scan"

// typeEnd returns the token after the type that begins at token i. With arrow, =>
// is no part of it.
func (r *scalaReader) typeEnd(i int, arrow bool) int {
	end := r.top().end
	for k := i; k < end; k = r.Past(k) {
		if r.budget--; r.budget < 0 {
			return k
		}
		t := &r.Toks[k]
		if t.Line && k > i && !r.typeGoesOn(k) {
			return k
		}
		switch t.Kind {
		case scan.Close, scan.Number:
			return k
		case scan.Punct:
			switch b := r.Bytes(k); string(b) {
			case "=", ",", ";", "<-", ":", "@":
				if string(b) == "@" && r.annotation(k) > k {
					k = r.annotation(k) - 1
					continue
				}
				return k
			case "=>", "?=>":
				if arrow {
					return k
				}
			}
		case scan.Word:
			switch t.Key {
			case 0, scan.KThis, scan.KMatch, scan.KCase, scan.KType:
			case scan.KWith:
				if !r.Name(k+1) && !r.Sign(k+1, '{') || r.Line(k+1) {
					return k
				}
			default:
				return k
			}
		case scan.Open:
			if r.Sign(k, '{') && k == i {
				continue
			}
			if r.Sign(k, '{') && (arrow || r.operator(k-1, "=>") || r.Key(k-1) == scan.KWith) {
				return k
			}
		}
	}
	return end
}

// typeGoesOn reports whether token k, which begins a line, goes on with a type.
func (r *scalaReader) typeGoesOn(k int) bool {
	for _, at := range []int{k - 1, k} {
		switch string(r.Bytes(at)) {
		case "=>", "?=>", "|", "&", "with", "=>>":
			return true
		}
	}
	return r.operator(k-1, "=") || r.operator(k-1, ":") || r.Sign(k-1, ',')
}

// region returns the token after what begins at token i and belongs to something
// whose line is indented by column: lines that are indented more, and those that go
// on with what is before them. Statements of a block may have semicolons between.
func (r *scalaReader) region(i, column int, block bool) int {
	end := r.top().end
	for k := i; k < end; k = r.Past(k) {
		if r.budget--; r.budget < 0 {
			return end
		}
		t := &r.Toks[k]
		if t.Kind == scan.Close || !block && r.Sign(k, ';') {
			return k
		}
		if t.Line && k > i && r.Column(k) <= column && !r.goesOn(k) {
			return k
		}
	}
	return end
}

// goesOn reports whether token k, which begins a line, goes on with the expression
// before it.
func (r *scalaReader) goesOn(k int) bool {
	t := &r.Toks[k]
	switch t.Kind {
	case scan.Word:
		switch t.Key {
		case scan.KElse, scan.KCatch, scan.KFinally, scan.KYield, scan.KThen, scan.KWith, scan.KExtends, scan.KMatch:
			return true
		case scan.KDo:
			return false
		}
	case scan.Punct:
		return r.Src[t.At] == '.' || t.End-t.At > 1 || r.Src[t.At] != '@'
	}
	p := &r.Toks[k-1]
	switch p.Kind {
	case scan.Word:
		switch p.Key {
		case scan.KElse, scan.KThen, scan.KDo, scan.KTry, scan.KYield, scan.KThrow, scan.KExtends, scan.KWith, scan.KNew, scan.KFinally:
			return true
		}
	case scan.Close:
		return r.condition(k - 1)
	case scan.Punct:
		return !r.Sign(k-1, '*') && !r.Sign(k-1, ':') && !r.Sign(k-1, '#')
	}
	return false
}

// condition reports whether token i closes the parentheses of an if or a loop.
func (r *scalaReader) condition(i int) bool {
	if p := r.Pair(i); r.Kind(i) == scan.Close && p > 0 {
		switch r.Key(p - 1) {
		case scan.KIf, scan.KWhile:
			return r.Sign(i, ')')
		case scan.KFor:
			return true
		}
	}
	return false
}

// infix reports whether token i, a name, is used as an operator: a max b. Operands
// and operators take turns.
func (r *scalaReader) infix(i int) bool {
	odd := false
	for n := 0; n < 60; n++ {
		if i == 0 || i == r.begins || r.Line(i) {
			return odd
		}
		p := &r.Toks[i-1]
		switch p.Kind {
		case scan.Number, scan.Text:
			return !odd
		case scan.Close:
			return odd == r.condition(i-1)
		case scan.Word:
			switch p.Key {
			case scan.KThis, scan.KSuper, scan.KTrue, scan.KFalse, scan.KNull, scan.KType:
				return !odd
			case 0:
			default:
				return odd
			}
			if r.Sign(i-2, '.') {
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
