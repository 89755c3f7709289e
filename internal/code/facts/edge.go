package facts

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// Sure says how much an edge can be relied on.
type Sure uint8

// The degrees of certainty.
const (
	NameOnly Sure = iota // something of that name is called, and this is one
	Likely               // what is known of types and names leads here
	Exact                // the language's rules lead here and nowhere else
)

func (s Sure) String() string { return [...]string{"name-only", "likely", "exact"}[s] }

// An Edge is one call, from the declaration that it is in to one that it may mean.
type Edge struct {
	From Ref // Decl -1: the top level of the file
	To   Ref
	At   int // offset of the called name in From's document
	Sure Sure
	How  string // the step that made it: "file", "import", "package", "receiver", "inherited", "dispatch", "name"
}

// A Tally counts what became of calls.
type Tally struct {
	Total      int
	Resolved   int // to one function of the project, or to the implementers of one
	Ambiguous  int // to several that it may be
	Unresolved int // to nothing in the project, whatever the reason
	External   int // of those, known to be of a library or of the language
}

// Plain returns a name of a stack trace, of a document or of a language as declarations are
// qualified here: A.b of (*A).b, a/path/to/p.A.b, A->b, A\b, A.prototype.b, crate::A::b and A.b(int);
// and of b/2 how many parameters it has, -1 where that is not said.
func Plain(name string) (plain string, arity int) {
	arity = -1
	if op := bracketed(name); Signs(op) {
		return op, arity
	}
	if i := strings.LastIndexByte(name, '/'); i > 0 && i+1 < len(name) {
		if n, err := strconv.Atoi(name[i+1:]); err == nil {
			name, arity = name[:i], n
		} else if rest := strings.ReplaceAll(name[i+1:], "::", ""); !strings.Contains(rest, ":") { // path/to/file:Name is one file
			name = name[i+1:]
		}
	}
	if strings.Contains(name, "(*") {
		name = strings.NewReplacer("(*", "", ").", ".").Replace(name)
	}
	if i := strings.IndexByte(name, '('); i > 0 && strings.HasSuffix(name, ")") {
		name = name[:i]
	}
	name = strings.TrimLeft(strings.NewReplacer("::", ".", "#", ".", "->", ".", `\`, ".", ".prototype.", ".").Replace(name), ".")
	for _, root := range []string{"crate.", "global.", "self.", "this.", "super."} {
		name = strings.TrimPrefix(name, root)
	}
	name = ofRuntime(name)
	for { // what Go calls the functions in one
		of, last := cutLast(name, ".")
		if _, err := strconv.Atoi(strings.TrimPrefix(last, "func")); err != nil || of == "" {
			return name, arity
		}
		name = of
	}
}

// ofRuntime returns a name without what runtimes put into it: the number of type parameters
// of .NET (List`1) or those themselves (List<T>), the dollar of an object of Scala (Util$.read),
// and the class that Kotlin makes of a file (a.b.FactoryKt.make).
func ofRuntime(name string) string {
	if strings.Contains(name, "operator") || !strings.ContainsAny(name, "`<$K") {
		return name
	}
	var b strings.Builder
	depth := 0
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '<' && i > 0 && (depth > 0 || scan.Letter(name[i-1])): // else an operator
			depth++
		case c == '>' && depth > 0:
			depth--
		case depth > 0:
		case c == '`' && i+1 < len(name) && name[i+1] >= '0' && name[i+1] <= '9':
			for i+1 < len(name) && name[i+1] >= '0' && name[i+1] <= '9' {
				i++
			}
		case c == '$' && i > 0 && i+1 < len(name) && name[i+1] == '.':
		default:
			b.WriteByte(c)
		}
	}
	if depth > 0 {
		return name
	}
	parts := strings.Split(b.String(), ".")
	if n := len(parts) - 2; n > 0 && len(parts[n]) > 2 && strings.HasSuffix(parts[n], "Kt") {
		parts = slices.Delete(parts, n, n+1)
	}
	return strings.Join(parts, ".")
}

