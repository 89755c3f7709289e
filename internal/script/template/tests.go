package template

import (
	"strings"
	"unicode"
)

func (r *renderer) test(name string, v any, a values, line int) bool {
	arg := a.get(0, "", any(undefined))
	switch name {
	case "defined":
		return v != any(undefined)
	case "undefined":
		return v == any(undefined)
	case "none":
		return v == nil
	case "true":
		return v == any(true)
	case "false":
		return v == any(false)
	case "boolean":
		return kindOf(v) == "bool"
	case "number":
		return kindOf(v) == "number"
	case "integer", "int":
		_, ok := v.(int64)
		return ok
	case "float":
		_, ok := v.(float64)
		return ok
	case "string":
		return kindOf(v) == "string"
	case "sequence":
		return kindOf(v) == "sequence"
	case "mapping":
		return kindOf(v) == "map"
	case "iterable":
		k := kindOf(v)
		return k == "sequence" || k == "map" || k == "string"
	case "callable":
		switch v.(type) {
		case function, *macroValue:
			return true
		}
		return false
	case "odd", "even", "divisibleby":
		return r.divides(name, v, arg, line)
	case "eq", "equalto", "==":
		return equal(v, arg)
	case "ne", "!=":
		return !equal(v, arg)
	case "lt", "lessthan", "<", "le", "<=", "gt", "greaterthan", ">", "ge", ">=":
		return r.orders(name, v, arg, line)
	case "in":
		return r.contains(arg, v, line)
	case "containing":
		return r.contains(v, arg, line)
	case "startingwith":
		return strings.HasPrefix(text(v), text(arg))
	case "endingwith":
		return strings.HasSuffix(text(v), text(arg))
	case "lower":
		return !strings.ContainsFunc(text(v), unicode.IsUpper)
	case "upper":
		return !strings.ContainsFunc(text(v), unicode.IsLower)
	case "sameas":
		return kindOf(v) == kindOf(arg) && equal(v, arg)
	case "safe", "escaped":
		return false
	case "filter":
		_, ok := filterNamed(text(v))
		return ok
	}
	r.fail(line, "unknown test %s", name)
	return false
}

func (r *renderer) divides(name string, v, by any, line int) bool {
	n, ok := v.(int64)
	if !ok {
		return false
	}
	m := int64(2)
	if name == "divisibleby" {
		m, ok = by.(int64)
		r.failIf(!ok || m == 0, line, "divisibleby needs an integer")
	}
	return (n%m == 0) == (name != "odd")
}

func (r *renderer) orders(name string, v, w any, line int) bool {
	n, ok := compare(v, w)
	if !ok {
		r.fail(line, "cannot compare %s with %s", kindOf(v), kindOf(w))
	}
	switch name {
	case "lt", "lessthan", "<":
		return n < 0
	case "le", "<=":
		return n <= 0
	case "gt", "greaterthan", ">":
		return n > 0
	}
	return n >= 0
}
