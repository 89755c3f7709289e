package workspace

import (
	"cmp"
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

// A Place is what a call says of the tree that it means, as its user wrote it.
type Place struct {
	Root     string // of the project; empty: found from the path or the working directory
	IndexDir string // of the index; empty: where the workspace has it
	NoIgnore bool   // read what ignore files exclude too
	Embed    string // embedding provider; empty: the one of the settings
}

// A Target is the tree that a call is about and the part of it that is meant.
type Target struct {
	Root   string   // absolute, without symbolic links
	Within []string // slash-separated paths below Root; empty: all of it

	place Place
}

// Resolve finds the tree for some paths: the one named, or the nearest folder
// above the first path that holds .assay, or the top of its git work tree, or
// the path itself.
func (w *Workspace) Resolve(p Place, paths []string) (Target, error) {
	t := Target{place: p}
	abs := make([]string, len(paths))
	for i, path := range paths {
		a, err := w.Existing(path)
		if err == nil {
			err = readable(path, a)
		}
		if err != nil {
			return t, err
		}
		abs[i] = a
	}
	switch {
	case p.Root != "":
		root, err := w.Folder(p.Root)
		if err != nil {
			return t, err
		}
		if st, err := os.Stat(root); err == nil && !st.IsDir() {
			return t, fault.New(fault.Usage, "--root %s is not a folder", p.Root)
		}
		t.Root = root
	default:
		start := "."
		switch {
		case len(abs) > 0:
			start = abs[0]
		case len(w.cfg.Roots) > 0:
			start = w.cfg.Roots[0]
		}
		real, _, err := w.behindLinks(start)
		if err != nil {
			return t, err
		}
		if t.Root = w.nearest(real); len(w.cfg.Roots) > 0 {
			t.Root = w.servedRoot(real)
		}
	}
	if err := w.allowed(t.Root, p.Root != ""); err != nil {
		return t, err
	}
	whole := false
	for i, a := range abs {
		rel, err := filepath.Rel(t.Root, a)
		if err != nil || !filepath.IsLocal(rel) {
			return t, fault.New(fault.Usage, "%s is outside the project %s, and one search looks into one project", paths[i], t.Root).
				Or("search there with its own command, or name a folder above both with --root")
		}
		if rel == "." {
			whole = true
		}
		t.Within = append(t.Within, filepath.ToSlash(rel))
	}
	if whole {
		t.Within = nil
	}
	return t, w.served(t.Root, t.Within...)
}

// Existing returns the absolute path behind all symbolic links, of which none may lead out of
// the project that it stands in. Of paths outside the folders that are served it does not even
// tell whether they exist.
func (w *Workspace) Existing(path string) (string, error) {
	return w.inside(path, w.leadsOut)
}

// Folder is Existing for the folder of a project, which the user may name through a link of
// another project than the one around the working directory.
func (w *Workspace) Folder(path string) (string, error) {
	return w.inside(path, w.rootLeadsOut)
}

// inside returns the path behind all symbolic links, unless leadsOut refuses it.
func (w *Workspace) inside(path string, leadsOut func(path, abs, real string) error) (string, error) {
	real, abs, err := w.behindLinks(path)
	if err == nil && len(w.cfg.Roots) == 0 { // served compares what is behind a link with what is served
		err = leadsOut(path, abs, real)
	}
	if err != nil {
		return "", err
	}
	return real, nil
}

// behindLinks returns the absolute path behind all symbolic links, and before.
func (w *Workspace) behindLinks(path string) (real, abs string, err error) {
	abs = path
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(w.start(), abs)
	}
	if len(w.cfg.Roots) > 0 && !slices.ContainsFunc(w.cfg.Roots, func(root string) bool { return below(root, abs) }) {
		return "", abs, w.outside(path)
	}
	real, err = filepath.EvalSymlinks(abs)
	switch {
	case err == nil:
		return real, abs, nil
	case errors.Is(err, fs.ErrNotExist):
		e := fault.New(fault.NotFound, "no such file or folder: %s", path)
		return "", abs, e.Or("check the path; relative paths start at %s", w.start())
	}
	return "", abs, fault.New(fault.Unavailable, "cannot open %s", path).Because(err)
}

// start returns where relative paths start: at the working directory or, for a server of one tree
// that was started elsewhere, at that tree. Otherwise each word that a client asks for would be a path
// outside of what is served.
func (w *Workspace) start() string {
	if len(w.cfg.Roots) == 1 && !below(w.cfg.Roots[0], w.cfg.WorkDir) {
		return w.cfg.Roots[0]
	}
	return w.cfg.WorkDir
}

// Project returns the folder of the project that a path is in.
func (w *Workspace) Project(path string) (string, error) {
	start, err := w.Folder(path)
	if err != nil {
		return "", err
	}
	return w.nearest(start), nil
}

func (w *Workspace) nearest(start string) string {
	dir := start
	if st, err := os.Stat(start); err == nil && !st.IsDir() {
		dir = filepath.Dir(start)
	}
	top, inGit := git.TopLevel(dir)
	for d := dir; !w.tooWide(d); d = filepath.Dir(d) {
		if w.begun(d) {
			return d
		}
		if inGit && d == top { // what lies above a work tree is none of its business
			break
		}
	}
	if inGit && !w.tooWide(top) {
		if real, err := filepath.EvalSymlinks(top); err == nil {
			return real
		}
	}
	return dir
}

