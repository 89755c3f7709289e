//go:build unix

package vault

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// What lies behind a symbolic link is not removed from all other machines.
func TestExchangeBehindLinks(t *testing.T) {
	a, b := fresh(t, nil), fresh(t, nil)
	for i := range 10 {
		write(t, a, fmt.Sprintf("facts/%d.md", i), fmt.Sprintf("fact %d\n", i))
	}
	for i := range 3 {
		write(t, a, fmt.Sprintf("work/%d.md", i), fmt.Sprintf("work %d\n", i))
	}
	remote := remoteFor(t)
	swap(t, a, remote)
	swap(t, b, remote)
	before := readNotes(t, b)
	elsewhere := t.TempDir()
	for _, name := range []string{"work", "facts/3.md"} {
		at, to := filepath.Join(a.cfg.Vault, name), filepath.Join(elsewhere, filepath.Base(name))
		if err := os.Rename(at, to); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, at); err != nil {
			t.Fatal(err)
		}
	}
	out := swap(t, a, "")
	if stay := map[string]int{"is a symbolic link here, which is not followed": 2}; out.RemovedAway != 0 || out.Sent != 0 || !maps.Equal(stay, out.Skipped) {
		t.Errorf("%+v, want %v left", out, stay)
	}
	swap(t, b, "")
	if after := readNotes(t, b); len(after) != len(before) {
		t.Errorf("%d notes of %d", len(after), len(before))
	}
}
