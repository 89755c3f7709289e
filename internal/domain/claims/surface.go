package claims

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A surface is what a project offers to others. What a language calls exported is often
// kept inside: in a private module, below a folder that nobody outside may import, in a
// program, or behind the entry points of a package.
type surface struct {
	code    map[string][][]byte        // the lines of the files
	private map[string]bool            // files and folders whose declarations stay inside
	named   map[string]map[string]bool // of a file that lists what it offers: those names
	again   map[string]bool            // names that a public file offers of a private one
	entries map[string]bool            // of packages that say where they begin: the files that are reached from there
	roots   map[string]bool            // the folders of packages, and whether that is known
	within  map[string]bool            // types that are kept inside, so that what they have is too
	sourced map[string]bool            // names of shell scripts that documents tell to load
	loaded  map[string][]string        // of packages of PHP: the folders and files that are loaded
	main    map[string]bool            // the languages that the project is written in, and not only built or tried with
	modules bool                       // Python's files are in packages
}

var (
	rustMod    = lazy.Regexp(`(?m)^\s*(pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;`)
	rustUse    = lazy.Regexp(`(?ms)^\s*pub use\s+([^;]+);`)
	pyAll      = lazy.Regexp(`(?ms)^__all__\s*(?::[^=]*)?\+?=\s*[\[(](.*?)[\])]`)
	pyFrom     = lazy.Regexp(`(?m)^from\s+([\w.]+)\s+import\s+(\([^)]*\)|[^\n#]*)`)
	renamedAs  = lazy.Regexp(`\s+as\s+\w+`)
	inner      = lazy.Regexp(`(^|/)(internal|_internal|private|impl|details?|bundled|dependencies|third[-_]?party|vendored?|extern(?:al)?)/|-inl\.\w+$`)
	innerScope = lazy.Regexp(`(^|\.)(internal|detail|details|impl|priv|private|sealed|_\w+|\w+_(?:details?|impl|internal|implementation))(\.|$)`)
	buildFile  = lazy.Regexp(`(?i)(^|/)(build\.rs|setup\.py|conftest\.py|noxfile\.py|tasks\.py|hatch_build\.py|fabfile\.py|magefile\.go|rakefile|vagrantfile|mix\.exs|package\.swift|build\.zig|gulpfile\.\w+|gruntfile\.\w+|[\w.-]+\.config\.[cm]?[jt]s|build\.gradle(\.kts)?)$|(^|/)(scripts?|tools?|build|benches|benchmarks?|ci|hack|contrib|fixtures|testing|testutils?|testsuites?|test[-_]\w+|notebooks|bin|(?:my|sample|demo|test|example)[-_]?apps?|dummy|sandbox|playgrounds?|demos?)/|(^|/)mock(?:s|ed)?[-_.][^/]*$|\w*(?-i:TestCase)\.\w+$|\.gradle$`)
	inside     = lazy.Regexp(`\bpub\s*\((?:crate|super|self|in\b[^)]*)\)|\b(?:internal|private|protected internal|fileprivate)\s+(?:static |sealed |readonly |abstract |partial |async )*\w`)
	keptInside = lazy.Regexp(`(?i):nodoc:|@internal\b|@private\b|@api private|@hidden\b|@nodoc|@moduledoc false|@doc false|doc\(hidden\)|cfg\(test\)|\bfor internal use|\binternal use only|\bnot part of the public|#\[test\]|VisibleForTesting|EditorBrowsable\(EditorBrowsableState\.Never`)
	decorated  = lazy.Regexp(`^\s*(?:@[\w.]+|#\[|\[\w|template\s*<|\)\s*$)`)
	remarked   = lazy.Regexp(`^\s*(?://+!?|#+(?:[^\[]|$)|--|\*|/\*\*?|;+|%+|"""|''')`)
)

