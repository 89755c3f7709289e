package ecma

import "testing"

var scripts = []sample{
	{"functions", "function a(x, y = 1, ...z) {}\nasync function b() { function c() {} }\nfunction* d() { yield e(); yield* f }\nfoo(function named() {})", declarations, `
		function a(x; y = 1; ...z)
		function b async
		function b.c local
		function d generator
		function named`},
	{"values with a name", "const a = () => 1, b = async x => x, c = function d() {}\nlet e\ne = function () {}\nconst f = function () {}.bind(this)\nconst g = (() => {})()", declarations, `
		function a
		function b(x) async
		function c
		variable e
		function e
		constant f
		constant g`},
	{"object methods", "const o = { a() {}, async *b() {}, get c() { return 1 }, d: function () {}, e: () => {}, 'f-g'() {}, [h()]() {}, 1() {}, async, get, set: 2, i: function j() {} }", declarations + "|call", `
		constant o
		method o.a
		method o.b async generator
		method o.c accessor
		method o.d
		method o.e
		method o.f-g
		method o.i
		call h/0`},
	{"class", "export class A extends mixin(B) {\n  #p = 1; static q = new C()\n  static { init() }\n  constructor(x) { super(x); this.x = x }\n  get v() { return this.#m() }\n  set v(w) {}\n  #m() {}\n  static async *[Symbol.iterator]() { go() }\n  arrow = () => this.#m()\n  get\n  *gen() {}\n  async() {}\n  static() {}\n  'quoted'() {}\n}", declarations + "|call|bind", `
		class A < mixin(B) exported
		method A.constructor(x) exported constructor
		method A.v exported accessor
		method A.v(w) exported accessor
		method A.#m
		method A.arrow exported
		method A.gen exported generator
		method A.async exported
		method A.static exported
		method A.quoted exported
		call mixin/1
		call new C/0
		call init/0
		call super/1
		call this.#m/0
		call go/0
		call this.#m/0
		bind #p
		bind q = C()
		bind x #1
		bind this.x = x
		bind () = this.#m()
		bind w #1
		bind () = this.#m()
		bind get`},
	{"assignments", "A.prototype.f = function () {}\nexports.g = function () {}\nmodule.exports.h = () => {}\napp.use = function use() {}\nfunction K() { this.k = function () {} }\na[0].l = () => {}\nx ? y.m = function () {} : z\nfor (k in y.n = function () {}, y) ;", declarations, `
		method A.f exported
		function g exported
		function h exported
		function app.use exported
		function K
		method K.k exported local
		function l exported
		function y.m exported
		function y.n exported`},
	{"module.exports", "function a() {}\nfunction b() {}\nfunction c() {}\nfunction d() {}\nmodule.exports = { a, x: b, m() {}, n: () => {} }\nexports.c = c", declarations, `
		function a exported
		function b exported
		function c exported
		function d
		method m exported
		method n exported`},
	{"module.exports = f", "exports = module.exports = create\nfunction create() {}", declarations, `function create exported`},
	{"module.exports = function", "module.exports = function make() {}", declarations, `function make exported`},
	{"exports at the end", "const a = 1\nfunction b() {}\nclass C {}\nexport { a, b as default }", declarations, `
		constant a exported
		function b exported
		class C`},
	{"default", "export default function () { a() }", declarations + "|call", `call a/0`},
	{"default with a name", "export default async function f() {}", declarations, `function f exported async`},
	{"default class", "export default class A { f() {} }", declarations, "class A exported\nmethod A.f exported"},
	{"default later", "class A {}\nexport default A", declarations, "class A exported"},
	{"imports", "import 'a'\nimport b from \"./b\"\nimport * as c from 'c'\nimport d, { e, f as g, default as h } from '../d'\nimport data from './x.json' with { type: 'json' }\nexport { i as j } from 'i'\nexport * from 'k'\nexport * as l from 'l'\nimport.meta.url\nif (x) { const m = await import('m') }\nimport(y)\nimport('n').then(z)", "import", `
		import a
		import ./b {default b}
		import c {* c}
		import ../d {default d} {e} {f g} {default h}
		import ./x.json {default data}
		import i {i j} reexport
		import k {*} reexport
		import l {* l} reexport
		import m as m dynamic conditional
		import n dynamic`},
	{"require", "const a = require('a')\nconst { b, c: d } = require(\"b\")\nconst e = require('e').f\nrequire(x)\nfunction g() { return require('h') }\nif (y) require('i')\nexports.k = require('k')", "import", `
		import a as a dynamic
		import b {b} {c d} dynamic
		import e {f e} dynamic
		import h dynamic conditional
		import i dynamic conditional
		import k as exports.k dynamic`},
	{"calls by a name in quotes", "a['b'](c, d)\na.e[\"f\"]()\na['g-h']()\na['i'].j()\na[k]()", "call", `
		call a.b/2
		call a.e.f/0
		call a[].(/-1
		call a.i.j/0
		call a[].(/-1`},
	{"arrays", "const a = [b, c.d, 1, ...e, f]\nlet [g, ...h] = [i, [j]]\na[0] = k; l.m[n] = o; p['q'] = r; s['t u'] = v\na[2](), a[12345](), a[`x`]()\nconst w = [1, () => 2], x = { y: [z] }\nf()[0] = g\nh[1] = 1", "call|bind", `
		call a[=2].(/-1
		call a[].(/-1
		call a[].(/-1
		call f/0
		bind a = @10
		bind @10[]: =0 = b
		bind @10[]: =1 = c.d
		bind @10[]: =* = e
		bind @10[] = f
		bind g = @47#0
		bind h = @47[:1]
		bind @47[]: =0 = i
		bind @47[]: =1 = @51
		bind @51[]: =0 = j
		bind a[]: =0 = k
		bind l.m[] = o
		bind p.q = r
		bind s[] = v
		bind w
		bind x = {}
		bind .y = @165
		bind @165[]: =0 = z
		bind f()[]: =0 = g`},
	{"calls", "a.b?.c(1, 2)?.[d()].e()\nnew F\nnew g.H(1)\nnew (i())()\nj?.(k)\n(l.m)()\nn()()\n`t ${o(`${p()}`)} ${q}`\nr`x${s()}`\nnew this.T()\nnew new.target()\nif (u) (v)()\nw\n(x)\nsuper.y()\nnew z`t`", "call", `
		call a.b.c/2
		call d/0
		call ?.e/0
		call new F/-1
		call new g.H/1
		call i/0
		call i().(/-1
		call j/1
		call n/0
		call n().(/-1
		call o/1
		call p/0
		call s/0
		call new this.T/0
		call v.(/-1
		call w/1
		call super.y/0`},
	{"regular expressions", "a = b / c(1) / d(2)\ne = /f(g)/.test(h())\nif (x) /i(j)/.exec(k)\nl = m++ / n(1) / 2\no = [/[/]p(]/, q()]\nreturn /r(/g\ns = (t) / u() / v\nw = x ? /y(/ : z()\n}\n/aa(/.test(bb())", "call", `
		call c/1
		call d/1
		call ?.test/1
		call h/0
		call ?.exec/1
		call n/1
		call q/0
		call u/0
		call z/0
		call ?.test/1
		call bb/0`},
	{"shifts and numbers", "a = 1<<b(c), d = .5*e(1), f = g?.5:h(), i = 1..toFixed(), j = 0x1F.k()", "call", `
		call b/1
		call e/1
		call h/0
		call ?.toFixed/0
		call ?.k/0`},
	{"bindings", "const a = new A(), b = a.c.d(), e = f, g = h + i, { j, k: { l } = m(), ...n } = o.p, [q, , r] = s()\nfor (const t of u()) v(t)\nfor (const w in x) ;\nfor (let i = 0, y = z(); i < y; i++) ;\ntry {} catch (err) {}\nthis.aa = await bb()\nfunction f(cc, { dd, ee = ff() }, gg = new HH()) { return gg }\nxs.map(ii => ii.jj())", "bind", `
		bind a = A()
		bind b = a.c.d()
		bind e = f
		bind g
		bind j = o.p.j
		bind l = o.p.k.l
		bind n
		bind q = s()#0
		bind r = s()#2
		bind t = u()[]
		bind w
		bind i
		bind y = z()
		bind err
		bind this.aa = bb()
		bind cc #1
		bind dd
		bind ee
		bind gg = HH() #3
		bind () = gg
		bind ii = xs.map^0^0`},
	{"line ends", "const a = b\nfoo()\nconst c = () => {}\n(d)()\nlet e\nf()\nreturn\ng()\nx\n++y\nz()", declarations + "|call", `
		constant a
		function c
		variable e
		call foo/0
		call d.(/-1
		call f/0
		call g/0
		call z/0`},
	{"labels and words", "outer: for (;;) { break outer; continue }\nof(1)\nget(2)\nasync(3)\ntype(4)\nlet type = 5\nfor (of of of) ;\nfor (x of (y)) ;\nvar async = get; async\nfunction z() {}", declarations + "|call", `
		variable type
		variable async
		function z
		call of/1
		call get/1
		call async/1
		call type/1`},
	{"private names without a space", "class A { async#b() { this.#c(d) } static#c = () => {}; get#e() { return #b in f() } }", declarations + "|call", `
		class A
		method A.#b async
		method A.#c static
		method A.#e accessor
		call this.#c/1
		call f/0`},
	{"switch", "switch (a()) { case b(): case c ? d() : e(): f(); default: g() }", "call|missed", `
		call a/0
		call b/0
		call d/0
		call e/0
		call f/0
		call g/0`},
	{"hashbang and HTML comments", "#!/usr/bin/env node\n<!-- no()\na()\n/* no() */ b() // no()", "call", "call a/0\ncall b/0"},
	{"decorators", "@a @b.c(d()) class E { @f g() {} @h(i) j = 1 }", declarations + "|call", `
		class E @a @b.c(d())
		method E.g @f exported
		call b.c/1
		call d/0
		call h/1`},
}

