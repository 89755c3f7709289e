package claims

import (
	"bytes"
	"path"
	"regexp"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

var (
	headerEnd   = lazy.Regexp(`\.(?:h|hh|hpp|hxx|h\+\+|inl|ipp|cppm|ixx)$`)
	inInclude   = lazy.Regexp(`(?:^|/)include/`)
	installed   = lazy.Regexp(`(?m)\w*include_HEADERS\s*\+?=((?:.*\\\n)*.*)|\bPUBLIC_HEADER\s+([^)]*)|(?i:\binstall\s*\(\s*FILES)([^)]*)\)|\binstall_headers\s*\(([^)]*)\)`)
	headerName  = lazy.Regexp(`[\w./+-]+\.h(?:h|pp|xx)?\b`)
	mainFunc    = lazy.Regexp(`(?m)^\s*(?:int|void|auto)\s+w?main\s*\(`)
	aTrial      = lazy.Regexp(`(?i)test|example|demo|sample|bench|fuzz`)
	sourcedFrom = lazy.Regexp("(?m)(?:\\b(?:source|load)|(?:^|[\\s;&(`])\\.)\\s+[\"']?([^\\s\"'`]+)")
	erlExport   = lazy.Regexp(`(?s)-export\(\s*\[(.*?)\]\s*\)`)
	erlAll      = lazy.Regexp(`-compile\(\s*\[?\s*export_all`)
	noModuledoc = lazy.Regexp(`(?m)^[ \t]*defmodule[ \t]+([\w.]+)[ \t]+do[ \t]*\r?\n\s*@moduledoc[ \t]+false\b`)
	callback    = lazy.Regexp(`(?m)^\s*@impl\b`)
	nodocAround = lazy.Regexp(`(?m)^[ \t]*(?:module|class)[ \t]+([\w:]+)[^\n]*#\s*:nodoc:`)
	apiPrivate  = lazy.Regexp(`(?m)^[ \t]*#[^\n]*@(?:api[ \t]+private|private)\b[^\n]*\n(?:[ \t]*#[^\n]*\n)*[ \t]*(?:module|class)[ \t]+([\w:]+)`)
	constPriv   = lazy.Regexp(`\bprivate_constant\s+((?::\w+[ \t]*,?\s*)+)`)
	stopStart   = lazy.Regexp(`^\s*#\s*:(stop|start)doc:`)
	product     = lazy.Regexp(`\.(?:library|executable|plugin)\s*\(\s*name:[^\[\]()]*targets:\s*\[([^\]]*)\]`)
	swiftTarget = lazy.Regexp(`\.(?:target|systemLibrary|binaryTarget|executableTarget)\s*\(\s*name:\s*"([^"]+)"(?:[^()]|\([^()]*\))*?(?:\)|path:\s*"([^"]+)")`)
	quotedName  = lazy.Regexp(`"([^"]+)"`)
	overriding  = lazy.Regexp(`\boverride\b|@Override\b|#\[\\?Override\]|=\s*(?:delete|default)\s*;`)
	traitImpl   = lazy.Regexp(`^(\s*)(?:unsafe\s+)?impl\b.*\bfor\b`)
	ownDetail   = lazy.Regexp(`(?i)(?:^|[.:])_?(?:detail|details|internal|impl|private|priv)(?:$|[.:])`)
	guardHead   = lazy.Regexp(`^\s*#\s*ifndef\s+(\w+)`)
	guardBody   = lazy.Regexp(`^\s*#\s*define\s+(\w+)\s*(?:/[/*].*)?\r?$`)
)

// native takes which headers of C and C++ are for others. What only a source file declares is
// for nobody, and the headers of a program are for itself.
func (s *surface) native(t *Tree) {
	var headers []string
	names := map[string]bool{}
	include, program := false, false
	for i := range t.Code {
		f := &t.Code[i]
		switch base := path.Base(f.Path); {
		case headerEnd.MatchString(f.Path):
			headers = append(headers, f.Path)
			include = include || inInclude.MatchString(f.Path)
		case base == "Makefile.am" || base == "CMakeLists.txt" || base == "meson.build":
			for _, m := range installed.FindAllSubmatch(f.Text, -1) {
				for _, name := range headerName.FindAllString(string(bytes.Join(m[1:], []byte(" "))), -1) {
					names[path.Base(name)] = true
				}
			}
		case (f.Language == "c" || f.Language == "cpp") && !program:
			program = !aTrial.MatchString(f.Path) && mainFunc.Match(f.Text)
		}
	}
	for _, h := range headers {
		switch {
		case names[path.Base(h)], include && inInclude.MatchString(h):
		case len(names) > 0 || include || program:
			continue
		}
		s.headers[h] = true
	}
}

// shells takes the files of shell that documents tell others to source: the rest are
// programs, or parts of them.
func (s *surface) shells(docs []Source) {
	for i := range docs {
		for _, m := range sourcedFrom.FindAllSubmatch(docs[i].Text, -1) {
			s.sourced[path.Base(string(m[1]))] = true
		}
	}
}

// anyFile is where the closed modules of Ruby are that others may open again.
const anyFile = ""

func (s *surface) erlang(f *Source) {
	if erlAll.Match(f.Text) {
		return
	}
	names := map[string]bool{}
	for _, m := range erlExport.FindAllSubmatch(f.Text, -1) {
		for _, w := range nameRE.FindAllString(string(m[1]), -1) {
			names[w] = true
		}
	}
	s.named[f.Path] = names
}

// elixir takes the modules that say of themselves that they are not documented.
func (s *surface) elixir(f *Source) {
	for _, m := range noModuledoc.FindAllSubmatch(f.Text, -1) {
		s.closed[f.Path] = append(s.closed[f.Path], string(m[1]))
	}
}

// kept reports whether a language keeps a declaration inside by what is around it.
func (s *surface) kept(d *Declaration) bool {
	if d.Name != "" && d.Name[0] == '_' && !strings.HasPrefix(d.Name, "__") {
		return true // so in every language that lets names begin with it
	}
	lines := s.lines(d.Path)
	switch d.Language {
	case "sql", "protobuf", "proto", "powershell", "cmake", "make":
		return true // tables, messages and what builds
	case "go":
		return d.Scope != "" && goContract.MatchString(d.Name)
	case "csharp":
		return typeKind(d.Kind) && !s.shared[d.Name] || s.within(d)
	case "r":
		return path.Base(path.Dir(d.Path)) != "R" // a script; packages have their code there
	case "javascript", "typescript":
		return ofPage.MatchString(d.Scope)
	case "python":
		return s.scripted(d)
	case "bash":
		return d.Kind != "function" || !s.sourced[path.Base(d.Path)]
	case "c", "cpp", "objc":
		return standIn.MatchString(d.Path) || s.ofTarget(d.Path) || !s.headers[d.Path] || strings.HasPrefix(d.Name, "__") || ownDetail.MatchString(d.Scope) || d.Kind == "macro" && guard(lines, d.Line-1)
	case "elixir", "ruby":
		for _, name := range s.closed[anyFile] {
			if d.Language == "ruby" && strings.Contains("."+d.Qualified()+".", "."+name+".") {
				return true // a class that is opened again elsewhere is the same
			}
		}
		for _, name := range s.closed[d.Path] {
			if d.Scope == name || strings.HasPrefix(d.Scope, name+".") || strings.HasSuffix(d.Scope, "."+name) {
				return true
			}
		}
	case "swift":
		return s.ofTarget(d.Path) || s.outsideTargets(d.Path)
	case "java", "kotlin", "scala":
		return s.within(d)
	}
	return false
}

var (
	goContract = lazy.Regexp(`^(?:Error|Unwrap|String|GoString|Is|As|Len|Less|Swap|Read|Write|Close|Scan|Value|Format|ServeHTTP|(?:Unm|M)arshal(?:JSON|Text|Binary|YAML|XML|TOML))$`)
	pyContract = lazy.Regexp(`^(?:doctests|load_tests|suite)$`)
)

// scripted reports whether a declaration of Python is of a script, or only of a branch of its
// module: beside packages, a file in no package is a program.
func (s *surface) scripted(d *Declaration) bool {
	if s.scripts {
		return true
	}
	if d.Scope != "" {
		return false
	}
	if pyContract.MatchString(d.Name) {
		return true
	}
	if lines := s.lines(d.Path); (d.Kind == "variable" || d.Kind == "constant") && d.Line > 0 && d.Line <= len(lines) && bytes.HasPrefix(lines[d.Line-1], []byte("  ")) {
		return true
	}
	if _, ok := s.texts[path.Join(path.Dir(d.Path), "__init__.py")]; ok {
		return false
	}
	return s.packages
}

// guard reports whether a macro only says that its header was read.
func guard(lines [][]byte, at int) bool {
	if at < 1 || at >= len(lines) {
		return false
	}
	m, before := guardBody.FindSubmatch(lines[at]), guardHead.FindSubmatch(lines[at-1])
	return m != nil && before != nil && bytes.Equal(m[1], before[1])
}

// within reports whether a type around a declaration is not for others.
func (s *surface) within(d *Declaration) bool {
	if d.Scope == "" {
		return false
	}
	key := d.Path + "\x00" + d.Scope // a type has many members
	if _, ok := s.types[key]; !ok {
		s.types[key] = s.closedType(d)
	}
	return s.types[key]
}

func (s *surface) closedType(d *Declaration) bool {
	for n, name := range strings.Split(d.Scope, ".") {
		line := regexp.MustCompile(`^(.*)\b(?:class|interface|enum|record|struct|object|trait)\s+` + regexp.QuoteMeta(name) + `\b`)
		for i := d.Line - 1; i >= 0 && i < len(s.lines(d.Path)); i-- {
			if !bytes.Contains(s.lines(d.Path)[i], []byte(name)) {
				continue
			}
			m := line.FindSubmatch(s.lines(d.Path)[i])
			if m == nil {
				continue
			}
			if d.Language == "csharp" && !s.shared[name] || inside.Match(append(m[1], 'x')) || n == 0 && d.Language == "java" && !bytes.Contains(m[1], []byte("public")) {
				return true
			}
			break
		}
	}
	return false
}

// goesOn reports whether a line of Elixir is a later one of an attribute, as of a @spec.
func goesOn(lines [][]byte, at int) bool {
	for i := at; i >= 0 && i > at-8; i-- {
		switch text := bytes.TrimSpace(lines[i]); {
		case len(text) == 0, bytes.HasPrefix(text, []byte("def")), bytes.Equal(text, []byte("end")), bytes.HasSuffix(text, []byte(`"""`)):
			return false
		case text[0] == '@':
			return i < at
		}
	}
	return false
}

// ruby takes the modules that RDoc is told to leave out, with all that is in them.
func (s *surface) ruby(f *Source) {
	for _, m := range nodocAround.FindAllSubmatch(f.Text, -1) {
		s.closed[f.Path] = append(s.closed[f.Path], strings.ReplaceAll(string(m[1]), "::", "."))
	}
	for _, m := range apiPrivate.FindAllSubmatch(f.Text, -1) {
		s.closed[anyFile] = append(s.closed[anyFile], strings.ReplaceAll(string(m[1]), "::", "."))
	}
	for _, m := range constPriv.FindAllSubmatch(f.Text, -1) {
		s.closed[f.Path] = append(s.closed[f.Path], nameRE.FindAllString(string(m[1]), -1)...)
	}
}

// swift takes the targets of a package that none of its products offers.
func (s *surface) swift(f *Source) {
	offered := map[string]bool{}
	for _, m := range product.FindAllSubmatch(f.Text, -1) {
		for _, name := range quotedName.FindAllStringSubmatch(string(m[1]), -1) {
			offered[name[1]] = true
		}
	}
	if len(offered) == 0 {
		return
	}
	for _, m := range swiftTarget.FindAllSubmatch(f.Text, -1) {
		at := string(m[2])
		if at == "" {
			at = "Sources/" + string(m[1])
		}
		s.targets[path.Join(path.Dir(f.Path), at)] = offered[string(m[1])]
	}
}

// outsideTargets reports whether a file of Swift is of no target of its package.
func (s *surface) outsideTargets(file string) bool {
	if len(s.targets) == 0 || strings.Contains("/"+file, "/Sources/") || strings.Contains("/"+file, "/Source/") {
		return false
	}
	for at := path.Dir(file); at != "." && at != "/"; at = path.Dir(at) {
		if _, known := s.targets[at]; known {
			return false
		}
	}
	return true
}

// ofTarget reports whether a file is of a target that no product offers.
func (s *surface) ofTarget(file string) bool {
	for at := path.Dir(file); at != "." && at != "/"; at = path.Dir(at) {
		if offered, known := s.targets[at]; known {
			return !offered
		}
	}
	return false
}

// elsewhere reports whether a declaration is documented where it is declared first: it overrides,
// or is of the implementation of a trait, a callback or a defaulted operator. Of Ruby also what
// RDoc is told to stop before.
func (s *surface) elsewhere(d *Declaration, remark string) bool {
	lines := s.lines(d.Path)
	line := lines[d.Line-1]
	switch d.Language {
	case "kotlin", "csharp", "swift", "scala", "cpp", "typescript", "java", "php":
		return overriding.Match(line) || overriding.MatchString(remark)
	case "elixir":
		return callback.MatchString(remark)
	case "ruby":
		for i := d.Line - 2; i >= 0; i-- {
			if m := stopStart.FindSubmatch(lines[i]); m != nil {
				return string(m[1]) == "stop"
			}
		}
	case "rust":
		indent := len(line) - len(bytes.TrimLeft(line, " \t"))
		for i := d.Line - 2; i >= 0 && indent > 0; i-- {
			text := bytes.TrimLeft(lines[i], " \t")
			if at := len(lines[i]) - len(text); len(text) > 0 && at < indent {
				return traitImpl.Match(lines[i])
			}
		}
	}
	return false
}
