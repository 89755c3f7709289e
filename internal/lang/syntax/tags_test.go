package syntax

import (
	"fmt"
	"testing"
)

func TestTagged(t *testing.T) {
	for tag, want := range map[string]string{
		"py": "python", "pycon": "python", "TSX": "typescript", "c#": "csharp", "iex": "elixir", "sh": "bash", "console": "bash", "json5": "json", "cmd": "batch",
		"": "", "mermaid": "", "output": "",
	} {
		t.Run("tag "+tag, func(t *testing.T) {
			if got := Tagged(tag); got != want {
				t.Errorf("Tagged(%q) = %q, want %q", tag, got, want)
			}
		})
	}
}

func TestIsShell(t *testing.T) {
	for language, want := range map[string]bool{"bash": true, "powershell": true, "batch": true, "": false, "python": false, "text": false} {
		if got := IsShell(language); got != want {
			t.Errorf("IsShell(%q) = %v", language, got)
		}
	}
}

func TestLineImports(t *testing.T) {
	tests := []struct{ name, language, line, want string }{
		{"names out of a package", "python", "from a.b import one, two as three", "[{a [one two] }]"},
		{"at a prompt", "python", ">>> from a import (one", "[{a [one] }]"},
		{"a whole package", "python", "import a", "[]"},
		{"names and types", "typescript", `import D, { one, type Two as T } from "a"`, "[{a [one Two] }]"},
		{"names that are required", "javascript", `const { one: x } = require('a')`, "[{a [one] }]"},
		{"a default", "javascript", `import one from "a"`, "[]"},
		{"names of a crate", "rust", "use a::b::{One, self};", "[{a [b One] }]"},
		{"not a use", "rust", "user::a();", "[]"},
		{"a folder of a module", "go", `	x "github.com/a/b/c"`, "[{ [] github.com/a/b/c}]"},
		{"a string", "go", `x := "github.com/a/b/c"`, "[]"},
		{"a language without a reader", "ruby", `from a import one`, "[]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := fmt.Sprint(LineImports(tt.language, tt.line)); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestPrograms(t *testing.T) {
	tests := []struct{ name, at, language, text, want string }{
		{"a folder of cmd", "cmd/tool/main.go", "go", "package main\n", "[tool]"},
		{"a folder below it", "cmd/tool/sub/main.go", "go", "package sub\n", "[]"},
		{"a root command", "internal/cli/root.go", "go", `Use: "tool [flags]"`, "[tool]"},
		{"a command of another", "internal/cli/list.go", "go", `Use: "list"`, "[]"},
		{"another language", "cmd/tool/main.py", "python", `Use: "tool"`, "[]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := fmt.Sprint(Programs(tt.at, tt.language, tt.text)); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
