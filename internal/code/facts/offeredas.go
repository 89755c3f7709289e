package facts

import (
	"path"
	"strings"
)

// offeredAs returns what a module of JavaScript itself calls what it offers under a name, export { a as name }; "" where it
// offers nothing else under it.
func (f *File) offeredAs(name string) string {
	if f.Lang != "ecma" || name == "default" || len(f.topLevel(name)) > 0 {
		return ""
	}
	for _, i := range f.bound[name] {
		if b := &f.Bindings[i]; b.In < 0 && b.Value != name && len(f.topLevel(b.Value)) > 0 {
			return b.Value
		}
	}
	return ""
}

// offering returns the other names under which a module of JavaScript offers what is declared at its top.
func (f *File) offering(t Place) (out []string) {
	if f.Lang != "ecma" || t.Decl >= 0 && f.Decls[t.Decl].Parent >= 0 {
		return nil
	}
	for i := range f.Bindings {
		if b := &f.Bindings[i]; b.In < 0 && b.Value == t.Name && f.offeredAs(b.Name) == t.Name {
			out = append(out, b.Name)
		}
	}
	return out
}

// offeredIn finds what a module of JavaScript offers under a name that nothing there is declared by: Dialog.Root of
// dialog.tsx, or of a file in a folder of that name.
func (p *Project) offeredIn(scope, name string) (out []Ref) {
	plain := func(s string) string { return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(s)) }
	_, last := cutLast(scope, ".")
	for _, d := range p.src.Mentioning(name) {
		if family(p.Docs[d].Language) != "ecma" {
			continue
		}
		stem, _, _ := strings.Cut(path.Base(p.Docs[d].Path), ".")
		if plain(stem) != plain(last) && plain(path.Base(path.Dir(p.Docs[d].Path))) != plain(last) {
			continue
		}
		f := p.File(d)
		if own := f.offeredAs(name); own != "" {
			out = append(out, f.topLevel(own)...)
		}
	}
	return uniqueRefs(out)
}
