package syntax

import (
	"bytes"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// How a declaration ends.
type ending uint8

const (
	braces ending = iota // at the bracket that closes its body, or at a semicolon
	indent               // before the next line that is indented no deeper
	closer               // with the line that closes it: end, fi, }
)

// A grammar is what declares things in a language.
type grammar struct {
	lexis
	ends       ending
	modifier   map[string]bool        // words before the word that declares
	heads      map[string]corpus.Kind // words that declare what follows
	shapes     []shape                // declarations without such a word
	nested     bool                   // a function may hold functions worth naming
	underscore bool                   // names that begin with it are private
	dashes     bool                   // names may have them
	promises   bool                   // types have methods without a body
	bodyless   bool                   // a declaration without a body ends before a line that does not continue it
}

// A shape finds a declaration that begins a line without a declaring word: it
// returns its kind and where in the line its name is.
type shape func(r *reader, line []byte, in corpus.Kind) (kind corpus.Kind, at, n int)

// A reader is one pass over one text.
type reader struct {
	*grammar
	text, code []byte // as written, and masked
	out        []corpus.Decl
	open       []corpus.Decl // those around the line at hand
}

func (g *grammar) read(text []byte) []corpus.Decl {
	r := &reader{grammar: g, text: text, code: g.mask(text)}
	for at := 0; at < len(text); {
		next := len(text)
		if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
			next = at + n + 1
		}
		r.line(at, next)
		at = next
	}
	return r.out
}

// within returns the kind of the declaration around an offset.
func (r *reader) within(at int) corpus.Kind {
	for len(r.open) > 0 && r.open[len(r.open)-1].Span.End <= at {
		r.open = r.open[:len(r.open)-1]
	}
	if len(r.open) == 0 {
		return corpus.NoKind
	}
	return r.open[len(r.open)-1].Kind
}

func callable(k corpus.Kind) bool {
	return k == corpus.Function || k == corpus.Method || k == corpus.TestCase
}

func (r *reader) line(at, next int) {
	line := bytes.TrimRight(r.code[at:next], " \t\r\n")
	in := r.within(at)
	if len(line) == 0 || callable(in) && !r.nested || in == corpus.Constant || in == corpus.Variable {
		return
	}
	kind, name, n := r.head(line)
	if kind == corpus.NoKind && !callable(in) {
		for _, s := range r.shapes {
			if kind, name, n = s(r, line, in); kind != corpus.NoKind {
				break
			}
		}
	}
	if kind == corpus.NoKind || n == 0 || len(r.open) >= maxDepth {
		return
	}
	if callable(in) && !callable(kind) && kind != corpus.Class {
		return
	}
	if kind == corpus.Function && in != corpus.NoKind && in != corpus.Module && !callable(in) {
		kind = corpus.Method
	}
	d := corpus.Decl{Kind: kind, Name: string(line[name : name+n]), NameAt: at + name}
	d.Span.End, d.Body = r.end(at, at+name+n)
	d.Span.Start = r.lead(at)
	d.Exported = !r.underscore || d.Name[0] != '_'
	r.out = append(r.out, d)
	r.open = append(r.open, d)
}

// head finds a declaring word at the start of a line, behind modifiers, and the
// name after it.
func (r *reader) head(line []byte) (kind corpus.Kind, at, n int) {
	i := 0
	for words := 0; words < 10; words++ {
		for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
			i++
		}
		start := i
		for i < len(line) && (scan.Letter(line[i]) || line[i] == '@' && i == start || line[i] == '!' && i > start) {
			i++
		}
		if i == start {
			return corpus.NoKind, 0, 0
		}
		w := string(line[start:i])
		k, declares := r.heads[w]
		if declares && i < len(line) && (line[i] == ' ' || line[i] == '\t' || line[i] == '<' || line[i] == '*') {
			if at, n = r.name(w, line, i); n > 0 && r.heads[string(line[at:at+n])] == 0 {
				return k, at, n
			}
		}
		switch {
		case w[0] == '@', r.modifier[w]:
			if i < len(line) && line[i] == '(' { // pub(crate), @available(…)
				i += balanced(line[i:], '(', ')')
			}
		default:
			return corpus.NoKind, 0, 0
		}
	}
	return corpus.NoKind, 0, 0
}

