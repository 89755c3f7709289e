package facts

import "slices"

// clauses keeps the first of the clauses that a function is written in.
func (p *Project) clauses(ts []target) (out []target) {
	for _, t := range ts {
		if !slices.ContainsFunc(out, func(o target) bool { return p.SameFunction(o.ref, t.ref) }) {
			out = append(out, t)
		}
	}
	return out
}

// SameFunction reports whether two declarations are clauses of one function, as Elixir
// writes them.
func (p *Project) SameFunction(a, b Ref) bool {
	if a.Doc != b.Doc || a.Decl < 0 || b.Decl < 0 || p.File(a.Doc).Lang != "elixir" {
		return false
	}
	return p.Decl(a).Qualified() == p.Decl(b).Qualified()
}

// FirstClause returns the clause that a function begins with, or the declaration itself.
func (p *Project) FirstClause(r Ref) Ref {
	if r.Decl < 0 {
		return r
	}
	f := p.File(r.Doc)
	for _, i := range f.byName[f.Decls[r.Decl].Name] {
		if i < r.Decl && p.SameFunction(Ref{r.Doc, i}, r) {
			return Ref{r.Doc, i}
		}
	}
	return r
}
