package python

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/testaid"
	"github.com/assay-dev/assay/internal/lang/langtest"
)

var traits = []string{"async", "generator", "static", "abstract", "constructor", "accessor", "local", "extension", "pointer"}

var ways = []string{"reexport", "dynamic", "conditional", "typeonly", "relative", "system", "member"}

func bits(n int, names []string) string {
	s := ""
	for k, name := range names {
		if n>>k&1 == 1 {
			s += " " + name
		}
	}
	return s
}

func one(s string) string { return strings.ReplaceAll(s, "\n", "⏎") }

// decls renders one declaration a line: what it is, its head and what it holds.
func decls(src string, f corpus.Facts) string {
	var b strings.Builder
	for _, d := range f.Decls {
		fmt.Fprintf(&b, "%v %s", d.Kind, d.Name)
		if d.Params != nil {
			fmt.Fprintf(&b, "(%s)", strings.Join(d.Params, "|"))
		}
		if d.Bases != nil {
			fmt.Fprintf(&b, "<%s>", strings.Join(d.Bases, "|"))
		}
		if d.Result != "" {
			b.WriteString(" -> " + d.Result)
		}
		for _, m := range d.Marks {
			b.WriteString(" @" + m)
		}
		b.WriteString(bits(int(d.Traits), traits))
		if !d.Exported {
			b.WriteString(" hidden")
		}
		if d.Doc.Len() > 0 {
			fmt.Fprintf(&b, " doc %s", one(src[d.Doc.Start:d.Doc.End]))
		}
		fmt.Fprintf(&b, " {%s}\n", one(src[d.Body:d.Span.End]))
	}
	return b.String()
}

// heads is decls without bodies.
func heads(src string, f corpus.Facts) string {
	var b strings.Builder
	for line := range strings.Lines(decls(src, f)) {
		head, _, _ := strings.Cut(line, " {")
		b.WriteString(head + "\n")
	}
	return b.String()
}

func spans(src string, f corpus.Facts) string {
	var b strings.Builder
	for _, d := range f.Decls {
		fmt.Fprintf(&b, "%s: %s\n", d.Name, one(src[d.Span.Start:d.Span.End]))
	}
	return b.String()
}

func imports(_ string, f corpus.Facts) string {
	var b strings.Builder
	for _, m := range f.Imports {
		b.WriteString(m.Path)
		if m.Alias != "" {
			b.WriteString(" as " + m.Alias)
		}
		for k, n := range m.Names {
			b.WriteString([]string{": ", ", "}[min(k, 1)] + n.Name)
			if n.Alias != "" {
				b.WriteString(" as " + n.Alias)
			}
		}
		b.WriteString(bits(int(m.Kind), ways) + "\n")
	}
	return b.String()
}

func calls(_ string, f corpus.Facts) string {
	var b strings.Builder
	for _, c := range f.Calls {
		if c.Receiver != "" {
			b.WriteString(c.Receiver + " ")
		}
		fmt.Fprintf(&b, "%s/%d\n", c.Callee, c.Args)
	}
	return b.String()
}

func bindings(_ string, f corpus.Facts) string {
	var b strings.Builder
	for _, x := range f.Bindings {
		b.WriteString(x.Name)
		if x.Param > 0 {
			fmt.Fprintf(&b, " #%d", x.Param)
		}
		if x.Type != "" {
			b.WriteString(": " + x.Type)
		}
		if x.Value != "" {
			b.WriteString(" = " + x.Value)
		}
		b.WriteString("\n")
	}
	return b.String()
}

type sample struct{ src, want string }

func check(t *testing.T, what string, render func(string, corpus.Facts) string, samples []sample) {
	t.Helper()
	for _, c := range samples {
		if got := strings.TrimSuffix(render(c.src, Read([]byte(c.src))), "\n"); got != c.want {
			t.Errorf("%s of\n%s\nare\n%s\nwant\n%s", what, c.src, got, c.want)
		}
	}
}

