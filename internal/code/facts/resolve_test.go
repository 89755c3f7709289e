package facts_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// files is a project in memory.
type files struct {
	docs  []facts.Doc
	facts []corpus.Facts
	texts []string
	keyed map[uint32][]int
}

func (s *files) Load(doc int) *corpus.Facts { return &s.facts[doc] }

func (s *files) Decls(doc int, _ func(string) bool) []corpus.Decl { return s.facts[doc].Decls }

func (s *files) Text(doc int, _ []byte) []byte { return []byte(s.texts[doc]) }

func (s *files) Mentioning(words ...string) (out []int) {
	for i, text := range s.texts {
		if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) }) {
			out = append(out, i)
		}
	}
	return out
}

func (s *files) Keyed(keys ...uint32) (out []int) {
	for _, k := range keys {
		out = append(out, s.keyed[k]...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func project(tree map[string]string) *facts.Project {
	s := &files{keyed: map[uint32][]int{}}
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		text := tree[name]
		f, ok := syntax.Manifest(name, []byte(text))
		language := syntax.Language(name, []byte(text))
		if !ok {
			f = syntax.Facts(name, language, []byte(text))
		}
		f.Build = facts.Constraint(language, []byte(text))
		head, _ := facts.Encode(&f, func(*corpus.Decl) bool { return true })
		for _, k := range facts.Keys(language, &f) {
			s.keyed[k] = append(s.keyed[k], len(s.docs))
		}
		s.docs = append(s.docs, facts.Doc{Path: name, Language: language, Head: head})
		s.facts, s.texts = append(s.facts, f), append(s.texts, text)
	}
	return facts.New(s.docs, s)
}

// edges writes what each call of a project means, one a line.
func edges(p *facts.Project) string {
	name := func(r facts.Ref) string {
		if d := p.Decl(r); d != nil {
			return p.Docs[r.Doc].Path + ":" + d.Qualified()
		}
		return p.Docs[r.Doc].Path
	}
	var out []string
	for doc := range p.Docs {
		p.Edges(doc, func(_ *corpus.Call, from facts.Ref, to []facts.Edge, _ bool) {
			for _, e := range to {
				out = append(out, fmt.Sprintf("%s → %s %s", name(from), name(e.To), e.Sure))
			}
		})
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

func TestResolve(t *testing.T) {
	for _, c := range []struct {
		name string
		tree map[string]string
		want string
	}{
		{"go packages, fields, embedding and interfaces", map[string]string{
			"go.mod":   "module example.com/m\n",
			"a/a.go":   "package a\n\nimport \"example.com/m/b\"\n\ntype T struct{ s *b.S; b.Base }\n\nfunc (t *T) F() { t.s.G(); t.H(); local() }\n\nfunc local() { x, _ := b.New(); x.G() }\n",
			"b/b.go":   "package b\n\ntype S struct{}\n\nfunc (s *S) G() {}\n\ntype Base struct{}\n\nfunc (Base) H() {}\n\nfunc New() (*S, error) { return &S{}, nil }\n",
			"c/c.go":   "package c\n\ntype I interface{ Do() }\n\ntype X struct{}\n\nfunc (X) Do() {}\n\nfunc run(is []I) { for _, i := range is { i.Do() } }\n",
			"c/c2.txt": "run()",
		}, "a/a.go:T.F → a/a.go:local exact\na/a.go:T.F → b/b.go:Base.H exact\na/a.go:T.F → b/b.go:S.G exact\n" +
			"a/a.go:local → b/b.go:New exact\na/a.go:local → b/b.go:S.G exact\nc/c.go:run → c/c.go:X.Do likely"},
		{"python imports, self, inheritance and results", map[string]string{
			"p/__init__.py": "from .a import A as Alias\n",
			"p/a.py":        "class Base:\n    def hi(self): pass\n\nclass A(Base):\n    def __init__(self):\n        self.b = make()\n    def go(self):\n        self.hi()\n        self.b.hi()\n\ndef make():\n    return Base()\n",
			"main.py":       "from p import Alias\n\ndef main():\n    a = Alias()\n    a.go()\n",
		}, "main.py:main → p/a.py:A.__init__ exact\nmain.py:main → p/a.py:A.go exact\np/a.py:A.__init__ → p/a.py:make exact\n" +
			"p/a.py:A.go → p/a.py:Base.hi exact\np/a.py:A.go → p/a.py:Base.hi exact\np/a.py:make → p/a.py:Base exact"},
		{"typescript re-exports, types and paths", map[string]string{
			"tsconfig.json": `{"compilerOptions": {"paths": {"@/*": ["src/*"]}}}`,
			"src/index.ts":  "export { S as Service } from './s';\n",
			"src/s.ts":      "export class S { run(): S { return this; } }\nexport function f(s: S) { s.run().run(); }\n",
			"use.ts":        "import { Service } from '@/index';\nconst s = new Service();\nfunction go() { s.run(); Object.keys(s); }\n",
		}, "src/s.ts:f → src/s.ts:S.run exact\nsrc/s.ts:f → src/s.ts:S.run exact\nuse.ts → src/s.ts:S exact\nuse.ts:go → src/s.ts:S.run exact"},
		{"java packages and overloads", map[string]string{
			"a/A.java": "package a;\n\npublic class A {\n  public void f(int x) {}\n  public void f(int x, int y) { f(x); }\n  public static A of() { return new A(); }\n}\n",
			"b/B.java": "package b;\n\nimport a.A;\n\nclass B {\n  private final A a = A.of();\n  void g() { a.f(1, 2); this.a.f(1); }\n}\n",
		}, "a/A.java:A.f → a/A.java:A.f exact\na/A.java:A.of → a/A.java:A exact\nb/B.java → a/A.java:A.of exact\nb/B.java:B.g → a/A.java:A.f exact\nb/B.java:B.g → a/A.java:A.f exact"},
		{"java overloads by type, inherited ones too", map[string]string{
			"A.java": "class A extends Base {\n  void f(String s) {}\n  void f(Object[] s) {}\n  void f(long x) {}\n  void g(int[] n, Sub b) { f(\"x\"); f(n.length); f(new String[] {}); h(b); k(1); }\n" +
				"  void h(Sub s) {}\n  void h(Object o) {}\n  void k(String s) {}\n}\nclass Base { void k(int x) {} }\nclass Sub {}\n",
		}, "A.java:A.g → A.java:A.f exact\nA.java:A.g → A.java:A.f exact\nA.java:A.g → A.java:A.f exact\nA.java:A.g → A.java:A.h exact\nA.java:A.g → A.java:Base.k exact"},
		{"php names with their namespaces", map[string]string{
			"db/Tok.php":        "<?php\nnamespace y\\db;\nclass Tok {\n  protected function after() { return 1; }\n}\n",
			"db/sqlite/Tok.php": "<?php\nnamespace y\\db\\sqlite;\nclass Tok extends \\y\\db\\Tok {\n  function run() { return $this->after(); }\n  static function make() { return new self(); }\n}\n",
			"use.php": "<?php\nnamespace app;\nuse y\\db;\nclass U {\n  function a() { $t = new \\y\\db\\sqlite\\Tok(); $t->run(); }\n  function b() { \\y\\db\\sqlite\\Tok::make(); }\n" +
				"  function c(db\\sqlite\\Tok $t) { $t->run(); }\n  function d(\\z\\Tok $t) { $t->run(); }\n}\n",
		}, "db/sqlite/Tok.php:Tok.make → db/sqlite/Tok.php:Tok exact\ndb/sqlite/Tok.php:Tok.run → db/Tok.php:Tok.after exact\nuse.php:U.a → db/sqlite/Tok.php:Tok exact\n" +
			"use.php:U.a → db/sqlite/Tok.php:Tok.run exact\nuse.php:U.b → db/sqlite/Tok.php:Tok.make exact\nuse.php:U.c → db/sqlite/Tok.php:Tok.run exact"},
		{"functions of a language's library that one file replaces", map[string]string{
			"trace.lua": "function require(m)\n  print(m)\nend\nfunction use() require('x') end\n",
			"a.lua":     "function go() require('other') end\n",
			"inject.c":  "int fwrite(int x) { return x; }\nvoid in(void) { fwrite(1); }\n",
			"compat.h":  "char *strdup(const char *s);\n",
			"compat.c":  "#include \"compat.h\"\nchar *strdup(const char *s) { return 0; }\n",
			"out.c":     "#include <stdio.h>\nvoid out(void) { fwrite(1); strdup(\"x\"); }\n",
			"in/user.c": "#include \"../compat.h\"\nvoid user(void) { strdup(\"x\"); }\n",
		}, "in/user.c:user → compat.c:strdup exact\ninject.c:in → inject.c:fwrite exact\ntrace.lua:use → trace.lua:require exact"},
		{"static functions of C's headers, for files that include them", map[string]string{
			"a.h": "static void reset(int x) { }\n",
			"b.h": "#include \"a.h\"\n",
			"b.c": "#include \"b.h\"\nvoid use(void) { reset(1); }\n",
			"c.c": "void other(void) { reset(1); }\n",
		}, "b.c:use → a.h:reset exact"},
		{"python modules that import each other in a circle", map[string]string{
			"p/__init__.py": "from .a import *\nfrom .b import missing, f\n",
			"p/a.py":        "from .b import *\nfrom .b import missing\n\ndef g():\n    missing()\n    f()\n",
			"p/b.py":        "from .a import *\nfrom .a import missing\nfrom . import missing as other\n\ndef f():\n    missing()\n    other()\n    g()\n",
		}, "p/a.py:g → p/b.py:f exact\np/b.py:f → p/a.py:g exact"},
		{"rust modules that use each other in a circle", map[string]string{
			"Cargo.toml": "[package]\nname = \"x\"\n",
			"src/lib.rs": "pub mod a;\npub mod b;\n",
			"src/a.rs":   "pub use crate::b::*;\npub use crate::b::missing;\npub fn f() { missing(); g(); }\n",
			"src/b.rs":   "pub use crate::a::*;\npub use crate::a::missing;\npub fn g() { missing(); f(); }\n",
		}, "src/a.rs:f → src/b.rs:g exact\nsrc/b.rs:g → src/a.rs:f exact"},
		{"python functions that are passed, and decorators", map[string]string{
			"a.py": "import functools\n\ndef deco(fn):\n    def inner(*a):\n        return fn(*a)\n    return inner\n\n@deco\ndef target(): pass\n\ndef run(cb, db=None):\n    cb()\n    db.query()\n\n" +
				"class DB:\n    def query(self): pass\n\ndef main():\n    run(target, db=DB())\n",
		}, "a.py → a.py:deco exact\na.py:deco.inner → a.py:target likely\na.py:main → a.py:DB exact\na.py:main → a.py:run exact\na.py:run → a.py:DB.query likely\na.py:run → a.py:target likely"},
		{"typescript callbacks know what is expected of them", map[string]string{
			"app.ts": "export class Context { text() {} }\nexport type Handler<E> = (c: Context, next: () => void) => void\nexport interface Routes { <P extends string>(path: P, ...hs: [Handler<P>, Handler<P>]): App\n (h: Handler<any>): App }\n" +
				"class App { get!: Routes; on(h: { end?(c: Context): void }) {} }\nexport { App as Base }\n",
			"use.ts": "import { Base, Handler, Context } from './app'\nclass Mine extends Base {}\nconst a = new Mine()\na.get('/', (c) => c.text(), (d) => d.text()).get((e) => e.text()).on({ end(f) { f.text() } })\n" +
				"const h: Handler<1> = (g) => g.text()\nfunction make(): Handler<2> { return (i) => i.text() }\nconst list: Context[] = [], map = new Map<string, Context>()\nlist.filter((x) => x.text()).map((x) => x.text())\nfor (const [k, m] of map) m.text()\n",
		}, "use.ts → app.ts:App.on exact\n" + strings.Repeat("use.ts → app.ts:Context.text exact\n", 6) +
			"use.ts → use.ts:Mine exact\n" +
			"use.ts:end → app.ts:Context.text exact\nuse.ts:h → app.ts:Context.text exact\nuse.ts:make → app.ts:Context.text exact"},
		{"typescript objects, and constants that hold what a call returned", map[string]string{
			"util.ts": "import { memo } from 'memo'\nfunction isA() {}\nexport const isB = memo(() => isA())\nexport default { isA, isC: isB, isD() {} }\nexport const api = { run: isA, close() { run() } }\nexport function make() { return { stop() {} , go: isA } }\nfunction run() {}\n",
			"use.ts": "import u, { api, isB as b, make } from './util'\nu.isA(); u.isC(); u.isD(); api.run(); api.close(); b()\nconst m = make()\nm.stop(); m.go()\nclass P { #q = new Q(); f() { this.#q.r() } }\nclass Q { r() {} }\n" +
				"it(() => { const go = () => {}; go() })\nit(() => { const go = () => {}; go() })\nconst { api: other } = await import('./util')\nother.close()\nconst w = b ?? new Q()\nw.r()\n" +
				"function batch() { return { flush() {} } as const }\nconst x = batch(), y = (() => { return { tick() {} } })()\nx.flush(); y.tick()\n",
		}, "use.ts → use.ts:Q exact\nuse.ts → use.ts:Q exact\nuse.ts → use.ts:Q.r exact\nuse.ts → use.ts:batch exact\nuse.ts → use.ts:batch.flush exact\nuse.ts → use.ts:go exact\nuse.ts → use.ts:go exact\nuse.ts → use.ts:y.tick exact\nuse.ts → util.ts:api.close exact\nuse.ts → util.ts:api.close exact\nuse.ts → util.ts:isA exact\nuse.ts → util.ts:isA exact\nuse.ts → util.ts:isA exact\n" +
			"use.ts → util.ts:isB exact\nuse.ts → util.ts:isB exact\nuse.ts → util.ts:isD exact\nuse.ts → util.ts:make exact\nuse.ts → util.ts:make.stop exact\nuse.ts:P.f → use.ts:Q.r exact\nutil.ts → util.ts:isA exact\nutil.ts:api.close → util.ts:run exact"},
		{"python functions in lists and dicts", map[string]string{
			"a.py": "from functools import partial\n\ndef f(): pass\ndef g(): pass\ndef h(): pass\ndef k(): pass\n\ntable = {'f': f, 'g': g}\nlate = [f]\n\ndef run(name):\n    table[name]()\n    table['g']()\n    table.get(name)()\n\n" +
				"def last():\n    d = {'a': f}\n    d['a'] = g\n    d['a']()\n    [h, k][1:][0]()\n    for one in [h]: one()\n\ndef add(fn):\n    late.append(fn)\n\ndef all():\n    add(k)\n    for one in late: one()\n    partial(h, 1)()\n\n" +
				"class Bus:\n    def __init__(self):\n        self.on = {}\n    def sub(self, fn):\n        self.on['x'] = fn\n    def fire(self):\n        self.on['x']()\n\nclass Sub(Bus):\n    def use(self):\n        self.sub(h)\n        for one in self.on.values(): one()\n",
		}, "a.py:Bus.fire → a.py:h likely\na.py:Sub.use → a.py:Bus.sub exact\na.py:Sub.use → a.py:h likely\n" +
			"a.py:all → a.py:add exact\na.py:all → a.py:f likely\na.py:all → a.py:h exact\na.py:all → a.py:k likely\n" +
			"a.py:last → a.py:g exact\na.py:last → a.py:h exact\na.py:last → a.py:k exact\n" +
			"a.py:run → a.py:f likely\na.py:run → a.py:f likely\na.py:run → a.py:g exact\na.py:run → a.py:g likely\na.py:run → a.py:g likely"},
		{"python functions that are returned, yielded and called by other names", map[string]string{
			"a.py": "def f(): pass\n\ndef make(n):\n    def inner(fn): fn()\n    return inner\n\ndef same(fn):\n    return fn\n\ndef each():\n    yield f\n\n@make(1)\ndef g(): pass\n\ndef main():\n    same(f)()\n    other = make\n    other(2)(f)\n    for one in each(): one()\n\na = b = f\na = g\na()\n",
		}, "a.py → a.py:g exact\na.py → a.py:make exact\na.py → a.py:make.inner exact\na.py:main → a.py:each exact\na.py:main → a.py:f exact\na.py:main → a.py:f likely\na.py:main → a.py:make exact\na.py:main → a.py:make.inner exact\na.py:main → a.py:same exact\n" +
			"a.py:make.inner → a.py:f likely\na.py:make.inner → a.py:g likely"},
		{"python context managers, and members through what they yield", map[string]string{
			"a.py": "from contextlib import contextmanager\n\nclass A:\n    def m(self): pass\n\n@contextmanager\ndef open_a():\n    yield A()\n\ndef stream():\n    yield A()\n\ndef main():\n    with open_a() as a:\n        a.m()\n    stream().send(1)\n    for one in stream(): one.m()\n    A[int]().m()\n",
		}, "a.py:main → a.py:A exact\na.py:main → a.py:A.m exact\na.py:main → a.py:A.m exact\na.py:main → a.py:A.m exact\na.py:main → a.py:open_a exact\na.py:main → a.py:stream exact\na.py:main → a.py:stream exact\na.py:open_a → a.py:A exact\na.py:stream → a.py:A exact"},
		{"python methods in the order of the bases, and of what extends a class", map[string]string{
			"a.py": "class A:\n    def m(self): pass\n    def run(self):\n        self.hook()\n\nclass B(A): pass\n\nclass C(A):\n    def m(self): pass\n    def hook(self): pass\n\nclass D(B, C): pass\n\nclass E:\n    def hook(self): pass\n\nclass Bad(A):\n    def __init__(self): pass\n\ndef main():\n    D().m()\n    raise Bad\n",
		}, "a.py:A.run → a.py:C.hook likely\na.py:main → a.py:Bad.__init__ exact\na.py:main → a.py:C.m exact\na.py:main → a.py:D exact"},
		{"typescript types that are computed from values and from other types", map[string]string{
			"lib.ts": "export class Thing { hit() {} }\nexport class Box { thing = new Thing() }\nexport const made = new Thing()\nexport function make() { return new Thing() }\nexport const table = { go() {} }\n",
			"use.ts": "import { Thing, Box, made, make, table } from './lib'\nfunction a(x: typeof made) { x.hit() }\nfunction b(x: ReturnType<typeof make>) { x.hit() }\nfunction c(x: InstanceType<typeof Thing>) { x.hit() }\n" +
				"function d(x: Box['thing']) { x.hit() }\nfunction e(x: typeof table) { x.go() }\nfunction f(x: (typeof made)) { x.hit() }\nfunction g(x: Box[\"thing\"]) { x.hit() }\n",
		}, "lib.ts → lib.ts:Thing exact\nlib.ts → lib.ts:Thing exact\nlib.ts:make → lib.ts:Thing exact\nuse.ts:a → lib.ts:Thing.hit exact\nuse.ts:b → lib.ts:Thing.hit exact\nuse.ts:c → lib.ts:Thing.hit exact\n" +
			"use.ts:d → lib.ts:Thing.hit exact\nuse.ts:e → lib.ts:table.go exact\nuse.ts:f → lib.ts:Thing.hit exact\nuse.ts:g → lib.ts:Thing.hit exact"},
		{"a file that does not say what its default is: what is named as it, or its only export", map[string]string{
			"stem.js": "class Helper {}\nclass Stem { hit() {} }\n",
			"only.js": "class Mine {}\nexport class Single { hit() {} }\n",
			"both.js": "export class One { hit() {} }\nexport class Two { hit() {} }\n",
			"use.js":  "import A from './stem'\nimport B from './only'\nimport C from './both'\nfunction a() { new A().hit() }\nfunction b() { new B().hit() }\nfunction c() { new C() }\n",
		}, "use.js:a → stem.js:Stem likely\nuse.js:a → stem.js:Stem.hit likely\nuse.js:b → only.js:Single likely\nuse.js:b → only.js:Single.hit likely"},
		{"python types of classes", map[string]string{
			"a.py": "from typing import Type, Optional\n\nclass A:\n    def hit(self): pass\n    @classmethod\n    def of(cls): return cls()\n\nclass B:\n    def hit(self): pass\n\n" +
				"def one(c: type[A]): c().hit()\n\ndef two(c: Type[\"A\"]): c.of()\n\ndef three(c: Optional[Type[A]]): c().hit()\n\ndef four(c: type[A | B]): c()\n",
		}, "a.py:A.of → a.py:A exact\na.py:four → a.py:A name-only\na.py:four → a.py:B name-only\na.py:one → a.py:A exact\na.py:one → a.py:A.hit exact\na.py:three → a.py:A exact\na.py:three → a.py:A.hit exact\na.py:two → a.py:A.of exact"},
		{"python what a dict has under a key, and what its methods give", map[string]string{
			"a.py": "def f(): pass\ndef g(): pass\n\ndef one():\n    d = {'a': f}\n    d.get('a')()\n\ndef two():\n    d = {'a': f}\n    d.pop('a')()\n    d.setdefault('a', None)()\n\ndef three():\n    d = {'a': f}\n    for x in d.values(): x()\n    d.copy()['a']()\n\n" +
				"def four():\n    base = {'a': f, 'b': g}\n    d = {}\n    d.update(base)\n    d['b']()\n\ndef five():\n    d = {'a': f}\n    d['b'] = g\n    d['a']()\n\ndef six():\n    d = {'a': f}\n    d['a'] = g\n    d['a']()\n",
		}, "a.py:five → a.py:f exact\na.py:four → a.py:g exact\na.py:one → a.py:f exact\na.py:six → a.py:g exact\na.py:three → a.py:f exact\na.py:three → a.py:f exact\na.py:two → a.py:f exact\na.py:two → a.py:f exact"},
		{"go interfaces of the library, and what only looks like them", map[string]string{
			"go.mod": "module example.com/m\n",
			"a/a.go": "package a\n\nimport \"io\"\n\ntype Sink struct{}\n\nfunc (*Sink) Write(p []byte) (int, error) { return 0, nil }\n\ntype Half struct{}\n\nfunc (Half) Write() {}\n\ntype Both interface { io.Writer; Flush() error }\n\ntype Full struct{}\n\n" +
				"func (Full) Write(p []byte) (int, error) { return 0, nil }\n\nfunc (Full) Flush() error { return nil }\n\nfunc put(w io.Writer) { w.Write(nil); w.Close() }\n\nfunc flush(b Both) { b.Flush(); b.Write(nil) }\n",
			"a/a_test.go": "package a\n\ntype fake struct{}\n\nfunc (fake) Write(p []byte) (int, error) { return 0, nil }\n",
		}, "a/a.go:flush → a/a.go:Full.Flush likely\na/a.go:flush → a/a.go:Full.Write likely\na/a.go:put → a/a.go:Full.Write likely\na/a.go:put → a/a.go:Sink.Write likely"},
		{"go interfaces whose methods name types of another package", map[string]string{
			"go.mod": "module example.com/m\n",
			"a/a.go": "package a\n\ntype Key struct{}\n\ntype Val struct{}\n\ntype Mine struct{}\n\nfunc (Mine) Take(k []*Key, more ...Key) (v Val) { return }\n\ntype Other struct{}\n\nfunc (Other) Take(k []*Val, more ...Key) (v Val) { return }\n",
			"b/b.go": "package b\n\nimport \"example.com/m/a\"\n\ntype Taker interface { Take(k []*a.Key, more ...a.Key) a.Val }\n\nfunc run(t Taker) { t.Take(nil) }\n",
		}, "b/b.go:run → a/a.go:Mine.Take likely"},
		{"go keys, elements and several results", map[string]string{
			"go.mod": "module example.com/m\n",
			"a/a.go": "package a\n\ntype Key struct{}\n\nfunc (Key) Name() {}\n\ntype Val struct{}\n\nfunc (Val) Name() {}\n\nfunc keys(m map[Key]Val) { for k := range m { k.Name() } }\n\nfunc values(m map[Key]Val) { for _, v := range m { v.Name() } }\n\nfunc recv(c chan Key) { for k := range c { k.Name() } }\n\n" +
				"func pair() (k, o Key, v Val) { return }\n\nfunc second() { _, b, _ := pair(); b.Name() }\n\nfunc third() { _, _, c := pair(); c.Name() }\n\nfunc named() (n *Key, err error) { return }\n\nfunc first() { k, _ := named(); k.Name() }\n\nfunc plain() (Val, func(Key) error) { return Val{}, nil }\n\nfunc last() { v, _ := plain(); v.Name() }\n",
		}, "a/a.go:first → a/a.go:Key.Name exact\na/a.go:first → a/a.go:named exact\na/a.go:keys → a/a.go:Key.Name exact\na/a.go:last → a/a.go:Val.Name exact\na/a.go:last → a/a.go:plain exact\na/a.go:recv → a/a.go:Key.Name exact\n" +
			"a/a.go:second → a/a.go:Key.Name exact\na/a.go:second → a/a.go:pair exact\na/a.go:third → a/a.go:Val.Name exact\na/a.go:third → a/a.go:pair exact\na/a.go:values → a/a.go:Val.Name exact"},
		{"elixir modules by their whole names", map[string]string{
			"lib/a.ex": "defmodule My.Deep.Mod do\n  def hit(x), do: x\n  def other(x), do: x\nend\n",
			"lib/b.ex": "defmodule Use do\n  def go do\n    My.Deep.Mod.hit(1)\n    :erlang.now()\n  end\nend\n",
		}, "lib/b.ex:Use.go → lib/a.ex:My.Deep.Mod.hit exact"},
		{"ruby constants of a library", map[string]string{
			"lib/f.rb":  "module Far\n  module Utils\n    def self.build_nested(p)\n      p\n    end\n  end\n  class Conn\n    def go\n      Utils.build_nested(1)\n    end\n  end\nend\n",
			"spec/f.rb": "def check(x)\n  Rack::Utils.build_nested(x)\nend\n\ndef other(x)\n  Far::Utils.build_nested(x)\nend\n",
		}, "lib/f.rb:Far.Conn.go → lib/f.rb:Far.Utils.build_nested exact\nspec/f.rb:other → lib/f.rb:Far.Utils.build_nested exact"},
		{"elixir functions that a module has since it uses another, and those named as a variable", map[string]string{
			"lib/q.ex": "defmodule Q do\n  defmacro __using__(opts) do\n    quote do\n      def new_job(x), do: made(x)\n      def made(x), do: x\n      defp hidden(x), do: x\n    end\n  end\n  def apart(x), do: x\nend\ndefmodule R do\n  defmacro __using__(_) do\n    quote do\n      def new_job(x), do: x\n    end\n  end\nend\n",
			"lib/s.ex": "defmodule S do\n  use Q, otp_app: :s\n  def here, do: new_job(2)\n  def own, do: hidden(1)\nend\n",
			"lib/t.ex": "defmodule T do\n  def go(meta) do\n    name = name(meta)\n    S.new_job(name)\n    S.apart(1)\n    S.hidden(1)\n    name.(1)\n  end\n  defp name(meta), do: meta\nend\n",
		}, "lib/q.ex:Q.__using__.new_job → lib/q.ex:Q.__using__.made exact\nlib/s.ex:S.here → lib/q.ex:Q.__using__.new_job exact\nlib/s.ex:S.own → lib/q.ex:Q.__using__.hidden exact\nlib/t.ex:T.go → lib/q.ex:Q.__using__.new_job exact\nlib/t.ex:T.go → lib/t.ex:T.name exact"},
		{"rust and ruby members that a known class has from elsewhere", map[string]string{
			"src/lib.rs": "struct Addr;\nimpl Addr { fn as_socket_addr(&self) {} fn port(&self) {} }\nstruct Local(Addr);\nimpl Deref for Local { type Target = Addr; }\nfn f(l: Local) { l.as_socket_addr(); l.port(); }\n",
			"c.rb":       "module Methods\n  def define_it_all(x); end\nend\n",
			"b.rb":       "module Plug\n  def self.load(app)\n    define_it_all(1)\n  end\nend\nclass App; end\ndef g\n  a = App.new\n  a.define_it_all(1)\nend\n",
		}, "b.rb:Plug.load → c.rb:Methods.define_it_all likely\nb.rb:g → b.rb:App exact\nb.rb:g → c.rb:Methods.define_it_all likely\nsrc/lib.rs:f → src/lib.rs:Addr.as_socket_addr likely"},
		{"ruby methods of a module that is put in elsewhere, called without a receiver", map[string]string{
			"a.rb": "module Far\n  def reach_it_now(x); end\nend\nclass Plug\n  class << self\n    def define_plug_method(x); end\n  end\nend\n",
			"b.rb": "class Solo\n  def go\n    reach_it_now(1)\n    define_plug_method(1)\n    reach(1)\n  end\nend\n",
		}, "b.rb:Solo.go → a.rb:Far.reach_it_now likely\nb.rb:Solo.go → a.rb:Plug.define_plug_method likely"},
		{"go functions of one name, of which one is handed on", map[string]string{
			"go.mod": "module example.com/m\n",
			"a.go":   "package m\n\ntype A struct{}\n\nfunc (A) Run() {}\n\ntype B struct{}\n\nfunc (B) Run() {}\n\nfunc each(f func()) { f() }\n\nfunc x(a A) { each(a.Run) }\n",
		}, "a.go:each → a.go:A.Run likely\na.go:x → a.go:each exact"},
		{"csharp namespaces named from inside of one around", map[string]string{
			"a.cs": "namespace M.Extra { public static class E { public static int Memo(this string s) => 1; } public class K { public static void Go() {} } }\n",
			"d.cs": "using Extra;\nnamespace M.More { class D { void F(string s) { s.Memo(); } } }\n",
			"b.cs": "namespace M.Test { using Extra; class T { void F(string s) { s.Memo(); K.Go(); } } }\n",
		}, "b.cs:M.Test.T.F → a.cs:M.Extra.E.Memo likely\nb.cs:M.Test.T.F → a.cs:M.Extra.K.Go exact"},
		{"cpp namespaces of many files, types in arguments, and what a template is given", map[string]string{
			"n/0.hpp": "namespace N::inner { inline void one0() {} }\n",
			"n/1.hpp": "namespace N::inner { inline void one1() {} }\n",
			"n/2.hpp": "namespace N::inner { inline void one2() {} }\n",
			"n/3.hpp": "namespace N::inner { inline void one3() {} }\n",
			"n/4.hpp": "namespace N::inner { inline void one4() {} }\n",
			"n/5.hpp": "namespace N::inner { inline void one5() {} }\n",
			"n/6.hpp": "namespace N::inner { inline void one6() {} }\n",
			"n/7.hpp": "namespace N::inner { inline void one7() {} }\n",
			"a.hpp":   "namespace N::inner { template<class T> T two(int a, T b) { return b; } template<class A, class B> A made(int i) { return A(); } struct In { int peek_byte(int i) { return 1; } }; }\nnamespace other { void two(int a, int b) {} }\n",
			"b.cpp":   "#include \"a.hpp\"\nnamespace N { template<typename Input> int f(Input& in) { inner::two(1, inner::made<char, int>(2)); std::transfer(2); return in.peek_byte(1); } }\n",
			"m.hpp":   "namespace mine::std { inline void transfer(int a) {} }\n",
		}, "b.cpp:N.f → a.hpp:N::inner.In.peek_byte likely\nb.cpp:N.f → a.hpp:N::inner.made likely\nb.cpp:N.f → a.hpp:N::inner.two likely\nb.cpp:N.f → m.hpp:mine::std.transfer name-only"},
		{"what is not known", map[string]string{
			"a.py": "class A:\n    def frob(self): pass\n\ndef f(x, y):\n    x.frob()\n    y.append(1)\n    len(y)\n",
		}, "a.py:f → a.py:A.frob likely"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := edges(project(c.tree)); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

// TestCircularTypes asks about types that stand for each other: asked along every way,
// they would never be answered.
func TestCircularTypes(t *testing.T) {
	var text strings.Builder
	for i := range 6 {
		fmt.Fprintf(&text, "type T%d = T0 | T1 | T2 | T3 | T4 | T5\n", i)
	}
	text.WriteString("function f(x: T0) { x.m(); x()(); for (const y of x) y.n(); g((z) => z.o()) }\nfunction g(h: T1) {}\nfunction k(l: { m: T0 }) { l.m((p) => p.q()) }\n")
	if got, want := edges(project(map[string]string{"a.ts": text.String()})), "a.ts:f → a.ts:g exact"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestNamedAfterItself asks for the type of a variable that is named as what its type is taken from, so
// that each is looked for in the other.
func TestNamedAfterItself(t *testing.T) {
	const text = "import lib\n\nengine: engine.Thing = lib.make()\nother: engine.Other.Thing = lib.make()\n\ndef go(): pass\n\ndef g():\n    engine.run()\n    other.run()\n    go()\n"
	if got, want := edges(project(map[string]string{"a.py": text})), "a.py:g → a.py:go exact"; !strings.Contains(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestCircularFlow asks for elements that are taken from each other and from themselves: asked along
// every way, they would never be answered.
func TestCircularFlow(t *testing.T) {
	var text strings.Builder
	text.WriteString("def f(): pass\n\ndef g(i, j):\n    a = [f]\n    d = {'k': f, **d, **e}\n    e = {**d, **e, **a}\n")
	for i := range 60 {
		fmt.Fprintf(&text, "    a[i] = a[j]\n    a.append(a[%d])\n    d.update(e)\n    e[i] = d[j]\n    e.update(d)\n    d['x%d'] = [d, e, a][i][j]\n", i, i)
	}
	text.WriteString("    a[j]()\n    d[i][j]()\n    for x in e.values(): x()\n")
	if got := edges(project(map[string]string{"a.py": text.String()})); !strings.Contains(got, "a.py:g → a.py:f ") {
		t.Errorf("got %s", got)
	}
}

func TestCallers(t *testing.T) {
	p := project(map[string]string{
		"a.py":            "class A:\n    def f(self): pass\n\nclass B(A):\n    def f(self): pass\n\ndef g(a: A):\n    a.f()\n",
		"b.py":            "from a import g as h\nh(1)\n",
		"c.py":            "from a import B\n\nclass C(B): pass\n",
		"d.py":            "def held(): pass\n\nall = {1: held, 2: None}\nfor k in all: all[k]()\n",
		"pkg/__init__.py": "from .m import h\n",
		"pkg/m.py":        "def h(): pass\n\ndef k():\n    h()\n",
		"sup.py": "class Shelf:\n    def lay(self): pass\n\nclass Rack(Shelf):\n    def lay(self):\n        super().lay()\n\n" +
			"class Low(Rack):\n    def go(self):\n        super().lay()\n",
		"one.ts": "export interface Store { put(k: string): void }\nexport interface Ball { put(h: number): void }\n",
		"two.ts": "import { Store } from './one';\ninterface Deep extends Store {}\nexport class Disk implements Deep {\n  put(k: string) {}\n}\n" +
			"export class Hole {\n  put(k: number) {}\n}\n",
		"three.ts": "import { Store, Ball } from './one';\nfunction use(s: Store) { s.put('a'); }\nfunction play(b: Ball) { b.put(1); }\n",
	})
	for _, c := range []struct{ of, want string }{
		{"C.f", "a.py likely"}, // inherited
		{"pkg.h", "pkg/m.py exact"},
		{"g", "b.py exact"},
		{"A.f", "a.py exact"},
		{"held", "d.py exact"},
		{"B.f", "a.py likely"}, // by what it overrides
		{"Disk.put", "three.ts likely"},
		{"Hole.put", ""},             // implements nothing
		{"Rack.lay", "sup.py exact"}, // of Low, and not its own call of its base
		{"Shelf.lay", "sup.py exact"},
	} {
		refs := p.Lookup(c.of)
		got, tally := p.Callers(refs)
		var lines []string
		for _, e := range got {
			lines = append(lines, p.Docs[e.From.Doc].Path+" "+e.Sure.String())
		}
		if strings.Join(lines, "\n") != c.want || tally.Total == 0 {
			t.Errorf("callers of %s: %q, want %q (%+v)", c.of, lines, c.want, tally)
		}
	}
}

// To resolve the import of one class of a package of a hundred, the facts of the others are not
// read; and who only wants the calls that name a constructor reads no file for its super(…).
func TestReadsWhatItMust(t *testing.T) {
	tree := map[string]string{"use/Use.java": "package use;\n\nimport lib.C7;\n\nclass Use { C7 c = new C7(); }\n"}
	for i := range 100 {
		tree[fmt.Sprintf("lib/C%d.java", i)] = fmt.Sprintf("package lib;\n\npublic class C%d { public C%d() { super(); } }\n", i, i)
	}
	p := project(tree)
	use := slices.IndexFunc(p.Docs, func(d facts.Doc) bool { return d.Path == "use/Use.java" })
	got := p.Import(use, &p.Head(use).Imports[0])
	if len(got.Docs) != 1 || p.Docs[got.Docs[0]].Path != "lib/C7.java" || filesOf(p) > 2 {
		t.Errorf("%+v, of %d files read", got, filesOf(p))
	}
	of := p.Lookup("lib/C7.java:C7.C7")
	if edges := p.CallersByName(of, func(doc int) bool { return doc != use }); len(edges) != 0 || filesOf(p) > 4 {
		t.Errorf("of %v but in %d: %+v, of %d files read", of, use, edges, filesOf(p))
	}
	all := func(int) bool { return true }
	if edges := p.CallersByName(of, all); len(of) != 2 || len(edges) != 1 || p.Docs[edges[0].From.Doc].Path != "use/Use.java" || filesOf(p) > 5 {
		t.Errorf("of %v: %+v, of %d files read", of, edges, filesOf(p))
	}
	if edges, _ := p.Callers(of); len(edges) != 1 || filesOf(p) < 100 {
		t.Errorf("%+v, of %d files read", edges, filesOf(p))
	}
}

// Whether an import may mean a document is never denied where it does, and of Java it is said
// without reading what the document declares.
func TestMayImport(t *testing.T) {
	tree := map[string]string{
		"lib/A.java":     "package lib;\n\npublic class A { static class In {} static int f() { return 1; } }\n",
		"lib/B.java":     "package lib;\n\npublic class B {}\n",
		"lib/sub/A.java": "package lib.sub;\n\npublic class A {}\n",
		"lib/tools.kt":   "package lib\n\nfun open() {}\n",
		"use/All.java":   "package use;\n\nimport lib.*;\nimport java.util.List;\n\nclass All {}\n",
		"use/One.java":   "package use;\n\nimport lib.A;\nimport lib.A.In;\nimport static lib.A.f;\nimport lib.None;\n\nclass One {}\n",
		"use/tool.kt":    "package use\n\nimport lib.open\nimport lib.sub.A\n",
		"py/a.py":        "def f(): pass\n",
		"py/b.py":        "from py.a import f\n",
	}
	for _, asked := range []bool{false, true} { // before and after the import was resolved
		p := project(tree)
		denied := 0
		for doc := range p.Docs {
			h := p.Head(doc)
			for k := range h.Imports {
				m := &h.Imports[k]
				if asked {
					p.Import(doc, m)
				}
				loaded := filesOf(p)
				may := map[int]bool{}
				for to := range p.Docs {
					may[to] = p.MayImport(doc, m, []int{to})
				}
				if filesOf(p) != loaded {
					t.Errorf("for %s of %s files were read", m.Path, p.Docs[doc].Path)
				}
				for _, to := range p.Import(doc, m).Docs {
					if !may[to] {
						t.Errorf("%s of %s means %s, which is denied", m.Path, p.Docs[doc].Path, p.Docs[to].Path)
					}
				}
				for to, yes := range may {
					if !yes && to != doc {
						denied++
					}
				}
			}
		}
		if denied < 40 {
			t.Errorf("of few documents it is denied: %d", denied)
		}
	}
}

// What a call of Java may run beside what it names is looked for below its class alone, however many
// classes have a method of that name.
func TestReadsWhatIsBelow(t *testing.T) {
	tree := map[string]string{"lib/Use.java": "package lib;\n\nclass Use extends Above { void go(Use u) { u.run(); } void run() { new Heir(); } }\n", "lib/Above.java": "package lib;\n\nclass Above { void run() { } }\n", "lib/Heir.java": "package lib;\n\nclass Heir extends Use { void run() { } }\n"}
	for i := range 100 {
		tree[fmt.Sprintf("lib/C%d.java", i)] = fmt.Sprintf("package lib;\n\npublic class C%d extends Above { void run() { } }\n", i)
	}
	p := project(tree)
	edges, _ := p.Callees(p.Lookup("Use.go")[0])
	var got []string
	for _, e := range edges {
		got = append(got, p.Decl(e.To).Qualified())
	}
	if !slices.Equal(got, []string{"Use.run", "Heir.run"}) || filesOf(p) > 5 {
		t.Errorf("%q, of %d files read", got, filesOf(p))
	}
}

// filesOf returns how many files' facts a project has in memory.
func filesOf(p *facts.Project) int {
	files, _ := p.Loaded()
	return files
}
