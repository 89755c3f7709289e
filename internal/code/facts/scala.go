package facts

import (
	"slices"
	"strings"
	"unicode"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// maxHead bounds how much text of a function is read for its lists of parameters.
const maxHead = 2000

// firstParams returns the parameters of a function that the brackets behind its name are for. Those of Scala are the ones of
// its first list: the facts have the parameters of all lists, and a call counts the arguments of the first alone.
func (p *Project) firstParams(r Ref) []string {
	d := p.Decl(r)
	if len(d.Params) == 0 || p.Docs[r.Doc].Language != "scala" {
		return d.Params
	}
	if got, ok := p.lists[r]; ok {
		return got
	}
	text := p.src.Text(r.Doc, nil)
	from := d.NameAt + len(d.Name)
	if from > len(text) {
		return d.Params
	}
	out := firstList(string(text[from:min(len(text), from+maxHead)]), d.Params)
	p.lists[r] = out
	return out
}

// firstList returns the parameters of the first list that the text behind a function's name has, which is not left to the
// compiler.
func firstList(text string, params []string) []string {
	text = strings.TrimLeft(text, " \t\r\n")
	if strings.HasPrefix(text, "[") {
		text = strings.TrimLeft(text[closing(text):], " \t\r\n")
	}
	if !strings.HasPrefix(text, "(") {
		return params
	}
	end := closing(text)
	if end > len(text)-1 {
		return params
	}
	n := 0
	list := strings.TrimSpace(text[1:max(end-1, 1)])
	for _, one := range commas(list) {
		if strings.TrimSpace(one) != "" { // a list may end with a comma
			n++
		}
	}
	if n > len(params) {
		return params
	}
	if strings.HasPrefix(list, "using ") || strings.HasPrefix(list, "implicit ") {
		return firstList(text[end:], params[n:])
	}
	return params[:n]
}

// takes reports whether a call of a function can have n arguments in its first brackets.
func (p *Project) takes(r Ref, n int) bool {
	d := p.Decl(r)
	if p.Docs[r.Doc].Language == "scala" && len(d.Params) > 0 {
		first := *d
		first.Params = p.firstParams(r)
		return takes(&first, n)
	}
	return takes(d, n)
}

// packageMember returns what a package of Scala or Kotlin has under a name that is written behind the package's own: the
// whole name, or what is behind a package around the file.
func (p *Project) packageMember(f *File, space, name string) []value {
	if f.Lang != "jvm" || p.Docs[f.Doc].Language == "java" || space == "" || space[0] == '?' || space[0] == '@' {
		return nil
	}
	for around := f.Module; ; around, _ = cutLast(around, ".") {
		if docs := p.declaring(p.module(f.Doc, strings.TrimPrefix(around+"."+space, ".")), name); len(docs) > 0 {
			return p.exported(docs, name)
		}
		if around == "" {
			return nil
		}
	}
}

// qualifiedClass returns the class of Java, Kotlin or Scala that a chain has behind the names of its packages, and the rest.
func (p *Project) qualifiedClass(f *File, chain string) ([]value, string) {
	i := strings.IndexFunc(chain, unicode.IsUpper)
	if i < 2 || chain[i-1] != '.' || strings.ContainsAny(chain[:i], "([{?") {
		return nil, chain
	}
	n := i + partEnd(chain[i:])
	docs := p.declaring(p.module(f.Doc, chain[:i-1]), chain[i:n])
	return p.exported(docs, chain[i:n]), chain[n:]
}

// packageOfName returns the package of Scala or Kotlin that a name is written behind, as a module.
func (p *Project) packageOfName(f *File, x syntax.Use) []value {
	if got := p.packageMember(f, x.Chain, x.Name); len(got) > 0 && got[0].kind != external {
		return []value{{kind: module, docs: []int{got[0].ref.Doc}, how: "import"}}
	}
	return nil
}

// bare reports whether the name of a function alone, without brackets, calls it: in Scala one that takes nothing.
func (p *Project) bare(r Ref) bool {
	d := p.Decl(r)
	return d != nil && callable(d.Kind) && len(d.Params) == 0 && p.Docs[r.Doc].Language == "scala"
}

// selected returns the functions that take nothing which a name without brackets calls.
func (p *Project) selected(f *File, c *corpus.Call) ([]target, outcome) {
	call := *c
	call.Args = 0
	ts, what := p.resolve(f, &call)
	ts = slices.DeleteFunc(slices.Clone(ts), func(t target) bool { return !p.takesNothing(t.ref) })
	if len(ts) == 0 {
		return nil, read
	}
	if !slices.ContainsFunc(ts, func(t target) bool { return t.how != "name" }) && len(p.src.Keyed(Key(Held, c.Callee))) > 0 {
		for i := range ts {
			ts[i].sure = NameOnly
		}
		return ts, ambiguous // it may be the field
	}
	return ts, what
}

// takesNothing reports whether the name of a function of Scala calls it, though the compiler may give it something.
func (p *Project) takesNothing(r Ref) bool {
	return p.bare(r) || p.Docs[r.Doc].Language == "scala" && callable(p.Decl(r).Kind) && len(p.firstParams(r)) == 0
}

// objectOnly reports whether a declaration is an object of Scala, whose name is no type.
func (p *Project) objectOnly(f *File, decl int32) bool {
	return f.Lang == "jvm" && f.Decls[decl].Traits&corpus.Static != 0 && p.Docs[f.Doc].Language == "scala"
}

// withoutObjects leaves out the objects of Scala among what a name of a type may be, where there is a type.
func (p *Project) withoutObjects(f *File, vs []value) []value {
	if f.Lang != "jvm" {
		return vs
	}
	if whole := slices.DeleteFunc(slices.Clone(vs), p.isObject); len(whole) > 0 {
		return whole
	}
	return vs
}

// objectsAlone leaves out classes of Scala that an object is beside: of the two the object has the members that are imported.
func (p *Project) objectsAlone(vs []value) []value {
	if !slices.ContainsFunc(vs, p.isObject) {
		return vs
	}
	return slices.DeleteFunc(slices.Clone(vs), func(v value) bool { return v.kind == class && !p.isObject(v) })
}

func (p *Project) isObject(v value) bool {
	return v.kind == class && p.objectOnly(p.File(v.ref.Doc), v.ref.Decl)
}

// objectNames returns the objects of Scala that are called by their names where one of some methods is meant, their apply.
func (p *Project) objectNames(of []Ref) map[string]bool {
	names := map[string]bool{}
	for _, r := range of {
		d, f := p.Decl(r), p.File(r.Doc)
		if c, ok := p.classAround(f, d.Parent); ok && d.Name == whenCalled["scala"] && p.objectOnly(f, c.Decl) {
			names[p.Decl(c).Name] = true
		}
	}
	return names
}

// appliedObjects returns what objects of Scala do when they are called, apply, in place of these and of the class of their
// name: new makes that.
func (p *Project) appliedObjects(c *corpus.Call, vs []value) []value {
	var out []value
	for _, v := range vs {
		if v.kind != class || !p.objectOnly(p.File(v.ref.Doc), v.ref.Decl) {
			continue
		}
		for _, m := range p.ownMember(v.ref, whenCalled["scala"]) {
			if m.kind == function && (c.Args < 0 || p.takes(m.ref, int(c.Args))) {
				m.how, m.guess = v.how, v.guess
				out = append(out, m)
			}
		}
	}
	if len(out) == 0 {
		return vs
	}
	return out
}
