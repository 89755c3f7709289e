package asciidoc

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/markuptest"
)

var files = map[string]string{
	"part.adoc":     "== Part\n\ntext\n\ninclude::sub/leaf.adoc[]\n",
	"sub/leaf.adoc": "leaf\n",
	"loop.adoc":     "again\n\ninclude::loop.adoc[]\n",
	"x.rb":          "# tag::one[]\na\n# end::one[]\nb\nc\n",
	"src/y.go":      "package y\n",
	"/docs/z.txt":   "z\n",
}

var options = markup.Options{Path: "docs/page.adoc", Include: func(path string) ([]byte, error) {
	if s, ok := files[path]; ok {
		return []byte(s), nil
	}
	return nil, errors.New("no such file")
}}

func read(src []byte) markup.Page { return Parse(src, options) }

func TestParse(t *testing.T) {
	markuptest.Cases(t, read, []markuptest.Case{
		{"titles", "= Book\nAnn <a@b>\nv1.0\n:toc:\n\n== What's new?\n\n[[x]]\n=== Y\n\n[#z]\n== Z ==\n", "1 h1 Book #\n6 h2 What's new? #_whats_new\n9 h3 Y #x\n12 h2 Z #z\n"},
		{"underlined", "Book\n====\n\nOne\n---\n\nx\n", "1 h1 Book #\n4 h2 One #_one\n7 x\n"},
		{"paragraph", "one\ntwo +\nthree\n// no\nfour\n\n////\nhidden\n////\n", "1 one two\n  three four\n"},
		{"inline", "*b* _i_ `c` `+d+` ``e``f #g# **h**i a_b_c 2*3 \\*j*", "1 b i `c` `d` `e`f g hi a_b_c 2*3 *j*\n"},
		{"links", "https://x.y[words] https://x.y link:a/b[C] <<x>> <<x,the x>> xref:p.adoc#q[Q] xref:r[] mailto:a@b[M] kbd:[Ctrl+C] linkgit:git-add[1] footnote:[foot]", "1 words https://x.y C x the x Q r M Ctrl+C git-add(1) [foot]\n"},
		{"attributes", ":name: Value\n:long: {name}!\n\n{name} {long} {none} \\{name}\n", "4 Value Value! {none} {name}\n"},
		{"bullets", "* a\n  more\n** b\n* c\n+\nd\n+\n----\ncode\n----\n- e\n\nx\n", "1 - a more\n    - b\n  - c\n  \n    d\n9 code \n  code\n11   - e\n13 x\n"},
		{"ordered", ". a\n.. b\n. c\n\n5. d\n", "1 1. a\n    1. b\n  2. c\n    1. d\n"},
		{"terms", "a:: One.\nb::\nc::\n  Two.\n+\nMore.\nd::: three\n", "1 - a: One.\n  - b, c: Two.\n  \n    More.\n  \n    - d: three\n"},
		{"source", "[source,go]\n.main.go\n----\nx := 1 // <1>\n\n  y\n----\n<1> One.\n", "3 main.go\n4 code go\n  x := 1\n  \n    y\n8 1. One.\n"},
		{"fences", "```js\na\n```\n\n....\nb\n....\n\n  c\n   d\n\n[source]\ne\n", "2 code js\n  a\n6 code \n  b\n9 code \n  c\n   d\n13 code \n  e\n"},
		{"admonitions", "NOTE: a\n\n[WARNING]\n====\nb\n\nc\n====\n\n[TIP]\nd\n", "1 Note: a\n4 Warning: b\n7 c\n11 Tip: d\n"},
		{"blocks", ".Title\n====\na\n====\n\n****\nb\n****\n\n[quote]\n____\nc\n____\n\n--\nd\n--\n\n[verse]\ne\n f\n", "2 Title\n3 a\n7 b\n12 c\n16 d\n20 e\n   f\n"},
		{"table", "[cols=\"1,2\",options=header]\n|===\n|A |B\n\n|`a`\n|b\nmore\n2+|c\n|===\n", "2 table\n  A | B\n  `a` | b more\n  c\n"},
		{"table by its first line", "|===\n|A |B |C\n|1 |2 |3\n|===\n", "1 table\n  A | B | C\n  1 | 2 | 3\n"},
		{"csv", ",===\na,\"b, c\"\n,===\n", "1 table\n  a | b, c\n"},
		{"include", "= T\n\ninclude::part.adoc[]\n", "1 h1 T #\n3 h2 Part #_part\n3 text\n3 leaf\n"},
		{"include code", ":s: src\n\n[source,ruby]\n----\ninclude::x.rb[tag=one]\n----\n\n----\ninclude::{s}/y.go[]\n----\n\n----\ninclude::x.rb[lines=4..-1]\n----\n\ninclude::{docdir}/z.txt[]\n", "5 code ruby\n  a\n9 code \n  package y\n13 code \n  b\n  c\n16 z\n"},
		{"include absent", "include::no.adoc[]\n\ninclude::no.adoc[opts=optional]\n", "1 (not included: no.adoc)\n"},
		{"conditions", ":a:\n\nifdef::a[]\nx\nendif::[]\nifdef::b[]\ny\nendif::[]\nifndef::b[z]\n", "4 x z\n"},
		{"breaks", "a\n\n'''\n\nb\n\nimage::x.png[alt]\n\ntoc::[]\n", "1 a\n5 b\n"},
		{"index", "(((hidden)))a ((shown)) [[id]]b [.path]_c_\n", "1 a shown b c\n"},
	})
}

func TestGolden(t *testing.T) { markuptest.Golden(t, ".adoc", read) }

