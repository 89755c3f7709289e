// Package apidoc reads the public declarations of source text, and the operations of OpenAPI
// files, as an API reference: what each is called, its signature, and what the comment over it says of it, of its
// parameters, results and errors, with its examples.
//
// Whatever a file holds, signatures and code are quoted from it, none of it is run, and
// every entry is of a declaration that others can use.
package apidoc

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/openapi"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

const (
	maxSource    = 2 << 20 // bytes; what is larger was written by a program
	maxSignature = 1200    // bytes; the rest of a signature is left to the source
	maxBody      = 1500    // bytes of a type's fields, which are shown with it
	maxValue     = 400     // bytes of a variable with its value
)

// An Entry is one public name of a file. What is declared several times, as overloads
// are, is one entry.
type Entry struct {
	Title  string   // "Mux.Get", as the language joins names
	Trail  []string // what is around it, outermost first: its package or module, its type
	Line   int      // one-based, of its name
	Blocks []markup.Block
}

// jointOf returns the sign between a type and its member in a language whose declarations are read, "" for every other.
func jointOf(language string) string { return strings.Join(syntax.Words(language, "member-joint"), "") }

// Language returns the language of a source file whose public declarations are worth
// reading, "" of every other: tests, examples, what is generated or somebody else's.
// packed says that the tree is a package as its registry has it, in which what a program
// made of the source is all there is.
func Language(p string, packed bool) string {
	base := strings.ToLower(path.Base(p))
	ext := path.Ext(base)
	switch {
	case ext == "":
		return ""
	case packed && assembly(p):
		return Assembly
	case isDoxygen(p):
		return Doxygen
	}
	lang := syntax.Language(p, nil)
	if (lang == "c" || lang == "cpp") && !isHeader(p) {
		return ""
	}
	described := isDescription(base)
	if described {
		lang = OpenAPI
	}
	if !described && (jointOf(lang) == "" || syntax.Lists("any", "build-files", strings.TrimPrefix(ext, "."))) {
		return ""
	}
	if strings.HasSuffix(base, ".min.js") || strings.HasSuffix(base, ".gradle.kts") {
		return ""
	}
	switch base {
	case "package.swift", "versioneer.py", "_version.py", "setup.py", "noxfile.py":
		return "" // tools of the project
	}
	skip := corpus.Test | corpus.Example | corpus.Vendored | corpus.Minified | corpus.Generated
	declared := Declarations(base)
	if declared {
		skip &^= corpus.Generated
	}
	if discover.PathFlags(p)&skip != 0 {
		return ""
	}
	for part := range strings.SplitSeq(path.Dir(p), "/") {
		if described {
			break // they are where documentation is, or what is built
		}
		switch low := strings.ToLower(part); {
		case strings.HasPrefix(part, ".") && part != ".", low == "internal", low == "_internal", low == "internals", low == "_internals", low == "jmh", low == "docs", low == "doc", low == "scripts", low == "benchmarks", low == "website", low == "playground", low == "buildsrc", low == "tools" && lang == "swift", low == "ext" && lang == "java":
			return ""
		case (low == "dist" || low == "build" || low == "out" || low == "bin") && !declared && !packed:
			return ""
		}
	}
	return lang
}

// Described reports whether a file is written in a language whose comments are read, and no example.
func Described(p string) bool {
	if IsExample(p) {
		return false
	}
	return jointOf(syntax.Language(p, nil)) != "" || isDoxygen(p) || isDescription(path.Base(p)) || assembly(p)
}

// isDescription reports whether a file is called as descriptions of APIs are, or as TypeDoc's.
func isDescription(base string) bool {
	return openapi.Named(base) || strings.HasSuffix(base, ".json") && strings.Contains(strings.ToLower(base), "typedoc")
}

// Declarations reports whether a file of TypeScript declares what others use and has
// nothing else.
func Declarations(name string) bool {
	return strings.HasSuffix(name, ".d.ts") || strings.HasSuffix(name, ".d.mts") || strings.HasSuffix(name, ".d.cts")
}

// Public reports whether a declaration is offered to others: one at the top, or a member of
// an exported type.
func Public(language string, decls []corpus.Decl, d *corpus.Decl) bool {
	switch {
	case !d.Exported || d.Traits&corpus.Local != 0 || d.Name == "" || d.Name == "_":
		return false
	case d.Kind == corpus.NoKind || d.Kind == corpus.Module && language != "elixir" || d.Kind == corpus.TestCase || d.Kind == corpus.Section:
		return false
	case language == "python" && d.Name[0] == '_':
		return false
	}
	for p := d.Parent; p >= 0; p = decls[p].Parent {
		switch k := decls[p].Kind; {
		case k == corpus.Module, decls[p].Traits&corpus.Extension != 0:
		case !decls[p].Exported, k == corpus.Function, k == corpus.Method:
			return false
		}
	}
	return true
}

// A reader reads one file.
type reader struct {
	path, lang string
	text       string
	facts      corpus.Facts
	names      *Names
	lines      func(at int) int
	sections   map[int32]*sections // of Ruby, by the class
}

