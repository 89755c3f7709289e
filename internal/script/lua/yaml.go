package lua

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/script/vm"
)

func (vm *VM) openYAML() {
	vm.lib("yaml", map[string]builtin{"encode": yamlEncode, "parse": yamlParse, "parse_all": yamlParseAll})
}

func yamlParse(c call) int {
	list := c.yamlDocuments(1)
	if len(list) == 0 {
		return c.Return(none)
	}
	return c.Return(list[0])
}

// yamlParseAll returns all documents of a stream, as a manifest of several resources has them.
func yamlParseAll(c call) int {
	list := c.newTable(0)
	list.Append(c.yamlDocuments(maxYAML)...)
	return c.Return(list.Of())
}

// yamlDocuments reads the first argument, which may have so many documents.
func (c call) yamlDocuments(most int) []value {
	r := yamlReader{c: c, dropNulls: c.dropNulls(2)}
	d := yaml.NewDecoder(&polledReader{c.vm.ceiling(), strings.NewReader(c.document(1))})
	var list []value
	for {
		var doc yaml.Node
		err := d.Decode(&doc)
		if errors.Is(err, io.EOF) {
			c.Poll()
			return list
		}
		if err == nil && len(list) == most {
			err = errors.New("more than one document: yaml.parse_all reads all of them")
		}
		var v value
		if err == nil {
			v, err = r.value(&doc, 0)
		}
		c.Poll()
		if err != nil {
			c.Fail("%s: %s", c.name, strings.TrimPrefix(err.Error(), "yaml: "))
		}
		if v.IsNil() && most > 1 {
			v = null // an element of a list
		}
		list = append(list, v)
	}
}

// maxYAML is how many nodes a document may have once its aliases are followed.
const maxYAML = 1 << 20

type yamlReader struct {
	c         call
	count     int
	dropNulls bool // null is nil
}

func (r *yamlReader) value(n *yaml.Node, depth int) (value, error) {
	if r.count++; r.count > maxYAML {
		return none, fmt.Errorf("more than %d nodes", maxYAML)
	}
	r.c.Step(1)
	if depth > maxNesting {
		return none, fmt.Errorf("line %d: nested more than %d deep", n.Line, maxNesting)
	}
	switch n.Kind {
	case yaml.DocumentNode:
		if len(n.Content) == 0 {
			return none, nil
		}
		return r.value(n.Content[0], depth)
	case yaml.AliasNode:
		return r.value(n.Alias, depth+1)
	case yaml.SequenceNode:
		t := r.c.newTable(len(n.Content))
		for i, x := range n.Content {
			v, err := r.value(x, depth+1)
			if err != nil {
				return none, err
			}
			t.SetInt(int64(i)+1, v)
		}
		return t.Of(), nil
	case yaml.MappingNode:
		return r.mapping(n, depth)
	case yaml.ScalarNode:
		return r.scalar(n)
	}
	return none, nil
}

func (r *yamlReader) mapping(n *yaml.Node, depth int) (value, error) {
	t, seen := r.c.newObject(len(n.Content)/2), r.c.newRecord(len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, err := r.value(n.Content[i], depth+1)
		if err != nil {
			return none, err
		}
		if k.AsTable() != nil {
			return none, fmt.Errorf("line %d: a key must be a scalar", n.Content[i].Line)
		}
		if k.IsNil() || k.IsNull() {
			k = r.c.NewString("null")
		}
		if !seen.Get(k).IsNil() {
			return none, fmt.Errorf("line %d: duplicate key %q", n.Content[i].Line, n.Content[i].Value)
		}
		seen.Set(k, yes)
		v, err := r.value(n.Content[i+1], depth+1)
		if err != nil {
			return none, err
		}
		r.c.RawSet(t, k, v)
	}
	return t.Of(), nil
}

