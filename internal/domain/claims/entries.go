package claims

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// What a package of JavaScript offers is what its manifest leads to: from the files that
// it names to those that these pass on.

var (
	jsAgain    = lazy.Regexp(`(?m)\bexport\s+(?:type\s+)?(\{[^}]*\}|\*(?:\s+as\s+\w+)?)\s*from\s*['"](\.[^'"]+)['"]|\bexports\b[^;\n]*require\(\s*['"](\.[^'"]+)['"]`)
	jsBound    = lazy.Regexp(`(?m)^(?:(?:const|let|var)\s*(\{[^}]*\}|\w+)\s*=\s*require\(\s*|import\s+(?:type\s+)?([^'";]+?)\s+from\s*)['"](\.[^'"]+)['"]`)
	jsExported = lazy.Regexp(`(?m)\bexports\b(?:\.\w+)?\s*=\s*(\{[^}]*\}|[^;\n]*)|^export\s+(?:type\s+)?(\{[^}]*\})\s*(?:;|$)|^export\s+default\s+(\w+)\s*;?\s*$`)
	jsRenamed  = lazy.Regexp(`\s+as\s+\w+|\btype\s+`)
)

// passed is a file that is offered: all of it, or only some names.
type passed struct {
	path  string
	names []string
}

// sources are the folders that what is built is built from.
var sources = []string{"src", "source", "lib", "ts", "."}

// node follows the entry points of a package: its exports, or else its main file. A private
// one that says none is a program, whose files are its own.
func (s *surface) node(f *Source) {
	var p struct {
		Exports, Main, Module, Types, Typings, Bin, Browser, Workspaces any
		Private                                                         bool
	}
	if json.Unmarshal(f.Text, &p) != nil {
		return
	}
	root := path.Dir(f.Path)
	s.roots[root] = false
	var todo []passed
	said := false
	var collect func(v any)
	collect = func(v any) {
		switch v := v.(type) {
		case string:
			said = true
			todo = append(todo, s.built(root, v)...)
		case map[string]any:
			for _, x := range v {
				collect(x)
			}
		case []any:
			for _, x := range v {
				collect(x)
			}
		}
	}
	for _, v := range []any{p.Exports, p.Main, p.Module, p.Types, p.Typings, p.Browser} {
		collect(v)
	}
	if !said {
		s.roots[root] = (p.Private || p.Bin != nil) && p.Workspaces == nil
		return
	}
	found := false
	whole := map[string]bool{}
	for len(todo) > 0 {
		at := todo[0]
		todo = todo[1:]
		if strings.Contains(at.path, "*") {
			return // a pattern offers what it matches
		}
		name, ok := s.script(at.path)
		if !ok {
			continue
		}
		found = true
		if at.names == nil {
			delete(s.named, name)
		} else if !whole[name] {
			if s.named[name] == nil {
				s.named[name] = map[string]bool{}
			}
			for _, n := range at.names {
				s.named[name][n] = true
			}
		}
		if whole[name] || at.names != nil && s.entries[name] {
			continue
		}
		s.entries[name], whole[name] = true, at.names == nil
		for _, to := range offeredFrom(bytes.Join(s.code[name], []byte("\n"))) {
			to.path = path.Join(path.Dir(name), to.path)
			todo = append(todo, to)
		}
	}
	s.roots[root] = found // what is built elsewhere cannot be followed
}

// built returns the file that an entry point names, and where it is not there the one that
// it is built from, as far as names tell.
func (s *surface) built(root, target string) []passed {
	at := path.Join(root, target)
	if _, ok := s.script(at); ok || strings.Contains(target, "*") {
		return []passed{{at, nil}}
	}
	rest := strings.TrimPrefix(path.Clean(target), "./")
	for _, end := range []string{".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs", ".min"} {
		rest = strings.TrimSuffix(rest, end)
	}
	for {
		_, after, ok := strings.Cut(rest, "/")
		if !ok {
			return nil
		}
		rest = after
		for _, dir := range sources {
			if name, ok := s.script(path.Join(root, dir, rest)); ok {
				return []passed{{name, nil}}
			}
		}
	}
}

