package markdown

import "strings"

var plainExamples = []example{
	{"front matter", `
---
title: "Getting: started"
description: How to begin
---
Text.
`, `
title Getting: started
description How to begin
5 prose
    Text.
`},
	{"front matter that is no YAML", "---\ntitle: a: b\n---\nx", "title a: b\n4 prose\n    x\n"},
	{"a long line under a heading", "Text.\n\nWhat output does it produce?\n" + strings.Repeat("-", 40) + "\n\nA tree.\n\n" + strings.Repeat("*", 60) + "\n\nMore.\n", "1 prose\n    Text.\n3 h2 #what-output-does-it-produce\n    What output does it produce?\n6 prose\n    A tree.\n10 prose\n    More.\n"},
	{"a rule is no front matter", "---\n\nx\n\n---\n", "3 prose\n    x\n"},
	{"headings", "# One `a` {#first}\n\nTwo\n---\n\n## Two\n\n## Zwölf & _x_ {: .c #z }\n", `
title One ` + "`a`" + `
1 h1 #first
    One ` + "`a`" + `
3 h2 #two
    Two
6 h2 #two-1
    Two
8 h2 #z
    Zwölf & x
`},
	{"words", "A *b* **c** [d](e) ![f](g) `h|i` <b>j</b> K<T> &amp; \\* <https://x.y> ~~k~~ [l][m].{.n}\n\n[m]: http://m", `
1 prose
    A b c d f ` + "`h|i`" + ` j K<T> & * https://x.y ~~k~~ l.{.n}
`},
	{"invisible", "a <span style=\"display:none\">SECRET <span>b</span></span> c <s>d</s>\n\n<div hidden>\n\nSECRET `x`\n\n</div>\n\n<p style=\"font-size: 0\">SECRET\n\ne\n\n<img hidden src=x>f <details hidden=\"false\">g</details> `<i hidden>h`\n", `
1 prose
    a  c ~~d~~
11 prose
    e
13 prose
    f g ` + "`<i hidden>h`" + `
`},
	{"visible", "<div style=\"color:red\">\n\na\n\n</div>\n\n<div role=\"tabpanel\" hidden>\n\nb\n\n</div>\n", "3 prose\n    a\n9 prose\n    b\n"},
	{"numbers", "3. a\n4. b\n   1. c\n5. d\n\n- e\n", "1 prose\n    3. a\n    4. b\n      1. c\n    5. d\n6 prose\n    - e\n"},
	{"lists", "1. a\n   - b\n\n     c\n\n     ```go\n     x\n     ```\n   - [x] d\n2. e\n", `
1 prose
    1. a
      - b
        c
6 code go
    x
9 prose
      - [x] d
    2. e
`},
	{"code", "    indented\n\n~~~ {.python title=\"a.py\"}\nx\n~~~\n\n```js{1,3} [b.js]\ny\n```\n", "1 code\n    indented\n3 prose\n    `a.py`:\n3 code python\n    x\n7 prose\n    `b.js`:\n7 code js\n    y\n"},
	{"table", "| a | b |\n|---|---|\n| `c` | d \\| e |\n", "1 table\n    a | b\n    `c` | d | e\n"},
	{"notes", `
!!! note "Mind"
    A

    - b

??? tip
    C

> [!WARNING]
> D

:::info[E]
F
:::

/// note | G

H

///

> I
`, `
1 prose
    Note: Mind
    A
4 prose
    - b
6 prose
    Tip: C
9 prose
    Warning: D
12 prose
    Info: E
    F
16 prose
    Note: G
    H
22 prose
    I
`},
	{"tabs", "=== \"pip\"\n\n    ```sh\n    pip\n    ```\n\n=== \"uv\"\n\n    text\n", "1 prose\n    pip:\n3 code sh\n    pip\n7 prose\n    uv:\n    text\n"},
	{"MyST", "```{warning} Mind\n:class: x\n\nA *b*\n```\n\n```{code-block} python\n:linenos:\n\nx\n```\n", "1 prose\n    Warning: Mind\n    A b\n7 code python\n    x\n"},
	{"includes", "{* ../../docs_src/first.py ln[3] hl[1] *}\n\n--8<-- \"docs/_tip.md\"\n\n```py\n{!../../docs_src/first.py!}\n```\n", `
1 code py
    app = fastapi.FastAPI()
3 prose
    A shared tip.
5 code py
    import fastapi

    app = fastapi.FastAPI()


    def last():
        pass
`},
	{"an include of itself", "{! /loop.md !}\n", "1 prose\n    once once once once\n"},
	{"stubs", "::: pkg.Thing\n    options:\n      x: y\n\n::: pkg.other\n", "title `pkg.Thing`\n1 h2 #pkg.Thing\n    `pkg.Thing`\n1 prose\n    What it does.\n5 prose\n    `pkg.other`\n"},
	{"Node", "### `fs.x()`\n\n<!-- YAML\nadded: v1\n-->\n\n* `a` {string} b\n\n[d]: e\n", "title `fs.x()`\n1 h3 #fsx\n    `fs.x()`\n7 prose\n    - `a` {string} b\n"},
	{"Angular", "<docs-code path=\"ex/app.ts\" visibleRegion=\"app\"/>\n\n<docs-code language=\"sh\" header=\"Run\">\n  ng new\n</docs-code>\n\n<docs-callout important title=\"T\">\nA\n</docs-callout>\n", `
1 code ts
    @Component({})
    class App {}
3 prose
    ` + "`Run`" + `:
3 code sh
    ng new
7 prose
    Important: T
    A
`},
	{"HTML", "<details>\n<summary>More</summary>\n\n**In**\n\n</details>\n\n<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td>c <code>d</code></td><td>e</td></tr>\n</table>\n\n<h2 align=\"center\">F</h2>\n\n<pre><code class=\"language-c\">a &lt; b\n</code></pre>\n", `
2 prose
    More
4 prose
    In
8 table
    a | b
    c ` + "`d`" + ` | e
13 h2 #f
    F
15 code c
    a < b
`},
	{"definitions and footnotes", "Term\n: What[^1]\n\n[^1]: A note\n    goes on.\n", "1 prose\n    - Term\n      What[^1]\n4 prose\n    [^1]: A note goes on.\n"},
	{"cross references", "See [`Model`][pydantic.Model] and [json][] and [a][0].\n", "1 prose\n    See `Model` and json and [a][0].\n"},
	{"components of plain pages", "<Intro>\n\nHello `<Intro>`\n\n</Intro>\n\n    <Intro>\n", "3 prose\n    Hello `<Intro>`\n7 code\n    <Intro>\n"},
}

