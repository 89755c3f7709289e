package facts

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// An Origin says where an imported thing comes from.
type Origin uint8

// The origins.
const (
	External Origin = iota // somebody else's
	Internal               // of the project
	Standard               // of the language
)

func (o Origin) String() string { return [...]string{"external", "internal", "std"}[o] }

// An Import is what an import means.
type Import struct {
	Origin Origin
	Docs   []int  // the files that it is, where it is internal
	Rest   string // what of Path comes after the file: the items "a.b" of a path "crate::m::a::b"
}

type importKey struct {
	doc  int
	path string
	kind corpus.ImportKind
}

// Import says what an import of a document means.
func (p *Project) Import(doc int, m *corpus.Import) Import {
	m = p.fromFile(doc, m)
	key := importKey{doc, m.Path, m.Kind}
	switch family(p.Docs[doc].Language) {
	case "go", "jvm":
		if !syntax.Has(p.Docs[doc].Language, "relative-imports") {
			key.doc = -1 // whoever imports it
		}
	}
	if got, ok := p.imports[key]; ok {
		return got
	}
	got := p.importing(doc, m)
	if len(got.Docs) > 0 {
		got.Origin = Internal
	}
	p.imports[key] = got
	return got
}

func (p *Project) importing(doc int, m *corpus.Import) Import {
	if m.Path == "" {
		return Import{}
	}
	switch family(p.Docs[doc].Language) {
	case "go":
		return p.importGo(m.Path)
	case "python":
		return p.importPython(doc, m.Path)
	case "ecma", "vue", "svelte":
		return p.importECMA(doc, m.Path)
	case "jvm":
		got := p.importJVM(doc, m)
		if len(got.Docs) == 0 && syntax.Has(p.Docs[doc].Language, "relative-imports") {
			if near := p.importJVM(doc, &corpus.Import{Path: p.Head(doc).Module + "." + m.Path}); len(near.Docs) > 0 {
				return near
			}
		}
		return got
	case "elixir", "haskell":
		return p.importModule(doc, m.Path)
	case "csharp":
		got := p.importModule(doc, m.Path)
		if len(got.Docs) == 0 && got.Origin != Standard {
			got.Docs = p.nestedSpace(doc, m)
		}
		return got
	case "php":
		if m.Kind&(corpus.Relative|corpus.Dynamic) != 0 {
			return p.importFile(doc, m.Path, "")
		}
		return p.importPHP(doc, m.Path)
	case "rust":
		return p.importRust(doc, m)
	case "clang":
		got := p.importFile(doc, m.Path, "")
		if len(got.Docs) == 0 && m.Kind&corpus.System != 0 {
			got.Origin = Standard
		}
		return got
	case "ruby":
		return p.importFile(doc, m.Path, ".rb")
	case "lua":
		name := strings.ReplaceAll(m.Path, ".", "/")
		if d, ok := p.above(doc, name+".lua", "", "lua", "lib", "src"); ok {
			return Import{Docs: []int{d}}
		}
		if d, ok := p.above(doc, name+"/init.lua", "", "lua", "lib", "src"); ok {
			return Import{Docs: []int{d}}
		}
		got := p.only(name + ".lua")
		if len(got.Docs) == 0 {
			got = p.only(name + "/init.lua")
		}
		return got
	case "zig":
		return p.importZig(doc, m.Path)
	case "bash":
		return p.importFile(doc, m.Path, "")
	}
	return Import{}
}

// importFile finds a file by a path that is relative to the one that imports it,
// to a folder above that, or to some folder that only one such file is in.
func (p *Project) importFile(doc int, name, ext string) Import {
	if !strings.HasSuffix(name, ext) {
		name += ext
	}
	name = strings.TrimPrefix(name, "/")
	if d, ok := p.above(doc, name, "", "include", "lib", "src"); ok {
		return Import{Docs: []int{d}}
	}
	return p.only(name)
}

// above finds a file by its path from the folder of a document or one above that, or from one
// of the folders there that a language looks in.
func (p *Project) above(doc int, name string, folders ...string) (int, bool) {
	for dir := path.Dir(p.Docs[doc].Path); ; dir = path.Dir(dir) {
		for _, sub := range folders {
			if d, ok := p.byPath[path.Join(dir, sub, name)]; ok {
				return d, true
			}
		}
		if dir == "." || dir == "/" {
			return 0, false
		}
	}
}

// only finds the file whose path ends in a name, if it is the only one.
func (p *Project) only(name string) Import {
	stem := path.Base(name)
	stem = upTo(stem, ".")
	var found []int
	clean := strings.TrimLeft(path.Clean("/"+name), "/")
	for _, d := range p.named(stem) {
		if strings.HasSuffix("/"+p.Docs[d].Path, "/"+clean) {
			found = append(found, d)
		}
	}
	if len(found) == 1 {
		return Import{Docs: found}
	}
	return Import{}
}

