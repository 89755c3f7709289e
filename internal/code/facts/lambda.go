package facts

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// lambdaParameter returns the values of the n-th parameter of a lambda that functions are given, which are members of some values
// under a name: as the functions say, or an element of the values.
func (p *Project) lambdaParameter(f *File, before step, functions []value, n int) (out []value) {
	for _, v := range functions {
		if v.kind != function {
			continue
		}
		for _, param := range p.Decl(v.ref).Params {
			if types := lambdaTypes(param, p.lambdaBounds(v.ref, param)); n < len(types) {
				out = append(out, value{kind: instance, typ: types[n], ref: v.ref, how: "type"})
			}
		}
	}
	language := p.Docs[f.Doc].Language
	if len(out) > 0 || before.of == nil {
		return uniqueValues(out)
	}
	for _, v := range before.of {
		v.guess = true
		switch {
		case v.kind != instance && v.kind != object:
		case syntax.Lists(language, "gives-owner", before.name):
			out = append(out, v)
		case n != 0 && !syntax.Lists(language, "folds", before.name):
		case v.typ != "":
			if _, inner, ok := wrapped(v.typ); ok {
				v.typ = inner
				out = append(out, v)
			} else if len(p.classes(v)) == 0 {
				out = append(out, p.element(v)...)
			}
		}
	}
	return uniqueValues(out)
}

// lambdaBounds returns the bounds of the type parameter that the type of a parameter is.
func (p *Project) lambdaBounds(of Ref, param string) (out []string) {
	f := p.File(of.Doc)
	_, typ, _ := cutType(param)
	for _, i := range f.bound["<"+strings.TrimSpace(typ)] {
		if f.Bindings[i].In == of.Decl {
			out = append(out, f.Bindings[i].Type)
		}
	}
	return out
}

// functionTypes are types of libraries whose arguments are the types of the parameters of a function, and perhaps of its result.
var functionTypes = lazy.Words("Action BiConsumer BiFunction BiPredicate Consumer Func Function Predicate UnaryOperator")

// lambdaTypes returns the types of the parameters of the function that a parameter of a function is, or that one of its bounds is:
// Disk of f: (Disk) -> Unit, Consumer<Disk> c, f: impl Fn(&Disk) and f: Disk => Unit.
func lambdaTypes(param string, bounds []string) (out []string) {
	for _, t := range append([]string{param}, bounds...) {
		for _, arrow := range []string{"->", "=>"} {
			before, _, ok := strings.Cut(t, arrow)
			if !ok {
				continue
			}
			if _, typ, named := strings.Cut(before, ":"); named {
				before = typ
			}
			before = strings.TrimSpace(before)
			if open := strings.LastIndexByte(before, '('); open >= 0 {
				before, _, _ = strings.Cut(before[open+1:], ")") // without the throws of Swift
			}
			return trimmed(commas(before))
		}
		for _, head := range []string{"Fn(", "FnMut(", "FnOnce("} {
			if _, rest, ok := strings.Cut(t, head); ok {
				inner, _, _ := strings.Cut(rest, ")")
				return trimmed(commas(inner))
			}
		}
		open := strings.IndexByte(t, '<')
		if open <= 0 || closing(t[open:]) < 2 {
			continue
		}
		head := t[:open]
		if head = head[1+strings.LastIndexAny(head, " .:"):]; functionTypes.Has(head) {
			return trimmed(commas(t[open+1 : open+closing(t[open:])-1]))
		}
	}
	return nil
}

func trimmed(list []string) []string {
	for i := range list {
		list[i] = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(list[i]), "_ "))
	}
	return list
}
