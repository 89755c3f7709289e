package ecma

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// placed adds to a kind of import where it stands.
func (r *reader) placed(k corpus.ImportKind) corpus.ImportKind {
	if r.branch > 0 || r.inside > 0 {
		k |= corpus.Conditional
	}
	return k
}

// take records the import of the string at token i; false where that is none.
func (r *reader) take(i int, m corpus.Import) bool {
	if m.Path, m.At = r.literal(i); m.Path == "" {
		return false
	}
	m.Kind = r.placed(m.Kind)
	r.Out.Imports = append(r.Out.Imports, m)
	return true
}

// imported reads the import statement whose import is token i.
func (r *reader) imported(i, end int, kind corpus.ImportKind) int {
	k := i + 1
	if r.text(k) {
		r.take(k, corpus.Import{Kind: kind})
		return r.clause(k+1, end)
	}
	if r.key(k) == scan.KType && !r.Sign(k+1, ',') && (r.key(k+1) != scan.KFrom || r.key(k+2) == scan.KFrom) && !r.Sign(k+1, '=') && k+1 < end {
		kind |= corpus.TypeOnly
		k++
	}
	if r.Word(k) && r.Sign(k+1, '=') {
		return r.alike(k, end, kind)
	}
	var names []corpus.Name
	if r.Word(k) && k < end {
		names = append(names, corpus.Name{Name: "default", Alias: r.Str(k)})
		k = r.SkipSign(k+1, ',')
	}
	switch {
	case r.Sign(k, '*') && r.key(k+1) == scan.KAs && r.Word(k+2):
		names = append(names, corpus.Name{Name: "*", Alias: r.Str(k + 2)})
		k += 3
	case k < end && r.Sign(k, '{'):
		names = append(names, r.specifiers(k, end)...)
		k = r.past(k, end)
	}
	if k < end && r.key(k) == scan.KFrom && r.take(k+1, corpus.Import{Names: names, Kind: kind}) {
		return r.clause(k+2, end)
	}
	r.Out.Missed++
	return min(max(k, i+1), end)
}

// alike reads import x = …, where x is token i.
func (r *reader) alike(i, end int, kind corpus.ImportKind) int {
	v := i + 2
	if r.key(v) == scan.KRequire && r.Sign(v+1, '(') {
		r.take(v+2, corpus.Import{Alias: r.Str(i), Kind: kind})
		return r.semicolon(r.past(v+1, end), end)
	}
	k := r.skip(v, end)
	r.bind(corpus.Binding{Name: r.Str(i), Value: r.valued(v, k), At: r.At(i)})
	return r.semicolon(max(k, i+1), end)
}

// clause returns the token after the attributes of an import that may begin at
// token i, and the semicolon.
func (r *reader) clause(i, end int) int {
	if i < end && (r.key(i) == scan.KWith || r.Is(i, "assert")) && !r.Toks[i].Line && r.Sign(i+1, '{') {
		i = r.past(i+1, end)
	}
	return r.semicolon(min(i, end), end)
}

// specifiers returns the names in the braces at token open.
func (r *reader) specifiers(open, end int) []corpus.Name {
	stop := min(r.close(open, end), end)
	var names []corpus.Name
	for i := open + 1; i < stop; i++ {
		if r.Sign(i, ',') {
			continue
		}
		if r.key(i) == scan.KType && i+1 < stop && !r.Sign(i+1, ',') && (r.key(i+1) != scan.KAs || r.key(i+2) == scan.KAs && i+3 < stop && !r.Sign(i+3, ',')) {
			i++
		}
		n := corpus.Name{Name: r.specifier(i)}
		if i+2 < stop && r.key(i+1) == scan.KAs {
			n.Alias = r.specifier(i + 2)
			i += 2
		}
		if n.Name != "" {
			names = append(names, n)
		}
	}
	return names
}

func (r *reader) specifier(i int) string {
	if r.Word(i) {
		return r.Str(i)
	}
	name, _ := r.literal(i)
	return name
}

// exported reads the export at token i.
func (r *reader) exported(i, end int) int {
	k := i + 1
	kind := corpus.Reexport
	if r.key(k) == scan.KType && (r.Sign(k+1, '{') || r.Sign(k+1, '*')) {
		kind |= corpus.TypeOnly
		k++
	}
	switch {
	case k >= end:
		return k
	case r.Sign(k, '*'):
		names := []corpus.Name{{Name: "*"}}
		if k++; r.key(k) == scan.KAs && k+1 < end {
			names[0].Alias = r.specifier(k + 1)
			k += 2
		}
		if r.key(k) == scan.KFrom && r.take(k+1, corpus.Import{Names: names, Kind: kind}) {
			return r.clause(k+2, end)
		}
		return min(k, end)
	case r.Sign(k, '{'):
		open, names := k, r.specifiers(k, end)
		k = r.past(k, end)
		if k < end && r.key(k) == scan.KFrom && r.take(k+1, corpus.Import{Names: names, Kind: kind}) {
			return r.clause(k+2, end)
		}
		r.renamed(names, open)
		return r.semicolon(k, end)
	case r.Sign(k, '='):
		if r.Word(k+1) && r.ends(k+2, end) {
			r.offered = append(r.offered, r.Str(k+1))
		}
		return r.semicolon(max(r.expr(k+1, end, comma), k+1), end)
	case r.key(k) == scan.KImport && r.ts && !r.Sign(k+1, '('):
		return r.imported(k, end, corpus.Reexport)
	case r.key(k) == scan.KAs && r.ts:
		return r.semicolon(min(k+3, end), end) // export as namespace X
	case r.key(k) == scan.KDefault:
		return r.standard(i, k+1, end)
	}
	if n := r.declared(k, end, target{start: i, exported: true}); n > k {
		return n
	}
	return k
}

