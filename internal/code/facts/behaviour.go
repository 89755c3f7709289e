package facts

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// using is the macro of Elixir that runs in each module which uses its own.
const using = "__using__"

// behaviours returns the behaviours of which a module of Elixir is one since it uses another, as __using__ there says.
func (p *Project) behaviours(f *File, in int32, of string) (out []value) {
	for _, m := range p.modulesNamed(f, in, of) {
		g := p.File(m.Doc)
		for _, i := range g.byName[using] {
			if d := &g.Decls[i]; d.Parent == m.Decl {
				for _, b := range d.Bases {
					for _, r := range p.modulesNamed(g, i, b) {
						out = append(out, value{kind: class, ref: r})
					}
				}
			}
		}
	}
	return out
}

// maxUsed bounds how many modules that a module of Elixir uses are asked for a function.
const maxUsed = 64

// given returns the functions of a name that a module of Elixir has since it uses another: those that are defined in
// __using__ there.
func (p *Project) given(c Ref, name string) []value {
	f := p.File(c.Doc)
	if f.Lang != "elixir" || len(f.Decls[c.Decl].Bases) == 0 {
		return nil
	}
	key := memberKey{c, name}
	got, ok := p.used[key]
	if !ok {
		got = p.definedBy(f, &f.Decls[c.Decl], name)
		p.used[key] = got
	}
	return got
}

func (p *Project) definedBy(f *File, d *corpus.Decl, name string) (out []value) {
	n := 0
	for _, b := range d.Bases {
		of, uses := strings.CutPrefix(b, "use ")
		if !uses {
			continue
		}
		if n++; n > maxUsed {
			return out
		}
		for _, m := range p.modulesNamed(f, d.Parent, of) {
			g := p.File(m.Doc)
			for _, i := range g.byName[name] {
				in := g.Decls[i].Parent
				if g.isUsing(in, m.Decl) && callable(g.Decls[i].Kind) {
					out = append(out, value{kind: function, ref: Ref{m.Doc, i}, how: "inherited"})
				}
			}
			for i := range g.Imports { // which __using__ writes into the module
				if m := &g.Imports[i]; len(m.Names) > 0 && m.In >= 0 && g.isUsing(m.In, g.Decls[m.In].Parent) && len(out) == 0 {
					out = p.ofModules(g, m.Path, name)
				}
			}
		}
	}
	return out
}

// isUsing reports whether a declaration is the macro __using__ of a module.
func (f *File) isUsing(in, module int32) bool {
	return in >= 0 && f.Decls[in].Name == using && f.Decls[in].Parent == module
}

// users adds to the names of a behaviour those of the modules that make one of what uses them.
func (p *Project) users(written []Ref, names map[string]bool) (more bool) {
	for _, r := range written {
		if d := p.Decl(r); d.Name == using && d.Parent >= 0 {
			name := p.Decl(Ref{r.Doc, d.Parent}).Name
			_, last := cutLast(name, ".")
			more = more || !names[last]
			names[name], names[last] = true, true
		}
	}
	return more
}

// withoutMacros leaves out the macros among declarations.
func (p *Project) withoutMacros(of []Ref) []Ref {
	return slices.DeleteFunc(of, func(r Ref) bool { return p.Decl(r).Kind == corpus.Macro })
}
