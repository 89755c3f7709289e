package claims

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// ghostsOf returns what is no word of the code, by the name or the text that it is about.
func ghostsOf(t *testing.T, files map[string]string) []string {
	t.Helper()
	a := New(write(t, files), nil, nil)
	features, _ := a.Features()
	var out []string
	for _, f := range features {
		v, err := a.Judge(t.Context(), f, "")
		if err != nil {
			t.Fatal(err)
		}
		if v.Class == Found {
			continue
		}
		if v.Name == "" {
			v.Name = v.Text
		}
		out = append(out, v.Place.String()+" "+v.Name)
	}
	slices.Sort(out)
	return out
}

// Every name that a document writes is a claim of its own, wherever it is written.
func TestNames(t *testing.T) {
	const rust = `#[derive(Parser)]
#[command(name = "peck")]
struct Opts {
    #[arg(long)]
    once: bool,
    #[arg(long = "max-depth")]
    depth: usize,
}
const PREFIX: &str = "PECK_";
fn only_here() { env(PREFIX, "threads", format!("PECK_{}_HOME", x)); }
`
	code := map[string]string{"Cargo.toml": "[package]\nname = \"peck\"\n\n[dependencies]\nserde = \"1\"\n", "src/main.rs": rust, "src/list.rs": "pub struct Walker { pub max_files: u32 }\nimpl Walker { pub fn walk_all(&self) {} }\n", "src/inner/mod.rs": "pub struct WalkInner;\n"}
	for doc, want := range map[string]string{
		// Sentences, rows, headings, lists and blocks of code.
		"Pass `--once` to stop, or `--recurse-deep` to go on.\n":                                           "README.md:3 --recurse-deep",
		"Pass --max-depth 3\nor --min-depth 2 to bound it.\n":                                              "README.md:4 --min-depth",
		"| Option | What |\n|---|---|\n| `max_files` | bound |\n| `max_bytes` | bound |\n":                 "README.md:6 max_bytes",
		"## Options\n\n### max_bytes\n\nThe bound.\n":                                                      "README.md:5 max_bytes",
		"- [x] `Walker.walk_none()` does nothing\n":                                                        "README.md:3 Walker.walk_none",
		"```sh\n$ PECK_THREADS=3 peck --once\n$ PECK_COLOURS=3 peck --max-depth 3 --sorted-by name\n```\n": "README.md:5 --sorted-by\nREADME.md:5 PECK_COLOURS",
		"```toml\nmax-depth = 3\nmax_files = 3\nmax_bytes = 4\n```\n":                                      "README.md:6 max_bytes",
		"```rust\nlet w = Walker::default();\nw.walk_all();\nWalker::walk_some(3);\n```\n":                 "README.md:6 Walker.walk_some",
		"Set `PECK_THREADS` or `PECK_FOO_HOME`.\n":                                                         "",
		"See `src/list.rs` and `src/gone.rs`.\n":                                                           "README.md:3 src/gone.rs",
		"Look into `src/inner.WalkInner` and `src/inner.WalkOuter`.\n":                                     "README.md:3 src/inner.WalkOuter",
		"A field or a string is a flag, a word of the code is none: `--once`, `--threads`, `--format`.\n":  "README.md:3 --format",
		// Of others, of what is gone, of what is shown.
		"Pipe it into `grep --line-buffered`.\n":                                    "",
		"The flag `--walk-back` was removed in 2.0.\n":                              "",
		"## Migrating from 1.x\n\nUse `--walk-back`.\n":                             "",
		"Run `docker run --network-alias x`.\n":                                     "",
		"`MyWalker` is declared by you, and `serde_json::from_str()` is serde's.\n": "",
		"```rust\nstruct CountingWalker;\n```\n\n`CountingWalker` counts.\n":        "",
		"[`WalkDir`](https://docs.rs/walkdir) walks.\n":                             "",
	} {
		files := map[string]string{"README.md": "# peck\n\n" + doc}
		for name, text := range code {
			files[name] = text
		}
		if got := strings.Join(ghostsOf(t, files), "\n"); got != want {
			t.Errorf("of %q\n%s\nis reported, want\n%s", doc, got, want)
		}
	}
}

// What goes with a program is no evidence of it, and what is translated is compared in
// its names alone.
func TestNoEvidence(t *testing.T) {
	got := ghostsOf(t, map[string]string{
		"mail.go":             goCode + "\nvar Limit = env(\"MAIL_LIMIT\")\n",
		"docs/conf.py":        "mail_quota_bytes = 3\n",
		"completions/mail.sh": "complete --quota-bytes\n",
		"website/app.js":      "const quotaBytes = 3\n",
		"README.md":           "# mail\n\nSet `MAIL_LIMIT`, or `quota_bytes`.\n",
		"README.zh-CN.md":     "# mail\n\n设置 `MAIL_LIMIT` 或 `MAIL_QUOTA`。 `其他` 功能支持归档。\n\n- 支持 `some_other_name` 的归档\n",
	})
	if want := []string{"README.md:3 quota_bytes", "README.zh-CN.md:3 MAIL_QUOTA"}; !slices.Equal(got, want) {
		t.Errorf("%q is reported, want %q", got, want)
	}
}

