package lua

import (
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/lua/luatest"
)

// Expressions that mean the same to C Lua: what they give, or that they raise.
var expressions = []string{
	// string.format
	`("%5.2f|%-8s|%08d|%x|%X|%#x|%e|%g"):format(3.14159, "hi", 42, 255, 255, 255, 12345.678, 0.0001)`,
	`("%q"):format("a\n\"b\0c\0001\\\r")`, `("%q"):format(1/3)`, `("%q"):format(7)`, `("%a %A"):format(1.5, -0.1)`, `("%a"):format(0)`,
	`("%c%c"):format(65, 0)`, `("%i|%+d|% d|%u"):format(7, 5, 5, 3)`, `("%.3s|%5s|%-5s|%%"):format("abcdef", "x", "y")`, `("%s %s %s"):format(nil, true, {} ~= nil)`,
	`("%5.1f|%-8.3f|%+.2e|%G"):format(-2.55, 1e10, 12345.6789, 1e-10)`, `("%10.4g|%#g|%g"):format(1234567, 1.5, 1e20)`, `("%f %e %g"):format(1/0, -1/0, 1/0)`, `("%5d|%-5d|%05d|%+05d"):format(3, 3, -3, 3)`,
	`("%.0f"):format(0.5)`, `("%.20f"):format(0.1)`, `("%.3d|%8.3d|%-8.3d|"):format(5, 5, -5)`, `("%o %#o"):format(8, 8)`, `("%x"):format(-1)`, `("%d"):format(3.0)`, `("%d"):format("10")`, `("%5c|%-5c|"):format(65, 66)`,
	`pcall(string.format, "%d", 1.5)`, `pcall(string.format, "%d", "x")`, `pcall(string.format, "%y", 1)`, `pcall(string.format, "%", 1)`, `pcall(string.format, "%d")`, `pcall(string.format, "%0100d", 1)`, `pcall(string.format, "%#d", 1)`, `pcall(string.format, "%10q", "x")`,
	`("%s"):format(setmetatable({}, {__tostring = function() return "obj" end}))`, `("%.14g"):format(2^53)`, `("%g %g"):format(100000, 1000000)`, `("%.0s|"):format("abc")`, `("%p"):format(1)`,
	// string
	`("hello"):sub(2, -2), ("hello"):sub(-3), ("hello"):sub(0), ("hello"):sub(10), ("hello"):sub(-100, 2), ("hello"):sub(3, 2), ("x"):sub(math.mininteger)`,
	`("abc"):byte(1, -1)`, `("abc"):byte(10)`, `("abc"):byte()`, `("äö"):byte(1, -1)`, `string.char(104, 105)`, `string.char()`, `pcall(string.char, 256)`, `pcall(string.char, -1)`,
	`("x"):rep(3), ("x"):rep(3, ","), ("x"):rep(0), ("x"):rep(-1), (""):rep(100)`, `("abc"):reverse(), (""):reverse()`, `("aÄb"):upper(), ("AÄB"):lower()`, `#"a\0b", ("a\0b"):len()`,
	`("a,b,,c"):find(",", 1, true)`, `("a.b"):find(".", 1, true)`, `("abc"):find("b", -1)`, `("abc"):find("", 10)`, `("abc"):find("", 4)`, `("abc"):find("")`, `("abc"):find("c", -1)`, `("a+b"):find("+", 1, true)`,
	`("hello world"):match("^(%w+)"), ("key=val"):match("(%w+)=(%w+)")`, `("abc"):match("()b()")`, `("abc"):match(".", -1)`, `("  trim  "):match("^%s*(.-)%s*$")`, `("2024-01-02"):match("(%d+)-(%d+)-(%d+)")`,
	`("hello"):gsub("l", "L")`, `("hello"):gsub("", "-")`, `("abc"):gsub("%w", "%0%0")`, `("abc"):gsub("(a)(b)", "%2%1")`, `("hello world"):gsub("%w+", "%0 %0", 1)`, `("abc"):gsub("b", {b = "X"})`, `("abc"):gsub("%w", {a = 1, b = false})`, `("abc"):gsub("%w", function(c) if c == "b" then return "B" end end)`,
	`("abc def"):gsub("(%w+) (%w+)", "%2 %1")`, `("a.b.c"):gsub("%.", "%%")`, `("abc"):gsub("^a", "x")`, `("aaa"):gsub("^a", "x")`, `("abc"):gsub("$", "x")`, `("x y"):gsub("%s", "")`, `("abc"):gsub(".", {a = 1, b = true and "t"})`, `("abc"):gsub("b*", "-")`,
	`pcall(string.gsub, "abc", "a", "%2")`, `pcall(string.gsub, "abc", "a", "%")`, `pcall(string.gsub, "abc", "a", true)`, `pcall(string.gsub, "abc", ".", function() return {} end)`, `("abc"):gsub("a", "%1")`, `("x = 1"):gsub("(%w+) = (%w+)", "%2 = %1")`,
	`(function() local r = {} for k, v in ("a=1, b=2"):gmatch("(%w+)=(%w+)") do r[#r+1] = k .. v end return table.concat(r, ";") end)()`,
	`(function() local r = {} for w in ("one two"):gmatch("%a+") do r[#r+1] = w end return table.concat(r, ";") end)()`, `(function() local n = 0 for _ in ("abc"):gmatch("") do n = n + 1 end return n end)()`, `(function() local r = {} for w in ("^a^b"):gmatch("^a") do r[#r+1] = w end return #r end)()`, `(function() local r = {} for w in ("abcd"):gmatch(".", 3) do r[#r+1] = w end return table.concat(r) end)()`,
	// pack
	`string.pack("<i4", 100):byte(1, -1)`, `string.pack(">i4I2b", 1, 2, -3):byte(1, -1)`, `string.unpack("<i4", string.pack("<i4", -2))`, `string.packsize("i4i8"), string.packsize("!8bi8"), string.packsize("<!4 i1 !2 i4")`, `string.pack("z", "abc"):byte(1, -1)`, `string.pack("s1", "abc"):byte(1, -1)`, `string.unpack("z", "abc\0def")`, `string.unpack("s1", "\3abcdef")`,
	`string.unpack("<d", string.pack("<d", 1.5))`, `string.unpack("<f", string.pack("<f", 0.5))`, `string.pack("c5", "abc"):byte(1, -1)`, `pcall(string.pack, "i1", 200)`, `pcall(string.unpack, "i4", "abc")`, `pcall(string.pack, "i17", 1)`, `string.pack(">I3", 0x010203):byte(1, -1)`, `string.unpack(">i3", "\255\255\254")`, `string.unpack("<i2", "\1\0\2\0", 3)`, `string.pack("!4 b Xi4 i4", 1, 2):byte(1, -1)`, `pcall(string.pack, "Xz")`, `string.unpack("<I16", ("\1"):rep(1) .. ("\0"):rep(15))`, `string.unpack("<j", "\255\255\255\255\255\255\255\127")`,
	// table
	`table.concat({1, 2, 3}, ", "), table.concat({}), table.concat({1, 2, 3}, "-", 2, 3), table.concat({"a"}, "x", 2)`, `pcall(table.concat, {1, {}, 3})`, `pcall(table.concat, {1}, ",", 1, 2)`, `table.unpack({1, 2, 3})`, `table.unpack({1, 2}, 2, 4)`, `select("#", table.unpack({}, 1, 3))`, `pcall(table.unpack, {}, 1, 1e8)`,
	`(function() local t = {3, 1, 2} table.sort(t) return table.concat(t, ",") end)()`, `(function() local t = {"b", "a", "C"} table.sort(t, function(a, b) return a:lower() < b:lower() end) return table.concat(t, ",") end)()`, `pcall(table.sort, {1, "x"})`, `(function() local t = {} table.insert(t, "a") table.insert(t, 1, "b") table.insert(t, 2, "c") return table.concat(t, ",") end)()`, `pcall(table.insert, {1}, 5, 2)`, `pcall(table.insert, {1})`, `pcall(table.insert, {}, 1, 2, 3)`,
	`(function() local t = {1, 2, 3} local a, b = table.remove(t), table.remove(t, 1) return a, b, #t, table.remove({}), table.remove(t, 2) end)()`, `pcall(table.remove, {1, 2}, 5)`, `table.concat(table.move({1, 2, 3}, 1, 3, 2), ",")`, `table.concat(table.move({1, 2, 3}, 2, 3, 1), ",")`, `table.concat(table.move({1, 2}, 1, 2, 1, {9, 9, 9}), ",")`, `table.pack().n, table.pack(nil, 2).n, table.pack(1, 2)[2]`, `#table.pack(1, 2, 3)`,
	`(function() local t = setmetatable({}, {__index = function(_, i) if i <= 3 then return i * 10 end end, __len = function() return 3 end}) return table.concat(t, ","), table.unpack(t) end)()`,
	// math
	`math.floor(3.7), math.ceil(3.2), math.floor(-3.5), math.ceil(-3.5), math.floor(5)`, `math.max(1, 5, 3), math.min(2, -1), math.max(1.5, 2)`, `pcall(math.max)`, `math.abs(-3), math.abs(2.5)`, `math.fmod(-5, 3), math.fmod(5, -3), math.fmod(5.5, 2)`, `pcall(math.fmod, 1, 0)`, `math.modf(3.7), math.modf(-3.7), math.modf(1/0)`, `math.sqrt(16) == 4, math.pi > 3.14, math.huge == 1/0`, `math.type(1), math.type(1.5), math.type("1"), math.type(nil)`, `pcall(math.type)`, `math.tointeger(3.0), math.tointeger(3.5), math.tointeger("8"), math.tointeger("x"), math.tointeger({})`, `math.ult(1, 2), math.ult(-1, 2)`, `math.log(8, 2) == 3, math.log(100, 10) == 2, math.exp(0) == 1`, `pcall(math.random, 0, -1)`, `math.random(5, 5), math.random(1)`, `math.deg(math.pi) == 180, math.rad(180) == math.pi`, `math.atan(1, 1) == math.pi / 4`, `math.mininteger`,
	// utf8
	`utf8.char(228, 8364, 0x1F600, 0x7FFFFFFF)`, `utf8.len("äöü"), utf8.len("a\xffb"), utf8.len("", 1), utf8.len("abc", 4), utf8.len("äö", -2)`, `pcall(utf8.len, "abc", 5)`, `utf8.codepoint("äb", 1, -1)`, `pcall(utf8.codepoint, "a\xff", 1, -1)`, `pcall(utf8.codepoint, "abc", 4)`, `utf8.offset("aäb", 3), utf8.offset("aäb", -1), utf8.offset("aäb", 0, 3), utf8.offset("abc", 5), utf8.offset("abc", 4)`, `pcall(utf8.offset, "ä", 1, 2)`, `(function() local r = {} for p, c in utf8.codes("aä€") do r[#r+1] = p .. ":" .. c end return table.concat(r, " ") end)()`, `pcall(function() for _ in utf8.codes("a\xff") do end end)`, `utf8.len("\u{D7FF}"), utf8.len("\xed\xa0\x80"), utf8.len("\xed\xa0\x80", 1, -1, true), utf8.len("\xc0\x80"), utf8.len("\xf4\x90\x80\x80")`, `("aä"):match(utf8.charpattern, 2)`,
	// base
	`tonumber("0x10"), tonumber("1e2") == 100, tonumber("z", 36), tonumber("abc"), tonumber("  12  "), tonumber("1_000"), tonumber(""), tonumber("0x"), tonumber("ff", 16), tonumber("8", 8), tonumber("-ff", 16), tonumber("1e"), tonumber("0b1"), tonumber({})`, `pcall(tonumber)`, `pcall(tonumber, "1", 99)`, `pcall(tonumber, 1, 10)`, `tostring(nil), tostring(true), tostring(12), tostring(-0.5), tostring("x")`, `tostring(1e100), tostring(0.1), tostring(1/3), tostring(123456.789), tostring(1e-5), tostring(3.14159265358979)`, `10 .. "", 1.5 .. "x", -1 .. ""`,
	`type(nil), type(1), type("x"), type({}), type(print), type(coroutine.create(print))`, `pcall(type)`, `select("#"), select("#", nil, nil), select(2, 1, 2, 3)`, `select(-1, 1, 2), pcall(select, 0, 1)`, `rawequal("a", "a"), rawequal({}, {}), rawlen({1, 2}), rawlen("abc"), rawget({a = 1}, "a")`, `pcall(rawlen, 5)`, `pcall(rawset, {}, nil, 1)`, `pcall(rawset, {}, 0/0, 1)`, `pcall(setmetatable, 1, {})`, `pcall(setmetatable, {}, 1)`, `pcall(setmetatable, {})`, `getmetatable("").__index == string, getmetatable({}), getmetatable(setmetatable({}, {__metatable = "locked"}))`, `pcall(setmetatable, setmetatable({}, {__metatable = 1}), {})`,
	`pcall(error), pcall(error, nil), pcall(error, "x", 0), pcall(error, {1})`, `xpcall(error, function(e) return "handled " .. e end, "x")`, `xpcall(function(...) return ... end, print, 1, 2)`, `pcall(xpcall, print)`, `next({}), next({5}), pcall(next)`, `pcall(ipairs)`, `(function() local n = 0 for i, v in ipairs({1, 2, nil, 4}) do n = n + v end return n end)()`, `(function() local s = {} for k in pairs({a = 1, b = 2, c = 3, 10, 20}) do s[#s+1] = tostring(k) end table.sort(s) return table.concat(s) end)()`, `(function() local s = 0 for _, v in pairs(setmetatable({}, {__pairs = function() return function(_, k) if not k then return 1, 42 end end, nil, nil end})) do s = s + v end return s end)()`, `(function() local r = {} for i, v in ipairs(setmetatable({}, {__index = function(_, i) if i < 4 then return i * i end end})) do r[i] = v end return table.concat(r, ",") end)()`,
	`#"abc", -"2", "10" + 5, "3" * "4", 10 .. 20, "0x10" + 0, "1e1" * 1 == 10, " 5 " + 1, "010" + 1`, `pcall(function() return "a" + 1 end)`, `pcall(function() return {} + 1 end)`, `pcall(function() return nil .. "x" end)`, `pcall(function() return 1 < "2" end)`, `pcall(function() return {} < {} end)`, `pcall(function() local a; a.b = 1 end)`, `pcall(function() local a; a() end)`, `pcall(function() return #5 end)`, `pcall(function() return -{} end)`, `pcall(function() return 1 & 1.5 end)`, `pcall(function() return "a" | 1 end)`, `pcall(function() return 1 // 0 end)`, `pcall(function() for i = 1, 10, 0 do end end)`, `pcall(function() for i = "a", 2 do end end)`, `pcall(function() for i = 1, {} do end end)`,
	`7 // 2, -7 // 2, 7.5 // 2 == 3, -7 % 3, 7 % -3, -7.5 % 2, 5 % 3.5`, `1 << 62, 1 << 63, 1 << 64, 1 >> 1, -1 >> 63, 2 << -1, ~5, 5 ~ 3, 3.0 | 4`, `pcall(function() return "7" & 3 end)`, `2^10 == 1024, 10 / 2 == 5, 3 | 4 & 5 ~ 6`, `1 < 2, "a" < "b", "Z" < "a", "" < "a", "a\0b" < "a\0c"`, `not nil, not 0, nil == false, 1 == 1.0, "1" == 1`, `1 and 2, nil and 1, false or 3, nil or false`, `0xff, 0x1p4 == 16, 1e2 == 100, .5, 3 == 3.0, 0xA.8p0 == 10.5`, `"\65\066\x41\u{48}\z
	   x"`, `[[
line]]`, `(("x"):rep(3))`, `#{1, 2, 3, nil}, #{n = 1}`, `({1, 2, 3})[2], ({a = {b = 5}}).a.b`,
	// metamethods
	`setmetatable({}, {__add = function(a, b) return "add" end}) + 1, 1 + setmetatable({}, {__add = function() return "radd" end})`, `setmetatable({}, {__idiv = function() return "idiv" end}) // 2, setmetatable({}, {__band = function() return "band" end}) & 1, ~setmetatable({}, {__bnot = function() return "bnot" end}), 1 << setmetatable({}, {__shl = function() return "shl" end})`, `setmetatable({}, {__concat = function(a, b) return "cat" end}) .. "x", "x" .. setmetatable({}, {__concat = function(a, b) return a .. "!" end}), 1 .. "a" .. setmetatable({}, {__concat = function(a, b) return a .. "?" end})`, `#setmetatable({}, {__len = function() return 42 end}), -setmetatable({}, {__unm = function() return "neg" end})`, `setmetatable({}, {__call = function(self, a, b) return a + b end})(3, 4)`, `setmetatable({}, {__index = {x = 1}}).x, setmetatable({}, {__index = function(_, k) return k .. "!" end}).foo`, `(function() local log = {} local t = setmetatable({}, {__newindex = function(t, k, v) rawset(t, k, v * 2) end}) t.a = 5 return t.a end)()`, `(function() local mt = {__eq = function() return true end, __lt = function() return true end, __le = function() return false end} local a, b = setmetatable({}, mt), setmetatable({}, mt) return a == b, a ~= b, a < b, a <= b, a > b, a >= b end)()`, `"10" + setmetatable({}, {__add = function(a, b) return "obj" end})`, `tostring(setmetatable({}, {__tostring = function() return "T" end}))`, `pcall(tostring, setmetatable({}, {__tostring = function() return {} end}))`, `tostring(setmetatable({}, {__name = "My"})):match("^My: ") ~= nil`,
	// coroutines
	`coroutine.isyieldable(), coroutine.status(coroutine.create(print))`, `(function() local co = coroutine.create(function(a) local b = coroutine.yield(a + 1) return b * 2 end) local r = {} r[1] = select(2, coroutine.resume(co, 1)) r[2] = select(2, coroutine.resume(co, 10)) r[3] = coroutine.status(co) r[4] = tostring(coroutine.resume(co)) return table.concat(r, " ") end)()`, `select(2, coroutine.resume(coroutine.create(function() error({code = 1}) end))).code`, `pcall(coroutine.wrap(function() error("x", 0) end))`, `pcall(coroutine.yield)`, `(function() local co co = coroutine.create(function() return coroutine.resume(co) end) return coroutine.resume(co) end)()`, `(function() local co = coroutine.create(function() coroutine.yield() end) coroutine.resume(co) return coroutine.close(co), coroutine.status(co) end)()`, `(function() local r = {} local co = coroutine.wrap(function() for i in coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end) do coroutine.yield(i * 10) end end) for v in co do r[#r+1] = v end return table.concat(r, ",") end)()`, `(function() local co = coroutine.wrap(function() table.sort({3, 2, 1}, function(a, b) return a < b end) local ok, v = pcall(function() return coroutine.yield("in") + 1 end) return v end) return co(), co(5) end)()`, `(function() local main, is = coroutine.running() return type(main), is end)()`, `(function() local t = setmetatable({}, {__index = function(_, k) return coroutine.yield(k) end}) local co = coroutine.wrap(function() return t.foo .. t.bar end) return co(), co("a"), co("b") end)()`, `pcall(coroutine.create)`, `pcall(coroutine.resume, 1)`, `coroutine.resume(coroutine.create(function(...) return select("#", ...) end), 1, nil, nil)`,
	// statements
	`(function() for i = 1, 3 do for j = 1, 3 do if j == 2 then goto continue end if i == 2 then goto done end ::continue:: end end ::done:: return "x" end)()`, `(function() local t = {} for i = 1, 3 do local x = i t[i] = function() x = x + 1 return x end end return t[1](), t[1](), t[2]() end)()`, `(function(...) local a, b = ... local t = {...} return a, b, #t, select("#", ...) end)(1, 2, 3)`, `(function() local a <const> = 5 return a end)()`, `(function() local i = 1 local t = {} i, t[i] = i + 1, 20 return i, t[1] end)()`, `(function() local a, b, c = (function() return 1, 2, 3 end)() return a, b, c end)()`, `(function() local function f(n) if n == 0 then return "end" end return f(n - 1) end return f(100000) end)()`, `(function() local s = 0 for i = 10, 1, -3 do s = s + i end for i = 1, 0 do s = 100 end return s end)()`, `(function() local n = 0 repeat local done = n >= 3 n = n + 1 until done return n end)()`, `(function() local n = 0 while true do n = n + 1 if n > 5 then break end end return n end)()`, `(function() local f = function() return f end return f() end)()`, `(function() local x = 1 do local x = x + 1 do local x = x + 1 return x end end end)()`,
}

