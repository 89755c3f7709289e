package catalog

import (
	"slices"
	"strings"
	"unicode"

	"github.com/assay-dev/assay/internal/base/text"
)

// A Meta is what a module's header says of it, and what can be read off its code.
type Meta struct {
	Module      string     `json:"module,omitempty"` // as the header has it
	Description string     `json:"description,omitempty"`
	Keywords    []string   `json:"keywords,omitempty"`
	Synonyms    []string   `json:"synonyms,omitempty"` // other words with which people ask for it
	Env         []string   `json:"env,omitempty"`      // variables that the module reads
	Auth        []string   `json:"auth,omitempty"`     // tables that its client takes, any of which will do
	Quickrefs   []Quickref `json:"quickrefs,omitempty"`
	Functions   []Function `json:"functions,omitempty"`
	// Alias is the module whose table this one returns, or "".
	Alias string `json:"alias,omitempty"`
}

// A Quickref is a function in one line.
type Quickref struct {
	Signature   string `json:"signature"` // c:health()
	Returns     string `json:"returns"`
	Description string `json:"description"`
}

func (q Quickref) String() string { return q.Signature + " -> " + q.Returns + " | " + q.Description }

// A Function is a function that the code gives a table: function c:health() or function M.client(url, opts).
type Function struct {
	Table  string   `json:"table"`
	Method bool     `json:"method,omitempty"` // written with a colon
	Name   string   `json:"name"`
	Params []string `json:"params,omitempty"`
	Line   int      `json:"line,omitempty"` // from 1
}

// Helper reports whether the name says that the function is not for callers.
func (f Function) Helper() bool { return strings.HasPrefix(f.Name, "_") }

// Signature returns the function as a quickref writes it.
func (f Function) Signature() string {
	return f.Table + f.sep() + f.Name + "(" + strings.Join(f.Params, ", ") + ")"
}

// A tag is a line of a header.
type tag struct {
	name, value string // name "" where the line has no tag
	text        string // the line
	at          int    // where value begins in it
	line        int    // from 1
}

// Parse reads the header of a module, which is the lines at its top that begin with three dashes, and the functions of its code. What
// it cannot read it omits; Lint tells about it.
func Parse(src string) Meta {
	var m Meta
	eachTag(src, func(t tag) {
		switch t.name {
		case "module":
			first(&m.Module, t.value)
		case "description":
			first(&m.Description, t.value)
		case "keywords":
			m.Keywords = append(m.Keywords, splitTrimmed(t.value, ",")...)
		case "synonyms":
			m.Synonyms = append(m.Synonyms, splitTrimmed(t.value, ",")...)
		case "env":
			m.Env = append(m.Env, splitTrimmed(t.value, ",")...)
		case "auth":
			m.Auth = append(m.Auth, splitTrimmed(t.value, " or ")...)
		case "quickref":
			if q, ok := readQuickref(t.value); ok {
				m.Quickrefs = append(m.Quickrefs, q)
			}
		}
	})
	m.Functions = functions(src)
	m.Alias = alias(src)
	return m
}

// eachTag calls yield with the lines of a header.
func eachTag(src string, yield func(tag)) {
	for n := 1; strings.HasPrefix(src, "---"); n++ {
		text := src
		if i := strings.IndexByte(src, '\n'); i >= 0 {
			text, src = src[:i], src[i+1:]
		} else {
			src = ""
		}
		text = strings.TrimSuffix(text, "\r")
		t := tag{text: text, line: n}
		at := 3
		for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
			at++
		}
		if at < len(text) && text[at] == '@' {
			end := len(text)
			if i := strings.IndexByte(text[at:], ' '); i >= 0 {
				end = at + i
			}
			t.name = text[at+1 : end]
			rest := strings.TrimLeftFunc(text[end:], unicode.IsSpace)
			t.at, t.value = len(text)-len(rest), strings.TrimSpace(rest)
		}
		yield(t)
	}
}

func first(to *string, value string) {
	if *to == "" {
		*to = value
	}
}

func splitTrimmed(s, sep string) (out []string) {
	for w := range strings.SplitSeq(s, sep) {
		if w = strings.TrimSpace(w); w != "" {
			out = append(out, w)
		}
	}
	return out
}

