package claims

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

var (
	nodocAround = lazy.Regexp(`(?m)^[ \t]*(?:module|class)[ \t]+([\w:]+)[^\n]*#\s*:nodoc:`)
	apiPrivate  = lazy.Regexp(`(?m)^[ \t]*#[^\n]*@(?:api[ \t]+private|private)\b[^\n]*\n(?:[ \t]*#[^\n]*\n)*[ \t]*(?:module|class)[ \t]+([\w:]+)`)
	constPriv   = lazy.Regexp(`\bprivate_constant\s+((?::\w+[ \t]*,?\s*)+)`)
	overriding  = lazy.Regexp(`\boverride\b|@Override\b|#\[\\?Override\]|=\s*(?:delete|default)\s*;`)
)

// headerEndings are those of files of C and its kin that other programs include.
var headerEndings = strings.Fields(".h .hh .hpp .hxx .h++ .inl .ipp .cppm .ixx")

// anyFile is where the closed modules of Ruby are that others may open again.
const anyFile = ""

// kept reports whether a language keeps a declaration inside by what is around it.
func (s *surface) kept(d *Declaration) bool {
	if d.Name != "" && d.Name[0] == '_' && !strings.HasPrefix(d.Name, "__") {
		return true // so in every language that lets names begin with it
	}
	switch d.Language {
	case "sql", "protobuf", "proto", "powershell", "cmake", "make", "bash":
		return true // tables, messages, programs and what builds
	case "c", "cpp", "objc":
		return !slices.Contains(headerEndings, path.Ext(d.Path))
	case "go":
		return d.Scope != "" && isContract(d)
	case "csharp":
		return typeKind(d.Kind) && !s.shared[d.Name] || s.within(d)
	case "python":
		return s.scripted(d)
	case "ruby":
		for _, name := range s.closed[anyFile] {
			if strings.Contains("."+d.Qualified()+".", "."+name+".") {
				return true // a class that is opened again elsewhere is the same
			}
		}
		for _, name := range s.closed[d.Path] {
			if d.Scope == name || strings.HasPrefix(d.Scope, name+".") || strings.HasSuffix(d.Scope, "."+name) {
				return true
			}
		}
	case "java", "kotlin", "scala":
		return s.within(d)
	}
	return false
}

// scripted reports whether a declaration of Python is of a script, or only of a branch of its
// module: beside packages, a file in no package is a program.
func (s *surface) scripted(d *Declaration) bool {
	if s.scripts {
		return true
	}
	if d.Scope != "" {
		return false
	}
	if syntax.Lists(d.Language, "contract-functions", d.Name) {
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

// elsewhere reports whether a declaration is documented where it is declared first: it overrides,
// is a callback or a defaulted operator, or stands below a sign that stops RDoc.
func (s *surface) elsewhere(d *Declaration, remark string) bool {
	lines := s.lines(d.Path)
	line := lines[d.Line-1]
	switch d.Language {
	case "kotlin", "csharp", "swift", "scala", "cpp", "typescript", "java", "php":
		return overriding.Match(line) || overriding.MatchString(remark)
	case "ruby":
		for i := d.Line - 2; i >= 0; i-- {
			if text := bytes.TrimLeft(lines[i], " \t#"); bytes.HasPrefix(text, []byte(":stopdoc:")) || bytes.HasPrefix(text, []byte(":startdoc:")) {
				return text[3] == 'o'
			}
		}
	}
	return false
}
