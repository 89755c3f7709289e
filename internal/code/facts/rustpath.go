package facts

import (
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// rustRoot returns what a path of Rust begins at that is written where it is used, and what of it
// is left: the crate, the module itself, the one around it, or another crate of the project
// (The Rust Reference, "Paths"). Chains have one sign for paths and members, so that self is a
// module only where no method is around.
func (p *Project) rustRoot(f *File, in int32, chain string) ([]value, string) {
	n := partEnd(chain)
	first, rest := chain[:n], chain[n:]
	switch first {
	case "crate":
		return p.rustModules(p.rustCrate(f.Path)), rest
	case "self":
		return p.rustAround(f, in, 0), rest
	case "super":
		up := 1
		for rest == ".super" || strings.HasPrefix(rest, ".super.") {
			rest = rest[len(".super"):]
			up++
		}
		return p.rustAround(f, in, up), rest
	}
	if dir, ok := p.manifests().crates[first]; ok {
		return p.rustModules(p.rustModule(path.Join(dir, "src"))), rest
	}
	return nil, rest
}

func (p *Project) rustModules(docs []int) []value {
	if len(docs) == 0 {
		return nil
	}
	return []value{{kind: module, docs: docs, how: "import"}}
}

// rustAround returns the module so many levels above that of a place. Modules within a file
// are declarations of it.
func (p *Project) rustAround(f *File, in int32, up int) []value {
	for d := in; d >= 0; d = f.Decls[d].Parent {
		if f.Decls[d].Kind != corpus.Module {
			continue
		}
		if up == 0 {
			return p.declaredAs(Ref{f.Doc, d}, "file")
		}
		up--
	}
	if up == 0 {
		return p.rustModules([]int{f.Doc})
	}
	dir := rustFolder(f.Path)
	for range up {
		dir = path.Dir(dir)
	}
	return p.rustModules(p.rustModule(dir))
}

// rustFolder is where the modules of a file's module are.
func rustFolder(file string) string {
	switch path.Base(file) {
	case "mod.rs", "lib.rs", "main.rs":
		return path.Dir(file)
	}
	return strings.TrimSuffix(file, ".rs")
}

// rustCrate returns the files that a crate begins with: of one that is a library and a
// program, both.
func (p *Project) rustCrate(file string) (docs []int) {
	if b := path.Base(file); b == "lib.rs" || b == "main.rs" {
		return []int{p.byPath[file]}
	}
	dir := p.crateRoot(file)
	for _, root := range [...]string{"lib.rs", "main.rs"} {
		if d, ok := p.byPath[path.Join(dir, root)]; ok {
			docs = append(docs, d)
		}
	}
	if p.rustTargets(dir) && path.Dir(file) != dir { // a module of whichever names it
		return slices.DeleteFunc(slices.Clone(p.dir(dir)), func(d int) bool { return path.Ext(p.Docs[d].Path) != ".rs" })
	}
	if len(docs) == 0 || slices.Contains([]string{"bin", "examples", "tests", "benches"}, path.Base(path.Dir(file))) {
		return []int{p.byPath[file]}
	}
	return docs
}
