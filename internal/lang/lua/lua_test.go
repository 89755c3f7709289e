package lua

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/growth"
)

// render writes facts as lines: D declaration, I import, C call, B binding.
func render(src string, f corpus.Facts) string {
	line := func(at int) int { return strings.Count(src[:at], "\n") + 1 }
	var b strings.Builder
	if f.Module != "" {
		fmt.Fprintf(&b, "module %s\n", f.Module)
	}
	for _, d := range f.Decls {
		fmt.Fprintf(&b, "D %s %s %d-%d", d.Kind, d.Qualified(), line(d.Span.Start), line(max(d.Span.End-1, 0)))
		if len(d.Params) > 0 {
			fmt.Fprintf(&b, " (%s)", strings.Join(d.Params, ", "))
		}
		if d.Result != "" {
			fmt.Fprintf(&b, " %s", d.Result)
		}
		if len(d.Bases) > 0 {
			fmt.Fprintf(&b, " : %s", strings.Join(d.Bases, ", "))
		}
		if len(d.Marks) > 0 {
			fmt.Fprintf(&b, " @%s", strings.Join(d.Marks, " @"))
		}
		if d.Exported {
			b.WriteString(" +")
		}
		if d.Traits != 0 {
			fmt.Fprintf(&b, " %#x", uint16(d.Traits))
		}
		b.WriteByte('\n')
	}
	for _, m := range f.Imports {
		fmt.Fprintf(&b, "I %s as %q %v %#x\n", m.Path, m.Alias, m.Names, uint8(m.Kind))
	}
	for _, c := range f.Calls {
		fmt.Fprintf(&b, "C %s|%s/%d\n", c.Receiver, c.Callee, c.Args)
	}
	for _, v := range f.Bindings {
		fmt.Fprintf(&b, "B %s: %s = %s %d\n", v.Name, v.Type, v.Value, v.Param)
	}
	return b.String()
}

// check compares the rendered lines that begin with one of the letters.
func check(t *testing.T, src, letters string, want ...string) {
	t.Helper()
	var got []string
	for l := range strings.Lines(render(src, Read([]byte(src)))) {
		if strings.IndexByte(letters, l[0]) >= 0 {
			got = append(got, strings.TrimSuffix(l, "\n"))
		}
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("%s\n%s of it:\n%s\nwant:\n%s", src, letters, g, w)
	}
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
		{"function f()\n  local function g() end\n  h = function() end\nend", []string{"D function f 1-4 +", "D function g 2-2 0x40", "D function h 3-3 + 0x40"}},
		{"f = function() if a then while b do c() end elseif d then repeat e() until f end end g = function() end",
			[]string{"D function f 1-1 +", "D function g 1-1 +"}},
	} {
		check(t, c.src, "D", c.want...)
	}
}

func TestTables(t *testing.T) {
	check(t, "local A = {}\nA.__index = A\nfunction A.new() return setmetatable({}, A) end", "DB",
		"D class A 1-1", "D function A.new 3-3 +", "B A:  =  0", "B A.__index:  = A 0", "B ():  = A() 0")
	check(t, "local B = setmetatable({}, { __index = A })\nfunction B:f() end", "D", "D class B 1-1 : A", "D method B.f 2-2 +")
	check(t, "local C = A:extend('C')\nlocal D = class('D', A)", "D", "D class C 1-1 : A", "D class D 2-2 : A")
	check(t, "local M = {}\nfunction M.f() end\nsetmetatable(M, {__index = N})", "D", "D module M 1-1 : N", "D function M.f 2-2 +")
	check(t, "local insert = table.insert\nLIMIT = 5\nlocal y <const> = f()\nlocal z <close>, w = g()", "D",
		"D constant LIMIT 2-2 +", "D constant y 3-3 @const", "D variable z 4-4 @close", "D variable w 4-4")
	check(t, "local o = {}\nlocal function f() setmetatable(o, T) end", "B", "B o:  =  0", "B o:  = T() 0")
}

func TestImports(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{`local x = require "a.b"`, []string{`I a.b as "x" [] 0x2`}},
		{`local f = require("a").f`, []string{`I a as "" [{f f}] 0x2`}},
		{`require [[a]] require('b'):go(require"c")`, []string{`I a as "" [] 0x2`, `I b as "" [] 0x2`, `I c as "" [] 0x2`}},
		{`local ok, m = pcall(require, "a")`, []string{`I a as "m" [] 0x6`}},
		{`if x then M.y = require "a" end`, []string{`I a as "M.y" [] 0x6`}},
		{`local M = { a = require "x.a", b = require("x.b") }`, []string{`I x.a as "M.a" [] 0x2`, `I x.b as "M.b" [] 0x2`}},
		{`require("a" .. b) require(c) x.require "d"`, nil},
		{`local a, b = require "a", require "b"`, []string{`I a as "a" [] 0x2`, `I b as "b" [] 0x2`}},
		{`module("a.b", package.seeall)`, []string{"module a.b"}},
	} {
		check(t, c.src, "Im", c.want...)
	}
}

