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
	own := rustFolder(here)
	if m.Kind&corpus.Relative != 0 {
		return Import{Origin: Internal, Docs: p.rustModule(path.Join(own, m.Path))}
	}
	parts := strings.Split(m.Path, "::")
	var dir string
	switch parts[0] {
	case "crate":
		dir = p.crateRoot(here)
		parts = parts[1:]
	case "self":
		dir = own
		parts = parts[1:]
	case "super":
		dir = own
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
			return Import{}
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

func (p *Project) crateRoot(file string) string {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		for _, root := range []string{"lib.rs", "main.rs"} {
			if _, ok := p.byPath[path.Join(dir, root)]; ok {
				return dir
			}
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
