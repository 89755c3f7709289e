package clang

import (
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/lang/langtest"
)

var readers = []langtest.Reader{{Name: "c", Read: ReadC}, {Name: "cpp", Read: ReadCPP, Apart: true}, {Name: "objc", Read: ReadObjC}, {Name: "objcpp", Read: ReadObjCPP, Apart: true}, {Name: "header", Read: ReadHeader, Apart: true}}

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
	langtest.Linear(t, readers, 30_000, "a<", "(", "{", "[", "((", "a(", "A(x) ", "A(x)\n", "#if\n{\n#else\n", "#if 0\n", "#if X\n}\n#endif\n", "struct A{", "class A : B<", "x = [](){", "int a = ", "a, ", "int a(", "int (*", "f(a) int b; ", "f(a) int ", "template <", "A::", "[a ", "[[a b] c", "^{", "^(int a) {", "@interface A\n", "- (int)a:", "@{", "new (", "new A(", "R\"", "a::b<", "typedef struct {", "enum {", "operator", "int x{", "A() : a(", "A() : a(b), ", "#define A(", "#define A \"", "#define A \\\n", "namespace a {", "/*", "// a\n", "static ", "auto [a] = ", "return ", "int a = 1, ", "A\n", "a < b ? ", "int f(int a = ", ")", "]", "}")
}

func BenchmarkRead(b *testing.B) {
	for _, r := range readers[:3] {
		var all strings.Builder
		for _, c := range cases {
			if c.dialect == r.Name {
				all.WriteString(c.src)
			}
		}
		b.Run(r.Name, func(b *testing.B) { langtest.Benchmark(b, r.Read, strings.Repeat(all.String(), 100)) })
	}
}
