package file

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What has more bytes than are taken is an error that says how many those are, with the beginning.
func TestReadUpTo(t *testing.T) {
	for _, tt := range []struct {
		text string
		most int64
		want string
		says string
	}{
		{"abc", 3, "abc", ""}, {"", 0, "", ""}, {"abcd", 3, "abc", "it is larger than 3 bytes"},
		{strings.Repeat("x", 2049), 2048, strings.Repeat("x", 2048), "it is larger than 2 KiB"},
		{strings.Repeat("x", 1<<20+1), 1 << 20, strings.Repeat("x", 1<<20), "it is larger than 1 MB"},
	} {
		name := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(name, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		got, err := ReadUpTo(f, tt.most)
		again, err2 := ReadUpTo(strings.NewReader(tt.text), tt.most)
		if string(got) != tt.want || string(again) != tt.want || (err == nil) != (tt.says == "") || errors.Is(err, ErrTooLarge) != (err != nil) || err != nil && err.Error() != tt.says || !errors.Is(err2, err) && err != err2 {
			t.Errorf("%d of %d: %d bytes, %v; %d bytes, %v", len(tt.text), tt.most, len(got), err, len(again), err2)
		}
	}
}

// The path of an error is left out, wherever it is.
func TestBare(t *testing.T) {
	for _, err := range []error{&fs.PathError{Op: "open", Path: "a", Err: fs.ErrExist}, &os.LinkError{Op: "link", Old: "a", New: "b", Err: fs.ErrExist}, fs.ErrExist} {
		if got := Bare(err); got != fs.ErrExist {
			t.Errorf("Bare(%v) = %v", err, got)
		}
	}
}
