package template

import (
	"maps"
	"strings"
)

// functions returns a function that every template has.
func functions(name string) (function, bool) {
	switch name {
	case "range":
		return rangeOf, true
	case "dict":
		return func(_ *renderer, _ int, a values) any {
			m := map[string]any{}
			if from, ok := a.get(0, "", nil).(map[string]any); ok {
				maps.Copy(m, from)
			}
			maps.Copy(m, a.named)
			return m
		}, true
	case "namespace":
		return func(_ *renderer, _ int, a values) any {
			ns := &namespace{map[string]any{}}
			if from, ok := a.get(0, "", nil).(map[string]any); ok {
				maps.Copy(ns.vars, from)
			}
			maps.Copy(ns.vars, a.named)
			return ns
		}, true
	case "joiner":
		return func(_ *renderer, _ int, a values) any {
			sep, used := text(a.get(0, "sep", ", ")), false
			return function(func(*renderer, int, values) any {
				if used {
					return sep
				}
				used = true
				return ""
			})
		}, true
	case "cycler":
		return func(r *renderer, line int, a values) any {
			r.failIf(len(a.args) == 0, line, "cycler needs arguments")
			i := -1
			return map[string]any{"next": function(func(*renderer, int, values) any {
				i++
				return a.args[i%len(a.args)]
			})}
		}, true
	}
	return nil, false
}

func rangeOf(r *renderer, line int, a values) any {
	from, to, step := 0, 0, 1
	switch len(a.args) {
	case 1:
		to = r.int(a.args[0], line)
	case 2, 3:
		from, to = r.int(a.args[0], line), r.int(a.args[1], line)
		if len(a.args) == 3 {
			step = r.int(a.args[2], line)
		}
	default:
		r.fail(line, "range takes one to three integers")
	}
	r.failIf(step == 0, line, "range: the step is 0")
	out := []any{}
	for i := from; step > 0 && i < to || step < 0 && i > to; i += step {
		if len(out) == maxRange {
			r.fail(line, "range of more than %d elements", maxRange)
		}
		out = append(out, int64(i))
	}
	return out
}

// method calls a method of a string, list or map, as templates for Python do.
func (r *renderer) method(v any, name string, a values, line int) any {
	arg := a.get(0, "", nil)
	switch v := v.(type) {
	case string:
		switch name {
		case "upper", "lower", "title", "capitalize", "replace", "split", "format":
			return r.filter(name, v, a, line)
		case "strip":
			return r.filter("trim", v, a, line)
		case "lstrip":
			return strings.TrimLeft(v, " \t\r\n")
		case "rstrip":
			return strings.TrimRight(v, " \t\r\n")
		case "splitlines":
			return r.filter("lines", v, a, line)
		case "startswith":
			return strings.HasPrefix(v, text(arg))
		case "endswith":
			return strings.HasSuffix(v, text(arg))
		case "find":
			return int64(strings.Index(v, text(arg)))
		case "count":
			return int64(strings.Count(v, text(arg)))
		case "join":
			return filterJoin(r, arg, values{args: []any{v}}, line)
		}
	case []any:
		if name == "count" {
			n := int64(0)
			for _, x := range v {
				if equal(x, arg) {
					n++
				}
			}
			return n
		}
	case map[string]any:
		switch name {
		case "items":
			return filterItems(r, v, values{}, line)
		case "keys":
			return r.elements(v, line)
		case "values":
			out := []any{}
			for _, k := range sortedKeys(v) {
				out = append(out, v[k])
			}
			return out
		case "get":
			if x, ok := v[text(arg)]; ok {
				return x
			}
			return a.get(1, "", nil)
		}
	}
	r.fail(line, "a %s has no method %s", kindOf(v), name)
	return nil
}
