package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// selected is the environment variable with the number of the change that is in force.
const selected = "ASSAY_MUTATE"

// switches is the file that is added to a package whose changes are built at once.
const switches = `package %s

import (
	"os"
	"strconv"
	"sync/atomic"
)

var (
	assayMutant, _ = strconv.Atoi(os.Getenv(%q))
	assayReached   = os.Getenv(%q)
	assaySeen      [%d]atomic.Bool
)

func assayMutated(n int) bool {
	if assayReached != "" && !assaySeen[n].Swap(true) {
		f, err := os.OpenFile(assayReached, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		_, _ = f.WriteString(strconv.Itoa(n) + "\n")
		f.Close()
	}
	return assayMutant == n
}
`

// A typed package is what its changes are written into.
type typed struct {
	dir, name string
	fset      *token.FileSet
	files     map[string]*ast.File // by base name
	info      *types.Info
	pkg       *types.Package
}

// load reads a package and finds the types of its expressions.
func load(ctx context.Context, path, dir string, names []string) (*typed, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}", path)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list -export %s: %w", path, err)
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		from, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		exports[from] = file
	}
	t := &typed{dir: dir, fset: token.NewFileSet(), files: map[string]*ast.File{}, info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}}
	var files []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(t.fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		t.files[name], t.name = f, f.Name.Name
		files = append(files, f)
	}
	conf := types.Config{
		Importer: importer.ForCompiler(t.fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }),
		Error:    func(error) {}, // what has no type is built by itself
	}
	t.pkg, _ = conf.Check(path, t.fset, files, t.info)
	return t, nil
}

// A wrapping is a change beside what it changes, in one piece of source text.
type wrapping struct {
	start, end    int    // bytes of the file
	before, after string // what stands around them
}

// wrappings returns how the changes of a file can stand beside what they change, by
// the numbers of the changes. Those that cannot are not in it: constants, and what has
// no type that can be written in this file.
func (t *typed) wrappings(name string, src []byte, all map[int]mutant) map[int]wrapping {
	file := t.files[name]
	at := func(p token.Pos) int { return t.fset.Position(p).Offset }
	out := map[int]wrapping{}
	var nodes []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			nodes = nodes[:len(nodes)-1]
			return true
		}
		start, end := at(n.Pos()), at(n.End())
		for number, m := range all {
			if _, done := out[number]; done || m.start < start || m.end > end || !m.of(n, at) {
				continue
			}
			changed := string(src[start:m.start]) + m.text + string(src[m.end:end])
			if before, after, ok := t.around(n, nodes, number, m, changed, file); ok {
				out[number] = wrapping{start, end, before, after}
			}
		}
		nodes = append(nodes, n)
		return true
	})
	return out
}

// of reports whether a change is one of a node itself, not of something in it.
func (m mutant) of(n ast.Node, at func(token.Pos) int) bool {
	same := m.start == at(n.Pos()) && m.end == at(n.End())
	switch n := n.(type) {
	case *ast.BinaryExpr:
		return m.start == at(n.OpPos) && m.end == m.start+len(n.Op.String()) || same
	case *ast.IncDecStmt:
		return m.start == at(n.TokPos) && m.end == at(n.End()) || same
	case *ast.AssignStmt:
		return m.start == at(n.TokPos) && m.end == m.start+len(n.Tok.String()) || same
	case *ast.ReturnStmt:
		return len(n.Results) > 0 && m.start == at(n.Results[0].Pos()) && m.end == at(n.End())
	case ast.Expr:
		return same && strings.HasPrefix(m.text, "!(") || same && isNumber(n)
	case *ast.ExprStmt, *ast.BranchStmt:
		return same && m.text == ""
	}
	return false
}

func isNumber(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && (lit.Kind == token.INT || lit.Kind == token.FLOAT)
}

// around returns what stands around a node so that the change is in force where it is
// selected.
func (t *typed) around(n ast.Node, above []ast.Node, number int, m mutant, changed string, file *ast.File) (before, after string, ok bool) {
	on := "assayMutated(" + strconv.Itoa(number) + ")"
	switch n := n.(type) {
	case ast.Stmt:
		choice := "if " + on + " { " + changed + " } else { "
		if br, is := n.(*ast.BranchStmt); is && br.Tok == token.FALLTHROUGH {
			return "", "", false // only as the last statement of its case
		}
		switch up := above[len(above)-1].(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.LabeledStmt:
			return choice, " }", true
		case *ast.CommClause:
			return choice, " }", up.Comm != n
		case *ast.ForStmt, *ast.IfStmt, *ast.SwitchStmt:
			return "func() { " + choice, " } }()", true
		}
	case ast.Expr:
		tv, known := t.info.Types[n]
		if !known || tv.Type == nil || constant(n, above, tv) {
			return "", "", false
		}
		if strings.HasPrefix(m.text, "!(") {
			return "((", ") != " + on + ")", types.Identical(types.Default(tv.Type), types.Typ[types.Bool])
		}
		written, can := t.written(tv.Type, file)
		return "func() " + written + " { if " + on + " { return " + changed + " }; return ", " }()", can
	}
	return "", "", false
}

// constant reports whether an expression has to be one that the compiler knows.
func constant(e ast.Expr, above []ast.Node, tv types.TypeAndValue) bool {
	if _, plain := e.(*ast.BasicLit); tv.Value != nil && !plain {
		return true
	}
	var child ast.Node = e
	for _, up := range slices.Backward(above) {
		switch up := up.(type) {
		case *ast.ArrayType:
			return true
		case *ast.KeyValueExpr:
			if up.Key == child {
				return true
			}
		case *ast.GenDecl:
			return up.Tok == token.CONST
		case ast.Stmt:
			return false
		}
		child = up
	}
	return false
}

