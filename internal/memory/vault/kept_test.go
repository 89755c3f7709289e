package vault

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/memory/transcript"
)

// What decides in a query decides what is removed: a note that lacks it stays.
func TestForgetEveryWord(t *testing.T) {
	m := fresh(t, nil)
	ctx := context.Background()
	rule := keep(t, m, Note{Content: "Never deploy on Friday."})
	keep(t, m, Note{Content: "Friday: deploy the docs, then tell the others."})
	g, err := m.Forget(ctx, Forgetting{Query: "never deploy on friday", DryRun: true})
	if err != nil || !slices.Equal(g.Notes, []string{rule.Path}) {
		t.Errorf("%+v %v", g, err)
	}
	for _, query := range []string{"never deployed on friday", strings.Repeat("never deploy on friday and say so ", 20)} {
		if _, err := m.Forget(ctx, Forgetting{Query: query, DryRun: true}); kind(err) != fault.NotFound {
			t.Errorf("%q: %v, want that no note has all words", query, err)
		}
	}
}

// A database that was moved aside has the texts of all notes.
func TestForgetMovedAside(t *testing.T) {
	m := fresh(t, nil)
	s := keep(t, m, Note{Content: "The xylophone stands in the cellar."})
	aside := m.cfg.DB + ofDamaged + "20200101T000000Z"
	for _, name := range []string{aside, aside + "-wal"} {
		if err := os.WriteFile(name, []byte("The xylophone stands in the cellar."), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := m.Forget(context.Background(), Forgetting{Path: s.Path}); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Dir(m.cfg.DB))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Type().IsRegular() {
			if b, err := os.ReadFile(filepath.Join(filepath.Dir(m.cfg.DB), e.Name())); err != nil || strings.Contains(string(b), "xylophone") {
				t.Errorf("%s has what was forgotten (%v)", e.Name(), err)
			}
		}
	}
}

// Who reads the index for long keeps old pages in its file: that is not said to be gone.
func TestForgetWhileRead(t *testing.T) {
	m := fresh(t, nil)
	s := keep(t, m, Note{Content: "The xylophone stands in the cellar."})
	ctx := context.Background()
	err := m.readIndex(ctx, func(tx *sql.Tx) error {
		var n int
		if err := tx.QueryRow("SELECT count(*) FROM files").Scan(&n); err != nil {
			return err
		}
		_, err := m.Forget(ctx, Forgetting{Path: s.Path})
		return err
	})
	if kind(err) != fault.Unavailable {
		t.Errorf("%v", err)
	}
}

// An editor that saves a note has it away for a moment.
func TestExchangeBackAgain(t *testing.T) {
	m := fresh(t, nil)
	write(t, m, "a.md", "one\n")
	root, err := safe.OpenRoot(m.cfg.Vault)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	x := &exchanging{m: m, root: root, ours: map[string]ours{}} // it was not there when the vault was listed
	if _, err := x.content("a.md"); err == nil {
		t.Error("a note that is there is removed at the remote")
	}
	remove(t, m, "a.md")
	write(t, m, "work", "a file where a folder was\n")
	for _, name := range []string{"a.md", "gone/b.md", "work/c.md"} {
		if c, err := x.content(name); err != nil || !c.Deleted {
			t.Errorf("%s: %+v %v", name, c, err)
		}
	}
}

// Others would have a note with signs of what is missing, and a name that tells a secret.
func TestExchangeUnfit(t *testing.T) {
	m := fresh(t, nil)
	write(t, m, "latin.md", "Schl\xfcssel\n")
	write(t, m, "ghp_"+"x7Kq9ZtB2mLp4RsW8vYc1NdF6hJg3TaE5uQo.md", "a token\n")
	write(t, m, "good.md", "Schlüssel\n")
	if out := swap(t, m, remoteFor(t)); out.Sent != 1 || out.Skipped["is not in UTF-8"] != 1 || out.Skipped["has a secret in its name"] != 1 {
		t.Errorf("%+v", out)
	}
}

