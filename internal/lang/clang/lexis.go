package clang

import (
	"bytes"
	_ "embed" // c.txt, objc.txt, cpp.txt

	"github.com/assay-dev/assay/internal/lang/scan"
)

//go:embed c.txt
var ofC string // the keywords of C

//go:embed objc.txt
var ofObjC string // those that Objective-C adds

//go:embed cpp.txt
var ofCPP string // those that C++ adds

// A dialect is one of the languages of the family.
type dialect struct {
	*scan.Grammar
	cpp, objc bool
}

var (
	plain       = newDialect(false, false)
	plusplus    = newDialect(true, false)
	objective   = newDialect(false, true)
	objectivepp = newDialect(true, true)
)

func newDialect(cpp, objc bool) *dialect {
	d := &dialect{cpp: cpp, objc: objc}
	x := scan.Lexis{
		Line:     []string{"//"},
		Block:    [][2]string{{"/*", "*/"}},
		Strings:  []scan.String{{Open: `"`, Escape: '\\'}, {Open: "'", Escape: '\\'}},
		Letters:  "$",
		NotOps:   []string{"=>", "?.", ":=", "??", "..", "<-", "|>", "===", "!==", "&&=", "||=", "??=", "**"},
		Keywords: ofC,
		Special:  special,
		At:       "\\#<=>",
		Access:   []string{".", "->", "::"},
	}
	if objc {
		x.Letters += "@"
		x.Keywords += " " + ofObjC
		x.Prefix = atString
	}
	if cpp {
		x.Keywords += " " + ofCPP
		x.Before = []string{"new", "co_await"}
		x.Generic, x.Rooted = true, true
		x.Prefix = rawString
		x.At += "123456789"
	}
	d.Grammar = scan.New(x)
	return d
}

// special reads what is between lines, and numbers with signs between digits.
func special(l *scan.Lexer) bool {
	rest := l.Src[l.Pos:]
	switch rest[0] {
	case '\\':
		n := 1
		if n < len(rest) && rest[n] == '\r' {
			n++
		}
		if n == len(rest) || rest[n] == '\n' {
			l.Pos += min(n+1, len(rest)) // the line goes on
			return true
		}
		return false
	case '#':
		return directive(l, rest)
	case '<', '=', '>':
		return l.Conflict()
	}
	n := 1
	for n < len(rest) && (rest[n] == '\'' && n+1 < len(rest) && alnum(rest[n+1]) || alnum(rest[n]) || rest[n] == '.') {
		n++
	}
	if bytes.IndexByte(rest[:n], '\'') < 0 {
		return false
	}
	l.Emit(scan.Number, n)
	return true
}

func alnum(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }

var (
	quoted = &scan.String{Open: `"`, Escape: '\\'}
	raw    = &scan.String{Open: `"`, Lines: true, Ends: rawEnd}
)

func rawString(l *scan.Lexer, word string) (s *scan.String, mark int, ok bool) {
	switch word {
	case "R", "LR", "uR", "UR", "u8R":
		if l.Src[l.Pos+len(word)] == '"' {
			return raw, 1, true
		}
	}
	return atString(l, word)
}

func atString(l *scan.Lexer, word string) (s *scan.String, mark int, ok bool) {
	if word == "@" && l.Src[l.Pos+1] == '"' {
		return quoted, 1, true
	}
	return nil, 0, false
}

// rawEnd finds the end of R"mark( … )mark" from behind its quote on.
func rawEnd(text []byte, from int) int {
	n := bytes.IndexByte(text[from:min(len(text), from+20)], '(')
	if n < 0 {
		return from
	}
	mark := ")" + string(text[from:from+n]) + `"`
	if at := bytes.Index(text[from:], []byte(mark)); at >= 0 {
		return from + at + len(mark)
	}
	return len(text)
}

// The sets of keywords that questions are about.
var (
	// What stands before a type and is no part of its name.
	specifiers = scan.KeySet(`extern static inline register thread_local _Noreturn __extension__ constexpr consteval constinit explicit export friend
mutable virtual typedef`)
	qualifiers = scan.KeySet("const volatile restrict typename _Atomic")
	builtin    = scan.KeySet("auto bool char double float int long short signed unsigned void")
	tags       = scan.KeySet("struct union enum class")
	// Words whose parentheses hold no arguments and no declaration.
	wrapping = scan.KeySet("attribute declspec alignas asm typeof decltype noexcept _Pragma _Atomic throw requires explicit")
	// Words that begin a statement that is no declaration.
	statements = scan.KeySet(`break case continue default do else for goto if return switch while asm catch delete throw try co_return co_yield
co_await new this sizeof @synchronized @catch _Pragma cast`)
)

// directive reads a line for the preprocessor and those it goes on in.
func directive(l *scan.Lexer, rest []byte) bool {
	if !l.Fresh() {
		return false
	}
	i := 1
	for i < len(rest) && rest[i] != '\n' {
		switch c := rest[i]; {
		case c == '\\' && i+1 < len(rest) && rest[i+1] == '\n':
			i++
		case c == '\\' && i+2 < len(rest) && rest[i+1] == '\r' && rest[i+2] == '\n':
			i += 2
		case c == '"':
			i = literal(rest, i)
		case c == '/' && i+1 < len(rest) && rest[i+1] == '/':
			l.Emit(scan.Directive, i)
			return true
		case c == '/' && i+1 < len(rest) && rest[i+1] == '*':
			n := bytes.Index(rest[i+2:], []byte("*/"))
			if n < 0 || bytes.IndexByte(rest[i:i+2+n], '\n') >= 0 && !goesOn(rest[:i+2+n]) {
				l.Emit(scan.Directive, i)
				return true
			}
			i += n + 3
		}
		i++
	}
	l.Emit(scan.Directive, min(i, len(rest)))
	return true
}

// goesOn reports whether every line of a text goes on in the next.
func goesOn(text []byte) bool {
	for {
		n := bytes.IndexByte(text, '\n')
		if n < 0 {
			return true
		}
		if line := bytes.TrimSuffix(text[:n], []byte("\r")); len(line) == 0 || line[len(line)-1] != '\\' {
			return false
		}
		text = text[n+1:]
	}
}

// literal returns the last byte of the string that begins at i, or i where the
// line ends before it does.
func literal(text []byte, i int) int {
	for k := i + 1; k < len(text) && text[k] != '\n'; k++ {
		switch text[k] {
		case '\\':
			k++
		case '"':
			return k
		}
	}
	return i
}