// script returns the file that a path of an import means.
func (s *surface) script(at string) (string, bool) {
	stem := at
	for _, end := range []string{".js", ".mjs", ".cjs", ".jsx"} {
		stem = strings.TrimSuffix(stem, end)
	}
	for _, name := range []string{at, stem + ".ts", stem + ".tsx", stem + ".mts", stem + ".cts", at + ".js", at + ".ts", at + ".mjs", at + ".cjs", at + ".tsx", at + ".jsx", at + "/index.js", at + "/index.ts", at + "/index.mjs", at + "/index.tsx"} {
		if _, ok := s.code[name]; ok {
			return name, true
		}
	}
	return "", false
}

// offeredFrom returns the files whose names a file of JavaScript offers again.
func offeredFrom(text []byte) (out []passed) {
	for _, m := range jsAgain.FindAllSubmatch(text, -1) {
		switch list := string(m[1]); {
		case len(m[3]) > 0:
			out = append(out, passed{string(m[3]), nil})
		case strings.HasPrefix(list, "{"):
			out = append(out, passed{string(m[2]), namesIn(list)})
		default:
			out = append(out, passed{string(m[2]), nil})
		}
	}
	offered := map[string]bool{}
	for _, m := range jsExported.FindAllSubmatch(text, -1) {
		for _, w := range nameRE.FindAllString(string(m[1])+" "+string(m[2])+" "+string(m[3]), -1) {
			offered[w] = true
		}
	}
	for _, m := range jsBound.FindAllSubmatch(text, -1) {
		bound := string(m[1]) + string(m[2])
		var names []string
		whole := !strings.Contains(bound, "{")
		for _, w := range nameRE.FindAllString(bound, -1) {
			if offered[w] {
				names = append(names, w)
			}
		}
		if len(names) > 0 {
			if whole {
				names = nil
			}
			out = append(out, passed{string(m[3]), names})
		}
	}
	return out
}

// namesIn returns the names of a list that passes them on; nil where one of them is the
// file's own, whatever it is called there.
func namesIn(list string) []string {
	out := []string{}
	for _, w := range nameRE.FindAllString(jsRenamed.ReplaceAllString(list, " "), -1) {
		if w == "default" {
			return nil
		}
		out = append(out, w)
	}
	return out
}

// entered reports whether a declaration of JavaScript is reached from the entry points of
// its package; those of other languages have none.
func (s *surface) entered(d *Declaration) bool {
	if d.Language != "javascript" && d.Language != "typescript" {
		return true
	}
	for at := path.Dir(d.Path); ; at = path.Dir(at) {
		if known, ok := s.roots[at]; ok {
			return !known || s.entries[d.Path]
		}
		if at == "." || at == "/" {
			return true
		}
	}
}

// composer takes what a package of PHP has loaded where it is used.
func (s *surface) composer(f *Source) {
	var p struct{ Autoload any }
	if json.Unmarshal(f.Text, &p) != nil || p.Autoload == nil {
		return
	}
	root := path.Dir(f.Path)
	var collect func(v any)
	collect = func(v any) {
		switch v := v.(type) {
		case string:
			s.loaded[root] = append(s.loaded[root], path.Join(root, v))
		case map[string]any:
			for _, x := range v {
				collect(x)
			}
		case []any:
			for _, x := range v {
				collect(x)
			}
		}
	}
	collect(p.Autoload)
}

// autoloaded reports whether a file of PHP is loaded by the package that it is of; where
// no manifest says, it may be.
func (s *surface) autoloaded(file string) bool {
	for at := path.Dir(file); ; at = path.Dir(at) {
		if dirs, ok := s.loaded[at]; ok {
			return slices.ContainsFunc(dirs, func(d string) bool { return d == "." || file == d || strings.HasPrefix(file, d+"/") })
		}
		if at == "." || at == "/" {
			return true
		}
	}
}
