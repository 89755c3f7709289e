package ecma

import (
	"cmp"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// types find where the types of TypeScript end, whatever is written between them. They
// record nothing.
type types struct {
	tokens
	ts     bool // otherwise there are none
	budget int  // of tokens that sure may read twice
}

// maxAngle is how many tokens <…> may hold in an expression, brackets in it counted
// as one.
const maxAngle = 400

// angle returns the token after the type parameters or arguments that begin at i,
// or i where there are none.
func (r *types) angle(i int) int {
	k, _ := r.angled(i, maxAngle)
	return k
}

// sure is angle where < cannot compare. How far it looks in vain is limited for the
// text as a whole, which keeps the time linear.
func (r *types) sure(i int) int {
	k, n := r.angled(i, max(maxAngle, r.budget))
	if k == i {
		r.budget -= n
	}
	return k
}

// angled returns the token after the <…> at i, or i, and how many it looked at.
func (r *types) angled(i, limit int) (next, seen int) {
	if !r.Sign(i, '<') || r.Toks[i].Kind != scan.Punct {
		return i, 0
	}
	depth, n := 0, 0
	for k := i; k < len(r.Toks) && n < limit; k, n = r.Past(k), n+1 {
		t := &r.Toks[k]
		switch t.Kind {
		case scan.Close:
			return i, n
		case scan.Punct:
		default:
			continue
		}
		if t.End-t.At > 1 {
			if r.Two(k, '=', '>') || r.Is(k, "...") {
				continue
			}
			return i, n
		}
		switch r.Src[t.At] {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return k + 1, n
			}
		case ',', '.', '|', '&', '?', ':', '=', '@':
		case '-':
			if r.Kind(k+1) != scan.Number {
				return i, n
			}
		default:
			return i, n
		}
	}
	return i, n
}

// arguments returns the token after the type arguments that begin at i, or i where
// < compares. What decides is what follows them, as in the compiler.
func (r *types) arguments(i int, heritage bool) int {
	k := r.angle(i)
	if k == i {
		return i
	}
	if k >= len(r.Toks) || r.Toks[k].Line {
		return k
	}
	t := &r.Toks[k]
	switch t.Kind {
	case scan.Close:
		return k
	case scan.Open:
		if r.Sign(k, '(') || heritage && r.Sign(k, '{') {
			return k
		}
	case scan.Text:
		if r.Src[t.At] == '`' {
			return k
		}
	case scan.Word:
		switch t.Key {
		case scan.KAs, scan.KIn, scan.KInstanceof, scan.KSatisfies, scan.KImplements:
			return k
		}
	case scan.Punct:
		switch r.Src[t.At] {
		case '<', '>', '+', '-', '!', '~', '@', '.':
			if r.Sign(k, '.') {
				return k
			}
		default:
			return k
		}
	}
	return i
}

// skip returns the token after the type that begins at token i, at most end.
func (r *types) skip(i, end int) int {
	pending := 0 // conditional types that wait for their ":"
	for i < end {
		k := r.operand(i, end)
		if k == i {
			return i
		}
		i = r.postfix(k, end)
		if i >= end {
			return i
		}
		t := &r.Toks[i]
		switch {
		case r.Sign(i, '|') || r.Sign(i, '&'), t.Kind == scan.Word && t.Key == scan.KIs && !t.Line:
			i++
		case t.Kind == scan.Word && t.Key == scan.KExtends && !t.Line, t.Kind == scan.Word && t.Key == scan.KExtends && r.conditional(i, end):
			i++
			pending++
		case pending > 0 && (r.Sign(i, '?') || r.Sign(i, ':')):
			if r.Sign(i, ':') {
				pending--
			}
			i++
		default:
			return i
		}
	}
	return end
}

// conditional reports whether extends at the beginning of a line, token i, goes on
// with a type: not with the head of a class.
func (r *types) conditional(i, end int) bool { return i+1 < end && !r.Sign(i+1, '{') }

// operand returns the token after one type, without what may stand behind it; i
// where none begins.
func (r *types) operand(i, end int) int {
	for i < end {
		t := &r.Toks[i]
		switch t.Kind {
		case scan.Number:
			return i + 1
		case scan.Text:
			i++
			for i < end && r.Toks[i].Kind == scan.Open && r.substitution(i) {
				if i = r.past(i, end); r.text(i) {
					i++
				}
			}
			return i
		case scan.Open:
			if !r.Sign(i, '(') {
				return r.past(i, end)
			}
			function := r.signature(i)
			if i = r.past(i, end); !function || !r.Two(i, '=', '>') {
				return i
			}
			i++ // its result goes on
		case scan.Word:
			switch t.Key {
			case scan.KKeyof, scan.KReadonly, scan.KUnique, scan.KInfer, scan.KTypeof, scan.KAsserts, scan.KAbstract, scan.KNew:
				if i+1 < end && !r.Toks[i+1].Line && (r.Toks[i+1].Kind == scan.Word && r.Toks[i+1].Key != scan.KExtends && r.Toks[i+1].Key != scan.KIs || r.Toks[i+1].Kind == scan.Open && (t.Key != scan.KAsserts) || t.Key == scan.KNew && r.Sign(i+1, '<')) {
					i++
					continue
				}
			case scan.KImport:
				if r.Sign(i+1, '(') {
					return r.past(i+1, end)
				}
			}
			return i + 1
		case scan.Punct:
			switch {
			case r.Sign(i, '|'), r.Sign(i, '&'), r.Sign(i, '-'), r.Sign(i, '?'):
				i++
			case r.Sign(i, '<'):
				k := r.sure(i)
				if k == i {
					return i
				}
				i = k
			default:
				return i
			}
		default:
			return i
		}
	}
	return i
}