// roots are what the manifests of a project say.
type roots struct {
	goModules map[string]string // module path → folder
	packages  map[string]string // package.json: name → folder
	offered   []alias           // and what it offers, the longer names first
	crates    map[string]string // Cargo.toml: name → folder
	aliases   []alias           // tsconfig.json: paths
	zig       []alias           // build.zig: modules
}

type alias struct{ dir, from, to string }

func (p *Project) manifests() *roots {
	if p.roots != nil {
		return p.roots
	}
	r := &roots{goModules: map[string]string{}, packages: map[string]string{}, crates: map[string]string{}}
	p.roots = r
	for i := range p.Docs {
		dir, base := path.Split(p.Docs[i].Path)
		dir = path.Clean(dir)
		switch {
		case base == "go.mod":
			if m := p.Head(i).Module; m != "" {
				r.goModules[m] = dir
			}
		case base == "package.json":
			if m := p.Head(i).Module; m != "" {
				r.packages[m] = dir
			}
			for _, m := range p.Head(i).Imports {
				for _, n := range m.Names {
					r.offered = append(r.offered, alias{dir, m.Path, n.Name})
				}
			}
		case base == "Cargo.toml":
			if m := p.Head(i).Module; m != "" {
				r.crates[strings.ReplaceAll(m, "-", "_")] = dir
			}
		case base == "build.zig":
			for name, file := range zigModules(p.src.Text(i, nil)) {
				r.zig = append(r.zig, alias{dir, name, file})
			}
		case strings.HasPrefix(base, "tsconfig") && strings.HasSuffix(base, ".json"):
			for _, m := range p.Head(i).Imports {
				for _, n := range m.Names {
					r.aliases = append(r.aliases, alias{dir, m.Path, n.Name})
				}
			}
		}
	}
	sorting.Stable(r.offered, func(a, b alias) int { return len(b.from) - len(a.from) })
	return r
}

func (p *Project) importGo(name string) Import {
	best, dir := "", ""
	for m, d := range p.manifests().goModules {
		if (name == m || strings.HasPrefix(name, m+"/")) && len(m) > len(best) {
			best, dir = m, d
		}
	}
	first, _, _ := strings.Cut(name, "/")
	if best == "" {
		if strings.Contains(first, ".") {
			return Import{}
		}
		// The standard library's own tree has no path before its packages.
		if docs := p.goDir(name); len(docs) > 0 {
			return Import{Docs: docs}
		}
		return Import{Origin: Standard}
	}
	docs := p.goDir(path.Join(dir, strings.TrimPrefix(strings.TrimPrefix(name, best), "/")))
	return Import{Origin: Internal, Docs: docs}
}

func (p *Project) goDir(dir string) (docs []int) {
	for _, d := range p.dir(dir) {
		if p.Docs[d].Language == "go" && !strings.HasSuffix(p.Docs[d].Path, "_test.go") {
			docs = append(docs, d)
		}
	}
	return p.compiledFirst(docs)
}

func (p *Project) importPython(doc int, name string) Import {
	here := path.Dir(p.Docs[doc].Path)
	if rest := strings.TrimLeft(name, "."); len(rest) < len(name) {
		dir := here
		for range len(name) - len(rest) - 1 {
			dir = path.Dir(dir)
		}
		return Import{Origin: Internal, Docs: p.pythonModule(path.Join(dir, strings.ReplaceAll(rest, ".", "/")))}
	}
	rel := strings.ReplaceAll(name, ".", "/")
	for dir := here; ; dir = path.Dir(dir) {
		// A folder that is a package is no place to look for others.
		_, inside := p.byPath[path.Join(dir, "__init__.py")]
		if docs := p.pythonModule(path.Join(dir, rel)); len(docs) > 0 && (!inside || dir == here && !inLibrary("python", name)) {
			if !inside {
				return Import{Docs: docs}
			}
		}
		for _, sub := range []string{"src", "lib", "python"} {
			if docs := p.pythonModule(path.Join(dir, sub, rel)); len(docs) > 0 && !inside {
				return Import{Docs: docs}
			}
		}
		if dir == "." || dir == "/" {
			break
		}
	}
	if inLibrary("python", name) {
		return Import{Origin: Standard}
	}
	// A package that lies somewhere once.
	first, _, _ := strings.Cut(name, ".")
	var found []int
	for _, d := range p.named("__init__") {
		dir := path.Dir(p.Docs[d].Path)
		if path.Base(dir) == first {
			if docs := p.pythonModule(path.Join(path.Dir(dir), rel)); len(docs) > 0 {
				found = append(found, docs[0])
			}
		}
	}
	if len(found) == 1 {
		return Import{Docs: found}
	}
	return Import{}
}

// inLibrary reports whether a module, or the one that it is in, is of the library of a language.
func inLibrary(language, name string) bool {
	return syntax.Lists(language, "library-modules", name[:strings.IndexAny(name+"/", "./")])
}

