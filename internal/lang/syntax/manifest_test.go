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
		{"package.json", `{"name": "p", "main": "./dist/i.cjs", "module": "./esm/i.js", "source": "src/i.ts", "types": "i.d.ts"}`, "p [p -> src/i.ts ./esm/i.js ./dist/i.cjs i.d.ts]"},
		{"package.json", `{"name": "p", "main": "no.js", "exports": {".": {"types": "./t.d.ts", "node": {"require": "./n.cjs"}, "@me/src": "./src/i.ts", "worker": "./w.js", "default": "./d.js"}, "./a/*": ["./a/*.js", null], "./no": null}, "imports": {"#x/*": "./x/*.ts", "y": "z"}}`,
			"p [p -> ./src/i.ts ./d.js ./n.cjs ./w.js ./t.d.ts p/a/* -> ./a/*.js #x/* -> ./x/*.ts]"},
		{"package.json", `{"name": "p", "exports": {"import": "./m.mjs"}}`, "p [p -> ./m.mjs]"},
		{"package.json", `{"name": ["p"]}`, " []"},
		{"package.json", `{"exports": {"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": "deep"}}}}}}}}, "name": "p"}`, "p []"},
		{"tsconfig.base.json", "{ // c\n \"compilerOptions\": {\"baseUrl\": \"src\", /* d */ \"paths\": {\"@/*\": [\"./lib/*\",],},},}",
			" [@/* -> src/lib/* * -> src/*]"},
	} {
		f, ok := syntax.Manifest(c.name, []byte(c.text))
		var imports []string
		for _, m := range f.Imports {
			to := m.Path + " ->"
			for _, n := range m.Names {
				to += " " + n.Name
			}
			imports = append(imports, to)
		}
		if got := fmt.Sprint(f.Module, " ", imports); !ok || got != c.want {
			t.Errorf("%s says %q, want %q", c.name, got, c.want)
		}
	}
	if _, ok := syntax.Manifest("a.json", nil); ok {
		t.Error("any JSON is a manifest")
	}
}
