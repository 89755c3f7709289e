//go:build unix

package safe_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/assay-dev/assay/internal/base/safe"
)

// An output is written where it was named, or not at all: a link in its place or on the way to it
// is refused with where it leads, and so is what is no file.
func TestOutput(t *testing.T) {
	_, dir := arranged(t)
	outside := filepath.Join(filepath.Dir(dir), filepath.Base(dir)+"-outside")
	must(t, os.Mkdir(outside, 0o700))
	must(t, os.WriteFile(filepath.Join(outside, "file"), []byte("outside"), 0o600))
	must(t, os.Symlink(outside, filepath.Join(dir, "way")))
	must(t, os.Symlink(filepath.Join(outside, "new"), filepath.Join(dir, "dangling")))
	must(t, os.Symlink(filepath.Join(outside, "file"), filepath.Join(dir, "report.xml")))
	must(t, os.Link(filepath.Join(outside, "file"), filepath.Join(dir, "hard")))
	tests := []struct {
		name string
		want error
		says string
	}{
		{"new", nil, ""}, {"sibling", nil, ""}, {"hard", nil, ""}, {"docs/deep/new", nil, ""},
		{"report.xml", safe.ErrLink, "report.xml is a symbolic link to " + filepath.Join(outside, "file")},
		{"dangling", safe.ErrLink, filepath.Join(outside, "new")},
		{"way/new", safe.ErrLink, "way is a symbolic link to " + outside},
		{"way", safe.ErrLink, "symbolic link"},
		{"loop", safe.ErrLink, "symbolic link"},
		{"docs/link", safe.ErrLink, "symbolic link"}, // it stays below, and nobody said where it leads all the same
		{"to-pipe", safe.ErrLink, "symbolic link"},
		{"pipe", safe.ErrNotFile, "is a pipe, not a file"},
		{"docs", safe.ErrNotFile, "is a folder, not a file"},
		{"sibling/new", safe.ErrNotFolder, "is a file, not a folder"},
		{"gone/new", nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			name := filepath.Join(dir, tt.name)
			err := safe.CheckReport(name)
			if !errors.Is(err, tt.want) || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("CheckReport: %v, want %v that says %q", err, tt.want, tt.says)
			}
			err = safe.Deliver(name, []byte("report"), 0o600)
			switch {
			case tt.name == "gone/new" && errors.Is(err, fs.ErrNotExist):
			case !errors.Is(err, tt.want) || (err == nil) != (tt.want == nil):
				t.Errorf("Deliver: %v, want %v", err, tt.want)
			case err == nil:
				if b, err := os.ReadFile(name); string(b) != "report" {
					t.Errorf("it holds %q, %v", b, err)
				}
			}
		})
	}
	for name, want := range map[string]error{"docs": nil, "made/below": nil, "way": safe.ErrLink, "way/below": safe.ErrLink, "dangling": safe.ErrLink, "pipe": safe.ErrNotFolder, "sibling": safe.ErrNotFolder} {
		r, err := safe.OutputFolder(filepath.Join(dir, name), 0o700)
		if !errors.Is(err, want) || (err == nil) != (want == nil) {
			t.Errorf("OutputFolder(%s): %v, want %v", name, err, want)
		}
		if err == nil {
			must(t, r.Close())
		}
	}
	if err := safe.Replace(filepath.Join(dir, "report.xml"), []byte("x"), 0o600); !errors.Is(err, safe.ErrLink) {
		t.Errorf("Replace of a link: %v", err)
	}
	list, err := os.ReadDir(outside)
	b, rerr := os.ReadFile(filepath.Join(outside, "file"))
	if err != nil || rerr != nil || len(list) != 1 || string(b) != "outside" {
		t.Errorf("outside there is %v with %q, %v, %v", list, b, err, rerr)
	}
}

// The working directory may be behind a link, which its user went through.
func TestOutputBehindOwnLink(t *testing.T) {
	top := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(top, "real"), 0o700))
	must(t, os.Symlink("real", filepath.Join(top, "link")))
	t.Setenv("PWD", filepath.Join(top, "link"))
	t.Chdir(filepath.Join(top, "link"))
	must(t, safe.Deliver("report", []byte("x"), 0o600))
	must(t, safe.Deliver(filepath.Join(top, "link", "other"), []byte("x"), 0o600))
}

// Streams take a report as they are; a descriptor that this program has opened itself does not.
func TestDeliverToStream(t *testing.T) {
	must(t, safe.Deliver("/dev/null", []byte("x"), 0o600))
	if st, err := os.Lstat("/dev/null"); err != nil || st.Mode()&fs.ModeDevice == 0 {
		t.Fatalf("/dev/null is %v, %v", st, err)
	}
	own, err := os.Create(filepath.Join(t.TempDir(), "database"))
	must(t, err)
	defer own.Close()
	if err := safe.Deliver(fmt.Sprintf("/dev/fd/%d", own.Fd()), []byte("x"), 0o600); !errors.Is(err, syscall.EBADF) {
		t.Errorf("a file of this program: %v, want %v", err, syscall.EBADF)
	}
	for _, name := range []string{"/dev/zero", "/dev/full"} {
		if err := safe.Deliver(name, nil, 0o600); !errors.Is(err, safe.ErrNotFile) {
			t.Errorf("%s: %v, want %v", name, err, safe.ErrNotFile)
		}
	}
}
