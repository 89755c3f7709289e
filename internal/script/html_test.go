package script

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

const htmlPage = `<!DOCTYPE html><html lang=en><head><title>A &amp; B</title><script>if (a < b) { "</p>" }</script>
<style>p > a { }</style></head><body class="page wide">
<!-- <a href="/hidden">no</a> --><p>One <b>bold</b><br>line &nbsp; &euro;5
<p id=second class='x'>Two <a href="/a?b=1&amp;c=2" data-n=7 hidden>A</a> <a HREF='https://b.example/'>B</a> 1 < 2
<ul><li>first<li class="last one">second <i>x</i></ul>
<ol><li>other</ol>
<table><tr><th>Name<th>Price<tr><td>Bolt<td> 3 &euro; <tr><td>Nut<td>4</table>
<img src="/i.png" alt="I > J"><input name=q value=""/><p>end</body></html>`

// Selectors find elements in pages that leave tags out. They are a part of those that a browser knows: others are errors.
func TestHTML(t *testing.T) {
	f := New(Config{WorkDir: t.TempDir(), Env: func(string) (string, bool) { return htmlPage, true }})
	const head = `local html = require("assay.html") local doc = html.parse(env.get("PAGE"))
local function texts(css) local out = {} for _, e in ipairs(doc:select(css)) do out[#out + 1] = e:text() end return table.concat(out, "|") end `
	tests := []struct{ name, src, want string }{
		{"title", `return doc:first("title"):text()`, "A & B"},
		{"name", `return texts("li")`, "first|second x|other"},
		{"text", `return doc:first("p"):text()`, "One bold line \u00a0 €5"},
		{"a tag that ends another", `return #doc:select("p > p") .. #doc:select("body > p")`, "03"},
		{"class", `return texts(".last")`, "second x"},
		{"class that is a part", `return texts(".las")`, ""},
		{"two classes", `return texts("li.one.last") .. #doc:select("body.page.wide.x")`, "second x0"},
		{"id", `return doc:first("#second"):attr("class")`, "x"},
		{"attribute", `return texts("a[hidden]")`, "A"},
		{"value", `return doc:first("a[data-n='7']"):attr("href")`, "/a?b=1&c=2"},
		{"value without quotes", `return texts("a[data-n=7]")`, "A"},
		{"beginning", `return texts('a[href^="https:"]')`, "B"},
		{"end", `return doc:first("img[src$='.png']"):attr("alt")`, "I > J"},
		{"part", `return texts("a[href*=b]")`, "A|B"},
		{"name in capitals", `return doc:first("A"):attr("HREF")`, "/a?b=1&c=2"},
		{"empty attribute", `return doc:first("input"):attr("value") .. type(doc:first("input"):attr("none"))`, "nil"},
		{"within", `return texts("ul i")`, "x"},
		{"within that is not", `return texts("ol i")`, ""},
		{"child", `return texts("li > i") .. #doc:select("ul > i")`, "x0"},
		{"next", `return texts("li + li")`, "second x"},
		{"later", `return texts("p ~ ol li")`, "other"},
		{"several", `return texts("h1, ol li, title")`, "A & B|other"},
		{"first child", `return texts("li:first-child")`, "first|other"},
		{"last child", `return texts("ul li:last-child")`, "second x"},
		{"second child", `return texts("tr:nth-child(2) td")`, "Bolt|3 €"},
		{"each second", `return texts("tr:nth-child(2n+1) :nth-child(1)")`, "Name|Nut"},
		{"not", `return texts("li:not(.last)")`, "first|other"},
		{"any", `return #doc:select("table *")`, "9"},
		{"of an element", `return #doc:first("ul"):select("li") .. #doc:first("ul"):select("ul")`, "20"},
		{"comment", `return #doc:select("a[href='/hidden']")`, "0"},
		{"script", `return doc:first("script")[1]`, `if (a < b) { "</p>" }`},
		{"rows", `return json.encode(doc:first("table"):rows())`, `[["Name","Price"],["Bolt","3 €"],["Nut","4"]]`},
		{"a sign alone", `return doc:first("#second"):text()`, "Two A B 1 < 2"},
		{"nothing", `return doc:first("h1")`, "<nil>"},
		{"encoded", `return json.encode(doc:first("i"))`, `{"1":"x","attrs":[],"name":"i"}`},
		{"unknown pseudo", `doc:select("a:hover")`, "cannot read the selector a:hover from character 2"},
		{"no selector", `doc:select("")`, "cannot read the selector"},
		{"half a selector", `doc:select("a[href")`, "cannot read the selector"},
		{"two combinators", `doc:select("a > > b")`, "cannot read the selector"},
		{"no text", `html.parse(nil)`, "first argument must be a string"},
		{"broken pages", `for _, s in ipairs({"<", "<a", "<a b='", "</", "<!--", "<script>", "&", "<a/><b/", "<p><p><p>", "</p>x"}) do html.parse(s):select("a b") end return "read"`, "read"},
		{"a quotation mark within a value", `local a = html.parse("<a href=it's>x</a> 'y'"):first("a") return a:attr("href") .. a:text()`, "it'sx"},
		{"a quotation mark within a name", `return html.parse("<a x'y href=z>t</a>"):first("a"):attr("href")`, "z"},
		{"a sign before a name", `local a = html.parse("<a =b href>x</a>"):first("a") return a:attr("=b") .. a:attr("href") .. a:text()`, "x"},
		{"a value with a tag's end", `return html.parse("<a title='1 > 0' href=/x/>t</a>"):first("a[href='/x/']"):attr("title")`, "1 > 0"},
		{"parameters that have names of characters", `return html.parse('<a href="?a=1&copy=2&reg=3&amp;lt=4&ampx=5">'):first("a"):attr("href")`, "?a=1&copy=2&reg=3&lt=4&ampx=5"},
		{"a character in an attribute", `return html.parse('<a title="1 &lt 2 &copy; &#65;&#x42 &copy">'):first("a"):attr("title")`, "1 < 2 © AB ©"},
		{"characters in a text", `return html.parse("<p>&copyright &notaname; &hellip &euro;&AMP &#0;&#xD800;&#99999999999;&#1F;&#0000000065;"):first("p"):text()`, "©right ¬aname; &hellip €& \ufffd\ufffd\ufffd\x01F;A"},
		{"numbers of windows-1252", `return html.parse('<a title="&#128;&#x99;&#129;&#159;&#160;&#127;">'):first("a"):attr("title")`, "€™\u0081Ÿ\u00a0\x7f"},
		{"characters of XML", `return require("assay._rest").plain("&#65;&#x42;&lt;&#1F;&#x110000;&#99999999999;&no;")`, "AB<&#1F;&#x110000;&#99999999999;&no;"},
		{"a drawing", `local d = html.parse("<svg><path d='1'/><g><rect/></g><circle/></svg><p>t</p>") return #d:select("svg > *") .. #d:select("g > *") .. #d:select("svg ~ p")`, "311"},
		{"a page in a drawing", `local d = html.parse("<svg><foreignObject><div/>x</foreignObject><foreignObject/><a/></svg>") return d:first("div"):text() .. #d:select("svg > *")`, "x3"},
		{"an element that cannot close itself", `return #html.parse("<div/><p>x</p>"):select("div > p")`, "1"},
		{"a step without a number behind it", `doc:select("li:nth-child(2n+)")`, "cannot read the selector"},
		{"a number without its sign", `doc:select("li:nth-child(2n1)")`, "cannot read the selector"},
		{"no number of elements", `doc:select("li:nth-child()")`, "cannot read the selector"},
		{"a number that is too long", `doc:select("li:nth-child(99999999999999999999)")`, "cannot read the selector"},
		{"numbers of elements", `return #doc:select("li:nth-child(-N+1)") .. #doc:select("li:nth-child(+2)") .. #doc:select("li:nth-child(ODD)") .. #doc:select("li:nth-child( 2n + 1 )")`, "2122"},
		{"elements behind others", `return #html.parse("<b>1</b><i>2</i><u>3</u><i>4</i><u>5</u>"):select("b ~ i ~ u") .. #html.parse("<i>1</i><b>2</b>"):select("b ~ i")`, "20"},
		{"elements within others", `return #html.parse("<a><b><a><i></i></a></b></a><b><i></i></b>"):select("a b a i") .. #html.parse("<b><a><i></i></a></b>"):select("a b i")`, "10"},
		{"each element is asked once", `
local d, asked = html.parse(("<div>"):rep(40)), 0
for _, e in ipairs(d:select("div")) do setmetatable(e.attrs, { __index = function() asked = asked + 1 end }) end
return #d:select("[x] div div div div div") .. " " .. asked`, "0 35"},
		{"each sibling is asked once", `
local d, asked = html.parse(("<b></b>"):rep(40)), 0
for _, e in ipairs(d:select("b")) do setmetatable(e.attrs, { __index = function() asked = asked + 1 end }) end
return #d:select("[x] ~ b ~ b ~ b") .. " " .. asked`, "0 37"},
		{"a long name is read as far as one can be", `
local sub, cut = string.sub, 0
string.sub = function(...) cut = cut + 1 return sub(...) end
local text = html.parse("<p>&" .. ("x"):rep(300) .. " &middotx"):first("p"):text()
string.sub = sub
return #text .. " " .. text:sub(302) .. " " .. tostring(cut > 0 and cut < 100)`, "305  ·x true"},
		{"deepest", `return #html.parse(("<div>"):rep(512)):select("div div:last-child div")`, "510"},
		{"deep", `return pcall(html.parse, ("<div>"):rep(600))`, "false"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := f.Exec(context.Background(), ExecInput{Eval: head + tt.src, Capture: true})
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprint(r.Result)
			if l, ok := r.Result.([]any); ok {
				got = fmt.Sprint(l[0])
			}
			if r.Error != nil {
				got = *r.Error
			}
			if got != tt.want && (r.Error == nil || !strings.Contains(got, tt.want)) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
