package engine

import (
	"bytes"
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// Qualified returns the names of a hit's symbols with their scopes, as the index has them;
// nil where it does not know all of them.
func (v *View) Qualified(h *Hit) (out []string) {
	has := func(name string) bool {
		return slices.ContainsFunc(h.Symbols, func(s corpus.Symbol) bool { return s.Name == name })
	}
	decls := v.decls(h.In, has)
	sorting.Stable(decls, func(a, b corpus.Decl) int { return cmp.Compare(a.NameAt, b.NameAt) })
	for i := range decls {
		if d := &decls[i]; d.NameAt >= h.Start && d.NameAt < h.End && len(out) < len(h.Symbols) && h.Symbols[len(out)].Name == d.Name {
			out = append(out, d.Qualified())
		}
	}
	if len(out) < len(h.Symbols) {
		return nil
	}
	return out
}

// Declared returns the declarations of the file of a hit, of which src is the text: those that the index has, where
// it is of that text.
func (v *View) Declared(h *Hit, src []byte) []corpus.Decl {
	if hashOf(src) == h.Doc.Hash {
		if out := v.decls(h.In, func(string) bool { return true }); len(out) > 0 {
			return out
		}
	}
	return syntax.Facts(h.Doc.Path, h.Doc.Language, src).Decls
}

// decls returns the declarations of a document, none where no name in it is wanted.
func (v *View) decls(ref index.DocRef, wanted func(string) bool) (out []corpus.Decl) {
	err := v.Snap.FactsOf(ref, func(_, body []byte) { out, _ = facts.DecodeDecls(body, wanted) })
	if err != nil {
		return nil
	}
	return out
}

// mostDeclaring bounds in how many documents the declarations that a query names are looked for.
const mostDeclaring = 500

// Exactly is the signal of a hit that comes first since the query names it.
const Exactly = "named exactly"

// exactly puts first what a query of one word with a sign of paths or scopes is the path of, or names with its
// scope, and what an operator as a query declares: who writes that means nothing else. No weight decides it, and no fit
// has to find one.
func (v *View) exactly(q Query, a *Answer) error {
	query := strings.TrimSpace(q.Query)
	plain, _ := facts.Plain(query)
	operator := facts.Signs(plain)
	if !operator && (len(a.Hits) == 0 || !strings.ContainsAny(query, `./:#\`)) || q.Mode == rank.Semantic || strings.ContainsAny(query, " \t\r\n") {
		return nil
	}
	name := filepath.ToSlash(query)
	if rel, err := filepath.Rel(v.e.root.Name(), query); err == nil && filepath.IsAbs(query) && filepath.IsLocal(rel) {
		name = filepath.ToSlash(rel) // as hits name it
	}
	found, err := v.filed(name, q.Filter, a.Hits)
	if err == nil && len(found) == 0 {
		found, err = v.named(query, q.Filter)
	}
	if err != nil {
		return err
	}
	var hits []Hit
	best := Hit{Score: 1}
	if len(a.Hits) > 0 {
		best = a.Hits[0]
	}
	for i := range found {
		h := Hit{Found: found[i], Words: 1}
		for k := range a.Hits {
			if a.Hits[k].ID == h.ID {
				h = a.Hits[k]
			}
		}
		if h.Exact = true; q.Explain && h.Score < best.Score {
			h.Breakdown = rank.Raise(h.Breakdown, best.Breakdown, Exactly)
		}
		h.Score = best.Score
		hits = append(hits, h)
	}
	a.first(hits, q.Most)
	return nil
}

// filed returns a chunk of the file whose path a name is, or of each of the few whose paths
// end in it: the one with the line that it names, or else the first of the hits. An editor's
// path:line, and the path:line:column of a compiler, are names of a line.
func (v *View) filed(name string, filter index.Filter, hits []Hit) (out []index.Found, err error) {
	name, line := placed(name)
	name = path.Clean(name)
	var whole, ends []index.DocRef
	passes := func(ref index.DocRef) bool {
		if filter == nil {
			return true
		}
		_, one, err := v.Snap.InDoc(ref, 1)
		return err == nil && len(one) > 0 && filter(one[0].Doc)
	}
	err = v.Snap.Paths(func(ref index.DocRef, p []byte) bool {
		switch n := len(p) - len(name); {
		case n < 0 || string(p[n:]) != name || n > 0 && p[n-1] != '/' || !passes(ref):
		case n == 0:
			whole = append(whole, ref)
		case len(ends) < mostDeclaring:
			ends = append(ends, ref)
		}
		return len(whole) == 0
	})
	if len(whole) > 0 {
		ends = whole
	}
	most := int(rank.Code().Constant("declarations named exactly"))
	for _, ref := range ends {
		if err != nil {
			return nil, err
		}
		var chunks []index.Found
		if _, chunks, err = v.Snap.InDoc(ref, 1<<16); len(chunks) == 0 {
			continue
		}
		best := chunks[0]
		if i := slices.IndexFunc(hits, func(h Hit) bool { return h.Doc.Path == best.Doc.Path }); i >= 0 {
			best = hits[i].Found
		}
		if i := slices.IndexFunc(chunks, func(c index.Found) bool { return line > 0 && c.Lines.Last >= line }); i >= 0 {
			best = chunks[i]
		}
		if out = append(out, best); len(out) > most {
			return nil, nil
		}
	}
	return out, err
}

// Pathless returns the words that no path of the index has, in letters of either case: a file
// is found by its name and its ending too. It reads all paths if there are any words.
func (v *View) Pathless(words []string) (out []string, err error) {
	out = slices.Clone(words)
	if len(out) == 0 {
		return nil, nil
	}
	err = v.Snap.Paths(func(_ index.DocRef, p []byte) bool {
		low := bytes.ToLower(p)
		out = slices.DeleteFunc(out, func(w string) bool { return bytes.Contains(low, []byte(strings.ToLower(w))) })
		return len(out) > 0
	})
	return out, err
}

// placed cuts the line, and the column, off a path; line is 0 where it has none.
func placed(name string) (file string, line int) {
	file = name
	for range 2 {
		i := strings.LastIndexByte(file, ':')
		if i <= 0 {
			break
		}
		first, _, _ := strings.Cut(file[i+1:], "-")
		n, err := strconv.Atoi(first)
		if err != nil || n <= 0 {
			break
		}
		file, line = file[:i], n
	}
	return file, line
}

// named returns the chunks of the few declarations that have a qualified name, of documents that pass a filter.
func (v *View) named(query string, filter index.Filter) (out []index.Found, err error) {
	whole, _ := facts.Plain(query)
	scope, last := "", whole
	if i := strings.LastIndexByte(whole, '.'); !facts.Signs(whole) {
		if i <= 0 || i+1 == len(whole) {
			return nil, nil
		}
		scope, last = whole[:i], whole[i+1:]
	}
	var refs []index.DocRef
	err = v.Snap.Keyed([]uint32{facts.Key(facts.Declared, last), facts.Key(facts.Declared, whole)}, func(ref index.DocRef) { refs = append(refs, ref) })
	if err != nil || len(refs) > mostDeclaring {
		return nil, err
	}
	most := int(rank.Code().Constant("declarations named exactly"))
	for _, ref := range refs {
		for _, d := range v.decls(ref, func(name string) bool { return name == last || name == whole }) {
			// A language may write the modules of its files in front, as crate::recipe::Recipe::run.
			within := scope == "" || d.Scope == scope || strings.HasSuffix(d.Scope, "."+scope) || d.Scope != "" && strings.HasSuffix(scope, "."+d.Scope)
			if d.Name != whole && (d.Name != last || !within) {
				continue
			}
			_, chunks, err := v.Snap.InDoc(ref, 1<<16)
			if err != nil {
				return nil, err
			}
			for _, c := range chunks {
				if filter != nil && !filter(c.Doc) {
					continue
				}
				if d.NameAt >= c.Start && d.NameAt < c.End && !slices.ContainsFunc(out, func(f index.Found) bool { return f.ID == c.ID }) {
					out = append(out, c)
				}
			}
			if len(out) > most {
				return nil, nil
			}
		}
	}
	return out, nil
}
