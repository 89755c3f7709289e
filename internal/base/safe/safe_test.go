//go:build unix

package safe_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/safe"
)

// plants are what somebody may have put where a file of ours is to be. Each returns
// what it leads to, if anything.
var plants = map[string]func(t *testing.T, at, outside string){
	"link to a file":    func(t *testing.T, at, out string) { must(t, os.Symlink(filepath.Join(out, "file"), at)) },
	"link to a folder":  func(t *testing.T, at, out string) { must(t, os.Symlink(out, at)) },
	"link to nothing":   func(t *testing.T, at, out string) { must(t, os.Symlink(filepath.Join(out, "new"), at)) },
	"link to a sibling": func(t *testing.T, at, out string) { must(t, os.Symlink("sibling", at)) },
	"pipe":              func(t *testing.T, at, out string) { must(t, syscall.Mkfifo(at, 0o600)) },
	"folder":            func(t *testing.T, at, out string) { must(t, os.Mkdir(at, 0o700)) },
	"socket": func(t *testing.T, at, out string) {
		fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
		must(t, err)
		// The name of a socket is short, that of a test's folder is not.
		wd, err := os.Getwd()
		must(t, err)
		must(t, os.Chdir(filepath.Dir(at)))
		defer os.Chdir(wd)
		must(t, syscall.Bind(fd, &syscall.SockaddrUnix{Name: filepath.Base(at)}))
		t.Cleanup(func() { syscall.Close(fd) })
	},
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// setup returns a root with a file named sibling, and a folder outside it with a file
// that must not change.
func setup(t *testing.T) (root *safe.Root, dir, outside string) {
	dir, outside = t.TempDir(), t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "sibling"), []byte("sibling"), 0o600))
	must(t, os.WriteFile(filepath.Join(outside, "file"), []byte("outside"), 0o600))
	must(t, os.WriteFile(filepath.Join(outside, temporary("AAAA")), []byte("outside"), 0o600))
	root, err := safe.OpenRoot(dir)
	must(t, err)
	t.Cleanup(func() { root.Close() })
	return root, dir, outside
}

func unchanged(t *testing.T, outside string) {
	t.Helper()
	list, err := os.ReadDir(outside)
	must(t, err)
	if len(list) != 2 {
		t.Errorf("the folder outside has %v, want the two files it had", list)
	}
	for _, e := range list {
		if b, err := os.ReadFile(filepath.Join(outside, e.Name())); string(b) != "outside" {
			t.Errorf("%s outside = %q, %v", e.Name(), b, err)
		}
	}
}

// TestPlanted holds every operation to what the package promises, for each kind of
// plant, at the last part of a path and above it.
func TestPlanted(t *testing.T) {
	ops := map[string]func(r *safe.Root, name string) error{
		"Open":       func(r *safe.Root, name string) error { _, err := r.Open(name); return err },
		"ReadFile":   func(r *safe.Root, name string) error { _, err := r.ReadFile(name, 1<<20); return err },
		"Append":     func(r *safe.Root, name string) error { _, err := r.Append(name, 0o600); return err },
		"Update":     func(r *safe.Root, name string) error { _, err := r.Update(name, 0o600); return err },
		"Create":     func(r *safe.Root, name string) error { _, err := r.Create(name, 0o600); return err },
		"Write":      func(r *safe.Root, name string) error { return r.Write(name, []byte("x"), 0o600) },
		"WriteNew":   func(r *safe.Root, name string) error { return r.WriteNew(name, []byte("x"), 0o600) },
		"Path":       func(r *safe.Root, name string) error { _, err := r.Path(name); return err },
		"FS":         func(r *safe.Root, name string) error { f, err := r.FS().Open(name); return opened(f, err) },
		"below":      func(r *safe.Root, name string) error { _, err := r.Open(name + "/file"); return err },
		"below new":  func(r *safe.Root, name string) error { return r.Write(name+"/file", []byte("x"), 0o600) },
		"below gone": func(r *safe.Root, name string) error { return r.Remove(name + "/file") },
		"below made": func(r *safe.Root, name string) error { return r.MkdirAll(name+"/deep/er", 0o700) },
		"moved in":   func(r *safe.Root, name string) error { return r.Rename("sibling", name+"/sibling") },
		"moved out":  func(r *safe.Root, name string) error { return r.Rename(name+"/file", "mine") },
		"linked":     func(r *safe.Root, name string) error { return r.Link(name+"/file", "mine") },
		"litter": func(r *safe.Root, name string) error {
			return r.RemoveIfOld(name, func(fs.FileInfo) bool { return true })
		},
		"Sub":     func(r *safe.Root, name string) error { _, err := r.Sub(name); return err },
		"ReadDir": func(r *safe.Root, name string) error { _, err := r.ReadDir(name); return err },
		"List": func(r *safe.Root, name string) error {
			_, err := r.List(name, func(string, fs.FileMode) bool { return true })
			return err
		},
	}
	ofFolders := map[string]bool{"FS": true, "below": true, "below new": true, "below gone": true, "below made": true, "moved in": true, "moved out": true, "linked": true, "litter": true, "Sub": true, "ReadDir": true, "List": true}
	for what, plant := range plants {
		for op, call := range ops {
			t.Run(what+"/"+op, func(t *testing.T) {
				root, dir, outside := setup(t)
				plant(t, filepath.Join(dir, "planted"), outside)
				err := call(root, "planted")
				if err == nil && (what != "folder" || !ofFolders[op]) {
					t.Error("no error")
				}
				unchanged(t, outside)
			})
		}
	}
}

