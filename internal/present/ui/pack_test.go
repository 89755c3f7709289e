package ui

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write page.pack from the folder page")

// The program has the files of the folder page, all of them and as they are.
func TestPacked(t *testing.T) {
	entries, err := os.ReadDir("page")
	if err != nil || len(entries) < 10 {
		t.Fatalf("%d files, %v", len(entries), err)
	}
	var all bytes.Buffer
	archive := zip.NewWriter(&all)
	for _, e := range entries {
		text, err := os.ReadFile("page/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		w, err := archive.CreateHeader(&zip.FileHeader{Name: e.Name(), Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if !*update {
		if unpacked() != all.String() {
			t.Error("the program has another page than the folder page: go test ./internal/present/ui -run TestPacked -update")
		}
		return
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(all.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("page.pack", b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
