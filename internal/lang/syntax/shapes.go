package syntax

import (
	"bytes"
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// control are words that look like a call or a function and are neither.
func control(w string) bool {
	switch w {
	case "if", "for", "while", "switch", "catch", "return", "else", "do", "try", "new", "delete", "throw", "sizeof", "typeof", "case", "with",
		"using", "lock", "foreach", "await", "yield", "super", "this", "function", "defined", "synchronized", "assert", "elseif", "until", "when", "guard":
		return true
	}
	return false
}

// call finds "type name(" at the start of a line: with a word before the name, but
// for a constructor. The line, or one of the next, has to open a body.
func call(r *reader, line []byte, in corpus.Kind) (corpus.Kind, int, int) {
	i := bytes.IndexByte(line, '(')
	if i <= 0 || line[0] == '#' || bytes.IndexByte(line[:i], '=') >= 0 && !bytes.Contains(line[:i], []byte("operator")) {
		return 0, 0, 0
	}
	end := i
	for end > 0 && line[end-1] == ' ' {
		end--
	}
	if end > 0 && line[end-1] == '>' { // name<T>(
		if k := bytes.LastIndexByte(line[:end], '<'); k > 0 {
			end = k
		}
	}
	start := end
	for start > 0 && (scan.Letter(line[start-1]) || line[start-1] == '~' || line[start-1] == '#') {
		start--
	}
	if start < end && line[start] == '#' {
		start++
	}
	if start > 0 && line[start-1] == '@' { // @Test(…)
		return 0, 0, 0
	}
	name := string(line[start:end])
	if name == "" || control(name) || name[0] >= '0' && name[0] <= '9' {
		return 0, 0, 0
	}
	before := bytes.Fields(bytes.ReplaceAll(line[:start], []byte("::"), []byte(" ")))
	inType := in != corpus.NoKind && in != corpus.Module
	if len(before) == 0 && !(inType && r.isType(name)) {
		return 0, 0, 0
	}
	for _, w := range before {
		if control(string(w)) || bytes.ContainsAny(w, "(.!+;/") {
			return 0, 0, 0
		}
	}
	if !r.opensBody(line, i, inType) {
		return 0, 0, 0
	}
	if inType {
		return corpus.Method, start, end - start
	}
	return corpus.Function, start, end - start
}

// isType reports whether a name is that of a class around: a constructor.
func (r *reader) isType(name string) bool {
	for _, d := range r.open {
		if d.Name == name {
			return true
		}
	}
	return len(name) > 1 && name[0] == '~'
}

// opensBody reports whether the parameters at i of a line are followed by a body, or a type may promise a method without one.
func (r *reader) opensBody(line []byte, i int, inType bool) bool {
	at := cap(r.code) - cap(line) + i // line is a part of code
	if at < 0 || at >= len(r.code) {
		return false
	}
	rest := r.code[at:min(len(r.code), at+maxHead)]
	rest = rest[balanced(rest, '(', ')'):]
	for k, c := range rest {
		switch c {
		case '{':
			return true
		case ';':
			return inType && r.promises
		case '}', '=', ',':
			return c == '=' && k+1 < len(rest) && rest[k+1] == '>'
		}
	}
	return false
}

var (
	held = lazy.Regexp(`^\s*(?:(?:static|final|late|const|external|covariant)\s+)*[A-Z_a-z][\w.]*(?:<.*>)?\??\s+(?:get\s+)?` +
		`(\w+)\s*(?:;|=|\{$)`)
	equals = lazy.Regexp(`^(?:@\w+\s+)?(?:\w+\.)*(\w+!?)\(.*\)(?:\s*::\s*[\w{}.,]+)?(?:\s+where\s.*)?\s*=[^=]`)
)

// property finds a field or a getter of a type.
func property(_ *reader, line []byte, in corpus.Kind) (corpus.Kind, int, int) {
	if in != corpus.Class && in != corpus.Type && in != corpus.Enum {
		return 0, 0, 0
	}
	m := held.FindSubmatchIndex(line)
	if m == nil || control(string(bytes.Fields(line)[0])) {
		return 0, 0, 0
	}
	return corpus.Variable, m[2], m[3] - m[2]
}

// equation finds "name(args) = value" at the start of a line.
func equation(_ *reader, line []byte, in corpus.Kind) (corpus.Kind, int, int) {
	m := equals.FindSubmatchIndex(line)
	if m == nil || callable(in) {
		return 0, 0, 0
	}
	return corpus.Function, m[2], m[3] - m[2]
}

// clause finds "name(args) ->" of Erlang at the start of a line.
func clause(r *reader, line []byte, _ corpus.Kind) (corpus.Kind, int, int) {
	n := 0
	for n < len(line) && scan.Letter(line[n]) {
		n++
	}
	if n == 0 || n == len(line) || line[n] != '(' || line[0] >= 'A' && line[0] <= 'Z' || !bytes.Contains(line, []byte("->")) {
		return 0, 0, 0
	}
	for _, d := range r.out[max(0, len(r.out)-1):] {
		if d.Name == string(line[:n]) {
			return 0, 0, 0 // the next clause of the same function
		}
	}
	return corpus.Function, 0, n
}

// headings returns the headings of a text as nesting sections.
func headings(language string, text []byte) []corpus.Decl {
	type heading struct {
		level    int
		at       int
		from, to int
	}
	var all []heading
	fence := "" // what closes the block of code at hand
	prev := [2]int{-1, -1}
	for at := 0; at < len(text); {
		next := len(text)
		if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
			next = at + n + 1
		}
		line := bytes.TrimRight(text[at:next], " \t\r\n")
		below := prev[1] > prev[0] && len(line) >= prev[1]-prev[0]-1 // a line that it may underline
		closes := opens(language, line, below)
		switch {
		case fence != "":
			if has(line, fence) {
				fence = ""
			}
		case closes != "":
			fence = closes
		case language == "markdown" && len(line) > 1 && line[0] == '#' || language == "asciidoc" && has(line, "="):
			mark := line[0]
			level := 0
			for level < len(line) && line[level] == mark {
				level++
			}
			title := bytes.TrimSpace(bytes.TrimRight(line[level:], string(mark)+" "))
			if level <= 6 && level < len(line) && line[level] == ' ' && len(title) > 0 {
				from := at + bytes.Index(line, title)
				all = append(all, heading{level, at, from, from + len(title)})
			}
		case len(line) > 2 && below && underline(line) > 0 && !(language == "markdown" && line[0] != '=' && line[0] != '-'):
			all = append(all, heading{underline(line), prev[0], prev[0], prev[1]})
		}
		prev = [2]int{at, at + len(line)}
		if len(line) == 0 || line[0] == ' ' || underline(line) > 0 {
			prev = [2]int{-1, -1}
		}
		at = next
	}
	out := make([]corpus.Decl, len(all))
	var open []int
	for i, h := range all {
		for len(open) > 0 && all[open[len(open)-1]].level >= h.level {
			out[open[len(open)-1]].Span.End = h.at
			open = open[:len(open)-1]
		}
		out[i] = corpus.Decl{Kind: corpus.Section, Name: string(text[h.from:h.to]), NameAt: h.from, Body: h.to,
			Span: corpus.Span{Start: h.at, End: len(text)}, Exported: true}
		open = append(open, i)
	}
	return out
}