// renamed records the names in the braces at token open as exported: those that are
// others than the text's own as names that hold these.
func (r *reader) renamed(names []corpus.Name, open int) {
	i := open + 1
	for _, n := range names {
		r.offered = append(r.offered, n.Name)
		if n.Alias == "" {
			continue
		}
		for r.key(i) != scan.KAs || r.specifier(i-1) != n.Name || r.specifier(i+1) != n.Alias {
			i++
		}
		r.bind(corpus.Binding{Name: n.Alias, Value: n.Name, At: r.At(i + 1)})
		i++
	}
}

// standard reads what the export default at token i exports, from token k on.
func (r *reader) standard(i, k, end int) int {
	t := target{start: i, exported: true}
	switch r.key(k) {
	case scan.KFunction, scan.KClass, scan.KAsync, scan.KAbstract, scan.KInterface, 0:
		mark := len(r.Out.Decls)
		if n := r.declared(k, end, t); n > k && (r.key(k) != 0 || r.Sign(k, '@')) {
			if mark < len(r.Out.Decls) {
				r.bind(corpus.Binding{Name: "default", Value: r.Out.Decls[mark].Name, At: r.Out.Decls[mark].NameAt})
			}
			return n
		}
	}
	if r.Word(k) && r.ends(k+1, end) {
		r.offered = append(r.offered, r.Str(k))
	}
	if r.Sign(k, '{') {
		return r.semicolon(r.whole(k, end), end)
	}
	at := len(r.Out.Bindings)
	r.bind(corpus.Binding{Name: "default", At: r.At(k)})
	next := max(r.expr(k, end, comma), k)
	r.Out.Bindings[at].Type, r.Out.Bindings[at].Value = r.origin(k, next)
	return r.semicolon(next, end)
}

// whole reads the object literal at token i as what the text exports: its properties are
// what an importer takes.
func (r *reader) whole(i, end int) int {
	r.bind(corpus.Binding{Name: "default", Value: "module.exports", At: r.At(i)})
	return r.assigned(i, end, literal{public: true, fields: true})
}

// dynamic records the import by the call whose name is token i.
func (r *reader) dynamic(i, end int) {
	if r.alone(i + 1) {
		r.take(i+2, corpus.Import{Kind: corpus.Dynamic})
	}
}

// loaded returns the import that the value from token v to token end begins with,
// and the token after it; nil where there is none.
func (r *reader) loaded(v, end int) (*corpus.Import, int) {
	if r.key(v) == scan.KAwait {
		v++
	}
	if k := r.key(v); k != scan.KRequire && k != scan.KImport || !r.Sign(v+1, '(') || len(r.Out.Imports) == 0 {
		return nil, 0
	}
	at := r.At(v+2) + 1
	for n := len(r.Out.Imports) - 1; n >= 0 && r.Out.Imports[n].At >= at; n-- {
		if m := &r.Out.Imports[n]; m.At == at && m.Kind&corpus.Dynamic != 0 {
			return m, r.past(v+1, end)
		}
	}
	return nil, 0
}

// required gives the import in the value from token v to token end the name it is
// assigned to.
func (r *reader) required(v, end int, name string) {
	m, k := r.loaded(v, end)
	switch {
	case m == nil:
	case k == end:
		m.Alias = name
	case k+2 == end && r.Sign(k, '.') && r.Word(k+1):
		m.Names = []corpus.Name{{Name: r.Str(k + 1), Alias: name}}
		if m.Names[0].Name == name {
			m.Names[0].Alias = ""
		}
	}
}

// picked gives the import in the value from token v to token end the names that
// the pattern at token open takes of it.
func (r *reader) picked(v, end, open int) {
	m, k := r.loaded(v, end)
	if m == nil || k != end || !r.Sign(open, '{') {
		return
	}
	stop := r.close(open, v)
	for i := open + 1; i < stop; i++ {
		if !r.Word(i) {
			continue
		}
		n := corpus.Name{Name: r.Str(i)}
		if r.Sign(i+1, ':') && r.Word(i+2) {
			n.Alias = r.Str(i + 2)
			i += 2
		}
		m.Names = append(m.Names, n)
		for i+1 < stop && !r.Sign(i+1, ',') {
			i = r.past(i+1, stop) - 1
		}
	}
}
