//go:build unix

package safe_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/assay-dev/assay/internal/base/safe"
)

// arranged returns a root with files, and links and pipes as somebody may arrange them.
func arranged(t *testing.T) (root *safe.Root, dir string) {
	root, dir, outside := setup(t)
	must(t, os.MkdirAll(filepath.Join(dir, "docs", "deep"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "docs", "deep", "page"), []byte("page"), 0o600))
	must(t, os.Symlink("deep/page", filepath.Join(dir, "docs", "link")))
	must(t, os.Symlink("docs/deep", filepath.Join(dir, "folder")))
	must(t, os.Symlink(filepath.Join(outside, "file"), filepath.Join(dir, "out")))
	must(t, os.Symlink("../"+filepath.Base(outside)+"/file", filepath.Join(dir, "up")))
	must(t, os.Symlink("loop", filepath.Join(dir, "loop")))
	must(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	must(t, os.Symlink("pipe", filepath.Join(dir, "to-pipe")))
	return root, dir
}

// Links that a project arranges are followed where they stay in it, and nowhere else; a
// pipe behind one does not hang.
func TestLinked(t *testing.T) {
	root, dir := arranged(t)
	linked, err := safe.Linked(dir)
	must(t, err)
	defer linked.Close()
	own := safe.LinkedFS(linked)
	for _, tt := range []struct {
		name, text string
		is         error
	}{
		{"sibling", "sibling", nil}, {"docs/link", "page", nil}, {"folder/page", "page", nil},
		{"out", "", nil}, {"up", "", nil}, {"loop", "", nil}, {"gone", "", fs.ErrNotExist},
		{"pipe", "", safe.ErrNotFile}, {"to-pipe", "", safe.ErrNotFile},
	} {
		read := func(f fs.File, err error) string {
			if err != nil {
				if tt.is != nil && !errors.Is(err, tt.is) {
					t.Errorf("%s: %v, want %v", tt.name, err, tt.is)
				}
				return ""
			}
			defer f.Close()
			b, err := io.ReadAll(f)
			must(t, err)
			return string(b)
		}
		file := func(f *os.File, err error) (fs.File, error) { return f, err }
		if got := read(file(root.OpenLinked(tt.name))); got != tt.text {
			t.Errorf("OpenLinked(%s) has %q, want %q", tt.name, got, tt.text)
		}
		if got := read(file(safe.OpenIn(linked, tt.name))); got != tt.text {
			t.Errorf("OpenIn(%s) has %q, want %q", tt.name, got, tt.text)
		}
		if got := read(own.Open(tt.name)); got != tt.text {
			t.Errorf("LinkedFS.Open(%s) has %q, want %q", tt.name, got, tt.text)
		}
	}
	for _, name := range []string{"docs", "folder"} {
		if _, err := root.OpenLinked(name); !errors.Is(err, safe.ErrNotFile) {
			t.Errorf("OpenLinked of the folder %s: %v", name, err)
		}
	}
	if _, err := root.OpenLinked("../x"); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("OpenLinked above the root: %v", err)
	}
	for _, name := range []string{"../x", "/x", "a//b", ""} {
		if f, err := own.Open(name); f != nil || !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("LinkedFS.Open(%q) = %v, %v", name, f, err)
		}
	}
	if st, err := fs.Stat(own, "docs/link"); err != nil || st.Size() != 4 || !st.Mode().IsRegular() {
		t.Errorf("Stat of a link = %v, %v", st, err)
	}
	if _, err := fs.Stat(own, "out"); err == nil {
		t.Error("Stat told of a file outside")
	}
	if list, err := fs.ReadDir(own, "folder"); err != nil || len(list) != 1 || list[0].Name() != "page" {
		t.Errorf("ReadDir of a link = %v, %v", list, err)
	}
	for _, name := range []string{"pipe", "sibling"} {
		if _, err := safe.Linked(filepath.Join(dir, name)); !errors.Is(err, safe.ErrNotFolder) {
			t.Errorf("Linked(%s): %v", name, err)
		}
	}
	if _, err := safe.Linked(filepath.Join(dir, "gone")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Linked of nothing: %v", err)
	}
	gone, err := safe.OpenRoot(dir)
	must(t, err)
	defer gone.Close()
	must(t, os.Rename(dir, dir+"-moved"))
	if _, err := gone.OpenLinked("sibling"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("OpenLinked below a folder that was moved: %v", err)
	}
}

