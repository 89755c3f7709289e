package notes

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
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
	root, err := safe.OpenRoot(s.root)
	if err != nil {
		return nil, 0, err
	}
	defer root.Close()
	st, err := root.Lstat(s.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0o644, nil
	}
	if err != nil {
		return nil, 0, err
	}
	// Half of a file that is too large must not be written back.
	text, err = root.ReadFile(s.name, maxFile)
	if errors.Is(err, safe.ErrTooLarge) {
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
		root, err := safe.OpenRoot(s.root)
		if err != nil {
			return err
		}
		defer root.Close()
		return root.Write(s.name, now, perm)
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