// surfaceOf reads what a tree offers.
func surfaceOf(t *Tree) *surface {
	s := &surface{code: map[string][][]byte{}, private: map[string]bool{}, named: map[string]map[string]bool{}, again: map[string]bool{}, entries: map[string]bool{}, roots: map[string]bool{}, within: map[string]bool{}, sourced: map[string]bool{}, main: map[string]bool{}, loaded: map[string][]string{}}
	s.documents(t.Docs)
	var library []string // folders of Rust and Go programs and libraries
	for i := range t.Code {
		f := &t.Code[i]
		s.code[f.Path] = bytes.Split(f.Text, []byte("\n"))
		if strings.HasSuffix(f.Path, "src/lib.rs") || f.Path == "lib.rs" {
			library = append(library, path.Dir(f.Path))
		}
	}
	size, most := map[string]int{}, 0
	for i := range t.Code {
		f := &t.Code[i]
		if syntax.Source(f.Language) && !syntax.Inert(f.Language) && f.Flags&corpus.Test == 0 {
			size[family(f.Language)] += len(f.Text)
			most = max(most, size[family(f.Language)])
		}
		s.modules = s.modules || path.Base(f.Path) == "__init__.py" && f.Flags&corpus.Test == 0
	}
	for l, n := range size {
		s.main[l] = n*aSide >= most
	}
	for i := range t.Code {
		f := &t.Code[i]
		if strings.HasSuffix(f.Path, ".csproj") && unpacked.Match(f.Text) {
			s.private[path.Dir(f.Path)] = true
		}
		switch f.Language {
		case "rust":
			s.rust(f, library)
		case "python":
			s.python(f)
		case "go":
			if goMain.Match(f.Text) {
				s.private[f.Path] = true
			}
		case "elixir":
			for _, m := range exSilent.FindAllSubmatch(f.Text, -1) {
				s.within[string(m[1])] = true
			}
		case "bash":
			s.shell(f)
		case "json":
			switch path.Base(f.Path) {
			case "package.json":
				s.node(f)
			case "composer.json":
				s.composer(f)
			}
		case "toml":
			if path.Base(f.Path) == "Cargo.toml" && unpublished.Match(f.Text) {
				s.private[path.Dir(f.Path)] = true
			}
		}
	}
	return s
}

var (
	exSilent    = lazy.Regexp(`(?m)^\s*defmodule\s+([\w.]+)\s+do\s*\n\s*@moduledoc\s+false`)
	unpacked    = lazy.Regexp(`(?i)<IsPackable>\s*false|<OutputType>\s*(?:Win)?Exe`)
	unpublished = lazy.Regexp(`(?m)^publish\s*=\s*(?:false|\[\s*\])`)
	cSource     = lazy.Regexp(`(?i)\.(?:c|cc|cpp|cxx|c\+\+|m|mm)$`)
	loads       = lazy.Regexp(`(?m)(?:\bsource|(?:^|[\s;&|(])\.|\bload)\s+["'\x60]?(?:[^\s"'\x60]*/)?([\w.-]+)`)
	rustType    = lazy.Regexp(`(?m)^\s*(pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?(?:struct|enum|trait|union|type)\s+(\w+)`)
	shebang     = []byte("#!")
	pyAlias     = lazy.Regexp(`^\w+\s*=\s*[A-Za-z_]\w*\s*(?:#.*)?$`)
	whereOpen   = lazy.Regexp(`^\s*#if\b.*(?:INTERNAL|PUBLIC)`)
	access      = lazy.Regexp(`^\s*(public|protected|private)\s*:`)
	cClass      = lazy.Regexp(`^\s*(?:template\s*<.*>\s*)?(?:class|struct|union)\s+\w+[^;]*$`)
	deep        = lazy.Regexp(`^(?:\t\t| {8})`)
	pyProgram   = lazy.Regexp(`(?m)^if\s+__name__\s*==`)
)

// documents takes which scripts documents tell to load: what those declare is for users.
func (s *surface) documents(docs []Source) {
	for i := range docs {
		for _, m := range loads.FindAllSubmatch(docs[i].Text, -1) {
			s.sourced[string(m[1])] = true
		}
	}
}

// shell hides what the scripts declare that are run, and not loaded.
func (s *surface) shell(f *Source) {
	base := path.Base(f.Path)
	s.private[f.Path] = !s.sourced[base] && !s.sourced[strings.TrimSuffix(base, path.Ext(base))]
}

var goMain = lazy.Regexp(`(?m)^package main\b`)