// A file that includes itself ends.
func TestIncludeLoop(t *testing.T) {
	if n := len(Parse([]byte("include::loop.adoc[]\n"), options).Blocks); n > 2*maxIncludes {
		t.Errorf("%d blocks", n)
	}
}

func TestLinear(t *testing.T) {
	markuptest.Linear(t, 400_000, []string{"* ", "* a\n", "`a ", "``a ", "_a ", "<<a ", "[[a ", "((a ", "https:", "xref:a", "{a} ", ":a: {a}{a}\n{a} ", "----\n", "====\n", "|===\n|", "a::\n", "a::\n\n", "a:: ",
		"+\n", "* a\n+\n", "[a]\n", ".a\n", "|a ", "== ", "== a\n", "a\n--\n", "//", "ifdef::a[]\n", "include::loop.adoc[]\n", "**a", "''``", "|===\n|a\n|===\n"}, func(t *testing.T, src []byte) { check(t, src, read(src)) })
}

// check holds what the package promises.
func check(t *testing.T, src []byte, page markup.Page) {
	t.Helper()
	markuptest.Promises(t, src, page, 24*len(src)+4*maxIncluded)
}

func FuzzParse(f *testing.F) {
	f.Add("= T\n:a: b\n\n[[x]]\n== {a}\n\n* x\n+\n----\ny <1>\n----\n<1> z\n\nNOTE: n\n")
	f.Add("[cols=\"2*,a\"]\n|===\n|a 2+|b\n3*|c\n|===\n\n,===\na,\"b\n,===\n")
	f.Add("include::x.rb[tags=one;two,lines=1..2]\nifdef::a[]\nendif::[]\ninclude::loop.adoc[]\n")
	f.Add("a:: b\nc::: `d` *e* _f_ https://g[h] <<i,j>> ((k)) ``l'' [.m]#n#\n")
	f.Fuzz(func(t *testing.T, src string) {
		check(t, []byte(src), Parse([]byte(src), options))
	})
}

// Code that pages of Spring's projects name is where their sections say; attributes of a book
// hold in its chapters; and what a build sets stands for the root or for an address.
func TestNamedCode(t *testing.T) {
	files := map[string]string{
		"/docs/antora.yml": "name: x\nasciidoc:\n  attributes:\n    include-java: 'example$docs-src/main/java/org/x/docs'\n",
		"/docs/src/main/java/org/x/docs/core/aopapi/aoppointcuts/Config.java":               "/* Licence. */\npackage org.x;\n\nclass A {\n\t// tag::snippet[]\n\tint a;\n\t// end::snippet[]\n}\n",
		"/boot/src/main/java/org/springframework/boot/docs/howto/dataaccess/custom/My.java": "/* Licence. */\npackage org.x;\n\nimport a.B;\n\nclass My {\n}\n",
		"/book/index.adoc": ":code: {root}/src\n\n= Book\n\n== A\n\ninclude::chapters/a.adoc[]\n",
		"/src/B.java":      "class B {\n}\n",

		"/docs/modules/ROOT/partials/a/part.adoc": "Part.\ninclude::partial$in.adoc[]\n",
		"/docs/modules/ROOT/partials/in.adoc":     "In it.\n",
		"/docs/modules/ROOT/examples/c.sh":        "run\n",
		"/docs/modules/admin/partials/other.adoc": "Other.\n",
	}
	for _, tc := range []struct{ path, in, want string }{
		{"docs/modules/ROOT/pages/core/aop-api/x.adoc", "= X\n\n[[aop-pointcuts]]\n== P\n\ninclude-code::./Config[tag=snippet,indent=0]\n\n* a\n", "X|P|java int a;|- a"},
		{"boot/src/docs/antora/modules/how-to/pages/x.adoc", "= X\n\n[[howto.data-access.custom]]\n== P\n\ninclude-code::My[]\n", "X|P|java import a.B;\n\nclass My {\n}"},
		{"docs/modules/ROOT/pages/x.adoc", "= X\n\ninclude-code::./None[]\n", "X|(not included: None)"},
		{"docs/modules/ROOT/pages/a/x.adoc", "= X\n\ninclude::partial$a/part.adoc[]\n", "X|Part. In it."},
		{"docs/modules/ROOT/pages/a/x.adoc", "= X\n\ninclude::admin:partial$other.adoc[]\n\n----\ninclude::example$c.sh[]\n----\n", "X|Other.| run"},
		{"docs/modules/ROOT/pages/x.adoc", "= X\n\ninclude::partial$none.adoc[]\n", "X|(not included: partial$none.adoc)"},
		{"book/chapters/a.adoc", "= A\n\n[source,java]\n----\ninclude::{code}/B.java[]\n----\n", "A|java class B {\n}"},
		{"book/chapters/a.adoc", "The {aop-api}/x/Y.html[`Y`] of [.small]#xref:a/b.adoc#c-d[the other stack]# &#8594; &mdash; it.", "The `Y` of the other stack → — it."},
	} {
		opt := markup.Options{Path: tc.path, Include: func(p string) ([]byte, error) {
			if !strings.HasPrefix(p, "/") {
				p = path.Join("/", path.Dir(tc.path), p)
			}
			if s, ok := files[p]; ok {
				return []byte(s), nil
			}
			return nil, fs.ErrNotExist
		}}
		var got []string
		for _, b := range Parse([]byte(tc.in), opt).Blocks {
			if b.Kind == markup.Code {
				b.Text = b.Lang + " " + b.Text
			}
			got = append(got, b.Text)
		}
		if s := strings.Join(got, "|"); s != tc.want {
			t.Errorf("%s: %q is read as %q, want %q", tc.path, tc.in, s, tc.want)
		}
	}
}