func (p *Project) pythonModule(base string) []int {
	for _, end := range []string{".py", "/__init__.py", ".pyi", ".pyx", "/__init__.pyi"} {
		if d, ok := p.byPath[path.Clean(base)+end]; ok {
			return []int{d}
		}
	}
	return nil
}

// importJVM finds the file that declares what a path names, the package of a
// wildcard, or the class of an imported member.
func (p *Project) importJVM(doc int, m *corpus.Import) Import {
	pkg, last := cutLast(m.Path, ".")
	if last == "*" || last == "_" {
		if docs := p.module(doc, pkg); len(docs) > 0 {
			return Import{Docs: docs}
		}
		pkg, last = cutLast(pkg, ".")
	}
	rest := ""
	if strings.HasSuffix(m.Path, "._") || strings.HasSuffix(m.Path, ".*") {
		rest = ofObject
	}
	for pkg != "" {
		if docs := p.declaring(p.module(doc, pkg), last); len(docs) > 0 {
			return Import{Docs: docs, Rest: rest}
		}
		if rest == "" || rest == ofObject {
			rest = last
		} else {
			rest = last + "." + rest
		}
		pkg, last = cutLast(pkg, ".")
	}
	for _, std := range []string{"java.", "javax.", "kotlin.", "scala."} {
		if strings.HasPrefix(m.Path, std) {
			return Import{Origin: Standard}
		}
	}
	return Import{}
}

// ofObject is the rest of a path of Scala or Java by which all members of a class or an object are imported.
const ofObject = "*"

// MayImport reports whether an import of a document may mean one of some others, which are in
// ascending order. It reads less than Import does, and where a language says too little by
// its keys alone, it may.
func (p *Project) MayImport(doc int, m *corpus.Import, of []int) bool {
	if family(p.Docs[doc].Language) != "jvm" {
		return true
	}
	if got, ok := p.imports[importKey{-1, m.Path, m.Kind}]; ok {
		return meet(got.Docs, of)
	}
	for pkg, last := cutLast(m.Path, "."); pkg != ""; pkg, last = cutLast(pkg, ".") {
		if docs := p.module(doc, pkg); meet(docs, of) && (last == "*" || last == "_" || meet(p.src.Keyed(Key(Declared, last)), of)) {
			return true
		}
	}
	return false
}

// meet reports whether two lists in ascending order have something in common.
func meet(a, b []int) bool {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] == b[0]:
			return true
		case a[0] < b[0]:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	return false
}

func cutLast(s, sep string) (before, last string) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):]
	}
	return "", s
}

// importModule finds the files that say they are of a module, or that declare one
// of that name.
func (p *Project) importModule(doc int, name string) Import {
	if docs := p.module(doc, name); len(docs) > 0 {
		return Import{Docs: docs}
	}
	_, last := cutLast(name, ".")
	var docs []int
	for _, r := range p.declared(doc, last) {
		if d := p.Decl(r); d.Kind == corpus.Module && (d.Qualified() == name || last == name) {
			docs = append(docs, r.Doc)
		}
	}
	for _, r := range p.declared(doc, name) {
		if p.Decl(r).Kind == corpus.Module {
			docs = append(docs, r.Doc)
		}
	}
	slices.Sort(docs)
	if docs = slices.Compact(docs); len(docs) > 0 {
		return Import{Docs: docs}
	}
	if family(p.Docs[doc].Language) == "csharp" && (name == "System" || strings.HasPrefix(name, "System.") || strings.HasPrefix(name, "Microsoft.")) {
		return Import{Origin: Standard}
	}
	// What a file of C# uses statically, or gives a name of its own, may be a class.
	if space, last := cutLast(name, "."); space != "" && family(p.Docs[doc].Language) == "csharp" {
		if docs := p.declaring(p.module(doc, space), last); len(docs) > 0 {
			return Import{Docs: docs, Rest: last}
		}
	}
	return Import{}
}

// nestedSpace returns the files of a namespace of C# that is named as from inside of one around the file: by a using that
// stands in that.
func (p *Project) nestedSpace(doc int, m *corpus.Import) []int {
	tried := map[string]bool{}
	for _, around := range p.spaces(p.File(doc)) {
		for ; around != "" && !tried[around]; around, _ = cutLast(around, ".") {
			tried[around] = true
			if docs := p.module(doc, around+"."+m.Path); len(docs) > 0 {
				if text := p.src.Text(doc, nil); m.At > len(text) || !bytes.Contains(text[:m.At], []byte("namespace ")) {
					return nil
				}
				return docs
			}
		}
	}
	return nil
}

func (p *Project) importPHP(doc int, name string) Import {
	name = strings.TrimPrefix(name, `\`)
	ns, last := cutLast(name, `\`)
	docs := p.declaring(p.module(doc, ns), last)
	if len(docs) == 0 {
		docs = p.module(doc, name)
	}
	return Import{Docs: docs}
}
