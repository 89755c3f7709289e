package main

import "fmt"

// of is an expression of a kind.
func (g *generator) of(k kind, depth int) string {
	switch k {
	case number:
		return g.number(depth)
	case text:
		return g.text(depth)
	case list:
		return g.list(depth)
	case record:
		return g.record(depth)
	case function:
		if f := g.pick(function); f != "" && g.chance(60) {
			return f
		}
		g.callless++ // else it might call itself
		was := g.vararg
		g.vararg = false
		defer func() { g.callless--; g.vararg = was }()
		return fmt.Sprintf("function(x, y) return %s end", g.scalar(depth-1))
	}
	return g.scalar(depth)
}

// scalar is an expression that prints the same everywhere, or raises an error.
func (g *generator) scalar(depth int) string {
	if depth <= 0 {
		switch g.r.IntN(8) {
		case 0:
			return g.one("nil", "true", "false")
		case 1, 2:
			return g.quoted()
		}
		return g.numeral()
	}
	switch g.r.IntN(16) {
	case 0, 1, 2, 3, 4:
		return g.number(depth)
	case 5, 6, 7:
		return g.text(depth)
	case 8:
		return g.condition(depth)
	case 9:
		return fmt.Sprintf("(%s %s %s)", g.scalar(depth-1), g.one("and", "or"), g.scalar(depth-1))
	case 10:
		if t := g.pick(record); t != "" {
			return fmt.Sprintf("show(%s.%s)", t, g.field())
		}
	case 11:
		if t := g.pick(list); t != "" {
			return fmt.Sprintf("show(%s[%s])", t, g.small())
		}
	case 12:
		if g.vararg {
			return g.one("select('#', ...)", "show((...))", "show(select(2, ...))")
		}
	case 13:
		if f := g.pick(function); f != "" && g.callless == 0 {
			return fmt.Sprintf("show(%s(%s))", f, g.scalar(depth-1))
		}
	case 14:
		if v := g.pick(anything); v != "" {
			return "show(" + v + ")"
		}
	}
	return g.number(depth - 1)
}

func (g *generator) quoted() string {
	return g.one(`""`, `"a"`, `"10"`, `"0x10"`, `" 5 "`, `"1e1"`, `"abc"`, `"hello world"`, `"\0\1"`, `"3.0"`, `"-7"`, `"key = value"`, `"x,y,z"`, `"nan"`, `"ä"`)
}

func (g *generator) numeral() string {
	return g.one("0", "1", "2", "3", "7", "-1", "-3", "10", "100", "255", "1.0", "0.5", "-0.0", "2.5", "1e15", "1e100", "3.7", "-2.5", "0x7f",
		"math.maxinteger", "math.mininteger", "math.huge", "-math.huge", "1/3", "2^53", "2^63", "(0/0)", "1e14", "123456789012", "0x7fffffffffffffff", "1e-10")
}

func (g *generator) small() string {
	return g.one("1", "2", "3", "0", "-1", "'a'", "1.0", "2.5", "#{1, 2}")
}
func (g *generator) field() string { return g.one("a", "b", "c", "a", "b", "m") }

func (g *generator) integer(depth int) string {
	if depth > 0 && g.chance(30) {
		return fmt.Sprintf("math.type(%s) == 'integer' and 3 or 2", g.number(depth-1))
	}
	return g.one("0", "1", "2", "3", "5", "-1", "-2")
}

func (g *generator) number(depth int) string {
	if depth <= 0 {
		if v := g.pick(number); v != "" && g.chance(50) {
			return v
		}
		return g.numeral()
	}
	d := depth - 1
	switch g.r.IntN(16) {
	case 0, 1, 2, 3:
		return fmt.Sprintf("(%s %s %s)", g.number(d), g.one("+", "-", "*", "/", "//", "%", "^"), g.number(d))
	case 4:
		return fmt.Sprintf("(%s %s %s)", g.number(d), g.one("&", "|", "~", "<<", ">>"), g.number(d))
	case 5:
		return fmt.Sprintf("(%s %s)", g.one("-", "~", "- -"), g.number(d))
	case 6:
		return "#" + g.text(0)
	case 7:
		return fmt.Sprintf("math.%s(%s)", g.one("floor", "ceil", "abs", "tointeger", "type"), g.number(d))
	case 8:
		return fmt.Sprintf("math.%s(%s, %s)", g.one("max", "min", "fmod", "ult"), g.number(d), g.number(d))
	case 9:
		return fmt.Sprintf("tonumber(%s)", g.text(d))
	case 10:
		return fmt.Sprintf("(%s %s %s)", g.text(0), g.one("+", "*", "-", "//"), g.number(d))
	case 11:
		return fmt.Sprintf("(%s %s %s)", g.number(d), g.one("+", "-", "*", "%", "//", "&", "<<"), g.one("1", "2", "3", "7", "-1", "0", "0.5", "64", "10"))
	}
	return g.number(0)
}

