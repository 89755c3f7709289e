// Package discover finds the texts of a tree. A walk honours the ignore files of
// the tree and lists the same files in the same order each time; it follows no
// symbolic link, opens nothing but folders and ignore files, and so neither
// leaves its root nor waits for a pipe.
//
// # What is omitted
//
//   - what .ignore, .ckignore and .assayignore say at every level, and in a git work
//     tree what .gitignore does, up to its top, and .git/info/exclude. Outside a work tree
//     .gitignore says nothing, as for ripgrep: an unpacked archive may come with one
//     that ignores all of it. The user's global
//     core.excludesFile is not read: the same tree has the same files for
//     everybody.
//   - symbolic links: what they point to is found under its own name.
//   - pipes, sockets and devices.
//   - what looks by its name as if it held a secret: .env, private keys,
//     credentials (see secretName).
//   - folders of version control (.git .hg .svn .jj .bzr _darcs CVS), of this
//     program and its like (.assay .ck), of packages and caches that programs
//     fetch or write (node_modules bower_components __pycache__ .tox .nox
//     .mypy_cache .pytest_cache .ruff_cache .gradle .terraform .eggs), and Python
//     environments (folders that hold pyvenv.cfg).
//
// Other hidden files and folders are walked.
package discover

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// A File is what a directory entry says of a file worth looking at.
type File struct {
	Name         string
	Size         int64
	Mtime, Ctime int64 // nanoseconds; Ctime is 0 where the system has none
	Inode        uint64
}

// A Dir is one folder of the tree that holds files.
type Dir struct {
	Path  string // slash-separated, relative; empty for the root
	Files []File // by name
}

// Keep leaves of a tree the files for whose paths has reports true.
func (t *Tree) Keep(has func(path string) bool) {
	for i := range t.Dirs {
		d := &t.Dirs[i]
		d.Files = slices.DeleteFunc(d.Files, func(f File) bool { return !has(path.Join(d.Path, f.Name)) })
	}
	t.Dirs = slices.DeleteFunc(t.Dirs, func(d Dir) bool { return len(d.Files) == 0 })
	all := len(t.Secrets)
	t.Secrets = slices.DeleteFunc(t.Secrets, func(file string) bool { return !has(file) })
	if all == t.Skipped[secret] { // else nothing says where the others are
		t.Skipped[secret] = len(t.Secrets)
	}
}

// A Reason says why something was omitted from a tree.
type Reason string

// The reasons.
const (
	byRule     Reason = "ignored" // a folder counts once, whatever is in it
	secret     Reason = "secret"
	special    Reason = "special" // a pipe, a socket, a device
	symlink    Reason = "symlink"
	Unreadable Reason = "unreadable"
)

// A Tree is what a walk found.
type Tree struct {
	Dirs    []Dir // by path
	Skipped map[Reason]int
	Secrets []string  // the first of the files that are left out for names of secrets, in order
	Errors  []error   // what could not be read, at most 20
	At      time.Time // when it was looked at, by the clock of who asked for it; zero from Walk

	Rules    []Rule   // those that ignore something, by how much, the most first
	Unheeded []string // .gitignore files outside a git work tree, which say nothing

	// Listing is the walk for Again. It is nil where the options asked for none or where nothing
	// is known by it: something could not be read or changed a moment ago, or the file system
	// keeps no stamps that can be relied on.
	Listing []byte
}

// A Rule is a line of an ignore file and how many files and folders it ignores; a
// folder counts once, whatever is in it.
type Rule struct {
	File  string // relative to the top of the git work tree, or else to the root
	Line  int
	Count int
}

const maxErrors = 20

// Options say how to walk.
type Options struct {
	Workers int  // 0: as many as there are processors, at most 8
	All     bool // what ignore files say does not count
	// Listing is when the walk began, by the clock that stamps files: the tree is to have a
	// Listing. Zero: it needs none.
	Listing time.Time
}

func (o Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return min(runtime.GOMAXPROCS(0), 8)
}

// Walk lists the files below root. What cannot be read is counted in the tree;
// the error says that root itself cannot be, or that ctx ended.
func Walk(ctx context.Context, root string, opt Options) (*Tree, error) {
	w, err := walk(ctx, root, opt, false)
	if err != nil {
		return nil, err
	}
	return w.tree, nil
}

// A job is a folder to scan.
type job struct {
	path  string
	rules *rules // of the folders above it
	repo  bool   // it is in a work tree of git
}

// A walker shares the folders still to be looked at among its workers.
type walker struct {
	root   string
	prefix string // path of root below the top of its git work tree, with a slash
	all    bool   // see Options
	stamps bool   // of folders and ignore files are wanted, for a listing
	tree   *Tree
	folder map[string]*rules // every folder that was looked at; nil if nobody asked

	mu   sync.Mutex
	more sync.Cond
	jobs []job
	open int // jobs that are queued or worked on
	stop bool
}

