package jvm

import (
	"strings"

	"github.com/assay-dev/assay/internal/lang/scan"
)

// code reads token i of a body or of an expression.
func (j *javaReader) code(i int) int {
	t := &j.Toks[i]
	switch t.Kind {
	case scan.Open:
		return j.bracket(i)
	case scan.Punct:
		switch j.Src[t.At] {
		case '@':
			if k := j.annotation(i); k > i {
				j.begins = k
				return k
			}
			if j.classWord(i) && j.statement(i) {
				return j.class(head{start: i}, i)
			}
		case ',':
			if i == j.more.at {
				return j.variable(j.more.typ, j.more.typEnd, i+1, true)
			}
		case '-':
			if j.Two(i, '-', '>') && i != j.label && j.Name(i-1) && !j.Sign(i-2, '.') && j.lambda(i-2) {
				j.bind(i-1, "", "", 0)
			}
		}
		return i + 1
	case scan.Word:
		if t.Key == 0 {
			return j.used(i)
		}
		return j.keyword(i)
	}
	return i + 1
}

// lambda reports whether a parameter alone may stand behind token i.
func (j *javaReader) lambda(i int) bool {
	return j.Kind(i) == scan.Open || j.Kind(i) == scan.Punct || j.Key(i) == scan.KReturn || j.Sign(i, ')')
}

// bracket reads what begins with an opening bracket.
func (j *javaReader) bracket(i int) int {
	for n := len(j.anonymous); n > 0 && j.anonymous[n-1] <= i; n-- {
		at := j.anonymous[n-1]
		j.anonymous = j.anonymous[:n-1]
		if at == i {
			j.push(frame{place: members, end: j.Pair(i), decl: -1, local: true})
			return i + 1
		}
	}
	if j.Sign(i, '(') && j.Name(i+1) && j.Two(j.Past(i), '-', '>') && (j.Sign(i+2, ',') || j.Sign(i+2, ')')) {
		for k := i + 1; j.Name(k); k += 2 {
			j.bind(k, "", "", 0)
		}
	}
	return i + 1
}

// statement reports whether a statement, or a declaration, may begin at token i.
func (j *javaReader) statement(i int) bool {
	if i == j.begins || i == 0 {
		return true
	}
	t := &j.Toks[i-1]
	switch t.Kind {
	case scan.Open:
		return j.Src[t.At] != '['
	case scan.Close:
		return j.Src[t.At] == '}'
	case scan.Punct:
		switch j.Src[t.At] {
		case ';', ':', ',':
			return t.End-t.At == 1
		case '-':
			return j.Src[t.End-1] == '>'
		}
	case scan.Word:
		switch t.Key {
		case scan.KElse, scan.KDo, scan.KInstanceof, scan.KCase, scan.KFinal:
			return true
		}
	}
	return false
}

// used reads what begins with a name in code.
func (j *javaReader) used(i int) int {
	if j.Sign(i+1, '(') {
		if j.classWord(i) {
			return j.class(head{start: i}, i)
		}
		// yield (x) is no call: one of a method must be qualified.
		if i >= j.pattern && (!j.Is(i, "yield") || j.Sign(i-1, '.')) {
			j.call(i, i+1, false)
		}
		return i + 1
	}
	if !j.statement(i) {
		return i + 1
	}
	if j.classWord(i) {
		return j.class(head{start: i}, i)
	}
	return j.local(i)
}

// local reads the local variable that begins with its type at token i, if one does.
func (j *javaReader) local(i int) int {
	name := j.typeEnd(i)
	if j.Sign(name-1, '>') && (j.Sign(i-1, '(') || j.Sign(i-1, ',')) && j.Src[j.Toks[i].At] >= 'a' {
		return i + 1 // f(a < b, c > d)
	}
	if name == i || !j.Name(name) || name == i+1 && j.Is(i, "yield") {
		return i + 1
	}
	next := j.dimensions(name + 1)
	if next < len(j.Toks) && (j.Kind(next) == scan.Word && j.Toks[next].Key == 0 && !j.Is(next, "when") || j.Kind(next) == scan.Open || j.Sign(next, '.')) {
		return i + 1
	}
	return j.variable(i, name, name, !j.Sign(i-1, '(') || j.Key(i-2) == scan.KFor)
}

