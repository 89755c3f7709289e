package workspace

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/discover"
)

const (
	maxListed    = 1 << 20 // bytes of a workspace file
	mostListed   = 500     // repositories in it
	leastRefresh = time.Minute
)

// A listed is the form of a workspace file. One is read only where the user names it: it may
// have come with a project, and says which folders are read.
type listed struct {
	Refresh      string        `yaml:"refresh"` // of the repositories that do not say
	Repositories []listedEntry `yaml:"repositories"`
}

type listedEntry struct {
	Name    string   `yaml:"name"`
	Path    string   `yaml:"path"`
	Git     string   `yaml:"git"`
	Branch  string   `yaml:"branch"`
	Refresh string   `yaml:"refresh"`
	Include []string `yaml:"include"`
	Exclude []string `yaml:"exclude"`
}

// repoName is what a name may be: one that is a word on a command line and in a label.
var repoName = lazy.Regexp(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}(/[A-Za-z0-9][A-Za-z0-9._-]{0,63})*$`)

// Listed returns the repositories of a workspace file, or of the one in the user's settings
// where none is named.
func (w *Workspace) Listed(file string) ([]Repo, error) {
	if len(w.cfg.Roots) > 0 { // a cursor that a client made up may name a file
		return nil, fault.New(fault.Usage, "a server answers only about the folders that it was started with").Or("omit workspace")
	}
	own := file == ""
	if own {
		if file = w.cfg.File; file == "" {
			return nil, fault.New(fault.Usage, "no workspace is named").
				Or("list the repositories in a file and give it with --workspace FILE, or for good: assay config set workspace FILE")
		}
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(w.cfg.WorkDir, file)
	}
	f, err := safe.OpenNamed(file)
	if err != nil {
		return nil, fault.New(fault.NotFound, "workspace file").Because(err).Or("name one with --workspace FILE")
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxListed+1))
	if err != nil {
		return nil, fault.New(fault.Unavailable, "read %s", file).Because(err)
	}
	return w.parse(file, text, own)
}

// parse reads a workspace file. One that is not in the user's settings may have come with a
// project: then it names nothing but what is beside it.
func (w *Workspace) parse(file string, text []byte, own bool) ([]Repo, error) {
	wrong := func(format string, args ...any) ([]Repo, error) {
		return nil, fault.New(fault.Usage, "%s: "+format, append([]any{filepath.Base(file)}, args...)...).Or("it is a list: repositories: [{path: ../api, exclude: [vendor]}, {git: https://HOST/web.git, branch: main, refresh: 15m}]")
	}
	if len(text) > maxListed {
		return wrong("it is larger than %d KiB", maxListed>>10)
	}
	var in listed
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(&in); err != nil && !errors.Is(err, io.EOF) {
		return wrong("%v", strings.ReplaceAll(strings.TrimPrefix(err.Error(), "yaml: "), "\n", " "))
	}
	if len(in.Repositories) == 0 || len(in.Repositories) > mostListed {
		return wrong("it lists %d repositories, not 1..%d", len(in.Repositories), mostListed)
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(file))
	if err != nil {
		return wrong("%v", err)
	}
	seen := map[string]bool{}
	var out []Repo
	for i, e := range in.Repositories {
		r, why := w.entry(dir, e, cmp.Or(e.Refresh, in.Refresh), own)
		switch {
		case why != "":
			return wrong("repository %d: %s", i+1, why)
		case seen[r.Name]:
			return wrong("repository %d: the name %s is taken; give it another with name", i+1, r.Name)
		}
		seen[r.Name] = true
		out = append(out, r)
	}
	return out, nil
}

// entry reads one repository, or says what is wrong with it.
func (w *Workspace) entry(dir string, e listedEntry, refresh string, own bool) (r Repo, why string) {
	switch {
	case (e.Path == "") == (e.Git == ""):
		return r, "it needs either path or git"
	case e.Path != "" && (e.Branch != "" || e.Refresh != ""):
		return r, "branch and refresh are of repositories by git: a path is as it is"
	case e.Path != "":
		r.Root = filepath.FromSlash(e.Path)
		if !filepath.IsAbs(r.Root) {
			r.Root = filepath.Join(dir, r.Root)
		}
		r.Root = filepath.Clean(r.Root)
		if why := w.mayName(dir, r.Root, own); why != "" {
			return r, why
		}
	default:
		at, why := fetchable(e.Git, e.Branch)
		if why == "" && at != "" {
			why = w.mayName(dir, at, own)
		}
		if why != "" {
			return r, why
		}
		r.URL, r.Branch = e.Git, e.Branch
		sum := sha256.Sum256([]byte(e.Git + "\x00" + e.Branch))
		r.Root = filepath.Join(w.cfg.CacheDir, "repos", hex.EncodeToString(sum[:12]))
		if refresh != "" {
			d, err := time.ParseDuration(refresh)
			if err != nil || d < leastRefresh {
				return r, fmt.Sprintf("refresh %q is no duration of %v or more, such as 15m", refresh, leastRefresh)
			}
			r.Refresh = d
		}
	}
	if r.Name = e.Name; r.Name == "" {
		r.Name = strings.TrimSuffix(lastParts(cmp.Or(e.Git, r.Root), 1), ".git")
	}
	if !repoName.MatchString(r.Name) {
		return r, fmt.Sprintf("%.80q is no name: letters, digits, and ._- between them", r.Name)
	}
	if len(e.Include)+len(e.Exclude) > 0 {
		r.rules = &rules{some: len(e.Include) > 0, text: fmt.Sprintf("%q %q", e.Include, e.Exclude)}
		var err, err2 error
		r.rules.include, err = discover.NewGlobs(e.Include)
		r.rules.exclude, err2 = discover.NewGlobs(e.Exclude)
		if err = cmp.Or(err, err2); err != nil {
			return r, err.Error()
		}
	}
	return r, ""
}

// mayName says why a workspace file in dir may not name a folder, or nothing. The file of
// the user's own settings may name any.
func (w *Workspace) mayName(dir, root string, own bool) string {
	if own {
		return ""
	}
	outside := root + " is neither below nor beside the folder of the workspace file"
	beside := filepath.Dir(dir)
	real := root
	if r, err := filepath.EvalSymlinks(root); err == nil {
		real = r
	}
	if w.tooWide(beside) { // beside it is all that the user has
		if home, err := filepath.EvalSymlinks(w.cfg.Home); err == nil && home == beside {
			if isRepoDirectlyIn(home, real) {
				return ""
			}
			outside = fmt.Sprintf("%s is not below the folder of the workspace file, and beside it, in %s, such a file may name git repositories alone",
				root, beside)
		}
		beside = dir
	}
	if !below(beside, real) {
		return outside + "; a file that you trust with more is named in your settings: assay config set workspace FILE"
	}
	return ""
}

// isRepoDirectlyIn reports whether a folder is a repository directly in the user's folder, and none of a program, whose names are
// hidden: keys and passwords may be under git too.
func isRepoDirectlyIn(home, real string) bool {
	top, inGit := git.TopLevel(real)
	isTop := inGit && top == real
	return isTop && filepath.Dir(real) == home && !strings.HasPrefix(filepath.Base(real), ".")
}

// fetchable says why a repository cannot be fetched, or nothing; and where on this machine
// it is, if it is.
func fetchable(address, branch string) (at, why string) {
	if strings.HasPrefix(branch, "-") || strings.ContainsAny(branch, "\x00\r\n ") {
		return "", fmt.Sprintf("%.80q is no name of a branch", branch)
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" && u.Scheme != "file" || !slices.Contains([]string{"https", "http", "ssh", "git", "file"}, u.Scheme) {
		return "", "git is not an address such as https://HOST/PATH or ssh://USER@HOST/PATH"
	}
	if _, has := u.User.Password(); has {
		return "", "git holds a password; have git's own helper keep it"
	}
	if u.Scheme == "file" {
		at = filepath.FromSlash(u.Path)
	}
	return at, ""
}

// A Fetched is what fetching a repository came to.
type Fetched struct {
	Commit string
	New    bool // it was not there before
}

// Fetch brings a repository by URL up to date, or here. Only the user's own word makes it
// come here first: a server refreshes, with known, what is there already.
func (w *Workspace) Fetch(ctx context.Context, r Repo, known bool) (Fetched, error) {
	if r.URL == "" {
		return Fetched{}, nil
	}
	w.fetching.Lock()
	defer w.fetching.Unlock()
	var c git.Checkout
	_, err := os.Lstat(r.Root)
	isNew := errors.Is(err, fs.ErrNotExist)
	switch {
	case isNew && known:
		return Fetched{}, w.ready(&r)
	case isNew:
		if err := os.MkdirAll(filepath.Dir(r.Root), 0o700); err != nil {
			return Fetched{}, fault.New(fault.Unavailable, "make the folder of fetched repositories").Because(err)
		}
		c, err = git.Clone(git.AllowLocal(ctx, r.URL), r.URL, r.Branch, r.Root)
	default:
		c, err = git.Renew(git.AllowLocal(ctx, r.URL), r.URL, r.Branch, r.Root)
	}
	if err != nil {
		return Fetched{}, fault.New(fault.Unavailable, "fetch repository %s", r.Name).Because(err).Or("what was fetched before stays")
	}
	return Fetched{Commit: c.Commit, New: isNew}, nil
}

// Refresh fetches the repositories that want it as often as they say, until ctx ends, and
// tells what went wrong.
func (w *Workspace) Refresh(ctx context.Context, tell func(format string, args ...any)) {
	for _, r := range w.repos {
		if r.Refresh <= 0 {
			continue
		}
		w.behind.Go(func() {
			t := time.NewTicker(r.Refresh)
			defer t.Stop()
			for {
				select {
				case <-ctx.Done():
					return
				case <-w.bg.Done():
					return
				case <-t.C:
					if err := w.Again(ctx, r); err != nil {
						tell("%v", err)
					}
				}
			}
		})
	}
}

// Again fetches a repository that is here and indexes what changed.
func (w *Workspace) Again(ctx context.Context, r Repo) error {
	if _, err := w.Fetch(ctx, r, true); err != nil {
		return err
	}
	t, err := w.Resolve(Place{Root: r.Root}, nil)
	if err != nil {
		return err
	}
	_, _, err = w.View(work.With(ctx, work.Report{}), t, Whole)
	return err
}
