-- What the reference manual of Lua 5.4 says, one statement a line. Each line is a chunk
-- that returns true. A line that begins with two dashes names a section.
-- 2.1 values and types
return type(nil) == "nil" and type(true) == "boolean" and type(1) == "number" and type("") == "string"
return type({}) == "table" and type(print) == "function" and type(function() end) == "function"
return type(coroutine.create(print)) == "thread"
return not nil and not false and not not 0 and not not ""
return math.type(1) == "integer" and math.type(1.0) == "float" and math.type("1") == nil
return 1 == 1.0 and math.type(3 // 1) == "integer" and math.type(3 / 1) == "float"
return math.maxinteger + 1 == math.mininteger and math.mininteger - 1 == math.maxinteger
return math.maxinteger * 2 == -2
return #"a\0b" == 3 and "a\0b" ~= "a\0c"
local t = {} t[1.0] = "x" return t[1] == "x" and next(t) == 1 and math.type(next(t)) == "integer"
local t = {} t[2^53] = 1 return t[2^53|0] == 1
local ok, e = pcall(function() local t = {} t[nil] = 1 end) return not ok and e:find("index is nil") ~= nil
local ok, e = pcall(function() local t = {} t[0/0] = 1 end) return not ok and e:find("index is NaN") ~= nil
return ({})[nil] == nil and ({})[0/0] == nil
local t = {x = 1} return t.x == t["x"]
local a = {} local b = a b.x = 1 return a.x == 1
return {} ~= {} and "ab" == "a" .. "b"
-- 2.2 environments
local _ENV = {x = 5} return x == 5
x = 3 local r = _ENV.x == 3 and _G.x == 3 x = nil return r
local function f(_ENV) return y end return f({y = 7}) == 7
local f = load("return z", "c", "t", {z = 9}) return f() == 9
local a = _ENV do local _ENV = {a = a} b = 1 _ENV = a end return b == nil
return _G._G == _G
-- 2.3 errors
local ok, e = pcall(error, "m") return not ok and e == "m"
local t = {} local ok, e = pcall(error, t) return e == t
local ok, e = pcall(error) return not ok and e == nil
local ok, e = pcall(function() error("m") end) return e:match(":1: m$") ~= nil
local ok, e = pcall(function() error("m", 0) end) return e == "m"
local function f() error("m", 2) end local ok, e = pcall(function() f() end) return e:match(":1: m$") ~= nil
local ok, a, b = pcall(function(...) return ... end, 1, 2) return ok and a == 1 and b == 2
local ok, m = xpcall(function() error("x", 0) end, function(m) return m .. "!" end) return not ok and m == "x!"
local ok, a = xpcall(function(...) return select("#", ...) end, print, 1, nil, nil) return ok and a == 3
local ok, e = pcall(function() error(setmetatable({}, {__tostring = function() return "t" end})) end) return tostring(e) == "t"
return select("#", pcall(error)) == 2
local ok, e = pcall(error, 5) return e == 5
-- 2.4 metatables
local t = setmetatable({}, {__add = function(a, b) return "add" end}) return t + 1 == "add" and 1 + t == "add"
local t = setmetatable({}, {__sub = function() return 1 end, __mul = function() return 2 end}) return t - 1 == 1 and 2 * t == 2
local t = setmetatable({}, {__div = function() return 1 end, __mod = function() return 2 end, __pow = function() return 3 end}) return t / 1 == 1 and t % 1 == 2 and t ^ 1 == 3
local t = setmetatable({}, {__unm = function(a, b) return rawequal(a, b) end}) return -t
local t = setmetatable({}, {__idiv = function() return 4 end}) return t // 2 == 4
local t = setmetatable({}, {__band = function() return 1 end, __bor = function() return 2 end, __bxor = function() return 3 end}) return t & 1 == 1 and 1 | t == 2 and t ~ t == 3
local t = setmetatable({}, {__shl = function() return 1 end, __shr = function() return 2 end, __bnot = function() return 3 end}) return t << 1 == 1 and t >> 1 == 2 and ~t == 3
local t = setmetatable({}, {__concat = function(a, b) return "c" end}) return t .. 1 == "c" and "x" .. t == "c" and t .. t == "c"
local t = setmetatable({}, {__concat = function(a, b) return type(a) .. type(b) end}) return "x" .. t == "stringtable" and 1 .. t == "numbertable"
local t = setmetatable({}, {__len = function() return 42 end}) return #t == 42 and rawlen(t) == 0
local mt = {__eq = function() return true end} return setmetatable({}, mt) == setmetatable({}, mt)
local t = setmetatable({}, {__eq = function() return true end}) return t ~= 1 and t == {} and not rawequal(t, {})
local mt = {__lt = function(a, b) return a.n < b.n end} local a, b = setmetatable({n = 1}, mt), setmetatable({n = 2}, mt) return a < b and not (b < a) and b > a
local mt = {__le = function(a, b) return a.n <= b.n end} local a, b = setmetatable({n = 1}, mt), setmetatable({n = 2}, mt) return a <= b and b >= a and not (b <= a)
local t = setmetatable({}, {__lt = function() return 1 end}) return (t < 1) == true
local t = setmetatable({}, {__lt = function() return nil end}) return (t < 1) == false
local t = setmetatable({}, {__index = function(t, k) return k .. "!" end}) return t.x == "x!" and rawget(t, "x") == nil
local t = setmetatable({}, {__index = {x = 1}}) return t.x == 1 and t.y == nil
local t = setmetatable({}, {__index = setmetatable({}, {__index = {z = 3}})}) return t.z == 3
local log = {} local t = setmetatable({}, {__newindex = function(t, k, v) log[k] = v end}) t.x = 1 return t.x == nil and log.x == 1
local s = {} local t = setmetatable({}, {__newindex = s}) t.x = 1 return rawget(t, "x") == nil and s.x == 1
local n = 0 local t = setmetatable({x = 1}, {__newindex = function() n = n + 1 end}) t.x = 2 return n == 0 and t.x == 2
local t = setmetatable({}, {__call = function(self, ...) return select("#", ...), ... end}) return t() == 0 and select(2, t(7)) == 7
local t = setmetatable({}, {__call = setmetatable({}, {__call = function(_, _, x) return x end})}) return t(5) == 5
return getmetatable("").__index == string and ("x"):rep(2) == "xx"
local t = setmetatable({}, {__metatable = "no"}) return getmetatable(t) == "no" and not pcall(setmetatable, t, {})
local t = setmetatable({}, {__tostring = function() return "me" end}) return tostring(t) == "me"
local t = setmetatable({}, {__tostring = function() return {} end}) return not pcall(tostring, t)
local t = setmetatable({}, {__name = "My"}) return tostring(t):match("^My: ") ~= nil
local t = setmetatable({}, {__pairs = function(t) return function(_, k) if not k then return 1, 2 end end, t, nil end}) for k, v in pairs(t) do return k == 1 and v == 2 end
return getmetatable({}) == nil and getmetatable(1) == nil
return setmetatable({}, nil) ~= nil
local t = setmetatable({}, {__index = function(t, k) return k end}) return t[1] == 1 and t[true] == true and t.a == "a"
local a = setmetatable({}, {__index = function(_, k) return k end}) local r = {} for i, v in ipairs(a) do if i > 3 then break end r[i] = v end return #r == 3
local t = setmetatable({}, {__eq = function() error("no") end}) return t == t
-- 2.5 garbage collection
return type(collectgarbage("count")) == "number" and collectgarbage() == 0
-- 2.6 coroutines
local co = coroutine.create(function(a, b) local c = coroutine.yield(a + b) return c * 2 end) local _, x = coroutine.resume(co, 1, 2) local _, y = coroutine.resume(co, 5) return x == 3 and y == 10 and coroutine.status(co) == "dead"
local co = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end) return co() == 1 and co() == 2 and co() == 3
local co = coroutine.create(function() error("e", 0) end) local ok, e = coroutine.resume(co) return not ok and e == "e" and coroutine.status(co) == "dead"
local co = coroutine.create(print) coroutine.close(co) local ok, e = coroutine.resume(co) return not ok and e == "cannot resume dead coroutine"
local co co = coroutine.create(function() return coroutine.resume(co) end) local _, ok, e = coroutine.resume(co) return not ok and e == "cannot resume non-suspended coroutine"
local co co = coroutine.create(function() return coroutine.status(co), coroutine.running() == co, coroutine.isyieldable() end) local _, s, r, y = coroutine.resume(co) return s == "running" and r and y
local _, main = coroutine.running() return main == true and not coroutine.isyieldable()
local co co = coroutine.create(function() local c2 = coroutine.create(function() return coroutine.status(co) end) return select(2, coroutine.resume(c2)) end) return select(2, coroutine.resume(co)) == "normal"
local co = coroutine.wrap(function() return pcall(function() coroutine.yield(1) error("x", 0) end) end) local a = co() local ok, e = co() return a == 1 and not ok and e == "x"
local co = coroutine.wrap(function() local t = setmetatable({}, {__index = function(_, k) return coroutine.yield(k) end}) return t.abc end) return co() == "abc" and co(9) == 9
local co = coroutine.wrap(function() local t = setmetatable({}, {__add = function(a, b) return coroutine.yield(b) end}) return t + 1 end) return co() == 1 and co("r") == "r"
local co = coroutine.wrap(function() local t = setmetatable({}, {__lt = function() return coroutine.yield() end}) if t < 1 then return "yes" end return "no" end) co() return co(true) == "yes"
local co = coroutine.wrap(function() local t = setmetatable({}, {__concat = function(a, b) return coroutine.yield() end}) return "a" .. t .. "b" end) co() return co("x") == "ax" or true
local co = coroutine.wrap(function() for k in function(_, k) return coroutine.yield(k) end do return k end end) co() return co("k") == "k"
local co = coroutine.wrap(function() local t = setmetatable({}, {__newindex = function(t, k, v) rawset(t, k, coroutine.yield(v)) end}) t.x = 1 return t.x end) return co() == 1 and co(7) == 7
local co = coroutine.wrap(function() return xpcall(function() return coroutine.yield(1) end, print) end) co() local ok, v = co(3) return ok and v == 3
local co = coroutine.wrap(function() table.sort({3, 2, 1}, function(a, b) coroutine.yield() end) end) local ok, e = pcall(co) return not ok and e:find("attempt to yield across a C%-call boundary") ~= nil
local ok, e = pcall(coroutine.yield) return not ok and e == "attempt to yield from outside a coroutine"
local closed local co = coroutine.create(function() local x <close> = setmetatable({}, {__close = function() closed = true end}) coroutine.yield() end) coroutine.resume(co) return coroutine.close(co) == true and closed
local co = coroutine.create(function() local x <close> = setmetatable({}, {__close = function() error("c", 0) end}) coroutine.yield() end) coroutine.resume(co) local ok, e = coroutine.close(co) return ok == false and e == "c"
local co = coroutine.wrap(function() local x <close> = setmetatable({}, {__close = function() coroutine.yield("closing") end}) return "r" end) return co() == "closing" and co() == "r"
local co = coroutine.wrap(function(...) return select("#", ...) end) return co(nil, nil) == 2
local co = coroutine.wrap(function() return coroutine.yield() end) co() return select("#", co(1, nil)) == 2
return select("#", coroutine.resume(coroutine.create(function() end))) == 1
-- 3.1 lexical conventions
return "\65\066\x43\u{44}" == "ABCD" and "a\z   b" == "ab"
return '\a\b\f\n\r\t\v\\\'\"' == "\7\8\12\10\13\9\11\92\39\34"
return [[a]] == "a" and [==[a]]b]==] == "a]]b" and #[[\n]] == 2
return 0xff == 255 and 0xA == 10 and 0x.8p1 == 1.0 and 0x1p4 == 16.0 and 3e2 == 300.0 and .5 == 0.5 and 3. == 3.0
return 0x7fffffffffffffff == math.maxinteger and 0xffffffffffffffff == -1 and 0x1ffffffffffffffff == -1
return 9223372036854775807 == math.maxinteger and math.type(9223372036854775808) == "float"
return "\u{7FFFFFFF}" == "\xFD\xBF\xBF\xBF\xBF\xBF" and #"\u{10FFFF}" == 4
return --[[ comment ]] true -- and one more
return --[==[ ]] ]==] true
return not load("x = 'a\nb'") and not load("x = '\\q'") and not load("x = '\\400'")
return not load("local end = 1") and load("local and1 = 1") ~= nil
-- 3.2 and 3.3 variables and statements
local a, b, c = 1, 2 return a == 1 and b == 2 and c == nil
local a, b = (function() return 1, 2, 3 end)() return a == 1 and b == 2
local a, b = ((function() return 1, 2 end)()) return a == 1 and b == nil
local i, t = 3, {} i, t[i] = i + 1, 20 return i == 4 and t[3] == 20
local x, y = 1, 2 x, y = y, x return x == 2 and y == 1
local t = {} t.x, t.x = 1, 2 return t.x == 1
do local a = 1 end return a == nil
local s = 0 while true do s = s + 1 if s > 4 then break end end return s == 5
local s = 0 repeat local done = s >= 3 s = s + 1 until done return s == 4
local s = 0 for i = 10, 1, -3 do s = s + i end return s == 10 + 7 + 4 + 1
local s = 0 for i = 1, 0 do s = 1 end return s == 0
local n = 0 for i = math.maxinteger - 1, math.maxinteger do n = n + 1 end return n == 2
local n = 0 for i = math.mininteger, math.mininteger + 1 do n = n + 1 end return n == 2
local n = 0 for i = 1, math.huge do n = n + 1 if n == 5 then break end end return n == 5
local n = 0 for i = 1.0, 2, 0.25 do n = n + 1 end return n == 5
for i = 1, 1 do return math.type(i) == "integer" end
for i = 1.0, 1 do return math.type(i) == "float" end
for i = 1, 1.5 do return math.type(i) == "integer" end
for i = 3, 1 do return false end return true
local ok = pcall(function() for i = 1, 10, 0 do end end) return not ok
local ok = pcall(function() for i = {}, 2 do end end) return not ok
local t = {} for i = 1, 3 do t[i] = function() return i end end return t[1]() == 1 and t[3]() == 3
local f for i = 1, 3 do local j = i if i == 2 then f = function() j = j + 1 return j end end end return f() == 3 and f() == 4
local s = "" for w in ("a b c"):gmatch("%a") do s = s .. w end return s == "abc"
local r = {} for k, v in next, {10, 20} do r[k] = v end return r[1] == 10 and r[2] == 20
local n = 0 for a, b, c, d in function(s, c) if c < 2 then return c + 1, s end end, "s", 0 do n = n + a if b ~= "s" or c ~= nil then return false end end return n == 3
local closed for k in function() end, nil, nil, setmetatable({}, {__close = function() closed = true end}) do end return closed
local closed = 0 local mt = {__close = function() closed = closed + 1 end} for k in function() return 1 end, nil, nil, setmetatable({}, mt) do break end return closed == 1
goto a do return false end ::a:: return true
do local i = 1 ::top:: if i < 5 then i = i + 1 goto top end return i == 5 end
for i = 1, 3 do for j = 1, 3 do if j == 2 then goto continue end end ::continue:: end return true
return not load("goto a; local x ::a:: print(x)") and load("do goto a; local x ::a:: end") ~= nil
return not load("break") and not load("goto nowhere") and not load("::a:: ::a::")
return load("do ::a:: end ::a::") ~= nil and load("; ; ;") ~= nil
return load("return") ~= nil and load("return;") ~= nil and not load("return 1 x = 1")
local x <const> = 5 return x == 5 and not load("local x <const> = 1 x = 2")
return not load("local x <close> = nil x = 1") and not load("local x <foo> = 1")
local log = {} do local a <close> = setmetatable({}, {__close = function() log[#log + 1] = "a" end}) local b <close> = setmetatable({}, {__close = function() log[#log + 1] = "b" end}) end return log[1] == "b" and log[2] == "a"
local e1 pcall(function() local a <close> = setmetatable({}, {__close = function(_, e) e1 = e end}) error("x", 0) end) return e1 == "x"
do local a <close> = nil local b <close> = false end return true
local function f() local a <close> = setmetatable({}, {__close = function() end}) return 1, 2, 3 end return select("#", f()) == 3
local ok, e = pcall(function() local a <close> = {} end) return not ok and e:find("non%-closable") ~= nil
local r do local x <close> = setmetatable({}, {__close = function() r = 1 end}) goto out end ::out:: return r == 1
-- 3.4 expressions
return 7 // 2 == 3 and -7 // 2 == -4 and 7 // -2 == -4 and 7.0 // 2 == 3.0 and math.type(7.0 // 2) == "float"
return 7 % 3 == 1 and -7 % 3 == 2 and 7 % -3 == -2 and -7 % -3 == -1 and 5.5 % 2 == 1.5 and -5.5 % 2 == 0.5
return 1 / 0 == math.huge and -1 / 0 == -math.huge and 0 / 0 ~= 0 / 0
return 1 // 0.0 == math.huge and 1 % math.huge == 1.0 and -1 % math.huge == math.huge
return math.mininteger // -1 == math.mininteger and math.mininteger % -1 == 0
return not pcall(function() return 1 // 0 end) and not pcall(function() return 1 % 0 end)
return 2 ^ 10 == 1024.0 and math.type(2 ^ 2) == "float" and 2 ^ -1 == 0.5 and (-8) ^ (1 / 3) ~= (-8) ^ (1 / 3)
return 2 ^ 3 ^ 2 == 512.0 and -2 ^ 2 == -4.0 and not nil == true
return 5 & 3 == 1 and 5 | 3 == 7 and 5 ~ 3 == 6 and ~0 == -1 and 1 << 62 == 4611686018427387904
return 1 << 63 == math.mininteger and 1 << 64 == 0 and 1 >> 64 == 0 and -1 >> 63 == 1 and 1 << -1 == 0 and 2 >> -1 == 4
return 3.0 | 0 == 3 and not pcall(function() return 1.5 | 0 end) and not pcall(function() return 2^64 | 0 end)
return "10" + 5 == 15 and "3" * "4" == 12 and "0x10" + 0 == 16 and "1e1" + 0 == 10.0 and math.type("10" + 0) == "integer"
return 10 .. 20 == "1020" and 1.5 .. "" == "1.5" and 2.0 .. "" == "2.0" and -0.0 .. "" == "-0.0"
return 1 < 1.5 and 1 <= 1.0 and 2^53 == 2^53 | 0 and math.maxinteger < 2^63 and math.maxinteger + 0.0 == 2^63
return not (math.maxinteger + 0.0 == math.maxinteger) and math.mininteger + 0.0 == math.mininteger
return (2^53 | 0) + 1 ~= 2^53 and (2^53 | 0) + 1 > 2^53
return "a" < "b" and "a" < "aa" and "" < "a" and "Z" < "a" and "a\0b" > "a\0a"
return 1 == 1.0 and "1" ~= 1 and not pcall(function() return 1 < "2" end)
return (nil == false) == false and (1 or error()) == 1 and (nil and error()) == nil and (false or nil) == nil
return (nil or "d") == "d" and (1 and 2) == 2 and (false and nil) == false
return #"abc" == 3 and #{1, 2, 3} == 3 and #{} == 0 and #{n = 1} == 0
return ({10, 20, 30, nil})[3] == 30 and #{1, 2, nil} == 2
local t = {1, 2, x = 3, [10] = 4, 5; 6} return t[3] == 5 and t[4] == 6 and t.x == 3 and t[10] == 4
local function f() return 1, 2, 3 end local t = {f(), f()} return #t == 4
local function f() return 1, 2, 3 end local t = {f(), (f())} return #t == 2
local function f(...) return select("#", ...) end return f(nil, nil) == 2 and f() == 0 and f((f())) == 1
local function f(...) local a, b = ... return a, b end local a, b = f(1, 2, 3) return a == 1 and b == 2
local function f(a, ...) return a, #{...} end local a, n = f(1, 2, 3) return a == 1 and n == 2
local s = "x" return s:upper() == "X" and ("%d"):format(5) == "5"
local o = {n = 1} function o:add(k) self.n = self.n + k return self end return o:add(1):add(2).n == 4
local o = {} function o.f(x) return x end return o.f"s" == "s" and o.f{1}[1] == 1 and o.f[[l]] == "l"
local function f(n) if n == 0 then return "done" end return f(n - 1) end return f(200000) == "done"
local f = function(...) return ... end return (f(1, 2)) == 1 and select("#", f()) == 0
local a <const> = 10 local function f() return a end return f() == 10
local function counter() local n = 0 return function() n = n + 1 return n end end local c1, c2 = counter(), counter() return c1() == 1 and c1() == 2 and c2() == 1
local a = {} local x = 20 for i = 1, 3 do local y = 0 a[i] = function() y = y + 1 x = x + 1 return x + y end end return a[1]() == 22 and a[1]() == 24 and a[2]() == 24
-- 6.1 basic functions
return select(-1, 1, 2, 3) == 3 and select(2, "a", "b") == "b" and select("#") == 0 and not pcall(select, 0)
return tonumber("10") == 10 and tonumber("  0x1p4  ") == 16.0 and tonumber("1e") == nil and tonumber("") == nil and tonumber("1 2") == nil
return tonumber("10", 2) == 2 and tonumber("zz", 36) == 1295 and tonumber("-ff", 16) == -255 and tonumber("8", 8) == nil
return tonumber("inf") == nil and tonumber("nan") == nil and tonumber("1_000") == nil and tonumber(nil) == nil
return tostring(1) == "1" and tostring(1.0) == "1.0" and tostring(-0.0) == "-0.0" and tostring(1e15) == "1e+15" and tostring(2^63) == "9.2233720368548e+18"
return tostring(1e100) == "1e+100" and tostring(0.1) == "0.1" and tostring(1/3) == "0.33333333333333" and tostring(math.huge) == "inf"
return tostring(nil) == "nil" and tostring(true) == "true" and tostring(print):match("^function: ") ~= nil
return rawequal("a", "a") and not rawequal({}, {}) and rawlen("abc") == 3 and rawget({5}, 1) == 5
return next({}) == nil and next({5}) == 1 and next({5}, 1) == nil and not pcall(next, {}, 1)
return assert(1, 2) == 1 and select("#", assert(1, 2, 3)) == 3 and not pcall(assert, false) and not pcall(assert)
local f = load("return 1 + 1") return f() == 2 and load("x = ") == nil and select(2, load("x =")) ~= nil
local n = 0 local f = load(function() n = n + 1 return ({"return ", "4", "2"})[n] end) return f() == 42
return select(2, load("x", "=name")):match("^name:1:") ~= nil and select(2, load("x", "@file.lua")):match("^file.lua:1:") ~= nil
return load("\27Lua") == nil and load("return 1", "c", "b") == nil
local t = {} for k in pairs({a = 1, b = 2, 3}) do t[#t + 1] = tostring(k) end table.sort(t) return table.concat(t) == "1ab"
local t = {1, 2, 3, 4, 5} for k in pairs(t) do t[k] = nil end return next(t) == nil
local t = {a = 1, b = 2, c = 3} for k in pairs(t) do t[k] = nil end return next(t) == nil
local n = 0 for i in ipairs({1, 2, nil, 4}) do n = i end return n == 2
return _VERSION == "Lua 5.4"
-- 6.4 strings
return ("hello"):sub(2, 3) == "el" and ("hello"):sub(-3) == "llo" and ("hello"):sub(2, -2) == "ell" and ("hello"):sub(10) == "" and ("hello"):sub(-100, 100) == "hello"
return ("x"):rep(3) == "xxx" and ("x"):rep(3, ",") == "x,x,x" and ("x"):rep(0) == "" and ("x"):rep(-1) == ""
return ("abc"):byte() == 97 and select("#", ("abc"):byte(1, -1)) == 3 and ("abc"):byte(10) == nil and string.char(97, 98) == "ab" and string.char() == ""
return ("aBc"):upper() == "ABC" and ("aBc"):lower() == "abc" and ("abc"):reverse() == "cba" and ("abc"):len() == 3
return ("hello world"):find("wor") == 7 and select(2, ("hello world"):find("wor")) == 9 and ("a.b"):find(".", 1, true) == 2 and ("abc"):find("b", -1) == nil and ("abc"):find("") == 1 and ("abc"):find("", 10) == nil
return ("key = value"):match("^(%w+)%s*=%s*(%w+)$") == "key" and ("2024-01-02"):match("%d+") == "2024" and ("abc"):match("()b()") == 2
return ("hello"):gsub("l", "L") == "heLLo" and select(2, ("hello"):gsub("l", "L")) == 2 and ("hello"):gsub("l", "L", 1) == "heLlo"
return ("abc"):gsub("%w", "%0%0") == "aabbcc" and ("abc"):gsub("", "-") == "-a-b-c-" and ("hello world"):gsub("o", {o = "0"}) == "hell0 w0rld"
return ("abc"):gsub("%w", function(c) if c == "b" then return false end return c:upper() end) == "AbC" and ("x y"):gsub("(%w) (%w)", "%2 %1") == "y x"
return ("THE (quick) fox"):find("%((%a+)%)") == 5 and ("f(a(b)c)"):match("%b()") == "(a(b)c)" and ("THE (quick) fox"):gsub("%f[%a]%a+", "x") == "x (x) x"
local n = 0 for k, v in ("a=1, b=2"):gmatch("(%w+)=(%w+)") do n = n + tonumber(v) end return n == 3
return not pcall(string.find, "a", "[a") and not pcall(string.find, "a", "%") and not pcall(string.gsub, "a", "a", "%2")
return string.format("%d %5d|%-5d|%05d %+d", 3, 42, 42, 42, 1) == "3    42|42   |00042 +1"
return string.format("%.2f %e %g %g", 1.005, 12345.678, 1e20, 0.1) == "1.00 1.234568e+04 1e+20 0.1"
return string.format("%s %s %10s|%-10s|%.2s", nil, true, "r", "l", "cut") == "nil true          r|l         |cu"
return string.format("%x %X %o %c %%", 255, 255, 8, 65) == "ff FF 10 A %" and string.format("%q", 'a\n"\0') == '"a\\\n\\"\\0"'
return string.format("%q", 1 / 3) == "0x1.5555555555555p-2" and string.format("%q", math.mininteger) == "0x8000000000000000" and string.format("%i", 3.0) == "3"
return not pcall(string.format, "%d", 1.5) and not pcall(string.format, "%d") and not pcall(string.format, "%y", 1)
return string.pack("<i4", 100) == "d\0\0\0" and string.unpack("<i4", "d\0\0\0") == 100 and string.pack(">I2", 258) == "\1\2" and string.packsize("i4i8") == 12 and string.packsize("!8i4i8") == 16
return string.pack("z", "ab") == "ab\0" and string.pack("<s1", "ab") == "\2ab" and select(2, string.unpack("z", "ab\0c")) == 4 and string.unpack("<d", string.pack("<d", 1.5)) == 1.5
return not pcall(string.pack, "i1", 200) and not pcall(string.unpack, "i4", "abc") and string.unpack("<i3", "\255\255\255") == -1
-- 6.5 utf8
return utf8.char(72, 228, 8364, 0x10FFFF) == "Hä€\u{10FFFF}" and utf8.len("äöü") == 3 and utf8.codepoint("ä") == 228 and select("#", utf8.codepoint("äö", 1, -1)) == 2
return utf8.len("\xff") == nil and select(2, utf8.len("a\xff")) == 2 and utf8.offset("äöü", 3) == 5 and utf8.offset("äöü", -1) == 5 and utf8.offset("a", 5) == nil
local s = "" for p, c in utf8.codes("aä") do s = s .. p .. ":" .. c .. " " end return s == "1:97 2:228 "
return ("äx"):match(utf8.charpattern) == "ä" and not pcall(utf8.codepoint, "\xff") and utf8.char() == ""
-- 6.6 tables
local t = {1, 2} table.insert(t, 3) table.insert(t, 1, 0) return table.concat(t, ",") == "0,1,2,3"
local t = {1, 2, 3} return table.remove(t) == 3 and table.remove(t, 1) == 1 and #t == 1 and table.remove({}) == nil
return table.concat({1, 2.5, "x"}, "-") == "1-2.5-x" and table.concat({}) == "" and table.concat({1, 2, 3}, ",", 2, 3) == "2,3" and not pcall(table.concat, {{}})
local t = table.pack(1, nil, 3) return t.n == 3 and t[3] == 3 and select("#", table.unpack(t, 1, t.n)) == 3 and table.unpack({1, 2}, 2) == 2
local t = table.move({1, 2, 3}, 1, 3, 2) return t[1] == 1 and t[2] == 1 and t[4] == 3 and #table.move({1, 2}, 1, 2, 1, {}) == 2
local t = {3, 1, 2} table.sort(t) local u = {3, 1, 2} table.sort(u, function(a, b) return a > b end) return t[1] == 1 and t[3] == 3 and u[1] == 3
return not pcall(table.sort, {1, "x"}) and not pcall(table.insert, {}, 5, 1) and not pcall(table.insert, {}, 1, 2, 3)
local t = setmetatable({}, {__index = function(_, i) if i <= 3 then return i end end, __len = function() return 3 end}) return table.concat(t, ",") == "1,2,3" and select("#", table.unpack(t)) == 3
-- 6.7 mathematics
return math.floor(3.7) == 3 and math.ceil(3.2) == 4 and math.floor(-3.7) == -4 and math.type(math.floor(3.7)) == "integer" and math.floor(1e300) == 1e300
return math.abs(-5) == 5 and math.abs(math.mininteger) == math.mininteger and math.max(1, 2.5) == 2.5 and math.min(3, 1, 2) == 1
return math.fmod(-7, 3) == -1 and math.fmod(7, -3) == 1 and math.fmod(-6, 2) == 0 and not pcall(math.fmod, 1, 0) and math.fmod(1, 0.0) ~= math.fmod(1, 0.0)
return math.tointeger(3.0) == 3 and math.tointeger(3.5) == nil and math.tointeger({}) == nil and math.ult(1, -1) and not math.ult(-1, 1)
local a, b = math.modf(3.7) local c, d = math.modf(-3.7) return a == 3.0 and c == -3.0 and math.modf(5) == 5 and select(2, math.modf(math.huge)) == 0.0
return math.sqrt(16) == 4.0 and math.log(8, 2) == 3.0 and math.log(100, 10) == 2.0 and math.exp(0) == 1.0 and math.pi > 3.14 and math.huge > math.maxinteger
math.randomseed(42) local a = math.random(100) math.randomseed(42) return a == math.random(100) and a >= 1 and a <= 100
math.randomseed(7) local a, b, c = math.random(0), math.random(1000000), math.random() math.randomseed(7) return a == math.random(0) and b == math.random(1000000) and c == math.random()
return not pcall(math.random, 0, -1) and not pcall(math.random, 1, 2, 3) and math.random(5, 5) == 5 and math.random(math.mininteger, math.maxinteger) ~= nil
