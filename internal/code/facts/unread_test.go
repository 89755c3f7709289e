package facts_test

import "testing"

// TestOfUnreadProjects holds what calls mean that led nowhere, or elsewhere, in projects of twelve languages that were
// read after nobody had looked at them.
func TestOfUnreadProjects(t *testing.T) {
	for _, c := range []struct {
		name         string
		tree         map[string]string
		symbol, want string
	}{
		{"a module of Lua, by what it returns", map[string]string{
			"lua/pl/utils.lua": "local utils = { _V = 1 }\nlocal raise\nfunction utils.raise (err) return nil, err end\nutils.check = function(n) return n end\nreturn utils\n",
			"lua/pl/a.lua":     "local utils = require 'pl.utils'\nlocal split,check = utils.split,utils.check\nfunction f() utils.raise('x') check(1) end\n",
		}, "raise", "lua/pl/a.lua:3:20 call exact"},
		{"another name for its function", map[string]string{
			"pl/utils.lua": "local M = {}\nM.check = function(n) return n end\nreturn M\n",
			"pl/a.lua":     "local utils = require('pl.utils')\nlocal split,check = utils.split,utils.check\nfunction f() check(1) end\n",
		}, "check", "pl/a.lua:2:39 pass exact\npl/a.lua:3:14 call exact"},
		{"overloads of C#, which arguments tell apart", map[string]string{
			"a.cs": "class A {\n  void P(int a) {}\n  void P(string a) {}\n  void P(int a, int b) {}\n  void Go() { P(1); }\n}\n",
		}, "P", "a.cs:5:15 call likely"},
		{"a class of C# all of whose declarations are parts", map[string]string{
			"a.cs": "namespace N;\npublic partial record Header : Parameter {\n  public Header(string name) : base(name) { }\n}\n",
			"b.cs": "namespace N;\nclass B { object Go() => new Header(\"x\"); }\n",
		}, "Header.Header", "b.cs:2:30 call exact"},
		{"a block of extensions", map[string]string{
			"a.cs": "namespace N;\npublic static class E {\n  extension<T>(Box<T> box) where T : class {\n    public int Twice(int n) => box.Own(n);\n  }\n  extension(Box<int>) { public static int Make() => 1; }\n}\n" +
				"public class Box<T> { public int Own(int n) => n; }\n",
			"b.cs": "namespace N;\nclass B { int Go(Box<string> b) => b.Twice(1); }\n",
		}, "Twice", "b.cs:2:38 call likely"},
		{"its receiver", map[string]string{
			"a.cs": "namespace N;\npublic static class E {\n  extension(Box box) {\n    public int Twice(int n) => box.Own(n);\n  }\n}\npublic class Box { public int Own(int n) => n; }\n",
		}, "Own", "a.cs:4:36 call exact"},
		{"a method and an extension of one name", map[string]string{
			"a.cs": "namespace N;\npublic interface IC { int Run(int a, string b); }\npublic static class E { public static int Run<T>(this IC c, int a, bool b) => 1; }\nclass U { int Go(IC c) => c.Run(1, true); }\n",
		}, "E.Run", "a.cs:4:29 call likely"},
		{"an extension function of Kotlin in another of the type", map[string]string{
			"a.kt": "package a\nclass Own { fun take(): Int = 1 }\nfun Channel<Int>.take(): Int = 2\nfun Channel<Int>.twice(): Int = take() + take()\nfun go(c: Own) = c.take()\n",
		}, "Channel.take", "a.kt:4:33 call likely\na.kt:4:42 call likely"},
		{"what is in a namespace that a macro opens", map[string]string{
			"a.h":   "#define X_NAMESPACE_BEGIN(n) namespace n {\n#define X_NAMESPACE_END(n) }\nX_NAMESPACE_BEGIN(X_NAMESPACE)\nX_NAMESPACE_BEGIN(detail)\ninline int deep(int n) { return n; }\nX_NAMESPACE_END(detail)\nX_NAMESPACE_END(X_NAMESPACE)\n",
			"a.cpp": "#include \"a.h\"\nnamespace x { int f() { return detail::deep(1); } }\n",
		}, "deep", "a.cpp:2:40 call exact"},
		{"a class of C++ with a macro behind its name", map[string]string{
			"a.h":   "#define X_FINAL final\nclass base_t { };\nclass pipe_t X_FINAL : public base_t {\n  public:\n    void flush ();\n    void both ();\n};\n",
			"a.cpp": "#include \"a.h\"\nvoid pipe_t::both () { flush (); }\nvoid pipe_t::flush () { }\nvoid f (pipe_t *p) { p->flush (); }\n",
		}, "pipe_t.flush", "a.cpp:2:24 call exact\na.cpp:4:25 call exact"},
		{"what a module gives those that extend it, in one of two ways", map[string]string{
			"tools.rb": "module Tools\n  if RUBY\n    def chars(a)\n      a\n    end\n  else\n    def chars(a)\n      a\n    end\n  end\nend\n",
			"p.rb":     "module Parser\n  extend Tools\n  def self.parse(x)\n    chars(x)\n  end\nend\nclass Chars\n  def chars(s)\n    s\n  end\nend\n",
		}, "Tools.chars", "p.rb:4:5 call likely"},
		{"a method of a class in a namespace that stands in many files", map[string]string{
			"a.hpp":  "namespace z {\nclass own_t { protected: virtual void go (); };\nclass sock_t : public own_t,\n  public item_t<>\n{\n    friend class reaper_t;\n  public:\n    sock_t (int a);\n    int join (const char *g);\n  protected:\n    virtual int xjoin (const char *g);\n};\n}\n",
			"a.cpp":  "#include \"z.hpp\"\nz::sock_t::sock_t (int a)\n{\n}\nint z::sock_t::join (const char *g)\n{\n    return xjoin (g);\n}\nint z::sock_t::xjoin (const char *g)\n{\n    return 1;\n}\n",
			"a1.hpp": "namespace z { int a1 (); }\n", "a2.hpp": "namespace z { int a2 (); }\n", "a3.hpp": "namespace z { int a3 (); }\n", "a4.hpp": "namespace z { int a4 (); }\n",
			"a5.hpp": "namespace z { int a5 (); }\n", "a6.hpp": "namespace z { int a6 (); }\n", "a7.hpp": "namespace z { int a7 (); }\n", "a8.hpp": "namespace z { int a8 (); }\n",
			"A.cpp": "#include \"a1.hpp\"\n#include \"a2.hpp\"\n#include \"a3.hpp\"\n#include \"a4.hpp\"\n#include \"a5.hpp\"\n#include \"a6.hpp\"\n#include \"a7.hpp\"\n#include \"a8.hpp\"\n#include \"z.hpp\"\nint f (z::sock_t *s) { return s->join (0); }\n",
		}, "sock_t.join", "A.cpp:10:34 call exact"},
		{"a macro of Rust that another crate exports", map[string]string{
			"a/Cargo.toml": "[package]\nname = \"a\"\n", "a/src/macros.rs": "#[macro_export]\nmacro_rules! current {\n    ($e:expr) => { $e };\n}\n",
			"b/Cargo.toml": "[package]\nname = \"b\"\n[dependencies]\na = { path = \"../a\" }\n", "b/src/lib.rs": "fn f(x: i32) -> i32 { current!(x) }\n",
		}, "current", "b/src/lib.rs:1:23 call likely"},
		{"a method of several words of what is not known", map[string]string{
			"a.rs": "struct Doc;\nimpl Doc {\n    fn set_selection(&mut self, n: i32) {}\n    fn as_slice(&self) {}\n}\nfn f() { let d = other(); d.set_selection(1); d.as_slice(); }\n",
		}, "set_selection", "a.rs:6:29 call likely"},
		{"one that the standard library has too", map[string]string{
			"a.rs": "struct Doc;\nimpl Doc {\n    fn as_slice(&self) {}\n}\nfn f() { let d = other(); d.as_slice(); }\n",
		}, "as_slice", "a.rs:5:29 call name-only"},
		{"what builds, in a block of Kotlin", map[string]string{
			"dsl/Of.kt": "package dsl\nclass Module\nfun <R> Module.singleOf(c: () -> R) {}\nfun <R, A> Module.singleOf(c: (A) -> R) {}\nfun module(b: Module.() -> Unit) {}\n",
			"app/M.kt":  "package app\nimport dsl.singleOf\nimport dsl.module\nclass A\nval m = module {\n    singleOf(::A)\n}\n",
		}, "singleOf", "app/M.kt:6:5 call likely"},
		{"an extension of Kotlin with a name that collections have", map[string]string{
			"a.kt": "package a\nclass Box\nfun Box.isEmpty(): Boolean = true\nfun f(xs: List<Int>) = xs.isEmpty()\n",
		}, "isEmpty", ""},
		{"makers of a class of Swift that is extended", map[string]string{
			"a.swift": "struct Match {\n  init(ok: Bool) {}\n  init(no: Int) {}\n}\nextension Match { func more() {} }\nfunc f() -> Match { return Match(ok: true) }\n",
		}, "Match.init", "a.swift:6:28 call exact"},
		{"makers that are added to a library's type", map[string]string{
			"a.swift": "extension Double { init(logical: Bool) { self = 1 } }\nfunc f(n: Int) -> Double { return Double(n) }\n",
		}, "Double.init", ""},
		{"to_s of what is not known, in Ruby", map[string]string{
			"a.rb": "class Response\n  def to_s\n    'x'\n  end\nend\ndef f(o)\n  o.to_s\nend\n",
		}, "to_s", "a.rb:7:5 call name-only"},
		{"a module below an alias, in Elixir", map[string]string{
			"t.ex": "defmodule B.Topology do\n  def g(x), do: x\nend\n",
			"a.ex": "defmodule B.Topology.Rate do\n  def limits(x), do: x\nend\ndefmodule B do\n  alias B.Topology\n  def f(x), do: Topology.Rate.limits(x)\nend\n",
		}, "limits", "a.ex:6:31 call exact"},
		{"a module of a library, in Elixir", map[string]string{
			"a.ex": "defmodule B do\n  def start_link(x), do: GenServer.start_link(x)\nend\n",
		}, "start_link", ""},
		{"what a file of Zig imports and offers", map[string]string{
			"clap.zig":      "pub const args = @import(\"clap/args.zig\");\n",
			"clap/args.zig": "pub fn go(n: i32) void { _ = n; }\n",
			"main.zig":      "const clap = @import(\"clap.zig\");\nfn f() void { clap.args.go(1); }\n",
		}, "go", "main.zig:2:25 call exact"},
	} {
		if got := uses(t, c.tree, c.symbol); got != c.want {
			t.Errorf("%s: uses of %s:\n%s\nwant:\n%s", c.name, c.symbol, got, c.want)
		}
	}
}