func TestDecls(t *testing.T) {
	check(t, "declarations", decls, []sample{
		{"def f(a, /, b: int = 1, *, c=g(1, 2), **kw) -> Dict[str, int]:\n    return 1\nx()\n", "function f(a|/|b: int = 1|*|c=g(1, 2)|**kw) -> Dict[str, int] {return 1}"},
		{"class A: pass\nclass _B(A, m.C[T], metaclass=M):\n\tx = 1\n", "class A {pass}\nclass _B<A|m.C[T]> hidden {x = 1}"},
		{"def f():\n    '''Doc.'''\n    x\n# above\ndef g(): pass;\n", "function f doc '''Doc.''' {'''Doc.'''⏎    x}\nfunction g doc # above {pass;}"},
		{"if x:\n  def f(): return 1\n  def g(): 2\n", "function f {return 1}\nfunction g {2}"},
		{"def f(a,\n      b,  # why\n      ):\n\n  pass", "function f(a|b) {pass}"},
		{"f = lambda a, b=(1, 2): a.c(b)\ng = h = (lambda: 0)\nt = lambda: 1, 2\n", "function f(a|b=(1, 2)) {a.c(b)}\nvariable g {}\nfunction h {0)}\nvariable t {lambda: 1, 2}"},
		{"X = 1\n_y: int = 2\na, b = 1, 2\nX = 3\nif c:\n  d = 4\nT: TypeAlias = int", "constant X {1}\nvariable _y -> int hidden {2}\nvariable a {}\nvariable b {}\nvariable d {4}\ntype T -> TypeAlias {int}"},
		{"type P[T] = list[T]\ntype = 1\ntype(x)\n", "type P -> list[T] {list[T]}\nvariable type {1}"},
		{"class A:\n  # about f\n  def f(self): ...\n", "class A {# about f⏎  def f(self): ...}\nmethod f(self) doc # about f {...}"},
		{"\ufeffclass A:\r\n  def f(self):\r\n    pass\r\n\fdef g():\r\n  pass\r\n", "class A {def f(self):\r⏎    pass}\nmethod f(self) {pass}\nfunction g {pass}"},
		{"def \\\n  f():\n\tif a:\n        b\n\tc\n", "function f {if a:⏎        b⏎\tc}"},
		{"def f(x):\n    r\"raw \\\" doc\" 'and more'\n", "function f(x) doc r\"raw \\\" doc\" 'and more' {r\"raw \\\" doc\" 'and more'}"},
		{"def f(x):\n    f'no doc'\ndef g(): 'no'.join(x)\n", "function f(x) {f'no doc'}\nfunction g {'no'.join(x)}"},
		{"def f(a, (b, c)): print a, b\n", "function f(a|(b, c)) {print a, b}"},
	})
	check(t, "heads", heads, []sample{
		{"@a\n@b.c(1)\nasync def f(): yield 1\n", "function f @a @b.c(1) async generator"},
		{"class A:\n @staticmethod\n def f(): pass\n @property\n def g(self): pass\n @g.setter\n def g(self, v): pass\n def __init__(self): pass\n @abc.abstractmethod\n def _h(self): pass\n x = lambda: 0",
			"class A\nmethod f @staticmethod static\nmethod g(self) @property accessor\nmethod g(self|v) @g.setter accessor\nmethod __init__(self) constructor\nmethod _h(self) @abc.abstractmethod abstract hidden\nmethod x"},
		{"def f():\n  class B:\n    def g(self):\n      def h(): yield\n  def i(): pass\n", "function f\nclass B local hidden\nmethod g(self) hidden\nfunction h generator local hidden\nfunction i local hidden"},
		{"def f[T: (int, str), **P](x: T): pass\nclass A[T](B[T]): pass\n", "function f(x: T)\nclass A<B[T]>"},
	})
	check(t, "spans", spans, []sample{
		{"x()\n# far\n\n# one\n# two\n@d(\n 1)\n@e\ndef f():\n  a\n  # inside\n\n# after\nb", "f: # one⏎# two⏎@d(⏎ 1)⏎@e⏎def f():⏎  a"},
		{"def f():\n  a\n  # of a\ndef g(): pass\n", "f: def f():⏎  a\ng: def g(): pass"},
	})
}

