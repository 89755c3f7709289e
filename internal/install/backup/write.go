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

// maxLooked is how much of a file is looked through for secrets: larger ones are no text
// that a person wrote.
const maxLooked = 16 << 20

// A keeper puts places into an archive.
type keeper struct {
	dir   *safe.Root // of the archive
	to    *archive.Writer
	taken map[string]bool
	out   *Kept
	part  Part
}

// write writes the archive temp, and what is in it into out.
func (f *Feature) write(ctx context.Context, dir *safe.Root, temp string, places []Place, out *Kept) error {
	to, err := dir.Create(temp, 0o600)
	if err != nil {
		return fault.Unwritten(out.File, err)
	}
	defer to.Close()
	out.LeftOut = []LeftOut{}
	k := &keeper{dir: dir, out: out, taken: taken(places),
		to: archive.NewWriter(to, archive.List{Made: f.cfg.Now().UTC(), Program: f.cfg.Version, Secrets: out.Secrets})}
	for _, p := range places {
		if p.Secret && !out.Secrets {
			if _, err := os.Lstat(p.Path); err == nil {
				k.omit(p.Path, "it is a secret")
			}
			continue
		}
		if err := k.keep(ctx, p); err != nil {
			return err
		}
	}
	if err := k.to.Close(); err != nil {
		return fault.Unwritten(out.File, err)
	}
	st, err := to.Stat()
	if err == nil {
		err = file.Settled(to, int(st.Size()))
	}
	if err != nil {
		return fault.Unwritten(out.File, err)
	}
	return nil
}

// keep puts one place into the archive, unless nothing is there.
func (k *keeper) keep(ctx context.Context, p Place) error {
	work.Of(ctx).Progress("Keeping "+p.Name, 0, 0)
	k.part = Part{Name: p.Name, Kind: string(p.Kind), Path: p.Path}
	st, err := os.Stat(p.Path) // the user may have arranged the way to it by links
	if errors.Is(err, fs.ErrNotExist) {
		return unfinished(p)
	}
	if err == nil && st.IsDir() != (p.Kind == Folder) {
		err = safe.ErrNotFile
	}
	if err == nil {
		switch p.Kind {
		case Folder:
			err = k.folder(ctx, p)
		case Database:
			err = k.database(ctx, p)
		case File:
			err = k.file(ctx, p)
		}
	}
	if err != nil {
		if fault.Said(err) || ctx.Err() != nil {
			return err
		}
		return fault.New(fault.Unavailable, "keep %s, %s", p.Name, p.Path).Because(err).Or("fix it, or name the other parts with --only")
	}
	if k.part.Files > 0 {
		k.to.Part(archive.Part{Name: p.Name, Kind: string(p.Kind), From: strings.ToValidUTF8(p.Path, "\uFFFD")})
		k.out.add(k.part)
	}
	return nil
}

// unfinished fails where nothing is at a place because a restore was killed between putting
// aside what was there and giving the new its name: an archive without the place would be taken
// for a whole one, and may replace one that is.
func unfinished(p Place) error {
	root, err := safe.OpenRoot(filepath.Dir(p.Path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fault.New(fault.Unavailable, "look for %s at %s", p.Name, p.Path).Because(err)
	}
	defer root.Close()
	entries, err := root.ReadDir(".")
	if err != nil {
		return fault.New(fault.Unavailable, "look for %s at %s", p.Name, p.Path).Because(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(p.Path)+putAside) {
			return fault.New(fault.Unavailable, "%s is not at %s, and beside it is %s, which a restore put aside", p.Name, p.Path, e.Name()).
				Or("run that restore again, or give the one beside it its name back, or remove it")
		}
	}
	return nil
}

func (k *keeper) file(ctx context.Context, p Place) error {
	from, err := safe.OpenNamed(p.Path)
	if err != nil {
		return err
	}
	defer from.Close()
	return k.open(ctx, p.Name, p.Path, from, p.Secret)
}

// folder puts the regular files below a folder into the archive. What is reached by a link
// is somebody else's.
func (k *keeper) folder(ctx context.Context, p Place) error {
	root, err := safe.OpenRoot(p.Path)
	if err != nil {
		return err
	}
	defer root.Close()
	return k.below(ctx, root, p, ".")
}

func (k *keeper) below(ctx context.Context, root *safe.Root, p Place, rel string) error {
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
			// it is gone soon, or a part of its own
		case e.Type()&fs.ModeSymlink != 0:
			k.omit(full, "it is a link")
		case archive.Valid(p.Name+"/"+at) != nil:
			k.omit(full, "its name cannot be written on every system")
		case e.IsDir() && e.Name() == ".git":
			k.omit(full, "it is the history of a repository")
		case e.IsDir():
			err = k.below(ctx, root, p, at)
		case !e.Type().IsRegular():
			k.omit(full, "it is not a file")
		default:
			err = k.entry(ctx, root, p, at, full)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // somebody removed it meanwhile
			return err
		}
	}
	return nil
}

func (k *keeper) entry(ctx context.Context, root *safe.Root, p Place, at, full string) error {
	from, err := root.Open(at)
	if err != nil {
		return err
	}
	defer from.Close()
	return k.open(ctx, p.Name+"/"+at, full, from, false)
}

// open puts an open file into the archive, unless it holds a secret that nobody asked for.
func (k *keeper) open(ctx context.Context, name, full string, from *os.File, secret bool) error {
	st, err := from.Stat()
	if err != nil {
		return err
	}
	if !st.Mode().IsRegular() {
		return safe.ErrNotFile
	}
	var r io.Reader = from
	if !secret && !k.out.Secrets {
		head, err := io.ReadAll(io.LimitReader(from, maxLooked))
		if err != nil {
			return err
		}
		if len(head) < maxLooked {
			if _, n := redact.Text(head); n > 0 {
				k.omit(full, "something in it looks like a secret")
				return nil
			}
		}
		r = io.MultiReader(bytes.NewReader(head), from)
	}
	x, err := k.to.Add(ctx, name, st.Mode(), r)
	k.part.Files, k.part.Bytes = k.part.Files+1, k.part.Bytes+x.Size
	return err
}

// database puts a copy of a database into the archive, as it is at one moment.
func (k *keeper) database(ctx context.Context, p Place) error {
	// SQLite puts files beside the one that it writes: with such names in such a folder
	// they are collected if this process is killed.
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

func (k *keeper) omit(full, why string) {
	k.out.LeftOut = append(k.out.LeftOut, LeftOut{Path: full, Why: why})
}
