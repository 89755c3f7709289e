package claims

import (
	"bytes"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A role is the place of a word in a source text: how much it says of the program.
type role uint8

const (
	inComment role = iota + 1
	inCode
	inString
	declared
)

// pending is a comment that says that something is not there yet.
var pending = lazy.Regexp(`(?i)\b(todo|fixme|xxx|not (yet )?implemented|unimplemented|not supported|planned|placeholder|removed|no longer)\b`)

// A lexer cuts a text into words with their roles.
type lexer struct {
	text  []byte
	word  func(w []byte, r role, line int)
	idiom func(word string, r role, line int) // a phrase whose words mean something else apart
	line  int
}

// run takes the words of source: comments and strings as the scanner of its language tells them, all else as code.
func (l *lexer) run(path, language string) {
	l.line = 1
	at := 0
	for _, m := range syntax.Marks(path, language, l.text) {
		if m.Kind == syntax.Keyword || m.At < at {
			continue
		}
		l.code(l.text[at:m.At])
		switch piece := l.text[m.At:m.End]; {
		case m.Kind == syntax.Literal:
			l.say(piece, inString)
		case bytes.HasPrefix(piece, []byte("//go:")), bytes.HasPrefix(piece, []byte("// +build")):
			l.words(piece, inCode) // it is for a program
		case pending.Match(piece):
			l.line += bytes.Count(piece, []byte("\n"))
		default:
			l.say(piece, inComment)
		}
		at = m.End
	}
	l.code(l.text[at:])
}

func declaring(w []byte) bool {
	switch string(w) {
	case "func", "type", "class", "def", "function", "const", "var", "let", "fn", "struct", "interface", "enum", "trait", "module", "export":
		return true
	}
	return false
}

// code takes the words of code. A word is declared if the one before it declares.
func (l *lexer) code(b []byte) {
	declares := false
	for i := 0; i < len(b); {
		if !wordByte(b[i]) {
			if b[i] == '\n' {
				l.line++
			}
			declares = declares && (b[i] == ' ' || b[i] == '*' || b[i] == '&')
			i++
			continue
		}
		j := i + 1
		for j < len(b) && wordByte(b[j]) {
			j++
		}
		r := inCode
		if declares {
			r = declared
		}
		l.word(b[i:j], r, l.line)
		declares = declaring(b[i:j])
		i = j
	}
}

// say takes the words and the idioms of prose.
func (l *lexer) say(b []byte, r role) {
	first := l.line
	l.words(b, r)
	findIdioms(string(b), func(word string, at, _ int) { l.idiom(word, r, first+bytes.Count(b[:at], []byte("\n"))) })
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
