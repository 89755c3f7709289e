package lua

import (
	"fmt"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

func (vm *VM) openTOML() {
	vm.setGlobal("toml", lib("toml.", map[string]builtin{"encode": tomlEncode, "parse": tomlParse}))
}

func tomlParse(c call) int {
	var m map[string]any
	if err := toml.Unmarshal([]byte(c.document(1)), &m); err != nil {
		c.fail("toml.parse: %s", strings.TrimPrefix(err.Error(), "toml: "))
	}
	return c.ret(fromGo(plain(m)))
}

// plain makes strings of what is a time.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			v[k] = plain(x)
		}
		if v == nil {
			return map[string]any{}
		}
		return v
	case []any:
		for i, x := range v {
			v[i] = plain(x)
		}
		return v
	case time.Time:
		return v.Format(time.RFC3339Nano)
	case fmt.Stringer: // the local dates and times
		return v.String()
	}
	return v
}

func tomlEncode(c call) int {
	t, ok := c.asTable(1)
	if !ok {
		c.fail("toml.encode: the top level must be a table, not a %s", typeName(c.arg(1)))
	}
	var out []byte
	if n, array := shape(t); !array {
		v, err := toGoStrict(t)
		if err == nil {
			out, err = toml.Marshal(v)
		}
		if err != nil {
			c.fail("toml.encode: %s", strings.TrimPrefix(err.Error(), "toml: "))
		}
	} else if n > 0 {
		c.fail("toml.encode: the top level must be a table of names, not an array")
	}
	return c.ret(str(string(out)))
}