// variable reads the name of a variable and what it is set to. With more, others of
// the same type may follow.
func (j *javaReader) variable(typ, typEnd, name int, more bool) int {
	next := j.dimensions(name + 1)
	value, after := "", next
	switch {
	case j.Sign(next, '='):
		value, after = j.chain(next + 1)
		value, after = j.reference(value, after)
		if !j.Sign(after, ';') && !j.Sign(after, ',') && !j.Sign(after, ')') {
			value = ""
		}
	case j.Sign(next, ':'):
		if value, after = j.chain(next + 1); j.Sign(after, ')') && value != "" {
			value += "[]"
		} else {
			value = ""
		}
	}
	j.bind(name, j.typed(typ, typEnd, name+1), value, 0)
	if more && j.Sign(after, ',') && j.Name(after+1) {
		j.more = further{after, typ, typEnd}
	}
	return next
}

// chain reads the chain from token i on, and returns the token after it. A cast is
// what it casts to; a literal has no chain.
func (j *javaReader) chain(i int) (string, int) {
	if k := j.Kind(i); (k == scan.Number || k == scan.Text) && i < len(j.Toks) {
		return "", i + 1
	}
	if typ := j.cast(i); typ != "" {
		_, end := j.Chain(j.Past(i))
		return typ + "()", end
	}
	value, end := j.Chain(i)
	if strings.HasPrefix(value, scan.Unknown) {
		value = ""
	}
	return value, end
}

// cast returns the type that the cast at token i is to; "" where it is none.
func (j *javaReader) cast(i int) string {
	if !j.Sign(i, '(') || !j.Name(i+1) {
		return ""
	}
	end := j.typeEnd(i + 1)
	if next := end + 1; end != j.Pair(i) || !j.Word(next) && !j.Sign(next, '(') || j.Key(next) == scan.KInstanceof || j.Src[j.Toks[end-1].At] == ']' {
		return ""
	}
	typ, _ := j.Chain(i + 1)
	return typ
}

// call records that token i is called with the arguments in bracket open.
func (j *javaReader) call(i, open int, constructs bool) {
	j.Call(i, open, constructs)
	c := &j.Out.Calls[len(j.Out.Calls)-1]
	c.Given = j.Given(open, j.argument)
	if reflecting[c.Callee] {
		c.Given = j.Given(open, j.quoted)
	}
	switch {
	case c.Receiver == "" && j.Sign(i-1, '>'):
		// this.<T>f()
		if k := j.AngleBack(i - 1); k < i-1 && j.Sign(k-1, '.') {
			c.Receiver = j.Receiver(k)
		}
	case c.Receiver == scan.Unknown && j.Sign(i-1, '.') && j.Sign(i-2, ')') && j.Pair(i-2) >= 0:
		// ((T) x).f()
		if p := j.Pair(i - 2); j.Sign(p+1, '(') {
			if typ := j.cast(p + 1); typ != "" {
				if _, end := j.Chain(j.Past(p + 1)); end == i-2 {
					c.Receiver = typ + "()"
				}
			}
		}
	case c.Receiver == scan.Unknown && j.Sign(i-1, '.') && j.Sign(i-2, '}') && j.Sign(j.Pair(i-2)-1, ')'):
		// new T() {…}.f()
		c.Receiver = j.Ending(j.Pair(i-2) - 1)
	}
}

