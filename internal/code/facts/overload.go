package facts

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// overloads keeps, of several functions of one name and class, those that take so
// many arguments, and of these the ones whose parameters fit them best.
func (p *Project) overloads(f *File, c *corpus.Call, ts []target) []target {
	ts = uniqueTargets(ts)
	if len(ts) < 2 || c.Args < 0 {
		return ts
	}
	fit := ts[:0:0]
	for _, t := range ts {
		d := p.Decl(t.ref)
		if !callable(d.Kind) || p.takes(t.ref, int(c.Args)) {
			fit = append(fit, t)
		}
	}
	if len(fit) == 0 {
		return ts
	}
	fit = p.labelled(f, c, fit)
	if len(fit) > 1 && f.Lang == "csharp" {
		fit = p.unhidden(fit)
	}
	if len(fit) > 1 && f.Lang == "jvm" {
		fit = p.nearest(p.fitting(f, c, fit))
	}
	return fit
}

// unhidden drops, of several methods of C#, those of bases and interfaces that a method of the class takes the place of:
// one before them with parameters of the same types.
func (p *Project) unhidden(ts []target) (out []target) {
	for _, t := range ts {
		d := p.Decl(t.ref)
		if !slices.ContainsFunc(out, func(o target) bool {
			e := p.Decl(o.ref)
			return (o.ref.Doc != t.ref.Doc || e.Parent != d.Parent) && slices.EqualFunc(e.Params, d.Params, func(a, b string) bool { return parameterOf(a) == parameterOf(b) })
		}) {
			out = append(out, t)
		}
	}
	return out
}

// parameterOf returns the type of a parameter of C# as written, without what it is given by default.
func parameterOf(s string) string {
	s, _, _ = strings.Cut(s, "=")
	s = strings.TrimSpace(s)
	if i := strings.LastIndexByte(s, ' '); i > 0 {
		s = s[:i]
	}
	_, s = cutLast(strings.TrimSuffix(s, "?"), " ")
	if _, last := cutLast(s, "."); !strings.ContainsAny(s, "<(") {
		return last // System.IO.Stream is Stream
	}
	return s
}

// maxOverloads is of how many functions of one name and place a call still says which: it is one of them.
const maxOverloads = 8

// oneOf reports whether targets are functions of one name and scope, in languages where parameters tell
// which of them is meant and are not weighed here.
func (p *Project) oneOf(f *File, ts []target) bool {
	switch p.Docs[f.Doc].Language {
	case "csharp", "cpp", "swift", "kotlin", "scala":
	default:
		return false
	}
	if len(ts) > maxOverloads {
		return false
	}
	first := p.Decl(ts[0].ref)
	scope := p.scopeOf(ts[0].ref)
	return !slices.ContainsFunc(ts, func(t target) bool {
		d := p.Decl(t.ref)
		return !callable(d.Kind) || d.Name != first.Name || p.scopeOf(t.ref) != scope
	})
}

// scopeOf returns the names of what is around a declaration.
func (p *Project) scopeOf(r Ref) string {
	f := p.File(r.Doc)
	d := &f.Decls[r.Decl]
	names := d.Scope
	for d.Parent >= 0 {
		d = &f.Decls[d.Parent]
		names = d.Scope + "." + d.Name + "." + names
	}
	return names
}

// nearest drops, of functions that fit alike, those of classes further up than the
// first one's.
func (p *Project) nearest(ts []target) []target {
	if len(ts) < 2 {
		return ts
	}
	first := ts[0].ref
	return slices.DeleteFunc(ts, func(t target) bool {
		return t.ref.Doc != first.Doc || p.Decl(t.ref).Parent != p.Decl(first).Parent
	})
}

// takes reports whether a function can be called with n arguments.
func takes(d *corpus.Decl, n int) bool {
	least, most := 0, 0
	for i, s := range d.Params {
		if i == 0 && (s == "self" || s == "cls" || strings.HasSuffix(s, "self")) {
			continue
		}
		switch {
		case variadic(s):
			return n >= least
		case strings.Contains(s, "=") && !strings.Contains(s, "=>") || strings.Contains(s, "?:") || strings.HasSuffix(s, "?"):
			most++
		default:
			least++
			most++
		}
	}
	return n >= least && n <= most
}

// variadic reports whether a parameter, as written, takes any number of arguments.
func variadic(s string) bool {
	return strings.Contains(s, "...") || strings.HasPrefix(s, "*") || strings.HasPrefix(s, "vararg ") || strings.HasPrefix(s, "params ")
}

