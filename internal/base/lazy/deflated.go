package lazy

import (
	"archive/zip"
	"compress/flate"
	"io"
	"strings"
	"sync"
)

// Deflated returns a function that returns the text that was packed with compress/flate: for
// tables that are part of the program and seldom read. One that is damaged panics.
func Deflated(packed string) func() string {
	return sync.OnceValue(func() string {
		text, err := io.ReadAll(flate.NewReader(strings.NewReader(packed)))
		if err != nil {
			panic(err) // the table is part of the program
		}
		return string(text)
	})
}

// Files returns the files of a folder that lazytest.Folder packed: a ZIP archive of them as they are,
// which is compressed as a whole.
func Files(packed string) func() *zip.Reader {
	text := Deflated(packed)
	return sync.OnceValue(func() *zip.Reader {
		r, err := zip.NewReader(strings.NewReader(text()), int64(len(text())))
		if err != nil {
			panic(err) // the files are part of the program
		}
		return r
	})
}
