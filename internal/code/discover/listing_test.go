//go:build linux && (amd64 || arm64) && !portable

package discover

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/git"
)

// later is a clock by which everything in a tree has been as it is for long.
func later() time.Time { return time.Now().Add(time.Hour) }

func mustList(tb testing.TB, root string, opt Options) *Tree {
	tb.Helper()
	opt.Listing = later()
	tree, err := Walk(context.Background(), root, opt)
	if err != nil {
		tb.Fatal(err)
	}
	return tree
}

// tick waits until the file system gives another time than it gave so far.
func tick(tb testing.TB, root string) {
	tb.Helper()
	stampNow := func() time.Time {
		f, err := os.CreateTemp(filepath.Dir(root), "tick")
		if err != nil {
			tb.Fatal(err)
		}
		defer os.Remove(f.Name())
		defer f.Close()
		st, err := f.Stat()
		if err != nil {
			tb.Fatal(err)
		}
		return st.ModTime()
	}
	begin := stampNow()
	for now := begin; !now.After(begin); {
		now = stampNow()
	}
}

// again compares root with a listing of it, and with a walk: the tree of the listing is that of the
// walk, or there is none.
func again(tb testing.TB, root string, listing []byte, opt Options) (holds, same bool) {
	tb.Helper()
	got, same := Again(context.Background(), root, append([]byte(nil), listing...), opt)
	if got == nil {
		return false, same
	}
	want, err := Walk(context.Background(), root, opt)
	if err != nil {
		tb.Fatal(err)
	}
	if d := cmp.Diff(want, got, cmpopts.IgnoreFields(Tree{}, "Listing")); d != "" {
		tb.Fatalf("the tree of the listing is not that of a walk (-walk +listing):\n%s", d)
	}
	// The listing that it returns is one of the tree as it is now.
	if next, now := Again(context.Background(), root, got.Listing, opt); next == nil || !now {
		tb.Fatalf("the listing that was brought up to date does not hold: %v, %v", next, now)
	}
	return true, same
}

func TestAgain(t *testing.T) {
	do := func(f func(root string) error) func(string) error { return f }
	at := func(root, rel string) string { return filepath.Join(root, filepath.FromSlash(rel)) }
	files := []string{".git/HEAD", ".git/objects/", ".git/refs/", ".git/info/exclude: *.tmp\n", ".gitignore: *.o\n", "a.go: package a", "sub/b.go", "sub/.gitignore: x\n", "sub/x",
		"sub/deep/c.go", "sub/c.o", "empty/none.o", "env/pyvenv.cfg", "env/d.py", "link -> a.go", ".env", "node_modules/e.js"}
	tests := []struct {
		name        string
		change      func(root string) error
		holds, same bool
	}{
		{"nothing", do(func(string) error { return nil }), true, true},
		{"a file has another text", do(func(r string) error { return os.WriteFile(at(r, "a.go"), []byte("package b"), 0o644) }), true, false},
		{"a file was touched", do(func(r string) error { return os.Chtimes(at(r, "sub/b.go"), time.Time{}, time.Unix(1e9, 0)) }), true, false},
		{"a file that is ignored has another text", do(func(r string) error { return os.WriteFile(at(r, "sub/x"), []byte("y"), 0o644) }), true, true},
		{"a file is new", do(func(r string) error { return os.WriteFile(at(r, "sub/deep/new.go"), nil, 0o644) }), false, false},
		{"one is new, and the folder's time is set back", do(func(r string) error {
			st, err := os.Stat(at(r, "sub/deep"))
			if err == nil {
				err = os.WriteFile(at(r, "sub/deep/new.go"), nil, 0o644)
			}
			if err != nil {
				return err
			}
			return os.Chtimes(at(r, "sub/deep"), time.Time{}, st.ModTime())
		}), false, false},
		{"a file is gone", do(func(r string) error { return os.Remove(at(r, "a.go")) }), false, false},
		{"a file became a link", do(func(r string) error {
			if err := os.Remove(at(r, "a.go")); err != nil {
				return err
			}
			return os.Symlink("sub/b.go", at(r, "a.go"))
		}), false, false},
		{"a folder became a link to one like it", do(func(r string) error {
			if err := os.Rename(at(r, "sub"), at(r, ".git/sub")); err != nil {
				return err
			}
			return os.Symlink(".git/sub", at(r, "sub"))
		}), false, false},
		{"a folder is new", do(func(r string) error { return os.Mkdir(at(r, "sub/new"), 0o755) }), false, false},
		{"what is ignored changed in place", do(func(r string) error { return os.WriteFile(at(r, ".gitignore"), []byte("*.p\n"), 0o644) }), false, false},
		{"what git excludes changed in place", do(func(r string) error { return os.WriteFile(at(r, ".git/info/exclude"), []byte("*.go\n"), 0o644) }), false, false},
		{"no environment of Python any more", do(func(r string) error { return os.Remove(at(r, "env/pyvenv.cfg")) }), false, false},
		{"a folder that had nothing to keep has", do(func(r string) error { return os.WriteFile(at(r, "empty/new.go"), nil, 0o644) }), false, false},
		{"no work tree any more", do(func(r string) error { return os.RemoveAll(at(r, ".git")) }), false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := plant(t, files...)
			tree := mustList(t, root, Options{})
			if tree.Listing == nil {
				t.Fatal("no listing; the file system of the temporary folder should be one of those that keep stamps")
			}
			tick(t, root)
			if err := tt.change(root); err != nil {
				t.Fatal(err)
			}
			if holds, same := again(t, root, tree.Listing, Options{}); holds != tt.holds || same != tt.same {
				t.Errorf("the listing holds: %v, each file is as it was: %v; want %v, %v", holds, same, tt.holds, tt.same)
			}
			if holds, _ := again(t, root, tree.Listing, Options{All: true}); holds {
				t.Error("a listing of what is not ignored holds where nothing is")
			}
		})
	}
}