// begun reports whether a folder holds an index that this user made on this machine, and
// so is a project to them. Anybody may have put a folder named .assay above another.
func (w *Workspace) begun(dir string) bool {
	r, err := safe.OpenRoot(dir)
	if err != nil {
		return false
	}
	defer r.Close()
	if w.cfg.Owner == nil {
		st, err := r.Lstat(".assay")
		return err == nil && st.IsDir()
	}
	index, err := r.Sub(".assay/index")
	if err != nil {
		return false
	}
	defer index.Close()
	owner, err := w.cfg.Owner()
	return err == nil && owner.Owns(index) == nil
}

// tooWide reports whether a folder holds more than anybody's project: the file
// system's root, the user's folder, or one above that.
func (w *Workspace) tooWide(dir string) bool {
	if dir == filepath.Dir(dir) {
		return true
	}
	if w.cfg.Home == "" {
		return false
	}
	return below(dir, w.cfg.Home)
}

// below reports whether a path is a folder or in it, by their names.
func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

func (w *Workspace) allowed(root string, named bool) error {
	if !w.tooWide(root) || named && root != filepath.Dir(root) && root != w.cfg.Home {
		return nil
	}
	return fault.New(fault.Usage, "%s is not a project: it would be indexed whole", root).
		Or("change into a project, or name one with --root DIR")
}

// served refuses paths outside the trees that a server was given.
func (w *Workspace) served(root string, within ...string) error {
	if len(w.cfg.Roots) == 0 {
		return nil
	}
	if len(within) == 0 {
		within = []string{"."}
	}
	for _, part := range within {
		inside := false
		for _, r := range w.cfg.Roots {
			real, _, err := w.behindLinks(r)
			if err != nil {
				continue
			}
			inside = inside || below(real, filepath.Join(root, filepath.FromSlash(part)))
		}
		if !inside {
			return w.outside(filepath.Join(root, part))
		}
	}
	return nil
}

// servedRoot returns the served folder that a path is in; the path itself where
// a link leads out of all of them, which served refuses.
func (w *Workspace) servedRoot(path string) string {
	for _, r := range w.cfg.Roots {
		if real, _, err := w.behindLinks(r); err == nil && below(real, path) {
			return real
		}
	}
	return path
}

func (w *Workspace) outside(path string) error {
	return fault.New(fault.Usage, "%s is outside the folders that are served", path).
		Or("the folders served are: %s", strings.Join(w.cfg.Roots, ", "))
}

// indexDir returns where the index of a target lies, and why if that is not
// where one expects it.
func (w *Workspace) indexDir(ctx context.Context, t Target) (dir, why string, err error) {
	if t.place.IndexDir != "" && w.cfg.Server { // a cursor that a client made up may name one
		return "", "", fault.New(fault.Usage, "a server decides where its indexes are").Or("omit index_dir")
	}
	kind := ""
	if t.place.NoIgnore { // each of the two trees, with and without what is ignored, stays indexed
		kind = "-all"
	}
	repo, several := w.among(t.Root)
	if d := cmp.Or(t.place.IndexDir, w.cfg.IndexDir); d != "" {
		if !filepath.IsAbs(d) {
			d = filepath.Join(w.cfg.WorkDir, d)
		}
		if several { // in one folder each would throw out what the other has
			d = filepath.Join(d, ownName(t.Root, repo))
		}
		return d + kind, "", nil
	}
	// The index of a part has a place of its own, too.
	if !repo.Whole() {
		return filepath.Join(w.cfg.CacheDir, ownName(t.Root, repo)+kind), "", nil
	}
	name := "index" + kind
	own := filepath.Join(t.Root, ".assay", name)
	if w.cfg.CacheDir == "" {
		return own, "", nil
	}
	cache := filepath.Join(w.cfg.CacheDir, ownName(t.Root, nil)+kind)
	if why := w.distrust(ctx, t.Root, ".assay/"+name); why != "" {
		return cache, why, nil
	}
	if file.Network(t.Root) {
		return cache, "the tree is on a network file system", nil
	}
	return own, "", nil
}

// ownName is what the index of a tree, or of a part of it, is called beside others.
func ownName(root string, part *Repo) string {
	if !part.Whole() {
		root += "\x00" + part.rules.text
	}
	sum := sha256.Sum256([]byte(root))
	return hex.EncodeToString(sum[:8])
}

// distrust says why what lies at an index's place below root is not to be used, or nothing
// where it may be: there is none, or this user made it on this machine.
func (w *Workspace) distrust(ctx context.Context, root, index string) string {
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
	if git.IsTracked(ctx, root, index) {
		return "the one in the tree came with the repository and is not trusted"
	}
	if w.cfg.Owner == nil {
		return ""
	}
	owner, err := w.cfg.Owner()
	if err != nil {
		return "" // nor is any other folder; the engine says so
	}
	if owner.Free(r, index) != nil {
		return "the one in the tree was not made here by you, but came with the files, and is not trusted; delete " + index + " to have it there"
	}
	return ""
}

// Indexed reports whether there is an index of the project around the working folder;
// it makes none, as asking that would.
func (w *Workspace) Indexed(ctx context.Context) (root string, ok bool, err error) {
	t, err := w.Resolve(Place{}, nil)
	if err != nil {
		return "", false, err
	}
	dir, _, err := w.indexDir(ctx, t)
	if err != nil {
		return t.Root, false, err
	}
	_, err = os.Stat(filepath.Join(dir, "index.db"))
	return t.Root, err == nil, nil
}
