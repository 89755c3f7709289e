package clang

import (
	"bytes"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// A preprocessor reads the lines for the preprocessor.
type preprocessor struct {
	*scan.Choices
	seen  int    // directives
	guard string // the name that the first line asks for
}

// branches takes the lines for the preprocessor out of the tokens.
func (r *reader) branches() {
	p := preprocessor{}
	r.Choose(true, func(c *scan.Choices, t scan.Token, last int) {
		p.Choices = c
		p.directive(t, last)
	})
}

// directive reads a line for the preprocessor; last is where the text before ends.
func (p *preprocessor) directive(t scan.Token, last int) {
	at, end := int(t.At)+1, int(t.End)
	at = p.blank(at, end)
	from := at
	for at < end && (p.Src[at] >= 'a' && p.Src[at] <= 'z' || p.Src[at] == '_') {
		at++
	}
	word := string(p.Src[from:at])
	at = p.blank(at, end)
	p.seen++
	switch word {
	case "if", "ifdef", "ifndef":
		p.begin(word, at, end)
	case "else", "elif", "elifdef", "elifndef":
		p.Turn()
	case "endif":
		p.End()
	case "include", "import", "include_next":
		if !p.Dead() {
			p.include(at, end)
		}
	case "define":
		if !p.Dead() {
			p.define(t, at, end, last)
		}
	}
}

// blank returns the offset after the space from at on.
func (p *preprocessor) blank(at, end int) int {
	for at < end && (p.Src[at] == ' ' || p.Src[at] == '\t' || p.Src[at] == '\\' || p.Src[at] == '\r' || p.Src[at] == '\n') {
		at++
	}
	return at
}

// ident returns the offset after the name at an offset.
func (p *preprocessor) ident(at, end int) int {
	for at < end && (alnum(p.Src[at]) || p.Src[at] == '_' || p.Src[at] == '$' || p.Src[at] >= 0x80) {
		at++
	}
	return at
}

func (p *preprocessor) begin(word string, at, end int) {
	name := string(p.Src[at:p.ident(at, end)])
	c := scan.Choice{Dead: word == "if" && name == "0", Fixed: word == "if" && name == "1" && p.ident(at, end) == end}
	if word == "ifndef" && p.seen == 1 {
		p.guard, c.Guard = name, true
	}
	if word == "if" && p.seen == 1 && p.Src[min(at, len(p.Src)-1)] == '!' {
		c.Guard = true
	}
	p.Begin(c)
}

// include reads what stands behind #include.
func (p *preprocessor) include(at, end int) {
	if at >= end {
		return
	}
	m := corpus.Import{Kind: corpus.Relative, At: at + 1}
	quote := p.Src[at]
	switch quote {
	case '"':
	case '<':
		quote, m.Kind = '>', corpus.System
	default:
		return
	}
	k := at + 1
	for k < end && p.Src[k] != quote && p.Src[k] != '\n' {
		k++
	}
	if k == at+1 || k >= end || p.Src[k] != quote {
		return
	}
	m.Path = string(p.Src[at+1 : k])
	for _, c := range p.Open {
		m.Kind.AddIf(!c.Guard, corpus.Conditional)
	}
	p.Out.Imports = append(p.Out.Imports, m)
}

// maxMacro bounds how long the parameters of a macro may be.
const maxMacro = 4000

// define reads a macro; the text before it ends at last.
func (p *preprocessor) define(t scan.Token, at, end, last int) {
	after := p.ident(at, end)
	if after == at {
		return
	}
	d := corpus.Decl{Kind: corpus.Macro, Name: string(p.Src[at:after]), NameAt: at, Exported: true, Span: corpus.Span{Start: int(t.At), End: end}}
	if p.guard == d.Name && p.seen == 2 {
		return
	}
	if len(p.Open) > 0 && p.seen == 2 && p.Open[0].Guard {
		p.guard = d.Name
		if p.blank(after, end) == end {
			return
		}
	}
	d.Body = after
	if after < end && p.Src[after] == '(' {
		d.Params = []string{}
		from := after + 1
		for k := from; k < min(end, from+maxMacro); k++ {
			if c := p.Src[k]; c == ',' || c == ')' {
				if a, b := p.trim(from, k); a < b {
					d.Params = append(d.Params, string(p.Src[a:b]))
				}
				from = k + 1
				if c == ')' {
					d.Body = from
					break
				}
			}
		}
	}
	d.Body = min(p.blank(d.Body, end), end)
	if doc := p.Doc(int(t.At)); doc.Start < doc.End && doc.Start >= last {
		d.Doc, d.Span.Start = doc, doc.Start
	}
	p.Out.Decls = append(p.Out.Decls, d)
	p.calls(d.Body, end)
}

// calls reads the calls in the text of a macro from at up to end.
func (p *preprocessor) calls(at, end int) {
	for at < end {
		switch c := p.Src[at]; {
		case c == '"' || c == '\'':
			for at++; at < end && p.Src[at] != c; at++ {
				if p.Src[at] == '\\' {
					at++
				}
			}
			at++
		case c == '/' && at+1 < end && (p.Src[at+1] == '/' || p.Src[at+1] == '*'):
			return
		case alnum(c) || c == '_':
			after := p.ident(at, end)
			name, isNumber := string(p.Src[at:after]), c >= '0' && c <= '9'
			if after < end && p.Src[after] == '(' && !isNumber && !notCalled.Has(name) {
				p.Out.Calls = append(p.Out.Calls, corpus.Call{Callee: name, Receiver: p.scopeBefore(at), At: at, Args: -1})
			}
			at = max(after, at+1)
		default:
			at++
		}
	}
}

// notCalled are words before parentheses that are no functions.
var notCalled = lazy.Words(`alignof defined do else for if return sizeof static_assert switch typeof while __attribute__ __typeof__ __declspec decltype`)

// scopeBefore returns the scope or the owner of the name at an offset of a macro, as a chain.
func (p *preprocessor) scopeBefore(at int) string {
	before, isMember := bytes.CutSuffix(p.Src[:at], []byte("::"))
	if !isMember {
		if c := p.Src[at-1]; c == '.' || c == '>' && p.Src[at-2] == '-' || c == '#' {
			return scan.Unknown
		}
		return ""
	}
	from := len(before)
	for from > 0 && (alnum(before[from-1]) || before[from-1] == '_') {
		from--
	}
	return string(before[from:])
}

// trim returns the offsets of a text without the space around it.
func (p *preprocessor) trim(from, end int) (int, int) {
	from = p.blank(from, end)
	for end > from && (p.Src[end-1] <= ' ' || p.Src[end-1] == '\\') {
		end--
	}
	return from, end
}
