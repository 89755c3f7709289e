package main

// A program is work that both VMs can do.
type program struct {
	name, setup, body string
	most              float64 // times what C Lua takes; 0: no bound
}

var programs = []program{
	{"fib", "local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end", "fib(27)", 8},
	{"loop", "", "local x = 0 for i = 1, 5000000 do x = x + i % 7 end", 0},
	{"table", "", "local t = {} for i = 1, 500000 do t[i] = i end local s = 0 for i = 1, #t do s = s + t[i] end", 0},
	{"fields", "local p = {x = 1, y = 2}", "for i = 1, 1000000 do p.x = p.x + p.y end", 0},
	{"methods", "local C = {} C.__index = C function C:add(n) self.n = self.n + n return self end local o = setmetatable({n = 0}, C)", "for i = 1, 500000 do o:add(i) end", 0},
	{"closures", "", "local s = 0 for i = 1, 300000 do local f = function(x) return x + i end s = s + f(1) end", 0},
	{"pairs", "local t = {} for i = 1, 1000 do t['k' .. i] = i end", "local s = 0 for n = 1, 200 do for k, v in pairs(t) do s = s + v end end", 0},
	{"pcall", "local function f(x) return x end", "for i = 1, 200000 do pcall(f, i) end", 0},
	{"coroutines", "local co = coroutine.wrap(function() for i = 1, 50000 do coroutine.yield(i) end end)", "for i = 1, 50000 do co() end", 0},
	{"sort", "local t = {} local x = 42 for i = 1, 50000 do x = (x * 16807) % 2147483647 t[i] = x end", "table.sort(t) table.sort(t, function(a, b) return a > b end)", 0},
	{"concat", "", "for i = 1, 300000 do local s = 'a' .. i .. 'b' end", 0},
	{"format", "", "for i = 1, 100000 do local s = string.format('%d %s %5.2f', i, 'x', i / 3) end", 0},
	{"gsub", "local s = ('lorem ipsum dolor '):rep(5000)", "for i = 1, 10 do s:gsub('%w+', 'x') end", 0},
	{"match", "", "for i = 1, 100000 do local k, v = ('key = value'):match('^(%w+)%s*=%s*(%w+)$') end", 0},
	{"integers", "", "local x = 0 for i = 1, 300000 do x = (x ~ i) & 0xffff | i // 3 end", 0},
}

var linears = []program{
	{name: "gsub", setup: "local s = ('abc def '):rep(n // 8)", body: "s:gsub('%w+', 'x')"},
	{name: "gsub func", setup: "local s = ('abc def '):rep(n // 8)", body: "s:gsub('%w+', function(w) return w .. '!' end)"},
	{name: "gmatch", setup: "local s = ('abc def '):rep(n // 8)", body: "for w in s:gmatch('%a+') do end"},
	{name: "find", setup: "local s = ('a'):rep(n)", body: "s:find('a-b') s:find('(a*)(a*)b') s:find('.-.-x')"},
	{name: "concat", setup: "local t = {} for i = 1, n // 10 do t[i] = '0123456789' end", body: "for i = 1, 10 do local s = table.concat(t, '') end"},
	{name: "rep", setup: "", body: "for i = 1, 20 do local s = ('xyz'):rep(n // 3) end"},
	{name: "json", setup: "local t = {} for i = 1, n // 20 do t[i] = {i, 'abcdefgh', true} end", body: "json.parse(json.encode(t))"},
	{name: "split", setup: "local s = ('abc,'):rep(n // 4)", body: "local t = {} for w in (s):gmatch('[^,]+') do t[#t + 1] = w end"},
}
