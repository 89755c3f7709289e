package apidoc

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/markdown"
)

// The kinds of declarations as TypeDoc numbers them (ReflectionKind).
const (
	typedocModule   = 1 | 2 | 4
	typedocProperty = 1024 | 262144
	typedocAlias    = 2097152
	typedocListed   = 8 | 256 | typedocAlias // shown with its fields
)

const maxTypeDepth = 12 // of a type in a type that is written

var typedocWords = map[int]string{8: "enum ", 32: "const ", 64: "function ", 128: "class ", 256: "interface ", 512: "new ", typedocAlias: "type "}

type typedocNode struct {
	Name                                             string
	Kind                                             int
	Flags                                            struct{ IsPrivate, IsInherited, IsExternal, IsOptional, IsRest bool }
	Comment                                          typedocComment
	Children, Signatures, Parameters, TypeParameters []typedocNode
	GetSignature                                     *typedocNode
	Type                                             *typedocType
	DefaultValue                                     string
	ExtendedTypes                                    []typedocType
	Sources                                          []struct{ FileName string }
}

type typedocPart struct{ Kind, Text string }

type typedocComment struct {
	Summary   []typedocPart
	BlockTags []struct {
		Tag     string
		Content []typedocPart
	}
}

type typedocType struct {
	Type, Name, Operator                          string
	Value, Target                                 json.RawMessage
	ElementType, ObjectType, IndexType, QueryType *typedocType
	CheckType, ExtendsType, TrueType, FalseType   *typedocType
	Types, Elements, TypeArguments                []typedocType
	Declaration                                   *typedocNode
}

// isTypedoc reports whether a file is a project as TypeDoc writes it.
func isTypedoc(data []byte) bool {
	return bytes.Contains(data[:min(len(data), 4<<10)], []byte(`"schemaVersion"`)) && bytes.Contains(data, []byte(`"variant"`))
}

// reflections returns an entry for each declaration of a project of TypeDoc.
func reflections(data []byte) []Entry {
	var project typedocNode
	if json.Unmarshal(data, &project) != nil {
		return nil
	}
	out := gathering{lang: "typescript"}
	out.reflect(project.Children, []string{project.Name}, "")
	return out.entries()
}

// reflect adds declarations and those in them, unless a class has them from another one.
func (g *gathering) reflect(all []typedocNode, trail []string, scope string) {
	for i := range all {
		n := &all[i]
		isHidden := n.Flags.IsPrivate || n.Flags.IsInherited || n.Flags.IsExternal
		if isHidden || n.Name == "" || len(trail) > maxTypeDepth {
			continue
		}
		if n.Kind&typedocModule != 0 {
			g.reflect(n.Children, append(trail[:len(trail):len(trail)], n.Name), "")
			continue
		}
		e := Entry{Title: strings.TrimPrefix(scope+"."+n.Name, "."), Line: 1}
		e.Trail = append(append(e.Trail, trail...), e.Title)
		declared := n.Signatures
		if n.GetSignature != nil {
			declared = []typedocNode{*n.GetSignature}
		}
		if len(declared) == 0 {
			declared = []typedocNode{*n}
		}
		for j := range declared {
			said := declared[j].doc()
			if said.private || said.empty() && n.Kind&typedocProperty != 0 {
				continue
			}
			if len(n.Sources) > 0 {
				said.notes = append(said.notes, "Declared in "+n.Sources[0].FileName+".")
			}
			g.add(e, n.head(&declared[j]), said)
		}
		g.reflect(n.Children, e.Trail, e.Title)
	}
}

// head writes the head of a declaration, one of whose signatures is d.
func (n *typedocNode) head(d *typedocNode) string {
	s := typedocWords[n.Kind] + d.Name + typeParameters(n.TypeParameters)
	switch {
	case len(n.Signatures) > 0:
		return s + d.parameters(": ", 0)
	case n.Type != nil && n.Kind == typedocAlias:
		return s + " = " + n.Type.text(0)
	case typedocWords[n.Kind] == "" || n.Kind == 32:
		return typedocWords[n.Kind] + d.field(0)
	case len(n.ExtendedTypes) > 0:
		s += " extends " + listOf(n.ExtendedTypes, ", ", 0)
	}
	if n.Kind&typedocListed != 0 && len(n.Children) > 0 {
		s += " {\n  " + n.fields(";\n  ", 0) + "\n}"
	}
	return s
}

