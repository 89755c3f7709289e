-- The table of an assignment that is an upvalue is read after the right side was computed.
local t = {a = 1}
local old = t
local function f() t = {a = 2} return 3 end
local function g() t.a = f() end
g()
print(old.a, t.a)
-- In an assignment to more than one it is read before.
local function h() local prior = t t, t.a = {a = 5}, 6 return prior.a, t.a end
print(h())
local function i() t.x.y = 1 end
print(pcall(i))
local s = "\0\1"
print(pcall(function() s() end))
print(pcall(function() local _ = ("a\0b")() end))
