package facts

import "strings"

// Outside returns the calls of a name that mean no declaration of the project, with what
// became of all calls that are written so: of "Name" all that lead nowhere, of "Scope.Name"
// those of a receiver that ends so. They are sure where the receiver is from elsewhere.
func (p *Project) Outside(name string) ([]Edge, Tally) {
	scope, last := cutLast(strings.NewReplacer("::", ".", "#", ".", "()", "").Replace(name), ".")
	var edges []Edge
	var tally Tally
	for _, doc := range p.src.Keyed(Key(Called, last)) {
		f := p.File(doc)
		for i := range f.Calls {
			c := &f.Calls[i]
			if c.Callee != last || scope != "" && c.Receiver != scope && !strings.HasSuffix(c.Receiver, "."+scope) {
				continue
			}
			ts, what := p.worded(f, c)
			tally.count(what)
			if len(ts) > 0 || what == read {
				continue
			}
			e := Edge{From: Ref{doc, p.caller(f, c.In)}, To: Ref{-1, -1}, At: c.At, Sure: NameOnly, How: "outside"}
			switch {
			case what == outer && scope != "":
				e.Sure = Exact
			case what == outer:
				e.Sure = Likely
			}
			edges = append(edges, e)
		}
	}
	sortEdges(p, edges)
	return edges, tally
}