func TestScript(t *testing.T) { check(t, ReadJS, scripts) }

var elements = []sample{
	{"elements", "const A = () => <div className=\"x(y)\" onClick={() => f(1)} {...g()}>text (no) 'no {h(<b>{i()}</b>)} // no\n</div>\nj()", declarations + "|call|missed", `
		function A
		call f/1
		call g/0
		call h/1
		call i/0
		call j/0`},
	{"fragments and empty elements", "return <><A.B c={d()} /><e:f/>{/* no() */}{}</>\ng()", "call|missed", "call d/0\ncall g/0"},
	{"attributes over lines", "x = <a b=\"\n' (\" c='>' d=\"{no()}\">{e()}</a>; f()", "call|missed", "call e/0\ncall f/0"},
	{"comparisons", "if (a <b && c> (d)) e()\nfor (;i<n;) f()", "call", "call e/0\ncall f/0"},
	{"conditional", "const a = b ? <c/> : <d>{e()}</d>\nconst f = g && <h/>\nfunction i() {}", declarations + "|call", `
		constant a
		constant f
		function i
		call e/0`},
	{"never closed", "const a = () => <div>\n\nexport function b() { c() }", declarations + "|call", "function a\nfunction b exported\ncall c/0"},
}

func TestElements(t *testing.T) {
	check(t, ReadJS, elements)
	check(t, ReadTSX, elements)
}

