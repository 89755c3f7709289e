package backup

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/install/archive"
)

const (
	// stagedSuffix ends the name of a folder that is being restored. stagedMark is a file in it, by which a later restore
	// recognizes the folder after a kill.
	stagedSuffix = ".restoring"
	stagedMark   = ".assay-restoring"

	different = "different"
)

// compare returns the state of a part's place: "" for nothing, same, or different.
func (j *job) compare(ctx context.Context, r *archive.Reader) (string, error) {
	there, err := exists(j.place.Path)
	if !there || err != nil {
		return "", err
	}
	j.place.Path = store.Named(j.place.Path)
	j.Path = j.place.Path
	st, err := os.Lstat(j.place.Path)
	switch {
	case err != nil:
		return "", err
	case j.place.Kind == Folder != st.IsDir(), !st.IsDir() && !st.Mode().IsRegular():
		return "", safe.ErrNotFile
	case j.place.Kind == Database && hasLog(j.place.Path):
		return different, nil
	case j.place.Kind != Folder:
		from, err := safe.OpenNamed(j.place.Path)
		if err != nil {
			return "", err
		}
		defer from.Close()
		return compareFile(ctx, from, r.Files[j.at[0]])
	}
	root, err := safe.OpenRoot(j.place.Path)
	if err != nil {
		return "", err
	}
	defer root.Close()
	if entries, err := root.ReadDir("."); err != nil || len(entries) == 0 {
		return "", err
	}
	for _, i := range j.at {
		rel, _ := r.Files[i].PathIn(j.Name)
		from, err := root.Open(rel)
		if err != nil {
			return different, nil // not a regular file
		}
		state, err := compareFile(ctx, from, r.Files[i])
		from.Close()
		if err != nil || state != same {
			return state, err
		}
	}
	return same, nil
}

// hasLog reports whether a database has a log, because its file alone may then be out of date.
func hasLog(path string) bool {
	st, err := os.Lstat(path + "-wal")
	return err == nil && st.Size() > 0
}

func compareFile(ctx context.Context, from *os.File, want archive.File) (string, error) {
	equal, err := want.IsIn(ctx, from)
	if err == nil && !equal {
		return different, nil
	}
	return same, err
}

// stage extracts a part beside its place and syncs it to the disk.
func (j *job) stage(ctx context.Context, r *archive.Reader, aside string) error {
	dir := filepath.Dir(j.place.Path)
	if j.within != nil {
		rel, err := filepath.Rel(j.within.place.Path, dir)
		if err != nil {
			return err
		}
		dir = filepath.Join(j.within.staged, rel)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	root, err := safe.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	name := filepath.Base(j.place.Path)
	switch {
	case j.within != nil: // the outer part removes its leftovers
	case j.place.Kind == Folder:
		if err := finishExchange(root, name, aside); err != nil {
			return err
		}
		name += stagedSuffix
		if err := removeStaging(root, name); err != nil {
			return err
		}
	default:
		root.Tidy(".")
		name = file.TemporaryName()
	}
	j.staged = filepath.Join(dir, name)
	if j.place.Kind != Folder {
		return errors.Join(r.Extract(ctx, j.at[0], root, name, 0o600), root.SyncDir("."))
	}
	if err := root.Mkdir(name, 0o700); err != nil {
		return err
	}
	return j.extractFolder(ctx, r, root, name)
}

// extractFolder extracts the files of a folder part into the empty folder name.
func (j *job) extractFolder(ctx context.Context, r *archive.Reader, root *safe.Root, name string) error {
	to, err := root.Sub(name)
	if err != nil {
		return err
	}
	defer to.Close()
	if j.within == nil {
		// Created under its final name, because a temporary name would be one more leftover after a kill.
		mark, err := to.Create(stagedMark, 0o600)
		if err == nil {
			err = mark.Close()
		}
		if err != nil {
			return err
		}
	}
	made := map[string]bool{".": true}
	for _, i := range j.at {
		rel, _ := r.Files[i].PathIn(j.Name)
		if err := to.MkdirAll(path.Dir(rel), 0o700); err != nil {
			return err
		}
		for up := path.Dir(rel); !made[up]; up = path.Dir(up) {
			made[up] = true
		}
		if err := r.Extract(ctx, i, to, rel, 0o600); err != nil {
			return err
		}
	}
	for at := range made {
		if err := to.SyncDir(at); err != nil {
			return err
		}
	}
	return nil
}

// removeStaging removes the leftovers of a killed restore: a file, or a folder with the mark. A folder without the mark
// belongs to somebody else, and must stay.
func removeStaging(root *safe.Root, name string) error {
	st, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !st.IsDir() {
		return root.Remove(name)
	}
	if entries, err := root.ReadDir(name); err != nil || len(entries) == 0 {
		return errors.Join(err, root.RemoveDir(name))
	}
	if _, err := root.Lstat(path.Join(name, stagedMark)); err != nil {
		return &fs.PathError{Op: "replace", Path: filepath.Join(root.Name(), name), Err: safe.ErrForeign}
	}
	return removeFolder(root, name, true)
}

// removeFolder removes a folder and its contents, the mark last. It removes links, never their targets.
func removeFolder(root *safe.Root, rel string, top bool) error {
	entries, err := root.ReadDir(rel)
	if err != nil {
		return err
	}
	for _, e := range entries {
		at := path.Join(rel, e.Name())
		switch {
		case e.IsDir():
			err = removeFolder(root, at, false)
		case top && e.Name() == stagedMark:
		default:
			err = root.Remove(at)
		}
		if err != nil {
			return err
		}
	}
	if top {
		if err := root.Remove(path.Join(rel, stagedMark)); err != nil {
			return err
		}
	}
	return root.RemoveDir(rel)
}
