// Package lazytest holds packed tables to the texts that they are made of.
package lazytest

import (
	"bytes"
	"compress/flate"
	"os"
	"testing"
)

// Packed reports where what a program reads from a packed table is not what file says. With
// update it packs the table again.
func Packed(t *testing.T, file, packed string, table func() string, update bool) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if update {
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
		return
	}
	if table() != string(text) {
		t.Errorf("%s is not made of %s: go test -run %s -update writes it", packed, file, t.Name())
	}
}
