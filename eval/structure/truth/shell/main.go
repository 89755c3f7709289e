// Command shell prints what mvdan.cc/sh reads from the shell scripts below a
// folder, as JSON lines:
//
//	cd eval/structure/truth/shell && go run . DIR > shell.jsonl
//
// Scripts are told by their extension or their first line. One that is neither
// Bash nor POSIX shell to the parser is left out.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

type fact struct {
	Name string `json:"name,omitempty"`
	Path string `json:"path,omitempty"`
	Line uint   `json:"line"`
}

type facts struct {
	File      string `json:"file"`
	Functions []fact `json:"functions"`
	Imports   []fact `json:"imports"`
	Calls     []fact `json:"calls"`
}

var shebang = regexp.MustCompile(`^#!\s*\S*/(env\s+)?(ba|da|k)?sh\b|^#!\s*\S*/(env\s+)?bats\b`)

func script(path string, text []byte) bool {
	switch filepath.Ext(path) {
	case ".sh", ".bash", ".bats":
		return true
	case "":
		return shebang.Match(text)
	}
	return false
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run . DIR")
		os.Exit(2)
	}
	out, left := json.NewEncoder(os.Stdout), 0
	out.SetEscapeHTML(false)
	err := filepath.WalkDir(os.Args[1], func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || !script(path, text) {
			return err
		}
		name, err := filepath.Rel(os.Args[1], path)
		if err != nil {
			return err
		}
		f, ok := read(filepath.ToSlash(name), text)
		if !ok {
			left++
			return nil
		}
		return out.Encode(f)
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if left > 0 {
		fmt.Fprintf(os.Stderr, "%d files could not be parsed\n", left)
	}
}

func read(name string, text []byte) (facts, bool) {
	langs := []syntax.LangVariant{syntax.LangBash, syntax.LangPOSIX}
	if strings.HasSuffix(name, ".bats") {
		langs = []syntax.LangVariant{syntax.LangBats}
	}
	for _, lang := range langs {
		f, err := syntax.NewParser(syntax.Variant(lang)).Parse(bytes.NewReader(text), name)
		if err == nil {
			return collect(name, text, f), true
		}
	}
	return facts{}, false
}

func collect(name string, text []byte, f *syntax.File) facts {
	out := facts{File: name, Functions: []fact{}, Imports: []fact{}, Calls: []fact{}}
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.FuncDecl:
			if n.Name != nil {
				out.Functions = append(out.Functions, fact{Name: n.Name.Value, Line: n.Name.Pos().Line()})
			}
		case *syntax.TestDecl:
			if s := plain(n.Description); s != "" {
				out.Functions = append(out.Functions, fact{Name: s, Line: n.Description.Pos().Line()})
			}
		case *syntax.CallExpr:
			if len(n.Args) > 0 {
				call(&out, text, n)
			}
		}
		return true
	})
	return out
}

// plain returns a word that is one literal, in quotes or not; "" for others.
func plain(w *syntax.Word) string {
	if len(w.Parts) != 1 {
		return ""
	}
	s := ""
	switch p := w.Parts[0].(type) {
	case *syntax.Lit:
		s = p.Value
	case *syntax.SglQuoted:
		s = p.Value
	case *syntax.DblQuoted:
		if len(p.Parts) == 1 {
			if l, ok := p.Parts[0].(*syntax.Lit); ok {
				s = l.Value
			}
		}
	}
	if strings.Contains(s, "\\") {
		return ""
	}
	return s
}

func call(out *facts, text []byte, n *syntax.CallExpr) {
	// \cd is cd, whatever aliases there are; [ and : are no names.
	name := strings.TrimPrefix(n.Args[0].Lit(), "\\")
	if name != "" && name != "[" && name != ":" && name != "." && !strings.Contains(name, "\\") {
		out.Calls = append(out.Calls, fact{Name: name, Line: n.Args[0].Pos().Line()})
	}
	if (name == "source" || name == ".") && len(n.Args) > 1 {
		if p := path(text, n.Args[1]); p != "" {
			out.Imports = append(out.Imports, fact{Path: p, Line: n.Args[1].Pos().Line()})
		}
	}
}

var quotes = strings.NewReplacer(`"`, "", `'`, "")

// path returns a word as it is written, without its quotes, if it ends in something
// literal: what is sourced from "$DIR/lib.sh" is told, what from "$file" is not.
func path(text []byte, w *syntax.Word) string {
	last := w.Parts[len(w.Parts)-1]
	if q, ok := last.(*syntax.DblQuoted); ok && len(q.Parts) > 0 {
		last = q.Parts[len(q.Parts)-1]
	}
	switch last.(type) {
	case *syntax.Lit, *syntax.SglQuoted:
		return quotes.Replace(string(text[w.Pos().Offset():w.End().Offset()]))
	}
	return ""
}