// fitting keeps the functions that the types of the arguments fit best. Where no
// type is known, or none fits, it keeps all.
func (p *Project) fitting(f *File, c *corpus.Call, ts []target) []target {
	types := p.argumentTypes(f, c)
	best, kept := -1, ts[:0:0]
	for _, t := range ts {
		score, ok := p.fits(t.ref, types)
		if !ok || score < best {
			continue
		}
		if score > best {
			best, kept = score, kept[:0]
		}
		kept = append(kept, t)
	}
	if len(kept) == 0 {
		return ts
	}
	return kept
}

// argumentTypes returns what is known of the arguments of a call.
func (p *Project) argumentTypes(f *File, c *corpus.Call) [][]value {
	args := commas(c.Given)
	types := make([][]value, c.Args)
	for i := range min(len(args), len(types)) {
		switch args[i] {
		case "", "null":
		default:
			types[i] = p.eval(f, c.In, c.At, args[i])
		}
	}
	return types
}

// How well an argument fits a parameter.
const (
	fitsNot  = 0
	fitsAny  = 10 // nothing is known against it
	fitsWide = 20 // less the steps of widening
	fitsSame = 30
)

// fits returns how well arguments of these types fit a function's parameters, and
// whether they do.
func (p *Project) fits(ref Ref, types [][]value) (score int, ok bool) {
	params := p.firstParams(ref)
	spread := len(params) > 0 && variadic(params[len(params)-1])
	if !spread {
		score = 1 // of two that fit alike, the one that names each argument
	}
	for i, vs := range types {
		if len(params) == 0 {
			return 0, false
		}
		k := min(i, len(params)-1)
		t := parameterType(params[k])
		if language := p.Docs[ref.Doc].Language; language == "scala" || language == "kotlin" {
			t = typeBehind(params[k])
		}
		if spread && k == len(params)-1 {
			one := strings.Replace(t, "...", "", 1)
			if whole := p.suits(ref, one+"[]", vs); len(types) == len(params) && whole > fitsAny {
				score += whole
				continue
			}
			t = one
		}
		s := p.suits(ref, t, vs)
		if s == fitsNot {
			return 0, false
		}
		score += s
	}
	return score, true
}

// typeBehind returns the type of a parameter of Scala or Kotlin as written: x: => T = y.
func typeBehind(s string) string {
	_, t, _ := strings.Cut(s, ":")
	if i := strings.Index(t, " = "); i > 0 {
		t = t[:i]
	}
	t = strings.TrimPrefix(strings.TrimSpace(t), "=> ")
	t = upTo(t, "[")
	return t
}

// parameterType returns the type of a Java parameter as written: "final List<T> x".
func parameterType(s string) string {
	for strings.HasPrefix(s, "@") {
		_, rest, ok := strings.Cut(s, " ")
		if !ok {
			return s
		}
		s = rest
	}
	s = strings.TrimPrefix(strings.TrimSpace(s), "final ")
	for strings.HasPrefix(s, "@") {
		_, rest, ok := strings.Cut(s, " ")
		if !ok {
			return s
		}
		s = rest
	}
	i := strings.LastIndexByte(s, ' ')
	if i < 0 {
		return s
	}
	name, dims := s[i+1:], ""
	for strings.HasSuffix(name, "[]") { // T x[]
		name, dims = name[:len(name)-2], dims+"[]"
	}
	return strings.TrimSpace(s[:i]) + dims
}

// suits returns how well a value goes where type t is asked for, as written in ref.
func (p *Project) suits(ref Ref, t string, vs []value) int {
	best := fitsNot
	seen := false
	for _, v := range vs {
		s := fitsAny
		switch {
		case v.kind != instance:
		case v.typ != "":
			s = p.converts(v, ref, t)
		default:
			s = p.isA(v.ref, ref, t)
		}
		seen = true
		best = max(best, s)
	}
	if !seen {
		return fitsAny
	}
	return best
}

