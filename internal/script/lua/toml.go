package lua

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

func (vm *VM) openTOML() {
	vm.lib("toml", map[string]builtin{"encode": tomlEncode, "parse": tomlParse})
}

func tomlParse(c call) int {
	src := strings.TrimPrefix(c.document(1), byteOrderMark)
	if err := shallow(src); err != nil {
		c.Fail("toml.parse: %v", err)
	}
	var m map[string]any
	if err := toml.Unmarshal([]byte(src), &m); err != nil {
		c.Fail("toml.parse: %s", strings.TrimPrefix(err.Error(), "toml: "))
	}
	return c.Return(c.vm.fromGo(plain(m)))
}

// shallow returns an error for a document whose values or keys nest deeper than tables
// may: what reads it calls itself for each level, and a stack that is full ends the
// process. It counts brackets and the dots of a line, of texts and comments too where
// that cannot be told without reading it: there may be as many as nobody writes.
func shallow(src string) error {
	for line := range strings.Lines(src) {
		if strings.Count(line, ".") > maxNesting && keyDots(line) > maxNesting {
			return errNesting
		}
	}
	depth, quote := 0, ""
	for i := 0; i < len(src); i++ {
		ch := src[i]
		switch {
		case quote != "":
			switch {
			case ch == '\\' && quote[0] == '"':
				i++
			case strings.HasPrefix(src[i:], quote):
				i += len(quote) - 1
				quote = ""
			case ch == '\n' && len(quote) == 1:
				quote = "" // not closed: an error where it is read
			}
		case ch == '"' || ch == '\'':
			quote = src[i : i+1]
			if three := strings.Repeat(quote, 3); strings.HasPrefix(src[i:], three) {
				quote = three
				i += 2
			}
		case ch == '#':
			if n := strings.IndexByte(src[i:], '\n'); n >= 0 {
				i += n
			} else {
				i = len(src)
			}
		case ch == '[' || ch == '{':
			if depth++; depth > maxNesting {
				return errNesting
			}
		case ch == ']' || ch == '}':
			depth = max(depth-1, 0)
		}
	}
	return nil
}

// keyDots returns the most dots between two commas, braces or signs of equality of a line
// outside its quotes.
func keyDots(line string) int {
	most, n, quote := 0, 0, byte(0)
	for i := range len(line) {
		switch ch := line[i]; {
		case quote != 0:
			if ch == quote && line[i-1] != '\\' {
				quote = 0
			}
		case ch == '"' || ch == '\'':
			quote = ch
		case ch == '.' && i > 0 && line[i-1] != '.':
			n++
			most = max(most, n)
		case strings.IndexByte("=,{}#", ch) >= 0:
			n = 0
		}
	}
	return most
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

// holdsNull reports whether null is somewhere in a value: it would be left out.
func holdsNull(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, x := range v {
			if holdsNull(x) {
				return true
			}
		}
		return false
	case []any:
		return slices.ContainsFunc(v, holdsNull)
	}
	return v == nil
}

func tomlEncode(c call) int {
	t, ok := c.asTable(1)
	if !ok {
		c.Fail("toml.encode: the top level must be a table, not a %s", c.Arg(1).TypeName())
	}
	var out []byte
	if n, ok := t.List(); !ok {
		v, err := c.vm.run.toGoStrict(t.Of())
		if err == nil && holdsNull(v) {
			err = errors.New("TOML has no null: remove the member or set a value")
		}
		if err == nil {
			out, err = toml.Marshal(v)
		}
		if err != nil {
			c.Fail("toml.encode: %s", strings.TrimPrefix(err.Error(), "toml: "))
		}
	} else if n > 0 {
		c.Fail("toml.encode: the top level must be a table of names, not an array")
	}
	return c.Return(c.Bytes(out))
}