func opened(f fs.File, err error) error {
	if err == nil {
		f.Close()
	}
	return err
}

// TestRemoveLink holds that of a link the link goes and not what it leads to.
func TestRemoveLink(t *testing.T) {
	root, dir, outside := setup(t)
	must(t, os.Symlink(filepath.Join(outside, "file"), filepath.Join(dir, "link")))
	must(t, root.Remove("link"))
	unchanged(t, outside)
	if err := root.Remove("link"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("removed again: %v", err)
	}
}

// TestHardLinks holds that a file which has another name is read, and replaced, but
// never written in place.
func TestHardLinks(t *testing.T) {
	root, dir, outside := setup(t)
	must(t, os.Link(filepath.Join(outside, "file"), filepath.Join(dir, "hard")))
	if _, err := root.Append("hard", 0o600); !errors.Is(err, safe.ErrLinked) {
		t.Errorf("Append: %v", err)
	}
	if _, err := root.Update("hard", 0o600); !errors.Is(err, safe.ErrLinked) {
		t.Errorf("Update: %v", err)
	}
	if _, err := root.Path("hard"); !errors.Is(err, safe.ErrLinked) {
		t.Errorf("Path: %v", err)
	}
	if b, err := root.ReadFile("hard", 100); string(b) != "outside" {
		t.Errorf("ReadFile = %q, %v", b, err)
	}
	must(t, root.Write("hard", []byte("mine"), 0o600))
	unchanged(t, outside)
}

func TestOutside(t *testing.T) {
	root, _, outside := setup(t)
	for _, rel := range []string{"", "..", "../x", "a/../../x", "/etc/passwd", outside + "/file", "a\x00b"} {
		if _, err := root.Open(rel); err == nil {
			t.Errorf("Open(%q) succeeded", rel)
		}
		if err := root.Write(rel, nil, 0o600); err == nil {
			t.Errorf("Write(%q) succeeded", rel)
		}
	}
	unchanged(t, outside)
}

func TestWrite(t *testing.T) {
	root, dir, _ := setup(t)
	must(t, root.MkdirAll("a/b", 0o700))
	must(t, root.Write("a/b/c", []byte("one"), 0o640))
	must(t, root.Write("a/b/c", []byte("two"), 0o600))
	b, err := root.ReadFile("a/b/c", 3)
	if string(b) != "two" || err != nil {
		t.Errorf("ReadFile = %q, %v", b, err)
	}
	if _, err := root.ReadFile("a/b/c", 2); !errors.Is(err, safe.ErrTooLarge) {
		t.Errorf("ReadFile of 2 bytes: %v", err)
	}
	if st, err := root.Lstat("a/b/c"); err != nil || st.Mode() != 0o600 || st.Size() != 3 || st.Name() != "c" {
		t.Errorf("Lstat = %v %v, %v", st.Mode(), st.Size(), err)
	}
	if err := root.WriteNew("a/b/c", []byte("three"), 0o600); !errors.Is(err, fs.ErrExist) {
		t.Errorf("WriteNew over a file: %v", err)
	}
	must(t, root.WriteNew("a/b/d", []byte("three"), 0o600))
	list, err := os.ReadDir(filepath.Join(dir, "a", "b"))
	if len(list) != 2 || err != nil {
		t.Errorf("the folder holds %v, %v, want c and d alone", list, err)
	}
}

// temporary is a name as writers give it, of which the beginning is chosen.
func temporary(name string) string {
	return ".assay-tmp-" + name + strings.Repeat("A", 26-len(name))
}

