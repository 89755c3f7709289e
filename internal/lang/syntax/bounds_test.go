package syntax

import (
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
)

func TestBoundTypes(t *testing.T) {
	tests := []struct{ name, path, text, want string }{
		{"a bound", "a.rs", "fn f<T: Store>(x: T) {\n    x.load();\n}\n", "T Store"},
		{"a path from the root", "a.rs", "impl Convert<::a::Store> for Vec<::a::B> {\n    fn f(&self) {}\n}\n", ""},
		{"an operator that is a sign", "a.swift", "func <: (a: Int, b: Int) -> Int {\n  return a\n}\n", ""},
		{"an operator before the list", "a.swift", "func ==<T: Store> (a: T) -> Int {\n  return 1\n}\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			language := Language(tt.path, []byte(tt.text))
			var got []string
			for _, b := range Facts(tt.path, language, []byte(tt.text)).Bindings {
				if name, ok := strings.CutPrefix(b.Name, corpus.BoundMark); ok {
					got = append(got, name+" "+b.Type)
				}
			}
			if joined := strings.Join(got, "\n"); joined != tt.want {
				t.Errorf("bounds %q, want %q", joined, tt.want)
			}
		})
	}
}
