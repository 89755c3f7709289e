package apidoc

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// maxInits is how many packages are asked what they pass on.
const maxInits = 4000

// Names are what packages of Python and JavaScript and modules of Rust in a tree pass on under their own name: what
// "flask.app" declares is used as "flask.Flask", and of "numpy.linalg._linalg" only what
// a module around it imports is meant for others.
type Names struct {
	passed  map[[2]string]string // the shortest module by the module and the name it imports; "*" for all names
	lazy    map[string]bool      // packages of Python that make some of their names when they are asked for
	crates  crates
	scripts scripts
}

// NamesOf reads what passes names on among the files of a tree.
func NamesOf(paths []string, read func(p string) ([]byte, error)) *Names {
	n := &Names{passed: map[[2]string]string{}, lazy: map[string]bool{}, crates: crates{private: map[string]bool{}, used: map[string]bool{}}, scripts: scriptsOf(paths, read)}
	for _, p := range paths {
		python, rust := strings.HasSuffix(p, ".py") || strings.HasSuffix(p, ".pyi"), strings.HasSuffix(p, ".rs")
		if !rust && (!python || hiddenModule(dotted(p)) && !isPackage(p)) || len(n.passed) > 100*maxInits {
			continue
		}
		text, err := read(p)
		switch {
		case err != nil || len(text) > maxSource:
		case rust:
			n.crates.add(p, text)
		case isPackage(p):
			n.add(p, text)
			if bytes.Contains(text, []byte("import_module")) || bytes.Contains(bytes.ToLower(text), []byte("lazy")) {
				n.lazy[dotted(p)] = true
			}
		case bytes.Contains(text, []byte("._")) || bytes.Contains(text, []byte("from _")) || bytes.Contains(text, []byte("import _")):
			n.add(p, text)
		}
	}
	return n
}

// isPackage reports whether a file of Python is what its folder is as a module.
func isPackage(p string) bool {
	base := path.Base(p)
	return base == "__init__.py" || base == "__init__.pyi"
}

// offers reports whether a module of Python that is no package passes a name on that it imports: it
// says so, or declares nothing itself.
func offers(facts *corpus.Facts, text []byte, name corpus.Name) bool {
	if name.Alias != "" {
		return name.Alias == name.Name // "from ._abc import Clock as Clock"
	}
	if _, list, ok := bytes.Cut(text, []byte("__all__")); ok {
		return name.Name == "*" || bytes.Contains(list, []byte(`"`+name.Name+`"`)) || bytes.Contains(list, []byte(`'`+name.Name+`'`))
	}
	return !slices.ContainsFunc(facts.Decls, func(d corpus.Decl) bool { return d.Kind == corpus.Function || d.Kind == corpus.Class })
}

func (n *Names) add(p string, text []byte) {
	pkg := dotted(p)
	facts := syntax.Facts(p, "python", text)
	here := pkg // what a path of one dot means
	if !isPackage(p) {
		here = pkg[:max(0, strings.LastIndexByte(pkg, '.'))]
	}
	for i := range facts.Imports {
		im := &facts.Imports[i]
		from := im.Path
		if dots := len(from) - len(strings.TrimLeft(from, ".")); dots > 0 {
			up := strings.Split(here, ".")
			up = up[:max(0, len(up)-(dots-1))]
			from = strings.Join(append(slices.Clip(up), strings.Fields(strings.ReplaceAll(from[dots:], ".", " "))...), ".")
		}
		for _, name := range im.Names {
			if name.Alias != "" && strings.HasPrefix(name.Alias, "_") || !isPackage(p) && !offers(&facts, text, name) {
				continue
			}
			key := [2]string{from, name.Name}
			have, ok := n.passed[key]
			if !ok || hiddenModule(have) && !hiddenModule(pkg) || hiddenModule(have) == hiddenModule(pkg) && strings.Count(pkg, ".") < strings.Count(have, ".") {
				n.passed[key] = pkg
			}
		}
	}
}

// dotted returns the module of a file: what is around its packages does not count.
func dotted(p string) string {
	parts := strings.Split(strings.TrimSuffix(strings.TrimSuffix(p, "i"), ".py"), "/")
	for _, root := range []string{"src", "lib", "python"} {
		if i := slices.Index(parts, root); i >= 0 && i < 2 && i < len(parts)-1 {
			parts = parts[i+1:]
			break
		}
	}
	if n := len(parts) - 1; parts[n] == "__init__" {
		parts = parts[:n]
	}
	return strings.Join(parts, ".")
}

func hiddenModule(module string) bool {
	for part := range strings.SplitSeq(module, ".") {
		if strings.HasPrefix(part, "_") && !strings.HasPrefix(part, "__") {
			return true
		}
	}
	return false
}

// from returns the package that a declaration at the top is used from, where it is not
// its own module.
func (n *Names) from(p string, d *corpus.Decl) (string, bool) {
	if n == nil {
		return "", false
	}
	name, _, _ := strings.Cut(d.Qualified(), ".")
	module := dotted(p)
	for range 4 { // what a hidden package passes on is passed on by another
		pkg, ok := n.passed[[2]string{module, name}]
		if !ok {
			pkg, ok = n.passed[[2]string{module, "*"}]
		}
		if !ok {
			// "from . import _linalg" makes a module a member of its package.
			up, last := path.Split(strings.ReplaceAll(module, ".", "/"))
			up = strings.ReplaceAll(strings.Trim(up, "/"), "/", ".")
			_, member := n.passed[[2]string{up, last}]
			return up, member && !strings.HasPrefix(last, "_")
		}
		if !hiddenModule(pkg) {
			return pkg, true
		}
		module = pkg
	}
	return "", false
}

// public reports whether others use a declaration: modules with an underscore are for
// what their packages pass on.
func (n *Names) public(p string, d *corpus.Decl) bool {
	if !hiddenModule(dotted(p)) {
		return true
	}
	if n == nil {
		return false
	}
	_, ok := n.from(p, d)
	for around := dotted(p); !ok && around != ""; {
		around = around[:max(0, strings.LastIndexByte(around, '.'))]
		// A lazy package lists its names in other ways; one that describes them means them.
		ok = n.lazy[around] && d.Doc.Len() > 0 && d.Traits&corpus.Local == 0
	}
	return ok
}

// module returns the module that a declaration is used from.
func (n *Names) module(p string, d *corpus.Decl) string {
	if pkg, ok := n.from(p, d); ok && pkg != "" {
		return pkg
	}
	var keep []string
	for part := range strings.SplitSeq(dotted(p), ".") {
		if !strings.HasPrefix(part, "_") {
			keep = append(keep, part)
		}
	}
	return strings.Join(keep, ".")
}