// TestLitter holds what is collected to what killed writers left, and that is old.
func TestLitter(t *testing.T) {
	root, dir, outside := setup(t)
	folder := func(name string, files ...string) {
		must(t, os.Mkdir(filepath.Join(dir, name), 0o700))
		for _, f := range files {
			must(t, os.WriteFile(filepath.Join(dir, name, f), nil, 0o600))
		}
	}
	for _, name := range []string{temporary("OLD"), temporary("NEW"), ".assay-tmp-SHORT", temporary("low") + "a", ".tmp-other", "note.md"} {
		must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	folder(temporary("DIR"), safe.Mark, temporary("IN"), temporary("IN")+"-wal", temporary("IN")+".lock")
	folder(temporary("EMPTY"))
	folder(temporary("MINE"), safe.Mark, "mine")
	must(t, os.Symlink(outside, filepath.Join(dir, temporary("LINK"))))
	must(t, root.RemoveIfOld(".", func(st fs.FileInfo) bool { return st.Name() != temporary("NEW") }))
	var left []string
	list, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range list {
		left = append(left, e.Name())
	}
	want := []string{temporary("LINK"), temporary("MINE"), temporary("NEW"), ".assay-tmp-SHORT", temporary("low") + "a", ".tmp-other", "note.md", "sibling"}
	slices.Sort(want)
	if !slices.Equal(left, want) {
		t.Errorf("left: %q, want %q", left, want)
	}
	unchanged(t, outside)
}

// TestTidied holds that whoever writes to a folder of temporary files, or uses one of
// ours, removes those of writers that were killed long ago.
func TestTidied(t *testing.T) {
	home := t.TempDir()
	for what, write := range map[string]func(r *safe.Root) error{
		"Write":   func(r *safe.Root) error { return r.Write("new", nil, 0o600) },
		"Replace": func(r *safe.Root) error { return safe.Replace(filepath.Join(r.Name(), "new"), nil, 0o600) },
		"Deliver": func(r *safe.Root) error { return safe.Deliver(filepath.Join(r.Name(), "new"), nil, 0o600) },
		"Folder": func(r *safe.Root) error {
			id, err := safe.OpenIdentity(home)
			return errors.Join(err, id.Folder(r, "index"))
		},
		"OpenIdentity": func(r *safe.Root) error {
			if _, err := safe.OpenIdentity(r.Name()); err != nil {
				return err
			}
			must(t, os.WriteFile(filepath.Join(r.Name(), temporary("OLD")), nil, 0o600))
			old := time.Now().Add(-2 * time.Hour)
			must(t, os.Chtimes(filepath.Join(r.Name(), temporary("OLD")), old, old))
			_, err := safe.OpenIdentity(r.Name())
			return err
		},
	} {
		t.Run(what, func(t *testing.T) {
			root, dir, _ := setup(t)
			old := time.Now().Add(-2 * time.Hour)
			for _, name := range []string{temporary("OLD"), temporary("NEW")} {
				must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
			}
			must(t, os.Chtimes(filepath.Join(dir, temporary("OLD")), old, old))
			must(t, write(root))
			if _, err := os.Lstat(filepath.Join(dir, temporary("OLD"))); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the old one is there: %v", err)
			}
			if _, err := os.Lstat(filepath.Join(dir, temporary("NEW"))); err != nil {
				t.Errorf("the new one: %v", err)
			}
		})
	}
}

func TestNamed(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "file"), []byte("text"), 0o600))
	must(t, os.Symlink("file", filepath.Join(dir, "link")))
	must(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	if b, err := safe.ReadNamed(filepath.Join(dir, "link"), 100); string(b) != "text" {
		t.Errorf("a link that was named = %q, %v", b, err)
	}
	if b, err := safe.ReadNamed(filepath.Join(dir, "pipe"), 100); len(b) != 0 || err != nil {
		t.Errorf("a pipe that nobody writes to = %q, %v", b, err)
	}
	if _, err := safe.ReadNamed(dir, 100); err == nil {
		t.Error("a folder was read")
	}
}

