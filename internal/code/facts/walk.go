package facts

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A walk reads a chain from its first name on: what that may be, and then what each step from
// there leads to.
type walk struct {
	p     *Project
	f     *File
	in    int32
	at    int
	chain string

	cur  []value
	rest string // of the chain
	last step
}

// begin finds what the chain begins with.
func (w *walk) begin() {
	if loaded, ok := strings.CutPrefix(w.chain, "import('"); ok {
		path, after, _ := strings.Cut(loaded, "')")
		if got := w.p.Import(w.f.Doc, &corpus.Import{Path: path, Kind: corpus.Dynamic}); len(got.Docs) > 0 {
			w.cur = []value{{kind: module, docs: got.Docs, how: "import"}}
		} else {
			w.cur = []value{{kind: external}}
		}
		w.rest = strings.TrimPrefix(after, ".then^0^0") // the result of its promise
	} else if v, own, ok := written(w.f, w.in, w.chain); ok {
		w.cur, w.rest = []value{v}, own
	} else if own, ok := literal(w.f, w.chain); ok {
		w.cur, w.rest = []value{{kind: object, ref: Ref{w.f.Doc, w.in}, how: "file"}}, own
	} else if w.chain[0] == '{' {
		end := typeEnd(w.chain)
		w.cur = []value{{kind: instance, typ: w.chain[1 : end-1], ref: Ref{w.f.Doc, w.in}, how: "type"}}
		w.rest = w.chain[end:]
	} else {
		n := partEnd(w.chain)
		if own, ok := strings.CutPrefix(w.chain, "module.exports"); ok && w.f.Lang == "ecma" && (own == "" || own[0] == '.') {
			w.cur, n = []value{{kind: module, docs: []int{w.f.Doc}, how: "file"}}, len(w.chain)-len(own)
		} else {
			w.cur = w.p.lookup(w.f, w.in, w.at, w.chain[:n])
			if !isCalled(w.chain[n:]) {
				w.cur = w.p.membered(w.f, w.in, w.cur, w.chain[:n])
			}
			w.last.name = w.chain[:n]
		}
		if w.rest = w.chain[n:]; len(w.cur) == 0 && w.f.Lang == "rust" {
			w.cur, w.rest = w.p.rustRoot(w.f, w.in, w.chain)
		}
		if len(w.cur) == 0 && w.f.Lang == "jvm" {
			w.cur, w.rest = w.p.qualifiedClass(w.f, w.chain)
		}
		if syntax.Has(w.f.Lang, "relative-namespaces") && isOutside(w.cur) {
			if vs, rest := w.p.pathOfNamespaces(w.f, w.chain); len(vs) > 0 {
				w.cur, w.rest, w.last = vs, rest, step{}
			}
		}
		w.gives()
	}
}

