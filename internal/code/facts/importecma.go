package facts

import (
	"path"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

var ecmaEnds = []string{"", ".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte",
	"/index.ts", "/index.tsx", "/index.js", "/index.jsx", "/index.mjs", "/index.d.ts"}

func (p *Project) importECMA(doc int, name string) Import {
	if name == "." || name == ".." || strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
		return Import{Origin: Internal, Docs: p.ecmaFile(path.Join(path.Dir(p.Docs[doc].Path), name))}
	}
	r := p.manifests()
	for _, a := range r.aliases {
		if rest, ok := matchStar(a.from, name); ok && (a.dir == "." || strings.HasPrefix(p.Docs[doc].Path, a.dir+"/")) {
			if docs := p.ecmaFile(path.Join(a.dir, strings.Replace(a.to, "*", rest, 1))); len(docs) > 0 {
				return Import{Docs: docs}
			}
		}
	}
	if docs := p.offeredFile(doc, name); len(docs) > 0 {
		return Import{Docs: docs}
	}
	for pkg := name; pkg != "." && pkg != "/"; pkg = path.Dir(pkg) {
		dir, ok := r.packages[pkg]
		if !ok {
			continue
		}
		for _, at := range []string{"", "src", "lib", "dist"} {
			if docs := p.ecmaFile(path.Join(dir, at+name[len(pkg):])); len(docs) > 0 {
				return Import{Docs: docs}
			}
		}
		return Import{Origin: Internal}
	}
	if strings.HasPrefix(name, "node:") || inLibrary("ecma", name) {
		return Import{Origin: Standard}
	}
	return Import{}
}

// offeredFile returns the file of the project that a package.json offers by a name: the one that it
// is built from where that is told by its place, src/a.ts of dist/esm/a.js.
func (p *Project) offeredFile(doc int, name string) []int {
	for _, a := range p.manifests().offered {
		rest, ok := matchStar(a.from, name)
		if !ok || a.from[0] == '#' && a.dir != "." && !strings.HasPrefix(p.Docs[doc].Path, a.dir+"/") {
			continue
		}
		to := path.Clean(strings.Replace(a.to, "*", rest, 1))
		stem := to
		for _, end := range []string{".d.ts", ".d.mts", ".d.cts", path.Ext(to)} {
			if s, ok := strings.CutSuffix(to, end); ok && s != "" {
				stem = s
				break
			}
		}
		for range 3 {
			built, below, ok := strings.Cut(stem, "/")
			if !ok || !outputs.Has(built) {
				break
			}
			if stem = below; strings.HasPrefix(stem, "src/") {
				break
			}
			if docs := p.ecmaFile(path.Join(a.dir, "src", stem)); len(docs) > 0 {
				return docs
			}
		}
		for _, at := range []string{to, stem} {
			if docs := p.ecmaFile(path.Join(a.dir, at)); len(docs) > 0 {
				return docs
			}
		}
	}
	return nil
}

// outputs are the folders that builds of packages write to.
var outputs = lazy.Words("dist lib build out es esm cjs umd modern legacy types dist-src dist-types")

func matchStar(pattern, name string) (string, bool) {
	before, after, star := strings.Cut(pattern, "*")
	if !star {
		return "", pattern == name
	}
	if len(name) < len(before)+len(after) || !strings.HasPrefix(name, before) || !strings.HasSuffix(name, after) {
		return "", false
	}
	return name[len(before) : len(name)-len(after)], true
}

func (p *Project) ecmaFile(base string) []int {
	base = path.Clean(base)
	for _, end := range ecmaEnds {
		if d, ok := p.byPath[base+end]; ok {
			return []int{d}
		}
	}
	// TypeScript writes the name that the compiler will give.
	for _, swap := range [][2]string{{".js", ".ts"}, {".js", ".tsx"}, {".jsx", ".tsx"}, {".mjs", ".mts"}, {".cjs", ".cts"}, {".js", ".d.ts"}} {
		if rest, ok := strings.CutSuffix(base, swap[0]); ok {
			if d, ok := p.byPath[rest+swap[1]]; ok {
				return []int{d}
			}
		}
	}
	return nil
}
