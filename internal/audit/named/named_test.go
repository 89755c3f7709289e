package named

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// projectOf makes a project of texts by their paths: prose is a document, the rest is code.
func projectOf(files map[string]string) *Project {
	p := &Project{Repository: "https://github.com/own/tool"}
	folders := map[string]bool{}
	for at, text := range files {
		f := File{Path: at, Language: syntax.Language(at, []byte(text)), Flags: discover.PathFlags(at), Text: []byte(text)}
		p.Paths = append(p.Paths, at)
		for dir := path.Dir(at); dir != "."; dir = path.Dir(dir) {
			folders[dir] = true
		}
		if syntax.Prose(f.Language) {
			p.Docs = append(p.Docs, f)
		} else {
			p.Code = append(p.Code, f)
		}
	}
	slices.Sort(p.Paths)
	p.Exists = func(at string) bool { _, ok := files[at]; return ok || folders[at] }
	return p
}

// found returns the findings of a project, one a line, after it has looked whether their evidence has the names.
func found(t *testing.T, p *Project) string {
	t.Helper()
	got, err := Check(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string][]string{}
	for _, list := range [][]File{p.Docs, p.Pages, p.Code, p.Aside} {
		for _, f := range list {
			texts[f.Path] = strings.Split(string(f.Text), "\n")
		}
	}
	var out []string
	for _, f := range got.Findings {
		if f.Level == Unsure {
			continue
		}
		if lines := texts[f.Path]; f.Line < 1 || f.Line > len(lines) || !strings.Contains(lines[f.Line-1], f.Name) {
			t.Errorf("%+v: the line does not have the name", f)
		}
		if f.At != nil && f.At.Path != f.Meant {
			if lines := texts[f.At.Path]; f.At.Line < 1 || f.At.Line > len(lines) || !strings.Contains(lines[f.At.Line-1], strings.TrimPrefix(f.Meant, "--")) {
				t.Errorf("%+v: the evidence does not have the name", f)
			}
		}
		meant := ""
		if f.Meant != "" {
			meant = " → " + f.Meant
		}
		out = append(out, fmt.Sprintf("%s %s %s%s", f.Place, f.Level, f.Name, meant))
	}
	return strings.Join(out, "\n")
}

const goProgram = `package main

import "flag"

var dryRun = flag.Bool("dry-run", false, "change nothing")
var output = flag.String("output", "", "a file")
var width = flag.Int("width", 80, "of a line")
var colour = flag.Bool("colour", true, "paint")
var theme = flag.String("theme", "", "of colours")

// LoadRules reads rules.
func LoadRules(name string) error { return nil }

// RuleBase keeps rules.
type RuleBase struct{}
`

