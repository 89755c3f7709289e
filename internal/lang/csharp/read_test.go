package csharp

import (
	"testing"

	"github.com/assay-dev/assay/internal/lang/langtest"
)

var cases = []struct{ name, src, want string }{
	{`imports`, `using System;
using static A.B.C;
using L = A.List<int>;
global using G.H;
extern alias X;
#if NET
using N;
#endif
`, `import System
import A.B.C member
import A.List<int> as L
import G.H
import N conditional
`},
	{`namespaces nest`, `namespace A.B {
    namespace C { class D { void F() { } } }
}
`, `of A.B
module A.B exported body="{\n    namespace … }\n}"
module C exported body="{ class D { void… } }"
class D body="{ void F() { } }"
method F -> void body="{ }"
`},
	{`a namespace of the file`, `namespace A.B;
interface I<in T> : J, K<T> where T : class { void F(T t); int P { get; } int this[int i] { get; set; } event H E; }
`, `of A.B
module A.B exported body="interface I<in T…E; }"
interface I : J | K<T> body="{ void F(T t); i…E; }"
method F(T t) -> void abstract exported body=""
method this(int i) -> int abstract accessor exported body=""
bind t#1: T
bind P: int
bind i#1: int
bind E: H
`},
	{`members`, `/// <summary>Says hello.</summary>
[Serializable, Route("api/[x]")]
public abstract partial class C<T>(Log log) : Base<T>(log.Make()), IC where T : new()
{
    private readonly Dictionary<string, List<int>> _map = new(), _other;
    public C(int a) : this(Start(a)) { }
    static C() => Init();
    ~C() { End(); }
    public static C<T> operator +(C<T> a, C<T> b) => a.Add(b);
    public static explicit operator int?(C<T> c) => c.Count();
    protected abstract void Do(ref int x, out string y, params int[] rest);
    void I<int>.Explicit() { }
    public event Handler Changed { add { _c += value; } remove { } }
    public override string ToString() => base.ToString();
}
`, `class C(Log log) : Base<T> | IC @Serializable @Route("api/[x]") abstract extension exported doc="/// <summary>Says hello.</summary>" body="{\n    private re…);\n}"
method C(int a) constructor exported body="{ }"
method C static constructor body="=> Init();"
method ~C body="{ End(); }"
method operator +(C<T> a | C<T> b) -> C<T> static exported body="=> a.Add(b);"
method operator int?(C<T> c) -> int? static exported body="=> c.Count();"
method Do(ref int x | out string y | params int[] rest) -> void abstract body=""
method Explicit -> void body="{ }"
method Changed -> Handler accessor exported body="{ add { _c += va… } }"
method ToString -> string exported body="=> base.ToString();"
call Base 1 new
call Make of log 0
call Dictionary 0 new
call this 1
call Start 1
call Init 0
call End 0
call Add of a 1
call Count of c 0
call ToString of base 0
bind log#1: Log
bind _map: Dictionary<string, List<int>>
bind _other: Dictionary<string, List<int>>
bind a#1: int
bind () = Init()
bind a#1: C<T>
bind b#2: C<T>
bind () = a.Add()
bind c#1: C<T>
bind () = c.Count()
bind x#1: int
bind y#2: string
bind rest#3: int[]
bind Changed: Handler
bind () = base.ToString()
`},
	{`properties`, `class C {
    public int Auto { get; private set; } = First();
    public string Name => _name.Trim();
    Point P { get { return Where(); } [Foo(1)] set => Set(value); }
    int this[string key] => Find(key);
    Func<int, int> Twice { get; } = x => x * Two();
    List<int> Made { get; } = new();
}
`, `class C body="{\n    public int…);\n}"
method Name -> string accessor exported body="=> _name.Trim();"
method P -> Point accessor body="{ get { return W…); }"
method this(string key) -> int accessor body="=> Find(key);"
method Twice -> Func<int, int> body="{ get; } = x => …o();"
call First 0
call Trim of _name 0
call Where 0
call Set 1
call Find 1
call Two 0
call List 0 new
bind Auto: int = First()
bind Name: string
bind () = _name.Trim()
bind P: Point
bind () = Where()
bind key#1: string
bind () = Find()
bind Twice: Func<int, int>
bind Made: List<int>
`},
	{`records, structs, enums, delegates`, `public record R(int X, string Y = "a") : Base(X);
public readonly record struct S(int Z) { public int W => Z; }
[Flags] enum E : byte { A = 1, [Obsolete("x")] B = A << 2 }
public delegate Task<int> Handler<T>(object sender, T args);
ref struct Q { Span<int> s; fixed int buf[10]; }
`, `class R(int X | string Y = "a") : Base exported body=""
struct S(int Z) exported body="{ public int W => Z; }"
method W -> int accessor exported body="=> Z;"
enum E : byte @Flags body="{ A = 1, [Obsole… 2 }"
type Handler(object sender | T args) -> Task<int> exported body=""
struct Q body="{ Span<int> s; f…]; }"
call Base 1 new
bind X#1: int
bind Y#2: string
bind Z#1: int
bind W: int
bind () = Z
bind A: E
bind B: E
bind s: Span<int>
bind buf: int
`},
	{`extension methods and iterators`, `static class X {
    public static async IAsyncEnumerable<T> Each<T>(this IEnumerable<T> all, [Caller] string name = "n") { await foreach (var x in all.Items()) yield return x; }
}
`, `class X static body="{\n    public sta… }\n}"
method Each(this IEnumerable<T> all | [Caller] string name = "n") -> IAsyncEnumerable<T> async generator static extension exported body="{ await foreach …x; }"
call Items of all 0
bind all#1: IEnumerable<T>
bind name#2: string
bind x = all.Items()[]
bind [] = x
`},
	{`locals`, `class C {
    Foo F() {
        var a = await Repo.Get<Foo>(1).LoadAsync();
        using var s = new Stream("a") { Size = Len() };
        const int n = 1, m = G();
        var (x, y) = Pair();
        var c = (Foo)bar.Baz();
        var d = z as A.Foo;
        Bar b = new() { X = 1 };
        this.field = a.Value;
        (int p, string q) t = Two();
        int[] arr = { 1 }, brr = new int[3];
        foreach (KeyValuePair<string, int> kv in a.Map) Use(kv);
        for (int i = 0, j = H(); i < j; i++) { }
        try { } catch (IOException e) when (e.Bad()) { }
        if (d is Foo f && map.TryGetValue("k", out var v) && Parse("1", out int w)) return f;
        return this.Make();
    }
}
`, `class C body="{\n    Foo F() {\n… }\n}"
method F -> Foo body="{\n        var a …   }"
call Get of Repo 1
call LoadAsync of Repo.Get() 0
call Stream 1 new
call Len 0
call G 0
call Pair 0
call Baz of bar 0
call Bar 0 new
call Two 0
call Use 1
call H 0
call Bad of e 0
call TryGetValue of map 2
call Parse 2
call Make of this 0
bind a = Repo.Get().LoadAsync()
bind s = Stream()
bind n: int
bind m: int = G()
bind x
bind y
bind c: Foo
bind d: A.Foo
bind b: Bar
bind this.field = a.Value
bind t: (int p, string q) = Two()
bind arr: int[]
bind brr: int[]
bind kv: KeyValuePair<string, int> = a.Map[]
bind i: int
bind j: int = H()
bind e: IOException
bind f: Foo
bind v
bind w: int
bind () = f
bind () = this.Make()
`},
	{`functions in functions`, `class C {
    Action field = () => Go();
    void F() {
        static int Local<T>(T x) where T : struct => Deep(x);
        Func<int, int> twice = async x => { return await Two(x); }, thrice = (int y) => Three(y);
        button.Click += (s, e) => Clicked();
        obj.Handler = delegate (int z) { Handle(z); };
        var made = new Foo { Run = () => Ran() };
        Call(() => Inner(), x => Other(x));
    }
}
`, `class C body="{\n    Action fie… }\n}"
function field body="Go()"
method F -> void body="{\n        static…   }"
function Local(T x) -> int static local body="=> Deep(x);"
function twice(x) async local body="{ return await Two(x); }"
function thrice(int y) local body="Three(y)"
function Handler(int z) local body="{ Handle(z); }"
function Run local body="Ran()"
call Go 0
call Deep 1
call Two 1
call Three 1
call Clicked 0
call Handle 1
call Foo 0 new
call Ran 0
call Call 2
call Inner 0
call Other 1
bind field: Action
bind () = Go()
bind x#1: T
bind () = Deep()
bind twice: Func<int, int>
bind x#1
bind () = Two()
bind thrice: Func<int, int>
bind y#1: int
bind () = Three()
bind z#1: int
bind made = Foo()
bind () = Ran()
`},
	{`patterns call nothing`, `class C {
    int F(object o) => o switch {
        Point(0, var y) when Check(y) => One(),
        { Length: > 3 } => Two(),
        Foo f when f.Ok() => Three(f),
        (int a, _) => Four(),
        _ when Last() => Five(),
    };
    void G(object o) {
        if (o is Point(1, 2) p || o is not Foo) { }
        switch (o) { case Point(var q, _) when q.Ok(): A(); break; case nameof(o): B(); break; default: D(); break; }
    }
}
`, `class C body="{\n    int F(obje… }\n}"
method F(object o) -> int body="=> o switch {\n  …  };"
method G(object o) -> void body="{\n        if (o …   }"
call Check 1
call One 0
call Two 0
call Ok of f 0
call Three 1
call Four 0
call Last 0
call Five 0
call Ok of q 0
call A 0
call nameof 1
call B 0
call D 0
bind o#1: object
bind f: Foo
bind o#1: object
`},
	{`strings`, `class C {
    string A = $"a{{no()}} {F(1):N2} {(x ? $"{G()}" : "}")} \" {H()}";
    string B = @"c:\" + I() + $@"d:\{J()}""{K()}" + @$"{L()}";
    string D = """a "no()" {no()} """ + $"""{M()} "x" """ + $$"""{no()} {{N()}} {""" + """"x """ y"""";
    char c = '"'; char d = '\''; string e = nameof(A);
}
`, `class C body="{\n    string A =…);\n}"
call F 1
call G 0
call H 0
call I 0
call J 0
call K 0
call L 0
call M 0
call N 0
call nameof 1
bind A: string
bind B: string
bind D: string
bind c: char
bind d: char
bind e: string = nameof()
`},
	{`queries`, `class C {
    object F() => from x in items.All() join Foo y in others on x.Id equals y.Id let z = G(x) where (Ok(z)) orderby x.Name select new { A = H(x) };
}
`, `class C body="{\n    object F()…};\n}"
method F -> object body="=> from x in ite…) };"
call All of items 0
call G 1
call Ok 1
call H 1
bind x = items.All()[]
bind y: Foo = others[]
bind z = G()
`},
	{`chains`, `class C { void F() {
    a?.b!.C(); a[0].D(); new A.B<int>(1).E(); ((a)).G(); base.H(); A::B.I(); p->J(); f()(1); a.b.K<int, string>(); (await x).L(); M<A>(b < c, d > e);
} }
`, `class C body="{ void F() {\n   …\n} }"
method F -> void body="{\n    a?.b!.C();…);\n}"
call C of a.b 0
call D of a[] 0
call B of A 1 new
call E of A.B() 0
call G of a 0
call H of base 0
call I of A.B 0
call J of p 0
call f 0
call K of a.b 0
call L of x 0
call M 2
`},
	{`branches of the preprocessor`, `class C {
#if A
    void F() {
#elif B
    void F(int x) {
#else
    void F(string y) {
#endif
        G();
    }
    #region R
    int H() {
        if (x) {
#if D
            I();
        }
#else
        }
#endif
        return 1;
    }
    #endregion
    void J() { }
}
`, `class C body="{\n#if A\n    void… }\n}"
method F -> void body="{\n#elif B\n    vo…   }"
function F(int x) -> void local body="{\n#else\n    void…   }"
function F(string y) -> void local body="{\n#endif\n       …   }"
method H -> int body="{\n        if (x)…   }"
method J -> void body="{ }"
call G 0
call I 0
bind x#1: int
bind y#1: string
`},
	{`statements of a file`, `using System;
var app = Build(args);
app.Run();
int Add(int a, int b) => Sum(a, b);
if (app.Ok) { Yes(); }
class After { void F() { } }
`, `function Add(int a | int b) -> int body="=> Sum(a, b);"
class After body="{ void F() { } }"
method F -> void body="{ }"
import System
call Build 1
call Run of app 0
call Sum 2
call Yes 0
bind app = Build()
bind a#1: int
bind b#2: int
bind () = Sum()
`},
	{`broken`, `class C {
    void F( { if (x { G(; }
    void H() { I(); }
<<<<<<< HEAD
    void J() { K(); }
=======
    void L() { M(); }
>>>>>>> other
    int = ;
    public void N() { O();
    public void P() { Q(); }
}
`, `class C body="{\n    void F( { … }\n}"
method F -> void body="{ if (x { G(; }\n… }\n}"
function H -> void local body="{ I(); }"
function J -> void local body="{ K(); }"
function L -> void local body="{ M(); }"
method N -> void exported body="{ O();\n    publi… }\n}"
method P -> void exported body="{ Q(); }"
call G 1
call I 0
call K 0
call M 0
call O 0
call Q 0
`},
	{`names`, "\ufeffclass @class { void @if() { @new(); var é = ñ(); } }\n", `class @class body="{ void @if() { @… } }"
method @if -> void body="{ @new(); var é…); }"
call @new 0
call ñ 0
bind é = ñ()
`},
}

func TestRead(t *testing.T) {
	for _, c := range cases {
		if got := langtest.Long(c.src, Read([]byte(c.src))); got != c.want {
			t.Errorf("%s: facts of\n%s\nare\n%swant\n%s", c.name, c.src, got, c.want)
		}
	}
}
