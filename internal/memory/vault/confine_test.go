package vault

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// No path leads out of the vault.
func TestConfined(t *testing.T) {
	m := fresh(t, nil)
	write(t, m, "notes/a.md", "line one\nline two\nline three\n")
	outside := filepath.Join(filepath.Dir(m.cfg.Vault), "secret.md")
	if err := os.WriteFile(outside, []byte("secret otter"), 0o600); err != nil {
		t.Fatal(err)
	}
	twin := m.cfg.Vault + "-twin"
	if err := os.MkdirAll(twin, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(twin, "a.md"), []byte("secret otter"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"link.md": outside, "notes/up.md": "../../secret.md", "folder": filepath.Dir(outside), "abs": "/"} {
		if err := os.Symlink(to, filepath.Join(m.cfg.Vault, filepath.FromSlash(name))); err != nil {
			t.Skip("no symbolic links here")
		}
	}
	ctx := context.Background()
	for _, bad := range []string{
		"../secret.md", "notes/../../secret.md", "/etc/passwd", outside, "link.md", "notes/up.md", "folder/secret.md", "abs/etc/passwd",
		filepath.Join(twin, "a.md"), "..", ".", "", "notes", "notes/a.md/..", "a.md\x00", "notes\\..\\..\\secret.md", "./../secret.md", "..%2fsecret.md",
	} {
		if x, err := m.Get(ctx, bad, 0, 0); err == nil {
			t.Errorf("Get(%q) = %+v", bad, x)
		}
		if _, err := m.Forget(ctx, Forgetting{Path: bad}); err == nil {
			t.Errorf("Forget(%q) was done", bad)
		}
		if _, err := m.Store(ctx, Note{Content: "x y z", Supersedes: bad}); bad != "" && err == nil {
			t.Errorf("superseding %q was done", bad)
		}
	}
	if _, err := os.Stat(outside); err != nil {
		t.Error(err)
	}
	sync1(t, m)
	if got := paths(t, m, Query{Text: "secret otter", Mode: Words}); len(got) != 0 {
		t.Errorf("what lies outside is found: %v", got)
	}
	for _, good := range []string{"notes/a.md", "./notes/a.md", filepath.Join(m.cfg.Vault, "notes", "a.md")} {
		if x, err := m.Get(ctx, good, 2, 3); err != nil || x.Text != "line two\nline three" || x.Path != "notes/a.md" || x.Total != 3 {
			t.Errorf("Get(%q) = %+v %v", good, x, err)
		}
	}
	if s := keep(t, m, Note{Title: "../../../etc/cron.d/evil", Content: "x y z w"}); !strings.HasPrefix(s.Path, "other/etc-cron-d-evil-") {
		t.Errorf("%+v", s)
	}
	for _, span := range [][2]int{{-1, 0}, {3, 2}, {9, 0}} {
		if _, err := m.Get(ctx, "notes/a.md", span[0], span[1]); err == nil {
			t.Errorf("lines %v were given", span)
		}
	}
}

// A secret in a note of the user is neither found nor shown.
func TestSecretsAreNotIndexed(t *testing.T) {
	m := fresh(t, nil)
	write(t, m, "a.md", "# Access\n\nThe API key is 7c4a8d09ca3762af61e5 and <private>the badger</private> too.\n")
	sync1(t, m)
	for _, q := range []string{"7c4a8d09ca3762af61e5", "badger"} {
		if got := paths(t, m, Query{Text: q, Mode: Words}); len(got) != 0 {
			t.Errorf("%q is found: %v", q, got)
		}
	}
	x, err := m.Get(context.Background(), "a.md", 0, 0)
	if err != nil || strings.Contains(x.Text, "7c4a8d") || strings.Contains(x.Text, "badger") {
		t.Errorf("%q %v", x.Text, err)
	}
	m.Close()
	files, _ := filepath.Glob(m.cfg.DB + "*")
	for _, f := range files {
		if b, err := os.ReadFile(f); err == nil && (strings.Contains(string(b), "7c4a8d09") || strings.Contains(string(b), "badger")) {
			t.Errorf("%s holds it", f)
		}
	}
}
