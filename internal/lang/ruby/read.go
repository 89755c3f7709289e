package ruby

import (
	"slices"

	"github.com/assay-dev/assay/internal/lang/scan"
)

// A file is a text under way.
type file struct {
	*scan.Source
	frames []frame
	depth  int // of methods
	// Locals are the names of local variables, each with the number of the method,
	// class or text that it was last seen in.
	locals map[string]int
	scope  int
	scopes int
	params int // the token that the parameters under way end with
	bare   int // the same, where they have no parentheses and a block follows
	sig    signature
	cmd    bool // a call without parentheses is under way, in the bracket around
	// The block at token classBody is the body of a class.
	classBody, classDecl int
}

type sort uint8

const (
	bracket sort = iota
	block
	method
	class
	singleton // class << self
)

// A frame is a bracket or a block under way.
type frame struct {
	end    int // the token that it ends before
	sort   sort
	decl   int // or -1
	scope  int // the one around
	cmd    bool
	hidden bool // methods are private from here on
	static bool // module_function
	stmt   int  // the last statement's first token
}

const maxFrames = 2000

// push puts a frame on the stack. Frames nest: one that its text leaves open ends
// with the one around it.
func (f *file) push(fr frame) {
	n := len(f.frames)
	if n == maxFrames {
		f.Out.Missed++
		return
	}
	if n > 0 {
		fr.end = min(fr.end, f.frames[n-1].end)
	}
	fr.cmd, fr.scope = f.cmd, f.scope
	f.cmd = false
	if fr.sort == method || fr.sort == class || fr.sort == singleton {
		f.scopes++
		f.scope = f.scopes
	}
	if fr.sort == method {
		f.depth++
	}
	f.frames = append(f.frames, fr)
}

func (f *file) pop() {
	fr := &f.frames[len(f.frames)-1]
	f.cmd, f.scope = fr.cmd, fr.scope
	if fr.sort == method {
		f.depth--
		if fr.decl >= 0 && fr.stmt > 0 {
			f.implicit(fr.stmt, fr.end)
		}
	}
	if fr.sort == block {
		f.cmd = false
	}
	f.frames = f.frames[:len(f.frames)-1]
}

// home returns the innermost frame of a class, a module or a method; nil at top.
func (f *file) home() *frame {
	for n := len(f.frames) - 1; n >= 0; n-- {
		if f.frames[n].sort >= method {
			return &f.frames[n]
		}
	}
	return nil
}

// owner returns the innermost declaration, or -1.
func (f *file) owner() int {
	for n := len(f.frames) - 1; n >= 0; n-- {
		if f.frames[n].decl >= 0 {
			return f.frames[n].decl
		}
	}
	return -1
}

func (f *file) read() {
	f.locals = map[string]int{}
	for i := 0; i < len(f.Toks); {
		for n := len(f.frames); n > 0 && f.frames[n-1].end <= i; n-- {
			f.pop()
		}
		t := &f.Toks[i]
		if t.Kind == scan.Close || t.Key == scan.KEnd {
			// It ends what is under way.
		} else if t.Line && !f.continued(i) || f.Sign(i-1, ';') {
			f.cmd = false
			if n := len(f.frames); n > 0 && f.frames[n-1].sort == method && t.Key != scan.KRescue && t.Key != scan.KEnsure && t.Key != scan.KElse {
				f.frames[n-1].stmt = i
			}
		}
		switch t.Kind {
		case scan.Word:
			if t.Key == 0 {
				i = f.used(i)
			} else {
				i = f.keyword(i)
			}
		case scan.Open:
			fr := f.blockFrame(i)
			if fr.sort == block {
				fr.sort = bracket
			}
			f.push(fr)
			if f.Sign(i, '{') && f.Sign(i+1, '|') {
				f.blockParams(i + 1)
			}
			i++
		case scan.Punct:
			i = f.punct(i)
		default:
			i++
		}
	}
	for len(f.frames) > 0 {
		f.pop()
	}
}

// punct reads what begins with a sign, and returns the token to go on with.
func (f *file) punct(i int) int {
	t := &f.Toks[i]
	switch {
	case f.assigns(i):
		f.assignment(i)
	case t.End-t.At == 2 && f.Src[t.At] == '-' && f.Src[t.At+1] == '>':
		return f.lambda(i)
	case f.First(i) == ';':
		f.cmd = false
	}
	return i + 1
}

// assigns reports whether token i is =, +=, ||= and so on.
func (f *file) assigns(i int) bool {
	if i < 0 || i >= len(f.Toks) || f.Toks[i].Kind != scan.Punct {
		return false
	}
	b := f.Bytes(i)
	n := len(b)
	if n == 0 || b[n-1] != '=' {
		return false
	}
	switch b[0] {
	case '=':
		return n == 1
	case '!', ':':
		return false
	case '<', '>':
		return n == 3 && b[1] == b[0]
	}
	return true
}