// rust takes the modules that a file declares without pub, and what it offers again.
func (s *surface) rust(f *Source, library []string) {
	base, dir := path.Base(f.Path), path.Dir(f.Path)
	if base == "main.rs" && !slices.Contains(library, dir) {
		s.private[dir] = true // a program: others cannot use what it declares
	}
	if base != "lib.rs" && base != "main.rs" && base != "mod.rs" {
		dir = path.Join(dir, strings.TrimSuffix(base, ".rs"))
	}
	for _, m := range rustMod.FindAllSubmatch(f.Text, -1) {
		if pub := string(m[1]); strings.HasPrefix(pub, "pub") && !strings.Contains(pub, "(") {
			continue
		}
		at := path.Join(dir, string(m[2]))
		s.private[at], s.private[at+".rs"] = true, true
	}
	for _, m := range rustType.FindAllSubmatch(f.Text, -1) {
		if name, pub := string(m[2]), string(m[1]); pub != "" && !strings.Contains(pub, "(") {
			s.within[name] = false
		} else if _, ok := s.within[name]; !ok {
			s.within[name] = true
		}
	}
	for _, m := range rustUse.FindAllSubmatch(f.Text, -1) {
		if use := string(m[1]); strings.HasSuffix(strings.TrimSpace(use), "*") {
			parts := strings.Split(strings.TrimSpace(use), "::")
			if n := len(parts); n > 1 {
				at := path.Join(dir, parts[n-2])
				delete(s.private, at)
				delete(s.private, at+".rs")
				s.again[at+"/*"] = true
			}
		} else {
			s.offer(use)
		}
	}
}

// offer takes the names of a list that is offered again.
func (s *surface) offer(list string) {
	for _, w := range nameRE.FindAllString(list, -1) {
		s.again[w] = true
	}
}

// python takes what a module lists, and what a package offers of its modules.
func (s *surface) python(f *Source) {
	all := pyAll.FindAllSubmatch(f.Text, -1)
	for _, m := range all {
		if s.named[f.Path] == nil {
			s.named[f.Path] = map[string]bool{}
		}
		for _, w := range nameRE.FindAllString(string(m[1]), -1) {
			s.named[f.Path][w] = true
		}
	}
	if path.Base(f.Path) == "__init__.py" {
		for _, m := range pyFrom.FindAllSubmatch(f.Text, -1) {
			s.passOn(f.Path, string(m[1]), string(m[2]), s.named[f.Path])
		}
	}
	for part := range strings.SplitSeq(f.Path, "/") {
		if strings.HasPrefix(part, "_") && !strings.HasPrefix(part, "__") || part == "__main__.py" {
			s.private[f.Path] = true
		}
	}
	// A file that is run, or that lies beside the packages, is no module of theirs.
	_, packed := s.code[path.Join(path.Dir(f.Path), "__init__.py")]
	if !packed && (bytes.HasPrefix(f.Text, shebang) || pyProgram.Match(f.Text) || s.modules && path.Dir(f.Path) == ".") {
		s.private[f.Path] = true
	}
}

