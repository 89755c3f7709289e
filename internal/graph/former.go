package graph

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// fieldKind is the kind of a field, or of a member of an enumeration, that a change deletes or renames.
const fieldKind = "field"

// fieldsGone returns the fields that types had before a change, of types that are there before and after
// it. Where a type lost as many as it gained, of the same types in the same order, they are renamed.
func fieldsGone(e edit) (out []ChangedSymbol) {
	if e.old == nil || e.text == nil {
		return nil
	}
	read := func(name string, text []byte) *corpus.Facts {
		if language := syntax.Language(name, text[:min(len(text), 4096)]); syntax.Source(language) {
			f := syntax.Facts(name, language, text)
			return &f
		}
		return &corpus.Facts{}
	}
	old, now := read(cmp.Or(e.was, e.path), e.old), read(e.path, e.text)
	here := set.By(now.Decls, (*corpus.Decl).Qualified)
	type member struct{ class, name string }
	before, after := map[member]bool{}, map[member]bool{}
	was, is := facts.Members(cmp.Or(e.was, e.path), old), facts.Members(e.path, now)
	for _, m := range was {
		before[member{m.Class, m.Name}] = true
	}
	fresh := map[string][]facts.Member{}
	for _, m := range is {
		k := member{m.Class, m.Name}
		if after[k] = true; !before[k] {
			fresh[m.Class] = append(fresh[m.Class], m)
		}
	}
	lost := map[string][]facts.Member{}
	var classes []string
	for _, m := range was {
		if !here[m.Class] || after[member{m.Class, m.Name}] || here[m.Class+"."+m.Name] {
			continue
		}
		if lost[m.Class] == nil {
			classes = append(classes, m.Class)
		}
		lost[m.Class] = append(lost[m.Class], m)
	}
	line, at := 1, 0 // of what was counted last: members are in order, types nearly so
	lineOf := func(pos int) int {
		if pos < at {
			line, at = 1, 0
		}
		line, at = line+bytes.Count(e.old[at:pos], []byte{'\n'}), pos
		return line
	}
	for _, c := range classes {
		same := slices.EqualFunc(lost[c], fresh[c], func(a, b facts.Member) bool { return a.Type == b.Type })
		for i, m := range lost[c] {
			x := ChangedSymbol{Name: c + "." + m.Name, Kind: fieldKind, Status: deleted, Line: lineOf(m.At), file: e.path, class: c,
				old: piece{decl: &corpus.Decl{Name: m.Name}}, now: piece{decl: &corpus.Decl{}}}
			if same {
				x.Status, x.To = renamed, c+"."+fresh[c][i].Name
			}
			out = append(out, x)
		}
	}
	return out
}

// A former is a field that is gone, by its type and its name.
type former struct {
	class facts.Ref
	name  string
}

// formers returns the fields that the change deletes or renames, and the types that had them, by name.
func (r *reviewed) formers() (gone map[former]*ChangedSymbol, had map[string][]facts.Ref) {
	gone, had = map[former]*ChangedSymbol{}, map[string][]facts.Ref{}
	classes := map[int]map[string]int32{}
	for i := range r.all {
		x := &r.all[i]
		doc, ok := r.s.doc(x.file)
		if x.Kind != fieldKind || !ok {
			continue
		}
		if classes[doc] == nil { // generated files lose thousands of members at once
			classes[doc] = map[string]int32{}
			for k := range r.s.p.File(doc).Decls {
				q := r.s.p.File(doc).Decls[k].Qualified()
				if _, twice := classes[doc][q]; !twice {
					classes[doc][q] = int32(k)
				}
			}
		}
		if k, ok := classes[doc][x.class]; ok {
			ref, name := facts.Ref{Doc: doc, Decl: k}, x.old.decl.Name
			gone[former{ref, name}], had[name] = x, append(had[name], ref)
		}
	}
	return gone, had
}
