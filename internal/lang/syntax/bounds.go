package syntax

import (
	"bytes"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// A boundStyle is how a language writes the types that bound type parameters.
type boundStyle struct {
	open  byte   // of the list of parameters; 0 if bounds are behind where only
	sign  string // between a parameter and its bound; a space if it is empty
	where bool   // bounds may stand behind where
	list  bool   // behind where a comma separates bounds of one parameter
}

var boundStyles = map[string]boundStyle{
	"csharp":     {sign: ":", where: true, list: true},
	"go":         {open: '['},
	"java":       {open: '<', sign: "extends"},
	"kotlin":     {open: '<', sign: ":", where: true},
	"python":     {open: '[', sign: ":"},
	"rust":       {open: '<', sign: ":", where: true},
	"scala":      {open: '[', sign: "<:"},
	"swift":      {open: '<', sign: ":", where: true},
	"typescript": {open: '<', sign: "extends"},
}

// maxBoundHead is how many bytes of the head of a declaration are read.
const maxBoundHead = 2000

// boundTypes binds the type parameters of declarations to the types that bound them.
func boundTypes(language string, decls []corpus.Decl, text []byte) (out []corpus.Binding) {
	style, ok := boundStyles[language]
	if !ok {
		return nil
	}
	for i := range decls {
		d := &decls[i]
		from := d.Span.Start
		if d.Doc.End <= d.NameAt {
			from = max(from, d.Doc.End)
		}
		if d.Body-from > maxBoundHead || d.Body <= from {
			continue
		}
		r := headReader{language: language, style: style, head: text[from:d.Body], base: from}
		out = append(out, r.read()...)
	}
	return out
}

// A headReader reads the head of a declaration.
type headReader struct {
	language string
	style    boundStyle
	head     []byte
	base     int // its offset
	out      []corpus.Binding
}

func (r *headReader) read() []corpus.Binding {
	if r.style.where {
		if i := bytes.Index(r.head, []byte("where ")); i > 0 && !scan.Letter(r.head[i-1]) {
			r.clauses(i + len("where "))
		}
	}
	if r.style.open == 0 {
		return r.out
	}
	for i := 0; i < len(r.head); i++ {
		switch r.head[i] {
		case '(':
			i = r.skip(i)
		case r.style.open:
			end := r.skip(i)
			if end > i { // a sign opens no list
				r.parameters(i+1, end)
			}
			i = end
		}
	}
	return r.out
}

// skip returns the offset of the bracket that closes the one at an offset.
func (r *headReader) skip(at int) int {
	depth := 0
	for i := at; i < len(r.head); i++ {
		switch r.head[i] {
		case '(', '[', '{':
			depth++
		case '<':
			if !r.isSign(i) {
				depth++
			}
		case ')', ']', '}':
			depth--
		case '>':
			if !r.isSign(i) {
				depth--
			}
		}
		if depth == 0 {
			return i
		}
	}
	return len(r.head)
}

// isSign reports whether an angle is part of an arrow or of the sign of a bound, and no bracket.
func (r *headReader) isSign(i int) bool {
	before := i > 0 && (r.head[i-1] == '-' || r.head[i-1] == '=')
	return before || i+1 < len(r.head) && r.head[i+1] == ':'
}

// parameters reads a list of type parameters, whose parts commas separate.
func (r *headReader) parameters(from, to int) {
	var waiting []string // parameters whose bound follows that of others: S, T Store
	for _, part := range r.parts(from, to) {
		name, rest := cutWord(r.head[part[0]:part[1]])
		if r.style.sign == "" && name != "" && len(rest) == 0 {
			waiting = append(waiting, name)
			continue
		}
		bound, ok := bytes.CutPrefix(rest, []byte(r.style.sign))
		if !ok { // a word may stand before the name: reified T
			name, rest = cutWord(rest)
			bound, ok = bytes.CutPrefix(rest, []byte(r.style.sign))
		}
		if !ok || name == "" {
			continue
		}
		for _, n := range append(waiting, name) {
			r.bind(n, bound, part[0])
		}
		waiting = nil
	}
}

// clauses reads the bounds behind where.
func (r *headReader) clauses(from int) {
	name := ""
	for _, part := range r.parts(from, len(r.head)) {
		text := r.head[part[0]:part[1]]
		word, rest := cutWord(text)
		if bound, ok := bytes.CutPrefix(rest, []byte(r.style.sign)); ok && word != "" {
			name = word
			text = bound
		} else if !r.style.list {
			continue
		}
		if name == "" {
			continue
		}
		more, next, again := bytes.Cut(text, []byte("where "))
		r.bind(name, more, part[0])
		if again {
			r.clauses(part[1] - len(next))
			return
		}
	}
}

// parts returns where the parts of a list are that commas separate.
func (r *headReader) parts(from, to int) (out [][2]int) {
	for i := from; i < to; i++ {
		switch r.head[i] {
		case '(', '[', '<', '{':
			i = min(r.skip(i), to-1)
		case ',':
			out = append(out, [2]int{from, i})
			from = i + 1
		}
	}
	return append(out, [2]int{from, to})
}

// bind binds a type parameter to the types of a bound, which is a type or several with signs between them.
func (r *headReader) bind(name string, bound []byte, at int) {
	text, _, _ := strings.Cut(string(bound), "=")
	for _, t := range strings.FieldsFunc(strings.ReplaceAll(text, " with ", "&"), func(c rune) bool { return c == '&' || c == '+' }) {
		t = strings.Trim(t, " \t\r\n{?:")
		if t == "" || !scan.Letter(t[0]) || Lists(r.language, "bound-kinds", t) {
			continue
		}
		r.out = append(r.out, corpus.Binding{Name: corpus.BoundMark + name, Type: t, At: r.base + at})
	}
}

// cutWord returns the word that a text begins with, and the rest behind it, both without spaces before them.
func cutWord(text []byte) (string, []byte) {
	const spaces = " \t\r\n"
	text = bytes.TrimLeft(text, spaces)
	n := 0
	for n < len(text) && scan.Letter(text[n]) {
		n++
	}
	return string(text[:n]), bytes.TrimLeft(text[n:], spaces)
}
