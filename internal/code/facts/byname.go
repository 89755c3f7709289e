package facts

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// byName answers where the receiver is not known: with every method of that name.
func (p *Project) byName(f *File, c *corpus.Call) ([]target, outcome) {
	var out []target
	for _, r := range p.declared(f.Doc, c.Callee) {
		d := p.Decl(r)
		if !callable(d.Kind) || d.Kind == corpus.Macro || f.Lang == "go" && d.Kind != corpus.Method || d.Traits&corpus.Constructor != 0 {
			continue
		}
		if syntax.Has(f.Lang, "implicit-interfaces") && d.Traits&corpus.Abstract != 0 {
			continue
		}
		if d.Kind != corpus.Method && d.Scope == "" && c.Receiver != "" && f.Lang != "clang" {
			continue // a plain function is nobody's member
		}
		if c.Args >= 0 && !p.takes(r, int(c.Args)) && f.Lang != "ruby" && f.Lang != "lua" {
			continue
		}
		if out = append(out, target{r, NameOnly, "name"}); len(out) > 64 {
			break
		}
	}
	switch {
	case len(out) == 0:
		return nil, unresolved
	case syntax.Lists(f.Lang, "object-methods", c.Callee):
		return out, ambiguous
	case len(out) == 1 && syntax.Has(p.Docs[f.Doc].Language, "names-tell-methods") && !syntax.Lists("any", "everyday", c.Callee):
		out[0].sure = Likely
		return out, resolved
	case telling(c.Callee) && (p.oneOf(f, out) || len(out) == 1 && f.Lang == "rust"):
		for i := range out {
			out[i].sure = Likely
		}
		return out, resolved
	}
	return out, ambiguous
}

// macro returns the macro of Rust that a name may be which nothing in the file brings in: those that a crate exports are
// known wherever it is used by macro_use.
func (p *Project) macro(f *File, c *corpus.Call) []target {
	if f.Lang != "rust" || c.Receiver != "" || c.Callee == corpus.Unnamed {
		return nil
	}
	var out []target
	for _, r := range p.declared(f.Doc, c.Callee) {
		if d := p.Decl(r); d.Kind == corpus.Macro {
			out = append(out, target{r, Likely, "name"})
		} else if callable(d.Kind) && d.Parent < 0 && d.Scope == "" && r.Doc == f.Doc {
			return nil
		}
	}
	if len(out) != 1 {
		return nil
	}
	return out
}

// telling reports whether a name is of several words, which libraries seldom have for something else.
func telling(name string) bool {
	if len(name) < 8 || syntax.Lists("any", "everyday", name) || syntax.Lists("any", "library-names", name) {
		return false
	}
	for i := 1; i < len(name); i++ {
		if name[i] >= 'A' && name[i] <= 'Z' && name[i-1] >= 'a' && name[i-1] <= 'z' || name[i] == '_' {
			return true
		}
	}
	return false
}

// foreign reports whether a receiver begins with a name that nothing declares,
// binds or imports: one of the language's own, as Object and console are.
func (p *Project) foreign(f *File, c *corpus.Call) bool {
	isConstant := c.Receiver[0] >= 'A' && c.Receiver[0] <= 'Z'
	switch f.Lang {
	case "csharp": // a type: instances may have extensions
		isType := partEnd(c.Receiver) == len(c.Receiver) && (isConstant || syntax.Lists(f.Lang, "builtin-types", c.Receiver))
		return isType && p.lookup(f, c.In, c.At, c.Receiver) == nil
	case "ruby":
		if !isConstant {
			return false
		}
		fallthrough
	case "python", "ecma", "go", "jvm":
		return c.Receiver[0] != '{' && p.lookup(f, c.In, c.At, c.Receiver[:partEnd(c.Receiver)]) == nil
	}
	return false
}
