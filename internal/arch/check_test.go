package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

const (
	module   = "github.com/assay-dev/assay/"
	maxLines = 600 // of a file that is neither test nor generated
)

// A pkg is a package as its files, tests excepted, describe it.
type pkg struct {
	doc     bool
	imports []string       // import paths
	calls   []string       // what it names in other packages: "os.Getenv", "code/rank.Docs"; "code/rank.Signal{}" where it makes one; and see work
	tables  []string       // that its statements of SQL name
	inits   []string       // files with an init function
	lines   map[string]int // by file; generated files are omitted
}

// packages reads every package below root. It parses the files rather than
// asking go list, because go test caches a pass unless the test itself opened
// the file that changed; and it reads them all, whatever system they build for.
func packages(root string) (map[string]*pkg, error) {
	pkgs := map[string]*pkg{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path != root && (d.Name() == "testdata" || d.Name() == "vendor" || strings.ContainsAny(d.Name()[:1], "._")) {
				return fs.SkipDir
			}
			// A module of its own is no part of this one.
			if _, err := os.Stat(filepath.Join(path, "go.mod")); path != root && err == nil {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		dir, _ := filepath.Split(rel)
		name := short(strings.TrimSuffix(dir, "/"))
		if name == "" {
			name = "."
		}
		if pkgs[name] == nil {
			pkgs[name] = &pkg{lines: map[string]int{}}
		}
		return pkgs[name].read(path, rel)
	})
	return pkgs, err
}

// read adds the file at path, known as rel in messages.
func (p *pkg) read(path, rel string) error {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
	if err != nil {
		return err
	}
	p.doc = p.doc || f.Doc != nil
	if !ast.IsGenerated(f) {
		p.lines[rel] = fset.File(f.Pos()).LineCount()
	}
	names := map[string]string{} // in this file, of packages
	for _, imp := range f.Imports {
		dep, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			return err
		}
		p.imports = append(p.imports, dep)
		name := dep[strings.LastIndexByte(dep, '/')+1:]
		if imp.Name != nil {
			name = imp.Name.Name
		}
		names[name] = dep
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			for _, m := range inSQL.FindAllStringSubmatch(n.Value, -1) {
				p.tables = append(p.tables, m[1])
			}
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && names[x.Name] != "" {
				p.calls = append(p.calls, short(names[x.Name])+"."+n.Sel.Name)
			}
		case *ast.CompositeLit:
			if sel, ok := n.Type.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && names[x.Name] != "" {
					p.calls = append(p.calls, short(names[x.Name])+"."+sel.Sel.Name+"{}")
				}
			}
		case *ast.CallExpr:
			if w := work(n); w != "" {
				p.calls = append(p.calls, w)
			}
		case *ast.FuncDecl:
			if n.Recv == nil && n.Name.Name == "init" {
				p.inits = append(p.inits, rel)
			}
		}
		return true
	})
	return nil
}

// inSQL finds the tables that a statement reads or writes; what makes or drops one is the
// history of a schema.
var inSQL = lazy.Regexp(`\b(?:FROM|JOIN|INTO|UPDATE)\s+([a-z_]+)\b`)

// work names what a call is a part of, where that has one home: "edit-distance", which is
// the least of three neighbours in rows of numbers; "quantiser", which rounds to an int8;
// "stop-words", which says of a word whether it is one, as who takes a query apart must.
func work(call *ast.CallExpr) string {
	if m, ok := call.Fun.(*ast.SelectorExpr); ok && m.Sel.Name == "Stop" && len(call.Args) == 1 {
		if of, ok := m.X.(*ast.Ident); !ok || of.Name != "signal" {
			return "stop-words"
		}
	}
	f, _ := call.Fun.(*ast.Ident)
	switch {
	case f == nil:
	case f.Name == "min" && len(call.Args) > 2:
		rows := 0
		for _, arg := range call.Args {
			if holds(arg, func(n ast.Node) bool { _, ok := n.(*ast.IndexExpr); return ok }) {
				rows++
			}
		}
		if rows > 1 {
			return "edit-distance"
		}
	case f.Name == "int8" && len(call.Args) == 1:
		if holds(call.Args[0], func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			return ok && strings.HasPrefix(s.Sel.Name, "Round")
		}) {
			return "quantiser"
		}
	}
	return ""
}

// holds reports whether an expression has a part of which is says so.
func holds(e ast.Expr, is func(ast.Node) bool) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		found = found || is(n)
		return !found
	})
	return found
}

// short returns the name that ARCHITECTURE.md gives the package at path.
func short(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, module), "internal/")
}

