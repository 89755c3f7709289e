// Package haskell reads Haskell as GHC has it: bindings and their signatures,
// types, classes and instances, imports, and the variables that are applied.
//
// Whatever the text, the spans of declarations lie in it, the text at NameAt is
// the name, and it takes time linear in the text.
package haskell

import (
	"bytes"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// The grammars: # may end a name with MagicHash, and comments do not nest where
// more of them begin than end, or fewer.
var (
	plain     = lexis("'", true)
	hash      = lexis("'#", true)
	plainFlat = lexis("'", false)
	hashFlat  = lexis("'#", false)
)

func grammar(src []byte) *scan.Grammar {
	nest := bytes.Count(src, []byte("{-")) == bytes.Count(src, []byte("-}"))
	switch magic := bytes.Contains(src, []byte("MagicHash")); {
	case magic && nest:
		return hash
	case magic:
		return hashFlat
	case nest:
		return plain
	}
	return plainFlat
}

const symbols = "!#$%&*+./<=>?@\\^|-~:"

func lexis(letters string, nest bool) *scan.Grammar {
	return scan.New(scan.Lexis{
		Keywords: `case class data default deriving do else foreign if import in infix infixl infixr instance let mdo module newtype of then type where`,
		Letters:  letters,
		Special:  special,
		Nested:   nest,
		At:       symbols + "{'\"[",
	})
}

var symbol = func() (t [256]bool) {
	for _, c := range []byte(symbols) {
		t[c] = true
	}
	return t
}()

// special reads comments, operators, literals and quotations.
func special(l *scan.Lexer) bool {
	rest := l.Src[l.Pos:]
	switch rest[0] {
	case '{':
		if len(rest) < 2 || rest[1] != '-' {
			return false
		}
		l.Comment(comment(rest, l.Nested))
		if len(rest) > 2 && rest[2] == '#' { // a pragma documents nothing
			l.Comments = l.Comments[:len(l.Comments)-1]
		}
		return true
	case '\'':
		return quote(l, rest)
	case '"':
		l.Emit(scan.Text, text(rest))
		return true
	case '[':
		n := quasi(rest)
		if n > 0 {
			l.Emit(scan.Text, n)
		}
		return n > 0
	case '#':
		if l.Fresh() && (l.Pos == 0 || l.Src[l.Pos-1] == '\n') { // for the preprocessor
			n := upTo(rest, '\n')
			for n < len(rest) && rest[n-1] == '\\' {
				n += 1 + upTo(rest[n+1:], '\n')
			}
			l.Comment(n)
			l.Comments = l.Comments[:len(l.Comments)-1]
			return true
		}
	}
	n, dashes := 0, true
	for n < len(rest) && symbol[rest[n]] {
		dashes = dashes && rest[n] == '-'
		n++
	}
	if dashes && n > 1 {
		l.Comment(upTo(rest, '\n'))
	} else {
		l.Emit(scan.Punct, n)
	}
	return true
}

func upTo(b []byte, c byte) int {
	if n := bytes.IndexByte(b, c); n >= 0 {
		return n
	}
	return len(b)
}

// comment returns the length of the comment that b begins with.
func comment(b []byte, nested bool) int {
	depth := 0
	for k := 0; k < len(b); k++ {
		n := bytes.IndexByte(b[k:], '-')
		if n < 0 {
			break
		}
		k += n
		switch {
		case k > 0 && b[k-1] == '{' && (nested || k == 1):
			depth++
		case k+1 < len(b) && b[k+1] == '}':
			if depth--; depth == 0 {
				return k + 2
			}
			k++
		}
	}
	return len(b)
}

// quote reads a character, or the name of something: 'f, ”T.
func quote(l *scan.Lexer, b []byte) bool {
	if len(b) > 2 && b[1] == '\\' {
		if n := bytes.IndexByte(b[3:min(len(b), 14)], '\''); n >= 0 {
			l.Emit(scan.Text, n+4)
			return true
		}
	} else if len(b) > 1 {
		n := 2
		for n < len(b) && b[n]&0xC0 == 0x80 {
			n++
		}
		if n < len(b) && b[n] == '\'' && b[1] != '\'' && b[1] != '\n' {
			l.Emit(scan.Text, n+1)
			return true
		}
	}
	n := 1
	for n < len(b) && (name(b[n]) || b[n] == '.' && n+1 < len(b) && name(b[n+1])) {
		n++
	}
	l.Emit(scan.Text, n)
	return true
}

func name(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '\'' || c >= 0x80
}

// text returns the length of the string that b begins with.
func text(b []byte) int {
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '"':
			if i+1 < len(b) && b[i+1] == '#' && (i+2 == len(b) || !symbol[b[i+2]]) {
				i++
			}
			return i + 1
		case '\n':
			return i // never closed: the line is all it can have
		case '\\':
			i++
			if i < len(b) && b[i] <= ' ' { // a gap
				for i < len(b) && b[i] <= ' ' {
					i++
				}
				if i < len(b) && b[i] != '\\' {
					i--
				}
			}
		}
	}
	return len(b)
}

