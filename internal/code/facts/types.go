package facts

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// part returns the k-th of several results: of "(a T, b U)" what is written there,
// of anything else itself where k is 0.
func part(v value, k int) []value {
	if v.kind != instance || !strings.HasPrefix(v.typ, "(") || !strings.HasSuffix(v.typ, ")") {
		if k == 0 {
			return []value{v}
		}
		return nil
	}
	list := commas(v.typ[1 : len(v.typ)-1])
	if k >= len(list) {
		return nil
	}
	t := strings.TrimSpace(list[k])
	// Go writes "n int", and "a, b int" for two of one type.
	if name, rest, ok := strings.Cut(t, " "); ok && !strings.ContainsAny(name, "*[].{(") && name != "chan" && name != "func" && name != "map" && name != "struct" && name != "interface" {
		t = rest
	} else if !ok {
		for _, later := range list[k+1:] {
			l := strings.TrimSpace(later)
			if _, rest, ok := strings.Cut(l, " "); ok && !strings.ContainsAny(l[:len(l)-len(rest)-1], "*[].{(") {
				t = rest
				break
			}
		}
	}
	v.typ = t
	return []value{v}
}

// upTo returns what stands before the first of some bytes, or all of s where it has none of them or begins with one.
func upTo(s, bytes string) string {
	if i := strings.IndexAny(s, bytes); i > 0 {
		return s[:i]
	}
	return s
}

// commas splits a text at the commas outside of brackets.
func commas(s string) (out []string) {
	depth, from := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}':
			depth--
		case '>':
			if i == 0 || s[i-1] != '-' && s[i-1] != '=' {
				depth--
			}
		case ',':
			if depth == 0 {
				out = append(out, s[from:i])
				from = i + 1
			}
		}
	}
	return append(out, s[from:])
}