// next takes one step, and reports whether the rest of the chain can be read.
func (w *walk) next() bool {
	before := w.last
	w.last = step{}
	switch {
	case w.rest[0] == '[' && (w.f.Lang == "python" || w.f.Lang == "ecma" && !strings.HasPrefix(w.rest, "[key]")):
		key, after, ok := keyOf(w.rest)
		switch {
		case !ok:
			return false
		case strings.HasPrefix(key, ":"):
			w.cur = sliced(w.cur, key)
		case w.f.Lang == "ecma":
			w.cur = w.p.atIndex(w.f, w.in, w.at, before, w.cur, key)
		default:
			w.cur = w.p.at(w.f, w.in, w.at, before, w.cur, key)
			if before.of == nil && before.name != "" {
				w.last.name = w.chain[:len(w.chain)-len(after)]
			}
		}
		w.rest = after
	case strings.HasPrefix(w.rest, "()") && w.p.isComponent(before):
		w.rest = w.rest[2:]
	case strings.HasPrefix(w.rest, "()"):
		w.cur = w.p.each(w.cur, w.p.call)
		if first, _ := utf8.DecodeRuneInString(before.name); !unicode.IsUpper(first) { // else it makes one of its type
			w.cur = returned(w.cur)
		}
		w.rest = w.rest[2:]
	case strings.HasPrefix(w.rest, "[key]"):
		w.cur = w.p.each(w.cur, w.p.key)
		w.rest = w.rest[5:]
	case strings.HasPrefix(w.rest, "[]"):
		w.cur = w.p.each(w.cur, w.p.element)
		w.rest = w.rest[2:]
	case w.rest[0] == '#':
		k := w.number()
		if w.f.Lang == "ecma" {
			w.cur = w.p.each(w.cur, func(v value) []value { return w.p.item(v, k) })
		} else {
			w.cur = w.p.each(w.cur, func(v value) []value { return part(v, k) })
		}
	case strings.HasPrefix(w.rest, syntax.GivenMark):
		w.rest = w.rest[1:]
		w.cur = returned(w.p.lambdaParameter(w.f, before, w.cur, w.number()))
	case w.rest[0] == '^':
		k := w.number()
		w.cur = returned(w.p.each(w.cur, func(v value) []value { return w.p.parameter(v, k) }))
	case w.rest[0] == '.':
		n := 1 + partEnd(w.rest[1:])
		name := w.rest[1:n]
		if name != "this" && name != "super" {
			w.cur = w.p.objects(w.f, w.cur)
		}
		w.last = step{w.cur, name}
		of := w.cur
		isOther := func(v value) bool { return !v.isArray() }
		isOfElements := !slices.ContainsFunc(of, isOther) && strings.HasPrefix(builtins()["Array"][name], "(f: (x: E")
		if rest, ok := strings.CutPrefix(w.rest[n:], "^0^0"); ok && isOfElements {
			w.rest, w.cur = rest, w.p.each(of, func(v value) []value { return w.p.elements(v, "") })
			return true
		}
		w.cur = w.p.each(w.cur, func(v value) []value { return w.p.member(w.f, v, name) })
		isFunction := func(v value) bool { return v.kind != instance }
		if w.rest = w.rest[n:]; syntax.Lists(w.p.Docs[w.f.Doc].Language, "gives-itself", name) && !slices.ContainsFunc(w.cur, isFunction) {
			w.rest = strings.TrimPrefix(w.rest, "()")
		}
		if w.p.methods(w.f, w.cur) && !isCalled(w.rest) {
			w.cur = w.p.each(of, func(v value) []value { return w.p.heldIn(v, name) })
		}
		w.gives()
	default:
		return false
	}
	return true
}

// fromCall is how a value of a library is known that one of its functions returned or takes. Where functions are generic, mock(Store.class)
// may be of a type of the project.
const fromCall = "call"

// unproven is how a value is known that is not of the project as far as is seen, and may be: a member that a class does not declare
// and a base of a library may have, and a member of something that is generic or of any type.
const unproven = "unproven"

// isOpenType reports whether a type is one that anything has: any, object.
func isOpenType(t string) bool {
	_, last := cutLast(bare(t), ".")
	return syntax.Lists("any", "open-types", last)
}

// returned marks values of libraries as results or parameters of their functions.
func returned(vs []value) []value {
	out := slices.Clone(vs)
	for i := range out {
		if out[i].kind == external && out[i].how != unproven {
			out[i].how = fromCall
		}
	}
	return out
}

// gives calls what Scala and Ruby call where it is named without brackets.
func (w *walk) gives() {
	if isCalled(w.rest) {
		return
	}
	w.cur = w.p.each(w.cur, func(v value) []value {
		if v.kind == function && (syntax.Has(w.f.Lang, "names-call") || w.p.takesNothing(v.ref)) {
			return w.p.call(v)
		}
		return []value{v}
	})
}

// isComponent reports whether a step names a component of a record for which no method is written: a call of it gives the component.
func (p *Project) isComponent(s step) bool {
	return len(s.of) > 0 && !slices.ContainsFunc(s.of, func(v value) bool {
		of := p.classes(v)
		return len(of) == 0 || slices.ContainsFunc(of, func(c Ref) bool {
			isOne := func(param string) bool { return strings.HasSuffix(param, " "+s.name) }
			isRecord := syntax.Has(p.Docs[c.Doc].Language, "records-have-accessors") && slices.ContainsFunc(p.Decl(c).Params, isOne)
			return !isRecord || len(p.OwnMethods(c, s.name)) > 0
		})
	})
}

// isCalled reports whether a chain goes on with a call.
func isCalled(rest string) bool {
	return strings.HasPrefix(rest, "()") || strings.HasPrefix(rest, syntax.GivenMark)
}

// number takes a sign and the number behind it off the rest.
func (w *walk) number() int {
	n := 1
	for n < len(w.rest) && w.rest[n] >= '0' && w.rest[n] <= '9' {
		n++
	}
	k, _ := strconv.Atoi(w.rest[1:n])
	w.rest = w.rest[n:]
	return k
}
