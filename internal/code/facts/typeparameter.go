package facts

import (
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// boundsOf returns the types of the project that bound the type parameter which a name stands for at a place: its values have their members.
func (p *Project) boundsOf(f *File, in int32, name string) (out []value) {
	bindings := f.bound[corpus.BoundMark+name]
	if len(bindings) == 0 {
		return nil
	}
	add := func(d int32) {
		for _, i := range bindings {
			if b := &f.Bindings[i]; b.In == d {
				out = append(out, slices.DeleteFunc(p.typeNamed(f, f.parent(d), b.Type), func(v value) bool { return v.kind != class })...)
			}
		}
	}
	for d := in; ; d = f.parent(d) {
		add(d)
		if d < 0 || len(out) > 0 {
			return out
		}
		if !classLike(f.Decls[d].Kind) {
			continue
		}
		for _, e := range f.byName[f.Decls[d].Name] { // the bounds of an impl hold for the fields that are declared elsewhere
			if f.Decls[e].Traits&corpus.Extension != 0 {
				add(e)
			}
		}
	}
}

// parent returns the declaration around one, -1 for none.
func (f *File) parent(d int32) int32 {
	if d < 0 {
		return -1
	}
	return f.Decls[d].Parent
}

// maxForParameter is how many methods a call of a type parameter still means that types have which fit its bounds: those types
// need not be put in for it.
const maxForParameter = 8

// areOfParameters reports whether values are of type parameters only.
func (p *Project) areOfParameters(vs []value) bool {
	return !slices.ContainsFunc(vs, func(v value) bool {
		return v.kind != instance || v.typ == "" || len(p.boundsOf(p.File(v.ref.Doc), v.ref.Decl, p.bareOf(v))) == 0
	})
}
