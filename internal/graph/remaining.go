package graph

import (
	"bytes"
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/lang/scan"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// remaining finds the uses of what the change deletes or renames: calls of the name
// that lead to nothing else, and where nothing else has the name, any mention in code. What
// may mean something else as well is counted in a note.
func (r *reviewed) remaining() []Remaining {
	gone := map[string][]*ChangedSymbol{} // by the name alone
	for i := range r.all {
		x := &r.all[i]
		if x.Kind == fieldKind {
			continue
		}
		if x.Status == deleted || x.Status == renamed && !strings.Contains(x.To, "/") {
			gone[x.old.decl.Name] = append(gone[x.old.decl.Name], x)
		}
	}
	out := []Remaining{}
	fields, had := r.formers()
	if len(gone)+len(fields) == 0 {
		return out
	}
	more := map[string]int{}
	for doc := range r.s.p.Docs {
		d := &r.s.p.Docs[doc]
		if !syntax.Source(d.Language) || !r.s.filter.doc(d) || r.s.ctx.Err() != nil {
			continue
		}
		text, _ := r.s.v.Text(d.Path)
		from := len(out)
		use := func(x *ChangedSymbol, at int, sure facts.Sure) {
			in := facts.Ref{Doc: doc, Decl: r.s.p.Around(doc, at)}
			out = append(out, Remaining{Symbol: x.Name, To: x.To, File: d.Path, Function: r.s.name(in), Confidence: sure.String(), at: at, in: in, sure: sure})
		}
		r.usesIn(doc, text, gone, use, more)
		if mentions(text, had) {
			of, others := r.s.p.Former(doc, text, had)
			for _, u := range of {
				use(fields[former{u.To.Ref, u.To.Name}], u.At, u.Sure)
			}
			for name, n := range others {
				more[name] += n
			}
		}
		sorting.Stable(out[from:], func(a, b Remaining) int { return a.at - b.at })
	}
	if len(more) > 0 {
		n := 0
		for _, k := range more {
			n += k
		}
		r.s.note("%s of %s, a name that something else has too, may mean what is deleted or renamed", count(n, "more mention"), some(slices.Sorted(maps.Keys(more))))
	}
	for _, u := range r.implementing() {
		if !slices.ContainsFunc(out, func(o Remaining) bool { return o.File == u.File && o.at == u.at }) {
			out = append(out, u)
		}
	}
	lines(r.s, out, func(u *Remaining) (string, int, *int) { return u.File, u.at, &u.Line })
	sorting.Stable(out, func(a, b Remaining) int {
		rank := map[string]int{"exact": 0, "likely": 1, "name-only": 2}
		return rank[a.Confidence] - rank[b.Confidence]
	})
	return out
}

// leftover returns the uses that remain of what is gone as steps, and then what calls the
// functions that they are in, at most so many steps away: their files do not build, or do
// something else now, and their tests are to be run. Steps that are known are not among them.
func (r *reviewed) leftover(uses []Remaining, known []hop, depth int, least facts.Sure) (hops []hop) {
	var of []facts.Ref
	seen := map[facts.Ref]bool{}
	type place struct{ doc, at int }
	stood, cut := set.By(known, func(h *hop) place { return place{h.From.Doc, h.At} }), false
	next := func(e facts.Edge, depth int) {
		if at := (place{e.From.Doc, e.At}); !stood[at] {
			if len(hops) == mostHops {
				if !cut {
					cut = true
					r.s.note("more than %d calls of what still uses an old name: the rest is omitted", mostHops)
				}
				return
			}
			stood[at] = true
			hops = append(hops, hop{e, depth})
		}
		if e.From.Decl >= 0 && !seen[e.From] {
			seen[e.From] = true
			of = append(of, e.From)
		}
	}
	for _, u := range uses {
		if u.sure >= least {
			next(facts.Edge{From: u.in, At: u.at, How: facts.Used, Sure: u.sure}, 1)
		}
	}
	for d := 2; d <= depth && len(of) > 0 && !cut && r.s.ctx.Err() == nil; d++ {
		edges, _ := r.s.callers(of)
		of = nil
		for _, e := range sure(edges, least) {
			next(e, d)
		}
	}
	return hops
}

// usesIn finds the uses in one document, and counts what may be one and may mean something else by name.
func (r *reviewed) usesIn(doc int, text []byte, gone map[string][]*ChangedSymbol, use func(x *ChangedSymbol, at int, sure facts.Sure), more map[string]int) {
	if !mentions(text, gone) {
		return
	}
	d := &r.s.p.Docs[doc]
	meant := func(name string) (out []*ChangedSymbol) {
		for _, x := range gone[name] {
			if sameLanguage(x.file, d.Path) && (x.old.decl.Exported || path.Dir(x.file) == path.Dir(d.Path) || syntax.Language(x.file, nil) != "go") {
				out = append(out, x)
			}
		}
		return out
	}
	calls := map[int]bool{}
	r.s.p.EdgesByWords(doc, func(c *corpus.Call, _ facts.Ref, edges []facts.Edge, _ bool) {
		calls[c.At] = true
		xs := meant(c.Callee)
		if len(xs) == 0 {
			return
		}
		best := facts.Sure(0)
		for _, e := range edges {
			best = max(best, e.Sure)
		}
		switch {
		case len(edges) == 0 && facts.Common(c.Callee) && anothers(c, xs):
			more[c.Callee]++
		case len(edges) == 0:
			use(xs[0], c.At, facts.Likely)
		case best == facts.NameOnly:
			use(xs[0], c.At, facts.NameOnly)
		case !slices.ContainsFunc(edges, func(e facts.Edge) bool { return e.How != "name" }): // the one thing left that is called so
			if x := xs[0]; x.file == d.Path && facts.CalledAfter(c.Receiver, x.old.decl.Scope) {
				use(x, c.At, facts.NameOnly)
			} else {
				more[c.Callee]++
			}
		}
	})
	f := r.s.p.File(doc)
	declared := set.By(f.Decls, func(d *corpus.Decl) int { return d.NameAt })
	for _, x := range syntax.Mentions(d.Path, d.Language, text, func(name []byte) bool { return gone[string(name)] != nil }) {
		xs := meant(x.Name)
		if len(xs) == 0 || calls[x.At] || declared[x.At] || x.Label || !r.s.p.Dangling(doc, x) {
			continue
		}
		// A name alone is no member of something else.
		const least = 4
		alone := x.Chain == "" || x.Path
		switch {
		case alone && len(r.s.p.Lookup(x.Name)) > 0 || !alone && len(r.s.p.Targets(x.Name)) > 0, !alone && facts.Common(x.Name), len(x.Name) < least && letter(x.Name[0]):
			more[x.Name]++
		case x.Chain == scan.Unknown || !letter(x.Name[0]):
			use(xs[0], x.At, facts.NameOnly)
		default:
			use(xs[0], x.At, facts.Likely)
		}
	}
}

// anothers reports whether a call is of a member of something that is not named as what had one of some
// declarations is, and most likely of a library.
func anothers(c *corpus.Call, of []*ChangedSymbol) bool {
	recv := c.Receiver[1+strings.LastIndexAny(c.Receiver, ".:"):]
	return recv != "" && recv != "self" && recv != "this" && !slices.ContainsFunc(of, func(x *ChangedSymbol) bool {
		scope := x.old.decl.Scope
		return recv == scope[1+strings.LastIndex(scope, "."):] || recv == strings.TrimSuffix(path.Base(x.file), path.Ext(x.file)) || recv == path.Base(path.Dir(x.file))
	})
}

// mentions reports whether a text has one of some names.
func mentions[V any](text []byte, names map[string]V) bool {
	for n := range names {
		if bytes.Contains(text, []byte(n)) {
			return true
		}
	}
	return false
}

func sameLanguage(a, b string) bool {
	la, lb := syntax.Language(a, nil), syntax.Language(b, nil)
	return la == lb || slices.Contains([]string{"javascript", "typescript"}, la) && slices.Contains([]string{"javascript", "typescript"}, lb) ||
		slices.Contains([]string{"c", "cpp"}, la) && slices.Contains([]string{"c", "cpp"}, lb)
}

// documents finds where documents mention what the change touches: a name that is no
// word of prose, or the path of a file.
func (r *reviewed) documents() []MentionedIn {
	status := map[string]string{}
	for i := range r.all {
		x := &r.all[i]
		n := x.old.decl.Name
		if x.Status == changed || x.Status == added {
			n = x.now.decl.Name
		}
		if x.Status != added && x.Kind != fieldKind && len(n) > 2 && status[n] != deleted && status[n] != renamed {
			status[n] = x.Status
		}
	}
	paths := map[string]string{}
	for _, e := range r.c.edits {
		if d, ok := r.s.doc(e.path); e.old != nil && (!ok || syntax.Source(r.s.p.Docs[d].Language)) {
			paths[cmp.Or(e.was, e.path)] = changed
			if e.text == nil || e.was != "" {
				paths[cmp.Or(e.was, e.path)] = deleted
			}
		}
	}
	out := []MentionedIn{}
	for doc := range r.s.p.Docs {
		d := &r.s.p.Docs[doc]
		if !syntax.Prose(d.Language) || !r.s.filter.doc(d) || r.s.ctx.Err() != nil {
			continue
		}
		text, _ := r.s.v.Text(d.Path)
		n := 0
		for line := range bytes.Lines(text) {
			n++
			m := MentionedIn{File: d.Path, Line: n}
			add := func(name, what string) {
				if !slices.Contains(m.Names, name) {
					m.Names = append(m.Names, name)
					if m.Status == "" || what != changed {
						m.Status = what
					}
				}
			}
			for p, what := range paths {
				if strings.Contains(p, ".") && bytes.Contains(line, []byte(p)) {
					add(p, what)
				}
			}
			eachWord(line, func(from, to int) {
				if what := status[string(line[from:to])]; what != "" && coded(line, from, to) {
					add(string(line[from:to]), what)
				}
			})
			if len(m.Names) > 0 {
				slices.Sort(m.Names)
				out = append(out, m)
			}
		}
	}
	sorting.Stable(out, func(a, b MentionedIn) int {
		rank := func(m MentionedIn) int {
			if m.Status == changed {
				return 1
			}
			return 0
		}
		return rank(a) - rank(b)
	})
	return out
}

func eachWord(line []byte, do func(from, to int)) {
	for i := 0; i < len(line); i++ {
		if from := i; letter(line[i]) {
			for i < len(line) && letter(line[i]) {
				i++
			}
			do(from, i)
		}
	}
}

// coded reports whether a word of a line is written as code is: between backquotes,
// before a parenthesis, behind a dot, or as no word of prose is written.
func coded(line []byte, from, to int) bool {
	w := line[from:to]
	if bytes.ContainsAny(w, "_0123456789") || bytes.ContainsFunc(w[1:], func(r rune) bool { return r >= 'A' && r <= 'Z' }) && bytes.ContainsFunc(w, func(r rune) bool { return r >= 'a' && r <= 'z' }) {
		return true
	}
	return to < len(line) && line[to] == '(' || from > 0 && line[from-1] == '.' && from > 1 && letter(line[from-2]) || bytes.Count(line[:from], []byte{'`'})%2 == 1
}