// opens returns what closes the block of code that a line of a document opens, "" where it
// opens none: below a line of about its length it may make a heading of that.
func opens(language string, line []byte, below bool) string {
	switch {
	case language == "markdown" && has(line, "```"):
		return "```"
	case language == "markdown" && has(line, "~~~"):
		return "~~~"
	case language == "asciidoc" && !below && (string(line) == "----" || string(line) == "...."):
		return string(line)
	}
	return ""
}

// underline returns the level of a line that underlines a heading, or 0.
func underline(line []byte) int {
	if len(line) < 3 {
		return 0
	}
	level := bytes.IndexByte([]byte("=-~^\"'`"), line[0]) + 1
	if slices.ContainsFunc(line, func(c byte) bool { return c != line[0] }) {
		return 0
	}
	return level
}

// arrow finds "name <- function(" of R.
func arrow(_ *reader, line []byte, _ corpus.Kind) (corpus.Kind, int, int) {
	i := bytes.Index(line, []byte("<-"))
	if i <= 0 || !bytes.Contains(line[i:], []byte("function")) {
		return 0, 0, 0
	}
	end := len(bytes.TrimRight(line[:i], " "))
	start := end
	for start > 0 && (scan.Letter(line[start-1]) || line[start-1] == '.') {
		start--
	}
	return corpus.Function, start, end - start
}

// lisp finds "(defsomething name" at the start of a line.
func lisp(_ *reader, line []byte, _ corpus.Kind) (corpus.Kind, int, int) {
	if !has(line, "(def") {
		return 0, 0, 0
	}
	i := bytes.IndexByte(line, ' ')
	if i < 0 {
		return 0, 0, 0
	}
	start := i + 1
	end := start
	for end < len(line) && line[end] > ' ' && line[end] != '(' && line[end] != ')' && line[end] != '[' {
		end++
	}
	return corpus.Function, start, end - start
}