func TestImports(t *testing.T) {
	check(t, "imports", imports, []sample{
		{"import a.b as c, d; import e\n", "a.b as c\nd\ne"},
		{"from .x import y as z, w\nfrom ... import v\nfrom a . b import *\nfrom a import (b,  # why\n  c as d,)\n", ".x: y as z, w\n...: v\na.b: *\na: b, c as d"},
		{"try:\n  import a\nexcept ImportError:\n  import b\nif TYPE_CHECKING:\n  import c\nelse:\n  import d\ndef f():\n  import e\nclass A:\n  import g\n", "a conditional\nb conditional\nc typeonly\nd conditional\ne conditional\ng"},
		{"if not TYPE_CHECKING: import a\nif typing.TYPE_CHECKING: import b\nx = importlib.import_module('c.d')\n__import__(\"e\", x)\n", "a conditional\nb typeonly\nc.d dynamic\ne dynamic"},
		{"import a.\\\n  b\nfrom x import\nfrom import y\nimport\n", "a.b\nx"},
	})
	src := "import a, \\\n  b.c\n"
	if m := Read([]byte(src)).Imports[1]; src[m.At:m.At+3] != "b.c" {
		t.Errorf("b.c is at %d", m.At)
	}
}

func TestCalls(t *testing.T) {
	check(t, "calls", calls, []sample{
		{"f(1, a.b(x=2), *c).g[0].h()", "f/3\na b/1\nf().g[=0] h/0"},
		{"@d\n@e.f(1)\nclass A(g()):\n  def h(self, x=i()) -> j(): pass\n", "d/-1\ne f/1\ne.f() (/-1\ng/0\ni/0\nj/0"},
		{"x = f'{a(1)!r:>{b(2)}} {{c(3)}}' \"d(4)\" rf'\\d{e(5)}' Rb'f(6)'", "a/1\nb/1\ne/1"},
		{"f'{x:\"^#10}{a()}'; f\"{d[\"k\"].b(f'{c()}')}\"\nd()\n", "a/0\nd[=k] b/1\nc/0\nd/0"},
		{"f'''\n{a(\n1)} ' {b()}\n'''.c()\n", "a/1\nb/0\n? c/0"},
		{"match(x)\nmatch (x):\n  case A(b) | C(d) if e(f): g()\n  case (h, i): pass\ncase(1)\n", "match/1\ne/1\ng/0\ncase/1"},
		{"print (x)\n", "print/1"},
		{"print x, f(1)\nprint (y)\nexec \"c()\" in g()\nprint\n", "f/1\ng/0"},
		{"f()()\n(a.b)(c)\n(a or b)(c)\nx[0](y)\nreturn (z)\n", "f/0\nf() (/-1\na b/1\nx[=0] (/-1"},
		{"if f(x): g(); h()\nelse: i()\nwhile j(): pass\nlambda (a): k(a)\n", "f/1\ng/0\nh/0\ni/0\nj/0\nk/1"},
		{"async def f():\n  async with a() as b, c(): await d()\n  await e\n  [x async for x in h()]\n", "a/0\nc/0\nd/0\nh/0"},
		{"super().__init__(**kw)\n(await f(1)).g()\nnot (x).h()\nA[int](1)\n", "super/0\nsuper() __init__/1\nf/1\nf() g/0\nx h/0\nA[] (/-1"},
		{"f(\n  1,\n\ndef g():\n  h()\n", "f/1\nh/0"},
		{"f\n(x)\n", ""},
		{"raise A\nraise b.C\nraise d\nraise E(1) from e\n", "A/-1\nb C/-1\nE/1"},
		{"h['a'][-1](x)\n{'k': f}.get(1)()\n[1][0]()\n", "h[=a][] (/-1\n@14 get/1\n@14.get() (/-1"},
		{"x = a \\\n  .b(1)\n", "a b/1"},
	})
}

