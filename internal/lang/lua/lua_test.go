package lua

import (
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/lang/langtest"
)

var readers = []langtest.Reader{{Name: "lua", Read: Read, Paths: true}}

func check(t *testing.T, src, letters string, want ...string) {
	t.Helper()
	langtest.Check(t, Read, src, letters, want...)
}

func TestFunctions(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"-- about f\nlocal function f(a, ...)\nend", []string{"D function f 1-3 (a, ...)"}},
		{"function M.a.b:c(x) return x end", []string{"D method M.a.b.c 1-1 (x) +"}},
		{"M.f = function(self) end;", []string{"D method M.f 1-1 (self) +"}},
		{"local f, g = function() end, function() end", []string{"D function f 1-1", "D function g 1-1"}},
		{"return { f = function() end, [\"g h\"] = function() end, [3] = function() end, function() end }",
			[]string{"D function f 1-1 +", "D function g h 1-1 +"}},
		{"local M = {\n a = { b = function() end },\n}", []string{"D variable M 1-3", "D function M.a.b 2-2 +"}},
		{"M['f'] = function() end", []string{"D function M.f 1-1 +"}},
		{"x[i].f = function() end", []string{"D function x[].f 1-1 +"}},
		{"x[i] = function() end t[1], y = 0, function() end", []string{"D function y 1-1 +"}},
		{"x = x or function() end", []string{"D variable x 1-1 +"}},
		{"function f()\n  local function g() end\n  h = function() end\nend", []string{"D function f 1-4 +", "D function g 2-2 local", "D function h 3-3 + local"}},
		{"f = function() if a then while b do c() end elseif d then repeat e() until f end end g = function() end",
			[]string{"D function f 1-1 +", "D function g 1-1 +"}},
	} {
		check(t, c.src, "D", c.want...)
	}
}

func TestTables(t *testing.T) {
	check(t, "local A = {}\nA.__index = A\nfunction A.new() return setmetatable({}, A) end", "DB",
		"D class A 1-1", "D function A.new 3-3 +", "B A", "B A.__index = A", "B () = A()")
	check(t, "local B = setmetatable({}, { __index = A })\nfunction B:f() end", "D", "D class B 1-1 : A", "D method B.f 2-2 +")
	check(t, "local C = A:extend('C')\nlocal D = class('D', A)", "D", "D class C 1-1 : A", "D class D 2-2 : A")
	check(t, "local M = {}\nfunction M.f() end\nsetmetatable(M, {__index = N})", "D", "D module M 1-1 : N", "D function M.f 2-2 +")
	check(t, "local insert = table.insert\nLIMIT = 5\nlocal y <const> = f()\nlocal z <close>, w = g()", "D",
		"D constant LIMIT 2-2 +", "D constant y 3-3 @const", "D variable z 4-4 @close", "D variable w 4-4")
	check(t, "local o = {}\nlocal function f() setmetatable(o, T) end", "B", "B o", "B o = T()")
}

func TestImports(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{`local x = require "a.b"`, []string{`I a.b as x dynamic`}},
		{`local f = require("a").f`, []string{`I a {f f} dynamic`}},
		{`require [[a]] require('b'):go(require"c")`, []string{`I a dynamic`, `I b dynamic`, `I c dynamic`}},
		{`local ok, m = pcall(require, "a")`, []string{`I a as m dynamic conditional`}},
		{`if x then M.y = require "a" end`, []string{`I a as M.y dynamic conditional`}},
		{`local M = { a = require "x.a", b = require("x.b") }`, []string{`I x.a as M.a dynamic`, `I x.b as M.b dynamic`}},
		{`require("a" .. b) require(c) x.require "d"`, nil},
		{`local a, b = require "a", require "b"`, []string{`I a as a dynamic`, `I b as b dynamic`}},
		{`module("a.b", package.seeall)`, []string{"M a.b"}},
	} {
		check(t, c.src, "IM", c.want...)
	}
}