func walk(ctx context.Context, root string, opt Options, folders bool) (*walker, error) {
	st, err := os.Stat(root)
	if err != nil {
		return nil, fmt.Errorf("walk: %w", err)
	}
	if !st.IsDir() {
		return nil, fmt.Errorf("walk %s: it is not a folder", root)
	}
	w := &walker{root: root, tree: &Tree{Skipped: map[Reason]int{}}, open: 1, all: opt.All, stamps: !opt.Listing.IsZero()}
	w.more.L = &w.mu
	if folders {
		w.folder = map[string]*rules{}
	}
	above, prefix := outer(root)
	w.prefix = prefix
	if opt.All {
		above = nil
	}
	_, repo := git.TopLevel(root)
	w.jobs = []job{{rules: above, repo: repo}}
	defer context.AfterFunc(ctx, w.end)()

	scans := make([]*scan, opt.workers())
	for i := range scans {
		s, err := newScan(w)
		if err != nil {
			for _, s := range scans[:i] {
				s.list.end()
			}
			return nil, fmt.Errorf("walk: %w", err)
		}
		scans[i] = s
	}
	var wg sync.WaitGroup
	for _, s := range scans {
		wg.Go(s.run)
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w.gather(scans)
	if w.stamps {
		w.tree.Listing = w.list(scans, opt, above.governs(prefix, repo))
	}
	return w, nil
}

func (w *walker) end() {
	w.mu.Lock()
	w.stop = true
	w.mu.Unlock()
	w.more.Broadcast()
}

// next returns a folder to scan, false when none is left.
func (w *walker) next() (job, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.jobs) == 0 && w.open > 0 && !w.stop {
		w.more.Wait()
	}
	if w.stop || len(w.jobs) == 0 {
		return job{}, false
	}
	j := w.jobs[len(w.jobs)-1]
	w.jobs = w.jobs[:len(w.jobs)-1]
	return j, true
}

// done says that a folder was looked at, and what it had in it.
func (w *walker) done(found []job) {
	w.mu.Lock()
	w.jobs = append(w.jobs, found...)
	w.open += len(found) - 1
	ended := w.open == 0
	w.mu.Unlock()
	if ended || len(found) > 1 {
		w.more.Broadcast()
	} else if len(found) == 1 {
		w.more.Signal()
	}
}

// gather puts together what the workers found.
func (w *walker) gather(scans []*scan) {
	t := w.tree
	n := 0
	for _, s := range scans {
		n += len(s.dirs)
	}
	t.Dirs = make([]Dir, 0, n)
	for _, s := range scans {
		t.Dirs = append(t.Dirs, s.dirs...)
		t.Errors = append(t.Errors, s.errs...)
		t.Secrets = append(t.Secrets, s.secrets...)
		for i, n := range s.skipped {
			if n > 0 {
				t.Skipped[reasons[i]] += n
			}
		}
		for _, f := range s.folders {
			w.folder[f.path] = f.rules
		}
	}
	counts := map[ruleAt]int{}
	for _, s := range scans {
		for at, n := range s.ignored {
			counts[at] += n
		}
		t.Unheeded = append(t.Unheeded, s.unheeded...)
	}
	for at, n := range counts {
		t.Rules = append(t.Rules, Rule{at.file, at.line, n})
	}
	sorting.Stable(t.Rules, func(a, b Rule) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	slices.Sort(t.Unheeded)
	slices.Sort(t.Secrets)
	t.Secrets = t.Secrets[:min(len(t.Secrets), maxSecrets)]
	sorting.Stable(t.Dirs, func(a, b Dir) int { return strings.Compare(a.Path, b.Path) })
	sorting.Stable(t.Errors, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	t.Errors = t.Errors[:min(len(t.Errors), maxErrors)]
}

// maxSecrets is how many of the files that hold secrets are named.
const maxSecrets = 5

// Ignored says why the walk of root omits rel, a slash-separated path below
// it, if it exists and is omitted.
func Ignored(root, rel string) (reason string, ok bool) {
	rel = filepath.ToSlash(filepath.Clean(filepath.FromSlash(rel)))
	if rel == "." || !filepath.IsLocal(filepath.FromSlash(rel)) {
		return "", false
	}
	r, prefix := outer(root)
	_, repo := git.TopLevel(root)
	full := prefix
	at := root
	for part := range strings.SplitSeq(rel, "/") {
		r, repo = r.inside(at, full, repo)
		at = filepath.Join(at, part)
		st, err := os.Lstat(at)
		if err != nil {
			return "", false
		}
		name := len(full)
		path := full + part
		full = path + "/"
		if why := leftOut(r, path, name, kindOf(st.Mode())); why != "" {
			if path != prefix+rel {
				why = strings.TrimPrefix(path, prefix) + " is " + why
			}
			return why, true
		}
		if st.IsDir() && isVenv(at) {
			return "in a Python environment", true
		}
	}
	return "", false
}

// inside returns the rules that hold in the folder at path, known as below, and whether
// it is in a work tree of git.
func (r *rules) inside(path, below string, repo bool) (*rules, bool) {
	if _, err := os.Lstat(filepath.Join(path, ".git")); err == nil {
		if repo = true; r != nil && r.base < len(below) {
			r = r.foreign()
		}
	}
	return r.folder(path, below, repo), repo
}

func leftOut(r *rules, path string, name int, kind uint8) string {
	switch kind {
	case kindLink:
		return "a symbolic link"
	case kindSpecial:
		return "not a regular file"
	case kindDir:
		if skipDir([]byte(path[name:])) {
			return "a folder that is never read"
		}
	default:
		if path[name:] == ".git" {
			return "of git itself"
		}
	}
	if by, p := r.match([]byte(path), name, kind == kindDir); p != nil && !p.negated {
		return fmt.Sprintf("ignored by %s, line %d", by.file, p.line)
	}
	if kind == kindFile && secretName([]byte(path)) {
		return "left out because its name says that it holds a secret"
	}
	return ""
}

func isVenv(dir string) bool {
	st, err := os.Lstat(filepath.Join(dir, "pyvenv.cfg"))
	return err == nil && st.Mode().IsRegular()
}