// What changed a moment before a walk, or could not be read by it, is known by no stamp.
func TestNoListing(t *testing.T) {
	root := plant(t, "a.go", "sub/b.go")
	var last time.Time
	for _, dir := range []string{root, filepath.Join(root, "sub")} {
		st, err := os.Stat(dir)
		if err != nil {
			t.Fatal(err)
		}
		if st.ModTime().After(last) {
			last = st.ModTime()
		}
	}
	for after, want := range map[time.Duration]bool{0: false, freshStamp: false, freshStamp + 1: true} {
		tree, err := Walk(context.Background(), root, Options{Listing: last.Add(after)})
		if err != nil || (tree.Listing != nil) != want {
			t.Errorf("a walk %v after a folder changed has a listing: %v, want %v (%v)", after, tree.Listing != nil, want, err)
		}
	}
	if os.Getuid() != 0 {
		if err := os.Chmod(filepath.Join(root, "sub"), 0); err != nil {
			t.Fatal(err)
		}
		if tree := mustList(t, root, Options{}); tree.Listing != nil {
			t.Error("a tree with a folder that cannot be read has a listing")
		}
	}
}

// Whatever happens to a tree, a listing is of it as it is, or says nothing.
func TestAgainAnyHistory(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		root, err := os.MkdirTemp(t.TempDir(), "tree")
		if err != nil {
			rt.Fatal(err)
		}
		name := rapid.SampledFrom([]string{"a.go", "b.o", "d", "d/a.go", "d/e", "d/e/b.go", ".gitignore", ".assayignore", "d/.assayignore", "d/pyvenv.cfg"})
		step := func() {
			at := filepath.Join(root, filepath.FromSlash(name.Draw(rt, "name")))
			// An operation that cannot be done changes nothing, which is a history too.
			switch rapid.IntRange(0, 5).Draw(rt, "operation") {
			case 0:
				_ = os.RemoveAll(at)
			case 1:
				_ = os.MkdirAll(at, 0o755)
			case 2:
				_ = os.Symlink("d", at)
			case 3:
				_ = os.Rename(at, filepath.Join(root, filepath.FromSlash(name.Draw(rt, "to"))))
			default:
				_ = os.WriteFile(at, []byte(rapid.SampledFrom([]string{"", "*.o\n", "d\n", "text"}).Draw(rt, "text")), 0o644)
			}
		}
		for range rapid.IntRange(0, 8).Draw(rt, "before") {
			step()
		}
		tree := mustList(t, root, Options{})
		if tree.Listing == nil {
			rt.Fatal("no listing")
		}
		for range 3 {
			tick(t, root)
			for range rapid.IntRange(0, 2).Draw(rt, "steps") {
				step()
			}
			again(t, root, tree.Listing, Options{})
		}
	})
}

// Who prepared a repository may have put a listing beside an index in it. Nobody can foretell what
// time and number the root will have where that is unpacked, so that a listing without it, by which
// nothing would be looked at, is none.
func TestForgedListing(t *testing.T) {
	root := plant(t, "a.go", "sub/b.go")
	above, prefix := outer(root)
	_, repo := git.TopLevel(root)
	forged := codec.AppendPacked([]byte{listingVersion, 0}, above.governs(prefix, repo))
	forged = append(forged, make([]byte, len(reasons)+3)...) // nothing skipped, no rules, no ignore files
	st := stamp{path: "sub"}
	var f File
	p, ok := newProber(root)
	if !ok {
		t.Fatal("no prober")
	}
	defer p.end()
	if _, ok := p.probe("sub", "", &f); !ok {
		t.Fatal("sub is not there")
	}
	st.mtime, st.ctime, st.inode = f.Mtime, f.Ctime, f.Inode
	below := codec.AppendPacked(append(st.append(append(slices.Clone(forged), 1)), 0), "")
	for name, listing := range map[string][]byte{"no folder": append(slices.Clone(forged), 0), "a folder below": below} {
		if tree, _ := Again(context.Background(), root, listing, Options{}); tree != nil {
			t.Errorf("a listing of %s holds: %+v", name, tree.Dirs)
		}
	}
}

// Whatever is said to be a listing, no path is read outside its memory.
func FuzzAgain(f *testing.F) {
	root := plant(f, ".assayignore: *.o\n", "a.go", "sub/b.go", "sub/c.o")
	listing := mustList(f, root, Options{}).Listing
	if listing == nil {
		f.Fatal("no listing")
	}
	f.Add(listing)
	f.Add(listing[:len(listing)/2])
	f.Fuzz(func(t *testing.T, b []byte) {
		Again(context.Background(), root, b, Options{})
	})
}
