package audit

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
)

// misnamed is a project whose README has a link to a file that lies elsewhere, an anchor in another form, a misspelled name and a link
// whose file nobody knows.
func misnamed() map[string]string {
	return map[string]string{
		"README.md":     "# Mail\r\n\r\nSee the [guide](guide.md#first-steps), [steps](#run-it-) and [more](none.md).\r\n\r\n## Run it?\r\n\r\nCall `DeliverMesage` or `myDeliverMesage`.\r\n",
		"docs/guide.md": "# Guide\n\n## First steps\n\nText.\n",
		"fly/f.go":      "package fly\n\n// DeliverMessage flies.\nfunc DeliverMessage() {}\n",
	}
}

const corrected = "# Mail\r\n\r\nSee the [guide](docs/guide.md#first-steps), [steps](#run-it) and [more](none.md).\r\n\r\n## Run it?\r\n\r\nCall `DeliverMessage` or `myDeliverMesage`.\r\n"

func TestFix(t *testing.T) {
	yes := func(_ context.Context, text, question string) (bool, error) {
		if !strings.Contains(text, "+ See the [guide](docs/guide.md#first-steps)") || question != "Write 3 corrections?" {
			t.Errorf("asked %q about\n%s", question, text)
		}
		return true, nil
	}
	no := func(context.Context, string, string) (bool, error) { return false, nil }
	tests := []struct {
		name    string
		in      FixInput
		confirm func(context.Context, string, string) (bool, error)
		written bool
		says    string
	}{
		{"without a terminal nothing is written", FixInput{}, nil, false, "nothing was written: add --yes to write the corrections"},
		{"a dry run writes nothing", FixInput{DryRun: true}, yes, false, "nothing was written: this is a dry run"},
		{"the answer is no", FixInput{}, no, false, "nothing was written"},
		{"the answer is yes", FixInput{}, yes, true, "3 corrections written to 1 document; 1 finding without a sure correction"},
		{"the call says that it may", FixInput{Yes: true}, no, true, "3 corrections written to 1 document; 1 finding without a sure correction"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := misnamed()
			root, f := project(t, files)
			f.cfg.Confirm = tt.confirm
			got, err := f.Fix(t.Context(), tt.in)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := got.WriteText(&b, false); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(b.String(), tt.says) || len(got.Edits) != 3 {
				t.Errorf("%d edits, and the answer is\n%s\nwant in it %q", len(got.Edits), b.String(), tt.says)
			}
			want := files["README.md"]
			if tt.written {
				want = corrected
			}
			if text, _ := os.ReadFile(filepath.Join(root, "README.md")); string(text) != want {
				t.Errorf("the document is\n%s\nwant\n%s", text, want)
			}
		})
	}
}

// A line that changes while the person is asked stays, and is not said to be corrected.
func TestFixChanged(t *testing.T) {
	tests := []struct {
		name, now, want, says string
	}{
		{"one line", strings.Replace(misnamed()["README.md"], "See the", "See a", 1), "See a [guide](guide.md#first-steps), [steps](#run-it-) and [more](none.md).\r\n\r\n## Run it?\r\n\r\nCall `DeliverMessage` or", "1 correction written to 1 document; 3 findings without"},
		{"all", "# Mail\n", "# Mail\n", "0 corrections; 4 findings without"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root, f := project(t, misnamed())
			readme := filepath.Join(root, "README.md")
			f.cfg.Confirm = func(context.Context, string, string) (bool, error) {
				return true, os.WriteFile(readme, []byte(tt.now), 0o600)
			}
			got, err := f.Fix(t.Context(), FixInput{})
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := got.WriteText(&b, false); err != nil {
				t.Fatal(err)
			}
			if text, _ := os.ReadFile(readme); !strings.Contains(string(text), tt.want) || !strings.HasPrefix(b.String(), tt.says) {
				t.Errorf("the document is\n%s\nwant in it\n%s\nand the answer is\n%s", text, tt.want, b.String())
			}
		})
	}
}

func TestFixOfTwoMinds(t *testing.T) {
	_, f := project(t, misnamed())
	if _, err := f.Fix(t.Context(), FixInput{DryRun: true, Yes: true}); fault.KindOf(err) != fault.Usage {
		t.Errorf("--dry-run --yes = %v", err)
	}
}