var mdxExamples = []example{
	{"exports", "import A from \"a\";\nimport {\n  B,\n} from 'b'\n\nexport const title = \"T\";\nexport const meta = {\n  description: 'D',\n\n  x: [1],\n};\n\nimport this sentence.\n", "title T\ndescription D\n13 prose\n    import this sentence.\n"},
	{"tables in attributes", "<ApiTable\n  rows={[\n    [\"p-<n>\", `a: b;`],\n    [\"q\", dedent`\n      c\n    `],\n  ]}\n/>\n\n<Api rows={[[\"p\", \"padding\"]].map(([a, b]) => [`${a}-1`, `${b}: 1px`])} />\n\n<Props data={[{name: 'n', type: \"t\"}]} />\n", `
1 table
    p-<n> | a: b;
    q | c
10 table
    p-1 | padding: 1px
12 table
    name | type
    n | t
`},
	{"components", `
<Tabs>
    <Tab title="npm">
        Run *it*:

        ` + "```sh" + `
        npm i
        ` + "```" + `
    </Tab>
</Tabs>

<Pitfall>

A

</Pitfall>

- b
  <Callout type="info">
    c
  </Callout>

<Image alt="A picture" src={x} />
<ParamField path="id" type="string">The <b>id</b>.</ParamField>
`, `
2 prose
    npm
3 prose
    Run it:
5 code sh
    npm i
11 prose
    Pitfall: A
17 prose
    - b
      Info: c
22 prose
    A picture
23 prose
    ` + "`id` `string`" + `
23 prose
    The id.
`},
	{"expressions", "## A {/*b*/}\n\nC{' '}d {/* gone */}{\"e\"} {x.y}.\n\n<Code lang=\"js\">\n{`a\n\n  b`}\n</Code>\n\n<Ex>{\n  <p>Shown</p>\n}</Ex>\n", `
title A
1 h2 #b
    A
3 prose
    C d e {x.y}.
6 code js
    a

      b
11 prose
    Shown
`},
	{"tables", "<table className=\"x\">\n  <tbody>\n    <tr><td>`a`</td><td>{'b'}</td></tr>\n\n    <tr><td>c</td><td><Check /></td></tr>\n  </tbody>\n</table>\n\nList<string> and a < b\n", "1 table\n    `a` | b\n    c | ✓\n9 prose\n    List<string> and a < b\n"},
	{"no code by indentation", "<Ab>\n\n      text\n\n</Ab>\n\n    more\n", "3 prose\n    text\n7 prose\n    more\n"},
	{"broken", "<A b={ c\n\n{ d\n\n<e\n\nf\n", "1 prose\n    <A b={ c\n3 prose\n    { d\n5 prose\n    <e\n7 prose\n    f\n"},
}
