package lua

import (
	"strings"

	"github.com/assay-dev/assay/internal/script/toml"
)

func (vm *VM) openTOML() {
	vm.lib("toml", map[string]builtin{"encode": tomlEncode, "parse": tomlParse})
}

// tomlParse returns a document, with dates and times as strings.
func tomlParse(c call) int {
	m, err := toml.Parse(strings.TrimPrefix(c.document(1), byteOrderMark))
	c.Check("toml.parse", err)
	return c.Return(c.vm.fromGo(m))
}

func tomlEncode(c call) int {
	t, ok := c.asTable(1)
	if !ok {
		c.Fail("toml.encode: the top level must be a table, not a %s", c.Arg(1).TypeName())
	}
	n, isList := t.List()
	c.FailIf(isList && n > 0, "toml.encode: the top level must be a table of names, not an array")
	if isList {
		return c.str("")
	}
	v, err := c.vm.run.toGoStrict(t.Of())
	var out []byte
	if m, ok := v.(map[string]any); err == nil && ok {
		out, err = toml.Encode(m)
	}
	c.Check("toml.encode", err)
	return c.Return(c.Bytes(out))
}
