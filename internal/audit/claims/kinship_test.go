package claims

import (
	"slices"
	"testing"
)

// A name that is almost one that the program declares, or that stands beside two like it, is the
// program's; what a comment of the code, an example or its reader has may be theirs.
func TestKinship(t *testing.T) {
	files := map[string]string{
		"package.json":       `{"name": "peck"}`,
		"src/peck.ts":        "export class PeckConnectionManager {}\nexport class SummaryOf {}\nexport function coEvery() {}\nexport function coVerify() {}\n// takes many remarkedNames\nexport function remarkedName() {}\n",
		"src/deep/reader.ts": "export const reader = 1\n",
		"lib/open.ts":        "export const open = 1\nconst usage = `\n  --no-case    folds\n  --old-style`\nprogram.option('--once-only').option('--max-depth').option('--all-files')\n",
	}
	for doc, want := range map[string][2]string{
		"It is a `PeckConnManager`.\n":                                       {"PeckConnManager", ""},
		"It takes an `ISummaryOf`.\n":                                        {"ISummaryOf", ""},
		"Use `coEvery`, `coVerify` or `coAssert`.\n":                         {"coAssert", ""},
		"# Peck 2\n\nUse `PeckConnManager`.\n\n# Peck 3\n\nIt is gone.\n":    {"", ""},
		"- `b73dc03`: Fold `PeckConnManager`\n":                              {"", ""},
		"These parts have been proposed. Use `PeckConnManager`.\n":           {"", ""},
		"## `PECK_COLOUR*`\n":                                                {"", ""},
		"Pass `--once-only`, `--max-depth`, `--all-files` or `--no-case`.\n": {"", ""},
		"It is in `src/reader.ts`.\n":                                        {"src/reader.ts", ""},
		"It is in `deep/reader.ts`.\n":                                       {"", ""},
		"Two programs have their own `coEverything()`.\n":                    {"", ""},
		"- the `coEveryting(x)` callback: it runs\n":                         {"", "coEveryting"},
		"- the kind (e.g. `@peck/x` is `PeckConnectionManagers`)\n":          {"", ""},
	} {
		files["README.md"] = "# Peck\n\n" + doc
		ghosts, unsure := unsureOf(t, files)
		if want[0] == "" && len(ghosts) > 0 || want[0] != "" && !slices.Contains(ghosts, want[0]) {
			t.Errorf("%q: ghosts %q, want %q (unsure %q)", doc, ghosts, want[0], unsure)
		}
		if want[1] != "" && !slices.Contains(unsure, want[1]) {
			t.Errorf("%q: unsure %q, want %q", doc, unsure, want[1])
		}
	}
}

// A story begins with who wants it: "as a whole, we can" is none.
func TestStories(t *testing.T) {
	for text, want := range map[string]bool{
		"As a user, I want to fold letters": true, "US-1: as an admin I can close": true,
		"what is of the stream as a whole, we can easily count": false,
	} {
		if asA.MatchString(text) != want {
			t.Errorf("asA of %q is %v", text, !want)
		}
	}
}

// What has no point behind it goes on: an abbreviation ends no sentence.
func TestSentences(t *testing.T) {
	if got := sentences("It is kept (e.g. `A` is one). Then it goes, i.e. Nothing. End."); len(got) != 3 {
		t.Errorf("sentences: %q", got)
	}
}