// offers reports whether others can use a declaration, and the comment that documents it.
func (s *surface) offers(d *Declaration) (comment string, ok bool) {
	switch {
	case d.Language == "bash" && (d.Kind != "function" || d.Scope != ""), d.Language == "python" && len(d.Name) == 1:
		return "", false // a variable of a script; a variable of a type
	case d.inherits || conventional[d.Name] || !lettered.MatchString(d.Name):
		return "", false // what it stands for documents it
	case innerScope.MatchString(d.Scope) && d.Language != "ruby" || strings.HasPrefix(d.Name, "operator"), d.Language == "php" && d.Kind == "variable", !s.main[family(d.Language)]:
		return "", false // for the program itself; what signs call; of a script; of what builds it
	case cLike[d.Language] && (d.Kind == "macro" || d.Kind == "type" && d.Scope != "" || strings.ToUpper(d.Name) == d.Name || cSource.MatchString(d.Path)):
		return "", false // macros and what they are called by serve the headers, whose declarations stand for the code
	case strings.HasPrefix(d.Scope, "__") || d.Language == "python" && (pyAlias.Match(s.line(d)) || strings.HasSuffix(d.Name, "_") || d.Scope == "" && deep.Match(s.line(d)) || strings.HasSuffix(d.Path, ".pyx") && d.Scope == "" && bytes.HasPrefix(s.line(d), []byte(" "))):
		return "", false // for a macro to use; another name of what is declared elsewhere, what another wraps, what is local
	case d.Language == "elixir" && (d.Name == "t" || d.Name == "message" || d.Name == "exception"):
		return "", false // what every module of its sort has
	case d.Language == "go" && d.Scope != "" && d.Scope[0] >= 'a' && d.Scope[0] <= 'z':
		return "", false
	}
	if buildFile.MatchString(d.Path) || inner.MatchString(d.Path) && d.Language != "ruby" && d.Language != "csharp" {
		return "", false
	}
	lines := s.code[d.Path]
	if d.Line < 1 || d.Line > len(lines) {
		return "", true
	}
	owner, _, _ := strings.Cut(d.Scope, ".")
	if owner == "" {
		owner = d.Name
	}
	if s.within[d.Path+"\x00"+d.Qualified()] {
		return "", false // another clause of it says so
	}
	for at := d.Scope; at != ""; at = at[:max(0, strings.LastIndexByte(at, '.'))] {
		if s.within[at] && (d.Language == "rust" || d.Language == "elixir") || s.within[d.Path+"\x00"+at] {
			return "", false
		}
	}
	if d.Language == "cpp" && d.Scope != "" && forChildren(lines[:d.Line-1]) {
		return "", false
	}
	if inside.Match(lines[d.Line-1]) || d.Language == "csharp" && slices.ContainsFunc(lines[max(0, d.Line-4):d.Line-1], whereOpen.Match) {
		s.within[d.Path+"\x00"+d.Qualified()] = true
		return "", false
	}
	comment = d.doc + "\n" + commentOf(lines, d.Line-1, d.Language) + "\n" + beside(lines, d.Line-1, d.Language)
	if keptInside.MatchString(comment) {
		s.within[d.Path+"\x00"+d.Qualified()] = true
		return "", false
	}
	if names := s.named[d.Path]; names != nil && !names[owner] {
		return "", false
	}
	if s.hidden(d.Path) && !s.passes(d.Path, owner) {
		return "", false
	}
	if !s.entered(d) || d.Language == "php" && !s.autoloaded(d.Path) {
		return "", false
	}
	return comment, true
}

// passOn notes that a package offers names of one of its modules again: those that it
// lists, where it has a list.
func (s *surface) passOn(of, module, names string, listed map[string]bool) {
	at := strings.ReplaceAll(strings.TrimLeft(module, "."), ".", "/")
	dir := path.Dir(of)
	for range len(module) - len(strings.TrimLeft(module, ".")) - 1 {
		dir = path.Dir(dir)
	}
	for ; ; dir = path.Dir(dir) {
		stem := path.Join(dir, at)
		_, module := s.code[stem+".py"]
		_, pack := s.code[stem+"/__init__.py"]
		if module || pack {
			for _, w := range nameRE.FindAllString(renamedAs.ReplaceAllString(names, " "), -1) {
				if listed == nil || listed[w] {
					s.again[stem+"\x00"+w] = true
				}
			}
			if strings.Contains(names, "*") {
				s.again[stem+"\x00*"] = true
			}
			return
		}
		if dir == "." || dir == "/" {
			return
		}
	}
}

// passes reports whether a private file, or one around it, passes a name on.
func (s *surface) passes(file, name string) bool {
	if s.again[name] {
		return true
	}
	for at := strings.TrimSuffix(file, ".py"); at != "." && at != "/"; at = path.Dir(at) {
		if s.again[at+"\x00"+name] || s.again[at+"\x00*"] {
			return true
		}
	}
	return false
}

// line returns the line that a declaration is on.
func (s *surface) line(d *Declaration) []byte {
	if lines := s.code[d.Path]; d.Line > 0 && d.Line <= len(lines) {
		return lines[d.Line-1]
	}
	return nil
}

// hidden reports whether a file or a folder around it is private.
func (s *surface) hidden(file string) bool {
	for at := file; at != "." && at != "/"; at = path.Dir(at) {
		if s.private[at] && !s.again[strings.TrimSuffix(at, ".rs")+"/*"] {
			return true
		}
	}
	return false
}

// forChildren reports whether the last access that is said above a member of C++ is for
// those that inherit alone.
func forChildren(above [][]byte) bool {
	for _, line := range slices.Backward(above[max(0, len(above)-300):]) {
		if m := access.FindSubmatch(line); m != nil {
			return string(m[1]) == "protected"
		}
		if cClass.Match(line) {
			return false
		}
	}
	return false
}

