package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/code/discover"
)

// Trees is what a call says of several repositories that it asks together.
type Trees struct {
	Repos     []string `json:"repo,omitempty" flag:"repo" help:"only these repositories of the workspace; repeat for more"`
	Workspace string   `json:"workspace,omitempty" flag:"workspace" help:"the file that lists the repositories (default: the setting workspace)"`
	Roots     []string `json:"roots,omitempty"` // folders that are asked together: --root, given again
}

// A Repo is a tree that is asked about beside others.
type Repo struct {
	Name string // unique among those beside it
	Root string // absolute, without symbolic links; of one by URL the checkout that Fetch makes

	URL, Branch string        // where it is fetched from; empty: the tree is somebody's own
	Refresh     time.Duration // how often a server fetches it; 0: never

	rules *rules // nil: all of it
}

// Rules are what of a repository is asked about.
type rules struct {
	include, exclude discover.Globs
	some             bool   // there are includes
	text             string // of all
}

// Has reports whether a path, slash-separated and below the root, is asked about.
func (r *Repo) Has(path string) bool {
	return r == nil || r.rules == nil || (!r.rules.some || r.rules.include.Match(path)) && !r.rules.exclude.Match(path)
}

// Whole reports whether every path is.
func (r *Repo) Whole() bool { return r == nil || r.rules == nil }

// Served returns the repositories that a server answers about; none where any may be asked.
func (w *Workspace) Served() []Repo { return w.repos }

// Named gives folders names: the last parts of their paths, as many as tell them apart.
func Named(roots []string) []Repo {
	out := make([]Repo, len(roots))
	for i, root := range roots {
		out[i] = Repo{Name: lastParts(root, 1), Root: root}
	}
	for n := 2; n < 64; n++ {
		same := map[string]int{}
		for i := range out {
			same[out[i].Name]++
		}
		told := true
		for i := range out {
			if same[out[i].Name] > 1 {
				told, out[i].Name = false, lastParts(out[i].Root, n)
			}
		}
		if told {
			break
		}
	}
	return out
}

// lastParts returns the last n parts of a path.
func lastParts(path string, n int) string {
	all := strings.FieldsFunc(filepath.ToSlash(path), func(c rune) bool { return c == '/' })
	return strings.Join(all[max(0, len(all)-n):], "/")
}

// Repos returns the repositories that a call is about, where it is about several or names
// one of several; none where it is about the tree at root, or around its path.
func (w *Workspace) Repos(t Trees, root string) ([]Repo, error) {
	if root != "" && (len(t.Repos) > 0 || t.Workspace != "") {
		return nil, fault.New(fault.Usage, "--root names one folder, --repo and --workspace repositories").Or("give one of them")
	}
	if len(t.Roots) > 0 && t.Workspace != "" {
		return nil, fault.New(fault.Usage, "--root names folders, --workspace repositories").Or("give one of them")
	}
	all := w.repos
	switch {
	case root != "":
		return nil, nil
	case len(w.cfg.Roots) > 0 && (t.Workspace != "" || len(t.Roots) > 0):
		return nil, fault.New(fault.Usage, "a server answers only about the folders that it was started with").Or("omit workspace")
	case len(w.cfg.Roots) > 0 && len(t.Repos) == 0 && len(all) == 1:
		return nil, nil
	case len(w.cfg.Roots) > 0:
	case len(t.Roots) > 0:
		var err error
		if all, err = w.rooted(t.Roots); err != nil {
			return nil, err
		}
	case t.Workspace == "" && len(t.Repos) == 0:
		return nil, nil
	default:
		var err error
		if all, err = w.Listed(t.Workspace); err != nil {
			return nil, err
		}
	}
	out, err := Pick(all, t.Repos)
	if err != nil {
		return nil, err
	}
	return w.Ready(out)
}

// rooted returns the repositories at some folders, each once.
func (w *Workspace) rooted(roots []string) ([]Repo, error) {
	var all []string
	for _, root := range roots {
		at, err := w.Folder(root)
		if err != nil {
			return nil, err
		}
		if st, err := os.Stat(at); err == nil && !st.IsDir() {
			return nil, fault.New(fault.Usage, "--root %s is not a folder", root)
		}
		if !slices.Contains(all, at) {
			all = append(all, at)
		}
	}
	return Named(all), nil
}

// Ready sees that repositories can be asked: each is there, and is no more than a project.
func (w *Workspace) Ready(repos []Repo) ([]Repo, error) {
	for i := range repos {
		if err := w.ready(&repos[i]); err != nil {
			return nil, err
		}
	}
	w.remember(repos)
	return repos, nil
}