func TestCalls(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{`f(1, {2, 3}, function(a, b) return a, b end)`, []string{"C |f/3"}},
		{`f"x" g{1} h[[y]] i [==[z]]]==]`, []string{"C |f/1", "C |g/1", "C |h/1", "C |i/1"}},
		{`a.b:c(1):d "e" : f {}`, []string{"C a.b|c/1", "C a.b.c()|d/1", "C a.b.c().d()|f/1"}},
		{`("x"):rep(3) (f or g)() t[1]() t[1].x()`, []string{"C ?|rep/1", "C t[]|x/0"}},
		{`x = #f() .. -g() if h() then return i() end`, []string{"C |f/0", "C |g/0", "C |h/0", "C |i/0"}},
		{"-- f()\n--[[ g()\n h() ]] i() --[==[ ]] j() ]==] k()", []string{"C |i/0", "C |k/0"}},
		{`x = "f()" .. 'it\'s g()' .. "\z
			h()" i()`, []string{"C |i/0"}},
		{"#!/usr/bin/lua f()\n::top:: f() goto top", []string{"C |f/0"}},
		{`for i = 1, n() do f(i) end while g() do end repeat until h()`, []string{"C |n/0", "C |f/1", "C |g/0", "C |h/0"}},
	} {
		check(t, c.src, "C", c.want...)
	}
}

func TestBindings(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"local x, y = a.b(), c local z", []string{"B x:  = a.b() 0", "B y:  = c 0", "B z:  =  0"}},
		{"local x, y = f()", []string{"B x:  = f() 0", "B y:  = f()#1 0"}},
		{"function M:f(a, b) self.x = T.new(a) return a, self.x end",
			[]string{"B self: M =  0", "B a:  =  1", "B b:  =  2", "B self.x:  = T.new() 0", "B ():  = a 0", "B ()#1:  = self.x 0"}},
		{"for i, v in ipairs(t.list) do end for k in keys(t) do end for n = 1, 2 do end",
			[]string{"B i:  = t.list[key] 0", "B v:  = t.list[] 0", "B k:  = keys()[] 0", "B n:  =  0"}},
		{"local t = { a = f(), b = 1 }", []string{"B t:  =  0", "B t.a:  = f() 0", "B t.b:  =  0"}},
		{"x = a + b y = a and b z = f() w = (a) v = a.b\nu = a[1].c", []string{"B x:  =  0", "B y:  =  0", "B z:  = f() 0", "B w:  =  0", "B v:  = a.b 0", "B u:  = a[].c 0"}},
		{"function f(a: number, b: {[string]: A}): string end", []string{"B a: number =  1", "B b: {[string]: A} =  2"}},
		{"---@param a Foo<b, c>|nil what it is\n---@param b? fun(x: A): B\n---@return Bar x more\nlocal function f(a, b) end\n---@type Baz\nlocal z",
			[]string{"B a: Foo<b, c>|nil =  1", "B b: fun(x: A): B =  2", "B z: Baz =  0"}},
	} {
		check(t, c.src, "B", c.want...)
	}
	check(t, "---@class A : B, C\nlocal A = {}\n---@return Bar\nfunction A.f() end", "D", "D module A 1-2 : B, C", "D function A.f 3-4 Bar +")
}

// What is broken costs what is broken, and no more.
func TestBroken(t *testing.T) {
	check(t, "local function f(\n  if x then\n    g()\n\nlocal function h()\n  i(1,\nend\n\nfunction j() k() end", "DC",
		"D function f 1-3", "D function h 5-7", "D function j 9-9 +", "C |g/0", "C |i/-1", "C |k/0")
	check(t, "function f()\n<<<<<<< HEAD\n  if a then\n=======\n  if b then\n>>>>>>> x\n    g()\n  end\nend\n\nfunction h() i() end", "D",
		"D function f 1-9 +", "D function h 11-11 +")
	check(t, "end end f() = = g(", "C", "C |f/0", "C |g/-1")
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

func BenchmarkRead(b *testing.B) {
	b.SetBytes(int64(len(sample)))
	for b.Loop() {
		Read([]byte(sample))
	}
}

// Twice the text takes about twice the time, whatever is nested or left open.
func TestLinear(t *testing.T) {
	for _, piece := range []string{"f(", "f{", "function f() ", "a.b(", "x = {", "setmetatable(a, ", "return function() ", "if x then ", "a, ", "a.b:c{", "x = y + ", "--[[", "local a = ", "f\"\":g"} {
		if err := growth.Linear(80000, func(n int) { Read([]byte(strings.Repeat(piece, n))) }); err != nil {
			t.Errorf("%q: %v", piece, err)
		}
	}
}

// FuzzRead holds the package's promise.
func FuzzRead(f *testing.F) {
	f.Add(sample[:800])
	for _, s := range []string{"x=[==[", "f\"\\", "function a.b:c(", "a,b,c=function()end,{", "[1]=", "local x<const>=", "for i in", "--[[", "require", "pcall(require,", "setmetatable(a,", "}end)until"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		facts := Read([]byte(src))
		for _, d := range facts.Decls {
			if d.Span.Start < 0 || d.Span.End > len(src) || d.NameAt < d.Span.Start || d.NameAt+len(d.Name) > d.Body || d.Body > d.Span.End || src[d.NameAt:d.NameAt+len(d.Name)] != d.Name {
				t.Fatalf("%q declares %+v", src, d)
			}
		}
		for _, c := range facts.Calls {
			if c.At+len(c.Callee) > len(src) || src[c.At:c.At+len(c.Callee)] != c.Callee {
				t.Fatalf("%q calls %+v", src, c)
			}
		}
		for _, m := range facts.Imports {
			if m.At+len(m.Path) > len(src) || src[m.At:m.At+len(m.Path)] != m.Path {
				t.Fatalf("%q imports %+v", src, m)
			}
		}
		for _, v := range facts.Bindings {
			if v.At < 0 || v.At > len(src) {
				t.Fatalf("%q binds %+v", src, v)
			}
		}
	})
}