// Read returns the entries of a file in the order of its text. names says what packages and modules
// pass on; nil: nothing.
func Read(p, language string, text []byte, names *Names) []Entry {
	switch language {
	case OpenAPI:
		return operations(p, text)
	case Assembly:
		return members(text)
	case Doxygen:
		return documented(text)
	}
	if len(text) > maxSource || language == "go" && strings.HasPrefix(packageOf(text), "main") {
		return nil
	}
	r := &reader{path: p, lang: language, text: string(text), facts: syntax.Facts(p, language, text), names: names, lines: lines(text)}
	if slices.ContainsFunc(r.facts.Decls, func(d corpus.Decl) bool {
		return d.Kind == corpus.TestCase && !syntax.Has(language, "tests-beside-code") || language == "python" && strings.HasPrefix(d.Name, "test_")
	}) {
		return nil
	}
	if language == "csharp" {
		r.properties()
	}
	var order []string
	groups := map[string][]int{}
	for i := range r.facts.Decls {
		d := &r.facts.Decls[i]
		if language == "go" && d.Kind == corpus.TestCase { // tests of Go are in files of their own: "func TestConn(c *Conn)" is none
			d.Kind = corpus.Function
		}
		if r.forHeirs(d) {
			d.Exported = true
		}
		if isHeader(p) && !r.inHeader(i) || !Public(language, r.facts.Decls, d) || !r.wanted(d) {
			continue
		}
		key := d.Scope + "\x00" + d.Name
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], i)
	}
	var out []Entry
	for _, key := range order {
		if d := &r.facts.Decls[groups[key][0]]; syntax.Lists(language, "root-types", d.Name) {
			out = append(out, r.rootFields(groups[key])...)
		} else if e, ok := r.entry(groups[key]); ok {
			out = append(out, e)
		}
	}
	sorting.Stable(out, func(a, b Entry) int { return cmp.Compare(a.Line, b.Line) })
	return out
}