// converts returns how well an instance of a written type goes where t is asked for.
func (p *Project) converts(v value, ref Ref, t string) int {
	from, fromDims := dimensions(v.typ)
	to, toDims := dimensions(t)
	if fromDims != toDims {
		switch {
		case fromDims > toDims && typeParameter(to):
			return fitsAny + 1
		case fromDims > toDims && to == "Object": // an array is an object, and so is what one of arrays holds
			return fitsAny + min(toDims, 1)
		}
		if toDims == 0 && fromDims == 0 || typeParameter(from) && fromDims < toDims {
			return fitsAny
		}
		return fitsNot
	}
	if from == to {
		return fitsSame
	}
	a, b := slices.Index(syntax.Words("jvm", "primitives"), from), slices.Index(syntax.Words("jvm", "primitives"), to)
	switch {
	case a >= 0 && b >= 0:
		if fromDims > 0 || from == "boolean" || to == "boolean" || a > b || to == "char" {
			return fitsNot
		}
		return fitsWide + 6 - (b - a)
	case a >= 0 && fromDims > 0, b >= 0 && toDims > 0:
		return fitsNot // int[] is no Object[]
	case a >= 0:
		switch {
		case to == syntax.Words("jvm", "boxes")[a]:
			return fitsAny + 6
		case to == "Object" || typeParameter(to):
			return fitsAny + 4
		case to == "Number" || to == "Comparable" || to == "Serializable":
			return fitsAny + 5
		}
		return fitsNot
	case b >= 0:
		if k := slices.Index(syntax.Words("jvm", "boxes"), from); k >= 0 {
			// What an object is, Object too, comes before what is in it.
			if k == b {
				return fitsAny - 1
			}
			return max(fitsNot, p.converts(value{kind: instance, typ: syntax.Words("jvm", "primitives")[k], ref: v.ref}, ref, t)-fitsWide+2)
		}
		if syntax.Has(from, "library-bases") {
			return fitsNot
		}
		return fitsAny
	}
	return p.widens(v, ref, from, to)
}

// widens returns how well one class goes where another is asked for.
func (p *Project) widens(v value, ref Ref, from, to string) int {
	switch {
	case to == "Object":
		return fitsAny + 1
	case typeParameter(to):
		return fitsAny + 2
	case typeParameter(from):
		return fitsAny
	}
	if ups := syntax.Words(from, "library-bases"); len(ups) > 0 {
		if k := slices.Index(ups, to); k >= 0 {
			return fitsWide + 5 - min(k, 4)
		}
		if sealed.Has(from) || syntax.Has(to, "library-bases") || slices.Contains(syntax.Words("jvm", "boxes"), to) {
			return fitsNot
		}
	}
	for _, c := range p.classes(v) {
		return p.isA(c, ref, to)
	}
	if syntax.Has(from, "library-bases") && len(p.classes(value{kind: instance, typ: to, ref: ref})) > 0 {
		return fitsNot
	}
	return fitsAny
}

// isA returns how well an instance of class c goes where t is asked for.
func (p *Project) isA(c, ref Ref, t string) int {
	to, dims := dimensions(t)
	switch {
	case dims > 0, slices.Contains(syntax.Words("jvm", "primitives"), to):
		return fitsNot
	case to == "Object":
		return fitsAny + 1
	case typeParameter(to):
		return fitsAny + 2
	}
	want := p.classes(value{kind: instance, typ: to, ref: ref})
	if slices.Contains(want, c) {
		return fitsSame
	}
	level := []Ref{c}
	outside := false
	for depth := range 6 {
		var next []Ref
		for _, r := range level {
			for _, b := range p.basesOf(r) {
				if b.kind == external {
					outside = true
				} else if slices.Contains(want, b.ref) {
					return fitsWide + 5 - min(depth, 4)
				} else {
					next = append(next, b.ref)
				}
			}
		}
		level = next
	}
	isOfLibrary := syntax.Has(to, "library-bases") || slices.Contains(syntax.Words("jvm", "boxes"), to)
	isNoBase := p.Decl(c).Kind == corpus.Enum && to != "Enum" && to != "Comparable"
	if len(want) > 0 || isNoBase || isOfLibrary && !outside {
		return fitsNot
	}
	return fitsAny
}

// dimensions returns a type without its arguments and wrappers, and how many
// dimensions of an array it has.
func dimensions(t string) (string, int) {
	n := 0
	t = strings.TrimSpace(t)
	t = strings.TrimPrefix(t, "final ")
	for {
		switch {
		case strings.HasSuffix(t, "[]"):
			t = strings.TrimSpace(t[:len(t)-2])
			n++
			continue
		case strings.HasSuffix(t, "..."):
			t = strings.TrimSpace(t[:len(t)-3])
			n++
			continue
		}
		break
	}
	t = upTo(t, "<")
	return strings.TrimPrefix(t, "java.lang."), n
}

// typeParameter reports whether a type's name is one that stands for any type.
func typeParameter(t string) bool {
	return t != "" && t[0] >= 'A' && t[0] <= 'Z' && (len(t) == 1 || len(t) == 2 && (t[1] >= '0' && t[1] <= '9' || t[1] >= 'A' && t[1] <= 'Z'))
}

// javaResult returns the type, as that of a function, of the result of a method of Java's library; "" if none has the name.
func javaResult(name string) string {
	if t := syntax.Listing("library-results", name); t != "" {
		return "() -> " + t
	}
	return ""
}
