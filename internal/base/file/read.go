package file

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// From returns the path that a name means which is given in a folder.
func From(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// ErrTooLarge says that there are more bytes than its reader takes.
var ErrTooLarge = errors.New("it is too large")

type tooLarge int64 // bytes

func (most tooLarge) Error() string {
	switch {
	case most >= 1<<20 && most%(1<<20) == 0:
		return fmt.Sprintf("it is larger than %d MB", most>>20)
	case most >= 1<<10 && most%(1<<10) == 0:
		return fmt.Sprintf("it is larger than %d KiB", most>>10)
	}
	return fmt.Sprintf("it is larger than %d bytes", most)
}

func (tooLarge) Is(err error) bool { return err == ErrTooLarge }

// ReadUpTo reads all that r has, of which the first most bytes are returned; where there are more, with an
// error that is ErrTooLarge.
func ReadUpTo(r io.Reader, most int64) ([]byte, error) {
	var b bytes.Buffer
	if f, ok := r.(*os.File); ok {
		// Allocate the memory of a large file at once, because growing a buffer would copy it twice.
		if st, err := f.Stat(); err == nil {
			b.Grow(int(min(max(st.Size(), 0), most)) + bytes.MinRead)
		}
	}
	if _, err := b.ReadFrom(io.LimitReader(r, most+1)); err != nil {
		return b.Bytes(), err
	}
	if int64(b.Len()) > most {
		return b.Bytes()[:most], tooLarge(most)
	}
	return b.Bytes(), nil
}
