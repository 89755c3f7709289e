package openapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

const (
	maxDepth = 200       // of what is nested in a file
	maxNodes = 4_000_000 // of a file, aliases counted once
)

type kind uint8

const (
	null kind = iota
	scalar
	object
	list
)

// A node is a value of a file, JSON or YAML, with its keys in the order of the text: that
// is how authors group what belongs together, and maps of Go would lose it.
type node struct {
	kind   kind
	text   string // of a scalar
	json   string // the same as JSON
	keys   []string
	fields map[string]*node
	items  []*node
	line   int // one-based
}

// parse reads a file. JSON is told by its first brace: YAML takes most of it too, but not
// tabs before a line, which many files are indented with.
func parse(data []byte) (*node, error) {
	text := bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if t := bytes.TrimSpace(text); len(t) > 0 && t[0] == '{' {
		r := jsonReader{text: text, dec: json.NewDecoder(bytes.NewReader(text)), line: 1}
		r.dec.UseNumber()
		n, err := r.value(0)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", r.line, err)
		}
		if _, err := r.dec.Token(); !errors.Is(err, io.EOF) {
			return nil, errors.New("there is more after the end of the JSON")
		}
		return n, nil
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return &node{}, nil
	}
	r := yamlReader{made: map[*yaml.Node]*node{}}
	return r.value(doc.Content[0], 0)
}

var (
	errDeep  = fmt.Errorf("it is nested more than %d deep", maxDepth)
	errLarge = fmt.Errorf("it has more than %d values", maxNodes)
)

func newObject(line int) *node {
	return &node{kind: object, fields: map[string]*node{}, line: line}
}

// put adds a field; the first of a name stays.
func (n *node) put(key string, v *node) {
	if n.fields[key] == nil {
		n.keys = append(n.keys, key)
		n.fields[key] = v
	}
}

func (n *node) set(text string, v any) *node {
	n.kind, n.text = scalar, text
	if b, err := json.Marshal(v); err == nil {
		n.json = string(b)
	}
	return n
}

type jsonReader struct {
	text     []byte
	dec      *json.Decoder
	at, line int
	count    int
}

func (r *jsonReader) token() (json.Token, error) {
	t, err := r.dec.Token()
	at := int(r.dec.InputOffset())
	r.line += bytes.Count(r.text[r.at:at], []byte("\n"))
	r.at = at
	return t, err
}

func (r *jsonReader) value(depth int) (*node, error) {
	t, err := r.token()
	if err != nil {
		return nil, err
	}
	if depth > maxDepth {
		return nil, errDeep
	}
	if r.count++; r.count > maxNodes {
		return nil, errLarge
	}
	n := &node{line: r.line}
	switch t := t.(type) {
	case json.Delim:
		if t == '{' {
			return r.object(depth)
		}
		n.kind = list
		for r.dec.More() {
			v, err := r.value(depth + 1)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, v)
		}
		_, err = r.token()
		return n, err
	case string:
		return n.set(t, t), nil
	case json.Number:
		return n.set(t.String(), t), nil
	case bool:
		return n.set(fmt.Sprint(t), t), nil
	}
	return n, nil
}

func (r *jsonReader) object(depth int) (*node, error) {
	n := newObject(r.line)
	for r.dec.More() {
		key, err := r.token()
		if err != nil {
			return nil, err
		}
		name, _ := key.(string)
		line := r.line
		v, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		v.line = line // where the key is
		n.put(name, v)
	}
	_, err := r.token()
	return n, err
}

// A yamlReader shares what aliases stand for: a file whose aliases multiply is no larger
// than its text.
type yamlReader struct {
	made map[*yaml.Node]*node
}

func (r *yamlReader) value(y *yaml.Node, depth int) (*node, error) {
	if depth > maxDepth {
		return nil, errDeep
	}
	if y.Kind == yaml.AliasNode {
		if n := r.made[y.Alias]; n != nil {
			return n, nil
		}
		return nil, fmt.Errorf("line %d: the alias *%s is within what it stands for", y.Line, y.Value)
	}
	if len(r.made) > maxNodes {
		return nil, errLarge
	}
	n := &node{line: y.Line}
	switch y.Kind {
	case yaml.MappingNode:
		n = newObject(y.Line)
		if err := r.object(n, y, depth); err != nil {
			return nil, err
		}
	case yaml.SequenceNode:
		n.kind = list
		for _, c := range y.Content {
			v, err := r.value(c, depth+1)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, v)
		}
	case yaml.ScalarNode:
		var v any = y.Value
		switch y.ShortTag() {
		case "!!null":
			r.made[y] = n
			return n, nil
		case "!!int", "!!float":
			if json.Valid([]byte(y.Value)) {
				v = json.Number(y.Value)
			}
		case "!!bool":
			v = strings.EqualFold(y.Value, "true")
		}
		n.set(y.Value, v)
	}
	r.made[y] = n
	return n, nil
}

func (r *yamlReader) object(n *node, y *yaml.Node, depth int) error {
	var merged []*node
	for i := 0; i+1 < len(y.Content); i += 2 {
		key := y.Content[i]
		v, err := r.value(y.Content[i+1], depth+1)
		if err != nil {
			return err
		}
		if key.ShortTag() == "!!merge" {
			merged = append(merged, v)
			continue
		}
		if y.Content[i+1].Kind != yaml.AliasNode {
			v.line = key.Line
		}
		n.put(key.Value, v)
	}
	for _, m := range merged { // what the object says itself comes first
		for _, from := range append([]*node{m}, m.items...) {
			for _, key := range from.keys {
				n.put(key, from.fields[key])
			}
		}
	}
	return nil
}

// at returns what is below a node by keys; of what is not there, a null.
func (n *node) at(keys ...string) *node {
	for _, k := range keys {
		if n = n.fields[k]; n == nil {
			return &node{}
		}
	}
	return n
}

func (n *node) str(keys ...string) string { return n.at(keys...).text }

func (n *node) truth(keys ...string) bool { return n.at(keys...).text == "true" }

func (n *node) there() bool { return n.kind != null }

// write appends the node as JSON, at most budget bytes or so, and reports whether it was all.
func (n *node) write(b *strings.Builder, depth, budget int) bool {
	if b.Len() > budget || depth > maxDepth {
		return false
	}
	switch n.kind {
	case object:
		b.WriteByte('{')
		for i, k := range n.keys {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(quote(k) + ": ")
			if !n.fields[k].write(b, depth+1, budget) {
				return false
			}
		}
		b.WriteByte('}')
	case list:
		b.WriteByte('[')
		for i, v := range n.items {
			if i > 0 {
				b.WriteString(", ")
			}
			if !v.write(b, depth+1, budget) {
				return false
			}
		}
		b.WriteByte(']')
	case scalar:
		b.WriteString(n.json)
	default:
		b.WriteString("null")
	}
	return true
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""` // strings always marshal
	}
	return string(b)
}
