package php

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/growth"
)

// render writes facts as lines: D declaration, I import, C call, B binding.
func render(src string, f corpus.Facts) string {
	line := func(at int) int { return strings.Count(src[:at], "\n") } // the tag has its own
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
		fmt.Fprintf(&b, "I %s as %q %#x\n", m.Path, m.Alias, uint8(m.Kind))
	}
	for _, c := range f.Calls {
		fmt.Fprintf(&b, "C %s|%s/%d", c.Receiver, c.Callee, c.Args)
		if c.New {
			b.WriteString(" new")
		}
		b.WriteByte('\n')
	}
	for _, v := range f.Bindings {
		fmt.Fprintf(&b, "B %s: %s = %s %d\n", v.Name, v.Type, v.Value, v.Param)
	}
	return b.String()
}

// check compares the rendered lines that begin with one of the letters; the text
// is what stands behind <?php.
func check(t *testing.T, src, letters string, want ...string) {
	t.Helper()
	if !strings.Contains(src, "<?") {
		src = "<?php\n" + src
	}
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
		{"/** about f */\nfunction &f(?A $a, int ...$b): ?B { }", []string{"D function f 1-2 (?A $a, int ...$b) ?B +"}},
		{"class A {\n /** @return B */\n public static function f() {}\n protected function list(self $x) { }\n private function __construct() {} }",
			[]string{"D class A 1-5 +", "D method f 2-3 B + 0x4", "D method list 4-4 (self $x)", "D method __construct 5-5 0x10"}},
		{"interface I { function f(); } abstract class A { abstract function g(): A|B; }",
			[]string{"D interface I 1-1 +", "D method f 1-1 + 0x8", "D class A 1-1 + 0x8", "D method g 1-1 A|B + 0x8"}},
		{"$f = function ($a) use ($b) { };\n$g = static fn($x): int => $x + 1;\n$this->h = fn() => [1, 2];\nself::$i = function() {};",
			[]string{"D function $f 1-1 ($a) +", "D function $g 2-2 ($x) int + 0x4", "D function h 3-3 +", "D function $i 4-4 +"}},
		{"f(function() { function g() {} }, fn($x) => 1); $x = ['k' => function() {}];", []string{"D function g 1-1 + 0x40", "D variable $x 1-1 +"}},
		{"function f() { $g = function() { yield 1; }; function h() {} yield 2; }", []string{"D function f 1-1 + 0x2", "D function $g 1-1 + 0x42", "D function h 1-1 + 0x40"}},
		{"$x = new class(1) extends B implements C { public function f() {} }; function g() {}", []string{"D variable $x 1-1 +", "D method f 1-1 +", "D function g 1-1 +"}},
		{"#[A(1), B]\n#[C]\nfunction f(#[D] $x) {}", []string{"D function f 1-3 (#[D] $x) @A(1) @B @C +"}},
		{"if (a()): function f() {} endif; FUNCTION g() {}", []string{"D function f 1-1 +", "D function g 1-1 +"}},
	} {
		check(t, c.src, "D", c.want...)
	}
}

func TestClasses(t *testing.T) {
	check(t, "namespace A\\B;\nfinal class C extends D implements \\E, F {\n use G, H { G::f insteadof H; }\n const int X = 1;\n private const Y = 2;\n}", "Dm",
		"module A\\B", "D class C 2-6 : D, \\E, F, G, H +", "D constant X 4-4 int +", "D constant Y 5-5")
	check(t, "enum Suit: string implements I { case A = 'a'; const X = 1; public function f() {} } trait T {}\nreadonly class R {}", "D",
		"D enum Suit 1-1 : I +", "D constant X 1-1 +", "D method f 1-1 +", "D trait T 1-1 +", "D class R 2-2 +")
	check(t, "namespace A { class B {} } namespace { const C = 1; }", "Dm", "module A", "D module A 1-1 +", "D class B 1-1 +", "D constant C 1-1 +")
	check(t, "class Enum extends X {} new Enum(1); Enum::f(); f(class: X::class, default: 1); class Y {}", "DC",
		"D class Enum 1-1 : X +", "D class Y 1-1 +", "C |Enum/1 new", "C Enum|f/0", "C |f/2")
}

func TestImports(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"use A\\B, C as D; use function A\\f; use const A\\X;", []string{`I A\B as "" 0x0`, `I C as "D" 0x0`, `I A\f as "" 0x40`, `I A\X as "" 0x40`}},
		{"use A\\{B, C\\D as E, function f};", []string{`I A\B as "" 0x0`, `I A\C\D as "E" 0x0`, `I A\f as "" 0x40`}},
		{"require 'a.php'; include_once(\"b.php\"); require __DIR__ . '/c.php'; require dirname(__FILE__) . '/d.php';",
			[]string{`I a.php as "" 0x12`, `I b.php as "" 0x12`, `I /c.php as "" 0x12`, `I /d.php as "" 0x12`}},
		{"require $x; require 'a' . $b; require \"a$b\"; function f() { return include 'x'; }", []string{`I x as "" 0x16`}},
	} {
		check(t, c.src, "I", c.want...)
	}
}