// A copy of a conflict that somebody has worked on is not taken for the copy of the next one.
func TestConflictCopyEdited(t *testing.T) {
	m := fresh(t, nil)
	write(t, m, "a.md", "ours\n")
	root, err := safe.OpenRoot(m.cfg.Vault)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	x := &exchanging{m: m, root: root, ours: map[string]ours{}}
	for range 2 { // stopped in between, the second makes no other copy
		if err := x.copy("a.md"); err != nil {
			t.Fatal(err)
		}
	}
	first := x.out.Conflicts[0].Copy
	if x.out.Conflicts[1].Copy != first {
		t.Errorf("%+v", x.out.Conflicts)
	}
	write(t, m, first, "worked on\n")
	if err := x.copy("a.md"); err != nil {
		t.Fatal(err)
	}
	notes := readNotes(t, m)
	if again := x.out.Conflicts[2].Copy; again == first || notes[first] != "worked on\n" || !strings.HasSuffix(notes[again], "ours\n") {
		t.Errorf("%+v %q", x.out.Conflicts, notes)
	}
}

// What a note has that is no UTF-8 is shown as signs, which an edit of what is shown must not write.
func TestEditForeign(t *testing.T) {
	m := fresh(t, nil)
	ctx := context.Background()
	const latin = "# Schl\xfcssel\n\nf\xfcr alle\n"
	write(t, m, "latin.md", latin)
	write(t, m, "wide.md", "\xff\xfeO\x00n\x00e\x00\n\x00")
	sync1(t, m)
	for _, name := range []string{"latin.md", "wide.md"} {
		if _, err := m.Edit(ctx, Change{Path: name, Text: "something else\n"}); kind(err) != fault.Usage {
			t.Errorf("%s: %v", name, err)
		}
	}
	if readNotes(t, m)["latin.md"] != latin {
		t.Error("the note was changed")
	}
	yes := true
	if e, err := m.Edit(ctx, Change{Path: "latin.md", Pin: &yes}); err != nil || !e.Pinned || !strings.HasSuffix(readNotes(t, m)["latin.md"], latin) {
		t.Errorf("pinned: %+v %v %q", e, err, readNotes(t, m)["latin.md"])
	}
}

// The index may be behind: what it says is the digest of a session may be another file's place by now.
func TestCaptureOfAnother(t *testing.T) {
	one, two := talk("claude", "s1", "Wombats", "Tell me of wombats.", "They dig."), talk("claude", "s2", "Badgers", "Tell me of badgers.", "They dig too.")
	m := fresh(t, func(c *Config) {
		c.Sources = []transcript.Source{&fake{agent: "claude", sessions: []*transcript.Session{one, two}}}
	})
	ctx := context.Background()
	first, err := m.Capture(ctx, "claude", "s1")
	if err != nil {
		t.Fatal(err)
	}
	second, err := m.Capture(ctx, "claude", "s2")
	if err != nil {
		t.Fatal(err)
	}
	// By git, as two machines that gave one name to two sessions are merged.
	if err := os.Rename(filepath.Join(m.cfg.Vault, second.Path), filepath.Join(m.cfg.Vault, first.Path)); err != nil {
		t.Fatal(err)
	}
	theirs := readNotes(t, m)[first.Path]
	one.Turns = append(one.Turns, transcript.Turn{Role: transcript.User, Text: "And of moles."}, transcript.Turn{Role: transcript.Assistant, Text: "They dig most."})
	c, err := m.Capture(ctx, "claude", "s1")
	if err != nil || c.State != "new" || c.Path == first.Path || readNotes(t, m)[first.Path] != theirs {
		t.Errorf("%+v %v", c, err)
	}
}

// Two indexes of one vault have two locks, and an editor has none: what somebody has written since a file was read
// stays, and what is added to the list of what is forgotten is added to what it says by then.
func TestWrittenMeanwhile(t *testing.T) {
	m := fresh(t, nil)
	write(t, m, "a.md", "theirs\n")
	root, err := safe.OpenRoot(m.cfg.Vault)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, was := range []string{"as it was read\n", ""} {
		if err := replace(root, "a.md", []byte(was), []byte("ours\n")); !errors.Is(err, errMeanwhile) || readNotes(t, m)["a.md"] != "theirs\n" {
			t.Errorf("%v, %q", err, readNotes(t, m)["a.md"])
		}
	}
	for _, name := range []string{"one", "two"} {
		if err := m.remember(root, []string{"session:claude/" + name}); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := root.ReadFile(forgottenFile, 1<<20)
	if have := forgottenOf(raw); err != nil || !have["claude/one"] || !have["claude/two"] {
		t.Errorf("%v, %v", have, err)
	}
}
