package ecma

import (
	"strings"
	"testing"
)

var typeSamples = []sample{
	{"signatures", "export function a<T extends B<C>>(x: Map<K, V>, y?: (z: number) => void): Promise<T[]>;\nexport function a(x: any) { return b<T, U>(x)!.c<D>() }\ndeclare function e(f: string): asserts f is G\nconst h = <T,>(i: T): i is J => k(i)\nconst l = async (m: { n(): o }): Promise<void> => {}", declarations + "|call", `
		function a(x: Map<K, V>; y?: (z: number) => void): Promise<T[]> exported abstract
		function a(x: any) exported
		function e(f: string): asserts f is G abstract
		function h(i: T): i is J
		function l(m: { n(): o }): Promise<void> async
		call b/1
		call b().c/0
		call k/1`},
	{"cast functions", "const a: A = function b(c, d?): any { e() } as any\nconst f = function () {} satisfies G, h = (function i() {} as any)\nx(function j() {} as K)", declarations + "|call", `
		function a(c; d?): any
		function f
		function h
		function j
		call e/0
		call x/1`},
	{"class", "@Injectable()\nexport abstract class A<T> extends B<T> implements C, D<E> {\n  private a: F = new G()\n  static readonly b?: H\n  declare c: I;\n  [key: string]: any\n  constructor(private d: J, public readonly e = k(), f?: L) { super() }\n  abstract g(h: M): N\n  protected i(): void {}\n  j(x: string): void\n  j(x: any) {}\n  accessor k = 1\n  @Input() l!: O\n  private m = (n: P): Q => {}\n  override async o<T>(this: A, p: T) {}\n}", declarations + "|call|bind", `
		class A < B<T>; C; D<E> @Injectable() exported abstract
		method A.constructor(private d: J; public readonly e = k(); f?: L) exported constructor
		method A.g(h: M): N exported abstract
		method A.i: void
		method A.j(x: string): void exported abstract
		method A.j(x: any) exported
		method A.m(n: P): Q
		method A.o(this: A; p: T) exported async
		call Injectable/0
		call new G/0
		call k/0
		call super/0
		call Input/0
		bind a: F = G()
		bind b: H
		bind c: I
		bind d: J #1
		bind this.d: J
		bind e = k() #2
		bind this.e = k()
		bind f: L #3
		bind h: M #1
		bind x: string #1
		bind x: any #1
		bind k
		bind l: O
		bind n: P #1
		bind this: A
		bind p: T #1`},
	{"types", "interface A<T> extends B, C<T> { d: E; f?(g: H): I; readonly j: K; (x: L): M; new (y: N): O; get p(): Q }\nexport type R<T> = T extends infer U ? { a: S } : (x: T) => `a${U}` | never\ntype V = {\n  w: X\n}\nconst enum Y { a = 1 << 2, b = f() }\nenum Z { 'x-y', z }", declarations + "|call|bind", `
		interface A < B; C<T>
		type R: T extends infer U ? { a: S } : (x: T) => ` + "`a${U}`" + ` | never exported
		type V
		enum Y
		enum Z
		call f/0
		bind d: E
		bind f: (g: H) => I
		bind j: K
		bind (): (x: L) => M
		bind p: Q
		bind w: X
		bind a: Y
		bind b: Y
		bind z: Z`},
	{"namespaces", "namespace A.B { export function f() {} namespace C {} }\ndeclare module 'm' { function g(): void; const x: D }\ndeclare global { interface Window { y: Z } }\nmodule M {}\ndeclare class E { f(): void; static g: H }", declarations, `
		module A.B
		function A.B.f exported
		module A.B.C
		module m
		function m.g: void exported abstract
		constant m.x: D exported
		module global
		interface global.Window exported
		module M
		class E
		method E.f: void exported abstract`},
	{"casts", "const a = b as C\nconst d = <E>f()\nconst g = h() satisfies I\n;(<any>j).k()\n(l as M).n(o)\nconst p = q as const\nlet r: S | undefined = t!\nconst u = v()! as unknown as W<X, Y>, z = 1", "bind|call", `
		call f/0
		call h/0
		call ?.k/0
		call ?.n/1
		call v/0
		bind a: C
		bind d: E
		bind g = h()
		bind p = q
		bind r: S | undefined = t
		bind u: unknown as W<X, Y>
		bind z`},
	{"less than", "if (a < b || c > (d)) e()\nfor (let i = 0; i < f(g); i++) h<I>(j)\nk(l < m, n > o)\np<Q<R>>(s)\nconst t = new Map<string, U<V>>()\nconst w = x<Y>\nfoo()\nclass Z extends A<B> {}", "call", `
		call e/0
		call f/1
		call h/1
		call k/2
		call p/1
		call new Map/0
		call foo/0`},
	{"conditional or arrow", "const a = b ? (c) : d => e(d)\nconst f = g ? (h: I): J => k(h) : l\nconst m = n ? (o, p) : q(r)\ncase (s): t()", "call", `
		call e/1
		call k/1
		call q/1
		call t/0`},
	{"imports", "import type { A } from 'a'\nimport type B from 'b'\nimport { type C, D as E } from 'c'\nimport f = require('f')\nimport G = H.I\nexport import j = require('j')\nexport type { K } from 'k'\nexport type * from 'l'\nlet m: import('n').O\nimport type from 'p'\nexport = Q\nexport as namespace R\nfunction Q() {}", "import|function", `
		function Q exported
		import a {A} type
		import b {default B} type
		import c {C} {D E}
		import f as f
		import j as j reexport
		import k {K} reexport type
		import l {*} reexport type
		import n dynamic type
		import p {default type}`},
	{"line ends", "type A = B\n| C\nlet d: E\n[f] = g()\nlet h = i as J\n(k)\nabstract\nclass L {}\ntype\nM = n()", declarations + "|call", `
		type A: B | C
		variable d: E
		variable h
		class L
		call g/0
		call n/0`},
	{"fields end with lines", "class A {\n  a: B\n  b = c\n  d() {}\n  readonly\n  e = () => {}\n  f?: () => void\n  g: typeof h\n  i\n}", declarations + "|bind", `
		class A
		method A.d exported
		method A.e exported
		bind a: B
		bind b = c
		bind f: () => void
		bind g: typeof h
		bind i`},
}

