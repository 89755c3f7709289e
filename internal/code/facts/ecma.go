package facts

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"sync"
)

// What TypeScript knows of a function without its being written there: what is expected
// of it, what types compute, and what the containers of the language do.

// parameter returns what the n-th parameter of v is, where v is something to call.
func (p *Project) parameter(v value, n int) []value {
	if p.depth >= maxDepth {
		return nil
	}
	p.depth++
	defer func() { p.depth-- }()
	switch v.kind {
	case function:
		return p.parameterOf(p.Decl(v.ref).Params, n, v.ref)
	case class:
		ms, _ := p.maker(p.File(v.ref.Doc).Lang, v.ref)
		for _, m := range ms {
			if got := p.parameterOf(p.Decl(m).Params, n, m); len(got) > 0 {
				return got
			}
		}
	case instance:
		for _, t := range alternatives(v.typ) {
			if params, ok := parameters(t); ok {
				return p.parameterOf(params, n, v.ref)
			}
		}
		return p.parameterOfClass(v, n)
	}
	return nil
}

// parameterOfClass is parameter for something whose type has a name: that of a function
// type, or of an interface that says how it is called.
func (p *Project) parameterOfClass(v value, n int) (out []value) {
	for _, c := range p.classes(v) {
		out = append(out, p.once(c, "^"+strconv.Itoa(n), func() (out []value) {
			for _, s := range p.signatures(c) {
				out = append(out, p.parameter(s, n)...)
			}
			return out
		})...)
	}
	return uniqueValues(out)
}

// A question is what is asked of a type.
type question struct {
	of   Ref
	what string
}

// once answers a question about a type, and keeps the answer: types that stand for
// several of the same sort, and in the end for themselves, would be asked again for each
// way that leads to them. While an answer is looked for it is not known.
func (p *Project) once(of Ref, what string, ask func() []value) []value {
	key := question{of, what}
	if got, ok := p.answers[key]; ok {
		return got
	}
	p.answers[key] = nil
	got := uniqueValues(ask())
	got = got[:min(len(got), maxValues)]
	p.answers[key] = got
	return got
}

// signatures returns the types of functions that a type stands for where it is called.
func (p *Project) signatures(c Ref) (out []value) {
	f := p.File(c.Doc)
	d := p.Decl(c)
	if f.Lang != "ecma" || d == nil || !classLike(d.Kind) {
		return nil
	}
	if d.Kind == corpus.Type && d.Result != "" {
		return []value{{kind: instance, typ: d.Result, ref: c, how: "type"}}
	}
	for _, i := range f.bound["()"] {
		if f.Bindings[i].In == c.Decl && f.Bindings[i].Type != "" {
			out = append(out, value{kind: instance, typ: f.Bindings[i].Type, ref: c, how: "type"})
		}
	}
	return out
}

// parameterOf returns the type of the n-th of some parameters, as written where ref is.
func (p *Project) parameterOf(params []string, n int, ref Ref) []value {
	if len(params) > 0 && strings.HasPrefix(params[0], "this:") {
		params = params[1:]
	}
	for i, s := range params {
		name, t, ok := cutType(s)
		rest := strings.HasPrefix(name, "...")
		if i != n && !(rest && i < n) {
			continue
		}
		if !ok {
			return nil
		}
		v := value{kind: instance, typ: t, ref: ref, how: "type"}
		if rest {
			return p.each(p.computed(v), func(v value) []value { return p.item(v, n-i) })
		}
		return p.computed(v)
	}
	return nil
}

// cutType cuts a parameter of TypeScript, "private a?: T = b", into its name and its type.
func cutType(s string) (name, typ string, ok bool) {
	colon, end := outsideBrackets(s, ':'), outsideBrackets(s, '=')
	if colon < 0 || end >= 0 && end < colon {
		return s, "", false
	}
	if end < 0 {
		end = len(s)
	}
	return s[:colon], strings.TrimSpace(s[colon+1 : end]), true
}

// outsideBrackets returns where c is in s outside of brackets, -1 where it is not. The
// sign of a function type, =>, is no =.
func outsideBrackets(s string, c byte) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(', '[', '{', '<':
			depth++
			continue
		case ')', ']', '}':
			depth--
			continue
		case '>':
			if i == 0 || s[i-1] != '=' {
				depth--
			}
			continue
		}
		if s[i] == c && depth == 0 && (c != '=' || i+1 == len(s) || s[i+1] != '>') {
			return i
		}
	}
	return -1
}

// parameters returns those of a function type, "<T>(a: A, b: B) => C".
func parameters(t string) ([]string, bool) {
	t = ungrouped(t)
	if !isFunction(t) {
		return nil, false
	}
	t = strings.TrimPrefix(t, "new ")
	if strings.HasPrefix(t, "<") {
		t = strings.TrimSpace(t[closing(t):])
	}
	list := commas(t[1 : closing(t)-1])
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list, true
}

