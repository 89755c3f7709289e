package rust

import (
	"github.com/assay-dev/assay/internal/lang/scan"
)

// A file is a text under way.
type file struct {
	*scan.Source
	frames []frame
	ended  frame // the head that ended last
	depth  int   // of functions
	loose  bool  // brackets are missing
	attrs  attributes
}

type sort uint8

const (
	block   sort = iota
	module       // items
	foreign      // items of extern
	class        // items of an impl or a trait
	body         // of a function
	variants
	arms
	head   // of if, while, for, match and items: it ends before their block
	types  // where only lengths of arrays are expressions
	length // an array's type, up to its sign
	tested // the arguments of matches!
)

// A frame is a bracket, or another stretch of tokens, under way.
type frame struct {
	end   int    // the token that it ends before
	open  int    // the token of its bracket, or -1
	decl  int32  // the index of the declaration that it is the body of, or -1
	sort  sort   // what is in it
	heads bool   // a block comes after it
	then  sort   // what is in that block
	item  sort   // the innermost sort of block with items around
	macro bool   // it is in a macro's arguments
	state state  // of an arm, or of a variant
	block bool   // the arm is an expression that no comma needs to end
	made  int    // how many declarations there were when it began
	from  int    // the first token of the statement under way, of a body
	semi  int    // the end of a statement that was looked for
	chain string // what is matched
	shown bool   // what is in it is as visible as it
}

type state uint8

const (
	pattern state = iota
	guard
	value
	broken
)

const maxFrames = 5000

func (f *file) top() *frame { return &f.frames[len(f.frames)-1] }

// push puts a frame on the stack. Frames nest: one that its text leaves open ends
// with the one around it.
func (f *file) push(fr frame) {
	n := len(f.frames)
	fr.made = len(f.Out.Decls)
	if n >= maxFrames {
		f.Out.Missed++
		return
	}
	if n > 0 {
		around := &f.frames[n-1]
		fr.end = min(fr.end, around.end)
		fr.macro = fr.macro || around.macro
		fr.item = around.item
	}
	switch fr.sort {
	case module, foreign, class, body:
		fr.item = fr.sort
	}
	if fr.sort == body {
		f.depth++
	}
	f.frames = append(f.frames, fr)
}

func (f *file) pop() {
	fr := f.frames[len(f.frames)-1]
	f.frames = f.frames[:len(f.frames)-1]
	switch fr.sort {
	case body:
		f.depth--
		if fr.from < fr.end {
			f.result(fr.from, fr.end)
		}
	case head, types:
		f.ended = fr
	}
}

