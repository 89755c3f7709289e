package claims

import (
	"bytes"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// A role is what a word is in a source text: how much it says of what is there.
type role uint8

const (
	inComment role = iota + 1
	inCode
	inString
	declared
)

// marks are how a language writes comments.
type marks struct {
	line        []string
	open, close string
	triple      bool // """ is a comment as much as a string
}

func marksOf(language string) marks {
	switch language {
	case "python":
		return marks{line: []string{"#"}, triple: true}
	case "ruby", "shell", "bash", "powershell", "julia", "hcl", "graphql", "yaml", "toml", "make", "dockerfile", "perl", "elixir", "nix", "cmake", "r", "gomod", "ini":
		return marks{line: []string{"#"}}
	case "lua", "sql", "haskell":
		return marks{line: []string{"--"}, open: "{-", close: "-}"}
	case "html", "xml", "vue", "svelte":
		return marks{open: "<!--", close: "-->"}
	case "json", "csv", "":
		return marks{}
	case "php":
		return marks{line: []string{"//", "#"}, open: "/*", close: "*/"}
	}
	return marks{line: []string{"//"}, open: "/*", close: "*/"}
}

// pending is a comment that says what is not there yet.
var pending = lazy.Regexp(`(?i)\b(todo|fixme|xxx|not (yet )?implemented|unimplemented|not supported|planned|placeholder|removed|no longer)\b`)

// A lexer cuts a text into words with their roles.
type lexer struct {
	marks
	text []byte
	word func(w []byte, r role, line int)
	line int
	// whole, where it is not nil, takes what a string or a declaration of an option says:
	// the content of a string, a word before a colon, a word of a command line.
	whole func(s []byte)
	// pending, where it is not nil, takes the comments that say what is not there yet.
	pending func(text []byte)
}

func (l *lexer) run() {
	l.line = 1
	declares := false // the word before was one that declares
	for i := 0; i < len(l.text); {
		c := l.text[i]
		switch {
		case c == '\n':
			l.line++
			i++
			declares = false
		case l.comment(i):
			i = l.skipComment(i)
		case l.triple && (bytes.HasPrefix(l.text[i:], []byte(`"""`)) || bytes.HasPrefix(l.text[i:], []byte(`'''`))):
			end := bytes.Index(l.text[i+3:], l.text[i:i+3])
			if end < 0 {
				end = len(l.text) - i - 3
			}
			l.words(l.text[i+3:i+3+end], inComment)
			i = min(i+end+6, len(l.text))
		case c == '`' && len(l.marks.line) > 0 && l.marks.line[0] == "#":
			i++ // of shells and their like it holds a command, or nothing: a lone one would hide the rest
		case c == '"' || c == '`' || c == '\'':
			i = l.quoted(i)
		case wordByte(c):
			j := i + 1
			for j < len(l.text) && wordByte(l.text[j]) {
				j++
			}
			w := l.text[i:j]
			if declares {
				l.word(w, declared, l.line)
			} else {
				l.word(w, inCode, l.line)
			}
			if l.whole != nil && l.option(i, j) {
				l.whole(w)
			}
			declares = declaring(w)
			i = j
		case c == '(' && declares:
			// func (r *T) Name: the receiver stands before the name.
			j := bytes.IndexByte(l.text[i:], ')')
			if j < 0 || j > 80 {
				i++
				continue
			}
			l.words(l.text[i:i+j], inCode)
			i += j + 1
		default:
			if c > ' ' && c != '*' && c != '&' {
				declares = false
			}
			i++
		}
	}
}

// option reports whether a word of code is written as options are declared: before a
// colon, after one, after dashes, or as a field with a tag.
func (l *lexer) option(from, to int) bool {
	at := func(i int) byte {
		if i < 0 || i >= len(l.text) {
			return 0
		}
		return l.text[i]
	}
	switch {
	case at(from-1) == ':' && at(from-2) != ':', at(from-1) == '-' && at(from-2) == '-':
		return true
	case at(to) == ':' && at(to+1) != ':' && at(to+1) != '=':
		return true
	}
	start := bytes.LastIndexByte(l.text[:from], '\n') + 1
	if len(bytes.TrimSpace(l.text[start:from])) > 0 {
		return false
	}
	line, _, _ := bytes.Cut(l.text[to:], []byte("\n"))
	return bytes.Contains(line, []byte("`")) && bytes.Contains(line, []byte(`:"`))
}

func declaring(w []byte) bool {
	switch string(w) {
	case "func", "type", "class", "def", "function", "const", "var", "let", "fn", "struct", "interface", "enum", "trait", "module", "export":
		return true
	}
	return false
}

func (l *lexer) comment(i int) bool {
	for _, m := range l.marks.line {
		if bytes.HasPrefix(l.text[i:], []byte(m)) {
			return true
		}
	}
	return l.open != "" && bytes.HasPrefix(l.text[i:], []byte(l.open))
}

func (l *lexer) skipComment(i int) int {
	if l.open != "" && bytes.HasPrefix(l.text[i:], []byte(l.open)) {
		end := bytes.Index(l.text[i+len(l.open):], []byte(l.close))
		if end < 0 {
			end = len(l.text) - i - len(l.open) - len(l.close)
		}
		end = min(max(i+len(l.open), i+len(l.open)+end+len(l.close)), len(l.text))
		l.words(l.text[i:end], inComment)
		return end
	}
	end := bytes.IndexByte(l.text[i:], '\n')
	if end < 0 {
		end = len(l.text) - i
	}
	switch text := l.text[i : i+end]; {
	case bytes.HasPrefix(text, []byte("//go:")), bytes.HasPrefix(text, []byte("// +build")):
		l.words(text, inCode) // it is for a program
	case !pending.Match(text):
		l.words(text, inComment)
	case l.pending != nil:
		l.pending(text)
	}
	return i + end
}

// quoted reads a string; one that does not end on its line is none, but for those
// in backquotes.
func (l *lexer) quoted(i int) int {
	q := l.text[i]
	for j := i + 1; j < len(l.text); j++ {
		switch c := l.text[j]; {
		case c == '\\' && q != '`':
			j++
		case c == q:
			if l.whole != nil {
				l.whole(l.text[i+1 : j])
			}
			l.words(l.text[i+1:j], inString)
			return j + 1
		case c == '\n' && q != '`':
			return i + 1
		}
	}
	return i + 1
}

// words calls word with each word of a piece, names with hyphens also whole.
func (l *lexer) words(b []byte, r role) {
	for i := 0; i < len(b); {
		if b[i] == '\n' {
			l.line++
		}
		if !wordByte(b[i]) {
			i++
			continue
		}
		j, hyphen := i, false
		for j < len(b) && (wordByte(b[j]) || b[j] == '-' && j+1 < len(b) && wordByte(b[j+1])) {
			hyphen = hyphen || b[j] == '-'
			j++
		}
		if hyphen && r == inString {
			l.word(b[i:j], r, l.line)
		}
		for _, w := range bytes.Split(b[i:j], []byte("-")) {
			if len(w) > 0 {
				l.word(w, r, l.line)
			}
		}
		i = j
	}
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
