package vault

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
)

// What is edited is found as it says now and nothing else of it changes; what somebody else changed
// meanwhile, or what is not shown, is not written over.
func TestEdit(t *testing.T) {
	m := meant(t, nil)
	yes, no := true, false
	const old = "---\ntitle: Wombats\nsupersedes: b.md\n---\n\nA wombat digs.\n"
	write(t, m, "a.md", old)
	write(t, m, "b.md", "A quokka smiles.\n")
	write(t, m, "secret.md", "The door <private>opens at 4711</private> for all.\n")
	sync1(t, m)
	is := func(name, want string) {
		t.Helper()
		if b, _ := os.ReadFile(filepath.Join(m.cfg.Vault, name)); string(b) != want {
			t.Errorf("%s is %q, want %q", name, b, want)
		}
	}
	edit := func(c Change) Edited {
		t.Helper()
		e, err := m.Edit(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	if e := edit(Change{Path: "a.md", Pin: &yes}); !e.Changed || !e.Pinned {
		t.Errorf("%+v", e)
	}
	is("a.md", strings.Replace(old, "title:", "pinned: true\ntitle:", 1))
	if _, hits := hitsOf(t, m, Query{Text: "wombat digs", Mode: Words}); !hits["a.md"].Pinned {
		t.Errorf("not pinned: %+v", hits)
	}
	if e := edit(Change{Path: "a.md", Pin: &yes}); e.Changed {
		t.Error("pinned twice")
	}
	if e := edit(Change{Path: "a.md", Pin: &no}); !e.Changed || e.Pinned {
		t.Errorf("%+v", e)
	}
	is("a.md", old)
	edit(Change{Path: "b.md", Pin: &yes})
	is("b.md", "---\npinned: true\n---\n\nA quokka smiles.\n")
	edit(Change{Path: "secret.md", Pin: &yes})
	is("secret.md", "---\npinned: true\n---\n\nThe door <private>opens at 4711</private> for all.\n")

	said := strings.Replace(old, "digs", "burrows with ghp_16C7e42F292c6912E7710c838347Ae178B4a", 1)
	if e := edit(Change{Path: "a.md", Text: said, Was: strings.TrimRight(old, "\n")}); !e.Changed || e.Redacted != 1 {
		t.Errorf("%+v", e)
	}
	if b, _ := os.ReadFile(filepath.Join(m.cfg.Vault, "a.md")); !strings.Contains(string(b), "burrows") || strings.Contains(string(b), "ghp_16C7e42F292c6912E7710c838347Ae178B4a") || !strings.Contains(string(b), "supersedes: b.md") {
		t.Errorf("%s", b)
	}
	if _, hits := hitsOf(t, m, Query{Text: "burrows", Mode: Words}); hits["a.md"].Path == "" {
		t.Error("what it says now is not found")
	}
	for what, c := range map[string]struct {
		Change
		kind fault.Kind
	}{
		"changed meanwhile": {Change{Path: "a.md", Text: "x y z\n", Was: old}, fault.Stale},
		"private":           {Change{Path: "secret.md", Text: "The door is open.\n"}, fault.Usage},
		"empty":             {Change{Path: "a.md", Text: "---\ntitle: x\n---\n\n"}, fault.Usage},
		"too long":          {Change{Path: "a.md", Text: strings.Repeat("word ", maxContent)}, fault.Usage},
		"no note":           {Change{Path: "none.md", Text: "x"}, fault.NotFound},
		"outside":           {Change{Path: "../x.md", Text: "x"}, fault.Usage},
	} {
		before, _ := os.ReadFile(filepath.Join(m.cfg.Vault, c.Path))
		if _, err := m.Edit(t.Context(), c.Change); err == nil || fault.KindOf(err) != c.kind {
			t.Errorf("%s: %v", what, err)
		}
		if after, _ := os.ReadFile(filepath.Join(m.cfg.Vault, c.Path)); string(after) != string(before) {
			t.Errorf("%s: %q became %q", what, before, after)
		}
	}
}