// property returns the type of a member of an object type, "{ a?: A; b(c: C): D }"; ""
// where it has none.
func property(t, name string) string {
	t = ungrouped(t)
	if !strings.HasPrefix(t, "{") || closing(t) != len(t) || len(t) < 3 {
		return ""
	}
	for _, members := range commas(t[1 : len(t)-1]) {
		for members != "" {
			one := members
			if i := outsideBrackets(members, ';'); i >= 0 {
				one, members = members[:i], members[i+1:]
			} else {
				members = ""
			}
			rest, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimSpace(one), "readonly "), name)
			if rest = strings.TrimPrefix(rest, "?"); !ok || rest == "" {
				continue
			}
			if rest[0] == ':' {
				return strings.TrimSpace(rest[1:])
			}
			if rest[0] == '(' {
				params := rest[:closing(rest)]
				return params + " => " + strings.TrimSpace(strings.TrimPrefix(rest[len(params):], ":"))
			}
		}
	}
	return ""
}

// isFunction reports whether a type is that of a function: an arrow follows what the
// parameters are in.
func isFunction(t string) bool {
	t = strings.TrimPrefix(t, "new ")
	if strings.HasPrefix(t, "<") {
		t = strings.TrimSpace(t[closing(t):])
	}
	return strings.HasPrefix(t, "(") && strings.HasPrefix(strings.TrimSpace(t[closing(t):]), "=>")
}

// ungrouped takes parentheses around a whole type away.
func ungrouped(t string) string {
	t = strings.TrimSpace(t)
	for strings.HasPrefix(t, "(") && closing(t) == len(t) && len(t) > 2 {
		t = strings.TrimSpace(t[1 : len(t)-1])
	}
	return t
}

// result returns what calling v gives, of something of a type.
func (p *Project) result(v value) (out []value) {
	if p.depth >= maxDepth {
		return nil
	}
	p.depth++
	defer func() { p.depth-- }()
	for _, t := range alternatives(v.typ) {
		if t = ungrouped(t); !isFunction(t) {
			continue
		}
		t = strings.TrimPrefix(t, "new ")
		if strings.HasPrefix(t, "<") {
			t = strings.TrimSpace(t[closing(t):])
		}
		t = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(t[closing(t):]), "=>"))
		return p.computed(value{kind: instance, typ: t, ref: v.ref, how: v.how})
	}
	for _, c := range p.classes(v) {
		out = append(out, p.once(c, "()", func() (out []value) {
			for _, s := range p.signatures(c) {
				out = append(out, p.result(s)...)
			}
			return out
		})...)
	}
	return uniqueValues(out)
}

// literal cuts off an object literal that a chain begins with, or a function that is
// called where it is written, and may return one: both are written in the declaration
// whose value they are.
func literal(f *File, chain string) (rest string, ok bool) {
	if f.Lang != "ecma" {
		return "", false
	}
	if rest, ok = strings.CutPrefix(chain, "{}"); ok {
		return rest, true
	}
	return strings.CutPrefix(chain, "?()")
}

// ofObject returns a member of the object literals that a declaration holds, or that are
// written right in a function.
func (p *Project) ofObject(of Ref, name string) (out []value) {
	f := p.File(of.Doc)
	for _, i := range f.byName[name] {
		if d := &f.Decls[i]; d.Parent == of.Decl && d.Kind == corpus.Method {
			out = append(out, value{kind: function, ref: Ref{of.Doc, i}, how: "receiver"})
		}
	}
	if of.Decl >= 0 && len(out) == 0 {
		return p.memberOf(of, name, 0)
	}
	for _, i := range f.bound["."+name] {
		if len(out) == 0 && f.Bindings[i].In == of.Decl {
			out = p.binding(f, i)
		}
	}
	return out
}

// nearest keeps, of the functions of one name that are declared in functions without a
// name of their own, the one that is declared last before a place: where such a function
// ends is not known.
func (f *File) nearest(refs []Ref, at int) []Ref {
	if len(refs) < 2 || f.Lang != "ecma" {
		return refs
	}
	best := -1
	for i, r := range refs {
		if d := &f.Decls[r.Decl]; d.Traits&corpus.Local == 0 {
			return refs
		} else if best < 0 || d.NameAt <= at {
			best = i
		}
	}
	return refs[best : best+1]
}

// holding returns what a constant has, which got is known of: where a call returned it,
// nobody may know more of a function than the constant's name.
func (p *Project) holding(r Ref, got []value) []value {
	f := p.File(r.Doc)
	if k := f.Decls[r.Decl].Kind; k != corpus.Constant && k != corpus.Variable {
		return got
	}
	if !slices.ContainsFunc(f.bound[f.Decls[r.Decl].Name], func(i int32) bool {
		return f.Bindings[i].In == r.Decl && strings.HasSuffix(f.Bindings[i].Value, "()")
	}) {
		return got
	}
	out := slices.Clone(got)
	for i := range out {
		switch out[i].kind {
		case unknown, external, instance, object:
			out[i].held, out[i].holder = true, r
		}
	}
	return out
}

