package graph

import (
	"cmp"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/facts"
)

// An Overview is a project on one screen.
type Overview struct {
	Folders  []Folder       `json:"folders"` // with what is below them and in no other of the list
	Largest  []Size         `json:"largest"` // modules, most lines first
	Entries  []string       `json:"entry_points"`
	Imported []Depended     `json:"most_imported"` // files, or folders where an import takes one whole
	Cycles   [][]string     `json:"cycles"`        // folders that import each other
	Language map[string]int `json:"languages"`     // files
	Left     int            `json:"left_out"`      // entries that had no room
}

// A Folder is a part of a project.
type Folder struct {
	Path  string `json:"path"`
	Files int    `json:"files"`
	Lines int    `json:"lines"`
}

// A Size is how long a module is.
type Size struct {
	Path  string `json:"path"`
	Lines int    `json:"lines"`
}

// A Depended is how many files import a module.
type Depended struct {
	Path  string `json:"path"`
	Files int    `json:"files"`
}

const (
	mostFolders = 20
	mostListed  = 10
	mostCycles  = 5
	inCycle     = 8
	// mostOverview is in bytes of JSON: with the totals around it that is under
	// 2,000 tokens, at three bytes each, which paths have at worst.
	mostOverview = 4800
)

func (s *session) overview(docs []int) *Overview {
	// Vendored code has programs and cycles of its own, and they are no way in.
	own := slices.DeleteFunc(slices.Clone(docs), func(d int) bool { return s.p.Docs[d].Flags&corpus.Vendored != 0 })
	if len(own) == 0 {
		own = docs // it was asked for
	}
	o := &Overview{Folders: s.split(docs), Largest: []Size{}, Entries: s.entries(own), Imported: s.depended(own), Language: map[string]int{}}
	order := slices.Clone(docs)
	sorting.Stable(order, func(a, b int) int { return cmp.Compare(s.p.Docs[b].Lines, s.p.Docs[a].Lines) })
	for _, d := range order[:min(len(order), mostListed)] {
		o.Largest = append(o.Largest, Size{s.p.Docs[d].Path, s.p.Docs[d].Lines})
	}
	for _, d := range docs {
		o.Language[s.p.Docs[d].Language]++
	}
	// Tests may import what imports what they test, and nobody imports a program that
	// lies beside a package.
	o.Cycles = cycles(s.folders(slices.DeleteFunc(slices.Clone(own), func(d int) bool { return test(&s.p.Docs[d]) || s.program(d) })))
	if n := len(o.Cycles); n > mostCycles {
		o.Left += n - mostCycles
		o.Cycles = o.Cycles[:mostCycles]
	}
	for i, c := range o.Cycles {
		if n := len(c); n > inCycle {
			o.Cycles[i] = append(slices.Clone(c[:inCycle]), "and "+count(n-inCycle, "other"))
		}
	}
	o.fit()
	return o
}

// fit drops the last of the longest lists until the overview has room.
func (o *Overview) fit() {
	size := func(v any) int {
		b, err := json.Marshal(v)
		if err != nil {
			return 0
		}
		return len(b)
	}
	for size(o) > mostOverview {
		sizes := []int{size(o.Folders), size(o.Largest), size(o.Entries), size(o.Imported), size(o.Cycles)}
		o.Left++
		switch slices.Index(sizes, slices.Max(sizes)) {
		case 0:
			o.Folders = o.Folders[:len(o.Folders)-1]
		case 1:
			o.Largest = o.Largest[:len(o.Largest)-1]
		case 2:
			o.Entries = o.Entries[:len(o.Entries)-1]
		case 3:
			o.Imported = o.Imported[:len(o.Imported)-1]
		default:
			o.Cycles = o.Cycles[:len(o.Cycles)-1]
		}
	}
}

