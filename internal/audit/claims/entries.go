package claims

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// A bundle is a package of JavaScript or TypeScript. Its package.json names where it begins,
// often a file that is built: its declarations are in the source of that file, and in what
// that one offers again.
type bundle struct {
	root  string
	typed bool // a hand-written .d.ts says what it offers
	// reached is what the entry points offer of each file. A package without entry points, or
	// whose entry points have no source here, offers nothing that is known.
	reached map[string]*reach
	meant   map[string]reach // of reached: without what only patterns of entry points name
}

// A reach is what of a file others can use.
type reach struct {
	all   bool
	names map[string]bool
}

type manifest struct {
	Name, Private                         any
	Exports, Main, Module, Types, Typings any
	Browser, Source                       any
}

var (
	jsComment  = lazy.Regexp(`(?s)/\*.*?\*/|(?m:(?:^|\s)//[^\n]*$)`)
	jsFrom     = lazy.Regexp(`\bexport\s+(?:type\s+)?(?:(\*)(?:\s+as\s+(\w+))?|\{([^{}]*)\})\s*from\s*['"]([^'"]+)['"]`)
	jsListed   = lazy.Regexp(`\bexport\s+(?:type\s+)?\{([^{}]*)\}\s*(;|\n|$)`)
	jsImport   = lazy.Regexp(`\bimport\s+(?:type\s+)?(?:(\w+)\s*,?\s*)?(?:\*\s+as\s+(\w+)|\{([^{}]*)\})?\s*from\s*['"]([^'"]+)['"]`)
	jsDefault  = lazy.Regexp(`\bexport\s+(?:default|=)\s+(?:async\s+)?(?:abstract\s+)?(?:(?:function|class)\s*\*?\s*)?(\w+)`)
	jsRequire  = lazy.Regexp(`\b(?:const|let|var)\s*(\{[^}]*\}|\w+)\s*=\s*(?:\w+\()?require\(\s*['"](\.[^'"]*)['"]\s*\)(?:\.(\w+))?`)
	jsAssigned = lazy.Regexp(`\bexports\b(?:\.(\w+))?\s*=\s*(\{[^}]*\}|[^;\n]*)`)
	jsInline   = lazy.Regexp(`require\(\s*['"](\.[^'"]*)['"]\s*\)(?:\.(\w+))?`)
	builtIn    = lazy.Regexp(`^(?:dist|lib|libs|build|built|out|output|target|esm\d*|cjs|es\d*|umd|iife|amd|system|types?|typings|dts|module|modules|commonjs|browser|node|bundles?|fesm\d*|bin|release|production|prod|development|dev|legacy|_?(?:cjs|esm))$`)
	builtEnd   = lazy.Regexp(`(?:[.-](?:min|umd|esm|cjs|es|mjs|iife|module|modern|legacy|common|commonjs|prod|production|dev|development|browser|node|bundle|d|global|runtime|es\d+|cjs|mjs))*\.(?:d\.)?[cm]?[jt]sx?$`)
	sourceEnds = []string{".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", ".vue"}
)

// node takes what a package of JavaScript offers: what is reached from its entry points.
func (s *surface) node(f *Source) {
	var m manifest
	if json.Unmarshal(f.Text, &m) != nil {
		return
	}
	// A file that only says how its folder is to be read names no package.
	entries := fileNames([]any{m.Exports, m.Main, m.Module, m.Browser, m.Source})
	types := fileNames([]any{m.Types, m.Typings})
	if m.Name == nil && len(entries) == 0 {
		return
	}
	if len(entries)+len(types) == 0 && m.Private == nil {
		entries = []string{"index.js"} // as Node.js has it
	}
	b := &bundle{root: path.Dir(f.Path), reached: map[string]*reach{}, meant: map[string]reach{}}
	var patterns []string
	for _, e := range append(types, entries...) {
		if strings.Contains(e, "*") {
			patterns = append(patterns, e)
			continue
		}
		at := s.sourceOf(b.root, e)
		if strings.HasSuffix(at, ".d.ts") && at == path.Join(b.root, e) {
			b.typed = true
		}
		if at != "" {
			b.follow(s, at, "*")
		}
	}
	for file, r := range b.reached {
		b.meant[file] = reach{r.all, maps.Clone(r.names)}
	}
	for _, e := range patterns {
		b.matching(s, e)
	}
	s.bundles[b.root] = b
}

// fileNames returns the strings below a field of a package.json.
func fileNames(v any) []string {
	var out []string
	eachFileName(v, func(name string) { out = append(out, name) })
	slices.Sort(out)
	return slices.Compact(out)
}

func eachFileName(v any, put func(string)) {
	switch v := v.(type) {
	case string:
		put(v)
	case map[string]any:
		for key, x := range v {
			if at := strings.TrimPrefix(key, "./"); strings.Contains(at, "*") && builtIn.MatchString(strings.Split(at, "/")[0]) {
				continue // what is built, by the names of what is built
			}
			eachFileName(x, put)
		}
	case []any:
		for _, x := range v {
			eachFileName(x, put)
		}
	}
}

