package facts_test

import "testing"

// TestExtensionFunctions calls functions that are written as members of types that the project
// does not declare, or that are not known.
func TestExtensionFunctions(t *testing.T) {
	kotlin := map[string]string{
		"a/Ext.kt": "package a\nclass Box(val n: Int) { fun own(): Int = n }\nfun Box.twice(): Int = n * 2\nfun String.shout(): String = uppercase()\nfun <T> List<T>.second(): T = this[1]\n" +
			"fun String.own(): Int = 1\nfun String.three(a: Int, b: Int, c: Int): Int = 1\n",
		"b/Use.kt": "package b\nimport a.Box\nimport a.shout\nimport a.second\nimport a.three\nfun use(b: Box, s: String, xs: List<Int>) {\n    s.shout()\n    \"x\".shout()\n    xs.second()\n" +
			"    b.shout()\n    s.own()\n    unknown().second()\n    s.three(1)\n}\n",
		"c/Not.kt": "package c\nfun not(s: String) { s.shout() }\n",
	}
	csharp := map[string]string{
		"a/Ext.cs": "namespace A {\n  public interface IBox {}\n  public class Box : IBox { public int Own() { return 1; } }\n  public static class Extensions {\n    public static int Twice(this IBox b) { return 2; }\n" +
			"    public static string Shout(this string s, int n = 1) => s.ToUpper();\n    public static T Some<T>(this T x) => x;\n  }\n}\n",
		"b/Use.cs": "using A;\nnamespace B {\n  public class U {\n    public void Go(Box b, string s) {\n      b.Twice();\n      s.Shout();\n      b.Shout();\n      b.Some();\n      Unknown().Shout(2);\n      s.Shout(1, 2);\n    }\n  }\n}\n",
		"c/Not.cs": "namespace C { public class V { void Go(string s) { s.Shout(); } } }\n",
	}
	for _, c := range []struct {
		tree         map[string]string
		symbol, want string
	}{
		{kotlin, "shout", "b/Use.kt:7:7 call likely\nb/Use.kt:8:9 call likely"},
		{kotlin, "second", "b/Use.kt:12:15 call likely\nb/Use.kt:9:8 call likely"},
		{kotlin, "String.own", ""},
		{kotlin, "three", ""},
		{csharp, "Twice", "b/Use.cs:5:9 call likely"},
		{csharp, "Shout", "b/Use.cs:6:9 call likely\nb/Use.cs:9:17 call likely"},
		{csharp, "Some", "b/Use.cs:8:9 call likely"},
	} {
		if got := uses(t, c.tree, c.symbol); got != c.want {
			t.Errorf("uses of %s:\n%s\nwant:\n%s", c.symbol, got, c.want)
		}
	}
}
