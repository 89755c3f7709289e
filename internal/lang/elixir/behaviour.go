package elixir

import (
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// using is the macro that runs in a module which uses another.
const using = "__using__"

// behaving returns the declaration that @behaviour here is of: the module around, or the macro __using__, which says so of
// each module that uses its own.
func (f *file) behaving() *corpus.Decl {
	for n := len(f.frames) - 1; n >= 0; n-- {
		fr := &f.frames[n]
		switch {
		case fr.sort == bracket || fr.decl < 0 && fr.sort == block:
		case fr.decl < 0:
			return nil
		case fr.sort == module && n == len(f.frames)-1, fr.sort == function && f.Out.Decls[fr.decl].Name == using:
			return &f.Out.Decls[fr.decl]
		default:
			return nil
		}
	}
	return nil
}

// callback declares the function that the attribute from token i up to end asks modules for.
func (f *file) callback(i, end int) {
	k := f.SkipSign(i+2, '(')
	if !f.Word(k) || upper(f.First(k)) || len(f.frames) == 0 || f.frames[len(f.frames)-1].sort != module {
		return
	}
	d := corpus.Decl{Kind: corpus.Function, Name: f.Str(k), NameAt: f.At(k), Exported: true, Traits: corpus.Abstract}
	d.Span = corpus.Span{Start: f.At(i), End: f.End(end - 1)}
	if f.Is(i+1, "macrocallback") {
		d.Kind = corpus.Macro
	}
	if f.attrs.next == i && i > 0 {
		d.Span.Start, d.Doc, d.Marks = f.At(f.attrs.from), f.attrs.doc, f.attrs.marks
	}
	f.specified(k, end)
	if f.spec.name == d.Name {
		d.Params, d.Result = f.spec.params, f.spec.result
	}
	f.spec = spec{}
	d.Body = d.Span.End
	f.Enclose(&d)
	f.Out.Decls = append(f.Out.Decls, d)
	f.asked[d.NameAt] = member{f.around(), d.Name}
}

// A member is a name in the module that a declaration is of.
type member struct {
	module int
	name   string
}

// around returns the declaration of the module around, -1 for none.
func (f *file) around() int {
	for n := len(f.frames) - 1; n >= 0; n-- {
		if f.frames[n].sort == module {
			return f.frames[n].decl
		}
	}
	return -1
}

// called drops the callbacks that their own module has a function for, which is what a call of them means there.
func (f *file) called() {
	drop := map[int]bool{} // by the offset of the name
	for at, m := range f.asked {
		drop[at] = f.defined[m]
	}
	if len(drop) > 0 {
		f.Out.Decls = slices.DeleteFunc(f.Out.Decls, func(d corpus.Decl) bool { return drop[d.NameAt] })
	}
}

// uses records that the module around uses another, which may make it one of a behaviour.
func (f *file) uses(i, k int) {
	n := len(f.frames)
	if f.Toks[i].Key != scan.KUse || n == 0 || f.frames[n-1].sort != module || f.frames[n-1].decl < 0 {
		return
	}
	d := &f.Out.Decls[f.frames[n-1].decl]
	d.Bases = append(d.Bases, "use "+f.full(k, f.path(k)))
}