// A document is not written through a link that leads out of its project.
func TestFixPlantedLink(t *testing.T) {
	files := misnamed()
	root, f := project(t, files)
	outside := filepath.Join(t.TempDir(), "victim.md")
	if err := os.WriteFile(outside, []byte(files["README.md"]), 0o600); err != nil {
		t.Fatal(err)
	}
	readme := filepath.Join(root, "README.md")
	if err := os.Remove(readme); err != nil {
		t.Fatal(err)
	}
	if os.Symlink(outside, readme) != nil {
		return // a system without links cannot be attacked by one
	}
	_, err := f.Fix(t.Context(), FixInput{Yes: true})
	if text, _ := os.ReadFile(outside); string(text) != files["README.md"] {
		t.Errorf("the file outside was written: %s (%v)", text, err)
	}
}

// A link to a file that a commit renamed leads to its new name.
func TestFixRenamed(t *testing.T) {
	root, f := project(t, map[string]string{"README.md": "# T\n\n[a](old-name.md#x) `f` is code.\n", "old-name.md": "# One\n\n## X\n\n" + strings.Repeat("The text of the page.\n", 20), "f.go": "package f\n\nfunc F() {}\n"})
	for _, step := range []string{"init -q", "add -A", "commit -qm one", "mv old-name.md entirely.md", "commit -qm two"} {
		cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com", "-C", root}, strings.Fields(step)...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", step, err, out)
		}
	}
	got, err := f.Fix(t.Context(), FixInput{Yes: true})
	if err != nil || got.Written != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	if text, _ := os.ReadFile(filepath.Join(root, "README.md")); !strings.Contains(string(text), "[a](entirely.md#x)") {
		t.Errorf("the document is %s", text)
	}
}

func TestReplaceName(t *testing.T) {
	tests := []struct{ name, line, old, fix, want string }{
		{"each whole one", "`Rune` and `Rune`", "Rune", "Rule", "`Rule` and `Rule`"},
		{"no part of another", "`RuneBase`, `aRune`, `Rune_x`, Rune", "Rune", "Rule", "`RuneBase`, `aRune`, `Rune_x`, Rule"},
		{"a flag", "`--dry-rum`, `--dry-rummy`", "--dry-rum", "--dry-run", "`--dry-run`, `--dry-rummy`"},
		{"beside itself", "RuneRune", "Rune", "Rule", "RuneRune"},
		{"no address, and no file", "`Rune`, https://x.org/Rune, docs/Rune.md, [Rune](Rune.md)", "Rune", "Rule", "`Rule`, https://x.org/Rune, docs/Rune.md, [Rule](Rune.md)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := replaceName(tt.line, tt.old, tt.fix, false); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestReplaceTarget(t *testing.T) {
	tests := []struct{ name, line, old, fix, want string }{
		{"an anchor", "[a](#x-) [b](#x-y) [c](d.md#x-)", "#x-", "#x", "[a](#x) [b](#x-y) [c](d.md#x-)"},
		{"no other link", "[a](a.md) [b](b/a.md) [c](a.md#c) <https://x.org/a.md>", "a.md", "d/a.md", "[a](d/a.md) [b](b/a.md) [c](a.md#c) <https://x.org/a.md>"},
		{"no text", "[a.md](a.md), `a.md`, \"a.md\", a.md: a.md", "a.md", "d/a.md", "[a.md](d/a.md), `a.md`, \"a.md\", a.md: a.md"},
		{"no address that begins so", "[a](a.md?q) [b](a.md/b) [c](a.md)", "a.md", "d/a.md", "[a](a.md?q) [b](a.md/b) [c](d/a.md)"},
		{"with a title, and in brackets", "[a]( a.md \"T\") [b](<a.md>) [![c](a.md)](a.md)", "a.md", "d", "[a]( d \"T\") [b](<d>) [![c](d)](d)"},
		{"of HTML", "<img alt='a.md' src = \"a.md\"> <a href='a.md'>a.md</a>", "a.md", "d", "<img alt='d' src = \"d\"> <a href='d'>a.md</a>"},
		{"of a reference", "[a.md]: a.md \"T\"", "a.md", "d", "[a.md]: d \"T\""},
		{"of reStructuredText", ":doc:`a` `a <a>`_ a", "a", "d", ":doc:`d` `a <d>`_ a"},
		{"of a directive", ".. image:: a.png", "a.png", "d.png", ".. image:: d.png"},
		{"of a named target", ".. _a.md: a.md", "a.md", "d.md", ".. _a.md: d.md"},
		{"of a table of contents", "   a", "a", "d", "   d"},
		{"of AsciiDoc", "link:a.adoc[a.adoc] <<a.adoc,a.adoc>> a.adoc", "a.adoc", "d", "link:d[a.adoc] <<d,a.adoc>> a.adoc"},
		{"of MyST and of wikis", "{doc}`a` [[a]] [[a|a]] a", "a", "d", "{doc}`d` [[d]] [[d|a]] a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := replaceName(tt.line, tt.old, tt.fix, true); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
