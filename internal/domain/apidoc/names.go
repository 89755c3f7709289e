package apidoc

import (
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// maxInits is how many packages are asked what they pass on.
const maxInits = 4000

// Names are what the packages of Python in a tree pass on under their own name: what
// "flask.app" declares is used as "flask.Flask", and of "numpy.linalg._linalg" only what
// a package around it imports is meant for others.
type Names struct {
	passed map[[2]string]string // the shortest package by the module and the name it imports; "*" for all names
}

// NamesOf reads the packages among the files of a tree.
func NamesOf(paths []string, read func(p string) ([]byte, error)) *Names {
	n := &Names{passed: map[[2]string]string{}}
	for _, p := range paths {
		if base := path.Base(p); base != "__init__.py" && base != "__init__.pyi" || len(n.passed) > 100*maxInits {
			continue
		}
		text, err := read(p)
		if err != nil || len(text) > maxSource {
			continue
		}
		n.add(p, text)
	}
	return n
}

func (n *Names) add(p string, text []byte) {
	pkg := dotted(p)
	facts := syntax.Facts(p, "python", text)
	for i := range facts.Imports {
		im := &facts.Imports[i]
		from := im.Path
		if dots := len(from) - len(strings.TrimLeft(from, ".")); dots > 0 {
			up := strings.Split(pkg, ".")
			up = up[:max(0, len(up)-(dots-1))]
			from = strings.Join(append(slices.Clip(up), strings.Fields(strings.ReplaceAll(from[dots:], ".", " "))...), ".")
		}
		for _, name := range im.Names {
			if name.Alias != "" && strings.HasPrefix(name.Alias, "_") {
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
	if !ok && len(n.passed) > 0 {
		// A lazy package lists its names in other ways; one that describes them means them.
		return d.Doc.Len() > 0 && d.Traits&corpus.Local == 0
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