func TestRules(t *testing.T) {
	files := func(more ...string) map[string]string {
		out := map[string]string{"cmd/tool/main.go": goProgram, "go.mod": "module github.com/own/tool\n", "docs/guide.md": "# Guide\n\n## First steps\n\nText.\n", "docs/img/logo.png": "x"}
		for i := 0; i < len(more); i += 2 {
			out[more[i]] = more[i+1]
		}
		return out
	}
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"a link to nothing", files("README.md", "[a](docs/none.md)\n"), "README.md:1 error docs/none.md"},
		{"a link to a file, a folder and out of the tree", files("README.md", "[a](docs/guide.md) [b](docs/) [c](../../issues) [d](https://x.org) [e](<{{ x }}>)\n"), ""},
		{"a link to a file that was moved", files("README.md", "[a](guide.md)\n"), "README.md:1 error guide.md → docs/guide.md"},
		{"an image that is not there", files("README.md", "![a](docs/img/logoo.png)\n"), "README.md:1 error docs/img/logoo.png → docs/img/logo.png"},
		{"an image from the root of the repository", files("README.md", "![a](/docs/img/logo.png)\n"), ""},
		{"an anchor without its heading", files("README.md", "# T\n\n[a](#installation) [b](docs/guide.md#first-stepz)\n"),
			"README.md:3 error #installation\nREADME.md:3 error docs/guide.md#first-stepz → First steps"},
		{"anchors of headings, marks and includes", files("README.md", "# T\n\n## 🚀 Set up!\n\n<a name=\"x\"></a>[a](#-set-up) [b](#x) [c](docs/guide.md#first-steps) [d](docs/inc.md#y)\n", "docs/inc.md", "# I\n\n{% include \"y\" %}\n"), ""},
		{"code is no link", files("README.md", "```\n[a](none.md)\n```\n\n`[b](none.md)` <!-- [c](none.md) -->\n"), ""},
		{"a page of a site without its ending", files("docs/a.md", "[a](../guide/) [b](other) [c](none.md)\n", "mkdocs.yml", "site_name: x\n"), "docs/a.md:1 error none.md"},
		{"a static folder of a site", files("website/docusaurus.config.js", "", "website/docs/a.md", "![a](/img/x.png) [b](@site/docs/a.md)\n", "website/static/img/x.png", "x"), ""},
		{"a file that a build makes", files("README.md", "[a](dist/tool.js)\n"), ""},
		{"an address of the own repository", files("README.md", "https://github.com/own/tool <https://github.com/own/tool/blob/main/docs/gude.md> [o](https://github.com/other/x/blob/main/none.md)\n\n[![b](https://github.com/own/tool/actions/workflows/ci.yml/badge.svg)](https://x.org)\n"),
			"README.md:1 error https://github.com/own/tool/blob/main/docs/gude.md → docs/guide.md\nREADME.md:3 error https://github.com/own/tool/actions/workflows/ci.yml/badge.svg"},
		{"a flag that is nearly one", files("README.md", "Use `--dry-rum` or `--output FILE`.\n"), "README.md:1 error --dry-rum → --dry-run"},
		{"a flag of another program", files("README.md", "Use `--privileged`, `--no-colour` and `--dry-run`.\n"), ""},
		{"a flag that an own program lacks", files("README.md", "```console\n$ tool --dry-run --verbosity 3\n$ docker run --privileged\n$ tool -- --anything\n```\n"), "README.md:2 warning --verbosity"},
		{"the one of a list that is missing", files("README.md", "- `--dry-run`: a\n- `--output`: b\n- `--width`: c\n- `--colour`: d\n- `--palette`: e\n- `--theme`: f\n"), "README.md:5 warning --palette"},
		{"a list of something else", files("README.md", "- `--rm`: a\n- `--output`: b\n- `--volume`: c\n- `--colour`: d\n- `--palette`: e\n- `--privileged`: f\n"), ""},
		{"a name that is nearly declared", files("README.md", "`RuneBase` and `LoadRule()` keep them.\n"), "README.md:1 error LoadRule → LoadRules\nREADME.md:1 error RuneBase → RuleBase"},
		{"a name that is somebody else's", files("README.md", "`useState`, `RuleBase`, `LoadRules`, `MyRuleBase` and `TreeMap`.\n\n```go\ntype RuneBase struct{}\n```\n\n`RuneBase` is yours.\n"), ""},
		{"a renaming tells of both", files("README.md", "`RuneBase` is now `RuleBase`.\n"), ""},
		{"a section on what was before", files("README.md", "# T\n\n## Migration\n\nCall `LoadRule`.\n\n## Now\n\nCall `LoadRule`.\n"), "README.md:9 error LoadRule → LoadRules"},
		{"a path that was moved", files("README.md", "See `docs/manual/guide.md`, `cmd/tool/main.go` and `src/yours/app.go`.\n"), "README.md:1 error docs/manual/guide.md → docs/guide.md"},
		{"a variable of the project", files("README.md", "Set `TOOL_THREADS`, `TOOL_OUTPUT` or `HOME_DIR`.\n", "env.go", "package env\n\nconst prefix = \"TOOL_\"\n"), "README.md:1 warning TOOL_THREADS"},
		{"imports of the own package", files("README.md", "```go\nimport \"github.com/own/tool/none\"\n```\n\n```python\nfrom tool import none\n```\n\n```rust\nuse other::LoadRule;\n```\n"), "README.md:2 error github.com/own/tool/none"},
		{"a name that an example imports", map[string]string{"pyproject.toml": "[project]\nname = \"rules\"\n", "rules/__init__.py": "def load_rules():\n    pass\n", "README.md": "```python\nfrom rules import load_rule\nfrom other import load_rule\n```\n\n```rust\nuse rules::load_rule;\n```\n"},
			"README.md:2 error load_rule → load_rules\nREADME.md:7 error load_rule → load_rules"},
		{"scripts of the project", map[string]string{"package.json": "{\n \"name\": \"x\",\n \"scripts\": {\"test:unit\": \"x\", \"build\": \"y\"}}\n", "README.md": "```sh\nnpm run build\nnpm run test\nnpm run lint\n```\n"}, "README.md:3 error test → test:unit\nREADME.md:4 warning lint"},
		{"a name that an example calls", files("README.md", "```go\nx.LoadRulez(1)\ny.LoadRulez2(1)\nmyLoadRulez(2)\nx.RUleBase(1)\n```\n\n```python\nx.LoadRulez(1)\n```\n"), "README.md:2 error LoadRulez → LoadRules\nREADME.md:5 error RUleBase → RuleBase"},
		{"a name that an example declares", files("README.md", "```go\nfunc LoadRulez() {}\nx.LoadRulez(1)\n```\n"), ""},
		{"a key of settings", files("README.md", "```yaml\nalpha: 1\nbravo: 1\ncharlie: 1\ndelta: 1\necho: 1\nfoxtrot: 1\ngolf: 1\nold_key: 1\n```\n\n```yaml\nalpha: 1\nold_key: 1\nothers: 1\n```\n", "keys.go", "package x\n\nvar keys = []string{\"alpha\", \"bravo\", \"charlie\", \"delta\", \"echo\", \"foxtrot\", \"golf\"}\n"), "README.md:9 warning old_key"},
		{"a page that was moved in a site", files("mkdocs.yml", "x", "docs/a/one.md", "[a](../configuring) [b](../guide)\n", "docs/b/configuring.md", "# C\n"), "docs/a/one.md:1 warning ../configuring → docs/b/configuring.md"},
		{"a script in a span", map[string]string{"package.json": "{\"scripts\": {\"build\": \"y\"}}\n", "README.md": "Run `npm run lint` and `npm run build`, or `make all`.\n"}, "README.md:1 warning lint"},
		{"a flag of which one part is exchanged", files("README.md", "Use `--first-old-part` and `--other-old-part`.\n", "opt.go", "package x\n\nvar o = \"first-new-part\"\n"), "README.md:1 warning --first-old-part → --first-new-part"},
		{"the name of a file", files("tools/README.md", "Run `rebuildParser.php`, not `rebuildOther.php` or `buildAll.php`.\n", "tools/rebuildParsers.php", "<?php\n", "tools/buildAll.php", "<?php\n"), "tools/README.md:1 warning rebuildParser.php → tools/rebuildParsers.php"},
		{"a script of another folder", map[string]string{"package.json": "{\"scripts\": {\"build\": \"y\"}}\n", "README.md": "```sh\nnpm run lint\n```\n\n```sh\ncd sub\nnpm run lint\n```\n"}, "README.md:2 warning lint"},
		{"links of pages that a forge shows", files(".github/CONTRIBUTING.md", "[a](docs/guide.md)\n", ".github/PULL_REQUEST_TEMPLATE.md", "[a](docs/guide.md)\n"), ".github/CONTRIBUTING.md:1 error docs/guide.md → docs/guide.md"},
		{"documents of other forms", files("docs/a.rst", "Title\n=====\n\nUse ``RuneBase``.\n"), "docs/a.rst:4 error RuneBase → RuleBase"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := found(t, projectOf(tt.files)); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// The history makes a warning of a name that was the project's.
func TestRemoved(t *testing.T) {
	p := projectOf(map[string]string{"a.go": "package a\n\nfunc Second() {}\n", "README.md": "`FirstOne` and `OtherThing` do it.\n"})
	p.Removed = func(names map[string]bool) map[string]bool {
		if !names["FirstOne"] || !names["OtherThing"] {
			t.Errorf("asked for %v", names)
		}
		return map[string]bool{"FirstOne": true, "OtherThing": false}
	}
	if got, want := found(t, p), "README.md:1 warning FirstOne"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDeclares(t *testing.T) {
	for line, want := range map[string]bool{"func FirstOne() {": true, "  FirstOne: 1": false, "x(\"FirstOne\")": true, "FirstOne = 2": true, "y = FirstOne(3)": false, "// FirstOne": false} {
		if got := Declares(line, "FirstOne"); got != want {
			t.Errorf("Declares(%q) = %v", line, got)
		}
	}
}

// A change breaks the documents that name what it takes away.
func TestFormer(t *testing.T) {
	p := projectOf(map[string]string{"a.go": "package a\n\nfunc Second() {}\n", "README.md": "`First` does it, like `--first-flag` and `Third`.\n\n```go\na.First()\nother.Fourth()\n```\n"})
	if got := found(t, p); got != "" {
		t.Errorf("without a revision: %s", got)
	}
	p.Former = map[string][]byte{"a.go": []byte("package a\n\nfunc First() { flag.Bool(\"first-flag\") }\n"), "a_test.go": []byte("package a\n\nfunc Third() {}\n")}
	if got, want := found(t, p), "README.md:1 error --first-flag\nREADME.md:1 error First\nREADME.md:4 error First"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func FuzzCheck(f *testing.F) {
	f.Add("# T\n\n[a](b.md#c) `--x` `a.b.c()` `X_Y`\n\n| `k` | v |\n|---|---|\n| `l` | w |\n", "x = 1\n")
	f.Fuzz(func(t *testing.T, doc, code string) {
		found(t, projectOf(map[string]string{"README.md": doc, "a.py": code, "b.rst": doc}))
	})
}
