package backup

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/redact"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/install/archive"
)

// maxScanned bounds the size of files that are searched for secrets: larger files are not text that a person wrote.
const maxScanned = 16 << 20

// The reasons for leaving out a secret.
const (
	whySecret      = "it is a secret"
	whyLooksSecret = "it seems to contain a secret"
)

// A packer adds places to an archive.
type packer struct {
	dir   *safe.Root // of the archive
	to    *archive.Writer
	taken map[string]bool
	out   *Report
	part  Part
}

// write writes the archive temp and fills the report out.
func (f *Feature) write(ctx context.Context, dir *safe.Root, temp string, places []Place, out *Report) error {
	to, err := dir.Create(temp, 0o600)
	if err != nil {
		return fault.Unwritten(out.File, err)
	}
	defer to.Close()
	out.LeftOut = []LeftOut{}
	k := &packer{dir: dir, out: out, taken: placePaths(places),
		to: archive.NewWriter(to, archive.List{Made: f.cfg.Now().UTC(), Program: f.cfg.Version, Secrets: out.Secrets})}
	for _, p := range places {
		if p.Secret && !out.Secrets {
			if _, err := os.Lstat(p.Path); err == nil {
				k.omit(p.Path, whySecret)
			}
			continue
		}
		if err := k.addPlace(ctx, p); err != nil {
			return err
		}
	}
	if _, err := k.to.Settle(to); err != nil {
		return fault.Unwritten(out.File, err)
	}
	return nil
}

// addPlace adds one place to the archive, unless it does not exist.
func (k *packer) addPlace(ctx context.Context, p Place) error {
	work.FromContext(ctx).Progress("Saving "+p.Name, 0, 0)
	k.part = Part{Name: p.Name, Kind: string(p.Kind), Path: p.Path}
	st, err := os.Stat(p.Path) // follows links, because the user may have moved the place
	if errors.Is(err, fs.ErrNotExist) {
		return checkUnfinished(p)
	}
	if err == nil && st.IsDir() != (p.Kind == Folder) {
		err = safe.ErrNotFile
	}
	if err == nil {
		switch p.Kind {
		case Folder:
			err = k.addFolder(ctx, p)
		case Database:
			err = k.addDatabase(ctx, p)
		case File:
			err = k.addFile(ctx, p)
		}
	}
	if err != nil {
		if fault.Said(err) || ctx.Err() != nil {
			return err
		}
		return fault.New(fault.Unavailable, "cannot save %s from %s", p.Name, p.Path).Because(err).Or("fix it, or choose the other parts with --only")
	}
	if k.part.Files > 0 {
		k.to.AddPart(archive.Part{Name: p.Name, Kind: string(p.Kind), From: strings.ToValidUTF8(p.Path, "\uFFFD")})
		k.out.add(k.part)
	}
	return nil
}

// checkUnfinished returns an error if a place is missing because a restore was killed after it had put the old data aside.
// An archive without that place would look complete, and could replace one that is.
func checkUnfinished(p Place) error {
	root, err := safe.OpenRoot(filepath.Dir(p.Path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fault.New(fault.Unavailable, "cannot look for %s at %s", p.Name, p.Path).Because(err)
	}
	defer root.Close()
	entries, err := root.ReadDir(".")
	if err != nil {
		return fault.New(fault.Unavailable, "cannot look for %s at %s", p.Name, p.Path).Because(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(p.Path)+putAside) {
			return fault.New(fault.Unavailable, "%s is missing at %s, and a killed restore left the old data beside it as %s", p.Name, p.Path, e.Name()).
				Or("run that restore again, or rename the old data back, or remove it")
		}
	}
	return nil
}

func (k *packer) addFile(ctx context.Context, p Place) error {
	from, err := safe.OpenNamed(p.Path)
	if err != nil {
		return err
	}
	defer from.Close()
	return k.addOpen(ctx, p.Name, p.Path, from, p.Secret)
}

// addFolder adds the regular files below a folder. Links are not followed, because their targets may belong to others.
func (k *packer) addFolder(ctx context.Context, p Place) error {
	root, err := safe.OpenRoot(p.Path)
	if err != nil {
		return err
	}
	defer root.Close()
	return k.addBelow(ctx, root, p, ".")
}

func (k *packer) addBelow(ctx context.Context, root *safe.Root, p Place, rel string) error {
	entries, err := root.ReadDir(rel)
	if err != nil {
		return err
	}
	sorting.Stable(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := path.Join(rel, e.Name())
		full := filepath.Join(p.Path, filepath.FromSlash(at))
		switch {
		case file.IsTemporary(e.Name()), e.Name() == stagedMark, k.taken[full]:
			// a temporary file, or a file of another place
		case e.Type()&fs.ModeSymlink != 0:
			k.omit(full, "it is a symbolic link")
		case archive.CheckPath(p.Name+"/"+at) != nil:
			k.omit(full, "its name is not valid on every system")
		case e.IsDir() && e.Name() == ".git":
			k.omit(full, "it is a git repository")
		case e.IsDir():
			err = k.addBelow(ctx, root, p, at)
		case !e.Type().IsRegular():
			k.omit(full, "it is not a regular file")
		default:
			err = k.addEntry(ctx, root, p, at, full)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // the file was removed in the meantime
			return err
		}
	}
	return nil
}

func (k *packer) addEntry(ctx context.Context, root *safe.Root, p Place, at, full string) error {
	from, err := root.Open(at)
	if err != nil {
		return err
	}
	defer from.Close()
	return k.addOpen(ctx, p.Name+"/"+at, full, from, false)
}

// addOpen adds an open file, unless it seems to contain a secret and secrets were not requested.
func (k *packer) addOpen(ctx context.Context, name, full string, from *os.File, secret bool) error {
	st, err := from.Stat()
	if err != nil {
		return err
	}
	if !st.Mode().IsRegular() {
		return safe.ErrNotFile
	}
	var r io.Reader = from
	if !secret && !k.out.Secrets {
		head, err := io.ReadAll(io.LimitReader(from, maxScanned))
		if err != nil {
			return err
		}
		if len(head) < maxScanned {
			if _, n := redact.Text(head); n > 0 {
				k.omit(full, whyLooksSecret)
				return nil
			}
		}
		r = io.MultiReader(bytes.NewReader(head), from)
	}
	x, err := k.to.Add(ctx, name, st.Mode(), r)
	k.part.Files, k.part.Bytes = k.part.Files+1, k.part.Bytes+x.Size
	return err
}

// addDatabase adds a consistent copy of a database.
func (k *packer) addDatabase(ctx context.Context, p Place) error {
	// SQLite creates files beside the database that it writes. Inside a temporary folder they are collected even if this
	// process is killed.
	temp := file.TemporaryName()
	if err := k.dir.Mkdir(temp, 0o700); err != nil {
		return fault.Unwritten(k.out.File, err)
	}
	name := path.Join(temp, file.TemporaryName())
	defer func() { _ = errors.Join(k.dir.Remove(name), k.dir.RemoveDir(temp)) }()
	copied := filepath.Join(k.dir.Name(), filepath.FromSlash(name))
	if err := store.Copy(ctx, store.Named(p.Path), copied); err != nil {
		return err
	}
	from, err := k.dir.Open(name)
	if err != nil {
		return err
	}
	defer from.Close()
	x, err := k.to.Add(ctx, p.Name, 0o600, from)
	k.part.Files, k.part.Bytes = 1, x.Size
	return err
}

func (k *packer) omit(full, why string) {
	k.out.LeftOut = append(k.out.LeftOut, LeftOut{Path: full, Why: why})
}
