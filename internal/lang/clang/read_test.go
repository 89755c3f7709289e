package clang

import (
	"slices"
	"testing"

	"github.com/assay-dev/assay/internal/lang/langtest"
)

// An example is a text in one of the languages, and its facts as a reader sees
// them.
type example struct{ dialect, name, src, want string }

var cases = slices.Concat(cCases, cppCases, objcCases)

func TestRead(t *testing.T) {
	for _, c := range cases {
		for _, r := range readers {
			if r.Name != c.dialect {
				continue
			}
			if got := langtest.Long(c.src, r.Read([]byte(c.src))); got != c.want {
				t.Errorf("%s, %s: facts of\n%s\nare\n%s\nwant\n%s", c.dialect, c.name, c.src, got, c.want)
			}
		}
	}
}

// A header says itself in what language it is.
func TestReadHeader(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"int f(int class);\n", "function f(int class) -> int abstract exported body=\"\"\nbind class#1: int\n"},
		{"\nclass A { A(); };\n", "class A exported body=\"{ A(); };\"\nmethod A() abstract constructor body=\"\"\n"},
		{"\n@interface A : B\n@end\n", "class A : B exported body=\"@end\"\n"},
	} {
		if got := langtest.Long(c.src, ReadHeader([]byte(c.src))); got != c.want {
			t.Errorf("facts of %q are\n%s\nwant\n%s", c.src, got, c.want)
		}
	}
}
