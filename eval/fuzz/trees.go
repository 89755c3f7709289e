package main

import (
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/assay-dev/assay/internal/lang/syntax"
)

const (
	largest  = 1 << 20 // bytes of a file that is read
	mostHung = 5       // readings that never end; each takes a processor until the program ends
)

// trees reads the source files below a folder, each as it is and with so many changes
// that a programmer could leave half-way: cut off, a part missing, a part moved. It
// returns how many readings took longer than patience, and prints the first of them.
func trees(w io.Writer, dir string, changes int, patience time.Duration) (slow int, err error) {
	files, readings := 0, 0
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !d.Type().IsRegular() {
			return err
		}
		st, err := d.Info()
		if err != nil || st.Size() > largest {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		language := syntax.Language(path, src[:min(len(src), 512)])
		if language == "" {
			return nil
		}
		files++
		// The same changes of the same file, whatever else is below the folder.
		r := rand.New(rand.NewPCG(uint64(len(src)), uint64(len(filepath.Base(path)))))
		for n := range changes + 1 {
			text := src
			if n > 0 {
				text = changed(r, src)
			}
			readings++
			if ends(path, language, text, patience) {
				continue
			}
			slow++
			kept, err := keep(path, text)
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "%s: change %d is not read within %s; it is kept as %s\n", path, n, patience, kept)
			if slow == mostHung {
				return fs.SkipAll
			}
			break
		}
		return nil
	})
	fmt.Fprintf(w, "%d files, read %d times, %d not in time\n", files, readings, slow)
	return slow, err
}

// ends reports whether a file is read in time.
func ends(path, language string, text []byte, patience time.Duration) bool {
	if patience <= 0 {
		return false
	}
	done := make(chan struct{})
	go func() {
		syntax.Facts(path, language, text)
		close(done)
	}()
	select {
	case <-done:
		return true
	case <-time.After(patience):
		return false
	}
}

// changed returns a text without its end, without a part, or with a part at another place.
func changed(r *rand.Rand, src []byte) []byte {
	if len(src) < 4 {
		return nil
	}
	from := r.IntN(len(src))
	to := min(len(src), from+1+r.IntN(1+len(src)/8))
	part, rest := src[from:to], append(src[:from:from], src[to:]...)
	switch r.IntN(3) {
	case 0:
		return src[:from]
	case 1:
		return rest
	}
	at := r.IntN(len(rest) + 1)
	return append(append(rest[:at:at], part...), rest[at:]...)
}

// keep writes a text to a temporary file with the ending of its own, and returns its path.
func keep(path string, text []byte) (string, error) {
	f, err := os.CreateTemp("", "assay-fuzz-*"+filepath.Ext(path))
	if err != nil {
		return "", err
	}
	if _, err = f.Write(text); err != nil {
		f.Close()
		return "", err
	}
	return f.Name(), f.Close()
}
