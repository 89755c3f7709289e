// Package pydoc finds the docstrings of Python objects by their dotted names in a
// checkout, without running any of it.
//
// Whatever a file holds, what is returned is quoted from it, with its indentation
// taken off, and no object takes more than a fixed number of files to find.
package pydoc

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

const (
	maxFile   = 2 << 20
	maxFiles  = 4000   // that one Docs keeps
	maxDepth  = 6      // of names that a package passes on
	maxDoc    = 256000 // bytes of one answer
	maxDotted = 300    // bytes of a name
)

// A Docs answers for one checkout. It is safe for concurrent use.
type Docs struct {
	fsys  fs.FS
	roots []string

	mu      sync.Mutex
	modules map[string]*module // by path; nil where there is no such file
}

// A module is one file, read.
type module struct {
	path  string
	text  string
	facts corpus.Facts
}

// New returns the Docs of a checkout. Packages are looked for at its root, in its
// src, lib and python folders.
func New(fsys fs.FS) *Docs {
	return &Docs{fsys: fsys, roots: []string{".", "src", "lib", "python"}, modules: map[string]*module{}}
}

// Of returns what the object of a dotted name says of itself. kind is as
// markup.Options.Doc has it: of "members" the answer is what is public in a module
// or class, each under its signature, as reStructuredText; of ":::" that and the
// object's own text, as Markdown; of every other kind the object's own text.
func (d *Docs) Of(kind, name string) (string, bool) {
	if name == "" || len(name) > maxDotted || strings.ContainsAny(name, "/\\ \t\n") {
		return "", false
	}
	m, at, ok := d.find(strings.Split(name, "."), 0)
	if !ok {
		return "", false
	}
	var b strings.Builder
	switch kind {
	case "members":
		m.members(&b, at, "", false)
	case ":::":
		b.WriteString(Fields(m.doc(at), true))
		b.WriteString("\n\n")
		m.members(&b, at, "", true)
	default:
		b.WriteString(Fields(m.doc(at), false))
	}
	text := strings.TrimSpace(b.String())
	return text, text != ""
}

// find returns the module that declares an object, and its declaration there: -1
// for the module itself.
func (d *Docs) find(parts []string, depth int) (*module, int32, bool) {
	if depth > maxDepth {
		return nil, 0, false
	}
	for n := len(parts); n > 0; n-- {
		m := d.module(parts[:n])
		if m == nil {
			continue
		}
		if n == len(parts) {
			return m, -1, true
		}
		if at, ok := m.decl(parts[n:]); ok {
			return m, at, true
		}
		for _, to := range m.passedOn(parts[n]) {
			if found, at, ok := d.find(append(to, parts[n+1:]...), depth+1); ok {
				return found, at, true
			}
		}
		return nil, 0, false
	}
	return nil, 0, false
}

// module reads the file of a dotted name, once.
func (d *Docs) module(parts []string) *module {
	if slices.ContainsFunc(parts, func(p string) bool { return p == "" || p == ".." }) {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, root := range d.roots {
		base := path.Join(append([]string{root}, parts...)...)
		for _, file := range []string{base + ".py", path.Join(base, "__init__.py"), base + ".pyi"} {
			m, known := d.modules[file]
			if !known && len(d.modules) < maxFiles {
				m = d.read(file)
				d.modules[file] = m
			}
			if m != nil {
				return m
			}
		}
	}
	return nil
}

func (d *Docs) read(file string) *module {
	f, err := d.fsys.Open(file)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }() // it was only read
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() || st.Size() > maxFile {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil
	}
	return &module{path: file, text: string(text), facts: syntax.Facts(file, "python", text)}
}

// decl finds a declaration by its path in the module. Of several, such as the
// overloads of a function, the last that says something.
func (m *module) decl(parts []string) (int32, bool) {
	name, scope := parts[len(parts)-1], strings.Join(parts[:len(parts)-1], ".")
	found := int32(-1)
	for i := range m.facts.Decls {
		if dc := &m.facts.Decls[i]; dc.Name == name && dc.Scope == scope && (found < 0 || m.doc(int32(i)) != "") {
			found = int32(i)
		}
	}
	return found, found >= 0
}

// passedOn returns where a name of the module may come from: what it imports under
// that name, or everything from.
func (m *module) passedOn(name string) [][]string {
	var out [][]string
	for _, im := range m.facts.Imports {
		from := m.absolute(im.Path)
		for _, n := range im.Names {
			switch {
			case n.Local() == name:
				out = append(out, append(slices.Clip(from), n.Name))
			case n.Name == "*":
				out = append(out, append(slices.Clip(from), name))
			}
		}
		if len(out) > 20 {
			break
		}
	}
	return out
}

