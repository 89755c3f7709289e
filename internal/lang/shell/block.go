package shell

import (
	"bytes"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
)

func (r *reader) open(b block) {
	b.column = r.column(r.pos)
	if b.function > 0 {
		r.inside++
	}
	r.blocks = append(r.blocks, b)
}

// drop ends all blocks from the keep-th on, at an offset.
func (r *reader) drop(keep, at int) {
	for n := len(r.blocks) - 1; n >= keep; n-- {
		if f := r.blocks[n].function; f > 0 {
			r.inside--
			r.ends(f, at)
		}
		r.blocks = r.blocks[:n]
	}
}

// body returns the function that waits for the compound command that begins here.
func (r *reader) body() int {
	f := r.function
	if r.function = 0; f > 0 {
		r.out.Decls[f-1].Body = r.pos
	}
	return f
}

// ends says where a function ends.
func (r *reader) ends(f, at int) {
	if f == 0 {
		return
	}
	d := &r.out.Decls[f-1]
	d.Span.End = max(at, d.Span.End)
	if d.Body < d.NameAt+len(d.Name) {
		d.Body = d.Span.End
	}
}

// closes ends the innermost block of a kind, if one is open beyond base.
func (r *reader) closes(kind byte, base int, w word) {
	r.cmd.state = after
	for n := len(r.blocks) - 1; n >= base; n-- {
		if r.blocks[n].kind != kind {
			continue
		}
		if n < len(r.blocks)-1 {
			r.broken = true
			if column := r.column(w.start); r.repair && column < r.blocks[n].column && r.blocks[n].function > 0 {
				continue // it closes what was opened where it stands
			}
		}
		r.drop(n+1, w.start)
		r.drop(n, w.end)
		return
	}
	r.broken = true
}

// keyword reads what follows a keyword, and reports whether w is one.
func (r *reader) keyword(w word, base int) bool {
	text := r.src[w.start:w.end]
	if len(text) > 8 || r.cmd.state == rest {
		return false
	}
	starts := func(kind byte) {
		at := r.pos
		r.pos = w.start
		f := r.body()
		r.open(block{kind: kind, function: f})
		r.pos = at
		r.cmd.state = first
	}
	switch string(text) {
	case "if":
		starts('i')
	case "while", "until":
		starts('d')
	case "{":
		starts('{')
	case "then", "elif", "else", "do", "!":
		r.cmd.state = first
	case "fi":
		r.closes('i', base, w)
	case "done":
		r.closes('d', base, w)
	case "esac":
		r.closes('c', base, w)
	case "}":
		r.closes('{', base, w)
	case "for", "select":
		starts('d')
		r.loop()
	case "case":
		starts('c')
		r.cases()
	case "[[":
		r.pos = w.start
		f := r.body()
		r.pos = w.end
		r.test()
		r.cmd.state = after
		r.ends(f, r.pos)
	case "function":
		r.skip(false)
		name := r.word()
		if name.plain && name.end > name.start {
			r.empty()
			r.define(w.start, name.start, name.end, corpus.Function)
		}
		r.cmd.state = first
	case "time":
		if r.skip(false); r.peek(0) == '-' && r.peek(1) == 'p' && classes[r.peek(2)] == blank {
			r.pos += 2
		}
		r.cmd.state = first
	case "coproc":
		r.coproc()
	case "@test":
		r.bats(w)
	default:
		return false
	}
	return true
}

// bats reads @test "name" {.
func (r *reader) bats(w word) {
	r.skip(false)
	name := r.word()
	start, end := name.start, name.end
	quote := byte(0)
	if end-start > 2 && r.src[start] == r.src[end-1] {
		quote = r.src[start]
	}
	inside := r.src[min(start+1, end):max(end-1, min(start+1, end))]
	switch {
	case quote == '"' && !bytes.ContainsAny(inside, "\\\"$`\n"), quote == '\'' && !bytes.ContainsAny(inside, "\\'\n"):
		start, end = start+1, end-1
	case !name.plain || end == start:
		r.cmd.state = first
		return
	}
	r.define(w.start, start, end, corpus.TestCase)
}

