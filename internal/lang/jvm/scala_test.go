package jvm

import (
	"testing"

	"github.com/assay-dev/assay/internal/lang/langtest"
)

var scalaSamples = []langtest.Sample{
	{"MIDCB", `
package a.b
package c

import x.{y, z => w, Hidden => _, _}
import p.q.*, r.s as t
import java.util.{Map as JMap}
export e.f

/** Doc. */
@Ann(f(1)) final case class Point[T](x: Int, var y: List[T] = make())(implicit z: Z) extends Base(x) with Shape[T] { self: Other =>
  private val (a, Some(b)) = pair()
  val c, d: Int = 1
  lazy val e = new Foo[Int](g()).bar
  def this(x: Int) = this(x, Nil)
  def f[A](a: A, b: => Int)(using c: C[A]): A => List[A] = h(a) _
  protected[a] def none: Unit
  def proc(x: Int) { call(x) }
  def +(o: Point): Point = Point(o)
  def unary_! = not()
  def e_=(v: Int): Unit = set(v)
  override val fn = (x: Int) => inc(x)
  val pf: PartialFunction[Int, Int] = { case x if even(x) => half(x) }
  type Alias[X] = Map[X, T]
}

object Point extends App {
  def apply() = new Point(1)
  implicit class Rich(val s: String) extends AnyVal { def go() = s.run() }
  object Inner
}
sealed trait Shape
package object util { def top = 1 }
`, `
M a.b.c
D class Point 9-24 (x: Int, var y: List[T] = make(), implicit z: Z) : Base, Shape[T] @Ann(f(1)) +
D method this 14-14 (x: Int) + constructor
D method f 15-15 (a: A, b: => Int, using c: C[A]) -> A => List[A] +
D method none 16-16 -> Unit abstract
D method proc 17-17 (x: Int) +
D method + 18-18 (o: Point) -> Point +
D method unary_! 19-19 +
D method e_= 20-20 (v: Int) -> Unit +
D method fn 21-21 +
D method pf 22-22 -> PartialFunction[Int, Int] +
D type Alias 23-23 -> Map[X, T] +
D class Point 26-30 : App + static
D method apply 27-27 +
D class Rich 28-28 (val s: String) : AnyVal +
D method go 28-28 + extension
D class Inner 29-29 + static
D trait Shape 31-31 +
D module util 32-32 +
D function top 32-32 +
I x.y
I x.z as w
I x._
I p.q.*
I r.s as t
I java.util.Map as JMap
I e.f reexport
C make/0
C Base/1
C pair/0
C new Foo/1
C g/0
C Foo()|bar/-2
C this/2
C h/1
C call/1
C Point/1
C not/0
C set/1
C inc/1
C even/1
C half/1
C new Point/1
C s|run/0
B x: Int
B y: List[T] = make()
B z: Z
B self: Other
B a
B b
B c: Int
B d: Int
B e = Foo().bar
B x: Int #1
B a: A #1
B b: Int #2
B c: C[A] #3
B x: Int #1
B o: Point #1
B () = not()
B v: Int #1
B fn
B x: Int
B pf: PartialFunction[Int, Int]
B x
B x
B () = Point()
B s: String
B () = s.run()
`},
	{"DCB", `
object A {
  def f(xs: List[Int]) = {
    for (x <- xs; Some(y) <- opt(x) if ok(y)) yield x + g(y)
    for {
      (k, v) <- pairs
      h = k.size
    } yield h
    x match {
      case Foo(a, Bar(b)) if p(a) => q(b)
      case s: String => s.trim()
      case x :: rest => r(rest)
      case "lit" | 'c' => ()
    }
    xs.map { x => u(x) }.filter(_ > 1).foldLeft(0)(_ + _)
    a max (b) min c.d(1)
    s"text ${v(1)} $name(2) ${"in" + w()}" + raw"""a "b" ${k(1)} """"
    x should equal (y)
    list foreach { z => t(z) }
    val anon = new Trait[Int] with Other { def m() = n() }
    val o = new { def p = 1 }
    ` + "`odd name`" + `(1)
    foo[Int](1)[String]
    x.+(y)
    try i() catch { case e: Error => j(e) } finally { l() }
    if (a) b() else c()
    'sym; 'x'; '\''; '\u0041'
    /* a /* f() */ g() */
  }
  def g() =
    first()
      .second()

  def h(): Unit =
  {
    third()
  }
  val last = fourth()
}
`, `
D class A 1-38 + static
D method f 2-28 (xs: List[Int]) +
D method m 19-19
D method p 20-20
D method g 29-31 +
D method h 33-36 -> Unit +
C opt/1
C ok/1
C g/1
C k|size/-2
C p/1
C q/1
C s|trim/0
C r/1
C xs|map/1
C u/1
C xs.map()|filter/1
C xs.map().filter()|foldLeft/1
C max()|min/1
C c|d/1
C v/1
C w/0
C k/1
C x|should/1
C equal/1
C t/1
C new Trait/0
C n/0
C odd name/1
C foo/1
C x|+/1
C i/0
C j/1
C l/0
C b/0
C c/0
C first/0
C first()|second/0
C third/0
C fourth/0
B xs: List[Int] #1
B x = xs[]
B y
B k
B v
B a
B b
B a
B s: String
B x
B rest
B x
B z
B anon
B () = n()
B o
B e: Error
B () = first().second()
B last = fourth()
`},
	// Scala 3.
	{"DCB", `
package p

enum Color(val rgb: Int) extends Base:
  case Red extends Color(f(1))
  case Green, Blue
  case Mixed(a: Int, b: Color)
  def hex = toHex(rgb)
end Color

trait Show[T]:
  def show(t: T): String
  extension (t: T) def twice: String = show(t) * 2

given Ord[Int] with
  def compare(a: Int, b: Int) = cmp(a, b)

given listOrd[T](using o: Ord[T]): Ord[List[T]] with
  def compare(a: List[T], b: List[T]) = o.compare(a.head, b.head)

given alias: Ord[String] = make()

extension (s: String)
  def shout: String = s.upper()
  def whisper = s.lower()

object Main:
  @main def run(args: String*): Unit =
    val x = if args.isEmpty then one() else two(args)
    while go(x) do
      step()
    for
      a <- list(1)
      Some(b) <- opts(a)
    do println(b)
    xs.foreach: y =>
      use(y)
    locally:
      body()
    val f = (n: Int) =>
      n.inc()
    def inner =
      deep()
    inner
  end run
  opaque type Id = Int
  inline def next = after()
def top() = Main.run()
class C:
  val a = b()
`, `
D enum Color 3-7 (val rgb: Int) : Base +
D method hex 7-7 +
D trait Show 10-12 +
D method show 11-11 (t: T) -> String + abstract
D method T.twice 12-12 -> String + extension
D method compare 15-15 (a: Int, b: Int) +
D class listOrd 17-18 : Ord[List[T]] +
D method compare 18-18 (a: List[T], b: List[T]) +
D constant alias 20-20 -> Ord[String] +
D function String.shout 23-23 -> String + extension
D function String.whisper 24-24 + extension
D class Main 26-46 + static
D method run 27-43 (args: String*) -> Unit @main +
D function f 39-40 local
D function inner 41-42 local
D type Id 45-45 -> Int +
D method next 46-46 +
D function top 47-47 +
D class C 48-49 +
C Color/1
C f/1
C toHex/1
C show/1
C cmp/2
C o|compare/2
C a|head/-2
C b|head/-2
C make/0
C s|upper/0
C s|lower/0
C args|isEmpty/-2
C one/0
C two/1
C go/1
C step/0
C list/1
C opts/1
C println/1
C xs|foreach/1
C use/1
C locally/1
C body/0
C n|inc/0
C deep/0
C after/0
C Main|run/0
C b/0
B rgb: Int
B Red: Color
B Green: Color
B Blue: Color
B Mixed: Color
B () = toHex()
B t: T #1
B t: T
B a: Int #1
B b: Int #2
B () = cmp()
B listOrd: Ord[List[T]]
B o: Ord[T]
B a: List[T] #1
B b: List[T] #2
B () = o.compare()
B alias: Ord[String]
B s: String
B () = s.lower()
B args: String* #1
B x
B a = list()[]
B b
B f
B n: Int
B () = deep()
B () = after()
B () = Main.run()
B a = b()
`},
}

func TestScala(t *testing.T) { langtest.Table(t, ReadScala, scalaSamples) }

// What follows a trait without a body is read once, though the trait ends with what it is in: what precedes the
// class is then beyond that end. Reading went on for ever.
func TestScalaBodyless(t *testing.T) {
	langtest.Table(t, ReadScala, []langtest.Sample{
		{"D", `
object A {
  def f(x: Int) =
    trait B
  private case class C(i: Int)
}
`, `
D class A 1-5 + static
D method f 2-3 (x: Int) +
D trait B 3-3 local
D class C 4-4 (i: Int)
`},
		// A class without a body makes no extensions of what stands behind it.
		{"D", `
object Conv {
  implicit class Wrapped(val x: Int) extends AnyVal
  def one(n: Int): Int = n
}
object More {
  implicit class Wide(val x: Int) { def two: Int = x }
}
`, `
D class Conv 1-4 + static
D class Wrapped 2-2 (val x: Int) : AnyVal +
D method one 3-3 (n: Int) -> Int +
D class More 5-7 + static
D class Wide 6-6 (val x: Int) +
D method two 6-6 -> Int + extension
`},
	})
}