func TestCalls(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{`f(1, {2, 3}, function(a, b) return a, b end)`, []string{"C f/3"}},
		{`f"x" g{1} h[[y]] i [==[z]]]==]`, []string{"C f/1", "C g/1", "C h/1", "C i/1"}},
		{`a.b:c(1):d "e" : f {}`, []string{"C a.b|c/1", "C a.b.c()|d/1", "C a.b.c().d()|f/1"}},
		{`("x"):rep(3) (f or g)() t[1]() t[1].x()`, []string{"C ?|rep/1", "C t[]|x/0"}},
		{`x = #f() .. -g() if h() then return i() end`, []string{"C f/0", "C g/0", "C h/0", "C i/0"}},
		{"-- f()\n--[[ g()\n h() ]] i() --[==[ ]] j() ]==] k()", []string{"C i/0", "C k/0"}},
		{`x = "f()" .. 'it\'s g()' .. "\z
			h()" i()`, []string{"C i/0"}},
		{"#!/usr/bin/lua f()\n::top:: f() goto top", []string{"C f/0"}},
		{`for i = 1, n() do f(i) end while g() do end repeat until h()`, []string{"C n/0", "C f/1", "C g/0", "C h/0"}},
	} {
		check(t, c.src, "C", c.want...)
	}
}

func TestBindings(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"local x, y = a.b(), c local z", []string{"B x = a.b()", "B y = c", "B z"}},
		{"local x, y = f()", []string{"B x = f()", "B y = f()#1"}},
		{"function M:f(a, b) self.x = T.new(a) return a, self.x end",
			[]string{"B self: M", "B a #1", "B b #2", "B self.x = T.new()", "B () = a", "B ()#1 = self.x"}},
		{"for i, v in ipairs(t.list) do end for k in keys(t) do end for n = 1, 2 do end",
			[]string{"B i = t.list[key]", "B v = t.list[]", "B k = keys()[]", "B n"}},
		{"local t = { a = f(), b = 1 }", []string{"B t", "B t.a = f()", "B t.b"}},
		{"x = a + b y = a and b z = f() w = (a) v = a.b\nu = a[1].c", []string{"B x", "B y", "B z = f()", "B w", "B v = a.b", "B u = a[].c"}},
		{"function f(a: number, b: {[string]: A}): string end", []string{"B a: number #1", "B b: {[string]: A} #2"}},
		{"---@param a Foo<b, c>|nil what it is\n---@param b? fun(x: A): B\n---@return Bar x more\nlocal function f(a, b) end\n---@type Baz\nlocal z",
			[]string{"B a: Foo<b, c>|nil #1", "B b: fun(x: A): B #2", "B z: Baz"}},
	} {
		check(t, c.src, "B", c.want...)
	}
	check(t, "---@class A : B, C\nlocal A = {}\n---@return Bar\nfunction A.f() end", "D", "D module A 1-2 : B, C", "D function A.f 3-4 -> Bar +")
}

// What is broken costs what is broken, and no more.
func TestBroken(t *testing.T) {
	check(t, "local function f(\n  if x then\n    g()\n\nlocal function h()\n  i(1,\nend\n\nfunction j() k() end", "DC",
		"D function f 1-3", "D function h 5-7", "D function j 9-9 +", "C g/0", "C i/-1", "C k/0")
	check(t, "function f()\n<<<<<<< HEAD\n  if a then\n=======\n  if b then\n>>>>>>> x\n    g()\n  end\nend\n\nfunction h() i() end", "D",
		"D function f 1-9 +", "D function h 11-11 +")
	check(t, "end end f() = = g(", "C", "C f/0", "C g/-1")
	check(t, "x = [[ never\nclosed", "DC", "D variable x 1-2 +")
}

var sample = strings.Repeat(`local M = {}
M.__index = M
local util = require "app.util"
--- Makes one.
---@param name string
function M.new(name, opts)
  local self = setmetatable({ name = name, list = {} }, M)
  for i, v in ipairs(opts or {}) do
    self.list[i] = util.clean(v, "a string", 'another', function(x) return x + 1 end)
    if v.done then self:finish(v) elseif not v.ok then error("bad " .. tostring(v)) end
  end
  return self
end
return { new = M.new, run = function(...) return M.new(...):go() end }
`, 200)

func BenchmarkRead(b *testing.B) { langtest.Benchmark(b, Read, sample) }

// Twice the text takes about twice the time, whatever is nested or left open.
func TestLinear(t *testing.T) {
	langtest.Linear(t, readers, 80000, "f(", "f{", "function f() ", "a.b(", "x = {", "setmetatable(a, ", "return function() ", "if x then ", "a, ", "a.b:c{", "x = y + ", "--[[", "local a = ", "f\"\":g")
}

// FuzzRead holds the package's promise.
func FuzzRead(f *testing.F) {
	f.Add(sample[:800])
	for _, s := range []string{"x=[==[", "f\"\\", "function a.b:c(", "a,b,c=function()end,{", "[1]=", "local x<const>=", "for i in", "--[[", "require", "pcall(require,", "setmetatable(a,", "}end)until"} {
		f.Add(s)
	}
	langtest.Fuzz(f, readers)
}
