package rust

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/lang/langtest"
)

var readers = []langtest.Reader{{Name: "rust", Read: Read, Before: "}"}}

func TestDecls(t *testing.T) {
	langtest.Table(t, Read, []langtest.Sample{
		{"Dd", `
//! The crate.
use a;

/// Does f.
/// Well.
#[inline]
#[must_use = "yes"]
pub(crate) async unsafe fn f<'a, const N: usize>(x: &'a [u8; N], (a, b): (A, B)) -> Result<Vec<T>, E>
where
    T: Fn(A) -> B,
{
}
extern "C" fn g() {}
pub const fn h(mut self_: u8) -> impl Fn(u8) -> u8 + 'static { move |x| x }
fn r#type() {}`, `
D function f 4-12 (x: &'a [u8; N], (a, b): (A, B)) -> Result<Vec<T>, E> @inline @must_use = "yes" + async
d f "/// Does f.\n/// Well."
D function g 13-13
D function h 14-14 (mut self_: u8) -> impl Fn(u8) -> u8 + 'static +
D function type 15-15`},
		{"Dd", `
pub struct P<T: Copy = u8>(pub T, pub(crate) Vec<(u8, u8)>) where T: X;
struct U;
/** Doc */
#[derive(Debug, Clone)] pub struct S<'a> {
    /// x
    pub x: &'a str,
    f: Box<dyn Fn(u8, u8) -> u8>,
}
enum E { A(u8), B { x: u8 }, C = f(1), }
union U2 { a: u32, b: f32 }
type R<T> = Result<T, Error>;
trait T2: Copy + for<'a> Fn(&'a u8) + 'static where Self: Sized {
    type Item: X;
    const C: u8;
    fn a(&self) -> u8;
    fn b() { c() }
}`, `
D struct P 1-1 +
D struct U 2-2
D struct S 3-8 @derive(Debug, Clone) +
d S "/** Doc */"
D enum E 9-9
D struct U2 10-10
D type R 11-11 -> Result<T, Error>
D trait T2 12-17 : Copy, for<'a> Fn(&'a u8), 'static
D type Item 13-13 abstract
D constant C 14-14 -> u8 abstract
D method a 15-15 (&self) -> u8 abstract
D method b 16-16 static`},
		{"Dd", `
impl<'a, T> fmt::Display for &'a mut m::Foo<T> where T: X<{ 1 }> {
    type Item = u8;
    const X: u8 = 1;
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result { Ok(()) }
}
impl Foo<{ N + 1 }> {
    pub fn new(a: u8) -> Self { Self { a } }
    pub(super) fn x(self: Box<Self>) {}
}
unsafe impl !Send for Foo {}
impl T for [Bar] {}
impl T for () { fn m() {} }
fn f(x: impl A) -> impl B { let y: &dyn X = 1; }`, `
D class Foo 1-5 : fmt::Display extension
D type Item 2-2 -> u8 +
D constant X 3-3 -> u8 +
D method fmt 4-4 (&self, f: &mut Formatter<'_>) -> fmt::Result +
D class Foo 6-9 extension
D method new 7-7 (a: u8) -> Self + static constructor
D method x 8-8 (self: Box<Self>) +
D class Foo 10-10 : !Send extension
D class Bar 11-11 : T extension
D method m 12-12 + static
D function f 13-13 (x: impl A) -> impl B`},
		{"Dd", `
#[macro_export]
macro_rules! mac { ($x:expr) => { fn no() { not($x) } }; }
macro_rules! par ( () => { } );
pub macro two($x:ident) { fn no() {} }
mod tests {
    #[test]
    fn t() { fn inner() {} struct L; let mut c = move |a: u8, (b, d)| -> u8 { a }; let e = || 1; }
}
extern "C" { pub fn c_f(x: *const u8, ...) -> i32; static G: u8; type O; }
pub static mut COUNT: AtomicUsize = AtomicUsize::new(0);
const _: () = check();
thread_local! { static TL: Cell<u8> = Cell::new(1); }`, `
D macro mac 1-2 @macro_export +
D macro par 3-3
D macro two 4-4 +
D module tests 5-8
D function t 6-7 @test
D function inner 7-7 local
D struct L 7-7 local
D function c 7-7 (a: u8, (b, d)) -> u8 local
D function e 7-7 local
D function c_f 9-9 (x: *const u8, ...) -> i32 + abstract
D variable G 9-9 -> u8 abstract
D type O 9-9 abstract
D variable COUNT 10-10 -> AtomicUsize +
D variable TL 12-12 -> Cell<u8>`},
	})
}

