package rdoc_test

import (
	"testing"

	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/markuptest"
	"github.com/assay-dev/assay/internal/docs/markup/rdoc"
)

func parse(src []byte) markup.Page { return rdoc.Parse(src, markup.Options{}) }

func TestParse(t *testing.T) {
	tests := []markuptest.Case{
		{Name: "headings, text and code", Source: "= Basics\n\nEvery +row+ is\na <tt>Hash</tt>:\n\n  DB[:t].each do |r|\n\n    p r\n  end\n\n== More +here+\nEnd.\n",
			Want: "1 h1 Basics #\n3 Every `row` is\n  a `Hash`:\n6 code \n  DB[:t].each do |r|\n  \n    p r\n  end\n11 h2 More `here` #\n12 End.\n"},
		{Name: "a list with code in an item", Source: "* one\n  goes on\n\n    x = 1\n\n  ends\n* two\n  * deep\n\nText.\n",
			Want: "1 - one\n    goes on\n4 code \n  x = 1\n6   ends\n  - two\n    - deep\n10 Text.\n"},
		{Name: "numbers stay", Source: "1. first\n2. second\n", Want: "1 1. first\n  2. second\n"},
		{Name: "labels", Source: "[:key] The column.\nname ::\n  What it is.\n\nText.\n", Want: "1 - :key: The column.\n  - name:\n    What it is.\n5 Text.\n"},
		{Name: "links and emphasis", Source: "See {the guide}[rdoc-ref:doc/a.rdoc], Home[https://x.y] and *not* \\Foo <b>now</b>.\n", Want: "1 See the guide, Home and not Foo now.\n"},
		{Name: "operators are no markup", Source: "1 + 2 + 3, a * b * c, Foo::Bar\n", Want: "1 1 + 2 + 3, a * b * c, Foo::Bar\n"},
		{Name: "an indented list is no code", Source: "Either:\n\n  * one\n  * two\n", Want: "1 Either:\n3 - one\n  - two\n"},
		{Name: "a bullet in code is code", Source: "Run:\n\n  a = [\n  * b\n", Want: "1 Run:\n3 code \n  a = [\n  * b\n"},
		{Name: "directives", Source: ":title: The Title\n:main: README\nText.\n", Want: "3 Text.\n"},
	}
	for _, tt := range tests {
		t.Run(tt.Name, func(t *testing.T) { markuptest.Cases(t, parse, []markuptest.Case{tt}) })
	}
}

func TestTitle(t *testing.T) {
	tests := []struct{ name, source, want string }{
		{"the directive", ":title: The Title\n= Other\n", "The Title"},
		{"the first heading", "Text.\n\n== Usage\n\n= Last\n", "Usage"},
		{"none", "Text.\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := parse([]byte(tt.source)).Title; got != tt.want {
				t.Errorf("title of %q = %q, want %q", tt.source, got, tt.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"= A\n\n* b\n  c\n\n    d\n", "[a] b\nc ::\n   d\n", "\xff+x+\n\t* y\n", "1. a\n   b. c\nd\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) { markuptest.Promises(t, src, parse(src), 8*len(src)+100) })
}

func TestLinear(t *testing.T) {
	read := func(t *testing.T, src []byte) { parse(src) }
	markuptest.Linear(t, 1<<20, []string{"* a\n", "  x\n\n", "+a ", "{a", "[b] c\n", " * d\n  * e\n", "<tt>"}, read)
}
