package facts_test

import (
	"strings"
	"testing"
)

// Rules that decide between two readings, each with a tree in which the other reading
// would lead elsewhere.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		name string
		tree map[string]string
		want string
	}{
		{"a variable of a module is what it was given last before the place", map[string]string{
			"a.py": "class A:\n    def f(self): pass\n\nclass B:\n    def f(self): pass\n\nx = A()\nx.f()\nx = B()\nx.f()\n",
		}, "a.py → a.py:A exact\na.py → a.py:A.f exact\na.py → a.py:B exact\na.py → a.py:B.f exact"},
		{"types of the project that are named like wrappers of a library have their own methods", map[string]string{
			"go.mod": "module m\n",
			"a.go":   "package m\n\ntype Box[T any] struct{ v T }\n\nfunc (b *Box[T]) Open() T { return b.v }\n\nfunc Use(b *Box[int]) int { return b.Open() }\n",
			"a.ts":   "class Lazy<T> { force() {} }\nclass Deep extends Lazy<A> {}\nclass A {}\nfunction use(l: Lazy<A>, d: Deep) { l.force(); d.force(); }\n",
			"a.py":   "class Result(Generic[T]):\n    def unwrap(self): pass\n\ndef use(r: Result[int]):\n    r.unwrap()\n",
			"a.rs":   "pub struct Mutex<T> { v: T }\nimpl<T> Mutex<T> { fn seize(&self) {} }\nfn take(m: &Mutex<u8>) { m.seize(); }\n",
			"A.java": "class Optional<T> { T pick() { return null; } }\nclass Go { void go(Optional<String> o) { o.pick(); } }\n",
			"a.kt":   "class Provider<T> { fun give(): Int = 1 }\nfun go(p: Provider<String>) { p.give() }\n",
			"a.cs":   "class Task<T> { public void Begin() {} }\nclass Go { void Run(Task<int> t) { t.Begin(); } }\n",
		}, "A.java:Go.go → A.java:Optional.pick exact\na.cs:Go.Run → a.cs:Task.Begin exact\na.go:Use → a.go:Box.Open exact\na.kt:go → a.kt:Provider.give exact\n" +
			"a.py:use → a.py:Result.unwrap exact\na.rs:take → a.rs:Mutex.seize exact\na.ts:use → a.ts:Lazy.force exact\na.ts:use → a.ts:Lazy.force exact"},
		{"members are asked of the content of a library's wrapper, and of an alias of one", map[string]string{
			"a.ts": "class A { f() {} }\nfunction use(l: Readonly<A>) { l.f(); }\n",
			"a.rs": "pub struct B;\nimpl B { fn g(&self) {} }\ntype Result<T> = std::result::Result<T, Error>;\nfn take(r: Result<B>) { r.g(); }\n" +
				"fn one(b: Box<B>) { b.g(); }\n",
		}, "a.rs:one → a.rs:B.g exact\na.rs:take → a.rs:B.g exact\na.ts:use → a.ts:A.f exact"},
		{"files of a folder that name no package see each other, and no other folder's", map[string]string{
			"j/Util.java": "class Util { static int help() { return 1; } }\n", "j/Go.java": "class Go { int go() { return Util.help(); } }\n",
			"k/util.kt": "fun aid(): Int = 1\n", "k/go.kt": "fun go(): Int = aid()\n",
			"s/Util.scala": "object Aid { def ease(): Int = 1 }\n", "s/Go.scala": "class Goes { def go = Aid.ease() }\n",
			"other/Far.java":  "class Far { int go() { return Util.help(); } }\n",
			"named/Near.java": "package named;\nclass Near { int go() { return Util.help(); } }\n",
		}, "j/Go.java:Go.go → j/Util.java:Util.help exact\nk/go.kt:go → k/util.kt:aid exact\ns/Go.scala:Goes.go → s/Util.scala:Aid.ease exact"},
		{"behind a block of Go a name is what it was before, and within it what the block binds", map[string]string{
			"go.mod": "module m\n",
			"a.go": "package m\n\ntype L struct{}\n\nfunc (l *L) x() {}\n\ntype M struct{}\n\nfunc (m *M) x() {}\n\nfunc (l *L) run(ms []*M) {\n" +
				"\tfor _, l := range ms {\n\t\tl.x()\n\t}\n\tl.x()\n\tif l := ms[0]; l != nil {\n\t\tl.x()\n\t}\n\tl.x()\n}\n",
		}, "a.go:L.run → a.go:L.x exact\na.go:L.run → a.go:L.x exact\na.go:L.run → a.go:M.x exact\na.go:L.run → a.go:M.x exact"},
		{"an instance that can be called gives what __call__ returns", map[string]string{
			"a.py": "class A:\n    def __call__(self): return B()\n\nclass B:\n    def f(self): pass\n\ndef go():\n    a = A()\n    a().f()\n",
		}, "a.py:A.__call__ → a.py:B exact\na.py:go → a.py:A exact\na.py:go → a.py:A.__call__ likely\na.py:go → a.py:B.f exact"},
		{"a package of the same repository is found by the name in its package.json", map[string]string{
			"packages/a/package.json": `{"name": "@x/a", "main": "lib.js"}`,
			"packages/a/lib.js":       "export function f() {}\n",
			"packages/b/package.json": `{"main": "other.js"}`,
			"packages/b/other.js":     "export function f() {}\n",
			"use.js":                  "import { f } from '@x/a';\nf();\n",
		}, "use.js → packages/a/lib.js:f exact"},
		{"types of functions with type parameters and with a receiver, and nested types", map[string]string{
			"a.ts": "class A { f() {} }\nclass B { f() {} }\ntype G = <T extends Map<string, B>>(x: A, y: T) => A;\n" +
				"function one(g: G) { g(null, null).f(); }\n" +
				"const three: (this: B, x: A) => void = (x) => { x.f(); };\nfunction four(x: { deep: { er: A }, f(y: Map<string, B>): A }) { x.f(null).f(); x.deep.er.f(); }\n",
		}, "a.ts:four → a.ts:A.f exact\na.ts:four → a.ts:A.f exact\na.ts:one → a.ts:A.f exact\na.ts:three → a.ts:A.f exact"},
		{"elements of lists of Rust and of Swift", map[string]string{
			"a.rs":    "struct A;\nimpl A { fn f(&self) {} }\nfn one(xs: &[A], ys: [A; 3]) { for x in xs { x.f(); } ys[0].f(); }\n",
			"b.swift": "class B { func g() {} }\nfunc two(xs: [B], by: [String: B]) { for x in xs { x.g() }; by[\"x\"]?.g() }\n",
		}, "a.rs:one → a.rs:A.f exact\na.rs:one → a.rs:A.f exact\nb.swift:two → b.swift:B.g exact\nb.swift:two → b.swift:B.g exact"},
		{"a method of C++ that is written out of its namespace and class", map[string]string{
			"a.hpp": "namespace n {\nclass A {\npublic:\n  A();\n  void f();\n  static A make();\n};\nvoid free_one();\n}\n",
			"a.cpp": "#include \"a.hpp\"\nnamespace n {\nA::A() {}\nvoid A::f() { free_one(); }\nA A::make() { return A(); }\nvoid free_one() {}\n}\n",
			"b.cpp": "#include \"a.hpp\"\nvoid go() { n::A a; a.f(); n::A::make().f(); n::free_one(); }\n",
		}, "a.cpp:n.A.f → a.cpp:n.free_one exact\na.cpp:n.A.make → a.cpp:n.A.A exact\nb.cpp:go → a.cpp:n.A.f exact\nb.cpp:go → a.cpp:n.A.f exact\nb.cpp:go → a.cpp:n.A.make exact\nb.cpp:go → a.cpp:n.free_one exact"},
		{"a function value of Go runs the functions and the method expressions that take what it is given", map[string]string{
			"go.mod": "module m\n",
			"a.go": "package m\n\ntype T struct{}\n\nfunc (T) One(a int)    {}\nfunc (T) Two(a, b int) {}\nfunc free(t T, a int)  {}\nfunc lone()            {}\n\n" +
				"func run(f func(T, int)) { f(T{}, 1) }\n\nfunc main() {\n\trun(T.One)\n\trun(free)\n}\n",
		}, "a.go:main → a.go:run exact\na.go:main → a.go:run exact\na.go:run → a.go:T.One likely\na.go:run → a.go:free likely"},
		{"a call of an interface of Go runs methods with as many parameters", map[string]string{
			"go.mod": "module m\n",
			"a.go": "package m\n\ntype Doer interface{ Do(a int) }\n\ntype A struct{}\n\nfunc (A) Do(a int) {}\n\ntype B struct{}\n\nfunc (B) Do() {}\n\n" +
				"type C struct{}\n\nfunc (C) Do(a string) {}\n\nfunc run(d Doer) { d.Do(1) }\n",
		}, "a.go:run → a.go:A.Do likely"},
		{"brackets within types of TypeScript", map[string]string{
			"a.ts": "class A { f() {} }\nclass B { g() {} }\nfunction one(x: { p: [A, B]; q: A }) { x.q.f(); x.p[1].g(); }\n" +
				"function two(cb: (a: [A, B], b: A) => void) {}\ntwo((a, b) => { b.f(); });\n",
		}, "a.ts → a.ts:A.f exact\na.ts → a.ts:two exact\na.ts:one → a.ts:A.f exact\na.ts:one → a.ts:B.g exact"},
		{"what a package.json offers is built from src", map[string]string{
			"pkg/package.json": `{"name": "@x/p", "exports": {"./a": {"types": "./dist/a.d.ts"}, "./b": "./dist/esm/b.js", "./c": "./lib/c.js"}}`,
			"pkg/src/a.ts":     "export function fa() {}\n", "pkg/src/b.ts": "export function fb() {}\n", "pkg/lib/c.js": "export function fc() {}\n",
			"use.ts": "import { fa } from '@x/p/a';\nimport { fb } from '@x/p/b';\nimport { fc } from '@x/p/c';\nfa(); fb(); fc();\n",
		}, "use.ts → pkg/lib/c.js:fc exact\nuse.ts → pkg/src/a.ts:fa exact\nuse.ts → pkg/src/b.ts:fb exact"},
		{"a call of a type of Java runs methods of what is made below it, and no other method of that name", map[string]string{
			"z/A.java":  "package z;\npublic interface A { void f(); }\n",
			"z/Go.java": "package z;\nclass Go { static void go(A a) { a.f(); } }\n",
			"z/B.java":  "package z;\nclass B implements A { public void f() {} }\nclass C { public void f() {} }\nabstract class D implements A { public abstract void f(); }\nclass Make { void m() { Go.go(new B()); } }\n",
		}, "z/B.java:Make.m → z/B.java:B exact\nz/B.java:Make.m → z/Go.java:Go.go exact\nz/Go.java:Go.go → z/A.java:A.f exact\nz/Go.java:Go.go → z/B.java:B.f likely"},
		{"the last of many functions of TypeScript that are handed on knows its parameters too", map[string]string{
			"a.ts": "class A { f() {} }\nfunction each(cb: (a: A) => void) {}\n" + strings.Repeat("each(a => {});\n", 60) + "function go() { each(a => a.f()); }\n",
		}, strings.Repeat("a.ts → a.ts:each exact\n", 60) + "a.ts:go → a.ts:A.f exact\na.ts:go → a.ts:each exact"},
		{"an extension function of Kotlin calls those of its own type", map[string]string{
			"a.kt": "class A { fun plain() { help(1) } }\nfun A.go() { help(1) }\nfun A.help(x: Int) {}\nclass B\nfun B.help(x: Int) {}\n",
		}, "a.kt:A.go → a.kt:A.help exact\na.kt:A.plain → a.kt:A.help exact"},
		{"an extension method of C# may be meant where a method of that name is", map[string]string{
			"a.cs": "class A { public void F(int x) {} void G() { this.F(1); } }\nstatic class E { public static void F(this A a, string s) {} }\nstatic class O { public static void F(string s) {} }\n",
		}, "a.cs:A.G → a.cs:A.F likely\na.cs:A.G → a.cs:E.F likely"},
		{"a package of a tree without a module, as the standard library's is, is its folder", map[string]string{
			"fmt/print.go": "package fmt\n\nfunc Println() {}\n", "io/io.go": "package io\n\nimport \"fmt\"\n\nfunc f() { fmt.Println() }\n",
		}, "io/io.go:f → fmt/print.go:Println exact"},
		{"a function of Go that is converted to a type is what values of that type call", map[string]string{
			"go.mod": "module m\n",
			"a.go":   "package m\n\ntype H func(int)\n\nfunc (h H) Serve(n int) { h(n) }\n\nfunc one(n int)   {}\nfunc other(n int) {}\n\nfunc main() { H(one).Serve(1) }\n",
		}, "a.go:H.Serve → a.go:one likely\na.go:main → a.go:H.Serve exact"},
		{"the result of a function of Go that a function returns", map[string]string{
			"go.mod": "module m\n", "a.go": "package m\n\ntype A struct{}\n\nfunc (A) F() {}\n\nfunc made() func(int) A { return nil }\n\nfunc main() { made()(1).F() }\n",
		}, "a.go:main → a.go:A.F exact\na.go:main → a.go:made exact"},
		{"a function that was put into an object of JavaScript", map[string]string{
			"a.ts": "class A { f() {} }\nfunction go() { const o = {}; o.run = () => new A(); o.run().f(); }\n",
		}, "a.ts:go → a.ts:A.f exact\na.ts:go → a.ts:o.run exact\na.ts:o.run → a.ts:A exact"},
		{"a class of Java by its name in a string, and by its literal", map[string]string{
			"z/A.java": "package z;\npublic class A { public A() {} }\n",
			"z/B.java": "package z;\nclass B { Object f() throws Exception { Class<?> c = Class.forName(\"z.A\"); return c.getDeclaredConstructor().newInstance(); } Object g() throws Exception { Class<?> c = A.class; return c.newInstance(); } }\n",
		}, "z/B.java:B.f → z/A.java:A.A likely\nz/B.java:B.g → z/A.java:A.A likely"},
		{"a call of what only a class below has means nothing here", map[string]string{
			"z/A.java": "package z;\npublic class A { public void f() {} }\n",
			"z/B.java": "package z;\nclass B extends A { public void f() {} public void more() {} }\nclass Go { void go(A a) { a.f(); a.more(); new B(); } }\n",
		}, "z/B.java:Go.go → z/A.java:A.f exact\nz/B.java:Go.go → z/B.java:B exact\nz/B.java:Go.go → z/B.java:B.f likely"},
		{"a test of Go outside of its package sees the package by its import alone", map[string]string{
			"go.mod":        "module m\n",
			"p/p.go":        "package p\n\nfunc F() { f() }\n\nfunc f() {}\n",
			"p/in_test.go":  "package p\n\nfunc g() { f(); F() }\n",
			"p/out_test.go": "package p_test\n\nimport \"m/p\"\n\nfunc f() {}\n\nfunc h() { f(); p.F() }\n",
		}, "p/in_test.go:g → p/p.go:F exact\np/in_test.go:g → p/p.go:f exact\np/out_test.go:h → p/out_test.go:f exact\np/out_test.go:h → p/p.go:F exact\np/p.go:F → p/p.go:f exact"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := edges(project(c.tree)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