// keyword reads what begins with a keyword in code.
func (j *javaReader) keyword(i int) int {
	switch key := j.Toks[i].Key; key {
	case scan.KThis, scan.KSuper:
		if j.Sign(i+1, '(') {
			j.call(i, i+1, false)
		}
	case scan.KNew:
		if !j.Two(i-1, ':', ':') {
			return j.construction(i)
		}
	case scan.KClass, scan.KInterface, scan.KEnum:
		if j.classWord(i) && !j.Sign(i-1, '.') {
			return j.class(head{start: i}, i)
		}
	case scan.KPublic, scan.KPrivate, scan.KProtected:
		return j.astray(i)
	case scan.KFinal, scan.KAbstract, scan.KStatic, scan.KStrictfp:
		if i >= j.headed && j.statement(i) {
			h, k := j.head(i, true)
			if j.headed = k; j.classWord(k) {
				return j.class(h, k)
			}
		}
	case scan.KBoolean, scan.KByte, scan.KChar, scan.KDouble, scan.KFloat, scan.KInt, scan.KLong, scan.KShort:
		if j.statement(i) {
			return j.local(i)
		}
	case scan.KCatch:
		return j.caught(i)
	case scan.KCase:
		j.branch(i)
	case scan.KInstanceof:
		if open := j.typeEnd(i + 1); open > i+1 && j.Sign(open, '(') {
			j.pattern = max(j.pattern, j.Past(open))
		}
	}
	return i + 1
}

// branch looks for the end of the label of a case: before it are patterns, in which
// nothing is called, and a condition.
func (j *javaReader) branch(i int) {
	when := -1
	for k := i + 1; k < min(i+100, j.top().end); k = j.Past(k) {
		switch {
		case j.Name(k) && j.Is(k, "when") && when < 0:
			when = k
		case j.Two(k, '-', '>') || j.Sign(k, ':'):
			j.label, j.pattern = k, max(j.pattern, k)
			if when > 0 {
				j.pattern = when
			}
			return
		case j.Sign(k, ';') || j.Sign(k, '{'):
			return
		}
	}
}

// construction reads new, the type behind it, and whether it has a body.
func (j *javaReader) construction(i int) int {
	k := j.annotations(i + 1)
	if j.Sign(k, '<') {
		k = j.annotations(j.Angle(k))
	}
	if !j.Name(k) {
		return i + 1
	}
	for j.Sign(k+1, '.') || j.Sign(k+1, '<') {
		if j.Sign(k+1, '.') {
			if next := j.annotations(k + 2); j.Name(next) {
				k = next
				continue
			}
			break
		}
		after := j.Angle(k + 1)
		next := j.annotations(after + 1)
		if after == k+1 || !j.Sign(after, '.') || !j.Name(next) {
			break
		}
		k = next
	}
	open := j.Angle(k + 1)
	if !j.Sign(open, '(') {
		return k + 1
	}
	j.call(k, open, true)
	if body := j.Past(open); j.Sign(body, '{') {
		j.anonymous = append(j.anonymous, body)
	}
	return open + 1
}

// caught reads catch (A | B e).
func (j *javaReader) caught(i int) int {
	if !j.Sign(i+1, '(') {
		return i + 1
	}
	_, from := j.head(i+2, false)
	k := from
	for {
		end := j.typeEnd(k)
		if end == k {
			return i + 1
		}
		if j.Sign(end, '|') {
			k = end + 1
			continue
		}
		if j.Name(end) && end+1 == j.Pair(i+1) {
			j.bind(end, j.Quote(from, end), "", 0)
			return end + 1
		}
		return i + 1
	}
}

// astray reads a modifier that no code can have: a bracket before it is missing, and
// what is open ends here.
func (j *javaReader) astray(i int) int {
	n := len(j.frames) - 1
	for n > 0 && j.frames[n].place == code {
		if d := j.frames[n].decl; d >= 0 {
			j.Out.Decls[d].Span.End = min(j.Out.Decls[d].Span.End, max(j.End(i-1), j.Out.Decls[d].Body))
		}
		n--
	}
	j.Out.Missed++
	j.frames = j.frames[:n+1]
	return j.member(i)
}