func TestCalls(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"f(1, [2, 3], function($a, $b) { return g($a, $b); }); \\A\\h(); namespace\\i();", []string{"C |f/3", "C |g/2", `C |\A\h/0`, `C |namespace\i/0`}},
		{"$a->b(1)->c()?->d(); A::f(); parent::__construct($x); self::g(); static::h();",
			[]string{"C $a|b/1", "C $a.b()|c/0", "C $a.b().c()|d/0", "C A|f/0", "C parent|__construct/1", "C self|g/0", "C static|h/0"}},
		{"new A(1); new A; new static; new $c(2); (new B(1))->f(); (new C)->g(); new $this->x(1);",
			[]string{"C |A/1 new", "C |A/0 new", "C |static/0 new", "C |$c/1 new", "C |B/1 new", "C B()|f/0", "C |C/0 new", "C C()|g/0", "C $this|x/1 new"}},
		{"$f(1); $o->$m(2); $o->{$m}(...$x); $o->{$m}(...); $o->{m()}(4); ($f)(5); $a['x'](6);", []string{"C |$f/1", "C $o|$m/1", "C $o|$m/1", "C |m/0"}},
		{"if (a()) { echo(1); isset($x); empty($x); list($a) = [1]; array(1); unset($x); exit(1); die(2); print(3); } elseif (b()) {} while (c()) {}",
			[]string{"C |a/0", "C |b/0", "C |c/0"}},
		{"$x = match(true) { f() => g(), default => h() }; foreach (i() as $k) {} switch (j()) { case k(): }",
			[]string{"C |f/0", "C |g/0", "C |h/0", "C |i/0", "C |j/0", "C |k/0"}},
		{"\"a {$b->c()} ${d} f() {g()} \\{$x\" . 'f()' . \"{$x['y']} \" . h();", []string{"C $b|c/0", "C |h/0"}},
		{"$x = <<<EOT\n f() {$a->b()} \n  EOTX\n  EOT . g() . <<<'X'\n{$a->c()}\nX;\nh();", []string{"C $a|b/0", "C |g/0", "C |h/0"}},
		{"// f() ?> g() <?php h(); # i()\n/* j() */ k() ?> l() <?= m() ?> n()", []string{"C |h/0", "C |k/0", "C |m/0"}},
		{"<html> f() <?xml g() ?> <?php h() ?>\n<?php i(); __halt_compiler(); j();", []string{"C |h/0", "C |i/0"}},
		{"strlen(...); $a->b(...); f(...$x); yield from (g());", []string{"C |f/1", "C |g/0"}},
		{"#[A(f(1), new B(2))] function c() {}", []string{"C |f/1", "C |B/1 new"}},
		{"ECHO(1); Isset($x); $a->list(); A::print(); A::class; $x = (int) f(); @g();", []string{"C $a|list/0", "C A|print/0", "C |f/0", "C |g/0"}},
	} {
		check(t, c.src, "C", c.want...)
	}
}

func TestBindings(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"function f(A|null $a, &$b, ...$c) { $x = $a->b()->c; return new T; }",
			[]string{"B $a: A|null =  1", "B $b:  =  2", "B $c:  =  3", "B $x:  = $a.b().c 0", "B ():  = T() 0"}},
		{"class A { private ?B $b = null; static $c;\n/** @var D[] */\nvar $d; function __construct(private readonly E $e, $f) { $this->g = $f; self::$c = new B(1); } }",
			[]string{"B $this.b: ?B =  0", "B self.$c:  =  0", "B $this.d: D[] =  0", "B $e: E =  1", "B $this.e: E = $e 0", "B $f:  =  2", "B $this.g:  = $f 0", "B self.$c:  = B() 0"}},
		{"/**\n * @param A $a what\n * @param B<c, d> $b */\nfunction f($a, $b) {}", []string{"B $a: A =  1", "B $b: B<c, d> =  2"}},
		{"foreach ($a->b() as $k => $v) {} foreach (x() as [$c, $d]) {} try {} catch (E|F $e) {}",
			[]string{"B $k:  =  0", "B $v:  = $a.b()[] 0", "B $c:  =  0", "B $d:  =  0", "B $e: E|F =  0"}},
		{"[$a, $b] = f(); list($c) = g(); $d = $e + 1; $f = null; $g = A::make() ?? 1; $h = (clone $i)->j();",
			[]string{"B $a:  =  0", "B $b:  =  0", "B $c:  =  0", "B $d:  =  0", "B $f:  =  0", "B $g:  = A.make() 0", "B $h:  = $i.j() 0"}},
		{"function f() { g(function($x) { return $x; }); yield h(); } $i = fn(A $a) => $a->b();",
			[]string{"B $x:  =  0", "B []:  = h() 0", "B $i:  =  0", "B $a: A =  1", "B ():  = $a.b() 0"}},
	} {
		check(t, c.src, "B", c.want...)
	}
}