// sourceOf returns the file of the tree that an entry point is, or is built from; "" where
// there is none that is known.
func (s *surface) sourceOf(root, entry string) string {
	if at := s.module(path.Join(root, entry)); at != "" {
		return at
	}
	rest := strings.Split(path.Clean(entry), "/")
	stem := func(parts []string) string { return builtEnd.ReplaceAllString(strings.Join(parts, "/"), "") }
	for len(rest) > 1 && builtIn.MatchString(rest[0]) {
		rest = rest[1:]
		for _, below := range []string{"src", "source", "lib", "", "src/lib"} {
			if at := s.module(path.Join(root, below, stem(rest))); at != "" {
				return at
			}
		}
	}
	// A bundle bears the name of its package, and is built from where its source begins.
	if len(rest) == 1 && path.Clean(entry) != rest[0] {
		for _, begin := range []string{"src/index", "source/index", "src/main", "lib/index", "index", "src/" + path.Base(root)} {
			if at := s.module(path.Join(root, begin)); at != "" {
				return at
			}
		}
	}
	return ""
}

// module returns the file of the tree that the name of a module means, or "".
func (s *surface) module(at string) string {
	if _, ok := s.texts[at]; ok && path.Ext(at) != "" {
		return at
	}
	stem := at
	for _, end := range []string{".js", ".mjs", ".cjs", ".jsx"} {
		stem = strings.TrimSuffix(stem, end) // TypeScript imports by the name of what is built
	}
	for _, at := range slices.Compact([]string{at, stem}) {
		for _, end := range sourceEnds {
			for _, name := range []string{at + end, path.Join(at, "index"+end)} {
				if _, ok := s.texts[name]; ok {
					return name
				}
			}
		}
	}
	return ""
}

// matching takes the files that a pattern of entry points offers.
func (b *bundle) matching(s *surface, pattern string) {
	dir, _, _ := strings.Cut(path.Clean(pattern), "*")
	dir = strings.TrimSuffix(dir, "/")
	if dir == "" || dir == "." {
		return // of the package as it is published, which may be but what is built
	}
	parts := strings.Split(dir, "/")
	for {
		for _, below := range []string{"src", "", "source", "lib"} {
			prefix := path.Join(b.root, below, strings.Join(parts, "/"))
			if prefix == b.root {
				continue
			}
			found := false
			for _, name := range s.below(prefix + "/") {
				if slices.Contains(sourceEnds, path.Ext(name)) {
					b.follow(s, name, "*")
					found = true
				}
			}
			if found {
				return
			}
		}
		if len(parts) == 0 || !builtIn.MatchString(parts[0]) {
			return
		}
		parts = parts[1:]
	}
}

// follow notes that a name of a file is offered, "*" for all of them, and follows it into
// the files from which that file has it.
func (b *bundle) follow(s *surface, file, name string) {
	r := b.reached[file]
	if r == nil {
		r = &reach{names: map[string]bool{}}
		b.reached[file] = r
	}
	if r.names[name] || r.all && name != "default" {
		return
	}
	r.names[name] = true
	r.all = r.all || name == "*"
	p := s.passed(file)
	to := func(from, name string) {
		if at := s.module(path.Join(path.Dir(file), from)); at != "" {
			b.follow(s, at, name)
		}
	}
	for _, e := range p.again.of(name) {
		switch {
		case e.local != "*" && (name == "*" || name == e.name):
			to(e.from, e.local)
		case e.local == "*" && e.name != "" && (name == "*" || name == e.name):
			to(e.from, "*")
		case e.local == "*" && e.name == "" && name != "default":
			to(e.from, name)
		}
	}
	for _, e := range p.listed.of(name) {
		if name == "*" || name == e.name {
			r.names[e.local] = true
			if from, ok := p.bound[e.local]; ok {
				to(from.from, from.local)
			}
		}
	}
}

// A passing is a name that a module has from another, or offers under a name of its own.
type passing struct {
	name  string // by which it is offered; of "*" the name of all, if it has one
	local string // what it is called where it comes from: a name, "default" or "*"
	from  string
}

// passes is what a module offers of others.
type passes struct {
	again  passings           // export … from
	listed passings           // what its lists and assignments offer of what it has itself
	bound  map[string]passing // what it imports
}

// passings are what a module passes on, in the order of its text.
type passings struct {
	list []passing
	by   map[string][]int // its places by name; nil until one is asked for
}

