package swift

import (
	"testing"

	"github.com/assay-dev/assay/internal/lang/langtest"
)

var cases = []struct{ name, src, want string }{
	{`imports`, `import Foundation
@testable import App
import class UIKit.UIView
@_exported import Core
#if canImport(X)
public import X.Y
#endif
`, `import Foundation
import App
import UIKit.UIView member
import Core reexport
import X.Y reexport conditional
`},
	{`types`, `/// A box.
@MainActor @available(iOS 13, *)
public final class Box<T: P>: Base<T>, Proto where T: Q { }
struct S: A, B & C { }
indirect enum Tree: String { case leaf(Int), node(Tree, Tree); case x = "s"; func walk() { } }
actor Store { nonisolated func a() { b() } }
extension Outer.Inner: Equatable where T == Int { mutating func change() { } }
public protocol Thing: AnyObject {
  associatedtype Item
  var name: String { get set }
  func doIt(_ a: Int) -> Item
  init()
  subscript(i: Int) -> Item { get }
}
typealias F = (Int) -> Void
infix operator +++: AdditionPrecedence
precedencegroup G { associativity: left }
`, `class Box : Base<T> | Proto @MainActor @available(iOS 13, *) exported doc="/// A box." body="{ }"
struct S : A | B & C body="{ }"
enum Tree : String body="{ case leaf(Int)… } }"
method walk body="{ }"
class Store body="{ nonisolated fu… } }"
method a body="{ b() }"
class Outer.Inner : Equatable extension body="{ mutating func … } }"
method change body="{ }"
interface Thing : AnyObject exported body="{\n  associatedty… }\n}"
method doIt(_ a: Int) -> Item abstract exported body=""
method init abstract constructor exported body=""
method subscript(i: Int) -> Item abstract accessor exported body="{ get }"
type F -> (Int) -> Void body=""
call b 0
bind leaf: Tree
bind node: Tree
bind x: Tree
bind name: String
bind a#1: Int
bind i#1: Int
`},
	{`functions`, "public func load<U>(_ id: ID, from s: Source = .default(), then f: @escaping (Result<U, E>) -> Void) async throws -> [U] where U: Codable { fetch(id) }\nfunc +++ (a: Int, b: Int) -> Int { a.plus(b) }\nfunc ==<T>(a: T, b: T) -> Bool { same(a) }\nprefix func - (a: V) -> V { V() }\nclass C {\n  init?(a: Int) { super.init(b: a) }\n  required convenience init<T>(_ t: T) { self.init(a: 1) }\n  deinit { stop() }\n  static func make() -> C { .init(a: 1) }\n  class func shared() -> Self { one() }\n  subscript<K>(key: K, d: Int = zero()) -> Int { items[key] ?? e() }\n  func `default`() { func inner() -> Int { 1 } }\n}\n", "function load(_ id: ID | from s: Source = .default() | then f: @escaping (Result<U, E>) -> Void) -> [U] async exported body=\"{ fetch(id) }\"\nfunction +++(a: Int | b: Int) -> Int body=\"{ a.plus(b) }\"\nfunction ==(a: T | b: T) -> Bool body=\"{ same(a) }\"\nfunction -(a: V) -> V body=\"{ V() }\"\nclass C body=\"{\\n  init?(a: Int… }\\n}\"\nmethod init(a: Int) constructor body=\"{ super.init(b: a) }\"\nmethod init(_ t: T) constructor body=\"{ self.init(a: 1) }\"\nmethod deinit body=\"{ stop() }\"\nmethod make -> C static body=\"{ .init(a: 1) }\"\nmethod shared -> Self static body=\"{ one() }\"\nmethod subscript(key: K | d: Int = zero()) -> Int accessor body=\"{ items[key] ?? e() }\"\nmethod `default` body=\"{ func inner() -… } }\"\nfunction inner -> Int local body=\"{ 1 }\"\ncall default of ? 0\ncall fetch 1\ncall plus of a 1\ncall same 1\ncall V 0\ncall init of super 1\ncall init of self 1\ncall stop 0\ncall init of ? 1\ncall one 0\ncall zero 0\ncall e 0\nbind id#1: ID\nbind s#2: Source\nbind f#3: @escaping (Result<U, E>) -> Void\nbind () = fetch()\nbind a#1: Int\nbind b#2: Int\nbind () = a.plus()\nbind a#1: T\nbind b#2: T\nbind () = same()\nbind a#1: V\nbind () = V()\nbind a#1: Int\nbind t#1: T\nbind () = one()\nbind key#1: K\nbind d#2: Int\n"},
	{`properties`, `class C {
  private(set) var items: [String: Int] = [:]
  static let shared = C()
  weak var delegate: D?
  let make: () -> Void = { go() }
  lazy var view: UIView = { mk() }()
  var count: Int { items.count }
  var size: Int {
    get async throws { return compute() }
    set(v) { self.items = v.all() }
  }
  @Published var state = State.idle { didSet { changed(oldValue) } }
  var level: Int = 0 {
    willSet(new) { up(new) }
  }
  var body: some View { VStack(spacing: 1) { Text("a").font(.title); if x { Image() } } }
}
let global = Config.load()
var top: Int = 1
`, `class C body="{\n  private(set)… }\n}"
function make body="{ go() }"
method count -> Int accessor body="{ items.count }"
method size -> Int accessor body="{\n    get async …\n  }"
method state @Published accessor body="{ didSet { chang… } }"
method level -> Int accessor body="{\n    willSet(ne…\n  }"
method body -> some View accessor body="{ VStack(spacing… } }"
constant global body=""
variable top -> Int body=""
call C 0
call go 0
call mk 0
call compute 0
call all of v 0
call changed 1
call up 1
call VStack 2
call Text 1
call font of Text() 1
call Image 0
call load of Config 0
bind items: [String: Int]
bind shared = C()
bind delegate: D?
bind make: () -> Void
bind view: UIView = mk()
bind count: Int
bind () = items.count
bind size: Int
bind () = compute()
bind self.items = v.all()
bind state = State.idle
bind level: Int
bind body: some View
bind () = VStack()
bind global = Config.load()
bind top: Int
`},
	{`locals`, `func f() -> Int {
  guard let self, let x = try? await fetch(1).get(), case .ok(let y) = x.state else { return [] }
  if let z = y.maybe(), let q { use(q) }
  for item in y.items.sorted() where item.ok() { use(item) }
  for (k, v) in dict { use(k) }
  let cell = view as! MyCell
  let mapped = source.stream.map { $0.value() }.filter({ $0 > 1 })
  self.n = Self.next()
  let (a, b) = pair()
  var c: Foo?, d: Bar
  do { try run() } catch let e as MyError { handle(e) } catch { print(error) }
  handler = { (r: Int) in done(r) }
  return foo
    .bar(1)
    .baz { q() }
    .last!
}
`, `function f -> Int body="{\n  guard let se…t!\n}"
function handler(r: Int) local body="{ (r: Int) in done(r) }"
call fetch 1
call get of fetch() 0
call maybe of y 0
call use 1
call sorted of y.items 0
call ok of item 0
call use 1
call use 1
call map of source.stream 1
call value of $0 0
call filter of source.stream.map() 1
call next of Self 0
call pair 0
call run 0
call handle 1
call print 1
call done 1
call bar of foo 1
call baz of foo.bar() 1
call q 0
bind x = fetch().get()
bind y
bind z = y.maybe()
bind q = q
bind item = y.items.sorted()[]
bind k
bind v
bind cell: MyCell
bind mapped = source.stream.map().filter()
bind self.n = Self.next()
bind a
bind b
bind c: Foo?
bind d: Bar
bind e: MyError
bind handler
bind r#1: Int
bind () = foo.bar().baz().last
`},
	{`closures behind calls`, `func f() {
  UIView.animate(withDuration: 1) { go() } completion: { _ in done() }
  if items.contains(where: { ok($0) }) { yes() }
  while next.ready { wait() }
  switch state { case .a: one { two() }; default: break }
  repeat { a() } while b.c
  xs.forEach { [weak self] (x: Int) -> Void in self?.use(x) }.d { }.e()
  let y = if a { b() } else { c() }
  defer { end() }
}
`, `function f body="{\n  UIView.anima… }\n}"
call animate of UIView 3
call go 0
call done 0
call contains of items 1
call ok 1
call yes 0
call wait 0
call one 1
call two 0
call a 0
call forEach of xs 1
call use of self 1
call d of xs.forEach() 1
call e of xs.forEach().d() 0
call b 0
call c 0
call end 0
bind y
`},
	{`patterns`, `func f() {
  switch x {
  case .a(let v), .b(_, let v) where v.ok(): one()
  case let .c(w): two(w)
  case Foo.bar(let u): three(u)
  case UInt8(ascii: "a")...UInt8(ascii: "z"): four()
  case is Foo: break
  case let e as Bar: five(e)
  default: six()
  }
  if case .d(let z) = seven() { }
}
`, `function f body="{\n  switch x {\n … }\n}"
call ok of v 0
call one 0
call two 1
call three 1
call UInt8 1
call UInt8 1
call four 0
call five 1
call six 0
call seven 0
bind v
bind v
bind u
bind e: Bar
bind z
`},
	{`strings`, `let a = "x \(f(1)) \(g { "\(h())" }) \\(no())"
let b = #"raw \#(call()) \(no()) "x""#
let c = """
  \(multi(1)) "quoted" no()
  """
let d = ##"""
  \#(no()) \##(yes()) "# no()
  """##
let e = /no(x)"/.first(s), f = #/a/b()/#
let g = a / b(1) / c(2)
`, `constant a body=""
constant b body=""
constant c body=""
constant d body=""
constant e body=""
constant g body=""
call f 1
call g 1
call h 0
call call 0
call multi 1
call yes 0
call first of ? 1
call b 1
call c 1
bind a
bind b
bind c
bind d
bind e
bind g
`},
	{`chains`, `func f() {
  a?.b!.c(); a[0].d(); Foo<Int>(x).e(); [Int]().g(); A.B<C>.h(); f()(1); (x as Y).i(); .j(1).k(); return .l()
  self.m(); super.n(); Self.o(); x.self.p(); a.q?(1); try! r().s(); t(1)
  (u, v) = w(); if a < b, c > (d) { }; #selector(no); #expect(z()); x.0.y()
}
`, `function f body="{\n  a?.b!.c(); a…()\n}"
call c of a.b 0
call d of a[] 0
call Foo 1
call e of Foo() 0
call g of ? 0
call h of A.B 0
call f 0
call i of {Y} 0
call j of ? 1
call k of ? 0
call l of ? 0
call m of self 0
call n of super 0
call o of Self 0
call p of x.self 0
call q of a 1
call r 0
call s of r() 0
call t 1
call w 0
call expect 1
call z 0
call y of ? 0
`},
	{`attributes and branches`, `@Test("no()", arguments: [1]) func t() { a() }
struct S {
  @Wrapper(key: "x") var x: Int
  #if DEBUG
  func d() { b() }
  #else
  func d() { c() }
  #endif
  @objc(foo:) private func e() { }
}
`, `function t @Test("no()", arguments: [1]) body="{ a() }"
struct S body="{\n  @Wrapper(key… }\n}"
method d body="{ b() }"
method d body="{ c() }"
method e @objc(foo:) body="{ }"
call a 0
call b 0
call c 0
bind x: Int
`},
	{`broken`, `class C {
  func f( { if x { g(; }
  func h() { i() }
<<<<<<< HEAD
  func j() { k() }
=======
  func l() { m() }
>>>>>>> other
  var = 
  func n() { o()
  func p() { q() }
}
`, `class C body="{\n  func f( { if… }\n}"
method f body="{ if x { g(; }\n … }\n}"
function h local body="{ i() }"
function j local body="{ k() }"
function l local body="{ m() }"
function n local body="{ o()\n  func p()… }\n}"
function p local body="{ q() }"
call g 1
call i 0
call k 0
call m 0
call o 0
call q 0
`},
}

func TestRead(t *testing.T) {
	for _, c := range cases {
		if got := langtest.Long(c.src, Read([]byte(c.src))); got != c.want {
			t.Errorf("%s: facts of\n%s\nare\n%swant\n%s", c.name, c.src, got, c.want)
		}
	}
}
