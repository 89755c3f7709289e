package csharp

import (
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/lang/langtest"
)

var readers = []langtest.Reader{{Name: "csharp", Read: Read, Apart: true}}

func FuzzRead(f *testing.F) {
	for _, c := range cases {
		f.Add(c.src)
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
	langtest.Linear(t, readers, 60_000, "a<", "(", "{", "[", "x=>", "(a,", "new A(", "$\"{", "#if\n{\n#else\n", "class A{", "a = x => ", "int a = ", "case A(", "x is A a && ", "a?.b[0]", "\"\"\"", "switch{ A(", "from x in ", "int A() => ", "Foo<A,", "[A] ", "@", "static ")
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
