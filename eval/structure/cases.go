package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/facts"
)

// The truth of a case: whom each function calls, by names as module.Class.method, or as
// package.Class:method(types) for Java.
const caseTruth = "callgraph.json"

// runCases compares the calls that assay resolves with a benchmark of small programs.
func runCases(args []string, w io.Writer) error {
	flags := flag.NewFlagSet("cases", flag.ExitOnError)
	dir := flags.String("dir", "", "the folder that the cases are below (required)")
	least := flags.String("min-confidence", "likely", "the least sure edges that count: exact, likely, name-only")
	verbose := flags.Bool("v", false, "show what differs")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *dir == "" || flags.NArg() > 0 {
		flags.Usage()
		return fmt.Errorf("-dir is needed, and nothing else")
	}
	var sum caseSum
	err := filepath.WalkDir(*dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != caseTruth {
			return err
		}
		return sum.add(filepath.Dir(name), *least, *verbose, w)
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d cases, %d complete, %d sound: truth %d  found %d  P %.4f  R %.4f\n", sum.n, sum.complete, sum.sound, sum.truth, sum.found, share(sum.right, sum.found), share(sum.right, sum.truth))
	return nil
}

// A caseSum counts the edges of cases. A case without an edge too many is complete, one without
// an edge that is missing sound, as PyCG's authors have it.
type caseSum struct{ n, complete, sound, truth, found, right int }

func (s *caseSum) add(dir, least string, verbose bool, w io.Writer) error {
	raw, err := os.ReadFile(filepath.Join(dir, caseTruth))
	if err != nil {
		return err
	}
	var calls map[string][]string
	if err := json.Unmarshal(raw, &calls); err != nil {
		return fmt.Errorf("read %s: %w", filepath.Join(dir, caseTruth), err)
	}
	src, err := readTree(dir)
	if err != nil {
		return err
	}
	got, modules := src.named(least)
	var missed, extra []string
	right := 0
	for from, to := range calls {
		slices.Sort(to)
		for _, name := range slices.Compact(to) {
			if !slices.ContainsFunc(modules, func(m string) bool { return strings.HasPrefix(name, m) }) {
				continue // of a library or of the language
			}
			if edge := [2]string{plain(from), plain(name)}; got[edge] {
				right++
				delete(got, edge)
			} else {
				missed = append(missed, from+" → "+name)
			}
		}
	}
	judged := map[string]bool{}
	for from := range calls {
		judged[plain(from)] = true
	}
	for edge := range got {
		if judged[edge[0]] {
			extra = append(extra, edge[0]+" → "+edge[1])
		}
	}
	s.n++
	s.truth += right + len(missed)
	s.found += right + len(extra)
	s.right += right
	if len(extra) == 0 {
		s.complete++
	}
	if len(missed) == 0 {
		s.sound++
	}
	if verbose && len(missed)+len(extra) > 0 {
		slices.Sort(missed)
		slices.Sort(extra)
		fmt.Fprintf(w, "%s\n", dir)
		for _, m := range missed {
			fmt.Fprintf(w, "  missed %s\n", m)
		}
		for _, e := range extra {
			fmt.Fprintf(w, "  extra  %s\n", e)
		}
	}
	return nil
}

// plain is a name without the types of parameters: what assay names has none.
func plain(name string) string {
	name, _, _ = strings.Cut(name, "(")
	return name
}

// named returns the edges between the functions of a tree by their names, and what the names of its
// modules begin with. A class without a constructor runs nothing of its own when it is made, nor does a
// method without a body.
func (t *tree) named(least string) (edges map[[2]string]bool, modules []string) {
	p := facts.New(t.docs, t)
	p.Under(t.build)
	edges = map[[2]string]bool{}
	for doc := range t.docs {
		modules = append(modules, t.module(p, doc)+".")
		p.Edges(doc, func(_ *corpus.Call, from facts.Ref, to []facts.Edge, _ bool) {
			for _, e := range to {
				if d := p.Decl(e.To); e.Sure >= sureOf(least) && d != nil && d.Traits&corpus.Abstract == 0 && facts.Function(t.docs[e.To.Doc].Language, d) {
					edges[[2]string{t.dotted(p, from), t.dotted(p, e.To)}] = true
				}
			}
		})
	}
	return edges, modules
}

func (t *tree) module(p *facts.Project, doc int) string {
	if m := p.Head(doc).Module; t.docs[doc].Language == "java" && m != "" {
		return m
	}
	stem := strings.TrimSuffix(t.docs[doc].Path, filepath.Ext(t.docs[doc].Path))
	stem = strings.TrimSuffix(strings.TrimSuffix(stem, "/__init__"), "/index")
	return strings.ReplaceAll(stem, "/", ".")
}

// dotted is a function's name in a truth. A lambda with a name is the nth of those around it.
func (t *tree) dotted(p *facts.Project, r facts.Ref) string {
	name := t.module(p, r.Doc)
	if d := p.Decl(r); d != nil && t.docs[r.Doc].Language == "java" {
		class, method := d.Scope, d.Name
		if class[strings.LastIndexByte(class, '.')+1:] == method {
			method = "<init>"
		}
		name += "." + strings.ReplaceAll(class, ".", "$") + ":" + method
	} else if d != nil {
		if d.Scope != "" {
			name += "." + d.Scope
		}
		name += "." + cmp.Or(t.lambda(r.Doc, d), d.Name)
	}
	return name
}

// lambda returns how a truth names a declaration that is a lambda with a name: as which of those
// around it; "" for what is none.
func (t *tree) lambda(doc int, d *corpus.Decl) string {
	sign, name := "", ""
	switch t.docs[doc].Language {
	case "python":
		sign, name = "lambda", "<lambda%d>"
	case "javascript":
		sign, name = "=>", "<arrow%d>"
	}
	text := t.texts[doc]
	if sign == "" || !bytes.Contains(text[d.NameAt:d.Body], []byte(sign)) || bytes.Contains(text[d.Span.Start:d.NameAt], []byte("def ")) {
		return ""
	}
	from := 0
	if d.Parent >= 0 {
		from = t.facts[doc].Decls[d.Parent].Body
	}
	return fmt.Sprintf(name, bytes.Count(text[from:d.Body], []byte(sign)))
}
