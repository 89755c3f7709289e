package graph

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// implementing returns the members by which types still answer to an interface that has a member by another name, or no
// longer where their language demands one: what declares them does not build.
func (r *reviewed) implementing() (out []Remaining) {
	below := map[facts.Ref][]relation{}
	for i := range r.all {
		x := &r.all[i]
		if x.Status != deleted && (x.Status != renamed || strings.Contains(x.To, "/")) {
			continue
		}
		of, ok := r.interfaceOf(x)
		if !ok || r.s.ctx.Err() != nil {
			continue
		}
		if _, known := below[of]; !known {
			below[of] = r.s.lineage([]facts.Ref{of}, false, r.s.p.Below)
		}
		for _, b := range below[of] {
			for _, at := range r.declaring(b.Type, x.old.decl.Name) {
				doc := b.Type.Doc
				if x.Status == deleted && !syntax.Has(r.s.p.Docs[doc].Language, "bases-demanded") {
					continue // there it is a member of its own now
				}
				if in := (facts.Ref{Doc: doc, Decl: r.s.p.Around(doc, at)}); r.s.passes(in) {
					sure := min(b.Sure, facts.Likely) // another base may have it too
					out = append(out, Remaining{Symbol: x.Name, To: x.To, File: r.s.p.Docs[doc].Path, Function: r.s.name(in), Confidence: sure.String(), at: at, in: in, sure: sure})
				}
			}
		}
	}
	return out
}

// interfaceOf returns the interface that had what is gone as a member, where it is still there.
func (r *reviewed) interfaceOf(x *ChangedSymbol) (facts.Ref, bool) {
	doc, ok := r.s.doc(x.file)
	i := strings.LastIndexByte(x.Name, '.')
	if !ok || i < 0 || syntax.Has(r.s.p.Docs[doc].Language, "implicit-interfaces") {
		return facts.Ref{}, false
	}
	f := r.s.p.File(doc)
	for k := range f.Decls {
		if d := &f.Decls[k]; d.Qualified() == x.Name[:i] && (d.Kind == corpus.Interface || d.Kind == corpus.Trait) && d.Traits&corpus.Extension == 0 {
			return facts.Ref{Doc: doc, Decl: int32(k)}, true
		}
	}
	return facts.Ref{}, false
}

// declaring returns where a type declares members of a name itself.
func (r *reviewed) declaring(class facts.Ref, name string) (out []int) {
	f := r.s.p.File(class.Doc)
	for k := range f.Decls {
		if d := &f.Decls[k]; d.Parent == class.Decl && d.Name == name && r.s.p.Answers(facts.Ref{Doc: class.Doc, Decl: int32(k)}) == "" {
			out = append(out, d.NameAt)
		}
	}
	for k := range f.Bindings {
		if b := &f.Bindings[k]; b.In == class.Decl && b.Name == name && len(out) == 0 {
			out = append(out, b.At)
		}
	}
	return out
}
