package docs

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/docs/apidoc"
)

// declared leaves out program text of which other files declare the same: JavaScript with declarations of TypeScript, and stubs
// beside Python. It also leaves out the copies that a build makes for other ways to load a package.
func declared(fsys fs.FS, paths []string) []string {
	d := declaring{
		fsys: fsys, have: map[string]bool{}, groups: map[string][]string{}, builds: map[string][]string{},
		names: map[string]map[string]bool{}, said: map[string]int{},
	}
	for _, p := range paths {
		d.have[p] = true
		if root, built := builtRoot(p); built && apidoc.Declarations(p) {
			d.builds[root] = append(d.builds[root], p)
		}
		if key := scriptKey(p); key != "" {
			d.groups[key] = append(d.groups[key], p)
		}
	}
	for _, group := range d.groups {
		slices.SortFunc(group, compareDeclarations)
	}
	var pkg struct{ Types, Typings string }
	if data, err := readPage(fsys, "package.json", maxInclude); err == nil {
		_ = json.Unmarshal(data, &pkg) // a broken one names no types
	}
	for _, types := range []string{path.Clean(pkg.Types), path.Clean(pkg.Typings)} {
		if d.have[types] && apidoc.Declarations(types) {
			d.types = types
		}
	}
	return slices.DeleteFunc(paths, d.isTwin)
}

// declaring has the names of files while it is decided which declare the same.
type declaring struct {
	fsys   fs.FS
	have   map[string]bool
	types  string              // the declarations of the whole package, as its package.json says
	groups map[string][]string // files of JavaScript and TypeScript by their key, declarations first
	builds map[string][]string // declarations in folders of a build, by the folder of the package
	names  map[string]map[string]bool
	said   map[string]int // the comments with documentation in a file
}

// isTwin reports whether another file declares the same as a file does.
func (d *declaring) isTwin(p string) bool {
	ext := path.Ext(p)
	switch ext {
	case ".js", ".mjs", ".cjs", ".jsx":
		if d.types != "" || d.have[strings.TrimSuffix(p, ext)+".d.ts"] {
			return true
		}
	case ".pyi":
		py := strings.TrimSuffix(p, "i")
		return d.have[py] && d.saysAll(py, p)
	}
	group := d.groups[scriptKey(p)]
	if len(group) > 1 && group[0] != p && apidoc.Declarations(group[0]) && d.within(p, group[0]) {
		return true
	}
	return (ext == ".ts" || ext == ".tsx") && !apidoc.Declarations(p) && d.isBundled(p)
}

// within reports whether all names that a file declares are declared in another, which says as much of them.
func (d *declaring) within(p, other string) bool {
	names, others := d.declares(p), d.declares(other)
	if 2*d.said[other] < d.said[p] {
		return false
	}
	for name := range names {
		if !others[name] {
			return false
		}
	}
	return len(names) > 0
}

// isBundled reports whether a source is one of those that declarations of a build in the same package were made of: they have a
// name of it, and its other names are then offered to nobody.
func (d *declaring) isBundled(p string) bool {
	root, built := builtRoot(p)
	if !built {
		return false
	}
	for name := range d.declares(p) {
		for _, other := range d.builds[root] {
			if d.declares(other)[name] {
				return d.said[other] > 0 || d.said[p] == 0
			}
		}
	}
	return false
}

// builtRoot returns the folder of the package that a file is in, if the file is in a folder of sources or of a build.
func builtRoot(p string) (root string, ok bool) {
	parts := strings.Split(p, "/")
	at := slices.IndexFunc(parts[:len(parts)-1], func(part string) bool { return slices.Contains(builtFolders, strings.ToLower(part)) })
	return strings.Join(parts[:max(at, 0)], "/"), at >= 0
}

// declares returns the names that others can use of a file.
func (d *declaring) declares(p string) map[string]bool {
	if known, ok := d.names[p]; ok {
		return known
	}
	out := map[string]bool{}
	if data, err := readPage(d.fsys, p, maxInclude); err == nil {
		set.Add(out, apidoc.TopNames(p, data)...)
		d.said[p] = bytes.Count(data, []byte("/**"))
	}
	d.names[p] = out
	return out
}

// saysAll reports whether a module of Python has every name that its stub declares or imports: a package that is loaded when it is
// used has them in the stub only.
func (d *declaring) saysAll(py, stub string) bool {
	text, err := readPage(d.fsys, py, maxInclude)
	data, serr := readPage(d.fsys, stub, maxInclude)
	if err != nil || serr != nil {
		return err == nil
	}
	words := set.Of(strings.FieldsFunc(string(text), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }))
	return !slices.ContainsFunc(apidoc.TopNames(stub, data), func(name string) bool { return !words[name] })
}

// builtFolders are the names of folders in which a file of JavaScript or TypeScript is the same as one in another of them.
var builtFolders = []string{
	"src", "source", "dist", "build", "lib", "libs", "out", "output", "es", "es5", "es6", "es2015", "es2017", "es2020", "esm", "cjs", "umd",
	"esnext", "modern", "legacy", "types", "typings", "dts", "dist-types", "module", "commonjs", "import", "require", "node", "browser",
}

// scriptKey returns the same for a file of TypeScript and for everything that a build makes of it, "" for other files.
func scriptKey(p string) string {
	dir, base := path.Split(p)
	stem := base
	for _, ext := range []string{".d.ts", ".d.mts", ".d.cts", ".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".jsx"} {
		if s, ok := strings.CutSuffix(base, ext); ok {
			stem = s
			break
		}
	}
	if stem == base {
		return ""
	}
	var key []string
	for part := range strings.SplitSeq(strings.Trim(dir, "/"), "/") {
		if !slices.Contains(builtFolders, strings.ToLower(part)) {
			key = append(key, part)
		}
	}
	return strings.Join(append(key, stem), "/")
}

// compareDeclarations orders files of a group: declarations before other text, .d.ts before the rest, the shorter path first.
func compareDeclarations(a, b string) int {
	rank := func(p string) int {
		switch {
		case strings.HasSuffix(p, ".d.ts"):
			return 0
		case apidoc.Declarations(p):
			return 1
		}
		return 2
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}
