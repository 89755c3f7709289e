// Package shell reads Bash and POSIX shell: functions, the commands that are
// called by their names, what is sourced, and assignments.
//
// Whatever the text, the spans of declarations lie in it, the text at NameAt is
// the name, and it takes time linear in the text.
//
// It does not stand on the tokens of package scan: whether a word is a keyword, a
// command or a pattern, and what a quote begins, depends on the commands around.
package shell

import (
	"bytes"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// Read returns the facts of a shell text.
func Read(src []byte) corpus.Facts {
	r := &reader{src: src, end: len(src), budget: 8 * len(src)}
	r.all()
	if r.broken {
		r = &reader{src: src, end: len(src), budget: 8 * len(src), repair: true}
		r.all()
		r.out.Missed++
	}
	scan.Settle(&r.out)
	return r.out
}

// A reader is a text under way.
type reader struct {
	src      []byte
	pos, end int // end of what is read now: the text, a heredoc, what backquotes hold
	out      corpus.Facts
	depth    int
	blocks   []block
	here     []heredoc
	cmd      command
	function int // the function whose body comes next: its index + 1
	inside   int // how many functions are open
	comments corpus.Span
	names    map[string]bool // variables that were declared
	broken   bool
	// With repair, a function at the left edge shows that what is open was left open.
	repair bool
	unwind bool // it was seen inside of brackets or quotes
	budget int  // bytes that may be read more than once
}

const maxDepth = 200

// A block is a compound command under way.
type block struct {
	kind     byte // { ( or the first letter of: if, do, case
	column   int
	function int // whose body it is: its index + 1
}

// What the next word of a command is.
type state uint8

const (
	first state = iota // a command, a keyword or an assignment
	after              // nothing but a keyword: behind a compound command
	rest               // an argument
)

// A command is a simple command under way.
type command struct {
	state       state
	call        int  // its index + 1
	args        int  // words so far
	source      bool // its first argument is a text to read
	declares    bool // its arguments are assignments: local, export
	constant    bool
	conditional bool // it stands behind && or ||
}

func (r *reader) all() {
	r.names = map[string]bool{}
	for r.pos < r.end {
		r.commands(0)
		r.unwind = false
	}
	if len(r.blocks) > 0 {
		r.broken = true
		r.drop(0, r.end)
	}
}

// The classes of bytes.
const (
	ordinary byte = iota
	blank
	newline
	operator // ; & |
	angle    // < >
	special  // what a word must look at
	bracket
)

var classes = func() (t [256]byte) {
	for _, c := range []byte(" \t\r\v\f") {
		t[c] = blank
	}
	t['\n'] = newline
	for _, c := range []byte(";&|") {
		t[c] = operator
	}
	for _, c := range []byte("()") {
		t[c] = bracket
	}
	t['<'], t['>'] = angle, angle
	for _, c := range []byte("\\'\"$`=[") {
		t[c] = special
	}
	return t
}()

// commands reads commands up to the bracket that closes them; 0 is the end.
func (r *reader) commands(closer byte) {
	outer, base := r.cmd, len(r.blocks)
	r.cmd = command{}
	for r.pos < r.end && !r.unwind {
		c := r.src[r.pos]
		switch classes[c] {
		case blank:
			r.pos++
		case newline:
			r.pos++
			r.finish()
			r.heredocs()
		case operator:
			r.operator(c, base)
		case angle:
			if r.peek(1) == '(' {
				r.next(closer, base)
			} else {
				r.redirect()
			}
		case bracket:
			if c == ')' && closer == ')' {
				r.finish()
				r.drop(base, r.pos)
				r.pos++
				r.cmd = outer
				return
			}
			r.paren(c)
		default:
			if c == '#' {
				r.comment()
			} else if c == '\\' && r.peek(1) == '\n' {
				r.pos += 2
			} else {
				r.next(closer, base)
			}
		}
	}
	r.finish()
	if closer != 0 {
		r.broken = true
		r.drop(base, r.pos)
	}
	r.cmd = outer
}

// peek returns the byte n after the next one; 0 where there is none.
func (r *reader) peek(n int) byte {
	if r.pos+n < r.end {
		return r.src[r.pos+n]
	}
	return 0
}

// finish ends a simple command.
func (r *reader) finish() {
	if r.cmd.call > 0 {
		r.out.Calls[r.cmd.call-1].Args = int16(min(r.cmd.args, 1000))
	}
	r.cmd = command{}
}

func (r *reader) operator(c byte, base int) {
	second := r.peek(1)
	if c == '&' && second == '>' {
		r.pos++
		r.redirect()
		return
	}
	r.finish()
	r.pos++
	switch {
	case c == ';' && (second == ';' || second == '&'):
		r.pos++
		if second == ';' && r.peek(0) == '&' {
			r.pos++
		}
		for n := len(r.blocks) - 1; n >= base; n-- {
			if r.blocks[n].kind == 'c' {
				r.drop(n+1, r.pos)
				r.patterns()
				break
			}
		}
	case second == c:
		r.pos++
		r.cmd.conditional = true
	case c == '|' && second == '&':
		r.pos++
	}
}

// paren reads a bracket where a command is expected.
func (r *reader) paren(c byte) {
	if c == ')' || r.cmd.state == rest {
		r.pos++
		return
	}
	f := r.body()
	if r.peek(1) == '(' {
		if end := r.arithmeticEnd(r.pos + 2); end > 0 {
			r.pos += 2
			r.arithmetic(end)
			r.cmd.state = after
			r.ends(f, r.pos)
			return
		}
	}
	r.pos++
	if r.depth < maxDepth {
		r.depth++
		r.open(block{kind: '(', function: f})
		n := len(r.blocks)
		r.commands(')')
		r.drop(n-1, r.pos)
		r.depth--
	}
	r.cmd.state = after
}

// comment reads a comment; those that follow each other on lines of their own are
// one.
func (r *reader) comment() {
	start := r.pos
	if n := bytes.IndexByte(r.src[r.pos:r.end], '\n'); n >= 0 {
		r.pos += n
	} else {
		r.pos = r.end
	}
	for k := start - 1; k >= 0 && k > start-200; k-- {
		if r.src[k] == '\n' {
			break
		} else if classes[r.src[k]] != blank {
			return
		}
	}
	if start == 0 && r.peek(1-r.pos) == '!' {
		return
	}
	if !r.directly(start) {
		r.comments.Start = start
	}
	r.comments.End = r.pos
}

// directly reports whether an offset is on the line after the last comment.
func (r *reader) directly(at int) bool {
	if r.comments.End == 0 || at < r.comments.End || at > r.comments.End+200 {
		return false
	}
	gap := r.src[r.comments.End:at]
	return bytes.Count(gap, []byte("\n")) == 1 && len(bytes.TrimSpace(gap)) == 0
}

// column returns the indentation of the line of an offset.
func (r *reader) column(at int) int {
	column := 0
	for k := at - 1; k >= 0 && r.src[k] != '\n'; k-- {
		if column++; classes[r.src[k]] != blank {
			column = 0
		}
		if k < at-200 {
			return 200
		}
	}
	return column
}