// A statement stands or falls by the words that tell it, whatever its others are.
func TestTelling(t *testing.T) {
	for doc, want := range map[string]string{
		"Messages are archived and delivered over SMTP.\n":                "",
		"Messages are archived and delivered over AMQP.\n":                "README.md:3 Messages are archived and delivered over AMQP",
		"Messages of the archive folder are mirrored to Elasticsearch.\n": "README.md:3 Messages of the archive folder are mirrored to Elasticsearch",
		"Messages are delivered on macOS, Windows and Linux.\n":           "",
		"We recommend RabbitMQ, which delivers messages too.\n":           "",
		"Unlike Postfix, messages are delivered at once.\n":               "",
		"## Roadmap\n\nMessages are delivered over AMQP.\n":               "",
		"A desktop notification is shown.\n":                              "README.md:3 A desktop notification is shown",
		"Telepathy is used.\n":                                            "",
	} {
		got := strings.Join(ghostsOf(t, map[string]string{"mail.go": goCode, "README.md": "# mail\n\n" + doc}), "\n")
		if got != want {
			t.Errorf("of %q\n%s\nis reported, want\n%s", doc, got, want)
		}
	}
}

// A name that may be in source that could not be read is no confirmed ghost.
func TestNameUnread(t *testing.T) {
	tree := write(t, map[string]string{"mail.go": goCode, "README.md": "# mail\n\nPass `MAIL_QUOTA`.\n"})
	tree.Unread = []string{"large.go"}
	a := New(tree, nil, nil)
	v, err := a.Judge(t.Context(), Feature{Kind: Name, Name: "MAIL_QUOTA", Sort: variableName, Text: "Pass `MAIL_QUOTA`"}, "")
	if err != nil || v.Class != Ambiguous || v.Unread != 1 {
		t.Errorf("%+v, %v; want %s with one unread file", v, err, Ambiguous)
	}
}

// Prefixes are found on every line that has one, in any case, and the last without an end.
func TestPrefixes(t *testing.T) {
	k := &known{prefixes: map[string]bool{}, composes: map[string]bool{}}
	k.takePrefixes("x\nENV_PREFIX = \"ONE_\"\nmax = 1; envPreFix: 'TWO'\nnamePrefix := \"THREE_\"\nprefix \"FOUR\"")
	for _, name := range []string{"ONE_", "TWO", "THREE", "FOUR"} {
		if !k.prefixes[fold2(name)] {
			t.Errorf("%s is no prefix: %v", name, k.prefixes)
		}
	}
	if len(k.composes) != 2 {
		t.Errorf("%v are composed of, want two", k.composes)
	}
}

// Endpoints are the program's where the code has the paths of others that are documented, not where
// their words stand somewhere.
func TestEndpointsOfAService(t *testing.T) {
	doc := "# Peck\n\n## API\n\n- `GET /api/v2/boxes`\n- `GET /api/v2/lids`\n- `GET /api/v2/walruses`\n"
	for code, ghost := range map[string]bool{
		"app.get('/api/v2/boxes', a)\napp.get('/api/v2/lids', b)\n": true,
		"const api = v2(); api.boxes(); api.lids()\n":               false,
	} {
		ghosts, _ := unsureOf(t, map[string]string{"package.json": `{"name": "peck"}`, "src/peck.js": code, "README.md": doc})
		if got := len(ghosts) > 0; got != ghost {
			t.Errorf("%s: ghosts %q, want some: %v", code, ghosts, ghost)
		}
	}
}

// What is in quotes of three words and more with dots or hyphens between is as the pattern says.
func TestDottedTexts(t *testing.T) {
	re := regexp.MustCompile(`["'` + "`" + `]([a-z][a-z0-9]*(?:[.-][a-z][a-z0-9]*){2,})["'` + "`" + `]`)
	for _, s := range []string{`"a.b.c" 'a.b' "a.b." "a..b.c" "A.b.c" "a1-b2.c3"`, `"a.b.c"d.e.f"g.h.i"`, "`x.y.z", `""a.b.c""`, `"a.b.c-"`, `"a.b.c`, `'a.b.c"`, `"1.b.c" "a.1.c"`} {
		var got, want []string
		dottedTexts([]byte(s), func(b []byte) { got = append(got, string(b)) })
		for _, m := range re.FindAllStringSubmatch(s, -1) {
			want = append(want, m[1])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", s, got, want)
		}
	}
}

// A file that lies deeper than a document says is not where it is said to be; one of a name that files
// of any project have may be the reader's.
func TestMovedFiles(t *testing.T) {
	files := map[string]string{"Cargo.toml": "[package]\nname = \"peck\"\n", "src/bin/peck/main.rs": "fn main() {}\n", "src/peck/beak.rs": "pub fn open() {}\n"}
	for doc, ghost := range map[string]bool{"# Peck\n\nThe beak is in `src/beak.rs`.\n": true, "# Peck\n\nThe executable is `src/main.rs`.\n": false} {
		files["README.md"] = doc
		ghosts, _ := unsureOf(t, files)
		if got := len(ghosts) > 0; got != ghost {
			t.Errorf("%s: ghosts %q, want some: %v", doc, ghosts, ghost)
		}
	}
}

// A name of a statement of many is judged by what stands around it: this many times the whole would not end.
func TestManyNamesOfAStatement(t *testing.T) {
	var all strings.Builder
	const many = 300
	for i := range many {
		fmt.Fprintf(&all, "é `load_mai%d` ", i)
	}
	a := New(write(t, map[string]string{"a.py": "def load_mail(path):\n    return path\n", "pyproject.toml": "[project]\nname = \"shop\"\n", "README.md": "# shop\n\n" + all.String() + "\n\n```sh\n$ shop " + strings.ReplaceAll(strings.ReplaceAll(all.String(), "`", ""), "load_mai", "--load-mai") + "\n```\n"}), nil, nil)
	features, _ := a.Features()
	named := 0
	for _, f := range features {
		if len(f.Text) > 3*nearby && f.Kind == Name || !utf8.ValidString(f.Text) || !strings.Contains(f.Text, f.Name) {
			t.Fatalf("%s is judged by %d bytes: %.100q", f.Name, len(f.Text), f.Text)
		}
		if f.Name != "" {
			named++
		}
	}
	if named < many {
		t.Errorf("%d names, want %d and more", named, many)
	}
}