// balanced returns the length of the bracketed text at the start of b.
func balanced(b []byte, open, shut byte) int {
	depth := 0
	for i, c := range b {
		switch c {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(b)
}

// name finds the declared name after the declaring word, which ends at i. In
// "sub A::b" and "function s:a()" it is the last part before the parameters.
func (r *reader) name(head string, line []byte, i int) (at, n int) {
	for i < len(line) {
		switch c := line[i]; {
		case c == ' ' || c == '\t' || c == '&' || c == '*' || c == '`' || c == '"' || c == '\'':
			i++
		case c == '<' && n == 0:
			i += balanced(line[i:], '<', '>')
		case scan.Letter(c):
			at = i
			for i < len(line) && (scan.Letter(line[i]) || r.dashes && line[i] == '-') {
				i++
			}
			n = i - at
			if r.modifier[string(line[at:i])] && i+1 < len(line) && line[i] == ' ' && scan.Letter(line[i+1]) { // let rec f
				continue
			}
			k := i
			if k < len(line) && line[k] == '<' {
				k += balanced(line[k:], '<', '>')
			}
			switch {
			case k < len(line)-1 && (line[k] == '.' || line[k] == ':' && strings.HasPrefix(head, "func")) && scan.Letter(line[k+1]):
				i = k + 1
				continue
			case k < len(line)-2 && line[k] == ':' && line[k+1] == ':' && scan.Letter(line[k+2]):
				i = k + 2
				continue
			}
			return at, n
		default:
			return at, n
		}
	}
	return at, n
}

// lead returns where a declaration at a line begins, with the comments and
// decorators directly above.
func (r *reader) lead(at int) int {
	for at > 0 {
		prev := bytes.LastIndexByte(r.text[:at-1], '\n') + 1
		written := bytes.TrimSpace(r.text[prev : at-1])
		code := bytes.TrimSpace(r.code[prev : at-1])
		if len(written) == 0 || len(code) > 0 && code[0] != '@' && !(code[0] == '[' && code[len(code)-1] == ']') {
			break
		}
		if len(r.open) > 0 && prev < r.open[len(r.open)-1].Body {
			break
		}
		at = prev
	}
	return at
}

const maxHead = 4000 // bytes between a name and the body it belongs to

// end returns where a declaration ends and where its body begins; line is where
// its line begins and at the end of its name.
func (r *reader) end(line, at int) (end, body int) {
	switch r.ends {
	case indent:
		return r.endIndent(line, at)
	case closer:
		return r.endCloser(line, at)
	}
	depth := 0
	for i := at; i < min(len(r.code), at+maxHead); i++ {
		switch r.code[i] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ';':
			if depth <= 0 {
				return i + 1, i + 1
			}
		case '{':
			if depth <= 0 {
				return i + balanced(r.code[i:], '{', '}'), i
			}
		case '}':
			if depth <= 0 {
				return i, i
			}
		case '\n':
			if r.bodyless && depth <= 0 && (i+1 == len(r.code) || bytes.IndexByte([]byte(" \t|=@&{"), r.code[i+1]) < 0) {
				return i, i
			}
		}
	}
	return r.lineEnd(at), r.lineEnd(at)
}

func (r *reader) lineEnd(at int) int {
	if n := bytes.IndexByte(r.code[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(r.code)
}

func indentOf(line []byte) int {
	n := 0
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 8
		default:
			return n
		}
	}
	return -1 // blank
}

// endIndent ends a declaration before the next line that is no deeper.
func (r *reader) endIndent(line, at int) (end, body int) {
	own := indentOf(r.code[line:])
	body = at
	depth := 0
	for body < len(r.code) && body < at+maxHead {
		c := r.code[body]
		if c == '(' || c == '[' || c == '{' {
			depth++
		} else if c == ')' || c == ']' || c == '}' {
			depth--
		} else if depth <= 0 && (c == ':' || c == '\n') {
			break
		}
		body++
	}
	end = r.lineEnd(min(body, len(r.code)))
	for i := end; i < len(r.code); {
		i++
		next := r.lineEnd(min(i, len(r.code)))
		if n := indentOf(r.code[i:next]); n >= 0 && i < len(r.code) && r.code[i] != '\r' {
			if n <= own {
				break
			}
			end = next
		}
		i = next
	}
	return end, min(body, end)
}

// endCloser ends a declaration with the first line that is indented alike and
// closes it, or before one that is indented less.
func (r *reader) endCloser(line, at int) (end, body int) {
	own := indentOf(r.code[line:])
	first := r.lineEnd(at)
	end = first
	if t := bytes.TrimSpace(r.code[at:first]); bytes.HasSuffix(t, []byte(" end")) || bytes.Contains(t, []byte("; end")) || bytes.Contains(t, []byte(", do:")) {
		return first, at
	}
	for i := first; i < len(r.code); {
		i++
		next := r.lineEnd(min(i, len(r.code)))
		l := r.code[min(i, next):next]
		n := indentOf(l)
		t := bytes.TrimSpace(l)
		switch {
		case n < 0 || len(t) == 0:
		case n < own:
			return first, first
		case n == own:
			if has(t, "end") || has(t, "}") || has(t, "fi") || has(t, ")") {
				return next, first
			}
			if !has(t, "rescue") && !has(t, "ensure") && !has(t, "else") && !has(t, "{") && !has(t, "after") && !has(t, "catch") {
				return first, first
			}
		}
		i = next
	}
	return end, first
}

// A lexis says what a language's comments and strings look like.
type lexis struct {
	line   []string // beginnings of comments that end with the line
	block  [][2]string
	nested bool     // block comments nest
	quotes string   // bytes that begin and end a string of one line; \ escapes
	long   []string // marks that begin and end a string of several lines
}

// mask returns a copy of text in which comments and the insides of strings are
// spaces, line breaks kept: words and brackets in it are code.
func (l *lexis) mask(text []byte) []byte {
	out := bytes.Clone(text)
	for i := 0; i < len(text); {
		n, opener := l.skip(text, i)
		if n == 0 {
			i++
			continue
		}
		end := min(i+n, len(text))
		for k := i + opener; k < end; k++ {
			if out[k] != '\n' {
				out[k] = ' '
			}
		}
		i = end
	}
	return out
}

// skip returns how long the comment or string at i is, and how much of it is to
// stay visible: a string's first quote, so that it still counts as a word.
func (l *lexis) skip(text []byte, i int) (n, visible int) {
	rest := text[i:]
	for _, b := range l.block {
		if has(rest, b[0]) {
			return scan.BlockEnd(rest, b, l.nested), 0
		}
	}
	for _, c := range l.line {
		if has(rest, c) && (c != "#" || i == 0 || text[i-1] <= ' ' || text[i-1] == ';') {
			return scan.LineEnd(rest), 0
		}
	}
	for _, q := range l.long {
		if has(rest, q) {
			return closed(rest, q), 1
		}
	}
	c := rest[0]
	if bytes.IndexByte([]byte(l.quotes), c) < 0 {
		return 0, 0
	}
	for k := 1; k < len(rest); k++ {
		switch rest[k] {
		case '\\':
			k++
		case '\n':
			return k, 1 // never closed: the line is all it can have
		case c:
			return k + 1, 1
		}
	}
	return len(rest), 1
}

func has(b []byte, s string) bool { return len(b) >= len(s) && string(b[:len(s)]) == s }

func closed(rest []byte, mark string) int {
	for k := len(mark); k < len(rest); k++ {
		if rest[k] == '\\' {
			k++
			continue
		}
		if has(rest[k:], mark) {
			return k + len(mark)
		}
	}
	return len(rest)
}