func TestImports(t *testing.T) {
	langtest.Table(t, Read, []langtest.Sample{
		{"I", `
use std::{self, fmt::{self as f, Display as _}, io::*};
use ::a::r#type as t;
pub use crate::x;
pub(crate) use super::{y, self};
mod m;
#[cfg(test)] pub mod n;
extern crate core as c;
fn f() { use self::z; }
fn g() -> impl Sized + use<'a> {}
#[cfg(unix)]
use {unix, b::c};`, `
I std
I std::fmt as f
I std::fmt::Display as _
I std::io::*
I ::a::type as t
I crate::x reexport
I super::y reexport
I super reexport
I m relative
I n conditional relative
I core as c
I self::z conditional
I unix conditional
I b::c conditional`},
	})
}

func TestCalls(t *testing.T) {
	langtest.Table(t, Read, []langtest.Sample{
		{"C", `macro_rules! m { ($($n:expr),*) => { $crate::a::load($($n),*); $crate::say!{1}; $crate::of::<u8>(2); b($crate::C, $x.d(), $crate) } }`, `
C crate.a|load/-1
C crate|say/-1
C crate|of/-1`},
		{"C", `fn f() { a::b(1, 2); x.y?.z::<Vec<u8>>(|a, b| c(a), d).await?.e(); Self::new()[0].g(); <T as X<Y>>::h(); Vec::<u8>::with(1); self.0.1.i(); (self.f)(x); f()(1); }`, `
C a|b/2
C x.y|z/2
C c/1
C x.y.z()|e/0
C Self|new/0
C Self.new()[]|g/0
C T|h/0
C Vec|with/1
C self.0.1|i/0
C f/0`},
		{"C", `fn f() { S { a: g(), ..S::d() }; if x == T { h() } match V { A(x) if k(x) => {} B { y } => l(), Some(q) | None => m() } for i in X { n() } while y < Z { o() } if let P(x) = Q { p() } E::V { x }.r(); lower { a: 1 }; }`, `
C new S/2
C g/0
C S|d/0
C h/0
C k/1
C l/0
C m/0
C n/0
C o/0
C p/0
C new E|V/1
C E.V()|r/0
C new lower/1`},
		{"C", `fn f() { println!("{}", g(x)); vec![h(); 3]; log::info!("x"); matches!(i(), Some(x) if j(x)); quote! { k(#x) }; ["{", r#""("#, b'(', '\'', '"']; l('x', 'a: loop {}); c"(".m(); }`, `
C println/2
C g/1
C vec/1
C h/0
C log|info/1
C matches/2
C i/0
C j/1
C quote/1
C l/2
C ?|m/0`},
		{"C", `fn f(F(x): F, y: [u8; n()]) -> [u8; k()] { let Some(x) = g() else { return h() }; let F { x: P(y), .. } = i(); |Q(z)| j(z); let v: fn(u8) -> Box<dyn Fn(u8)> = w as fn(u8); x as usize * (y)(1); a || b(); a | c(); unsafe { d() } }`, `
C n/0
C k/0
C g/0
C h/0
C i/0
C j/1
C b/0
C c/0
C d/0`},
		{"C", `fn f() { match x { A => if y { a() } else { b() } P(q) => { c() } R(s) => match z { T(u) => d(), _ => {} } V(w) => S { x }, #[cfg(x)] &W(a) => e(), } if let F { a } = g() && let Some(b) = match c { C(d) => h(d) } { i() } }`, `
C a/0
C b/0
C c/0
C d/0
C new S/1
C e/0
C g/0
C h/1
C i/0`},
		{"C", `enum E { A(u8) = f(1), B { x: G } = 2, C(H) } struct S { x: [u8; k()] } #[attr(no())] const X: u8 = m(); /* /* no() */ no() */ fn f() { r#try!(n()); x.r#match(1) }`, `
C f/1
C k/0
C m/0
C try/1
C n/0
C x|match/1`},
	})
}

