package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"
	"unicode"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/facts"
)

// runRefs compares the uses that assay finds of a sample of symbols with what a language server
// says.
func runRefs(args []string, w io.Writer) error {
	flags := flag.NewFlagSet("refs", flag.ExitOnError)
	root := flags.String("root", "", "the folder of the project (required)")
	command := flags.String("server", "", "the language server, as \"gopls serve\" (required)")
	lang := flags.String("lang", "go", "the language")
	n := flags.Int("n", 60, "how many symbols of each kind")
	seed := flags.Uint64("seed", 1, "of the sample")
	sure := flags.String("min-confidence", "likely", "the least sure uses that count")
	verbose := flags.Int("v", 0, "show so many differences of each kind")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *root == "" || *command == "" || flags.NArg() > 0 {
		flags.Usage()
		return fmt.Errorf("-root and -server are needed, and nothing else")
	}
	dir, err := filepath.Abs(*root)
	if err != nil {
		return err
	}
	src, err := readTree(dir)
	if err != nil {
		return err
	}
	r := &refs{root: dir, tree: src, p: facts.New(src.docs, src), verbose: *verbose, least: *sure, counts: map[string]*[3]int{}, w: w}
	if r.server, err = startServer(*command, dir); err != nil {
		return err
	}
	defer r.server.stop()
	for doc := range src.docs {
		if src.docs[doc].Language == *lang {
			if err := r.server.open(dir, src.docs[doc].Path, *lang); err != nil {
				return err
			}
		}
	}
	if *lang == "c" || *lang == "cpp" {
		if err := r.compiled(*lang); err != nil {
			return err
		}
	}
	sample := r.sample(*lang, *n, rand.New(rand.NewPCG(*seed, 0)))
	if *lang == "rust" && len(sample) > 0 {
		if err := r.loaded(sample[0]); err != nil {
			return err
		}
	}
	for _, t := range sample {
		if err := r.compare(t); err != nil {
			return err
		}
	}
	r.print()
	return nil
}

// refs is a comparison under way.
type refs struct {
	root    string
	tree    *tree
	p       *facts.Project
	server  *server
	verbose int
	least   string
	counts  map[string]*[3]int // by kind: right, wrong, missed
	asked   map[string]int
	unbuilt map[string]bool // sources of C that the server knows no command for
	w       io.Writer
}

// compiled notes the sources of C that compile_commands.json does not have, where what the server
// says is a guess, and waits until the server has read the others.
func (r *refs) compiled(lang string) error {
	raw, err := os.ReadFile(filepath.Join(r.root, "compile_commands.json"))
	if err != nil {
		return fmt.Errorf("%w\nhint: cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON writes it", err)
	}
	var commands []struct{ File string }
	if err := json.Unmarshal(raw, &commands); err != nil {
		return err
	}
	built := map[string]bool{}
	for _, c := range commands {
		built[c.File] = true
	}
	r.unbuilt = map[string]bool{}
	for _, d := range r.tree.docs {
		if d.Language != lang {
			continue
		}
		if source := strings.HasPrefix(filepath.Ext(d.Path), ".c"); source && !built[filepath.Join(r.root, d.Path)] {
			r.unbuilt[d.Path] = true
		} else if _, err := r.server.call("textDocument/documentSymbol", map[string]any{"textDocument": map[string]any{"uri": fileURI(r.root, d.Path)}}); err != nil {
			return err
		}
	}
	return nil
}

// written reports whether a name stands at a place, lines and columns from 0: what a macro of C
// makes of itself is used where it is not written, and so is what Self or another name stands for.
func (r *refs) written(rel string, line, column int, name string) bool {
	doc := slices.IndexFunc(r.tree.docs, func(d facts.Doc) bool { return d.Path == rel })
	lines := r.tree.lines[doc]
	return line < len(lines) && strings.HasPrefix(string(r.tree.Text(doc, nil)[min(lines[line]+column, len(r.tree.Text(doc, nil))):]), name)
}

