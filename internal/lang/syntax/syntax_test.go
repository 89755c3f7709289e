package syntax_test

import (
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/lang/syntax"
)

// names writes declarations as "kind Qualified.Name", one a line.
func names(language, text string) string {
	var out []string
	for _, d := range syntax.Facts("", language, []byte(text)).Decls {
		out = append(out, d.Kind.String()+" "+d.Qualified())
	}
	return strings.Join(out, "\n")
}

func TestDeclarations(t *testing.T) {
	for _, tt := range samples {
		t.Run(tt.language, func(t *testing.T) {
			if got := names(tt.language, tt.text); got != strings.TrimSpace(tt.want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, strings.TrimSpace(tt.want))
			}
		})
	}
}

// TestSpans checks that a declaration is whole: from its comment to its end.
func TestSpans(t *testing.T) {
	for _, tt := range []struct{ language, text, name, want string }{
		{"go", "package p\n\n// F does.\n// Really.\nfunc F() { g(\"}\") }\n\nfunc g() {}\n", "F", "// F does.\n// Really.\nfunc F() { g(\"}\") }"},
		{"python", "import a\n\n# comment\n@dec\ndef f(a,\n      b):\n    \"\"\"doc:\nat col 0\n\"\"\"\n    return a\n\nx = 1\n", "f", "# comment\n@dec\ndef f(a,\n      b):\n    \"\"\"doc:\nat col 0\n\"\"\"\n    return a"},
		{"javascript", "/** Adds. */\nexport const add = (a, b) => {\n  return '}' + a; // }\n};\nnext();\n", "add", "/** Adds. */\nexport const add = (a, b) => {\n  return '}' + a; // }\n};"},
		{"rust", "/// Doc\n#[inline]\npub fn f<'a>(x: &'a str) -> char {\n    '}'\n}\nfn g() {}\n", "f", "/// Doc\n#[inline]\npub fn f<'a>(x: &'a str) -> char {\n    '}'\n}"},
		{"ruby", "# Doc\ndef f(x)\n  if x\n    1\n  end\nend\n\ndef g; end\n", "f", "# Doc\ndef f(x)\n  if x\n    1\n  end\nend"},
		{"kotlin", "fun a() = 1\nfun b(x: Int): Int {\n  return x\n}\n", "a", "fun a() = 1"},
		{"markdown", "# A\nx\n## B\ny\n# C\n", "A", "# A\nx\n## B\ny\n"},
	} {
		found := false
		for _, d := range syntax.Facts("", tt.language, []byte(tt.text)).Decls {
			if d.Name == tt.name {
				found = true
				if got := tt.text[d.Span.Start:d.Span.End]; got != tt.want {
					t.Errorf("%s %s spans %q, want %q", tt.language, tt.name, got, tt.want)
				}
			}
		}
		if !found {
			t.Errorf("%s: no %s", tt.language, tt.name)
		}
	}
}

func TestLanguage(t *testing.T) {
	for _, tt := range []struct{ path, head, want string }{
		{"a/b.go", "", "go"}, {"x.TSX", "", "typescript"}, {"Dockerfile", "", "dockerfile"}, {"Dockerfile.dev", "", "dockerfile"},
		{"run", "#!/usr/bin/env python3\n", "python"}, {"run", "#!/bin/sh -e\n", "bash"}, {"run", "nothing", ""},
		{"a.h", "#include <x.h>\n", "c"}, {"a.h", "\nnamespace a {\n", "cpp"}, {"CMakeLists.txt", "", "cmake"}, {"x.unknown", "", ""},
	} {
		if got := syntax.Language(tt.path, []byte(tt.head)); got != tt.want {
			t.Errorf("Language(%s, %q) = %q, want %q", tt.path, tt.head, got, tt.want)
		}
	}
}

func TestCanonical(t *testing.T) {
	for name, want := range map[string]string{"js": "javascript", "PY": "python", "golang": "go", "C++": "cpp", "c#": "csharp", ".rs": "rust", "sh": "bash", "go": "go", "markdown": "markdown", "klingon": ""} {
		if got, _ := syntax.Canonical(name); got != want {
			t.Errorf("Canonical(%q) = %q, want %q", name, got, want)
		}
	}
}

func FuzzDeclarations(f *testing.F) {
	for _, tt := range samples {
		f.Add(tt.language, tt.text)
		f.Add(tt.language, tt.text[:len(tt.text)*2/3])
	}
	f.Add("javascript", "class A { m( { `")
	f.Add("c", "struct {{{{{{ ((((")
	f.Fuzz(func(t *testing.T, language, text string) {
		at := 0
		var open []int
		for _, d := range syntax.Facts("", language, []byte(text)).Decls {
			if d.Span.Start < at || d.Span.End > len(text) || d.Span.End <= d.Span.Start {
				t.Fatalf("%+v after %d of %d", d, at, len(text))
			}
			if d.Name == "" || d.NameAt < d.Span.Start || d.NameAt+len(d.Name) > d.Span.End || text[d.NameAt:d.NameAt+len(d.Name)] != d.Name {
				t.Fatalf("the name of %+v is not in its place", d)
			}
			if d.Body < d.NameAt || d.Body > d.Span.End {
				t.Fatalf("the body of %+v is out of place", d)
			}
			at = d.Span.Start
			for len(open) > 0 && open[len(open)-1] <= d.Span.Start {
				open = open[:len(open)-1]
			}
			if len(open) > 0 && d.Span.End > open[len(open)-1] {
				t.Fatalf("%+v crosses the one around, which ends at %d", d, open[len(open)-1])
			}
			open = append(open, d.Span.End)
		}
	})
}

// TestTraits holds that properties of languages are read with and without words.
func TestTraits(t *testing.T) {
	tests := []struct {
		name      string
		got, want bool
	}{
		{"a language has a property", syntax.Has("elixir", "calls-skip-variables"), true},
		{"another has not", syntax.Has("go", "calls-skip-variables"), false},
		{"a word of a property", syntax.Lists("rust", "gives-itself", "unwrap"), true},
		{"a word of another line of it", syntax.Lists("rust", "gives-itself", "to_owned"), true},
		{"a word of another language", syntax.Lists("java", "gives-itself", "unwrap"), false},
		{"an unknown property", syntax.Has("go", "unknown"), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("got %v, want %v", tt.got, tt.want)
			}
		})
	}
}
