package setup

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
)

// write does the steps. Where one fails those before it are undone.
func (f *Feature) write(steps []*step) error {
	for i, s := range steps {
		if s.action == "unchanged" {
			continue
		}
		if err := f.writeOne(s); err != nil {
			for _, done := range steps[:i] {
				done.undo()
			}
			return err
		}
	}
	for _, s := range steps {
		for _, path := range s.obsolete {
			os.Remove(path)
		}
		if s.text == nil && s.action != "unchanged" && s.path == s.old.real { // what links lead to is somebody else's
			f.prune(filepath.Dir(s.path))
		}
	}
	return nil
}

// prune removes a folder of an agent's that a removed file has left empty, and those
// above it, up to the one whose name begins with a dot. The home and the project are
// not an agent's, and .config is everybody's.
func (f *Feature) prune(dir string) {
	var made []string
	for at := dir; ; at = filepath.Dir(at) {
		for _, keep := range []string{f.cfg.Home, f.cfg.WorkDir, filepath.Dir(at)} {
			if rel, err := filepath.Rel(at, keep); err == nil && filepath.IsLocal(rel) {
				return
			}
		}
		if filepath.Base(at) == ".config" {
			break
		}
		if made = append(made, at); strings.HasPrefix(filepath.Base(at), ".") {
			break
		}
	}
	for _, at := range made {
		if os.Remove(at) != nil {
			return // it holds more
		}
	}
}

func (f *Feature) writeOne(s *step) error {
	failed := func(err error) error {
		return fault.New(fault.Unavailable, "cannot write %s", s.path).Because(err).
			Or("if another program manages this file, add the lines that --dry-run shows there")
	}
	now, err := readAll(s.old.real)
	if errors.Is(err, os.ErrNotExist) == s.old.exists || s.old.exists && (err != nil || !bytes.Equal(now, s.old.text)) {
		return fault.New(fault.Unavailable, "another program changed %s during setup", s.path).Or("close that program, and run setup again")
	}
	if err := os.MkdirAll(filepath.Dir(s.old.real), 0o755); err != nil {
		return failed(err)
	}
	if s.keepCopy {
		if err := f.copyFormer(s); err != nil {
			return failed(err)
		}
	}
	if s.text == nil {
		err = os.Remove(s.old.real)
	} else {
		err = s.put(s.text)
	}
	if err != nil {
		s.undo() // the file may have been replaced in spite of the error
		return failed(err)
	}
	return nil
}

// put writes the file with its former owner and permissions.
func (s *step) put(text []byte) error {
	perm := s.perm
	if s.old.exists {
		perm = s.old.info.Mode().Perm()
	}
	if err := safe.Replace(s.old.real, text, perm); err != nil {
		return err
	}
	if s.old.exists {
		chown(s.old.real, s.old.info)
	}
	return nil
}

// undo restores the former file as far as possible.
func (s *step) undo() {
	switch {
	case s.action == "unchanged":
	case s.old.exists:
		_ = s.put(s.old.text)
	default:
		os.Remove(s.old.real)
	}
}

// copyFormer copies the former file to a new name, unless a copy with the same content exists. Only the owner can read a copy.
func (f *Feature) copyFormer(s *step) error {
	for _, b := range s.backups() {
		if bytes.Equal(b.text, s.old.text) {
			s.backup = b.path
			return nil
		}
	}
	stem := s.path + backupMark + f.cfg.Now().UTC().Format("20060102T150405Z")
	for n := 1; ; n++ {
		s.backup = stem + backupEnd
		if n > 1 {
			s.backup = fmt.Sprintf("%s-%d%s", stem, n, backupEnd)
		}
		err := file.Create(s.backup, s.old.text)
		if err == nil {
			chown(s.backup, s.old.info)
		}
		if !errors.Is(err, os.ErrExist) || n == maxBackups {
			return err
		}
	}
}
