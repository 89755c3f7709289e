package clang

import (
	"bytes"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/growth"
)

var readers = []struct {
	name string
	read func([]byte) corpus.Facts
}{{"c", ReadC}, {"cpp", ReadCPP}, {"objc", ReadObjC}, {"objcpp", ReadObjCPP}, {"header", ReadHeader}}

// check fails where what was read breaks the promise of the package.
func check(t *testing.T, src []byte) {
	t.Helper()
	for _, r := range readers {
		checkFacts(t, r.name, src, r.read(src))
	}
}

func checkFacts(t *testing.T, name string, src []byte, f corpus.Facts) {
	t.Helper()
	var around []corpus.Span
	last := 0
	for _, d := range f.Decls {
		s := d.Span
		if s.Start < last || s.End > len(src) || d.NameAt < s.Start || d.NameAt+len(d.Name) > d.Body || d.Body > s.End {
			t.Fatalf("%s: %q: %s %q has span %v, name at %d, body at %d", name, src, d.Kind, d.Name, s, d.NameAt, d.Body)
		}
		if string(src[d.NameAt:d.NameAt+len(d.Name)]) != d.Name || d.Name == "" {
			t.Fatalf("%s: %q: at %d is not %q", name, src, d.NameAt, d.Name)
		}
		last = s.Start
		for len(around) > 0 && around[len(around)-1].End <= s.Start {
			around = around[:len(around)-1]
		}
		if n := len(around); n > 0 && s.End > around[n-1].End {
			t.Fatalf("%s: %q: %s %q at %v crosses %v", name, src, d.Kind, d.Name, s, around[n-1])
		}
		around = append(around, s)
	}
	last = 0
	for _, c := range f.Calls {
		if c.Callee == "" || c.At < last || c.At >= len(src) {
			t.Fatalf("%s: %q: a call of %q at %d", name, src, c.Callee, c.At)
		}
		last = c.At
	}
	last = 0
	for _, b := range f.Bindings {
		if b.Name == "" || b.At < last || b.At >= len(src) {
			t.Fatalf("%s: %q: a binding of %q at %d", name, src, b.Name, b.At)
		}
		last = b.At
	}
	for _, m := range f.Imports {
		if m.Path == "" || m.At < 0 || m.At >= len(src) {
			t.Fatalf("%s: %q: an import of %q at %d", name, src, m.Path, m.At)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, c := range cases {
		f.Add([]byte(c.src))
	}
	f.Fuzz(check)
}

// Every beginning and every end of a text is a text too.
func TestReadCut(t *testing.T) {
	for _, c := range cases {
		for i := range c.src {
			check(t, []byte(c.src[:i]))
			check(t, []byte(c.src[i:]))
		}
	}
}

// However deep or long something is, it takes time linear in the text.
func TestReadLinear(t *testing.T) {
	for _, s := range []string{
		"a<", "(", "{", "[", "((", "a(", "A(x) ", "A(x)\n", "#if\n{\n#else\n", "#if 0\n", "#if X\n}\n#endif\n", "struct A{", "class A : B<", "x = [](){",
		"int a = ", "a, ", "int a(", "int (*", "f(a) int b; ", "f(a) int ", "template <", "A::", "[a ", "[[a b] c", "^{", "^(int a) {", "@interface A\n",
		"- (int)a:", "@{", "new (", "new A(", "R\"", "a::b<", "typedef struct {", "enum {", "operator", "int x{", "A() : a(", "A() : a(b), ", "#define A(",
		"#define A \"", "#define A \\\n", "namespace a {", "/*", "// a\n", "static ", "auto [a] = ", "return ", "int a = 1, ", "A\n", "a < b ? ", "int f(int a = ", ")", "]", "}",
	} {
		for _, r := range readers {
			if err := growth.Linear(200_000, func(n int) { r.read([]byte(strings.Repeat(s, n/len(s)))) }); err != nil {
				t.Errorf("%s: %q: %v", r.name, s, err)
			}
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for _, r := range readers[:3] {
		var one bytes.Buffer
		for _, c := range cases {
			if c.dialect == r.name {
				one.WriteString(c.src)
			}
		}
		src := bytes.Repeat(one.Bytes(), 100)
		b.Run(r.name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				r.read(src)
			}
		})
	}
}
