package claims

import (
	"bytes"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// Much that is exported needs no words of its own: what a language, or a type that is extended,
// fixes by name means the same wherever it is declared. It is documented there.

var (
	inherits    = lazy.Regexp(`\bextends\b|\bimplements\b|\bclass\s+[\w:]+\s*<\s*[A-Z:]|\bclass\s+\w+(?:\[[^\]]*\])?\([^)]*[A-Za-z]|\b(?:class|struct|interface|object|record|extension|enum)\s+[\w<>,. ]+(?:\([^{]*\))?\s*:\s*\w`)
	operatorFun = lazy.Regexp(`\b(?:operator|actual)\s+(?:\w+\s+)*(?:fun|class|val|var|typealias|interface|object)\b|\bactual\b`)
	takenIn     = lazy.Regexp(`=\s*(?:require\(|(?:typing\.)?(?:TypeVar|ParamSpec|TypeVarTuple)\()`)
	constructs  = lazy.Regexp(`\b(?:constructor|__construct|initialize)\s*\(|\bdef __init__\s*\(`)
)

// contractual reports whether a declaration is one that its language fixes, or repeats one that
// has its words elsewhere.
func (s *surface) contractual(d *Declaration, line []byte, remark string) bool {
	if d.Scope != "" && isContract(d) || strings.Contains(strings.ToLower(remark), "inheritdoc") || takenIn.Match(line) {
		return true
	}
	switch d.Language {
	case "python":
		return strings.Contains(remark, "@") && strings.Contains(remark, "wraps")
	case "ruby":
		return rubyLocal.Match(line) || inBlock(s.lines(d.Path), d.Line-1)
	case "csharp":
		return slices.ContainsFunc(strings.Split(d.Scope, "."), func(part string) bool { return part == "Internal" || part == "Internals" })
	case "kotlin":
		return operatorFun.Match(line)
	case "php":
		return s.outsideAutoload(d.Path) || (d.Kind == "variable" || strings.HasPrefix(d.Name, "$")) && d.Scope == ""
	}
	return false
}

// isContract reports whether a language calls a member of that name by itself, or gives it the same meaning in any type.
func isContract(d *Declaration) bool {
	return syntax.Has(d.Language, "operators-are-methods") && !nameRE.MatchString(d.Name) ||
		slices.ContainsFunc(syntax.Words(d.Language, "contract-members"), func(word string) bool { return isForm(word, d.Name) })
}

// isForm reports whether a word of contract-members, which may end in a sign for what follows, is a name.
func isForm(word, name string) bool {
	last := len(word) - 1
	rest, begins := strings.CutPrefix(name, word[:last])
	isLonger := begins && rest != ""
	switch word[last] {
	case '*':
		return isLonger
	case '#':
		return isLonger && strings.Trim(rest, "0123456789") == ""
	case '~':
		return isLonger && !nameRE.MatchString(rest[:1])
	}
	return name == word
}

// builtWith reports whether what is said of the constructor of a type says what the type is.
func builtWith(lines [][]byte, d *Declaration) bool {
	if !syntax.Has(d.Language, "constructors-tell-types") || !typeKind(d.Kind) {
		return false
	}
	head := lines[d.Line-1]
	for i := d.Line; i < min(d.Line+40, len(lines)); i++ {
		text := bytes.TrimLeft(lines[i], " \t")
		if len(text) > 0 && text[0] != '{' && len(lines[i])-len(text) <= len(head)-len(bytes.TrimLeft(head, " \t")) {
			break // the body of the type has ended
		}
		if constructs.Match(text) {
			return remarkOf(lines, i, d.Language).says
		}
	}
	return false
}

// A typePlace is a type by its file and its full name.
type typePlace struct{ file, name string }

// heirs returns the types of a list whose heads say that they extend or implement others.
func (s *surface) heirs(all []Declaration) map[typePlace]bool {
	out := map[typePlace]bool{}
	for i := range all {
		d := &all[i]
		lines := s.lines(d.Path)
		if !syntax.Has(d.Language, "heads-name-bases") || d.Line < 1 || d.Line > len(lines) || !typeKind(d.Kind) {
			continue
		}
		head := headOf(lines, d.Line-1, d.Language)
		if inherits.Match(head) || d.Language == "kotlin" && bytes.Contains(head, []byte("expect ")) {
			out[typePlace{d.Path, d.Qualified()}] = true
		}
	}
	return out
}

// headLines bounds how many lines of a type are read for what it extends: it may have lists of parameters before that.
const headLines = 60

// headOf returns the first lines of a type, to where its body begins, or some that may be of the head.
func headOf(lines [][]byte, at int, language string) (head []byte) {
	open, least := 0, at+3
	for i := at; i < min(at+headLines, len(lines)); i++ {
		if open > 0 {
			least = max(least, i+1) // what it extends may be below its parameters
		}
		for _, c := range lines[i] {
			switch c {
			case '(', '[':
				open++
			case ')', ']':
				open--
			}
		}
		if cut := bytes.IndexByte(lines[i], '{'); cut >= 0 {
			return append(head, lines[i][:cut]...)
		}
		head = append(append(head, lines[i]...), ' ')
		if open <= 0 && (i >= least || syntax.Has(language, "heads-are-lines")) {
			break
		}
	}
	return head
}

func typeKind(kind string) bool {
	switch kind {
	case "class", "struct", "interface", "enum", "record", "object", "trait", "protocol", "module", "type":
		return true
	}
	return false
}

// repeated drops the members of types that extend others where another type of the tree has a
// member of that name: what it does is said there, or is missing there. Members that are fixed
// by an interface of the standard library are dropped too.
func (s *surface) repeated(all, offered []Declaration) []Declaration {
	heirs := s.heirs(all)
	s.inheriting = heirs
	scopes := map[string]string{} // of a member: the one type that has it, or "*"
	for i := range all {
		d := &all[i]
		if d.Scope == "" {
			continue
		}
		owner := d.Scope[strings.LastIndexByte(d.Scope, '.')+1:]
		switch of, ok := scopes[d.Name]; {
		case !ok:
			scopes[d.Name] = owner
		case of != owner:
			scopes[d.Name] = "*"
		}
	}
	out := offered[:0]
	for _, d := range offered {
		if d.Language == "ruby" && bytes.HasSuffix(bytes.TrimSpace(s.lines(d.Path)[d.Line-1]), []byte("::"+d.Name)) {
			continue // class Visitor < Other::Visitor
		}
		isMember := d.Scope != "" && !typeKind(d.Kind) && heirs[typePlace{d.Path, d.Scope}]
		if isMember && (scopes[d.Name] == "*" || syntax.Lists(d.Language, "inherited-members", d.Name) || syntax.Lists("any", "inherited-members", d.Name)) {
			continue
		}
		out = append(out, d)
	}
	return out
}

// contracts says of the members of an interface that they are documented where it is: each is
// part of what its comment tells.
func contracts(decls []Declaration) []Declaration {
	said := map[typePlace]bool{}
	told := map[string]int{} // methods of Go's interfaces that are documented: how many parameters each has
	for i := range decls {
		if d := &decls[i]; d.Kind == "interface" && d.Comment {
			said[typePlace{d.Path, d.Qualified()}] = true
		}
	}
	for i := range decls {
		d := &decls[i]
		of := said[typePlace{d.Path, d.Scope}]
		d.Comment = d.Comment || d.Scope != "" && of
		if d.Language == "go" && d.Scope != "" && of {
			told[d.Name] = len(d.Params)
		}
	}
	// Who implements an interface of Go does not say so.
	for i := range decls {
		if d := &decls[i]; d.Language == "go" && d.Kind == "method" && d.Scope != "" && !d.Comment {
			n, ok := told[d.Name]
			d.Comment = ok && n == len(d.Params)
		}
	}
	return decls
}

// A manyfold is a type that may be declared in several files, each of which adds to it: what is
// said of it in one is said of all.
func manyfold(d *Declaration) bool {
	switch d.Language {
	case "ruby", "csharp", "c", "cpp":
		return typeKind(d.Kind)
	}
	return false
}