// aSide is which part of its largest language a project has to have of another, so that it
// is written in that too.
const aSide = 12

// family is a language, or the one that others are written in together with.
func family(language string) string {
	switch {
	case cLike[language]:
		return "c"
	case language == "typescript":
		return "javascript"
	case language == "kotlin" || language == "scala" || language == "groovy":
		return "java"
	}
	return language
}

var cLike = map[string]bool{"c": true, "cpp": true, "objc": true}

// conventional are names that a language or its library gives what everything may have.
var conventional = map[string]bool{
	"String": true, "Error": true, "GoString": true, "Unwrap": true, "MarshalJSON": true, "UnmarshalJSON": true, "MarshalText": true, "UnmarshalText": true,
	"MarshalYAML": true, "UnmarshalYAML": true, "MarshalBinary": true, "UnmarshalBinary": true, "ServeHTTP": true, "Len": true, "Less": true, "Swap": true,
	"toString": true, "equals": true, "hashCode": true, "compareTo": true, "valueOf": true, "toJSON": true, "to_s": true, "to_h": true, "to_a": true, "to_str": true,
	"inspect": true, "hash": true, "each": true, "respond_to_missing?": true, "method_missing": true, "ToString": true, "Equals": true, "GetHashCode": true, "Dispose": true,
	"GetEnumerator": true, "Deconstruct": true, "include?": true, "allocate": true, "handle_call": true, "handle_cast": true, "handle_info": true, "handle_continue": true, "handle_connect": true, "handle_disconnect": true, "terminate": true, "code_change": true, "start_link": true,
	"unapply": true, "unapplySeq": true, "debugDescription": true, "__using__": true, "child_spec": true,
}

var lettered = lazy.Regexp(`[\pL]`)

// beside returns the comment that stands behind a declaration, or above the group that it
// is one of.
func beside(lines [][]byte, at int, language string) string {
	mark := "//"
	switch language {
	case "python", "ruby", "elixir":
		mark = "#"
	}
	line := string(lines[at])
	var out string
	if i := strings.LastIndex(line, mark); i > 0 && strings.TrimSpace(line[:i]) != "" && (line[i-1] == ' ' || line[i-1] == '\t') && !strings.ContainsAny(line[i:], "\"'`") {
		out = line[i+len(mark):]
	}
	if language != "go" || !strings.HasPrefix(line, "\t") {
		return out
	}
	for i := at - 1; i >= 0; i-- {
		if l := lines[i]; len(l) > 0 && l[0] != '\t' && l[0] != ' ' {
			if goGroup.Match(l) {
				out += "\n" + commentOf(lines, i, language)
			}
			break
		}
	}
	return out
}

var goGroup = lazy.Regexp(`^(?:const|var|type)\s*\(`)

var exOver = lazy.Regexp(`^(?:end\b|def|alias|import|use|require|use)|,?\s*do:`)

// commentOf returns the comment above a declaration, with its attributes, or the text
// that begins its body in languages that document there.
func commentOf(lines [][]byte, at int, language string) string {
	var out []string
	closed := false
	for i := at - 1; i >= 0 && i >= at-60; i-- {
		line := lines[i]
		text := bytes.TrimSpace(line)
		if bytes.HasSuffix(text, []byte("*/")) {
			closed = true
		}
		goesOn := language == "elixir" && len(text) > 0 && !exOver.Match(text) // a type of several lines
		if !closed && !goesOn && !remarked.Match(line) && !decorated.Match(line) || len(text) == 0 && !closed {
			break
		}
		out = append(out, string(text))
		if bytes.HasPrefix(text, []byte("/*")) {
			closed = false
		}
	}
	slices.Reverse(out)
	if language == "python" || language == "elixir" {
		for i := at; i < min(at+12, len(lines)); i++ {
			if text := bytes.TrimSpace(lines[i]); bytes.HasPrefix(text, []byte(`"""`)) || bytes.HasPrefix(text, []byte(`'''`)) || bytes.HasPrefix(text, []byte(`r"""`)) {
				out = append(out, string(text))
				if i+1 < len(lines) {
					out = append(out, string(lines[i+1]))
				}
				break
			} else if i > at && bytes.HasSuffix(bytes.TrimSpace(lines[i-1]), []byte(":")) && len(text) > 0 {
				break
			}
		}
	}
	return strings.Join(out, "\n")
}
