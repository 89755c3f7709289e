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
			if lines := texts[f.At.Path]; f.At.Line < 1 || f.At.Line > len(lines) || !strings.Contains(lines[f.At.Line-1], strings.TrimLeft(f.Meant, "-#")) {
				t.Errorf("%+v: the evidence does not have the name", f)
			}
		}
		meant := ""
		if f.Meant != "" {
			meant = " → " + f.Meant
		}
		if f.Fix != "" && f.Fix != f.Meant {
			meant += ": " + f.Fix
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

const manyFlags = `package main

import "flag"

var quiet = flag.Bool("quiet-mode", false, "say nothing")
var size = flag.Int("page-size", 10, "of a page")
var depth = flag.Int("max-depth", 10, "of a walk")
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
		{"links of a hostile page", files("README.md", "[a](missing/0%3Cimg%3E.md) [b](%00.md) [c](../../../etc/passwd) [d](%2e%2e/%2e%2e/etc/passwd) [e](missing/%41.md)\n"), "README.md:1 error missing/%41.md"},
		{"a link to a file that was moved", files("README.md", "[a](guide.md)\n"), "README.md:1 error guide.md → docs/guide.md"},
		{"an image that is not there", files("README.md", "![a](docs/img/logoo.png)\n"), "README.md:1 error docs/img/logoo.png → docs/img/logo.png"},
		{"an image from the root of the repository", files("README.md", "![a](/docs/img/logo.png)\n"), ""},
		{"an anchor without its heading", files("README.md", "# T\n\n[a](#installation) [b](docs/guide.md#first-stepz)\n"),
			"README.md:3 error #installation\nREADME.md:3 error docs/guide.md#first-stepz → First steps: docs/guide.md#first-steps"},
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
		{"a name that is nearly declared", files("README.md", "`RuneBase` and `LoadRule()` keep them.\n"), "README.md:1 warning LoadRule → LoadRules\nREADME.md:1 error RuneBase → RuleBase"},
		{"a name that is somebody else's", files("README.md", "`useState`, `RuleBase`, `LoadRules`, `MyRuleBase` and `TreeMap`.\n\n```go\ntype RuneBase struct{}\n```\n\n`RuneBase` is yours.\n"), ""},
		{"a renaming tells of both", files("README.md", "`RuneBase` is now `RuleBase`.\n"), ""},
		{"a section on what was before", files("README.md", "# T\n\n## Migration\n\nCall `LoadRule`.\n\n## Now\n\nCall `LoadRule`.\n"), "README.md:9 warning LoadRule → LoadRules"},
		{"a path that was moved", files("README.md", "See `docs/manual/guide.md`, `cmd/tool/main.go` and `src/yours/app.go`.\n"), "README.md:1 error docs/manual/guide.md → docs/guide.md"},
		{"a variable of the project", files("README.md", "Set `TOOL_THREADS`, `TOOL_OUTPUT` or `HOME_DIR`.\n", "env.go", "package env\n\nconst prefix = \"TOOL_\"\n"), "README.md:1 warning TOOL_THREADS"},
		{"imports of the own package", files("README.md", "```go\nimport \"github.com/own/tool/none\"\n```\n\n```python\nfrom tool import none\n```\n\n```rust\nuse other::LoadRule;\n```\n"), "README.md:2 error github.com/own/tool/none"},
		{"a name that an example imports", map[string]string{"pyproject.toml": "[project]\nname = \"rules\"\n", "rules/__init__.py": "def load_rules():\n    pass\n", "README.md": "```python\nfrom rules import load_rule\nfrom other import load_rule\n```\n\n```rust\nuse rules::load_rule;\n```\n"},
			"README.md:2 error load_rule → load_rules\nREADME.md:7 error load_rule → load_rules"},
		{"scripts of the project", map[string]string{"package.json": "{\n \"name\": \"x\",\n \"scripts\": {\"test:unit\": \"x\", \"build\": \"y\"}}\n", "README.md": "```sh\nnpm run build\nnpm run test\nnpm run lint\n```\n"}, "README.md:3 error test → test:unit\nREADME.md:4 warning lint"},
		{"a name that an example calls", files("README.md", "```go\nx.LoadRulez(1)\ny.LoadRulez2(1)\nmyLoadRulez(2)\nx.RUleBase(1)\n```\n\n```python\nx.LoadRulez(1)\n```\n"), "README.md:2 error LoadRulez → LoadRules\nREADME.md:5 error RUleBase → RuleBase"},
		{"a name in an example without its language", files("README.md", "    x.LoadRulez(1)\n    x.lOADrULES(1)\n    x.LoadRuels(1)\n    x.TreeMapper(1)\n"), "README.md:1 error LoadRulez → LoadRules\nREADME.md:3 error LoadRuels → LoadRules"},
		{"a name that an example declares", files("README.md", "```go\nfunc LoadRulez() {}\nx.LoadRulez(1)\n```\n"), ""},
		{"a page that was moved in a site", files("mkdocs.yml", "x", "docs/a/one.md", "[a](../configuring) [b](../guide)\n", "docs/b/configuring.md", "# C\n"), "docs/a/one.md:1 warning ../configuring → docs/b/configuring.md"},
		{"a script in a span", map[string]string{"package.json": "{\"scripts\": {\"build\": \"y\"}}\n", "README.md": "Run `npm run lint` and `npm run build`, or `make all`.\n"}, "README.md:1 warning lint"},
		{"the name of a file", files("tools/README.md", "Run `rebuildParser.php`, not `rebuildOther.php` or `buildAll.php`.\n", "tools/rebuildParsers.php", "<?php\n", "tools/buildAll.php", "<?php\n"), "tools/README.md:1 warning rebuildParser.php → tools/rebuildParsers.php"},
		{"a script of another folder", map[string]string{"package.json": "{\"scripts\": {\"build\": \"y\"}}\n", "README.md": "```sh\nnpm run lint\n```\n\n```sh\ncd sub\nnpm run lint\n```\n"}, "README.md:2 warning lint"},
		{"links of pages that a forge shows", files(".github/CONTRIBUTING.md", "[a](docs/guide.md)\n", ".github/PULL_REQUEST_TEMPLATE.md", "[a](docs/guide.md)\n"), ".github/CONTRIBUTING.md:1 error docs/guide.md → docs/guide.md: ../docs/guide.md"},
		{"an anchor in another form", files("README.md", "# T\n\n## Run it?\n\n[a](#run-it-) [b](#run-it) [c](#Run-It) [d](#run-it-1)\n"), "README.md:5 error #run-it- → Run it?: #run-it"},
		{"anchors of headings with markup", files("README.md", "# T\n\n## ![x](docs/img/logo.png) Run it\n\n## A & B\n\n[a](#run-it) [b](#-run-it) [c](#a--b)\n"), ""},
		{"an anchor in the form of a site", files("docs/a.md", "# T\n\n## a.b()\n\n[a](#a-b) [b](#ab) [c](#a_b)\n", "mkdocs.yml", "x"), "docs/a.md:5 warning #a_b → a.b(): #ab"},
		{"a link without its number sign", files("README.md", "# T\n\n## first-steps\n\n[a](first-steps) [b](first)\n"), "README.md:5 error first\nREADME.md:5 error first-steps → #first-steps"},
		{"a link that leaves the repository", files("README.md", "[a](../go.mod) [b](../../issues) [c](../other.md)\n"), "README.md:1 error ../go.mod → go.mod"},
		{"a folder that was moved", files("README.md", "See `docs/pictures/img/` and `docs/img/`.\n"), "README.md:1 error docs/pictures/img/ → docs/img"},
		{"pages of a site by their addresses", files("website/docusaurus.config.js", "", "website/docs/10-use/20-flags.md", "# Flags\n\n## Output\n", "website/docs/30-more/a.md", "[a](/docs/use/flags#output) [b](/docs/use/flags#input) [c](../use/flags#output)\n"),
			"website/docs/30-more/a.md:1 warning /docs/use/flags#input"},
		{"a picture by its srcset", files("README.md", "<picture><source srcset=\"docs/img/dark.png 2x\"></picture>\n"), "README.md:1 error docs/img/dark.png"},
		{"an owner that is nearly declared", files("README.md", "`RuneBase.LoadRules` and `RuleBase.LoadRules`, or `Loader.LoadRules`.\n"), "README.md:1 error RuneBase → RuleBase"},
		{"a word of the file that its owner names", files("README.md", "`rules.Validat()` and `valve.Validat()`.\n", "rules.go", "package rules\n\nfunc Validate() {}\n"), "README.md:1 error Validat → Validate"},
		{"a name in a comment of an example", files("README.md", "```go\n// the `RuneBase` keeps them\n// the `TreeMap` too\n```\n"), "README.md:2 error RuneBase → RuleBase"},
		{"a program that is nearly called so", map[string]string{"Cargo.toml": "[package]\nname = \"zorbex\"\n", "main.rs": "fn build() {}\n", "README.md": "Run `zobrex build` and `zorbex build`, or `handbook build`.\n"}, "README.md:1 error zobrex → zorbex"},
		{"a variable of a family", files("README.md", "```sh\nexport RULE_THREDAS=2\nexport RULE_WIDTH=2\nexport OTHER_THREDAS=2\n```\n", "env.go", "package env\n\nvar names = []string{\"RULE_THREADS\", \"RULE_WIDTH\", \"RULE_OUTPUT\", \"RULE_COLOUR\", \"RULE_THEME\"}\n"), "README.md:2 error RULE_THREDAS → RULE_THREADS"},
		{"references of Sphinx", files("docs/conf.py", "", "docs/one.rst", "One\n===\n\n.. _first-label:\n\n:doc:`two` :doc:`/img/none` :doc:`guide` :ref:`first-label` :ref:`first-labels` :ref:`x <other-label>`\n\n.. image:: img/none.png\n\n.. image:: img/logo.png\n\n.. include:: guide.md\n\n::\n\n   :doc:`none`\n"),
			"docs/one.rst:6 error /img/none\ndocs/one.rst:6 error first-labels: first-label\ndocs/one.rst:6 warning other-label\ndocs/one.rst:6 error two\ndocs/one.rst:8 error img/none.png"},
		{"objects that roles name", files("docs/conf.py", "", "docs/one.rst", "One\n===\n\n\n\n:func:`load_ruels`\n\n:func:`load_rules` :func:`other.load_rule`\n\n.. autofunction:: load_none\n", "rules.py", "def load_rules():\n    pass\n"),
			"docs/one.rst:6 error load_ruels → load_rules\ndocs/one.rst:10 warning load_none"},
		{"references of AsciiDoc", files("docs/modules/ROOT/pages/a.adoc", "= A\n\nxref:b.adoc[B] xref:sub/c.adoc#one[C] xref:sub/c.adoc#onee-two[C] xref:other:x.adoc[X] xref:a@b:c:d.adoc[D]\n\n<<no-such-part>> <<part-one>>\n\n[#part-one]\n== Part\n\ninclude::none.adoc[]\n\ninclude::{x}/none.adoc[]\n\nimage::none.png[]\n", "docs/modules/ROOT/pages/sub/c.adoc", "= C\n\n[[one]]\n== One\n\n[[one-two]]\n== Two\n"),
			"docs/modules/ROOT/pages/a.adoc:3 error b.adoc\ndocs/modules/ROOT/pages/a.adoc:3 error sub/c.adoc#onee-two\ndocs/modules/ROOT/pages/a.adoc:5 warning no-such-part\ndocs/modules/ROOT/pages/a.adoc:10 error none.adoc\ndocs/modules/ROOT/pages/a.adoc:14 warning none.png"},
		{"pages of a site by what is built of them", files("docs/conf.py", "", "docs/one.rst", "One\n===\n\nSee `the list`_.\n\n.. _the list: plugins/index.html\n", "docs/plugins/index.rst", "P\n=\n"), ""},
		{"pictures of a page that is served from its folder", files("mkdocs.yml", "", "docs/a.md", "<img src=\"../img/logo.png\">\n"), ""},
		{"pictures of a page that a forge shows", files("docs/README.md", "<img src=\"../img/logo.png\">\n"), "docs/README.md:1 error ../img/logo.png"},
		{"pages that a tool finds by their names", files("mix.exs", "", "guides/client/a.md", "[b](b.md) [c](none.md)\n", "guides/server/b.md", "# B\n"), "guides/client/a.md:1 error none.md"},
		{"links from the root of a site elsewhere", files("README.md", "[a](~/docs/none.md) [b](none~.md)\n"), "README.md:1 error none~.md"},
		{"a path of a reader's own project", files("README.md", "See `docs/mydocs/guide.md`.\n"), ""},
		{"pages that a shortcode finds by their names", files("pages/a/one.md", "[a]({{< ref \"configuring\" >}}) [b](../b/none/configuring)\n", "pages/b/configuring.md", "# C\n"), "pages/a/one.md:1 warning ../b/none/configuring → pages/b/configuring.md"},
		{"anchors that keep the first hyphen of an option", files("docs/a.md", "# T\n\n## `--sign`\n\n[a](#-sign) [b](#--sign) [c](#_sign)\n", "mkdocs.yml", "x"), "docs/a.md:5 warning #_sign → `--sign`: #--sign"},
		{"anchors of a list of contributors", files("README.md", "# T\n\n[a](#infra-one)\n<!-- ALL-CONTRIBUTORS-LIST:START -->\n[b](#infra-two)\n<!-- ALL-CONTRIBUTORS-LIST:END -->\n[c](#infra-three)\n"), "README.md:3 error #infra-one\nREADME.md:7 error #infra-three"},
		{"a folder beside a file of its name", files("README.md", "See `docs/pictures/tool/` and `docs/pictures/img/`.\n", "docs/bin/tool", "x"), "README.md:1 error docs/pictures/img/ → docs/img"},
		{"a script of a package below the root", map[string]string{"package.json": "{\"scripts\": {\"build\": \"y\"}}\n", "website/package.json": "{\"scripts\": {\"start\": \"y\"}}\n", "CONTRIBUTING.md": "Run `npm run start` there, and `npm run stop`.\n"}, "CONTRIBUTING.md:1 warning stop"},
		{"a variable of a prefix", files("README.md", "Set `TOOL_PRE_MESSAGE` or `TOOL_POST_MESSAGE`.\n", "env.go", "package env\n\nconst prefix = \"TOOL_PRE_\"\n"), "README.md:1 warning TOOL_POST_MESSAGE"},
		{"an address without its scheme", files("README.md", "[a](github.com/own/tool) [b](www.tool.dev) [c](docs/guide.md) [d](v1.com.md)\n"), "README.md:1 error github.com/own/tool: https://github.com/own/tool\nREADME.md:1 error v1.com.md\nREADME.md:1 error www.tool.dev: https://www.tool.dev"},
		{"a link to a page without its ending, beside one with it", files("docs/a.md", "[a](guide) [b](guide.md)\n", "docs/b.md", "[a](guide)\n"), "docs/a.md:1 warning guide → docs/guide.md: guide.md"},
		{"an anchor without the hyphens of an option", files("README.md", "# T\n\n## `--sign`: a key\n\n## :rocket: Start\n\n[a](#--sign-a-key) [b](#sign-a-key) [c](#start)\n"), "README.md:7 error #sign-a-key → `--sign`: a key: #--sign-a-key"},
		{"pages of a forge's folder", files(".github/docs/steps.md", "[a](../../docs/none.md)\n", ".github/ISSUE_TEMPLATE/bug.md", "[a](../docs/none.md)\n", ".github/pull_request_template.md", "[a](docs/none.md)\n"), ".github/docs/steps.md:1 error ../../docs/none.md"},
		{"pages of a tool that finds them from the root of its folder", files("website/siteConfig.js", "", "docs/a/one.md", "[a](guide.md) [b](missing.md)\n"), "docs/a/one.md:1 error missing.md"},
		{"pages that begin with settings", files("docs/a.md", "---\ntitle: A\n---\n\n![a](../img/logo.png) [b](none.md) [c](#none)\n", "docs/b.md", "![a](../img/logo.png)\n"), "docs/a.md:5 warning #none\ndocs/a.md:5 error none.md\ndocs/b.md:1 error ../img/logo.png"},
		{"a README of a site", files("docs/_sidebar.md", "", "docs/README.md", "![a](/img/logo.png) [b](none.md)\n"), "docs/README.md:1 error none.md"},
		{"an anchor by the name that a forge gives it", files("README.md", "# T\n\n<a id=\"user-content-a.b\"></a>\n\n[a](#user-content-a.b) [b](#user-content-a.c)\n"), "README.md:5 error #user-content-a.c"},
		{"a function of the library of C", files("README.md", "Use `strncpy`.\n\nNot `strcpy` or `strmcpy`.\n", "main.c", "int run(void) { strncpy(a, b, 3); }\n"), "README.md:3 warning strmcpy → strncpy"},
		{"a page that a template makes", files("docs/a.md", "[a](install.md) [b](missing.md)\n", "docs/install.md.tmpl", "x", "mkdocs.yml", "x"), "docs/a.md:1 error missing.md"},
		{"a file that projects of readers have", files("README.md", "See `cmd/tool/main.ts` and `cmd/tool/render.ts`.\n", "cmd/tool/render.go", "package main\n"), "README.md:1 error cmd/tool/render.ts → cmd/tool/render.go"},
		{"a path that is an example", files("README.md", "A file (e.g. `cmd/tool/maine.go`) more.\n\nSee `cmd/tool/maine.go`.\n"), "README.md:3 error cmd/tool/maine.go → cmd/tool/main.go"},
		{"a heading that two are as near to", files("README.md", "# T\n\n## Caching of pages\n\n## Caching of posts\n\n[a](#caching-of) [b](#caching-of-pagse)\n"),
			"README.md:7 error #caching-of\nREADME.md:7 error #caching-of-pagse → Caching of pages: #caching-of-pages"},
		{"a heading that two of its own forms are near to", files("README.md", "# T\n\n## Caching pages {#caching-page}\n\n[a](#caching-pag)\n"), "README.md:5 error #caching-pag → Caching pages: #caching-page"},
		{"files that are equally near", files("README.md", "[a](docs/guidf.md) [b](docs/giude.md)\n", "docs/guida.md", "x"), "README.md:1 error docs/giude.md → docs/guide.md\nREADME.md:1 error docs/guidf.md"},
		{"a target of make that is a script elsewhere", map[string]string{"Makefile": "all:\n\ttrue\n", "web/package.json": "{\"scripts\": {\"lint\": \"y\"}}\n", "README.md": "Run `make lint` and `make all`.\n"}, "README.md:1 warning lint"},
		{"an outline that was moved", files("README.md", "[a](notes.org) [b](tasks.org) [c](plans.dev) [d](own.example.org)\n", "docs/notes.org", "* N\n"), "README.md:1 error notes.org → docs/notes.org\nREADME.md:1 error own.example.org\nREADME.md:1 error plans.dev\nREADME.md:1 error tasks.org"},
		{"a link without its ending on a page that a forge shows", files("README.md", "[a](docs/my%20guide) [b](docs/my%20guide.md) [c](docs/other) docs/other.md\n", "docs/my guide.md", "x", "docs/other.md", "x"), "README.md:1 error docs/my%20guide → docs/my guide.md: docs/my%20guide.md\nREADME.md:1 error docs/other → docs/other.md"},
		{"a path beside an example", files("README.md", "Tools (e.g. `x`) read `cmd/tool/maine.go`. Others, e.g. `cmd/tool/a.go` or\n`cmd/tool/maim.go`, do not.\n\nSee e.g. others. Read `cmd/tool/mian.go`.\n"), "README.md:1 error cmd/tool/maine.go → cmd/tool/main.go\nREADME.md:4 error cmd/tool/mian.go → cmd/tool/main.go"},
		{"lists that a tool writes", files("README.md", "<!-- ALL-CONTRIBUTORS-LIST:START -->\n[a](#listed-one)\n<!-- ALL-CONTRIBUTORS-LIST:END -->\n[b](#behind-it)\n<!-- ALL-CONTRIBUTORS-LIST:START -->\n[c](#unended)\n"), "README.md:4 error #behind-it\nREADME.md:6 error #unended"},
		{"a page of a site of an unknown tool that finds pages by their names", files("docs/01-a/01-one.md", "---\ntitle: One\n---\n\n[a](second-page) [b](third-page.md)\n", "docs/02-b/03-second-page.md", "---\ntitle: Two\n---\n"), "docs/01-a/01-one.md:5 error third-page.md"},
		{"anchors of a page that m4 makes, and of one that writes of m4", files("docs/a.m4.md", "m4_dnl A comment.\n\n# A\n\n[a](#made)\n", "docs/b.md", "# B\n\nUse m4_dnl for comments.\n\n[b](#missing)\n"), "docs/b.md:5 error #missing"},
		{"a page that another takes in", files("mkdocs.yml", "x", "docs/in/part.md", "[a](./other.md)\n", "docs/in/alone.md", "[a](./other.md)\n", "docs/one.md", "# O\n\n--8<-- \"docs/in/part.md\"\n\nWe include [alone](in/alone.md).\n"),
			"docs/in/alone.md:1 error ./other.md"},
		{"pages that others take in, in the form of each tool", files("mkdocs.yml", "x", "docs/in/a.md", "[a](./other.md)\n", "docs/in/b.md", "[a](./other.md)\n", "docs/in/c.md", "[a](./other.md)\n", "docs/in/d.md", "[a](./other.md)\n",
			"docs/in/e.md", "[a](./other.md)\n", "docs/in/f.md", "[a](./other.md)\n", "docs/in/g.md", "[a](./other.md)\n", "docs/one.md", "# O\n\n<!--@include: ./in/a.md-->\n\n{{#include in/b.md:4:9}}\n\n--8<-- \"docs/in/c.md:2:5\"\n\n--8<--\ndocs/in/d.md\n--8<--\n\n"+
				"```{include} in/e.md\n```\n\n> [!INCLUDE [text](in/f.md)]\n\n{% include-markdown \"in/g.md\" %}\n"), ""},
		{"pages that others only speak of", files("mkdocs.yml", "x", "docs/in/a.md", "[a](./other.md)\n", "docs/in/b.md", "[a](./other.md)\n", "docs/in/c.md", "[a](./other.md)\n", "docs/one.md", "# O\n\n{% include note.html %} See [part](in/a.md).\n\n"+
			"Use `{% include %}` or `--8<--` as [part](in/b.md) says.\n\n```\n{{#include in/c.md}}\n```\n"), "docs/in/a.md:1 error ./other.md\ndocs/in/b.md:1 error ./other.md\ndocs/in/c.md:1 error ./other.md"},
		{"a README that a site takes in is read on the forge too", files("docs/conf.py", "", "README.md", "[a](none.md)\n", "docs/index.md", "```{include} ../README.md\n```\n"), "README.md:1 error none.md"},
		{"a target of MyST is an anchor", files("docs/conf.py", "", "docs/one.md", "# O\n\n[a](#begin-here) [b](#begin-there) [c](two.md#begin-here)\n\n(begin-here)=\n\n## Start\n", "docs/two.md", "# T\n"), "docs/one.md:3 warning #begin-there\ndocs/one.md:3 warning two.md#begin-here"},
		{"a page that a shortcode finds by its name", files("mkdocs.yml", "x", "docs/a/one.md", "[a](configuring) [b](config_all)\n\n`{{< ref \"configuring\" >}}` `{{< ref \"config_all_of\" >}}`\n", "docs/b/configuring.md", "# C\n", "docs/b/config_all.md", "# D\n"), "docs/a/one.md:1 warning config_all → docs/b/config_all.md"},
		{"a script that is called as the configuration of a site", files("src/siteConfig.js", "", "docs/a/one.md", "[a](guide.md)\n"), "docs/a/one.md:1 error guide.md → docs/guide.md: ../guide.md"},
		{"a mark that may be of a site is for its folder and the folders in it", files(".nojekyll", "", "docs/a.md", "[b](none.md)\n", "docs/in/c.md", "[b](none.md)\n", "man/_sidebar.md", "", "man/in/c.md", "[b](none.md)\n", "man/in/deep/c.md", "[b](none.md)\n"),
			"docs/in/c.md:1 error none.md\nman/in/deep/c.md:1 error none.md"},
		{"a site whose index says which tool shows it", files("docs/_sidebar.md", "", "docs/index.html", "<script src=\"docsify.min.js\"></script>\n", "docs/in/deep/c.md", "[b](none.md)\n"), ""},
		{"a list of documents that is no configuration of a site", files("docs.json", "[]\n", "docs/in/c.md", "![b](none.png)\n", "web/docs.json", "{\"navigation\": []}\n", "web/in/deep/c.md", "![b](none.png)\n"), "docs/in/c.md:1 error none.png"},
		{"an option beside a command", files("sub.go", "package main\n\nvar cmd = cobra.Command{Use: \"index\"}\n", "more.go", manyFlags, "README.md", "`--dry-run` `--output` `--width` `--colour` `--theme` `--quiet-mode` `--page-size` `--max-depth`\n\nSay `index push` with `--page-sizes`.\n\nSay `docker push` with `--max-depths`.\n"),
			"README.md:3 error --page-sizes → --page-size"},
		{"a heading with a picture by its name", files("README.md", "# T\n\n## :rocket: Set it up\n\n## Note: caching\n\n[a](#set-it-up) [b](#caching) [c](#it-up-to-now)\n"), "README.md:7 error #it-up-to-now"},
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

