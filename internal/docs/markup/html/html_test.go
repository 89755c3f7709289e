package html

import (
	"testing"

	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/markuptest"
)

func read(src []byte) markup.Page { return Parse(src, markup.Options{}) }

func TestParse(t *testing.T) {
	markuptest.Cases(t, read, []markuptest.Case{
		{"headings", "<h1 id=a>A <a href='#a'>¶</a></h1>\n<section id=b><h2>B</h2></section><h3><a name=c></a>C</h3>", "1 h1 A #a\n2 h2 B #b\n2 h3 C #c\n"},
		{"anchor before", "<a id='x'></a><h2>X</h2><p id=p>t</p><h2>Y</h2>", "1 h2 X #x\n1 t\n1 h2 Y #\n"},
		{"paragraphs", "<p>a\n <b>b</b><i> c</i>\n<p>d<br>e", "1 a b c\n3 d\n  e\n"},
		{"entities", "<p>&lt;a&gt; &amp;&nbsp;b", "1 <a> & b\n"},
		{"code", "<p>Use <code>x <i>y</i></code> and <kbd>C-c</kbd>.", "1 Use `x y` and `C-c`.\n"},
		{"pre", "<pre>\n a\n  <b>b</b>\n\n</pre>", "1 code \n   a\n    b\n"},
		{"languages", "<pre><code class='language-go hljs'>a</code></pre><div class='highlight-python3 notranslate'><div class=highlight><pre>b</pre></div></div><pre class='brush: js'>c</pre><div class='highlight-none'><pre>d</pre></div>", "1 code go\n  a\n1 code python3\n  b\n1 code js\n  c\n1 code \n  d\n"},
		{"lists", "<ul><li>a<li><p>b<ul><li>c</ul></li></ul><ol start=3><li>d<li>e</ol>", "1 - a\n  - b\n    - c\n1 3. d\n  4. e\n"},
		{"code in list", "<ul><li>a<pre>x</pre>b</li><li>c</li></ul>", "1 - a\n1 code \n  x\n1 b\n  - c\n"},
		{"terms", "<dl><dt>a<dt>b<dd>c<dt>d</dl>", "1 - a, b: c\n  - d\n"},
		{"signature", "<dl class='py function'><dt class=sig id=f><span class=descname>f</span>(<em>x</em>)<a class=headerlink href='#f'>¶</a></dt><dd><p>Do.</p></dd></dl>", "1 h5 f #f\n1 `f(x)`\n1 Do.\n"},
		{"symbols", "<h1 id=m>M</h1><dl class='py class'><dt class=sig id=a.b.C><span class=sig-prename>a.b.</span><span class='sig-name descname'>C</span></dt><dd><dl class='py method'><dt class=sig id=a.b.C.go><span class=descname>go</span>(x)</dt><dt class=sig id=a.b.C.gone><span class=descname>gone</span>()</dt><dd>Go.</dd></dl></dd></dl><p>More.", "1 h1 M #m\n1 h5 a.b.C #a.b.C\n1 `a.b.C`\n1 h5 C.go #a.b.C.go\n1 `go(x)`\n1 `gone()`\n1 Go.\n1 h1 M #m\n1 More.\n"},
		{"a signature without an address", "<dl class='py function'><dt class=sig><span class=descname>f</span>(x)</dt><dd>Do.</dd></dl>", "1 `f(x)`\n1 Do.\n"},
		{"terms with addresses", "<dl class='simple glossary'><dt id=term-a>a</dt><dd>b</dd></dl>", "1 - a: b\n"},
		{"table", "<table><caption>T</caption><thead><tr><th>A<th>B<tbody><tr><td><p>1</p><td><code>x</code></table>", "1 T\n1 table\n  A | B\n  1 | `x`\n"},
		{"table of code", "<table><tr><td><pre>a</pre></td><td>b</td></tr></table>", "1 code \n  a\n1 b\n"},
		{"details", "<details><summary>More</summary><p>x</details><blockquote>y</blockquote>", "1 More\n1 x\n1 y\n"},
		{"notes", "<div class='admonition note'><p class=admonition-title>Note</p><p>x</p></div><div class=warning><h3 class=title>Warning</h3><p>y</div>", "1 Note: x\n1 Warning: y\n"},
		{"around", "<body><nav>n</nav><header>h</header><main><p>x</p><aside>a</aside><script>s</script></main><footer>f</footer>", "1 x\n"},
		{"no main", "<head><title>T</title></head><body><div class=sphinxsidebar>n</div><p>x</p><div class=footer>f</div><style>s</style>", "1 x\n"},
		{"title outside", "<div id=header><h1>T</h1></div><div id=content><p>xxxxxxxxx</p></div>", "1 h1 T #\n1 xxxxxxxxx\n"},
		{"hidden lines", "<p>a<span aria-hidden=true>#</span><button>Copy</button></p>", "1 a\n"},
		{"doxygen", "<div class=header><div class=headertitle><div class=title>C</div></div></div><div class=contents><div class=fragment><div class=line><span class=lineno> 1</span>x;</div><div class=line>y;</div></div><div class=memproto>int <b>f</b> ()</div></div>", "1 h1 C #\n1 code \n  x;\n  y;\n1 `int f ()`\n"},
		{"open ends", "<ul><li><p>a</li><li>b</ul></div><p>c<table><tr><td>d<tr><td>e", "1 - a\n  - b\n1 c\n1 table\n  d\n  e\n"},
		{"invisible", "<p style='display:none'>SECRET</p><span style='visibility:hidden'>SECRET</span>a <s>b</s><div style='opacity:0.5'>c</div><div class=tab-pane style='display:none'>d</div>", "1 a ~~b~~\n1 c\n1 d\n"},
		{"latin", "<p>caf\xe9", "1 café\n"},
	})
}

func TestNames(t *testing.T) {
	page := Parse([]byte("<title>A &amp; B</title><meta name=description content='x  y'><body><p>z"), markup.Options{})
	if page.Title != "A & B" || page.Description != "x y" {
		t.Errorf("Parse = %q, %q", page.Title, page.Description)
	}
}

func TestGolden(t *testing.T) { markuptest.Golden(t, ".html", read) }

func TestLinear(t *testing.T) {
	markuptest.Linear(t, 400_000, []string{"<div>", "<p>", "<b>", "<a>", "<li>", "<ul><li>", "<dt>a", "<dl><dt>", "<td>", "<table><tr><td>", "</p>", "<pre>", "<code>a", "a", "<h1>", "<h1><div>a", "<h1><p>", "<br>",
		"<dl><div><dt>a", "<header>", "<article><p>x</article>", "<a class='", "<table><tr>", "<div class=note><h3>", "&lt;", "<!--", "<div class=header>", "<span><div class=summary>"}, func(t *testing.T, src []byte) { check(t, src, read(src)) })
}

// check holds what the package promises.
func check(t *testing.T, src []byte, page markup.Page) {
	t.Helper()
	markuptest.Promises(t, src, page, 12*len(src)+1000)
}

func FuzzParse(f *testing.F) {
	f.Add("<h1 id=a>A</h1><p>b<ul><li>c<pre class=language-go>d</pre></ul><table><tr><td>e<th>f</table>")
	f.Add("<dl class=function><dt>a<dd>b</dl><div class='admonition'><p class=admonition-title>N</p>c</div><details><summary>d</details>")
	f.Add("<main><article><div class=highlighttable><td class=code><pre><span class=lineno>1</span>x</pre></article></main>")
	f.Fuzz(func(t *testing.T, src string) {
		check(t, []byte(src), Parse([]byte(src), markup.Options{}))
	})
}