// Lookup returns the declarations that a name means: "Name", "Scope.Name" (also
// with :: or #), or either behind "path/to/file:", and as Plain reads it where there is none;
// functions first, in order of their places. Behind a file a name alone is what is at its top,
// where there is such: the methods of that name are Scope.Name.
func (p *Project) Lookup(name string) []Ref {
	out := p.lookupAs(name)
	plain, arity := Plain(name)
	if len(out) > 0 || plain == name {
		return out
	}
	out = p.lookupAs(plain)
	takes := func(r Ref) bool { return len(p.Decl(r).Params) == arity }
	if types := parameterTypes(name); len(types) > 0 {
		takes = func(r Ref) bool { return takesTypes(p.Decl(r), types) }
	}
	if slices.ContainsFunc(out, takes) {
		out = slices.DeleteFunc(out, func(r Ref) bool { return !takes(r) })
	}
	return out
}

// parameterTypes returns the types of the parameters that a name says: Route and int of find(Route, int); none where it says
// none.
func parameterTypes(name string) (out []string) {
	open := strings.IndexByte(name, '(')
	if open <= 0 || !strings.HasSuffix(name, ")") {
		return nil
	}
	depth, from, list := 0, 0, name[open+1:len(name)-1]
	for i := 0; i <= len(list); i++ {
		switch {
		case i == len(list) || list[i] == ',' && depth == 0:
			if t := strings.TrimSpace(list[from:i]); t != "" {
				out = append(out, t)
			}
			from = i + 1
		case strings.IndexByte("<([{", list[i]) >= 0:
			depth++
		case strings.IndexByte(">)]}", list[i]) >= 0:
			depth--
		}
	}
	return out
}

// takesTypes reports whether a function takes parameters of some types, which need not be written whole.
func takesTypes(d *corpus.Decl, types []string) bool {
	params := slices.DeleteFunc(slices.Clone(d.Params), func(s string) bool {
		return s == "self" || s == "cls" || strings.HasSuffix(s, "&self")
	})
	if len(params) != len(types) {
		return false
	}
	for i, t := range types {
		written := words(params[i])
		if slices.ContainsFunc(words(t), func(w string) bool { return !slices.Contains(written, w) }) {
			return false
		}
	}
	return true
}

// Signs reports whether a name is an operator: of signs alone.
func Signs(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || r >= 0x80 || scan.Letter(byte(r)) || strings.ContainsRune("_()[]{}\"'`,;", r)
	})
}

// bracketed returns a name without the brackets around it, in which Haskell writes an operator: (<+>).
func bracketed(name string) string {
	if len(name) > 2 && name[0] == '(' && name[len(name)-1] == ')' {
		return name[1 : len(name)-1]
	}
	return name
}

// operator splits the name of an operator from the scope before it: Chunk.++, Core.(<+>), of which either part may have
// dots; last is "" for any other name.
func operator(name string) (scope, last string) {
	name = bracketed(name)
	if Signs(name) {
		return "", name
	}
	for i := 1; i+1 < len(name); i++ {
		if op := bracketed(name[i+1:]); name[i] == '.' && scan.Letter(name[i-1]) && Signs(op) {
			return name[:i], op
		}
	}
	return "", ""
}

func (p *Project) lookupAs(name string) []Ref {
	file := ""
	if i := strings.LastIndexByte(name, ':'); i > 0 && name[i-1] != ':' && !Signs(name) {
		file, name = name[:i], name[i+1:]
	}
	scope, last := operator(name)
	if last == "" {
		plain, private := strings.CutPrefix(name, "#")
		if name = strings.NewReplacer("::", ".", ".#", ".#", "#", ".", "()", "").Replace(plain); private { // A.#x is private, A#x is not
			name = "#" + name
		}
		scope, last = cutLast(name, ".")
	}
	var functions, others []Ref
	for _, d := range p.src.Keyed(Key(Declared, last)) {
		if file != "" && p.Docs[d].Path != file && !strings.HasSuffix(p.Docs[d].Path, "/"+file) {
			continue
		}
		f := p.File(d)
		for _, i := range f.byName[last] {
			decl := &f.Decls[i]
			if scope != "" && !inScope(f, decl, scope) {
				continue
			}
			if callable(decl.Kind) {
				functions = append(functions, Ref{d, i})
			} else if decl.Kind != corpus.Section {
				others = append(others, Ref{d, i})
			}
		}
	}
	out := append(functions, others...)
	if file != "" && scope == "" {
		top := slices.DeleteFunc(slices.Clone(out), func(r Ref) bool { d := p.Decl(r); return d.Scope != "" || d.Parent >= 0 })
		if len(top) > 0 {
			return top
		}
	}
	if len(out) == 0 && scope != "" {
		out = p.lookupWhole(file, name)
	}
	if len(out) > 0 || scope == "" || file != "" {
		return out
	}
	return p.lookupThrough(scope, last)
}