func TestLinkTo(t *testing.T) {
	tests := []struct{ name, page, file, want string }{
		{"from the root", "README.md", "docs/a.md", "docs/a.md"},
		{"beside", "docs/a.md", "docs/b.md", "b.md"},
		{"above", "docs/a/b.md", "docs/c.md", "../c.md"},
		{"a hidden file", "docs/a.md", ".tool.mjs", "../.tool.mjs"},
		{"a hidden file beside", "docs/a.md", "docs/.tool.mjs", ".tool.mjs"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := LinkTo(tt.page, tt.file); got != tt.want {
				t.Errorf("LinkTo(%q, %q) = %q, want %q", tt.page, tt.file, got, tt.want)
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

// A page with many links or options is judged in a second or two; where each was compared with all others it took minutes.
func TestManyLinks(t *testing.T) {
	const many = 40_000
	repeated := func(format string) string {
		var b strings.Builder
		for i := range many / 2 {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	tests := []struct {
		name, page, head, each string
		findings               int
	}{
		{"anchors beside as many headings", "README.md", repeated("## The %d. of some headings\n\n"), "[a](#none-there-%d)\n", many},
		{"links on one line", "README.md", "", "[a](none/%d.md) ", many},
		{"files", "README.md", "", "[a](none/%d.md#b)\n", many},
		{"anchors behind a list that a tool writes", "README.md", "<!-- ALL-CONTRIBUTORS-LIST:START -->\n<!-- ALL-CONTRIBUTORS-LIST:END -->\n", "[a](#none-%d)\n", many},
		{"pages by their names", "docs/a/b.md", "", "[a](../x%d/moved)\n", many},
		{"options", "README.md", "", "`--none-of-%d`\n\n", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			b.WriteString(tt.head)
			for i := range many {
				fmt.Fprintf(&b, tt.each, i)
			}
			files := map[string]string{tt.page: b.String(), "a.go": goProgram, "docs/c/moved.md": "# M\n"}
			if tt.page != "README.md" {
				for i := range many / 8 {
					files[fmt.Sprintf("docs/many/page-%d.md", i)] = ""
				}
			}
			got, err := Check(t.Context(), projectOf(files))
			if err != nil {
				t.Fatal(err)
			}
			sure := slices.DeleteFunc(got.Findings, func(f Finding) bool { return f.Level == Unsure })
			if len(sure) != tt.findings {
				t.Errorf("%d findings, want %d", len(sure), tt.findings)
			}
		})
	}
}

// A heading that is only longer or shorter is shown as the one that was probably meant, and corrects nothing.
func TestFixOfAnchors(t *testing.T) {
	for name, c := range map[string]struct{ link, meant, fix string }{
		"misspelt":        {"#cache-invalidaton", "Cache invalidation", "#cache-invalidation"},
		"a longer one":    {"#cache-invalidation-of-pages", "Cache invalidation", ""},
		"a shorter one":   {"#cache-inval", "Cache invalidation", ""},
		"another heading": {"#warmup-of-pages", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			report, err := Check(t.Context(), projectOf(map[string]string{"README.md": "# T\n\n## Cache invalidation\n\n[a](" + c.link + ")\n"}))
			if err != nil || len(report.Findings) != 1 {
				t.Fatal(report.Findings, err)
			}
			if f := report.Findings[0]; f.Meant != c.meant || f.Fix != c.fix {
				t.Errorf("meant %q, fix %q", f.Meant, f.Fix)
			}
		})
	}
}

func TestHasWord(t *testing.T) {
	for name, c := range map[string]struct {
		text, word string
		has        bool
	}{
		"alone":       {"a cache", "cache", true},
		"in another":  {"caches", "cache", false},
		"after one":   {"caches, cache", "cache", true},
		"no word":     {"cache", "", false},
		"in no text":  {"", "cache", false},
		"a part of _": {"my_cache", "cache", false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := HasWord([]byte(c.text), c.word); got != c.has {
				t.Error(got)
			}
		})
	}
}
