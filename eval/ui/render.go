package main

import (
	"context"
	"fmt"

	"github.com/chromedp/chromedp"
)

// prelude gives the scripts below the modules of the page, and short names for what they are asked.
const prelude = `(async () => {
	const { markdown } = await import("./markdown.js"), { lines } = await import("./highlight.js"), { fits } = await import("./palette.js"), { comment } = await import("./brief.js");
	const files = { paths: ["docs/a.md", "src/b.go"], languages: new Map([["docs/a.md", "markdown"], ["src/b.go", "go"]]), folders: new Set(["", "docs", "src"]) };
	const md = (text) => [...markdown(text, { file: "docs/a.md", project: files }).childNodes].map((n) => n.outerHTML ?? n.textContent).join("");
	const links = (text) => [...markdown(text, { file: "docs/a.md", project: files }).querySelectorAll("a")].map((a) => a.getAttribute("href")).join(" ");
	const code = (text, language) => lines(text, language).map((nodes) => nodes.map((n) => (n.className ? n.className + "(" + n.textContent + ")" : n.textContent)).join("")).join("\n");
	return String(%s);
})()`

// renders are what the modules of the page make of texts. Many cases of links and comments are those in which nothing may be made of them.
var renders = []struct{ name, script, want string }{
	{"marks", `md("# A\n\n*b* **c** \x60d\x60 ~~e~~")`, `<h2 data-anchor="a">A</h2><p><em>b</em> <strong>c</strong> <code>d</code> <del>e</del></p>`},
	{"no marks in names", `md("snake_case_name 2*3*4")`, `<p>snake_case_name 2<em>3</em>4</p>`},
	{"no marks in code", `md("\x60**a** <b>\x60")`, `<p><code>**a** &lt;b&gt;</code></p>`},
	{"a list in a list", `md("- a\n  - b\n- c")`, `<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>`},
	{"a list of tasks that begins at three", `md("3. [x] a")`, `<ol start="3"><li><input type="checkbox" disabled="" checked="" aria-label="done">a</li></ol>`},
	{"a table with a bar in code", `md("a|b\n-|-\n\x60x|y\x60|z").includes("<code>x|y</code></td><td>z</td>")`, "true"},
	{"a fence", `md("\x60\x60\x60go\n# no heading\n\x60\x60\x60")`, `<pre tabindex="0"># no heading</pre>`},
	{"links of the project", `links("[a](../src/b.go#L7) [b](a.md) [c](#part) [d](/src/)")`, "#/files?p=src%2Fb.go&l=7 #/files?p=docs%2Fa.md #/files?p=docs%2Fa.md&a=part #/files?p=src"},
	{"links of the web", `links("<https://a.example/b> [c](http://d.example) [e][f]\n\n[f]: https://g.example")`, "https://a.example/b http://d.example https://g.example"},
	{"links that lead nowhere", `links("[a](gone.md) [b](../../up.md) [c](javascript:x) [d](data:text/html,x) [e](//h.example) [f](file:///etc/passwd) [g](\\\\host\\x)")`, ""},
	{"a picture is not loaded", `md("![a](https://b.example/c.png)").includes("<img")`, "false"},
	{"tags of documents", `md("<p align=center>a<br><b>c</b> <img src=x alt='d'></p>")`, `<p>a<br>c <span class="picture">d</span></p>`},
	{"tags that act", `md("<script>a</script> <img src=x onerror=b>")`, `<p>&lt;script&gt;a&lt;/script&gt; &lt;img src=x onerror=b&gt;</p>`},
	{"a heading with marks of direction", `md("# a\u202eb")`, `<h2 data-anchor="au202eb">a&lt;U+202E&gt;b</h2>`},
	{"a comment over lines", `code("/* a\nb */ x // c", "go")`, "co(/* a)\nco(b */) x co(// c)"},
	{"no comment in a string", `code("\"a // b\" // c", "go")`, `st("a // b") co(// c)`},
	{"no comment of another language", `code("a # b", "go")`, "a # b"},
	{"a string over lines", `code("'''a\nb''' # c", "python")`, "st('''a)\nst(b''') co(# c)"},
	{"no string of a lifetime", `code("fn a<'b>(c: &'b str)", "rust")`, "kw(fn) a<'b>(c: &'b str)"},
	{"a snippet that begins in a comment", `code(" * a\n */\nb", "java")`, "co( * a)\nco( */)\nb"},
	{"a file by its letters", `[["bg", "src/b.go"], ["srb", "src/b.go"], ["gs", "src/b.go"]].map(([l, p]) => fits(l, p) >= 0).join(" ")`, "true true false"},
	{"a comment of a review", "comment({ where: [{ file: 'a`b.go', why: '<img> @all', declarations: [] }] }).split(\"\\n\")[2]", "- `` a`b.go ``: \\<img\\> \\@all"},
}

// rendered holds what the modules of the page make of texts.
func rendered(ctx context.Context, base string) error {
	if err := chromedp.Run(ctx, chromedp.Navigate(base+"#/search"), chromedp.WaitVisible("main input")); err != nil {
		return err
	}
	for _, r := range renders {
		var got string
		if err := chromedp.Run(ctx, chromedp.Evaluate(fmt.Sprintf(prelude, r.script), &got, awaited)); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		if got != r.want {
			return fmt.Errorf("%s: %s is\n%s\nwant\n%s", r.name, r.script, got, r.want)
		}
	}
	fmt.Printf("%d texts rendered as they should be\n", len(renders))
	return nil
}