func (g *generator) text(depth int) string {
	if depth <= 0 {
		if v := g.pick(text); v != "" && g.chance(50) {
			return v
		}
		return g.quoted()
	}
	d := depth - 1
	switch g.r.IntN(16) {
	case 0, 1, 2:
		return fmt.Sprintf("cut(%s .. %s)", g.scalar(d), g.scalar(d))
	case 3:
		return fmt.Sprintf("(%s):sub(%s, %s)", g.text(d), g.integer(d), g.integer(d))
	case 4:
		return fmt.Sprintf("(%s):%s()", g.text(d), g.one("upper", "lower", "reverse", "len"))
	case 5:
		return fmt.Sprintf("cut((%s):rep(%d, %s))", g.text(0), g.r.IntN(4), g.one(`""`, `"-"`, "nil"))
	case 6:
		return fmt.Sprintf("string.format(%q, %s)", g.one("%d", "%5.2f", "%s", "%q", "%x", "%g", "%-5s|", "%05d", "%a", "%i", "%+d", "%.3s", "%10.4s|", "%e", "%c", "%o", "%#x"), g.scalar(d))
	case 7:
		return fmt.Sprintf("tostring(%s)", g.scalar(d))
	case 8:
		return fmt.Sprintf("cut((%s):gsub(%s, %s))", g.text(d), g.pattern(), g.one(`"<%0>"`, `"%1"`, `"x"`, `{a = "A", ["1"] = true}`, `function(m) return m .. "!" end`, `"%%"`, "string.upper"))
	case 9:
		return fmt.Sprintf("(%s):%s(%s)", g.text(d), g.one("find", "match"), g.pattern())
	case 10:
		return fmt.Sprintf("cut(table.concat(%s, %s))", g.list(d), g.quoted())
	case 11:
		return fmt.Sprintf("type(%s)", g.of(g.kind(), d))
	case 12:
		return fmt.Sprintf("(%s):byte(%s)", g.text(d), g.integer(0))
	}
	return g.text(0)
}

func (g *generator) pattern() string {
	return g.one(`"%a+"`, `"%d"`, `"(%w)(%w)"`, `"."`, `"[^%s]+"`, `"^a"`, `"l-"`, `"()"`, `"%s*$"`, `"(a*(.)%w(%s*))"`, `"[a-f]"`, `"%f[%w]%w+"`, `"x*"`, `"%b()"`, `"(.)%1"`, `"$"`, `"%"`, `"[a"`)
}

func (g *generator) list(depth int) string {
	if v := g.pick(list); v != "" && g.chance(40) {
		return v
	}
	if depth <= 0 {
		return g.one("{}", "{1, 2, 3}", `{"a", "b"}`)
	}
	switch g.r.IntN(5) {
	case 0:
		return fmt.Sprintf("{some(%s), some(%s)}", g.number(depth-1), g.text(depth-1))
	case 1:
		if g.vararg {
			return "{n = 1, some(...)}"
		}
	case 2:
		return fmt.Sprintf("sorted({some(%s), some(%s), some(%s)})", g.number(0), g.number(0), g.number(0))
	case 3:
		return fmt.Sprintf("{table.unpack({some(%s), %s}, 1, 2)}", g.scalar(0), g.numeral())
	}
	return fmt.Sprintf("{%s, %s, %s}", g.numeral(), g.quoted(), g.numeral())
}

func (g *generator) record(depth int) string {
	if v := g.pick(record); v != "" && g.chance(40) {
		return v
	}
	return fmt.Sprintf("{a = %s, b = %s, [%s] = %s}", g.scalar(depth-1), g.scalar(depth-1), g.one("1", `"c"`, "2.5", "true"), g.scalar(depth-1))
}

func (g *generator) condition(depth int) string {
	if depth <= 0 {
		return g.one("true", "false", "nil", g.scalar(0))
	}
	d := depth - 1
	switch g.r.IntN(9) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", g.number(d), g.one("<", "<=", ">", ">=", "==", "~="), g.number(d))
	case 3:
		return fmt.Sprintf("(%s %s %s)", g.text(d), g.one("<", "<=", ">", ">=", "==", "~="), g.text(d))
	case 4:
		return "not " + g.condition(d)
	case 5, 6:
		return fmt.Sprintf("(%s %s %s)", g.condition(d), g.one("and", "or"), g.condition(d))
	case 7:
		return fmt.Sprintf("(%s %s %s)", g.scalar(d), g.one("==", "~=", "<"), g.scalar(d))
	}
	return fmt.Sprintf("(%s %s %s)", g.number(d), g.one("<", "<=", ">", ">=", "==", "~="), g.one("0", "1", "3", "-1", "100"))
}
