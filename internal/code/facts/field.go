package facts

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// Fields returns the fields of types that a name means, as Lookup reads it.
func (p *Project) Fields(name string) []Place {
	out := p.fieldsAs(name)
	if plain, _ := Plain(name); len(out) == 0 && plain != name {
		out = p.fieldsAs(plain)
	}
	return out
}

func (p *Project) fieldsAs(name string) (out []Place) {
	file := ""
	if i := strings.LastIndexByte(name, ':'); i > 0 && name[i-1] != ':' {
		file, name = name[:i], name[i+1:]
	}
	scope, last := cutLast(strings.NewReplacer("::", ".", "#", ".").Replace(name), ".")
	for _, doc := range p.src.Mentioning(strings.TrimPrefix(last, "$")) {
		f := p.File(doc)
		if file != "" && f.Path != file && !strings.HasSuffix(f.Path, "/"+file) {
			continue
		}
		seen := map[int32]bool{}
		for _, name := range fieldNames(f.Lang, last) {
			for _, b := range p.fieldsIn(f, name) {
				c := f.fieldOf(b)
				if d := &f.Decls[c]; !seen[c] && (scope == "" || d.Qualified() == scope || strings.HasSuffix(d.Qualified(), "."+scope) || inScope(f, d, scope+"."+d.Name) || f.Lang == "clang" && d.Kind == corpus.Enum && inScope(f, d, scope)) {
					seen[c] = true
					out = append(out, Place{Ref{doc, -1}, name, f.Bindings[b].At, Exact, "declaration"})
				}
			}
		}
	}
	return out
}

// fieldNames returns how a field may be bound that a question calls name: in PHP properties are named
// with and without their $, and static ones are bound with it.
func fieldNames(lang, name string) []string {
	if lang != "php" {
		return []string{name}
	}
	name = strings.TrimPrefix(name, "$")
	return []string{name, "$" + name}
}

// A Field is a field of a type, as far as it is declared.
type Field struct {
	Place
	Type     string // as written
	Exported bool
}

// FieldsIn returns the fields that the types of a document have, in order.
func (p *Project) FieldsIn(doc int) (out []Field) {
	f, text := p.File(doc), []byte(nil)
	seen := map[string]bool{}
	for i := range f.Bindings {
		c := f.fieldOf(int32(i))
		if c < 0 {
			continue
		}
		b := &f.Bindings[i]
		name := b.Name[strings.LastIndexAny(b.Name, ".@>")+1:]
		if key := strconv.Itoa(int(c)) + "." + name; name != "" && !seen[key] {
			if seen[key] = true; text == nil {
				text = p.src.Text(doc, nil)
			}
			out = append(out, field(f, text, b, c, name))
		}
	}
	return out
}

// Field describes what Fields returned.
func (p *Project) Field(t Place) Field {
	f := p.File(t.Doc)
	for i := range f.Bindings {
		if b := &f.Bindings[i]; b.At == t.At {
			if c := f.fieldOf(int32(i)); c >= 0 {
				return field(f, p.src.Text(t.Doc, nil), b, c, t.Name)
			}
		}
	}
	return Field{Place: t}
}

// field describes a binding of a class.
func field(f *File, text []byte, b *corpus.Binding, class int32, name string) Field {
	out := Field{Place{Ref{f.Doc, -1}, name, b.At, Exact, "declaration"}, b.Type, f.Decls[class].Exported && name[0] != '_' && name[0] != '#'}
	if b.At > len(text) {
		return out
	}
	line := text[1+bytes.LastIndexByte(text[:b.At], '\n') : min(b.At+len(name), len(text))]
	line = line[1+bytes.LastIndexAny(line, "{;,("):]
	has := func(words ...string) bool {
		return slices.ContainsFunc(bytes.Fields(line), func(w []byte) bool { return slices.Contains(words, string(w)) })
	}
	// Bindings have no modifiers, so the line is read.
	switch {
	case f.Lang == "go":
		r, _ := utf8.DecodeRuneInString(name)
		out.Exported = unicode.IsUpper(r)
	case f.Lang == "rust":
		out.Exported = has("pub")
	case strings.HasSuffix(f.Path, ".java"), f.Lang == "csharp":
		out.Exported = has("public") || f.Decls[class].Kind == corpus.Interface
	case f.Lang != "python":
		out.Exported = out.Exported && !has("private", "protected", "internal", "fileprivate")
	}
	return out
}

// fieldsIn returns the bindings of a file that are fields of that name.
func (p *Project) fieldsIn(f *File, name string) (out []int32) {
	for _, key := range []string{name, "self." + name, "this." + name, "@" + name, "$this." + name} {
		for _, b := range f.bound[key] {
			if f.fieldOf(b) >= 0 {
				out = append(out, b)
			}
		}
	}
	return out
}

// fieldOf returns the class that a binding is a field of, -1 where it is none.
func (f *File) fieldOf(b int32) int32 {
	bind := &f.Bindings[b]
	if bind.In < 0 || unnamed(bind.Name) {
		return -1
	}
	if strings.ContainsAny(bind.Name, ".@>") {
		for d := bind.In; d >= 0; d = f.Decls[d].Parent {
			if classLike(f.Decls[d].Kind) {
				return d
			}
		}
		return -1
	}
	if classLike(f.Decls[bind.In].Kind) && bind.Param == 0 {
		return bind.In
	}
	return -1
}

// unnamed reports whether a binding is of what has no name of its own: an element, "x[]", what is returned, a type parameter, a block,
// or a display, which is called by its offset, "@7".
func unnamed(name string) bool {
	if isMarked := strings.HasPrefix(name, corpus.BoundMark) || strings.HasPrefix(name, corpus.BlockMark); isMarked {
		return true
	}
	offset, isDisplay := strings.CutPrefix(name, "@")
	return strings.ContainsAny(name, "[(") || isDisplay && startsWithDigit(offset)
}

func startsWithDigit(s string) bool {
	return s != "" && s[0] >= '0' && s[0] <= '9'
}
