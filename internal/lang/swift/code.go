package swift

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// token reads what stands at i, and returns where to go on.
func (r *reader) token(i int) int {
	t := r.Toks[i]
	switch t.Kind {
	case scan.Word:
		if r.member(i) {
			return r.word(i)
		}
		if t.Key != 0 {
			return r.keyword(i)
		}
		return r.word(i)
	case scan.Punct:
		if r.Sign(i, '@') && r.Kind(i+1) == scan.Word {
			h, next, ok := r.heading(i)
			if ok {
				if end := r.declare(h, next); end > next {
					return end
				}
			}
			return max(next, i+1)
		}
	case scan.Open:
		if r.Sign(i, '{') && r.last >= 0 && (r.Key(i+1) == scan.KDidSet || r.Key(i+1) == scan.KWillSet) && r.accessor(i+1) {
			r.observed(i)
		}
	}
	return i + 1
}

// keyword reads a word with a meaning.
func (r *reader) keyword(i int) int {
	key := r.Key(i)
	if r.top().sort == access && accessors.Has(key) && r.accessor(i) {
		next := i + 1
		if r.Opens(next, '(') {
			next = r.Past(next)
		}
		for !r.Opens(next, '{') && (r.Key(next) == scan.KAsync || r.Key(next) == scan.KThrows || r.Key(next) == scan.KMutating) {
			next++
		}
		if r.Opens(next, '{') {
			r.returnedBy(key, next)
			return next + 1
		}
		return next
	}
	if modifiers.Has(key) {
		if h, next, ok := r.heading(i); ok {
			if end := r.declare(h, next); end > next {
				return end
			}
			return max(next, i+1)
		}
		if !r.Soft(key) {
			return i + 1
		}
		return r.word(i)
	}
	if declares.Has(key) || (key == scan.KActor || key == scan.KMacro) && r.Name(i+1) && !r.Line(i+1) {
		if end := r.declare(head{first: i}, i); end > i {
			return end
		}
	}
	switch key {
	case scan.KIf, scan.KGuard, scan.KWhile, scan.KFor, scan.KSwitch, scan.KCatch:
		return r.control(i)
	case scan.KCase:
		r.cases(i + 1)
	case scan.KReturn:
		r.returns(i + 1)
	case scan.KSelf:
		r.assignSelf(i)
		return r.word(i)
	}
	if r.Soft(key) {
		return r.word(i)
	}
	return i + 1
}

// returnedBy binds what a getter returns.
func (r *reader) returnedBy(key scan.Key, body int) {
	if key == scan.KGet {
		r.returned(body)
	}
}

// control finds the body of an if, a loop and so on, and binds what a loop does.
func (r *reader) control(i int) int {
	if r.Key(i) == scan.KWhile && r.Sign(i-1, '}') && r.Key(r.Pair(i-1)-1) == scan.KRepeat {
		return i + 1
	}
	if r.Key(i) == scan.KCatch {
		r.cases(i + 1)
	}
	end := min(r.top().end, i+600)
	for k := i + 1; k < end; k = r.Past(k) {
		if r.Opens(k, '{') {
			r.bodies = append(r.bodies, k)
			break
		}
		if r.Kind(k) == scan.Close || r.Sign(k, ';') || r.Line(k) && r.Key(k) != 0 && (declares.Has(r.Key(k)) && r.Key(k) != scan.KLet && r.Key(k) != scan.KVar && r.Key(k) != scan.KCase || r.Key(k) == scan.KReturn) {
			break
		}
	}
	if r.Key(i) == scan.KFor {
		return r.loop(i + 1)
	}
	return i + 1
}

// loop binds the variable of a for.
func (r *reader) loop(k int) int {
	for r.Key(k) == scan.KTry || r.Key(k) == scan.KAwait || r.Key(k) == scan.KVar || r.Key(k) == scan.KLet {
		k++
	}
	if r.Key(k) == scan.KCase {
		return k
	}
	at := k
	typ := ""
	p := at + 1
	if r.Opens(at, '(') {
		for _, x := range r.Split(at, ",", false) {
			if r.Name(x[1] - 1) {
				r.Bind(x[1]-1, "", "", 0)
			}
		}
		return r.Past(at)
	}
	if r.Sign(p, ':') {
		p = r.typed(p + 1)
		typ = r.Quote(at+2, p)
	}
	if !r.Name(at) || r.Key(p) != scan.KIn {
		return k
	}
	value := ""
	if chain, next := r.value(p + 1); chain != "" && (r.Opens(next, '{') || r.Key(next) == scan.KWhere) {
		value = chain + "[]"
	}
	r.Bind(at, typ, value, 0)
	return p + 1
}

