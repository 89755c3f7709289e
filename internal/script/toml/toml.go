// Package toml reads and writes TOML (toml.io) as map[string]any, []any, string, int64, float64 and bool. Dates and times are
// strings as RFC 3339 writes them. Values nest no deeper than 512, and Parse reads the text that Encode writes as the same value.
package toml

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// maxDepth is how deep tables and lists may lie in each other.
const maxDepth = 512

// Parse reads a document.
func Parse(src string) (map[string]any, error) {
	if nests([]byte(src)) {
		return nil, errDeep
	}
	m := map[string]any{}
	if err := toml.Unmarshal([]byte(src), &m); err != nil {
		var e *toml.DecodeError
		if !errors.As(err, &e) {
			return nil, err
		}
		line, _ := e.Position()
		return nil, fmt.Errorf("line %d: %s", line, strings.TrimPrefix(e.Error(), "toml: "))
	}
	if _, err := plain(m, 0); err != nil {
		return nil, err
	}
	return m, nil
}

var errDeep = fmt.Errorf("nested more than %d deep", maxDepth)

// nests reports whether a key has so many parts that the tables for them would take the memory of many documents.
func nests(src []byte) bool {
	var p unstable.Parser
	for p.Reset(src); p.NextExpression(); {
		if hasLongKey(p.Expression(), 0) {
			return true
		}
	}
	return false
}

// hasLongKey reports whether a key in an expression, or in the tables of its value, has more than maxDepth parts.
func hasLongKey(e *unstable.Node, depth int) bool {
	if e.Kind == unstable.KeyValue || e.Kind == unstable.Table || e.Kind == unstable.ArrayTable {
		n := 0
		for k := e.Key(); k.Next(); n++ {
			if n > maxDepth {
				return true
			}
		}
	}
	if e.Kind == unstable.KeyValue {
		e = e.Value()
	}
	if depth > maxDepth {
		return true
	}
	if e.Kind == unstable.Array || e.Kind == unstable.InlineTable {
		for c := e.Children(); c.Next(); {
			if hasLongKey(c.Node(), depth+1) {
				return true
			}
		}
	}
	return false
}

// plain returns a value with strings for dates and times.
func plain(v any, depth int) (_ any, err error) {
	if depth > maxDepth {
		return nil, errDeep
	}
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if v[k], err = plain(e, depth+1); err != nil {
				return nil, err
			}
		}
	case []any:
		for i, e := range v {
			if v[i], err = plain(e, depth+1); err != nil {
				return nil, err
			}
		}
	case time.Time:
		return v.Format(time.RFC3339Nano), nil
	case fmt.Stringer: // a date or a time without a zone
		return v.String(), nil
	}
	return v, nil
}