// split parts the files into folders: the largest is parted further as long as
// there is room.
func (s *session) split(docs []int) []Folder {
	type part struct {
		Folder
		docs []int
		done bool
	}
	size := func(dir string, docs []int) part {
		p := part{Folder: Folder{Path: dir, Files: len(docs)}, docs: docs}
		for _, d := range docs {
			p.Lines += s.p.Docs[d].Lines
		}
		return p
	}
	parts := []part{size(".", docs)}
	for {
		best := -1
		for i := range parts {
			if !parts[i].done && (best < 0 || parts[i].Lines > parts[best].Lines) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		dir := parts[best].Path
		below := map[string][]int{}
		for _, d := range parts[best].docs {
			rest := strings.TrimPrefix(s.p.Docs[d].Path, strings.TrimPrefix(dir+"/", "./"))
			if head, _, deeper := strings.Cut(rest, "/"); deeper {
				below[path.Join(dir, head)] = append(below[path.Join(dir, head)], d)
			} else {
				below[dir] = append(below[dir], d)
			}
		}
		if _, own := below[dir]; own && len(below) == 1 {
			parts[best].done = true
			continue
		}
		s.merge(below, dir, mostFolders-len(parts)+1)
		parts = slices.Delete(parts, best, best+1)
		for sub, list := range below {
			p := size(sub, list)
			p.done = sub == dir
			parts = append(parts, p)
		}
		// The order of a map is no order.
		sorting.Stable(parts, func(a, b part) int { return cmp.Or(strings.Compare(a.Path, b.Path), len(a.docs)-len(b.docs)) })
	}
	out := []Folder{}
	sorting.Stable(parts, func(a, b part) int { return cmp.Compare(b.Lines, a.Lines) })
	for _, p := range parts {
		if p.Files > 0 {
			out = append(out, p.Folder)
		}
	}
	return out
}

// merge leaves the largest of a folder's parts, at most so many, and puts the others
// into the folder itself.
func (s *session) merge(below map[string][]int, dir string, most int) {
	if len(below) <= most {
		return
	}
	size := map[string]int{}
	names := make([]string, 0, len(below))
	for name, docs := range below {
		for _, d := range docs {
			size[name] += s.p.Docs[d].Lines
		}
		if name != dir {
			names = append(names, name)
		}
	}
	sorting.Stable(names, func(a, b string) int { return cmp.Or(size[b]-size[a], strings.Compare(a, b)) })
	for _, name := range names[max(0, most-1):] {
		below[dir] = append(below[dir], below[name]...)
		delete(below, name)
	}
}

// entries returns where programs begin: main functions, what a package.json names,
// a package that Python can run.
func (s *session) entries(docs []int) []string {
	in := map[int]bool{}
	packages := map[string]bool{} // folders: a program in one of a package is a tool of it
	for _, d := range docs {
		in[d] = true
		if doc := &s.p.Docs[d]; doc.Language == "go" && !test(doc) && !s.program(d) {
			packages[path.Dir(doc.Path)] = true
		}
	}
	out := []string{}
	add := func(p string) {
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	for _, name := range []string{"main", "Main"} {
		for _, r := range s.p.Lookup(name) {
			d, doc := s.p.Decl(r), &s.p.Docs[r.Doc]
			if !in[r.Doc] || test(doc) || !facts.Function(doc.Language, d) || !begins(doc.Language, s.p.Head(r.Doc).Module, d) || s.program(r.Doc) && packages[path.Dir(doc.Path)] {
				continue
			}
			add(doc.Path)
		}
	}
	for i := range s.p.Docs {
		d := &s.p.Docs[i]
		switch {
		case path.Base(d.Path) == "__main__.py" && in[i]:
			add(d.Path)
		case path.Base(d.Path) == "package.json" && s.filter.doc(d):
			for _, p := range s.mains(d.Path) {
				add(p)
			}
		}
	}
	sorting.Stable(out, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	return out[:min(len(out), mostListed)]
}

// program reports whether a file is of a Go program.
func (s *session) program(d int) bool {
	return s.p.Docs[d].Language == "go" && s.p.Head(d).Module == "main"
}

// begins reports whether a function of the name main is where a program begins.
func begins(language, module string, d *corpus.Decl) bool {
	switch language {
	case "go":
		return module == "main" && d.Scope == ""
	case "java", "scala", "csharp":
		return d.Traits&corpus.Static != 0 || language == "scala"
	case "javascript", "typescript", "ruby", "php":
		return false
	}
	return d.Scope == ""
}

// mains returns the files that a package.json names as its programs.
func (s *session) mains(name string) (out []string) {
	text, _, err := s.e.Lines(name, 1, 10000)
	if err != nil {
		return nil
	}
	var p struct {
		Main string
		Bin  json.RawMessage
	}
	if json.Unmarshal(text, &p) != nil {
		return nil
	}
	files := []string{p.Main}
	var one string
	var many map[string]string
	if json.Unmarshal(p.Bin, &one) == nil {
		files = append(files, one)
	} else if json.Unmarshal(p.Bin, &many) == nil {
		files = slices.AppendSeq(files, maps.Values(many))
	}
	slices.Sort(files)
	for _, f := range slices.Compact(files) {
		at := path.Join(path.Dir(name), f)
		if i := slices.IndexFunc(s.p.Docs, func(d facts.Doc) bool { return d.Path == at }); f != "" && i >= 0 {
			out = append(out, at)
		}
	}
	return out
}

// depended returns what most files import.
func (s *session) depended(docs []int) []Depended {
	by := map[string]int{}
	for _, d := range docs {
		h := s.p.Head(d)
		seen := map[string]bool{}
		for k := range h.Imports {
			if p := s.place(s.leads(d, &h.Imports[k]).Docs); p != "" && p != s.p.Docs[d].Path && !seen[p] {
				seen[p] = true
				by[p]++
			}
		}
	}
	out := []Depended{}
	for p, n := range by {
		out = append(out, Depended{p, n})
	}
	sorting.Stable(out, func(a, b Depended) int {
		return cmp.Or(cmp.Compare(b.Files, a.Files), strings.Compare(a.Path, b.Path))
	})
	return out[:min(len(out), mostListed)]
}

// cycles returns the groups of folders that lead to each other (Tarjan 1972),
// largest first.
func cycles(edges map[[2]string]int) [][]string {
	next := map[string][]string{}
	for e := range edges {
		next[e[0]] = append(next[e[0]], e[1])
	}
	names := make([]string, 0, len(next))
	for n := range next {
		names = append(names, n)
		slices.Sort(next[n])
	}
	slices.Sort(names)
	index, low, on := map[string]int{}, map[string]int{}, map[string]bool{}
	var stack []string
	out := [][]string{}
	var visit func(n string)
	visit = func(n string) {
		index[n] = len(index) + 1
		low[n] = index[n]
		stack = append(stack, n)
		on[n] = true
		for _, m := range next[n] {
			if index[m] == 0 {
				visit(m)
				low[n] = min(low[n], low[m])
			} else if on[m] {
				low[n] = min(low[n], index[m])
			}
		}
		if low[n] != index[n] {
			return
		}
		var group []string
		for {
			m := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			on[m] = false
			group = append(group, m)
			if m == n {
				break
			}
		}
		if len(group) > 1 {
			slices.Sort(group)
			out = append(out, group)
		}
	}
	for _, n := range names {
		if index[n] == 0 {
			visit(n)
		}
	}
	sorting.Stable(out, func(a, b []string) int { return len(b) - len(a) })
	return out
}

func (o *Overview) text(t *table) {
	t.row("FOLDER", ">FILES", ">LINES")
	for _, f := range o.Folders {
		t.row(f.Path, f.Files, f.Lines)
	}
	t.flush()
	list := func(title string, rows [][]any) {
		if len(rows) == 0 {
			return
		}
		t.line("")
		t.line("%s", title)
		t.row("", "", "")
		for _, r := range rows {
			t.row(append([]any{" "}, r...)...)
		}
		t.flush()
	}
	rows := slice.Map(o.Largest, func(m Size) []any { return []any{m.Path, m.Lines} })
	list("Largest modules, in lines", rows)
	rows = nil
	for _, m := range o.Imported {
		rows = append(rows, []any{m.Path, m.Files})
	}
	list("Most imported, by files", rows)
	rows = nil
	for _, p := range o.Entries {
		rows = append(rows, []any{p})
	}
	list("Entry points", rows)
	rows = nil
	for _, c := range o.Cycles {
		rows = append(rows, []any{strings.Join(c, ", ")})
	}
	list("Folders that import each other", rows)
	t.line("")
	if o.Left > 0 {
		t.note("%s omitted for room", text.Count(o.Left, "entry", "entries"))
	}
}
