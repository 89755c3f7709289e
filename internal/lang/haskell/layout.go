package haskell

import (
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// The kinds of context.
type kind uint8

const (
	top      kind = iota // the declarations of the module
	class                // those of a class
	instance             // those of an instance
	binds                // behind let or where
	stmts                // behind do
	alts                 // behind of
	types                // behind where of a type
	paren                // ( or [
	brace                // { of a record
)

// The modes that tokens are read in.
type mode uint8

const (
	expr mode = iota
	head      // what is bound: up to = or |
	skip      // types, patterns of a lambda
)

// A context is a block or a bracket under way.
type context struct {
	kind   kind
	column int // that its items begin at; 0 where it has braces, or is a bracket
	mode   mode
	base   mode // of its items
	where  kind // what a where of its item begins
	guard  bool // between | and = of its item
	lambda bool // between \ and ->

	ifs, cases, lets int // that wait for what belongs to them

	head    int  // the variable that an application begins with, or -1
	args    int  // that it was given
	fresh   bool // an application may begin
	start   bool // at the beginning of a statement
	started bool // the application did begin there
	before  byte // what is before the application: 0 nothing, '$', or another operator: 'o'
	skips   bool // the next atom is a type

	from  int // the token that a part of a bracket begins with
	name  int // the variable that x <- binds
	decl  int // of the item: its index + 1
	prev  int // of the item before
	owner int // of what the block is of: its index + 1

	sigs  map[string]*signature
	order []*signature // those of a class
	said  []*signature // what the item says
	last  []*signature // what the item before said
}

// A signature is what name :: type says.
type signature struct {
	name, from, to int // tokens: to is where the item ends
	start          int // offset, with the comment
	doc            corpus.Span
	alone          bool // it is for no other name
	bound          bool
}

// A reader is a text under way.
type reader struct {
	*scan.Source
	stack   []context
	exports map[string]bool // nil where everything is exported
	modules map[string]bool // that are exported as a whole
	last    int             // offset, and its column
	lastCol int
	opens   bool // the next token begins a block
	kind    kind // of that block
	owner   int
	arrows  bool // proc is a keyword
	static  bool // static is one
}

const maxStack = 400

func (r *reader) top() *context { return &r.stack[len(r.stack)-1] }

// column returns the column of token i, from 1. It is asked from the first to the
// last.
func (r *reader) column(i int) int {
	at := r.At(i)
	if at < r.last {
		return r.lastCol
	}
	for k := r.last; k < at; k++ {
		switch c := r.Src[k]; {
		case c == '\n':
			r.lastCol = 1
		case c == '\t':
			r.lastCol += 8 - (r.lastCol-1)%8
		case c&0xC0 != 0x80:
			r.lastCol++
		}
	}
	r.last = at
	return r.lastCol
}

func (r *reader) read() {
	r.lastCol = 1
	r.stack = append(r.stack, context{kind: top, head: -1, name: -1})
	i := r.header()
	r.begins(top)
	for i < len(r.Toks) {
		if r.opens {
			r.opens = false
			if r.open(i) {
				i++
				continue
			}
		} else if r.Toks[i].Line {
			r.layout(i)
		}
		i = r.token(i)
	}
	for len(r.stack) > 0 {
		r.pop(i)
	}
	r.passOn()
}

// begins says that the next token begins a block.
func (r *reader) begins(k kind) {
	r.opens, r.kind = true, k
	r.owner = r.top().decl
}

// open begins a block at token i, and reports whether i was its brace.
func (r *reader) open(i int) bool {
	c := context{kind: r.kind, owner: r.owner, head: -1, name: -1, fresh: true}
	if r.Is(i, "{") {
		r.push(c)
		r.item(i + 1)
		return true
	}
	around := 0
	for k := len(r.stack) - 1; k >= 0; k-- {
		if k := &r.stack[k]; k.kind != paren {
			around = k.column
			break
		}
	}
	if c.column = r.column(i); c.column <= around {
		r.layout(i)
		return false
	}
	r.push(c)
	r.item(i)
	return false
}

func (r *reader) push(c context) {
	if len(r.stack) < maxStack {
		r.stack = append(r.stack, c)
	}
}

// layout reads what the column of token i, the first of its line, ends and begins.
func (r *reader) layout(i int) {
	column := r.column(i)
	key := r.Key(i)
	for len(r.stack) > 1 {
		c := r.top()
		switch {
		case c.kind == paren:
			// Nothing that goes on can stand so far left.
			if column > r.around() || r.Kind(i) == scan.Close || key == scan.KThen || key == scan.KElse || key == scan.KOf || key == scan.KIn {
				return
			}
			r.pop(i)
		case c.kind == brace || c.column == 0:
			if c.kind != brace || column > r.stack[1].column || !r.begun(i) {
				return
			}
			r.pop(i)
		case column < c.column && len(r.stack) > 2:
			r.pop(i)
		case column <= c.column:
			switch {
			case key == scan.KThen || key == scan.KElse || key == scan.KOf:
			case key == scan.KWhere && (c.kind == stmts || c.kind == alts):
				r.pop(i)
				continue
			default:
				r.item(i)
			}
			return
		default:
			return
		}
	}
}

// begun reports whether token i, which stands as far left as a declaration, begins
// one and not a field.
func (r *reader) begun(i int) bool {
	switch {
	case r.Kind(i) != scan.Word:
		return false
	case r.Key(i) != 0:
		return r.Key(i) != scan.KThen && r.Key(i) != scan.KElse && r.Key(i) != scan.KOf && r.Key(i) != scan.KIn
	}
	switch string(r.Bytes(i + 1)) {
	case "::", ",", "=", "}", ".":
		return false
	}
	return true
}

// around returns the column of the innermost block.
func (r *reader) around() int {
	for k := len(r.stack) - 1; k >= 0; k-- {
		if c := &r.stack[k]; c.kind != paren {
			return c.column
		}
	}
	return 0
}

// pop ends the innermost context before token i.
func (r *reader) pop(i int) {
	c := r.top()
	r.finish(i)
	if c.kind == class {
		r.abstract(c)
	}
	r.stack = r.stack[:len(r.stack)-1]
}

// finish ends an item of the innermost context before token i.
func (r *reader) finish(i int) {
	r.ends(true)
	c := r.top()
	end := r.End(i - 1)
	if i == 0 {
		end = 0
	}
	if c.decl > 0 {
		d := &r.Out.Decls[c.decl-1]
		d.Span.End = max(d.Span.End, min(end, len(r.Src)))
		if d.Body > d.Span.End || d.Body == 0 {
			d.Body = d.Span.End
		}
	}
	for _, s := range c.said {
		s.to = i
	}
}

// item begins an item of the innermost context at token i.
func (r *reader) item(i int) {
	r.finish(i)
	c := r.top()
	c.mode, c.where, c.guard, c.ifs, c.cases, c.lets = expr, binds, false, 0, 0, 0
	c.fresh, c.start, c.before, c.name, c.skips, c.lambda = true, true, 0, -1, false, false
	c.prev, c.decl, c.last, c.said = c.decl, 0, c.said, nil
	switch c.kind {
	case top, class, instance:
		r.declaration(i)
	case binds:
		c.mode = head
	case types:
		c.mode = skip
	}
	c = r.top()
	c.base = c.mode
}

// variable reports whether token i is a name that begins with a small letter.
func (r *reader) variable(i int) bool {
	if i < 0 || i >= len(r.Toks) || r.Toks[i].Kind != scan.Word || r.Toks[i].Key != 0 {
		return false
	}
	c := r.Src[r.Toks[i].At]
	if c >= 0x80 {
		return !upper(r.Bytes(i))
	}
	return c >= 'a' && c <= 'z' || c == '_' && r.Toks[i].End-r.Toks[i].At > 1
}

// constructor reports whether token i is a name that begins with a capital.
func (r *reader) constructor(i int) bool {
	if i < 0 || i >= len(r.Toks) || r.Toks[i].Kind != scan.Word {
		return false
	}
	c := r.Src[r.Toks[i].At]
	return c >= 'A' && c <= 'Z' || c >= 0x80 && upper(r.Bytes(i))
}

func upper(b []byte) bool {
	c, _ := utf8.DecodeRune(b)
	return unicode.IsUpper(c)
}

// qualified returns the token that ends the name that begins at token i: of M.N.f
// it is f.
func (r *reader) qualified(i int) int {
	for r.constructor(i) && r.Adjacent(i) && r.Is(i+1, ".") && r.Adjacent(i+1) && r.Kind(i+2) == scan.Word {
		i += 2
	}
	return i
}