// quasi returns the length of the quotation that b begins with: [name|…|]; 0 where
// it begins with none. [d| and its like hold Haskell. It stops looking where
// another one begins.
func quasi(b []byte) int {
	n := 1
	for n < len(b) && (name(b[n]) || b[n] == '.') {
		n++
	}
	if n == 1 || n == 2 && bytes.IndexByte([]byte("detp"), b[1]) >= 0 || n+1 >= len(b) || b[n] != '|' || b[1] >= 'A' && b[1] <= 'Z' && bytes.IndexByte(b[:n], '.') < 0 {
		return 0
	}
	for k := n; k+1 < len(b); k++ {
		i := bytes.IndexByte(b[k:], '|')
		if i < 0 || k+i+1 >= len(b) {
			return 0
		}
		k += i
		if b[k+1] == ']' {
			return k + 2
		}
		if k > n {
			j := k
			for j > n && name(b[j-1]) {
				j--
			}
			if j < k && b[j-1] == '[' {
				return 0
			}
		}
	}
	return 0
}

// Read returns the facts of a Haskell text.
func Read(src []byte) corpus.Facts {
	if code := literate(src); code != nil {
		src = code
	}
	return grammar(src).Read(src, func(s *scan.Source) {
		r := &reader{Source: s, arrows: bytes.Contains(src, []byte("Arrows")), static: bytes.Contains(src, []byte("StaticPointers"))}
		r.read()
	})
}

// literate returns the code of a text in which all else is what needs no mark,
// where it stands there; nil for a text that is code.
func literate(src []byte) []byte {
	tex := bytes.Contains(src, []byte("\n\\begin{code}"))
	bird := bytes.HasPrefix(src, []byte("> module ")) || bytes.Contains(src, []byte("\n> module "))
	marked := fenced(src)
	if !marked && (!tex && !bird || bytes.HasPrefix(src, []byte("module ")) || !tex && bytes.Contains(src, []byte("\nmodule "))) {
		return nil
	}
	out := make([]byte, len(src))
	at, in := 0, false
	for line := range bytes.Lines(src) {
		to := out[at : at+len(line)]
		at += len(line)
		switch {
		case marked && bytes.HasPrefix(line, []byte("```")):
			in = bytes.HasPrefix(bytes.TrimLeft(line, "` "), []byte("haskell"))
		case bytes.HasPrefix(line, []byte("\\begin{code}")):
			in = true
		case bytes.HasPrefix(line, []byte("\\end{code}")):
			in = false
		case in:
			copy(to, line)
			continue
		case line[0] == '>':
			copy(to, line)
			to[0] = ' '
			continue
		}
		for k, c := range line {
			if to[k] = ' '; c == '\n' {
				to[k] = c
			}
		}
	}
	return out
}

// fenced reports whether a text is Markdown whose blocks of Haskell are its code: it does not begin as code does.
func fenced(src []byte) bool {
	head := bytes.TrimLeft(src, " \t\r\n")
	for _, code := range []string{"{-", "--", "module ", "import ", "#!", "#if", "#include", ">"} {
		if bytes.HasPrefix(head, []byte(code)) {
			return false
		}
	}
	return bytes.Contains(src, []byte("\n```haskell")) || bytes.Contains(src, []byte("\n``` haskell"))
}

// Tokens cuts a source text into its tokens.
func Tokens(src []byte) *scan.Source { return grammar(src).Tokens(src) }