var broken = []sample{
	{"a parenthesis", "function a() { b(1, \n}\nfunction c() { d() }", declarations + "|call", "function a\nfunction c\ncall b/1\ncall d/0"},
	{"a parenthesis in a block", "function a() {\n  b(1, \n  const c = d()\n  return e()\n}\nfunction f() {}", declarations + "|call", "function a\nfunction f\ncall b/2\ncall d/0\ncall e/0"},
	{"a brace", "function a() {\n  if (x) {\n  b()\n}\nfunction c() { d() }\nexport class E { f() {} }", declarations + "|call", "function a\nfunction c\nclass E exported\nmethod E.f exported\ncall b/0\ncall d/0"},
	{"a brace of a class", "class A {\n  b() {\n    c()\n}\nexport function d() {}", declarations, "class A\nmethod A.b exported\nfunction d exported"},
	{"a brace too many", "function a() { } }\nfunction b() {}", declarations + "|missed", "function a\nfunction b\nmissed 1"},
	{"half a statement", "const a =\nfunction\nclass\nimport\nexport\nlet\nb(", "call", ""},
	{"a string", "a('never closed)\nb()", "call", "call a/1\ncall b/0"},
	{"merge marks", "<<<<<<< HEAD\na()\n=======\nb()\n>>>>>>> other\nfunction c() {}", declarations + "|call|missed", "function c\ncall a/0\ncall b/0"},
}

func TestBroken(t *testing.T) { check(t, ReadJS, broken) }