// keyword reads what begins with a keyword, and returns the token to go on with.
func (f *file) keyword(i int) int {
	switch f.Toks[i].Key {
	case scan.KDef:
		return f.def(i)
	case scan.KClass:
		return f.class(i)
	case scan.KModule:
		return f.module(i)
	case scan.KDo:
		f.push(f.blockFrame(i))
		if f.Sign(i+1, '|') {
			f.blockParams(i + 1)
		}
	case scan.KBegin, scan.KCase, scan.KIf, scan.KUnless, scan.KWhile, scan.KUntil:
		f.cmd = false
		if f.Pair(i) > i {
			f.push(frame{end: f.Pair(i), sort: block, decl: -1})
		}
	case scan.KFor:
		return f.loop(i)
	case scan.KThen, scan.KElse, scan.KElsif, scan.KAnd, scan.KOr, scan.KWhen, scan.KEnsure:
		f.cmd = false
	case scan.KRescue:
		f.cmd = false
		if !f.modifier(i) {
			f.rescue(i)
		}
	case scan.KIn:
		return f.pattern(i)
	case scan.KAlias:
		return f.alias(i)
	case scan.KUndef:
		for i++; f.Word(i) || f.Kind(i) == scan.Text && i < len(f.Toks); i += 2 {
			if !f.Sign(i+1, ',') {
				return i + 1
			}
		}
		return i
	case scan.KSuper:
		f.call(i)
	case scan.KReturn:
		f.result(i+1, "()")
	case scan.KYield:
		f.yield(i)
	}
	return i + 1
}

// blockFrame returns the frame of the block at token i.
func (f *file) blockFrame(i int) frame {
	if i == f.classBody {
		return frame{end: f.Pair(i), sort: class, decl: f.classDecl}
	}
	return frame{end: f.Pair(i), sort: block, decl: -1}
}

// result binds what a method gives to the chain at token i, if it is one.
func (f *file) result(i int, name string) {
	if f.depth == 0 || f.Line(i) {
		return
	}
	if c := f.value(i); c != "" {
		f.bind(name, c, f.At(i))
	}
}

func (f *file) yield(i int) {
	k := i + 1
	if f.Sign(k, '(') && f.Adjacent(i) {
		k++
	}
	f.result(k, "[]")
}

// implicit binds what a method gives whose last statement begins with token i: its
// value, or what it assigns to.
func (f *file) implicit(i, end int) {
	if f.Key(i) != 0 && f.Key(i) != scan.KSelf && f.Key(i) != scan.KSuper {
		return
	}
	c, next := f.chain(i, 0)
	if c == "" || c[0] == '?' || !f.ends(next) && !f.Sign(next, '=') && !f.Is(next, "||=") || next > end {
		return
	}
	f.bind("()", c, f.At(i))
}

// loop reads for a, b in …
func (f *file) loop(i int) int {
	if f.Pair(i) > i {
		f.push(frame{end: f.Pair(i), sort: block, decl: -1})
	}
	k := i + 1
	for ; f.Name(k) || f.Sign(k, ',') || f.Sign(k, '*'); k++ {
		if f.Name(k) {
			f.local(k, "")
		}
	}
	if f.Key(k) != scan.KIn {
		return k
	}
	if n := len(f.Out.Bindings); k == i+2 && n > 0 {
		if c, _ := f.chain(k+1, 0); c != "" && c[0] != '?' {
			f.Out.Bindings[n-1].Value = c + "[]"
		}
	}
	return k + 1
}

// pattern skips what stands behind in: what looks like calls there are none.
func (f *file) pattern(i int) int {
	k := i + 1
	for k < len(f.Toks) && !(f.Toks[k].Line && !f.continued(k)) {
		t := &f.Toks[k]
		switch t.Key {
		case scan.KThen, scan.KIf, scan.KUnless, scan.KAnd, scan.KOr, scan.KEnd:
			return k
		}
		if t.Kind == scan.Close || f.Sign(k, ';') || t.Kind == scan.Punct && (f.Is(k, "&&") || f.Is(k, "||")) {
			return k
		}
		if f.Name(k) && scan.Letter(f.First(k)) && !upper(f.First(k)) && !f.label(k) {
			f.local(k, "")
		}
		if t.Kind != scan.Open {
			k++
			continue
		}
		end := min(f.Pair(k), len(f.Toks))
		for k++; k < end; k++ {
			if f.Name(k) && !upper(f.First(k)) && (!f.label(k) || f.Sign(k+2, ',') || k+2 == end) {
				f.local(k, "")
			}
		}
	}
	return k
}

// rescue binds the name of what is rescued.
func (f *file) rescue(i int) {
	k := i + 1
	for ; k < len(f.Toks) && k < i+60 && !f.Toks[k].Line && f.Toks[k].Key != scan.KThen; k++ {
		if f.Is(k, "=>") {
			if f.Name(k+1) && !f.access(k+2) {
				typ := ""
				if k > i+1 {
					typ = f.Quote(i+1, k)
				}
				f.mark(k + 1)
				f.Bind(k+1, typ, "", 0)
			}
			return
		}
	}
}

// alias reads alias a b.
func (f *file) alias(i int) int {
	a, b := i+1, i+2
	if f.Line(a) || f.Line(b) {
		return i + 1
	}
	if f.Word(a) && f.Word(b) {
		f.Bind(a, "", f.Str(b), 0)
	} else if x, at := f.symbol(a); x != "" {
		if y, _ := f.symbol(b); y != "" {
			f.BindAs(x, "", y, at, 0)
		}
	}
	return i + 3
}

// symbol returns the name in :name or "name", and where it begins.
func (f *file) symbol(i int) (string, int) {
	if f.Kind(i) != scan.Text {
		return "", 0
	}
	b := f.Bytes(i)
	switch {
	case len(b) > 1 && b[0] == ':' && b[1] != '"' && b[1] != '\'':
		return string(b[1:]), f.At(i) + 1
	case len(b) > 2 && (b[0] == '"' || b[0] == '\'') && b[len(b)-1] == b[0]:
		if slices.ContainsFunc(b, func(c byte) bool { return c == '\\' || c == '\n' }) {
			return "", 0
		}
		return string(b[1 : len(b)-1]), f.At(i) + 1
	}
	return "", 0
}
