package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
)

// A link of a project may lead anywhere, because whoever wrote the project made it. So a path
// that is named must not lead, by a link, out of the project in which that link stands: the
// folder behind it would be indexed, and get an index, though nobody named it.

// leadsOut refuses a path that leads out of a project by a link. real is behind all links.
func (w *Workspace) leadsOut(path, abs, real string) error {
	return w.followLinks(path, abs, real, func(dir string) string {
		here := w.standing()
		switch {
		case below(here, dir) && !w.tooWide(here):
			return here
		case w.tooWide(dir): // in the root of the file system or the user's folder there are only the user's own links
			return ""
		}
		return w.nearest(dir)
	})
}

// rootLeadsOut is leadsOut for a folder that is named as a project. Outside the project one
// stands in the user may name it through any link.
func (w *Workspace) rootLeadsOut(path, abs, real string) error {
	return w.followLinks(path, abs, real, func(dir string) string {
		here := w.standing()
		if below(here, dir) && !w.tooWide(here) {
			return here
		}
		return ""
	})
}

// standing returns the project around the working directory.
func (w *Workspace) standing() string {
	dir := w.start()
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return w.nearest(dir)
}

// followLinks walks along a path and refuses the first link that leads out of the project that
// around returns for the folder of the link; "" is any.
func (w *Workspace) followLinks(path, abs, real string, around func(dir string) string) error {
	// The working directory may itself be behind a link: the user went there.
	for _, from := range slices.Concat([]string{w.cfg.WorkDir}, w.cfg.Roots) {
		at, err := filepath.EvalSymlinks(from)
		if rel, e := filepath.Rel(from, abs); err == nil && e == nil && filepath.IsLocal(rel) {
			abs = filepath.Join(at, rel)
			break
		}
	}
	if abs == real {
		return nil
	}
	dir := filepath.VolumeName(abs) + string(filepath.Separator)
	for name := range strings.SplitSeq(strings.Trim(abs[len(filepath.VolumeName(abs)):], string(filepath.Separator)), string(filepath.Separator)) {
		at := filepath.Join(dir, name)
		st, err := os.Lstat(at)
		if err != nil {
			return nil // it existed a moment ago: the next who opens it says so
		}
		if st.Mode()&fs.ModeSymlink == 0 {
			dir = at
			continue
		}
		to, err := filepath.EvalSymlinks(at)
		if err != nil {
			return nil
		}
		if project := around(dir); project != "" && !below(project, to) {
			e := fault.New(fault.Usage, "%s leads out of the project %s: %s is a link to %s", path, project, at, to)
			if readable(path, real) != nil {
				return e.Or("name a file or a folder of the project")
			}
			return e.Or("if that is meant, name it without the link: %s", real)
		}
		dir = to
	}
	return nil
}

// readable refuses a path that is neither a file nor a folder: a pipe or a device has no
// text to ask about, and its folder is nobody's project.
func readable(path, real string) error {
	st, err := os.Stat(real)
	if err != nil {
		return nil //nolint:nilerr // because who opens it says why it cannot be read
	}
	if st.IsDir() || st.Mode().IsRegular() {
		return nil
	}
	return fault.New(fault.Usage, "%s is %s, neither a file nor a folder", path, nature(st.Mode())).Or("name a file or a folder")
}

// nature says in words what a file is that is not a regular one.
func nature(m fs.FileMode) string {
	switch {
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "a special file"
}

// Filters returns paths that answers are limited to, as they are below root. One that is outside
// is refused: an answer without anything would claim that there is nothing.
func (w *Workspace) Filters(root string, paths []string) ([]string, error) {
	out := make([]string, len(paths))
	for i, path := range paths {
		out[i] = path
		if path == "" || strings.ContainsAny(path, "*?[{") { // a glob matches what is indexed
			continue
		}
		at := filepath.Join(root, filepath.FromSlash(path))
		if _, err := os.Lstat(at); filepath.IsAbs(path) && err != nil { // else it is meant from the root
			at = filepath.Clean(path)
		}
		real, err := filepath.EvalSymlinks(at)
		switch {
		case !below(root, at) && w.inAnother(root, at):
			continue // it is asked there
		case !below(root, at) && (err != nil || !below(root, real)):
			return nil, w.notBelow(path, root)
		case err != nil:
			continue // there is nothing, and the answer says so
		case !below(root, real) && len(w.cfg.Roots) > 0:
			return nil, w.outside(path)
		case !below(root, real):
			if err := w.leadsOut(path, at, real); err != nil {
				return nil, err
			}
			return nil, w.notBelow(path, root)
		}
		if rel, err := filepath.Rel(root, real); err == nil {
			out[i] = filepath.ToSlash(rel)
		}
	}
	return out, nil
}

// inAnother reports whether a path is in a repository that is asked beside the one at root.
func (w *Workspace) inAnother(root, at string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for other := range w.known {
		if other != root && w.known[root] != nil && below(other, at) {
			return true
		}
	}
	return false
}

// notBelow refuses a path outside the tree that is asked.
func (w *Workspace) notBelow(path, root string) error {
	if len(w.cfg.Roots) > 0 {
		return w.outside(path)
	}
	return fault.New(fault.Usage, "%s is outside the project %s", path, root).Or("name a path of the project, or another project with --root")
}
