package claims

import (
	"strings"
	"testing"
)

// What stands for any name is no name: of a function, a type, a flag, a variable or a key,
// alone, behind a module or a value, in prose or in an example.
func TestStandsForAny(t *testing.T) {
	for _, name := range []string{"queryXyz", "fooBar", "myFunction", "PeckReader.myMethod", "PeckReader::fooBar", "do_foo", "YOUR_TOKEN", "PECK_FOO", "--my-option", "functionA", "someMethod", "option1", "getQux", "Xyz", "/foo/items", "MyClass.new"} {
		if !standsForAny(name) {
			t.Errorf("%s is taken for a name", name)
		}
	}
	for _, name := range []string{"query", "statusBar", "toolbar", "PeckReader.readMany", "mysql_query", "MyersDiff.run", "--yield", "anyMatch", "Iterator.any", "someOf", "sha256", "PECK_HOME", "Progress.bar", "utf8", "footer", "bazaar", "typeX509", "vec2", "queryX"} {
		if standsForAny(name) {
			t.Errorf("%s is taken for a name that stands for any", name)
		}
	}
}

func TestPlaceholdersAreNoGhosts(t *testing.T) {
	code := map[string]string{
		"package.json": `{"name": "peck"}`,
		"src/peck.ts": "export class PeckReader { readAll() {} readSome() {} queryOne() {} queryAll() {} }\nexport function queryRows() {}\nexport function queryCells() {}\n" +
			"program.option('--once').option('--max-depth').option('--all-files')\nconst HOME = process.env.PECK_HOME\nconst DIR = process.env.PECK_DIR\n",
	}
	for doc, want := range map[string]string{
		"Then `queryXyz()` reads it.\n":                             "",
		"Call `PeckReader.queryXyz()` on it.\n":                     "",
		"Call `PeckReader.myFunction()` on it.\n":                   "",
		"```ts\nPeckReader.fooBar(3)\nPeckReader.yourCall()\n```\n": "",
		"Set `PECK_FOO` or `PECK_XYZ`.\n":                           "",
		"Pass `--once`, `--max-depth` or `--xyz-files`.\n":          "",
		"## `queryTables()`\n\nIt asks.\n":                          "queryTables",
		"Call `PeckReader.readMany()` on it.\n":                     "PeckReader.readMany",
		"Set `PECK_COLOUR`.\n":                                      "PECK_COLOUR",
	} {
		files := map[string]string{"README.md": "# peck\n\n" + doc}
		for name, text := range code {
			files[name] = text
		}
		ghosts, _ := unsureOf(t, files)
		if got := strings.Join(ghosts, " "); got != want {
			t.Errorf("of %q %q is reported, want %q", doc, got, want)
		}
	}
}

// Whoever writes down what changed, or how to move from what was, names what is gone on
// purpose: such documents make no ghosts, wherever they lie and whatever they are called.
func TestHistoryMakesNoGhosts(t *testing.T) {
	code := "package mail\n\n// PeckReader reads.\ntype PeckReader struct{}\n\nfunc (PeckReader) ReadAll() {}\n"
	text := "# Version 2\n\nIt was `PeckReader.readMany()`. Call `PeckReader.readMany()` on it.\n"
	for name, want := range map[string]string{
		"README.md":                       "PeckReader.readMany",
		"docs/reading.md":                 "PeckReader.readMany",
		"docs/changing-settings.md":       "PeckReader.readMany",
		"UPGRADING.md":                    "",
		"UPGRADE-2.0.md":                  "",
		"CONTRIBUTING.md":                 "",
		"CHANGELOG.md":                    "",
		"MIGRATION_GUIDE.md":              "",
		"docs/MIGRATING.md":               "",
		"docs/v2-migration.md":            "",
		"docs/v2_upgrading.md":            "",
		"docs/upgrading/v2.md":            "",
		"docs/migration-guides/v2.md":     "",
		"docs/breaking-changes.md":        "",
		"docs/BREAKING_CHANGES_IN_V2.md":  "",
		"docs/guides/migrating-from-1.md": "",
		"docs/from-v1-to-v2.md":           "",
		"docs/deprecations.md":            "",
		"docs/removed.md":                 "",
	} {
		ghosts, unsure := unsureOf(t, map[string]string{"mail.go": code, name: text})
		if got := strings.Join(append(ghosts, unsure...), " "); got != want {
			t.Errorf("of %s %q is reported, want %q", name, got, want)
		}
	}
}
