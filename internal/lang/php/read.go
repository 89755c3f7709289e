package php

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// A file is a text under way.
type file struct {
	*scan.Source
	frames   []frame
	depth    int // of functions
	params   int // the token that ends the parameters under way
	made     int // the token that names what is constructed
	expected int // the token that the body of a declaration begins with
	body     frame
	prop     property
	attr     attributes
	seen     map[string]bool // variables at top level
}

type sort uint8

const (
	block sort = iota
	class
	function
	arrow
	attribute
	space // of a namespace
)

// A frame is a bracket or an expression under way.
type frame struct {
	end  int // the token that it ends before
	sort sort
	decl int // or -1
}

// A property is what was said before the names of properties.
type property struct {
	typ    string
	static bool
}

// Attributes are those that wait for their declaration.
type attributes struct {
	from, next int // tokens: where they begin, and where the declaration must
	marks      []string
}

// keys makes the keywords the same, however they are written, and members that
// have the name of one mere words.
func (f *file) keys() {
	for i := range f.Toks {
		t := &f.Toks[i]
		if t.Key == 0 {
			continue
		}
		switch {
		case i > 0 && f.access(i-1):
			t.Key = 0
		case f.Sign(i+1, ':') && (f.Sign(i-1, '(') || f.Sign(i-1, ',')): // the name of an argument
			t.Key = 0
		case t.Key == scan.KEnum && (!f.Word(i+1) || f.Src[f.Toks[i+1].At] == '$'):
			t.Key = 0
		}
	}
}

// access reports whether token i stands between a thing and its member.
func (f *file) access(i int) bool {
	if i < 0 || i >= len(f.Toks) {
		return false
	}
	t := &f.Toks[i]
	if t.Kind != scan.Punct {
		return false
	}
	switch t.End - t.At {
	case 2:
		return f.Src[t.At+1] == '>' && f.Src[t.At] == '-' || f.Src[t.At+1] == ':' && f.Src[t.At] == ':'
	case 3:
		return f.Src[t.At] == '?' && f.Src[t.At+1] == '-'
	}
	return false
}

// variable reports whether token i is a variable.
func (f *file) variable(i int) bool { return f.Name(i) && f.Src[f.Toks[i].At] == '$' }

func (f *file) top() sort {
	if n := len(f.frames); n > 0 {
		return f.frames[n-1].sort
	}
	return space
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
	if fr.sort == function || fr.sort == arrow {
		f.depth++
	}
	f.frames = append(f.frames, fr)
}

// pop takes the innermost frame off the stack.
func (f *file) pop() frame {
	fr := f.frames[len(f.frames)-1]
	f.frames = f.frames[:len(f.frames)-1]
	if fr.sort == function || fr.sort == arrow {
		f.depth--
	}
	return fr
}

func (f *file) read() {
	for i := 0; i < len(f.Toks); {
		for n := len(f.frames); n > 0 && f.frames[n-1].end <= i; n-- {
			f.pop()
		}
		t := &f.Toks[i]
		switch t.Kind {
		case scan.Word:
			if t.Key == 0 || i == f.made {
				f.used(i)
				i++
			} else {
				i = f.keyword(i)
			}
		case scan.Open:
			f.open(i)
			i++
		case scan.Punct:
			if f.Src[t.At] == '=' {
				f.equals(i)
			}
			i++
		default:
			i++
		}
	}
}

func (f *file) open(i int) {
	switch f.Src[f.Toks[i].End-1] {
	case '{':
		fr := frame{decl: -1}
		if i == f.expected {
			fr = f.body
		}
		fr.end = f.Pair(i)
		f.push(fr)
	case '[':
		if f.Src[f.Toks[i].At] == '#' {
			f.attributes(i)
		}
	case '(':
		if f.top() == attribute {
			f.push(frame{end: f.Pair(i), decl: -1})
		}
	}
}

// attributes reads #[…], and makes the declaration behind it know.
func (f *file) attributes(i int) {
	end := f.Pair(i)
	if f.attr.next != i {
		f.attr = attributes{from: i}
	}
	f.attr.next = f.Past(i)
	for _, p := range f.Split(i, ",", false) {
		f.attr.marks = append(f.attr.marks, f.Quote(p[0], p[1]))
	}
	f.push(frame{end: end, sort: attribute, decl: -1})
}

// attributed returns the token that a declaration begins with, which begins at
// token i but for its attributes, and those.
func (f *file) attributed(i int) (from int, marks []string) {
	if i > 0 && f.attr.next == i {
		return f.attr.from, f.attr.marks
	}
	return i, nil
}

// equals reads an assignment to a variable or a property.
func (f *file) equals(i int) {
	if f.Sign(i-1, ']') && f.Pair(i-1) >= 0 && f.Sign(i, '=') {
		if p := f.Pair(i - 1); p == 0 || f.Sign(p-1, ';') || f.Sign(p-1, '{') || f.Sign(p-1, '}') {
			f.destructured(p)
		}
		return
	}
	if !f.Sign(i, '=') || i < f.params || f.top() == class || !f.Name(i-1) {
		return
	}
	name := ""
	switch {
	case f.access(i - 2):
		if from := f.start(i - 1); from < i-1 {
			if c, next := f.chain(from, 0); next == i {
				name = c
			}
		}
	case f.variable(i - 1):
		name = f.Str(i - 1)
	}
	if name != "" {
		f.BindAs(name, "", f.value(i+1), f.At(i-1), 0)
		f.global(i)
	}
}

// start returns the token that the chain begins with that ends with word i, where
// it is one of names only; i where it is not.
func (f *file) start(i int) int {
	k := i
	for range maxParts {
		if !f.access(k - 1) {
			return k
		}
		if !f.Word(k - 2) {
			return i
		}
		k -= 2
	}
	return i
}

// global declares the variable that is assigned at the top level by the sign at
// token i, in a statement of its own.
func (f *file) global(i int) {
	if f.top() != space || !f.variable(i-1) || f.access(i-2) || i > 1 && !f.Sign(i-2, ';') && !f.Sign(i-2, '}') {
		return
	}
	if k := i + 1; f.Key(k) == scan.KFunction || f.Key(k) == scan.KFn || f.Key(k) == scan.KStatic {
		return
	}
	name := f.Str(i - 1)
	if f.seen[name] {
		return
	}
	if f.seen == nil {
		f.seen = map[string]bool{}
	}
	f.seen[name] = true
	end := f.End(i - 1)
	f.Out.Decls = append(f.Out.Decls, corpus.Decl{Kind: corpus.Variable, Name: name, NameAt: f.At(i - 1), Exported: true, Span: corpus.Span{Start: f.At(i - 1), End: end}, Body: end})
}
