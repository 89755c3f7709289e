package syntax

import (
	"bytes"

	"github.com/assay-dev/assay/internal/base/corpus"
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

// call finds "words name(" at the start of a line, with at least so many words
// before the name. The line, or one of the next, has to open a body.
func call(least int) shape {
	return func(r *reader, line []byte, in corpus.Kind) (corpus.Kind, int, int) {
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
		for start > 0 && (word(line[start-1]) || line[start-1] == '~' || line[start-1] == '#') {
			start--
		}
		if start < end && line[start] == '#' {
			start++
		}
		name := string(line[start:end])
		if name == "" || control(name) || name[0] >= '0' && name[0] <= '9' {
			return 0, 0, 0
		}
		before := bytes.Fields(bytes.ReplaceAll(line[:start], []byte("::"), []byte(" ")))
		if len(before) < least && !(in != corpus.NoKind && in != corpus.Module && least == 1 && r.isType(name)) {
			return 0, 0, 0
		}
		for _, w := range before {
			if control(string(w)) || bytes.ContainsAny(w, "(.!+;/") {
				return 0, 0, 0
			}
		}
		if !r.opensBody(line, i) {
			return 0, 0, 0
		}
		if in != corpus.NoKind && in != corpus.Module {
			return corpus.Method, start, end - start
		}
		return corpus.Function, start, end - start
	}
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

// opensBody reports whether the parameters at i of a line are followed by a body.
func (r *reader) opensBody(line []byte, i int) bool {
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
		case ';', '}', '=', ',':
			return c == '=' && k+1 < len(rest) && rest[k+1] == '>'
		}
	}
	return false
}

// assigned finds "name = function(…)" and "name = (…) =>", with const, let, var,
// local or a path before the name.
func assigned(_ *reader, line []byte, in corpus.Kind) (corpus.Kind, int, int) {
	eq := bytes.IndexByte(line, '=')
	if eq <= 0 || eq+1 < len(line) && (line[eq+1] == '=' || line[eq+1] == '>') {
		return 0, 0, 0
	}
	right := bytes.TrimSpace(line[eq+1:])
	right = bytes.TrimPrefix(right, []byte("async "))
	if !has(right, "function") && !has(right, "(") && !has(right, "class") && !bytes.Contains(right, []byte("=>")) ||
		has(right, "(") && !bytes.Contains(right, []byte("=>")) && right[len(right)-1] != '(' && right[len(right)-1] != ',' {
		return 0, 0, 0
	}
	left := line[:eq]
	if c := bytes.IndexByte(left, ':'); c > 0 { // a type: const f: T = …
		left = left[:c]
	}
	end := len(bytes.TrimRight(left, " \t?!"))
	start := end
	for start > 0 && (word(left[start-1]) || left[start-1] == '$') {
		start--
	}
	if start == end || bytes.ContainsAny(left[:start], "([{,\"'") || control(string(left[start:end])) {
		return 0, 0, 0
	}
	if has(right, "class") {
		return corpus.Class, start, end - start
	}
	if in == corpus.Class {
		return corpus.Method, start, end - start
	}
	return corpus.Function, start, end - start
}

// valued finds "const NAME = struct" of Zig and "NAME = …" at the start of a line
// for constants in capitals.
func constant(_ *reader, line []byte, in corpus.Kind) (corpus.Kind, int, int) {
	n := 0
	for n < len(line) && word(line[n]) {
		n++
	}
	rest := bytes.TrimLeft(line[n:], " ")
	if in != corpus.NoKind || n < 2 || len(rest) < 2 || rest[0] != '=' && rest[0] != ':' || rest[1] == '=' || line[0] < 'A' || line[0] > 'Z' {
		return 0, 0, 0
	}
	return corpus.Constant, 0, n
}

// shellFunction finds "name() {".
func shellFunction(_ *reader, line []byte, _ corpus.Kind) (corpus.Kind, int, int) {
	i := bytes.Index(line, []byte("()"))
	if i <= 0 {
		return 0, 0, 0
	}
	end := len(bytes.TrimRight(line[:i], " "))
	start := len(line) - len(bytes.TrimLeft(line, " \t"))
	if start >= end || bytes.ContainsAny(line[start:end], " \t=$\"'(") {
		return 0, 0, 0
	}
	return corpus.Function, start, end - start
}

// macro finds "#define NAME".
func macro(_ *reader, line []byte, _ corpus.Kind) (corpus.Kind, int, int) {
	rest := bytes.TrimLeft(line, " \t")
	if !has(rest, "#") {
		return 0, 0, 0
	}
	rest = bytes.TrimLeft(rest[1:], " \t")
	if !has(rest, "define") {
		return 0, 0, 0
	}
	rest = bytes.TrimLeft(rest[6:], " \t")
	n := 0
	for n < len(rest) && word(rest[n]) {
		n++
	}
	return corpus.Macro, len(line) - len(rest), n
}

// equation finds "name ::" and "name args =" of Haskell at the start of a line.
func equation(r *reader, line []byte, _ corpus.Kind) (corpus.Kind, int, int) {
	n := 0
	for n < len(line) && (word(line[n]) || line[n] == '\'') {
		n++
	}
	if n == 0 || line[0] >= 'A' && line[0] <= 'Z' || n == len(line) || control(string(line[:n])) || has(line, "module") || has(line, "import") || has(line, "infix") {
		return 0, 0, 0
	}
	for _, d := range r.out[max(0, len(r.out)-1):] {
		if d.Name == string(line[:n]) {
			return 0, 0, 0 // the next equation of the same function
		}
	}
	rest := line[n:]
	if bytes.Contains(rest, []byte("::")) || bytes.Contains(rest, []byte("=")) {
		return corpus.Function, 0, n
	}
	return 0, 0, 0
}

// headings returns the headings of a text as nesting sections.
func headings(language string, text []byte) []corpus.Decl {
	type heading struct {
		level    int
		at       int
		from, to int
	}
	var all []heading
	fence := false
	prev := [2]int{-1, -1}
	for at := 0; at < len(text); {
		next := len(text)
		if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
			next = at + n + 1
		}
		line := bytes.TrimRight(text[at:next], " \t\r\n")
		switch {
		case has(line, "```") || has(line, "~~~"):
			fence = !fence
		case fence:
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
		case len(line) > 2 && prev[1] > prev[0] && len(line) >= prev[1]-prev[0]-1 && underline(line) > 0 && !(language == "markdown" && line[0] != '=' && line[0] != '-'):
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

// underline returns the level of a line that underlines a heading, or 0.
func underline(line []byte) int {
	if len(line) < 3 {
		return 0
	}
	level := bytes.IndexByte([]byte("=-~^\"'`"), line[0]) + 1
	for _, c := range line {
		if c != line[0] {
			return 0
		}
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
	for start > 0 && (word(line[start-1]) || line[start-1] == '.') {
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