// coproc reads coproc NAME { … }, where NAME is no command.
func (r *reader) coproc() {
	r.skip(false)
	at := r.pos
	name := r.word()
	r.skip(false)
	if c := r.peek(0); !name.plain || name.end == name.start || c != '(' && !(c == '{' && classes[r.peek(1)] != ordinary) || r.src[name.start] == '{' {
		r.pos = at
	}
	r.cmd.state = first
}

// define adds a function; its body comes next.
func (r *reader) define(start, from, to int, kind corpus.Kind) {
	name := string(r.src[from:to])
	d := corpus.Decl{Kind: kind, Name: name, NameAt: from, Span: corpus.Span{Start: start, End: max(r.pos, to)}, Body: max(r.pos, to),
		Exported: !strings.HasPrefix(name, "_")}
	d.Traits.AddIf(r.inside > 0, corpus.Local)
	if r.directly(start) {
		d.Doc, d.Span.Start = r.comments, r.comments.Start
	}
	r.out.Decls = append(r.out.Decls, d)
	r.function = len(r.out.Decls)
	r.cmd = command{}
}

// left handles a function at offset start when what is open was left open: it
// reports whether the commands under way end here.
func (r *reader) left(start int, closer byte) bool {
	if !r.repair {
		return false
	}
	column := r.column(start)
	if column == 0 && closer != 0 {
		r.pos, r.unwind = start, true
		return true
	}
	keep := len(r.blocks)
	for keep > 0 && r.blocks[keep-1].column >= column && r.blocks[keep-1].kind != '(' {
		keep--
	}
	r.drop(keep, start)
	return false
}

// empty reads () if it is next.
func (r *reader) empty() bool {
	at := r.pos
	if r.skip(false); r.peek(0) == '(' {
		r.pos++
		if r.skip(false); r.peek(0) == ')' {
			r.pos++
			return true
		}
	}
	r.pos = at
	return false
}

// skip moves past blanks, and past line ends and comments too.
func (r *reader) skip(lines bool) {
	for r.pos < r.end {
		c := r.src[r.pos]
		switch {
		case classes[c] == blank:
			r.pos++
		case c == '\\' && r.peek(1) == '\n':
			r.pos += 2
		case lines && c == '\n':
			r.pos++
			r.heredocs()
		case lines && c == '#':
			r.comment()
		default:
			return
		}
	}
}

// loop reads the head of a for or select, up to its list.
func (r *reader) loop() {
	r.skip(false)
	if r.peek(0) == '(' && r.peek(1) == '(' {
		if end := r.arithmeticEnd(r.pos + 2); end > 0 {
			r.pos += 2
			r.arithmetic(end)
		}
		return
	}
	w := r.word()
	if w.plain && identifier(r.src[w.start:w.end]) {
		r.bind(w.start, w.end, "")
	}
	at := r.pos
	r.skip(true)
	if r.in() {
		r.cmd.state = rest
	} else if r.pos = at; len(r.here) == 0 {
		r.cmd.state = first
	}
}

// in reads the word in.
func (r *reader) in() bool {
	if r.peek(0) == 'i' && r.peek(1) == 'n' && (r.pos+2 >= r.end || classes[r.peek(2)] != ordinary) {
		r.pos += 2
		return true
	}
	return false
}

// cases reads the head of a case, up to its first body.
func (r *reader) cases() {
	r.skip(false)
	r.word()
	if r.skip(true); r.in() {
		r.patterns()
	} else {
		r.cmd.state = rest
	}
}

// patterns reads the patterns of a case, up to what they select, or its end.
func (r *reader) patterns() {
	r.cmd = command{}
	r.skip(true)
	bracketed := r.peek(0) == '('
	if bracketed {
		r.pos++
	}
	for n := 0; r.pos < r.end && !r.unwind; n++ {
		r.skip(false)
		at := r.pos
		w := r.word()
		if n == 0 && !bracketed && w.plain && string(r.src[w.start:w.end]) == "esac" {
			r.closes('c', 0, w)
			return
		}
		r.skip(false)
		switch r.peek(0) {
		case '|':
			r.pos++
		case ')':
			r.pos++
			return
		default:
			if r.pos == at || r.peek(0) == '\n' || r.peek(0) == ';' { // no patterns
				return
			}
		}
	}
}
