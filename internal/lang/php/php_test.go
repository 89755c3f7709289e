package php

import (
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/lang/langtest"
)

var readers = []langtest.Reader{{Name: "php", Read: Read, Before: "<?php ", Tail: "\nA;\n"}}

func check(t *testing.T, src, letters string, want ...string) {
	t.Helper()
	if !strings.Contains(src, "<?") {
		src = "<?php\n" + src
	}
	langtest.Check(t, Read, src, letters, want...)
}

func TestFunctions(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"/** about f */\nfunction &f(?A $a, int ...$b): ?B { }", []string{"D function f 2-3 (?A $a, int ...$b) -> ?B +"}},
		{"class A {\n /** @return B */\n public static function f() {}\n protected function list(self $x) { }\n private function __construct() {} }",
			[]string{"D class A 2-6 +", "D method f 3-4 -> B + static", "D method list 5-5 (self $x)", "D method __construct 6-6 constructor"}},
		{"interface I { function f(); } abstract class A { abstract function g(): A|B; }",
			[]string{"D interface I 2-2 +", "D method f 2-2 + abstract", "D class A 2-2 + abstract", "D method g 2-2 -> A|B + abstract"}},
		{"$f = function ($a) use ($b) { };\n$g = static fn($x): int => $x + 1;\n$this->h = fn() => [1, 2];\nself::$i = function() {};",
			[]string{"D function $f 2-2 ($a) +", "D function $g 3-3 ($x) -> int + static", "D function h 4-4 +", "D function $i 5-5 +"}},
		{"f(function() { function g() {} }, fn($x) => 1); $x = ['k' => function() {}];", []string{"D function g 2-2 + local", "D variable $x 2-2 +"}},
		{"function f() { $g = function() { yield 1; }; function h() {} yield 2; }", []string{"D function f 2-2 + generator", "D function $g 2-2 + generator local", "D function h 2-2 + local"}},
		{"$x = new class(1) extends B implements C { public function f() {} }; function g() {}", []string{"D variable $x 2-2 +", "D method f 2-2 +", "D function g 2-2 +"}},
		{"#[A(1), B]\n#[C]\nfunction f(#[D] $x) {}", []string{"D function f 2-4 (#[D] $x) @A(1) @B @C +"}},
		{"if (a()): function f() {} endif; FUNCTION g() {}", []string{"D function f 2-2 +", "D function g 2-2 +"}},
	} {
		check(t, c.src, "D", c.want...)
	}
}

func TestClasses(t *testing.T) {
	check(t, "namespace A\\B;\nfinal class C extends D implements \\E, F {\n use G, H { G::f insteadof H; }\n const int X = 1;\n private const Y = 2;\n}", "DM",
		"M A\\B", "D class C 3-7 : D, \\E, F, G, H +", "D constant X 5-5 -> int +", "D constant Y 6-6")
	check(t, "enum Suit: string implements I { case A = 'a'; const X = 1; public function f() {} } trait T {}\nreadonly class R {}", "D",
		"D enum Suit 2-2 : I +", "D constant X 2-2 +", "D method f 2-2 +", "D trait T 2-2 +", "D class R 3-3 +")
	check(t, "enum Suit { case Hearts; case Class = 'c'; public function f() { switch (1) { case A: g(); } } }", "B", "B Hearts: self", "B Class: self")
	check(t, "namespace A { class B {} } namespace { const C = 1; }", "DM", "M A", "D module A 2-2 +", "D class B 2-2 +", "D constant C 2-2 +")
	check(t, "class Enum extends X {} new Enum(1); Enum::f(); f(class: X::class, default: 1); class Y {}", "DC",
		"D class Enum 2-2 : X +", "D class Y 2-2 +", "C new Enum/1", "C Enum|f/0", "C f/2")
}

func TestImports(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"use A\\B, C as D; use function A\\f; use const A\\X;", []string{`I A\B`, `I C as D`, `I A\f member`, `I A\X member`}},
		{"use A\\{B, C\\D as E, function f};", []string{`I A\B`, `I A\C\D as E`, `I A\f member`}},
		{"require 'a.php'; include_once(\"b.php\"); require __DIR__ . '/c.php'; require dirname(__FILE__) . '/d.php';",
			[]string{`I a.php dynamic relative`, `I b.php dynamic relative`, `I /c.php dynamic relative`, `I /d.php dynamic relative`}},
		{"require $x; require 'a' . $b; require \"a$b\"; function f() { return include 'x'; }", []string{`I x dynamic conditional relative`}},
	} {
		check(t, c.src, "I", c.want...)
	}
}

