package facts

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// qualified reports whether a name says its namespace, as PHP writes that.
func qualified(lang, name string) bool { return lang == "php" && strings.IndexByte(name, '\\') >= 0 }

// unspaced returns the last word of a name that may say its namespace: by that it is declared.
func unspaced(name string) string {
	_, last := cutLast(name, `\`)
	return last
}

// inNamespace returns what a qualified name of PHP means: \A\B from the top, A\B below what an
// import calls A, or below the namespace of the file.
func (p *Project) inNamespace(f *File, name string) []value {
	whole, absolute := strings.CutPrefix(name, `\`)
	if !absolute {
		first, rest, _ := strings.Cut(name, `\`)
		if whole = strings.TrimPrefix(f.Module+`\`+name, `\`); first == "namespace" {
			whole = strings.TrimPrefix(f.Module+`\`+rest, `\`)
		}
		for i := range f.Imports {
			if m := &f.Imports[i]; m.Kind&(corpus.Relative|corpus.Dynamic) == 0 && len(m.Names) == 0 && p.namedBy(f, m, first) {
				whole = strings.TrimPrefix(m.Path, `\`) + `\` + rest
			}
		}
	}
	if vs := p.exported(p.importPHP(f.Doc, whole).Docs, unspaced(whole)); len(vs) > 0 {
		return vs
	}
	return []value{{kind: external}}
}

// wholeMeans returns what a name of PHP means that is written with its namespaces.
func (p *Project) wholeMeans(f *File, x syntax.Use) (out []Place, what outcome) {
	for _, v := range p.inNamespace(f, x.Whole) {
		switch v.kind {
		case function, class:
			out = append(out, p.placed(v.ref, Exact, "import"))
		case external:
			what = outer
		}
	}
	if len(out) > 0 {
		return out, resolved
	}
	return nil, what
}

// inSpace returns the functions that a call in C++ names by their namespace, a::f(): more files may open one than are
// values of its name.
func (p *Project) inSpace(f *File, c *corpus.Call) (out []target) {
	of, around := dotted(c.Receiver), ""
	if c.In >= 0 {
		around = dotted(f.Decls[c.In].Scope)
	}
	if f.Lang != "clang" || strings.ContainsAny(of, "([?#@{") {
		return nil
	}
	for _, r := range p.declared(f.Doc, c.Callee) {
		d := p.Decl(r)
		if !callable(d.Kind) || d.Parent < 0 || !namespace(p.File(r.Doc).Decls[d.Parent].Kind) || c.Args >= 0 && !p.takes(r, int(c.Args)) {
			continue
		}
		scope := dotted(d.Scope)
		if outer, in := strings.CutSuffix(scope, "."+of); scope == of || in && strings.HasPrefix(around+".", outer+".") {
			out = append(out, target{r, Likely, "receiver"})
		}
	}
	if len(out) > 1 && !p.oneOf(f, out) {
		return nil
	}
	return out
}

// inNearestSpace keeps, of functions of C++ that have one name in several namespaces, those of the innermost namespace around a
// declaration that has some.
func (p *Project) inNearestSpace(f *File, in int32, vs []value) []value {
	if f.Lang != "clang" || in < 0 || len(vs) < 2 {
		return vs
	}
	for space := dotted(f.Decls[in].Scope); space != ""; space, _ = cutLast(space, ".") {
		isOther := func(v value) bool {
			return v.kind != function || dotted(p.namespaceOf(p.File(v.ref.Doc), p.Decl(v.ref))) != space
		}
		if near := slices.DeleteFunc(slices.Clone(vs), isOther); len(near) > 0 {
			return near
		}
	}
	return vs
}

// dotted returns a scope of C++ as chains write it.
func dotted(scope string) string { return strings.ReplaceAll(scope, "::", ".") }