// of returns those that a name may be of: of "*" all, and of another those of that name and those of no name.
func (p *passings) of(name string) []passing {
	if name == "*" {
		return p.list
	}
	if p.by == nil {
		p.by = map[string][]int{}
		for i := range p.list {
			p.by[p.list[i].name] = append(p.by[p.list[i].name], i)
		}
	}
	at := slices.Concat(p.by[name], p.by[""])
	slices.Sort(at)
	out := make([]passing, len(at))
	for i, k := range at {
		out[i] = p.list[k]
	}
	return out
}

func (s *surface) passed(file string) *passes {
	if p, ok := s.modules[file]; ok {
		return p
	}
	text := []byte(jsComment.ReplaceAllString(string(s.texts[file]), " "))
	p := &passes{bound: map[string]passing{}}
	s.modules[file] = p
	for _, m := range jsFrom.FindAllSubmatch(text, -1) {
		if len(m[1]) > 0 {
			p.again.list = append(p.again.list, passing{string(m[2]), "*", string(m[4])})
		}
		for _, e := range pairsOf(string(m[3])) {
			p.again.list = append(p.again.list, passing{e[1], e[0], string(m[4])})
		}
	}
	for _, m := range jsImport.FindAllSubmatch(text, -1) {
		from := string(m[4])
		if len(m[1]) > 0 {
			p.bound[string(m[1])] = passing{"", "default", from}
		}
		if len(m[2]) > 0 {
			p.bound[string(m[2])] = passing{"", "*", from}
		}
		for _, e := range pairsOf(string(m[3])) {
			p.bound[e[1]] = passing{"", e[0], from}
		}
	}
	for _, m := range jsListed.FindAllSubmatch(text, -1) {
		for _, e := range pairsOf(string(m[1])) {
			p.listed.list = append(p.listed.list, passing{name: e[1], local: e[0]})
		}
	}
	for _, m := range jsDefault.FindAllSubmatch(text, -1) {
		p.listed.list = append(p.listed.list, passing{name: "default", local: string(m[1])})
	}
	p.common(text)
	return p
}

// common takes what a module offers in the way of CommonJS.
func (p *passes) common(text []byte) {
	for _, m := range jsRequire.FindAllSubmatch(text, -1) {
		from, names := string(m[2]), string(m[1])
		if inner, ok := strings.CutPrefix(names, "{"); ok {
			for _, e := range pairsOf(strings.TrimSuffix(inner, "}")) {
				p.bound[e[1]] = passing{"", e[0], from}
			}
			continue
		}
		p.bound[names] = passing{"", "*", from}
		if len(m[3]) > 0 {
			p.bound[names] = passing{"", string(m[3]), from}
		}
	}
	for _, m := range jsAssigned.FindAllSubmatch(text, -1) {
		name := cmp.Or(string(m[1]), "default")
		for _, in := range jsInline.FindAllSubmatch(m[2], -1) {
			p.again.list = append(p.again.list, passing{name, "*", string(in[1])})
		}
		listed := name == "default" && bytes.HasPrefix(m[2], []byte("{"))
		text := string(m[2])
		words := nameRE.FindAllStringIndex(text, -1)
		for i, at := range words {
			w := text[at[0]:at[1]]
			from, bound := p.bound[w]
			if bound && from.local == "*" && i+1 < len(words) && text[at[1]:words[i+1][0]] == "." {
				from.local = text[words[i+1][0]:words[i+1][1]]
			}
			for _, as := range []string{name, w} {
				switch {
				case as != name && !listed:
				case bound:
					p.again.list = append(p.again.list, passing{as, from.local, from.from})
				default:
					p.listed.list = append(p.listed.list, passing{name: as, local: w})
				}
			}
		}
	}
}

// pairsOf reads a list of names of JavaScript, each with the name it gets: "a, b as c", "b: c".
func pairsOf(list string) (out [][2]string) {
	for item := range strings.SplitSeq(list, ",") {
		words := nameRE.FindAllString(item, -1)
		if len(words) > 1 && words[0] == "type" && words[1] != "as" {
			words = words[1:]
		}
		switch {
		case len(words) == 3 && words[1] == "as", len(words) == 2 && strings.Contains(item, ":"):
			out = append(out, [2]string{words[0], words[len(words)-1]})
		case len(words) > 0:
			out = append(out, [2]string{words[0], words[0]})
		}
	}
	return out
}

// bundleOf returns the package that a file of JavaScript is of, or nil.
func (s *surface) bundleOf(file string) *bundle {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if b := s.bundles[dir]; b != nil || dir == "." || dir == "/" {
			return b
		}
	}
}

// bundled reports whether the package that a file of JavaScript is of offers a name of it.
// What is of no package is for others as far as is known.
func (s *surface) bundled(d *Declaration, owner string) bool {
	of := s.bundleOf(d.Path)
	if of == nil {
		return true
	}
	if of.typed && !strings.HasSuffix(d.Path, ".d.ts") {
		return false // what is for others is in its types, with what is said of it
	}
	r := of.reached[d.Path]
	return r != nil && (r.all || r.names[owner])
}
