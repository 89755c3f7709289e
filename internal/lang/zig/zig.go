// Package zig reads Zig: functions and tests, the types that constants name, what
// is imported and called, and what is known of the types of names.
//
// Whatever the text, the spans of declarations lie in it and nest, the text at
// NameAt is the name, and it takes time linear in the text.
package zig

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// Read returns the facts of a Zig text.
func Read(src []byte) corpus.Facts {
	return grammar.Read(src, func(s *scan.Source) {
		r := &reader{Source: s, constant: -1, value: -1, included: -1}
		r.loose = !r.Balanced()
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
			if t.Key == 0 || r.Sign(i-1, '.') {
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
		if k := r.brackets(i + 1); r.Opens(k, '{') {
			r.announce(k, sort, -1)
		}
	case scan.KError:
		if r.Opens(i+1, '{') {
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
	if r.Opens(k, '(') {
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
	return r.Sign(i-1, ':') && (r.Key(i-2) == scan.KBreak || r.Key(i-2) == scan.KContinue)
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
	if r.Sign(end, '=') {
		value = r.assigned(end + 1)
	}
	r.bind(i, r.Quote(i+2, r.unaligned(i+2, end)), value, 0)
	return i + 2
}

// constructs reports whether the brace k after the name i makes a literal of a
// type with that name.
func (r *reader) constructs(i, k int) bool {
	if r.announced(k) || r.label(i) || primitive(r.Bytes(i)) && !r.Sign(i-1, '.') {
		return false
	}
	first := i
	for n := 0; r.Sign(first-1, '.') && r.Kind(first-2) == scan.Word && n < maxChain; n++ {
		first -= 2
	}
	switch b := first - 1; {
	case r.Sign(b, '.') && first == i:
		return r.operand(b - 1)
	case r.Sign(b, ']') || r.Kind(b) == scan.Close && r.Src[r.At(b)] == ']':
		return false // an array of them
	case r.Sign(b, '?'), r.Key(b) == scan.KConst, r.Key(b) == scan.KVolatile, r.Key(b) == scan.KAllowzero:
		return false
	case r.Sign(b, '*'):
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

// Where brackets are missing, those that are there pair with wrong ones. Functions
// stand in containers only, and what begins at the left margin in the file's.

// margin ends what is open before the declaration that begins at token i, if one
// begins there, at the left margin.
func (r *reader) margin(i int) {
	if at := r.At(i); at > 0 && r.Src[at-1] != '\n' || !r.item(i) {
		return
	}
	for k := 1; k < len(r.frames); k++ {
		if !r.Closed(r.frames[k].open) {
			r.recover(i, func(fr *frame) bool { return fr == &r.frames[k-1] })
			return
		}
	}
}

// recover ends what is open before token i, up to a frame that keep says may go on.
func (r *reader) recover(i int, keep func(*frame) bool) {
	n := len(r.frames)
	for n > 1 && !keep(&r.frames[n-1]) {
		n--
	}
	if n == len(r.frames) {
		return
	}
	start, _, _ := r.start(i)
	end := r.End(start - 1)
	from := r.frames[n].made
	if d := r.frames[n].decl; d >= 0 {
		from = min(from, d)
	}
	for k := from; k < len(r.Out.Decls); k++ {
		d := &r.Out.Decls[k]
		d.Span.End = max(min(d.Span.End, end), d.NameAt+len(d.Name))
		d.Body = min(d.Body, d.Span.End)
	}
	for len(r.frames) > n {
		r.pop()
	}
	r.parens = 0
	r.Out.Missed++
}

// Tokens cuts a source text into its tokens.
func Tokens(src []byte) *scan.Source { return grammar.Tokens(src) }
