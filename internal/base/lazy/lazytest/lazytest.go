// Package lazytest holds packed tables to the texts that they are made of.
package lazytest

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Packed reports the differences between a packed table and the file that it was made from. With update it packs the table
// again.
func Packed(t *testing.T, file, packed string, table func() string, update bool) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if update {
		write(t, packed, text)
		return
	}
	if table() != string(text) {
		t.Errorf("%s differs from its source %s: update it with go test -run %s -update", packed, file, t.Name())
	}
}

// Folder reports where the files that a program has, of lazy.Files, are not those of a folder. With update it packs
// them again.
func Folder(t *testing.T, dir, packed string, files func() *zip.Reader, update bool) {
	t.Helper()
	var all bytes.Buffer
	archive, n := zip.NewWriter(&all), 0
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		n++
		if !update {
			if have, err := fs.ReadFile(files(), name); err != nil || !bytes.Equal(have, text) {
				t.Errorf("%s has another %s than the folder %s: update it with go test -run %s -update (%v)", packed, name, dir, t.Name(), err)
			}
			return nil
		}
		w, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	})
	if err == nil {
		err = archive.Close()
	}
	if err != nil || n == 0 {
		t.Fatalf("%d files in %s: %v", n, dir, err)
	}
	if update {
		write(t, packed, all.Bytes())
	} else if have := len(files().File); have != n {
		t.Errorf("%s has %d files, %s %d", packed, have, dir, n)
	}
}

// write compresses a text into a file.
func write(t *testing.T, packed string, text []byte) {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	if err == nil {
		err = os.WriteFile(packed, b.Bytes(), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
