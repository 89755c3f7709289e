// Package zig reads Zig: functions and tests, the types that constants name, what
// is imported and called, and what is known of the types of names.
//
// Whatever the text, the spans of declarations lie in it and nest, the text at
// NameAt is the name, and it takes time linear in the text.
package zig

import (
	"cmp"
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// Read returns the facts of a Zig text.
func Read(src []byte) corpus.Facts {
	return grammar.Read(src, func(s *scan.Source) {
		r := &reader{Source: s, constant: -1, value: -1, included: -1}
		r.loose = r.unbalanced()
		r.frames = append(r.frames, frame{end: len(s.Toks), open: -1, sort: container, decl: -1})
		r.run()
	})
}

// A reader is a text under way.
type reader struct {
	*scan.Source
	frames   []frame
	bodies   []body // braces to come that were announced, the next one last
	parens   int    // where the outermost of the brackets that are no braces ends
	depth    int    // of functions
	loose    bool   // brackets are missing
	constant int    // the name that was declared last,
	value    int    // and the token that its value begins with
	included int    // where the block of @cImport ends,
	includer string // and what it is called
}

// What a brace holds.
type sort uint8

const (
	code      sort = iota
	container      // members
	choices        // members of an enum
	function       // the body of one
)

// A frame is a brace under way.
type frame struct {
	end    int // the token that it ends before
	open   int // its brace, or -1
	decl   int // the declaration that it is the body of, or -1
	sort   sort
	made   int // how many declarations there were when it began
	semi   [2]int
	parens int // those around it
}

// A body is a brace to come.
type body struct {
	at   int
	decl int
	sort sort
}

const maxFrames = 4000

func (r *reader) top() *frame { return &r.frames[len(r.frames)-1] }

func (r *reader) run() {
	for i := 0; i < len(r.Toks); {
		for r.top().end <= i && len(r.frames) > 1 {
			r.pop()
		}
		t := &r.Toks[i]
		if r.loose && t.Line {
			r.margin(i)
		}
		next := i + 1
		switch t.Kind {
		case scan.Word:
			if t.Key == 0 || r.sign(i-1, '.') {
				next = r.name(i)
			} else {
				next = r.keyword(i)
			}
		case scan.Open:
			if r.Src[t.At] == '{' {
				r.brace(i)
			} else if i >= r.parens {
				r.parens = r.Pair(i)
			}
		case scan.Punct:
			if r.Src[t.At] == '|' && t.End-t.At == 1 {
				next = r.capture(i)
			}
		}
		i = max(next, i+1)
	}
	for len(r.frames) > 1 {
		r.pop()
	}
	r.settle()
}

// settle puts facts in order, and ends declarations with those around them.
func (r *reader) settle() {
	f := &r.Out
	order(f.Decls, func(d corpus.Decl) int { return d.Span.Start })
	order(f.Calls, func(c corpus.Call) int { return c.At })
	order(f.Bindings, func(b corpus.Binding) int { return b.At })
	var around []int
	kept := f.Decls[:0]
	for _, d := range f.Decls {
		for len(around) > 0 && around[len(around)-1] <= d.Span.Start {
			around = around[:len(around)-1]
		}
		if n := len(around); n > 0 && d.Span.End > around[n-1] {
			if d.NameAt+len(d.Name) > around[n-1] {
				f.Missed++
				continue
			}
			d.Span.End = around[n-1]
			d.Body = min(d.Body, d.Span.End)
		}
		kept = append(kept, d)
		around = append(around, d.Span.End)
	}
	f.Decls = kept
}

// order sorts what is hardly ever out of order.
func order[T any](all []T, at func(T) int) {
	less := func(a, b T) int { return cmp.Compare(at(a), at(b)) }
	if !slices.IsSortedFunc(all, less) {
		slices.SortStableFunc(all, less)
	}
}

// brace enters the brace at token i.
func (r *reader) brace(i int) {
	fr := frame{end: min(r.Pair(i), r.top().end), open: i, decl: -1, made: len(r.Out.Decls), parens: r.parens}
	for n := len(r.bodies); n > 0 && r.bodies[n-1].at <= i; n-- {
		if b := r.bodies[n-1]; b.at == i {
			fr.sort, fr.decl = b.sort, b.decl
		}
		r.bodies = r.bodies[:n-1]
	}
	if len(r.frames) >= maxFrames {
		r.Out.Missed++
		return
	}
	if fr.sort == function {
		r.depth++
	}
	r.parens = 0
	r.frames = append(r.frames, fr)
}

// announce says what the brace at token i will be.
func (r *reader) announce(i int, sort sort, decl int) {
	if n := len(r.bodies); n > 0 && r.bodies[n-1].at == i {
		return
	}
	r.bodies = append(r.bodies, body{i, decl, sort})
}

// announced reports whether the brace at token i is a body, and no literal.
func (r *reader) announced(i int) bool {
	n := len(r.bodies)
	return n > 0 && r.bodies[n-1].at == i
}

func (r *reader) pop() {
	fr := r.top()
	if fr.sort == function {
		r.depth--
	}
	r.parens = fr.parens
	r.frames = r.frames[:len(r.frames)-1]
}

// keyword reads token i, a keyword.
func (r *reader) keyword(i int) int {
	switch r.Toks[i].Key {
	case scan.KFn:
		return r.function(i)
	case scan.KConst, scan.KVar:
		return r.variable(i)
	case scan.KStruct, scan.KUnion, scan.KOpaque, scan.KEnum:
		sort := container
		if r.Toks[i].Key == scan.KEnum {
			sort = choices
		}
		if k := r.brackets(i + 1); r.opens(k, '{') {
			r.announce(k, sort, -1)
		}
	case scan.KError:
		if r.opens(i+1, '{') {
			return r.Past(i + 1)
		}
	case scan.KTest:
		return r.test(i)
	case scan.KReturn:
		if r.depth > 0 {
			r.result(i)
		}
	case scan.KUsingnamespace:
		if r.Key(i+1) == scan.KAtImport {
			r.constant, r.value = -1, i+1
		}
	case scan.KAtImport, scan.KAtCInclude:
		r.imports(i)
	case scan.KAtCImport:
		r.included, r.includer = r.Pair(i+1), ""
		if i == r.value && r.constant >= 0 {
			r.includer = r.Str(r.constant)
		}
	}
	return i + 1
}

// brackets returns the token after the parentheses at token k, if there are any.
func (r *reader) brackets(k int) int {
	if r.opens(k, '(') {
		return r.Past(k)
	}
	return k
}

// name reads token i, a name.
func (r *reader) name(i int) int {
	k := i + 1
	if k >= len(r.Toks) || r.Src[r.Toks[i].At] == '@' && r.End(i) > r.At(i)+1 && r.Src[r.At(i)+1] != '"' {
		return k // a builtin
	}
	switch t := &r.Toks[k]; t.Kind {
	case scan.Open:
		switch r.Src[t.At] {
		case '(':
			if !r.label(i) {
				r.call(i, k, false)
			}
		case '{':
			if r.constructs(i, k) {
				r.call(i, k, true)
			}
		}
	case scan.Punct:
		if r.Src[t.At] == ':' && r.top().sort == container && i >= r.parens && r.begins(i) {
			return r.field(i)
		}
	}
	return k
}

// label reports whether token i says which block, or loop, a break is from.
func (r *reader) label(i int) bool {
	return r.sign(i-1, ':') && (r.Key(i-2) == scan.KBreak || r.Key(i-2) == scan.KContinue)
}

// begins reports whether a member of a container begins at token i.
func (r *reader) begins(i int) bool {
	if r.Key(i-1) == scan.KComptime {
		i--
	}
	if i == 0 {
		return true
	}
	switch r.Src[r.At(i-1)] {
	case '{', '}', ',', ';':
		return r.Kind(i-1) != scan.Text
	}
	return false
}

// field reads the field of a container that token i names.
func (r *reader) field(i int) int {
	end := r.typeEnd(i + 2)
	value := ""
	if r.sign(end, '=') {
		value = r.assigned(end + 1)
	}
	r.bind(i, r.Quote(i+2, r.unaligned(i+2, end)), value, 0)
	return i + 2
}

// constructs reports whether the brace k after the name i makes a literal of a
// type with that name.
func (r *reader) constructs(i, k int) bool {
	if r.announced(k) || r.label(i) || primitive(r.Bytes(i)) && !r.sign(i-1, '.') {
		return false
	}
	first := i
	for n := 0; r.sign(first-1, '.') && r.Kind(first-2) == scan.Word && n < maxChain; n++ {
		first -= 2
	}
	switch b := first - 1; {
	case r.sign(b, '.') && first == i:
		return r.operand(b - 1)
	case r.sign(b, ']') || r.Kind(b) == scan.Close && r.Src[r.At(b)] == ']':
		return false // an array of them
	case r.sign(b, '?'), r.Key(b) == scan.KConst, r.Key(b) == scan.KVolatile, r.Key(b) == scan.KAllowzero:
		return false
	case r.sign(b, '*'):
		return r.operand(b-1) && !(r.Kind(b-1) == scan.Close && r.Src[r.At(b-1)] == ']')
	}
	return true
}

// operand reports whether an expression may end with token i.
func (r *reader) operand(i int) bool {
	if i < 0 || i >= len(r.Toks) {
		return false
	}
	switch t := &r.Toks[i]; t.Kind {
	case scan.Word:
		return t.Key == 0 || builtins.Has(t.Key)
	case scan.Number, scan.Text, scan.Close:
		return true
	case scan.Punct:
		return t.End-t.At == 2 && r.Src[t.At] == '.' && r.Src[t.At+1] != '.'
	}
	return false
}

// call records that token i is called with what bracket k holds.
func (r *reader) call(i, k int, constructs bool) {
	args, any := 0, false
	end := min(r.Pair(k), len(r.Toks))
	for p := k + 1; p < end; p = r.Past(p) {
		if t := &r.Toks[p]; t.Kind == scan.Punct && r.Src[t.At] == ',' {
			args++
			any = false
		} else {
			any = true
		}
	}
	if any {
		args++
	}
	r.Out.Calls = append(r.Out.Calls, corpus.Call{Callee: r.Str(i), Receiver: r.receiver(i), At: r.At(i), Args: int16(min(args, 1000)), New: constructs})
}

// sign reports whether token i is the one byte c, as a sign.
func (r *reader) sign(i int, c byte) bool {
	if i < 0 || i >= len(r.Toks) {
		return false
	}
	t := &r.Toks[i]
	return t.Kind == scan.Punct && t.End-t.At == 1 && r.Src[t.At] == c
}

// opens reports whether token i is the bracket c.
func (r *reader) opens(i int, c byte) bool {
	return i >= 0 && i < len(r.Toks) && r.Toks[i].Kind == scan.Open && r.Src[r.Toks[i].At] == c
}

// named reports whether token i is a name.
func (r *reader) named(i int) bool {
	return i >= 0 && i < len(r.Toks) && r.Toks[i].Kind == scan.Word && r.Toks[i].Key == 0
}