// Pick returns the repositories of some names, in the order of all.
func Pick(all []Repo, names []string) ([]Repo, error) {
	wanted := map[string]bool{}
	for _, list := range names {
		for name := range strings.SplitSeq(list, ",") {
			if name = strings.TrimSpace(name); name != "" {
				wanted[name] = true
			}
		}
	}
	if len(wanted) == 0 {
		return slices.Clone(all), nil
	}
	var out []Repo
	for _, r := range all {
		if wanted[r.Name] {
			out = append(out, r)
			delete(wanted, r.Name)
		}
	}
	for _, list := range names { // the first that is unknown, as it was given
		for name := range strings.SplitSeq(list, ",") {
			if name = strings.TrimSpace(name); wanted[name] {
				return nil, fault.New(fault.NotFound, "no repository %s here", name).Or("there is: %s", strings.Join(Names(all), ", "))
			}
		}
	}
	return out, nil
}

// Names returns the names of repositories.
func Names(repos []Repo) []string {
	return slice.Map(repos, func(x Repo) string { return x.Name })
}

func (w *Workspace) ready(r *Repo) error {
	real, err := filepath.EvalSymlinks(r.Root)
	switch {
	case err != nil && r.URL != "":
		return fault.New(fault.NotFound, "repository %s was not fetched yet", r.Name).Try("repos", fault.Arg{Name: "fetch", Value: true})
	case err != nil:
		return fault.New(fault.NotFound, "repository %s", r.Name).Because(err).Or("correct its path in the workspace file")
	}
	r.Root = real
	return w.allowed(real, true)
}

// A Part is what a call asks of one repository.
type Part struct {
	Repo
	Paths []string // absolute; none: all of it
}

// Parts divides paths among repositories: an absolute one belongs to the repository it is
// in, another to each that has it. Without paths each repository is asked whole.
func (w *Workspace) Parts(repos []Repo, paths []string) ([]Part, error) {
	out := make([]Part, len(repos))
	for i := range repos {
		out[i].Repo = repos[i]
	}
	if len(paths) == 0 {
		return out, nil
	}
	for _, path := range paths {
		// A tree may be named by way of a link above it. Nothing is told of what is elsewhere.
		if real, err := filepath.EvalSymlinks(path); err == nil && filepath.IsAbs(path) && slices.ContainsFunc(repos, func(r Repo) bool { return below(r.Root, real) }) {
			path = real
		}
		found := false
		var within []string
		for i := range out {
			abs := path
			if !filepath.IsAbs(path) {
				abs = filepath.Join(out[i].Root, filepath.FromSlash(path))
			}
			if !below(out[i].Root, abs) || !filepath.IsAbs(path) && !filepath.IsLocal(filepath.FromSlash(path)) {
				continue
			}
			within = append(within, out[i].Name)
			real, err := filepath.EvalSymlinks(abs)
			if err != nil {
				continue
			}
			// A link may lead out of the repository, and is then not told from nothing.
			if below(out[i].Root, real) {
				out[i].Paths, found = append(out[i].Paths, real), true
			}
		}
		switch {
		case len(within) == 0:
			return nil, fault.New(fault.Usage, "%s is outside the repositories that are asked", path).Or("they are: %s", strings.Join(Names(repos), ", "))
		case !found:
			return nil, fault.New(fault.NotFound, "no such file or folder: %s", path).Or("paths are relative to a repository; looked for in %s", strings.Join(within, ", "))
		}
	}
	return slices.DeleteFunc(out, func(p Part) bool { return len(p.Paths) == 0 }), nil
}

// Repo returns the repository of the workspace at a root; nil where that is none.
func (w *Workspace) Repo(root string) *Repo {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.known[root]
}

// among returns what is known of the repository at a root, and whether it is one of several.
func (w *Workspace) among(root string) (repo *Repo, several bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	repo = w.known[root]
	return repo, repo != nil && len(w.known) > 1
}

// remember keeps what is asked of repositories, for the questions about each.
func (w *Workspace) remember(repos []Repo) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range repos {
		root := repos[i].Root
		if real, err := filepath.EvalSymlinks(root); err == nil {
			root = real
		}
		w.known[root] = &repos[i]
	}
}

// An Asker is the input of a question that several repositories may be asked.
type Asker interface{ Across() Across }

// Across is what a question says of the repositories that it asks; the pointers are into it.
type Across struct {
	Trees  *Trees
	Root   *string
	Limit  *int   // what of the answer they share; nil: nothing
	Least  int    // the minimum of a share
	Cursor string // of the page before
}