// absolute returns the parts of an imported path: a relative one counts from the
// module's package.
func (m *module) absolute(imported string) []string {
	rest := strings.TrimLeft(imported, ".")
	dots := len(imported) - len(rest)
	var parts []string
	if dots > 0 {
		parts = strings.Split(path.Dir(m.path), "/")
		if len(parts) > 0 && (parts[0] == "src" || parts[0] == "lib" || parts[0] == "python") {
			parts = parts[1:]
		}
		parts = parts[:max(0, len(parts)-(dots-1))]
	}
	if rest != "" {
		parts = append(parts, strings.Split(rest, ".")...)
	}
	return parts
}

// doc returns the docstring of a declaration, of the module where at is -1.
func (m *module) doc(at int32) string {
	body := m.text
	if at >= 0 {
		dc := &m.facts.Decls[at]
		if dc.Kind != corpus.Class && dc.Kind != corpus.Function && dc.Kind != corpus.Method {
			return ""
		}
		body = m.text[dc.Body:dc.Span.End]
	}
	return clean(literal(body))
}

// members writes what is public below a declaration, in the order of the text.
func (m *module) members(b *strings.Builder, of int32, indent string, md bool) {
	for i := range m.facts.Decls {
		dc := &m.facts.Decls[i]
		if dc.Parent != of || strings.HasPrefix(dc.Name, "_") || dc.Traits&corpus.Local != 0 || b.Len() > maxDoc {
			continue
		}
		doc := m.doc(int32(i))
		if doc == "" && dc.Kind != corpus.Class {
			continue
		}
		doc = Fields(doc, md)
		kind := "function"
		switch dc.Kind {
		case corpus.Class:
			kind = "class"
		case corpus.Method:
			kind = "method"
		case corpus.Function:
		default:
			continue
		}
		if md {
			b.WriteString("### `" + signature(dc) + "`\n\n" + doc + "\n\n")
		} else {
			b.WriteString(indent + ".. " + kind + ":: " + signature(dc) + "\n\n")
			for line := range strings.SplitSeq(doc, "\n") {
				if line != "" {
					b.WriteString(indent + "   " + line)
				}
				b.WriteByte('\n')
			}
			b.WriteByte('\n')
		}
		if dc.Kind == corpus.Class && len(indent) < 9 {
			m.members(b, int32(i), indent+"   ", md)
		}
	}
}

func signature(dc *corpus.Decl) string {
	name := dc.Name
	if dc.Scope != "" {
		name = dc.Scope[strings.LastIndexByte(dc.Scope, '.')+1:] + "." + name
	}
	if dc.Kind == corpus.Class || dc.Traits&corpus.Accessor != 0 {
		return name
	}
	sig := name + "(" + strings.Join(strings.Fields(strings.Join(dc.Params, ", ")), " ") + ")"
	if dc.Result != "" {
		sig += " -> " + dc.Result
	}
	return sig
}

// literal returns the content of the string that text begins with, comments and
// blanks aside, or "".
func literal(text string) string {
	for {
		text = strings.TrimLeft(text, " \t\r\n\f:")
		if !strings.HasPrefix(text, "#") {
			break
		}
		_, rest, found := strings.Cut(text, "\n")
		if !found {
			return ""
		}
		text = rest
	}
	raw := false
	for len(text) > 0 && strings.ContainsRune("rRuU", rune(text[0])) {
		raw = raw || text[0] == 'r' || text[0] == 'R'
		text = text[1:]
	}
	for _, quote := range []string{`"""`, `'''`, `"`, `'`} {
		rest, ok := strings.CutPrefix(text, quote)
		if !ok {
			continue
		}
		end := 0
		for end < len(rest) && !strings.HasPrefix(rest[end:], quote) {
			if rest[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(rest) {
			return ""
		}
		rest = rest[:end]
		if !raw {
			rest = strings.NewReplacer("\\\n", "", `\n`, "\n", `\\`, `\`, `\"`, `"`, `\'`, `'`).Replace(rest)
		}
		return rest
	}
	return ""
}

// clean takes the indentation off a docstring, as inspect.cleandoc does: that of
// its first line does not count.
func clean(doc string) string {
	if len(doc) > maxDoc {
		doc = strings.ToValidUTF8(doc[:maxDoc], "")
	}
	lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(doc, "\r\n", "\n"), "\t", "        "), "\n")
	margin := -1
	for _, l := range lines[1:] {
		if t := strings.TrimLeft(l, " "); t != "" && (margin < 0 || len(l)-len(t) < margin) {
			margin = len(l) - len(t)
		}
	}
	lines[0] = strings.TrimSpace(lines[0])
	for i := range lines[1:] {
		l := strings.TrimRight(lines[i+1], " ")
		lines[i+1] = l[min(max(margin, 0), len(l)):]
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// Docstring returns the text of a docstring as it is written in the source, with its
// indentation taken off.
func Docstring(source string) string { return clean(literal(source)) }
