// Command treesitter prints what tree-sitter's grammars read from source files:
// the truth for languages whose compilers are not at hand.
//
//	cd eval/structure/truth/treesitter && go run . -lang LANG ROOT > truth.jsonl
//
// LANG is one of the table in languages.go; ROOT is a folder, of which all files
// with the language's extensions are read. It needs a C compiler (CGO_ENABLED=1).
//
// Where a grammar meets what it does not know it recovers, and what it says of
// that place is no truth: such lines are printed as errors, which a comparison
// leaves out on both sides.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
)

// A file is a line of the output.
type file struct {
	File      string   `json:"file"`
	Functions []fact   `json:"functions"`
	Imports   []fact   `json:"imports"`
	Calls     []fact   `json:"calls"`
	Errors    [][2]int `json:"errors,omitempty"`
}

func main() {
	lang := flag.String("lang", "", "the language")
	dump := flag.Bool("dump", false, "print the tree of a file instead; ROOT is the file")
	flag.Parse()
	l, ok := languages()[*lang]
	if !ok || flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: treesitter -lang LANG ROOT")
		os.Exit(2)
	}
	if err := run(l, flag.Arg(0), *dump); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(l language, root string, dump bool) error {
	p := sitter.NewParser()
	p.SetLanguage(sitter.NewLanguage(l.grammar()))
	if dump {
		_, n, err := parse(p, l, root)
		if err == nil {
			show(n, 0)
		}
		return err
	}
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	return filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		ext := strings.TrimPrefix(filepath.Ext(name), ".")
		if !d.Type().IsRegular() || !slices.Contains(strings.Fields(l.extensions), ext) {
			return nil
		}
		f, n, err := parse(p, l, name)
		if err != nil {
			return err
		}
		f.File, _ = filepath.Rel(root, name)
		f.File = filepath.ToSlash(f.File)
		f.read(l, n)
		return out.Encode(f)
	})
}

func parse(p *sitter.Parser, l language, name string) (*file, *node, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	src := string(b)
	if l.prepare != nil {
		src = l.prepare(src)
	}
	t, err := p.ParseCtx(context.Background(), nil, []byte(src))
	if err != nil {
		return nil, nil, fmt.Errorf("parse %s: %w", name, err)
	}
	defer t.Close()
	return &file{Functions: []fact{}, Imports: []fact{}, Calls: []fact{}}, plant(t.RootNode(), src), nil
}

// read collects the facts of a tree.
func (f *file) read(l language, n *node) {
	if n.kind == "ERROR" || n.kind == "MISSING" {
		f.Errors = append(f.Errors, [2]int{n.line, n.last})
	}
	if l.skip[n.kind] {
		return
	}
	for _, to := range []struct {
		rules map[string]rule
		facts *[]fact
	}{{l.functions, &f.Functions}, {l.imports, &f.Imports}, {l.calls, &f.Calls}} {
		if r := to.rules[n.kind]; r != nil && n.named {
			*to.facts = append(*to.facts, r(n)...)
		}
	}
	for _, k := range n.kids {
		f.read(l, k)
	}
}

func show(n *node, depth int) {
	fmt.Printf("%s%d ", strings.Repeat("  ", depth), n.line)
	if n.field != "" {
		fmt.Print(n.field, ": ")
	}
	if !n.named {
		fmt.Printf("%q\n", n.kind)
	} else if len(n.kids) == 0 {
		fmt.Printf("%s %q\n", n.kind, n.text)
	} else {
		fmt.Println(n.kind)
	}
	for _, k := range n.kids {
		show(k, depth+1)
	}
}
