package zig

import (
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/lang/langtest"
)

var readers = []langtest.Reader{{Name: "zig", Read: Read}}

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
	langtest.Linear(t, readers, 60_000, "(", "{", "[", ".{", "f(", "f(a, ", "a.", "a.b().", "a[0..", "T{", "@\"", "@import(", "\\\\\n", "const a = ", "const a = b\n", "const a: ", "const a, ", "const A = struct {", "const A = struct { a: u8, ", "fn f() void {", "fn f(", "fn f(a: fn f(", "pub fn f() ", "pub ", "extern \"c\" ", "test \"a\" {", "test {", "|a, ", "for (a) |", "if (a) |b| {", "return a.", "return (", "struct {\nfn f() void {\n", "switch (", "error{", "a: b = ", "a: ", "a.?", "a.*", "usingnamespace ", "/// a\n", "//! a\nconst a = b;\n", "} fn f() void {", "}", "struct ", "enum (", "fn f() struct { ", "fn f() error{ ", "*const ", "comptime ")
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
