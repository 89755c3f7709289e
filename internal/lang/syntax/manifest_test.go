package syntax_test

import (
	"fmt"
	"testing"

	"github.com/assay-dev/assay/internal/lang/syntax"
)

func TestManifest(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a/go.mod", "// x\nmodule \"example.com/a\"\n\ngo 1.26\n", "example.com/a []"},
		{"Cargo.toml", "[workspace]\nname = \"no\"\n[package]\nname = \"my-crate\" # x\n", "my-crate []"},
		{"package.json", `{"name": "@a/b", "version": "1"}`, "@a/b []"},
		{"tsconfig.base.json", "{ // c\n \"compilerOptions\": {\"baseUrl\": \"src\", /* d */ \"paths\": {\"@/*\": [\"./lib/*\",],},},}",
			" [@/* -> src/lib/* * -> src/*]"},
	} {
		f, ok := syntax.Manifest(c.name, []byte(c.text))
		var imports []string
		for _, m := range f.Imports {
			imports = append(imports, m.Path+" -> "+m.Names[0].Name)
		}
		if got := fmt.Sprint(f.Module, " ", imports); !ok || got != c.want {
			t.Errorf("%s says %q, want %q", c.name, got, c.want)
		}
	}
	if _, ok := syntax.Manifest("a.json", nil); ok {
		t.Error("any JSON is a manifest")
	}
}