func TestTypes(t *testing.T) { check(t, ReadTS, typeSamples) }

// TestContext shows what is known of functions and objects from what expects them.
func TestContext(t *testing.T) {
	check(t, ReadTS, []sample{
		{"results that are functions", "export const a = (b: C): ((d: E, f?: G) => Promise<H>) => { return (i) => j(i) }\nconst k = (): (() => L) => () => m()\nconst n = (): (o: P) => Q => (r) => r.s()\nlet t: (U | V)[]", declarations + "|call|bind", `
			function a(b: C): ((d: E, f?: G) => Promise<H>) exported
			function k: (() => L)
			function n: (o: P) => Q
			variable t: (U | V)[]
			call j/1
			call m/0
			call r.s/0
			bind b: C #1
			bind ()
			bind i = {((d: E, f?: G) => Promise<H>)}^0
			bind ()
			bind ()
			bind r = {(o: P) => Q}^0
			bind t: (U | V)[]`},
		{"parenthesised functions", "const a = ((b) => { c() }) as unknown as D\nexport const e = (async function* f() {}) satisfies G\nconst h = ((i) => j)(k)\nconst l = ((m) => n, o) as P\nclass Q { r = (<T>(s: T) => t()) as U }", declarations + "|call", `
			function a(b)
			function e exported async generator
			constant h
			constant l
			class Q
			method Q.r(s: T) exported
			call c/0
			call t/0`},
		{"callbacks", "a.b('/', (c, { d }, [, e], ...f) => c.g())\nh<I>(j(), k => k, function (this: L, m) {}, n ? (o) => o : p)\nnew Q((r) => {})\nconst s: T = (u) => u\nv[0].w((x) => x)\ny()((z) => z)", "bind", `
			bind c = a.b^1^0
			bind d = a.b^1^1.d
			bind e = a.b^1^2#1
			bind f = a.b^1^3
			bind k = h^1^0
			bind this: L
			bind m = h^2^0
			bind o
			bind r = Q^0^0
			bind u = {T}^0 #1
			bind () = u
			bind x = v[=0].w^0^0
			bind z`},
		{"objects of a type", "const a: B = { c(d) { return e(f => f) }, g: (h) => h, i: { j(k) {} } }\nl({ m: (n) => n, o })\nfunction p(): Q { return { r(s) {} } }\nclass T { u: V = (w) => w }", "bind", `
			bind a: B = {}
			bind d = {B}.c^0 #1
			bind () = e()
			bind f = e^0^0
			bind h = {B}.g^0 #1
			bind () = h
			bind .i = {}
			bind k = {B}.i.j^0 #1
			bind n = l^0.m^0 #1
			bind () = n
			bind () = {}
			bind s = {Q}.r^0 #1
			bind w = {V}^0 #1
			bind () = w`},
		{"what objects hold", "const a = { b, c: d.e, f() {}, 'g': h(), i: 1 }\nfunction j() { const k = { l }; return { m } }\nexport default { n, o: p }\nq({ r })", "bind", `
			bind a = {}
			bind .b = b
			bind .c = d.e
			bind .g = h()
			bind k = {}
			bind .l = l
			bind () = {}
			bind .m = m
			bind default = module.exports
			bind .n = n
			bind .o = p`},
		{"what objects are cast to", "const a = (() => { return { b } })(), c = { d } as const, e = {} satisfies F\nfunction g() { return { h } as const }\nfunction i() { return { j } as K }\nnew Map<L, M>()\nconst n = new Set<O>(), p = new Q<R>()\nimport('s' + t)", "import|bind", `
			bind a = ?()
			bind .b = b
			bind c = {}
			bind .d = d
			bind e = {}
			bind () = {}
			bind .h = h
			bind (): K
			bind .j = j
			bind n: Set<O>
			bind p = Q()`},
		{"other names of exports", "export { a as b, c, d as default }\nexport default e.f()\nexport default class G {}\nexport default function () {}", "bind", `
			bind b = a
			bind default = d
			bind default = e.f()
			bind default = G`},
		{"values that are one of several", "const a = b ?? new C(), d = e || f || 1, g = h ? i.j : k(), { l } = m ?? n, o = p ? 1 : {}, q = r ?? {}", "bind", `
			bind a = b??C()
			bind d = e??f
			bind g = i.j??k()
			bind l = m.l??n.l
			bind o = {}
			bind q = r`},
		{"imports as values", "const { a } = await import('./b'), c = require('d').e\nasync function f() { return import('./g') }\n;(await import('./h')).i()\nrequire(j).k()", "bind|call", `
			call require/1
			call import('./h').i/0
			call require/1
			call require().k/0
			bind a = import('./b').a
			bind c = import('d').e
			bind () = import('./g')`},
	})
}