// spaces returns how many bytes of namespaces the name at an offset begins with, which PHP writes as
// one word with it.
func (r *refs) spaces(doc, at int) int {
	if r.tree.docs[doc].Language != "php" {
		return 0
	}
	rest := string(r.tree.Text(doc, nil)[at:])
	end := strings.IndexFunc(rest, func(c rune) bool { return c != '\\' && c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	return 1 + strings.LastIndexByte(rest[:max(end, 0)], '\\')
}

// remarks reports whether a line of a file, from 0, is a comment: a server may know the types that
// one names.
func (r *refs) remarks(rel string, line int) bool {
	doc := slices.IndexFunc(r.tree.docs, func(d facts.Doc) bool { return d.Path == rel })
	text, lines := string(r.tree.Text(doc, nil)), r.tree.lines[doc]
	if line >= len(lines) {
		return false
	}
	text = strings.TrimLeft(text[min(lines[line], len(text)):], " \t")
	return strings.HasPrefix(text, "* ") || strings.HasPrefix(text, "/*") || strings.HasPrefix(text, "//")
}

// overloads reports whether a function of C++ is an operator, or has others of its name beside it that
// take something else: refs means all of them, the server one.
func (r *refs) overloads(d *corpus.Decl) bool {
	if strings.HasPrefix(d.Name, "operator") {
		return true
	}
	for doc := range r.tree.docs {
		f := r.p.File(doc)
		for i := range f.Decls {
			if x := &f.Decls[i]; x.Name == d.Name && (x.Kind == corpus.Function || x.Kind == corpus.Method) && strings.HasSuffix(x.Scope, d.Scope) && len(x.Params) != len(d.Params) {
				return true
			}
		}
	}
	return false
}

// loaded waits until the server, which reads the crates first, knows a symbol.
func (r *refs) loaded(t sampled) error {
	s := lineIndex(r.tree.lines[t.Doc])
	line := s.line(t.At)
	for range 150 {
		if said, err := r.server.references(r.root, r.tree.docs[t.Doc].Path, line-1, t.At-s[line-1]); err == nil && len(said) > 0 {
			return nil
		}
		time.Sleep(2 * time.Second)
	}
	return fmt.Errorf("the server does not know %s after five minutes", t.Name)
}

// member reports whether a declaration is a method of a class, and whether it stands at the top or in
// namespaces alone.
func member(f *facts.File, d *corpus.Decl) (method, top bool) {
	top = true
	for i := d.Parent; i >= 0; i = f.Decls[i].Parent {
		top = top && f.Decls[i].Kind == corpus.Module
	}
	of := corpus.Class
	if d.Parent >= 0 {
		of = f.Decls[d.Parent].Kind
	}
	return d.Kind == corpus.Method && (of == corpus.Class || of == corpus.Interface || of == corpus.Struct || of == corpus.Trait || of == corpus.Module), top
}

// A sampled is a symbol of a sample.
type sampled struct {
	facts.Place
	kind string
}

// sample draws symbols of each kind, tests' own left out.
func (r *refs) sample(lang string, n int, rnd *rand.Rand) (out []sampled) {
	of := map[string][]sampled{}
	for doc := range r.tree.docs {
		d := &r.tree.docs[doc]
		if d.Language != lang || strings.Contains(d.Path, "test") || r.p.Excluded(doc) {
			continue
		}
		f := r.p.File(doc)
		for i := range f.Decls {
			decl := &f.Decls[i]
			kind := map[corpus.Kind]string{corpus.Function: "function", corpus.Constant: "constant", corpus.Variable: "variable", corpus.Struct: "type", corpus.Class: "type",
				corpus.Interface: "type", corpus.Type: "type", corpus.Enum: "type"}[decl.Kind]
			switch method, top := member(f, decl); {
			case method && (lang == "php" || lang == "typescript" || lang == "cpp" || lang == "rust") && !strings.ContainsAny(decl.Name, "~ =[(<+-*!#") && decl.Traits&corpus.Constructor == 0:
				kind = "method"
			case decl.Parent >= 0 && !(lang == "cpp" && top):
				continue
			}
			if kind == "" || decl.Traits&corpus.Extension != 0 || decl.Name == "main" || decl.Name == "init" || lang == "cpp" && r.overloads(decl) {
				continue
			}
			of[kind] = append(of[kind], sampled{facts.Place{Ref: facts.Ref{Doc: doc, Decl: int32(i)}, Name: decl.Name, At: decl.NameAt}, kind})
		}
		seen := map[string]bool{}
		for i := range f.Bindings {
			b := &f.Bindings[i]
			name := b.Name[strings.LastIndexAny(b.Name, ".")+1:]
			for _, t := range r.p.Fields(d.Path + ":" + name) {
				if key := fmt.Sprint(t.At); t.Doc == doc && !seen[key] {
					seen[key] = true
					of["field"] = append(of["field"], sampled{t, "field"})
				}
			}
		}
	}
	r.asked = map[string]int{}
	for _, kind := range []string{"function", "method", "type", "field", "constant", "variable"} {
		list := of[kind]
		rnd.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
		list = list[:min(n, len(list))]
		r.asked[kind] = len(list)
		out = append(out, list...)
	}
	return out
}

// compare asks both about one symbol.
func (r *refs) compare(t sampled) error {
	lines := r.tree.lines[t.Doc]
	at := func(doc, offset int) (line, column int) {
		s := lineIndex(r.tree.lines[doc])
		line = s.line(offset)
		return line, offset - s[line-1]
	}
	if len(lines) == 0 {
		return nil
	}
	offset := t.At
	if text := r.tree.Text(t.Doc, nil); !strings.HasPrefix(string(text[offset:]), t.Name) { // self.name
		if i := strings.Index(string(text[offset:min(offset+200, len(text))]), "."+t.Name); i >= 0 {
			offset += i + 1
		}
	}
	line, column := at(t.Doc, offset)
	if t.kind == "method" && r.p.Answers(t.Ref) != "" {
		r.asked[t.kind]--
		return nil // servers take it and what it overrides together
	}
	said, err := r.server.references(r.root, r.tree.docs[t.Doc].Path, line-1, column)
	if err != nil {
		fmt.Fprintf(r.w, "%s %s: %v\n", t.kind, t.Name, err)
		return nil
	}
	want := map[site]bool{}
	for _, l := range said {
		u, err := url.Parse(l.URI)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(r.root, u.Path)
		if err != nil || strings.HasPrefix(rel, "..") || !slices.ContainsFunc(r.tree.docs, func(d facts.Doc) bool { return d.Path == rel }) {
			continue
		}
		doc := slices.IndexFunc(r.tree.docs, func(d facts.Doc) bool { return d.Path == rel })
		l.Range.Start.Character += r.spaces(doc, r.tree.lines[doc][l.Range.Start.Line]+l.Range.Start.Character)
		if (r.written(rel, l.Range.Start.Line, l.Range.Start.Character, t.Name)) && !r.remarks(rel, l.Range.Start.Line) {
			want[site{rel, t.Name, (l.Range.Start.Line+1)*10000 + l.Range.Start.Character}] = true
		}
	}
	declared := site{r.tree.docs[t.Doc].Path, t.Name, line*10000 + column}
	if !want[declared] {
		r.asked[t.kind]--
		return nil // the server takes something else to be declared there
	}
	// What declares the name once more is a use for one server and none for another.
	f := r.p.File(t.Doc)
	again := map[site]bool{declared: true}
	for i := range f.Decls {
		if d := &f.Decls[i]; d.Name == t.Name {
			l, c := at(t.Doc, d.NameAt)
			again[site{declared.file, t.Name, l*10000 + c}] = true
		}
	}
	for doc := range r.tree.docs {
		if r.unbuilt == nil {
			break
		}
		g := r.p.File(doc)
		for i := range g.Decls {
			if d := &g.Decls[i]; d.Name == t.Name {
				l, c := at(doc, d.NameAt)
				again[site{r.tree.docs[doc].Path, t.Name, l*10000 + c}] = true
			}
		}
	}
	maps.DeleteFunc(want, func(s site, _ bool) bool { return again[s] || r.unbuilt[s.file] })
	got := map[site]bool{}
	uses, _ := r.p.Uses([]facts.Place{t.Place}, func(int) bool { return true })
	for _, u := range uses {
		if u.Kind == facts.UseImplement && u.How == "has its methods" || u.Sure < map[string]facts.Sure{"likely": facts.Likely, "exact": facts.Exact}[r.least] {
			continue
		}
		l, c := at(u.From.Doc, u.At+r.spaces(u.From.Doc, u.At))
		got[site{r.tree.docs[u.From.Doc].Path, t.Name, l*10000 + c}] = true
	}
	maps.DeleteFunc(got, func(s site, _ bool) bool { return again[s] || r.unbuilt[s.file] })
	c := r.counts[t.kind]
	if c == nil {
		c = &[3]int{}
		r.counts[t.kind] = c
	}
	show := func(what string, s site) {
		if r.verbose > 0 {
			r.verbose--
			fmt.Fprintf(r.w, "%s %s %s (%s:%d): %s:%d:%d\n", what, t.kind, t.Name, r.tree.docs[t.Doc].Path, line, s.file, s.line/10000, s.line%10000+1)
		}
	}
	for s := range got {
		if want[s] {
			c[0]++
		} else {
			c[1]++
			show("wrong", s)
		}
	}
	for s := range want {
		if !got[s] {
			c[2]++
			show("missed", s)
		}
	}
	return nil
}

func (r *refs) print() {
	kinds := make([]string, 0, len(r.counts))
	sum := [3]int{}
	for k, c := range r.counts {
		kinds = append(kinds, k)
		for i := range sum {
			sum[i] += c[i]
		}
	}
	sort.Strings(kinds)
	line := func(name string, n int, c [3]int) {
		share := func(a, b int) float64 {
			if a+b == 0 {
				return 1
			}
			return float64(a) / float64(a+b)
		}
		fmt.Fprintf(r.w, "%-10s %4d symbols %6d uses  P %.3f  R %.3f\n", name, n, c[0]+c[2], share(c[0], c[1]), share(c[0], c[2]))
	}
	total := 0
	for _, k := range kinds {
		line(k, r.asked[k], *r.counts[k])
		total += r.asked[k]
	}
	line("all", total, sum)
}
