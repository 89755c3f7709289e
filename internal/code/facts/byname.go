package facts

import (
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
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
	case f.Lang == "ruby" && objects.Has(c.Callee):
		return out, ambiguous
	case len(out) == 1 && syntax.Has(p.Docs[f.Doc].Language, "names-tell-methods") && !everyday.Has(c.Callee):
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
	if len(name) < 8 || everyday.Has(name) || worded.Has(name) {
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

// everyday are names of methods that the things of every language have.
var everyday = lazy.Words(`append add get set pop push items keys values join split strip update remove insert extend sort reverse index count format replace find
read write close open copy clear encode decode lower upper startswith endswith map filter reduce forEach concat slice splice toString then catch finally has delete
each size length call apply bind test exec match search trim includes indexOf next send throw emit on off once start stop run log info warn error debug warning exception
exists mkdir group groups sub acquire release wait notify put task_done cancel result done first last name value type key data json text content all any sum min max
rstrip lstrip splitlines partition rpartition zfill ljust rjust center casefold swapcase isdigit isalpha popitem fromkeys appendleft popleft truncate
select where order limit create save load dump dumps loads parse render setdefault discard union flush seek tell readline readlines isoformat strftime date time now
execute fetchone fetchall commit rollback cursor connect bind listen accept recv shutdown title message print end on_error setState trigger attr addClass html css`)

// objects are methods that every object of Ruby has, and those by which one becomes another.
var objects = lazy.Words(`to_s inspect to_hash to_h to_a to_ary to_str to_i to_int to_f to_r to_c to_sym to_proc to_json as_json hash dup clone freeze frozen? is_a? kind_of? instance_of?
respond_to? respond_to_missing? method_missing public_send tap object_id equal? eql? nil? display class method methods instance_variable_get instance_variable_set instance_variables coerce succ`)
