package haskell

import (
	"maps"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// header reads module … where, and returns the token after it.
func (r *reader) header() int {
	if r.Key(0) != scan.KModule {
		return 0
	}
	last := r.qualified(1)
	r.Out.Module = r.path(1, last)
	i := last + 1
	if end := r.Past(i); r.Is(i, "(") && r.Key(end) == scan.KWhere {
		r.exported(i)
		i = end
	}
	if r.Key(i) == scan.KWhere {
		return i + 1
	}
	for i < len(r.Toks) && !(r.Toks[i].Line && r.column(i) == 1 && r.begun(i)) { // broken
		i++
	}
	return i
}

// path returns the text from the beginning of a token to the end of another.
func (r *reader) path(from, to int) string {
	if from >= len(r.Toks) || to < from {
		return ""
	}
	return string(r.Src[r.At(from):r.End(to)])
}

// exported reads the list of exports in bracket open.
func (r *reader) exported(open int) {
	r.exports, r.modules = map[string]bool{}, map[string]bool{}
	for _, e := range r.Split(open, ",", false) {
		i := e[0]
		if r.Key(i) == scan.KModule {
			r.modules[r.path(i+1, r.qualified(i+1))] = true
			continue
		}
		set.Add(r.exports, r.names(i, e[1])...)
	}
}

// names returns what one entry of a list of imports or exports says: f, (+), T,
// T(A, b), T(..), which gives "T" and "T(..)".
func (r *reader) names(i, end int) []string {
	if r.Key(i) == scan.KType || r.Is(i, "pattern") && i+1 < end {
		i++
	}
	if r.Is(i, "(") {
		return []string{r.Str(i + 1)}
	}
	last := r.qualified(i)
	out := []string{r.Str(last)}
	if !r.Is(last+1, "(") {
		return out
	}
	for _, m := range r.Split(last+1, ",", false) {
		switch {
		case r.Is(m[0], ".."):
			out = append(out, out[0]+"(..)")
		case r.Is(m[0], "("):
			out = append(out, r.Str(m[0]+1))
		default:
			out = append(out, r.Str(m[0]))
		}
	}
	return out
}

// passOn marks the imports whose names the list of exports has; one that has others too is two. What the list has that is
// neither declared here nor imported by its name comes by an import of all names.
func (r *reader) passOn() {
	left := maps.Clone(r.exports)
	for i := range r.Out.Decls {
		delete(left, r.Out.Decls[i].Name)
	}
	for i := range r.Out.Bindings { // constructors
		delete(left, r.Out.Bindings[i].Name)
	}
	maps.DeleteFunc(left, func(name string, _ bool) bool { return strings.HasSuffix(name, "(..)") })
	var all []corpus.Import
	for _, m := range r.Out.Imports {
		var again, kept []corpus.Name
		for _, n := range m.Names {
			if r.exports[n.Name] {
				again = append(again, n)
				delete(left, n.Name)
			} else {
				kept = append(kept, n)
			}
		}
		if len(again) > 0 {
			part := m
			part.Names, part.Kind = again, m.Kind|corpus.Offers
			all = append(all, part)
		}
		if m.Names = kept; len(again) == 0 || len(kept) > 0 {
			all = append(all, m)
		}
	}
	for i := range all {
		if len(left) > 0 && slices.ContainsFunc(all[i].Names, func(n corpus.Name) bool { return n.Name == "*" }) {
			all[i].Kind |= corpus.Offers
		}
	}
	r.Out.Imports = all
}

func (r *reader) offers(name string) bool { return r.exports == nil || r.exports[name] }

// beyond reports whether token k is behind the item that began at token i.
func (r *reader) beyond(i, k int) bool {
	if k >= len(r.Toks) {
		return true
	}
	c := r.top()
	return k > i && r.Toks[k].Line && r.Column(k)+1 <= c.column || r.Toks[k].Kind == scan.Close || r.Toks[k].Kind == scan.Punct && r.Src[r.Toks[k].At] == ';'
}

// declaration reads the head of what is declared at token i.
func (r *reader) declaration(i int) {
	c := r.top()
	c.mode = skip
	switch r.Key(i) {
	case 0:
		if r.Is(i, "pattern") && r.constructor(i+1) {
			return
		}
		if i < len(r.Toks) {
			r.binding(i)
		}
	case scan.KImport:
		r.imported(i)
	case scan.KData, scan.KNewtype:
		c.where = types
		if c.kind != instance && r.Key(i+1) != scan.KInstance {
			r.data(i)
		}
	case scan.KType:
		c.where = types
		if c.kind != instance && r.Key(i+1) != scan.KInstance && !r.Is(i+1, "role") {
			r.data(i)
		}
	case scan.KClass:
		c.where = class
		r.class(i)
	case scan.KInstance:
		c.where = instance
		r.instance(i)
	case scan.KForeign:
		for k := i; !r.beyond(i, k); k++ {
			if r.Is(k+1, "::") && r.variable(k) && r.Key(i+1) == scan.KImport {
				d := r.declare(corpus.Function, i, k)
				d.Traits |= corpus.Abstract
				s := &signature{from: k + 2, to: k + 2}
				for !r.beyond(i, s.to) {
					s.to = r.Past(s.to)
				}
				_, d.Result = r.split(s)
				return
			}
		}
	}
}

// declare adds a declaration that begins at token i, whose name is token name.
func (r *reader) declare(k corpus.Kind, i, name int) *corpus.Decl {
	d := corpus.Decl{Kind: k, Name: r.Str(name), NameAt: r.At(name), Span: corpus.Span{Start: r.At(i), End: r.End(name)}}
	d.Exported = r.offers(d.Name)
	if doc := r.Doc(d.Span.Start); doc.End > doc.Start {
		d.Doc, d.Span.Start = doc, doc.Start
	}
	r.Out.Decls = append(r.Out.Decls, d)
	c := r.top()
	c.decl = len(r.Out.Decls)
	return &r.Out.Decls[c.decl-1]
}

func (r *reader) imported(i int) {
	k := i + 1
	m := corpus.Import{}
	qualified := false
	for r.Is(k, "safe") || r.Is(k, "qualified") || r.Kind(k) == scan.Text {
		qualified = qualified || r.Is(k, "qualified")
		k++
	}
	last := r.qualified(k)
	if !r.constructor(last) {
		r.Out.Missed++
		return
	}
	m.Path, m.At = r.path(k, last), r.At(k)
	open := false
	for k = last + 1; !r.beyond(i, k); k = r.Past(k) {
		switch {
		case r.Is(k, "qualified"):
			qualified = true
		case r.Is(k, "as"):
			m.Alias = r.path(k+1, r.qualified(k+1))
			k = r.qualified(k + 1)
		case r.Is(k, "hiding"):
			open = true
			k++
		case r.Is(k, "(") && !open:
			open = true
			for _, e := range r.Split(k, ",", false) {
				for _, n := range r.names(e[0], e[1]) {
					m.Names = append(m.Names, corpus.Name{Name: n})
				}
			}
			if m.Names == nil { // import M (): its instances
				qualified = true
			}
		}
	}
	if m.Names == nil && !qualified {
		m.Names = []corpus.Name{{Name: "*"}}
	}
	m.Kind.AddIf(r.modules[m.Path] || m.Alias != "" && r.modules[m.Alias], corpus.Reexport)
	r.Out.Imports = append(r.Out.Imports, m)
}

// after returns the token after the last => of the head that begins at token i.
func (r *reader) after(i int) int {
	from := i
	for k := i; !r.beyond(i, k) && r.Key(k) != scan.KWhere && !r.Is(k, "=") && !r.Is(k, "|") && !r.Is(k, "::"); k = r.Past(k) {
		if r.Is(k, "=>") {
			from = k + 1
		}
	}
	return from
}

// data reads data, newtype and type.
func (r *reader) data(i int) {
	from := r.SkipWord(i+1, "family")
	from = r.after(from)
	if !r.constructor(from) {
		return
	}
	d := r.declare(corpus.Type, i, from)
	k := from + 1
	for ; !r.beyond(i, k); k = r.Past(k) {
		if d.Body > 0 && r.Key(i) != scan.KType && r.constructs(k) && !r.Is(k, d.Name) {
			r.Bind(k, "", "", 0)
		}
		switch {
		case r.Is(k, "=") && d.Body == 0:
			if d.Body = r.At(k + 1); r.Key(i) != scan.KType {
				d.Kind = corpus.Struct
			}
		case r.Key(k) == scan.KWhere && d.Body == 0:
			d.Body = r.At(k + 1)
		case r.Is(k, "|") && r.Key(i) == scan.KData:
			d.Kind = corpus.Enum
		case r.Is(k, "{"):
			r.fields(k)
		case r.Key(k) == scan.KDeriving:
			d.Bases = append(d.Bases, r.derived(k+1)...)
		}
	}
}

// constructs reports whether token k of a data type, behind its =, is the name of a constructor.
func (r *reader) constructs(k int) bool {
	if !r.constructor(k) {
		return false
	}
	if r.Toks[k].Line && r.Is(k+1, "::") { // of a GADT
		return true
	}
	from := k // behind = or |
	for n := 0; n < 40 && from > 0 && !r.Is(from-1, "=") && !r.Is(from-1, "|"); n++ {
		if from--; r.Kind(from) == scan.Close {
			from = r.Pair(from)
		}
	}
	if r.Is(from, "forall") {
		for from < k && !r.Is(from, ".") {
			from++
		}
		from++
	}
	return from == k && !r.contextual(k) || r.Is(k-1, "=>") && from < k && r.contextual(from)
}

// contextual reports whether what begins at token k is said of a constructor: Show a => C a.
func (r *reader) contextual(k int) bool {
	for n := 0; n < 40 && !r.Is(k, "|") && !r.Is(k, "::") && k < len(r.Toks); n++ {
		if k = r.Past(k); r.Is(k, "=>") {
			return true
		}
	}
	return false
}

// derived returns the classes that are derived from token k on.
func (r *reader) derived(k int) []string {
	for r.Is(k, "stock") || r.Is(k, "anyclass") || r.Key(k) == scan.KNewtype {
		k++
	}
	if !r.Is(k, "(") {
		if r.constructor(k) {
			return []string{r.path(k, r.qualified(k))}
		}
		return nil
	}
	return slice.Map(r.Split(k, ",", false), func(e [2]int) string { return r.Quote(e[0], e[1]) })
}

// fields binds the fields in the braces at token open.
func (r *reader) fields(open int) {
	end := min(r.Pair(open), len(r.Toks))
	var names []int
	for k := open + 1; k < end; k++ {
		if !r.Is(k, "::") {
			if r.variable(k) {
				names = append(names, k)
			}
			continue
		}
		from := k + 1
		for k = from; k < end && !r.Is(k, ","); k = r.Past(k) {
		}
		for _, n := range names {
			r.Bind(n, r.Quote(from, k), "", 0)
		}
		names = nil
	}
}

func (r *reader) class(i int) {
	from := r.after(i + 1)
	if !r.constructor(from) {
		return
	}
	d := r.declare(corpus.Trait, i, from)
	if from > i+1 {
		d.Bases = r.listed(i+1, from-1)
	}
}

// listed returns what stands from token i up to, without, token end: one thing, or
// several in parentheses.
func (r *reader) listed(i, end int) []string {
	if !r.Is(i, "(") || r.Past(i) != end {
		return []string{r.Quote(i, end)}
	}
	return slice.Map(r.Split(i, ",", false), func(e [2]int) string { return r.Quote(e[0], e[1]) })
}

// instance reads instance C (T a): it is of T, which gets C. What has no constructor is named as it is written, a list
// [a], and a type variable alone as the class.
func (r *reader) instance(i int) {
	from := r.after(i + 1)
	last := r.qualified(from)
	if !r.constructor(last) {
		return
	}
	of := last + 1
	name := of
	if r.Is(of, "(") {
		name++
	}
	name = r.qualified(name)
	whole := ""
	if !r.constructor(name) || r.beyond(i, name) || r.holds(of, "->") || r.holds(of, ",") {
		if name = last; r.Kind(of) == scan.Open && !r.beyond(i, of) {
			if t := r.path(of, r.Past(of)-1); len(t) < 80 && !strings.Contains(t, "\n") {
				name, whole = of, t
			}
		}
	}
	d := r.declare(corpus.Class, i, name)
	if whole != "" {
		d.Name, d.Span.End = whole, d.NameAt+len(whole)
	}
	d.Traits |= corpus.Extension
	d.Bases = []string{r.path(from, last)}
	d.Exported = true
}

// holds reports whether the bracket at token open has a sign right in it: (a -> b), (a, b).
func (r *reader) holds(open int, sign string) bool {
	if r.Kind(open) != scan.Open {
		return false
	}
	for k := open + 1; k < r.Pair(open); k = r.Past(k) {
		if r.Is(k, sign) {
			return true
		}
	}
	return false
}

// split returns the types of the arguments and of the result of a signature.
func (r *reader) split(s *signature) (params []string, result string) {
	from := s.from
	for k := from; k < s.to; k = r.Past(k) {
		switch {
		case r.Is(k, "=>"), r.Is(k, ".") && r.Is(from, "forall"):
			from, params = k+1, nil
		case r.Is(k, "->"):
			params = append(params, r.Quote(from, k))
			from = k + 1
		}
		if len(params) > 100 {
			break
		}
	}
	return params, strings.TrimSpace(r.Quote(from, s.to))
}

// abstract declares the methods of a class that it only names.
func (r *reader) abstract(c *context) {
	for _, s := range c.order {
		if s.bound {
			continue
		}
		d := corpus.Decl{Kind: corpus.Method, Name: r.Str(s.name), NameAt: r.At(s.name), Traits: corpus.Abstract | corpus.Open, Exported: r.method(c, r.Str(s.name))}
		d.Span = corpus.Span{Start: d.NameAt, End: r.End(s.name)}
		if s.alone {
			d.Doc = s.doc
			d.Span = corpus.Span{Start: s.start, End: max(r.End(s.to-1), d.Span.End)}
		}
		d.Body = d.Span.End
		_, d.Result = r.split(s)
		r.Out.Decls = append(r.Out.Decls, d)
	}
}

// method reports whether a method of a class is exported.
func (r *reader) method(c *context, name string) bool {
	return r.offers(name) || c.owner > 0 && r.exports[r.Out.Decls[c.owner-1].Name+"(..)"]
}
