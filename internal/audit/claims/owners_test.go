package claims

import (
	"slices"
	"strings"
	"testing"
)

// What documents name is not reported where the document itself gives it another owner.
func TestOwners(t *testing.T) {
	files := map[string]string{
		"package.json": `{"name": "peck"}`,
		"src/peck.ts":  "export class PeckReader { readAll() {} readSome() {} }\nexport class PeckWriter { closePeck() {} }\nexport function openQueue(makeQueue) { return opts.maxDepth + opts.maxLength + opts.maxFiles }\nprogram.option('--once').option('--max-depth').option('--all-files')\nconst prefix = 'PECK_'\nconst cfg = { text_width: 1 }\nconst m = 'peck.server.requests'\n",
		"Peck.scheme":  "x",
	}
	flags := "Pass `--once`, `--max-depth` or `--all-files`.\n\n"
	for doc, want := range map[string]string{
		// With nothing that speaks against it, each is reported.
		"## The `PeckSeeker`\n":                                          "PeckSeeker",
		flags + "And pass `--zap`.\n":                                    "--zap",
		"Call `PeckReader.readMany()`:\n\n```ts\nconst other = 1\n```\n": "PeckReader.readMany",
		"Use these:\n\n- `PeckReader.readMany()`\n":                      "PeckReader.readMany",
		"### `openQueue(queueMaker)`\n\n| Option | |\n|---|---|\n| `maxDepth` | |\n| `maxLength` | |\n| `maxFiles` | |\n| `queueSize` | |\n": "queueSize",
		// A file of any kind; what an example declares; keys of a setting in each other.
		"It is in `Peck.scheme`.\n":                                                  "",
		"Set `PECK_BOOK__TEXT_WIDTH`.\n":                                             "",
		"## The `PeckSeeker`\n\n```kotlin\nfun Peck.peckSeeker(\n```\n":              "",
		"Call `PeckReader.readMany()`.\n\n```cpp\nstatic std::once readMany;\n```\n": "",
		// What was removed, or is not to be used.
		flags + "## Options\n\n### `--zap`\n\n:::note[Removed in v8]\nIt is gone.\n:::\n": "",
		"Avoid using the following:\n\n- `PeckReader.readMany()`\n":                       "",
		// The flag of another program, an anchor, an argument by its place.
		flags + "Run `mitmer` first, with `--zap`.\n":   "",
		flags + "See [`--once`](/running#--once--o).\n": "",
		"### `openQueue(queueMaker)`\n\n| Option | |\n|---|---|\n| `maxDepth` | |\n| `maxLength` | |\n| `maxFiles` | |\n| `queueMaker` | |\n": "",
		// Composed of what the code has; what every program has; of Node.js; for comparison.
		"Set `PECK_TEXT_WIDTH_MAX`, or `export PECK_MY_REPO_KEY=1`.\n":                 "PECK_TEXT_WIDTH_MAX",
		"Set `PECK_CFG_OPTS_PREFIX`.\n":                                                "",
		"## The `peck_server_requests`\n":                                              "",
		"## The `peckServerAnswers`\n":                                                 "peckServerAnswers",
		flags + "Pass `--quiet` too.\n":                                                "",
		flags + "Run it by node with `--experimental-things`.\n":                       "",
		"## For Moment users\n\n### The `PeckSeeker`\n":                                "",
		"It is in a separate [package](https://npmjs.com/x).\n\n## The `PeckSeeker`\n": "",
		"Call:\n\n```ts\ndest.PeckReader.shouldBeRead()\nPeckReader.readMany()\n```\n": "PeckReader.readMany",
		// What is said to please.
		"## Features\n\n- Build scalable RESTful things with Zargle\n": "",
		"- Improve Maintainability: make changes small\n":              "",
	} {
		all := map[string]string{"README.md": "# peck\n\n" + doc}
		for name, text := range files {
			all[name] = text
		}
		ghosts, _ := unsureOf(t, all)
		if got := strings.Join(ghosts, " "); got != want {
			t.Errorf("of %q\n%q is reported, want %q", doc, got, want)
		}
	}
}

// Of documents that are kept by version the newest counts.
func TestNewest(t *testing.T) {
	var docs []Source
	for _, p := range []string{"README.md", "docs/1.x/a.md", "docs/2.10/a.md", "docs/2.9/b.md", "docs/v1/only.md/x.md", "web/versioned_docs/version-3/a.md", "api/v1/a.md"} {
		docs = append(docs, Source{Path: p})
	}
	var got []string
	for _, s := range newest(docs) {
		got = append(got, s.Path)
	}
	if want := []string{"README.md", "docs/2.10/a.md", "api/v1/a.md"}; !slices.Equal(got, want) {
		t.Errorf("newest = %q, want %q", got, want)
	}
}
