package docs

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// A symbol that a build declares again is one; files that share a name and not the symbols are two.
func TestDeclared(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"declarations beside their source", map[string]string{"dist/a.d.ts": "/** A. */\nexport declare function a(): void;\n", "src/a.ts": "/** A. */\nexport function a() {}\n"}, "dist/a.d.ts"},
		{"another file of that name", map[string]string{"dist/a.d.ts": "export declare function a(): void;\n", "src/a.ts": "export function other() {}\n"}, "dist/a.d.ts src/a.ts"},
		{"builds for several loaders", map[string]string{"es6/a.d.ts": "export declare function a(): void;\n", "lib/a.d.ts": "export declare function a(): void;\n", "lib/a.d.mts": "export declare function a(): void;\n"}, "es6/a.d.ts"},
		{"a bundle", map[string]string{"dist/index.d.ts": "/** A. */\nexport declare function a(): void;\n", "src/parts/a.ts": "/** A. */\nexport function a() {}\n/** I. */\nexport function internal() {}\n", "src/b.ts": "/** B. */\nexport function b() {}\n"}, "dist/index.d.ts src/b.ts"},
		{"another package's build", map[string]string{"packages/x/dist/index.d.ts": "export declare function a(): void;\n", "packages/y/src/a.ts": "export function a() {}\n"}, "packages/x/dist/index.d.ts packages/y/src/a.ts"},
		{"declarations without the comments", map[string]string{"dist/a.d.ts": "export declare function a(): void;\n", "src/a.ts": "/** A. */\nexport function a() {}\n"}, "dist/a.d.ts src/a.ts"},
		{"a stub that says the same", map[string]string{"x/a.py": "def a(): pass\n", "x/a.pyi": "def a() -> None: ...\n"}, "x/a.py"},
		{"a stub that names more", map[string]string{"x/__init__.py": "import lazy_loader\n", "x/__init__.pyi": "from ._a import a as a\n"}, "x/__init__.py x/__init__.pyi"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree, paths := fstest.MapFS{}, []string{}
			for name, text := range c.files {
				tree[name] = &fstest.MapFile{Data: []byte(text)}
				paths = append(paths, name)
			}
			slices.Sort(paths)
			if got := strings.Join(declared(tree, paths), " "); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// If nothing is a page, the message says which files there are.
func TestNothingFoundSaysKinds(t *testing.T) {
	f := feature(t, tree(t, map[string]string{"a.pas": "x", "b.pas": "x", "c.png": "x", "Makefile": "x", "d.exe": "x"}))
	_, err := f.Ingest(t.Context(), IngestInput{Where: Where{Source: ".", ID: "/a/b"}})
	if want := "which has other files: 2 .pas, 1 .exe, 1 .png, 1 without an ending"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

// Pages of Quarto and R Markdown are read as Markdown.
func TestQuarto(t *testing.T) {
	f := feature(t, tree(t, map[string]string{"docs/a.qmd": "---\ntitle: Plots\n---\n\nDraw a heatmap.\n\n```{r}\nplot(x)\n```\n", "vignettes/b.Rmd": "# Tables\n\nMake a crosstab.\n"}))
	if _, err := f.Ingest(t.Context(), IngestInput{Where: Where{Source: ".", ID: "/a/b"}}); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, f, "/a/b", "draw a heatmap"); !strings.Contains(got, "### Plots") || !strings.Contains(got, "```r\nplot(x)") {
		t.Errorf("%s", got)
	}
	if got := ask(t, f, "/a/b", "make a crosstab"); !strings.Contains(got, "### Tables") {
		t.Errorf("%s", got)
	}
}