// What a root shows as an fs.FS behaves as one.
func TestFS(t *testing.T) {
	root, dir, _ := setup(t)
	must(t, os.MkdirAll(filepath.Join(dir, "b", "c"), 0o700))
	for _, name := range []string{"b/two", "b/c/three", "a"} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600))
	}
	linked, err := safe.Linked(dir)
	must(t, err)
	defer linked.Close()
	for what, own := range map[string]fs.FS{"Root": root.FS(), "Linked": safe.LinkedFS(linked)} {
		if err := fstest.TestFS(own, "a", "b/two", "b/c/three", "sibling"); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	must(t, os.Symlink("a", filepath.Join(dir, "link")))
	if st, err := fs.Stat(root.FS(), "link"); err != nil || st.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("Stat of a link = %v, %v", st, err)
	}
	if _, err := root.FS().Open("link"); !errors.Is(err, safe.ErrLink) {
		t.Errorf("Open of a link: %v", err)
	}
	for _, name := range []string{"../x", "gone"} {
		if f, err := root.FS().Open(name); f != nil || err == nil {
			t.Errorf("Open(%s) = %v, %v", name, f, err)
		}
	}
}

// A folder that a caller names is listed in order, a part at a time if need be; what is no
// folder is an error and nothing waits for it.
func TestFolders(t *testing.T) {
	_, dir := arranged(t)
	list, err := safe.ReadDir(dir)
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	want := []string{"docs", "folder", "loop", "out", "pipe", "sibling", "to-pipe", "up"}
	if err != nil || !slices.Equal(names, want) {
		t.Errorf("ReadDir = %q, %v, want %q", names, err, want)
	}
	d, err := safe.OpenFolder(filepath.Join(dir, "folder")) // named by the caller: a link is meant
	must(t, err)
	defer d.Close()
	if part, err := d.Readdirnames(1); err != nil || !slices.Equal(part, []string{"page"}) {
		t.Errorf("OpenFolder lists %q, %v", part, err)
	}
	for _, name := range []string{"pipe", "sibling", "gone", "to-pipe"} {
		if _, err := safe.OpenFolder(filepath.Join(dir, name)); err == nil {
			t.Errorf("OpenFolder(%s) took it", name)
		}
		if list, err := safe.ReadDir(filepath.Join(dir, name)); err == nil || list != nil {
			t.Errorf("ReadDir(%s) = %v, %v", name, list, err)
		}
	}
}

// What is written without waiting for the disk replaces a file whole too, through no link,
// and leaves nothing beside it where it fails.
func TestWriteLazily(t *testing.T) {
	root, dir, outside := setup(t)
	must(t, os.Symlink(filepath.Join(outside, "file"), filepath.Join(dir, "link")))
	must(t, os.Link(filepath.Join(outside, "file"), filepath.Join(dir, "hard")))
	must(t, os.MkdirAll(filepath.Join(dir, "folder", "full"), 0o700))
	must(t, root.WriteLazily("folder/new", []byte("one"), 0o600))
	must(t, root.WriteLazily("folder/new", []byte("two"), 0o600))
	if b, err := root.ReadFile("folder/new", 10); string(b) != "two" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	for name, want := range map[string]error{"link": safe.ErrLink, "hard": safe.ErrLinked, "folder": safe.ErrNotFile, "gone/new": fs.ErrNotExist, "../x": fs.ErrInvalid} {
		if err := root.WriteLazily(name, []byte("x"), 0o600); !errors.Is(err, want) {
			t.Errorf("WriteLazily(%s): %v, want %v", name, err, want)
		}
		if err := root.Write(name, []byte("x"), 0o600); err == nil && name != "hard" || strings.Count(errorText(err), dir) > 1 {
			t.Errorf("Write(%s): %v, want an error that names the file once", name, err)
		}
	}
	unchanged(t, outside)
	for _, in := range []string{"", "folder"} {
		list, err := os.ReadDir(filepath.Join(dir, in))
		must(t, err)
		for _, e := range list {
			if strings.HasPrefix(e.Name(), ".assay-tmp-") {
				t.Errorf("%s is left", e.Name())
			}
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
