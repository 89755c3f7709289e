package claims

import (
	"slices"
	"strings"
	"testing"
)

// reported returns the names that are reported of files, as they are, and as what they are meant.
func reported(t *testing.T, files map[string]string, past ...string) (names []string) {
	t.Helper()
	a := New(write(t, files), nil, nil)
	a.Past = func(words map[string]bool, has func([]byte, string) bool) (map[string]bool, bool) {
		gone := map[string]bool{}
		for w := range words {
			if slices.ContainsFunc(past, func(line string) bool { return has([]byte(line), w) }) {
				gone[w] = true
			}
		}
		return gone, true
	}
	features, _ := a.Features()
	for _, f := range features {
		v, err := a.Judge(t.Context(), f, "")
		if err != nil {
			t.Fatal(err)
		}
		if presented(&v) {
			names = append(names, strings.TrimSuffix(v.Name+">"+v.Meant, ">"))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// A name in other cases of its letters than the program writes it is that name misspelt, wherever it
// stands: not one that code or an example has so, nor one whose first letter tells of another style.
func TestMiscased(t *testing.T) {
	files := map[string]string{
		"go.mod":     "module example.org/peck\n",
		"peck.go":    "package peck\n\n// Times as toUtcTime has them.\nfunc AddWatchFile() {}\n\nfunc ToUTCTime() {}\n\nfunc OpenAllFiles() { use(\"openAllFiles\") }\n",
		"README.md":  "# peck\n\nIt is of AddWatchfiles, and in prose of openAllFILES.\n\nCall `AddWatchfile`, `ToUtcTime()`, `addWatchFile` and `OpenAllfiles`.\n\n```go\npeck.AddWatchfile()\n```\n",
		"docs/a.md":  "# a\n\n```go\nfunc OpenAllfiles() {}\n```\n",
		"docs/x.mdx": "# x\n\n`AddWatchFile` is there.\n",
	}
	if got, want := reported(t, files), []string{"AddWatchfile>AddWatchFile", "ToUtcTime>ToUTCTime", "peck.AddWatchfile>AddWatchFile"}; !slices.Equal(got, want) {
		t.Errorf("%q are reported, want %q", got, want)
	}
}

// Of the names that an example uses those are reported that the code declared once; what is nearly a name of
// the code may be another's, what an example or a text of the code has is not reported, and a
// page that builds something of its reader's is looked at as any other.
func TestUsed(t *testing.T) {
	code := "#pragma once\nclass Environment {\npublic:\n  void set_comment(int a);\n  void set_expression(int a);\n};\n"
	for doc, want := range map[string]string{
		"```c++\nEnvironment env; set_expression();\nenv.set_comments(1);\n```\n":                              "",
		"```cpp\nset_expression();\nenv.formerThing(1);\n```\n":                                                "formerThing",
		"```cpp\nset_expression();\nenv.strangerThing(1); // formerThing\n```\n":                               "",
		"```cpp\nset_expression();\nputs(\"formerThing\");\n```\n":                                             "",
		"```cpp\nset_expression();\nvoid formerThing() {}\n```\n\n```cpp\nset_expression(formerThing);\n```\n": "",
		"```cpp\nother();\nenv.formerThing(1);\n```\n":                                                         "",            // nothing of it is the project's
		"```python\nset_expression();\nenv.formerThing(1)\n```\n":                                              "",            // another language
		"```\nset_expression();\nenv.formerThing(1);\n```\n":                                                   "formerThing", // the one language that there is
		"```\n$ set_expression\nenv.formerThing(1);\n```\n":                                                    "",
		"## Changelog\n\n```cpp\nset_expression();\nenv.formerThing(1);\n```\n":                                "",
	} {
		for _, page := range []string{"README.md", "docs/tutorial/start.md"} {
			got := reported(t, map[string]string{"inja.hpp": code, page: "# inja\n\nSo it is used:\n\n" + doc}, "void formerThing(int a);", "class formerThing {", "func strangerThings()")
			if strings.Join(got, " ") != want {
				t.Errorf("of %q in %s %q are reported, want %q", doc, page, got, want)
			}
		}
	}
}

// The first column of a table of settings is of settings, without backticks too.
func TestPlainSettings(t *testing.T) {
	files := map[string]string{
		"conf.go":   "package conf\n\nvar keys = []string{\"edit_mode\", \"skip_welcome\", \"history_size\", \"completion_type\"}\n",
		"README.md": "# conf\n\n| Setting | What it does |\n|---|---|\n| edit_mode | edits |\n| skip_welcome | skips |\n| history_size | bounds |\n| completion_mode | completes |\n",
	}
	if got, want := reported(t, files), []string{"completion_mode"}; !slices.Equal(got, want) {
		t.Errorf("%q are reported, want %q", got, want)
	}
}

// The end of a flag that the code puts behind what it knows is no part that is missing, nor is what
// libraries give each program; what an example defines for itself is its own.
func TestJoined(t *testing.T) {
	files := map[string]string{
		"go.mod":    "module example.org/peck\n",
		"main.go":   "package main\n\nfunc main() {\n\tflag(\"wobble\")\n\thelp := \"--\" + name + \"-help\"\n\tflag(\"keep-all\")\n\tflag(\"drop-all\", \"zz-\")\n}\n",
		"README.md": "# peck\n\n```\n$ peck --keep-all --drop-all --wobble-help --zz-keep-all --wobble-halt --fish-completion-script\n```\n",
	}
	if got, want := reported(t, files), []string{"--wobble-halt"}; !slices.Equal(got, want) {
		t.Errorf("%q are reported, want %q", got, want)
	}
	plug := map[string]string{
		"mix.exs":     "def project, do: [app: :peck]\n",
		"lib/peck.ex": "defmodule Peck do\n  def start_all(x), do: x\nend\n",
		"README.md":   "# peck\n\n```elixir\ndef init(x), do: {:ok, schedule_poll(start_all(x))}\n\ndefp schedule_poll(x), do: x\n```\n",
	}
	if got := reported(t, plug, "  def schedule_poll(x), do: x"); len(got) > 0 {
		t.Errorf("%q are reported of an example that defines it", got)
	}
}

// Beside a link to somebody else's place a name counts that the code declared once, or nearly declares
// now; and what it declared once is its own whatever else has it.
func TestBesideLinks(t *testing.T) {
	files := map[string]string{
		"peck.ts":            "export class GifImageDecoder {}\n",
		"package.json":       `{"name": "peck"}`,
		"README.md":          "# peck\n\nIt has `OldImageDecoder`, `GifImagDecoder` and `StrangeDecoder`, all by [decoders](https://example.org/decoders).\n\nThe `SiteDecoder` is one, too.\n",
		"docs/index.html":    "<html><body><p>It has GifImagDecoder.</p></body></html>\n",
		"website/decoder.js": "new SiteDecoder(StrangeDecoder)\n",
	}
	want := []string{"GifImagDecoder", "OldImageDecoder", "SiteDecoder"}
	if got := reported(t, files, "class OldImageDecoder {", "class SiteDecoder {"); !slices.Equal(got, want) {
		t.Errorf("%q are reported, want %q", got, want)
	}
}

// A member of one word that is no word and nearly one that the program declares is that one, of something of
// the project's or called in an example in its language: what other packages have is not near.
func TestMemberSlips(t *testing.T) {
	files := map[string]string{
		"setup.py":            "setup(name='tables')\n",
		"tables/__init__.py":  "",
		"tables/formats.py":   "def available():\n    pass\n\nclass Dataset:\n    def append(self, row):\n        pass\n    def export(self):\n        pass\n",
		"tables/highlight.py": "class HighlightTree:\n    pass\n",
	}
	english := map[string]bool{"available": true, "append": true, "export": true, "highlight": true, "expert": true, "tables": true, "upend": true}
	for doc, want := range map[string]string{
		"See `tables.formats.availeble`.\n":                           "availeble>available",
		"```python\ndata.adppend(row)\ndata.expert()\n```\n":          "adppend>append",
		"```yaml\nplugins:\n  - tables.highight:\n```\n":              "highight>highlight",
		"See `other.formats.availeble` and tables.availeble.com/x.\n": "",
		"```js\ndata.adppend(row)\n```\n":                             "",
		"```python\ndef adppend(): pass\n\ndata.adppend(row)\n```\n":  "",
	} {
		files["README.md"] = "# tables\n\n" + doc
		a := New(write(t, files), nil, nil)
		a.Words = func(w string) bool { return english[w] }
		features, _ := a.Features()
		var got []string
		for _, f := range features {
			if f.Meant != "" {
				got = append(got, last(chainOf(f.Name))+">"+f.Meant)
			}
		}
		if all := strings.Join(got, " "); all != want {
			t.Errorf("of %q %q is meant, want %q", doc, all, want)
		}
	}
}
