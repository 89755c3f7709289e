package clang

import (
	"bytes"
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// A head is what stands before a name that is declared.
type head struct {
	first    int // the declaration's first token
	from     int // where its type begins
	types    int // words of the type so far
	last     int // the last name so far
	upto     int // where the type of a name in parentheses ends, or 0
	pointer  bool
	lone     bool // macros alone on their lines before
	static   bool
	constant bool
	outer    bool // extern
	made     bool // by a macro, whose arguments are no parameters
	friend   bool
	marks    []string
}

// member reads a declaration of a file, a namespace or a class that begins at i,
// and returns where to go on.
func (r *reader) member(i int) int {
	t := r.Toks[i]
	if t.Kind == scan.Close || r.Sign(i, ';') {
		return i + 1
	}
	if r.Sign(i, '{') && t.Kind == scan.Open { // of what was not understood
		r.enter(place{sort: code, end: r.Pair(i), decl: r.top().decl})
		return i + 1
	}
	k := i
	switch key := r.Key(i); key {
	case scan.KNamespace:
		return r.namespace(i, i)
	case scan.KInline:
		if r.Key(i+1) == scan.KNamespace {
			return r.namespace(i, i+1)
		}
	case scan.KExport:
		k++
	case scan.KExtern:
		if r.Key(i+1) == scan.KTemplate {
			return r.instantiation(i + 1)
		}
		if r.Kind(i+1) == scan.Text && i+1 < len(r.Toks) {
			if r.Sign(i+2, '{') {
				return i + 3
			}
			k += 2
		}
	case scan.KUsing:
		return r.using(i, i)
	case scan.KTypedef:
		return r.typedef(i)
	case scan.KTemplate:
		if !r.Sign(i+1, '<') {
			return r.instantiation(i)
		}
		k = r.templates(i)
		if r.Key(k) == scan.KUsing {
			return r.using(i, k)
		}
		if r.Key(k) == scan.KConcept {
			return r.concept(i, k)
		}
	case scan.KPrivate, scan.KProtected, scan.KPublic:
		return r.access(i)
	case scan.KStaticAssert:
		return r.Past(i + 1)
	case scan.KAtInterface, scan.KAtImplementation, scan.KAtProtocol, scan.KAtClass, scan.KAtImport, scan.KAtEnd, scan.KAtOther, scan.KAtProperty:
		return r.objcTop(i)
	default:
		if statements.Has(key) && r.Word(i) {
			return r.statement(i)
		}
		if key == 0 && r.Name(i) && r.Sign(i+1, ':') && (r.top().sort == members || r.Sign(i+2, ':')) {
			return i + 2 // signals:
		}
	}
	if own := r.top().name; r.cpp && own != "" && r.caps(i) && r.Str(i) != own && r.Sign(i+1, '(') && r.Str(i+2) == own && r.Sign(i+3, ')') && r.Sign(i+4, ';') {
		return i + 5 // NO_COPY(Class);
	}
	if next := r.macroNamespace(i); next > i {
		return next
	}
	if r.objc && (r.Sign(i, '-') || r.Sign(i, '+')) && (r.Sign(i+1, '(') || r.Name(i+1)) {
		return r.objcMethod(i)
	}
	return max(r.declare(i, k), i+1)
}

// instantiation reads on behind template class T<int>;, which declares nothing.
func (r *reader) instantiation(i int) int {
	for k := i + 1; k < r.top().end; k = r.Past(k) {
		if r.Sign(k, ';') || r.Sign(k, '{') {
			return k
		}
	}
	return i + 1
}

// access reads public:, protected: or private:.
func (r *reader) access(i int) int {
	k := i + 1
	if r.Name(k) {
		k++ // slots
	}
	if r.Sign(k, ':') {
		r.top().hidden = r.Key(i) == scan.KPrivate
		return k + 1
	}
	return i + 1
}

// statement reads code outside of functions.
func (r *reader) statement(i int) int {
	end := r.top().end
	for k := i; k < end; k = r.Past(k) {
		if r.Sign(k, ';') || r.Kind(k) == scan.Close || r.Sign(k, '{') {
			end = r.Past(k)
			break
		}
	}
	r.enter(place{sort: code, end: end, decl: r.top().decl})
	return r.code(i)
}

// declare reads a declaration at k; what belongs to it begins at first.
func (r *reader) declare(first, k int) int {
	h := head{first: first, from: k, last: -1}
	end := r.top().end
	for n := 0; k < end && n < 4*maxWords; n++ {
		t := r.Toks[k]
		var next int
		switch t.Kind {
		case scan.Word:
			var done bool
			if next, done = r.headWord(&h, k); done {
				return next
			}
		case scan.Punct:
			switch {
			case r.Sign(k, '*'), r.Sign(k, '&'), r.Two(k, '&', '&'):
				h.pointer, next = true, k+1
			case r.objc && r.Sign(k, '^'):
				next = k + 1
			case r.scoped(k) && (r.Name(k+1) || r.Key(k+1) == scan.KOperator):
				var done bool
				if next, done = r.headWord(&h, k); done {
					return next
				}
			case r.Sign(k, '~') && r.Name(k+1) && r.Sign(k+2, '('):
				return r.function(h, k, k+2, r.End(k+1), corpus.Method)
			case r.Sign(k, ';'), r.Sign(k, '='), r.Sign(k, ','), r.Sign(k, ':'):
				return r.variables(h, k)
			default:
				return r.lost(first, k)
			}
		case scan.Open:
			switch {
			case r.Sign(k, '[') && r.Sign(k+1, '['):
				if h.types == 0 {
					h.marks = append(h.marks, r.Quote(k+2, r.Pair(k)-1))
				}
				next = r.Past(k)
			case r.Sign(k, '['), r.Sign(k, '{'):
				return r.variables(h, k)
			default:
				return r.wrapped(h, k)
			}
		case scan.Close:
			return max(k, first+1)
		default:
			return r.lost(first, k)
		}
		if next <= k {
			return r.lost(first, k)
		}
		k = next
	}
	return max(k, first+1)
}

// lost gives up on a declaration: what it is is read as code.
func (r *reader) lost(first, k int) int {
	if k > first+1 && r.Line(k) {
		return k
	}
	r.Out.Missed++
	return r.statement(first)
}

// headWord reads a word of a declaration at k. It returns where to go on, and
// whether the declaration is done.
func (r *reader) headWord(h *head, k int) (next int, done bool) {
	key := r.Key(k)
	switch {
	case key == 0:
		return r.headName(h, k)
	case wrapping.Has(key) && r.Sign(k+1, '('):
		switch key {
		case scan.KTypeof, scan.KDecltype, scan.KAtomic:
			h.types++
		case scan.KAttribute:
			h.marks = append(h.marks, r.Quote(k+3, r.Pair(k+1)-1))
		}
		return r.Past(k + 1), false
	case key == scan.KStatic:
		h.static = true
		if h.from == k {
			h.from++
		}
	case key == scan.KTypedef:
		if k > h.first {
			return k, true
		}
	case specifiers.Has(key):
		h.constant = h.constant || key == scan.KConstexpr || key == scan.KConstinit
		h.outer = h.outer || key == scan.KExtern
		h.friend = h.friend || key == scan.KFriend
		if h.from == k {
			h.from++
		}
	case qualifiers.Has(key):
		h.constant = h.constant || key == scan.KConst && !h.pointer
	case tags.Has(key):
		return r.tagged(h, k)
	case key == scan.KOperator:
		return r.operator(*h, k, -1), true
	case builtin.Has(key):
		h.types++
	case key == scan.KTemplate: // A::template B
	default:
		if k == h.first {
			return k + 1, true
		}
		return k, true // another declaration
	}
	return k + 1, false
}

// headName reads a name of a declaration that begins at k.
func (r *reader) headName(h *head, k int) (next int, done bool) {
	if r.scoped(k) && r.Key(k+1) == scan.KOperator {
		return r.operator(*h, k+1, k), true
	}
	at, next := r.path(k)
	if at < 0 {
		return k, true
	}
	if r.scoped(next) {
		switch {
		case r.Sign(next+1, '~') && r.Name(next+2) && r.Sign(next+3, '('):
			return r.function(*h, next+1, next+3, r.End(next+2), corpus.Method), true
		case r.Key(next+1) == scan.KOperator:
			return r.operator(*h, next+1, k), true
		case r.Sign(next+1, '*'): // a pointer to a member
			h.last = -1
			return next + 2, false
		}
	}
	if r.Sign(next, '(') && r.Kind(next) == scan.Open {
		return r.candidate(h, k, at, next)
	}
	// A macro alone on its line, with a comment behind it, belongs to nothing.
	if h.types == 0 && (k == h.first || h.lone) && r.caps(k) && next == k+1 && r.Line(k) && r.Line(next) && r.top().sort != code {
		if doc := r.Doc(r.At(next)); doc.End > doc.Start {
			return next, true
		}
		if r.Word(next) {
			h.lone = true
			return next, false
		}
	}
	h.types++
	h.last = at
	return next, false
}

// candidate reads a name at, in a qualified one that begins at k, with parentheses
// at p: a function, a macro, or a variable that is constructed.
func (r *reader) candidate(h *head, k, at, p int) (next int, done bool) {
	after := r.Past(p)
	typed := h.types > 0 || h.pointer || h.lone && !r.caps(at)
	if r.Sign(after, '(') && (r.Sign(p+1, '*') || r.Sign(p+1, '^')) && at == k { // the type of a pointer to a function
		h.types++
		return r.wrapped(*h, p), true
	}
	if h.types > 1 && after < len(r.Toks) && r.guardedBy(at) { // a macro behind a variable
		if r.Sign(after, ';') || r.Sign(after, '=') {
			return r.guarded(*h, after), true
		}
		return after, false
	}
	if body := r.oldStyle(p, after); body >= 0 {
		return r.functionWith(*h, at, p, r.End(at), corpus.Function, body), true
	}
	sign := r.tail(after, typed || at > k)
	switch {
	case r.Sign(sign, '{') && r.Kind(sign) == scan.Open:
		if !typed && at == k {
			if name := r.defined(at, p); name >= 0 {
				h.marks, h.from, h.made = append(h.marks, r.Str(at)), name, true
				return r.functionWith(*h, name, p, r.End(name), corpus.Function, sign), true
			}
		}
	case r.Sign(sign, ':'):
		if r.Kind(sign+1) == scan.Number && r.top().sort == members { // the width of a field behind a macro
			return sign, false
		}
	case r.Sign(after, '('):
		if name := r.Pair(p) - 1; r.Name(name) && (name == p+1 || r.Sign(name-1, ',')) && r.Pair(after) < len(r.Toks) {
			return r.function(*h, name, after, r.End(name), corpus.Function), true
		}
		return r.lost(h.first, k), true
	case r.Sign(sign, ';'), r.Sign(sign, '='), r.Sign(sign, ','):
		if !typed && at == k && !r.constructor(at) {
			if r.top().sort == members {
				return r.fieldMacro(p, after), true
			}
			return r.statement(h.first), true
		}
		if r.arguments(p, r.Sign(sign, ';')) && r.top().sort != members {
			h.types, h.last = h.types+1, at
			return r.variables(*h, p), true
		}
	default:
		if !typed && at == k && !r.constructor(at) {
			if r.begins(after) || r.literal(p) || r.Kind(after) == scan.Close || after >= r.top().end || r.caps(at) && r.Line(after) && r.caps(after) && r.Sign(after+1, '(') {
				r.Call(at, p, false)
				return after, true
			}
			h.types++ // a macro with the type in it
			return after, false
		}
	}
	return r.function(*h, at, p, r.End(at), corpus.Function), true
}

// guarded reads a variable whose name stands before a macro, with the sign behind
// that at k.
func (r *reader) guarded(h head, k int) int {
	end := r.ends(k)
	if h.last >= 0 && h.last > h.from {
		r.Bind(h.last, r.Quote(h.from, h.last), "", 0)
	}
	return r.rest(k, end)
}

// fieldMacro reads a macro in a class that looks like a call: it may declare the
// field that it names in bracket p.
func (r *reader) fieldMacro(p, after int) int {
	if r.Name(p+1) && r.Pair(p) == p+2 && r.Sign(after, ';') {
		r.Bind(p+1, "", "", 0)
	}
	return after
}

// guardedBy reports whether the name at is a macro that says by what a variable is
// guarded.
func (r *reader) guardedBy(at int) bool {
	b := r.Bytes(at)
	return r.caps(at) && (bytes.HasSuffix(b, []byte("_BY")) || bytes.HasSuffix(b, []byte("_AFTER")) || bytes.HasSuffix(b, []byte("_BEFORE")))
}

// constructor reports whether the name at is that of the class around.
func (r *reader) constructor(at int) bool {
	return r.top().sort == members && r.Is(at, r.top().name)
}

// begins reports whether what stands at k begins something new: on a line of its
// own, with a word that nothing goes on with.
func (r *reader) begins(k int) bool {
	if !r.Line(k) {
		return false
	}
	switch r.Key(k) {
	case scan.KClass, scan.KStruct, scan.KNamespace, scan.KTemplate, scan.KUsing, scan.KTypedef, scan.KStatic, scan.KExtern, scan.KEnum, scan.KUnion, scan.KPublic, scan.KPrivate, scan.KProtected, scan.KAtInterface,
		scan.KAtImplementation, scan.KAtProtocol, scan.KAtClass, scan.KAtEnd, scan.KAtProperty:
		return true
	}
	return r.objc && (r.Sign(k, '-') || r.Sign(k, '+'))
}

// literal reports whether bracket p holds a literal.
func (r *reader) literal(p int) bool {
	end := min(r.Pair(p), len(r.Toks), p+40)
	for k := p + 1; k < end; k++ {
		if kind := r.Kind(k); kind == scan.Text {
			return true
		}
	}
	return false
}

// arguments reports whether bracket p holds what a variable is constructed with,
// rather than parameters.
func (r *reader) arguments(p int, sure bool) bool {
	if !r.cpp || !sure {
		return false
	}
	k := p + 1
	end := min(r.Pair(p), len(r.Toks))
	switch r.Kind(k) {
	case scan.Number, scan.Text:
		return true
	case scan.Punct:
		return (r.Sign(k, '&') || r.Sign(k, '*') || r.Sign(k, '-') || r.Sign(k, '!')) && k < end
	case scan.Open:
		return !r.Sign(k, '[')
	}
	if key := r.Key(k); key == scan.KTrue || key == scan.KFalse || key == scan.KNullptr || key == scan.KNew || key == scan.KThis || key == scan.KSizeof || key == scan.KCast {
		return true
	}
	_, next := r.path(k)
	return r.Name(k) && next < end && (r.Sign(next, '.') || r.Two(next, '-', '>') || r.Sign(next, '+') || r.Sign(next, '-') || r.Sign(next, '{') ||
		r.Sign(next, '(') && !r.Sign(next+1, '*') && !r.Sign(r.Past(next), '('))
}

// defined returns the name that a macro at, which has a body behind its bracket p,
// gives to a function: the last of names, or the first where types follow; -1
// where it is no such macro.
func (r *reader) defined(at, p int) int {
	if !r.caps(at) || r.top().sort == members && r.constructor(at) {
		return -1
	}
	parts := r.Split(p, ",", false)
	if len(parts) == 0 || !r.Name(parts[0][0]) || parts[0][1] != parts[0][0]+1 {
		return -1
	}
	if slices.ContainsFunc(parts, func(x [2]int) bool { return !r.Name(x[0]) || x[1] != x[0]+1 }) {
		return parts[0][0]
	}
	if len(parts) > 3 {
		return parts[0][0]
	}
	return parts[len(parts)-1][0]
}