// The scalars of the core schema of YAML 1.2 (10.3.2).
var (
	yamlInt   = lazy.Regexp(`^[-+]?[0-9]+$`)
	yamlOct   = lazy.Regexp(`^0o[0-7]+$`)
	yamlHex   = lazy.Regexp(`^0x[0-9a-fA-F]+$`)
	yamlFloat = lazy.Regexp(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
)

func (r *yamlReader) scalar(n *yaml.Node) (value, error) {
	s := n.Value
	plain := n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	if n.Style&yaml.TaggedStyle != 0 {
		switch n.Tag {
		case "!!null", "!!bool", "!!int", "!!float":
			v := r.core(s)
			if _, ok := v.AsString(); ok {
				return none, fmt.Errorf("line %d: %q is not a %s", n.Line, s, n.Tag)
			}
			return v, nil
		}
		return r.c.NewString(s), nil
	}
	if !plain {
		return r.c.NewString(s), nil
	}
	v := r.core(s)
	if v.IsNull() && r.dropNulls {
		return none, nil
	}
	return v, nil
}

// core reads a plain scalar.
func (r *yamlReader) core(s string) value {
	if v, ok := coreScalar(s); ok {
		return v
	}
	return r.c.NewString(s)
}

// coreScalar returns what a plain scalar is that is no string.
func coreScalar(s string) (v value, ok bool) {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return null, true
	case "true", "True", "TRUE":
		return yes, true
	case "false", "False", "FALSE":
		return no, true
	case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF":
		return float(math.Inf(1)), true
	case "-.inf", "-.Inf", "-.INF":
		return float(math.Inf(-1)), true
	case ".nan", ".NaN", ".NAN":
		return float(math.NaN()), true
	}
	base, digits := 0, s
	switch {
	case yamlInt.MatchString(s):
		base = 10
	case yamlOct.MatchString(s):
		base, digits = 8, s[2:]
	case yamlHex.MatchString(s):
		base, digits = 16, s[2:]
	}
	if base != 0 {
		if i, err := strconv.ParseInt(digits, base, 64); err == nil {
			return whole(i), true
		}
	}
	if base == 10 || yamlFloat.MatchString(s) {
		if f, err := strconv.ParseFloat(s, 64); err == nil || math.IsInf(f, 0) {
			return float(f), true
		}
	}
	return none, false
}

func yamlEncode(c call) int {
	w := polledWriter{ceiling: c.vm.ceiling()}
	n, err := c.yamlNode(w.ceiling, c.Arg(1), 0)
	if err == nil {
		e := yaml.NewEncoder(&w)
		e.SetIndent(2)
		if err = e.Encode(n); err == nil {
			err = e.Close()
		}
		c.Poll()
	}
	if err != nil {
		c.Fail("yaml.encode: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	return c.Return(c.Bytes(w.b.Bytes()))
}

func (c call) yamlNode(m *ceiling, v value, depth int) (*yaml.Node, error) {
	if err := m.sometimes(); err != nil {
		return nil, err
	}
	if depth > maxNesting {
		return nil, errNesting
	}
	scalar := func(tag, s string) (*yaml.Node, error) {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: s}, nil
	}
	switch v.Kind() {
	case vm.KindNil, vm.KindNull:
		return scalar("!!null", "null")
	case vm.KindTrue, vm.KindFalse:
		return scalar("!!bool", strconv.FormatBool(v.Truth()))
	case vm.KindString:
		s, _ := v.AsString()
		return yamlString(s), nil
	case vm.KindTable:
		return c.yamlTable(m, v.AsTable(), depth)
	}
	if n, ok := v.Integer(); ok {
		return scalar("!!int", strconv.FormatInt(n, 10))
	}
	f, ok := v.AsFloat()
	switch {
	case !ok:
		return nil, fmt.Errorf("unsupported Lua type for YAML: %s", v.TypeName())
	case math.IsInf(f, 1):
		return scalar("!!float", ".inf")
	case math.IsInf(f, -1):
		return scalar("!!float", "-.inf")
	case math.IsNaN(f):
		return scalar("!!float", ".nan")
	}
	return scalar("!!float", strconv.FormatFloat(f, 'g', -1, 64))
}

// yamlString quotes a string that would read as something else, also to readers of YAML 1.1.
func yamlString(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	_, other := coreScalar(s)
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off", "<<", "=":
		other = true
	}
	if other {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

func (c call) yamlTable(m *ceiling, t *table, depth int) (*yaml.Node, error) {
	if size, ok := t.List(); ok {
		n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		if size == 0 {
			n.Style = yaml.FlowStyle
		}
		for i := range size {
			x, err := c.yamlNode(m, t.GetInt(i+1), depth+1)
			if err != nil {
				return nil, err
			}
			n.Content = append(n.Content, x)
		}
		return n, nil
	}
	list, err := members(t)
	if err != nil {
		return nil, err
	}
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, e := range list {
		x, err := c.yamlNode(m, e.value, depth+1)
		if err != nil {
			return nil, err
		}
		n.Content = append(n.Content, yamlString(e.name), x)
	}
	return n, nil
}
