package graph

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// declarationKinds are what functions --kind may name.
func declarationKinds() []string {
	return strings.Split("function|method|class|interface|struct|enum|trait|type|constant|const|variable|var|field|module|macro|test", "|")
}

// isOf reports whether a declaration is of a kind as people call it: a type is of any sort.
func isOf(kind string, k corpus.Kind) bool {
	switch kind {
	case "const":
		return k == corpus.Constant
	case "var":
		return k == corpus.Variable
	case "type":
		switch k {
		case corpus.Type, corpus.Class, corpus.Struct, corpus.Interface, corpus.Enum, corpus.Trait:
			return true
		}
		return false
	}
	return k.String() == kind
}

// fields returns the fields of types that are asked for: by a path, by a glob of paths or of
// names, or by a part of a name.
func (s *session) fields(in FunctionsInput) ([]facts.Place, error) {
	match, wrong := s.paths(in.Pattern)
	if in.Pattern == "" || s.within != "" {
		return s.fieldsOf(in, match, everything), nil
	}
	if glob(in.Pattern) {
		if wrong == nil {
			if out := s.fieldsOf(in, match, everything); len(out) > 0 {
				return out, nil
			}
		}
		return s.fieldsOf(in, everything, like(in.Pattern)), nil
	}
	name := strings.NewReplacer("::", ".", "#", ".").Replace(in.Pattern)
	if out := s.fieldsOf(in, everything, contains(name)); len(out) > 0 {
		return out, nil
	}
	return s.fieldsOf(in, match, everything), wrong
}

func (s *session) fieldsOf(in FunctionsInput, file, name func(string) bool) (out []facts.Place) {
	for doc := range s.p.Docs {
		d := &s.p.Docs[doc]
		if s.ctx.Err() != nil || !syntax.Source(d.Language) || !s.filter.doc(d) || !file(d.Path) {
			continue
		}
		for _, t := range s.p.FieldsIn(doc) {
			if name(s.placeName(t.Place)) && (!in.Exported || t.Exported) {
				out = append(out, t.Place)
			}
		}
	}
	sorting.Stable(out, func(a, b facts.Place) int {
		if a.Doc != b.Doc {
			return a.Doc - b.Doc
		}
		return a.At - b.At
	})
	return out
}

// listed describes a declaration or a field.
func (s *session) listed(t facts.Place) Function {
	if t.Name == "" {
		return s.function(t.Ref)
	}
	f := s.p.Field(t)
	return Function{Name: t.Name, File: s.p.Docs[t.Doc].Path, Public: f.Exported, Parameters: []string{}, Return: f.Type,
		Qualified: s.placeName(t), Kind: "field", at: t.At}
}
