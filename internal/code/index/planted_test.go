//go:build unix

package index

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestCollectPlanted holds that Collect removes our own old segments and temporary files
// and nothing else, and that a folder of segments which leads elsewhere is not entered.
func TestCollectPlanted(t *testing.T) {
	ctx := context.Background()
	x, w := open(t)
	publish(t, w, newMaker(5).docs(1, 5, 2))
	kept := snapshot(t, x).segs[0].Name
	outside := t.TempDir()
	must(t, os.WriteFile(filepath.Join(outside, "file"), []byte("mine"), 0o600))
	seg := filepath.Join(x.dir, "seg")
	ours := []string{"0123456789abcdef01234567.bm", "0123456789abcdef01234567.vec", ".assay-tmp-KILLED234567KILLED234567AB"}
	theirs := []string{"notes.txt", "0123456789abcdef0123456.bm", "0123456789ABCDEF01234567.bm", "0123456789abcdef01234567.bak", ".assay-tmp-KILLED"}
	for _, name := range append(append([]string{}, ours...), theirs...) {
		must(t, os.WriteFile(filepath.Join(seg, name), nil, 0o600))
	}
	must(t, os.Symlink(filepath.Join(outside, "file"), filepath.Join(seg, "aaaaaaaaaaaaaaaaaaaaaaaa.bm")))
	must(t, os.Mkdir(filepath.Join(seg, "bbbbbbbbbbbbbbbbbbbbbbbb.bm"), 0o700))
	must(t, w.Collect(ctx, time.Now().Add(time.Hour)))
	for _, name := range ours {
		if _, err := os.Lstat(filepath.Join(seg, name)); err == nil {
			t.Errorf("%s was left", name)
		}
	}
	for _, name := range append(theirs, kept, "aaaaaaaaaaaaaaaaaaaaaaaa.bm", "bbbbbbbbbbbbbbbbbbbbbbbb.bm") {
		if _, err := os.Lstat(filepath.Join(seg, name)); err != nil {
			t.Errorf("%s was removed", name)
		}
	}

	// The critical one: seg leads to another folder, whose files are old.
	dir := filepath.Join(t.TempDir(), "index")
	must(t, os.Mkdir(dir, 0o700))
	must(t, os.WriteFile(filepath.Join(outside, "0123456789abcdef01234567.bm"), nil, 0o600))
	must(t, os.Symlink(outside, filepath.Join(dir, "seg")))
	if x, err := Open(ctx, dir, false); err == nil {
		x.Close()
		t.Error("an index whose segments lie elsewhere was opened")
	}
	if list, err := os.ReadDir(outside); len(list) != 2 {
		t.Errorf("the folder outside holds %v, %v", list, err)
	}
	if list, _ := os.ReadDir(dir); len(list) > 2 { // seg, and the .gitignore that keeps it out of the repository
		t.Errorf("the folder holds %v", list)
	}
}

// TestDelete holds that an index is deleted with all that is ours, and that anything else
// keeps its folder.
func TestDelete(t *testing.T) {
	x, w := open(t)
	publish(t, w, newMaker(5).docs(1, 5, 2))
	dir := x.dir
	w.Close()
	must(t, x.Close())
	must(t, os.WriteFile(filepath.Join(dir, "seg", "mine.txt"), nil, 0o600))
	if err := Delete(dir); err == nil {
		t.Error("deleted, with a file in it that is not ours")
	}
	if list, err := os.ReadDir(filepath.Join(dir, "seg")); len(list) != 1 || list[0].Name() != "mine.txt" {
		t.Errorf("seg holds %v, %v", list, err)
	}
	must(t, os.Remove(filepath.Join(dir, "seg", "mine.txt")))
	must(t, Delete(dir))
	if _, err := os.Lstat(dir); err == nil {
		t.Error("the folder is still there")
	}
	must(t, Delete(dir)) // none is as good as deleted
}