func packageOf(text []byte) string {
	for line := range strings.SplitSeq(string(text[:min(len(text), 64<<10)]), "\n") {
		if rest, ok := strings.CutPrefix(line, "package "); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

// wanted tells the names that others use from those that a language cannot hide.
func (r *reader) wanted(d *corpus.Decl) bool {
	// Tables of constants are long, and say nothing that their names do not.
	isJudgedLater := syntax.Has(r.lang, "comment-form") || Declarations(r.path)
	isBare := (d.Kind == corpus.Constant || d.Kind == corpus.Variable) && d.Doc.Len() == 0
	if isBare && !isJudgedLater || r.isHidden(d) {
		return false
	}
	head := r.text[lineStart(r.text, d.NameAt):d.NameAt]
	switch r.lang {
	case "go": // of a method, the type
		if strings.HasPrefix(d.Name, "Test") && d.Scope == "" && strings.Contains(r.text[d.NameAt:max(d.NameAt, d.Body)], "testing.") {
			return false // "func TestServer(t testing.TB)" is for the tests of packages beside it
		}
		return d.Scope == "" || d.Parent >= 0 || unicode.IsUpper([]rune(d.Scope)[0])
	case "rust":
		return !strings.Contains(head, "pub(") && d.Traits&corpus.Extension == 0 && (r.names == nil || r.names.crates.public(r.path, r.facts.Decls, d))
	case "typescript", "javascript":
		return d.Name[0] != '_' && d.Name[0] != '#' && d.Name != "constructor"
	case "python":
		return d.Name != "__all__" && r.names.public(r.path, d)
	case "elixir":
		return r.elixirWanted(d)
	case "kotlin": // what it is expected to be says so
		return !actualWord.MatchString(head) || d.Doc.Len() > 0
	}
	return true
}

var actualWord = lazy.Regexp(`\bactual\b`)

func lineStart(text string, at int) int { return strings.LastIndexByte(text[:at], '\n') + 1 }

// entry makes one entry of the declarations of one name.
func (r *reader) entry(of []int) (Entry, bool) {
	first := &r.facts.Decls[of[0]]
	e := Entry{Line: r.lines(first.NameAt)}
	e.Title, e.Trail = r.called(first)
	var signatures []string
	var said doc
	for _, i := range of {
		d := &r.facts.Decls[i]
		dc := r.doc(d)
		if dc.private {
			return e, false
		}
		if s := r.signature(i); s != "" && !slices.Contains(signatures, s) && len(signatures) < 6 {
			signatures = append(signatures, s)
		}
		said.add(dc)
		if said.empty() || !slices.Equal(dc.notes, said.notes) {
			said.notes = nil // what is true of one overload alone
		}
	}
	if said.empty() && syntax.Has(r.lang, "described-only") {
		return e, false
	}
	if said.empty() && r.lang == "rust" && r.implements(first) {
		return e, false // its trait says what it is
	}
	// What a program of JavaScript exports from each of its files is its own affair as long as
	// nobody describes it, nor its index exports it.
	if said.empty() && (r.lang == "javascript" || r.lang == "typescript" && !Declarations(r.path)) && !r.offered(first) {
		return e, false
	}
	e.Blocks = append(e.Blocks, markup.Block{Kind: markup.Code, Lang: r.lang, Text: strings.Join(signatures, "\n"), Line: e.Line})
	e.Blocks = append(e.Blocks, said.blocks(r.lang, e.Line)...)
	return e, len(signatures) > 0
}

// implements reports whether a method is one of a trait that Rust's type implements.
func (r *reader) implements(d *corpus.Decl) bool {
	return d.Parent >= 0 && r.facts.Decls[d.Parent].Traits&corpus.Extension != 0 && len(r.facts.Decls[d.Parent].Bases) > 0
}

// offered reports whether an index exports a declaration, or what it is of.
func (r *reader) offered(d *corpus.Decl) bool {
	name, _, _ := strings.Cut(d.Qualified(), ".")
	return r.names != nil && r.names.scripts.offers(r.path, name)
}

// called returns the title of a declaration and what is around it.
func (r *reader) called(d *corpus.Decl) (title string, trail []string) {
	trail = append(trail, r.module(d))
	var types []string
	for p := d.Parent; p >= 0; p = r.facts.Decls[p].Parent {
		if o := &r.facts.Decls[p]; o.Kind == corpus.Module && r.lang != "elixir" {
			if r.lang != "csharp" && r.lang != "php" {
				trail = slices.Insert(trail, 1, o.Name)
			}
		} else {
			types = slices.Insert(types, 0, o.Name)
		}
	}
	if d.Parent < 0 && d.Scope != "" { // a Go method, a Rust one of another file's type
		types = strings.Split(d.Scope, ".")
	}
	inner := "."
	if r.lang == "ruby" || r.lang == "rust" || r.lang == "php" || r.lang == "cpp" {
		inner = "::"
	}
	joint := jointOf(r.lang)
	if r.lang == "ruby" && (d.Traits&corpus.Static != 0 || d.Kind != corpus.Method) {
		joint = "."
		if d.Kind != corpus.Method {
			joint = "::"
		}
	}
	title = d.Name
	if strings.HasPrefix(r.text[d.NameAt+len(d.Name):], "!(") { // it changes its arguments
		title += "!"
	}
	if len(types) > 0 {
		title = strings.Join(types, inner) + joint + title
		trail = append(trail, strings.Join(types, inner))
	}
	return title, append(trail, title)
}

// module returns what a file is called by those who use it: its package, its namespace,
// or the path that they import.
func (r *reader) module(d *corpus.Decl) string {
	switch r.lang {
	case "python":
		return r.names.module(r.path, d)
	case "rust":
		return rustModule(r.path)
	case "java", "kotlin", "php", "go", "scala", "haskell":
		if r.facts.Module != "" {
			return r.facts.Module
		}
	case "swift": // a package has a folder for each of its modules
		if _, rest, ok := strings.Cut("/"+r.path, "/Sources/"); ok {
			if module, _, below := strings.Cut(rest, "/"); below {
				return module
			}
		}
	case "csharp":
		var parts []string
		for p := d.Parent; p >= 0; p = r.facts.Decls[p].Parent {
			if o := &r.facts.Decls[p]; o.Kind == corpus.Module {
				parts = slices.Insert(parts, 0, o.Name)
			}
		}
		if len(parts) > 0 {
			return strings.Join(parts, ".")
		}
	}
	return plainPath(r.path)
}

// plainPath returns the path of a file without what says nothing: its ending, "index", the
// folders that all sources are in.
func plainPath(p string) string {
	for ext := path.Ext(p); ext != "" && len(ext) < 7; ext = path.Ext(p) {
		p = strings.TrimSuffix(p, ext)
	}
	var keep []string
	for part := range strings.SplitSeq(p, "/") {
		switch part {
		case "src", "lib", "dist", "types", "typings", "packages", "index", "main", "build", "esm", "cjs":
		default:
			keep = append(keep, part)
		}
	}
	if len(keep) == 0 {
		return path.Base(p)
	}
	return strings.Join(keep, "/")
}

func rustModule(p string) string {
	p = strings.TrimSuffix(p, ".rs")
	parts := strings.Split(p, "/")
	if i := slices.Index(parts, "src"); i >= 0 {
		parts = slices.Delete(parts, i, i+1)
		if i > 0 {
			parts = parts[i-1:]
		}
	}
	if n := len(parts) - 1; n > 0 && (parts[n] == "mod" || parts[n] == "lib") {
		parts = parts[:n]
	}
	return strings.Join(parts, "::")
}

func lines(text []byte) func(at int) int {
	var ends []int
	for i, c := range text {
		if c == '\n' {
			ends = append(ends, i)
		}
	}
	return func(at int) int {
		n, _ := slices.BinarySearch(ends, at)
		return n + 1
	}
}