// item returns the n-th element of v: of a tuple the one that stands there.
func (p *Project) item(v value, n int) []value {
	if v.isArray() {
		return p.elements(v, strconv.Itoa(n))
	}
	if v.kind == instance {
		if t := ungrouped(strings.TrimPrefix(strings.TrimSpace(v.typ), "readonly ")); strings.HasPrefix(t, "[") && closing(t) == len(t) {
			list := commas(t[1 : len(t)-1])
			if n >= len(list) {
				return nil
			}
			v.typ = strings.TrimSpace(list[n])
			if name, typ, ok := cutType(v.typ); ok && !strings.ContainsAny(name, "<({[ ") {
				v.typ = typ // [name: T]
			}
			return []value{v}
		}
	}
	return p.element(v)
}

// computed returns the values of a type that is computed from others: "typeof x",
// "ReturnType<typeof f>", "InstanceType<typeof C>", "T['key']".
func (p *Project) computed(v value) []value {
	f := p.File(v.ref.Doc)
	t := ungrouped(v.typ)
	if f.Lang != "ecma" || p.depth >= maxDepth {
		return []value{v}
	}
	p.depth++
	defer func() { p.depth-- }()
	if chain, ok := strings.CutPrefix(t, "typeof "); ok {
		return p.eval(f, v.ref.Decl, atEnd, chain)
	}
	for _, name := range []string{"ReturnType<", "InstanceType<"} {
		inner, ok := strings.CutPrefix(t, name)
		if !ok || closing(t[len(name)-1:]) != len(inner)+1 {
			continue
		}
		of := p.computed(value{kind: instance, typ: inner[:len(inner)-1], ref: v.ref, how: v.how})
		return p.each(of, p.call)
	}
	if i := strings.LastIndexByte(t, '['); i > 0 && strings.HasSuffix(t, "]") && len(t)-i > 4 && (t[i+1] == '\'' || t[i+1] == '"') {
		of := p.computed(value{kind: instance, typ: t[:i], ref: v.ref, how: v.how})
		return p.each(of, func(o value) []value { return p.member(f, o, t[i+2:len(t)-2]) })
	}
	return []value{v}
}

//go:embed containers.txt
var containersText string

// builtins are the types of the methods of containers, as containers.txt has them.
var builtins = sync.OnceValue(func() map[string]map[string]string {
	out := map[string]map[string]string{}
	for line := range strings.Lines(containersText) {
		names, t, _ := strings.Cut(strings.TrimSpace(line), ":")
		words := strings.Fields(names)
		if out[words[0]] == nil {
			out[words[0]] = map[string]string{}
		}
		for _, name := range words[1:] {
			out[words[0]][name] = t
		}
	}
	return out
})

// containers says as which of the builtins a type behaves.
var containers = map[string]string{
	"Array": "Array", "ReadonlyArray": "Array", "Map": "Map", "ReadonlyMap": "Map", "WeakMap": "Map", "Set": "Set", "ReadonlySet": "Set", "WeakSet": "Set",
	"Promise": "Promise", "PromiseLike": "Promise",
}

// container cuts the type of a container into what it behaves as, its keys and its
// elements; "" for what is none.
func container(t string) (as, key, element string) {
	t = ungrouped(strings.TrimPrefix(strings.TrimSpace(t), "readonly "))
	if inner, ok := strings.CutSuffix(t, "[]"); ok {
		return "Array", "number", ungrouped(inner)
	}
	if strings.HasPrefix(t, "[") && closing(t) == len(t) {
		return "Array", "number", strings.Join(commas(t[1:len(t)-1]), " | ")
	}
	i := strings.IndexByte(t, '<')
	if i < 0 || closing(t[i:]) != len(t)-i || containers[t[:i]] == "" {
		return "", "", ""
	}
	list := commas(t[i+1 : len(t)-1])
	return containers[t[:i]], strings.TrimSpace(list[0]), strings.TrimSpace(list[len(list)-1])
}

// builtin returns the method of a container of the language, nil where v is none.
func (p *Project) builtin(v value, name string) []value {
	as, key, element := container(v.typ)
	t := builtins()[as][name]
	if t == "" {
		return nil
	}
	var b strings.Builder
	for i := range len(t) {
		switch alone := (i == 0 || !isLetter(t[i-1])) && (i+1 == len(t) || !isLetter(t[i+1])); {
		case alone && t[i] == 'E':
			b.WriteString(grouped(element))
		case alone && t[i] == 'K':
			b.WriteString(grouped(key))
		case alone && t[i] == 'S':
			b.WriteString(grouped(v.typ))
		default:
			b.WriteByte(t[i])
		}
	}
	v.typ = b.String()
	return []value{v}
}

// grouped puts a type in parentheses where others may follow it.
func grouped(t string) string {
	if strings.ContainsAny(t, "|&=? ") {
		return "(" + t + ")"
	}
	return t
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
