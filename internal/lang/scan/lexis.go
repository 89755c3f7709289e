package scan

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// A Lexis says how the text of a language falls into tokens.
type Lexis struct {
	Line    []string    // what begins a comment that ends with its line
	Block   [][2]string // what begins and ends a comment
	Nested  bool        // block comments nest
	Strings []String
	Letters string   // bytes that words hold beside letters, digits, _ and everything above ASCII
	Ops     []string // operators of several bytes, beside the usual ones
	NotOps  []string // usual operators that this language does not have
	// Keywords are words with space between them: "if else elsif=elif" where one is
	// written in a way of its own. Those that no scanner looks at are KOther.
	Keywords string
	Cased    bool   // keywords mean the same in capitals, and with one
	Soft     string // keywords that are names too, where they stand for one
	// Special is asked wherever one of the bytes At stands at the beginning of a
	// token: to read what no table can say it moves l.Pos and emits tokens, or
	// returns false. It may begin a string with l.Begin.
	Special func(l *Lexer) bool
	At      string
	// Prefix is asked for a word that a quote, or one of the bytes PrefixAt,
	// follows directly: it says what string they begin together and how long the
	// opening mark is, from the quote on, or returns false.
	Prefix   func(l *Lexer, word string) (s *String, mark int, ok bool)
	PrefixAt string

	// How chains are written; see Source.Chain.
	Access  []string // what stands between a thing and its member; "." where nil
	Before  []string // words that an expression may begin with and mean the same: new, await
	Rooted  bool     // :: may begin a chain, and changes nothing
	Postfix string   // bytes that may follow a thing and change nothing: "!"
	Keys    bool     // chains say which constant stands in brackets
	Generic bool     // <…> may stand between a name and what follows it
	Casts   bool     // (T) before a name is a cast
}

// A String is a kind of string literal.
type String struct {
	Open, Close string // Close "" is Open
	Escape      byte   // the byte that takes the next one literally, or 0
	Lines       bool   // it may go over several lines
	Double      bool   // its closing mark, twice, stands for itself
	Interp      string // what begins an expression in it: "${", "#{", `\(`, "{"; of "{$" the sign belongs to the expression
	InterpTwice bool   // Interp, twice, stands for itself
	// Ends, where not nil, finds the end of a string whose closing mark depends on
	// where it stands: it returns the offset after the mark.
	Ends func(text []byte, from int) int
}

var usual = []string{"=>", "->", "::", "?.", "==", "!=", "<=", ">=", ":=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "&&", "||", "??", "..", "<-", "|>",
	"===", "!==", "...", "&&=", "||=", "??=", "**", "++", "--"}

// A Grammar reads texts as a Lexis says. Its tables are made when it first reads one:
// a command that reads no source text begins without them.
type Grammar struct {
	Lexis
	made func() *tables
}

// Tables are what a Lexis says, by the byte or the word at hand.
type tables struct {
	class    [256]class
	strings  [256][]String
	ops      [256][]string
	keys     map[string]Key
	soft     Keys
	longest  int // keyword
	first    [256]bool
	access   map[string]bool
	before   map[string]bool
	comments [256]bool
	special  [256]bool
}

type class uint8

const (
	punct class = iota
	space
	newline
	letter
	digit
	opener
	closer
)

func New(x Lexis) *Grammar {
	return &Grammar{Lexis: x, made: sync.OnceValue(func() *tables { return tabulate(x) })}
}

// Tabulate makes the tables of a Lexis. It panics on one that cannot be.
func tabulate(x Lexis) *tables {
	g := &tables{keys: map[string]Key{}, access: map[string]bool{}, before: map[string]bool{}}
	for c := range 256 {
		switch {
		case c == '\n':
			g.class[c] = newline
		case c <= ' ' || c == 0x7f:
			g.class[c] = space
		case c >= '0' && c <= '9':
			g.class[c] = digit
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80:
			g.class[c] = letter
		}
	}
	for _, c := range []byte("([{") {
		g.class[c] = opener
	}
	for _, c := range []byte(")]}") {
		g.class[c] = closer
	}
	for _, c := range []byte(x.Letters) {
		g.class[c] = letter
	}
	for _, s := range x.Strings {
		g.strings[s.Open[0]] = append(g.strings[s.Open[0]], s)
	}
	for _, op := range append(slices.Clone(usual), x.Ops...) {
		if !slices.Contains(x.NotOps, op) {
			g.ops[op[0]] = append(g.ops[op[0]], op)
		}
	}
	for c := range 256 {
		sorting.Stable(g.ops[c], func(a, b string) int { return cmp.Compare(len(b), len(a)) })
		sorting.Stable(g.strings[c], func(a, b String) int { return cmp.Compare(len(b.Open), len(a.Open)) })
	}
	keywords := strings.Fields(x.Keywords)
	if x.Cased {
		for _, w := range slices.Clone(keywords) {
			keywords = append(keywords, strings.ToUpper(w)+"="+w, strings.ToUpper(w[:1])+w[1:]+"="+w)
		}
	}
	hard := len(keywords)
	for i, k := range append(keywords, strings.Fields(x.Soft)...) {
		k, means, ok := strings.Cut(k, "=")
		if !ok {
			means = k
		}
		if g.keys[k] = numbers[means]; g.keys[k] == 0 {
			g.keys[k] = KOther
		}
		if i >= hard {
			g.soft.Add(g.keys[k])
		}
		g.longest = max(g.longest, len(k))
		g.first[k[0]] = true
	}
	for _, c := range []byte(x.At) {
		g.special[c] = true
	}
	for _, c := range x.Line {
		g.comments[c[0]] = true
	}
	for _, b := range x.Block {
		g.comments[b[0][0]] = true
	}
	if x.Access == nil {
		x.Access = []string{".", "?."}
	}
	set.Add(g.access, x.Access...)
	set.Add(g.before, x.Before...)
	return g
}
