package openapi

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/set"
)

// A Schema says what a value is. The zero Schema says nothing.
type Schema struct {
	d *Document
	n *node
}

// A Field is one property of an object.
type Field struct {
	Name, Description string
	Required          bool
	Schema            Schema
}

func (d *Document) schema(n *node) Schema { return Schema{d, n} }

// Known reports whether the schema says anything.
func (s Schema) Known() bool { return s.n != nil && s.n.there() }

// Name returns what a schema is called that is kept with others in the file, "" of others.
func (s Schema) Name() string {
	if s.n == nil {
		return ""
	}
	ref := s.n.str("$ref")
	name := ref[strings.LastIndexByte(ref, '/')+1:]
	return strings.TrimSuffix(strings.TrimSuffix(name, ".yaml"), ".json")
}

// own returns the node that says something, references followed.
func (s Schema) own() *node {
	if s.n == nil {
		return &node{}
	}
	n := s.n
	for range maxHops {
		if n.str("$ref") == "" {
			break
		}
		n = s.d.pointer(n.str("$ref"))
	}
	return n
}

// Type returns "string", "integer", "number", "boolean", "array", "object", or "" where the
// schema allows several or does not say.
func (s Schema) Type() string { return s.typeOf(map[*node]bool{}) }

// maxFields bounds the properties that are read of an object, and the schemas that one is
// composed of. No node is looked at twice: those that are composed of themselves, twice
// over, would otherwise be read for ever.
const maxFields = 200

func (s Schema) typeOf(seen map[*node]bool) string {
	n := s.own()
	if seen[n] || len(seen) >= maxFields {
		return ""
	}
	seen[n] = true
	t := n.at("type")
	switch {
	case t.kind == scalar:
		return t.text
	case t.kind == list: // OpenAPI 3.1: a list of them, null among them
		out := ""
		for _, one := range t.items {
			switch {
			case one.text == "null":
			case out != "":
				return ""
			default:
				out = one.text
			}
		}
		return out
	case n.at("properties").there(), n.at("additionalProperties").kind == object:
		return "object"
	case n.at("items").there():
		return "array"
	}
	for _, one := range n.at("allOf").items {
		if t := (Schema{s.d, one}).typeOf(seen); t != "" {
			return t
		}
	}
	return ""
}

// Items returns what the items of an array are.
func (s Schema) Items() Schema { return Schema{s.d, s.own().at("items")} }

// Format returns "date-time", "uuid" and other names of what a text or a number is.
func (s Schema) Format() string { return s.own().str("format") }

// Enum returns the values that are allowed, as texts.
func (s Schema) Enum() (out []string) {
	for _, v := range s.own().at("enum").items {
		if v.kind == scalar {
			out = append(out, v.text)
		}
	}
	return out
}

// Default returns the value where none is given, as text.
func (s Schema) Default() string { return s.own().str("default") }

// Fields returns the properties of an object, those that it is composed of among them.
func (s Schema) Fields() []Field { return s.fields(map[*node]bool{}) }

func (s Schema) fields(seen map[*node]bool) (out []Field) {
	n := s.own()
	if seen[n] || len(seen) >= maxFields {
		return nil
	}
	seen[n] = true
	for _, one := range n.at("allOf").items {
		for _, f := range (Schema{s.d, one}).fields(seen) {
			if !slices.ContainsFunc(out, func(o Field) bool { return o.Name == f.Name }) {
				out = append(out, f)
			}
		}
	}
	if len(out) == 0 { // of alternatives, the first
		for _, key := range []string{"oneOf", "anyOf"} {
			if alt := n.at(key).items; len(alt) > 0 {
				out = (Schema{s.d, alt[0]}).fields(seen)
			}
		}
	}
	required := set.By(n.at("required").items, func(r **node) string { return (*r).text })
	for i := range out {
		out[i].Required = out[i].Required || required[out[i].Name]
	}
	props := n.at("properties")
	for _, name := range props.keys[:min(len(props.keys), maxFields)] {
		f := Field{Name: name, Required: required[name], Schema: Schema{s.d, props.at(name)}}
		f.Description = props.at(name).str("description")
		f.Description = cmp.Or(f.Description, f.Schema.own().str("description"))
		if i := slices.IndexFunc(out, func(o Field) bool { return o.Name == name }); i >= 0 {
			out[i] = f
		} else {
			out = append(out, f)
		}
	}
	return out
}

const (
	exampleDepth = 4
	exampleSize  = 2000 // bytes
)

// Example returns a body that the file gives, or one made of its schema, as JSON.
func (b *Body) Example() string { return example(b.example, b.Schema) }

// Example returns the same of a response.
func (r *Response) Example() string { return example(r.example, r.Schema) }

func example(given *node, s Schema) string {
	var b strings.Builder
	if given != nil && given.there() && given.write(&b, 0, exampleSize) {
		return b.String()
	}
	return s.Example()
}

// Example returns a value that the schema allows, as JSON: what the file gives as one, or
// one that is made of its types. "" where nothing is known of it.
func (s Schema) Example() string {
	if !s.Known() {
		return ""
	}
	for depth := exampleDepth; depth > 0; depth-- { // the deepest that is still short
		var b strings.Builder
		s.example(&b, depth)
		if b.Len() <= exampleSize || depth == 1 {
			return b.String()
		}
	}
	return ""
}

func (s Schema) example(b *strings.Builder, depth int) {
	n := s.own()
	for _, key := range []string{"example", "default"} {
		var given strings.Builder
		if v := n.at(key); v.there() && v.write(&given, 0, exampleSize) {
			b.WriteString(given.String())
			return
		}
	}
	for _, key := range []string{"examples", "enum"} {
		var given strings.Builder
		if all := n.at(key).items; len(all) > 0 && all[0].write(&given, 0, exampleSize) {
			b.WriteString(given.String())
			return
		}
	}
	switch s.Type() {
	case "string":
		b.WriteString(quote(cmp.Or(samples[n.str("format")], "text")))
	case "integer", "number":
		low, err := strconv.ParseFloat(n.str("minimum"), 64)
		if err != nil || low < 1 || low > 1e9 {
			low = 1
		}
		b.WriteString(strconv.FormatFloat(low, 'f', -1, 64))
	case "boolean":
		b.WriteString("true")
	case "array":
		b.WriteByte('[')
		if it := s.Items(); it.Known() && depth > 0 {
			it.example(b, depth-1)
		}
		b.WriteByte(']')
	default:
		s.objectExample(b, depth)
	}
}

// objectExample writes an object: what it must have, and a few of what it may.
func (s Schema) objectExample(b *strings.Builder, depth int) {
	const most = 12
	b.WriteByte('{')
	count := 0
	for _, required := range []bool{true, false} {
		for _, f := range s.Fields() {
			if f.Required != required || depth <= 0 || !required && count >= most || f.Schema.own().truth("readOnly") && !required {
				continue
			}
			if count > 0 {
				b.WriteString(", ")
			}
			b.WriteString(quote(f.Name) + ": ")
			f.Schema.example(b, depth-1)
			if count++; b.Len() > exampleSize {
				break
			}
		}
	}
	b.WriteByte('}')
}

// samples are texts of formats.
var samples = map[string]string{
	"date-time": "2026-01-31T12:00:00Z",
	"date":      "2026-01-31",
	"uuid":      "6f1c1e2a-4b7d-4c7e-9a55-0d6b1f3c2a10",
	"email":     "user@example.com",
	"uri":       "https://example.com",
	"url":       "https://example.com",
	"ipv4":      "192.0.2.1",
	"byte":      "dGV4dA==",
}
