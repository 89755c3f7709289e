package jvm

import "testing"

func TestArgument(t *testing.T) {
	for arg, want := range map[string]string{
		`1`: "{int}", `0xFL`: "{long}", `1e3`: "{double}", `2.0f`: "{float}", `'c'`: "{char}", `"a"`: "{String}", `true`: "{boolean}",
		`x`: "x", `null`: "null", `this.a.b()`: "this.a.b()", `new A<B, C>(1)`: "A()", `new int[3][]`: "{int[][]}", `new a.B[] {c}`: "{a.B[]}",
		`(long) x`: "{long}", `(A<B>) f(x)`: "{A<B>}", `a + "b"`: "{String}", `"a".length()`: "{String}.length()", `a < b`: "{boolean}",
		`!a`: "{boolean}", `x instanceof A`: "{boolean}", `n - 1`: "n", `1 + n`: "n", `c ? 1L : 2L`: "{long}", `x -> x + 1`: "", `A::b`: "&A.b", `a.b()::c`: "&a.b().c",
		`a, 1, f(2, "x")`: "a,{int},f()", `x -> 1, "s"`: ",{String}",
	} {
		f := ReadJava([]byte("class A { void m() { call(" + arg + "); } }"))
		for i := range f.Calls {
			if c := &f.Calls[i]; c.Callee == "call" && c.Given != want {
				t.Errorf("%s: %q, want %q", arg, c.Given, want)
			}
		}
		if len(f.Calls) == 0 {
			t.Errorf("%s: no call", arg)
		}
	}
}
