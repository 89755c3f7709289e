// Package pagetest tests that pages are inert. It has hostile texts, to be planted wherever untrusted text gets into a page,
// and a check that parses the page as a browser does and finds only our own markup.
package pagetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/assay-dev/assay/internal/base/text"
)

// Payloads are texts that must be shown and do nothing. Each would set the title of its page
// to "owned", load from owned.invalid, or change how the text beside it reads.
func Payloads() []string {
	const act = "document.title='owned'"
	return []string{
		"<script>" + act + "</script>",
		"</script><script>" + act + "</script>",
		"</style><script>" + act + "</script>",
		"</title><script>" + act + "</script>",
		"</textarea><script>" + act + "</script>",
		"</pre></td></table><script>" + act + "</script>",
		"</template><img src=x onerror=" + act + ">",
		"--><script>" + act + "</script><!--",
		"<!--<script>" + act + "//-->",
		"]]><script>" + act + "</script>",
		"<![CDATA[<script>" + act + "</script>]]>",
		"<?xml version='1.0'?><script>" + act + "</script>",
		"<img src=x onerror=\"" + act + "\">",
		"<img src=https:owned.invalid>",
		"<svg onload=" + act + ">",
		"<svg><script>" + act + "</script></svg>",
		"<svg><foreignObject><body onload=" + act + "></foreignObject></svg>",
		"<svg><use href=\"data:image/svg+xml,<svg onload=" + act + ">\"></svg>",
		"<svg><animate onbegin=" + act + " attributeName=x dur=1s>",
		"<math><mtext><table><mglyph><style><img src=x onerror=" + act + ">",
		"<iframe srcdoc=\"<script>parent." + act + "</script>\">",
		"<object data=javascript:" + act + ">",
		"<embed src=javascript:" + act + ">",
		"<base href=https:owned.invalid>",
		"<meta http-equiv=refresh content=\"0;url=javascript:" + act + "\">",
		"<link rel=stylesheet href=https:owned.invalid>",
		"<style>@import 'https:owned.invalid'; *{display:none}</style>",
		"<form action=javascript:" + act + "><button>owned</button></form>",
		"<a href=javascript:" + act + ">owned</a>",
		"javascript:" + act,
		"JaVaScRiPt:" + act,
		"java\tscript:" + act,
		"data:text/html,<script>" + act + "</script>",
		"vbscript:msgbox(1)",
		"\" onmouseover=\"" + act + "\" x=\"",
		"' onfocus='" + act + "' autofocus x='",
		"\" style=\"position:fixed;inset:0\" x=\"",
		"` onerror=" + act + " `",
		"x onclick=" + act + " y",
		"<template><script>" + act + "</script></template>",
		"<details open ontoggle=" + act + ">",
		"<input autofocus onfocus=" + act + ">",
		"<body onload=" + act + ">",
		"<marquee onstart=" + act + ">",
		"<video><source onerror=" + act + "></video>",
		"<dialog open><p>owned</p></dialog>",
		"&lt;script&gt;" + act + "&lt;/script&gt;",
		"&#60;script&#62;" + act + "&#60;/script&#62;",
		"%3Cscript%3E" + act + "%3C%2Fscript%3E",
		"\\u003cscript\\u003e" + act,
		"\xc0\xbcscript\xc0\xbe" + act, // an overlong <
		"+ADw-script+AD4-" + act,       // UTF-7
		"＜script＞" + act,               // full width
		"{{constructor.constructor('" + act + "')()}}",
		"${" + act + "}",
		"safe\u202egpj.exe",
		"\u2066hidden\u2069",
		"zero\u200bwidth\ufeff",
		"\x1b]0;owned\x07\x1b[2J",
		"line\u2028end\u2029",
		"\U000e0041tag",
		"%s %n %!d(string=owned)",
	}
}

// Names are the payloads that can be names of files.
func Names() []string {
	return slices.DeleteFunc(Payloads(), func(s string) bool { return strings.ContainsAny(s, "/\x00\n\t") || len(s) > 200 })
}

// elements and attributes are the ones that our pages and pictures use.
var (
	elements   = strings.Fields("html head meta title style body header h1 h2 p a b span small div nav label input output main section details summary table thead tbody tr th td pre script svg tspan defs marker path g rect text title line polyline circle")
	attributes = strings.Fields("lang charset name content http-equiv class href id type placeholder disabled data-of scope title aria-label rel tabindex role viewBox viewbox width height refX refx refY refy markerWidth markerwidth markerHeight markerheight markerUnits markerunits orient d data-from data-to data-box stroke-width marker-end x y rx x1 y1 x2 y2 points cx cy r xmlns text-anchor")
)

// Inert returns an error for markup in a page that is not ours, or that is active.
func Inert(page string) error {
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return err
	}
	var wrong []error
	bad := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	scripts, policy := 0, false
	for n := range doc.Descendants() {
		switch n.Type {
		case html.CommentNode:
			bad("a comment: %.80q", n.Data)
		case html.TextNode:
			if inside(n, "script", "style") {
				continue
			}
			if v := text.Visible(n.Data); v != n.Data {
				bad("hidden characters: %.80q", n.Data)
			}
		case html.ElementNode:
			if !slices.Contains(elements, n.Data) {
				bad("an element: %s", n.Data)
			}
			if n.Data == "script" {
				scripts++
			}
			for _, a := range n.Attr {
				if a.Key == "http-equiv" {
					policy = a.Val == "Content-Security-Policy"
				}
				if err := attribute(a); err != nil {
					bad("%s: %v", n.Data, err)
				}
			}
		}
	}
	if !strings.HasPrefix(page, "<svg") && (scripts != 1 || !policy) {
		bad("%d scripts, policy: %v", scripts, policy)
	} else if strings.HasPrefix(page, "<svg") && scripts > 0 {
		bad("a script in a picture")
	}
	return errors.Join(wrong...)
}

func attribute(a html.Attribute) error {
	switch {
	case !slices.Contains(attributes, a.Key):
		return fmt.Errorf("an attribute: %s=%.80q", a.Key, a.Val)
	case text.Visible(a.Val) != a.Val:
		return fmt.Errorf("hidden characters: %s=%.80q", a.Key, a.Val)
	case a.Key == "http-equiv" && a.Val != "Content-Security-Policy":
		return fmt.Errorf("http-equiv=%.80q", a.Val)
	case a.Key == "href" && !strings.HasPrefix(a.Val, "#") && !strings.HasPrefix(a.Val, "vscode://file/") && !strings.HasPrefix(a.Val, "https://forge.example/"):
		return fmt.Errorf("a link to %.80q", a.Val)
	}
	return nil
}

func inside(n *html.Node, names ...string) bool {
	return n.Parent != nil && slices.Contains(names, n.Parent.Data)
}

// Shown returns whether a page shows a text to the person who reads it.
func Shown(page, want string) bool {
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return false
	}
	want = text.Visible(strings.Join(strings.Fields(want), " "))
	for n := range doc.Descendants() {
		if n.Type == html.TextNode && !inside(n, "script", "style", "title") && strings.Contains(strings.Join(strings.Fields(n.Data), " "), want) {
			return true
		}
	}
	return false
}