// What is broken costs what is broken, and no more.
func TestBroken(t *testing.T) {
	check(t, "class A {\n  public function f() {\n    if ($x) {\n      g(1,\n\n  }\n\n  public function h() { i(); }\n}\n", "DC",
		"D class A 1-9 +", "D method f 2-6 +", "D method h 8-8 +", "C |g/-1", "C |i/0")
	check(t, "function f() {\n<<<<<<< HEAD\n a();\n=======\n b();\n>>>>>>> x\n}\nfunction g() {}", "DC", "D function f 1-7 +", "D function g 8-8 +", "C |a/0", "C |b/0")
	check(t, "} } function f( { g(); }\nclass\nfunction h() {}", "D", "D function f 1-1 +", "D function h 3-3 +")
	check(t, "$x = 'never\nclosed f()", "DC", "D variable $x 1-1 +")
	check(t, "no code f() <? ", "DC")
}

var sample = "<?php\nnamespace App\\Http;\n\nuse App\\Models\\User;\n" + strings.Repeat(`/**
 * Makes one.
 */
final class Controller extends Base implements Handler
{
    use Logs;
    private const LIMIT = 10;
    /** @var User[] */
    private array $users = [];

    public function __construct(private readonly Store $store, protected ?string $name = null)
    {
        parent::__construct($store);
    }

    // Handles what comes.
    public function handle(Request $request, array $options = []): ?Response
    {
        $user = $this->store->find($request->get('id')) ?? new User("none {$request->name()}");
        foreach ($this->users as $k => $other) {
            if ($other->is($user) && !empty($options['strict'])) {
                return Response::make(sprintf("%s: %d", $other->name, count($this->users)));
            }
        }
        return array_map(fn($x) => $x->value, $this->users);
    }
}
`, 100)

func BenchmarkRead(b *testing.B) {
	b.SetBytes(int64(len(sample)))
	for b.Loop() {
		Read([]byte(sample))
	}
}

// Twice the text takes about twice the time, whatever is nested or left open.
func TestLinear(t *testing.T) {
	for _, piece := range []string{"f(", "f{", "function f() {", "$a->b(", "$x = [", "#[A(", "$a = fn() => ", "$a=($b=(", "<<<A\n{$", "<<<A\n", "new A(", "class A {", "\"{$a->b(", "(((", "foreach (", "use A\\{", "?> <? ", "$x->y->z", "/** @param */ function f($a, "} {
		if err := growth.Linear(20000, func(n int) { Read([]byte("<?php " + strings.Repeat(piece, n) + "\nA;\n")) }); err != nil {
			t.Errorf("%q: %v", piece, err)
		}
	}
}

// FuzzRead holds the package's promise.
func FuzzRead(f *testing.F) {
	f.Add(sample[:1200])
	for _, s := range []string{"<?php \"{$", "<?php <<<A\n{$x}\nA", "<?php function f(", "<?php class A { function f(", "<?php $a = fn() =>", "a <? b", "<?php new", "<?php use A\\{", "<?php #[A", "<?php static static::f(",
		"<?php class A { function f() { public function g", "<?php ['a', $b] =", "<?php namespace A { class B", "<?php foreach (a as", "<?php const A =", "<?php (((((new A"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		facts := Read([]byte(src))
		var around []corpus.Span
		last := 0
		for _, d := range facts.Decls {
			if d.Span.Start < last || d.Span.End > len(src) || d.NameAt < d.Span.Start || d.NameAt+len(d.Name) > d.Body || d.Body > d.Span.End || src[d.NameAt:d.NameAt+len(d.Name)] != d.Name {
				t.Fatalf("%q declares %+v", src, d)
			}
			last = d.Span.Start
			for len(around) > 0 && around[len(around)-1].End <= d.Span.Start {
				around = around[:len(around)-1]
			}
			if n := len(around); n > 0 && around[n-1].End < d.Span.End {
				t.Fatalf("%q declares %+v across %v", src, d, around[n-1])
			}
			around = append(around, d.Span)
		}
		at := 0
		for _, c := range facts.Calls {
			if c.At < at || c.At+len(c.Callee) > len(src) || src[c.At:c.At+len(c.Callee)] != c.Callee {
				t.Fatalf("%q calls %+v", src, c)
			}
			at = c.At
		}
		for _, v := range facts.Bindings {
			if v.At < 0 || v.At > len(src) {
				t.Fatalf("%q binds %+v", src, v)
			}
		}
	})
}
