package markdown

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/docs/markup"
)

// What tools mean by their marks is what is read.
func TestMarks(t *testing.T) {
	opt := markup.Options{Path: "docs/articles/a.md", Include: func(p string) ([]byte, error) {
		if p == "/samples/A.cs" {
			return []byte("class A\n{\n    #region run\n    int x;\n    #endregion\n}\n"), nil
		}
		if p == "/docs/part.md" {
			return []byte("Shared words."), nil
		}
		return nil, fs.ErrNotExist
	}}
	for _, c := range []struct{ in, want string }{
		{"Use {func}`~attrs.define` and {class}`x.Y`, see {ref}`the guide <guide>` and {pep}`681`.", "Use `attrs.define` and `x.Y`, see the guide and PEP 681."},
		{"Set {name} to `x`, or ${name}`y`.", "Set {name} to `x`, or ${name}`y`."},
		{"`MOCK_METHOD(`*`type`*`,`**`name`**`);`", "`MOCK_METHOD(type,name);`"},
		{"`a`*b*`c` `d`", "`a`b`c` `d`"},
		{"``a`b``*`c`*", "``a`b```c`"},
		{"[![CI](https://github.com/a/b/actions/workflows/ci.yml/badge.svg)](https://x)\n[![n](https://img.shields.io/npm/v/x)](y) ![logo](logo.png)", "logo"},
		{"<p align=center><img src=\"https://img.shields.io/x\" alt=\"npm\"> Words.</p>", "Words."},
		{"See [`Command::multicall`][crate::Command::multicall] and the [`cargo` flag][crate::_features].", "See `Command::multicall` and the `cargo` flag."},
		{"[!code-csharp[A.cs](../../samples/A.cs)]", "```cs class A\n{\n    int x;\n}"},
		{"[!code-csharp[A](../../samples/A.cs#run)]", "```cs int x;"},
		{"[!code-cs[A](../../samples/A.cs?range=1-2)]", "```cs class A\n{"},
		{"[!INCLUDE [shared](../part.md)]", "Shared words."},
		{"[!code-csharp[A](missing.cs)]", "[!code-csharpA]"},
		{"| A |\n|---|\n| [`p?`](#p?){: #p? } it |\n| [`q`](#q){: #step-guard_fun_x .spark-required} |", "A\n`p?` it\n`q`"},
		{"Press :material-clock:{ .lg .middle } twice, {: not a list } and {.x", "Press :material-clock: twice, {: not a list } and {.x"},
		{":::{.alert .alert-info}\n**Note:** words.\n:::\n\nMore.", "Note: words.|More."},
		{"<code-group>\n<code-block title=\"JS\">\n```js\na()\n\nb()\n```\n</code-block>\n</code-group>\n\nMore.", "JS|```js a()\n\nb()|More."},
	} {
		var got []string
		for _, b := range Parse([]byte(c.in), opt).Blocks {
			if b.Kind == markup.Code {
				b.Text = "```" + b.Lang + " " + b.Text
			}
			got = append(got, strings.TrimSpace(b.Text))
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%q is read as %q, want %q", c.in, s, c.want)
		}
	}
}

// A heading of level 1 at the end is not the title of what came before.
func TestTitleFirst(t *testing.T) {
	for in, want := range map[string]string{
		"Intro.\n\n## Install\n\nx\n\n## Use\n\ny\n\n# License\n\nMIT": "",
		"# Koa\n\nx\n\n# License\n\nMIT":                               "Koa",
		"## Note\n\nx\n\n# Title\n\ny":                                 "Title",
	} {
		if got := Parse([]byte(in), markup.Options{}).Title; got != want {
			t.Errorf("%q is called %q, want %q", in, got, want)
		}
	}
}