// cases says how far the pattern goes that begins at k.
func (r *reader) cases(k int) {
	for end := min(k+300, len(r.Toks)); k < end; k = r.Past(k) {
		if key := r.Key(k); r.Sign(k, ':') || r.Sign(k, '=') || r.Opens(k, '{') || key == scan.KWhere || key == scan.KIn || r.Kind(k) == scan.Close {
			break
		}
	}
	r.pattern = max(r.pattern, k)
}

// returns binds what is returned.
func (r *reader) returns(k int) {
	if r.Line(k) {
		return
	}
	chain, as := r.assigned(k)
	if chain != "" || as != "" {
		r.BindAs("()", as, chain, r.At(k), 0)
	}
}

// assignSelf reads self.x = …
func (r *reader) assignSelf(i int) {
	if !r.Sign(i+1, '.') || !r.Name(i+2) || !r.Sign(i+3, '=') || r.Kind(i+3) != scan.Punct || r.member(i) {
		return
	}
	value, as := r.assigned(i + 4)
	r.BindAs("self."+r.Str(i+2), as, value, r.At(i), 0)
}

// word reads a name in an expression: what is called, and what a closure is
// assigned to.
func (r *reader) word(i int) int {
	if r.Sign(i-1, '#') && r.Adjacent(i-1) && !r.macro(i) {
		if r.Opens(i+1, '(') {
			return r.Past(i + 1)
		}
		return i + 1
	}
	open := i + 1
	if r.Sign(open, '<') && r.Adjacent(i) {
		open = r.angles(open)
	}
	if (r.Sign(open, '?') || r.Sign(open, '!')) && r.Adjacent(open-1) && r.Opens(open+1, '(') && r.Adjacent(open) {
		open++
	}
	switch {
	case r.Opens(open, '(') && !r.Line(open):
		if r.callable(i) && (r.pattern <= i || r.matched(i, open)) {
			r.call(i, open, r.trailing(r.Past(open)))
		}
	case r.Opens(open, '{') && !r.Line(open) && r.trailing(open) > 0:
		if r.pattern <= i && r.callable(i) && !(r.last >= 0 && r.accessor(open+1)) {
			r.call(i, -1, r.trailing(open))
		}
	case r.Sign(open, '=') && open == i+1 && r.top().sort != leading && r.Kind(open) == scan.Punct && r.Opens(open+1, '{'):
		if after := r.Past(open + 1); !(r.Opens(after, '(') && !r.Line(after)) && !r.isBody(open+1) {
			return r.closure(head{first: i}, i, open+1, "")
		}
	}
	return i + 1
}

// matched reports whether a name in a pattern is called, to compare with what it
// returns: it is no case, and what is in bracket open binds nothing.
func (r *reader) matched(i, open int) bool {
	if r.member(i) && r.implicit(i-1) {
		return false
	}
	end := min(r.Pair(open), len(r.Toks))
	for k := open + 1; k < end; k = r.Past(k) {
		if r.Key(k) == scan.KLet || r.Key(k) == scan.KVar || r.Sign(k, '_') {
			return false
		}
	}
	return true
}

// macro reports whether the name i behind a # is that of a macro.
func (r *reader) macro(i int) bool {
	switch string(r.Bytes(i)) {
	case "available", "unavailable", "selector", "keyPath", "colorLiteral", "imageLiteral", "fileLiteral", "externalMacro", "hasFeature":
		return false
	}
	return true
}

// callable reports whether the word i may be what is called.
func (r *reader) callable(i int) bool {
	key := r.Key(i)
	switch {
	case r.member(i):
		return key != scan.KSelf
	case key == 0:
		return true
	case uncalled.Has(key):
		return false
	}
	return r.Soft(key)
}

// trailing returns how many closures stand behind a call, where they begin at k.
func (r *reader) trailing(k int) int {
	if !r.Opens(k, '{') || r.Line(k) || r.isBody(k) {
		return 0
	}
	n := 1
	for k = r.Past(k); r.Name(k) && r.Sign(k+1, ':') && r.Opens(k+2, '{') && !r.isBody(k+2); k = r.Past(k + 2) {
		n++
	}
	return n
}

// call records that token i is called with the arguments in bracket open, if that
// is one, and with so many closures.
func (r *reader) call(i, open, closures int) {
	args := closures
	if open >= 0 {
		args += len(r.Split(open, ",", false))
	}
	r.Out.Calls = append(r.Out.Calls, corpus.Call{Callee: r.Str(i), Receiver: r.receiver(i), At: r.At(i), Args: int16(min(args, 1000))})
}