// readQuickref reads "signature -> returns | text".
func readQuickref(s string) (q Quickref, ok bool) {
	sig, rest, arrow := cutBlanks(s, "->")
	ret, text, bar := cutBlanks(rest, "|")
	q = Quickref{strings.TrimSpace(sig), strings.TrimSpace(ret), strings.TrimSpace(text)}
	return q, arrow && bar && q.Signature != "" && q.Returns != "" && q.Description != ""
}

// cutBlanks cuts s around the first sep that stands between blanks. It looks for the end of sep: a blank is what most text has most of.
func cutBlanks(s, sep string) (before, after string, found bool) {
	last := sep[len(sep)-1]
	for from := 0; ; {
		i := strings.IndexByte(s[from:], last)
		if i < 0 {
			return s, "", false
		}
		i += from
		start := i + 1 - len(sep)
		if start > 0 && s[start-1] == ' ' && i+1 < len(s) && s[i+1] == ' ' && s[start:i+1] == sep {
			return s[:start-1], s[i+2:], true
		}
		from = i + 1
	}
}

// separator returns where the last dot or colon of a name is, or -1.
func separator(name string) int {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '.' || name[i] == ':' {
			return i
		}
	}
	return -1
}

// maxFunctions bounds what a file can make of a catalogue.
const maxFunctions = 5000

const keyword = "function "

// functions returns the functions that begin a line, in order.
func functions(src string) (out []Function) {
	line, counted := 1, 0
	eachFunction(src, func(head string, at int) {
		f, ok := readFunction(head)
		if !ok {
			return
		}
		line += strings.Count(src[counted:at], "\n")
		counted = at
		f.Line = line
		out = append(out, f)
	})
	return out
}

// eachFunction calls yield with what follows each "function " that begins a line, and where it stands.
func eachFunction(src string, yield func(head string, at int)) {
	for at, n := 0, 0; n < maxFunctions; n++ {
		i := strings.Index(src[at:], keyword)
		if i < 0 {
			return
		}
		i += at
		at = i + len(keyword)
		if beginsLine(src, i) {
			yield(src[at:min(len(src), at+mostHead)], i)
		}
	}
}

// mostHead bounds a function's name and parameters, in bytes.
const mostHead = 1000

// beginsLine reports whether nothing but blanks stands before i in its line.
func beginsLine(src string, i int) bool {
	for i > 0 && (src[i-1] == ' ' || src[i-1] == '\t') {
		i--
	}
	return i == 0 || src[i-1] == '\n'
}

// readFunction reads "M.client(url, opts)".
func readFunction(s string) (f Function, ok bool) {
	table, sep, name, rest := cutFunction(s)
	params, _, closed := strings.Cut(rest, ")")
	if !closed || !text.Identifier(name) || !dotted(table) {
		return f, false
	}
	f = Function{Table: table, Name: name, Method: sep == ':'}
	for _, p := range splitTrimmed(params, ",") {
		if p != "..." && !text.Identifier(p) {
			return f, false
		}
		f.Params = append(f.Params, p)
	}
	return f, true
}

// cutFunction takes apart what is before the opening parenthesis of a function.
func cutFunction(s string) (table string, sep byte, name, rest string) {
	name, rest, ok := strings.Cut(s, "(")
	i := separator(name)
	if !ok || i < 0 {
		return "", 0, "", ""
	}
	return strings.TrimSpace(name[:i]), name[i], strings.TrimSpace(name[i+1:]), rest
}

// dotted reports whether s is names joined by dots.
func dotted(s string) bool {
	return !slices.ContainsFunc(strings.Split(s, "."), func(name string) bool { return !text.Identifier(name) })
}

// alias returns the module that the last line of src returns: return require("assay.vault").
func alias(src string) string {
	src = strings.TrimRight(src, "; \t\r\n")
	call, ok := strings.CutPrefix(strings.TrimSpace(src[strings.LastIndexByte(src, '\n')+1:]), "return require")
	if !ok {
		return ""
	}
	call = strings.Trim(call, " ()")
	if len(call) < 3 || call[0] != '"' && call[0] != '\'' || call[len(call)-1] != call[0] {
		return ""
	}
	if stem := Stem(call[1 : len(call)-1]); stem != "" {
		return prefix + stem
	}
	return ""
}
