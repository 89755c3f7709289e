package facts

import (
	"bytes"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// indent returns where the line of an offset begins, and how many bytes of space it begins with.
func indent(text []byte, at int) (from, n int) {
	from = 1 + bytes.LastIndexByte(text[:at], '\n')
	return from, len(text[from:]) - len(bytes.TrimLeft(text[from:], " \t"))
}

// longestHead bounds what precedes the = of an equation, in bytes.
const longestHead = 2000

// equates reports whether a name is the one that an equation of Haskell is of: an equation of what the name is in, before
// its = or its first guard.
func (f *File) equates(in int32, x syntax.Use, text []byte) bool {
	if f.Lang != "haskell" || in < 0 || f.Decls[in].Name != x.Name || x.At >= len(text) || f.Decls[in].NameAt >= len(text) {
		return false
	}
	_, column := indent(text, f.Decls[in].NameAt)
	from, n := indent(text, x.At)
	for from > f.Decls[in].Span.Start && n > column && x.At-from < longestHead {
		from, n = indent(text, from-1)
	}
	return n == column && !slices.ContainsFunc(bytes.Fields(text[from:x.At]), func(w []byte) bool { return len(w) == 1 && (w[0] == '=' || w[0] == '|') })
}

// continued reports whether the lines of a text after its first are all indented, as those of an import of Haskell are.
func continued(text []byte) bool {
	for i, c := range text {
		if c == '\n' && i+1 < len(text) && text[i+1] > ' ' {
			return false
		}
	}
	return true
}

// withClass returns what an import of Haskell brings in under a name with the class or the type that it takes whole: C(..).
func (p *Project) withClass(f *File, m *corpus.Import, name string) (out []value) {
	for _, n := range m.Names {
		of, whole := strings.CutSuffix(n.Name, "(..)")
		if !whole || f.Lang != "haskell" {
			continue
		}
		for _, v := range p.exported(p.Import(f.Doc, m).Docs, name) {
			if v.kind != function {
				continue
			}
			if d := p.Decl(v.ref); d.Traits&corpus.Open != 0 && d.Parent >= 0 && p.File(v.ref.Doc).Decls[d.Parent].Name == of {
				out = append(out, v)
			}
		}
	}
	return out
}