// block returns the lines of the fenced block of that name in a document,
// without comments and empty lines, or nil where there is none.
func block(doc []byte, name string) []string {
	m := regexp.MustCompile("(?s)```" + name + "\n(.*?)```").FindSubmatch(doc)
	if m == nil {
		return nil
	}
	lines := []string{}
	for line := range strings.Lines(string(m[1])) {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// within reports whether path is prefix or lies below it.
func within(path, prefix string) bool {
	return path == prefix || strings.HasPrefix(path, prefix+"/")
}

// layerFaults compares the imports of pkgs with the layers, top line first. A
// package that no line names has the layer of the nearest parent that one does,
// and may import its parents in that layer too.
func layerFaults(layers []string, pkgs map[string]*pkg) (faults []string) {
	rank := map[string]int{} // a package imports only lower ranks
	for i, line := range layers {
		for _, name := range strings.Fields(line) {
			if rank[name] != 0 {
				faults = append(faults, fmt.Sprintf("ARCHITECTURE.md names %s twice", name))
			}
			rank[name] = len(layers) - i
		}
	}
	// named is the line's own name for a package: itself, or a parent.
	named := func(name string) string {
		for ; rank[name] == 0; name = name[:strings.LastIndexByte(name, '/')] {
			if !strings.Contains(name, "/") {
				return ""
			}
		}
		return name
	}
	for _, name := range slices.Sorted(maps.Keys(pkgs)) {
		layer := named(name)
		if layer == "" {
			faults = append(faults, fmt.Sprintf("%s is not in ARCHITECTURE.md: give it a layer", name))
			continue
		}
		for _, dep := range pkgs[name].imports {
			if !strings.HasPrefix(dep, module) {
				continue
			}
			dep = short(dep)
			parent := within(name, dep) && named(dep) == layer
			if rank[named(dep)] >= rank[layer] && !parent {
				faults = append(faults, fmt.Sprintf("%s imports %s, which is not below it", name, dep))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rank)) {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(pkgs)), func(p string) bool { return within(p, name) }) {
			faults = append(faults, fmt.Sprintf("ARCHITECTURE.md names %s, which does not exist", name))
		}
	}
	return faults
}

// A rule says which packages may use something: "net/http  embed mcp", or every
// package but some: "os  !search !bm25".
type rule struct {
	what string
	who  []string
	not  []string
}

func parseRules(lines []string) ([]rule, error) {
	var rules []rule
	for _, line := range lines {
		f := strings.Fields(line)
		if len(f) < 2 {
			return nil, fmt.Errorf("ARCHITECTURE.md: %q says nobody; write - for nobody", line)
		}
		r := rule{what: f[0]}
		if strings.HasPrefix(r.what, module) {
			return nil, fmt.Errorf("ARCHITECTURE.md: write %s, as packages of the module are called: nothing matches %s", short(r.what), r.what)
		}
		for _, name := range f[1:] {
			if rest, ok := strings.CutPrefix(name, "!"); ok {
				r.not = append(r.not, rest)
			} else {
				r.who = append(r.who, name)
			}
		}
		if len(r.who) > 0 && len(r.not) > 0 {
			return nil, fmt.Errorf("ARCHITECTURE.md: %q has ! on some names and not on others", line)
		}
		rules = append(rules, r)
	}
	return rules, nil
}

// allows reports whether the package, or a parent of it, is one the rule lets.
func (r rule) allows(name string) bool {
	below := func(who string) bool { return within(name, who) }
	return !slices.ContainsFunc(r.not, below) && (len(r.who) == 0 || slices.ContainsFunc(r.who, below))
}

// ownerFaults compares imports with rules about import-path prefixes: every
// rule whose prefix covers an import must allow it.
func ownerFaults(rules []rule, pkgs map[string]*pkg) (faults []string) {
	for _, name := range slices.Sorted(maps.Keys(pkgs)) {
		for _, dep := range pkgs[name].imports {
			for _, r := range rules {
				if within(dep, r.what) && !r.allows(name) {
					faults = append(faults, fmt.Sprintf("%s imports %s, which is kept from it: %s", name, dep, r))
				}
			}
		}
	}
	return faults
}

// callFaults compares what packages name in others with rules about exact names.
func callFaults(rules []rule, pkgs map[string]*pkg) (faults []string) {
	for _, name := range slices.Sorted(maps.Keys(pkgs)) {
		for _, r := range rules {
			if slices.Contains(pkgs[name].calls, r.what) && !r.allows(name) {
				faults = append(faults, fmt.Sprintf("%s uses %s, which is kept from it: %s", name, r.what, r))
			}
		}
	}
	return faults
}

// tableFaults compares the tables that packages name with rules about them.
func tableFaults(rules []rule, pkgs map[string]*pkg) (faults []string) {
	for _, name := range slices.Sorted(maps.Keys(pkgs)) {
		for _, r := range rules {
			if slices.Contains(pkgs[name].tables, r.what) && !r.allows(name) {
				faults = append(faults, fmt.Sprintf("%s has a statement about table %s, which is kept from it: %s", name, r.what, r))
			}
		}
	}
	return faults
}

func (r rule) String() string {
	if len(r.not) > 0 {
		return "not for " + strings.Join(r.not, ", ")
	}
	return "only " + strings.Join(r.who, ", ")
}