// closing returns the offset after the bracket that closes the one s begins with,
// len(s) where none does.
func closing(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			if s[i] == '>' && i > 0 && (s[i-1] == '-' || s[i-1] == '=') {
				continue
			}
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// funcResult returns what a function type gives: "func(a) T", "(a) => T",
// "Callable[[a], T]", "(a) -> T".
func funcResult(t string) (string, bool) {
	t = strings.TrimSpace(t)
	if rest, ok := strings.CutPrefix(t, "func("); ok {
		return strings.TrimSpace(t[len("func")+closing("("+rest):]), true
	}
	if strings.HasPrefix(t, "(") {
		rest := strings.TrimSpace(t[closing(t):])
		for _, arrow := range []string{"=>", "->"} {
			if r, ok := strings.CutPrefix(rest, arrow); ok {
				return strings.TrimSpace(r), true
			}
		}
	}
	for _, head := range []string{"Callable[", "typing.Callable[", "Supplier<", "Callable<", "Function<"} {
		if rest, ok := strings.CutPrefix(t, head); ok && len(rest) > 1 {
			list := commas(rest[:len(rest)-1])
			return strings.TrimSpace(list[len(list)-1]), true
		}
	}
	return "", false
}

// bare takes what surrounds the name of a type away: pointers, references,
// modifiers, and wrappers whose content is meant.
func bare(t string) string { return stripped(t, func(string) bool { return true }) }

// bareOf is bare for the type of a value: a type of the project that is named like a wrapper is none.
func (p *Project) bareOf(v value) string {
	return stripped(v.typ, func(head string) bool { return !p.declaresType(p.File(v.ref.Doc), v.ref.Decl, head) })
}

// declaresType reports whether a name stands for a type of the project that has members of its own.
func (p *Project) declaresType(f *File, in int32, name string) bool {
	return slices.ContainsFunc(p.typeNamed(f, in, name), func(v value) bool { return v.kind == class && p.Decl(v.ref).Kind != corpus.Type })
}

// base is bare for what a type extends: who implements Supplier<T> supplies a T, and is none. Of
// TypeScript, Partial<T> has what T has.
func base(t, lang string) string { return stripped(t, func(string) bool { return lang == "ecma" }) }

// supertype is base without what the type is of that is extended: T of Base<T> is not.
func supertype(t, lang string) string {
	t = base(t, lang)
	t = upTo(t, "<[")
	return t
}

// stripped takes away the wrappers that strips names.
func stripped(t string, strips func(wrapper string) bool) string {
	for range 8 {
		before := t
		t = strings.TrimSpace(t)
		for _, p := range []string{"*", "&", "...", "?", "@", "const ", "mut ", "dyn ", "impl ", "readonly ", "final ", "struct ", "class ", "enum ", "union ", "static ", "unsigned ", "in ", "ref ", "out ", "params ",
			"lateinit ", "vararg ", "inout ", "some ", "any ", "volatile ", "typename ", "keyof ", "unique ", "register ", "extern "} {
			t = strings.TrimPrefix(t, p)
		}
		if strings.HasPrefix(t, "'") { // a lifetime
			if _, rest, ok := strings.Cut(t, " "); ok {
				t = rest
			}
		}
		t = strings.TrimRight(t, " ?!*&;")
		t = strings.TrimSuffix(t, " const")
		if len(t) > 1 && (t[0] == '"' || t[0] == '\'') && t[len(t)-1] == t[0] {
			t = t[1 : len(t)-1]
		}
		if strings.HasPrefix(t, "(") && closing(t) == len(t) && len(t) > 1 && !strings.Contains(t, ",") {
			t = t[1 : len(t)-1]
		}
		if head, inner, ok := wrapped(t); ok && strips(head) {
			t = inner
		}
		if t == before {
			break
		}
	}
	return t
}

// wrappers hold one thing that members are asked of through them.
var wrappers = lazy.Words(`Optional Promise Awaitable Coroutine Arc Rc Box Option Result RefCell Mutex RwLock Pin Cow Ref RefMut Type Final ClassVar Annotated Required NotRequired
Readonly Partial NonNullable PromiseLike Nullable Task ValueTask Lazy unique_ptr shared_ptr weak_ptr Provider Supplier Weak Atomic AtomicReference WeakReference Self ThreadLocal LazyLock LazyCell MutexGuard RwLockReadGuard RwLockWriteGuard`)

// wrapped splits a type into the wrapper around it and the type inside.
func wrapped(t string) (wrapper, inner string, ok bool) {
	i := strings.IndexAny(t, "<[")
	if i <= 0 || closing(t[i:]) != len(t)-i {
		return "", "", false
	}
	head := t[:i]
	for _, sep := range []string{".", "::"} {
		_, head = cutLast(head, sep)
	}
	if !wrappers.Has(head) || i+1 >= len(t) {
		return "", "", false
	}
	return t[:i], strings.TrimSpace(commas(t[i+1 : len(t)-1])[0]), true
}

// generic returns the arguments of a Python type of that name: "typing.Union[A, B]".
func generic(t, name string) (string, bool) {
	head, rest, ok := strings.Cut(strings.TrimSpace(t), "[")
	if _, last := cutLast(head, "."); !ok || last != name || !strings.HasSuffix(rest, "]") {
		return "", false
	}
	return rest[:len(rest)-1], true
}

// typed returns the values of a written type: of Python's type[X] the class X.
func (p *Project) typed(v value) []value {
	f := p.File(v.ref.Doc)
	if f.Lang == "ecma" {
		return p.computed(v)
	}
	if f.Lang != "python" || !strings.Contains(v.typ, "ype[") {
		return []value{v}
	}
	t := strings.Trim(v.typ, `"' `)
	if inner, ok := generic(t, "Optional"); ok {
		t = inner
	}
	for _, name := range []string{"Type", "type"} {
		inner, ok := generic(t, name)
		if !ok {
			continue
		}
		var out []value
		for _, one := range alternatives(inner) {
			for _, c := range p.typeNamed(f, v.ref.Decl, bare(one)) {
				if c.kind == class || c.kind == external {
					out = append(out, c)
				}
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return []value{v}
}

// alternatives splits a union, leaving out what is nothing.
func alternatives(t string) (out []string) {
	if inner, ok := generic(t, "Union"); ok {
		t = strings.Join(commas(inner), "|")
	}
	if !strings.Contains(t, "|") {
		return []string{t}
	}
	depth, from := 0, 0
	add := func(s string) {
		switch s = strings.TrimSpace(s); s {
		case "", "null", "undefined", "None", "false", "nil":
		default:
			out = append(out, s)
		}
	}
	for i := range len(t) {
		switch t[i] {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			depth--
		case '|':
			if depth == 0 {
				add(t[from:i])
				from = i + 1
			}
		}
	}
	add(t[from:])
	if len(out) > maxValues {
		out = out[:maxValues]
	}
	return out
}

// element returns what indexing v, or going through it, gives.
func (p *Project) element(v value) []value {
	v.held = false
	switch v.kind {
	case external:
		return []value{v}
	case instance:
	default:
		return nil
	}
	if v.typ == "" && v.ref.Decl < 0 {
		return nil
	}
	if v.typ == "" {
		for _, m := range []string{"__getitem__", "__iter__", "iterator", "operator[]"} {
			for _, got := range p.memberOf(v.ref, m, 0) {
				if got.kind == function {
					return p.returns(got.ref)
				}
			}
		}
		return nil
	}
	as := func(s string) []value {
		v.typ = strings.TrimSpace(s)
		return []value{v}
	}
	if p.File(v.ref.Doc).Lang == "ecma" {
		switch how, key, one := container(v.typ); how {
		case "Map":
			return as("[" + key + ", " + one + "]")
		case "Array", "Set":
			return as(one)
		}
	}
	if one, ok := strings.CutPrefix(v.typ, "..."); ok {
		return as(one)
	}
	t := bare(v.typ)
	switch {
	case strings.HasPrefix(t, "map["):
		return as(t[len("map")+closing(t[len("map"):]):])
	case strings.HasPrefix(t, "["):
		end := closing(t)
		if end < len(t) {
			return as(t[end:]) // Go: []T, [n]T
		}
		inner := t[1 : len(t)-1] // Rust, Swift: [T], [T; n], [K: V]
		inner, _, _ = strings.Cut(inner, ";")
		if _, val, ok := strings.Cut(inner, ":"); ok {
			inner = val
		}
		return as(inner)
	case strings.HasPrefix(t, "chan "), strings.HasPrefix(t, "<-chan "):
		return as(t[strings.Index(t, "chan ")+5:])
	case strings.HasSuffix(t, "]") && strings.HasSuffix(t, "[]"):
		return as(t[:len(t)-2])
	case strings.HasSuffix(t, ">") || strings.HasSuffix(t, "]"):
		if i := strings.IndexAny(t, "<["); i > 0 && closing(t[i:]) == len(t)-i {
			list := commas(t[i+1 : len(t)-1])
			return as(list[len(list)-1])
		}
	}
	if p.depth >= maxDepth {
		return nil
	}
	p.depth++
	defer func() { p.depth-- }()
	for _, c := range p.classes(v) {
		if d := p.Decl(c); d != nil && d.Result != "" && d.Kind == corpus.Type {
			return p.once(c, "[]", func() []value { return p.element(value{kind: instance, typ: d.Result, ref: Ref{c.Doc, d.Parent}}) })
		}
	}
	return nil
}

// key returns what the keys of v are.
func (p *Project) key(v value) []value {
	if v.kind != instance {
		return nil
	}
	t := bare(v.typ)
	if strings.HasPrefix(t, "map[") {
		v.typ = t[len("map[") : len("map")+closing(t[len("map"):])-1]
		return []value{v}
	}
	if strings.HasPrefix(t, "chan ") {
		v.typ = t[len("chan "):]
		return []value{v}
	}
	return nil
}

// classes returns the declarations that an instance may be of.
func (p *Project) classes(v value) (out []Ref) {
	if v.kind != instance {
		return nil
	}
	if v.typ == "" && v.ref.Decl < 0 {
		return nil // what was left of a type has no name
	}
	if v.typ == "" {
		return []Ref{v.ref}
	}
	if p.depth >= maxDepth {
		return nil
	}
	p.depth++
	defer func() { p.depth-- }()
	f := p.File(v.ref.Doc)
	for _, t := range alternatives(p.bareOf(v)) {
		v.typ = t
		for _, c := range p.typeNamed(f, v.ref.Decl, p.bareOf(v)) {
			if c.kind == class {
				out = append(out, c.ref)
			} else if c.kind == instance && c.typ == "" {
				out = append(out, c.ref)
			}
		}
	}
	return uniqueRefs(out)
}

// outside reports whether the type of an instance is of a library.
func (p *Project) outside(v value) bool {
	f := p.File(v.ref.Doc)
	t := p.bareOf(v)
	if strings.HasPrefix(t, "[") || strings.HasPrefix(t, "map[") || strings.HasPrefix(t, "func(") || strings.HasPrefix(t, "chan ") {
		return true
	}
	got := p.typeNamed(f, v.ref.Decl, t)
	return len(got) == 0 && syntax.Lists(f.Lang, "builtin-types", t) || len(got) > 0 && got[0].kind == external
}

// typeNamed returns what the name of a type stands for.
func (p *Project) typeNamed(f *File, in int32, t string) []value {
	if i := strings.IndexAny(t, "<[( {"); i >= 0 {
		t = t[:i]
	}
	if strings.ContainsAny(t, `:\`) && !qualified(f.Lang, t) {
		t = strings.ReplaceAll(strings.ReplaceAll(strings.TrimPrefix(t, `\`), "::", "."), `\`, ".")
	}
	if t == "" || t[0] >= '0' && t[0] <= '9' {
		return nil
	}
	if modular(f.Lang, t) {
		return slice.Map(p.modulesNamed(f, in, t), func(r Ref) value { return value{kind: class, ref: r} })
	}
	first, rest, _ := strings.Cut(t, ".")
	if rest != "" { // a variable may be named as what its type is a member of: x: x.T
		key := question{Ref{f.Doc, in}, t}
		if p.naming[key] {
			return nil
		}
		p.naming[key] = true
		defer delete(p.naming, key)
	}
	cur := p.typeOrScope(f, in, first, rest != "")
	if len(cur) == 0 && rest != "" && f.Lang == "jvm" {
		cur, rest = p.qualifiedClass(f, t)
		rest = strings.TrimPrefix(rest, ".")
	}
	for rest != "" && len(cur) > 0 {
		first, rest, _ = strings.Cut(rest, ".")
		cur = p.each(cur, func(v value) []value { return p.member(f, v, first) })
	}
	if syntax.Has(f.Lang, "relative-namespaces") && isOutside(cur) {
		if vs, after := p.pathOfNamespaces(f, t); after == "" && len(vs) > 0 {
			cur = vs
		}
	}
	return p.withoutObjects(f, p.unmerged(cur))
}

// unmerged leaves out the namespaces of TypeScript that add to a class or a function of their name: what
// is of that type has the members of the class.
func (p *Project) unmerged(vs []value) []value {
	if len(vs) < 2 {
		return vs
	}
	whole := slices.DeleteFunc(slices.Clone(vs), func(v value) bool { return v.kind == class && namespace(p.Decl(v.ref).Kind) })
	if len(whole) == 0 {
		return vs
	}
	return whole
}
