package facts

import (
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
)

// importZig finds the file of a path, or of a module that the nearest build.zig above names.
func (p *Project) importZig(doc int, name string) Import {
	if strings.HasSuffix(name, ".zig") {
		return p.importFile(doc, name, "")
	}
	best := alias{}
	for _, a := range p.manifests().zig {
		if a.from == name && (a.dir == "." || strings.HasPrefix(p.Docs[doc].Path, a.dir+"/")) && (best.to == "" || len(a.dir) > len(best.dir)) {
			best = a
		}
	}
	if d, ok := p.byPath[path.Join(best.dir, best.to)]; ok && best.to != "" {
		return Import{Docs: []int{d}}
	}
	if name == "std" || name == "builtin" {
		return Import{Origin: Standard}
	}
	return p.importFile(doc, name, "")
}

// Steps of a build that have a file, and what names them (std.Build of Zig's standard library).
var (
	zigStep  = lazy.Regexp(`(?:(?:const|var)\s+(\w+)\s*=\s*)?[\w.]*\.(?:addModule|createModule|addExecutable|addLibrary|addStaticLibrary|addSharedLibrary|addTest)\(\s*(?:"([^"]+)"\s*,\s*)?\.\{[^;]*?\.root_source_file\s*=[^";]*"([^"]+)"`)
	zigNamed = lazy.Regexp(`addImport\(\s*"([^"]+)"\s*,\s*(\w+)|\.name\s*=\s*"([^"]+)"\s*,\s*\.module\s*=\s*(\w+)`)
)

// zigModules returns the modules that a build.zig names, with their files as it writes them.
func zigModules(text []byte) map[string]string {
	out, held := map[string]string{}, map[string]string{}
	for _, m := range zigStep.FindAllSubmatch(text, -1) {
		variable, name, file := string(m[1]), string(m[2]), string(m[3])
		if name != "" {
			out[name] = file
		}
		if variable != "" {
			held[variable] = file
		}
	}
	for _, m := range zigNamed.FindAllSubmatch(text, -1) {
		name, variable := string(m[1])+string(m[3]), string(m[2])+string(m[4])
		if file := held[variable]; file != "" && out[name] == "" {
			out[name] = file
		}
	}
	return out
}

// holdsFields reports whether a file of Zig is a struct with fields.
func (f *File) holdsFields() bool {
	return slices.ContainsFunc(f.Bindings, func(b corpus.Binding) bool {
		return b.In < 0 && b.Type != "" && !slices.ContainsFunc(f.byName[b.Name], func(i int32) bool { return f.Decls[i].NameAt == b.At })
	})
}
