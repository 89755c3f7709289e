package lua

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/assay-dev/assay/internal/base/lazy"
)

func (vm *VM) openYAML() {
	vm.setGlobal("yaml", lib("yaml.", map[string]builtin{"encode": yamlEncode, "parse": yamlParse}))
}

func yamlParse(c call) int {
	d := yaml.NewDecoder(&polledReader{c.run(), strings.NewReader(c.document(1))})
	var doc, more yaml.Node
	err := d.Decode(&doc)
	if errors.Is(err, io.EOF) {
		return c.ret(none)
	}
	if err == nil && !errors.Is(d.Decode(&more), io.EOF) {
		err = errors.New("more than one document")
	}
	var v value
	if err == nil {
		r := yamlReader{c: c}
		v, err = r.value(&doc, 0)
	}
	c.check()
	if err != nil {
		c.fail("yaml.parse: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	return c.ret(v)
}

// yamlNodeSize is about what a node takes with its text: enough to be counted.
const yamlNodeSize = small

// maxYAML is how many nodes a document may have once its aliases are followed.
const maxYAML = 1 << 20

type yamlReader struct {
	c     call
	count int
}

func (r *yamlReader) value(n *yaml.Node, depth int) (value, error) {
	if r.count++; r.count > maxYAML {
		return nil, fmt.Errorf("more than %d nodes", maxYAML)
	}
	if r.count&0x3ff == 0 {
		r.c.check()
	}
	if depth > maxNesting {
		return nil, fmt.Errorf("line %d: nested more than %d deep", n.Line, maxNesting)
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
		t := newTable(len(n.Content))
		for i, x := range n.Content {
			v, err := r.value(x, depth+1)
			if err != nil {
				return nil, err
			}
			if v != none {
				t.RawSetInt(i+1, v)
			}
		}
		return t, nil
	case yaml.MappingNode:
		return r.mapping(n, depth)
	case yaml.ScalarNode:
		return scalar(n)
	}
	return none, nil
}

func (r *yamlReader) mapping(n *yaml.Node, depth int) (value, error) {
	t := newObject()
	seen := map[value]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, err := r.value(n.Content[i], depth+1)
		if err != nil {
			return nil, err
		}
		if _, ok := k.(*table); ok {
			return nil, fmt.Errorf("line %d: a key must be a scalar", n.Content[i].Line)
		}
		if k == none {
			k = str("null")
		}
		if seen[k] {
			return nil, fmt.Errorf("line %d: duplicate key %q", n.Content[i].Line, n.Content[i].Value)
		}
		seen[k] = true
		v, err := r.value(n.Content[i+1], depth+1)
		if err != nil {
			return nil, err
		}
		r.c.rawSet(t, k, v)
	}
	return t, nil
}

// The scalars of the core schema of YAML 1.2 (10.3.2).
var (
	yamlInt   = lazy.Regexp(`^[-+]?[0-9]+$`)
	yamlOct   = lazy.Regexp(`^0o[0-7]+$`)
	yamlHex   = lazy.Regexp(`^0x[0-9a-fA-F]+$`)
	yamlFloat = lazy.Regexp(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
)

func scalar(n *yaml.Node) (value, error) {
	s := n.Value
	plain := n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	if n.Style&yaml.TaggedStyle != 0 {
		switch n.Tag {
		case "!!null", "!!bool", "!!int", "!!float":
			v := coreScalar(s)
			if _, ok := isString(v); ok {
				return nil, fmt.Errorf("line %d: %q is not a %s", n.Line, s, n.Tag)
			}
			return v, nil
		}
		return str(s), nil
	}
	if !plain {
		return str(s), nil
	}
	return coreScalar(s), nil
}

func coreScalar(s string) value {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return none
	case "true", "True", "TRUE":
		return yes
	case "false", "False", "FALSE":
		return no
	case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF":
		return float(math.Inf(1))
	case "-.inf", "-.Inf", "-.INF":
		return float(math.Inf(-1))
	case ".nan", ".NaN", ".NAN":
		return float(math.NaN())
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
			return whole(i)
		}
	}
	if base == 10 || yamlFloat.MatchString(s) {
		if f, err := strconv.ParseFloat(s, 64); err == nil || math.IsInf(f, 0) {
			return float(f)
		}
	}
	return str(s)
}

func yamlEncode(c call) int {
	n, err := c.yamlNode(c.arg(1), 0)
	var b bytes.Buffer
	if err == nil {
		e := yaml.NewEncoder(&polledWriter{c.run(), &b})
		e.SetIndent(2)
		if err = e.Encode(n); err == nil {
			err = e.Close()
		}
		c.check()
	}
	if err != nil {
		c.fail("yaml.encode: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	return c.ret(str(b.String()))
}

func (c call) yamlNode(v value, depth int) (*yaml.Node, error) {
	c.check()
	c.room(yamlNodeSize)
	if depth > maxNesting {
		return nil, errNesting
	}
	scalar := func(tag, s string) (*yaml.Node, error) {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: s}, nil
	}
	if v == none {
		return scalar("!!null", "null")
	}
	if b, ok := isBool(v); ok {
		return scalar("!!bool", strconv.FormatBool(b))
	}
	if s, ok := isString(v); ok {
		return yamlString(s), nil
	}
	if n, ok := toInt(v); ok {
		return scalar("!!int", strconv.FormatInt(n, 10))
	}
	if f, ok := toFloat(v); ok {
		switch {
		case math.IsInf(f, 1):
			return scalar("!!float", ".inf")
		case math.IsInf(f, -1):
			return scalar("!!float", "-.inf")
		case math.IsNaN(f):
			return scalar("!!float", ".nan")
		}
		return scalar("!!float", strconv.FormatFloat(f, 'g', -1, 64))
	}
	t, ok := v.(*table)
	if !ok {
		return nil, fmt.Errorf("unsupported Lua type for YAML: %s", typeName(v))
	}
	return c.yamlTable(t, depth)
}

// yamlString quotes a string that would read as something else, also to readers
// of YAML 1.1.
func yamlString(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	_, isStr := isString(coreScalar(s))
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off", "<<", "=":
		isStr = false
	}
	if !isStr {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

func (c call) yamlTable(t *table, depth int) (*yaml.Node, error) {
	size, array := shape(t)
	if array {
		n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		if size == 0 {
			n.Style = yaml.FlowStyle
		}
		for i := 1; i <= size; i++ {
			x, err := c.yamlNode(t.RawGetInt(i), depth+1)
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
	for _, m := range list {
		x, err := c.yamlNode(m.value, depth+1)
		if err != nil {
			return nil, err
		}
		n.Content = append(n.Content, yamlString(m.name), x)
	}
	return n, nil
}