func (f *file) read() {
	f.loose = !f.Balanced()
	for i := 0; i < len(f.Toks); {
		for f.top().end <= i {
			f.pop()
		}
		t := &f.Toks[i]
		if f.loose && t.Line && len(f.frames) > 1 && f.item(i) {
			f.recover(i)
		}
		switch sort := f.top().sort; {
		case sort == types || sort == length:
			i = f.typed(i)
			continue
		case sort == variants && f.top().state != value:
			i = f.variant(i)
			continue
		}
		switch t.Kind {
		case scan.Word:
			if t.Key == 0 || t.Key == scan.KSelfType {
				i = f.word(i)
			} else {
				i = f.keyword(i)
			}
		case scan.Open:
			i = f.open(i)
		case scan.Close:
			i = f.close(i)
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

// typed reads token i where a type is.
func (f *file) typed(i int) int {
	switch t := &f.Toks[i]; {
	case t.Kind == scan.Open:
		switch f.Src[t.At] {
		case '[':
			f.push(frame{end: f.Pair(i), open: i, sort: length, decl: -1})
		case '{':
			f.push(frame{end: f.Pair(i), open: i, decl: -1})
		default:
			f.push(frame{end: f.Pair(i), open: i, sort: types, decl: -1})
		}
	case t.Kind == scan.Punct && f.Src[t.At] == ';' && f.top().sort == length:
		f.top().sort = block
	case t.Kind == scan.Punct && f.Src[t.At] == '#' && f.Opens(i+1, '['):
		return f.Past(i + 1)
	case t.Kind == scan.Word && t.Key == 0 && f.Sign(i+1, '!') && f.Kind(i+2) == scan.Open && i+2 < len(f.Toks):
		f.call(i, i+2, false)
		return f.Past(i + 2)
	}
	return i + 1
}

// variant reads token i of an enum.
func (f *file) variant(i int) int {
	switch t := &f.Toks[i]; {
	case t.Kind == scan.Open:
		f.push(frame{end: f.Pair(i), open: i, sort: types, decl: -1})
	case f.Sign(i, '#') && f.Opens(i+1, '['):
		return f.Past(i + 1)
	case f.Sign(i, '='):
		f.top().state = value
	}
	return i + 1
}

func (f *file) open(i int) int {
	fr := frame{end: f.Pair(i), open: i, decl: -1}
	if e := &f.ended; e.heads && e.end == i && f.Src[f.Toks[i].At] == '{' {
		fr.sort, fr.decl, fr.chain, fr.shown, fr.from = e.then, e.decl, e.chain, e.shown, i+1
		f.ended = frame{}
		f.push(fr)
		if fr.sort == arms {
			return f.arm(i + 1)
		}
		return i + 1
	}
	f.push(fr)
	return i + 1
}

func (f *file) close(i int) int {
	fr := f.top()
	if f.Src[f.Toks[i].At] != '}' {
		return i + 1
	}
	switch fr.sort {
	case body:
		if i+1 < fr.end && !f.goes(i+1) {
			fr.from = i + 1
		}
	case arms:
		if fr.state == value && fr.block && !f.goes(i+1) && !f.Sign(i+1, ',') {
			return f.arm(i + 1)
		}
	}
	return i + 1
}

// goes reports whether an expression that a block ends goes on at token i.
func (f *file) goes(i int) bool {
	return f.Sign(i, '.') || f.Sign(i, '?') || f.Key(i) == scan.KElse
}

func (f *file) punct(i int) int {
	t := &f.Toks[i]
	fr := f.top()
	switch f.Src[t.At] {
	case '#':
		if f.Opens(i+1, '[') || f.Sign(i+1, '!') && f.Opens(i+2, '[') {
			return f.attribute(i)
		}
	case ';':
		if fr.sort == body {
			fr.from = i + 1
		}
	case ',':
		switch {
		case fr.sort == arms && fr.state == value:
			return f.arm(i + 1)
		case fr.sort == variants:
			fr.state = pattern
		case fr.sort == tested && fr.state == pattern:
			fr.state = value
			return f.testedPattern(i + 1)
		}
	case '=':
		if fr.sort == arms && fr.state == guard && f.Is(i, "=>") {
			return f.arrow(i + 1)
		}
	case '|':
		if t.End-t.At == 1 && !f.operand(i-1) {
			return f.closure(i, true)
		}
	case '-':
		if f.Is(i, "->") {
			return f.typeEnd(i + 1)
		}
	case '<':
		if t.End-t.At == 1 && !f.operand(i-1) {
			if after := f.angle(i); after > i {
				return after
			}
		}
	}
	return i + 1
}

// operand reports whether an expression may end with token i, so that an operator
// follows.
func (f *file) operand(i int) bool {
	if i < 0 {
		return false
	}
	t := &f.Toks[i]
	switch t.Kind {
	case scan.Word:
		switch t.Key {
		case 0, scan.KSelf, scan.KSelfType, scan.KTrue, scan.KFalse, scan.KAwait, scan.KCrate, scan.KSuper:
			return true
		}
		return false
	case scan.Number, scan.Text:
		return true
	case scan.Close:
		// After a block, a line that begins with < begins a statement.
		return f.Src[t.At] != '}' || !f.Line(i+1)
	}
	return t.Kind == scan.Punct && f.Src[t.At] == '?'
}

// path reports whether token i is "::".
func (f *file) path(i int) bool {
	if i < 0 || i >= len(f.Toks) {
		return false
	}
	t := &f.Toks[i]
	return t.Kind == scan.Punct && t.End-t.At == 2 && f.Src[t.At] == ':'
}

// Where brackets are missing, those that are there pair with wrong ones. Items at
// the left margin show where the next one begins.

// item reports whether token i, the first of its line, is at the left margin and
// begins an item.
func (f *file) item(i int) bool {
	if at := f.At(i); at > 0 && f.Src[at-1] != '\n' {
		return false
	}
	switch f.Toks[i].Key {
	case scan.KFn, scan.KStruct, scan.KEnum, scan.KTrait, scan.KImpl, scan.KMod, scan.KUse, scan.KConst, scan.KStatic, scan.KType, scan.KExtern, scan.KPub:
		return true
	case scan.KUnsafe, scan.KAsync:
		return !f.Opens(i+1, '{') && f.Key(i+1) != scan.KMove
	}
	return f.Sign(i, '#') && f.Opens(i+1, '[')
}

// recover ends what is open before the item at token i: all but modules and
// macros that have a closing bracket.
func (f *file) recover(i int) {
	n := len(f.frames)
	for k := 1; k < len(f.frames); k++ {
		fr := &f.frames[k]
		if fr.open >= 0 && !f.Closed(fr.open) || !fr.macro && fr.sort != module && fr.sort != foreign {
			n = k
			break
		}
	}
	if n == len(f.frames) {
		return
	}
	from := f.frames[n].made
	if from > 0 && !f.holds(n, from-1) {
		from-- // its own
	}
	end := f.End(i - 1)
	for k := from; k < len(f.Out.Decls); k++ {
		d := &f.Out.Decls[k]
		d.Span.End = max(min(d.Span.End, end), d.NameAt+len(d.Name))
		d.Body = min(d.Body, d.Span.End)
	}
	for len(f.frames) > n {
		f.top().from = len(f.Toks) // it has no result
		f.pop()
	}
	f.ended = frame{}
	f.Out.Missed++
}

// holds reports whether one of the first n frames is the body of a declaration.
func (f *file) holds(n, decl int) bool {
	for k := range f.frames[:n] {
		if int(f.frames[k].decl) == decl {
			return true
		}
	}
	return false
}
