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
	"strings"
	"testing"
)

// ratchetFile has the highest value that each counter may have: it only falls.
const ratchetFile = "testdata/style.txt"

// slack: product lines may grow by one part of this many before the ratchet fails.
const slack = 100 // a hundredth

var (
	riddle    = regexp.MustCompile(`(?m)(?:^|[.:] )(?:What|Of|Who|Whoever|Where) `)
	anyWhat   = regexp.MustCompile(`(?i)\bwhat\b`)
	operators = regexp.MustCompile(`&&|\|\|`)
)

// countStyle returns the counters of the files below root that are neither tests nor generated,
// eval excepted, by name.
func countStyle(root string) (map[string]int, error) {
	counts := map[string]int{}
	methods := map[string]int{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path != root && (d.Name() == "testdata" || d.Name() == "eval" || strings.ContainsAny(d.Name()[:1], "._")) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		return countFile(path, counts, methods)
	})
	for _, n := range methods {
		if n > 40 {
			counts["types with more than 40 methods"]++
		}
	}
	return counts, err
}

// countFile adds the counters of one file, and the methods of its types by folder and name.
func countFile(path string, counts, methods map[string]int) error {
	src, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	f, err := parser.ParseFile(token.NewFileSet(), path, src, parser.ParseComments)
	if err != nil || ast.IsGenerated(f) {
		return err
	}
	for line := range strings.Lines(string(src)) {
		counts["lines"]++
		if len(line) > 140 {
			counts["lines over 140 bytes"]++
		}
		if len(operators.FindAllString(line, 4)) == 4 {
			counts["lines with four or more of && and ||"]++
		}
	}
	for _, g := range f.Comments {
		text := g.Text()
		counts["sentences of comments that begin with What, Of, Who or Where"] += len(riddle.FindAllString(text, -1))
		counts["the word what in comments"] += len(anyWhat.FindAllString(text, -1))
	}
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok {
			counts["patterns that every start of the program compiles"] += compiledPatterns(g)
		}
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
			methods[filepath.Dir(path)+"."+receiver(fn.Recv.List[0].Type)]++
		}
	}
	return nil
}

// compiledPatterns returns how many patterns a declaration at the top level compiles: lazy.Regexp does it when one is used.
func compiledPatterns(g *ast.GenDecl) (n int) {
	ast.Inspect(g, func(x ast.Node) bool {
		if s, ok := x.(*ast.SelectorExpr); ok && s.Sel.Name == "MustCompile" {
			n++
		}
		_, isLater := x.(*ast.FuncLit)
		return !isLater
	})
	return n
}

// receiver returns the name of the type of a method's receiver.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// TestStyleOnlyImproves holds the counters of style to the values of the last commit that
// lowered them. Run it with ASSAY_STYLE_UPDATE=1 to write lower ones.
func TestStyleOnlyImproves(t *testing.T) {
	counts, err := countStyle(root)
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("ASSAY_STYLE_UPDATE") != "" {
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(counts)) {
			fmt.Fprintf(&b, "%d %s\n", counts[name], name)
		}
		if err := os.WriteFile(ratchetFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	kept, err := os.ReadFile(ratchetFile)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(kept)) {
		var most int
		if _, err := fmt.Sscan(line, &most); err != nil {
			t.Fatalf("%s: %q: %v", ratchetFile, line, err)
		}
		_, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name == "lines" {
			most += most / slack
		}
		if counts[name] > most {
			t.Errorf("%d %s, at most %d: say it more plainly, or find the seam", counts[name], name, most)
		}
	}
}

// TestCountStyle holds the counters to a small program.
func TestCountStyle(t *testing.T) {
	tests := []struct {
		name, src, counter string
		want               int
	}{
		{"a riddle", "// Package a is here.\npackage a\n\n// What it is. Of all, this.\nvar x int\n", "sentences of comments that begin with What, Of, Who or Where", 2},
		{"a plain sentence", "// Package a is here.\npackage a\n\n// The list of what is kept, because tests need it.\nvar x int\n", "sentences of comments that begin with What, Of, Who or Where", 0},
		{"the word what", "// Package a is here.\npackage a\n\n// The list of what is kept.\nvar x = \"what\"\n", "the word what in comments", 1},
		{"four operators", "package a\n\nvar x = a && b && c || d && e\n", "lines with four or more of && and ||", 1},
		{"three operators", "package a\n\nvar x = a && b && c || d\n", "lines with four or more of && and ||", 0},
		{"a type of 41 methods", "package a\n\ntype t struct{}\n" + manyMethods(41), "types with more than 40 methods", 1},
		{"a type of 40 methods", "package a\n\ntype t struct{}\n" + manyMethods(40), "types with more than 40 methods", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(tt.src), 0o644); err != nil {
				t.Fatal(err)
			}
			counts, err := countStyle(dir)
			if err != nil || counts[tt.counter] != tt.want {
				t.Errorf("%d (%v), want %d", counts[tt.counter], err, tt.want)
			}
		})
	}
}

func manyMethods(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "func (t) m%d() {}\n", i)
	}
	return b.String()
}
