package code

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/safe"
)

// A target is the tree that a call is about and the part of it that is meant.
type target struct {
	root   string   // absolute, without symbolic links
	within []string // slash-separated paths below root; empty: all of it
	index  string   // where the index is to lie, if the call says so
	embed  string
	all    bool // what ignore files say does not count
}

// resolve finds the tree for some paths: the one named, or the nearest folder
// above the first path that holds .assay, or the top of its git work tree, or
// the path itself.
func (f *Feature) resolve(p Place, paths []string) (target, error) {
	t := target{index: p.IndexDir, embed: p.Embed, all: p.NoIgnore}
	abs := make([]string, len(paths))
	for i, path := range paths {
		a, err := f.existing(path)
		if err != nil {
			return t, err
		}
		abs[i] = a
	}
	switch {
	case p.Root != "":
		root, err := f.existing(p.Root)
		if err != nil {
			return t, err
		}
		if st, err := os.Stat(root); err == nil && !st.IsDir() {
			return t, fault.New(fault.Usage, "--root %s is not a folder", p.Root)
		}
		t.root = root
	default:
		start := "."
		switch {
		case len(abs) > 0:
			start = abs[0]
		case len(f.cfg.Roots) > 0:
			start = f.cfg.Roots[0]
		}
		real, err := f.existing(start)
		if err != nil {
			return t, err
		}
		if t.root = f.nearest(real); len(f.cfg.Roots) > 0 {
			t.root = f.servedRoot(real)
		}
	}
	if err := f.allowed(t.root, p.Root != ""); err != nil {
		return t, err
	}
	whole := false
	for i, a := range abs {
		rel, err := filepath.Rel(t.root, a)
		if err != nil || !filepath.IsLocal(rel) {
			return t, fault.New(fault.Usage, "%s is outside the project %s, and one search looks into one project", paths[i], t.root).
				Or("search there with its own command, or name a folder above both with --root")
		}
		if rel == "." {
			whole = true
		}
		t.within = append(t.within, filepath.ToSlash(rel))
	}
	if whole {
		t.within = nil
	}
	return t, f.served(t.root, t.within...)
}

// existing returns the absolute path behind all symbolic links. Of paths outside
// the folders that are served it does not even tell whether they exist.
func (f *Feature) existing(path string) (string, error) {
	abs := path
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(f.cfg.WorkDir, abs)
	}
	if len(f.cfg.Roots) > 0 && !slices.ContainsFunc(f.cfg.Roots, func(root string) bool {
		rel, err := filepath.Rel(root, abs)
		return err == nil && filepath.IsLocal(rel)
	}) {
		return "", f.outside(path)
	}
	real, err := filepath.EvalSymlinks(abs)
	switch {
	case err == nil:
		return real, nil
	case errors.Is(err, fs.ErrNotExist):
		e := fault.New(fault.NotFound, "no such file or folder: %s", path)
		return "", e.Or("check the path; relative paths start at %s", f.cfg.WorkDir)
	}
	return "", fault.New(fault.Unavailable, "cannot open %s", path).Because(err)
}

// Project returns the folder of the project that a path lies in.
func (f *Feature) Project(path string) (string, error) {
	start, err := f.existing(path)
	if err != nil {
		return "", err
	}
	return f.nearest(start), nil
}

func (f *Feature) nearest(start string) string {
	dir := start
	if st, err := os.Stat(start); err == nil && !st.IsDir() {
		dir = filepath.Dir(start)
	}
	top, inGit := git.TopLevel(dir)
	for d := dir; !f.tooWide(d); d = filepath.Dir(d) {
		if f.begun(d) {
			return d
		}
		if inGit && d == top { // what lies above a work tree is none of its business
			break
		}
	}
	if inGit && !f.tooWide(top) {
		if real, err := filepath.EvalSymlinks(top); err == nil {
			return real
		}
	}
	return dir
}

// begun reports whether a folder holds an index that this user made on this machine, and
// so is a project to them. Anybody may have put a folder named .assay above another.
func (f *Feature) begun(dir string) bool {
	r, err := safe.OpenRoot(dir)
	if err != nil {
		return false
	}
	defer r.Close()
	if f.cfg.Owner == nil {
		st, err := r.Lstat(".assay")
		return err == nil && st.IsDir()
	}
	index, err := r.Sub(".assay/index")
	if err != nil {
		return false
	}
	defer index.Close()
	owner, err := f.cfg.Owner()
	return err == nil && owner.Owns(index) == nil
}