func TestBindings(t *testing.T) {
	langtest.Table(t, Read, []langtest.Sample{
		{"B", `
struct S { pub x: Vec<u8>, #[a] y: &'static str }
struct T(pub A, pub(crate) (B, C));
impl S { fn f(&self, a: u8, Wrap(b): Wrap<u8>, mut c: [u8; 2]) {} fn g(self: Rc<Self>) {} }
static G: Foo = Foo::new();`, `
B x: Vec<u8>
B y: &'static str
B 0: A
B 1: (B, C)
B self #1
B a: u8 #2
B b #3
B c: [u8; 2] #4
B self #1
B G: Foo = Foo.new()`},
		{"B", "enum E { A(u8), #[b] B { x: u8 }, C = f(1) }", `
B A: E
B B: E
B C: E`},
		{"B", `
fn f() -> X {
    let a = Foo::new(1)?.bar().await;
    let mut b: Vec<u8> = &mut c.d;
    let (e, Some(g)) = h();
    let i = j + 1;
    let Some(k) = l.m() else { return n.o() };
    if let Ok(ref p) = q() && let r = s {}
    for t in u.v() {}
    for (w, x) in y {}
    match z.kind() { Some(aa) => {} bb => {} C::D { cc, dd: ee, .. } => {}, CONST => {} }
    items.map(|ff, gg: u8| ff);
    let hh = S { x };
    let ii = |jj: u8| kk(jj);
    ll.mm()
}`, `
B a = Foo.new().bar()
B b: Vec<u8> = c.d
B e
B g
B i
B k = l.m()[]
B () = n.o()
B p = q()[]
B r = s
B t = u.v()[]
B w
B x
B aa = z.kind()[]
B bb = z.kind()
B cc
B ee
B ff
B gg: u8
B hh = S()
B {ii = 39
B jj: u8 #1
B () = kk()
B () = ll.mm()`},
	})
}

// What is broken costs no more than itself.
func TestBroken(t *testing.T) {
	langtest.Table(t, Read, []langtest.Sample{
		{"DdC", `
fn a() { if x { f( }
fn b() { g() }
pub fn c() {}`, `
D function a 1-1
D function b 2-2
D function c 3-3 +
C f/0
C g/0`},
		{"Dd", `
<<<<<<< HEAD
fn a() {
=======
fn a2() {
>>>>>>> x
}
fn b() {}
let x = ;
struct
fn c(a: {
}
fn d() {}
}}
impl X { fn e() {} `, `
D function a 2-3
D function a2 4-6
D function b 7-7
D function c 10-11 (a: { } fn d() {})
D function d 12-12
D class X 14-14 extension
D method e 14-14 static`},
	})
}

// It takes time linear in the text.
func TestLinear(t *testing.T) {
	langtest.Linear(t, readers, 200_000, "let ", "if ", "fn f(", "a::<", "match x { ", "|a", "#[a", "use a::{", "a::", "use b::a::", "let x = |", "impl X for ", "x.y(", "S { ", "const X: ", "type X = <", "for x in ",
		"fn f() { ", "if let A { ", "=> ", "/*", "r#\"", "'", "match x { a, ", "a<b, ", "macro_rules! x { ", "m!(", "<a as ", "return a", "struct S {", "enum E {", "& ", "x as ", "x?", "\nconst X: u8", "\nfn f()", "\nfn f(", "\nstruct S", "\ntype X = <", "\nmod x {", "\nlet f = || x", "\nimpl X for Y", "\nif x < ", "\n#[a]", "///\n", "fn f() { return a.b; }\n")
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"pub fn f<T>(x: T) -> U where T: V { a.b::<C>(d)?; match x { A(b) if c => {} } }", "impl<T> X for Y<T> { fn f(&self); }",
		"use a::{b, c::{self as d, *}};", "let Some(x) = y else { return };", "macro_rules! m { () => {} }", "struct S(pub A); enum E { A = 1 }",
		"let f = |a, b: C| -> D { e };", "r#\"x\"# 'a' 'a b'\\'' r#fn", "fn a() {\nfn b() {\n}", "<A as B>::c(); if let A { b } = c {}",
	} {
		f.Add(s)
	}
	langtest.Fuzz(f, readers)
}

func BenchmarkRead(b *testing.B) {
	var texts [][]byte
	n := 0
	files, _ := filepath.Glob(filepath.Join(os.Getenv("RUST_SAMPLES"), "*.rs"))
	for _, name := range files {
		if text, err := os.ReadFile(name); err == nil {
			texts = append(texts, text)
			n += len(text)
		}
	}
	if n == 0 {
		texts = [][]byte{[]byte(strings.Repeat("/// Adds.\n#[inline]\npub fn add<T: Copy>(&self, a: T, b: Vec<T>) -> Result<T, Error> {\n    let x = self.inner.lock()?.get(a);\n    match x {\n        Some(y) => y.sum(b),\n        None => Err(Error::new(\"none\")),\n    }\n}\n\n", 1000))}
		n = len(texts[0])
	}
	b.SetBytes(int64(n))
	for b.Loop() {
		for _, text := range texts {
			Read(text)
		}
	}
}
