package facts

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// In Kotlin a block of code that a function is given may have a receiver, whose members are called in it by their names
// alone: those of a builder, as in routing { get("/") { … } }.

// maxBlocks bounds how many blocks around a call are asked for their receiver.
const maxBlocks = 16

// inReceiver returns what a call without a receiver runs as a member of the receiver of a block around it.
func (p *Project) inReceiver(f *File, c *corpus.Call) []target {
	if f.isLocal(c.In, c.Callee) {
		return nil
	}
	for n, block := 0, f.callAt(c.Block-1); block != nil && n < maxBlocks; n, block = n+1, f.callAt(block.Block-1) {
		if f.classBetween(c.In, block.In) {
			return nil
		}
		for _, v := range p.receiverOf(f, block) {
			vs := slices.DeleteFunc(slices.Clone(p.member(f, v, c.Callee)), func(v value) bool { return !p.callableIn(f, c, v) })
			if ts, what := p.targets(f, c, vs); what == resolved {
				for i := range ts {
					ts[i].sure = min(ts[i].sure, Likely)
				}
				return ts
			}
		}
	}
	return nil
}

// isLocal reports whether a function around a place declares or binds a name: what is local is nearer than a receiver.
func (f *File) isLocal(in int32, name string) bool {
	for d := in; d >= 0 && !classLike(f.Decls[d].Kind); d = f.Decls[d].Parent {
		if slices.ContainsFunc(f.byName[name], func(i int32) bool { return f.Decls[i].Parent == d }) {
			return true
		}
		if slices.ContainsFunc(f.bound[name], func(i int32) bool { return f.Bindings[i].In == d }) {
			return true
		}
	}
	return false
}

// classBetween reports whether a class is around a place, and within a declaration that is around it too: its members are
// nearer than the receiver of a block there.
func (f *File) classBetween(in, around int32) bool {
	for d := in; d >= 0 && d != around; d = f.Decls[d].Parent {
		if classLike(f.Decls[d].Kind) {
			return true
		}
	}
	return false
}

// callableIn reports whether a member of a receiver may be what a call runs: a function that takes as much, which the file
// sees where it is an extension.
func (p *Project) callableIn(f *File, c *corpus.Call, v value) bool {
	if v.kind != function || c.Args >= 0 && !p.takes(v.ref, int(c.Args)) {
		return false
	}
	d := p.Decl(v.ref)
	return d.Traits&corpus.Extension == 0 || p.sees(f, p.File(v.ref.Doc), d)
}

// callAt returns the call whose name is at an offset, nil for none.
func (f *File) callAt(at int) *corpus.Call {
	i, ok := slices.BinarySearchFunc(f.Calls, at, func(c corpus.Call, at int) int { return c.At - at })
	if !ok || at < 0 {
		return nil
	}
	return &f.Calls[i]
}

// receiverOf returns what the receiver may be of a block that a call is given.
func (p *Project) receiverOf(f *File, block *corpus.Call) []value {
	key := Ref{f.Doc, int32(block.At)}
	if got, ok := p.scoped[key]; ok {
		return got
	}
	p.scoped[key] = nil // while it is asked for
	var out []value
	ts, _ := p.resolve(f, block)
	for _, t := range ts {
		out = append(out, p.blockType(f, block, t.ref)...)
	}
	if len(ts) == 0 && (block.Callee == "apply" || block.Callee == "run") && block.Receiver != "" { // of the library
		out = p.eval(f, block.In, block.At, block.Receiver)
	}
	if len(ts) == 0 && block.Callee == "with" && block.Args == 2 && block.Given != "" {
		out = p.eval(f, block.In, block.At, commas(block.Given)[0])
	}
	p.scoped[key] = out
	return out
}

// blockType returns the receiver of the function type that the last parameter of a function is of.
func (p *Project) blockType(f *File, block *corpus.Call, of Ref) []value {
	d := p.Decl(of)
	if !callable(d.Kind) || len(d.Params) == 0 || p.Docs[of.Doc].Language != "kotlin" {
		return nil
	}
	last := lastType(d)
	t := blockReceiver(last)
	if t == "" {
		for _, v := range p.typeNamed(p.File(of.Doc), of.Decl, strings.TrimSuffix(last, "?")) {
			if alias := p.Decl(v.ref); v.kind == class && alias.Kind == corpus.Type {
				t, of = blockReceiver(alias.Result), v.ref
			}
		}
	}
	switch {
	case t == "":
		return nil
	case typeParameter(t) && block.Receiver != "":
		return p.eval(f, block.In, block.At, block.Receiver)
	}
	return p.typed(value{kind: instance, typ: t, ref: of, how: "type"})
}

// lastType returns the type of the last parameter of a function of Kotlin: of "noinline f: A.() -> Unit = {}".
func lastType(d *corpus.Decl) string {
	_, t, _ := strings.Cut(d.Params[len(d.Params)-1], ":")
	t, _, _ = strings.Cut(t, " = ")
	return strings.TrimSpace(t)
}

// blockReceiver returns the receiver in a function type of Kotlin, "" where it has none: A of A.(Int) -> Unit.
func blockReceiver(t string) string {
	t = strings.TrimSpace(t)
	if in, nullable := strings.CutSuffix(t, ")?"); nullable {
		t = strings.TrimPrefix(in, "(")
	}
	for strings.HasPrefix(t, "@") {
		_, t, _ = strings.Cut(t, " ")
	}
	t = strings.TrimSpace(strings.TrimPrefix(t, "suspend "))
	before, _, ok := strings.Cut(t, ".(")
	if !ok || strings.Contains(before, "->") || strings.HasPrefix(before, "(") {
		return ""
	}
	return before
}
