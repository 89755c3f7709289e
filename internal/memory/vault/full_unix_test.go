//go:build unix

package vault

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

var _ = also("full", childFull)

// childFull asks a memory all that can be asked of it where no file can be written,
// as on a full disk.
func childFull(args []string) error {
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 0, Max: 0}); err != nil {
		return err
	}
	ctx := context.Background()
	m := openChild(args[0], args[1])
	defer m.Close()
	for _, q := range []Query{{Text: "catalogue"}, {Text: "catalogue", Wait: true}, {Text: "catalogue", Budget: time.Hour}} {
		a, err := m.Search(ctx, q)
		if err != nil {
			return err
		}
		for _, h := range a.Hits {
			fmt.Printf("hit %s\n", h.Path)
		}
		fmt.Printf("stale %d, %s\n", a.Stale, a.Frozen)
	}
	r, err := m.Sync(ctx, SyncOptions{Reading: true})
	if err != nil {
		return err
	}
	fmt.Printf("stale %d, %s\n", r.Stale, r.Frozen)
	all, err := m.List(ctx, Listing{})
	for _, i := range all {
		fmt.Printf("listed %s\n", i.Path)
	}
	return err
}

// What is in memory is found and listed on a full disk too; what the index lacks is
// told, and why; without any index one is made where it takes no room.
func TestFullDisk(t *testing.T) {
	m := fresh(t, nil)
	write(t, m, "a.md", "# Storage\n\nWe chose SQLite for the catalogue.\n")
	sync1(t, m)
	m.Close()
	ask := func() string {
		t.Helper()
		out, err := child("full", m.cfg.Vault, m.cfg.DB).Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	hold := func(what, out string, hits, listed int) {
		t.Helper()
		if strings.Count(out, "hit ") != hits || strings.Count(out, "listed ") != listed {
			t.Errorf("%s:\n%swant %d hits and %d listed", what, out, hits, listed)
		}
	}
	out := ask()
	hold("indexed", out, 3, 1)
	if strings.Count(out, "stale 0, \n") != 4 {
		t.Errorf("all is indexed, and the answers say\n%s", out)
	}

	write(t, m, "b.md", "# Catalogue\n\nThe catalogue has a second volume.\n")
	out = ask()
	hold("one is new", out, 3, 1)
	if !strings.Contains(out, "stale 1, ") || !strings.Contains(out, "disk is full") || strings.Contains(out, "I/O") {
		t.Errorf("one is not indexed, and the answers say\n%s", out)
	}

	// Who removes a note means it, though the index still has it.
	away := filepath.Join(t.TempDir(), "a.md")
	if err := os.Rename(filepath.Join(m.cfg.Vault, "a.md"), away); err != nil {
		t.Fatal(err)
	}
	hold("one is gone", ask(), 0, 1)
	if err := os.Rename(away, filepath.Join(m.cfg.Vault, "a.md")); err != nil {
		t.Fatal(err)
	}

	for _, name := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(m.cfg.DB + name); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	out = ask()
	if !strings.Contains(out, "hit a.md") || !strings.Contains(out, "hit b.md") {
		t.Errorf("without an index nothing is found:\n%s", out)
	}
	if strings.Count(out, "listed ") != 2 {
		t.Errorf("without an index %s", out)
	}
	if st, err := os.Stat(m.cfg.DB); err == nil && st.Size() > 0 {
		t.Errorf("an index of %d bytes on a full disk", st.Size())
	}

	// An index of the format before can be neither read nor rebuilt.
	old(t, m)
	out = ask()
	if !strings.Contains(out, "hit a.md") || !strings.Contains(out, "hit b.md") || strings.Count(out, "listed ") != 2 {
		t.Errorf("with an index of the format before:\n%s", out)
	}

	// With room again, all is as ever.
	again := Open(Config{Vault: m.cfg.Vault, DB: filepath.Clean(m.cfg.DB)})
	defer again.Close()
	a, err := again.Search(t.Context(), Query{Text: "catalogue", Wait: true})
	if err != nil || len(a.Hits) != 2 || a.Frozen != "" {
		t.Errorf("with room again: %d hits, %q, %v", len(a.Hits), a.Frozen, err)
	}
}
