package facts

import (
	"path"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// importRust follows a path from the crate, from the module or from the one
// around it, as far as files go; what is left names items.
func (p *Project) importRust(doc int, m *corpus.Import) Import {
	here := p.Docs[doc].Path
	parts := strings.Split(m.Path, "::")
	own := p.rustFolderOf(here, parts[0])
	if m.Kind&corpus.Relative != 0 && strings.HasSuffix(m.Path, ".rs") { // by #[path]
		if d, ok := p.byPath[path.Join(path.Dir(here), m.Path)]; ok {
			return Import{Origin: Internal, Docs: []int{d}}
		}
		return Import{Origin: Internal}
	}
	if m.Kind&corpus.Relative != 0 {
		return Import{Origin: Internal, Docs: p.rustModule(path.Join(own, m.Path))}
	}
	var dir string
	switch parts[0] {
	case "crate":
		dir = p.crateRoot(here)
		parts = parts[1:]
	case "self":
		if parts = parts[1:]; len(parts) > 0 {
			own = p.rustFolderOf(here, parts[0])
		}
		dir = own
	case "super":
		dir = own
		if by, ok := p.placedBy(doc); ok {
			dir, parts = p.rustFolderOf(p.Docs[by].Path, ""), parts[1:]
		}
		for len(parts) > 0 && parts[0] == "super" {
			dir = path.Dir(dir)
			parts = parts[1:]
		}
	case "std", "core", "alloc":
		return Import{Origin: Standard}
	default:
		if d, ok := p.manifests().crates[parts[0]]; ok {
			dir = path.Join(d, "src")
			parts = parts[1:]
		} else if len(p.rustModule(path.Join(own, parts[0]))) > 0 {
			dir = own
		} else {
			return p.placedModule(doc, parts)
		}
	}
	// The module itself, until a part of the path is a file.
	at := p.rustModule(dir)
	for len(parts) > 0 {
		next := p.rustModule(path.Join(dir, parts[0]))
		if len(next) == 0 {
			break
		}
		dir, at, parts = path.Join(dir, parts[0]), next, parts[1:]
	}
	return Import{Origin: Internal, Docs: at, Rest: strings.Join(parts, ".")}
}

// fromFile returns an import as the file around it would write it: in a module that is written in a file, super is that file.
func (p *Project) fromFile(doc int, m *corpus.Import) *corpus.Import {
	rest, isUp := strings.CutPrefix(m.Path, "super::")
	if !isUp || m.In < 0 {
		return m
	}
	f := p.File(doc)
	for d := m.In; d >= 0 && isUp; d = f.Decls[d].Parent {
		if namespace(f.Decls[d].Kind) {
			m = &corpus.Import{Path: "self::" + rest, Kind: m.Kind}
			rest, isUp = strings.CutPrefix(rest, "super::")
		}
	}
	return m
}

// placedModule follows a path from a module of a file whose own file #[path] names.
func (p *Project) placedModule(doc int, parts []string) Import {
	imports := p.File(doc).Imports
	for i := range imports {
		if m := &imports[i]; m.Kind&corpus.Relative != 0 && m.Alias == parts[0] {
			if got := p.importRust(doc, m); len(got.Docs) > 0 {
				return Import{Origin: Internal, Docs: got.Docs, Rest: strings.Join(parts[1:], ".")}
			}
		}
	}
	return Import{}
}

// placedBy returns the file whose #[path] names a document: that of a module in one of the folders around it.
func (p *Project) placedBy(doc int) (by int, ok bool) {
	here := p.Docs[doc].Path
	for dir, up := path.Dir(here), 0; up < 3 && dir != "."; dir, up = path.Dir(dir), up+1 {
		for _, d := range p.rustModule(dir) {
			imports := p.File(d).Imports
			for i := range imports {
				m := &imports[i]
				if m.Kind&corpus.Relative != 0 && strings.HasSuffix(m.Path, ".rs") && path.Join(path.Dir(p.Docs[d].Path), m.Path) == here {
					return d, true
				}
			}
		}
	}
	return 0, false
}

func (p *Project) crateRoot(file string) string {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		for _, root := range []string{"lib.rs", "main.rs"} {
			if _, ok := p.byPath[path.Join(dir, root)]; ok {
				return dir
			}
		}
		if p.rustTargets(dir) {
			return dir
		}
		if dir == "." || dir == "/" {
			return path.Dir(file)
		}
	}
}

func (p *Project) rustModule(base string) []int {
	for _, end := range []string{".rs", "/mod.rs", "/lib.rs", "/main.rs"} {
		if d, ok := p.byPath[path.Clean(base)+end]; ok {
			return []int{d}
		}
	}
	return nil
}

// rustTargets reports whether each file of a folder is a crate of its own, a test, an example or a
// benchmark (The Cargo Book, "Cargo Targets"), or a module of some of these.
func (p *Project) rustTargets(dir string) bool {
	parent := path.Dir(dir)
	switch path.Base(dir) {
	case "bin":
		if path.Base(parent) != "src" {
			return false
		}
		parent = path.Dir(parent)
	case "tests", "examples", "benches":
	default:
		return false
	}
	_, ok := p.byPath[path.Join(parent, "Cargo.toml")]
	return ok
}

// rustFolderOf is where a module of a name is of a file's module: of a crate's first file, beside it.
func (p *Project) rustFolderOf(file, name string) string {
	own, dir := rustFolder(file), path.Dir(file)
	if p.rustTargets(dir) && len(p.rustModule(path.Join(own, name))) == 0 && len(p.rustModule(path.Join(dir, name))) > 0 {
		return dir
	}
	return own
}
