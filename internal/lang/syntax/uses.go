package syntax

import (
	"bytes"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// A Use is a name in code, outside of comments and strings, and what is written around it.
type Use struct {
	Name string
	At   int
	// Chain is what the name is a member of, as in corpus.Call: "" for a name alone, "?" for what is
	// no chain. A key of a literal of a known type is a member of "{T}".
	Chain string
	// Local says that the scopes of the file bind the name nearer than its package: only Go knows.
	Local bool
	Call  bool // it is called, or constructed
	Write bool // it is assigned to
	Path  bool // it is behind ::, or a method that its surroundings name
	// Public says that it is in a list of what a file offers to others: Python's __all__.
	Public bool
	Label  bool // it says which argument or which member a value is for; of what, is not known
	Embed  bool // it is a field or an element of a type without a name of its own
	// Maybe says that Chain holds only where it is a struct: the key of T{key: v} is else a name alone. In
	// JavaScript and Rust the name alone is a use of its own then, at the same place.
	Maybe bool
	// Implicit says that the type that it is a member of is not written: .name of Swift and Zig.
	Implicit bool
	// Whole is the name with its namespaces, where one word of PHP has them: A\B\Name.
	Whole string
}

// Uses returns the names in a text that are wanted, in order, those of declarations among them.
func Uses(name, language string, text []byte, wanted func(name []byte) bool) []Use {
	t := Read(name, language, text)
	defer t.Release()
	return t.Uses(wanted)
}

// Mentions is Uses, and what else has one of these names in code: symbols of Ruby and atoms of Elixir, operators,
// and attributes of JSX.
func Mentions(name, language string, text []byte, wanted func(name []byte) bool) []Use {
	t := Read(name, language, text)
	defer t.Release()
	out, s := t.Uses(wanted), t.tokens
	if s == nil {
		return out
	}
	before := len(out)
	seen := set.By(out, func(u *Use) int { return u.At })
	add := func(at int, b []byte, chain string) {
		if len(b) > 0 && wanted(b) && !seen[at] {
			out = append(out, Use{Name: string(b), At: at, Chain: chain})
		}
	}
	for i := range s.Toks {
		b := s.Bytes(i)
		switch kind := s.Kind(i); {
		case kind == scan.Punct:
			n := len(b) - len(bytes.TrimLeft(b, "."))
			if wanted(b) {
				n = 0
			}
			add(s.At(i)+n, b[n:], "") // one of a module has a dot before it
		case kind != scan.Text || len(b) < 2:
		case language == "ruby" || language == "elixir":
			if b[0] == ':' && scan.Letter(b[1]) {
				add(s.At(i)+1, b[1:], scan.Unknown)
			}
		case (language == "javascript" || language == "typescript") && !strings.ContainsRune("\"'`/", rune(b[0])):
			for k := 0; k < len(b); k++ {
				from := k
				for k < len(b) && scan.Letter(b[k]) {
					k++
				}
				if from > 0 && b[from-1] <= ' ' && k < len(b) && b[k] == '=' {
					add(s.At(i)+from, b[from:k], scan.Unknown)
				}
			}
		}
	}
	if len(out) > before {
		sorting.Stable(out, func(a, b Use) int { return a.At - b.At })
	}
	return out
}

// wordsOf finds names among tokens.
func wordsOf(s *scan.Source, language string, wanted func([]byte) bool) (out []Use) {
	if language == "haskell" {
		return haskellWords(s, wanted)
	}
	var elements markup
	named := Has(language, "calls-by-name")
	for i := range s.Toks {
		if language == "javascript" || language == "typescript" {
			out = append(out, elements.tags(s, i, wanted)...)
		}
		if s.Toks[i].Kind == scan.Text && language == "python" {
			if public := offered(s, i); public || annotates(s, i) {
				for _, u := range plainWords(s.Bytes(i), wanted) {
					u.At, u.Public = u.At+s.At(i), public
					out = append(out, u)
				}
			}
			continue
		}
		if s.Toks[i].Kind == scan.Text && named {
			if u, ok := namedByText(s, i, language); ok && wanted([]byte(u.Name)) {
				out = append(out, u)
			}
		}
		if s.Toks[i].Kind != scan.Word {
			continue
		}
		word := s.Bytes(i)
		last := 1 + bytes.LastIndexByte(word, '\\')
		if !wanted(word[last:]) {
			continue
		}
		u := Use{Name: string(word[last:]), At: s.At(i) + last, Chain: s.Receiver(i)}
		if last > 0 {
			u.Whole = s.Str(i)
		}
		if u.Chain == "" && member(s, i, language) {
			u.Chain = scan.Unknown
		}
		if u.Implicit = (language == "swift" || language == "zig") && s.Is(i-1, ".") && !ends(s, i-2); u.Implicit {
			u.Chain = scan.Unknown
		}
		switch {
		case u.Chain == "" && s.Is(i+1, "]") && language == "objc": // [disk size]
			u.Chain = s.Before(around(s, i)+1, i)
		case u.Chain == scan.Unknown && s.Is(i+1, "=") && (s.Is(i-2, "{") || s.Is(i-2, ",")): // struct box b = { .size = 1 }
			if open := around(s, i); s.Is(open-1, "=") && s.Word(open-3) && Has(language, "names-before-braces") {
				u.Chain = "{" + s.Str(open-3) + "}"
			}
		}
		next := i + 1
		if u.Path = s.Is(i-1, "::"); u.Path && language == "rust" {
			u.Chain = pathBefore(s, i)
		}
		if u.Path && u.Chain == "" && s.Adjacent(i-2) && Has(language, "references-by-path") {
			u.Chain = s.Ending(i - 2)
		}
		u.Path = u.Path || isReference(s, i, language) // a method, not a field
		u.Call = isCalled(s, i, language)
		switch {
		case u.Chain == "" && label(s, i, language):
			u.Chain, u.Label, u.Write = scan.Unknown, true, true
		case s.Is(next, "++"), s.Is(next, "--"), s.Is(i-1, "++"), s.Is(i-1, "--"):
			u.Write = true
		default:
			u.Write = assigns(string(s.Bytes(next)))
		}
		if o, ok := objectMember(s, i, language); ok && (s.Is(next, ":") || language == "csharp") {
			u = o
		} else if ok { // a variable is named, too
			out = append(out, u)
			u, u.Maybe = o, true
		}
		out = append(out, u)
	}
	return out
}

// isCalled reports whether the name at token i is called, or constructed.
func isCalled(s *scan.Source, i int, language string) bool {
	opens := s.Opens(i+1, '(') && s.Adjacent(i) && !isReference(s, i, language)
	return opens || s.Is(i+1, "!") && language == "rust" || s.Is(i-1, "new")
}

// isReference reports whether the brackets behind a name hold dots alone, by which PHP takes a method as a value: $d->put(...).
func isReference(s *scan.Source, i int, language string) bool {
	return s.Is(i+2, "...") && s.Is(i+3, ")") && Has(language, "callable-pairs")
}

// namedByText returns the use of a method that a text names, where the language calls methods so: d.method(:put), apply(Disk, :put, [])
// and [$d, 'put'].
func namedByText(s *scan.Source, i int, language string) (u Use, ok bool) {
	name := strings.Trim(s.Str(i), `:'"`)
	open := around(s, i)
	if open < 0 || name == "" || !scan.Letter(name[0]) {
		return u, false
	}
	u = Use{Name: name, At: s.At(i) + 1, Path: true} // a method, not a field
	isCalled := Lists(language, "calls-by-name", s.Str(open-1))
	isPair := s.Is(open, "[") && s.Is(i+1, "]") && Has(language, "callable-pairs")
	switch {
	case isCalled && i == open+1 && s.Is(open-2, "."):
		u.Chain = s.Receiver(open - 1)
	case s.Is(i-1, ",") && (isCalled || isPair):
		u.Chain = strings.TrimSuffix(s.Before(open+1, i-1), ".class")
	}
	return u, u.Chain != ""
}

// pathBefore returns what is before a name in a path of Rust, as a chain: a.b of a::b::C; ""
// where that is no names alone.
func pathBefore(s *scan.Source, i int) string {
	var parts []string
	for s.Is(i-1, "::") && s.Word(i-2) {
		parts = append(parts, s.Str(i-2))
		i -= 2
	}
	slices.Reverse(parts)
	return strings.Join(parts, ".")
}

// member reports whether a name has something before it that no chain begins with.
func member(s *scan.Source, i int, language string) bool {
	switch string(s.Bytes(i - 1)) {
	case "->":
		return language == "c" || language == "cpp" || language == "objc" || language == "php"
	case ".", "?.":
		return language != "php" && (s.Adjacent(i-1) || !s.Word(i-2))
	}
	return false
}

// ends reports whether an expression ends with token k, of whose value the next token, a dot, asks
// for a member.
func ends(s *scan.Source, k int) bool {
	switch s.Kind(k) {
	case scan.Close, scan.Text, scan.Number:
		return true
	case scan.Word:
		return s.Key(k) == 0 || s.Adjacent(k)
	case scan.Punct:
		return s.Adjacent(k) && strings.IndexByte("?!>", s.First(k)) >= 0
	}
	return false
}

// annotates reports whether a string of Python is a type: what a parameter, a variable or a result
// is annotated with, what typing.cast and TypeVar take, or an argument of a type.
func annotates(s *scan.Source, i int) bool {
	const typed = "_.,|[]\"' "
	if s.Line(i) && s.First(i-1) != '[' && s.First(i-1) != ',' || bytes.ContainsFunc(s.Bytes(i), func(r rune) bool {
		return r < 0x80 && !scan.Letter(byte(r)) && !strings.ContainsRune(typed, r)
	}) {
		return false // a docstring, or prose
	}
	open := around(s, i)
	switch before := string(s.Bytes(i - 1)); {
	case before == "->":
		return true
	case before == ":":
		return s.Word(i-2) && !s.Opens(open, '{')
	case before == "(":
		return s.Is(i-2, "cast")
	case before == "=":
		return s.Is(i-2, "bound")
	case s.Opens(open, '['):
		first := s.First(open - 1)
		return s.Word(open-1) && first >= 'A' && first <= 'Z'
	}
	return false
}

// offered reports whether a string of Python is in the list __all__.
func offered(s *scan.Source, i int) bool {
	open := around(s, i)
	return open > 1 && assigns(string(s.Bytes(open-1))) && s.Is(open-2, "__all__")
}

func assigns(op string) bool {
	switch op {
	case "=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", ":=", "??=", "||=", "&&=", "//=", "**=", ">>=", "<<=", "@=":
		return true
	}
	return false
}

// label reports whether a name alone says which member or which argument a value is for.
func label(s *scan.Source, i int, language string) bool {
	before := string(s.Bytes(i - 1))
	if before != "(" && before != "," && before != "{" {
		return false
	}
	switch next := string(s.Bytes(i + 1)); {
	case next == ":" && language != "python" && language != "zig":
		return true
	case next == "=" && language == "python":
		return before != "{" && s.Opens(around(s, i), '(')
	case next == "=" && (language == "kotlin" || language == "scala"):
		return before != "{"
	}
	return false
}

// around returns the opening bracket that a token is in, -1 where none is near.
func around(s *scan.Source, i int) int {
	const most = 2000
	for k := i - 1; k >= 0 && k > i-most; k-- {
		switch {
		case s.Kind(k) == scan.Close && s.Pair(k) >= 0:
			k = s.Pair(k)
		case s.Kind(k) == scan.Open:
			return k
		}
	}
	return -1
}

// plainWords finds names in a text of which no more is known than its letters.
func plainWords(text []byte, wanted func([]byte) bool) (out []Use) {
	for i := 0; i < len(text); i++ {
		if !scan.Letter(text[i]) {
			continue
		}
		from := i
		for i < len(text) && scan.Letter(text[i]) {
			i++
		}
		if !wanted(text[from:i]) || remark(text, from) {
			continue
		}
		u := Use{Name: string(text[from:i]), At: from, Call: i < len(text) && text[i] == '('}
		if from > 0 && text[from-1] == '.' {
			u.Chain = scan.Unknown
		}
		out = append(out, u)
	}
	return out
}

// remark reports whether an offset is behind the mark of a comment on its line, as most
// languages write it.
func remark(text []byte, at int) bool {
	line := text[1+bytes.LastIndexByte(text[:at], '\n') : at]
	if trimmed := bytes.TrimLeft(line, " \t"); len(trimmed) > 0 && trimmed[0] == '#' {
		return true
	}
	return bytes.Contains(line, []byte("// ")) || bytes.Contains(line, []byte(" # ")) || bytes.Contains(line, []byte("-- "))
}
