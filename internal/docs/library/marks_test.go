package library

import "testing"

// Code is what a reader of the page sees: without what sets an example up, and without what
// says how lines are shown.
func TestUnmarked(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"declare const x: number;\n// ---cut---\nx.toFixed();\n//  ^?\n", "x.toFixed();"},
		{"// @errors: 2322\n// @filename: a.ts\nlet a = 1", "// @filename: a.ts\nlet a = 1"},
		{"a()\n// ---cut-start---\nhidden()\n// ---cut-end---\nb()", "a()\nb()"},
		{"a()\n// ---cut-after---\nhidden()", "a()"},
		{"a() // [!code ++]\nb() // [!code focus:2]\nc()", "a()\nb()\nc()"},
		{"<a> <!-- [!code --] -->\n</a>", "<a>\n</a>"},
		{"// highlight-next-line\na()\n//highlight-start\nb()\n# highlight-end", "a()\nb()"},
		{"\t//highlight-next-line-info\n\ta()", "\ta()"},
		{"{/* highlight-next-line */}\n<A/>", "<A/>"},
		{"'a' => 1, // [tl! add]\nx", "'a' => 1,\nx"},
		{"// tag::x[]\nint a;\n// end::x[]", "int a;"},
		{"// #docregion a\nb\n// #enddocregion", "b"},
		{"x = 1 # a comment\n// @decorator\n@errors\nls tag::x", "x = 1 # a comment\n// @decorator\n@errors\nls tag::x"},
	} {
		if got := unmarked(tc.in); got != tc.want {
			t.Errorf("unmarked(%q) = %q, want %q", tc.in, got, tc.want)
		}
	}
}
