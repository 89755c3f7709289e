package apidoc

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-dev/assay/internal/lang/syntax"
)

// What real libraries' references showed wrong: each case names it.
func TestShown(t *testing.T) {
	for _, tc := range []struct{ name, path, text, want string }{
		{"what it is comes before since when", "A.java", "package p;\n/**\n * Holds it.\n *\n * More.\n *\n * @since 1.7\n */\npublic class A {\n  /** @deprecated use b */\n  public void a() {}\n}\n",
			"[p > A]\njava| public class A\nHolds it.\nSince 1.7\nMore.\n[p > A > A.a]\njava| public void a()\nDeprecated. use b\n"},
		{"a tag of Javadoc is no type", "B.java", "package p;\npublic class B {\n  /** @return {@code true} if so */\n  public boolean b() {}\n}\n",
			"[p > B]\njava| public class B\n[p > B > B.b]\njava| public boolean b()\nReturns: `true` if so\n"},
		{"modifiers and type in lines of their own", "C.java", "package p;\npublic class C {\n  /** Sets. */\n  @Deprecated\n  public static\n  IRubyObject\n  set_lang(Context c)\n  { return c; }\n}\n",
			"[p > C]\njava| public class C\n[p > C > C.set_lang]\njava| public static\n  | IRubyObject\n  | set_lang(Context c)\nSets.\n"},
		{"a body that is an expression", "D.kt", "package p\n/** Uses [cipher], see [the list](x) or [D.e]. */\nfun Sink.wrap(cipher: Cipher): CipherSink =\n  CipherSink(this, cipher)\n/** Old. */\nactual fun said() = 1\nactual fun unsaid() = 2\n",
			"[p > Sink > Sink.wrap]\nkotlin| fun Sink.wrap(cipher: Cipher): CipherSink\nUses `cipher`, see the list or `D.e`.\n[p > said]\nkotlin| actual fun said()\nOld.\n"},
		{"one type of several between parentheses", "e.go", "package p\n\ntype (\n\t// E is one.\n\tE func(int)\n)\n", "[p > E]\ngo| type E func(int)\nE is one.\n"},
		{"a list is indented alike", "f.go", "package p\n\n// F does.\n//\n//   - one\n//     more\n//   - two\nfunc F() {}\n", "[p > F]\ngo| func F()\nF does.\n- one more\n- two\n"},
		{"code of RDoc", "lib/g.rb", "# Does it:\n#\n#   a = 1\n#\n#   b = a\n#\n# - an item\n#\n#   that goes on\n#\n# ```\n#   fenced\n# ```\nclass G\n  # @example\n  #   x\n  #\n  #   y\n  def m\n  end\nend\n",
			"[g > G]\nruby| class G\nDoes it:\nruby| a = 1\n  | \n  | b = a\n- an item\n  that goes on\nruby|   fenced\n[g > G > G#m]\nruby| def m\nExample:\nruby| x\n  | \n  | y\n"},
		{"an empty element", "H.cs", "namespace Q;\npublic class H {\n  /// <summary>Does.</summary>\n  /// <returns></returns>\n  public\n  int Do() { return 1; }\n}\n/// <summary>L.</summary>\npublic enum L {\n  /// <summary>One.</summary>\n  One\n}\n",
			"[Q > H]\ncsharp| public class H\n[Q > H > H.Do]\ncsharp| public\n  | int Do()\nDoes.\n[Q > L]\ncsharp| public enum L {\n  |   /// <summary>One.</summary>\n  |   One\n  | }\nL.\n"},
	} {
		if diff := cmp.Diff(tc.want, shown(Read(tc.path, syntax.Language(tc.path, nil), []byte(tc.text), nil))); diff != "" {
			t.Errorf("%s:\n%s", tc.name, diff)
		}
	}
	for p, want := range map[string]string{"BUILD.bazel": "", "defs.bzl": "", "ext/java/X.java": "", "src/X.java": "java", "Tools/gen/X.swift": "", "Sources/P/X.swift": "swift", "tools/x.go": "go"} {
		if got := Language(p, false); got != want {
			t.Errorf("Language(%s) = %q, want %q", p, got, want)
		}
	}
}
