package template

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// undefined is the value of what has none.
type undefinedValue struct{}

var undefined = undefinedValue{}

// A namespace is what {% set ns.x %} may change from within a loop.
type namespace struct{ vars map[string]any }

// A function is what a template can call besides macros.
type function func(r *renderer, line int, a values) any

// values are evaluated arguments.
type values struct {
	args  []any
	named map[string]any
}

// get returns the i-th argument, or the one of that name, or def.
func (a values) get(i int, name string, def any) any {
	if i < len(a.args) {
		return a.args[i]
	}
	if v, ok := a.named[name]; ok && name != "" {
		return v
	}
	return def
}

func truth(v any) bool {
	switch v := v.(type) {
	case nil, undefinedValue:
		return false
	case bool:
		return v
	case int64:
		return v != 0
	case float64:
		return v != 0
	case string:
		return v != ""
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0
	}
	return true
}

func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "none"
	case undefinedValue:
		return "undefined"
	case bool:
		return "bool"
	case int64, float64:
		return "number"
	case string:
		return "string"
	case []any:
		return "sequence"
	case map[string]any, *namespace:
		return "map"
	}
	return "object"
}

// maxDepth is how deep lists and maps are looked into.
const maxDepth = 500

// appendText appends v as it prints; within a list or map strings are quoted.
func appendText(b []byte, v any, inside bool) []byte { return appendDeep(b, v, inside, 0) }

func appendDeep(b []byte, v any, inside bool, depth int) []byte {
	if depth++; depth > maxDepth {
		return append(b, "..."...)
	}
	switch v := v.(type) {
	case nil:
		return append(b, "none"...)
	case undefinedValue:
		if inside {
			return append(b, "undefined"...)
		}
		return b
	case bool:
		return strconv.AppendBool(b, v)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case float64:
		return appendFloat(b, v)
	case string:
		if inside {
			return strconv.AppendQuote(b, v)
		}
		return append(b, v...)
	case []any:
		b = append(b, '[')
		for i, x := range v {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendDeep(b, x, true, depth)
		}
		return append(b, ']')
	case map[string]any:
		b = append(b, '{')
		for i, k := range sortedKeys(v) {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = strconv.AppendQuote(b, k)
			b = append(b, ": "...)
			b = appendDeep(b, v[k], true, depth)
		}
		return append(b, '}')
	case *namespace:
		return appendDeep(b, v.vars, inside, depth)
	case *macroValue:
		return fmt.Appendf(b, "<macro %s>", v.name)
	}
	return append(b, "<object>"...)
}

func appendFloat(b []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(b, "NaN"...)
	case math.IsInf(f, 1):
		return append(b, "inf"...)
	case math.IsInf(f, -1):
		return append(b, "-inf"...)
	case f == math.Trunc(f) && math.Abs(f) < 1e16:
		return strconv.AppendFloat(b, f, 'f', 1, 64)
	}
	return strconv.AppendFloat(b, f, 'g', -1, 64)
}

func text(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return string(appendText(nil, v, false))
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// elements returns what a loop goes over: of a map its keys, of a string its
// characters. What is undefined or none has nothing.
func (r *renderer) elements(v any, line int) []any {
	switch v := v.(type) {
	case nil, undefinedValue:
		return nil
	case []any:
		return v
	case map[string]any:
		list := make([]any, 0, len(v))
		for _, k := range sortedKeys(v) {
			list = append(list, k)
		}
		return list
	case string:
		r.size(16*len(v), line)
		list := make([]any, 0, len(v))
		for _, c := range v {
			list = append(list, string(c))
		}
		return list
	}
	r.fail(line, "a %s cannot be iterated", kindOf(v))
	return nil
}

func length(v any) (int, bool) {
	switch v := v.(type) {
	case string:
		return utf8.RuneCountInString(v), true
	case []any:
		return len(v), true
	case map[string]any:
		return len(v), true
	case undefinedValue:
		return 0, true
	}
	return 0, false
}

func toFloat(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

func equal(a, b any) bool { return equalDeep(a, b, 0) }

func equalDeep(a, b any, depth int) bool {
	if depth++; depth > maxDepth {
		return false
	}
	same := func(a, b any) bool { return equalDeep(a, b, depth) }
	switch x := a.(type) {
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, same)
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && maps.EqualFunc(x, y, same)
	case int64:
		if y, ok := b.(int64); ok {
			return x == y
		}
	case string:
		y, ok := b.(string)
		return ok && x == y
	case nil, undefinedValue, bool:
		_, isBool := a.(bool)
		if _, num := toFloat(b); !isBool || !num {
			return a == b
		}
	case float64:
	default:
		return sameObject(a, b)
	}
	x, okX := toFloat(a)
	y, okY := toFloat(b)
	return okX && okY && x == y
}

func sameObject(a, b any) bool {
	switch a := a.(type) {
	case *namespace:
		x, ok := b.(*namespace)
		return ok && a == x
	case *macroValue:
		x, ok := b.(*macroValue)
		return ok && a == x
	}
	return false
}

// compare orders numbers, strings and lists of them; ok is false for others.
func compare(a, b any) (n int, ok bool) { return compareDeep(a, b, 0) }

func compareDeep(a, b any, depth int) (n int, ok bool) {
	if depth++; depth > maxDepth {
		return 0, false
	}
	switch x := a.(type) {
	case string:
		y, ok := b.(string)
		return strings.Compare(x, y), ok
	case []any:
		y, ok := b.([]any)
		if !ok {
			return 0, false
		}
		for i := range min(len(x), len(y)) {
			if n, ok := compareDeep(x[i], y[i], depth); n != 0 || !ok {
				return n, ok
			}
		}
		return len(x) - len(y), true
	case int64:
		if y, ok := b.(int64); ok {
			switch {
			case x < y:
				return -1, true
			case x > y:
				return 1, true
			}
			return 0, true
		}
	}
	x, okX := toFloat(a)
	y, okY := toFloat(b)
	switch {
	case !okX || !okY:
		return 0, false
	case x < y:
		return -1, true
	case x > y:
		return 1, true
	}
	return 0, true
}