func TestIdentity(t *testing.T) {
	home, other, tree := t.TempDir(), t.TempDir(), t.TempDir()
	id, err := safe.OpenIdentity(filepath.Join(home, "assay"))
	must(t, err)
	again, err := safe.OpenIdentity(filepath.Join(home, "assay"))
	if err != nil || again != id {
		t.Errorf("the second time it is another: %v", err)
	}
	if st, err := os.Stat(filepath.Join(home, "assay", "identity")); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", st, err)
	}
	stranger, err := safe.OpenIdentity(other)
	must(t, err)
	root, err := safe.OpenRoot(tree)
	must(t, err)
	must(t, id.Folder(root, ".assay/index"))
	must(t, id.Folder(root, ".assay/index"))
	if err := stranger.Folder(root, ".assay/index"); !errors.Is(err, safe.ErrForeign) {
		t.Errorf("another user's: %v", err)
	}
	if err := (safe.Identity{}).Folder(root, ".assay/index"); !errors.Is(err, safe.ErrForeign) {
		t.Errorf("nobody's: %v", err)
	}
	// A copy with its mark, as an archive brings it, is another folder.
	must(t, os.Mkdir(filepath.Join(tree, "copy"), 0o700))
	mark, err := os.ReadFile(filepath.Join(tree, ".assay", "index", "owner"))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(tree, "copy", "owner"), mark, 0o600))
	if err := id.Folder(root, "copy"); !errors.Is(err, safe.ErrForeign) {
		t.Errorf("a copy: %v", err)
	}
	// Moved, it is the same one.
	must(t, os.Rename(filepath.Join(tree, ".assay"), filepath.Join(tree, "moved")))
	must(t, id.Folder(root, "moved/index"))
	must(t, os.Mkdir(filepath.Join(tree, "empty"), 0o700))
	must(t, id.Folder(root, "empty"))
}

// TestIdentityAtOnce holds that of many that begin at once all get the same identity
// and the same folder.
func TestIdentityAtOnce(t *testing.T) {
	home, tree := t.TempDir(), t.TempDir()
	root, err := safe.OpenRoot(tree)
	must(t, err)
	var ids [16]safe.Identity
	var errs [16]error
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			if ids[i], errs[i] = safe.OpenIdentity(home); errs[i] == nil {
				errs[i] = ids[i].Folder(root, ".assay/index")
			}
		})
	}
	wg.Wait()
	for i := range ids {
		if errs[i] != nil || ids[i] != ids[0] {
			t.Errorf("%d: %v", i, errs[i])
		}
	}
	if list, err := os.ReadDir(filepath.Join(tree, ".assay")); len(list) != 1 {
		t.Errorf(".assay holds %v, %v", list, err)
	}
}

// TestIdentityDamaged holds that a file that is none leads to an error and not to a
// second identity, and that a pipe in its place does not hang.
func TestIdentityDamaged(t *testing.T) {
	home := t.TempDir()
	must(t, os.WriteFile(filepath.Join(home, "identity"), []byte("no\n"), 0o600))
	if _, err := safe.OpenIdentity(home); err == nil {
		t.Error("a damaged identity was taken")
	}
	must(t, os.Remove(filepath.Join(home, "identity")))
	must(t, syscall.Mkfifo(filepath.Join(home, "identity"), 0o600))
	if _, err := safe.OpenIdentity(home); err == nil {
		t.Error("a pipe was taken for an identity")
	}
	if id, err := safe.OpenIdentity(home, t.TempDir()); err != nil || id == (safe.Identity{}) {
		t.Errorf("the second folder was not used: %v", err)
	}
}

// A list says of links what they are, not what they lead to, and sizes and times of what is
// wanted alone.
func TestRootList(t *testing.T) {
	root, dir, outside := setup(t)
	at := time.Unix(1_700_000_000, 5_000)
	must(t, os.Chtimes(filepath.Join(dir, "sibling"), at, at))
	must(t, os.Symlink(filepath.Join(outside, "file"), filepath.Join(dir, "link")))
	must(t, os.Mkdir(filepath.Join(dir, "below"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "below", "unwanted"), []byte("text"), 0o600))
	got, err := root.List(".", func(name string, _ fs.FileMode) bool { return name == "sibling" || name == "link" })
	must(t, err)
	slices.SortFunc(got, func(a, b safe.Listed) int { return strings.Compare(a.Name, b.Name) })
	if len(got) != 3 || got[0].Name != "below" || !got[0].Mode.IsDir() || got[1].Mode&fs.ModeSymlink == 0 ||
		got[2] != (safe.Listed{Name: "sibling", Mode: 0o600, Size: 7, Mtime: at.UnixNano()}) {
		t.Errorf("%+v", got)
	}
	if got, err = root.List("below", func(string, fs.FileMode) bool { return false }); err != nil || len(got) != 1 || got[0] != (safe.Listed{Name: "unwanted"}) {
		t.Errorf("%+v %v", got, err)
	}
}