func TestCalls(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"f(1, [2, 3], function($a, $b) { return g($a, $b); }); \\A\\h(); namespace\\i();", []string{"C f/3", "C g/2", `C \A\h/0`, `C namespace\i/0`}},
		{"$a->b(1)->c()?->d(); A::f(); parent::__construct($x); self::g(); static::h();",
			[]string{"C $a|b/1", "C $a.b()|c/0", "C $a.b().c()|d/0", "C A|f/0", "C parent|__construct/1", "C self|g/0", "C static|h/0"}},
		{"new A(1); new A; new static; new $c(2); (new B(1))->f(); (new C)->g(); new $this->x(1);",
			[]string{"C new A/1", "C new A/0", "C new static/0", "C new $c/1", "C new B/1", "C B()|f/0", "C new C/0", "C C()|g/0", "C new $this|x/1"}},
		{"$f(1); $o->$m(2); $o->{$m}(...$x); $o->{$m}(...); $o->{m()}(4); ($f)(5); $a['x'](6);", []string{"C $f/1", "C $o|$m/1", "C $o|$m/1", "C m/0"}},
		{"if (a()) { echo(1); isset($x); empty($x); list($a) = [1]; array(1); unset($x); exit(1); die(2); print(3); } elseif (b()) {} while (c()) {}",
			[]string{"C a/0", "C b/0", "C c/0"}},
		{"$x = match(true) { f() => g(), default => h() }; foreach (i() as $k) {} switch (j()) { case k(): }",
			[]string{"C f/0", "C g/0", "C h/0", "C i/0", "C j/0", "C k/0"}},
		{"\"a {$b->c()} ${d} f() {g()} \\{$x\" . 'f()' . \"{$x['y']} \" . h();", []string{"C $b|c/0", "C h/0"}},
		{"$x = <<<EOT\n f() {$a->b()} \n  EOTX\n  EOT . g() . <<<'X'\n{$a->c()}\nX;\nh();", []string{"C $a|b/0", "C g/0", "C h/0"}},
		{"// f() ?> g() <?php h(); # i()\n/* j() */ k() ?> l() <?= m() ?> n()", []string{"C h/0", "C k/0", "C m/0"}},
		{"<html> f() <?xml g() ?> <?php h() ?>\n<?php i(); __halt_compiler(); j();", []string{"C h/0", "C i/0"}},
		{"strlen(...); $a->b(...); f(...$x); yield from (g());", []string{"C f/1", "C g/0"}},
		{"#[A(f(1), new B(2))] function c() {}", []string{"C f/1", "C new B/1"}},
		{"ECHO(1); Isset($x); $a->list(); A::print(); A::class; $x = (int) f(); @g();", []string{"C $a|list/0", "C A|print/0", "C f/0", "C g/0"}},
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
			[]string{"B $a: A|null #1", "B $b #2", "B $c #3", "B $x = $a.b().c", "B () = T()"}},
		{"class A { private ?B $b = null; static $c;\n/** @var D[] */\nvar $d; function __construct(private readonly E $e, $f) { $this->g = $f; self::$c = new B(1); } }",
			[]string{"B $this.b: ?B", "B self.$c", "B $this.d: D[]", "B $e: E #1", "B $this.e: E = $e", "B $f #2", "B $this.g = $f", "B self.$c = B()"}},
		{"/**\n * @param A $a what\n * @param B<c, d> $b */\nfunction f($a, $b) {}", []string{"B $a: A #1", "B $b: B<c, d> #2"}},
		{"foreach ($a->b() as $k => $v) {} foreach (x() as [$c, $d]) {} try {} catch (E|F $e) {}",
			[]string{"B $k", "B $v = $a.b()[]", "B $c", "B $d", "B $e: E|F"}},
		{"[$a, $b] = f(); list($c) = g(); $d = $e + 1; $f = null; $g = A::make() ?? 1; $h = (clone $i)->j();",
			[]string{"B $a", "B $b", "B $c", "B $d", "B $f", "B $g = A.make()", "B $h = $i.j()"}},
		{"function f() { g(function($x) { return $x; }); yield h(); } $i = fn(A $a) => $a->b();",
			[]string{"B $x", "B [] = h()", "B $i", "B $a: A #1", "B () = $a.b()"}},
	} {
		check(t, c.src, "B", c.want...)
	}
}

// What is broken costs what is broken, and no more.
func TestBroken(t *testing.T) {
	check(t, "class A {\n  public function f() {\n    if ($x) {\n      g(1,\n\n  }\n\n  public function h() { i(); }\n}\n", "DC",
		"D class A 2-10 +", "D method f 3-7 +", "D method h 9-9 +", "C g/-1", "C i/0")
	check(t, "function f() {\n<<<<<<< HEAD\n a();\n=======\n b();\n>>>>>>> x\n}\nfunction g() {}", "DC", "D function f 2-8 +", "D function g 9-9 +", "C a/0", "C b/0")
	check(t, "} } function f( { g(); }\nclass\nfunction h() {}", "D", "D function f 2-2 +", "D function h 4-4 +")
	check(t, "$x = 'never\nclosed f()", "DC", "D variable $x 2-2 +")
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

func BenchmarkRead(b *testing.B) { langtest.Benchmark(b, Read, sample) }

// Twice the text takes about twice the time, whatever is nested or left open.
func TestLinear(t *testing.T) {
	langtest.Linear(t, readers, 20000, "f(", "f{", "function f() {", "$a->b(", "$x = [", "#[A(", "$a = fn() => ", "$a=($b=(", "<<<A\n{$", "<<<A\n", "new A(", "class A {", "\"{$a->b(", "(((", "foreach (", "use A\\{", "?> <? ", "$x->y->z", "/** @param */ function f($a, ")
}

// FuzzRead holds the package's promise.
func FuzzRead(f *testing.F) {
	f.Add(sample[:1200])
	for _, s := range []string{"<?php \"{$", "<?php <<<A\n{$x}\nA", "<?php function f(", "<?php class A { function f(", "<?php $a = fn() =>", "a <? b", "<?php new", "<?php use A\\{", "<?php #[A", "<?php static static::f(",
		"<?php class A { function f() { public function g", "<?php ['a', $b] =", "<?php namespace A { class B", "<?php foreach (a as", "<?php const A =", "<?php (((((new A"} {
		f.Add(s)
	}
	langtest.Fuzz(f, readers)
}