// signature reports whether parenthesis i holds the parameters of a function type, not
// a type: "(a: A) => B", but "((a: A) => B)". It decides as the compiler does, by what
// the parenthesis begins with: behind either an arrow may stand.
func (r *types) signature(i int) bool {
	k := i + 1
	if r.Sign(k, ')') || r.Is(k, "...") {
		return true
	}
	switch {
	case r.Word(k):
		k++
	case r.Sign(k, '{') || r.Sign(k, '['):
		k = r.Past(k)
	default:
		return false
	}
	if r.Sign(k, ':') || r.Sign(k, ',') || r.Sign(k, '?') || r.Sign(k, '=') {
		return true
	}
	return r.Sign(k, ')') && r.Two(k+1, '=', '>')
}

// postfix returns the token after what may stand behind a type: .Name, <…>, […].
func (r *types) postfix(i, end int) int {
	for i < end {
		t := &r.Toks[i]
		switch {
		case r.Sign(i, '.') && r.Word(i+1):
			i += 2
		case r.Sign(i, '.') && i+1 < end && r.Sign(i+1, '<'):
			i++
		case r.Sign(i, '<') && t.Kind == scan.Punct && !t.Line:
			k := r.sure(i)
			if k == i {
				return i
			}
			i = k
		case r.Sign(i, '[') && !t.Line:
			i = r.past(i, end)
		case r.Sign(i, '!') && !t.Line:
			i++
		default:
			return i
		}
	}
	return i
}

// colon reads the ": T" at token i, if it is there, and returns T and the token
// after it.
func (r *types) colon(i, end int) (string, int) {
	if !r.ts || i >= end || !r.Sign(i, ':') {
		return "", i
	}
	k := r.skip(i+1, end)
	return r.Quote(i+1, k), k
}

// members records what the braces at token open list as types: the properties with
// their types, the methods with those of functions, and as "()" what the thing is where
// it is called itself.
func (r *reader) members(open, end int) {
	stop := min(r.close(open, end), end)
	for i := open + 1; i < stop; {
		accessor := false
		for r.Word(i) && (r.key(i) == scan.KReadonly || r.key(i) == scan.KGet || r.key(i) == scan.KSet) && r.Word(i+1) {
			accessor = accessor || r.key(i) != scan.KReadonly
			i++
		}
		if r.Sign(i, '(') || r.Sign(i, '<') {
			i = r.functionType(i, stop, corpus.Binding{Name: "()", At: r.At(i)})
			continue
		}
		if !r.Word(i) {
			i = min(r.Past(i), stop)
			if i < stop && r.Sign(i, ':') {
				i = max(r.skip(i+1, stop), i+1)
			}
			continue
		}
		b := corpus.Binding{Name: r.Str(i), At: r.At(i)}
		constructs := r.key(i) == scan.KNew
		if i++; i < stop && r.Sign(i, '?') {
			i++
		}
		switch {
		case accessor && r.Sign(i, '('):
			if b.Type, i = r.colon(r.past(i, stop), stop); b.Type != "" {
				r.bind(b)
			}
		case r.Sign(i, '<') || r.Sign(i, '('):
			if constructs {
				b.Name = ""
			}
			i = r.functionType(i, stop, b)
		case r.Sign(i, ':'):
			b.Type, i = r.colon(i, stop)
			r.bind(b)
		}
	}
}

// functionType reads the signature whose type parameters or parameters begin at token
// i, and binds b, if that has a name, to the type of such a function.
func (r *reader) functionType(i, end int, b corpus.Binding) int {
	if r.Sign(i, '<') {
		i = max(r.sure(i), i+1)
	}
	if i >= end || !r.Sign(i, '(') {
		return i
	}
	params := r.Quote(i, r.past(i, end))
	result, k := r.colon(r.past(i, end), end)
	result = cmp.Or(result, "any")
	if b.Type = params + " => " + result; b.Name != "" {
		r.bind(b)
	}
	return k
}
