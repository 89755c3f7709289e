package jvm

import (
	"testing"

	"github.com/assay-dev/assay/internal/lang/langtest"
)

var javaSamples = []langtest.Sample{
	{"MIDCB", `
// Copyright
package a.b;

import java.util.*;
import static a.B.f;
import a.C;

/** About A. */
@Entity(name = "x", value = {1, 2})
public abstract class A<T extends Comparable<T>> extends Base<T> implements I, J<String> {
	private final List<Map<String, T>> items = new ArrayList<>(), more[] = null;
	static int count;

	static { init(); }

	/** Makes. */
	public A(int x, final @Nullable String... y) throws E { this(x); super.go(); }

	@Override
	protected <U> Map<String, U> get(U[] a, Map<K, V> b) {
		for (Item item : this.items) item.close();
		try (var in = open(a); Reader r = new Reader(in)) {
			var x = (Foo) in;
			((Foo) r).bar(x, 1);
		} catch (final IOException | Error e) {
			throw e;
		}
		return this.<U>make("a").b[0].c();
	}

	abstract void none();
	native int[] dims()[];
}
`, `
M a.b
D class A 8-33 : Base<T>, I, J<String> @Entity(name = "x", value = {1, 2}) + abstract
D method A 16-17 (int x, final @Nullable String... y) + constructor
D method get 19-29 (U[] a, Map<K, V> b) -> Map<String, U> @Override
D method none 31-31 -> void abstract
D method dims 32-32 -> int[] abstract
I java.util.*
I a.B.f member
I a.C
C new ArrayList/0
C init/0
C this/1
C super|go/0
C item|close/0
C open/1
C new Reader/1
C Foo()|bar/2
C this|make/1
C make().b[]|c/0
B items: List<Map<String, T>> = ArrayList()
B more: List<Map<String, T>>[]
B count: int
B x: int #1
B y: String... #2
B a: U[] #1
B b: Map<K, V> #2
B item: Item = this.items[]
B in = open()
B r: Reader = Reader()
B x = Foo()
B e: IOException | Error
`},
	// Types of every sort, one in the other.
	{"D", `
public enum Color implements Named {
	@Deprecated RED(1, of()) { @Override int f() { return 1; } },
	GREEN { }, BLUE;
	Color(int... x) {}
	abstract int f();
	enum Empty {}
	record Point<T>(int x, @A("b") T y) implements Shape { Point { check(x); } Point(int x) { this(x, null); } static int z; }
	sealed interface Shape permits Point, Other { int area(); default void g() {} private static void h() {} }
	non-sealed static class Other implements Shape {}
	@interface Note { String value() default "x;{"; int[] n() default {1, 2}; }
}
`, `
D enum Color 1-11 : Named +
D method f 2-2 -> int @Override
D method Color 4-4 (int... x) constructor
D method f 5-5 -> int abstract
D enum Empty 6-6
D class Point 7-7 (int x, @A("b") T y) : Shape
D method Point 7-7 constructor
D method Point 7-7 (int x) constructor
D interface Shape 8-8
D method area 8-8 -> int + abstract
D method g 8-8 -> void +
D method h 8-8 -> void static private
D class Other 9-9 : Shape static
D interface Note 10-10
D method value 10-10 -> String + abstract
D method n 10-10 -> int[] + abstract
`},
	// Anonymous and local classes, lambdas, method references, arrays.
	{"DCB", `
class A {
	Runnable r = new Base<A>(x -> x.f(), A::new, (a, b) -> a.<T>g(b)) {
		int inner;
		@Override public void run() { new int[f()].clone(); }
	}, s = () -> go();
	void f() {
		class Local extends A { void g() {} }
		final class Last {}
		record Pair(int a, String b) { }
		interface I {} enum E { X }
		outer.new Inner<String>().open();
		new a.b.C[] { new C() };
		Function<String, Integer> t = String::length;
		String::valueOf;
		super.<A>h();
		String text = """
			not(a) "call" \""" {
			""";
	}
}
`, `
D class A 1-20
D method run 4-4 -> void @Override +
D method f 6-19 -> void
D class Local 7-7 : A local
D method g 7-7 -> void
D class Last 8-8 local
D class Pair 9-9 (int a, String b) local
D interface I 10-10 local
D enum E 10-10 local
C new Base/3
C x|f/0
C a|g/1
C f/0
C int[]|clone/0
C go/0
C new Inner/0
C Inner()|open/0
C new C/0
C super|h/0
B r: Runnable
B x
B a
B b
B inner: int
B s: Runnable
B a: int
B b: String
B X: E
B t: Function<String, Integer> = &String.length
B text: String
`},
	// Switches and patterns.
	{"CB", `
class A {
	int f(Object o) {
		if (o instanceof String s && s.isEmpty() || !(o instanceof final List<?> l)) return 1;
		return switch (o) {
			case Integer i when i > g(1) -> i;
			case Point(int x, var y) -> { yield (x + y); }
			case A, B -> h();
			default -> throw new Error("x");
		};
	}
	int k = 1, n = 2; int i, j[];
	{ for (int a = 0, b = x.size(); a < b; a++) a(b < c, d > e); label: while (true) do(); }
}
`, `
C s|isEmpty/0
C g/1
C h/0
C new Error/1
C x|size/0
C a/2
B o: Object #1
B s: String
B l: List<?>
B i: Integer
B x: int
B y
B k: int
B n: int
B i: int
B j: int[]
B a: int
B b: int = x.size()
`},
	{"MDCI", `@A open module a.b { requires transitive java.base; exports a.b to c; provides A with B; }`, "M a.b"},
	// What is broken costs no more than itself.
	{"D", `
class A {
	void f() {
		if (x) {
	}
	public void g() { }
	int h( { }
<<<<<<< HEAD
	void i() { }
=======
	void j() {
>>>>>>> other
	private int k() { }
	???
	void l() {}
`, `
D class A 1-14
D method f 2-4 -> void
D method g 5-5 -> void +
D method h 6-6 -> int
D method i 8-8 -> void
D method j 10-10 -> void
D method k 12-12 -> int private
D method l 14-14 -> void
`},
}

func TestJava(t *testing.T) { langtest.Table(t, ReadJava, javaSamples) }
