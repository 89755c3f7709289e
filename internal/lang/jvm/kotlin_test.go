package jvm

import (
	"testing"

	"github.com/assay-dev/assay/internal/lang/langtest"
)

var kotlinSamples = []langtest.Sample{
	{"MIDCB", `
@file:JvmName("X")
package a.b

import a.b.C
import a.b.*
import a.b.f as g

const val LIMIT = 10
var state: State? = null
private val handler: (Int) -> Unit = { x -> run(x) }

/** Adds. */
@JvmOverloads
suspend inline fun <reified T : Any> List<T>.addAll(a: Int = def(), vararg b: Map<String, T>, block: suspend T.(Int) -> Unit): Result<T>? where T : I {
	for (item in b.values()) item.close()
	val (p, q) = pair()
	try { open() } catch (e: IOException) { } finally { }
	return block(this@addAll.first())
}

fun String?.empty() = this.isEmpty()
	?.also { it.x() }
fun short() =
	if (a)
		b()
	else c()
fun next(): Int = 1
`, `
M a.b
D constant LIMIT 8-8 +
D variable state 9-9 -> State? +
D function handler 10-10 -> (Int) -> Unit
D function List.addAll 12-19 (a: Int = def(), vararg b: Map<String, T>, block: suspend T.(Int) -> Unit) -> Result<T>? @JvmOverloads + async extension
D function String.empty 21-22 + extension
D function short 23-26 +
D function next 27-27 -> Int +
I a.b.C
I a.b.*
I a.b.f as g
C run/1
C def/0
C b|values/0
C item|close/0
C pair/0
C open/0
C block/1
C this@addAll|first/0
C this|isEmpty/0
C this.isEmpty()|also/1
C it|x/0
C b/0
C c/0
B LIMIT
B state: State?
B handler: (Int) -> Unit
B x
B a: Int = def() #1
B b: Map<String, T> #2
B block: suspend T.(Int) -> Unit #3
B item = b.values()[]
B p
B q
B e: IOException
B () = this.isEmpty().also()
`},
	// Classes and what is in them.
	{"DCB", `
@Serializable data class Point<T>(val x: Int = zero(), @Ann("f(x)") private var y: T, z: Z) : Base<T>(x), Shape by z, Other where T : Any {
	val sum get() = x + more()
	var size: Int = 0
		@Synchronized get
		private set(value) { field = check(value) }
	val lazyOne by lazy { Foo() }
	constructor(a: Int) : this(a, make()) { go() }
	init { start() }
	companion object : Factory<Point>() {
		@JvmStatic fun of(): Point = Point(1)
	}
	companion object Named { fun g() {} }
	inner class In
	override operator fun plus(o: Point) = Point(o)
	protected abstract fun none(): Unit
}
enum class Color(val rgb: Int) : I {
	@Deprecated("x") RED(f(1)) { override fun g() = 1 }, GREEN(2);
	abstract fun g(): Int
}
enum class Small { A, B }
sealed interface Shape
fun interface Run { fun run() }
object Single : Base() { fun f() {} }
@JvmInline value class Name(val s: String)
class WithCtor @Inject internal constructor(private val a: A) : B
typealias Handler<T> = (T) -> Unit
annotation class Marker
expect class Later() { fun f() }
`, `
D class Point 1-16 (val x: Int = zero(), @Ann("f(x)") private var y: T, z: Z) : Base<T>, Shape, Other @Serializable +
D method sum 2-2 + accessor
D method size 3-5 -> Int + accessor
D method constructor 7-7 (a: Int) + constructor
D method of 10-10 -> Point @JvmStatic +
D class Named 12-12 +
D method g 12-12 +
D class In 13-13 +
D method plus 14-14 (o: Point) +
D method none 15-15 -> Unit abstract
D enum Color 17-20 (val rgb: Int) : I +
D method g 18-18
D method g 19-19 -> Int + abstract
D enum Small 21-21 +
D interface Shape 22-22 +
D interface Run 23-23 +
D method run 23-23 + abstract
D class Single 24-24 : Base +
D method f 24-24 +
D class Name 25-25 (val s: String) @JvmInline +
D class WithCtor 26-26 (private val a: A) : B +
D type Handler 27-27 -> (T) -> Unit +
D class Marker 28-28 +
D class Later 29-29 +
D method f 29-29 + abstract
C zero/0
C Base/1
C more/0
C check/1
C lazy/1
C Foo/0
C this/2
C make/0
C go/0
C start/0
C Factory/0
C Point/1
C Point/1
C f/1
C Base/0
B x: Int = zero()
B y: T
B z: Z
B sum
B size: Int
B value
B lazyOne = Foo()
B a: Int #1
B o: Point #1
B () = Point()
B rgb: Int
B RED: Color
B GREEN: Color
B A: Small
B B: Small
B s: String
B a: A
`},
	// Expressions.
	{"DCB", `
class A : B() {
	fun f(x: Any) {
		val o = object : Listener(1), I { override fun on() { hit() } }
		val local = { a: Int, (b, c) -> g(a) }
		fun inner() = h<Map<String, Int>>(1)
		val anon = fun(p: Int): Foo { return k(p) }
		"text $x.no() ${y(1)} ${"in ${z()}"}"
		val raw = """ "quoted" ${w()} """"
		x to make(1) shouldBe (y)
		a foo { b() }
		list.map { it.q() }.filter(::p).first { true }
		run outer@{ return@outer v() }
		when (x) { is Foo -> u() ; in t() -> 1; BAR -> 2 }
		if (a < b && c > (d)) s!!.r() else super.f(x)
		super<B>.m()
		A::class.java.n(Foo::bar)
		x as? Foo ?: l { }
		this.` + "`odd name`" + `(1)
	}
	fun ` + "`with space`" + `() {}
	/* a /* nested() */ comment() */
	fun last() = j()
}
`, `
D class A 1-23 : B +
D method f 2-19 (x: Any) +
D method on 3-3
D function local 4-4 local
D function inner 5-5 local
D function anon 6-6 local
D method with space 20-20 +
D method last 21-22 +
C B/0
C Listener/1
C hit/0
C g/1
C h/1
C k/1
C y/1
C z/0
C w/0
C make/1
C b/0
C list|map/1
C it|q/0
C list.map()|filter/1
C list.map().filter()|first/1
C run/1
C v/0
C u/0
C t/0
C s|r/0
C super|f/1
C super|m/0
C class.java|n/1
C l/1
C this|odd name/1
C j/0
B x: Any #1
B o = {Listener}
B local
B a: Int
B b
B c
B () = h()
B anon
B p: Int #1
B raw
B () = j()
`},
}

func TestKotlin(t *testing.T) { langtest.Table(t, ReadKotlin, kotlinSamples) }