func TestTSX(t *testing.T) {
	check(t, ReadTSX, []sample{
		{"type parameters", "const a = <T,>(x: T) => b(x)\nconst c = <T extends D>(x: T): E => <F<T> g={h()} />\ntype I = <T>(x: T) => void\nconst j = <K>(l)</K>\nm()", declarations + "|call", `
			function a(x: T)
			function c(x: T): E
			type I: <T>(x: T) => void
			constant j
			call b/1
			call h/0
			call m/0`},
	})
}

func TestMarkup(t *testing.T) {
	check(t, ReadMarkup, []sample{
		{"two scripts", "<template><a @click=\"no()\"/></template>\n<script lang=\"ts\">export default { a: b() }</script>\n<script setup lang=\"ts\" generic=\"T extends X<Y>\">\nconst c = <D>e()\nfunction f(x: G) {}\n</script>\n<style>h() {}</style>", declarations + "|call", `
			constant c
			function f(x: G)
			call b/0
			call e/0`},
		{"no script", "<p>{no()}</p>", declarations + "|call", ""},
		{"labels", "<script>\nlet a\n$: b = c(a)\n</script>\n{#if no()}{/if}", declarations + "|call", "variable a\ncall c/1"},
	})
}

func TestAstro(t *testing.T) {
	check(t, ReadAstro, []sample{
		{"front matter and a script", "\ufeff\n---\nimport A from './A.astro';\nconst b = f(1)\n---\n<A b={no()} />\n<script>\nlet c = g()\n</script>", declarations + "|call", "constant b\nvariable c\ncall f/1\ncall g/0"},
		{"rules below are no front matter", "<p>a</p>\n---\nno()\n---\n<script>a()</script>", declarations + "|call", "call a/0"},
		{"not closed", "---\nno()\n<p/>", declarations + "|call", ""},
		{"none", "<p>{no()}</p>", declarations + "|call", ""},
	})
	check(t, ReadMarkup, []sample{{"front matter is of Astro alone", "---\nno()\n---\n<script>a()</script>", declarations + "|call", "call a/0"}})
}

// TestSpans shows what a declaration spans.
func TestSpans(t *testing.T) {
	for _, c := range []struct{ src, name, span, doc, body string }{
		{"x()\n/** about f */\n@g()\nexport class F { }\ny()", "F", "/** about f */\n@g()\nexport class F { }", "/** about f */", "{ }"},
		{"// one\n// two\nexport const f = (a) => a.b();\n", "f", "// one\n// two\nexport const f = (a) => a.b();", "// one\n// two", "a.b();"},
		{"const a = 1, b = function () { };", "b", "b = function () { };", "", "{ };"},
		{"class A { /* no */ x = 1\n  // it\n  private async m(): T { }\n}", "m", "// it\n  private async m(): T { }", "// it", "{ }"},
		{"o = { k: v, m() { }, n: 1 }", "m", "m() { }", "", "{ }"},
		{"A.prototype.f = function () { }", "f", "A.prototype.f = function () { }", "", "{ }"},
		{"declare function f(): T;", "f", "declare function f(): T;", "", ""},
		{"type A = { b: C };", "A", "type A = { b: C };", "", "{ b: C };"},
	} {
		f := ReadTS([]byte(c.src))
		found := false
		for _, d := range f.Decls {
			if d.Name != c.name {
				continue
			}
			found = true
			span, doc, body := c.src[d.Span.Start:d.Span.End], c.src[d.Doc.Start:d.Doc.End], c.src[d.Body:d.Span.End]
			if span != c.span || doc != c.doc || body != c.body {
				t.Errorf("%s in %q: span %q, doc %q, body %q, want %q, %q, %q", c.name, c.src, span, doc, body, c.span, c.doc, c.body)
			}
		}
		if !found {
			t.Errorf("no %s in %q: %s", c.name, c.src, strings.ReplaceAll(render(f), "\n", "; "))
		}
	}
}