// parameters writes the parameters of a function and its result behind a sign.
func (n *typedocNode) parameters(sign string, depth int) string {
	all := slice.Map(n.Parameters, func(x typedocNode) string { return x.field(depth) })
	return typeParameters(n.TypeParameters) + "(" + strings.Join(all, ", ") + ")" + strings.TrimSuffix(sign+n.Type.text(depth), sign)
}

// field writes a parameter or a property with its type.
func (n *typedocNode) field(depth int) string {
	s := strings.Replace(n.Name, "__namedParameters", "options", 1) // one that is taken apart has no name
	if n.Flags.IsRest {
		s = "..." + s
	}
	if n.Flags.IsOptional {
		s += "?"
	}
	if len(n.Signatures) > 0 {
		s += n.Signatures[0].parameters(": ", depth)
	}
	return strings.TrimSuffix(strings.TrimSuffix(s+": "+n.Type.text(depth), ": ")+" = "+strings.TrimSuffix(n.DefaultValue, "..."), " = ")
}

// fields writes the properties of a type.
func (n *typedocNode) fields(separator string, depth int) string {
	var all []string
	for i := range n.Children {
		if f := n.Children[i].Flags; !f.IsInherited && !f.IsPrivate {
			all = append(all, n.Children[i].field(depth))
		}
	}
	return strings.Join(all, separator)
}

func typeParameters(all []typedocNode) string {
	var names []string
	for i := range all {
		names = append(names, strings.TrimSuffix(all[i].Name+" extends "+all[i].Type.text(0), " extends "))
	}
	return strings.TrimSuffix("<"+strings.Join(names, ", ")+">", "<>")
}

func listOf(types []typedocType, separator string, depth int) string {
	all := slice.Map(types, func(x typedocType) string { return x.text(depth) })
	return strings.Join(all, separator)
}

// text writes a type as TypeScript does; "…" stands for a form that has no name, and for one that is nested very deep.
func (v *typedocType) text(depth int) string {
	if v == nil {
		return ""
	}
	if depth++; depth > maxTypeDepth {
		return "…"
	}
	switch v.Type {
	case "intrinsic", "unknown", "reference", "templateLiteral":
		return cmp.Or(v.Name, "string") + strings.TrimSuffix("<"+listOf(v.TypeArguments, ", ", depth)+">", "<>")
	case "literal":
		return string(v.Value)
	case "array":
		if of := v.ElementType.text(depth); !strings.ContainsAny(of, " ") {
			return of + "[]"
		}
		return "(" + v.ElementType.text(depth) + ")[]"
	case "union":
		return listOf(v.Types, " | ", depth)
	case "intersection":
		return listOf(v.Types, " & ", depth)
	case "tuple":
		return "[" + listOf(v.Elements, ", ", depth) + "]"
	case "namedTupleMember", "optional", "rest":
		return v.ElementType.text(depth)
	case "typeOperator":
		var target *typedocType
		if json.Unmarshal(v.Target, &target) == nil {
			return v.Operator + " " + target.text(depth)
		}
	case "query":
		return "typeof " + v.QueryType.text(depth)
	case "indexedAccess":
		return v.ObjectType.text(depth) + "[" + v.IndexType.text(depth) + "]"
	case "conditional":
		return v.CheckType.text(depth) + " extends " + v.ExtendsType.text(depth) + " ? " + v.TrueType.text(depth) + " : " + v.FalseType.text(depth)
	case "reflection":
		if d := v.Declaration; d != nil && len(d.Signatures) > 0 {
			return d.Signatures[0].parameters(" => ", depth)
		} else if d != nil {
			return "{ " + d.fields("; ", depth) + " }"
		}
	}
	return "…"
}

// doc reads the comment of a declaration, and those of its parameters.
func (n *typedocNode) doc() (d doc) {
	write := func(parts []typedocPart) (s string) {
		for _, p := range parts {
			if p.Kind == "inline-tag" {
				p.Text = "`" + p.Text + "`"
			}
			s += p.Text
		}
		return s
	}
	d.text = markdown.Parse([]byte(write(n.Comment.Summary)), markup.Options{}).Blocks
	for i := range n.Parameters {
		p := &n.Parameters[i]
		if said := p.doc(); len(said.text) > 0 {
			d.params = append(d.params, item{p.Name, strings.Join(texts(said.text), " ")})
		}
	}
	for _, t := range n.Comment.BlockTags {
		d.private = d.private || t.Tag == "@internal" || t.Tag == "@hidden"
		d.tag(strings.TrimPrefix(t.Tag, "@"), write(t.Content), "typescript")
	}
	return d
}
