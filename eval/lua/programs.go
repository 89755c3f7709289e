package main

// A program is what is measured: its body, after its setup.
type program struct {
	name, setup, body string
	most              float64 // times what C Lua takes; 0: no bound
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
