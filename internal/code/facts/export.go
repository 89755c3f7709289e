package facts

import (
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// An offer is a name that a document offers to others.
type offer struct {
	doc  int
	name string
}

// exported returns what files offer under a name: what they declare, and what
// they pass on.
func (p *Project) exported(docs []int, name string) []value {
	for _, d := range docs {
		if got := p.offered(offer{d, name}); len(got) > 0 {
			return got
		}
	}
	return nil
}

// offered is exported for one file. Files pass on what others pass on, in circles
// too: what is being looked for already is nothing, and only what the first
// question of a circle found is kept.
func (p *Project) offered(o offer) []value {
	if got, ok := p.offers[o]; ok {
		return got
	}
	if got, ok := p.asking[o]; ok {
		return got
	}
	first := len(p.asking) == 0
	p.asking[o] = nil
	got := p.offer(p.File(o.doc), o.name)
	p.asking[o] = got
	if first {
		clear(p.asking)
		p.offers[o] = got
	}
	return got
}

// returnedMember returns a member of what a file gives to those that import it: in Lua of its table, or what is put into that.
func (p *Project) returnedMember(f *File, name string) []value {
	var all []value
	for of, vs := range p.returned(f) {
		got := p.each(vs, func(v value) []value { return p.member(f, v, name) })
		isMadeAnew := len(f.bound[of]) > 1
		if len(got) == 0 && !isMadeAnew {
			for _, i := range f.bound[of+"."+name] {
				if f.Bindings[i].In < 0 {
					got = append(got, p.source(f, i)...)
				}
			}
		}
		all = append(all, got...)
	}
	return choice(all) // one of several is a guess, because either branch may run
}

// returned returns the chains that a file gives to those that import it, where its statements say so, with what they are.
func (p *Project) returned(f *File) iter.Seq2[string, []value] {
	return func(yield func(string, []value) bool) {
		for _, i := range f.bound["()"] {
			b := &f.Bindings[i]
			if b.In < 0 && b.Value != "" && syntax.Has(f.Lang, "files-return-modules") && !yield(b.Value, p.eval(f, -1, b.At, b.Value)) {
				return
			}
		}
	}
}

func (p *Project) offer(f *File, name string) []value {
	if f.Lang == "zig" {
		for i := range f.Imports {
			if m := &f.Imports[i]; m.Alias == name {
				if got := p.Import(f.Doc, m); len(got.Docs) > 0 {
					return []value{{kind: module, docs: got.Docs, how: "import"}}
				}
			}
		}
	}
	if got := p.returnedMember(f, name); len(got) > 0 {
		return got
	}
	if got := p.inFile(f, 0, name, "import"); len(got) > 0 {
		return got
	}
	if got := p.passedOn(f, name); len(got) > 0 {
		return got
	}
	for _, i := range f.bound[name] {
		if b := &f.Bindings[i]; b.In < 0 || name == "default" && f.Decls[b.In].Name == b.Value {
			return p.binding(f, i)
		}
	}
	if f.Lang == "ecma" {
		for _, of := range [...]string{".", "exports.", "module.exports."} {
			for _, i := range f.bound[of+name] {
				if f.Bindings[i].In < 0 {
					return p.binding(f, i)
				}
			}
		}
	}
	if f.Lang == "python" && strings.HasPrefix(path.Base(f.Path), "__init__.") {
		if sub := p.pythonModule(path.Join(path.Dir(f.Path), name)); len(sub) > 0 {
			return []value{{kind: module, docs: sub, how: "import"}}
		}
	}
	if f.Lang == "rust" {
		if got := p.rustModules(p.rustModule(path.Join(p.rustFolderOf(f.Path, name), name))); len(got) > 0 {
			return got
		}
	}
	if f.Lang == "ecma" && name == "default" {
		if got := p.defaultExport(f); len(got) > 0 {
			return got
		}
	}
	return nil
}

// passedOn follows what a file imports and offers again.
func (p *Project) passedOn(f *File, name string) []value {
	for i := range f.Imports {
		m := &f.Imports[i]
		again, some := m.Kind&corpus.Reexport != 0, m.Kind&corpus.Offers != 0
		if !again && !some && f.Lang != "python" && f.Lang != "ecma" {
			continue
		}
		for _, n := range m.Names {
			switch {
			case n.Name == "*" && n.Alias == "" && (again || f.Lang == "python"):
				if got := p.Import(f.Doc, m); len(got.Docs) > 0 && got.Docs[0] != f.Doc {
					if vs := p.exported(got.Docs, name); len(vs) > 0 {
						return vs
					}
				}
			case n.Name == "*" && n.Alias == "" && some:
				if got := p.Import(f.Doc, m); len(got.Docs) > 0 && got.Docs[0] != f.Doc {
					if vs := p.exported(got.Docs, name); len(vs) > 0 {
						return guessed(vs) // another import of all names may have it too
					}
				}
			case n.Local() == name:
				if got := p.Import(f.Doc, m); len(got.Docs) > 0 {
					if n.Name == "*" {
						return []value{{kind: module, docs: got.Docs, how: "import"}}
					}
					if vs := p.exported(got.Docs, n.Name); len(vs) > 0 {
						return vs
					}
					if f.Lang == "python" {
						return p.taken(f, m, n)
					}
				}
			}
		}
		if vs := p.withClass(f, m, name); len(vs) > 0 {
			return vs
		}
		if len(m.Names) > 0 {
			continue
		}
		if f.Lang == "rust" {
			_, last := cutLast(m.Path, "::")
			if got := p.Import(f.Doc, m); len(got.Docs) > 0 && (last == name || m.Alias == name) {
				return p.leaf(f, m, got)
			} else if last == "*" && len(got.Docs) > 0 {
				if vs := p.exported(got.Docs, name); len(vs) > 0 {
					return vs
				}
			}
		} else if f.Lang == "python" && p.namedBy(f, m, name) {
			if got := p.Import(f.Doc, m); len(got.Docs) > 0 {
				return []value{{kind: module, docs: got.Docs, how: "import"}}
			}
		}
	}
	return nil
}

// defaultExport guesses what a file exports without a name: what is marked so,
// what is named as the file is, or the only thing it exports.
func (p *Project) defaultExport(f *File) []value {
	stem := path.Base(f.Path)
	stem = upTo(stem, ".")
	only := int32(-1)
	n := 0
	for i := range f.Decls {
		d := &f.Decls[i]
		if d.Parent >= 0 || d.Scope != "" || !callable(d.Kind) && !classLike(d.Kind) {
			continue
		}
		if slices.Contains(d.Marks, "default") {
			return p.declaredAs(Ref{f.Doc, int32(i)}, "import")
		}
		if strings.EqualFold(d.Name, stem) {
			return guessed(p.declaredAs(Ref{f.Doc, int32(i)}, "import"))
		}
		if d.Exported {
			only = int32(i)
			n++
		}
	}
	if n == 1 {
		return guessed(p.declaredAs(Ref{f.Doc, only}, "import"))
	}
	return nil
}

// guessed marks values as likely at most.
func guessed(vs []value) []value {
	out := slices.Clone(vs)
	for i := range out {
		out[i].guess = true
	}
	return out
}