// tooWide reports whether a folder holds more than anybody's project: the file
// system's root, the user's folder, or one above that.
func (f *Feature) tooWide(dir string) bool {
	if dir == filepath.Dir(dir) {
		return true
	}
	if f.cfg.Home == "" {
		return false
	}
	rel, err := filepath.Rel(dir, f.cfg.Home)
	return err == nil && filepath.IsLocal(rel)
}

func (f *Feature) allowed(root string, named bool) error {
	if !f.tooWide(root) || named && root != filepath.Dir(root) && root != f.cfg.Home {
		return nil
	}
	return fault.New(fault.Usage, "%s is not a project: it would be indexed whole", root).
		Or("change into a project, or name one with --root DIR")
}

// served refuses paths outside the trees that a server was given.
func (f *Feature) served(root string, within ...string) error {
	if len(f.cfg.Roots) == 0 {
		return nil
	}
	if len(within) == 0 {
		within = []string{"."}
	}
	for _, w := range within {
		inside := false
		for _, r := range f.cfg.Roots {
			real, err := f.existing(r)
			if err != nil {
				continue
			}
			rel, err := filepath.Rel(real, filepath.Join(root, filepath.FromSlash(w)))
			inside = inside || err == nil && filepath.IsLocal(rel)
		}
		if !inside {
			return f.outside(filepath.Join(root, w))
		}
	}
	return nil
}

// servedRoot returns the served folder that a path lies in; the path itself where
// a link leads out of all of them, which served refuses.
func (f *Feature) servedRoot(path string) string {
	for _, r := range f.cfg.Roots {
		if real, err := f.existing(r); err == nil {
			if rel, err := filepath.Rel(real, path); err == nil && filepath.IsLocal(rel) {
				return real
			}
		}
	}
	return path
}

func (f *Feature) outside(path string) error {
	return fault.New(fault.Usage, "%s is outside the folders that are served", path).
		Or("the folders served are: %s", strings.Join(f.cfg.Roots, ", "))
}

// indexDir returns where the index of a target lies, and why if that is not
// where one expects it.
func (f *Feature) indexDir(ctx context.Context, t target) (dir, why string, err error) {
	kind := ""
	if t.all { // each of the two trees, with and without what is ignored, stays indexed
		kind = "-all"
	}
	for _, d := range []string{t.index, f.cfg.IndexDir} {
		if d == "" {
			continue
		}
		if !filepath.IsAbs(d) {
			d = filepath.Join(f.cfg.WorkDir, d)
		}
		return d + kind, "", nil
	}
	name := "index" + kind
	own := filepath.Join(t.root, ".assay", name)
	if f.cfg.CacheDir == "" {
		return own, "", nil
	}
	sum := sha256.Sum256([]byte(t.root))
	cache := filepath.Join(f.cfg.CacheDir, hex.EncodeToString(sum[:8])+kind)
	if why := f.distrust(ctx, t.root, ".assay/"+name); why != "" {
		return cache, why, nil
	}
	if file.Network(t.root) {
		return cache, "the tree is on a network file system", nil
	}
	return own, "", nil
}

// distrust says why what lies at an index's place below root is not to be used, or nothing
// where it may be: there is none, or this user made it on this machine.
func (f *Feature) distrust(ctx context.Context, root, index string) string {
	r, err := safe.OpenRoot(root)
	if err != nil {
		return "" // the engine finds the same, and says so
	}
	defer r.Close()
	for _, rel := range []string{".assay", index} {
		st, err := r.Lstat(rel)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return ""
		case err != nil:
			return rel + " cannot be read"
		case st.Mode()&fs.ModeSymlink != 0:
			return rel + " is a symbolic link"
		case !st.IsDir():
			return rel + " is not a folder"
		}
	}
	if git.Tracked(ctx, root, index) {
		return "the one in the tree came with the repository and is not trusted"
	}
	if f.cfg.Owner == nil {
		return ""
	}
	owner, err := f.cfg.Owner()
	if err != nil {
		return "" // nor is any other folder; the engine says so
	}
	if owner.Free(r, index) != nil {
		return "the one in the tree was not made by you on this machine and is not trusted; delete " + index + " to have it there"
	}
	return ""
}

// Indexed reports whether there is an index of the project around the working folder;
// it makes none, as asking that would.
func (f *Feature) Indexed(ctx context.Context) (root string, ok bool, err error) {
	t, err := f.resolve(Place{}, nil)
	if err != nil {
		return "", false, err
	}
	dir, _, err := f.indexDir(ctx, t)
	if err != nil {
		return t.root, false, err
	}
	_, err = os.Stat(filepath.Join(dir, "index.db"))
	return t.root, err == nil, nil
}
