package shell

import (
	"bytes"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// next reads the next word of a command.
func (r *reader) next(closer byte, base int) {
	calls := len(r.out.Calls)
	w := r.word()
	if r.unwind {
		return
	}
	if r.pos <= w.start {
		r.pos++
		return
	}
	if c := r.peek(0); (c == '<' || c == '>') && r.descriptor(w) {
		return
	}
	switch {
	case r.cmd.state == rest:
		r.argument(w, calls)
	case w.plain && r.src[max(w.start-1, 0)] != '\\' && r.keyword(w, base):
	case r.cmd.state == after:
		r.cmd.state = rest
	case w.eq >= 0:
		r.assigned(w, calls)
	case w.plain && r.empty():
		if r.left(w.start, closer) {
			return
		}
		r.define(w.start, w.start, w.end, corpus.Function)
	default:
		r.called(w)
	}
}

// descriptor reports whether a word, which < or > follows, says what is redirected.
func (r *reader) descriptor(w word) bool {
	b := r.src[w.start:w.end]
	if len(b) > 2 && b[0] == '{' && b[len(b)-1] == '}' {
		return identifier(b[1 : len(b)-1])
	}
	return !slices.ContainsFunc(b, func(c byte) bool { return c < '0' || c > '9' })
}

// called begins a simple command whose name is w.
func (r *reader) called(w word) {
	r.function = 0
	r.cmd.state = rest
	if !w.plain {
		return
	}
	name := string(r.src[w.start:w.end])
	switch name {
	case "local", "export", "declare", "typeset", "nameref":
		r.cmd.declares = true
		return
	case "readonly":
		r.cmd.declares, r.cmd.constant = true, true
		return
	case "let", "[", ":":
		return
	case ".", "source":
		r.cmd.source = true
		if name == "." {
			return
		}
	}
	r.out.Calls = append(r.out.Calls, corpus.Call{Callee: name, At: w.start})
	r.cmd.call = len(r.out.Calls)
}

// argument reads a word after the first.
func (r *reader) argument(w word, calls int) {
	r.cmd.args++
	switch {
	case r.cmd.declares:
		if b := r.src[w.start:w.end]; b[0] == '-' && bytes.IndexByte(b, 'r') > 0 {
			r.cmd.constant = true
		} else if w.eq >= 0 {
			r.assigned(w, calls)
		} else if w.plain && identifier(b) {
			r.bind(w.start, w.end, "")
		}
	case r.cmd.source && r.cmd.args == 1 && w.tail:
		path := string(r.src[w.start:w.end])
		m := corpus.Import{Path: path, At: w.start, Names: []corpus.Name{{Name: "*"}}, Kind: corpus.Relative | corpus.Reexport}
		if strings.ContainsAny(path, `"'`) {
			m.Path = strings.NewReplacer(`"`, "", `'`, "").Replace(path)
			if path[0] == '"' || path[0] == '\'' {
				m.At++
			}
			if m.Path == "" {
				return
			}
		}
		m.Kind.AddIf(!w.plain && strings.ContainsAny(path, "$`"), corpus.Dynamic)
		m.Kind.AddIf(r.cmd.conditional || len(r.blocks) > 0, corpus.Conditional)
		r.out.Imports = append(r.out.Imports, m)
	}
}

// assigned reads an assignment; calls is how many calls came before it.
func (r *reader) assigned(w word, calls int) {
	to := w.eq
	if k := bytes.IndexAny(r.src[w.start:w.eq], "[+"); k > 0 {
		to = w.start + k
	}
	value := bytes.Trim(r.src[w.eq+1:w.end], `"`)
	chain := ""
	switch {
	case bytes.HasPrefix(value, []byte("$(")) && bytes.HasSuffix(value, []byte(")")) && len(r.out.Calls) > calls:
		chain = r.out.Calls[calls].Callee + "()"
	case bytes.HasPrefix(value, []byte("$")):
		if name := bytes.TrimSuffix(bytes.TrimPrefix(value[1:], []byte("{")), []byte("}")); identifier(name) {
			chain = string(name)
		}
	}
	r.bind(w.start, to, chain)
	name := string(r.src[w.start:to])
	if len(r.blocks) > 0 || r.depth > 0 || r.names[name] {
		return
	}
	r.names[name] = true
	d := corpus.Decl{Kind: corpus.Variable, Name: name, NameAt: w.start, Span: corpus.Span{Start: w.start, End: w.end}, Body: w.end, Exported: !strings.HasPrefix(name, "_")}
	if r.cmd.constant {
		d.Kind = corpus.Constant
	}
	if r.directly(w.start) {
		d.Doc, d.Span.Start = r.comments, r.comments.Start
	}
	r.out.Decls = append(r.out.Decls, d)
}

func (r *reader) bind(from, to int, value string) {
	r.out.Bindings = append(r.out.Bindings, corpus.Binding{Name: string(r.src[from:to]), Value: value, At: from})
}

// A heredoc is one that begins on the next line.
type heredoc struct {
	delimiter string
	tabs      bool // those that its lines begin with do not count
	quoted    bool // nothing in it is expanded
}

// redirect reads < or > and what follows it.
func (r *reader) redirect() {
	from := r.pos
	for r.pos < r.end && r.pos < from+3 && (classes[r.src[r.pos]] == angle || r.pos > from && (r.src[r.pos] == '&' || r.src[r.pos] == '|')) {
		if r.pos > from && r.peek(1) == '(' && classes[r.src[r.pos]] == angle {
			break // > >(…)
		}
		r.pos++
	}
	op := string(r.src[from:r.pos])
	here := op == "<<"
	tabs := here && r.peek(0) == '-'
	if tabs {
		r.pos++
	}
	r.skip(false)
	w := r.word()
	if !here || w.end == w.start || r.depth >= maxDepth {
		return
	}
	h := heredoc{tabs: tabs}
	raw := r.src[w.start:w.end]
	if w.start > 0 && r.src[w.start-1] == '\\' {
		h.quoted = true
	}
	if bytes.ContainsAny(raw, "\\'\"") {
		h.quoted = true
		raw = bytes.Map(func(c rune) rune {
			if c == '\\' || c == '\'' || c == '"' {
				return -1
			}
			return c
		}, raw)
	}
	h.delimiter = string(raw)
	r.here = append(r.here, h)
}

// heredocs reads those that begin on this line.
func (r *reader) heredocs() {
	for len(r.here) > 0 && !r.unwind {
		h := r.here[0]
		r.here = r.here[1:]
		body, end := r.pos, r.end
		next := r.end
		for at := r.pos; at < r.end; {
			stop, after := r.end, r.end
			if n := bytes.IndexByte(r.src[at:r.end], '\n'); n >= 0 {
				stop, after = at+n, at+n+1
			}
			line := bytes.TrimSuffix(r.src[at:stop], []byte("\r"))
			if h.tabs {
				line = bytes.TrimLeft(line, "\t")
			}
			if string(line) == h.delimiter {
				end, next = at, after
				break
			}
			at = after
		}
		if end == r.end {
			r.broken = true
		}
		r.pos = body
		if !h.quoted {
			rest := r.here
			r.here = nil
			r.region(end, r.expansions)
			r.here = rest
		}
		if !r.unwind {
			r.pos = max(next, r.pos)
		}
	}
}

// arithmeticEnd returns where the )) stands that belongs to the (( before an
// offset; 0 where it is no arithmetic, but brackets in brackets.
func (r *reader) arithmeticEnd(from int) int {
	depth := 0
	for k := from; k < r.end && r.budget > 0; k++ {
		r.budget--
		switch r.src[k] {
		case '\\':
			k++
		case '(':
			depth++
		case ')':
			if depth > 0 {
				depth--
			} else if k+1 < r.end && r.src[k+1] == ')' {
				return k
			} else {
				return 0
			}
		case '\'', '"':
			n := bytes.IndexByte(r.src[k+1:r.end], r.src[k])
			if n < 0 || n > 2000 {
				return 0
			}
			k += n + 1
		}
	}
	return 0
}

// arithmetic reads what is expanded before the )) at end, and moves past it.
func (r *reader) arithmetic(end int) {
	r.region(end, func() {
		for r.pos < r.end && !r.unwind {
			switch c := r.src[r.pos]; c {
			case '\'':
				r.pos++
			default:
				r.quotedOr(c)
			}
		}
	})
	if !r.unwind {
		r.pos = min(r.pos+2, r.end)
	}
}

// test reads on in [[ … ]].
func (r *reader) test() {
	for r.pos < r.end && !r.unwind {
		c := r.src[r.pos]
		switch {
		case c == ']' && r.peek(1) == ']' && classes[r.src[r.pos-1]] != ordinary && (r.pos+2 >= r.end || classes[r.peek(2)] != ordinary):
			r.pos += 2
			return
		case c == '\n' && r.repair:
			line := bytes.TrimRight(r.src[max(r.pos-200, 0):r.pos], " \t\r")
			if !bytes.HasSuffix(line, []byte("&&")) && !bytes.HasSuffix(line, []byte("||")) && !bytes.HasSuffix(line, []byte("[[")) {
				return
			}
			r.pos++
		case (c == '<' || c == '>') && r.peek(1) == '(':
			r.pos += 2
			r.nested()
		default:
			r.quotedOr(c)
		}
	}
	r.broken = true
}
