package notes

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/assay-dev/assay/internal/file"
	"github.com/assay-dev/assay/internal/safe"
)

const (
	maxFile  = 8 << 20
	maxTries = 5 // where something else writes the file meanwhile
)

// A Store is the NOTES.md of a project.
type Store struct {
	root  string // the project's folder, without symbolic links
	name  string // of the file below it, slash-separated
	locks string // a folder outside the project: locks are no part of it
}

// Open returns the notes in folder dir of a project, slash-separated and "." for the
// project's own. Writers take turns by locks in the folder locks.
func Open(root, dir, locks string) Store {
	name := "NOTES.md"
	if dir != "" && dir != "." {
		name = dir + "/" + name
	}
	return Store{root, name, locks}
}

// Path returns the file.
func (s Store) Path() string { return filepath.Join(s.root, filepath.FromSlash(s.name)) }

// Read returns the notes; those that are not there are empty.
func (s Store) Read() (*File, error) {
	text, _, err := s.read()
	if err != nil {
		return nil, err
	}
	return Parse(text), nil
}

func (s Store) read() (text []byte, perm fs.FileMode, err error) {
	root, err := safe.Linked(s.root)
	if err != nil {
		return nil, 0, err
	}
	defer root.Close()
	st, err := root.Lstat(s.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, 0o644, nil
	case err != nil:
		return nil, 0, err
	case !st.Mode().IsRegular():
		return nil, 0, fmt.Errorf("%s is not a regular file", s.Path())
	case st.Size() > maxFile:
		return nil, 0, fmt.Errorf("%s is larger than %d MB", s.Path(), maxFile>>20)
	}
	f, err := root.Open(s.name)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	text, err = io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(text) > maxFile { // it grew: half of it must not be written back
		err = fmt.Errorf("%s is larger than %d MB", s.Path(), maxFile>>20)
	}
	return text, st.Mode().Perm(), err
}

// Update changes the notes. Of writers at once each sees what the one before has
// written; a reader sees the file before or after, whole. Change may be called again
// where something else writes the file meanwhile.
func (s Store) Update(ctx context.Context, change func(*File) error) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	for range maxTries {
		old, perm, err := s.read()
		if err != nil {
			return err
		}
		f := Parse(old)
		if err := change(f); err != nil {
			return err
		}
		now := f.Bytes()
		if bytes.Equal(now, old) {
			return nil
		}
		if len(now) > maxFile {
			return fmt.Errorf("%s would be larger than %d MB", s.Path(), maxFile>>20)
		}
		// An editor knows of no lock. The read also holds that no symbolic link leads
		// the file out of the project.
		if again, _, err := s.read(); err != nil {
			return err
		} else if !bytes.Equal(again, old) {
			continue
		}
		return file.Write(s.Path(), now, perm)
	}
	return fmt.Errorf("%s is being written all the time", s.Path())
}

func (s Store) lock(ctx context.Context) (unlock func(), err error) {
	if err := os.MkdirAll(s.locks, 0o700); err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(s.Path()))
	name := filepath.Join(s.locks, fmt.Sprintf("notes-%x.lock", sum[:12]))
	return file.Lock(ctx, name)
}
