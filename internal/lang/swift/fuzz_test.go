package swift

import (
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/lang/langtest"
)

var readers = []langtest.Reader{{Name: "swift", Read: Read}}

func FuzzRead(f *testing.F) {
	for _, c := range cases {
		f.Add(c.src)
	}
	for _, s := range []string{"let A=000){willSet", "class A{var A=}{willSet", " enum A func\nsubscript("} {
		f.Add(s) // crossed once
	}
	langtest.Fuzz(f, readers)
}

// Every beginning and every end of a text is a text too.
func TestReadCut(t *testing.T) {
	for _, c := range cases {
		langtest.Cut(t, readers, c.src)
	}
}

// However deep or long something is, it takes time linear in the text.
func TestReadLinear(t *testing.T) {
	langtest.Linear(t, readers, 60_000, "a<", "(", "{", "[", "a {", "a.b { }", "\"\\(", "func f() {", "func f(a: Int = ", "class A {", "let a = ", "var a: A { ", "if a ", "case .a(", "@a(", "@a ", "-> (", "a?", ".a", "x = {", "#if a\n", "`", "/a", "foo<A,", "switch a { case ", "private ", "a: ", "#\"", "guard let ")
}

func BenchmarkRead(b *testing.B) {
	var all strings.Builder
	for _, c := range cases {
		if c.name != "broken" {
			all.WriteString(c.src)
		}
	}
	langtest.Benchmark(b, Read, strings.Repeat(all.String(), 100))
}