func TestBindings(t *testing.T) {
	check(t, "bindings", bindings, []sample{
		{"def f(self, a: T, *b: U, c: V = W(1), **d): pass", "self #1\na #2: T\nb #3: U\nc #4: V = W()\nd #5"},
		{"self.x = Foo(a).bar; x: List[int] = y; z: int\nself.a.b: T = c()", "self.x = Foo().bar\nx: List[int] = y\nz: int\nself.a.b: T = c()"},
		{"a = b = c.d\nx, self.y = f(), g\n(p, q) = r()\ns, *t = u, v\nw += 1", "a = c.d\nb = c.d\nx = f()\nself.y = g\np\nq\ns = u\nt\nt[]: =0 = v"},
		{"x = a or b.c()\nx = A() if c(1) else None\nx = A() if c else B()\nx = a and b\nx = a + b\nx = None\nx = 'a'.b\nx = (await f(1)).g\nx = await h()",
			"x = a\nx = b.c()\nx = A()\nx = A()\nx = B()\nx = b\nx\nx\nx\nx = f().g\nx = h()"},
		{"d = {'a': f, 'b': g.h, **k}\nl = [A(), b, 1]\nt = (f,\n g)\np = (f)\nc = [A(x) for x in y]\nd['k'] = f", "d = @4\n@4[]: =a = f\n@4[]: =b = g.h\n@4[]: =* = k\nl = @32\n@32[]: =0 = A()\n@32[]: =1 = b\nt = @48\n@48[]: =0 = f\n@48[]: =1 = g\np = f\nc = @68\n@68[] = A()\nx = y[]\nd[]: =k = f"},
		{"def f():\n  return a.b()\n  return\n  return a or b\n  return a, b\n  yield x\n  yield from g()\n  y = yield z\n", "() = a.b()\n() = a\n() = b\n[] = x\n[] = g()[]\ny\n[] = z"},
		{"for x in a.b: pass\nfor k, v in d.items(): pass\nfor i, x in enumerate(y): pass\nfor a, b in zip(c, d()): pass\nfor x in d.values(): pass\nfor self.x in sorted(y, key=z): pass\nfor a, (b, c) in e: pass",
			"x = a.b[]\nk\nv = d[]\ni\nx = y[]\na = c[]\nb = d()[]\nx = d[]\nself.x = y[]\na\nb\nc"},
		{"with f() as x, g: pass\nwith (open(a) as b, c as (d, e),): pass\nexcept* (E, m.F) as e: pass\nexcept E, e: pass\n", "x = f()\nb = open()\nd\ne\ne: (E, m.F)\ne: E"},
		{"if (m := re.match(a)) and (n := b + 1): pass\nf(lambda u, *v, w=1: u)\n", "m = re.match()\nn\nu\nv\nw"},
		{"f = lambda x, y=g: x.z()\n", "x #1\ny #2 = g\n() = x.z()"},
		{"x = foo\n(a, b) = c\n[d, e] = g, h\n", "x = foo\na\nb\nd = g\ne = h"},
		{"match x:\n  case A() as a: pass\n", "a"},
		{"d['a']['b'] = f; d[x] = g\nd[1:2] = h\nl.append(m)\nl.extend(n); d.update(o)\nself.p.setdefault(k, q)\n", "d[=a][]: =b = f\nd[] = g\nd[]: =* = h\nl[] = m\nl[]: =* = n\nd[]: =* = o\nself.p[] = q"},
		{"a = copy.deepcopy(b.c)\nd = deepcopy(e).f\ng = copy.copy(h())", "a = b.c\nd = e.f\ng = h()"},
		{"a, (b, *c) = f, (g, h)\nf(x=[i])\nj = functools.partial(k, 1)\nl = m[1:]['n']\n", "a = f\nb = g\nc\nc[]: =0 = h\n@27[]: =0 = i\nj = k\nl = m[:1][=n]"},
	})
}

// What is broken costs no more than itself.
func TestBroken(t *testing.T) {
	check(t, "heads", heads, []sample{
		{"class A:\n  def f(self):\n    g(1,\n  def h(self):\n    pass\ndef i(): pass\n", "class A\nmethod f(self)\nmethod h(self)\nfunction i"},
		{"class A:\n  def f(self):\n<<<<<<< HEAD\n    a(')')\n=======\n    b(\n>>>>>>> other it's\n  def g(self): pass\n", "class A\nmethod f(self)\nmethod g(self)"},
		{"class A:\n  def f(self\n  def g(self) pass\n  @\n  def\ndef h(): x = 'open\ndef i(): f'{x\ndef j(): pass\n", "class A\nmethod f(self)\nmethod g(self)\nfunction h\nfunction i\nfunction j"},
		{"class A:\n  @a\ndef f(): pass\n@b\nx = 1\n@c\nf()\ndef g(): pass\n", "class A\nfunction f\nvariable x\nfunction g"},
	})
}

