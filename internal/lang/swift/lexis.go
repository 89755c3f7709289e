package swift

import (
	"bytes"
	"strings"

	"github.com/assay-dev/assay/internal/lang/scan"
)

const (
	keywords = `as associatedtype break case catch class continue default defer deinit do else enum extension fallthrough false fileprivate for func guard
if import in init inout internal is let nil operator precedencegroup private protocol public repeat rethrows return self static struct
subscript super switch throw throws true try typealias var where while`
	// These are names as well.
	names = `actor any async await consuming borrowing convenience didSet distributed dynamic each final get indirect infix isolated lazy macro mutating
nonisolated nonmutating open optional override package postfix prefix reasync required sending set some _modify _read unowned weak willSet
yield`
)

// The sets of keywords that questions are about.
var (
	modifiers = scan.KeySet(`class fileprivate internal private public static async consuming borrowing convenience distributed dynamic final
indirect infix isolated lazy mutating nonisolated nonmutating open optional override package postfix prefix required
sending unowned weak`)
	declares = scan.KeySet(`associatedtype case class deinit enum extension func import init let operator precedencegroup protocol struct subscript
typealias var`)
	accessors = scan.KeySet("get set didSet willSet _modify _read init")
	// Before a parenthesis or a brace these are not called.
	uncalled = scan.KeySet("any async await each some reasync yield sending consuming borrowing")
)

var grammar = scan.New(scan.Lexis{
	Line:   []string{"//"},
	Block:  [][2]string{{"/*", "*/"}},
	Nested: true,
	Strings: []scan.String{
		{Open: `"`, Escape: '\\', Interp: `\(`},
		{Open: `"""`, Escape: '\\', Interp: `\(`, Lines: true},
	},
	Letters:  "$",
	Ops:      []string{"..<"},
	NotOps:   []string{"::", ":=", "<-", "|>"},
	Keywords: keywords,
	Soft:     names,
	Special:  special,
	At:       "#`/<=>",
	Access:   []string{".", "?."},
	Before:   []string{"try", "await"},
	Postfix:  "!?",
	Generic:  true,
})

// special reads raw strings, names in backquotes, literals of regular expressions
// and the lines that choose between texts, which are skipped.
func special(l *scan.Lexer) bool {
	rest := l.Src[l.Pos:]
	switch rest[0] {
	case '`':
		n := 1
		for n < len(rest) && n < 200 && rest[n] != '`' && rest[n] != '\n' {
			n++
		}
		if n == 1 || n >= len(rest) || rest[n] != '`' {
			return false
		}
		l.Emit(scan.Word, n+1)
		return true
	case '/':
		return regex(l, rest)
	case '<', '=', '>':
		return l.Conflict()
	}
	hashes := 0
	for hashes < len(rest) && rest[hashes] == '#' && hashes < 32 {
		hashes++
	}
	switch {
	case hashes < len(rest) && rest[hashes] == '"':
		triple := bytes.HasPrefix(rest[hashes:], []byte(`"""`))
		l.Begin(rawString(hashes, triple), hashes+pick(triple, 3, 1))
		return true
	case hashes < len(rest) && rest[hashes] == '/':
		end := bytes.Index(rest[hashes+1:], append([]byte{'/'}, rest[:hashes]...))
		if end < 0 || end > 4096 {
			return false
		}
		l.Emit(scan.Text, hashes+1+end+1+hashes)
		return true
	case hashes == 1 && l.Fresh() && chooses(rest):
		n := scan.LineEnd(rest)
		if c := bytes.Index(rest[:n], []byte("/*")); c > 0 {
			n = c
		}
		l.Pos += n
		return true
	}
	return false
}

func pick(first bool, a, b int) int {
	if first {
		return a
	}
	return b
}

// The raw strings that are written most.
var (
	raw      = &scan.String{Open: `#"`, Close: `"#`, Interp: `\#(`}
	rawLines = &scan.String{Open: `#"""`, Close: `"""#`, Interp: `\#(`, Lines: true}
)

func rawString(hashes int, triple bool) *scan.String {
	switch {
	case hashes == 1 && triple:
		return rawLines
	case hashes == 1:
		return raw
	}
	marks := strings.Repeat("#", hashes)
	quotes := strings.Repeat(`"`, pick(triple, 3, 1))
	return &scan.String{Open: marks + quotes, Close: quotes + marks, Interp: `\` + marks + "(", Lines: triple}
}

// chooses reports whether a line is one of #if, #elseif, #else and #endif, or
// about the source.
func chooses(line []byte) bool {
	n := 1
	for n < len(line) && line[n] >= 'a' && line[n] <= 'z' {
		n++
	}
	switch string(line[1:n]) {
	case "if", "elseif", "else", "endif", "sourceLocation", "warning", "error":
		return true
	}
	return false
}

// regex reads /…/ where an expression may begin.
func regex(l *scan.Lexer, rest []byte) bool {
	if t, ok := l.Last(); ok {
		switch before := l.Src[t.End-1]; t.Kind {
		case scan.Word:
			if t.Key == 0 || l.Soft(t.Key) || t.Key == scan.KSelf || t.Key == scan.KSuper {
				return false
			}
		case scan.Punct:
			if before == '!' || before == '?' || before == '>' || before == '.' || int(t.End) == l.Pos {
				return false
			}
		case scan.Open:
		default:
			return false
		}
	}
	if len(rest) < 3 || rest[1] == ' ' || rest[1] == ')' || rest[1] == '=' || rest[1] == '\t' || rest[1] == '\n' {
		return false
	}
	for n := 1; n < len(rest) && n < 1000 && rest[n] != '\n'; n++ {
		switch rest[n] {
		case '\\':
			n++
		case '/':
			l.Emit(scan.Text, n+1)
			return true
		}
	}
	return false
}