const expressionRunner = `
while true do
  local out = {}
  local f, err = load("return " .. receive(), "=x", "t")
  if not f then out[1] = err else
    local r = table.pack(pcall(f))
    if not r[1] then out[1] = "error" else
      for i = 2, r.n do
        local v = r[i]
        local k = type(v)
        if math.type(v) == "float" and v == math.floor(v) and math.abs(v) < 1e15 then v = string.format("%.0f", v) end
        if i > 2 and r[i-1] == false and k == "string" then v = "message" end
        out[#out+1] = (k == "table" or k == "function" or k == "thread") and k or tostring(v)
      end
    end
  end
  reply(table.concat(out, " "))
end`

// What an expression gives is what it gives in C Lua; what an error says may differ.
func TestExpressions(t *testing.T) {
	ref := luatest.Start(t, expressionRunner)
	for _, e := range expressions {
		want := ref.Ask(t, e)
		var out []string
		vm := New(Options{})
		vm.setGlobal("emit", fn("emit", func(c call) int {
			for i := 1; i <= c.n(); i++ {
				k := typeName(c.arg(i))
				s := c.tostring(c.arg(i))
				if k == "string" && i > 1 && c.arg(i-1) == no {
					s = "message"
				}
				if k == "table" || k == "function" || k == "thread" {
					s = k
				}
				out = append(out, s)
			}
			return 0
		}))
		if _, err := vm.Run(t.Context(), "x", []byte("emit("+e+")")); err != nil {
			out = []string{"error: " + err.Error()}
		}
		if got := strings.Join(out, " "); got != want {
			t.Errorf("%s\n got %s\nwant %s", e, got, want)
		}
		vm.Close()
	}
}