var readers = []langtest.Reader{{Name: "python", Read: Read}}

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"class A(B, metaclass=M):\n  '''d'''\n  @p.q(1)\n  async def f(self, a: T=1, *b, **c) -> R:\n    return a.b(c)[0]\n", "x = f'{a!r:\"^{w}}'\n", "def f(\nclass (:\n", "if a: if b: class C: pass\n",
		"for for in in x: [y for z in (w", "a = b, *c = (lambda: (0))\n", "match x:\n case A(b) as c if d: e\n", "from . import (a as b,\nimport c.\n", "<<<<<<< a\n=======\n>>>>>>> b\n", "\ufeff\t\f def f(): yield from (yield)\r\n",
		"with (a as b, c as d): pass\nexcept E, e:\n", "@a\n@b\n\n  @c\nclass A: x = lambda y=(lambda: z): y\n", "((a.b)(c).d()).e()", "type X[T] = {", "A= ", "print x\nprint (y)\n", "rf'\\{a}'\nf'''{\n}'''\\\n+ 1",
	} {
		f.Add(s)
	}
	langtest.Fuzz(f, readers)
}

// Time is linear in the text, whatever it repeats: twice as much takes about
// twice as long.
func TestLinear(t *testing.T) {
	langtest.Linear(t, readers, 60_000,
		"if a: ", "for ", "lambda ", "x = ", "((a).b", "(", "f(", "[", "{'a': \"}\", ", "f'{x:\"", "f'{", "class A: ", "case x; ", "match x: ", "@a ", "def f(", "yield (", "(x := ", "a.b(", "a().", "x; ", "# a\n", "\\\n", "\"", "'''",
		"not ", "a or ", "a if b else ", "with a as ", "from a import ", "print ", "f'''{", "x = [", "A= ", "else: ", "def f(a=(lambda: ", "x: ", "<<<<<<<\n", ")", "(a)(", "for x in zip(", "return (", " @x\n", "class A:\n", "x, ", "*a, ")
	nested := func(n int) { Read([]byte(strings.Repeat("(", n) + "a" + strings.Repeat(").f()", n))) }
	if err := testaid.Linear(40_000, nested); err != nil {
		t.Errorf("nested parentheses: %v", err)
	}
}

func BenchmarkRead(b *testing.B) { langtest.Benchmark(b, Read, strings.Repeat(benchmark, 200)) }

const benchmark = `import os
from .base import Store as Base, Error

LIMIT = 100

class Cache(Base):
    """A cache that keeps what was used last.

    It holds at most LIMIT things.
    """

    def __init__(self, path: str, size: int = LIMIT, *, clock=None):
        super().__init__(path)
        self.items = {}
        self.size = size
        self.clock = clock or time.monotonic

    # The oldest goes first.
    def drop(self, n: int) -> int:
        dropped = 0
        for key, item in sorted(self.items.items(), key=lambda x: x[1].used):
            if dropped >= n or item.pinned:
                break
            del self.items[key]
            dropped += 1
        return dropped

    @classmethod
    def open(cls, path):
        with open(os.path.join(path, "index.json"), encoding="utf-8") as f:
            raw = json.load(f)
        if not isinstance(raw, dict):
            raise Error(f"{path}: {type(raw).__name__} is no index, expected {', '.join(KINDS)}")
        return cls(path, **{k: v for k, v in raw.items() if not k.startswith("_")})
`

func TestGiven(t *testing.T) {
	for src, want := range map[string]string{
		"f(1, a.b(x=2), *c)\n":             ",a.b()",
		"f(a, key=b.c, other=1)\n":         "a,key=b.c",
		"@f\n@g(1)\nasync def h(): pass\n": "h",
		"f(x for x in y)\n":                "",
	} {
		if f := Read([]byte(src)); f.Calls[0].Given != want {
			t.Errorf("%q gives %q, want %q", src, f.Calls[0].Given, want)
		}
	}
}