// lookupWhole finds what is declared under a name with dots in it, as modules of Elixir are.
func (p *Project) lookupWhole(file, name string) (out []Ref) {
	for _, d := range p.src.Keyed(Key(Declared, name)) {
		if file != "" && p.Docs[d].Path != file && !strings.HasSuffix(p.Docs[d].Path, "/"+file) {
			continue
		}
		for _, i := range p.File(d).byName[name] {
			out = append(out, Ref{d, i})
		}
	}
	return out
}

// lookupThrough finds what a scope has without declaring it: what a class inherits,
// or a package offers of its modules.
func (p *Project) lookupThrough(scope, name string) (out []Ref) {
	add := func(vs []value) {
		for _, v := range vs {
			if v.kind == function || v.kind == class {
				out = append(out, v.ref)
			}
		}
	}
	for _, c := range p.lookupAs(scope) {
		if classLike(p.Decl(c).Kind) {
			add(p.memberOf(c, name, 0))
		}
	}
	if len(out) > 0 {
		return uniqueRefs(out)
	}
	if out = p.offeredIn(scope, name); len(out) > 0 {
		return out
	}
	folder := strings.ReplaceAll(scope, ".", "/")
	for i := range p.Docs {
		dir, base := path.Split(p.Docs[i].Path)
		switch stem, _, _ := strings.Cut(base, "."); stem {
		case "__init__", "index", "mod", "lib":
			if dir = strings.TrimSuffix(dir, "/"); dir == folder || strings.HasSuffix(dir, "/"+folder) {
				add(p.exported([]int{i}, name))
			}
		}
	}
	return uniqueRefs(out)
}

// inScope reports whether a declaration is in a scope, or in a package or file of
// that name.
func inScope(f *File, d *corpus.Decl, scope string) bool {
	if d.Scope == scope || strings.HasSuffix(d.Scope, "."+scope) {
		return true
	}
	full := strings.ReplaceAll(f.Module, `\`, ".")
	if d.Scope != "" {
		full += "." + d.Scope
	}
	if full == scope || strings.HasSuffix(full, "."+scope) {
		return true
	}
	stem := strings.TrimSuffix(f.Path, f.Path[max(strings.LastIndexByte(f.Path, '.'), 0):])
	if d.Scope != "" {
		stem += "." + d.Scope
	}
	stem = strings.ReplaceAll(stem, "/", ".")
	if f.Lang == "zig" && d.Scope == "" && f.holdsFields() { // a struct, which is imported under a name like the file's
		_, own := cutLast(stem, ".")
		_, named := cutLast(scope, ".")
		return strings.EqualFold(strings.ReplaceAll(own, "_", ""), strings.ReplaceAll(named, "_", ""))
	}
	return stem == scope || strings.HasSuffix(stem, "."+scope)
}

func sortEdges(p *Project, edges []Edge) {
	sorting.Stable(edges, func(a, b Edge) int {
		if c := strings.Compare(p.Docs[a.From.Doc].Path, p.Docs[b.From.Doc].Path); c != 0 {
			return c
		}
		if a.At != b.At {
			return a.At - b.At
		}
		if a.Sure != b.Sure {
			return int(b.Sure) - int(a.Sure)
		}
		if a.To.Doc != b.To.Doc {
			return strings.Compare(p.Docs[a.To.Doc].Path, p.Docs[b.To.Doc].Path)
		}
		return int(a.To.Decl - b.To.Decl)
	})
}

// Edges calls yield with each call of a document and what it means; lost says that it leads
// nowhere that is known, not even into a library.
func (p *Project) Edges(doc int, yield func(c *corpus.Call, from Ref, edges []Edge, lost bool)) Tally {
	f := p.File(doc)
	var tally Tally
	for i := range f.Calls {
		c := &f.Calls[i]
		ts, what := p.resolve(f, c)
		if what == read {
			continue
		}
		tally.count(what)
		from := Ref{doc, p.caller(f, c.In)}
		edges := slice.Map(ts, func(t target) Edge { return Edge{From: from, To: t.ref, At: c.At, Sure: t.sure, How: t.how} })
		yield(c, from, edges, what == unresolved)
	}
	return tally
}
