package apidoc

import (
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
)

// crates are what Rust's modules in a tree hide and pass on. Names are compared without their paths: of what
// a private module declares everything counts as passed on whose name any `pub use` of the tree has.
type crates struct {
	private map[string]bool // modules, as a path without its ending: "src/adaptors"
	used    map[string]bool // the names that are passed on; "adaptors::*" for all of a module
}

var (
	modLine = lazy.Regexp(`(?m)^[ \t]*(pub(?:\([^)\n]*\))?[ \t]+)?mod[ \t]+(\w+)[ \t]*;`)
	pubUse  = lazy.Regexp(`(?m)^[ \t]*pub[ \t]+use[ \t]+([^;]+);`)
	usePart = lazy.Regexp(`(\w+)::\*|\w+`)
)

// add reads the modules that a file declares, and what it passes on.
func (c *crates) add(p string, text []byte) {
	at := strings.TrimSuffix(p, ".rs")
	if base := path.Base(at); base == "lib" || base == "main" || base == "mod" {
		at = path.Dir(at)
	}
	offered := map[string]bool{}
	for _, m := range modLine.FindAllSubmatch(text, -1) {
		name := path.Join(at, string(m[2]))
		open := strings.TrimSpace(string(m[1])) == "pub"
		offered[name] = offered[name] || open // one of several that are chosen at compile time
		c.private[name] = !offered[name]
	}
	for _, m := range pubUse.FindAllSubmatch(text, -1) {
		for _, part := range usePart.FindAllSubmatch(m[1], -1) {
			if len(part[1]) > 0 {
				c.used[string(part[1])+"::*"] = true
			} else {
				c.used[string(part[0])] = true
			}
		}
	}
}

// public reports whether a declaration can be named from outside of its crate: its module is
// offered, or it, or the type that it is of. The methods of a type that another file
// declares belong to that.
func (c *crates) public(p string, all []corpus.Decl, d *corpus.Decl) bool {
	at := strings.TrimSuffix(strings.TrimSuffix(p, ".rs"), "/mod")
	var hidden []string
	for ; at != "." && at != "/"; at = path.Dir(at) {
		if c.private[at] {
			hidden = append(hidden, path.Base(at))
		}
	}
	if len(hidden) == 0 || d.Kind == corpus.Macro { // an exported macro is at the root
		return true
	}
	name, _, _ := strings.Cut(d.Scope, ".")
	if name == "" {
		name = d.Name
	} else if !slices.ContainsFunc(all, func(o corpus.Decl) bool { return o.Name == name && o.Scope == "" && o.Traits&corpus.Extension == 0 }) {
		return true
	}
	return c.used[name] || slices.ContainsFunc(hidden, func(module string) bool { return c.used[module+"::*"] })
}