// written returns a type as it is written in a file.
func (t *typed) written(of types.Type, file *ast.File) (text string, ok bool) {
	ok = true
	text = types.TypeString(types.Default(of), func(p *types.Package) string {
		if p == t.pkg {
			return ""
		}
		for _, spec := range file.Imports {
			if path, _ := strconv.Unquote(spec.Path.Value); path == p.Path() {
				if spec.Name != nil {
					return spec.Name.Name
				}
				return p.Name()
			}
		}
		ok = false
		return p.Name()
	})
	return text, ok
}

// write returns a file with all wrappings in it, and which lines each of them has.
func write(src []byte, all map[int]wrapping) (out []byte, lines map[int][2]int) {
	numbers := slices.Collect(maps.Keys(all))
	// Outer ones first; those of one place in the order of their numbers.
	slices.SortFunc(numbers, func(a, b int) int {
		x, y := all[a], all[b]
		if x.start != y.start {
			return x.start - y.start
		}
		if x.end != y.end {
			return y.end - x.end
		}
		return a - b
	})
	lines = map[int][2]int{}
	var b bytes.Buffer
	line := func() int { return 1 + bytes.Count(b.Bytes(), []byte("\n")) }
	var open []int
	at := 0
	upTo := func(end int) {
		b.Write(src[at:end])
		at = end
	}
	closing := func(until int) {
		for len(open) > 0 && all[open[len(open)-1]].end <= until {
			last := open[len(open)-1]
			upTo(all[last].end)
			b.WriteString(all[last].after)
			lines[last] = [2]int{lines[last][0], line()}
			open = open[:len(open)-1]
		}
	}
	for _, number := range numbers {
		w := all[number]
		closing(w.start)
		upTo(w.start)
		lines[number] = [2]int{line()}
		b.WriteString(w.before)
		open = append(open, number)
	}
	closing(len(src))
	upTo(len(src))
	return b.Bytes(), lines
}

// place finds where the compiler met something that it does not take.
var place = regexp.MustCompile(`(?m)^(?:\S*[/\\])?([^/\\\s:]+\.go):(\d+):`)

// refused returns the changes that an error of the compiler is about, with their files:
// those of its line, or the last one above, without which a function may lack a return.
func refused(errs []byte, spans map[string]map[int][2]int) map[int]string {
	out := map[int]string{}
	for _, at := range place.FindAllSubmatch(errs, -1) {
		name := string(at[1])
		line, _ := strconv.Atoi(string(at[2]))
		above, found := 0, false
		for number, span := range spans[name] {
			if span[0] <= line && line <= span[1] {
				out[number], found = name, true
			} else if span[1] < line && (above == 0 || span[1] > spans[name][above][1]) {
				above = number
			}
		}
		if !found && above > 0 {
			out[above] = name
		}
	}
	return out
}

// together builds the tests of a package with as many of its changes as one program can
// have, and returns it with the changes that it has, by number, and the arguments of go that
// lay them over the package.
func (o options) together(ctx context.Context, pkg, dir, temp string, names []string, all []mutant) (program string, has map[int]mutant, overlay []string, err error) {
	t, err := load(ctx, pkg, dir, names)
	if err != nil {
		return "", nil, nil, err
	}
	files := map[string]map[int]mutant{}
	for i, m := range all {
		if files[m.file] == nil {
			files[m.file] = map[int]mutant{}
		}
		files[m.file][i+1] = m
	}
	program = filepath.Join(temp, "tests.exe")
	wraps, sources := map[string]map[int]wrapping{}, map[string][]byte{}
	has = map[int]mutant{}
	for name, of := range files {
		if sources[name], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			return "", nil, nil, err
		}
		wraps[name] = t.wrappings(name, sources[name], of)
		for number := range wraps[name] {
			has[number] = of[number]
		}
	}
	for len(has) > 0 {
		spans, laid, err := t.lay(temp, len(all), sources, wraps)
		if err != nil {
			return "", nil, nil, err
		}
		args := append(append([]string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-gcflags=" + pkg + "=-e", "-o", program}, laid...), pkg)
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err == nil {
			return program, has, laid, nil
		}
		refused := refused(out, spans)
		if len(refused) == 0 {
			return "", nil, nil, errors.New("go " + strings.Join(args, " ") + ": " + string(out))
		}
		for number, name := range refused {
			delete(has, number)
			delete(wraps[name], number)
		}
	}
	return "", nil, nil, nil
}

// lay writes the changed files of a package, and returns which lines the changes have
// and the arguments that lay them over the package. Numbers of changes are size at most.
func (t *typed) lay(temp string, size int, sources map[string][]byte, wraps map[string]map[int]wrapping) (spans map[string]map[int][2]int, args []string, err error) {
	replace := map[string]string{}
	put := func(name string, text []byte) error {
		replace[filepath.Join(t.dir, name)] = filepath.Join(temp, name)
		return os.WriteFile(filepath.Join(temp, name), text, 0o600)
	}
	spans = map[string]map[int][2]int{}
	for name, of := range wraps {
		var text []byte
		text, spans[name] = write(sources[name], of)
		if err := put(name, text); err != nil {
			return nil, nil, err
		}
	}
	if err := put("zz_assay_mutated.go", fmt.Appendf(nil, switches, t.name, selected, reached, size+1)); err != nil {
		return nil, nil, err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, nil, err
	}
	list := filepath.Join(temp, "overlay.json")
	return spans, []string{"-overlay", list}, os.WriteFile(list, overlay, 0o600)
}
